/* Quaternions in double, as x, y, z, w. Bits of clips and of root motion depend on the order of operations,
 * so functions that differ only in this order have separate names. `to` may equal another argument. */
#ifndef QUATSIMD_QUAT64_H
#define QUATSIMD_QUAT64_H

#include "core/arithmetic.h"

static inline double quat64_dot(const double *a, const double *b) {
  return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

static inline void quat64_normalise(double *q) {
  const double length = quatsimd_sqrt(quat64_dot(q, q));
  for (int i = 0; i < 4; i++) q[i] /= length;
}

/* Multiplies q by the reciprocal of its length. Quaternions that are 0 or have a NaN become the identity. */
static inline void quat64_normalise_any(double *q) {
  const double n2 = quat64_dot(q, q), by = 1 / quatsimd_sqrt(n2);
  for (int i = 0; i < 4; i++) q[i] = n2 > 0 ? q[i] * by : i == 3;
}

static inline void quat64_negate(double *q) {
  for (int i = 0; i < 4; i++) q[i] = -q[i];
}

static inline void quat64_conjugate(double to[4], const double *q) {
  for (int i = 0; i < 4; i++) to[i] = i < 3 ? -q[i] : q[i];
}

/* Computes the product a * b. Each component is the sum of two pairs of products. */
static inline void quat64_multiply(double to[4], const double *a, const double *b) {
  const double x = (a[3] * b[0] + a[0] * b[3]) + (a[1] * b[2] - a[2] * b[1]),
               y = (a[3] * b[1] + a[1] * b[3]) + (a[2] * b[0] - a[0] * b[2]),
               z = (a[3] * b[2] + a[2] * b[3]) + (a[0] * b[1] - a[1] * b[0]),
               w = (a[3] * b[3] - a[0] * b[0]) - (a[1] * b[1] + a[2] * b[2]);
  to[0] = x, to[1] = y, to[2] = z, to[3] = w;
}

/* Computes the product of the conjugate of a and b. */
static inline void quat64_relative(double to[4], const double *a, const double *b) {
  const double x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1],
               y = a[3] * b[1] - a[1] * b[3] - a[2] * b[0] + a[0] * b[2],
               z = a[3] * b[2] - a[2] * b[3] - a[0] * b[1] + a[1] * b[0],
               w = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  to[0] = x, to[1] = y, to[2] = z, to[3] = w;
}

/* Rotates v by q, which has length 1. (x, y, z) is the cross product of q's vector and v. */
static inline void quat64_rotate(double to[3], const double *q, const double *v) {
  const double x = q[1] * v[2] - q[2] * v[1], y = q[2] * v[0] - q[0] * v[2], z = q[0] * v[1] - q[1] * v[0];
  to[0] = v[0] + 2 * (q[3] * x + (q[1] * z - q[2] * y));
  to[1] = v[1] + 2 * (q[3] * y + (q[2] * x - q[0] * z));
  to[2] = v[2] + 2 * (q[3] * z + (q[0] * y - q[1] * x));
}

/* Rotates in another order than quat64_rotate. (x, y, z) is twice the cross product of q's vector and v. */
static inline void quat64_rotate_in_line(double to[3], const double *q, const double *v) {
  const double x = 2 * (q[1] * v[2] - q[2] * v[1]), y = 2 * (q[2] * v[0] - q[0] * v[2]),
               z = 2 * (q[0] * v[1] - q[1] * v[0]);
  to[0] = v[0] + q[3] * x + (q[1] * z - q[2] * y);
  to[1] = v[1] + q[3] * y + (q[2] * x - q[0] * z);
  to[2] = v[2] + q[3] * z + (q[0] * y - q[1] * x);
}

/* Returns sin(t a) / sin(a) as a series in below_1 = 1 - cos(a), for a of at most an eighth of a turn. */
static inline double quat64_sines(double t, double below_1) {
  double sum = 1;
  for (int i = 24; i > 0; i--) sum = 1 + (i * (double)i - t * t) / (i * (2 * i + 1.0)) * below_1 * sum;
  return t * sum;
}
/* Computes the power t, from 0 to 1, of q, which has length 1 and q[3] >= 0: the share t of the rotation.
 * With the root h of q, at the angle a to the identity as a vector, the power is sin((1 - 2t) a) / sin(a)
 * plus sin(2t a) / sin(a) times h. */
static inline void quat64_power(double to[4], const double *q, double t) {
  double half[4] = {q[0], q[1], q[2], q[3] + 1};
  quat64_normalise(half);
  const double below_1 = (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]) / (1 + half[3]),
               by = quat64_sines(2 * t, below_1), rest = quat64_sines(1 - 2 * t, below_1);
  for (int i = 0; i < 4; i++) to[i] = half[i] * by + (i == 3 ? rest : 0);
  quat64_normalise(to);
}

#endif
