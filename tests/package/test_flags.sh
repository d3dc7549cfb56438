#!/bin/sh
# Flags that would change the arithmetic stop the compilation, with a message that says so.
#   test_flags.sh fast-math SOURCE_DIR COMPILER...
#   test_flags.sh fused SOURCE_DIR COMPILER...   Also with CPUs that fuse, no file of src/pose has a fused instruction
#   test_flags.sh 387 SOURCE_DIR COMPILER...   x86 with a 32-bit C library; exits with 77 (skipped) without one
set -eu
kind=$1 source=$2
shift 2
messages=$(mktemp)
trap 'rm -f "$messages"' EXIT

compiles() { # file, flags...
  file=$1
  shift
  LC_ALL=C $compiler -std=c11 -O2 -I "$source/include" -I "$source/src" -fsyntax-only "$@" "$source/src/$file" >"$messages" 2>&1
}

accepted() { # file, flags...
  if compiles "$@"; then
    echo "ok: $* compiles"
  else
    echo "FAILED: $* must compile:"
    cat "$messages"
    exit 1
  fi
}

refused() { # message, file, flags...
  expected=$1
  shift
  if compiles "$@"; then
    echo "FAILED: $* compiles"
    exit 1
  elif grep -q "error.*$expected" "$messages"; then
    echo "ok: $* is refused"
  else
    echo "FAILED: $* does not compile, but not because of \"$expected\":"
    cat "$messages"
    exit 1
  fi
}

compiler=$*
case $kind in
fast-math)
  files=scalar/scalar.c
  case $(LC_ALL=C $compiler -dumpmachine) in
  x86_64*) files="$files simd/isa_sse2.c" ;;
  aarch64*) files="$files simd/isa_neon.c" ;;
  esac
  for file in $files; do
    accepted $file
    refused "must not be compiled with -ffast-math" $file -ffast-math
    refused "must not be compiled with -ffast-math" $file -Ofast
    refused "must not be compiled with -ffast-math" $file -ffinite-math-only
  done
  # half floats, as in the GNU dialect, which the amalgamation is compiled in
  case $(LC_ALL=C $compiler -dumpmachine) in
  x86_64*) accepted scalar/scalar.c -std=gnu17 -march=sapphirerapids ;;
  aarch64*) accepted scalar/scalar.c -std=gnu17 -march=armv8.2-a+fp16 ;;
  esac
  ;;
fused)
  object=$(mktemp)
  trap 'rm -f "$messages" "$object"' EXIT
  for file in "$source"/src/pose/*.c "$source"/src/clip/sample/*.c; do
    $compiler -std=c11 -O3 -march=haswell -ffp-contract=off -I "$source/include" -I "$source/src" -c "$file" -o "$object"
    if objdump -d "$object" | grep -m 3 'vfn\?m\(add\|sub\)'; then
      echo "FAILED: $file has fused instructions"
      exit 1
    fi
  done
  echo "ok: nothing is fused for CPUs that could"
  ;;
387)
  if ! printf '#include <stdlib.h>\n#include <math.h>\n' | $compiler -m32 -fsyntax-only -x c - 2>/dev/null; then
    echo "SKIP: $compiler has no 32-bit C library here (-m32)"
    exit 77
  fi
  accepted scalar/scalar.c -m32 -msse2 -mfpmath=sse
  # clang refuses by itself
  refused "must be evaluated in float\|'387' unit is not supported" scalar/scalar.c -m32 -msse2 -mfpmath=387
  refused "must be evaluated in float" scalar/scalar.c -m32 -mno-sse
  ;;
*)
  echo "test_flags.sh: $kind?" >&2
  exit 2
  ;;
esac
