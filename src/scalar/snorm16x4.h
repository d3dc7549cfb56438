/* snorm16x4: glTF's normalized short rotation. */
#ifndef QUATSIMD_SCALAR_SNORM16X4_H
#define QUATSIMD_SCALAR_SNORM16X4_H

#include "scalar/code.h"

static inline code scalar_pack_snorm16x4(quat q, float n2) {
  const float k = 32767 / quatsimd_sqrtf(n2);
  code c = {0, 0};
  for (int i = 0; i < 4; i++) c.lo |= (uint64_t)((uint32_t)round_half_away(q.v[i] * k) & 0xffffu) << 16 * i;
  return c;
}

static inline quat scalar_unpack_snorm16x4(code c) {
  quat q;
  for (int i = 0; i < 4; i++) q.v[i] = from_snorm16(c.lo >> 16 * i);
  return unit_or_identity(q);
}

#endif
