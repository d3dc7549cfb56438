/* Macros and functions for everything that differs by compiler or that ISO C11 lacks. */
#ifndef QUATSIMD_COMPILER_H
#define QUATSIMD_COMPILER_H

#include <stdint.h>

/* The machine, for its vectors, of which tcc has none. Visual C++ has other macros than gcc and clang. */
#ifdef __TINYC__
#elif defined __x86_64__ || defined __i386__ || defined _M_X64
#define QUATSIMD_X86
#if defined __SSE2__ || defined _M_X64
#define QUATSIMD_SSE2
#endif
#elif defined __aarch64__ || defined _M_ARM64
#define QUATSIMD_AARCH64
#endif

#define QUATSIMD_PRAGMA(...) _Pragma(#__VA_ARGS__)

#ifdef __TINYC__
#include "core/compiler_tcc.h"
#endif
#if defined _MSC_VER && !defined __clang__
#include "core/compiler_cl.h"
#endif

#if !defined QUATSIMD_COMPILER_TCC_H && !defined QUATSIMD_COMPILER_CL_H
#ifdef _MSC_VER
#define QUATSIMD_CLANG_CL /* clang with the ABI and the C library of Visual C++ */
#endif

/* Forbids fusing a * b + c in each source that includes this header. gcc ignores STDC FP_CONTRACT. */
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined __GNUC__
#pragma GCC optimize("fp-contract=off")
#else
#error "libquatsimd needs gcc, clang, Visual C++ or tcc: how others avoid fusing a * b + c is not known"
#endif

#define QUATSIMD_UNROLL(times) QUATSIMD_PRAGMA(GCC unroll times)

/* Functions between QUATSIMD_TARGET and QUATSIMD_TARGET_END may use the instructions of `features`. */
#ifdef __clang__
#define QUATSIMD_TARGET(features)                                                                            \
  QUATSIMD_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define QUATSIMD_TARGET_END QUATSIMD_PRAGMA(clang attribute pop)
#else
#define QUATSIMD_TARGET(features) QUATSIMD_PRAGMA(GCC push_options) QUATSIMD_PRAGMA(GCC target(features))
#define QUATSIMD_TARGET_END QUATSIMD_PRAGMA(GCC pop_options)
#endif

/* Silences warnings at -O0: gcc's intrinsics are macros there, and AVX-512's convert signed to unsigned. */
#define QUATSIMD_MACROS_CHANGE_SIGNS QUATSIMD_PRAGMA(GCC diagnostic ignored "-Wsign-conversion")

/* gcc for Windows aligns stacks to 16 bytes, but moves vectors as if they were aligned to 32. Builds with the
 * assembler's -muse-unaligned-vector-move avoid this, and define QUATSIMD_UNALIGNED_VECTOR_MOVE. */
#if (defined _WIN32 || defined __CYGWIN__) && !defined __clang__ && !defined QUATSIMD_UNALIGNED_VECTOR_MOVE
#define QUATSIMD_NO_WIDE_VECTORS
#endif

#define QUATSIMD_MAYBE_UNUSED __attribute__((unused))

/* noclone: gcc does not clone the function for a constant argument */
#define QUATSIMD_INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define QUATSIMD_NOINLINE static __attribute__((noinline))
#else
#define QUATSIMD_NOINLINE static __attribute__((noinline, noclone))
#endif

/* Calls the function when the library is loaded, before the program's constructors. Code that may run earlier
 * must not rely on this call. */
#define QUATSIMD_AT_LOAD(function)                                                                           \
  __attribute__((constructor(101))) static void function##_at_load(void) { (void)function(); }

/* Makes gcc for x86 schedule instructions before it allocates registers, as it does for other CPUs. This
 * speeds up long chains of steps. In some versions of gcc the attribute may replace all flags of the command
 * line, so it repeats those that the arithmetic needs. */
#if !defined __clang__ && defined __x86_64__
#define QUATSIMD_SCHEDULED                                                                                   \
  __attribute__((optimize("schedule-insns", "sched-pressure", "fp-contract=off", "no-associative-math",      \
                          "no-reciprocal-math", "no-finite-math-only", "signed-zeros")))
#else
#define QUATSIMD_SCHEDULED
#endif

#define QUATSIMD_LIKELY(condition) __builtin_expect(condition, 1)
#define QUATSIMD_PREFETCH(address) __builtin_prefetch(address)
#define QUATSIMD_SQRTF __builtin_sqrtf /* with -fno-math-errno it becomes an instruction */
#define QUATSIMD_SQRT __builtin_sqrt

/* Return the index of the highest or lowest set bit, counted from 0. `bits` must not be 0. */
static inline unsigned quatsimd_highest_bit(uint64_t bits) { return 63 - (unsigned)__builtin_clzll(bits); }
static inline unsigned quatsimd_lowest_bit(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }

#ifndef _MSC_VER /* see cpuid.h */
/* The compiler's run-time library asks the CPU. F16C is not tested, because not every compiler knows its
 * name. All CPUs with AVX2 have F16C. */
#define QUATSIMD_CPU_HAS_SSE41                                                                               \
  (__builtin_cpu_init(), __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3"))
#define QUATSIMD_CPU_HAS_AVX2 (__builtin_cpu_init(), __builtin_cpu_supports("avx2"))
#define QUATSIMD_CPU_HAS_AVX512                                                                              \
  (__builtin_cpu_init(), __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&          \
                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
#define QUATSIMD_CPU_HAS_AVX512VBMI                                                                          \
  (QUATSIMD_CPU_HAS_AVX512 && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vnni"))
#endif

/* Selects lanes of a where the mask's top bit is set, else of b. type is ps (floats) or pd (doubles). For gcc
 * it is assembly, in AT&T's and in Intel's syntax. Where two blends by intrinsics use one mask, gcc 12
 * compares the mask with 0, a thousand times in all kernels. Try each new gcc with intrinsics. */
#ifdef __clang__
#define QUATSIMD_BLEND(type, to, mask, a, b) (to = _mm256_blendv_##type(b, a, mask))
#else
#define QUATSIMD_BLEND(type, to, mask, a, b)                                                                 \
  __asm__("vblendv" #type " {%3, %2, %1, %0|%0, %1, %2, %3}" : "=x"(to) : "x"(b), "xm"(a), "x"(mask))
#endif

#endif /* gcc and clang */

/* Prefetches 4 KiB ahead, which may be behind an array. */
#define QUATSIMD_PREFETCH_AHEAD(address) QUATSIMD_PREFETCH((const void *)((uintptr_t)(address) + 4096))

#endif
