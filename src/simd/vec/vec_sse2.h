/* The vector layer of SSE2. With sse2_anywhere.h it is also the layer of simd128. Contract: vec.h. */
#ifndef QUATSIMD_SIMD_VEC_SSE2_H
#define QUATSIMD_SIMD_VEC_SSE2_H

#ifdef QUATSIMD_SSE2_ANYWHERE
#include "simd/sse2_anywhere.h"
#else
#include <emmintrin.h>
#endif

#include "simd/bit_plan.h"
#include "simd/vec/vec.h"

#define V_LANES 4
#define V_GROUP 8
#define D_LANES 2
#define V_SLOW_ALL 0
typedef __m128 vf;
typedef __m128i vi;
typedef __m128 vm; /* each lane is all ones or all zeros */
typedef __m128d vd;
typedef __m128d vdm;
V_DERIVED_TYPES

V_INLINE vf v_from_bits(vi a) { return _mm_castsi128_ps(a); }
#define X(name) _mm_##name
#define XI(name) _mm_##name##_si128
#include "simd/vec/x86.inc.h"

V_INLINE vi v_shl(vi a, int n) { return _mm_slli_epi32(a, n); }
V_INLINE vi v_shr(vi a, int n) { return _mm_srli_epi32(a, n); }
V_INLINE vi v_sar(vi a, int n) { return _mm_srai_epi32(a, n); }
V_INLINE vf v_abs(vf a) { return _mm_and_ps(a, v_from_bits(v_seti(0x7fffffff))); }
V_INLINE vf v_flip(vf a, vf b) {
  return v_from_bits(v_xor(v_bits(a), v_and(v_bits(b), v_seti((int32_t)0x80000000))));
}
V_INLINE vi v_join(vi low, vi high, int n) {
  return v_or(v_and(low, v_seti((int32_t)((1u << n) - 1))), v_shl(high, n));
}

#ifdef QUATSIMD_SSE2_ANYWHERE
/* WebAssembly and other machines may have no instruction that rounds to integers. If |a| is below 2^23,
 * adding 2^23 with the sign of a leaves no bits for a fraction. Larger magnitudes are integers already. */
V_INLINE vf v_rint(vf a) {
  const vf sign = v_from_bits(v_seti(INT32_MIN)), whole = v_set(0x1p23f),
           up = _mm_or_ps(_mm_and_ps(a, sign), whole);
  const vm small = _mm_cmplt_ps(_mm_andnot_ps(sign, a), whole);
  return _mm_or_ps(_mm_and_ps(small, v_sub(v_add(a, up), up)), _mm_andnot_ps(small, a));
}
V_INLINE vi v_round(vf a) { return v_trunc(v_rint(a)); }
#else
V_INLINE vi v_round(vf a) { return _mm_cvtps_epi32(a); }
V_INLINE vf v_rint(vf a) { return v_float(v_round(a)); }
#endif

V_INLINE vm v_gt(vf a, vf b) { return _mm_cmpgt_ps(a, b); }
V_INLINE vm v_larger(vf a, vf b, vf *larger) {
  const vf of_a = v_abs(a), of_b = v_abs(b);
  *larger = v_max(of_a, of_b);
  return v_gt(of_a, of_b);
}
V_INLINE vm v_ge(vf a, vf b) { return _mm_cmpge_ps(a, b); }
V_INLINE vm v_le(vf a, vf b) { return _mm_cmple_ps(a, b); }
V_INLINE vm v_ordered(vf a, vf b) { return _mm_cmpord_ps(a, b); }
V_INLINE vm v_lti(vi a, vi b) { return v_from_bits(_mm_cmplt_epi32(a, b)); }
V_INLINE vm v_eqi(vi a, vi b) { return v_from_bits(_mm_cmpeq_epi32(a, b)); }
V_INLINE vm v_both(vm a, vm b) { return _mm_and_ps(a, b); }
V_INLINE vm v_ordered3(vf a, vf b, vf c) { return v_both(v_ordered(a, b), v_ordered(c, c)); }
V_INLINE vm v_ordered4(vf a, vf b, vf c, vf d) { return v_both(v_ordered(a, b), v_ordered(c, d)); }
V_INLINE vm v_either(vm a, vm b) { return _mm_or_ps(a, b); }
V_INLINE bool v_all(vm a) { return _mm_movemask_ps(a) == 15; }
V_INLINE vi v_count(vm a, vm b, vm c) { /* true is -1 as an integer */
  return v_subi(v_subi(v_subi(v_seti(0), v_bits(a)), v_bits(b)), v_bits(c));
}
V_INLINE vi v_with_count(vi code, vm a, vm b, vm c, int n) {
  const vi count = v_count(a, b, c);
  return v_or(code, n > 0 ? v_shl(count, n) : count);
}
#ifdef __wasm_simd128__
V_INLINE vf v_select(vm m, vf a, vf b) { return wasm_v128_bitselect(a, b, m); }
#else
V_INLINE vf v_select(vm m, vf a, vf b) { return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b)); }
#endif
V_INLINE vi v_selecti(vm m, vi a, vi b) { return v_bits(v_select(m, v_from_bits(a), v_from_bits(b))); }
V_INLINE vf v_keep(vm m, vf a) { return _mm_and_ps(m, a); }
V_INLINE vm v_top(vi a) { return v_from_bits(v_sar(a, 31)); }
V_INLINE vm v_second(vi a) { return v_top(v_shl(a, 1)); }

