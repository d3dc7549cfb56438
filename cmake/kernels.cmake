# Which kernels there are, best first: QUATSIMD_ISAS. src/core/isas.h decides, with what the compiler says of its machine, so that
# no toolchain file has to name a processor.
include(CheckCSourceCompiles)
set(QUATSIMD_LEAVE_OUT "" CACHE STRING "Kernels to leave out: avx512vbmi, avx512, avx2, sse41, sse2, neon, simd128; with ; between them")
option(QUATSIMD_SCALAR_IS_MEANT "Say nothing if there are scalar kernels alone" OFF)

# Is it so for the compiler? No program has to be linked for it.
function(quatsimd_ask answer condition)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  set(CMAKE_REQUIRED_QUIET ON)
  set(CMAKE_C_STANDARD 11) # also where the parent's flags have an older one
  string(REPLACE ";" " " CMAKE_REQUIRED_FLAGS "${QUATSIMD_MACHINE_FLAGS}")
  set(CMAKE_REQUIRED_DEFINITIONS ${QUATSIMD_MACHINE_DEFINITIONS})
  set(CMAKE_REQUIRED_INCLUDES ${PROJECT_SOURCE_DIR}/src)
  check_c_source_compiles("#include \"core/isas.h\"\n#if !(${condition})\n#error no\n#endif\ntypedef int found;" ${answer})
endfunction()

# Options that a target needs so that float means float.
set(QUATSIMD_MACHINE_FLAGS)
set(QUATSIMD_MACHINE_DEFINITIONS)
quatsimd_ask(QUATSIMD_IS_I386 "defined __i386__")
quatsimd_ask(QUATSIMD_IS_S390 "defined __s390__")
if(QUATSIMD_IS_I386)
  set(QUATSIMD_MACHINE_FLAGS -msse2 -mfpmath=sse)
elseif(QUATSIMD_IS_S390 AND CMAKE_C_COMPILER_ID STREQUAL GNU) # elsewhere float is float
  set(QUATSIMD_MACHINE_FLAGS -fexcess-precision=fast)
endif()
if((WIN32 OR CYGWIN) AND CMAKE_C_COMPILER_ID STREQUAL GNU) # see src/core/compiler.h
  list(APPEND QUATSIMD_MACHINE_FLAGS -Wa,-muse-unaligned-vector-move)
  list(APPEND QUATSIMD_MACHINE_DEFINITIONS -DQUATSIMD_UNALIGNED_VECTOR_MOVE)
endif()

set(known avx512vbmi avx512 avx2 sse41 sse2 neon simd128)
foreach(isa IN LISTS QUATSIMD_LEAVE_OUT)
  if(NOT isa IN_LIST known)
    list(JOIN known ", " known)
    message(FATAL_ERROR "QUATSIMD_LEAVE_OUT: there are no kernels '${isa}'. There are: ${known}")
  endif()
endforeach()
set(QUATSIMD_ISAS)
foreach(isa IN LISTS known)
  string(TOUPPER ${isa} ISA)
  quatsimd_ask(QUATSIMD_CAN_${ISA} "defined QUATSIMD_HAS_${ISA}")
  if(QUATSIMD_CAN_${ISA} AND isa IN_LIST QUATSIMD_LEAVE_OUT)
    list(APPEND QUATSIMD_MACHINE_DEFINITIONS -DQUATSIMD_NO_${ISA})
  elseif(QUATSIMD_CAN_${ISA})
    list(APPEND QUATSIMD_ISAS ${isa})
  endif()
endforeach()
if(NOT avx2 IN_LIST QUATSIMD_ISAS) # clips of AVX-512 are those of AVX2
  list(REMOVE_ITEM QUATSIMD_ISAS avx512)
endif()
if(NOT avx512 IN_LIST QUATSIMD_ISAS) # AVX-512 VBMI has most kernels from AVX-512
  list(REMOVE_ITEM QUATSIMD_ISAS avx512vbmi)
endif()
if(NOT sse2 IN_LIST QUATSIMD_ISAS) # SSE4.1 has most kernels from SSE2
  list(REMOVE_ITEM QUATSIMD_ISAS sse41)
endif()
if(NOT QUATSIMD_ISAS AND NOT QUATSIMD_SCALAR_IS_MEANT)
  message(WARNING "quatsimd: no vector kernels for this compiler (${CMAKE_C_COMPILER}) and its machine, or all are left out: the "
                  "scalar ones are several times slower. They are there for x86-64, i386 with SSE2, AArch64, RISC-V (64 bits), "
                  "POWER (little-endian), LoongArch and WebAssembly with -msimd128. -DQUATSIMD_SCALAR_IS_MEANT=ON silences this.")
endif()

# Debian has cpu_features for amd64, arm64, armhf and i386. Where it is missing, src/core/cpu.c does without.
if(avx2 IN_LIST QUATSIMD_ISAS)
  find_package(CpuFeatures CONFIG QUIET)
  if(NOT CpuFeatures_FOUND)
    message(STATUS "no cpu_features (Debian: libcpu-features-dev): the library itself asks what the CPU has")
  endif()
endif()
