#!/bin/sh
# The compiled library: the symbols it shows, and instructions that must not be in it because their result
# is another one (fused multiply-add, estimates) or because the CPU may not have them.
#   check_objects.sh NM OBJDUMP INCLUDE_DIR LIBRARY_A LIBRARY_SO
#   check_objects.sh --self-test NM OBJDUMP INCLUDE_DIR LIBRARY_A LIBRARY_SO AR COMPILER...
#       plants what must not be there, a thing at a time, in copies of the library and sees the check fail
set -eu

self_test=
if [ "$1" = --self-test ]; then
  self_test=yes
  shift
fi
nm=$1 objdump=$2 include=$3 library_a=$4 library_so=$5
shift 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- the check: functions print what is wrong, a line each ----

check_shared_symbols() {
  sed -n 's/^QUATSIMD_API .*[ *]\(quatsimd_[a-z0-9_]*\)(.*/\1/p' "$include"/*.h | LC_ALL=C sort >"$work/public"
  "$nm" -D --defined-only "$library_so" | awk '{ sub(/@.*/, "", $NF); print $NF }' | LC_ALL=C sort >"$work/exported"
  [ -s "$work/public" ] || echo "no functions in the headers"
  LC_ALL=C comm -13 "$work/public" "$work/exported" | sed 's/.*/the shared library exports &, which is in no header/'
  LC_ALL=C comm -23 "$work/public" "$work/exported" | sed 's/.*/the shared library does not export &/'
}

# The files of a static library show each other more than the public functions, but nothing that could clash with names of
# the program. (On i386 compilers add __x86.get_pc_thunk, one for all files.)
check_static_symbols() {
  "$nm" -g --defined-only "$library_a" | awk 'NF == 3 { print $3 }' >"$work/global"
  [ -s "$work/global" ] || echo "no symbols in the static library"
  sed '/^quatsimd_/d; /^__x86\.get_pc_thunk\./d; s/^/the static library defines /' "$work/global"
}

# Functions that it calls, beside those that compilers call by themselves, are named here: sqrtf is an instruction, or it is not the same
# everywhere, and memory comes from the caller, but for clips, whose encoder takes it from one place.
check_calls() {
  "$nm" -A -u "$library_a" | awk '
    {
      symbol = $NF
      $NF = $(NF - 1) = ""
      sub(/[: ]+$/, ""); sub(/.*[: \/]/, "") # what is left is the name of the object
    }
    symbol ~ /^(quatsimd_.*|(__)?mem(cpy|move|set|cmp)(_chk)?|bcmp|_GLOBAL_OFFSET_TABLE_|__stack_chk_(fail|fail_local|guard))$/ { next }
    ($0 ".") ~ /^memory\./ && symbol ~ /^(malloc|free)$/ { next }
    ($0 ".") ~ /^(cpu|dispatch|format)\./ && symbol == "strcmp" { next }
    ($0 ".") ~ /^dispatch\./ && symbol == "getenv" { next }
    ($0 ".") ~ /^cpu\./ && symbol ~ /^(Get(X86|Aarch64)Info|__cpu_(model|indicator_init|features2?))$/ { next }
    { print $0 " calls " symbol }'
}

# A line for each instruction, "object, machine, mnemonic, operands" with tabs, from GNU's or LLVM's objdump.
instructions() {
  "$objdump" -d --no-show-raw-insn "$library_a" | awk '
    /file format/ {
      object = $1
      sub(/\)?:$/, "", object); sub(/^.*[(\/]/, "", object)
      machine = $NF
    }
    /^ *[0-9a-f]+:[ \t]/ {
      sub(/^ *[0-9a-f]+:[ \t]+/, "")
      gsub(/<[^>]*>/, "") # symbols may have any name
      while (/^(\{[a-z0-9]+\}|rep[a-z]*|lock|data16|notrack|bnd|[c-g]s)[ \t]+[a-z]/) sub(/^[^ \t]+[ \t]+/, "")
      mnemonic = $1
      sub(/^[^ \t]+[ \t]*/, "")
      print object "\t" machine "\t" mnemonic "\t" $0
    }'
}

