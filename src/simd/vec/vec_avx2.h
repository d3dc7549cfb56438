/* The vector layer of AVX2 with F16C. Contract: vec.h. */
#ifndef QUATSIMD_SIMD_VEC_AVX2_H
#define QUATSIMD_SIMD_VEC_AVX2_H

#include "core/intrinsics.h"
#include "simd/bit_plan.h"
#include "simd/vec/vec.h"

#define V_LANES 8
#define V_GROUP 8
#define D_LANES 4
#define V_SLOW_ALL 0
typedef __m256 vf;
typedef __m256i vi;
typedef __m256 vm; /* each lane is all ones or all zeros */
typedef __m256d vd;
typedef __m256d vdm;
V_DERIVED_TYPES

V_INLINE vf v_from_bits(vi a) { return _mm256_castsi256_ps(a); }
#define X(name) _mm256_##name
#define XI(name) _mm256_##name##_si256
#include "simd/vec/x86.inc.h"
#include "simd/vec/wide.inc.h"

V_INLINE vi v_shl(vi a, int n) { return _mm256_slli_epi32(a, n); }
V_INLINE vi v_shr(vi a, int n) { return _mm256_srli_epi32(a, n); }
V_INLINE vi v_sar(vi a, int n) { return _mm256_srai_epi32(a, n); }
V_INLINE vf v_abs(vf a) { return _mm256_and_ps(a, v_from_bits(v_seti(0x7fffffff))); }
V_INLINE vf v_flip(vf a, vf b) {
  return v_from_bits(v_xor(v_bits(a), v_and(v_bits(b), v_seti((int32_t)0x80000000))));
}
V_INLINE vi v_join(vi low, vi high, int n) {
  return v_or(v_and(low, v_seti((int32_t)((1u << n) - 1))), v_shl(high, n));
}

V_INLINE vi v_round(vf a) { return _mm256_cvtps_epi32(a); }
V_INLINE vf v_rint(vf a) { return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
V_INLINE vf v_quarters(vi a, int n) { /* the low two bits of a lane select from the table */
  return _mm256_permutevar_ps(_mm256_setr_ps(0, 0.25f, -0.5f, -0.25f, 0, 0.25f, -0.5f, -0.25f), v_shr(a, n));
}

V_INLINE vm v_gt(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_GT_OQ); }
V_INLINE vm v_larger(vf a, vf b, vf *larger) {
  const vf of_a = v_abs(a), of_b = v_abs(b);
  *larger = v_max(of_a, of_b);
  return v_gt(of_a, of_b);
}
V_INLINE vm v_ge(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_GE_OQ); }
V_INLINE vm v_le(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
V_INLINE vm v_ordered(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_ORD_Q); }
V_INLINE vm v_lti(vi a, vi b) { return v_from_bits(_mm256_cmpgt_epi32(b, a)); }
V_INLINE vm v_eqi(vi a, vi b) { return v_from_bits(_mm256_cmpeq_epi32(a, b)); }
V_INLINE vm v_both(vm a, vm b) { return _mm256_and_ps(a, b); }
V_INLINE vm v_ordered3(vf a, vf b, vf c) { return v_both(v_ordered(a, b), v_ordered(c, c)); }
V_INLINE vm v_ordered4(vf a, vf b, vf c, vf d) { return v_both(v_ordered(a, b), v_ordered(c, d)); }
V_INLINE vm v_either(vm a, vm b) { return _mm256_or_ps(a, b); }
V_INLINE bool v_all(vm a) { return _mm256_movemask_ps(a) == 255; }
V_INLINE vi v_count(vm a, vm b, vm c) { /* true is -1 as an integer */
  return v_subi(v_subi(v_subi(v_seti(0), v_bits(a)), v_bits(b)), v_bits(c));
}
V_INLINE vi v_with_count(vi code, vm a, vm b, vm c, int n) {
  const vi count = v_count(a, b, c);
  return v_or(code, n > 0 ? v_shl(count, n) : count);
}
V_INLINE vf v_select(vm m, vf a, vf b) {
  vf selected;
  QUATSIMD_BLEND(ps, selected, m, a, b);
  return selected;
}
V_INLINE vi v_selecti(vm m, vi a, vi b) { return v_bits(v_select(m, v_from_bits(a), v_from_bits(b))); }
V_INLINE vf v_keep(vm m, vf a) { return _mm256_and_ps(m, a); }
V_INLINE vm v_top(vi a) { return v_from_bits(a); } /* blends test the top bit alone */
V_INLINE vm v_second(vi a) { return v_top(v_shl(a, 1)); }

