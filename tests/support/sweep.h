/* Makes the inputs of tests/codec/goldens.txt, bit for bit those of tests/model/sweep.py. They do not depend
 * on denormal modes or on fusing of a * b + c. */
#ifndef QUATSIMD_TESTS_SWEEP_H
#define QUATSIMD_TESTS_SWEEP_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SWEEP_COUNT = 65536 + 3 }; /* an odd number, so that bit-packed arrays end inside a byte */

/* Returns the next number of the generator splitmix64. */
static inline uint64_t sweep_next(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static inline float sweep_float_of_bits(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static inline void sweep_set_bits(float *f, uint32_t bits) { memcpy(f, &bits, sizeof *f); }

/* Makes one quaternion from four random numbers. All arithmetic except the normalisation is exact. */
static inline void sweep_quaternion(float *q, const uint64_t u[4]) {
  const unsigned kind = (unsigned)(u[3] & 0xff);
  const unsigned p = (unsigned)(u[1] & 3); /* q[p] is the component that most kinds treat specially */

  for (int k = 0; k < 4; k++) q[k] = (float)((int32_t)(u[k] >> 40) - (1 << 23)) * (1.0f / 8388608.0f);

  if (kind < 16) { /* any length; many of these quaternions are invalid */
    const float scale = sweep_float_of_bits(((uint32_t)(u[2] & 127) - 64 + 127) << 23);
    for (int k = 0; k < 4; k++) q[k] *= scale;
  } else if (kind < 32) { /* two components of equal magnitude */
    const float v = q[u[0] & 3];
    q[p] = u[0] & 4 ? -v : v;
  } else if (kind < 48) { /* q[p] stays; the others become 0 or -0 */
    for (unsigned k = 0; k < 4; k++)
      if (k != p) sweep_set_bits(&q[k], u[0] & (8u << k) ? UINT32_C(0x80000000) : 0);
  } else if (kind < 64) { /* near the identity */
    for (int k = 0; k < 3; k++) q[k] *= 1.0f / 4096.0f;
    q[3] = u[0] & 1 ? -1.0f : 1.0f;
  } else if (kind < 68) { /* invalid: NaN, both infinities, zero */
    static const uint32_t special[3] = {UINT32_C(0x7fc00000), UINT32_C(0x7f800000), UINT32_C(0xff800000)};
    if ((u[0] & 3) == 3) memset(q, 0, 4 * sizeof *q);
    else sweep_set_bits(&q[p], special[u[0] & 3]);
  } else if (kind < 76) { /* one component is denormal, 2^-140 or -2^-140 */
    sweep_set_bits(&q[p], u[0] & 1 ? UINT32_C(0x80000200) : UINT32_C(0x00000200));
  } else if (kind < 92) {
    /* normalised in double, where products and sums of 24-bit numbers are exact */
    const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    const double n = sqrt(((x * x + y * y) + z * z) + w * w);
    for (int k = 0; k < 4; k++)
      if (n > 0) q[k] = (float)((double)q[k] / n);
  } else if (kind < 100) {
    /* q[p] is about 2^-100, and becomes denormal when it is divided by the length, which is about 2^30 */
    for (unsigned k = 0; k < 4; k++) q[k] *= k == p ? 0x1p-100f : 0x1p30f;
  } else if (kind < 108) {
    /* q[p] is the largest denormal. Its effect is greatest in the shortest valid quaternions. */
    for (unsigned k = 0; k < 4; k++) q[k] *= 0x1p-32f;
    sweep_set_bits(&q[p], u[0] & 1 ? UINT32_C(0x807fffff) : UINT32_C(0x007fffff));
  }
}

/* Writes the first n quaternions of the sweep, 4 * n floats. */
static inline void sweep_quaternions(float *xyzw, size_t n) {
  uint64_t state = UINT64_C(0x7175617473696d64); /* "quatsimd" */
  for (size_t i = 0; i < n; i++) {
    uint64_t u[4];
    for (int k = 0; k < 4; k++) u[k] = sweep_next(&state);
    sweep_quaternion(xyzw + 4 * i, u);
  }
}

/* Writes random bytes for tests to unpack. */
static inline void sweep_words(unsigned char *to, size_t bytes) {
  uint64_t state = UINT64_C(0x756e7061636b0000); /* "unpack\0\0" */
  uint64_t word = 0;
  for (size_t i = 0; i < bytes; i++) {
    if (i % 8 == 0) word = sweep_next(&state);
    to[i] = (unsigned char)(word >> (8 * (i % 8)));
  }
}

#endif
