/* One element of the operations of pose.h: see simd/kernels/pose.h. */
#ifndef QUATSIMD_SCALAR_POSE_H
#define QUATSIMD_SCALAR_POSE_H

#include "scalar/algebra.h"

static quat pose_unit(quat q) {
  const float n2 = norm2(q);
  if (n2 == 0) q.v[3] = 1;
  return n2 == 0 ? q : scaled(q, 1 / quatsimd_sqrtf(n2));
}

static quat pose_mix(quat sum, quat q, float w) {
  if (!(w > 0)) q = (quat){{0}};
  if (dot_product(sum, q) < 0) w = -w;
  for (int c = 0; c < 4; c++) sum.v[c] += w * q.v[c];
  return sum;
}

static quat pose_add(quat base, quat q, float w) {
  q = pose_unit(q);
  const float by = q.v[3] < 0 ? -w : w;
  q = pose_unit((quat){{q.v[0] * by, q.v[1] * by, q.v[2] * by, (1 - w) + by * q.v[3]}});
  quat product = {{0}};
  float_multiply(product.v, base, q);
  return pose_unit(product);
}

/* Computes the matrix, m[row][column], of a rotation and of a scale for each axis. */
static void pose_matrix(float m[3][3], quat q, const float s[3]) {
  const float n2 = norm2(q), two = n2 == 0 ? 0 : 2 / n2;
  const float x = q.v[0] * two, y = q.v[1] * two, z = q.v[2] * two;
  const float xx = q.v[0] * x, yy = q.v[1] * y, zz = q.v[2] * z, xy = q.v[0] * y, xz = q.v[0] * z,
              yz = q.v[1] * z, wx = q.v[3] * x, wy = q.v[3] * y, wz = q.v[3] * z;
  const float rotation[3][3] = {{1 - (yy + zz), xy - wz, xz + wy},
                                {xy + wz, 1 - (xx + zz), yz - wx},
                                {xz - wy, yz + wx, 1 - (xx + yy)}};
  for (int i = 0; i < 9; i++) m[i / 3][i % 3] = rotation[i / 3][i % 3] * s[i % 3];
}

#endif
