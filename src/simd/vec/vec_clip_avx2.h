/* Operations for clips, with AVX2, and with AVX-512 VBMI and VNNI if V_PERMUTES_BYTES is defined. AVX-512
 * alone uses the clip kernels of AVX2. Contract: clip.h. */
#ifndef QUATSIMD_SIMD_VEC_CLIP_AVX2_H
#define QUATSIMD_SIMD_VEC_CLIP_AVX2_H

#include "simd/vec/clip.h"
#include "simd/vec/vec_avx2.h"

V_INLINE vi v_loadi(const void *p) { return load_32_bytes(p); }
V_INLINE void v_storei(void *p, vi a) { _mm256_storeu_si256((__m256i *)p, a); }
V_INLINE vf v_load_line(const float *p) { return _mm256_broadcast_ps((const __m128 *)(const void *)p); }
V_INLINE void v_store_line(float *p, vf a) { _mm_storeu_ps(p, _mm256_castps256_ps128(a)); }
V_INLINE vq v_each(vf a) {
  return (vq){_mm256_permute_ps(a, 0), _mm256_permute_ps(a, 0x55), _mm256_permute_ps(a, 0xaa),
              _mm256_permute_ps(a, 0xff)};
}
V_INLINE vf v_each_from(vf a, int i) {
  return _mm256_permutevar_ps(a, _mm256_setr_epi32(i, i, i, i, i + 1, i + 1, i + 1, i + 1));
}

V_INLINE vi v_multiply_pairs(vi a, vi b) { return _mm256_madd_epi16(a, b); }

#ifdef V_PERMUTES_BYTES
V_INLINE vi coefficients(const unsigned char *p, uint8_t profile) {
  const quatsimd_clip_shift_plan *plan = &quatsimd_clip_shift_plans[profile];
  const vi bytes = _mm256_permutexvar_epi8(load_32_bytes(plan->byte), load_32_bytes(p));
  return _mm256_srav_epi16(_mm256_sllv_epi16(bytes, load_32_bytes(plan->left)), load_32_bytes(plan->right));
}
#else
V_INLINE vi coefficients(const unsigned char *p, uint8_t profile) {
  const quatsimd_clip_plan *plan = &quatsimd_clip_plans[profile];
  const vi bytes =
      _mm256_shuffle_epi8(load_halves(p, p + quatsimd_clip_second[profile]), load_32_bytes(plan->shuffle));
  const vi top = v_and(_mm256_mullo_epi16(bytes, load_32_bytes(plan->up)), load_32_bytes(plan->keep));
  return _mm256_mulhrs_epi16(top, load_32_bytes(plan->down));
}
#endif

V_INLINE const unsigned char *v_load_coefficients(vi pair[8], const unsigned char *p,
                                                  const uint8_t *profile) {
  vi channel[V_LANES],
      quarter
          [8]; /* quarter[i]: the first halves of channels i and i + 4; quarter[i + 4]: the second halves */
  for (int i = 0; i < V_LANES; i++) {
    channel[i] = coefficients(p, profile[i]);
    p += quatsimd_clip_bytes[profile[i]];
  }
  for (int i = 0; i < 4; i++) {
    quarter[i] = _mm256_permute2x128_si256(channel[i], channel[i + 4], 0x20);
    quarter[i + 4] = _mm256_permute2x128_si256(channel[i], channel[i + 4], 0x31);
  }
  for (int half = 0; half < 2; half++) {
    const vi *q = quarter + 4 * half;
    const vq t = transpose(v_from_bits(q[0]), v_from_bits(q[1]), v_from_bits(q[2]), v_from_bits(q[3]));
    pair[4 * half] = v_bits(t.x), pair[4 * half + 1] = v_bits(t.y), pair[4 * half + 2] = v_bits(t.z),
             pair[4 * half + 3] = v_bits(t.w);
  }
  return p;
}

V_INLINE void v_load_channel(vi *channel, const unsigned char *p, uint8_t profile) {
  channel[0] = coefficients(p, profile);
}

/* Sums of the products of channels with row k, in of[k]. The two halves have separate sums, which v_products
 * adds. */
