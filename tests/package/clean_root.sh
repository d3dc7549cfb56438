#!/bin/bash
# A machine that has gcc, make and CMake alone: a root of Debian made by mmdebstrap. In it one_app.c is compiled with
# quatsimd.c, and the tree is built by `cmake -B build && cmake --build build`, whose summary must say what is left out.
#   clean_root.sh SOURCE_DIR ONE     ONE: the folder of quatsimd.c and quatsimd.h
# Exit status 77: there is no mmdebstrap, or this is not root.
set -euo pipefail
source=$1 one=$2
command -v mmdebstrap >/dev/null || {
  echo "SKIP: there is no mmdebstrap"
  exit 77
}
[ "$(id -u)" = 0 ] || {
  echo "SKIP: only root makes a root"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root
# shellcheck source=/dev/null
. /etc/os-release
mmdebstrap --quiet --mode=root --variant=essential --include=gcc,libc6-dev,make,cmake "$VERSION_CODENAME" "$root" 2>"$work/log" || {
  cat "$work/log"
  exit 1
}
mkdir "$root/work"
git -C "$source" ls-files -z | (cd "$source" && xargs -0 cp --parents -t "$root/work")
mkdir "$root/app"
cp "$one"/quatsimd.[ch] "$source/tests/package/one_app.c" "$root/app"

inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" /bin/sh -euc "$1"; } # not with the environment of this run
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
