#!/bin/sh
# test_tcc.sh FOLDER SOURCE_DIR TCC: the two files in FOLDER and the tests of goldens, all compiled and linked by tcc, which has no vectors:
# the reference has the bits of every other build.
set -eu
folder=$1 root=$2 tcc=$3
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
"$tcc" -Wall -Werror -c "$folder/quatsimd.c" -o "$to/quatsimd.o"
"$tcc" -Wall -Werror -DQUATSIMD_PLAYER -c "$folder/quatsimd.c" -o "$to/player.o"

run() { # program, options...
  echo "== $*"
  case $1 in
  clip/test_clip_kernels) more=clip/check_kernels.c ;;
  relative/test_relative) more=relative/check_calls.c ;;
  *) more= ;;
  esac
  sources=
  for source in "$1.c" support/guarded.c $more; do sources="$sources $root/tests/$source"; done
  shift
  # shellcheck disable=SC2086 # words
  "$tcc" -D__builtin_sqrtf=sqrtf -D__builtin_sqrt=sqrt -D__builtin_nextafterf=nextafterf -DQUATSIMD_TEST_KERNELS= \
    -DQUATSIMD_GOLDENS="\"$root/tests/codec/goldens.txt\"" -DQUATSIMD_CLIP_GOLDENS="\"$root/tests/clip/clips.txt\"" \
    -DQUATSIMD_OPERATION_GOLDENS="\"$root/tests/rotation/operations.txt\"" \
    -DQUATSIMD_SKELETON_GOLDENS="\"$root/tests/skeleton/skeletons.txt\"" \
    -DQUATSIMD_BUNDLE_GOLDENS="\"$root/tests/bundle/bundles.txt\"" \
    -I"$root/include" -I"$root/src" -I"$root/tests" -I"$root/third_party/xxhash" $sources "$to/quatsimd.o" -lcmocka -lm -o "$to/program"
  "$to/program" "$@"
}
run codec/test_goldens
run rotation/test_operations
run stream/test_stream --only goldens_hold
run relative/test_relative --only goldens_hold
run clip/test_clip_kernels --small
run skeleton/test_skeleton_goldens
run pose/test_pose_goldens
run bundle/test_bundle_goldens --small
