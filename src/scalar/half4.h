#ifndef QUATSIMD_SCALAR_HALF4_H
#define QUATSIMD_SCALAR_HALF4_H

#include "scalar/code.h"

/* Returns a float of magnitude below 65520 as IEEE binary16, rounded to nearest even. A carry out of the
 * significand increments the exponent, as it should. */
static inline uint32_t half_of_float(float f) {
  const uint32_t u = float_bits(f), magnitude = u & 0x7fffffffu, sign = u >> 16 & 0x8000u;
  uint32_t significand, shift;
  /* 2^-14 and above: a normal half; the exponent stays in front of the significand */
  if (magnitude >= 0x38800000u) {
    significand = magnitude - 0x38000000u;
    shift = 13;
  } else if (magnitude >= 0x33000000u) { /* 2^-25 and above: a subnormal half, in units of 2^-24 */
    significand = (magnitude & 0x7fffffu) | 0x800000u;
    shift = 126 - (magnitude >> 23);
  } else {
    return sign;
  }
  const uint32_t half = 1u << (shift - 1), rest = significand & (2 * half - 1);
  uint32_t rounded = significand >> shift;
  if (rest > half || (rest == half && (rounded & 1))) rounded++;
  return sign | rounded;
}

/* Converts a half exactly. Subnormal halves are made from integers, so that no denormal float appears. */
static inline float float_from_half(uint32_t h) {
  const uint32_t sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31, significand = h & 0x3ffu;
  if (exponent == 31) return float_from_bits(sign | 0x7f800000u | significand << 13);
  if (exponent != 0) return float_from_bits(sign | (exponent + 112) << 23 | significand << 13);
  return float_from_bits(sign | float_bits((float)significand * 0x1p-24f));
}

static inline code scalar_pack_half4(quat q, float n2) {
  q = scaled(q, 1 / quatsimd_sqrtf(n2));
  code c = {0, 0};
  for (int i = 0; i < 4; i++) c.lo |= (uint64_t)half_of_float(q.v[i]) << 16 * i;
  return c;
}

static inline quat scalar_unpack_half4(code c) {
  quat q;
  for (int i = 0; i < 4; i++) q.v[i] = float_from_half(c.lo >> 16 * i & 0xffffu);
  return unit_or_identity(q);
}

#endif
