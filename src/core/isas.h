/* Defines QUATSIMD_HAS_<ISA> for each instruction set that has kernels on the target machine. The compiler's
 * own macros decide, so that no build system has to decide. QUATSIMD_NO_<ISA> leaves out a set. */
#ifndef QUATSIMD_ISAS_H
#define QUATSIMD_ISAS_H

#include "core/compiler.h"

#ifdef QUATSIMD_X86
#if defined QUATSIMD_SSE2 && !defined QUATSIMD_NO_SSE2
#define QUATSIMD_HAS_SSE2
#ifndef QUATSIMD_NO_SSE41 /* SSE4.1 uses all kernels of SSE2 but those that unpack clips */
#define QUATSIMD_HAS_SSE41
#endif
#endif
#if !defined QUATSIMD_NO_WIDE_VECTORS && !defined QUATSIMD_NO_AVX2
#define QUATSIMD_HAS_AVX2
#ifndef QUATSIMD_NO_AVX512 /* AVX-512 uses the clip kernels of AVX2 */
#define QUATSIMD_HAS_AVX512
/* AVX-512 VBMI uses all kernels of AVX-512 but those that unpack clips. The player leaves out their table. */
#if !defined QUATSIMD_NO_AVX512VBMI && !defined QUATSIMD_PLAYER
#define QUATSIMD_HAS_AVX512VBMI
#endif
#endif
#endif

#elif __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ /* vector kernels need little-endian memory */

#elif defined QUATSIMD_AARCH64
#ifndef QUATSIMD_NO_NEON
#define QUATSIMD_HAS_NEON
#endif

/* Other machines with 128-bit vectors. 32-bit ARM is left out, because its NEON flushes denormals. */
#elif (defined __riscv && __riscv_xlen == 64) || defined __powerpc64__ || defined __loongarch64 ||           \
    defined __wasm_simd128__
#ifndef QUATSIMD_NO_SIMD128
#define QUATSIMD_HAS_SIMD128
#endif
#endif

#if defined QUATSIMD_HAS_SSE2 || defined QUATSIMD_HAS_AVX2 || defined QUATSIMD_HAS_NEON ||                   \
    defined QUATSIMD_HAS_SIMD128
#define QUATSIMD_HAS_VECTORS
#endif

/* The player leaves out the reference if every CPU of the target can run other kernels. */
#if !defined QUATSIMD_PLAYER ||                                                                              \
    !(defined QUATSIMD_HAS_SSE2 || defined QUATSIMD_HAS_NEON || defined QUATSIMD_HAS_SIMD128)
#define QUATSIMD_HAS_SCALAR
#endif

#endif
