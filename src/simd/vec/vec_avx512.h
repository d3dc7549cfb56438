/* The vector layer of AVX-512 F, BW, DQ and VL. Contract: vec.h. */
#ifndef QUATSIMD_SIMD_VEC_AVX512_H
#define QUATSIMD_SIMD_VEC_AVX512_H

#ifdef QUATSIMD_SIMDE
#include "simde_avx512.h" /* tests compile this header with SIMDe, for machines without AVX-512 */
#else
#include "core/intrinsics.h"
#endif

#include "simd/bit_plan.h"
#include "simd/vec/vec.h"

#define V_LANES 16
#define V_GROUP 16
#define D_LANES 8
#define V_SLOW_ALL 0
typedef __m512 vf;
typedef __m512i vi;
typedef __mmask16 vm;
typedef __m512d vd;
typedef __mmask8 vdm;
V_DERIVED_TYPES

V_INLINE vf v_from_bits(vi a) { return _mm512_castsi512_ps(a); }
#define X(name) _mm512_##name
#define XI(name) _mm512_##name##_si512
#include "simd/vec/x86.inc.h"
#include "simd/vec/wide.inc.h"

V_INLINE vi v_shl(vi a, int n) { return _mm512_slli_epi32(a, (unsigned)n); }
V_INLINE vi v_shr(vi a, int n) { return _mm512_srli_epi32(a, (unsigned)n); }
V_INLINE vi v_sar(vi a, int n) { return _mm512_srai_epi32(a, (unsigned)n); }
V_INLINE vf v_abs(vf a) { return v_from_bits(v_and(v_bits(a), v_seti(0x7fffffff))); }
/* The last argument of _mm512_ternarylogic_epi32 is the result for A = 0xf0, B = 0xcc and C = 0xaa. */
V_INLINE vf v_flip(vf a, vf b) { /* A ^ (B & C) */
  return v_from_bits(
      _mm512_ternarylogic_epi32(v_bits(a), v_bits(b), v_seti((int32_t)0x80000000), 0xf0 ^ (0xcc & 0xaa)));
}
V_INLINE vi v_join(vi low, vi high, int n) { /* C ? A : B */
  return _mm512_ternarylogic_epi32(low, v_shl(high, n), v_seti((int32_t)((1u << n) - 1)),
                                   (0xaa & 0xf0) | (0x55 & 0xcc));
}

