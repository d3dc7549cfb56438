# ./dev package, stage package: what a release has, in build/package. The same commit and the same compilers give the same bytes, in any
# folder: all is built from the source archive, and paths, dates, owners and the order of files are fixed.
# Any command that fails must end it, so call none of these functions in if, && or ||: bash ignores set -e there.

release_packages=(git xz-utils zip musl-tools libc6-dev-arm64-cross gcc-aarch64-linux-gnu g++-mingw-w64-x86-64-posix llvm emscripten node-acorn
  debhelper dpkg-dev fakeroot)
packages_package=("${release_packages[@]}" lintian mmdebstrap qemu-user wine64 nodejs npm lld clang) # to use what was made

package() { # folder
  local work=$1${PACKAGE_AGAIN:-} source packaged
  [ "$(uname -m)" = x86_64 ] || {
    bad "package: this needs an x86-64 machine, and this one is $(uname -m)"
    return 1
  }
  case $work in *[[:space:]]*)
    bad "package: the path of this folder must have no spaces, because compilers' flags cannot have them: $work"
    return 1
    ;;
  esac
  unset CC CXX CPPFLAGS CFLAGS CXXFLAGS LDFLAGS CMAKE_TOOLCHAIN_FILE XZ_OPT XZ_DEFAULTS ZIPOPT TAR_OPTIONS # the same bytes for everybody
  version=$(sed -n 's/^#define QUATSIMD_VERSION_STRING "\(.*\)"/\1/p' include/quatsimd/version.h)
  git rev-parse --verify -q HEAD >/dev/null || {
    bad "package: packages are made from a commit, and this is not a git clone"
    return 1
  }
  packaged=$(git show HEAD:debian/changelog | dpkg-parsechangelog -l - -S Version)
  [[ $packaged == "$version"-* ]] || {
    bad "debian/changelog has version $packaged, and the library has version $version"
    return 1
  }
  [ "$(git show HEAD:debian/changelog | dpkg-parsechangelog -l - -S Timestamp)" -le "$(date +%s)" ] || # files are no later than it
    {
      bad "debian/changelog has a date in the future"
      return 1
    }
  [ -z "$(git status --porcelain)" ] || warn "Changes that are not committed are not in the packages"
  export SOURCE_DATE_EPOCH
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
  rm -rf "$work"
  mkdir -p "$work/tree" "$work/out"
  source=$work/tree/quatsimd-$version
  package_source
  package_libraries
  package_commands
  package_debian
  package_npm
  (cd "$work/out" && sha256sum -- * >SHA256SUMS)
  say "the files are in $work/out:"
  (cd "$work/out" && stat -c '%12s bytes  %n' -- *)
}

# Packs a folder of $work/tree.
archive() { # folder, tar.xz, tgz or zip, and what it is called in the archive, else as it is
  say "packing $1.$2"
  chmod -R u=rwX,go=rX "$work/tree/$1"
  case $2 in
  tar.xz | tgz) tar -C "$work/tree" --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    ${3:+--transform "s|^$1|$3|"} -c "$1" | if [ "$2" = tgz ]; then gzip -9n; else xz -9 -T1; fi >"$work/out/$1.$2" ;;
  zip)
    find "$work/tree/$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    (cd "$work/tree" && find "$1" | LC_ALL=C sort | TZ=UTC zip -q -9 -X -@ "../out/$1.$2")
    ;;
  esac
}

package_source() {
  git archive --prefix="quatsimd-$version/" HEAD | tar -C "$work/tree" -x
  "$python" "$source/scripts/amalgamate.py" "$source/amalgamation" >/dev/null
  archive "quatsimd-$version" tar.xz
}

# make_one NAME OPTION...: configures and builds in $work/NAME.
make_one() {
  local dir=$work/$1
  shift
  quietly "$dir.log" env CFLAGS="-ffile-prefix-map=$source=." CXXFLAGS="-ffile-prefix-map=$source=." cmake -G Ninja -S "$source" -B "$dir" \
    -DCMAKE_BUILD_TYPE=Release -DQUATSIMD_TESTS=OFF -DQUATSIMD_EXAMPLES=OFF -DCMAKE_DISABLE_FIND_PACKAGE_CpuFeatures=ON \
    -DPython3_EXECUTABLE="$python" "$@"
  quietly "$dir.log" cmake --build "$dir" --parallel "$jobs"
}

