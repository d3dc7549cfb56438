# The instruction sets to build kernels for, best first, and their compile flags. A line for each.
set(QUATSIMD_ISAS)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i[3-6]86)$")
  set(QUATSIMD_ISAS avx512 avx2 sse2)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  set(QUATSIMD_ISAS neon)
elseif(EMSCRIPTEN OR CMAKE_SYSTEM_PROCESSOR MATCHES "^(riscv64|ppc64le|powerpc64le|loongarch64)$")
  # Little-endian machines without kernels of their own; 32-bit ARM is not among them (its NEON flushes denormals).
  find_path(SIMDE_INCLUDE_DIR simde/x86/sse2.h)
  if(SIMDE_INCLUDE_DIR)
    set(QUATSIMD_ISAS simd128)
  endif()
endif()

function(quatsimd_isa_flags isa out)
  set(flags_sse2 -msse2 -mno-sse3 -mno-avx)
  set(flags_avx2 -mavx2 -mf16c -mno-fma -mno-avx512f)
  set(flags_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mf16c)
  set(flags_neon)
  if(WIN32 AND CMAKE_C_COMPILER_ID STREQUAL GNU) # which aligns stacks to 16 bytes and moves vectors as if to 32
    list(APPEND flags_avx2 -Wa,-muse-unaligned-vector-move)
    list(APPEND flags_avx512 -Wa,-muse-unaligned-vector-move)
  endif()
  # After the target's own headers: SIMDe's are for all machines.
  set(flags_simd128 -idirafter ${SIMDE_INCLUDE_DIR} $<$<BOOL:${EMSCRIPTEN}>:-msimd128>)
  set(${out} ${flags_${isa}} PARENT_SCOPE)
endfunction()

# Debian has cpu_features for amd64, arm64, armhf and i386. Where it is missing, src/core/cpu.c does without.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i[3-6]86)$")
  find_package(CpuFeatures CONFIG QUIET)
  if(NOT CpuFeatures_FOUND)
    message(STATUS "no cpu_features (Debian: libcpu-features-dev): the compiler's library is asked what the CPU has")
  endif()
endif()
