/* spz32: the smallest three, each as sign and magnitude, of version 3 and later of spz. spz24: x, y and z,
 * with 8 bits each, of version 2 of spz. */
#ifndef QUATSIMD_SCALAR_SPZ_H
#define QUATSIMD_SCALAR_SPZ_H

#include "scalar/code.h"

static inline code scalar_pack_spz32(quat q, float n2) {
  const int largest = largest_component(q);
  const float k = (511 * QUATSIMD_SQRT2) / quatsimd_sqrtf(n2);
  uint32_t word = (uint32_t)largest;
  for (int i = 0; i < 4; i++) {
    if (i == largest) continue;
    const uint32_t sign = is_negative(q.v[i]) != (q.v[largest] < 0);
    word = word << 10 | sign << 9 | (uint32_t)(magnitude_of(q.v[i]) * k + 0.5f); /* below 511.51 */
  }
  return (code){word, 0};
}

static inline quat scalar_unpack_spz32(code c) {
  float v[3];
  for (int i = 0; i < 3; i++) {
    const uint64_t field = c.lo >> (20 - 10 * i);
    v[i] = (float)(field & 511) * (QUATSIMD_SQRT_HALF / 511);
    if (field & 512) v[i] = -v[i];
  }
  return with_derived_largest((int)(c.lo >> 30 & 3), v);
}

static inline code scalar_pack_spz24(quat q, float n2) {
  float r = 1 / quatsimd_sqrtf(n2);
  if (is_negative(q.v[3])) r = -r;
  uint32_t word = 0;
  for (int i = 0; i < 3; i++) word |= (uint32_t)round_half_away(q.v[i] * r * 127.5f + 127.5f) << 8 * i;
  return (code){word, 0};
}

static inline quat scalar_unpack_spz24(code c) {
  float v[3];
  for (int i = 0; i < 3; i++) v[i] = (float)(c.lo >> 8 * i & 255) * (1 / 127.5f) - 1;
  return with_derived_w(v[0], v[1], v[2]);
}

#endif
