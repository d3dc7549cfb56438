# Stage qemu: the gcc build on emulated older x86 CPUs.

packages_qemu=()
[ "$(uname -m)" != x86_64 ] || packages_qemu=(qemu-user)

# One program of the gcc build on an emulated CPU.
on_cpu() { # cpu, program, argument...
  local cpu=$1 program=$2
  shift 2
  timeout 900 qemu-x86_64 -cpu "$cpu" "build/gcc/$program" "$@" </dev/null
}

# qemu 7.2 flushes the half floats of vcvtps2ph with denormals flushed, which no CPU does. True if a log of test_goldens
# has that failure, once for each case that failed, and no other.
only_the_half_floats_of_qemu() { # log
  local half4='kernels, half4, denormals flushed: packed bytes differ' cases
  cases=$(sed -n 's/^\[  FAILED  \] \([a-z].*\): goldens$/\1/p' "$1" | sort -u)
  [ -n "$cases" ] && ! grep -qE 'with exception|uncaught target signal' "$1" &&
    ! grep 'differ from goldens' "$1" | grep -qv "$half4" &&
    [ "$cases" = "$(sed -n "s/ $half4.*//p" "$1" | sort -u)" ]
}

# Runs side by side, as many as there are cores; then they are looked at in order.
on_cpu_run() { # cpu, program
  local log=build/gcc/qemu-$1-${2##*/}.log start=$SECONDS status=0
  on_cpu "$1" "$2" >"$log" 2>&1 || status=$?
  echo "$status $((SECONDS - start))" >"$log.status"
}

on_cpu_result() { # cpu, program
  local cpu=$1 program=$2 log=build/gcc/qemu-$1-${2##*/}.log status took
  read -r status took <"$log.status"
  if [ "$status" = 0 ]; then
    pass
    printf '%-34s passed %6d s\n' "$cpu: ${program##*/}" "$took"
  elif [ "${program##*/}" = test_goldens ] && only_the_half_floats_of_qemu "$log"; then
    pass
    printf '%-34s passed %6d s, but:\n' "$cpu: ${program##*/}" "$took"
    skip "half4 with denormals flushed: $(qemu-x86_64 -version | grep -o 'version [0-9.]*') flushes half floats to zero, and CPUs do not"
  else
    fail
    grep -v '^qemu-x86_64: warning' "$log" | tail -n 60
    bad "$cpu: ${program##*/} failed (the whole output is in $log)"
  fi
  print_skips "$log"
}

# CPU, its kernels, tests. sse41 has only kernels for clips of its own.
older_cpus='Opteron_G3 sse2 test_goldens test_api test_relative test_stream test_clip_kernels
Nehalem sse41 test_clip_kernels
Haswell avx2 test_goldens test_api test_relative test_stream'

stage_qemu() {
  if [ "$(uname -m)" != x86_64 ]; then
    skip "older x86 CPUs: this needs an x86-64 machine, and this one is $(uname -m)"
    return
  fi
  build_gcc || return 1
  local cpu kernels used program programs
  while read -r cpu kernels programs; do
    for program in $programs; do
      while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
      on_cpu_run "$cpu" "tests/$program" &
    done
  done <<<"$older_cpus"
  wait
  while read -r cpu kernels programs; do
    say "the gcc build on an emulated $cpu, which must use the $kernels kernels"
    used=$(env -u QUATSIMD_ISA timeout 60 qemu-x86_64 -cpu "$cpu" build/gcc/tests/print_isa 2>build/gcc/qemu-isa.log) ||
      used="nothing: $(tail -n 1 build/gcc/qemu-isa.log)"
    if [ "$used" = "$kernels" ]; then
      echo "$cpu: $used kernels in use"
      pass
    elif [ "$kernels:$used" = avx2:sse41 ]; then # the emulator has no AVX2
      skip "$cpu: $(qemu-x86_64 -version | grep -o 'version [0-9.]*') does not emulate $kernels, so the $used kernels are in use"
    else
      bad "$cpu: expected the $kernels kernels, but these are in use: $used"
      fail
    fi
    for program in $programs; do on_cpu_result "$cpu" "tests/$program"; done
  done <<<"$older_cpus"
}
