# Stages goldens (quick), cross and machines, ./dev cross: other machines. Do they compute the same bits?

# The machines, and the Debian packages of their compiler and emulator.
cross_machines=(aarch64 riscv64 s390x armhf i386 mingw wasm)
declare -A cross_packages=(
  [aarch64]="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
  [riscv64]="gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-user"
  [s390x]="gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user"
  [armhf]="gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user"
  [i386]="gcc-i686-linux-gnu libc6-dev-i386-cross qemu-user"
  [mingw]="g++-mingw-w64-x86-64-posix wine64"
  [wasm]="emscripten node-acorn"
)
packages_of() { # machine...
  local machine
  echo xz-utils # in which cmocka's source is packed
  for machine; do [ "$machine" = "$(uname -m)" ] || echo "${cross_packages[$machine]}"; done
}

goldens_machines=(aarch64)
more_machines=(s390x i386 mingw wasm) # stage cross
rare_machines=(riscv64 armhf)         # stage machines, which a release needs
read -rd '' -a packages_goldens < <(packages_of "${goldens_machines[@]}") || true
read -rd '' -a packages_cross < <(packages_of "${more_machines[@]}") || true
packages_cross+=("${clang_packages[@]}" lld)
read -rd '' -a packages_machines < <(packages_of "${rare_machines[@]}" aarch64) || true
[ "$(uname -m)" = aarch64 ] || packages_machines+=(g++-aarch64-linux-gnu)

# cmocka's source, as Debian has no cmocka for most of these machines: from the mirror that this machine uses, or Debian's own.
cmocka=build/cmocka-1.1.7
cmocka_source() {
  [ ! -f $cmocka/src/cmocka.c ] || return 0
  local from hash=SHA256:810570eb0b8d64804331f82b29ff47c790ce9cd6b163e98d47a4807047ecad82
  say "downloading cmocka's source"
  mkdir -p build
  for from in $(apt-get --print-uris download libcmocka-dev 2>/dev/null | sed -n "s/^'\(.*\/\)[^/]*'.*/\1/p") \
    http://deb.debian.org/debian/pool/main/c/cmocka/; do
    /usr/lib/apt/apt-helper download-file "${from}cmocka_1.1.7.orig.tar.xz" build/cmocka.tar.xz $hash >build/cmocka.log 2>&1 </dev/null &&
      tar -C build -xf build/cmocka.tar.xz && return
  done
  bad "cannot download cmocka's source (the output is in build/cmocka.log): $(grep -m 1 '^E: ' build/cmocka.log || tail -n 1 build/cmocka.log)"
  return 1
}

cross_build() { # machine, gcc or clang, target, whether the command is built: ON or OFF
  local options=(-DQUATSIMD_CMOCKA="$root/$cmocka" -DSIMDE_INCLUDE_DIR=)
  cmocka_source || return 1
  [ "$2" != clang ] || options+=(-DQUATSIMD_CLANG=ON)
  case $1 in riscv64 | wasm) options+=(-DSIMDE_INCLUDE_DIR=/usr/include) ;; esac
  build "$1-$2" release "$3" --toolchain "$root/cmake/toolchains/$1.cmake" -DQUATSIMD_TOOL="${4:-OFF}" \
    -DQUATSIMD_EXAMPLES=OFF -DQUATSIMD_WERROR=ON "${options[@]}"
}

# Goldens of all kinds, built by one compiler for one machine.
cross() { # machine, gcc or clang
  cross_build "$1" "$2" cross_tests || return 1
  if [ "$1-$2" = s390x-clang ] && qemu-s390x -version | grep -q 'version [0-7]\.'; then # "Fix MDEB and MDEBR" came with 8.0
    skip "s390x by clang is built and not run: qemu $(qemu-s390x -version | grep -o 'version [0-9.]*') computes MDEBR wrongly, which clang uses"
    return
  fi
  run_ctest "build/$1-$2" -L cross ${is_quick:+-E '^one_'} # the same sources as one
  [ "$1-$2" != mingw-gcc ] || windows_command || fail
}

