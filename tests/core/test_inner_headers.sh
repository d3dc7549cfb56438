#!/bin/sh
# Headers of kernels and of the reference include what they use: each is compiled by itself, as editors do.
#   test_inner_headers.sh SOURCE_DIR COMPILER...
set -eu
source=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

alone() { # file, compiler...; a header has more than it uses itself
  printf '#include "%s"\nextern int not_empty;\n' "$1" >"$work/alone.c"
  shift
  "$@" -std=c11 -Wall -Wextra -Wno-unused-function -Wno-unused-variable -Wno-unused-const-variable -Werror -I "$source/src" \
    -I "$source/include" -fsyntax-only "$work/alone.c"
}

status=0
for header in "$source"/src/simd/kernels/*.h "$source"/src/scalar/*.h; do
  alone "$header" "$@" || {
    echo "FAILED: $header by itself"
    status=1
  }
done

# A header without what it includes is found.
grep -v '#include' "$source/src/simd/kernels/cube32.h" >"$work/planted.h"
if alone "$work/planted.h" "$@" 2>/dev/null; then
  echo "FAILED: a planted fault was not found"
  status=1
fi
exit $status