V_INLINE vi v_round(vf a) { return _mm512_cvtps_epi32(a); }
V_INLINE vf v_rint(vf a) { return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
V_INLINE vf v_quarters(vi a, int n) { /* the low two bits of a lane select from the table */
  return _mm512_permutevar_ps(_mm512_broadcast_f32x4(_mm_setr_ps(0, 0.25f, -0.5f, -0.25f)), v_shr(a, n));
}

V_INLINE vm v_gt(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
V_INLINE vm v_larger(vf a, vf b, vf *larger) {
  *larger = _mm512_range_ps(a, b, 0xb); /* the larger magnitude, with a sign bit of 0 */
  return v_gt(*larger, v_abs(b));
}
V_INLINE vm v_ge(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
V_INLINE vm v_le(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
V_INLINE vm v_ordered(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_ORD_Q); }
V_INLINE vm v_lti(vi a, vi b) { return _mm512_cmpgt_epi32_mask(b, a); }
V_INLINE vm v_eqi(vi a, vi b) { return _mm512_cmpeq_epi32_mask(a, b); }
V_INLINE vm v_both(vm a, vm b) { return (vm)(a & b); }
V_INLINE vm v_ordered3(vf a, vf b, vf c) { return v_both(v_ordered(a, b), v_ordered(c, c)); }
V_INLINE vm v_ordered4(vf a, vf b, vf c, vf d) { return v_both(v_ordered(a, b), v_ordered(c, d)); }
V_INLINE vm v_either(vm a, vm b) { return (vm)(a | b); }
V_INLINE bool v_all(vm a) { return a == 0xffff; }
V_INLINE vi v_count(vm a, vm b, vm c) {
  const vi one = v_seti(1);
  vi count = _mm512_maskz_mov_epi32(a, one);
  count = _mm512_mask_add_epi32(count, b, count, one);
  return _mm512_mask_add_epi32(count, c, count, one);
}
V_INLINE vi v_with_count(vi code, vm a, vm b, vm c, int n) {
  const vi one = v_seti((int32_t)(1u << n));
  code = _mm512_mask_add_epi32(code, a, code, one);
  code = _mm512_mask_add_epi32(code, b, code, one);
  return _mm512_mask_add_epi32(code, c, code, one);
}
V_INLINE vf v_select(vm m, vf a, vf b) { return _mm512_mask_blend_ps(m, b, a); }
V_INLINE vi v_selecti(vm m, vi a, vi b) { return _mm512_mask_blend_epi32(m, b, a); }
V_INLINE vf v_keep(vm m, vf a) { return _mm512_maskz_mov_ps(m, a); }
V_INLINE vm v_top(vi a) { return _mm512_movepi32_mask(a); }
V_INLINE vm v_second(vi a) { return _mm512_test_epi32_mask(a, v_seti(0x40000000)); }

V_INLINE vi v_halves(vf a, vf b) { /* the permutation numbers the halves of b from 32 on */
  static const uint16_t pairs[32] = {0, 32, 1, 33, 2,  34, 3,  35, 4,  36, 5,  37, 6,  38, 7,  39,
                                     8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47};
  const __m256i low = _mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC),
                high = _mm512_cvtps_ph(b, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  return _mm512_permutex2var_epi16(_mm512_castsi256_si512(low), _mm512_loadu_si512(pairs),
                                   _mm512_castsi256_si512(high));
}
V_INLINE vf v_from_half(vi h) { return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(h)); }

V_INLINE vd d_load(const float *p) { return _mm512_cvtps_pd(_mm256_loadu_ps(p)); }
V_INLINE void d_store(float *p, vd a) {
  const __m256 f = _mm512_cvtpd_ps(a);
  const __mmask8 is = _mm256_cmp_ps_mask(f, f, _CMP_ORD_Q);
  _mm256_storeu_ps(p, _mm256_mask_blend_ps(is, _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000)), f));
}
V_INLINE vdm d_gt(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
V_INLINE vdm d_ge(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ); }
V_INLINE vdm d_eq(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
V_INLINE vdm d_top(vd a) { return _mm512_movepi64_mask(_mm512_castpd_si512(a)); }
V_INLINE vdm d_both(vdm a, vdm b) { return (vdm)(a & b); }
V_INLINE vdm d_either(vdm a, vdm b) { return (vdm)(a | b); }
V_INLINE bool d_any(vdm a) { return a != 0; }
V_INLINE vd d_select(vdm m, vd a, vd b) { return _mm512_mask_blend_pd(m, b, a); }

/* Without the prefetch, arrays of structs that do not fit the second-level cache take 1.2 to 2.4 times as
 * long on Zen 5. */
V_INLINE vf load_ahead(const float *p) {
  QUATSIMD_PREFETCH_AHEAD(p);
  return v_load(p);
}
V_INLINE vq v_load_aos(const float *p) {
  return transpose(load_ahead(p), load_ahead(p + 16), load_ahead(p + 32), load_ahead(p + 48));
}

V_INLINE __m128i load_16_bytes(const void *p) { return _mm_loadu_si128((const __m128i *)p); }

V_INLINE vi join(__m128i a, __m128i b, __m128i c, __m128i d) {
  const vi ab = _mm512_inserti32x4(_mm512_castsi128_si512(a), b, 1);
  return _mm512_inserti32x4(_mm512_inserti32x4(ab, c, 2), d, 3);
}

V_INLINE vf load_four(const char *p, size_t stride) {
  return v_from_bits(join(load_16_bytes(p), load_16_bytes(p + stride), load_16_bytes(p + 2 * stride),
                          load_16_bytes(p + 3 * stride)));
}

V_INLINE void store_four(char *p, size_t stride, vf a) {
  _mm_storeu_ps((float *)(void *)p, _mm512_castps512_ps128(a));
  _mm_storeu_ps((float *)(void *)(p + stride), _mm512_extractf32x4_ps(a, 1));
  _mm_storeu_ps((float *)(void *)(p + 2 * stride), _mm512_extractf32x4_ps(a, 2));
  _mm_storeu_ps((float *)(void *)(p + 3 * stride), _mm512_extractf32x4_ps(a, 3));
}

V_INLINE vq v_load_strided(const float *p, size_t stride) {
  const char *c = (const char *)p;
  return transpose(load_four(c, stride), load_four(c + 4 * stride, stride), load_four(c + 8 * stride, stride),
                   load_four(c + 12 * stride, stride));
}

V_INLINE void v_store_strided(float *p, size_t stride, vq q) {
  char *c = (char *)p;
  q = transpose(q.x, q.y, q.z, q.w);
  store_four(c, stride, q.x);
  store_four(c + 4 * stride, stride, q.y);
  store_four(c + 8 * stride, stride, q.z);
  store_four(c + 12 * stride, stride, q.w);
}

/* Structs of eight floats and more move as whole registers, their quarters shuffled. */
V_INLINE void v_load_aos8(const float *p, vq q[2]) {
  vf even[4], odd[4];
  QUATSIMD_UNROLL(4)
  for (int i = 0; i < 4; i++) {
    const vf low = load_ahead(p + 32 * i), high = load_ahead(p + 32 * i + 16);
    even[i] = _mm512_shuffle_f32x4(low, high, 0x88), odd[i] = _mm512_shuffle_f32x4(low, high, 0xdd);
  }
  q[0] = transpose(even[0], even[1], even[2], even[3]), q[1] = transpose(odd[0], odd[1], odd[2], odd[3]);
}

V_INLINE void v_store_aos8(float *p, const vq q[2]) {
  const vq even = transpose(q[0].x, q[0].y, q[0].z, q[0].w), odd = transpose(q[1].x, q[1].y, q[1].z, q[1].w);
  const vf a[4] = {even.x, even.y, even.z, even.w}, b[4] = {odd.x, odd.y, odd.z, odd.w};
  const vi low = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
  QUATSIMD_UNROLL(4)
  for (int i = 0; i < 4; i++) {
    v_store(p + 32 * i, _mm512_permutex2var_ps(a[i], low, b[i]));
    v_store(p + 32 * i + 16, _mm512_permutex2var_ps(a[i], v_addi(low, v_seti(8)), b[i]));
  }
}

/* Four structs are a0 b0 c0 a1, b1 c1 a2 b2 and c2 a3 b3 c3, where a0 is quarter 0 of a. */
V_INLINE void v_store_aos12(float *p, const vq q[3]) {
  const vq first = transpose(q[0].x, q[0].y, q[0].z, q[0].w),
           next = transpose(q[1].x, q[1].y, q[1].z, q[1].w), last = transpose(q[2].x, q[2].y, q[2].z, q[2].w);
  const vf a[4] = {first.x, first.y, first.z, first.w}, b[4] = {next.x, next.y, next.z, next.w},
           c[4] = {last.x, last.y, last.z, last.w};
  const vi front = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 0, 0, 0, 0, 4, 5, 6, 7);
  const vi middle = _mm512_setr_epi32(20, 21, 22, 23, 0, 0, 0, 0, 8, 9, 10, 11, 24, 25, 26, 27);
  const vi back = _mm512_setr_epi32(0, 0, 0, 0, 12, 13, 14, 15, 28, 29, 30, 31, 0, 0, 0, 0);
  QUATSIMD_UNROLL(4)
  for (int i = 0; i < 4; i++) {
    const vf c_front = _mm512_permutex2var_ps(a[i], front, b[i]),
             c_middle = _mm512_permutex2var_ps(a[i], middle, b[i]),
             c_back = _mm512_permutex2var_ps(a[i], back, b[i]);
    v_store(p + 48 * i, _mm512_mask_shuffle_f32x4(c_front, 0x0f00, c[i], c[i], 0x00));
    v_store(p + 48 * i + 16, _mm512_mask_shuffle_f32x4(c_middle, 0x00f0, c[i], c[i], 0x04));
    v_store(p + 48 * i + 32, _mm512_mask_shuffle_f32x4(c_back, 0xf00f, c[i], c[i], 0xc2));
  }
}

