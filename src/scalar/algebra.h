/* One element at a time, in float: see simd/kernels/algebra.h. The quaternion product is Hamilton's. */
#ifndef QUATSIMD_SCALAR_ALGEBRA_H
#define QUATSIMD_SCALAR_ALGEBRA_H

#include "scalar/code.h"

static void float_multiply(float out[4], quat p, quat q) {
  const float *a = p.v, *b = q.v;
  out[0] = (a[3] * b[0] + a[0] * b[3]) + (a[1] * b[2] - a[2] * b[1]);
  out[1] = (a[3] * b[1] + a[1] * b[3]) + (a[2] * b[0] - a[0] * b[2]);
  out[2] = (a[3] * b[2] + a[2] * b[3]) + (a[0] * b[1] - a[1] * b[0]);
  out[3] = (a[3] * b[3] - a[0] * b[0]) - (a[1] * b[1] + a[2] * b[2]);
}

static void float_rotate(float out[3], quat rotation, const float v[3]) {
  const float *q = rotation.v;
  const float xx = q[0] * q[0], yy = q[1] * q[1], zz = q[2] * q[2], ww = q[3] * q[3];
  const float xy = q[0] * q[1], xz = q[0] * q[2], yz = q[1] * q[2], wx = q[3] * q[0], wy = q[3] * q[1],
              wz = q[3] * q[2];
  const float e = (0.5f - (xx + yy)) + (0.5f - (zz + ww)); /* 1 - |q|^2, nearly 1 / |q|^2 - 1 */
  const float r[3] = {((ww - yy) + (xx - zz)) * v[0] + 2 * ((xy - wz) * v[1] + (xz + wy) * v[2]),
                      ((ww - xx) + (yy - zz)) * v[1] + 2 * ((xy + wz) * v[0] + (yz - wx) * v[2]),
                      ((ww - xx) + (zz - yy)) * v[2] + 2 * ((xz - wy) * v[0] + (yz + wx) * v[1])};
  for (int i = 0; i < 3; i++) out[i] = r[i] + r[i] * e;
}

static float dot_product(quat a, quat b) {
  return (a.v[0] * b.v[0] + a.v[1] * b.v[1]) + (a.v[2] * b.v[2] + a.v[3] * b.v[3]);
}
static float fraction_of(float t) { return t <= 0 ? 0 : t > 1 ? 1 : t; }

static quat weighted_sum(quat a, quat b, float d, float of_a, float of_b) {
  for (int i = 0; i < 4; i++) a.v[i] = a.v[i] * of_a + b.v[i] * (d < 0 ? -of_b : of_b);
  return a;
}

static void float_nlerp(float out[4], quat a, quat b, float t) {
  const float in = fraction_of(t);
  const quat q = weighted_sum(a, b, dot_product(a, b), 1 - in, in);
  memcpy(out, scaled(q, 1 / square_root(norm2(q))).v, sizeof q.v);
}

static void float_slerp(float out[4], quat a, quat b, float t) {
  const float d = dot_product(a, b), u = (1 - magnitude_of(d)) * 0.5f, in = fraction_of(t);
  float of_a, of_b;
  const weights w = slerp_weights(d_load(&u), d_load(&in));
  d_store(&of_a, w.a), d_store(&of_b, w.b);
  memcpy(out, weighted_sum(a, b, d, of_a, of_b).v, sizeof a.v);
}

static float polynomial5(const float c[5], float x) {
  return ((c[4] * x + c[3]) * (x * x) + (c[2] * x + c[1])) * x + c[0];
}

/* Of the square root of x. */
static float half_cosine(float x) {
  return (ROTATION_QUARTER2 - x) * polynomial5(ROTATION_HALF_COS, x) + ROTATION_COS_REST;
}

/* False beyond half a turn. */
static bool float_exp(float out[4], const float v[3]) {
  const float x = ((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]) * 0.25f,
              factor = polynomial5(ROTATION_HALF_SIN, x) * 0.5f;
  for (int i = 0; i < 3; i++) out[i] = v[i] * factor;
  out[3] = half_cosine(x);
  return x <= ROTATION_QUARTER2;
}

#endif
