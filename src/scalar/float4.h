#ifndef QUATSIMD_SCALAR_FLOAT4_H
#define QUATSIMD_SCALAR_FLOAT4_H

#include "scalar/code.h"

/* Returns q if its length is nearly 1, else normalises q. Components below 2^-60 become 0, because they may
 * come from denormals, which depend on flush-to-zero modes. */
static inline quat float4_unit(quat q, float n2) {
  if (n2 >= 1 - 0x1p-21f && n2 <= 1 + 0x1p-21f) return q;
  q = scaled(q, 1 / quatsimd_sqrtf(n2));
  for (int i = 0; i < 4; i++)
    if (!(magnitude_of(q.v[i]) >= 0x1p-60f)) q.v[i] = 0;
  return q;
}

static inline code scalar_pack_float4(quat q, float n2) {
  q = float4_unit(q, n2);
  return (code){float_bits(q.v[0]) | (uint64_t)float_bits(q.v[1]) << 32,
                float_bits(q.v[2]) | (uint64_t)float_bits(q.v[3]) << 32};
}

static inline quat scalar_unpack_float4(code c) {
  const quat q = {{float_from_bits((uint32_t)c.lo), float_from_bits((uint32_t)(c.lo >> 32)),
                   float_from_bits((uint32_t)c.hi), float_from_bits((uint32_t)(c.hi >> 32))}};
  const float n2 = norm2(q);
  return valid_norm2(n2) ? float4_unit(q, n2) : scalar_identity;
}

#endif