V_INLINE vi v_halves(vf a, vf b) {
  const __m128i low = _mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC),
                high = _mm256_cvtps_ph(b, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi16(low, high)),
                                 _mm_unpackhi_epi16(low, high), 1);
}
V_INLINE vf v_from_half(vi h) {
  h = v_and(h, v_seti(0xffff)); /* without this, _mm_packus_epi32 would saturate */
  const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(h), _mm256_extracti128_si256(h, 1));
  return _mm256_cvtph_ps(packed);
}

V_INLINE vd d_load(const float *p) { return _mm256_cvtps_pd(_mm_loadu_ps(p)); }
V_INLINE void d_store(float *p, vd a) {
  const __m128 f = _mm256_cvtpd_ps(a), is = _mm_cmpord_ps(f, f),
               nan = _mm_castsi128_ps(_mm_set1_epi32(0x7fc00000));
  _mm_storeu_ps(p, _mm_blendv_ps(nan, f, is));
}
V_INLINE vdm d_gt(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_GT_OQ); }
V_INLINE vdm d_ge(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_GE_OQ); }
V_INLINE vdm d_eq(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
V_INLINE vdm d_top(vd a) { return a; }
V_INLINE vdm d_both(vdm a, vdm b) { return _mm256_and_pd(a, b); }
V_INLINE vdm d_either(vdm a, vdm b) { return _mm256_or_pd(a, b); }
V_INLINE bool d_any(vdm a) {
  const __m256i bits = _mm256_castpd_si256(a);
  return !_mm256_testz_si256(bits, bits);
}
V_INLINE vd d_select(vdm m, vd a, vd b) {
  vd selected;
  QUATSIMD_BLEND(pd, selected, m, a, b);
  return selected;
}

V_INLINE vq v_load_aos(const float *p) {
  return transpose(v_load(p), v_load(p + V_LANES), v_load(p + 2 * V_LANES), v_load(p + 3 * V_LANES));
}

V_INLINE vf load_two(const char *p, size_t stride) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps((const float *)p)),
                              _mm_loadu_ps((const float *)(p + stride)), 1);
}

V_INLINE void store_two(char *p, size_t stride, vf a) {
  _mm_storeu_ps((float *)p, _mm256_castps256_ps128(a));
  _mm_storeu_ps((float *)(p + stride), _mm256_extractf128_ps(a, 1));
}

V_INLINE vq v_load_strided(const float *p, size_t stride) {
  const char *c = (const char *)p;
  return transpose(load_two(c, stride), load_two(c + 2 * stride, stride), load_two(c + 4 * stride, stride),
                   load_two(c + 6 * stride, stride));
}

V_INLINE void v_store_strided(float *p, size_t stride, vq q) {
  char *c = (char *)p;
  q = transpose(q.x, q.y, q.z, q.w);
  store_two(c, stride, q.x);
  store_two(c + 2 * stride, stride, q.y);
  store_two(c + 4 * stride, stride, q.z);
  store_two(c + 6 * stride, stride, q.w);
}

#include "simd/vec/structs.inc.h"

/* Stores 32 bytes at a time. Storing 16 takes 1.7 times as long where the matrices do not fit the
 * second-level cache. For structs of 8 and 12 floats it makes no difference. */
V_INLINE void v_store_aos16(float *p, const vq q[4]) {
  QUATSIMD_UNROLL(2)
  for (int k = 0; k < 4; k += 2) {
    const vq first = transpose(q[k].x, q[k].y, q[k].z, q[k].w),
             last = transpose(q[k + 1].x, q[k + 1].y, q[k + 1].z, q[k + 1].w);
    const vf a[4] = {first.x, first.y, first.z, first.w}, b[4] = {last.x, last.y, last.z, last.w};
    QUATSIMD_UNROLL(4)
    for (int i = 0; i < 4; i++) {
      v_store(p + 32 * i + 4 * k, _mm256_permute2f128_ps(a[i], b[i], 0x20));
      v_store(p + 32 * i + 4 * k + 16, _mm256_permute2f128_ps(a[i], b[i], 0x31));
    }
  }
}

/* The floats of a component are 3 apart, so they are in different lanes of the three registers. every_third
 * blends them into one register. A permutation by the low three bits of each index then puts them in aos
 * order. */
