/* Every word that differs by compiler or that ISO C11 does not have. */
#ifndef QUATSIMD_COMPILER_H
#define QUATSIMD_COMPILER_H

#include <stdint.h>

#define QUATSIMD_PRAGMA(...) _Pragma(#__VA_ARGS__)

/* No a * b + c is fused in a source that includes this. gcc ignores the pragma of the C standard. */
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined __GNUC__
#pragma GCC optimize("fp-contract=off")
#else
#error "libquatsimd needs gcc or clang: how others are kept from fusing a * b + c is not known"
#endif

/* The loop that follows is unrolled. */
#define QUATSIMD_UNROLL(times) QUATSIMD_PRAGMA(GCC unroll times)

/* Functions between the two may use instructions of these names. */
#ifdef __clang__
#define QUATSIMD_TARGET(features)                                                                            \
  QUATSIMD_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define QUATSIMD_TARGET_END QUATSIMD_PRAGMA(clang attribute pop)
#else
#define QUATSIMD_TARGET(features) QUATSIMD_PRAGMA(GCC push_options) QUATSIMD_PRAGMA(GCC target(features))
#define QUATSIMD_TARGET_END QUATSIMD_PRAGMA(GCC pop_options)
#endif

/* gcc has macros in place of intrinsics at -O0. Those of AVX-512 convert signs. */
#define QUATSIMD_MACROS_CHANGE_SIGNS QUATSIMD_PRAGMA(GCC diagnostic ignored "-Wsign-conversion")

/* gcc for Windows aligns stacks to 16 bytes, but moves vectors as if they were aligned to 32. The assembler's
 * option -muse-unaligned-vector-move mends that; a build with it defines QUATSIMD_UNALIGNED_VECTOR_MOVE. */
#if (defined _WIN32 || defined __CYGWIN__) && !defined __clang__ && !defined QUATSIMD_UNALIGNED_VECTOR_MOVE
#define QUATSIMD_NO_WIDE_VECTORS
#endif

#define QUATSIMD_MAYBE_UNUSED __attribute__((unused))

/* The first is inlined wherever it is called, the second nowhere. gcc does not copy the second for a constant
 * argument either. */
#define QUATSIMD_INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define QUATSIMD_NOINLINE static __attribute__((noinline))
#else
#define QUATSIMD_NOINLINE static __attribute__((noinline, noclone))
#endif

/* Calls the function when the library is loaded, before the program's constructors. A caller that runs
 * earlier must work without. */
#define QUATSIMD_AT_LOAD(function)                                                                           \
  __attribute__((constructor(101))) static void function##_at_load(void) { (void)function(); }

/* gcc for x86 schedules instructions of this function before it allocates registers, as it does for other
 * CPUs. This helps functions with long chains of steps. The project's own flags are repeated in case a gcc
 * takes the attribute for all flags. */
#if !defined __clang__ && defined __x86_64__
#define QUATSIMD_SCHEDULED                                                                                   \
  __attribute__((optimize("schedule-insns", "sched-pressure", "fp-contract=off", "no-associative-math",      \
                          "no-reciprocal-math", "no-finite-math-only", "signed-zeros")))
#else
#define QUATSIMD_SCHEDULED
#endif

#define QUATSIMD_LIKELY(condition) __builtin_expect(condition, 1)
#define QUATSIMD_PREFETCH(address) __builtin_prefetch(address)
#define QUATSIMD_SQRTF __builtin_sqrtf /* without a call where errno is not set */
#define QUATSIMD_SQRT __builtin_sqrt

/* Returns the place of the highest or the lowest bit that is set, counted from 0. One must be set. */
static inline unsigned quatsimd_highest_bit(uint64_t bits) { return 63 - (unsigned)__builtin_clzll(bits); }
static inline unsigned quatsimd_lowest_bit(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }

/* The compiler's library asks the CPU. Not every compiler knows F16C by name; all CPUs that have AVX2
 * have it. */
#define QUATSIMD_CPU_HAS_AVX2 (__builtin_cpu_init(), __builtin_cpu_supports("avx2"))
#define QUATSIMD_CPU_HAS_AVX512                                                                              \
  (__builtin_cpu_init(), __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&          \
                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))

/* With AVX2, takes lanes of a where the top bit of the mask is set, else of b: floats (ps) or doubles (pd).
 * gcc 12 compares a mask with 0 before it blends by it twice, which would be a thousand comparisons in these
 * kernels. Each new gcc should be tried without this. The text is in both syntaxes of assemblers. */
#ifdef __clang__
#define QUATSIMD_BLEND(type, to, mask, a, b) (to = _mm256_blendv_##type(b, a, mask))
#else
#define QUATSIMD_BLEND(type, to, mask, a, b)                                                                 \
  __asm__("vblendv" #type " {%3, %2, %1, %0|%0, %1, %2, %3}" : "=x"(to) : "x"(b), "xm"(a), "x"(mask))
#endif

#endif
