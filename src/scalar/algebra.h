/* Rotation algebra in float, one element at a time: see simd/kernels/algebra.h. Products are Hamilton's. */
#ifndef QUATSIMD_SCALAR_ALGEBRA_H
#define QUATSIMD_SCALAR_ALGEBRA_H

#include "simd/vec/one.h"
#include "scalar/product.h"
#include "simd/kernels/rotation.h"

QUATSIMD_INLINE void float_rotate(float out[3], quat rotation, const float v[3]) {
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

static float fraction_of(float t) { return t <= 0 ? 0 : t > 1 ? 1 : t; }

QUATSIMD_INLINE void float_nlerp(float out[4], quat a, quat b, float t) {
  const float in = fraction_of(t);
  const quat q = weighted_sum(a, b, dot_product(a, b), 1 - in, in);
  memcpy(out, scaled(q, 1 / quatsimd_sqrtf(norm2(q))).v, sizeof q.v);
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

/* Returns the cosine of the square root of x. */
static float half_cosine(float x) {
  return (ROTATION_QUARTER2 - x) * polynomial5(ROTATION_HALF_COS, x) + ROTATION_COS_REST;
}

/* Computes the matrix [row][column] of a unit quaternion, times a scale. If a component is infinite, so is e.
 * e - e, else 0, then makes the matrix NaN. */
QUATSIMD_INLINE void float_matrix(float m[3][3], quat rotation, float scale) {
  const float *q = rotation.v;
  const float xx = q[0] * q[0], yy = q[1] * q[1], zz = q[2] * q[2], ww = q[3] * q[3];
  const float xy = q[0] * q[1], xz = q[0] * q[2], yz = q[1] * q[2], wx = q[3] * q[0], wy = q[3] * q[1],
              wz = q[3] * q[2];
  const float e = (0.5f - (xx + yy)) + (0.5f - (zz + ww)), f = scale + scale * (e + (e - e)), twice = f + f;
  const float of[3][3] = {{((ww - yy) + (xx - zz)) * f, (xy - wz) * twice, (xz + wy) * twice},
                          {(xy + wz) * twice, ((ww - xx) + (yy - zz)) * f, (yz - wx) * twice},
                          {(xz - wy) * twice, (yz + wx) * twice, ((ww - xx) + (zz - yy)) * f}};
  memcpy(m, of, sizeof of);
}

/* Each row of 4 q q^T is a multiple of q. Returns the row with the largest diagonal element, normalised. */
static quat float_from_rows(float m[3][3]) {
  const float tx = 1 + ((m[0][0] - m[1][1]) - m[2][2]), ty = 1 + ((m[1][1] - m[0][0]) - m[2][2]),
              tz = 1 + ((m[2][2] - m[0][0]) - m[1][1]), tw = 1 + ((m[0][0] + m[1][1]) + m[2][2]);
  const float xy = m[1][0] + m[0][1], xz = m[2][0] + m[0][2], yz = m[2][1] + m[1][2];
  const float wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
  const bool y_over_x = ty > tx, w_over_z = tw > tz, upper = (w_over_z ? tw : tz) > (y_over_x ? ty : tx);
  const quat rows[] = {{{tx, xy, xz, wx}}, {{xy, ty, yz, wy}}, {{xz, yz, tz, wz}}, {{wx, wy, wz, tw}}};
  const quat q = rows[upper ? 2 + w_over_z : y_over_x];
  return scaled(q, 1 / quatsimd_sqrtf(norm2(q)));
}

/* column: in a matrix, the number of floats from one column to the next */
static quat float_from_matrix(const float *const *in, size_t i, int column) {
  float m[3][3];
  for (int row = 0; row < 3; row++)
    for (int c = 0; c < 3; c++) m[row][c] = in[column * c + row][i];
  return float_from_rows(m);
}

/* sqt: the arrays of the eight components of joint transforms */
QUATSIMD_INLINE void float_sqt_vector(float out[3], const float *const *sqt, const float *const *vector,
                                      size_t i) {
  const float s = sqt[7][i], v[] = {vector[0][i] * s, vector[1][i] * s, vector[2][i] * s};
  float_rotate(out, (quat){{sqt[0][i], sqt[1][i], sqt[2][i], sqt[3][i]}}, v);
}
QUATSIMD_INLINE void float_sqt_point(float out[3], const float *const *sqt, const float *const *point,
                                     size_t i) {
  float_sqt_vector(out, sqt, point, i);
  for (int c = 0; c < 3; c++) out[c] += sqt[4 + c][i];
}

/* Returns false, and a wrong result in `out`, if v is longer than half a turn. */
QUATSIMD_INLINE bool float_exp(float out[4], const float v[3]) {
  const float x = ((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]) * 0.25f,
              factor = polynomial5(ROTATION_HALF_SIN, x) * 0.5f;
  for (int i = 0; i < 3; i++) out[i] = v[i] * factor;
  out[3] = half_cosine(x);
  return x <= ROTATION_QUARTER2;
}

#endif
