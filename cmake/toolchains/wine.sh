#!/bin/sh
# Runs a Windows program: wine.sh WINE PROGRAM [ARGUMENT...]. Debian 12's Wine sometimes exits with 1 before the program begins, without
# a word (one of 450 runs, three side by side): such a run is repeated.
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for _ in 1 2 3; do
  status=0
  "$@" >"$out" 2>&1 || status=$?
  if [ $status -ne 1 ] || [ -s "$out" ]; then break; fi
done
cat "$out"
exit $status
