# Debian's packages: what each command needs, and how they are installed.

build_packages=(gcc libc6-dev cmake ninja-build pkg-config libcpu-features-dev)
tool_packages=(g++)
demo_packages=(assimp-testmodels)
test_packages=(g++ libassimp-dev libcmocka-dev libmeshoptimizer-dev libglm-dev libeigen3-dev libsimde-dev python3 python3-numpy python3-xxhash python3-pycparser
  assimp-testmodels)
clang_packages=(clang libclang-rt-dev)           # the second has the sanitizers
rust_packages=(bindgen rustc clang libclang-dev) # bindgen reads headers by the last two
docs_packages=(doxygen python3)

if command -v dpkg >/dev/null && [ "$(dpkg --print-architecture)" = amd64 ]; then
  test_packages+=(libc6-dev-i386) # headers for a test of -m32
fi

absent=() # packages that could not be had

# Some come from elsewhere as well, and Debian's would only be in the way.
installed() {
  case $1 in
  gcc | g++ | cmake | clang | python3 | pkg-config | bindgen | rustc) ! command -v "$1" >/dev/null || return 0 ;;
  ninja-build) ! command -v ninja >/dev/null || return 0 ;;
  nodejs | npm) ! command -v node >/dev/null || ! command -v npm >/dev/null || return 0 ;;
  esac
  dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# Can this user install? sudo may ask for a password only where somebody sits.
may_install() { [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@"; }

# Installs what is missing of the packages given.
need() {
  local package missing=() known=() log=build/packages.log
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is not Debian or Ubuntu. The packages that are needed have these names there: $*"
    return
  fi
  for package; do installed "$package" || [[ " ${missing[*]-} " == *" $package "* ]] || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! may_install; then
    absent+=("${missing[@]}")
    return
  fi
  say "installing ${missing[*]}"
  mkdir -p build
  : >"$log"
  # Simulated: does apt know them all?
  apt-get -s install "${missing[@]}" >>"$log" 2>&1 || apt update >>"$log" 2>&1 || true
  for package in "${missing[@]}"; do
    if apt-cache show "$package" >/dev/null 2>&1; then known+=("$package"); else absent+=("$package"); fi
  done
  [ ${#known[@]} -eq 0 ] || apt install --no-install-recommends "${known[@]}" >>"$log" 2>&1 ||
    { apt update && apt install --no-install-recommends "${known[@]}"; } >>"$log" 2>&1 || true
  for package in ${known[@]+"${known[@]}"}; do installed "$package" || absent+=("$package"); done
  [ ${#absent[@]} -eq 0 ] || warn "Could not install ${absent[*]} (the output is in $log):
$(grep -m 1 'Failed to fetch' "$log" || grep -m 1 '^E: ' "$log" || tail -n 1 "$log")"
}

# Ends with the line that helps if one of these packages could not be had.
stop_without() { # package...
  local package
  for package; do
    [[ " ${absent[*]-} " == *" $package "* ]] || continue
    bad "Packages are missing. Install them as root: apt-get install ${absent[*]}; then run ./dev $command again"
    exit 1
  done
}

# Packages that a command cannot do without.
must_have() { # package...
  need "$@"
  stop_without "$@"
}