/* Rounds the significand of a normal half in place and rebiases the exponent. For a subnormal half, adds 0.5.
 * The last bit of the sum is then worth 2^-24, as in a subnormal half, so its low bits are the half. */
V_INLINE vi v_half(vf a) {
  const vi sign = v_and(v_bits(a), v_seti((int32_t)0x80000000)), magnitude = v_xor(v_bits(a), sign);
  const vi odd = v_and(v_shr(magnitude, 13), v_seti(1));
  const vi normal = v_shr(v_addi(v_addi(magnitude, v_seti(0xfff - 0x38000000)), odd), 13);
  const vi subnormal = v_subi(v_bits(v_add(v_from_bits(magnitude), v_set(0.5f))), v_seti(0x3f000000));
  return v_or(v_selecti(v_lti(magnitude, v_seti(0x38800000)), subnormal, normal), v_shr(sign, 16));
}

V_INLINE vi v_halves(vf a, vf b) { return v_or(v_half(a), v_shl(v_half(b), 16)); }

/* Rebiases the exponent, twice for infinity and NaN. For subnormal halves it makes 2^-14 plus the value, and
 * then subtracts 2^-14. */
V_INLINE vf v_from_half(vi h) {
  const vi magnitude = v_shl(v_and(h, v_seti(0x7fff)), 13), sign = v_shl(v_and(h, v_seti(0x8000)), 16);
  const vi rebias = v_seti(0x38000000);
  const vi special = v_and(rebias, v_bits(v_lti(v_seti(0x0f7fffff), magnitude)));
  const vi normal = v_addi(v_addi(magnitude, rebias), special);
  const vf two_14 = v_from_bits(v_seti(0x38800000));
  const vf subnormal = v_sub(v_from_bits(v_or(magnitude, v_bits(two_14))), two_14);
  const vm is_subnormal = v_lti(magnitude, v_seti(0x00800000));
  return v_from_bits(v_or(sign, v_selecti(is_subnormal, v_bits(subnormal), normal)));
}

