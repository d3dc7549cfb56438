# ./dev web: the page of web/site, whole, in a folder for any web server; and the stage that tests it in a browser.

site_packages=(emscripten node-acorn python3 nodejs npm)

# The npm package, made again when its sources have changed.
npm_package() { # folder
  local stamp
  stamp=$(find web/build.sh web/package.json web/README.md web/src web/js src include scripts -type f | sort | xargs sha256sum | sha256sum)
  [ "$(cat "$1/.stamp" 2>/dev/null)" != "$stamp" ] || return 0
  say "building WebAssembly in $1, three minutes"
  quietly "$1.log" web/build.sh "$1" && printf '%s\n' "$stamp" >"$1/.stamp"
}

web_site() { # folder
  local three=build/npm/node_modules/three package=build/npm-package part
  npm_packages
  [ -d $three ] || { bad "There is no three.js in build/npm"; return 1; }
  npm_package $package || return 1
  rm -rf "$1"
  mkdir -p "$1/quatsimd"
  cp -r web/site/. "$1"
  cp $package/LICENSE $package/{module,player,encoder,three,three_source,glb}.js $package/{player,encoder}.{simd,scalar}.wasm "$1/quatsimd"
  for part in loaders/{GLTF,BVH}Loader controls/OrbitControls utils/{BufferGeometry,Skeleton}Utils libs/meshopt_decoder.module; do
    install -Dm644 "$three/examples/jsm/$part.js" "$1/three/addons/$part.js"
  done
  cp $three/LICENSE $three/build/three.module.min.js "$1/three"
}

web() { # folder
  local folder=${1:-$root/build/web}
  must_have "${site_packages[@]}"
  [[ $folder = /* ]] || folder=$here/$folder
  web_site "$folder" || exit 1
  say "the page is in $folder"
  echo "To look at it: python3 -m http.server -d '$folder', then http://localhost:8000"
}

packages_web=("${site_packages[@]}" chromium)

stage_web() {
  local tool
  for tool in emcc node npm; do
    command -v $tool >/dev/null || { skip "there is no $tool: the page is not tested"; return; }
  done
  web_site build/web || return 1
  if command -v "${QUATSIMD_BROWSER:-chromium}" >/dev/null; then
    check "the page in a browser" env QUATSIMD_SITE="$root/build/web" QUATSIMD_MODULES="$root/build/npm/node_modules" node --test web/test/page.test.mjs
  else skip "there is no ${QUATSIMD_BROWSER:-chromium}: the page is not tested"
  fi
}
