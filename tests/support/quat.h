/* Computes in double with quaternions x, y, z, w. filled() returns memory of exactly the given size. */
#ifndef QUATSIMD_TESTS_QUAT_H
#define QUATSIMD_TESTS_QUAT_H

#include "support/hash.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { FILL = 0xa5 };
static inline void *filled(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) fail_msg("out of memory");
  return memset(p, FILL, bytes ? bytes : 1);
}

static inline bool untouched(const void *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (((const unsigned char *)p)[i] != FILL) return false;
  return true;
}

static inline bool unit(const float *q) {
  double n2 = 0;
  for (int i = 0; i < 4; i++) n2 += (double)q[i] * q[i];
  return fabs(sqrt(n2) - 1) <= 4e-7; /* false for NaN */
}

static inline bool all_unit(const float *xyzw, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!unit(xyzw + 4 * i)) return false;
  return true;
}

typedef struct quat {
  double v[4];
} quat;

static inline quat normalised(quat q) {
  const double n = sqrt(q.v[0] * q.v[0] + q.v[1] * q.v[1] + q.v[2] * q.v[2] + q.v[3] * q.v[3]);
  for (int i = 0; i < 4; i++) q.v[i] /= n;
  return q;
}

static inline quat of_floats(const float *f) { return normalised((quat){{f[0], f[1], f[2], f[3]}}); }

static inline void to_floats(float *f, quat q) {
  for (int i = 0; i < 4; i++) f[i] = (float)q.v[i];
}

static inline quat product(quat p, quat q) {
  const double *a = p.v, *b = q.v;
  return (quat){{a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                 a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                 a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                 a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]}};
}

static inline quat conjugate(quat q) { return (quat){{-q.v[0], -q.v[1], -q.v[2], q.v[3]}}; }
static inline quat negative(quat q) { return (quat){{-q.v[0], -q.v[1], -q.v[2], -q.v[3]}}; }
static inline double dot(quat p, quat q) {
  return p.v[0] * q.v[0] + p.v[1] * q.v[1] + p.v[2] * q.v[2] + p.v[3] * q.v[3];
}

/* Returns the angle between two rotations in radians. It is accurate for small angles. */
static inline double angle_between(quat p, quat q) {
  const quat r = product(q, conjugate(p));
  return 2 * atan2(sqrt(r.v[0] * r.v[0] + r.v[1] * r.v[1] + r.v[2] * r.v[2]), fabs(r.v[3]));
}

static inline double angle_of_floats(const float *p, const float *q) {
  return angle_between(of_floats(p), of_floats(q));
}

static inline quat random_rotation(uint64_t *state) {
  quat q;
  double n2;
  do { /* only + - * / and sqrt, because goldens depend on the rotations */
    n2 = 0;
    for (int i = 0; i < 4; i++) {
      q.v[i] = 2 * random_unit(state) - 1;
      n2 += q.v[i] * q.v[i];
    }
  } while (n2 > 1 || n2 < 0.01);
  return normalised(q);
}

/* Returns a random rotation by at most about 2 * amplitude radians. */
static inline quat random_turn(double amplitude, uint64_t *state) {
  quat q = {{0, 0, 0, 1}};
  for (int i = 0; i < 3; i++) q.v[i] = amplitude * (2 * random_unit(state) - 1) / 1.7320508;
  return normalised(q);
}

static const uint32_t nan_bits = UINT32_C(0x7fc00000), infinity_bits = UINT32_C(0x7f800000);

/* Makes the quaternion invalid in one of INVALID ways, which i selects. */
enum { INVALID = 6 };
static inline void make_invalid(float *q, size_t i) {
  if (i % INVALID == 0) sweep_set_bits(&q[i / INVALID % 4], nan_bits);
  if (i % INVALID == 1) sweep_set_bits(&q[i / INVALID % 4], infinity_bits);
  if (i % INVALID == 2) sweep_set_bits(&q[i / INVALID % 4], infinity_bits | UINT32_C(0x80000000));
  if (i % INVALID == 3) memset(q, 0, 16);
  for (int c = 0; c < 4; c++) q[c] *= i % INVALID == 4 ? 0x1p33f : i % INVALID == 5 ? 0x1p-33f : 1;
}

/* Hashes floats. Denormals count as zero, because the CPU may flush them, and zeros count without sign. */
static inline void add_floats(XXH64_state_t *hash, const float *floats, size_t count) {
  unsigned char *bytes = filled(4 * count);
  put_floats(bytes, floats, count);
  for (size_t i = 0; i < 4 * count; i += 4)
    if ((bytes[i + 3] & 0x7f) == 0 && (bytes[i + 2] & 0x80) == 0) memset(bytes + i, 0, 4);
  XXH64_update(hash, bytes, 4 * count);
  free(bytes);
}

#endif
