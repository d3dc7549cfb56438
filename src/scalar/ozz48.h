/* ozz48: ozz-animation's smallest three with 15 bits each and the sign of the quaternion. */
#ifndef QUATSIMD_SCALAR_OZZ48_H
#define QUATSIMD_SCALAR_OZZ48_H

#include "scalar/code.h"

static inline code scalar_pack_ozz48(quat q, float n2) {
  const int largest = largest_component(q);
  const float r = 1 / quatsimd_sqrtf(n2);
  uint64_t word = (uint64_t)largest | (uint64_t)(q.v[largest] < 0) << 2;
  for (int i = 0, at = 3; i < 4; i++) {
    if (i == largest) continue;
    word |= (uint64_t)code_from_0(q.v[i] * r, 32767) << at;
    at += 15;
  }
  return (code){word, 0};
}

static inline quat scalar_unpack_ozz48(code c) {
  float v[3];
  for (int i = 0; i < 3; i++)
    v[i] = (float)(c.lo >> (3 + 15 * i) & 32767) * (QUATSIMD_SQRT2 / 32767) - QUATSIMD_SQRT_HALF;
  const float s = (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2];
  if (s > 1) return scalar_identity;
  const float largest = quatsimd_sqrtf(1 - s);
  return with_largest((int)(c.lo & 3), c.lo & 4 ? -largest : largest, v);
}

#endif
