/* unreal48 and unreal32: Unreal Engine's FQuatFixed48NoW and FQuatFixed32NoW. */
#ifndef QUATSIMD_SCALAR_UNREAL_H
#define QUATSIMD_SCALAR_UNREAL_H

#include "scalar/code.h"

/* Returns a component in quanta of 1 / max, truncated toward zero, plus max. */
static inline uint64_t unreal_code(float v, int bits) {
  const int max = (1 << (bits - 1)) - 1;
  const int32_t whole = (int32_t)(v * (float)max) + max;
  return (uint64_t)whole;
}
static inline float unreal_component(uint64_t word, int at, int bits) {
  const int max = (1 << (bits - 1)) - 1;
  return (float)((int32_t)(word >> at & ((1u << bits) - 1)) - max) * (1 / (float)max);
}

static inline code scalar_pack_unreal(quatsimd_unreal f, quat q, float n2) {
  const float r = 1 / quatsimd_sqrtf(n2);
  q = scaled(q, is_negative(q.v[3]) ? -r : r);
  return (code){unreal_code(q.v[0], f.x_bits) << f.x_at | unreal_code(q.v[1], f.y_bits) << f.y_at |
                    unreal_code(q.v[2], f.z_bits) << f.z_at,
                0};
}

static inline quat scalar_unpack_unreal(quatsimd_unreal f, code c) {
  return with_derived_w(unreal_component(c.lo, f.x_at, f.x_bits), unreal_component(c.lo, f.y_at, f.y_bits),
                        unreal_component(c.lo, f.z_at, f.z_bits));
}

#endif
