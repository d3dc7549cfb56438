#!/bin/sh
# Rust calls the library through bindings that plain bindgen makes of its headers: nothing is written by hand for it. Warnings are errors,
# but for the names of C.
#   test_rust.sh INCLUDE_DIR BINDGEN RUSTC LIBRARY_A...
# The first library is ours, others are those that it needs.
set -eu
include=$1 bindgen=$2 rustc=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$bindgen" "$include/quatsimd/quatsimd.h" --allowlist-function 'quatsimd_.*' --allowlist-type 'quatsimd_.*' --allowlist-var 'QUATSIMD_.*' \
  --output "$work/bindings.rs" -- -I"$include"
# bindgen makes names for what has none, and changes those that are keywords.
if grep -nE '_bindgen_ty_|__bindgen_anon|^    pub [a-z0-9_]+_:' "$work/bindings.rs"; then
  echo "FAILED: these names are bindgen's, not the headers'"
  exit 1
fi
[ "$(grep -c 'size_of::<quatsimd_' "$work/bindings.rs")" -ge 20 ] || {
  echo "FAILED: bindgen wrote no tests of layouts"
  exit 1
}
BINDINGS=$work/bindings.rs "$rustc" --edition 2021 --test -D warnings -C opt-level=1 -C link-args="$*" "$(dirname "$0")/rust_app.rs" \
  -o "$work/rust_app"
"$work/rust_app"