check_instructions() {
  instructions >"$work/instructions"
  for object in codec dispatch format scalar; do # another library, or an objdump that does not know the machine, has none
    grep -q "^$object\.c" "$work/instructions" || echo "no instructions of $object.c"
  done
  awk -F '\t' '
    BEGIN {
      sse3 = "addsubp[sd]|h(add|sub)p[sd]|movs[hl]dup|movddup|lddqu|fisttp[a-z]*"
      ssse3 = "pabs[bwd]|palignr|ph(add|sub)(s?w|d)|pmaddubsw|pmulhrsw|pshufb|psign[bwd]"
      sse41 = "p?blend(v?p[sd]|v?[bw]+)|dpp[sd]|(extract|insert)ps|movntdqa|mpsadbw|packusdw|pcmpeqq|p(ext|ins)r[bdq]" \
        "|phminposuw|p(max|min)(s[bd]|u[wd])|pmov[sz]x[bwdq]+|pmul(dq|ld)|ptest|round[ps][sd]"
      sse42 = "crc32[bwlq]?|pcmpgtq|v?pcmp[ei]str[im]|popcnt[wlq]?"
      of_sse41 = "^(" sse3 "|" ssse3 "|" sse41 ")$"
      of_sse42 = "^(" sse42 ")$"
    }
    function wrong(what) {
      if (!(($1, what) in seen)) print $1 ": " what ": " $3 " " $4
      seen[$1, what] = 1
    }
    { fused = estimate = 0 }
    # x86 and RISC-V vectors; half-precision complex numbers on x86; scalars of RISC-V, POWER, AArch64; AArch64; its SVE;
    # POWER vectors
    $3 ~ /^v4?fn?m(add|sub|acc|sac)/ { fused = 1 }
    $3 ~ /^vfc?m(add|ul)c[ps]h$/ { fused = 1 }
    $3 ~ /^fn?m(add|sub)(s|\.[a-z]+)?$/ { fused = 1 }
    $3 ~ /^b?fn?ml[as]/ || $3 == "fcmla" { fused = 1 }
    $3 ~ /^fn?m(ad|sb)$/ { fused = 1 }
    $3 ~ /^(v|x[sv])n?m(add|sub)(fp|[am][sd]p)$/ { fused = 1 }
    # x86, AArch64, RISC-V
    $3 ~ /^v?(rsqrt|rcp)(14|28)?[ps][sdh]$/ { estimate = 1 }
    $3 ~ /^[fu]r(sqrt|ecp)[esx]$/ { estimate = 1 }
    $3 ~ /^vfr(sqrt|ec)7\./ { estimate = 1 }
    fused { wrong("fused multiply-add") }
    estimate { wrong("estimate") }
    $2 !~ /x86|i386/ { next }
    # All that has ymm or zmm begins with v; masks have k.
    $1 !~ /^isa_avx/ && $3 ~ /^(v|k[a-z]+[bwdq]$)/ { wrong("AVX instruction") }
    # The table of SSE4.1 is for CPUs without SSE4.2. SSE2 has pextrw, but not to memory.
    $1 !~ /^isa_(avx|sse41)/ && ($3 ~ of_sse41 || ($3 == "pextrw" && $4 !~ /,%[a-z0-9]+$/)) { wrong("SSE4.1 instruction") }
    $1 !~ /^isa_avx/ && $3 ~ of_sse42 { wrong("SSE4.2 instruction") }
    $1 ~ /^isa_avx2/ && $4 ~ /(zmm[0-9]|[xy]mm(1[6-9]|2[0-9]|3[01])|%k[0-7])/ { wrong("AVX-512 register") }
  ' "$work/instructions"
}

# Writes all that is wrong to $work/wrong; fails if there is anything.
check() {
  {
    check_shared_symbols
    check_static_symbols
    check_calls
    check_instructions
  } >"$work/wrong"
  [ ! -s "$work/wrong" ]
}

if [ -z "$self_test" ]; then
  if check; then
    echo "ok: $(wc -l <"$work/public") functions exported, $(wc -l <"$work/instructions") instructions looked at"
    exit 0
  fi
  sed 's/^/FAILED: /' "$work/wrong"
  exit 1
fi

# ---- the self-test ----

ar=$1
shift
compiler=$*
mkdir "$work/objects"

# The check as it stands must say $2, or with an empty $2 nothing, of $1.
expect() {
  if check; then
    found=
  else
    found=$(cat "$work/wrong")
  fi
  if [ -z "$2$found" ] || { [ -n "$2" ] && echo "$found" | grep -q -F -- "$2"; }; then
    echo "ok: $1: ${2:-passes}"
  else
    echo "FAILED: $1: expected: ${2:-nothing}; found: ${found:-nothing}"
    exit 1
  fi
  library_a=$work/base.a library_so=$original_so
}

