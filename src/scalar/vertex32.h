#ifndef QUATSIMD_SCALAR_VERTEX32_H
#define QUATSIMD_SCALAR_VERTEX32_H

#include "scalar/code.h"

static inline code scalar_pack_vertex32(quat q, float n2) {
  const float k = 127 / quatsimd_sqrtf(n2);
  uint32_t word = 0;
  for (int i = 0; i < 3; i++) word |= ((uint32_t)round_half_away(q.v[i] * k) & 0xffu) << 8 * i;
  /* w = -1 may give a number a little below 0, which rounds to 0 */
  word |= (uint32_t)round_half_away((q.v[3] * k) * 0.5f + 63.5f) << 24;
  return (code){word, 0};
}

/* The unpacked length is never 0: w is an odd multiple of 1/127. */
static inline quat scalar_unpack_vertex32(code c) {
  quat q;
  for (int i = 0; i < 3; i++) {
    q.v[i] = (float)sign_extend(c.lo >> 8 * i, 8) * (1.0f / 127.0f);
    if (q.v[i] < -1) q.v[i] = -1;
  }
  q.v[3] = (float)(c.lo >> 24 & 0x7fu) * (2.0f / 127.0f) - 1;
  return scaled(q, 1 / quatsimd_sqrtf(norm2(q)));
}

#endif
