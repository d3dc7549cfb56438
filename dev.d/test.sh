# ./dev test: stages, what they count, and the table at the end. A stage NAME is a function stage_NAME; it calls pass, fail and skip,
# or run_ctest and check, which do. packages_NAME are its packages.

quick_stages=(lint gcc sanitize goldens node)
all_stages=("${quick_stages[@]}" proof clang thread qemu cross compilers analysis gate web python)
release_stages=("${all_stages[@]}" whole machines flags package zig conan workflow)

is_quick=''                 # of ./dev test without arguments, which leaves the longest of its stages to all: ${is_quick:+-E 'THESE'}
passed=0 failed=0 skipped=0 # of the stage
total_passed=0 total_failed=0 total_skipped=0
summary=()

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); }
skip() { # reason
  warn "SKIP: $*"
  skipped=$((skipped + 1))
}

check() { # what, command...
  say "$1"
  shift
  if "$@"; then pass; else fail; fi
}

# The cases that tests left out, each once, as ours, cmocka and unittest print them.
print_skips() { # log
  local skips
  skips=$(grep -ahE '^ *SKIP|^\[  SKIPPED \] [^0-9]|\.\.\. skipped |^ModuleNotFoundError: ' "$1" |
    sed 's/^ModuleNotFoundError: No module named/Python tests that import/; s/^ */  /' | awk '!seen[$0]++' || true)
  [ -z "$skips" ] || printf 'Left out:\n%s%s%s\n' "$yellow" "$skips" "$plain"
}

# Runs the tests of a build and adds them to the counts. Options: ctest's choice of tests.
run_ctest() { # dir, option...
  local dir=$1 status=0 log ran p f s
  shift
  log=$dir/ctest.log
  say "ctest $* in $dir"
  ctest --test-dir "$dir" --output-on-failure --timeout 1500 "$@" </dev/null 2>&1 | tee "$log" || status=$?
  print_skips "$dir/Testing/Temporary/LastTest.log"
  local line='^ *[0-9]+/[0-9]+ Test +#[0-9]+: .*'
  ran=$(grep -acE "$line" "$log" || true)
  p=$(grep -acE "$line   Passed " "$log" || true)
  s=$(grep -acE "$line\*\*\*(Skipped|Not Run \(Disabled\))" "$log" || true)
  f=$((ran - p - s))
  if [ "$ran" = 0 ] || { [ "$status" != 0 ] && [ "$f" = 0 ]; }; then
    bad "ctest $*: $ran tests ran, exit status $status"
    f=$((f + 1))
  fi
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# A line of the table.
row() { # name, passed, failed, skipped, seconds, of processors
  local colour=$green
  [ "$3" = 0 ] || colour=$red
  printf '%s%-10s %6d %6d %7d %4d:%02d %4d:%02d%s\n' "$colour" "$1" "$2" "$3" "$4" $(($5 / 60)) $(($5 % 60)) $(($6 / 60)) $(($6 % 60)) "$plain"
}

# Seconds that processors have worked for this script: on two of them, twice the time that it takes when nothing else runs.
worked() {
  local stat=()
  read -ra stat 2>/dev/null </proc/$$/stat || true
  echo $(((${stat[13]:-0} + ${stat[14]:-0} + ${stat[15]:-0} + ${stat[16]:-0}) / 100))
}

# Runs a stage, whatever becomes of it, and notes what did.
run_stage() { # name
  local start=$SECONDS before
  before=$(worked)
  passed=0 failed=0 skipped=0
  printf '\n'
  say "stage $1"
  "stage_$1" || fail # it did not build
  summary+=("$(row "$1" $passed $failed $skipped $((SECONDS - start)) $(($(worked) - before)))")
  total_passed=$((total_passed + passed)) total_failed=$((total_failed + failed)) total_skipped=$((total_skipped + skipped))
}

test_stages() {
  local stages=("$@") stage packages=("${build_packages[@]}" "${tool_packages[@]}" "${test_packages[@]}") more start before
  case "$*" in
  '') stages=("${quick_stages[@]}") is_quick=yes ;;
  all) stages=("${all_stages[@]}") ;;
  release) stages=("${release_stages[@]}") ;;
  esac
  for stage in "${stages[@]}"; do
    [[ " ${release_stages[*]} " == *" $stage "* ]] || usage_error "test: there is no stage '$stage'; there are: ${release_stages[*]}"
    declare -n more=packages_$stage
    packages+=(${more[@]+"${more[@]}"})
  done
  if [[ " ${stages[*]} " == *" proof "* ]] && ! grep -qs 'avx512vl .*avx512vbmi .*avx512_vnni' /proc/cpuinfo; then simde_avx512=ON; fi
  need "${packages[@]}"
  stop_without "${build_packages[@]}"
  [ ${#absent[@]} -eq 0 ] || may_install || warn "Continuing without packages that this user cannot install. As root: apt-get install ${absent[*]}"
  # Real rotation data beside the checkout, which not everyone has.
  if [ -z "${QUATSIMD_DATA:-}" ] && [ -d ../shared/data ]; then
    QUATSIMD_DATA=$(cd ../shared/data && pwd)
    export QUATSIMD_DATA
  fi
  [ -n "${QUATSIMD_DATA:-}" ] || warn "QUATSIMD_DATA is not set: tests of the command on recorded animations are left out"

  start=$SECONDS before=$(worked) # packages aside
  for stage in "${stages[@]}"; do run_stage "$stage"; done

  printf '\n%s%-10s %6s %6s %7s %7s %7s%s\n' "$bold" stage passed failed skipped min:s "of CPU" "$plain"
  printf '%s\n' "${summary[@]}"
  row all $total_passed $total_failed $total_skipped $((SECONDS - start)) $(($(worked) - before))
  [ ${#absent[@]} -eq 0 ] || warn "missing packages: ${absent[*]}"
  printf '\n%d passed, %d failed, %d skipped\n' "$total_passed" "$total_failed" "$total_skipped"
  [ "$total_failed" = 0 ]
}
