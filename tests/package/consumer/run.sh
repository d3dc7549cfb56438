#!/bin/sh
# Builds and runs the program of this folder as users do: with the installed library, through find_package and through
# pkg-config, static and shared, and with the library as a subdirectory. Then uninstalls it.
#   run.sh SOURCE_DIR BUILD_DIR COMPILER
# Environment: CMAKE (cmake), CFLAGS, LDFLAGS, and for cross builds TOOLCHAIN (a CMake toolchain file) and EMULATOR.
set -eu
source=$1 build=$2 cc=$3
cmake=${CMAKE:-cmake}
consumer=$source/tests/package/consumer
work=$(mktemp -d)
manifest=$build/install_manifest.txt # what a real installation from this folder is uninstalled by: kept
if [ -e "$manifest" ]; then cp "$manifest" "$work/manifest"; fi
trap 'if [ -e "$work/manifest" ]; then cp "$work/manifest" "$manifest"; fi; rm -rf "$work"' EXIT
prefix=$work/prefix

fail() {
  echo "FAILED: $*"
  exit 1
}

quietly() { # command...: its output only if it fails
  "$@" >"$work/output" 2>&1 || {
    cat "$work/output"
    fail "$*"
  }
}

configure() { # build directory, settings...
  to=$1
  shift
  quietly "$cmake" -S "$consumer" -B "$to" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$cc" \
    ${TOOLCHAIN:+"-DCMAKE_TOOLCHAIN_FILE=$TOOLCHAIN"} "$@"
}

# The program runs, and has the library in it or needs libquatsimd.so, as it should.
check() { # what, program, static or shared, how it is used if it needs arguments
  if [ "${4:-}" ]; then
    ${EMULATOR:-} "$2" 2>&1 | grep -F "$4" || fail "$1 does not say '$4'"
  else ${EMULATOR:-} "$2" || fail "$1 does not run"; fi
  if grep -a -q 'libquatsimd\.so' "$2"; then kind=shared; else kind=static; fi
  [ $kind = "$3" ] || fail "$1 is linked with the $kind library, not the $3 one"
  echo "ok: $1"
}

quietly "$cmake" --install "$build" --prefix "$prefix"
pc=$(find "$prefix" -name quatsimd.pc)
[ -n "$pc" ] || fail "no quatsimd.pc was installed"
version=$(sed -n 's/^#define QUATSIMD_VERSION_STRING "\(.*\)"/\1/p' "$prefix/include/quatsimd/version.h")

for language in glsl hlsl; do
  cmp "$source/shaders/quatsimd.$language" "$prefix/share/quatsimd/shaders/quatsimd.$language" || fail "quatsimd.$language was not installed"
done
echo "ok: the shaders are installed"

# Pages, headers and the command's help refer to these.
for page in $(grep -rhoE 'docs/[a-z-]+\.md' "$source/include" "$source/tools" "$source/README.md" "$source/NEWS.md" | sort -u) README.md NEWS.md LICENSE; do
  cmp "$source/$page" "$prefix/share/doc/quatsimd/$page" || fail "$page was not installed"
done
for part in xxhash cjson meshoptimizer; do
  cmp "$source/third_party/$part/LICENSE" "$prefix/share/doc/quatsimd/third_party/$part/LICENSE" || fail "the licence of $part was not installed"
done
if [ -e "$prefix/bin/quatsimd" ]; then
  cmp "$build/tools/quatsimd.1" "$prefix/share/man/man1/quatsimd.1" || fail "the manual page was not installed"
fi
echo "ok: the documentation is installed"

# A package that holds paths of the build or of the source works on this machine alone.
if grep -r -l -I -F -e "$source" -e "$build" "$prefix"; then fail "installed text files name the source or build directory"; fi
echo "ok: installed files do not name the source or build directory"

for kind in static shared; do
  if [ $kind = shared ]; then shared=ON; else shared=OFF; fi
  configure "$work/$kind" -DCMAKE_PREFIX_PATH="$prefix" -DQUATSIMD_VERSION="$version" -DBUILD_SHARED_LIBS=$shared
  grep -q "^quatsimd_DIR:PATH=$prefix/" "$work/$kind/CMakeCache.txt" || fail "find_package found another quatsimd"
  quietly "$cmake" --build "$work/$kind"
  check "find_package, BUILD_SHARED_LIBS=$shared" "$work/$kind/consumer" $kind
done
configure "$work/alone" -DCMAKE_PREFIX_PATH="$prefix" -DQUATSIMD_VERSION="$version" -DBUILD_SHARED_LIBS=ON \
  -DCMAKE_DISABLE_FIND_PACKAGE_CpuFeatures=ON
quietly "$cmake" --build "$work/alone"
check "find_package, BUILD_SHARED_LIBS=ON, without cpu_features" "$work/alone/consumer" shared

