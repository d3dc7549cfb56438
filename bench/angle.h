/* The angle between two rotations, for programs that measure errors of streams. */
#ifndef QUATSIMD_BENCH_ANGLE_H
#define QUATSIMD_BENCH_ANGLE_H

#include <math.h>

#define DEGREES 57.29577951308232 /* in a radian */

/* Returns the angle in degrees between quaternions x, y, z, w of any length. */
static inline double angle(const float *p, const float *q) {
  double pp = 0, qq = 0, pq = 0, chord = 0;
  for (int i = 0; i < 4; i++) pp += (double)p[i] * p[i], qq += (double)q[i] * q[i], pq += (double)p[i] * q[i];
  for (int i = 0; i < 4; i++) {
    const double d = p[i] / sqrt(pp) - q[i] * copysign(1, pq) / sqrt(qq);
    chord += d * d;
  }
  return 4 * asin(sqrt(chord) / 2) * DEGREES;
}

#endif
