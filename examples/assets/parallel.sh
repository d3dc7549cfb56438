#!/bin/sh
# One bundle for each file of a folder, by GNU parallel: parallel.sh FOLDER OUT. The exit status is the number of files
# that failed, 0 for none; what is up to date is not made again.
folder=${1?FOLDER} out=${2?OUT}
find "$folder" -type f \( -name '*.glb' -o -name '*.fbx' -o -name '*.bvh' \) -print0 |
  parallel -0 "quatsimd compress -j1 -o '$out/{/}.qsb' {}" &&
  quatsimd verify "$out"
