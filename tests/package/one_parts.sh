#!/bin/sh
# one_parts.sh QUATSIMD_C COMPILER: with each of the macros that leave parts out, does the one source compile, with all that it
# calls? Without optimisation, so that no call goes with the code that a part was left out of; vector kernels are left out.
set -eu
source=$1 compiler=$2
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
failed=0
for part in '' ONLY_CLIPS PLAYER; do
  macros=
  for macro in NO_AVX2 NO_SSE2 NO_NEON NO_SIMD128 $part; do macros="$macros -DQUATSIMD_$macro"; done
  # shellcheck disable=SC2086 # words
  "$compiler" -O0 -Wall -Wextra -Werror $macros -c "$source" -o "$to/quatsimd.o"
  lacks=$(nm -u "$to/quatsimd.o" | grep quatsimd_ || true)
  [ -z "$lacks" ] || {
    echo "FAILED: with$macros it lacks: $lacks"
    failed=1
  }
done
exit $failed
