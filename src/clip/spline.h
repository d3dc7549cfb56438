/* Cubic Hermite splines as glTF defines them, in double, for the encoder and for sampling. */
#ifndef QUATSIMD_CLIP_SPLINE_H
#define QUATSIMD_CLIP_SPLINE_H

#include "core/quat64.h"

/* From one key to the next, the numbers of each component: the first key's value, its out-tangent, the next
 * key's in-tangent and value. Tangents are multiplied by the time from key to key. */
enum { SPLINE_VALUE, SPLINE_OUT, SPLINE_IN, SPLINE_NEXT, SPLINE_NUMBERS };

/* Numbers of splines of a smaller magnitude count as 0, since some CPUs flush denormals. */
#define SPLINE_LEAST 0x1p-90
static inline double spline_kept(double x) { return x < SPLINE_LEAST && x > -SPLINE_LEAST ? 0 : x; }

/* Rounds a number that is sampled. */
static inline float spline_rounded(double x) {
  const double most = 0x1p+100;
  return (float)(x > most ? most : x < -most ? -most : spline_kept(x)) + 0.0f;
}

/* Evaluates all components t of the way from key to key. */
static inline void spline_between(double to[4], double number[SPLINE_NUMBERS][4], size_t components,
                                  double t) {
  const double t2 = t * t, t3 = t2 * t;
  for (size_t c = 0; c < components; c++)
    to[c] = ((2 * t3 - 3 * t2 + 1) * number[SPLINE_VALUE][c] + (3 * t2 - 2 * t3) * number[SPLINE_NEXT][c]) +
            ((t3 - 2 * t2 + t) * number[SPLINE_OUT][c] + (t3 - t2) * number[SPLINE_IN][c]);
}

/* Computes the derivative of spline_between with respect to t. */
static inline void spline_slope(double to[4], double number[SPLINE_NUMBERS][4], size_t components, double t) {
  const double t2 = t * t;
  for (size_t c = 0; c < components; c++)
    to[c] = 6 * (t - t2) * (number[SPLINE_NEXT][c] - number[SPLINE_VALUE][c]) +
            ((3 * t2 - 4 * t + 1) * number[SPLINE_OUT][c] + (3 * t2 - 2 * t) * number[SPLINE_IN][c]);
}

/* Returns false for the squared length of a quaternion so near to 0 that it counts as without direction. */
static inline bool spline_has_direction(double norm2) { return norm2 > 0x1p-80; }

/* Normalises q, or returns false if it has no direction. */
static inline bool spline_turn(double q[4]) {
  if (!spline_has_direction(quat64_dot(q, q))) return false;
  quat64_normalise(q);
  return true;
}

#endif
