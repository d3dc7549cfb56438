#!/bin/sh
# one_needs.sh FOLDER SOURCE LIBRARY COMPILER: a program of few lines, with the header and the object of the amalgamation and no flag: is
# libm not needed, and does the object give nothing but the interface to programs and need nothing but what docs/embedding.md says?
set -eu
folder=$1 source=$2 library=$3 compiler=$4
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
"$compiler" -I"$folder" "$source" "$library" -o "$to/app"
"$to/app" | grep -F ' 0.600 0.800'
needs=$(nm -u "$library" | awk '/ U / {print $2}' | grep -vxE 'mem(cpy|set|move|cmp)|bcmp|strcmp|strlen|getenv|malloc|free|_GLOBAL_OFFSET_TABLE_|__cpu_(indicator_init|model|features2)|__stack_chk_fail' || true)
[ -z "$needs" ] || {
  echo "needs more than the page says: $needs"
  exit 1
}
# Sizes and alignments where pointers have 32 bits, with 64-bit numbers aligned as on ARM and WebAssembly.
if printf '#include <stdlib.h>\n' | "$compiler" -m32 -fsyntax-only -x c - 2>/dev/null; then
  "$compiler" -m32 -malign-double -msse2 -mfpmath=sse -fsyntax-only "$folder/quatsimd.c"
else
  echo "SKIP: $compiler has no 32-bit C library here (-m32)"
fi