V_INLINE void v_store_aos16(float *p, const vq q[4]) {
  const vq first = transpose(q[0].x, q[0].y, q[0].z, q[0].w),
           second = transpose(q[1].x, q[1].y, q[1].z, q[1].w),
           third = transpose(q[2].x, q[2].y, q[2].z, q[2].w),
           last = transpose(q[3].x, q[3].y, q[3].z, q[3].w);
  const vf a[4] = {first.x, first.y, first.z, first.w}, b[4] = {second.x, second.y, second.z, second.w},
           c[4] = {third.x, third.y, third.z, third.w}, d[4] = {last.x, last.y, last.z, last.w};
  QUATSIMD_UNROLL(4)
  for (int i = 0; i < 4; i++) {
    const vf ab_low = _mm512_shuffle_f32x4(a[i], b[i], 0x44),
             ab_high = _mm512_shuffle_f32x4(a[i], b[i], 0xee),
             cd_low = _mm512_shuffle_f32x4(c[i], d[i], 0x44),
             cd_high = _mm512_shuffle_f32x4(c[i], d[i], 0xee);
    v_store(p + 64 * i, _mm512_shuffle_f32x4(ab_low, cd_low, 0x88));
    v_store(p + 64 * i + 16, _mm512_shuffle_f32x4(ab_low, cd_low, 0xdd));
    v_store(p + 64 * i + 32, _mm512_shuffle_f32x4(ab_high, cd_high, 0x88));
    v_store(p + 64 * i + 48, _mm512_shuffle_f32x4(ab_high, cd_high, 0xdd));
  }
}

