# For tests that source it: a new root of Debian, made by mmdebstrap.
command -v mmdebstrap >/dev/null || {
  echo "SKIP: there is no mmdebstrap"
  exit 77
}
[ "$(id -u)" = 0 ] || {
  echo "SKIP: only root makes a root"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root

# Makes $root with these packages, and in its /work the files that git has of the tree.
new_root() { # tree, packages
  # shellcheck source=/dev/null
  . /etc/os-release
  mmdebstrap --quiet --mode=root --variant=essential --include="$2" "$VERSION_CODENAME" "$root" 2>"$work/log" || {
    cat "$work/log"
    exit 1
  }
  mkdir "$root/work"
  git -C "$1" ls-files -z | (cd "$1" && xargs -0 cp --parents -t "$root/work")
}

inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" /bin/sh -euc "$1"; } # not with the environment of this run
