#!/bin/bash
# The archives of ./dev package, used as their users do, each archive in a folder of its own.
#   test_packages.sh FOLDER    FOLDER: build/package
# A line SKIP: ... tells of each part that is left out.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=$1/out
version=$(sed -n 's/^#define QUATSIMD_VERSION_STRING "\(.*\)"/\1/p' "$source/include/quatsimd/version.h")
app=$source/tests/package/one_app.c consumer=$source/tests/package/consumer
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
export WINEPREFIX=$1/wine WINEDEBUG=-all NODE_PATH=/usr/share/nodejs
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

fail() {
  echo "FAILED: $*"
  exit 1
}
ok() { echo "ok: $*"; }
skip() { echo "SKIP: $*"; }
quietly() { "$@" >"$work/log" 2>&1 </dev/null || {
  cat "$work/log"
  fail "$*"
}; }
# Programs print the version, the kernels and a rotation.
says_rotation() { # what, command...
  local what=$1
  shift
  "$@" 2>/dev/null </dev/null | tr -d '\r' | grep -qE "^$version [a-z0-9]+: 0\.000 0\.000 0\.600 0\.800$" || fail "$what"
  ok "$what"
}
unpack() { # archive: into a folder whose name is not that of the machine that made it
  local to="$work/some where/$1"
  mkdir -p "$to"
  case $1 in
  *.zip) quietly unzip -q "$out/$1" -d "$to" ;;
  *) tar -C "$to" -xf "$out/$1" ;;
  esac
  [ "$(ls "$to")" = "${1%.tar.xz}" ] || [ "$(ls "$to")" = "${1%.zip}" ] || fail "$1 has not one folder of its own name"
  folder=$to/$(ls "$to")
}

(cd "$out" && sha256sum --check --quiet SHA256SUMS) || fail "SHA256SUMS"
[ "$(wc -l <"$out/SHA256SUMS")" = "$(($(find "$out" -type f | wc -l) - 1))" ] || fail "SHA256SUMS does not have all files"
ok "SHA-256 sums"

# ---- the source archive ----
unpack "quatsimd-$version.tar.xz"
quietly gcc -O1 -I "$folder/amalgamation" "$app" "$folder/amalgamation/quatsimd.c" -o "$work/one" -lm
says_rotation "source: the amalgamation" "$work/one"
[ -z "$(comm -3 <(cd "$folder" && find . -type f ! -path './amalgamation/*' | sort) <(git -C "$source" ls-files | sed 's|^|./|' | sort))" ] ||
  fail "the source archive has other files than the repository"
ok "source: all files"

