/* The intrinsics that vec_sse2.h and vec_clip_sse2.h use, for machines with neither SSE2 nor NEON. In
 * WebAssembly each is an intrinsic of WebAssembly. Elsewhere they are written lane by lane, and compilers
 * make vector instructions of them. Each does what Intel's intrinsic of its name does, but a conversion of a
 * number out of the range of int32_t gives any integer. */
#ifndef QUATSIMD_SIMD_SSE2_ANYWHERE_H
#define QUATSIMD_SIMD_SSE2_ANYWHERE_H

#include "core/isas.h"
#if defined QUATSIMD_HAS_SIMD128 || defined QUATSIMD_SSE2_ANYWHERE

#include <stdint.h>
#include <string.h>

#include "core/arithmetic.h"

#define ANYWHERE QUATSIMD_INLINE

/* Define a function of one or of two vectors. In WebAssembly it is the intrinsic `instruction`. Elsewhere the
 * last argument changes lane i of `a`, for i from 0 to `lanes` - 1, and the function returns `a`. */
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
typedef v128_t __m128, __m128i, __m128d;
#define ONE(name, instruction, lanes, ...)                                                                   \
  ANYWHERE __m128 name(__m128 a) { return instruction(a); }
#define TWO(name, instruction, lanes, ...)                                                                   \
  ANYWHERE __m128 name(__m128 a, __m128 b) { return instruction(a, b); }
#else
typedef union quatsimd_lanes {
  float f[4];
  double d[2];
  uint8_t b[16];
  int16_t s[8];
  int32_t i[4];
  uint32_t u[4];
  uint64_t l[2];
} __m128, __m128i, __m128d;
#define ONE(name, instruction, lanes, ...)                                                                   \
  ANYWHERE __m128 name(__m128 a) {                                                                           \
    for (int i = 0; i < lanes; i++) __VA_ARGS__;                                                             \
    return a;                                                                                                \
  }
#define TWO(name, instruction, lanes, ...)                                                                   \
  ANYWHERE __m128 name(__m128 a, __m128 b) {                                                                 \
    for (int i = 0; i < lanes; i++) __VA_ARGS__;                                                             \
    return a;                                                                                                \
  }
#endif

TWO(_mm_add_ps, wasm_f32x4_add, 4, a.f[i] = a.f[i] + b.f[i])
TWO(_mm_sub_ps, wasm_f32x4_sub, 4, a.f[i] = a.f[i] - b.f[i])
TWO(_mm_mul_ps, wasm_f32x4_mul, 4, a.f[i] = a.f[i] * b.f[i])
TWO(_mm_div_ps, wasm_f32x4_div, 4, a.f[i] = a.f[i] / b.f[i])
ONE(_mm_sqrt_ps, wasm_f32x4_sqrt, 4, a.f[i] = quatsimd_sqrtf(a.f[i]))
/* The maximum and the minimum are b where a equals b, and where one is NaN. */
#define ANY_MAX(a, b) wasm_f32x4_pmax(b, a)
#define ANY_MIN(a, b) wasm_f32x4_pmin(b, a)
TWO(_mm_max_ps, ANY_MAX, 4, a.f[i] = a.f[i] > b.f[i] ? a.f[i] : b.f[i])
TWO(_mm_min_ps, ANY_MIN, 4, a.f[i] = a.f[i] < b.f[i] ? a.f[i] : b.f[i])

TWO(_mm_add_pd, wasm_f64x2_add, 2, a.d[i] = a.d[i] + b.d[i])
TWO(_mm_sub_pd, wasm_f64x2_sub, 2, a.d[i] = a.d[i] - b.d[i])
TWO(_mm_mul_pd, wasm_f64x2_mul, 2, a.d[i] = a.d[i] * b.d[i])
TWO(_mm_div_pd, wasm_f64x2_div, 2, a.d[i] = a.d[i] / b.d[i])
ONE(_mm_sqrt_pd, wasm_f64x2_sqrt, 2, a.d[i] = quatsimd_sqrt(a.d[i]))

