/* Correctly rounded square roots without libm. Without -fno-math-errno, compilers call libm for the roots of
 * negative numbers, because libm sets errno. */
#ifndef QUATSIMD_ROOT_H
#define QUATSIMD_ROOT_H

#include <math.h> /* also for fabs, which compilers make an instruction, not a call of libm */

#include "core/compiler.h"

#if defined __NO_MATH_ERRNO__
static inline float quatsimd_sqrtf(float a) { return QUATSIMD_SQRTF(a); }
static inline double quatsimd_sqrt(double a) { return QUATSIMD_SQRT(a); }

#elif defined QUATSIMD_SSE2
#include <emmintrin.h>
static inline float quatsimd_sqrtf(float a) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a))); }
static inline double quatsimd_sqrt(double a) {
  const __m128d b = _mm_set_sd(a);
  return _mm_cvtsd_f64(_mm_sqrt_sd(b, b));
}

#elif defined QUATSIMD_AARCH64
#include <arm_neon.h>
static inline float quatsimd_sqrtf(float a) { return vget_lane_f32(vsqrt_f32(vdup_n_f32(a)), 0); }
static inline double quatsimd_sqrt(double a) { return vget_lane_f64(vsqrt_f64(vdup_n_f64(a)), 0); }

#else /* programs may have to link libm */
static inline float quatsimd_sqrtf(float a) { return QUATSIMD_SQRTF(a); }
static inline double quatsimd_sqrt(double a) { return QUATSIMD_SQRT(a); }
#endif

#endif