# A copy of the static library with another object of the name $1, compiled from the file $2.
plant() { # object, source, flags...
  planted_object=$work/objects/$1.c.o planted_source=$2
  shift 2
  $compiler "$@" -c "$planted_source" -o "$planted_object"
  library_a=$work/planted.a
  cp "$work/base.a" "$library_a"
  "$ar" q "$library_a" "$planted_object" 2>/dev/null
}

instruction() { # object, instruction, reason
  printf '\t.text\nplanted:\n\t%s\n' "$2" >"$work/planted.s"
  plant "$1" "$work/planted.s"
  expect "'$2' in $1.c" "$3"
}

original_so=$library_so
cp "$library_a" "$work/base.a"
expect "the library itself" ""
# shellcheck disable=SC2046 # several members
"$ar" d "$work/base.a" $("$ar" t "$work/base.a" | grep '^isa_') # the largest: without them it is all much faster
expect "the library without vector kernels" ""

echo 'float quatsimd_planted(float a, float b, float c) { return a * b + c; }' >"$work/planted.c"
case $(LC_ALL=C $compiler -dumpmachine) in
x86_64* | i?86*)
  plant isa_avx2 "$work/planted.c" -O2 -mfma -mfpmath=sse -ffp-contract=fast
  expect "a contracted expression in isa_avx2.c" "isa_avx2.c.o: fused multiply-add"
  plant codec "$work/planted.c" -O2 -mavx -mfpmath=sse -ffp-contract=off
  expect "codec.c compiled with -mavx" "codec.c.o: AVX instruction"
  for fused in 'vfmadd231ps %xmm0,%xmm1,%xmm2' 'vfmadd132ss %xmm0,%xmm1,%xmm2' 'vfnmsub213pd %ymm0,%ymm1,%ymm2' \
    'vfmaddsub213ps %ymm0,%ymm1,%ymm2' 'vfmsubadd213ps %ymm0,%ymm1,%ymm2' 'vfmaddps %xmm0,%xmm1,%xmm2,%xmm3'; do
    instruction isa_avx2 "$fused" "isa_avx2.c.o: fused multiply-add"
    instruction scalar "$fused" "scalar.c.o: fused multiply-add"
  done
  instruction isa_avx512 'vfnmadd231ps %zmm0,%zmm1,%zmm2{%k1}' "isa_avx512.c.o: fused multiply-add"
  for estimate in 'rsqrtps %xmm0,%xmm1' 'rcpss %xmm0,%xmm1'; do
    instruction isa_sse2 "$estimate" "isa_sse2.c.o: estimate"
    instruction scalar "$estimate" "scalar.c.o: estimate"
  done
  instruction isa_avx2 'vrsqrtps %ymm0,%ymm1' "isa_avx2.c.o: estimate"
  instruction isa_avx512 'vrcp14ps %zmm0,%zmm1' "isa_avx512.c.o: estimate"
  for object in isa_sse2 scalar codec dispatch format bits cpu; do
    instruction $object 'vaddps %ymm0,%ymm1,%ymm2' "$object.c.o: AVX instruction"
  done
  for avx in 'vaddps %zmm0,%zmm1,%zmm2' 'vmulss %xmm0,%xmm1,%xmm2' 'kmovw %eax,%k1' 'vzeroupper'; do
    instruction isa_sse2 "$avx" "isa_sse2.c.o: AVX instruction"
  done
  instruction isa_avx2 'vaddps %zmm0,%zmm1,%zmm2' "isa_avx2.c.o: AVX-512 register"
  instruction isa_avx2 'vaddps %ymm0,%ymm1,%ymm2{%k1}' "isa_avx2.c.o: AVX-512 register"
  echo 'void quatsimd_planted(int *a) { for (int i = 0; i < 64; i++) a[i] *= a[i]; }' >"$work/planted.c"
  plant codec "$work/planted.c" -O3 -msse4.1
  expect "codec.c compiled with -msse4.1" "codec.c.o: SSE4.1 instruction"
  for object in scalar codec cpu; do
    instruction $object 'pshufb %xmm0,%xmm1' "$object.c.o: SSE4.1 instruction"
  done
  for sse in 'movshdup %xmm0,%xmm1' 'haddps %xmm0,%xmm1' 'pmulhrsw %xmm0,%xmm1' 'phaddd %xmm0,%xmm1' 'pmulld %xmm0,%xmm1' \
    'blendvps %xmm0,%xmm1,%xmm2' 'pblendw $1,%xmm0,%xmm1' 'pblendvb %xmm0,%xmm1,%xmm2' 'blendps $1,%xmm0,%xmm1' 'roundps $1,%xmm0,%xmm1' \
    'insertps $1,%xmm0,%xmm1' 'pextrd $1,%xmm0,%eax' 'pextrw $1,%xmm0,planted' 'pmovzxbd %xmm0,%xmm1' 'pmaxud %xmm0,%xmm1'; do
    instruction isa_sse2 "$sse" "isa_sse2.c.o: SSE4.1 instruction"
  done
  for sse in 'pcmpgtq %xmm0,%xmm1' 'popcnt %eax,%ecx' 'crc32l %eax,%ecx'; do
    instruction isa_sse2 "$sse" "isa_sse2.c.o: SSE4.2 instruction"
    instruction isa_sse41 "$sse" "isa_sse41.c.o: SSE4.2 instruction"
  done
  # and what may be there
  instruction isa_sse41 'pshufb %xmm0,%xmm1' ""
  instruction isa_sse2 'pextrw $1,%xmm0,%eax' ""
  instruction isa_sse2 'pmaxsw %xmm0,%xmm1' ""
  instruction isa_avx2 'vaddps %ymm0,%ymm1,%ymm2' ""
  instruction isa_avx512 'vaddps %zmm0,%zmm1,%zmm2{%k1}' ""
  instruction isa_avx512 'vfixupimmps $0,%zmm0,%zmm1,%zmm2' ""
  instruction isa_sse2 'sqrtps %xmm0,%xmm1' ""
  printf '\t.text\nvfmadd231ps:\n\tret\nrsqrtps:\n\tcall vfmadd231ps\n\tjmp rsqrtps\n' >"$work/planted.s"
  plant codec "$work/planted.s"
  expect "functions that have the names of instructions" ""
  call='call sqrtf'
  ;;
