/* The reference: docs/codec.md in plain C, one quaternion at a time, for reading. It is written independently
 * of the vector kernels, which must give the same bits. */
#ifndef QUATSIMD_SCALAR_CODE_H
#define QUATSIMD_SCALAR_CODE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "codec/constants.h"
#include "core/arithmetic.h"
#include "core/bits.h"
#include "core/bytes.h"

/* fabsf is an instruction, never a call of libm, in debug builds too. */
#define magnitude_of fabsf

typedef struct quat {
  float v[4]; /* x, y, z, w */
} quat;

/* One packed element; formats of 64 bits and less use lo alone. */
typedef struct code {
  uint64_t lo, hi;
} code;

static const quat scalar_identity = {{0, 0, 0, 1}};

/* Returns true if f < 0, even for denormals in denormals-are-zero mode, because it compares bits. */
static inline bool is_negative(float f) { return float_bits(f) > 0x80000000u; }

static inline float norm2(quat q) {
  return (q.v[0] * q.v[0] + q.v[1] * q.v[1]) + (q.v[2] * q.v[2] + q.v[3] * q.v[3]);
}

static inline bool valid_norm2(float n2) { return n2 >= QUATSIMD_MIN_NORM2 && n2 <= QUATSIMD_MAX_NORM2; }

/* Replaces every NaN by the same one. */
static inline float number(float a) { return a == a ? a : float_from_bits(0x7fc00000); }

/* Returns the nearest integer, halves to even, for |t| < 2^22. Adding 1.5 * 2^23 rounds off the fraction. */
static inline int32_t round_half_even(float t) { return (int32_t)((t + 0x1.8p23f) - 0x1.8p23f); }

/* Returns the nearest integer, halves away from zero, for |t| < 2^23: t minus its integer part is exact. */
static inline int32_t round_half_away(float t) {
  const int32_t whole = (int32_t)t;
  const float fraction = t - (float)whole;
  if (fraction >= 0.5f) return whole + 1;
  if (fraction <= -0.5f) return whole - 1;
  return whole;
}

/* Returns the index of the component of largest magnitude, the first one on ties. */
static inline int largest_component(quat q) {
  int largest = 0;
  for (int i = 1; i < 4; i++)
    if (magnitude_of(q.v[i]) > magnitude_of(q.v[largest])) largest = i;
  return largest;
}

/* Returns the quaternion with `value` as component `largest` and rest[0..2], in order, as the other three. */
static inline quat with_largest(int largest, float value, const float rest[3]) {
  quat q;
  for (int i = 0; i < 4; i++) q.v[i] = i == largest ? value : *rest++;
  return q;
}

static inline quat scaled(quat q, float factor) {
  for (int i = 0; i < 4; i++) q.v[i] *= factor;
  return q;
}

/* Returns a component of magnitude up to sqrt(1/2) as the integer, 0 to max, that ozz48 and jolt32 write. */
static inline uint32_t code_from_0(float v, float max) {
  return (uint32_t)((v + QUATSIMD_SQRT_HALF) * (max / QUATSIMD_SQRT2) + 0.5f);
}

/* Returns the value of the low 16 bits, a normalized short of glTF: -32767 and -32768 both are -1. */
static inline float from_snorm16(uint64_t word) {
  const float v = (float)sign_extend(word, 16) * (1.0f / 32767.0f);
  return v < -1 ? -1 : v;
}

/* Returns the unit quaternion whose components other than the largest are rest[0..2]. If their squares add up
 * to more than 1, which no encoder writes, returns the identity. */
static inline quat with_derived_largest(int largest, const float rest[3]) {
  const float s = (rest[0] * rest[0] + rest[1] * rest[1]) + rest[2] * rest[2];
  return s > 1 ? scalar_identity : with_largest(largest, quatsimd_sqrtf(1 - s), rest);
}

/* Returns (x, y, z, w) of length 1 with w >= 0. If (x, y, z) is longer than 1, w is 0. */
static inline quat with_derived_w(float x, float y, float z) {
  const float s = (x * x + y * y) + z * z;
  if (s > 1) return scaled((quat){{x, y, z, 0}}, 1 / quatsimd_sqrtf(s));
  return (quat){{x, y, z, quatsimd_sqrtf(1 - s)}};
}

static inline quat unit_or_identity(quat q) {
  const float n2 = norm2(q);
  return valid_norm2(n2) ? scaled(q, 1 / quatsimd_sqrtf(n2)) : scalar_identity;
}

#endif