if command -v pkg-config >/dev/null; then
  PKG_CONFIG_LIBDIR=$(dirname "$pc") # the libraries of the system are not to be found instead
  export PKG_CONFIG_LIBDIR
  [ "$(pkg-config --modversion quatsimd)" = "$version" ] || fail "quatsimd.pc is not of version $version"
  # The two lines of the README as they stand there, on this program and every example; with -lm where one says so.
  cc() { command $cc -std=c99 -O2 -Wall -Wextra -Werror ${CFLAGS:-} "$@" -o app ${LDFLAGS:-} $math "-Wl,-rpath,$(pkg-config --variable=libdir quatsimd)"; }
  grep '^cc app\.c ' "$source/README.md" >"$work/recipes"
  [ "$(wc -l <"$work/recipes")" = 2 ] || fail "README.md does not have its two lines for pkg-config"
  cp "$source"/examples/*.h "$work/" # what examples include
  for app in "$consumer/main.c" "$source"/examples/*.c; do
    cp "$app" "$work/app.c"
    if grep -q 'Link with -lm' "$app"; then math=-lm; else math=; fi
    usage=$(sed -n 's/.*"\(\(usage: \)\{0,1\}[a-z]* FILE[^"]*\)".*/\1/p' "$app")
    for kind in static shared; do
      recipe=$([ $kind = static ] && sed -n 2p "$work/recipes" || sed -n 1p "$work/recipes")
      (cd "$work" && eval "quietly $recipe")
      check "pkg-config, $kind, ${app##*/}" "$work/app" $kind "$usage"
    done
  done
else
  echo "SKIP: no pkg-config, so quatsimd.pc is not tested"
fi

for kind in static shared; do # one build directory: the objects are compiled once
  if [ $kind = shared ]; then shared=ON; else shared=OFF; fi
  # A user's flags for everything. The library takes back -ffast-math for itself, and has no warnings.
  configure "$work/sub" -DQUATSIMD_SOURCE="$source" -DBUILD_SHARED_LIBS=$shared -DCMAKE_C_FLAGS="${CFLAGS:-} -ffast-math \
    -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wpedantic -Werror"
  for part in tests tools bench examples; do
    [ ! -e "$work/sub/quatsimd/$part" ] || fail "as a subdirectory, $part is configured"
  done
  quietly "$cmake" --build "$work/sub"
  programs=$(cd "$work/sub" && find . -type f -perm -u+x ! -name '*.so*' ! -path '*/CMakeFiles/*')
  [ "$programs" = ./consumer ] || fail "as a subdirectory, programs are built:" $programs
  check "add_subdirectory, BUILD_SHARED_LIBS=$shared" "$work/sub/consumer" $kind
  quietly "$cmake" --install "$work/sub" --prefix "$work/nothing"
  [ ! -e "$work/nothing" ] || fail "as a subdirectory, it is installed:" "$(find "$work/nothing" -type f)"
  kinds=$(cd "$work/sub/quatsimd" && find . -name 'libquatsimd.so' -o -name 'libquatsimd.a')
  [ $shared = ON ] || [ "$kinds" = ./libquatsimd.a ] || fail "as a subdirectory, other libraries are built: $kinds"
  if nm "$work"/sub/quatsimd/libquatsimd.* 2>/dev/null | grep set_fast_math; then fail "with -ffast-math the library flushes denormals"; fi
done
if "$cmake" -S "$source" -B "$work/ofast" -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="${CFLAGS:-} -Ofast" >"$work/output" 2>&1 ||
  ! grep -q 'must not be built with -Ofast' "$work/output"; then
  cat "$work/output"
  fail "-Ofast is not refused"
fi

# Uninstalled, nothing of it is left, and all else is; a second time it says so.
uninstall() { "$cmake" --build "$build" --target uninstall; }
mkdir -p "$prefix/include/quatsimd"
echo mine >"$prefix/include/quatsimd/mine.h"
quietly uninstall
left=$(find "$prefix" ! -type d)
[ "$left" = "$prefix/include/quatsimd/mine.h" ] || fail "uninstalled, and there is still (or not any more):" $left
left=$(find "$prefix" -name '*quatsimd*')
[ "$left" = "$prefix/include/quatsimd" ] || fail "uninstalled, and there is still" $left
if uninstall >"$work/output" 2>&1; then fail "uninstalled twice"; fi
grep -q 'Nothing to uninstall' "$work/output" || fail "uninstalled twice: no message of it"
stage="$work/stage [1]; b" # what patterns and lists of CMake would take apart
export DESTDIR="$stage"
quietly "$cmake" --install "$build" --prefix "$work/elsewhere" # which a broken one may remove
[ -e "$stage$work/elsewhere/include/quatsimd/codec.h" ] || fail "DESTDIR is ignored"
mine="$stage$work/elsewhere/include/quatsimd/mine.h"
echo mine >"$mine"
quietly uninstall
left=$(find "$stage" ! -type d -o -name '*quatsimd*')
[ "$left" = "$stage$work/elsewhere/include/quatsimd
$mine" ] || fail "uninstalled from DESTDIR, and there is still (or not any more):" "$left"
echo "ok: uninstall"
