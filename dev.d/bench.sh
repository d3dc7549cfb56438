# ./dev bench, ./dev gate and the stage gate.

bench_packages=("${build_packages[@]}" g++ libbenchmark-dev python3)
packages_gate=("${bench_packages[@]}" valgrind gcc-aarch64-linux-gnu libc6-dev-arm64-cross)

build_bench() { # target
  build bench release "$1" -DQUATSIMD_BENCH=ON -DQUATSIMD_TOOL=OFF -DQUATSIMD_TESTS=OFF -DQUATSIMD_EXAMPLES=OFF
}

bench() {
  local argument check=() options=()
  for argument; do
    case $argument in
    --check) check=(--check) ;;
    --*) options+=("$argument") ;;
    *) usage_error "bench: '$argument' is not an option" ;;
    esac
  done
  must_have "${bench_packages[@]}"
  need libglm-dev libeigen3-dev gnuplot-nox
  build_bench all || exit 1
  say "measuring: about four minutes for each set of kernels; with --quick 30 seconds"
  build/bench/bench/quatsimd-bench --benchmark_out=build/bench/bench.json ${options[@]+"${options[@]}"} >build/bench/bench.txt
  "$python" bench/report.py build/bench/bench.json --plot build/bench/bench.svg ${check[@]+"${check[@]}"}
}

# The objects in which bench/loops counts.
loops_avx512=build/bench/CMakeFiles/quatsimd_objects.dir/src/simd/isa_avx512.c.o
loops_neon=build/loops-aarch64/CMakeFiles/quatsimd_objects.dir/src/simd/isa_neon.c.o
loops_planted=build/bench/bench/CMakeFiles/quatsimd_bench_planted.dir/planted/src/simd/isa_avx512.c.o

# This object alone, where Ninja builds; all of them take twice as long. Make would take the name of a file that is there for done.
build_neon() {
  local target=quatsimd_objects
  [ -f build/loops-aarch64/Makefile ] || [ "${CMAKE_GENERATOR:-Ninja}" != Ninja ] || ! command -v ninja >/dev/null || target=${loops_neon#*/*/}
  build loops-aarch64 release "$target" --toolchain "$root/cmake/toolchains/aarch64.cmake" \
    -DQUATSIMD_TOOL=OFF -DQUATSIMD_TESTS=OFF -DQUATSIMD_EXAMPLES=OFF
}

compare_loops() { # object
  local log=build/bench/loops.log status=0
  "$python" bench/loops --against bench/loops.json "$1" >$log || status=$?
  cat $log
  case $status in
  0) pass ;;
  3) skip "$(head -n 1 $log); ./dev gate --renew makes a baseline with this build" ;;
  *) fail ;;
  esac
}

gate_loops() {
  if [ -f $loops_avx512 ]; then
    check "bench/loops must notice a longer loop" bench/loops_selftest $loops_avx512 $loops_planted
    say "comparing loops of AVX-512 and NEON with bench/loops.json"
    compare_loops $loops_avx512
  else
    skip "loops of AVX-512: this compiler does not support AVX-512"
  fi
  if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip "loops of NEON: there is no aarch64-linux-gnu-gcc"
    return
  fi
  build_neon && compare_loops $loops_neon
}

# Counts alone: they are the same on any machine. The times of a machine that tests run on are not worth an alarm.
stage_gate() {
  if [ "$(uname -m)" != x86_64 ] || ! command -v valgrind >/dev/null; then
    skip "the performance gate: it needs x86-64 and valgrind"
    return
  fi
  local bench=build/bench/bench/quatsimd-bench log=build/bench/gate.log status=0
  build_bench all && build_bench quatsimd_bench_planted || return 1
  check "the gate must notice a slower kernel" bench/gate_selftest --repeats 2 $bench $bench-planted
  say "comparing with bench/baseline.json"
  "$python" bench/gate --run $bench -o build/bench/new.json --no-times || return 1
  "$python" bench/gate bench/baseline.json build/bench/new.json --require counts 2>$log || status=$?
  case $status in
  0) pass ;;
  3) skip "$(<$log); ./dev gate --renew makes a baseline with this build" ;;
  *)
    cat $log
    fail
    ;;
  esac
  gate_loops
}

gate() {
  local bench=build/bench/bench/quatsimd-bench renew='' argument i files=()
  local run=(--run "$bench" -o build/bench/new.json)
  if [ "${1:-}" = --renew ]; then
    renew=1
    [ $# = 1 ] || usage_error "gate: --renew takes no other arguments"
  else # before minutes of building and measuring
    must_have "${bench_packages[@]}"
    for argument; do
      case $argument in -h | --help)
        "$python" bench/gate --help
        return
        ;;
      esac
    done
    "$python" bench/gate "$@" "${run[@]}" --check-options || exit
  fi
  must_have "${bench_packages[@]}"
  need valgrind
  if [ "$renew" ]; then
    need "${packages_gate[@]}"
    if ! command -v valgrind >/dev/null || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
      bad "gate --renew: a baseline needs valgrind and aarch64-linux-gnu-gcc, and one of them is missing"
      exit 1
    fi
  fi
  build_bench quatsimd_bench || exit 1
  if [ "$renew" ]; then
    if [ ! -f $loops_avx512 ]; then
      bad "gate --renew: a baseline needs the loops of AVX-512, and this compiler does not support AVX-512"
      exit 1
    fi
    for i in 1 2 3 4 5; do
      say "run $i of 5"
      files+=("build/bench/new$i.json")
      "$python" bench/gate --run $bench -o "build/bench/new$i.json" || exit 1
    done
    "$python" bench/gate --write bench/baseline.json "${files[@]}"
    build_neon && "$python" bench/loops -o bench/loops.json $loops_avx512 $loops_neon >/dev/null
    return
  fi
  "$python" bench/gate "$@" "${run[@]}" || exit
  "$python" bench/gate bench/baseline.json build/bench/new.json --bench $bench "$@"
}