TWO(_mm_and_si128, wasm_v128_and, 2, a.l[i] = a.l[i] & b.l[i])
TWO(_mm_or_si128, wasm_v128_or, 2, a.l[i] = a.l[i] | b.l[i])
TWO(_mm_xor_si128, wasm_v128_xor, 2, a.l[i] = a.l[i] ^ b.l[i])
#define ANY_ANDNOT(a, b) wasm_v128_andnot(b, a)
TWO(_mm_andnot_si128, ANY_ANDNOT, 2, a.l[i] = ~a.l[i] & b.l[i])
#define _mm_and_ps _mm_and_si128
#define _mm_or_ps _mm_or_si128
#define _mm_andnot_ps _mm_andnot_si128

TWO(_mm_add_epi32, wasm_i32x4_add, 4, a.u[i] = a.u[i] + b.u[i])
TWO(_mm_sub_epi32, wasm_i32x4_sub, 4, a.u[i] = a.u[i] - b.u[i])
/* Each lane becomes the product of the low shorts of a and b plus the product of their high shorts. */
TWO(_mm_madd_epi16, wasm_i32x4_dot_i16x8, 4,
    a.u[i] = (uint32_t)((int16_t)a.u[i] * (int16_t)b.u[i]) + (uint32_t)((a.i[i] >> 16) * (b.i[i] >> 16)))
ONE(_mm_cvtepi32_ps, wasm_f32x4_convert_i32x4, 4, a.f[i] = (float)a.i[i])
ONE(_mm_cvttps_epi32, wasm_i32x4_trunc_sat_f32x4, 4,
    a.i[i] = a.f[i] >= -0x1p31f && a.f[i] < 0x1p31f ? (int32_t)a.f[i] : INT32_MIN)

#define ANY_MASK(truth) ((truth) ? UINT32_MAX : 0)
#define ANY_MASK64(truth) ((truth) ? UINT64_MAX : 0)
TWO(_mm_cmpgt_ps, wasm_f32x4_gt, 4, a.u[i] = ANY_MASK(a.f[i] > b.f[i]))
TWO(_mm_cmpge_ps, wasm_f32x4_ge, 4, a.u[i] = ANY_MASK(a.f[i] >= b.f[i]))
TWO(_mm_cmple_ps, wasm_f32x4_le, 4, a.u[i] = ANY_MASK(a.f[i] <= b.f[i]))
TWO(_mm_cmplt_ps, wasm_f32x4_lt, 4, a.u[i] = ANY_MASK(a.f[i] < b.f[i]))
#define ANY_ORDERED(a, b) wasm_v128_and(wasm_f32x4_eq(a, a), wasm_f32x4_eq(b, b))
TWO(_mm_cmpord_ps, ANY_ORDERED, 4, a.u[i] = ANY_MASK(a.f[i] == a.f[i] && b.f[i] == b.f[i]))
TWO(_mm_cmpgt_pd, wasm_f64x2_gt, 2, a.l[i] = ANY_MASK64(a.d[i] > b.d[i]))
TWO(_mm_cmpge_pd, wasm_f64x2_ge, 2, a.l[i] = ANY_MASK64(a.d[i] >= b.d[i]))
TWO(_mm_cmpeq_pd, wasm_f64x2_eq, 2, a.l[i] = ANY_MASK64(a.d[i] == b.d[i]))
TWO(_mm_cmplt_epi32, wasm_i32x4_lt, 4, a.u[i] = ANY_MASK(a.i[i] < b.i[i]))
TWO(_mm_cmpeq_epi32, wasm_i32x4_eq, 4, a.u[i] = ANY_MASK(a.i[i] == b.i[i]))

/* From SSSE3 and SSE4.1, for clips. Unlike there, an index of _mm_shuffle_epi8 above 15 makes a byte 0, and
 * in WebAssembly _mm_mulhrs_epi16 of two -32768 gives 32767: clips have neither. */
TWO(_mm_mullo_epi16, wasm_i16x8_mul, 8, a.s[i] = (int16_t)(a.s[i] * b.s[i]))
TWO(_mm_mulhrs_epi16, wasm_i16x8_q15mulr_sat, 8, a.s[i] = (int16_t)((a.s[i] * b.s[i] + 0x4000) >> 15))
TWO(_mm_mullo_epi32, wasm_i32x4_mul, 4, a.u[i] = a.u[i] * b.u[i])

