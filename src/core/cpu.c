#include "core/cpu.h"

#include <string.h>

#if defined(QUATSIMD_CPU_FEATURES) && (defined(__x86_64__) || defined(__i386__))

#include <cpuinfo_x86.h>

bool quatsimd_cpu_can_run(const char *isa) {
  /* AVX flags are clear if the system does not save the registers */
  const X86Features f = GetX86Info().features;
  if (strcmp(isa, "sse2") == 0) return f.sse2;
  if (strcmp(isa, "avx2") == 0) return f.avx2 && f.f16c;
  if (strcmp(isa, "avx512") == 0) return f.avx512f && f.avx512bw && f.avx512dq && f.avx512vl;
  return strcmp(isa, "scalar") == 0;
}

#elif defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))

/* Without cpu_features, as in the amalgamation, the compiler's own library asks the CPU, and the system
 * if it saves the registers. Not every compiler knows f16c by name; all CPUs that have AVX2 have it. */
bool quatsimd_cpu_can_run(const char *isa) {
  __builtin_cpu_init();
  if (strcmp(isa, "sse2") == 0) return __builtin_cpu_supports("sse2");
  if (strcmp(isa, "avx2") == 0) return __builtin_cpu_supports("avx2");
  if (strcmp(isa, "avx512") == 0)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return strcmp(isa, "scalar") == 0;
}

#else

/* Without detection: the CPU has the instructions that the compiler may use, and AArch64 has NEON. */
bool quatsimd_cpu_can_run(const char *isa) {
#ifdef __SSE2__
  if (strcmp(isa, "sse2") == 0) return true;
#endif
#if defined(__AVX2__) && defined(__F16C__)
  if (strcmp(isa, "avx2") == 0) return true;
#endif
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
  if (strcmp(isa, "avx512") == 0) return true;
#endif
#if defined(__aarch64__)
  if (strcmp(isa, "neon") == 0) return true;
#endif
  return strcmp(isa, "simd128") == 0 || strcmp(isa, "scalar") == 0;
}

#endif
