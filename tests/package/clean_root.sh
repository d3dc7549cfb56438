#!/bin/bash
# A machine that has gcc, make and CMake alone: a root of Debian made by mmdebstrap. In it one_app.c is compiled with
# quatsimd.c, and the tree is built by `cmake -B build && cmake --build build`, whose summary must say what is left out.
#   clean_root.sh SOURCE_DIR ONE     ONE: the folder of quatsimd.c and quatsimd.h
# Exit status 77: there is no mmdebstrap, or this is not root.
set -euo pipefail
source=$1 one=$2
# shellcheck source=tests/package/new_root.sh
. "$(dirname "$0")/new_root.sh"
new_root "$source" gcc,libc6-dev,make,cmake
mkdir "$root/app"
cp "$one"/quatsimd.[ch] "$source/tests/package/one_app.c" "$root/app"

inside 'cd /app && cc one_app.c quatsimd.c && ./a.out'
echo "ok: cc one_app.c quatsimd.c"
inside 'cd /work && cmake -B build' >"$work/summary"
sed -n '/^-- quatsimd/,/^-- Conf/p' "$work/summary"
for says in 'kernels: .*avx2 sse41 sse2 scalar' 'built: library (static, shared)' 'not built: .*cmocka'; do
  grep -q -- "$says" "$work/summary" || {
    echo "FAILED: the summary does not say '$says'"
    exit 1
  }
done
inside 'cd /work && cmake --build build -j 2' >"$work/log" 2>&1 || {
  tail -30 "$work/log"
  exit 1
}
echo "ok: cmake -B build && cmake --build build"
