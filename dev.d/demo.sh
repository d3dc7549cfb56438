# ./dev demo: the first thing that a newcomer runs.

# Bytes that ACL 2.1 takes for the rotations of both motion captures within 0.05 degrees: docs/clip.md, "What it costs".
acl_bytes=536926

demo() {
  local files=() clips=() file verbose='' ours='' quatsimd=build/demo/tools/quatsimd
  for file; do
    case $file in
    -v) verbose=1; continue ;;
    -*) usage_error "demo: what is '$file'? Its arguments are -v and files" ;;
    /*) ;;
    *) file=$here/$file ;;
    esac
    [ -r "$file" ] || { bad "cannot read $file"; exit 1; }
    files+=("$file")
  done
  must_have "./dev demo" "${build_packages[@]}" "${tool_packages[@]}" "${demo_packages[@]}"
  if [ ${#files[@]} -eq 0 ]; then
    ours=1
    mapfile -t files < <({ dpkg -L assimp-testmodels || ls /usr/share/assimp/models/BVH/*; } 2>/dev/null | grep -E '/01_0[13]\.bvh$')
    [ ${#files[@]} -gt 0 ] || { bad "No motion captures: assimp-testmodels is not installed. Yours: ./dev demo FILE"; exit 1; }
  fi
  build demo release quatsimd_tool -DQUATSIMD_TESTS=OFF -DQUATSIMD_EXAMPLES=OFF || exit 1
  printf '\n'
  for file in "${files[@]}"; do
    case $file in *.npy | *.ply | *.splat) ;; *) clips+=("$file") ;; esac
  done
  [ ${#clips[@]} -eq 0 ] || demo_clips "${clips[@]}"
  if [ $verbose ] || [ ${#clips[@]} -eq 0 ]; then
    say "quatsimd measure ${files[*]##*/}: each packed format"
    "$quatsimd" measure "${files[@]}"
    printf '\n'
  fi
  demo_next
}

# Compresses them and tells of it in words.
demo_clips() { # file...
  local measured=build/demo/clips.json rotations=build/demo/rotations.json log=build/demo/compress.log
  local compress=("$quatsimd" compress --rotation 0.05deg --json)
  rm -rf build/demo/clips
  "${compress[@]}" -o build/demo/clips --report build/demo/clips.html --time 0.1 "$@" >$measured 2>$log &&
    "${compress[@]}" --only rotation --time 0 "$@" >$rotations 2>>$log || { cat $log; exit 1; }
  [ ! $ours ] || echo "Compressed two motion captures of Carnegie Mellon University: 31 joints, 120 frames a second."
  [ $ours ] || echo "Compressed ${*##*/}."
  echo "Bounds: no rotation off by more than 0.05 degrees, no position by more than 0.01 of the file's unit."
  printf '\n%28s %14s %14s\n' "file, bytes" "as floats" "as clips"
  stat -L -c %s "$@" | awk -v acl="${ours:+$acl_bytes}" -f dev.d/demo.awk - $measured $rotations
  printf '\n%s\n%s\n' "Sizes and errors by clip, joint and time, for a browser:" "  $root/build/demo/clips.html"
}

demo_next() {
  cat <<TEXT
Try next:
  ./dev demo -v                   the sizes, errors and speeds of every packed format, too
  ./dev demo FILE...              your own animations: glTF, BVH, FBX and others
  build/demo/tools/quatsimd help  the command: compress animations, check them, pack rotations
  README.md, docs/clip.md         the library
TEXT
}
