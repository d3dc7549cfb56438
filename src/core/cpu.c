#include "core/cpu.h"

#include <string.h>

#include "core/cpuid.h"
#include "core/isas.h"

#if defined QUATSIMD_HAS_AVX2 && defined QUATSIMD_CPU_FEATURES
#include <cpuinfo_x86.h>
#endif

/* The sets from avx2 on also need an operating system that saves their registers. cpu_features checks this,
 * and so do the macros of compiler.h and cpuid.h, which replace cpu_features in the amalgamation. */
bool quatsimd_cpu_can_run(const char *isa) {
#ifdef QUATSIMD_HAS_SSE41
  /* cpu_features reads this from /proc/cpuinfo, which in an emulator has the features of another CPU */
  if (strcmp(isa, "sse41") == 0) return QUATSIMD_CPU_HAS_SSE41;
#endif
#ifdef QUATSIMD_HAS_AVX2
#ifdef QUATSIMD_CPU_FEATURES
  const X86Features f = GetX86Info().features;
  const bool avx2 = f.avx2 && f.f16c, avx512 = f.avx512f && f.avx512bw && f.avx512dq && f.avx512vl,
             vbmi = avx512 && f.avx512vbmi && f.avx512vnni;
#else
  const bool avx2 = QUATSIMD_CPU_HAS_AVX2, avx512 = QUATSIMD_CPU_HAS_AVX512,
             vbmi = QUATSIMD_CPU_HAS_AVX512VBMI;
#endif
  if (strcmp(isa, "avx2") == 0) return avx2;
  if (strcmp(isa, "avx512") == 0) return avx512;
  if (strcmp(isa, "avx512vbmi") == 0) return vbmi;
#endif
  /* The compiler uses these sets in all code, so the CPU has them. */
  return strcmp(isa, "sse2") == 0 || strcmp(isa, "neon") == 0 || strcmp(isa, "simd128") == 0 ||
         strcmp(isa, "scalar") == 0;
}
