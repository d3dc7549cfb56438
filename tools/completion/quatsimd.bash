# Completion for bash. Commands, options and their values are what the command itself lists.

# Words that begin as the one to complete.
_quatsimd_words() {
  local word
  for word; do [[ $word != "$current"* ]] || COMPREPLY+=("$word"); done
}

_quatsimd_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
}

# What follows an option that takes a value.
_quatsimd_value() { # kind, value...
  case $1 in
  path) _quatsimd_files ;;
  *) _quatsimd_words "${@:2}" ;;
  esac
}

_quatsimd() {
  local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} line option kind values options=()
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    _quatsimd_words $("$program" --list-commands 2>/dev/null)
    return
  fi
  if [ "$command" = help ]; then
    [ "$COMP_CWORD" != 2 ] || _quatsimd_words $("$program" --list-commands 2>/dev/null)
    return
  fi
  # bash takes --option=value for three words
  if [ "$current" = = ]; then current='';
  elif [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  while read -r option kind values; do
    if [ "$option" = "$before" ] && [ "$kind" != flag ]; then
      _quatsimd_value "$kind" $values
      return
    fi
    options+=("$option")
  done < <("$program" "$command" --list-options 2>/dev/null)
  case $current in
  -*) _quatsimd_words "${options[@]}" ;;
  *) _quatsimd_files ;;
  esac
}

complete -F _quatsimd quatsimd