ANYWHERE __m128 _mm_castps_si128(__m128 a) { return a; }
ANYWHERE __m128 _mm_castsi128_ps(__m128 a) { return a; }
ANYWHERE __m128 _mm_castpd_si128(__m128 a) { return a; }
ANYWHERE __m128 _mm_castsi128_pd(__m128 a) { return a; }
ANYWHERE __m128 _mm_loadu_si128(const void *p) {
  __m128 a;
  memcpy(&a, p, sizeof a);
  return a;
}
ANYWHERE void _mm_storeu_si128(void *p, __m128 a) { memcpy(p, &a, sizeof a); }
ANYWHERE __m128 _mm_loadu_ps(const float *p) { return _mm_loadu_si128(p); }
ANYWHERE void _mm_storeu_ps(float *p, __m128 a) { _mm_storeu_si128(p, a); }

#ifdef __wasm_simd128__
#define _mm_set1_ps wasm_f32x4_splat
#define _mm_set1_pd wasm_f64x2_splat
#define _mm_set1_epi32 wasm_i32x4_splat
#define _mm_setr_epi32 wasm_i32x4_make
#define _mm_loadl_epi64 wasm_v128_load64_zero
ANYWHERE void _mm_storel_epi64(void *p, __m128 a) { wasm_v128_store64_lane(p, a, 0); }
#define _mm_movemask_ps(a) ((int)wasm_i32x4_bitmask(a))
#define _mm_movemask_pd(a) ((int)wasm_i64x2_bitmask(a))
#define _mm_shuffle_epi8 wasm_i8x16_swizzle
#define _mm_cvtps_pd wasm_f64x2_promote_low_f32x4
#define _mm_cvtpd_ps wasm_f32x4_demote_f64x2_zero

#define ANY_FOUR wasm_i32x4_shuffle
#define ANY_TWO wasm_i64x2_shuffle

#define ANY_SHIFT(type, shift, a, n) wasm_##type##_##shift(a, (uint32_t)(n))
ANYWHERE uint64_t any_low(__m128 a) { return (uint64_t)wasm_i64x2_extract_lane(a, 0); }
#else
ANYWHERE __m128 _mm_set1_ps(float a) { return (__m128){.f = {a, a, a, a}}; }
ANYWHERE __m128 _mm_set1_pd(double a) { return (__m128){.d = {a, a}}; }
ANYWHERE __m128 _mm_setr_epi32(int32_t a, int32_t b, int32_t c, int32_t d) {
  return (__m128){.i = {a, b, c, d}};
}
ANYWHERE __m128 _mm_set1_epi32(int32_t a) { return _mm_setr_epi32(a, a, a, a); }
ANYWHERE __m128 _mm_loadl_epi64(const void *p) {
  __m128 a = {.l = {0, 0}};
  memcpy(&a, p, 8);
  return a;
}
ANYWHERE void _mm_storel_epi64(void *p, __m128 a) { memcpy(p, &a, 8); }
ANYWHERE int _mm_movemask_ps(__m128 a) {
  return (int)((a.u[0] >> 31 | a.u[1] >> 31 << 1) | (a.u[2] >> 31 << 2 | a.u[3] >> 31 << 3));
}
ANYWHERE int _mm_movemask_pd(__m128 a) { return (int)(a.l[0] >> 63 | a.l[1] >> 63 << 1); }
ANYWHERE __m128 _mm_shuffle_epi8(__m128 a, __m128 at) {
  __m128 to;
  for (int i = 0; i < 16; i++) to.b[i] = at.b[i] < 16 ? a.b[at.b[i]] : 0;
  return to;
}
ANYWHERE __m128 _mm_cvtps_pd(__m128 a) { return (__m128){.d = {(double)a.f[0], (double)a.f[1]}}; }
ANYWHERE __m128 _mm_cvtpd_ps(__m128 a) { return (__m128){.f = {(float)a.d[0], (float)a.d[1], 0, 0}}; }

ANYWHERE __m128 any_four(__m128 a, __m128 b, int i, int j, int k, int l) {
  const uint32_t from[] = {a.u[0], a.u[1], a.u[2], a.u[3], b.u[0], b.u[1], b.u[2], b.u[3]};
  return (__m128){.u = {from[i], from[j], from[k], from[l]}};
}
#define ANY_FOUR any_four
ANYWHERE __m128 any_two(__m128 a, __m128 b, int i, int j) {
  const uint64_t from[] = {a.l[0], a.l[1], b.l[0], b.l[1]};
  return (__m128){.l = {from[i], from[j]}};
}
#define ANY_TWO any_two

