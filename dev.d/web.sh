# ./dev web: the page of web/site, whole, in a folder for any web server; and the stage that tests it in a browser.

web_packages=(emscripten node-acorn python3 nodejs npm)
packages_web=("${web_packages[@]}" chromium)

# The npm package, made again when its sources have changed.
npm_package() { # folder
  local stamp
  stamp=$(cat web/build.sh web/package.json web/README.md $(find web/src web/js src include scripts -type f | sort) | sha256sum)
  if [ "$(cat "$1/.stamp" 2>/dev/null)" = "$stamp" ]; then return; fi
  say "building WebAssembly in $1, three minutes"
  quietly "$1.log" web/build.sh "$1" && printf '%s' "$stamp" >"$1/.stamp"
}

web_site() { # folder
  local three=build/npm/node_modules/three part
  npm_packages
  [ -d $three ] || { bad "There is no three.js of npm"; return 1; }
  npm_package build/npm-package || return 1
  rm -rf "$1"
  mkdir -p "$1/quatsimd"
  cp -r web/site/. "$1"
  cp build/npm-package/{LICENSE,{module,player,encoder,three,three_source,glb}.js,{player,encoder}.{simd,scalar}.wasm} "$1/quatsimd"
  for part in loaders/{GLTF,BVH}Loader controls/OrbitControls utils/{BufferGeometry,Skeleton}Utils libs/meshopt_decoder.module; do
    install -Dm644 "$three/examples/jsm/$part.js" "$1/three/addons/$part.js"
  done
  cp $three/LICENSE $three/build/three.module.min.js "$1/three"
}

web() { # folder
  must_have "${web_packages[@]}"
  local folder=${1:-$root/build/web}
  [[ $folder = /* ]] || folder=$here/$folder
  web_site "$folder" || exit 1
  say "The page is in $folder"
  echo "To look at it: python3 -m http.server -d '$folder', then http://localhost:8000"
}
