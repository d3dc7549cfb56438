/* splat32: the rotation of a .splat file, bytes w, x, y, z. */
#ifndef QUATSIMD_SCALAR_SPLAT32_H
#define QUATSIMD_SCALAR_SPLAT32_H

#include "scalar/code.h"

static inline uint32_t splat32_code(float v, float r) {
  const float t = v * r * 128 + 128;
  return (uint32_t)round_half_even(t < 255 ? t : 255);
}

static inline float splat32_component(uint64_t field) {
  return (float)((int32_t)(field & 255) - 128) * (1.0f / 128);
}

static inline code scalar_pack_splat32(quat q, float n2) {
  const float r = 1 / quatsimd_sqrtf(n2);
  return (code){splat32_code(q.v[3], r) | splat32_code(q.v[0], r) << 8 | splat32_code(q.v[1], r) << 16 |
                    splat32_code(q.v[2], r) << 24,
                0};
}

static inline quat scalar_unpack_splat32(code c) {
  return unit_or_identity((quat){{splat32_component(c.lo >> 8), splat32_component(c.lo >> 16),
                                  splat32_component(c.lo >> 24), splat32_component(c.lo)}});
}

#endif
