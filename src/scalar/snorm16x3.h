#ifndef QUATSIMD_SCALAR_SNORM16X3_H
#define QUATSIMD_SCALAR_SNORM16X3_H

#include "code.h"

static inline code scalar_pack_snorm16x3(int param, quat q, float n2) {
  (void)param;
  float k = 32767 / square_root(n2);
  if (is_negative(q.v[3])) k = -k;
  code c = {0, 0};
  for (int i = 0; i < 3; i++) c.lo |= (uint64_t)((uint32_t)round_half_away(q.v[i] * k) & 0xffffu) << 16 * i;
  return c;
}

static inline quat scalar_unpack_snorm16x3(int param, code c) {
  (void)param;
  quat q;
  for (int i = 0; i < 3; i++) {
    q.v[i] = (float)sign_extend(c.lo >> 16 * i, 16) * (1.0f / 32767.0f);
    if (q.v[i] < -1) q.v[i] = -1;
  }
  const float s = (q.v[0] * q.v[0] + q.v[1] * q.v[1]) + q.v[2] * q.v[2];
  if (s > 1) {
    q.v[3] = 0;
    return scaled(q, 1 / square_root(s));
  }
  q.v[3] = square_root(1 - s);
  return q;
}

#endif
