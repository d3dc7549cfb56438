# ./dev help

help() {
  cat <<'TEXT'
Usage: ./dev COMMAND [ARGUMENT...]

  ./dev demo [-v] [FILE|DIR...]
                          build the command quatsimd and compress two motion captures (or yours) with it:
                          sizes, errors and speed in words. Two minutes. -v: what each format makes of them, too
  ./dev test              what our CI runs on every change, 15 minutes on two cores. Its stages:
                            lint      is dev itself valid, are sources formatted, cppcheck
                            gcc       release build of gcc, the tests labelled quick
                            sanitize  clang's address and undefined-behaviour sanitizers: these tests again, but
                                      for the command's, and every fuzzer for a second
                            goldens   AArch64, emulated: the same bits
  ./dev test all          every test, more than an hour on two cores: nothing of these is left out, fuzzers run for
                          three seconds, and there are more stages:
                            proof     the gcc build, the tests labelled all: every word of 32 bits, all errors,
                                      shaders, Slurm, npm's meshoptimizer, playback in three.js, 10,000 files,
                                      an installed library
                            clang     release build of clang, the tests labelled quick
                            thread    thread sanitizer
                            qemu      the gcc build on emulated older x86 CPUs
                            cross     more machines, big-endian IBM Z among them, and more of AArch64;
                                      the command on Windows
                            compilers do all optimisations of gcc and of clang compute the same bits?
                            analysis  clang-tidy; does Doxygen find all of the API documented?
                            gate      does a kernel take more instructions than the committed baseline says? (docs/ci.md)
                            package   what ./dev package makes, twice: the same bytes? And used as its users do
                            web       the npm package in Node.js; goldens and the page in Chromium: every control, good and bad files, pixels, memory
  ./dev test STAGE...     some of these stages
  ./dev bench [OPTION...] build and run the benchmark, print tables, draw build/bench/bench.svg. Options:
                            --check   compare with the thresholds instead of printing tables
                          and those of quatsimd-bench: --quick, --all, --benchmark_filter=REGEX (bench/README.md)
  ./dev amalgamate        make one source and one header of the library: build/amalgamation (docs/embedding.md)
  ./dev package           make what a release has: archives of sources and binaries, the command alone for Linux and Windows,
                          Debian's packages (docs/embedding.md). Ten minutes, on x86-64
  ./dev web [FOLDER]      make the page that compresses animations in a browser, for any web server: build/web, or FOLDER
                          (docs/web.md). Three minutes the first time
  ./dev docs              make the API reference: build/docs/reference/html/index.html
  ./dev fuzz [TARGET...] [SECONDS]
                          build the fuzzers, some minutes the first time, and run those named, or all, for 60 seconds each.
                          Inputs that reached new code stay in build/sanitize/corpus, and the next run starts from them
                          (fuzz/README.md).
  ./dev gate [OPTION...]  measure and count instructions, and compare with bench/baseline.json: what is slower? Three minutes.
                          Options are those of bench/gate for measuring and comparing (./dev gate --help), such as --only REGEX, and:
                            --renew   write bench/baseline.json (of five runs) and bench/loops.json instead
  ./dev lint              the stages lint and analysis
  ./dev cross [MACHINE...]
                          build for other machines by gcc and by clang, and do they compute the same bits? All, or these: aarch64,
                          riscv64, s390x (big-endian), armhf, i386, mingw (Windows, run by wine), wasm (WebAssembly, run by
                          Node.js); Linux is run by qemu
  ./dev help              this text

The first use of a command installs what it needs and this machine lacks: on Debian and Ubuntu through apt-get, with
sudo if you are not root; elsewhere it names Debian's packages and goes on with what is there. Everything built is in
build/, a folder for each stage; `rm -r build` is always safe.

Environment: JOBS        how many compilers and tests run at once (default: one for each core)
             NO_COLOR    no colours
             QUATSIMD_DATA  folder of more rotation data for the tests of the command

The last line of ./dev test is the sum of all stages: "N passed, N failed, N skipped". The exit status is 0 if all
went well, 1 if something failed, 2 for bad usage.
TEXT
}
