/* jolt32: Jolt Physics' smallest three with 9 bits each and the sign of the quaternion. */
#ifndef QUATSIMD_SCALAR_JOLT32_H
#define QUATSIMD_SCALAR_JOLT32_H

#include "scalar/code.h"

static inline code scalar_pack_jolt32(quat q, float n2) {
  const int largest = largest_component(q);
  float r = 1 / quatsimd_sqrtf(n2);
  uint32_t word = (uint32_t)largest << 29;
  if (q.v[largest] < 0) {
    r = -r;
    word |= 0x80000000u;
  }
  for (int i = 0, at = 0; i < 4; i++) {
    if (i == largest) continue;
    word |= code_from_0(q.v[i] * r, 510) << at;
    at += 9;
  }
  return (code){word, 0};
}

static inline quat scalar_unpack_jolt32(code c) {
  float v[3];
  for (int i = 0; i < 3; i++) v[i] = (float)((int32_t)(c.lo >> 9 * i & 511) - 255) * (QUATSIMD_SQRT2 / 510);
  const float s = (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2];
  if (s > 1) return scalar_identity;
  quat q = with_largest((int)(c.lo >> 29 & 3), quatsimd_sqrtf(1 - s), v);
  for (int i = 0; i < 4 && c.lo & 0x80000000u; i++) q.v[i] = 0 - q.v[i]; /* 0 stays 0, as in Jolt */
  return q;
}

#endif