/* This permutation is its own inverse. */
V_INLINE vi v_to_aos_order(vi a) {
  return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), a);
}
V_INLINE vi v_from_aos_order(vi a) { return v_to_aos_order(a); }

/* The floats of a component are 3 apart, so they are in different lanes of the three registers. every_third
 * blends them into one register. A permutation by the low four bits of each index then puts them in aos
 * order. */
V_INLINE vf every_third(vf a, vf b, vf c) {
  return _mm512_mask_blend_ps(0x4924, _mm512_mask_blend_ps(0x2492, a, b), c);
}
V_INLINE vf third_to_aos_order(vf a, int first) {
  const vi lane = _mm512_setr_epi32(0, 12, 8, 4, 3, 15, 11, 7, 6, 2, 14, 10, 9, 5, 1, 13);
  return _mm512_permutexvar_ps(_mm512_add_epi32(lane, _mm512_set1_epi32(first)), a);
}
V_INLINE vf third_from_aos_order(vf a, int first) {
  static const int32_t lane[18] = {10, 5, 0, 14, 9, 4, 3, 13, 8, 7, 2, 12, 11, 6, 1, 15, 10, 5};
  return _mm512_permutexvar_ps(_mm512_loadu_si512(lane + 2 - first), a);
}

V_INLINE v3 v_load_aos3(const float *p) {
  const vf a = v_load(p), b = v_load(p + 16), c = v_load(p + 32);
  return (v3){third_to_aos_order(every_third(a, c, b), 0), third_to_aos_order(every_third(b, a, c), 1),
              third_to_aos_order(every_third(c, b, a), 2)};
}

V_INLINE void v_store_aos3(float *p, v3 v) {
  const vf x = third_from_aos_order(v.x, 0), y = third_from_aos_order(v.y, 1),
           z = third_from_aos_order(v.z, 2);
  v_store(p, every_third(x, y, z));
  v_store(p + 16, every_third(y, z, x));
  v_store(p + 32, every_third(z, x, y));
}

V_INLINE vi load_64_bytes(const void *p) { return _mm512_loadu_si512(p); }
V_INLINE vi load_32_bytes(const void *p) {
  return _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)p));
}

V_INLINE vi v_gather(const unsigned char *p, size_t stride, size_t last) {
  return _mm512_setr_epi32(
      v_gathered(p, stride, last, 0), v_gathered(p, stride, last, 1), v_gathered(p, stride, last, 2),
      v_gathered(p, stride, last, 3), v_gathered(p, stride, last, 4), v_gathered(p, stride, last, 5),
      v_gathered(p, stride, last, 6), v_gathered(p, stride, last, 7), v_gathered(p, stride, last, 8),
      v_gathered(p, stride, last, 9), v_gathered(p, stride, last, 10), v_gathered(p, stride, last, 11),
      v_gathered(p, stride, last, 12), v_gathered(p, stride, last, 13), v_gathered(p, stride, last, 14),
      v_gathered(p, stride, last, 15));
}

