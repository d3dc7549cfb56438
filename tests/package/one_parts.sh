#!/bin/sh
# one_parts.sh QUATSIMD_C COMPILER: with each choice of the macros that leave parts out, does the one source compile, with all that it
# calls? Without optimisation, so that no call goes with the code that a part was left out of; vector kernels are left out.
set -eu
source=$1 compiler=$2
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
failed=0
for clips in '' ONLY_CLIPS; do
  for encoder in '' NO_ENCODER; do
    for poses in '' NO_POSES; do
      for bundles in '' NO_BUNDLES; do
        macros=
        for macro in NO_AVX2 NO_SSE2 NO_NEON NO_SIMD128 $clips $encoder $poses $bundles; do macros="$macros -DQUATSIMD_$macro"; done
        # shellcheck disable=SC2086 # words
        "$compiler" -O0 -Wall -Wextra -Werror $macros -c "$source" -o "$to/quatsimd.o"
        lacks=$(nm -u "$to/quatsimd.o" | grep quatsimd_ || true)
        [ -z "$lacks" ] || { echo "FAILED: with$macros it lacks: $lacks"; failed=1; }
      done
    done
  done
done
exit $failed
