# Stages python, zig, conan and workflow, by programs of PyPI.

packages_python=(python3-venv)
packages_zig=(python3-venv xz-utils llvm qemu-user wine64)
packages_conan=(python3-venv)
packages_workflow=(python3-venv mmdebstrap)

from_pypi() { # folder, package==version...
  local folder=$1
  shift
  [ "$(cat "$folder/.packages" 2>/dev/null)" != "$*" ] || return 0
  say "installing PyPI's $* in $folder"
  rm -rf "$folder"
  mkdir -p build
  { "$python" -m venv "$folder" && "$folder/bin/pip" install "$@"; } >"$folder.log" 2>&1 </dev/null || {
    skip "pip could not install $* (the output is in $folder.log)"
    return 1
  }
  printf '%s\n' "$*" >"$folder/.packages"
}

# A wheel from the source archive, as users make it: its command needs the glibc of the machine that compiles it. A fresh venv without
# a compiler runs the tests.
stage_python() {
  local new=$root/build/python/new
  from_pypi build/python build==1.3.0 auditwheel==6.5.0 || return 0
  rm -rf build/python/dist "$new"
  CMAKE_C_COMPILER_LAUNCHER=$(command -v ccache || true) CMAKE_BUILD_PARALLEL_LEVEL=$jobs \
    check "a source archive and a wheel" quietly build/python/build.log build/python/bin/python -m build --outdir build/python/dist
  check "the wheel needs nothing but glibc" grep -q 'platform tag: "manylinux_2_[0-9]*_' <(build/python/bin/auditwheel show build/python/dist/*.whl)
  check "a fresh venv" quietly build/python/new.log bash -c '"$1" -m venv "$2" && "$2/bin/pip" install "$3" xxhash==3.6.0' - \
    "$python" "$new" "$(echo build/python/dist/*.whl)"
  for name in tests/python/test_*.py; do
    check "$name" env -u QUATSIMD_LIBRARIES -u PYTHONPATH PATH="$new/bin" "$new/bin/python" "$name"
  done
}

# zig has no C library of Android and no compiler of Microsoft's.
zig_targets=(x86_64-linux-musl aarch64-linux-musl x86_64-windows-gnu aarch64-windows-gnu x86_64-macos aarch64-macos)

# Goldens of formats, run where an emulator is.
stage_zig() {
  local target zig
  [ "$(uname -m)" = x86_64 ] || {
    skip "zig's targets: this needs an x86-64 machine, and this one is $(uname -m)"
    return
  }
  from_pypi build/zig ziglang==0.17.1 || return 0
  cmocka_source || return 1
  zig=$(build/zig/bin/python -c 'import ziglang; print(ziglang.__path__[0] + "/zig")')
  export ZIG_GLOBAL_CACHE_DIR=$root/build/zig/cache ZIG_LOCAL_CACHE_DIR=$root/build/zig/cache
  wine_begin
  for target in "${zig_targets[@]}"; do
    build "zig-$target" release test_goldens --toolchain "$root/cmake/toolchains/zig.cmake" -DQUATSIMD_ZIG="$zig" \
      -DQUATSIMD_ZIG_TARGET="$target" -DQUATSIMD_CMOCKA="$root/$cmocka" -DSIMDE_INCLUDE_DIR= -DQUATSIMD_TOOL=OFF \
      -DQUATSIMD_EXAMPLES=OFF -DQUATSIMD_WERROR=ON || {
      fail
      continue
    }
    case $target in
    aarch64-windows-* | *-macos)
      echo "$target: compiled and linked; nothing here runs it"
      pass
      ;;
    *) run_ctest "build/zig-$target" -R '^test_goldens$' ;;
    esac
  done
  wine_server -k
}

stage_conan() {
  local shared conan=build/conan/bin/conan
  from_pypi build/conan conan==2.34.0 || return 0
  export CONAN_HOME=$root/build/conan/home
  quietly build/conan/profile.log $conan profile detect --force || return 1
  for shared in False True; do
    check "conan create, shared=$shared" quietly build/conan/create.log $conan create cmake/conan -o "&:shared=$shared" \
      -c tools.build:jobs="$jobs" -c tools.cmake.cmake_layout:test_folder="$root/build/conan/test"
  done
}

# What public runners would do, as far as it can be seen without one.
stage_workflow() {
  local file=.github/workflows/ci.yml status=0
  from_pypi build/workflow check-jsonschema==0.39.0 || return 0
  check "the schema of GitHub's workflows" build/workflow/bin/check-jsonschema --builtin-schema vendor.github-workflows $file
  say "the steps of Linux in a new Debian"
  tests/package/test_workflow.sh "$root" build/workflow/bin/python $file || status=$?
  case $status in
  0) pass ;;
  77) skip "steps of Linux: only root makes a new Debian, by mmdebstrap" ;;
  *) fail ;;
  esac
}
