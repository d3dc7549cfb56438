#!/bin/sh
# The public headers alone, as users' compilers see them: warnings are errors.
#   test_headers.sh c INCLUDE_DIR SOURCE_DIR COMPILER...          every header by itself and header_c99.c, as C99 and later
#   test_headers.sh c++ INCLUDE_DIR SOURCE_DIR LIBRARY COMPILER...  the same as C++11; header_cpp.cpp runs, too
#   test_headers.sh msvc INCLUDE_DIR                              as C and C++, by clang in the place of Visual C++
# LIBRARY is the shared library: the link fails if a function has a C++ name.
set -eu
language=$1 include=$2 source=${3:-}
shift $(($# < 3 ? $# : 3))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

warnings='-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wpedantic -Wundef -Werror'

each_header() { # standard, compiler...
  standard=$1
  shift
  for header in "$include"/quatsimd/*.h; do
    name=quatsimd/$(basename "$header")
    printf '#include "%s"\n#include "%s"\nextern int not_empty;\n' "$name" "$name" >"$work/header.c"
    "$@" -x "$language" -std="$standard" $warnings -I "$include" -fsyntax-only "$work/header.c"
    echo "ok: $name alone, $standard"
  done
}

if [ "$language" = msvc ]; then
  command -v clang >/dev/null || {
    echo "SKIP: there is no clang"
    exit 77
  }
  for define in "" -DQUATSIMD_SHARED; do
    language=c each_header c11 clang --target=x86_64-pc-windows-msvc $define
    language=c++ each_header c++14 clang --target=x86_64-pc-windows-msvc $define
  done
elif [ "$language" = c ]; then
  for standard in c99 c11 c17; do
    each_header $standard "$@"
    "$@" -std=$standard $warnings -Wstrict-prototypes -I "$include" -fsyntax-only "$source/header_c99.c"
    echo "ok: header_c99.c, $standard"
  done
else
  library=$1
  shift
  for standard in c++11 c++17; do
    each_header $standard "$@" -Wold-style-cast
    "$@" -std=$standard $warnings -Wold-style-cast -I "$include" "$source/header_cpp.cpp" "$library" \
      "-Wl,-rpath,$(dirname "$library")" -o "$work/header_cpp"
    ${EMULATOR:-} "$work/header_cpp"
    echo "ok: header_cpp.cpp, $standard"
  done
fi