typedef struct product_sums {
  vi of[2];
} product_sums;
#ifdef V_PERMUTES_BYTES
/* Transposes the channels, so that each step multiplies and adds pairs of four channels. */
V_INLINE product_sums sums_of_four(const unsigned char **p, const uint8_t *profile, const vi *row) {
  vf channel[4];
  for (int i = 0; i < 4; i++) {
    channel[i] = v_from_bits(coefficients(*p, profile[i]));
    *p += quatsimd_clip_bytes[profile[i]];
  }
  const vq pair = transpose(channel[0], channel[1], channel[2], channel[3]);
  product_sums s;
  for (int k = 0; k < 2; k++) {
    s.of[k] = v_multiply_pairs(v_bits(pair.x), _mm256_shuffle_epi32(row[k], 0x00));
    s.of[k] = _mm256_dpwssd_epi32(s.of[k], v_bits(pair.y), _mm256_shuffle_epi32(row[k], 0x55));
    s.of[k] = _mm256_dpwssd_epi32(s.of[k], v_bits(pair.z), _mm256_shuffle_epi32(row[k], 0xaa));
    s.of[k] = _mm256_dpwssd_epi32(s.of[k], v_bits(pair.w), _mm256_shuffle_epi32(row[k], 0xff));
  }
  return s;
}
#else
/* Loads a channel only when it is needed, so that registers hold few values. */
V_INLINE product_sums sums_of_two(const unsigned char **p, const uint8_t *profile, const vi *row) {
  const unsigned char *const second = *p + quatsimd_clip_bytes[profile[0]];
  const vi a = coefficients(*p, profile[0]), b = coefficients(second, profile[1]);
  product_sums s;
  *p = second + quatsimd_clip_bytes[profile[1]];
  for (int k = 0; k < 2; k++) {
    const vi c = v_multiply_pairs(a, row[k]), d = v_multiply_pairs(b, row[k]);
    s.of[k] = v_addi(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
  }
  return s;
}
V_INLINE product_sums sums_of_four(const unsigned char **p, const uint8_t *profile, const vi *row) {
  const product_sums a = sums_of_two(p, profile, row), b = sums_of_two(p, profile + 2, row);
  product_sums s;
  for (int k = 0; k < 2; k++)
    s.of[k] = v_addi(_mm256_unpacklo_epi64(a.of[k], b.of[k]), _mm256_unpackhi_epi64(a.of[k], b.of[k]));
  return s;
}
#endif
V_INLINE const unsigned char *v_products(vi sum[2], const unsigned char *p, const uint8_t *profile,
                                         const vi *row) {
  const product_sums a = sums_of_four(&p, profile, row);
  product_sums b = {{v_seti(0), v_seti(0)}};
  if (load_u32(profile + 4) != 0) b = sums_of_four(&p, profile + 4, row); /* profile 0 has no coefficients */
  for (int k = 0; k < 2; k++)
    sum[k] = v_addi(_mm256_permute2x128_si256(a.of[k], b.of[k], 0x20),
                    _mm256_permute2x128_si256(a.of[k], b.of[k], 0x31));
  return p;
}

V_INLINE int32_t v_sum(vi a) {
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
  s = _mm_add_epi32(s, _mm_unpackhi_epi64(s, s));
  return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 1)));
}
V_INLINE vi v_load_bytes(const unsigned char *p) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
}
V_INLINE vi v_nibbles(uint32_t nibbles, int first) {
  (void)first;
  return _mm256_srlv_epi32(v_seti((int32_t)nibbles), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
}
/* The low three bits of an index select a float in each half of the table, and the fourth bit a half. */
V_INLINE vf v_look_up(const float table[16], vi index) {
  const vf low = _mm256_permutevar8x32_ps(v_load(table), index),
           high = _mm256_permutevar8x32_ps(v_load(table + 8), index);
  return v_select(v_top(v_shl(index, 28)), high, low);
}

V_INLINE void v_store_each(char *to, const size_t *offset, vq q) {
  q = transpose(q.x, q.y, q.z, q.w);
  const vf two[] = {q.x, q.y, q.z, q.w};
  for (int i = 3; i >= 0; i--) { /* lane 0 is stored last */
    _mm_storeu_ps(v_at(to, offset[i + 4]), _mm256_extractf128_ps(two[i], 1));
    _mm_storeu_ps(v_at(to, offset[i]), _mm256_castps256_ps128(two[i]));
  }
}

V_INLINE vi v_load_knots(const unsigned char *p, unsigned width, int first) {
  const quatsimd_clip_knot_plan *plan = &quatsimd_clip_knot_plans[width];
  (void)first;
  const vi bytes = _mm256_shuffle_epi8(load_halves(p, p + width / 2), load_32_bytes(plan->shuffle));
  return _mm256_sra_epi32(_mm256_sllv_epi32(bytes, load_32_bytes(plan->up)),
                          _mm_cvtsi32_si128((int)(32 - width)));
}

#endif
