#!/bin/sh
# The environment variable QUATSIMD_ISA. Arguments: the program print_isa, after its emulator if it needs one.
set -eu
failed=0

# The kernels that are used if QUATSIMD_ISA is $1.
used() { # value, print_isa...
  value=$1
  shift
  QUATSIMD_ISA=$value "$@"
}

expect() { # what, used, expected
  if [ "$2" = "$3" ]; then
    echo "ok: $1: $2"
  else
    echo "FAILED: $1: $2 is used, not $3"
    failed=1
  fi
}

unset QUATSIMD_ISA
runnable=$("$@" list)
echo "this CPU can run:" $runnable
best=$(echo "$runnable" | head -n 1)
last=$(echo "$runnable" | tail -n 1)
expect "the list ends with the reference" "$last" scalar
expect "unset" "$("$@")" "$best"
for isa in $runnable; do
  expect "QUATSIMD_ISA=$isa" "$(used "$isa" "$@")" "$isa"
done

# Names of other machines and of kernels this CPU lacks.
for isa in avx512vbmi avx512 avx2 sse41 sse2 neon simd128; do
  case " $(echo $runnable) " in
  *" $isa "*) ;;
  *) expect "QUATSIMD_ISA=$isa, which is not to be had" "$(used "$isa" "$@")" "$best" ;;
  esac
done
for isa in "" " " SCALAR scala scalarx "scalar " " scalar" auto 0 avx; do
  expect "QUATSIMD_ISA='$isa', which is no name" "$(used "$isa" "$@")" "$best"
done
exit $failed