V_INLINE vcode v_load_u32(const unsigned char *p) { return (vcode){{load_64_bytes(p)}}; }
V_INLINE void v_store_u32(unsigned char *p, vcode c) { _mm512_storeu_si512(p, c.w[0]); }

/* Loads the twelve bytes of four elements to each quarter. */
V_INLINE vcode v_load_u24(const unsigned char *p) {
  static const uint8_t spread[16] = {0, 1, 2, 99, 3, 4, 5, 99, 6, 7, 8, 99, 9, 10, 11, 99};
  const vi front = load_32_bytes(p), back = load_32_bytes(p + 16); /* 32-bit words 0 to 7 and 4 to 11 of p */
  const vi quarters = _mm512_permutex2var_epi32(
      front, _mm512_setr_epi32(0, 1, 2, 0, 3, 4, 5, 0, 6, 7, 20, 0, 21, 22, 23, 0), back);
  return (vcode){{v_and(_mm512_shuffle_epi8(quarters, _mm512_broadcast_i32x4(load_16_bytes(spread))),
                        v_seti(0xffffff))}};
}

V_INLINE void v_store_u24(unsigned char *p, vcode c) {
  static const uint8_t squeeze[16] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15};
  const vi quarters = _mm512_shuffle_epi8(c.w[0], _mm512_broadcast_i32x4(load_16_bytes(squeeze)));
  const vi all = _mm512_permutexvar_epi32(
      _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15), quarters);
  _mm256_storeu_si256((__m256i *)(void *)p, _mm512_castsi512_si256(all));
  _mm_storeu_si128((__m128i *)(void *)(p + 32), _mm512_extracti32x4_epi32(all, 2));
}

/* Loads elements of three 16-bit words. The second load ends where the array may end; its first 16 words
 * overlap the first load. The permutations number the words of the second load from 32 on. */
V_INLINE vcode v_load_u48(const unsigned char *p) {
  static const uint16_t low[32] = {0,  1,  3,  4,  6,  7,  9,  10, 12, 13, 15, 16, 18, 19, 21, 22,
                                   24, 25, 27, 28, 30, 31, 49, 50, 52, 53, 55, 56, 58, 59, 61, 62};
  static const uint16_t high[32] = {2,  0, 5,  0, 8,  0, 11, 0, 14, 0, 17, 0, 20, 0, 23, 0,
                                    26, 0, 29, 0, 48, 0, 51, 0, 54, 0, 57, 0, 60, 0, 63, 0};
  const vi a = load_64_bytes(p), b = load_64_bytes(p + 32);
  return (vcode){{_mm512_permutex2var_epi16(a, load_64_bytes(low), b),
                  v_and(_mm512_permutex2var_epi16(a, load_64_bytes(high), b), v_seti(0xffff))}};
}

V_INLINE void v_store_u48(unsigned char *p, vcode c) {
  /* element i is the 16-bit words 2i and 2i + 1 of c.w[0], and word 2i of c.w[1], which has number 32 + 2i */
  static const uint16_t first[32] = {0,  1,  32, 2,  3,  34, 4,  5,  36, 6,  7,  38, 8,  9,  40, 10,
                                     11, 42, 12, 13, 44, 14, 15, 46, 16, 17, 48, 18, 19, 50, 20, 21};
  static const uint16_t second[32] = {52, 22, 23, 54, 24, 25, 56, 26, 27, 58, 28, 29, 60, 30, 31, 62,
                                      0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0};
  _mm512_storeu_si512(p, _mm512_permutex2var_epi16(c.w[0], load_64_bytes(first), c.w[1]));
  _mm256_storeu_si256((__m256i *)(void *)(p + 64), _mm512_castsi512_si256(_mm512_permutex2var_epi16(
                                                       c.w[0], load_64_bytes(second), c.w[1])));
}

V_INLINE vcode v_load_u64(const unsigned char *p) {
  const vi a = load_64_bytes(p), b = load_64_bytes(p + 64);
  return (vcode){{_mm512_permutex2var_epi32(
                      a, _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), b),
                  _mm512_permutex2var_epi32(
                      a, _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31), b)}};
}

