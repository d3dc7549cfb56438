/* Places and movements in long double, as docs/pose.md defines root motion. */
#ifndef TESTS_PLACES_H
#define TESTS_PLACES_H

#include "poses.h"

/* An affine map. It moves point p to m p + t. */
typedef struct place {
  long double m[3][3], t[3];
} place;

static inline place of(const float q[4], const float t[3], long double scale) {
  const long double x = q[0], y = q[1], z = q[2], w = q[3], n2 = x * x + y * y + z * z + w * w;
  const long double m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
  place p;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) p.m[i][j] = m[i][j] * scale / n2;
    p.t[i] = t[i];
  }
  return p;
}

static inline place times(const place *a, const place *b) {
  place c = {{{0}}, {0}};
  for (int i = 0; i < 3; i++) {
    c.t[i] = a->t[i];
    for (int j = 0; j < 3; j++) {
      c.t[i] += a->m[i][j] * b->t[j];
      for (int k = 0; k < 3; k++) c.m[i][j] += a->m[i][k] * b->m[k][j];
    }
  }
  return c;
}

/* Returns the inverse of a place. The place must have no scale. */
static inline place back(const place *a) {
  place b = {{{0}}, {0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) b.m[i][j] = a->m[j][i], b.t[i] -= a->m[j][i] * a->t[j];
  return b;
}

static inline place unscaled(const place *a) {
  place b = *a;
  const long double s = sqrtl(a->m[0][0] * a->m[0][0] + a->m[1][0] * a->m[1][0] + a->m[2][0] * a->m[2][0]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) b.m[i][j] /= s;
  return b;
}

/* Returns the selected parts of the motion between two places. `half` is half the angle about `up`. */
static inline place moved(const place *scaled_from, const place *scaled_to, int parts,
                          const long double up[3]) {
  const place from = unscaled(scaled_from), to = unscaled(scaled_to), inverse = back(&from);
  place x = times(&to, &inverse);
  if (parts == QUATSIMD_ROOT_ALL) return x;
  const long double trace = x.m[0][0] + x.m[1][1] + x.m[2][2],
                    skew = up[0] * (x.m[2][1] - x.m[1][2]) + up[1] * (x.m[0][2] - x.m[2][0]) +
                           up[2] * (x.m[1][0] - x.m[0][1]),
                    half = parts & QUATSIMD_ROOT_TURN ? atan2l(skew, 1 + trace) : 0;
  const float none[3] = {0};
  float q[4] = {0, 0, 0, 1};
  x = of(q, none, 1);
  const long double s = sinl(2 * half), c = cosl(2 * half); /* Rodrigues' formula */
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int k = 3 - i - j;
      const long double sign = (j - i + 3) % 3 == 1 ? -1 : 1;
      x.m[i][j] = (i == j ? c : sign * s * up[k]) + (1 - c) * up[i] * up[j];
    }
  long double point[2][3];
  for (int e = 0; e < 2; e++) {
    const long double *t = e ? to.t : from.t, height = t[0] * up[0] + t[1] * up[1] + t[2] * up[2];
    for (int i = 0; i < 3; i++)
      point[e][i] = (parts & QUATSIMD_ROOT_ALONG ? height * up[i] : 0) +
                    (parts & QUATSIMD_ROOT_ACROSS ? t[i] - height * up[i] : 0);
  }
  for (int i = 0; i < 3; i++) {
    x.t[i] = point[1][i];
    for (int j = 0; j < 3; j++) x.t[i] -= x.m[i][j] * point[0][j];
  }
  return x;
}

static inline long double difference(const place *a, const place *b) {
  long double most = 0;
  for (int i = 0; i < 3; i++) {
    most = fmaxl(most, fabsl(a->t[i] - b->t[i]));
    for (int j = 0; j < 3; j++) most = fmaxl(most, fabsl(a->m[i][j] - b->m[i][j]));
  }
  return most;
}

static const place stays = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0}};

static inline place repeated(const place *round, int64_t rounds) {
  place all = stays, once = rounds < 0 ? back(round) : *round;
  for (uint64_t n = (uint64_t)(rounds < 0 ? -rounds : rounds); n; n /= 2) {
    if (n % 2) all = times(&all, &once);
    once = times(&once, &once);
  }
  return all;
}

#endif
