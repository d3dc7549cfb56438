# ./dev web: the page of web/site, whole, in a folder for any web server; and the stage that tests it in a browser.

site_packages=(emscripten node-acorn python3 nodejs npm)

# The npm package, made again when its sources have changed.
npm_package() { # folder, how long it takes, variables of web/build.sh...
  local folder=$1 takes=$2 stamp
  shift 2
  stamp=$(find web/build.sh web/package.json web/README.md web/src web/js src include scripts tools/base tools/files tools/readers tools/scene third_party/ufbx -type f | sort | xargs sha256sum | sha256sum)
  [ "$(cat "$folder/.stamp" 2>/dev/null)" != "$stamp" ] || return 0
  say "building WebAssembly in $folder: $takes"
  quietly "$folder.log" env "$@" web/build.sh "$folder" && printf '%s\n' "$stamp" >"$folder/.stamp"
}

# In a new folder, build/web.
web_site() {
  local modules=build/npm/node_modules three=build/npm/node_modules/three package=build/npm-package site=build/web part
  npm_packages
  [ -d $three ] || {
    bad "three.js is missing in build/npm"
    return 1
  }
  npm_package $package 'three minutes' || return 1
  rm -rf $site && mkdir -p $site/quatsimd && cp -r web/site/. $site || return 1
  cp $package/LICENSE* $package/{module,player,encoder,extension,glb,fbx}.js $package/three*.js $package/{player,encoder,fbx}.{simd,scalar}.wasm $site/quatsimd || return 1
  for part in loaders/{GLTF,BVH,DRACO}Loader controls/OrbitControls utils/{BufferGeometry,Skeleton}Utils libs/meshopt_decoder.module; do
    install -Dm644 "$three/examples/jsm/$part.js" "$site/three/addons/$part.js" || return 1
  done
  part=libs/draco/gltf # gltf-validator has the text of Draco's licence
  install -Dm644 -t $site/three/addons/$part $three/examples/jsm/$part/draco_{decoder.wasm,wasm_wrapper.js} $modules/gltf-validator/LICENSE || return 1
  install -Dm644 -t $site/meshoptimizer $modules/meshoptimizer/{meshopt_encoder.module.js,LICENSE.md} || return 1
  cp $three/LICENSE $three/build/three.module.min.js $site/three || return 1
  # by its address, because import maps do not apply in workers
  sed -i "s|from 'three'|from '../../three.module.min.js'|" $site/three/addons/*/*.js &&
    sed -i "s|from 'three'|from '../three/three.module.min.js'|" $site/quatsimd/three*.js
}

web() { # folder, beside what is there already
  local folder=${1:-$root/build/web}
  must_have "${site_packages[@]}"
  [[ $folder = /* ]] || folder=$here/$folder
  web_site || exit 1
  if [ $# -gt 0 ]; then mkdir -p "$folder" && cp -r build/web/. "$folder"; fi
  say "the page is in $folder"
  echo "To view it, run python3 -m http.server -d '$folder', then open http://localhost:8000"
}

packages_node=(emscripten node-acorn python3 nodejs)

# JavaScript of the npm package with a build of the player alone, hardly optimised; what it takes of three.js is stood in for.
stage_node() {
  local tool package=$root/build/node-package
  for tool in emcc node; do
    command -v $tool >/dev/null || {
      skip "the player's JavaScript is not tested, because $tool is missing"
      return
    }
  done
  npm_package "$package" 'some seconds' QUICK=1 ONLY=player || return 1
  build gcc release quatsimd_tool || return 1
  check "the player in Node.js" env QUATSIMD_PACKAGE="$package" QUATSIMD_TOOL="$root/build/gcc/tools/quatsimd" node --test web/test/{play,layers,actions,words}.test.mjs
}

packages_web=("${site_packages[@]}" chromium xz-utils)

# The npm package in Node.js beside the command; then the goldens of formats, operations, clips and poses, and the page, in a browser.
stage_web() {
  local tool modules=$root/build/npm/node_modules package=$root/build/npm-package
  for tool in emcc node npm; do
    command -v $tool >/dev/null || {
      skip "the npm package and the page are not tested, because $tool is missing"
      return
    }
  done
  web_site || return 1
  build gcc release quatsimd_tool && build gcc release print_scene && build gcc release web_stream || return 1
  ln -sfn "$modules" "$package/node_modules" # in which tests look for three.js, gltf-transform and others
  check "the npm package in Node.js" env QUATSIMD_PACKAGE="$package" QUATSIMD_TOOL="$root/build/gcc/tools/quatsimd" \
    QUATSIMD_PRINT_SCENE="$root/build/gcc/tests/print_scene" QUATSIMD_STREAM="$root/build/gcc/tests/web_stream" \
    node --expose-gc --test web/test/{package,three,three_source,mesh,glb,fbx,transform,stream}.test.mjs
  check "parts of the page in Node.js" env QUATSIMD_SITE="$root/build/web" QUATSIMD_MODULES="$modules" node --test web/test/{pack,vertices}.test.mjs
  rm "$package/node_modules"
  if ! node -e 'import("./web/test/support/browser.mjs").then((m) => process.exit(m.findBrowser() ? 0 : 1))'; then
    skip "goldens and the page are not tested in a browser, because Chromium is missing (QUATSIMD_BROWSER can name one)"
    return
  fi
  export NODE_PATH=/usr/share/nodejs
  cross_build wasm clang cross_tests || return 1
  check "goldens in a browser" env QUATSIMD_GOLDENS="$root/build/wasm-clang/tests" QUATSIMD_MODULES="$modules" node --test web/test/goldens.test.mjs
  check "clips in a browser" env QUATSIMD_SITE="$root/build/web" QUATSIMD_MODULES="$modules" QUATSIMD_TOOL="$root/build/gcc/tools/quatsimd" \
    node --test web/test/motion.test.mjs
  check "a stream in a browser" env QUATSIMD_PACKAGE="$package" QUATSIMD_SITE="$root/build/web" QUATSIMD_MODULES="$modules" \
    QUATSIMD_TOOL="$root/build/gcc/tools/quatsimd" node --test web/test/stream_page.test.mjs
  check "the page in a browser" env QUATSIMD_SITE="$root/build/web" QUATSIMD_MODULES="$modules" QUATSIMD_TOOL="$root/build/gcc/tools/quatsimd" \
    node --test --test-concurrency=1 web/test/page{,_controls}.test.mjs
}