# Of what is linked in, besides what third_party has: the C library where it is static, and what gcc adds.
licences() { # folder, package...
  local folder=$1 package
  shift
  mkdir -p "$folder/licences"
  cp "$source/LICENSE" "$folder/licences/quatsimd"
  for package in cjson meshoptimizer ufbx xxhash; do cp "$source/third_party/$package/LICENSE" "$folder/licences/$package"; done
  for package; do cp "/usr/share/doc/$package/copyright" "$folder/licences/$package"; done
}

# README.txt, and pages whose links lead to what the archive has.
readme() { # folder, machine, first page; the text on stdin
  sed "s/@VERSION@/$version/g; s/@MINOR@/${version%.*}/g" >"$1/README.txt"
  printf '%s\n' '' "The notices in licences/ must accompany every program that contains these files." \
    "The pages are those of the repository: begin with $3. Their remarks about ./dev apply to its sources." >>"$1/README.txt"
  [ "$2" != windows-x86_64 ] || sed -i 's/$/\r/' "$1/README.txt"
  "$python" "$source/cmake/links.py" "$(dirname "$1/$3")" "$1"
}

readme_library() { # folder, machine
  {
    cat <<'TEXT'
libquatsimd @VERSION@: headers in include, libraries in lib, shaders in share/quatsimd/shaders, pages and examples in share/doc/quatsimd.
Nothing needs to be installed. FOLDER is the folder of this file; it can be anywhere, and can be moved.

TEXT
    case $2 in
    linux-*) cat <<'TEXT' ;;
CMake: find_package(quatsimd @MINOR@), target_link_libraries(app quatsimd::quatsimd), and cmake -DCMAKE_PREFIX_PATH=FOLDER. It links the static
library, or with -DBUILD_SHARED_LIBS=ON the shared one.
pkg-config: export PKG_CONFIG_PATH=FOLDER/lib/pkgconfig, then: cc app.c $(pkg-config --cflags --libs quatsimd) -o app
By hand: cc app.c -IFOLDER/include FOLDER/lib/libquatsimd.a -o app
To find the shared library, link a program with -Wl,-rpath,FOLDER/lib or run it with LD_LIBRARY_PATH=FOLDER/lib.
The shared library needs only glibc 2.17 or later.
TEXT
    windows-*) cat <<'TEXT' ;;
CMake: find_package(quatsimd @MINOR@), target_link_libraries(app quatsimd::quatsimd), and cmake -DCMAKE_PREFIX_PATH=FOLDER. MinGW-w64 gets the
static library, or with -DBUILD_SHARED_LIBS=ON the DLL; Visual C++ and clang for it get the DLL.
MinGW-w64 by hand: gcc app.c -IFOLDER/include FOLDER/lib/libquatsimd.a -o app.exe; pkg-config: PKG_CONFIG_PATH=FOLDER/lib/pkgconfig
Visual C++ by hand: define QUATSIMD_SHARED, add FOLDER\include, link FOLDER\lib\quatsimd.lib.
A program with the DLL needs FOLDER\bin\libquatsimd-@MINOR@.dll beside its .exe or in a folder of PATH. CMake copies it with
add_custom_command(TARGET app POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_RUNTIME_DLLS:app> $<TARGET_FILE_DIR:app>
COMMAND_EXPAND_LISTS).
lib\quatsimd.def has the functions' names, for other linkers.
TEXT
    wasm32) cat <<'TEXT' ;;
For emscripten. The library uses WebAssembly's SIMD, which browsers and Node.js have; programs need no option for it.
CMake: find_package(quatsimd @MINOR@), target_link_libraries(app quatsimd::quatsimd), and
emcmake cmake -DCMAKE_FIND_ROOT_PATH=FOLDER (CMAKE_PREFIX_PATH alone has no effect).
pkg-config: set EM_PKG_CONFIG_PATH=FOLDER/lib/pkgconfig for programs that emconfigure or emcmake starts.
By hand: emcc app.c -IFOLDER/include FOLDER/lib/libquatsimd.a -o app.js
TEXT
    esac
  } | readme "$1" "$2" share/doc/quatsimd/README.md
}

readme_command() { # folder, machine
  {
    cat <<'TEXT'
This is the command quatsimd @VERSION@. It compresses skeletal animations, measures formats of rotations and writes clips back into files.
It reads glTF, BVH, FBX, .npy, .npz, PLY and splats.

TEXT
    case $2 in
    linux-*) cat <<'TEXT' ;;
It is static and needs only Linux. Put it into a folder in PATH:
  install -D quatsimd ~/.local/bin/quatsimd
The manual page, and completion for bash (which needs the package bash-completion):
  install -D -m 644 quatsimd.1 ~/.local/share/man/man1/quatsimd.1
  install -D -m 644 quatsimd.bash ~/.local/share/bash-completion/completions/quatsimd
TEXT
    windows-*) cat <<'TEXT' ;;
