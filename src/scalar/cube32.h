/* cube32 and cube32c: the same word, decoded with different centres. */
#ifndef QUATSIMD_SCALAR_CUBE32_H
#define QUATSIMD_SCALAR_CUBE32_H

#include "scalar/code.h"

static inline code scalar_pack_cube32(quat q) {
  const int largest = largest_component(q);
  const float r = 1 / q.v[largest];
  uint32_t word = (uint32_t)largest;
  for (int i = 0; i < 4; i++) /* q.v[i] * r is at most 1 + 2^-23, so the field is at most 1023 */
    if (i != largest) word = word << 10 | (uint32_t)((q.v[i] * r + 1) * 511.5f + 0.5f);
  return (code){word, 0};
}

/* centre: the code of a component that is 0. */
static inline quat scalar_unpack_cube32(float centre, code c) {
  float d[3];
  for (int i = 0; i < 3; i++) d[i] = ((float)(c.lo >> (20 - 10 * i) & 1023) - centre) * (2.0f / 1023.0f);
  const float r = 1 / quatsimd_sqrtf(((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]) + 1);
  for (int i = 0; i < 3; i++) d[i] *= r;
  return with_largest((int)(c.lo >> 30 & 3), r, d);
}

#endif