aarch64*)
  plant isa_neon "$work/planted.c" -O2 -ffp-contract=fast
  expect "a contracted expression in isa_neon.c" "isa_neon.c.o: fused multiply-add"
  for fused in 'fmla v0.4s, v1.4s, v2.4s' 'fmls v0.4s, v1.4s, v2.s[1]' 'fmadd s0, s1, s2, s3' 'fmsub s0, s1, s2, s3' \
    'fnmadd s0, s1, s2, s3' 'fnmsub d0, d1, d2, d3'; do
    instruction isa_neon "$fused" "isa_neon.c.o: fused multiply-add"
    instruction scalar "$fused" "scalar.c.o: fused multiply-add"
  done
  for estimate in 'frsqrte v0.4s, v1.4s' 'frecpe s0, s1' 'frsqrts v0.4s, v1.4s, v2.4s' 'frecps v0.4s, v1.4s, v2.4s'; do
    instruction isa_neon "$estimate" "isa_neon.c.o: estimate"
    instruction scalar "$estimate" "scalar.c.o: estimate"
  done
  instruction isa_neon 'fsqrt v0.4s, v1.4s' ""
  instruction isa_neon 'fmul v0.4s, v1.4s, v2.4s' ""
  instruction isa_neon 'mla v0.4s, v1.4s, v2.4s' "" # integers
  printf '\t.text\nfmla:\n\tret\nfrsqrte:\n\tbl fmla\n\tb frsqrte\n' >"$work/planted.s"
  plant codec "$work/planted.s"
  expect "functions that have the names of instructions" ""
  call='bl sqrtf'
  ;;
*)
  echo "SKIP: no instructions to plant for this machine"
  call=
  ;;
esac

if [ -n "$call" ]; then
  printf '\t.text\nplanted:\n\t%s\n' "$call" >"$work/planted.s"
  for object in scalar isa_sse2 isa_neon bits codec frame sample open; do
    plant $object "$work/planted.s"
    expect "a call of sqrtf in $object.c" "$object.c.o calls sqrtf"
  done
fi

echo 'int planted_function(void) { return 0; } int planted_data = 1;' >"$work/planted.c"
plant format "$work/planted.c"
expect "a function of another name" "the static library defines planted_function"
plant format "$work/planted.c"
expect "data of another name" "the static library defines planted_data"
echo 'int quatsimd_planted(void) { return 0; }' >"$work/planted.c"
library_so=$work/planted.so
$compiler -shared -fPIC "$work/planted.c" -o "$library_so"
expect "a function that is not public" "the shared library exports quatsimd_planted, which is in no header"
library_so=$work/planted.so
expect "a public function that is hidden" "the shared library does not export quatsimd_pack"
"$ar" qc "$work/empty.a" "$work/objects/format.c.o"
library_a=$work/empty.a
expect "another library" "no instructions of codec.c"
