# ./dev demo: the first thing that a newcomer runs.

demo() {
  local files=() clips=() arrays=() file verbose='' ours='' quatsimd=build/demo/tools/quatsimd formats=build/demo/formats.txt
  for file; do
    case $file in
    -v)
      verbose=1
      continue
      ;;
    -*) usage_error "demo: '$file' is not an option; the arguments are -v, files and folders" ;;
    '') usage_error "demo: the name of a file is empty" ;;
    /*) ;;
    *) file=$here/$file ;;
    esac
    demo_readable "$file" || exit 1
    case ${file,,} in *.npy | *.ply | *.splat) arrays+=("$file") ;; *) clips+=("$file") ;; esac
    files+=("$file")
  done
  must_have "${build_packages[@]}" "${tool_packages[@]}"
  if [ ${#files[@]} -eq 0 ]; then
    must_have "${demo_packages[@]}"
    ours=1
    mapfile -t clips < <({ dpkg -L assimp-testmodels || ls /usr/share/assimp/models/BVH/*; } 2>/dev/null | grep -E '/01_0[13]\.bvh$')
    [ ${#clips[@]} -gt 0 ] || {
      bad "There are no motion captures, because assimp-testmodels is not installed. To use your own: ./dev demo FILE"
      exit 1
    }
    files=("${clips[@]}")
  fi
  build demo release quatsimd_tool -DQUATSIMD_TESTS=OFF -DQUATSIMD_EXAMPLES=OFF || exit 1
  : >$formats
  [ ${#arrays[@]} -eq 0 ] || "$quatsimd" measure "${arrays[@]}" >$formats || exit 1
  [ ${#clips[@]} -eq 0 ] || demo_clips "${clips[@]}"
  [ ! $verbose ] || "$quatsimd" measure "${files[@]}" >$formats || true # a file without rotations has clips all the same
  if [ -s $formats ]; then
    say "quatsimd measure: each packed format"
    cat $formats
    printf '\n'
  fi
  demo_next
}

# Says why a file or folder cannot be read.
demo_readable() { # file
  local why=''
  if [ ! -e "$1" ]; then
    why="there is no such file"
  elif [ ! -f "$1" ] && [ ! -d "$1" ]; then
    why="it is neither a file nor a folder"
  elif [ ! -r "$1" ]; then
    why="this user may not read it"
  elif [ ! -s "$1" ]; then
    why="the file is empty"
  fi
  [ -z "$why" ] || {
    bad "dev: demo: $1: $why" >&2
    return 1
  }
}

# Compresses them and tells of it in words.
demo_clips() { # file...
  local measured=build/demo/clips.json log=build/demo/compress.log
  say "compressing ${*##*/}"
  rm -rf build/demo/clips build/demo/clips.html
  if ! "$quatsimd" compress --rotation 0.05deg --json -o build/demo/clips --report build/demo/clips.html --time 0.1 "$@" >$measured 2>$log; then
    rm -rf build/demo/clips build/demo/clips.html
    cat $log >&2
    exit 1
  fi
  printf '\n'
  [ ! $ours ] || echo "These are motion captures of Carnegie Mellon University: 31 joints, 120 frames per second."
  echo "Bounds: 0.05 degrees for rotations, 0.1 mm for translations. If a file states no unit, its height at rest counts as 1 m."
  printf '\n'
  find -L "$@" -type f -printf '%s %p\n' | awk -f dev.d/demo.awk - $measured
  printf '\n%s\n%s\n%s\n' "Bundles of the clips, and a page for a browser with their sizes and errors by clip, joint and time:" "  $root/build/demo/clips/" \
    "  $root/build/demo/clips.html"
}

demo_next() {
  cat <<TEXT
Try next:
  ./dev demo -v                   also measure every packed format: size, error, speed
  ./dev demo FILE...              compress your own animations: glTF, BVH, FBX and others
  build/demo/tools/quatsimd help  list the commands: compress animations, verify clips, pack rotations
  README.md, docs/clip.md         read about the library
TEXT
}
