#!/bin/bash
# Makes the npm package: WebAssembly of each part with and without SIMD, and JavaScript.
#   build.sh FOLDER    FOLDER gets the package
# ONLY=player, codec or encoder: of the WebAssembly that alone, for those who work on it.
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

clips="bundle_size bundle_open bundle_clips bundle_name bundle_skeleton bundle_clip_size bundle_clip
  skeleton_size skeleton_open skeleton_joints skeleton_tracks skeleton_metres skeleton_hash skeleton_name skeleton_parent
  skeleton_find skeleton_track_name clip_size clip_open clip_joints clip_tracks clip_frames clip_rate clip_start clip_duration clip_time
  clip_is_looping clip_additive clip_skeleton clip_curve"

# make NAME FUNCTIONS OPTION...: both builds of src/NAME.c
make() {
  local name=$1 exported=_malloc,_free function build
  for function in $2; do exported+=,_quatsimd_$function; done
  shift 2
  for build in simd scalar; do
    local options=()
    [ $build = scalar ] || options=(-msimd128)
    [ $build$name != simdplayer ] || options+=(-DQUATSIMD_NO_SCALAR) # there is no other CPU
    emcc "$@" "${options[@]}" -std=c11 -ffp-contract=off -I "$work" "$here/src/$name.c" "$work/quatsimd.c" -o "$out/$name.$build.wasm" \
      -sSTANDALONE_WASM --no-entry -sFILESYSTEM=0 -sMALLOC=emmalloc -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=256KB \
      -sEXPORTED_FUNCTIONS="$exported"
  done
}
[ -n "${ONLY:-}" ] && [ "$ONLY" != player ] || make player "$clips" -Oz -flto -sBINARYEN_EXTRA_PASSES=--converge -DQUATSIMD_SMALL -DQUATSIMD_ONLY_CLIPS -DQUATSIMD_NO_ENCODER
[ -n "${ONLY:-}" ] && [ "$ONLY" != codec ] || make codec "packed_size" -O2
[ -n "${ONLY:-}" ] && [ "$ONLY" != encoder ] || make encoder "skeleton_size skeleton_open" -O3 -DQUATSIMD_ONLY_CLIPS
for file in "$out"/*.wasm; do printf '%s: %d bytes, %d gzipped\n' "${file##*/}" "$(wc -c <"$file")" "$(gzip -9c "$file" | wc -c)"; done
cp "$here"/js/*.js "$here"/js/*.d.ts "$here/package.json" "$here/README.md" "$here/../LICENSE" "$out"
