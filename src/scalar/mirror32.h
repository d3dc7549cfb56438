/* mirror32: Mirror's Compression.CompressQuaternion, the smallest three with 10 bits each. */
#ifndef QUATSIMD_SCALAR_MIRROR32_H
#define QUATSIMD_SCALAR_MIRROR32_H

#include "scalar/code.h"

static inline code scalar_pack_mirror32(quat q, float n2) {
  const int largest = largest_component(q);
  float r = 1 / quatsimd_sqrtf(n2);
  if (q.v[largest] < 0) r = -r;
  uint32_t word = (uint32_t)largest;
  for (int i = 0; i < 4; i++)
    if (i != largest)
      word = word << 10 | (uint32_t)((q.v[i] * r + QUATSIMD_MIRROR_LIMIT) * (1023 / QUATSIMD_MIRROR_RANGE));
  return (code){word, 0};
}

static inline quat scalar_unpack_mirror32(code c) {
  float v[3];
  for (int i = 0; i < 3; i++)
    v[i] = (float)(c.lo >> (20 - 10 * i) & 1023) * (QUATSIMD_MIRROR_RANGE / 1023) - QUATSIMD_MIRROR_LIMIT;
  return with_derived_largest((int)(c.lo >> 30 & 3), v);
}

#endif