V_INLINE vf every_third(vf a, vf b, vf c) { return _mm256_blend_ps(_mm256_blend_ps(a, b, 0x92), c, 0x24); }
V_INLINE vf third_to_aos_order(vf a, int first) {
  return _mm256_permutevar8x32_ps(
      a, _mm256_add_epi32(_mm256_setr_epi32(0, 6, 4, 2, 3, 1, 7, 5), _mm256_set1_epi32(first)));
}
V_INLINE vf third_from_aos_order(vf a, int first) {
  static const int32_t lane[10] = {1, 6, 0, 5, 3, 4, 2, 7, 1, 6};
  return _mm256_permutevar8x32_ps(a, _mm256_loadu_si256((const __m256i *)(const void *)(lane + 2 - first)));
}

V_INLINE v3 v_load_aos3(const float *p) {
  const vf a = v_load(p), b = v_load(p + 8), c = v_load(p + 16);
  return (v3){third_to_aos_order(every_third(a, b, c), 0), third_to_aos_order(every_third(c, a, b), 1),
              third_to_aos_order(every_third(b, c, a), 2)};
}

V_INLINE void v_store_aos3(float *p, v3 v) {
  const vf x = third_from_aos_order(v.x, 0), y = third_from_aos_order(v.y, 1),
           z = third_from_aos_order(v.z, 2);
  v_store(p, every_third(x, y, z));
  v_store(p + 8, every_third(z, x, y));
  v_store(p + 16, every_third(y, z, x));
}

V_INLINE vi v_to_aos_order(vi a) {
  return _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
}
V_INLINE vi v_from_aos_order(vi a) {
  return _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* Loads 16 bytes from p to the low half and 16 from q to the high half. */
V_INLINE vi load_halves(const unsigned char *p, const unsigned char *q) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p)),
                                 _mm_loadu_si128((const __m128i *)q), 1);
}

V_INLINE vi load_32_bytes(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }

V_INLINE vi v_gather(const unsigned char *p, size_t stride, size_t last) {
  return _mm256_setr_epi32(v_gathered(p, stride, last, 0), v_gathered(p, stride, last, 1),
                           v_gathered(p, stride, last, 2), v_gathered(p, stride, last, 3),
                           v_gathered(p, stride, last, 4), v_gathered(p, stride, last, 5),
                           v_gathered(p, stride, last, 6), v_gathered(p, stride, last, 7));
}

V_INLINE vcode v_load_u32(const unsigned char *p) { return (vcode){{load_32_bytes(p)}}; }
V_INLINE void v_store_u32(unsigned char *p, vcode c) { _mm256_storeu_si256((__m256i *)p, c.w[0]); }

/* Loads the twelve bytes of four elements to each half. */
V_INLINE vcode v_load_u24(const unsigned char *p) {
  return (vcode){{_mm256_shuffle_epi8(
      load_halves(p, p + 8), _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 4, 5, 6,
                                              -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1))}};
}

V_INLINE void v_store_u24(unsigned char *p, vcode c) {
  const vi squeezed = _mm256_shuffle_epi8(
      c.w[0],
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)));
  const vi all = _mm256_permutevar8x32_epi32(squeezed, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7));
  _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(all));
  _mm_storel_epi64((__m128i *)(p + 16), _mm256_extracti128_si256(all, 1));
}

V_INLINE vcode v_load_u48(const unsigned char *p) {
  const vi e0145 = _mm256_shuffle_epi8(
      load_halves(p, p + 24),
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 6, 7, 8, 9, 4, 5, -1, -1, 10, 11, -1, -1)));
  const vi e2367 = _mm256_shuffle_epi8(
      load_halves(p + 8, p + 32),
      _mm256_broadcastsi128_si256(_mm_setr_epi8(4, 5, 6, 7, 10, 11, 12, 13, 8, 9, -1, -1, 14, 15, -1, -1)));
  return (vcode){{_mm256_unpacklo_epi64(e0145, e2367), _mm256_unpackhi_epi64(e0145, e2367)}};
}

/* Stores the 24 bytes of the four elements in each half, as 16 and 8 bytes. */
V_INLINE void v_store_u48(unsigned char *p, vcode c) {
  const vi e0145 = _mm256_unpacklo_epi64(c.w[0], c.w[1]), e2367 = _mm256_unpackhi_epi64(c.w[0], c.w[1]);
  const vi first =
      v_or(_mm256_shuffle_epi8(e0145, _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 8, 9, 4, 5, 6, 7,
                                                                                12, 13, -1, -1, -1, -1))),
           _mm256_shuffle_epi8(e2367, _mm256_broadcastsi128_si256(_mm_setr_epi8(
                                          -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3))));
  const vi second = _mm256_shuffle_epi8(
      e2367,
      _mm256_broadcastsi128_si256(_mm_setr_epi8(8, 9, 4, 5, 6, 7, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1)));
  _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(first));
  _mm_storel_epi64((__m128i *)(p + 16), _mm256_castsi256_si128(second));
  _mm_storeu_si128((__m128i *)(p + 24), _mm256_extracti128_si256(first, 1));
  _mm_storel_epi64((__m128i *)(p + 40), _mm256_extracti128_si256(second, 1));
}