quatsimd.exe needs Windows 10 or later, and no other DLLs. Put it into a folder in PATH, or call it by its path.
TEXT
    esac
    echo "Then: quatsimd help"
  } | readme "$1" "$2" README.md
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
    make_one "$machine" "${options[@]}"
    quietly "$work/$machine.log" cmake --install "$work/$machine" --prefix "$tree"
    readme_library "$tree" "$machine"
    case $machine in
    windows-x86_64)
      licences "$tree" mingw-w64-common gcc-mingw-w64-base
      # Visual C++'s linker wants names without numbers, and an import library in its own format.
      sed 's/ @[0-9]*$//' "$work/$machine/quatsimd.def" >"$tree/lib/quatsimd.def"
      llvm-dlltool -m i386:x86-64 -D "libquatsimd-${version%.*}.dll" -d "$tree/lib/quatsimd.def" -l "$tree/lib/quatsimd.lib"
      archive "$name" zip
      continue
      ;;
    linux-x86_64) licences "$tree" libgcc-s1 ;;
    linux-aarch64) licences "$tree" libgcc-s1-arm64-cross ;;
    wasm32) licences "$tree" ;;
    esac
    archive "$name" tar.xz
  done
}

# The command alone, static: it needs nothing that a system may lack.
package_commands() {
  local machine options tree
  for machine in linux-x86_64 windows-x86_64; do
    tree=$work/tree/quatsimd-command-$version-$machine options=(-DQUATSIMD_TOOL=ON)
    case $machine in
    linux-*) # g++ as musl-gcc is gcc
      options+=(-DCMAKE_C_COMPILER=musl-gcc -DCMAKE_CXX_COMPILER=g++ -DCMAKE_EXE_LINKER_FLAGS=-static
        -DCMAKE_CXX_FLAGS="-specs=/usr/lib/x86_64-linux-musl/musl-gcc.specs -ffile-prefix-map=$source=.")
      ;;
    windows-*) options+=(-DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/mingw.cmake") ;;
    esac
    say "building the command for $machine"
    make_one "command-$machine" "${options[@]}"
    mkdir -p "$tree"
    cp -R "$source/README.md" "$source/NEWS.md" "$source/docs" "$tree"
    readme_command "$tree" "$machine"
    case $machine in
    linux-*)
      licences "$tree" musl libgcc-s1
      strip -o "$tree/quatsimd" "$work/command-$machine/tools/quatsimd"
      cp "$source/tools/completion/quatsimd.bash" "$work/command-$machine/tools/quatsimd.1" "$tree"
      archive "${tree##*/}" tar.xz
      ;;
    windows-*)
      licences "$tree" mingw-w64-common gcc-mingw-w64-base
      x86_64-w64-mingw32-strip -o "$tree/quatsimd.exe" "$work/command-$machine/tools/quatsimd.exe"
      archive "${tree##*/}" zip
      ;;
    esac
  done
}

package_debian() {
  say "building Debian's packages"
  mkdir "$work/debian"
  cp -R "$source" "$work/debian/"
  (cd "$work/debian/quatsimd-$version" && unset SOURCE_DATE_EPOCH && # the changelog's
    DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$jobs" quietly "$work/debian.log" dpkg-buildpackage -us -uc -b)
  cp "$work/debian"/*.deb "$work/out"
}

# For npm and what takes its archives, which have all in a folder `package`.
package_npm() {
  local tree=$work/tree/quatsimd-npm-$version
  say "building npm's package"
  quietly "$work/npm.log" "$source/web/build.sh" "$tree"
  "$python" "$source/cmake/links.py" "$tree" "$tree"
  archive "${tree##*/}" tgz package
}

# Made twice, in two folders; then used. By processes of their own, since a stage is where bash ignores set -e.
stage_package() {
  local reason
  "$root/dev" package || return 1
  check "the packages, used as users use them" use_packages
  while read -r reason; do skip "$reason"; done < <(sed -n 's/^SKIP: //p' build/package/use.log)
  PACKAGE_AGAIN=-again "$root/dev" package &&
    check "the same bytes twice" diff build/package/out/SHA256SUMS build/package-again/out/SHA256SUMS
}

use_packages() { tests/package/test_packages.sh "$root/build/package" | tee build/package/use.log; }
