#!/bin/bash
# Makes the npm package: WebAssembly of each part with and without SIMD, and JavaScript.
#   build.sh FOLDER    FOLDER gets the package
# ONLY=player, codec, encoder, stream or fbx: of the WebAssembly that alone, for those who work on it.
# QUICK=1: the builds without SIMD alone, hardly optimised, for tests of JavaScript.
# Needs Debian's emscripten and node-acorn, and Python 3.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$1
export NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH} # Debian's modules, for any node
python=/usr/bin/python3
[ -x $python ] || python=python3
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" "$here/../scripts/amalgamate.py" "$work" >/dev/null

clips="bundle_memory_size bundle_open bundle_clip_count bundle_clip_name bundle_open_skeleton bundle_clip_memory_size bundle_open_clip
  skeleton_memory_size skeleton_open skeleton_joint_count skeleton_track_count skeleton_metres skeleton_hash skeleton_joint_name
  skeleton_parent skeleton_find_joint skeleton_track_name clip_memory_size clip_open clip_joint_count clip_track_count
  clip_frame_count clip_rate clip_start clip_duration clip_frame_time clip_is_looping clip_additive clip_skeleton_hash clip_curve_state
  clip_events_between bundle_mask_count bundle_mask_name bundle_mask skeleton_mask root_motion_memory_size root_motion_init
  root_motion_between"

# The library for size, but for these files, which each pose runs through: 2.7 KB more, and 15 % less time of a small figure. (-Oz
# makes clip_packed.h three times as slow.)
hot='clip/sample/(fetch|groups|output|packed|sample|states|time)[.]c|pose/evaluate[.]c|simd/kernels/clip(_math|_packed)?[.]h'
cat >"$work/small.c" <<'TEXT'
#define QUATSIMD_FOR_SPEED _Pragma("clang attribute pop")
#define QUATSIMD_FOR_SIZE _Pragma("clang attribute push(__attribute__((minsize)), apply_to = function)")
QUATSIMD_FOR_SIZE
TEXT
awk -v hot="^/. ---- src/($hot) ---- " '
  /^#(if|define|undef)/ { held = held $0 "\n"; next } # of the next file, perhaps
  /^\/\* ---- src/ && speed != ($0 ~ hot) { speed = !speed; print speed ? "QUATSIMD_FOR_SPEED" : "QUATSIMD_FOR_SIZE" }
  { printf "%s%s\n", held, $0; held = "" }
  END { print "QUATSIMD_FOR_SPEED" }' "$work/quatsimd.c" >>"$work/small.c"
small=(-O2 -fno-unroll-loops -fno-vectorize -fno-slp-vectorize)
builds='simd scalar'
[ -z "${QUICK:-}" ] || builds=scalar

# make NAME FUNCTIONS LIBRARY LINK OPTION...: both builds of src/NAME.c with the source LIBRARY. LINK: the linker's optimisation
make() {
  local name=$1 exported=_malloc,_free library=$3 link=$4 function build options
  for function in $2; do exported+=,_quatsimd_$function; done
  shift 4
  for build in $builds; do
    options=("$@" -std=c11 -ffp-contract=off -I "$work")
    [ -z "${QUICK:-}" ] || link=-O0 options+=(-O1)
    [ $build = scalar ] || options+=(-msimd128 -mbulk-memory)
    emcc "${options[@]}" -c "$work/$library.c" -o "$work/library.o"
    emcc "${options[@]}" -Os -c "$here/src/$name.c" -o "$work/part.o"
    emcc $link "$work/part.o" "$work/library.o" -o "$out/$name.$build.wasm" -sSTANDALONE_WASM --no-entry -sFILESYSTEM=0 -sMALLOC=emmalloc \
      -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=256KB -sEXPORTED_FUNCTIONS="$exported"
  done
}
# The command's reader of FBX, for size: -O2 takes 15 % more bytes and 7 % less time. Without its error stack ufbx says the same in
# 60 KB less. The stack of calls comes first, so that its end is the end of memory.
make_fbx() {
  local tools=$here/../tools ufbx=$here/../third_party/ufbx level=-Oz build options file sources=()
  for file in base/text files/names readers/fbx/{animations,keys,local,nodes,read,times} readers/limits scene/scene; do sources+=("$tools/$file.c"); done
  [ -z "${QUICK:-}" ] || level=-O1
  for build in $builds; do
    options=("$level" -std=c11 -ffp-contract=off -D_XOPEN_SOURCE=700 -I "$tools" -I "$here/../src" -I "$here/../include" -I "$ufbx")
    [ $build = scalar ] || options+=(-msimd128)
    emcc "${options[@]}" -w -DUFBX_MINIMAL -DUFBX_NO_STDIO -c "$ufbx/ufbx.c" -o "$work/ufbx.o"
    emcc "${options[@]}" "$here/src/fbx.c" "${sources[@]}" "$work/ufbx.o" -o "$out/fbx.$build.wasm" -sSTANDALONE_WASM --no-entry -sFILESYSTEM=0 \
      -sMALLOC=emmalloc -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=1MB -sTOTAL_STACK=512KB -Wl,--stack-first -sEXPORTED_FUNCTIONS=_malloc,_free \
      -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0 # that is the clock, which JavaScript has
  done
}
# Streams alone, for size. Senders of figures are left out.
make_stream() {
  local src=$here/../src level=-Oz build options file sources=("$here"/src/stream*.c)
  for file in "$src"/stream/*.c; do [[ $file =~ /(figure|shares)[.]c$ ]] || sources+=("$file"); done
  [ -z "${QUICK:-}" ] || level=-O1
  for build in $builds; do
    options=("$level" -std=c11 -ffp-contract=off -DQUATSIMD_NO_FIGURES -I "$here/src/hash" -I "$src" -I "$here/../include")
    [ $build = scalar ] || options+=(-msimd128 -mbulk-memory)
    emcc "${options[@]}" "${sources[@]}" -o "$out/stream.$build.wasm" -sSTANDALONE_WASM --no-entry -sFILESYSTEM=0 -sMALLOC=none -sALLOW_MEMORY_GROWTH=1 \
      -sINITIAL_MEMORY=1MB -sTOTAL_STACK=256KB -sEXPORTED_FUNCTIONS=_malloc,_free -sBINARYEN_EXTRA_PASSES=--flatten,--rereloop,-Oz,--converge,-Oz
  done
}
wanted() { [ "${ONLY:-$1}" = "$1" ]; }
# The extra passes take 320 bytes from the player, gzipped, and change no speed.
wanted player && make player "$clips" small "-Oz -sBINARYEN_EXTRA_PASSES=--flatten,--rereloop,-Oz,--converge,-Oz" "${small[@]}" -DQUATSIMD_PLAYER
wanted codec && make codec "packed_size" quatsimd -O2 -O2
wanted encoder && make encoder "skeleton_memory_size skeleton_open" quatsimd -O3 -O3 -DQUATSIMD_ONLY_CLIPS
wanted stream && make_stream
wanted fbx && make_fbx
for file in "$out"/*.wasm; do printf '%s: %d bytes, %d gzipped\n' "${file##*/}" "$(wc -c <"$file")" "$(gzip -9c "$file" | wc -c)"; done
cp "$here"/js/*.js "$here"/js/*.d.ts "$here/package.json" "$here/README.md" "$here/../LICENSE" "$out"
cp "$here/../third_party/ufbx/LICENSE" "$out/LICENSE.ufbx"     # is in fbx.*.wasm
cp "$here/../third_party/xxhash/LICENSE" "$out/LICENSE.xxhash" # is in the others
