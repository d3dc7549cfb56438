/* unreal48 and unreal32: FQuatFixed48NoW and FQuatFixed32NoW. */
#ifndef QUATSIMD_SCALAR_UNREAL_H
#define QUATSIMD_SCALAR_UNREAL_H

#include "scalar/code.h"

static inline float unreal_scale(quat q, float n2) {
  const float r = 1 / quatsimd_sqrtf(n2);
  return is_negative(q.v[3]) ? -r : r;
}

/* A component in quanta of 1 / max, truncated toward zero and centred. */
static inline uint32_t unreal_code(float v, int max) { return (uint32_t)((int32_t)(v * (float)max) + max); }
static inline float unreal_component(uint64_t field, int max) {
  return (float)((int32_t)field - max) * (1 / (float)max);
}

static inline code scalar_pack_unreal48(int param, quat q, float n2) {
  (void)param;
  q = scaled(q, unreal_scale(q, n2));
  return (code){unreal_code(q.v[0], 32767) | (uint64_t)unreal_code(q.v[1], 32767) << 16 |
                    (uint64_t)unreal_code(q.v[2], 32767) << 32,
                0};
}

static inline quat scalar_unpack_unreal48(int param, code c) {
  (void)param;
  return with_derived_w(unreal_component(c.lo & 65535, 32767), unreal_component(c.lo >> 16 & 65535, 32767),
                        unreal_component(c.lo >> 32 & 65535, 32767));
}

static inline code scalar_pack_unreal32(int param, quat q, float n2) {
  (void)param;
  q = scaled(q, unreal_scale(q, n2));
  return (code){unreal_code(q.v[0], 1023) << 21 | unreal_code(q.v[1], 1023) << 10 | unreal_code(q.v[2], 511),
                0};
}

static inline quat scalar_unpack_unreal32(int param, code c) {
  (void)param;
  return with_derived_w(unreal_component(c.lo >> 21 & 2047, 1023), unreal_component(c.lo >> 10 & 2047, 1023),
                        unreal_component(c.lo & 1023, 511));
}

#endif
