# ./dev help

help() {
  cat <<'TEXT'
Usage: ./dev COMMAND [ARGUMENT...]

  demo [-v] [FILE|DIR...]
                      build the command quatsimd, compress two motion captures
                      or your own files, and print sizes, errors and speed. Two
                      minutes. -v: also measure each packed format on the
                      rotations
  test                run the tests that CI runs on every change. 15 minutes on
                      two cores. The stages:
                      lint       formatting, cppcheck, comments, linters of Python and shell
                      gcc        release build by gcc, with the tests labelled
                                 quick, except eleven of the longest
                      sanitize   build by clang with address and
                                 undefined-behaviour sanitizers: most of these
                                 tests, without those of the command, and every
                                 fuzzer for 1 second
                      goldens    the same bits on AArch64, emulated
                      node       the player of the npm package in Node.js
  test all            run more tests, before a change is complete: 55 minutes
                      on two cores. Nothing of the stages above is left out,
                      and fuzzers run for 3 seconds. The other stages:
                      proof      the gcc build with the tests labelled all:
                                 all errors, shaders, Slurm, npm's meshoptimizer,
                                 playback in three.js, an installed library
                      clang      release build by clang, with the tests
                                 labelled quick, without those of the command
                      thread     thread sanitizer
                      qemu       the gcc build on emulated older x86 CPUs
                      cross      big-endian IBM Z, i386, Windows, WebAssembly;
                                 the command on Windows
                      compilers  the same bits with other optimisations
                      analysis   clang-tidy; Doxygen must find the whole API
                                 documented
                      gate       instructions of kernels, compared with the
                                 committed baseline (docs/ci.md)
                      web        the npm package in Node.js; goldens and the
                                 page in Chromium: every control, good and bad
                                 files, pixels, memory
                      python     a wheel of the Python package, tested in a
                                 fresh venv
  test release        run every test, as a release needs. The other stages:
                      whole      every 32-bit word, 10,000 files, a build in a
                                 new Debian
                      machines   RISC-V, 32-bit ARM; more of AArch64
                      flags      the same bits with four more sets of flags
                      package    the result of ./dev package: the same bytes
                                 when made twice, and used as users use it
                      zig        goldens by zig's clang: musl, Windows; macOS
                                 is linked alone
                      conan      Conan's package, static and shared
                      workflow   .github/workflows/ci.yml: its schema, its
                                 steps for Linux in a new Debian
  test STAGE...       run these stages
  bench [OPTION...]   build and run the benchmark, print tables, draw
                      build/bench/bench.svg. Options: those of quatsimd-bench,
                      such as --quick, --all and --benchmark_filter=REGEX
                      (bench/README.md), and:
                      --check    compare with thresholds instead of printing
                                 tables
                      --compare OLD NEW
                                 run the benchmarks of two build folders in
                                 turns, and print which rows differ
  gate [OPTION...]    count instructions of kernels and calls, and list what is
                      more than in bench/baseline.json. Two minutes. Options:
                      those of bench/gate, such as --only REGEX (./dev gate
                      --help), and:
                      --renew    write bench/baseline.json
  lint                run the stages lint and analysis
  cross [MACHINE...]  build for other machines by gcc and by clang, and compare
                      the bits. Default: all machines, which are aarch64,
                      riscv64, s390x (big-endian), armhf, i386, mingw
                      (Windows), wasm (WebAssembly). Programs for Linux run in
                      qemu, those for Windows in wine, those for WebAssembly in
                      Node.js
  fuzz [TARGET...] [SECONDS]
                      build the fuzzers, and run these targets for 60 or
                      SECONDS seconds each. Default: all targets. The first
                      build takes some minutes. Inputs that reach new code stay
                      in build/sanitize/corpus, and the next run starts from
                      them (fuzz/README.md)
  docs                make the API reference:
                      build/docs/reference/html/index.html
  amalgamate          make one source file and one header of the library in
                      build/amalgamation (docs/embedding.md)
  package             make the files of a release: archives of sources and
                      binaries, the command for Linux and Windows, Debian's
                      packages, npm's package (docs/embedding.md). Ten minutes.
                      Needs x86-64
  web [FOLDER]        make the page that compresses animations in a browser,
                      for any web server (docs/web.md), in FOLDER or build/web.
                      Three minutes the first time
  help                print this text

Examples:
  ./dev demo hero.glb                    compress your own file
  ./dev test                             before you send a change
  ./dev test gcc                         one stage, in build/gcc
  ./dev bench --quick                    an eighth of the time
  ./dev cross s390x                      one big-endian machine
  ./dev fuzz gltf 600                    one fuzzer for ten minutes

A command installs what it needs when it is first used. On Debian and Ubuntu it
uses apt-get, with sudo if you are not root. On other systems it prints the
names of Debian's packages and continues with what is installed. Everything
that is built is in build/, with one folder for each stage. `rm -r build` is
always safe.

Environment variables:
  JOBS                number of compilers and tests that run at once.
                      Default: the number of cores
  NO_COLOR            print no colours
  QUATSIMD_DATA       folder of more rotation data for the tests of the command

The last line of ./dev test is the sum of all stages: "N passed, N failed, N
skipped". The exit status is 0 on success, 1 if anything failed, 2 for bad
usage.
TEXT
}
