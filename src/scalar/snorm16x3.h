#ifndef QUATSIMD_SCALAR_SNORM16X3_H
#define QUATSIMD_SCALAR_SNORM16X3_H

#include "scalar/code.h"

static inline code scalar_pack_snorm16x3(quat q, float n2) {
  float k = 32767 / quatsimd_sqrtf(n2);
  if (is_negative(q.v[3])) k = -k;
  code c = {0, 0};
  for (int i = 0; i < 3; i++) c.lo |= (uint64_t)((uint32_t)round_half_away(q.v[i] * k) & 0xffffu) << 16 * i;
  return c;
}

static inline quat scalar_unpack_snorm16x3(code c) {
  return with_derived_w(from_snorm16(c.lo), from_snorm16(c.lo >> 16), from_snorm16(c.lo >> 32));
}

#endif
