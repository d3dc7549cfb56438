/* Which instruction sets there are kernels for on the machine that this is compiled for:
 * QUATSIMD_HAS_<ISA>, and QUATSIMD_KERNELS, a KERNEL(isa) for each, best first. The compiler's own macros
 * decide, so that no build system has to. QUATSIMD_NO_<ISA> leaves one out. */
#ifndef QUATSIMD_ISAS_H
#define QUATSIMD_ISAS_H

#if defined __x86_64__ || defined __i386__
#if defined __SSE2__ && !defined QUATSIMD_NO_SSE2
#define QUATSIMD_HAS_SSE2
#endif
/* gcc for Windows aligns stacks to 16 bytes and moves vectors as if to 32, unless its assembler is told
 * -muse-unaligned-vector-move. */
#if defined _WIN32 && !defined __clang__ && !defined QUATSIMD_UNALIGNED_VECTOR_MOVE
#elif !defined QUATSIMD_NO_AVX2
#define QUATSIMD_HAS_AVX2
#ifndef QUATSIMD_NO_AVX512 /* whose clips are those of AVX2 */
#define QUATSIMD_HAS_AVX512
#endif
#endif

#elif defined __aarch64__
#ifndef QUATSIMD_NO_NEON
#define QUATSIMD_HAS_NEON
#endif

/* Little-endian machines with vectors of 128 bits and no kernels of their own. 32-bit ARM is not among
 * them: its NEON flushes denormals. */
#elif (defined __riscv && __riscv_xlen == 64) || (defined __powerpc64__ && defined __LITTLE_ENDIAN__) ||     \
    defined __loongarch64 || defined __wasm_simd128__
#ifndef QUATSIMD_NO_SIMD128
#define QUATSIMD_HAS_SIMD128
#endif
#endif

#ifdef QUATSIMD_HAS_AVX512
#define QUATSIMD_KERNELS_AVX512 KERNEL(avx512)
#else
#define QUATSIMD_KERNELS_AVX512
#endif
#ifdef QUATSIMD_HAS_AVX2
#define QUATSIMD_KERNELS_AVX2 KERNEL(avx2)
#else
#define QUATSIMD_KERNELS_AVX2
#endif
#ifdef QUATSIMD_HAS_SSE2
#define QUATSIMD_KERNELS_SSE2 KERNEL(sse2)
#else
#define QUATSIMD_KERNELS_SSE2
#endif
#ifdef QUATSIMD_HAS_NEON
#define QUATSIMD_KERNELS_NEON KERNEL(neon)
#else
#define QUATSIMD_KERNELS_NEON
#endif
#ifdef QUATSIMD_HAS_SIMD128
#define QUATSIMD_KERNELS_SIMD128 KERNEL(simd128)
#else
#define QUATSIMD_KERNELS_SIMD128
#endif
/* The reference may be left out of a library that samples clips and does nothing else, where each CPU has
 * others. */
#if defined QUATSIMD_NO_SCALAR && defined QUATSIMD_ONLY_CLIPS && defined QUATSIMD_NO_POSES &&                \
    (defined QUATSIMD_HAS_SSE2 || defined QUATSIMD_HAS_NEON || defined QUATSIMD_HAS_SIMD128)
#define QUATSIMD_KERNELS_SCALAR
#elif defined QUATSIMD_NO_SCALAR
#error "QUATSIMD_NO_SCALAR needs QUATSIMD_ONLY_CLIPS, QUATSIMD_NO_POSES and vectors in each CPU"
#else
#define QUATSIMD_HAS_SCALAR
#define QUATSIMD_KERNELS_SCALAR KERNEL(scalar)
#endif
#define QUATSIMD_KERNELS                                                                                     \
  QUATSIMD_KERNELS_AVX512 QUATSIMD_KERNELS_AVX2 QUATSIMD_KERNELS_SSE2 QUATSIMD_KERNELS_NEON                  \
      QUATSIMD_KERNELS_SIMD128 QUATSIMD_KERNELS_SCALAR

#endif
