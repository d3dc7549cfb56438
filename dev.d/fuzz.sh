# Stage sanitize: tests and fuzzers in one build of clang with sanitizers. ./dev fuzz: these fuzzers for longer.

packages_sanitize=("${clang_packages[@]}")

# Tests that ./dev test leaves to all: the command's tests, which start thousands of processes and take twice as long here as all others;
# the longest of others; models in Python; SSE2 and AVX-512, whose kernels are those of AVX2 with other lanes; what compiles or reads texts.
slow_sanitized='^(tool_|test_clip_(kernels|limits|threads|times|valid)|test_(align|clip|lattice|link|meshes|skeleton_bytes)$|model_|headers_|flags_|words_|docs$|man_page$)|_(sse2|avx512)$'

stage_sanitize() {
  build_sanitized all || return 1
  run_ctest build/sanitize -L '^quick$' ${is_quick:+-E "$slow_sanitized"}
  stage_fuzzers
}

build_sanitized() { # target
  build sanitize asan "$1"
}

fuzz_targets() { for f in fuzz/fuzz_*.c; do basename "${f#fuzz/fuzz_}" .c; done && echo command; }

stage_fuzzers() {
  local targets target status=0 seconds=${is_quick:+1}
  mapfile -t targets < <(fuzz_targets)
  say "running every fuzzer for ${seconds:=3} s"
  rm -f build/sanitize/results # an earlier run's say nothing of this one
  # A fixed seed for ./dev test, so that its verdict depends on the commit; other runs draw their own.
  SEED=${is_quick:+1} fuzz/run.sh build/sanitize $seconds "${targets[@]}" || status=$?
  for target in "${targets[@]}"; do
    if grep -qsx "ok $target" build/sanitize/results; then
      pass
    elif grep -qsx "skipped $target" build/sanitize/results; then
      skip "fuzz_$target is not built"
    else
      fail
    fi
  done
  [ $status = 0 ] || [ $failed -gt 0 ]
}

fuzz() {
  local seconds=60 targets=() all argument
  mapfile -t all < <(fuzz_targets)
  for argument; do
    if [[ $argument =~ ^[1-9][0-9]*$ ]]; then
      seconds=$argument
    elif [[ " ${all[*]} " == *" $argument "* ]]; then
      targets+=("$argument")
    else
      usage_error "fuzz: there is no target '$argument'; there are: ${all[*]}"
    fi
  done
  [ ${#targets[@]} -gt 0 ] || targets=("${all[@]}")
  must_have "${build_packages[@]}" "${tool_packages[@]}" "${test_packages[@]}" "${clang_packages[@]}"
  build_sanitized fuzzers || exit 1
  say "fuzzing for $seconds seconds each: ${targets[*]}"
  fuzz/run.sh build/sanitize "$seconds" "${targets[@]}"
}
