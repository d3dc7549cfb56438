# Completion for bash. Commands, options and their values are what the command itself lists.

# The words of the line up to the cursor, as the command will have them: those of bash end at each of
# COMP_WORDBREAKS, = and : among them. An answer is put behind what is in `kept`.
_quatsimd_read() {
  local rest=${COMP_LINE:0:COMP_POINT} part='' i
  for ((i = 0; i <= COMP_CWORD; i++)); do
    if [ "$i" = 0 ] || [[ $rest = [[:space:]]* ]]; then words+=(''); fi
    rest=${rest#"${rest%%[![:space:]]*}"} part=${COMP_WORDS[i]}
    [ "$i" != "$COMP_CWORD" ] || part=$rest
    words[${#words[@]} - 1]+=$part rest=${rest#"$part"}
  done
  current=${words[${#words[@]} - 1]} kept=$current
  [ -z "${part//["$COMP_WORDBREAKS"]/}" ] || kept=${kept%"$part"}
}

_quatsimd_answer() { # words that begin as the one to complete
  local word
  for word; do
    [[ $word != "$current"* ]] || word=$ahead$word COMPREPLY+=("${word#"$kept"}")
  done
}

_quatsimd_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do file=$ahead$file COMPREPLY+=("${file#"$kept"}"); done < <(compgen -f -- "$current")
}

_quatsimd() {
  local words=() current kept ahead='' # ahead: --option= of the word, whose value alone is completed
  local program command before count i option kind values options=()
  COMPREPLY=()
  _quatsimd_read
  program=${words[0]} command=${words[1]} count=${#words[@]} before=${words[${#words[@]} - 2]}
  if [[ $program =~ ^(~[[:alnum:]_.-]*)(/.*)$ ]]; then # bash has not expanded it yet
    eval "program=${BASH_REMATCH[1]}"
    program+=${BASH_REMATCH[2]}
  fi
  if [ "$count" = 2 ]; then
    [[ $current = -* ]] || { _quatsimd_answer $("$program" --list-commands 2>/dev/null); return; }
    command=
  elif [[ $command = help || $command = --help || $command = -h ]]; then
    [ "$count" != 3 ] || _quatsimd_answer $("$program" --list-commands 2>/dev/null)
    return
  fi
  for ((i = 2; i < count - 1; i++)); do
    [ "${words[i]}" != -- ] || { _quatsimd_files; return; }
  done
  if [[ $current = --*=* ]]; then
    before=${current%%=*} ahead=$before= current=${current#*=}
  fi
  while read -r option kind values; do
    options+=("$option")
    [ "$option" = "$before" ] || continue
    case $kind in
    flag) continue ;;
    path) _quatsimd_files ;;
    *) _quatsimd_answer $values ;;
    esac
    if [ -n "$ahead" ] || [ "$kind" != optional ]; then return; fi
  done < <("$program" ${command:+"$command"} --list-options 2>/dev/null)
  case $ahead$current in
  --*=*) ;;
  -*) _quatsimd_answer "${options[@]}" ;;
  *) _quatsimd_files ;;
  esac
}

complete -F _quatsimd quatsimd