# The command on Windows, beside that of this machine: what depends on the system.
windows_command() {
  "$python" -c 'import numpy' 2>/dev/null || {
    skip "the command on Windows is not tested: no NumPy"
    return
  }
  cross_build mingw gcc quatsimd_tool ON && build gcc release quatsimd_tool || return 1
  check "the command on Windows" env QUATSIMD_EXE="$root/build/mingw-gcc/tools/quatsimd.exe" QUATSIMD_TOOL="$root/build/gcc/tools/quatsimd" \
    QUATSIMD_WINE="$(command -v wine64 || echo /usr/lib/wine/wine64)" "$python" tests/tools/test_windows.py
}

# A server that stays: else it ends with a program, and the next one may meet it as it goes. Then Windows' services, which make the folder
# of the prefix and would hold the output of the test that they are started by. wine_server -k ends it.
wine_begin() {
  export WINEPREFIX=$root/build/wine WINEDEBUG=-all
  mkdir -p "$WINEPREFIX"
  wine_server -p
  quietly build/wine.log timeout 300 "$(command -v wine64 || echo /usr/lib/wine/wine64)" wineboot --init </dev/null || true
}
wine_server() { "$(command -v wineserver || echo /usr/lib/wine/wineserver64)" "$@" >>build/wine.log 2>&1 </dev/null || true; }

# Some machines, one after the other.
cross_each() { # compiler, machine...
  local compiler=$1 machine
  shift
  export NODE_PATH=/usr/share/nodejs # Debian's modules, for any node
  for machine; do
    if [ "$machine" = "$(uname -m)" ]; then
      skip "cross build for $machine: this is such a machine, so the stages gcc and clang test it"
      continue
    fi
    [ "$machine" != mingw ] || wine_begin
    case $machine-$compiler in
    wasm-gcc) ;; # emscripten is clang
    *) cross "$machine" "$compiler" || fail ;;
    esac
    [ "$machine" != mingw ] || wine_server -k
  done
}

stage_goldens() { cross_each gcc "${goldens_machines[@]}"; }

chosen_machines=() # of ./dev cross
stage_cross() {
  if [ ${#chosen_machines[@]} -gt 0 ]; then
    cross_each gcc "${chosen_machines[@]}"
    cross_each clang "${chosen_machines[@]}"
    return
  fi
  cross_each gcc "${more_machines[@]}"
  cross_each clang wasm
}

stage_machines() {
  more_of_aarch64 || fail
  cross_each gcc "${rare_machines[@]}"
}

# More than the goldens of the stage before: ARM is where many of the library's users are.
more_of_aarch64() {
  if [ "$(uname -m)" = aarch64 ]; then return 0; fi
  cross_build aarch64 gcc all || return 1
  run_ctest build/aarch64-gcc -L '^(quick|packaging)$' -LE cross -E "$slow_emulated"
}

# Minutes under qemu. test_goldens has the same kernels as the first, and the scalar ones.
slow_emulated='^(words_.*|test_kernels|test_clip_kernels|test_clip|test_clip_(limits|rest|times|tracks)|test_lattice|test_threads.*|model_.*|test_.*_scalar)$'

# ./dev cross [MACHINE...]: the stage for these machines alone, by gcc and by clang.
cross_command() {
  local machine
  for machine; do
    [ "${cross_packages[$machine]:-}" ] || usage_error "cross: there is no machine '$machine'; there are: ${cross_machines[*]}"
  done
  [ $# -gt 0 ] || set -- "${cross_machines[@]}"
  chosen_machines=("$@")
  read -rd '' -a packages_cross < <(packages_of "$@") || true
  packages_cross+=("${clang_packages[@]}" lld)
  test_stages cross
}
