# Stages that build and test natively: gcc, proof, whole, sanitize, clang, thread, compilers, flags.

# Kernels of AVX-512 and its VBMI through SIMDe: in the whole proof, on CPUs that lack one. Set by test_stages.
simde_avx512=OFF

build_gcc() {
  build gcc release all -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DQUATSIMD_WERROR=ON -DQUATSIMD_SIMDE_AVX512=$simde_avx512 -DQUATSIMD_PYTHON=ON
}

stage_gcc() {
  build_gcc || return 1
  run_ctest build/gcc -L '^quick$' ${is_quick:+-E '^(tool_(fbx|glb|gltf_meshopt|scenes|splats|stream)|clip_table|model_(bundle|self-test)|one_sizes|test_clip_times)$'}
}

packages_proof=(slurm-wlm munge nodejs npm binutils llvm tcc glslang-tools libgles-dev libgl1-mesa-dri # a driver that needs no GPU
  "${rust_packages[@]}")

stage_proof() {
  npm_packages
  build_gcc || return 1
  run_ctest build/gcc -L '^all$'
}

packages_whole=(mmdebstrap)

# What takes many minutes, and seldom finds what no other test does.
stage_whole() {
  build_gcc || return 1
  run_ctest build/gcc -L '^release$'
}

# npm's meshoptimizer, three.js, gltf-transform, gltf-validator, gltfpack and others in build/npm, for tests:
# the versions and the bytes that tests/npm/package-lock.json says.
npm_packages() {
  local dir=build/npm what="no comparison with npm's meshoptimizer and three.js"
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    skip "$what: node or npm is missing"
    return
  fi
  cmp -s tests/npm/package-lock.json "$dir/node_modules/package-lock.json" && return
  say "installing npm's meshoptimizer and three.js in $dir"
  rm -rf "$dir"
  mkdir -p "$dir"
  cp tests/npm/package.json tests/npm/package-lock.json "$dir"
  # its lock file is copied last: what was broken off is made again
  timeout 300 npm ci --prefix "$dir" --ignore-scripts --no-audit --no-fund --loglevel=error >"$dir/install.log" 2>&1 </dev/null &&
    cp tests/npm/package-lock.json "$dir/node_modules" && return
  rm -rf "$dir/node_modules"
  skip "$what: npm could not install them (the output is in $dir/install.log)"
}

packages_clang=("${clang_packages[@]}")

stage_clang() {
  build clang release all -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DQUATSIMD_WERROR=ON \
    -DSIMDE_INCLUDE_DIR= || return 1             # kernels of other machines: the stages gcc and cross have them
  run_ctest build/clang -L '^quick$' -E '^tool_' # the command has no code that depends on the compiler
}

packages_thread=("${clang_packages[@]}")

stage_thread() {
  build tsan tsan all -DQUATSIMD_EXAMPLES=OFF || return 1
  run_ctest build/tsan -R thread
}

packages_compilers=("${clang_packages[@]}" lld)
packages_flags=("${packages_compilers[@]}")

# Goldens, whatever the optimisation. A line is a compiler and its flags.
compile_by() {
  local compiler flags name
  while read -r compiler flags; do
    name=$compiler${flags//[ =]/}
    build "flags/$name" release cross_tests -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags" \
      -DQUATSIMD_TOOL=OFF -DQUATSIMD_EXAMPLES=OFF -DSIMDE_INCLUDE_DIR= -DQUATSIMD_WERROR=ON && run_ctest "build/flags/$name" -L cross || fail
  done
}

stage_compilers() { compile_by <<<$'gcc -O3 -march=native\nclang -O2 -flto'; }
stage_flags() { compile_by <<<$'gcc -O0\ngcc -O2 -flto=auto\nclang -O0\nclang -O3 -march=native'; }
