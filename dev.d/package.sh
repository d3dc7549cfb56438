# ./dev package, stage package: what a release has, in build/package. The same commit and the same compilers give the same bytes, in any
# folder: all is built from the source archive, and paths, dates, owners and the order of files are fixed.

release_packages=(git xz-utils zip musl-tools libc6-dev-arm64-cross gcc-aarch64-linux-gnu g++-mingw-w64-x86-64-posix llvm emscripten node-acorn
  debhelper dpkg-dev fakeroot)
packages_package=("${release_packages[@]}" lintian mmdebstrap qemu-user wine64 nodejs lld clang) # to use what was made

package() { # folder
  local work=$1 source
  version=$(sed -n 's/^#define QUATSIMD_VERSION_STRING "\(.*\)"/\1/p' include/quatsimd/version.h)
  git rev-parse --verify -q HEAD >/dev/null || { bad "package: only a clone has a commit to make packages of"; return 1; }
  [ -z "$(git status --porcelain)" ] || warn "What is not committed is not in the packages"
  export SOURCE_DATE_EPOCH
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
  rm -rf "$work"
  mkdir -p "$work/tree" "$work/out"
  source=$work/tree/quatsimd-$version
  package_source && package_libraries && package_commands && package_debian || return 1
  (cd "$work/out" && sha256sum -- * >SHA256SUMS)
  say "in $work/out:"
  (cd "$work/out" && stat -c '%12s bytes  %n' -- *)
}

# Packs a folder of $work/tree.
archive() { # folder, tar.xz or zip
  say "$1.$2"
  chmod -R u=rwX,go=rX "$work/tree/$1"
  case $2 in
  tar.xz) tar -C "$work/tree" --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -c "$1" |
    xz -9 -T1 >"$work/out/$1.$2" ;;
  zip)
    find "$work/tree/$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    (cd "$work/tree" && find "$1" | LC_ALL=C sort | TZ=UTC zip -q -9 -X -@ "../out/$1.$2")
    ;;
  esac
}

package_source() {
  git archive --prefix="quatsimd-$version/" HEAD | tar -C "$work/tree" -x
  "$python" "$source/scripts/amalgamate.py" "$source/amalgamation" >/dev/null || return 1
  archive "quatsimd-$version" tar.xz
}

# make_one NAME OPTION...: configures and builds in $work/NAME.
make_one() {
  local dir=$work/$1
  shift
  quietly "$dir.log" env CFLAGS="-ffile-prefix-map=$source=." CXXFLAGS="-ffile-prefix-map=$source=." cmake -G Ninja -S "$source" -B "$dir" \
    -DCMAKE_BUILD_TYPE=Release -DQUATSIMD_TESTS=OFF -DQUATSIMD_EXAMPLES=OFF -DCMAKE_DISABLE_FIND_PACKAGE_CpuFeatures=ON \
    -DPython3_EXECUTABLE="$python" "$@" && quietly "$dir.log" cmake --build "$dir" --parallel "$jobs"
}

# Of what is linked in, besides what third_party has.
licences() { # folder, package...
  local folder=$1 package
  shift
  mkdir -p "$folder/licences"
  cp "$source/LICENSE" "$folder/licences/quatsimd"
  for package in cjson meshoptimizer xxhash; do cp "$source/third_party/$package/LICENSE" "$folder/licences/$package"; done
  for package; do cp "/usr/share/doc/$package/copyright" "$folder/licences/$package"; done
}

# Static and shared library, headers, shaders, pages. Users' files for CMake and pkg-config work in any folder.
package_libraries() {
  local machine name tree options
  for machine in linux-x86_64 linux-aarch64 windows-x86_64 wasm32; do
    name=quatsimd-$version-$machine tree=$work/tree/quatsimd-$version-$machine options=(-DQUATSIMD_TOOL=OFF -DCMAKE_INSTALL_LIBDIR=lib)
    case $machine in
    linux-aarch64) options+=(-DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/aarch64.cmake") ;;
    windows-x86_64) options+=(-DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/mingw.cmake") ;;
    wasm32) options+=(-DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/wasm.cmake") ;;
    esac
    say "building for $machine"
    make_one "$machine" "${options[@]}" && quietly "$work/$machine.log" cmake --install "$work/$machine" --prefix "$tree" || return 1
    case $machine in
    windows-x86_64)
      licences "$tree" mingw-w64-common
      # Visual C++'s linker wants names without numbers, and an import library in its own format.
      sed 's/ @[0-9]*$//' "$work/$machine/quatsimd.def" >"$tree/lib/quatsimd.def"
      llvm-dlltool -m i386:x86-64 -D "libquatsimd-${version%.*}.dll" -d "$tree/lib/quatsimd.def" -l "$tree/lib/quatsimd.lib" || return 1
      archive "$name" zip
      ;;
    *)
      licences "$tree"
      archive "$name" tar.xz
      ;;
    esac
  done
}

# The command alone, static: it needs nothing that a system may lack, and reads what it can without Assimp.
package_commands() {
  local machine options tree
  for machine in linux-x86_64 windows-x86_64; do
    tree=$work/tree/quatsimd-command-$version-$machine options=(-DQUATSIMD_TOOL=ON -DQUATSIMD_TOOL_ASSIMP=OFF)
    case $machine in
    linux-*) # g++ as musl-gcc is gcc
      options+=(-DCMAKE_C_COMPILER=musl-gcc -DCMAKE_CXX_COMPILER=g++ -DCMAKE_EXE_LINKER_FLAGS=-static
        -DCMAKE_CXX_FLAGS="-specs=/usr/lib/x86_64-linux-musl/musl-gcc.specs -ffile-prefix-map=$source=.")
      ;;
    windows-*) options+=(-DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/mingw.cmake") ;;
    esac
    say "building the command for $machine"
    make_one "command-$machine" "${options[@]}" || return 1
    mkdir -p "$tree"
    cp -R "$source/README.md" "$source/NEWS.md" "$source/docs" "$tree"
    case $machine in
    linux-*)
      licences "$tree" musl
      strip -o "$tree/quatsimd" "$work/command-$machine/tools/quatsimd"
      cp "$source/tools/completion/quatsimd.bash" "$tree"
      archive "${tree##*/}" tar.xz
      ;;
    windows-*)
      licences "$tree" mingw-w64-common
      x86_64-w64-mingw32-strip -o "$tree/quatsimd.exe" "$work/command-$machine/tools/quatsimd.exe"
      archive "${tree##*/}" zip
      ;;
    esac
  done
}

package_debian() {
  say "Debian's packages"
  [ "$(dpkg-parsechangelog -l "$source/debian/changelog" -S Timestamp)" -le "$(date +%s)" ] || # files are no later than it
    { bad "debian/changelog has a date that is still to come"; return 1; }
  mkdir "$work/debian"
  cp -R "$source" "$work/debian/"
  (cd "$work/debian/quatsimd-$version" && unset SOURCE_DATE_EPOCH && # the changelog's
    DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$jobs" quietly "$work/debian.log" dpkg-buildpackage -us -uc -b) || return 1
  cp "$work/debian"/*.deb "$work/out"
}

# Made twice, in two folders; then used.
stage_package() {
  package "$root/build/package" || return 1
  check "what was made, as its users get it" tests/package/test_packages.sh "$root/build/package" || true
  local first=$root/build/package/out/SHA256SUMS
  package "$root/build/package-again" && check "the same bytes twice" diff "$first" "$root/build/package-again/out/SHA256SUMS"
}
