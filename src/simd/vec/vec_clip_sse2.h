/* Operations for clips, with the intrinsics of SSE2, and with those of SSE4.1 if V_SHUFFLES_BYTES is defined.
 * For machines with neither SSE2 nor NEON, sse2_anywhere.h defines them. Contract: clip.h. */
#ifndef QUATSIMD_SIMD_VEC_CLIP_SSE2_H
#define QUATSIMD_SIMD_VEC_CLIP_SSE2_H

#include "simd/vec/clip.h"
#include "simd/vec/vec_sse2.h"

V_INLINE vi v_loadi(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
V_INLINE void v_storei(void *p, vi a) { _mm_storeu_si128((__m128i *)p, a); }
V_INLINE vq v_each(vf a) {
  return (vq){_mm_shuffle_ps(a, a, 0), _mm_shuffle_ps(a, a, 0x55), _mm_shuffle_ps(a, a, 0xaa),
              _mm_shuffle_ps(a, a, 0xff)};
}
V_INLINE vi v_multiply_pairs(vi a, vi b) { return _mm_madd_epi16(a, b); }

#ifdef V_SHUFFLES_BYTES
V_INLINE vi half_of_coefficients(const unsigned char *p, uint8_t profile, int first) {
  const quatsimd_clip_plan *plan = &quatsimd_clip_plans[profile];
  const vi from = v_loadi(p + (first ? quatsimd_clip_second[profile] : 0)),
           bytes = _mm_shuffle_epi8(from, v_loadi(plan->shuffle + 2 * first)),
           top = v_and(_mm_mullo_epi16(bytes, v_loadi(plan->up + first)), v_loadi(plan->keep + first));
  return _mm_mulhrs_epi16(top, v_loadi(plan->down + first));
}

V_INLINE vi v_load_knots(const unsigned char *p, unsigned width, int first) {
  const quatsimd_clip_knot_plan *plan = &quatsimd_clip_knot_plans[width];
  const vi bytes = _mm_shuffle_epi8(v_loadi(p + (first ? width / 2 : 0)), v_loadi(plan->shuffle + 4 * first));
  /* shifts by up to 8 bits as a product with a power of two, then by the rest */
  const vi part = v_subi(v_loadi(plan->up + first), v_seti((int)(24 - width))),
           power = v_trunc(v_from_bits(v_shl(v_addi(part, v_seti(127)), 23)));
  return v_sar(v_shl(_mm_mullo_epi32(bytes, power), (int)(24 - width)), (int)(32 - width));
}
#else
/* Loads eight coefficients field by field, because SSE2 cannot shuffle bytes. Not inlined, so that kernels
 * of old CPUs are small. */
QUATSIMD_NOINLINE vi half_of_coefficients(const unsigned char *p, uint8_t profile, int first) {
  const uint8_t *at = quatsimd_clip_offsets[profile] + first, *width = quatsimd_clip_widths[profile] + first;
  int16_t q[8];
  for (int k = 0; k < 8; k++) q[k] = (int16_t)peek_bits(p, at[k], width[k]);
  return v_loadi(q);
}

V_INLINE vi v_load_knots(const unsigned char *p, unsigned width, int first) {
  int32_t k[V_LANES];
  for (int i = 0; i < V_LANES; i++) k[i] = get_bits(p, (size_t)(first + i) * width, width);
  return v_loadi(k);
}
#endif

V_INLINE void v_load_channel(vi *channel, const unsigned char *p, uint8_t profile) {
  channel[0] = half_of_coefficients(p, profile, 0);
  channel[1] = half_of_coefficients(p, profile, 8);
}

/* Lane i of the result is the sum of the lanes of a[i]. */
V_INLINE vi sum_each(const vi a[4]) {
  const vi b = v_addi(_mm_unpacklo_epi32(a[0], a[1]), _mm_unpackhi_epi32(a[0], a[1])),
           c = v_addi(_mm_unpacklo_epi32(a[2], a[3]), _mm_unpackhi_epi32(a[2], a[3]));
  return v_addi(_mm_unpacklo_epi64(b, c), _mm_unpackhi_epi64(b, c));
}

V_INLINE const unsigned char *v_load_coefficients(vi pair[8], const unsigned char *p,
                                                  const uint8_t *profile) {
  const unsigned char *at[V_LANES];
  for (int i = 0; i < V_LANES; i++) {
    at[i] = p;
    p += quatsimd_clip_bytes[profile[i]];
  }
  for (int half = 0; half < 2; half++) {
    vi channel[V_LANES];
    for (int i = 0; i < V_LANES; i++) channel[i] = half_of_coefficients(at[i], profile[i], 8 * half);
    const vi a = _mm_unpacklo_epi32(channel[0], channel[1]), b = _mm_unpackhi_epi32(channel[0], channel[1]);
    const vi c = _mm_unpacklo_epi32(channel[2], channel[3]), d = _mm_unpackhi_epi32(channel[2], channel[3]);
    pair[4 * half] = _mm_unpacklo_epi64(a, c), pair[4 * half + 1] = _mm_unpackhi_epi64(a, c);
    pair[4 * half + 2] = _mm_unpacklo_epi64(b, d), pair[4 * half + 3] = _mm_unpackhi_epi64(b, d);
  }
  return p;
}

V_INLINE void v_store_each(char *to, const size_t *offset, vq q) {
  _MM_TRANSPOSE4_PS(q.x, q.y, q.z, q.w);
  v_store(v_at(to, offset[3]), q.w), v_store(v_at(to, offset[2]), q.z);
  v_store(v_at(to, offset[1]), q.y), v_store(v_at(to, offset[0]), q.x);
}

#include "simd/vec/clip_four.inc.h"

#endif
