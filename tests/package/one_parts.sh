#!/bin/sh
# one_parts.sh QUATSIMD_C COMPILER: with the macros that leave parts out, does the one source compile, with all that it calls? Is all of it
# static that shall be? Without optimisation, so that no call goes with the code that a part was left out of.
set -eu
source=$1 compiler=$2
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
failed=0
none='NO_AVX2 NO_SSE2 NO_NEON NO_SIMD128' # no vectors
for parts in "$none" "$none ONLY_CLIPS" "$none PLAYER" 'NO_SSE2 NO_AVX512 PLAYER' 'NO_SSE41 NO_AVX2 PLAYER' \
  "$none STATIC" "$none ONLY_CLIPS STATIC" 'NO_SSE41 NO_AVX512 PLAYER STATIC'; do
  macros=
  for macro in $parts; do macros="$macros -DQUATSIMD_$macro"; done
  # shellcheck disable=SC2086 # words
  "$compiler" -O0 -Wall -Wextra -Werror $macros -c "$source" -o "$to/quatsimd.o"
  lacks=$(nm -u "$to/quatsimd.o" | grep quatsimd_ || true)
  [ -z "$lacks" ] || {
    echo "FAILED: with$macros it lacks: $lacks"
    failed=1
  }
  case $parts in *STATIC*)
    [ -z "$(nm -g --defined-only "$to/quatsimd.o")" ] || {
      echo "FAILED: with$macros it defines $(nm -g --defined-only "$to/quatsimd.o")"
      failed=1
    }
    ;;
  esac
done
exit $failed
