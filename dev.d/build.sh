# Building with CMake, one folder for each stage.

# quietly LOG COMMAND...: the output goes to the log, and is shown if the command fails.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null && return
  failed_command "$log" "$@"
}

failed_command() { # log, command...
  local log=$1
  shift
  bad "failed: $*"
  grep -A 12 -E '^FAILED|error:|CMake Error|undefined reference' "$log" | head -n 100 || tail -n 50 "$log"
  bad "the whole output is in $log"
  return 1
}

# Reads what Ninja or Make print, and says how far they are: in a line that changes on a terminal, elsewhere at each third.
progress() {
  local line third=0 made total
  while read -r line; do
    if [[ $line =~ ^\[\ *([0-9]+)/([0-9]+)\] ]]; then
      made=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    elif [[ $line =~ ^\[\ *([0-9]+)%\] ]]; then
      made=${BASH_REMATCH[1]} total=100
    else
      continue
    fi
    if [ -t 1 ]; then
      printf '\r   %d of %d\e[K' "$made" "$total"
    elif [ "$total" -ge 9 ] && [ "$made" -lt "$total" ] && [ $((3 * made / total)) -gt $third ]; then
      third=$((3 * made / total))
      printf '   %d of %d\n' "$made" "$total"
    fi
  done
  [ ! -t 1 ] || printf '\r\e[K'
}

# build STAGE PRESET TARGET OPTION...: configures and builds into build/STAGE.
build() {
  local dir=build/$1 preset=$2 target=$3
  shift 3
  if [ -z "${CMAKE_GENERATOR:-}" ] && command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
  say "building in $dir"
  # A checkout that was moved or copied has builds of another place.
  if [ -f "$dir/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then rm -r "$dir"; fi
  quietly "$dir/configure.log" cmake --no-warn-unused-cli --preset "$preset" -B "$dir" -DPython3_EXECUTABLE="$python" "$@" || {
    rm -rf "$dir"/CMakeCache.txt "$dir"/CMakeFiles/[0-9]* # else the next try would take what was not found for absent
    return 1
  }
  sed -n '/^CMake Warning/,/^$/p' "$dir/configure.log"
  local make=(cmake --build "$dir" --target "$target" --parallel "$jobs")
  "${make[@]}" 2>&1 </dev/null | tee "$dir/build.log" | progress || failed_command "$dir/build.log" "${make[@]}" || return 1
  grep -A 3 'warning:' "$dir/build.log" || true
}