/* Bits of doubles are changed as integers: gcc simplifies operations on integers, but not _mm_and_pd. */
V_INLINE vi vd_bits(vd a) { return _mm_castpd_si128(a); }
V_INLINE vd vd_from_bits(vi a) { return _mm_castsi128_pd(a); }
V_INLINE vd d_load(const float *p) {
  return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
V_INLINE void d_store(float *p, vd a) {
  const vf f = _mm_cvtpd_ps(a);
  const vi is = v_bits(_mm_cmpord_ps(f, f)), nan = v_seti(0x7fc00000);
  _mm_storel_epi64((__m128i *)(void *)p, v_or(v_and(is, v_bits(f)), _mm_andnot_si128(is, nan)));
}
V_INLINE vd d_abs(vd a) { return vd_from_bits(_mm_andnot_si128(vd_bits(d_set(-0.0)), vd_bits(a))); }
V_INLINE vd d_negated(vd a) { return vd_from_bits(v_xor(vd_bits(a), vd_bits(d_set(-0.0)))); }
V_INLINE vd d_flip(vd a, vd b) {
  return vd_from_bits(v_xor(vd_bits(a), v_and(vd_bits(b), vd_bits(d_set(-0.0)))));
}
V_INLINE vdm d_gt(vd a, vd b) { return _mm_cmpgt_pd(a, b); }
V_INLINE vdm d_ge(vd a, vd b) { return _mm_cmpge_pd(a, b); }
V_INLINE vdm d_eq(vd a, vd b) { return _mm_cmpeq_pd(a, b); }
V_INLINE vdm d_top(vd a) { return d_gt(d_set(0), d_flip(d_set(1), a)); }
V_INLINE vdm d_both(vdm a, vdm b) { return vd_from_bits(v_and(vd_bits(a), vd_bits(b))); }
V_INLINE vdm d_either(vdm a, vdm b) { return vd_from_bits(v_or(vd_bits(a), vd_bits(b))); }
V_INLINE bool d_any(vdm a) { return _mm_movemask_pd(a) != 0; }
V_INLINE vd d_select(vdm m, vd a, vd b) {
  return vd_from_bits(v_or(v_and(vd_bits(m), vd_bits(a)), _mm_andnot_si128(vd_bits(m), vd_bits(b))));
}

V_INLINE vq v_load_strided(const float *p, size_t stride) {
  const char *c = (const char *)p;
  vf x = _mm_loadu_ps((const float *)c), y = _mm_loadu_ps((const float *)(c + stride));
  vf z = _mm_loadu_ps((const float *)(c + 2 * stride)), w = _mm_loadu_ps((const float *)(c + 3 * stride));
  _MM_TRANSPOSE4_PS(x, y, z, w);
  return (vq){x, y, z, w};
}

V_INLINE void v_store_strided(float *p, size_t stride, vq q) {
  char *c = (char *)p;
  _MM_TRANSPOSE4_PS(q.x, q.y, q.z, q.w);
  _mm_storeu_ps((float *)c, q.x);
  _mm_storeu_ps((float *)(c + stride), q.y);
  _mm_storeu_ps((float *)(c + 2 * stride), q.z);
  _mm_storeu_ps((float *)(c + 3 * stride), q.w);
}

V_INLINE vq v_load_aos(const float *p) { return v_load_strided(p, 16); }
V_INLINE void v_store_aos(float *p, vq q) { v_store_strided(p, 16, q); }
/* Makes a vector of a[i], b[j], c[k] and d[l]. */
#define PICK4(a, i, b, j, c, k, d, l)                                                                        \
  _mm_shuffle_ps(_mm_shuffle_ps(a, b, _MM_SHUFFLE(j, j, i, i)),                                              \
                 _mm_shuffle_ps(c, d, _MM_SHUFFLE(l, l, k, k)), 0x88)

V_INLINE v3 v_load_aos3(const float *p) {
  const vf a = v_load(p), b = v_load(p + 4), c = v_load(p + 8);
  return (v3){PICK4(a, 0, a, 3, b, 2, c, 1), PICK4(a, 1, b, 0, b, 3, c, 2), PICK4(a, 2, b, 1, c, 0, c, 3)};
}

V_INLINE void v_store_aos3(float *p, v3 v) {
  v_store(p, PICK4(v.x, 0, v.y, 0, v.z, 0, v.x, 1));
  v_store(p + 4, PICK4(v.y, 1, v.z, 1, v.x, 2, v.y, 2));
  v_store(p + 8, PICK4(v.z, 2, v.x, 3, v.y, 3, v.z, 3));
}

V_INLINE vi load_bytes(const unsigned char *p) { return _mm_loadu_si128((const __m128i *)p); }
V_INLINE vi load_8_bytes(const unsigned char *p) { return _mm_loadl_epi64((const __m128i *)p); }
V_INLINE void store_bytes(unsigned char *p, vi a) { _mm_storeu_si128((__m128i *)p, a); }
V_INLINE void store_8_bytes(unsigned char *p, vi a) { _mm_storel_epi64((__m128i *)p, a); }

/* Separates the low and the high words of four elements of 64 bits. */
V_INLINE vcode code_from_pairs(vi e01, vi e23) {
  const vf a = v_from_bits(e01), b = v_from_bits(e23);
  return (vcode){{v_bits(_mm_shuffle_ps(a, b, 0x88)), v_bits(_mm_shuffle_ps(a, b, 0xdd))}};
}

V_INLINE vi v_gather(const unsigned char *p, size_t stride, size_t last) {
  return _mm_setr_epi32(v_gathered(p, stride, last, 0), v_gathered(p, stride, last, 1),
                        v_gathered(p, stride, last, 2), v_gathered(p, stride, last, 3));
}

V_INLINE vcode v_load_u32(const unsigned char *p) { return (vcode){{load_bytes(p)}}; }
V_INLINE void v_store_u32(unsigned char *p, vcode c) { store_bytes(p, c.w[0]); }

/* Two elements are 48 bits. The second load ends where the array may end. */
V_INLINE vcode v_load_u24(const unsigned char *p) {
  const vi front = load_8_bytes(p), back = load_8_bytes(p + 4);
  const vi e01 = _mm_unpacklo_epi32(front, _mm_srli_epi64(front, 24));
  const vi e23 = _mm_unpacklo_epi32(_mm_srli_epi64(back, 16), _mm_srli_epi64(back, 40));
  return (vcode){{v_and(_mm_unpacklo_epi64(e01, e23), v_seti(0xffffff))}};
}

V_INLINE void v_store_u24(unsigned char *p, vcode c) {
  const vi low = _mm_setr_epi32(0xffffff, 0, 0xffffff, 0);
  const vi e = c.w[0], pairs = v_or(v_and(e, low), _mm_srli_epi64(_mm_andnot_si128(low, e), 8));
  const vi e23 = _mm_unpackhi_epi64(pairs, pairs);
  store_8_bytes(p, v_or(pairs, _mm_slli_epi64(e23, 48)));
  store_8_bytes(p + 4, v_or(_mm_srli_epi64(pairs, 32), _mm_slli_epi64(e23, 16)));
}

V_INLINE vcode v_load_u48(const unsigned char *p) { /* the last load ends where the array may end */
  const vi e01 = _mm_unpacklo_epi64(load_8_bytes(p), load_8_bytes(p + 6));
  const vi e23 = _mm_unpacklo_epi64(load_8_bytes(p + 12), _mm_srli_epi64(load_8_bytes(p + 16), 16));
  vcode c = code_from_pairs(e01, e23);
  c.w[1] = v_and(c.w[1], v_seti(0xffff));
  return c;
}

V_INLINE void v_store_u48(unsigned char *p, vcode c) {
  const vi e01 = _mm_unpacklo_epi32(c.w[0], c.w[1]), e23 = _mm_unpackhi_epi32(c.w[0], c.w[1]);
  store_8_bytes(p, e01);
  store_8_bytes(p + 6, _mm_unpackhi_epi64(e01, e01));
  store_8_bytes(p + 12, e23);
  const vi e3 = _mm_unpackhi_epi64(e23, e23);
  store_8_bytes(p + 16, v_or(_mm_srli_epi64(e23, 32), _mm_slli_epi64(e3, 16)));
}

V_INLINE vcode v_load_u64(const unsigned char *p) {
  return code_from_pairs(load_bytes(p), load_bytes(p + 16));
}
V_INLINE void v_store_u64(unsigned char *p, vcode c) {
  store_bytes(p, _mm_unpacklo_epi32(c.w[0], c.w[1]));
  store_bytes(p + 16, _mm_unpackhi_epi32(c.w[0], c.w[1]));
}

/* SSE2 has no byte shuffle and no shifts by lane, so elements are shifted one by one. An element may span
 * nine bytes, so its low and its high word come from eight bytes each. */
V_INLINE vi load_element(const unsigned char *p, const bit_plan *plan, int e) {
  const vi shift = load_8_bytes((const unsigned char *)&plan->shift_up[(e & 2) + e / 4][e & 1]);
  p += plan->element_offset[e];
  return _mm_unpacklo_epi32(_mm_srl_epi64(load_8_bytes(p), shift), _mm_srl_epi64(load_8_bytes(p + 4), shift));
}

V_INLINE vi field_at_top(vi e01, vi e23, int bits_above) {
  const vf a = v_from_bits(_mm_slli_epi64(e01, bits_above)), b = v_from_bits(_mm_slli_epi64(e23, bits_above));
  return v_bits(_mm_shuffle_ps(a, b, 0xdd));
}

V_INLINE void v_load_fields(const unsigned char *p, const bit_plan *plan, vcode f[2]) {
  const int width = plan->bits_per_field;
  QUATSIMD_UNROLL(2)
  for (int part = 0; part < 2; part++) {
    const int e = 4 * part;
    const vi e01 = _mm_unpacklo_epi64(load_element(p, plan, e), load_element(p, plan, e + 1));
    const vi e23 = _mm_unpacklo_epi64(load_element(p, plan, e + 2), load_element(p, plan, e + 3));
    f[part] = (vcode){{field_at_top(e01, e23, 64 - width), field_at_top(e01, e23, 64 - 2 * width),
                       field_at_top(e01, e23, 64 - 3 * width), field_at_top(e01, e23, 62 - 3 * width)}};
  }
}

V_INLINE void v_store_bits(unsigned char *p, const bit_plan *plan, const vcode c[2]) {
  vi before = _mm_setzero_si128(); /* its low half is the element before the pair */
  QUATSIMD_UNROLL(4)
  for (int e = 0; e < 8; e += 2) {
    const vi pair = (e & 2) ? _mm_unpackhi_epi32(c[e / 4].w[0], c[e / 4].w[1])
                            : _mm_unpacklo_epi32(c[e / 4].w[0], c[e / 4].w[1]);
    const vi odd = _mm_unpackhi_epi64(pair, pair);
    const uint64_t *up = plan->shift_up[(e & 2) + e / 4], *carry = plan->shift_carry[(e & 2) + e / 4];
    store_8_bytes(p + plan->element_offset[e],
                  v_or(_mm_sll_epi64(pair, load_8_bytes((const unsigned char *)&up[0])),
                       _mm_srl_epi64(before, load_8_bytes((const unsigned char *)&carry[0]))));
    store_8_bytes(p + plan->element_offset[e + 1],
                  v_or(_mm_sll_epi64(odd, load_8_bytes((const unsigned char *)&up[1])),
                       _mm_srl_epi64(pair, load_8_bytes((const unsigned char *)&carry[1]))));
    before = odd;
  }
}

#include "simd/vec/structs.inc.h"
#include "simd/vec/four.inc.h"

#endif
