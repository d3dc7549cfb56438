#!/bin/bash
# Runs fuzzers that are built, JOBS at a time: `./dev fuzz` calls it.
# Usage: fuzz/run.sh FOLDER SECONDS TARGET...
# SEED: the seed of libFuzzer; without it each run has its own.
# FOLDER has the build, and gets seeds/, corpus/ (kept, later runs go on from it), findings/, logs/ and results, a line for each target.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$1 seconds=$2
shift 2
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
python=/usr/bin/python3
[ -x $python ] || python=python3

# Options of libFuzzer for a target: its longest input, and the largest block of memory that it may ask for.
limits() { # target
  case $1 in
  clip | skeleton | bundle | pose | jobs | transcode) echo -max_len=8192 -malloc_limit_mb=256 ;;
  fbx) echo -max_len=65536 -malloc_limit_mb=512 ;;
  npy | ply | splat | gltf | bvh | recipe) echo -max_len=16384 -malloc_limit_mb=16 ;; # memory follows the file
  *) echo -max_len=2048 -malloc_limit_mb=256 ;;
  esac
}

# number_of LOG NAME: of libFuzzer's final statistics.
number_of() { sed -n "s/^stat::$2: *//p" "$1" | tail -n 1; }

run() { # target
  local program=$folder/fuzz/fuzz_$1
  [ "$1" != command ] || program=$folder/tools/quatsimd
  if [ ! -x "$program" ]; then
    printf '%-12s skipped: it is not built, what it needs is missing\n' "$1"
    echo "skipped $1" >>"$folder/results"
    return
  fi
  local target=$1 status=0 log=$folder/logs/$1.log corpus=$folder/corpus/$1 found again dictionary=()
  mkdir -p "$corpus"
  [ ! -f "$folder/seeds/$target.dict" ] || dictionary=("-dict=$folder/seeds/$target.dict")
  if [ "$target" = command ]; then
    "$python" fuzz/command.py "$program" "$folder/seeds/command" "$folder/findings" "$seconds" >"$log" 2>&1 </dev/null || status=$?
  else # shellcheck disable=SC2046
    UBSAN_OPTIONS=print_stacktrace=1 "$program" -seed="${SEED:-0}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 $(limits "$target") \
      ${dictionary[@]+"${dictionary[@]}"} -print_final_stats=1 -artifact_prefix="$folder/findings/$target-" \
      "$corpus" "$folder/seeds/$target" >"$log" 2>&1 </dev/null || status=$?
  fi
  local coverage
  coverage=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 | tr -dc 0-9 || true)
  printf '%-12s %10s executions %7s/s  coverage %5s  corpus %5s  ' "$target" "$(number_of "$log" number_of_executed_units)" \
    "$(number_of "$log" average_exec_per_sec)" "${coverage:--}" "$(find "$corpus" -type f | wc -l)"
  if [ $status = 0 ]; then
    echo "found nothing$(sed -n 's/^stat::busy: \(.*\)/, Assimp kept busy over \1/p' "$log")"
    echo "ok $target" >>"$folder/results"
    return
  fi
  found=$(sed -n 's/.*Test unit written to //p; s/^REPRODUCER //p' "$log" | tail -n 1)
  again="$program $found"
  [ "$target" != command ] || again="the command line in $log, with $program"
  if [ -n "$found" ]; then printf 'FOUND %s\n%12s again: %s\n' "$found" "" "$again"; else printf 'FAILED\n'; fi
  printf '%12s log:   %s\n' "" "$log"
  grep -m 3 -E '^fuzz: |ERROR: |runtime error|^a sanitizer|^exit status' "$log" || tail -n 5 "$log"
  echo "found $target" >>"$folder/results"
}

rm -rf "$folder/tmp" # of those that crashed
mkdir -p "$folder"/{seeds,corpus,findings,logs,tmp}
export TMPDIR=$folder/tmp
: >"$folder/results"
"$python" fuzz/seeds.py "$folder" "$folder/seeds"
for target; do
  while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  run "$target" &
done
wait
[ "$(grep -cE '^(ok|skipped) ' "$folder/results")" = $# ]
