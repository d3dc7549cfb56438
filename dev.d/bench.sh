# ./dev bench, ./dev gate and the stage gate.

bench_packages=("${build_packages[@]}" g++ libbenchmark-dev python3)
packages_gate=("${bench_packages[@]}" valgrind gcc-aarch64-linux-gnu libc6-dev-arm64-cross)

build_bench() { # target
  build bench release "$1" -DQUATSIMD_BENCH=ON -DQUATSIMD_TOOL=OFF -DQUATSIMD_TESTS=OFF -DQUATSIMD_EXAMPLES=OFF
}

bench() {
  local check=() options=() builds=() build
  while [ $# -gt 0 ]; do
    case $1 in
    --check) check=(--check) ;;
    --compare)
      builds=("${2:-}" "${3:-}")
      for build in "${builds[@]}"; do
        (cd "$here" && [ -x "$build/bench/quatsimd-bench" ]) || usage_error "bench: --compare: there is no '$build/bench/quatsimd-bench'"
      done
      shift 2
      ;;
    --*) options+=("$1") ;;
    *) usage_error "bench: '$1' is not an option" ;;
    esac
    shift
  done
  if [ ${#builds[@]} -gt 0 ]; then
    bench_compare "${builds[@]}" ${options[@]+"${options[@]}"}
    return
  fi
  must_have "${bench_packages[@]}"
  need libglm-dev libeigen3-dev gnuplot-nox
  build_bench all || exit 1
  say "measuring: about four minutes for each set of kernels; with --quick 30 seconds"
  build/bench/bench/quatsimd-bench --benchmark_out=build/bench/bench.json ${options[@]+"${options[@]}"} >build/bench/bench.txt
  "$python" bench/report.py build/bench/bench.json --plot build/bench/bench.svg ${check[@]+"${check[@]}"}
}

# Two builds in turns, three times: what disturbs one disturbs the other as well.
bench_compare() { # old, new, option...
  local builds=("$1" "$2") round side out=$root/build/compare
  shift 2
  mkdir -p "$out"
  for round in 1 2 3; do
    for side in 0 1; do
      say "round $round of 3: ${builds[side]}"
      (cd "$here" && quietly "$out/log" "${builds[side]}/bench/quatsimd-bench" --benchmark_out="$out/$side-$round.json" "$@") || exit 1
    done
  done
  "$python" bench/report.py "$out"/1-?.json --against "$out"/0-?.json
}

# What bench/gate counts in: the program, and objects whose loops valgrind cannot run.
gate_program=build/bench/bench/quatsimd-bench
gate_avx512=build/bench/CMakeFiles/quatsimd_objects.dir/src/simd/isa_avx512.c.o
gate_neon=build/gate-aarch64/CMakeFiles/quatsimd_objects.dir/src/simd/isa_neon.c.o

# Of NEON this object alone, where Ninja builds; all of them take twice as long. Make would take the name of a file that is there for done.
build_gate() {
  local target=quatsimd_objects
  build_bench quatsimd_bench || return 1
  command -v aarch64-linux-gnu-gcc >/dev/null || return 0
  [ -f build/gate-aarch64/Makefile ] || [ "${CMAKE_GENERATOR:-Ninja}" != Ninja ] || ! command -v ninja >/dev/null || target=${gate_neon#*/*/}
  build gate-aarch64 release "$target" --toolchain "$root/cmake/toolchains/aarch64.cmake" \
    -DQUATSIMD_TOOL=OFF -DQUATSIMD_TESTS=OFF -DQUATSIMD_EXAMPLES=OFF
}

# What of that was built, in gated.
find_gated() {
  local file
  gated=()
  for file in $gate_program $gate_avx512 $gate_neon; do
    if [ -f "$file" ]; then gated+=("$file"); else warn "nothing is counted in $file, which this machine's compilers do not make"; fi
  done
}

stage_gate() {
  local log=build/bench/gate.log counts=build/bench/counts.json status=0
  if [ "$(uname -m)" != x86_64 ] || ! command -v valgrind >/dev/null; then
    skip "the gate: it needs x86-64 and valgrind"
    return
  fi
  build_gate && "$python" bench/plant.py build/planted && (cd build/planted && root=$PWD build_gate) || return 1
  find_gated
  say "comparing with bench/baseline.json"
  "$python" bench/gate "${gated[@]}" -o $counts --against bench/baseline.json >$log 2>&1 || status=$?
  cat $log
  case $status in
  0) pass ;;
  3) skip "$(head -n 1 $log); ./dev gate --renew makes a baseline with this build" ;;
  *) fail ;;
  esac
  check "the gate must notice what costs more" bench/gate_selftest $counts build/planted "${gated[@]}"
}

gate() {
  local options=("$@")
  case ${1:-} in
  -h | --help)
    "$python" bench/gate --help
    return
    ;;
  --renew)
    [ $# = 1 ] || usage_error "gate: --renew takes no other arguments"
    options=(-o bench/baseline.json)
    ;;
  *) options+=(--against bench/baseline.json) ;;
  esac
  "$python" bench/gate "${options[@]}" --help >/dev/null || exit # a wrong option is said before minutes of building
  must_have "${bench_packages[@]}" valgrind
  need "${packages_gate[@]}"
  build_gate || exit 1
  find_gated
  if [ "${1:-}" = --renew ] && [ ${#gated[@]} != 3 ]; then
    bad "gate --renew: a baseline needs all of these"
    exit 1
  fi
  "$python" bench/gate "${gated[@]}" "${options[@]}"
}