V_INLINE vcode v_load_u64(const unsigned char *p) {
  const vi e0145 = load_halves(p, p + 32), e2367 = load_halves(p + 16, p + 48);
  return (vcode){{even_words(e0145, e2367), odd_words(e0145, e2367)}};
}

V_INLINE void v_store_u64(unsigned char *p, vcode c) {
  const vi e0145 = _mm256_unpacklo_epi32(c.w[0], c.w[1]), e2367 = _mm256_unpackhi_epi32(c.w[0], c.w[1]);
  _mm256_storeu_si256((__m256i *)p, _mm256_permute2x128_si256(e0145, e2367, 0x20));
  _mm256_storeu_si256((__m256i *)(p + 32), _mm256_permute2x128_si256(e0145, e2367, 0x31));
}

V_INLINE vcode v_load_pairs(const unsigned char *p) {
  const vi a = load_32_bytes(p), b = load_32_bytes(p + 32);
  return (vcode){{even_words(a, b), odd_words(a, b)}};
}

V_INLINE void v_store_pairs(unsigned char *p, vcode c) {
  _mm256_storeu_si256((__m256i *)p, _mm256_unpacklo_epi32(c.w[0], c.w[1]));
  _mm256_storeu_si256((__m256i *)(p + 32), _mm256_unpackhi_epi32(c.w[0], c.w[1]));
}

V_INLINE void v_load_fields(const unsigned char *p, const bit_plan *plan, vcode f[1]) {
  const vi e0145 = load_halves(p, p + plan->pair_offset[2]);
  const vi e2367 = load_halves(p + plan->pair_offset[1], p + plan->pair_offset[3]);
  const vi cb0 = _mm256_sllv_epi32(_mm256_shuffle_epi8(e0145, load_32_bytes(plan->shuffle_cb[0])),
                                   load_32_bytes(plan->shift_cb[0]));
  const vi cb1 = _mm256_sllv_epi32(_mm256_shuffle_epi8(e2367, load_32_bytes(plan->shuffle_cb[2])),
                                   load_32_bytes(plan->shift_cb[2]));
  const vi al0 = _mm256_sllv_epi32(_mm256_shuffle_epi8(e0145, load_32_bytes(plan->shuffle_al[0])),
                                   load_32_bytes(plan->shift_al[0]));
  const vi al1 = _mm256_sllv_epi32(_mm256_shuffle_epi8(e2367, load_32_bytes(plan->shuffle_al[2])),
                                   load_32_bytes(plan->shift_al[2]));
  f[0] = (vcode){{even_words(cb0, cb1), odd_words(cb0, cb1), even_words(al0, al1), odd_words(al0, al1)}};
}

V_INLINE void v_store_bits(unsigned char *p, const bit_plan *plan, const vcode c[1]) {
  const vi e0145 = _mm256_unpacklo_epi32(c[0].w[0], c[0].w[1]),
           e2367 = _mm256_unpackhi_epi32(c[0].w[0], c[0].w[1]);
  const __m256d a = _mm256_castsi256_pd(e0145), b = _mm256_castsi256_pd(e2367);
  const vi e1256 = _mm256_castpd_si256(_mm256_shuffle_pd(a, b, 5));
  /* no element precedes element 0: element 7 takes that place, and the right shift by n bits makes it 0 */
  const vi e7034 = _mm256_castpd_si256(_mm256_shuffle_pd(_mm256_permute2f128_pd(b, b, 1), a, 5));
  const vi s0145 = v_or(_mm256_sllv_epi64(e0145, load_32_bytes(plan->shift_up[0])),
                        _mm256_srlv_epi64(e7034, load_32_bytes(plan->shift_carry[0])));
  const vi s2367 = v_or(_mm256_sllv_epi64(e2367, load_32_bytes(plan->shift_up[2])),
                        _mm256_srlv_epi64(e1256, load_32_bytes(plan->shift_carry[2])));
  store_pair(p, plan, 0, _mm256_castsi256_si128(s0145));
  store_pair(p, plan, 2, _mm256_castsi256_si128(s2367));
  store_pair(p, plan, 4, _mm256_extracti128_si256(s0145, 1));
  store_pair(p, plan, 6, _mm256_extracti128_si256(s2367, 1));
}

#endif