#define SHIFT(name, lanes, lane, assign, type)                                                               \
  ANYWHERE __m128 name(__m128 a, type n) {                                                                   \
    for (int i = 0; i < lanes; i++) a.lane[i] assign n;                                                      \
    return a;                                                                                                \
  }
SHIFT(any_i32x4_shl, 4, u, <<=, int)
SHIFT(any_u32x4_shr, 4, u, >>=, int)
SHIFT(any_i32x4_shr, 4, i, >>=, int)
SHIFT(any_i64x2_shl, 2, l, <<=, uint64_t)
SHIFT(any_u64x2_shr, 2, l, >>=, uint64_t)
#undef SHIFT
#define ANY_SHIFT(type, shift, a, n) any_##type##_##shift(a, n)
ANYWHERE uint64_t any_low(__m128 a) { return a.l[0]; }
#endif

ANYWHERE __m128 _mm_setzero_si128(void) { return _mm_set1_epi32(0); }

/* ANY_FOUR numbers the lanes of a from 0 on, those of b from 4 on. */
#define _MM_SHUFFLE(d, c, b, a) ((d) << 6 | (c) << 4 | (b) << 2 | (a))
#define _mm_shuffle_ps(a, b, lanes)                                                                          \
  ANY_FOUR(a, b, (lanes)&3, (lanes) >> 2 & 3, ((lanes) >> 4 & 3) + 4, ((lanes) >> 6 & 3) + 4)
ANYWHERE __m128 _mm_unpacklo_epi32(__m128 a, __m128 b) { return ANY_FOUR(a, b, 0, 4, 1, 5); }
ANYWHERE __m128 _mm_unpackhi_epi32(__m128 a, __m128 b) { return ANY_FOUR(a, b, 2, 6, 3, 7); }
ANYWHERE __m128 _mm_unpacklo_epi64(__m128 a, __m128 b) { return ANY_TWO(a, b, 0, 2); }
ANYWHERE __m128 _mm_unpackhi_epi64(__m128 a, __m128 b) { return ANY_TWO(a, b, 1, 3); }
#define _MM_TRANSPOSE4_PS(x, y, z, w)                                                                        \
  do {                                                                                                       \
    const __m128 any_a = _mm_unpacklo_epi32(x, y), any_b = _mm_unpackhi_epi32(x, y);                         \
    const __m128 any_c = _mm_unpacklo_epi32(z, w), any_d = _mm_unpackhi_epi32(z, w);                         \
    x = _mm_unpacklo_epi64(any_a, any_c), y = _mm_unpackhi_epi64(any_a, any_c);                              \
    z = _mm_unpacklo_epi64(any_b, any_d), w = _mm_unpackhi_epi64(any_b, any_d);                              \
  } while (0)

/* Shifts by a lane's width or more give 0; _mm_srai_epi32 gives copies of the sign. */
ANYWHERE __m128 _mm_slli_epi32(__m128 a, int n) {
  return n < 32 ? ANY_SHIFT(i32x4, shl, a, n) : _mm_setzero_si128();
}
ANYWHERE __m128 _mm_srli_epi32(__m128 a, int n) {
  return n < 32 ? ANY_SHIFT(u32x4, shr, a, n) : _mm_setzero_si128();
}
ANYWHERE __m128 _mm_srai_epi32(__m128 a, int n) { return ANY_SHIFT(i32x4, shr, a, n < 32 ? n : 31); }
ANYWHERE __m128 any_shl(__m128 a, uint64_t n) {
  return n < 64 ? ANY_SHIFT(i64x2, shl, a, n) : _mm_setzero_si128();
}
ANYWHERE __m128 any_shr(__m128 a, uint64_t n) {
  return n < 64 ? ANY_SHIFT(u64x2, shr, a, n) : _mm_setzero_si128();
}
ANYWHERE __m128 _mm_slli_epi64(__m128 a, int n) { return any_shl(a, (uint64_t)n); }
ANYWHERE __m128 _mm_srli_epi64(__m128 a, int n) { return any_shr(a, (uint64_t)n); }
ANYWHERE __m128 _mm_sll_epi64(__m128 a, __m128 n) { return any_shl(a, any_low(n)); }
ANYWHERE __m128 _mm_srl_epi64(__m128 a, __m128 n) { return any_shr(a, any_low(n)); }

#undef ONE
#undef TWO

#endif
#endif
