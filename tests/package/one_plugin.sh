#!/bin/sh
# one_plugin.sh FOLDER SOURCES COMPILER: a program and its plug-in have different versions of the two files. Does each call its own where the
# plug-in hides the library or has it static? As it is by default, all of it is exported, and the plug-in calls the program's.
set -eu
folder=$1 sources=$2 compiler=$3
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
player='-O0 -Wall -Wextra -Werror -fPIC -DQUATSIMD_PLAYER -DQUATSIMD_NO_AVX2 -DQUATSIMD_NO_SSE2 -DQUATSIMD_NO_NEON -DQUATSIMD_NO_SIMD128'
version=$(sed -n 's/^#define QUATSIMD_VERSION_STRING "\(.*\)"/\1/p' "$folder/quatsimd.h")
mkdir "$to/later"
cp "$folder/quatsimd.c" "$to/later"
sed '/^#define QUATSIMD_VERSION_STRING/s/".*"/"9.8.7"/' "$folder/quatsimd.h" >"$to/later/quatsimd.h"
# shellcheck disable=SC2086 # words
"$compiler" $player -rdynamic -I"$folder" "$sources/one_host.c" "$folder/quatsimd.c" -o "$to/host" -ldl -lm

# A plug-in must make the host print what is expected, and export names of the library or not.
plugin() { # expected version, 1 if names are exported, else 0, flags and sources...
  expected=$1 exports=$2
  shift 2
  # shellcheck disable=SC2086 # words
  "$compiler" $player -shared -I"$to/later" "$@" "$sources/one_plugin.c" -o "$to/plugin.so" -lm
  found=$("$to/host" "$to/plugin.so")
  [ "$found" = "host $version, plug-in $expected" ] || {
    echo "FAILED: with $*: $found"
    exit 1
  }
  exported=$(nm -D "$to/plugin.so" | grep -c ' quatsimd_') || true
  [ $((exported > 0)) = "$exports" ] || {
    echo "FAILED: with $*: $exported names of the library are exported"
    exit 1
  }
}
plugin "$version" 1 "$to/later/quatsimd.c"
plugin 9.8.7 0 -DQUATSIMD_API= "$to/later/quatsimd.c"
plugin 9.8.7 0 -DQUATSIMD_STATIC
