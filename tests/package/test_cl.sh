#!/bin/sh
# The library by clang in the place of Visual C++, with its options; warnings are errors. As clang-cl, and as cl, which has no word of
# clang's (cl/as_cl.h). C's headers are those of the folder cl: they declare what the library uses.
#   test_cl.sh check SOURCE_DIR ONE                every source, and ONE, all of them in one source; for x64 and ARM64
#   test_cl.sh cmake SOURCE_DIR CMAKE              configures for x64 and compiles a source of each kind, as clang-cl
#   test_cl.sh clang_cl SOURCE_DIR ONE LIBRARY AR  makes a library for x64 of ONE, as clang-cl
#   test_cl.sh cl SOURCE_DIR ONE LIBRARY AR        makes a library for x64 of every source, as cl
set -eu
action=$1 source=$2
here=$(cd "$(dirname "$0")" && pwd)
command -v clang >/dev/null || {
  echo "SKIP: there is no clang"
  exit 77
}
built_in=$(clang -print-resource-dir)/include

# /GS-: the tests' C library has nothing that checks stacks. A file comes after --, or a path in a folder /w... would be the option /w.
clang_cl() { # machine, option..., --, file
  clang_machine=$1
  shift
  clang --driver-mode=cl "--target=$clang_machine-pc-windows-msvc" /nologo /c /W4 /WX /GS- /Zl /X -imsvc "$here/cl" -imsvc "$built_in" \
    "/I$source/include" "/I$source/src" "/I$source/third_party/xxhash" "$@"
}

# clang must be told the instructions that a source may use, and which warnings compiler_cl.h switches off.
cl() { # machine, file, option...
  machine=$1 file=$2 features=
  shift 2
  [ "$machine" != x86_64 ] ||
    features="-mxsave $(sed -n 's/^QUATSIMD_TARGET("\(.*\)")$/\1/p' "$file" | tr , '\n' | sed 's/^/-m/')"
  # shellcheck disable=SC2086
  clang_cl "$machine" "/FI$here/cl/as_cl.h" /clang:-ffp-contract=off -Wno-unknown-pragmas -Wno-unused-function \
    -Wno-unused-const-variable $features "$@" -- "$file"
}

each_source() { # action, argument...: this script's, with some sources at a time
  task=$1
  shift
  find "$source/src" -name '*.c' -print0 | xargs -0 -P "$(nproc)" -n 8 "$0" "$task" "$source" "$@"
}

library() { # library, ar
  rm -f "$1"
  "$2" rcs "$1" "$work"/*.obj
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $action in
check)
  each_source syntax
  # What would fuse and reorder is refused.
  if clang_cl x86_64 /std:c11 /fp:fast /Zs -- "$source/src/core/operand.c" 2>"$work/refused"; then exit 1; fi
  grep -q 'must not be compiled with .* /fp:fast' "$work/refused"
  for machine in x86_64 aarch64; do
    clang_cl $machine /std:c11 /Od "/Fo$work/one.obj" -- "$3"
    cl $machine "$3" /std:c11 /Zs
  done
  # As cl, the one source defines no name if it is static: two sources of a program may have it.
  cl x86_64 "$3" /std:c11 /Od /DQUATSIMD_STATIC /DQUATSIMD_PLAYER /DQUATSIMD_NO_AVX2 "/Fo$work/static.obj"
  nm -g --defined-only "$work/static.obj" >"$work/names"
  if grep ' quatsimd_' "$work/names"; then exit 1; fi
  ;;
cmake)
  lib=$(clang -print-prog-name=llvm-lib)
  [ -x "$lib" ] || {
    echo "SKIP: there is no llvm-lib"
    exit 77
  }
  ln -s "$(command -v clang)" "$work/clang-cl" # CMake knows it by its name
  for machine in x86_64 aarch64; do
    "$3" -S "$source" -B "$work/$machine" -G Ninja -DCMAKE_SYSTEM_NAME=Windows "-DCMAKE_C_COMPILER=$work/clang-cl" "-DCMAKE_AR=$lib" \
      "-DCMAKE_C_COMPILER_TARGET=$machine-pc-windows-msvc" -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_MT=true -DCMAKE_RC_COMPILER=true "-DCMAKE_C_FLAGS=/X -imsvc $here/cl -imsvc $built_in" -DQUATSIMD_WERROR=ON \
      -DCMAKE_DISABLE_FIND_PACKAGE_CpuFeatures=ON
    objects=CMakeFiles/quatsimd_objects.dir/src
    ninja -C "$work/$machine" $objects/core/cpu.c.obj $objects/core/dispatch.c.obj $objects/scalar/scalar.c.obj
  done
  ;;
clang_cl)
  clang_cl x86_64 /std:c11 /O2 "/Fo$work/one.obj" -- "$3"
  library "$4" "$5"
  ;;
cl)
  each_source objects "$work"
  library "$4" "$5"
  ;;
syntax)
  shift 2
  for file; do
    for machine in x86_64 aarch64; do
      clang_cl $machine /std:c11 /Zs -- "$file"
      cl $machine "$file" /std:c17 /Zs
    done
  done
  ;;
objects)
  to=$3
  shift 3
  for file; do cl x86_64 "$file" /std:c11 /O2 "/Fo$to/$(echo "${file#"$source/src/"}" | tr / _).obj"; done
  ;;
esac
