#include "core/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "core/atomic.h"
#include "core/cpu.h"
#include "core/isas.h"

extern const quatsimd_kernels quatsimd_kernels_avx512vbmi, quatsimd_kernels_avx512, quatsimd_kernels_avx2,
    quatsimd_kernels_sse41, quatsimd_kernels_sse2, quatsimd_kernels_neon, quatsimd_kernels_simd128,
    quatsimd_kernels_scalar;

const quatsimd_kernels *const quatsimd_kernel_list[QUATSIMD_MOST_TABLES] = {
#ifdef QUATSIMD_HAS_AVX512VBMI
    &quatsimd_kernels_avx512vbmi,
#endif
#ifdef QUATSIMD_HAS_AVX512
    &quatsimd_kernels_avx512,
#endif
#ifdef QUATSIMD_HAS_AVX2
    &quatsimd_kernels_avx2,
#endif
#ifdef QUATSIMD_HAS_SSE41
    &quatsimd_kernels_sse41,
#endif
#ifdef QUATSIMD_HAS_SSE2
    &quatsimd_kernels_sse2,
#endif
#ifdef QUATSIMD_HAS_NEON
    &quatsimd_kernels_neon,
#endif
#ifdef QUATSIMD_HAS_SIMD128
    &quatsimd_kernels_simd128,
#endif
#ifdef QUATSIMD_HAS_SCALAR
    &quatsimd_kernels_scalar,
#endif
    NULL};

/* A build with one table always uses it, so linkers can leave out functions that nothing calls. */
#if (defined QUATSIMD_HAS_SIMD128 && !defined QUATSIMD_HAS_SCALAR) || !defined QUATSIMD_HAS_VECTORS
const quatsimd_kernels *quatsimd_active_kernels(void) { return quatsimd_kernel_list[0]; }
void quatsimd_use_kernels(const quatsimd_kernels *kernels) { (void)kernels; }
#else

static shared_pointer active; /* to quatsimd_kernels */

static const quatsimd_kernels *choose(void) {
  const char *wanted = getenv("QUATSIMD_ISA");
  const quatsimd_kernels *best = NULL;
  for (size_t i = 0; quatsimd_kernel_list[i]; i++) {
    const quatsimd_kernels *k = quatsimd_kernel_list[i];
    if (!quatsimd_cpu_can_run(k->name)) continue;
    if (wanted && strcmp(wanted, k->name) == 0) return k;
    if (!best) best = k;
  }
  return best; /* never NULL: isas.h ensures that the last table runs on all CPUs */
}

/* No order is needed: racing threads find the same table and store the same pointer to constant data. */
const quatsimd_kernels *quatsimd_active_kernels(void) {
  const quatsimd_kernels *k = shared_pointer_get(&active);
  if (!k) {
    k = choose();
    shared_pointer_set(&active, k);
  }
  return k;
}

void quatsimd_use_kernels(const quatsimd_kernels *kernels) { shared_pointer_set(&active, kernels); }

QUATSIMD_AT_LOAD(quatsimd_active_kernels)
#endif