# ---- libraries ----
dead_links() {
  local hit page link
  grep -roE '\]\([^)# ]+' --include='*.md' "$folder" | while IFS= read -r hit; do
    page=${hit%%.md:*}.md link=${hit##*](}
    [[ $link == *://* ]] || [ -e "${page%/*}/$link" ] || echo "${page##*/}: $link"
  done
}
holds_papers() { # archive, what is linked in besides third_party...
  local what=$1 part dead
  shift
  for part in quatsimd cjson meshoptimizer ufbx xxhash "$@"; do
    grep -qi copyright "$folder/licences/$part" || fail "$what: no licence of $part"
  done
  if grep -rlF -e "$(dirname "$out")" "$folder"; then fail "$what names the folder that it was made in"; fi
  grep -qF "$version" "$folder/README.txt" || fail "$what has no README.txt of version $version"
  if grep -q @ "$folder/README.txt"; then fail "README.txt of $what has an @ that was to be replaced"; fi
  part=$(grep -oE '[a-z/]*README\.md' "$folder/README.txt") && [ -e "$folder/$part" ] || fail "README.txt of $what does not lead to the pages"
  dead=$(dead_links)
  [ -z "$dead" ] || fail "$what has links to what it does not have: $dead"
  ok "$what: licences, README.txt, links of pages"
}
use_cmake() { # what, options...
  local what=$1
  shift
  rm -rf "$work/cmake"
  quietly cmake -S "$consumer" -B "$work/cmake" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$folder" -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=BOTH \
    -DQUATSIMD_VERSION="$version" "$@"
  quietly cmake --build "$work/cmake"
  ok "$what"
}
use_pkg_config() { # what, compiler, options: static libraries
  local what=$1 flags
  shift
  flags=$(PKG_CONFIG_LIBDIR=$folder/lib/pkgconfig pkg-config --cflags --libs quatsimd)
  eval "quietly $* '$work/app.c' $flags -o '$work/app'"
  ok "$what"
}
sed 's|"quatsimd.h"|<quatsimd/quatsimd.h>|' "$app" >"$work/app.c"

needs_old_glibc() { # machine, objdump
  local newest      # version that the shared library asks for
  newest=$("$2" -T "$folder/lib/libquatsimd.so" | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -n 1) || fail "$1: the shared library asks for no glibc"
  [ "$(printf '%s\n' "$newest" GLIBC_2.17 | sort -V | tail -n 1)" = GLIBC_2.17 ] || fail "$1 needs $newest"
  ok "$1 needs no glibc later than ${newest#GLIBC_}"
}
unpack "quatsimd-$version-linux-x86_64.tar.xz"
holds_papers "linux-x86_64" libgcc-s1
needs_old_glibc "linux-x86_64" objdump
for shared in OFF ON; do
  use_cmake "linux-x86_64: CMake, BUILD_SHARED_LIBS=$shared" -DBUILD_SHARED_LIBS=$shared
  quietly "$work/cmake/consumer"
done
use_pkg_config "linux-x86_64: pkg-config" gcc -O1 "'-Wl,-rpath,$folder/lib'"
says_rotation "linux-x86_64: a program with the shared library" "$work/app"

unpack "quatsimd-$version-linux-aarch64.tar.xz"
holds_papers "linux-aarch64" libgcc-s1-arm64-cross
needs_old_glibc "linux-aarch64" aarch64-linux-gnu-objdump
use_cmake "linux-aarch64: CMake" -DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/aarch64.cmake"
use_pkg_config "linux-aarch64: pkg-config" aarch64-linux-gnu-gcc -O1
says_rotation "linux-aarch64: a program with the shared library" qemu-aarch64 -L /usr/aarch64-linux-gnu -E "LD_LIBRARY_PATH=$folder/lib" "$work/app"

unpack "quatsimd-$version-windows-x86_64.zip"
holds_papers "windows-x86_64" mingw-w64-common gcc-mingw-w64-base
for shared in OFF ON; do
  use_cmake "windows-x86_64: CMake, MinGW, BUILD_SHARED_LIBS=$shared" -DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/mingw.cmake" -DBUILD_SHARED_LIBS=$shared
done
use_pkg_config "windows-x86_64: pkg-config, MinGW" x86_64-w64-mingw32-gcc -D__USE_MINGW_ANSI_STDIO=1 -O1
cp "$folder"/bin/*.dll "$work"
says_rotation "windows-x86_64: a program of MinGW with the DLL" "$wine" "$work/app.exe"
# As Visual C++ compiles and links, without its C library, which is not free: the program's exit status tells.
cat >"$work/msvc.c" <<'C'
#include <quatsimd/quatsimd.h>
int _fltused = 0;
int start(void) {
  const float q[4] = {0, 0, 0.6f, 0.8f};
  unsigned char packed[4];
  float back[4];
  if (quatsimd_pack(QUATSIMD_FORMAT_LATTICE32, packed, sizeof packed, quatsimd_aos(q), 1) != QUATSIMD_OK) return 1;
  if (quatsimd_unpack(QUATSIMD_FORMAT_LATTICE32, quatsimd_aos_out(back), packed, sizeof packed, 0, 1) != QUATSIMD_OK) return 2;
  return back[2] > 0.599f && back[2] < 0.601f ? 42 : 3;
}
C
quietly clang --target=x86_64-pc-windows-msvc -O1 -fno-stack-protector -DQUATSIMD_SHARED -I "$folder/include" -c "$work/msvc.c" -o "$work/msvc.obj"
quietly lld-link /entry:start /subsystem:console /nodefaultlib "/out:$work/msvc.exe" "$work/msvc.obj" "$folder/lib/quatsimd.lib"
status=0
"$wine" "$work/msvc.exe" >/dev/null 2>&1 </dev/null || status=$?
[ $status = 42 ] || fail "windows-x86_64: a program that links quatsimd.lib as Visual C++ does ends with $status"
ok "windows-x86_64: a program that links quatsimd.lib as Visual C++ does"
# clang with GNU's options is Visual C++'s linker's, too. Without its C library nothing links: what would be linked is looked at.
for build_type in Release Debug; do
  rm -rf "$work/cmake"
  quietly cmake -G Ninja -S "$consumer" -B "$work/cmake" -DCMAKE_BUILD_TYPE=$build_type -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=clang \
    -DCMAKE_C_COMPILER_TARGET=x86_64-pc-windows-msvc -DCMAKE_C_COMPILER_WORKS=1 -DCMAKE_RC_COMPILER=x86_64-w64-mingw32-windres \
    -DCMAKE_PREFIX_PATH="$folder" -DQUATSIMD_VERSION="$version"
  grep -q 'LINK_LIBRARIES = .*/lib/quatsimd\.lib' "$work/cmake/build.ninja" || fail "windows-x86_64: CMake, clang for Visual C++, $build_type"
done
ok "windows-x86_64: CMake, clang for Visual C++"
[ "$(sed -n 's/^ *\(quatsimd_[a-z0-9_]*\)$/\1/p' "$folder/lib/quatsimd.def" | sort)" = "$(x86_64-w64-mingw32-nm "$folder/lib/libquatsimd.a" 2>/dev/null |
  sed -n 's/^[0-9a-f]* T \(quatsimd_[a-z0-9_]*\)$/\1/p' | sort | comm -12 - <(grep -rhoE '\bquatsimd_[a-z0-9_]+\(' "$folder/include" | tr -d '(' | sort -u))" ] ||
  fail "quatsimd.def does not have the functions of the headers"
ok "windows-x86_64: quatsimd.def"

unpack "quatsimd-$version-wasm32.tar.xz"
holds_papers "wasm32"
rm -rf "$work/cmake"
quietly emcmake cmake -S "$consumer" -B "$work/cmake" -DCMAKE_BUILD_TYPE=Release -DCMAKE_FIND_ROOT_PATH="$folder" -DQUATSIMD_VERSION="$version" \
  -DCMAKE_EXE_LINKER_FLAGS=-sWASM_ASYNC_COMPILATION=0
quietly cmake --build "$work/cmake"
quietly node "$work/cmake/consumer.js"
ok "wasm32: CMake"
use_pkg_config "wasm32: pkg-config" emcc -O1 -msimd128 -sWASM_ASYNC_COMPILATION=0 # of emscripten 3.1.6 for Node.js 18 and later
mv "$work/app" "$work/app.js"
says_rotation "wasm32: a program" node "$work/app.js"

# ---- the command ----
unpack "quatsimd-command-$version-linux-x86_64.tar.xz"
holds_papers "the static command" musl libgcc-s1
for part in quatsimd.1 quatsimd.bash; do [ -s "$folder/$part" ] || fail "the static command: no $part"; done
if ldd "$folder/quatsimd" >/dev/null 2>&1; then fail "the command is not static"; fi
says_version() { grep -q "^quatsimd $version (.*; ufbx .*; meshoptimizer"; }
"$folder/quatsimd" --version | says_version || fail "the static command: $("$folder/quatsimd" --version)"
static=$folder/quatsimd
ok "the static command"
unpack "quatsimd-command-$version-windows-x86_64.zip"
holds_papers "the command for Windows" mingw-w64-common gcc-mingw-w64-base
"$wine" "$folder/quatsimd.exe" --version 2>/dev/null </dev/null | says_version || fail "the command on Windows"
ok "the command on Windows"
same_bundles() { # file, recipe: made by both commands
  (cd "$work" && cp "$1" . && echo "$2" >hero.json && quietly "$static" compress hero.json -o linux.qsb &&
    quietly "$wine" "$folder/quatsimd.exe" compress hero.json -o windows.qsb && quietly cmp linux.qsb windows.qsb)
  ok "the commands make the same bundle of ${1##*/} on Linux and Windows"
}
bvh=/usr/share/assimp/models/BVH/01_01.bvh knight=${QUATSIMD_DATA:-}/kaykit/Knight.glb
if [ -e $bvh ]; then
  same_bundles $bvh '{"files": "*.bvh", "rate": 60, "animations": [{"match": "*", "loop": "close", "events": [{"time": 1, "name": "left"}]}]}'
else
  skip "bundles of Linux and Windows are not compared: there is no $bvh"
fi
if [ -e "$knight" ]; then
  same_bundles "$knight" '{"files": "Knight.glb", "keep": "skin", "masks": [{"name": "upper", "joints": "spine+"}],
    "animations": [{"match": "Walk*", "loop": "close"}, {"match": "Cheer", "additive": {"animation": "Idle"}, "only": "spine+"},
    {"match": "Sit_*", "bound": "2mm@10cm", "rate": 15}, {"match": "1H_Melee_Attack_Chop", "name": "Chop", "range": [0.2, 0.9]}]}'
else
  skip "bundles of the Knight are not compared: QUATSIMD_DATA names no folder"
fi

# ---- npm's package ----
mkdir "$work/npm app"
echo '{ "private": true, "type": "module" }' >"$work/npm app/package.json"
(cd "$work/npm app" && quietly npm install --offline --no-audit --no-fund "$out/quatsimd-npm-$version.tgz")
folder=$work/npm\ app/node_modules/quatsimd
grep -q "\"version\": \"$version\"" "$folder/package.json" || fail "npm's package is of another version"
[ -s "$folder/LICENSE" ] && [ -s "$folder/LICENSE.ufbx" ] && [ -s "$folder/LICENSE.xxhash" ] && [ -z "$(dead_links)" ] || fail "npm's package: licence, links: $(dead_links)"
cat >"$work/npm app/app.js" <<'JS'
import { loadPlayer } from 'quatsimd';
import { loadCodec } from 'quatsimd/codec';
import { loadEncoder } from 'quatsimd/encoder';
import { loadFbx } from 'quatsimd/fbx';
import { loadStreams } from 'quatsimd/stream';
const [player, codec, encoder, fbx, streams] = await Promise.all([loadPlayer(), loadCodec(), loadEncoder(), loadFbx(), loadStreams()]);
const skeleton = encoder.encodeSkeleton({ joints: [{ name: 'hips' }] });
console.log(player.openSkeleton(skeleton).names[0], codec.unpack('lattice32', codec.pack('lattice32', Float32Array.of(0, 0, 0.6, 0.8)), 1).length);
const [sender, receiver] = [streams.sender({ bodyCount: 1 }), streams.receiver({ bodyCount: 1 })];
console.log(receiver.decode(sender.encode({ rotations: [0, 0, 0.6, 0.8] }, 0)));
try {
  fbx.read(new Uint8Array(0));
} catch ({ message }) {
  console.log(message);
}
JS
[ "$(cd "$work/npm app" && node app.js)" = $'hips 4\nok\nthe file is no FBX file that ufbx reads: Empty file' ] || fail "npm's package"
(cd "$work" && QUATSIMD_PACKAGE=$folder QUATSIMD_TOOL=$static quietly node --test "$source/web/test/package.test.mjs")
ok "npm's package"

# ---- Debian's packages ----
quietly lintian --fail-on error "$out"/*.deb
ok "lintian"
if [ "$(id -u)" != 0 ]; then
  skip "Debian's packages are not installed: only root makes a root"
  exit 0
fi
# shellcheck source=/dev/null
. /etc/os-release
# Packages that they depend on, and those to build with them. Ours are then installed without a network.
needs=$(for package in "$out"/*.deb; do dpkg-deb -f "$package" Depends; done | tr ',' '\n' | sed 's/^ *//; s/[ (:].*//' | grep -vx '.*quatsimd.*' | sort -u | paste -sd,)
quietly mmdebstrap --mode=root --variant=essential --include="gcc,libc6-dev,cmake,make,pkg-config,$needs" "$VERSION_CODENAME" "$work/root"
mkdir "$work/root/debs"
cp "$out"/*.deb "$work/root/debs"
cp /usr/share/assimp/models/BVH/01_01.bvh /usr/share/assimp/models/FBX/huesitos.fbx "$work/root"
cp "$work/app.c" "$work/root"
cp -R "$consumer" "$work/root/consumer"
inside() { quietly env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive chroot "$work/root" /bin/sh -euc "$1"; }
inside 'dpkg -i /debs/*.deb'
inside 'gcc app.c $(pkg-config --cflags --libs quatsimd) -o app && ./app && gcc app.c -static $(pkg-config --static --cflags --libs quatsimd) -o app && ./app'
inside 'cmake -S consumer -B b -DQUATSIMD_VERSION='"$version"' && cmake --build b && b/consumer'
inside 'quatsimd compress -o clips 01_01.bvh huesitos.fbx && quatsimd verify clips'
inside 'dpkg --purge quatsimd libquatsimd-dev libquatsimd'"${version%.*}"' && [ -z "$(find / -xdev -name "*quatsimd*" ! -path "/debs/*" ! -path "/clips/*")" ]'
ok "Debian's packages, installed, used and removed in a root of their own"
