#include "base/angle_error.h"

#include <math.h>

#include "base/quantity.h"
#include "quatsimd/codec.h"

/* Squared distance between p and the nearer of q and -q, normalised. Unlike the dot product it loses no
 * digits when the two are close. */
static double chord_squared(const float *p, const float *q) {
  double pp = 0, qq = 0, pq = 0, sum = 0;
  for (int i = 0; i < 4; i++) {
    pp += (double)p[i] * p[i];
    qq += (double)q[i] * q[i];
    pq += (double)p[i] * q[i];
  }
  const double p_scale = 1 / sqrt(pp), q_scale = copysign(1, pq) / sqrt(qq);
  for (int i = 0; i < 4; i++) {
    const double d = p[i] * p_scale - q[i] * q_scale;
    sum += d * d;
  }
  return sum;
}

struct angle_error angle_error_measure(const float *xyzw, const float *unpacked, size_t keys) {
  struct angle_error error = {0};
  double worst = 0, sum = 0;
  size_t invalid = quatsimd_find_invalid(quatsimd_aos(xyzw), keys, 0);
  for (size_t i = 0; i < keys; i++) {
    if (i == invalid) {
      invalid = quatsimd_find_invalid(quatsimd_aos(xyzw), keys, i + 1);
      continue;
    }
    const double chord2 = chord_squared(xyzw + 4 * i, unpacked + 4 * i);
    if (chord2 > worst) worst = chord2;
    sum += 4 * asin(sqrt(chord2) / 2); /* of a rotation: twice the angle between its quaternions */
    error.keys++;
  }
  error.worst = 4 * asin(sqrt(worst) / 2) * DEGREES;
  error.mean = error.keys ? sum / (double)error.keys * DEGREES : 0;
  error.worst_dot = worst / 2;
  return error;
}

void angle_error_add(struct angle_error *sum, const struct angle_error *of) {
  if (of->keys == 0) return;
  const double keys = (double)sum->keys, more = (double)of->keys;
  sum->mean = (sum->mean * keys + of->mean * more) / (keys + more);
  sum->worst = fmax(sum->worst, of->worst);
  sum->worst_dot = fmax(sum->worst_dot, of->worst_dot);
  sum->keys += of->keys;
}
