/* Asks an x86 CPU and its operating system, for Visual C++ and clang with its library. Elsewhere the
 * compiler's library does (compiler.h). */
#ifndef QUATSIMD_CPUID_H
#define QUATSIMD_CPUID_H

#include "core/compiler.h"

#if defined _MSC_VER && defined QUATSIMD_X86
#include <intrin.h>
#include <stdbool.h>

enum { CPUID_EBX = 1, CPUID_ECX };

static inline bool cpuid_has(int leaf, int answer, unsigned bits) {
  int answers[4];
  __cpuid(answers, 0);
  if (answers[0] < leaf) return false;
  __cpuidex(answers, leaf, 0);
  return ((unsigned)answers[answer] & bits) == bits;
}

/* Returns true if the system saves these parts of registers. Bit 27 says that it can be asked. */
QUATSIMD_TARGET("xsave")
static inline bool cpuid_saves(unsigned parts) {
  return cpuid_has(1, CPUID_ECX, 1u << 27) && (_xgetbv(0) & parts) == parts;
}
QUATSIMD_TARGET_END

/* SSSE3, SSE4.1 */
#define QUATSIMD_CPU_HAS_SSE41 cpuid_has(1, CPUID_ECX, 1u << 9 | 1u << 19)
/* XMM and YMM; F16C, AVX2 */
#define QUATSIMD_CPU_HAS_AVX2                                                                                \
  (cpuid_saves(0x06) && cpuid_has(1, CPUID_ECX, 1u << 29) && cpuid_has(7, CPUID_EBX, 1u << 5))
/* also masks and ZMM; AVX-512 F, DQ, BW, VL */
#define QUATSIMD_CPU_HAS_AVX512                                                                              \
  (cpuid_saves(0xe6) && cpuid_has(7, CPUID_EBX, 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31))
/* AVX-512 VBMI, VNNI */
#define QUATSIMD_CPU_HAS_AVX512VBMI (QUATSIMD_CPU_HAS_AVX512 && cpuid_has(7, CPUID_ECX, 1u << 1 | 1u << 11))
#endif

#endif
