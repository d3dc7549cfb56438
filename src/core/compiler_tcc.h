/* The macros and functions of compiler.h for tcc, the Tiny C Compiler. It has no vectors, which
 * leaves the scalar reference. It fuses nothing: each operation of an expression is an instruction of its
 * own, on x86-64 one of SSE2. */
#ifndef QUATSIMD_COMPILER_TCC_H
#define QUATSIMD_COMPILER_TCC_H

#ifndef __x86_64__
#error "libquatsimd supports tcc for x86-64 alone: how it computes floats on other machines is not known"
#endif

#define QUATSIMD_UNROLL(times)
#define QUATSIMD_MAYBE_UNUSED
#define QUATSIMD_INLINE static inline
#define QUATSIMD_NOINLINE static
#define QUATSIMD_SCHEDULED

/* tcc has no constructors before 0.9.28. The functions are called again when they are needed. */
#define QUATSIMD_AT_LOAD(function)

#define QUATSIMD_LIKELY(condition) (condition)
#define QUATSIMD_PREFETCH(address) (void)(address)
#define QUATSIMD_SQRTF sqrtf
#define QUATSIMD_SQRT sqrt

static inline unsigned quatsimd_highest_bit(uint64_t bits) {
  unsigned n = 0;
  while (bits >>= 1) n++;
  return n;
}
static inline unsigned quatsimd_lowest_bit(uint64_t bits) { return quatsimd_highest_bit(bits & (0 - bits)); }

#endif
