/* Products and sums of quaternions in float, one at a time: see simd/kernels/algebra.h. */
#ifndef QUATSIMD_SCALAR_PRODUCT_H
#define QUATSIMD_SCALAR_PRODUCT_H

#include "scalar/code.h"

/* These functions are inlined, because a call takes as long as their arithmetic. */

QUATSIMD_INLINE void float_multiply(float out[4], quat p, quat q) {
  const float *a = p.v, *b = q.v;
  out[0] = (a[3] * b[0] + a[0] * b[3]) + (a[1] * b[2] - a[2] * b[1]);
  out[1] = (a[3] * b[1] + a[1] * b[3]) + (a[2] * b[0] - a[0] * b[2]);
  out[2] = (a[3] * b[2] + a[2] * b[3]) + (a[0] * b[1] - a[1] * b[0]);
  out[3] = (a[3] * b[3] - a[0] * b[0]) - (a[1] * b[1] + a[2] * b[2]);
}

QUATSIMD_INLINE float dot_product(quat a, quat b) {
  return (a.v[0] * b.v[0] + a.v[1] * b.v[1]) + (a.v[2] * b.v[2] + a.v[3] * b.v[3]);
}

QUATSIMD_INLINE quat weighted_sum(quat a, quat b, float d, float of_a, float of_b) {
  for (int i = 0; i < 4; i++) a.v[i] = a.v[i] * of_a + b.v[i] * (d < 0 ? -of_b : of_b);
  return a;
}

#endif
