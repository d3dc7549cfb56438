/* Vectors and affine matrices in double. A matrix has three rows of four, the translation last in each. */
#ifndef QUATSIMD_POSE_AFFINE_H
#define QUATSIMD_POSE_AFFINE_H

#include "clip/sample/time.h"
#include "pose/operands.h"

static inline void pose_cross(double to[3], const double a[3], const double b[3]) {
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  to[0] = x, to[1] = y, to[2] = z;
}

/* Transforms a direction by a matrix. `to` may equal v. */
static inline void pose_direct(double to[3], const double m[12], const double v[3]) {
  const double x = pose_dot3(m, v), y = pose_dot3(m + 4, v), z = pose_dot3(m + 8, v);
  to[0] = x, to[1] = y, to[2] = z;
}

/* Transforms a point by a matrix. `to` may equal v. */
static inline void pose_transform(double to[3], const double m[12], const double v[3]) {
  pose_direct(to, m, v);
  for (int r = 0; r < 3; r++) to[r] += m[4 * r + 3];
}

/* Returns false if the matrix has no inverse. */
static inline bool pose_invert(double to[12], const double m[12]) {
  double cofactor[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double *const a = m + 4 * ((j + 1) % 3), *const b = m + 4 * ((j + 2) % 3);
      cofactor[3 * i + j] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
  const double determinant = m[0] * cofactor[0] + m[1] * cofactor[3] + m[2] * cofactor[6],
               by = 1 / determinant;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) to[4 * i + j] = cofactor[3 * i + j] * by;
    to[4 * i + 3] = -(to[4 * i] * m[3] + to[4 * i + 1] * m[7] + to[4 * i + 2] * m[11]);
  }
  return clip_absolute(determinant) > 0 && clip_absolute(by) > 0;
}

#endif
