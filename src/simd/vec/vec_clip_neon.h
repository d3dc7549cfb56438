/* Operations for clips, with NEON. Contract: clip.h. */
#ifndef QUATSIMD_SIMD_VEC_CLIP_NEON_H
#define QUATSIMD_SIMD_VEC_CLIP_NEON_H

#include "simd/vec/clip.h"
#include "simd/vec/vec_neon.h"

V_INLINE vi v_loadi(const void *p) { return vreinterpretq_s32_u8(vld1q_u8((const uint8_t *)p)); }
V_INLINE void v_storei(void *p, vi a) { vst1q_u8((uint8_t *)p, vreinterpretq_u8_s32(a)); }
V_INLINE vq v_each(vf a) {
  return (vq){vdupq_laneq_f32(a, 0), vdupq_laneq_f32(a, 1), vdupq_laneq_f32(a, 2), vdupq_laneq_f32(a, 3)};
}
V_INLINE vi v_multiply_pairs(vi a, vi b) {
  const int16x8_t c = vreinterpretq_s16_s32(a), d = vreinterpretq_s16_s32(b);
  return vpaddq_s32(vmull_s16(vget_low_s16(c), vget_low_s16(d)), vmull_high_s16(c, d));
}

V_INLINE vi half_of_coefficients(const unsigned char *p, const quatsimd_clip_plan *plan, int first) {
  const uint32x4_t bytes = shuffled(vld1q_u8(p), (const uint8_t *)plan->shuffle + 2 * first);
  const int16x8_t up = vmulq_s16(vreinterpretq_s16_u32(bytes), vld1q_s16(plan->up + first));
  const int16x8_t top = vandq_s16(up, vld1q_s16(plan->keep + first));
  return vreinterpretq_s32_s16(vqrdmulhq_s16(top, vld1q_s16(plan->down + first)));
}

V_INLINE void v_load_channel(vi *channel, const unsigned char *p, uint8_t profile) {
  const quatsimd_clip_plan *plan = &quatsimd_clip_plans[profile];
  channel[0] = half_of_coefficients(p, plan, 0);
  channel[1] = half_of_coefficients(p + quatsimd_clip_second[profile], plan, 8);
}

/* Lane i of the result is the sum of the lanes of a[i]. */
V_INLINE vi sum_each(const vi a[4]) { return vpaddq_s32(vpaddq_s32(a[0], a[1]), vpaddq_s32(a[2], a[3])); }

V_INLINE const unsigned char *v_load_coefficients(vi pair[8], const unsigned char *p,
                                                  const uint8_t *profile) {
  const unsigned char *at[V_LANES];
  for (int i = 0; i < V_LANES; i++) {
    at[i] = p;
    p += quatsimd_clip_bytes[profile[i]];
  }
  for (int half = 0; half < 2; half++) {
    vi c[V_LANES];
    for (int i = 0; i < V_LANES; i++)
      c[i] = half_of_coefficients(at[i] + (half ? quatsimd_clip_second[profile[i]] : 0),
                                  &quatsimd_clip_plans[profile[i]], 8 * half);
    const vq t = transpose(v_from_bits(c[0]), v_from_bits(c[1]), v_from_bits(c[2]), v_from_bits(c[3]));
    pair[4 * half] = v_bits(t.x), pair[4 * half + 1] = v_bits(t.y), pair[4 * half + 2] = v_bits(t.z),
             pair[4 * half + 3] = v_bits(t.w);
  }
  return p;
}

V_INLINE void v_store_each(char *to, const size_t *offset, vq q) {
  q = transpose(q.x, q.y, q.z, q.w);
  v_store(v_at(to, offset[3]), q.w), v_store(v_at(to, offset[2]), q.z);
  v_store(v_at(to, offset[1]), q.y), v_store(v_at(to, offset[0]), q.x);
}

V_INLINE vi v_load_knots(const unsigned char *p, unsigned width, int first) {
  const quatsimd_clip_knot_plan *plan = &quatsimd_clip_knot_plans[width];
  const uint32x4_t bytes =
      shuffled(vld1q_u8(p + (first ? width / 2 : 0)), (const uint8_t *)plan->shuffle + 4 * first);
  return vshlq_s32(vshlq_s32(vreinterpretq_s32_u32(bytes), vld1q_s32(plan->up + first)),
                   vdupq_n_s32((int)width - 32));
}

#include "simd/vec/clip_four.inc.h"

#endif