V_INLINE void v_store_u64(unsigned char *p, vcode c) {
  const vi low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  _mm512_storeu_si512(p, _mm512_permutex2var_epi32(c.w[0], low, c.w[1]));
  _mm512_storeu_si512(p + 64, _mm512_permutex2var_epi32(c.w[0], v_addi(low, v_seti(8)), c.w[1]));
}

/* Loads two rows of a plan, once for each group of eight. */
V_INLINE vi two_rows(const void *row) {
  return _mm512_shuffle_i64x2(load_32_bytes(row), load_32_bytes(row), 0x44);
}

V_INLINE vi windows(vi pairs, const uint8_t (*shuffle)[16], const uint32_t (*shift)[4]) {
  return _mm512_sllv_epi32(_mm512_shuffle_epi8(pairs, two_rows(shuffle)), two_rows(shift));
}

V_INLINE vcode v_load_pairs(const unsigned char *p) { return v_load_u64(p); }
V_INLINE void v_store_pairs(unsigned char *p, vcode c) { v_store_u64(p, c); }

V_INLINE void v_load_fields(const unsigned char *p, const bit_plan *plan, vcode f[1]) {
  const unsigned char *p2 = p + plan->bytes;
  const uint8_t *at = plan->pair_offset;
  const vi e0145 =
      join(load_16_bytes(p), load_16_bytes(p + at[2]), load_16_bytes(p2), load_16_bytes(p2 + at[2]));
  const vi e2367 = join(load_16_bytes(p + at[1]), load_16_bytes(p + at[3]), load_16_bytes(p2 + at[1]),
                        load_16_bytes(p2 + at[3]));
  const vi cb0 = windows(e0145, plan->shuffle_cb, plan->shift_cb),
           cb1 = windows(e2367, plan->shuffle_cb + 2, plan->shift_cb + 2);
  const vi al0 = windows(e0145, plan->shuffle_al, plan->shift_al),
           al1 = windows(e2367, plan->shuffle_al + 2, plan->shift_al + 2);
  f[0] = (vcode){{even_words(cb0, cb1), odd_words(cb0, cb1), even_words(al0, al1), odd_words(al0, al1)}};
}

V_INLINE void v_store_bits(unsigned char *p, const bit_plan *plan, const vcode c[1]) {
  const vi e0145 = _mm512_unpacklo_epi32(c[0].w[0], c[0].w[1]),
           e2367 = _mm512_unpackhi_epi32(c[0].w[0], c[0].w[1]);
  const __m512d a = _mm512_castsi512_pd(e0145), b = _mm512_castsi512_pd(e2367);
  const vi e1256 = _mm512_castpd_si512(_mm512_shuffle_pd(a, b, 0x55));
  /* elements 15 and 7 take the places before elements 0 and 8, and the right shift by n bits makes them 0 */
  const vi e7034 = _mm512_castpd_si512(_mm512_shuffle_pd(_mm512_shuffle_f64x2(b, b, 0x93), a, 0x55));
  const vi s0145 = v_or(_mm512_sllv_epi64(e0145, two_rows(plan->shift_up)),
                        _mm512_srlv_epi64(e7034, two_rows(plan->shift_carry)));
  const vi s2367 = v_or(_mm512_sllv_epi64(e2367, two_rows(plan->shift_up + 2)),
                        _mm512_srlv_epi64(e1256, two_rows(plan->shift_carry + 2)));
  store_pair(p, plan, 0, _mm512_castsi512_si128(s0145));
  store_pair(p, plan, 2, _mm512_castsi512_si128(s2367));
  store_pair(p, plan, 4, _mm512_extracti32x4_epi32(s0145, 1));
  store_pair(p, plan, 6, _mm512_extracti32x4_epi32(s2367, 1));
  p += plan->bytes;
  store_pair(p, plan, 0, _mm512_extracti32x4_epi32(s0145, 2));
  store_pair(p, plan, 2, _mm512_extracti32x4_epi32(s2367, 2));
  store_pair(p, plan, 4, _mm512_extracti32x4_epi32(s0145, 3));
  store_pair(p, plan, 6, _mm512_extracti32x4_epi32(s2367, 3));
}

#endif
