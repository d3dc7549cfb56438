/* The vector layer of NEON on AArch64; NEON of 32-bit ARM is not IEEE arithmetic. Contract: vec.h. */
#ifndef QUATSIMD_SIMD_VEC_NEON_H
#define QUATSIMD_SIMD_VEC_NEON_H

#ifdef QUATSIMD_SIMDE
#include "simde_neon.h" /* tests compile this header with SIMDe, for machines other than AArch64 */
#else
#include <arm_neon.h>
#endif

#include "simd/bit_plan.h"
#include "simd/vec/vec.h"

#define V_LANES 4
#define V_GROUP 8
#define D_LANES 2
#define V_SLOW_ALL 1
typedef float32x4_t vf;
typedef int32x4_t vi;
typedef uint32x4_t vm; /* each lane is all ones or all zeros */
typedef float64x2_t vd;
typedef uint64x2_t vdm;
V_DERIVED_TYPES

V_INLINE vi v_bits(vf a) { return vreinterpretq_s32_f32(a); }
V_INLINE vf v_from_bits(vi a) { return vreinterpretq_f32_s32(a); }
V_INLINE vf v_set(float a) { return vdupq_n_f32(a); }
V_INLINE vi v_seti(int32_t a) { return vdupq_n_s32(a); }
V_INLINE uint32x4_t unsigned_words(vi a) { return vreinterpretq_u32_s32(a); }
V_INLINE vi signed_words(uint32x4_t a) { return vreinterpretq_s32_u32(a); }

V_INLINE vf v_add(vf a, vf b) { return vaddq_f32(a, b); }
V_INLINE vf v_sub(vf a, vf b) { return vsubq_f32(a, b); }
V_INLINE vf v_mul(vf a, vf b) { return vmulq_f32(a, b); }
V_INLINE vf v_div(vf a, vf b) { return vdivq_f32(a, b); }
V_INLINE vf v_sqrt(vf a) { return vsqrtq_f32(a); }

V_INLINE vi v_addi(vi a, vi b) { return vaddq_s32(a, b); }
V_INLINE vi v_subi(vi a, vi b) { return vsubq_s32(a, b); }
V_INLINE vi v_and(vi a, vi b) { return vandq_s32(a, b); }
V_INLINE vi v_or(vi a, vi b) { return vorrq_s32(a, b); }
V_INLINE vi v_xor(vi a, vi b) { return veorq_s32(a, b); }
/* These shifts take the count from a register, so n may be 32 or more. If n is a constant, compilers use
 * shifts by an immediate. */
V_INLINE vi v_shl(vi a, int n) { return vshlq_s32(a, vdupq_n_s32(n)); }
V_INLINE vi v_shr(vi a, int n) { return signed_words(vshlq_u32(unsigned_words(a), vdupq_n_s32(-n))); }
V_INLINE vi v_sar(vi a, int n) { return vshlq_s32(a, vdupq_n_s32(-n)); }
V_INLINE vf v_abs(vf a) { return vabsq_f32(a); }
V_INLINE vf v_flip(vf a, vf b) {
  return v_from_bits(v_xor(v_bits(a), v_and(v_bits(b), v_seti((int32_t)0x80000000))));
}
V_INLINE vi v_join(vi low, vi high, int n) {
  return vbslq_s32(vdupq_n_u32((1u << n) - 1), low, v_shl(high, n));
}

V_INLINE vi v_round(vf a) { return vcvtnq_s32_f32(a); }
V_INLINE vi v_trunc(vf a) { return vcvtq_s32_f32(a); }
V_INLINE vf v_float(vi a) { return vcvtq_f32_s32(a); }
V_INLINE vf v_rint(vf a) { return vrndnq_f32(a); }

V_INLINE vm v_gt(vf a, vf b) { return vcgtq_f32(a, b); }
V_INLINE vm v_larger(vf a, vf b, vf *larger) {
  const vf of_a = v_abs(a), of_b = v_abs(b);
  *larger = vmaxq_f32(of_a, of_b);
  return v_gt(of_a, of_b);
}
V_INLINE vm v_ge(vf a, vf b) { return vcgeq_f32(a, b); }
V_INLINE vm v_le(vf a, vf b) { return vcleq_f32(a, b); }
/* vmaxq_f32 returns NaN if an input is NaN. */
V_INLINE vm is_number(vf a) { return vceqq_f32(a, a); }
V_INLINE vm v_ordered(vf a, vf b) { return is_number(vmaxq_f32(a, b)); }
V_INLINE vm v_ordered3(vf a, vf b, vf c) { return is_number(vmaxq_f32(vmaxq_f32(a, b), c)); }
V_INLINE vm v_ordered4(vf a, vf b, vf c, vf d) {
  return is_number(vmaxq_f32(vmaxq_f32(a, b), vmaxq_f32(c, d)));
}
V_INLINE vm v_lti(vi a, vi b) { return vcltq_s32(a, b); }
V_INLINE vm v_eqi(vi a, vi b) { return vceqq_s32(a, b); }
V_INLINE vm v_both(vm a, vm b) { return vandq_u32(a, b); }
V_INLINE vm v_either(vm a, vm b) { return vorrq_u32(a, b); }
V_INLINE bool v_all(vm a) { return vminvq_u32(a) == 0xffffffffu; }
V_INLINE vi v_count(vm a, vm b, vm c) { /* true is -1 as an integer */
  return v_subi(v_subi(v_subi(v_seti(0), signed_words(a)), signed_words(b)), signed_words(c));
}
V_INLINE vi v_with_count(vi code, vm a, vm b, vm c, int n) { return v_or(code, v_shl(v_count(a, b, c), n)); }
V_INLINE vf v_select(vm m, vf a, vf b) { return vbslq_f32(m, a, b); }
V_INLINE vi v_selecti(vm m, vi a, vi b) { return vbslq_s32(m, a, b); }
V_INLINE vf v_keep(vm m, vf a) { return v_from_bits(v_and(signed_words(m), v_bits(a))); }
V_INLINE vm v_top(vi a) { return unsigned_words(v_sar(a, 31)); }
V_INLINE vm v_second(vi a) { return vtstq_s32(a, v_seti(0x40000000)); }
V_INLINE vf v_min(vf a, vf b) { return v_select(v_gt(b, a), a, b); }
V_INLINE vf v_max(vf a, vf b) { return v_select(v_gt(a, b), a, b); } /* vmaxq_f32 returns NaN if a is NaN */

V_INLINE vi v_half(vf a) { return signed_words(vmovl_u16(vreinterpret_u16_f16(vcvt_f16_f32(a)))); }
V_INLINE vi v_halves(vf a, vf b) {
  const uint16x4_t low = vreinterpret_u16_f16(vcvt_f16_f32(a)), high = vreinterpret_u16_f16(vcvt_f16_f32(b));
  return vreinterpretq_s32_u16(vcombine_u16(vzip1_u16(low, high), vzip2_u16(low, high)));
}
V_INLINE vf v_from_half(vi h) { return vcvt_f32_f16(vreinterpret_f16_u16(vmovn_u32(unsigned_words(h)))); }

V_INLINE vf v_load(const float *p) { return vld1q_f32(p); }
V_INLINE void v_store(float *p, vf a) { vst1q_f32(p, a); }

V_INLINE vd d_set(double a) { return vdupq_n_f64(a); }
V_INLINE vd d_load(const float *p) { return vcvt_f64_f32(vld1_f32(p)); }
V_INLINE void d_store(float *p, vd a) {
  const float32x2_t f = vcvt_f32_f64(a);
  vst1_f32(p, vbsl_f32(vceq_f32(f, f), f, vreinterpret_f32_u32(vdup_n_u32(0x7fc00000))));
}
V_INLINE vd d_float(vd a) { return vcvt_f64_f32(vcvt_f32_f64(a)); }
V_INLINE vd d_add(vd a, vd b) { return vaddq_f64(a, b); }
V_INLINE vd d_sub(vd a, vd b) { return vsubq_f64(a, b); }
V_INLINE vd d_mul(vd a, vd b) { return vmulq_f64(a, b); }
V_INLINE vd d_div(vd a, vd b) { return vdivq_f64(a, b); }
V_INLINE vd d_sqrt(vd a) { return vsqrtq_f64(a); }
V_INLINE vd d_abs(vd a) { return vabsq_f64(a); }
V_INLINE vd d_negated(vd a) { return vnegq_f64(a); }
V_INLINE vd d_flip(vd a, vd b) {
  const uint64x2_t sign = vandq_u64(vreinterpretq_u64_f64(b), vdupq_n_u64((uint64_t)1 << 63));
  return vreinterpretq_f64_u64(veorq_u64(vreinterpretq_u64_f64(a), sign));
}
V_INLINE vdm d_gt(vd a, vd b) { return vcgtq_f64(a, b); }
V_INLINE vdm d_ge(vd a, vd b) { return vcgeq_f64(a, b); }
V_INLINE vdm d_eq(vd a, vd b) { return vceqq_f64(a, b); }
V_INLINE vdm d_top(vd a) { return vcltzq_s64(vreinterpretq_s64_f64(a)); }
V_INLINE vdm d_both(vdm a, vdm b) { return vandq_u64(a, b); }
V_INLINE vdm d_either(vdm a, vdm b) { return vorrq_u64(a, b); }
V_INLINE bool d_any(vdm a) { return vmaxvq_u32(vreinterpretq_u32_u64(a)) != 0; }
V_INLINE vd d_select(vdm m, vd a, vd b) { return vbslq_f64(m, a, b); }

V_INLINE vq v_load_aos(const float *p) {
  const float32x4x4_t q = vld4q_f32(p);
  return (vq){q.val[0], q.val[1], q.val[2], q.val[3]};
}

V_INLINE void v_store_aos(float *p, vq q) {
  const float32x4x4_t lanes = {{q.x, q.y, q.z, q.w}};
  vst4q_f32(p, lanes);
}

V_INLINE v3 v_load_aos3(const float *p) {
  const float32x4x3_t v = vld3q_f32(p);
  return (v3){v.val[0], v.val[1], v.val[2]};
}

V_INLINE void v_store_aos3(float *p, v3 v) {
  const float32x4x3_t lanes = {{v.x, v.y, v.z}};
  vst3q_f32(p, lanes);
}

/* Transposes 4x4 floats: pairs of vectors, then pairs of 64-bit lanes. The transpose is its own inverse. */
V_INLINE vf low_pair(vf a, vf b) {
  return vreinterpretq_f32_f64(vtrn1q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}
V_INLINE vf high_pair(vf a, vf b) {
  return vreinterpretq_f32_f64(vtrn2q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}
V_INLINE vq transpose(vf a, vf b, vf c, vf d) {
  const vf ab_even = vtrn1q_f32(a, b), ab_odd = vtrn2q_f32(a, b), cd_even = vtrn1q_f32(c, d),
           cd_odd = vtrn2q_f32(c, d);
  return (vq){low_pair(ab_even, cd_even), low_pair(ab_odd, cd_odd), high_pair(ab_even, cd_even),
              high_pair(ab_odd, cd_odd)};
}

V_INLINE vq v_load_strided(const float *p, size_t stride) {
  const char *c = (const char *)p;
  return transpose(v_load((const float *)c), v_load((const float *)(c + stride)),
                   v_load((const float *)(c + 2 * stride)), v_load((const float *)(c + 3 * stride)));
}

V_INLINE void v_store_strided(float *p, size_t stride, vq q) {
  char *c = (char *)p;
  q = transpose(q.x, q.y, q.z, q.w);
  v_store((float *)c, q.x);
  v_store((float *)(c + stride), q.y);
  v_store((float *)(c + 2 * stride), q.z);
  v_store((float *)(c + 3 * stride), q.w);
}

V_INLINE uint32x4_t shuffled(uint8x16_t bytes, const uint8_t *shuffle) {
  return vreinterpretq_u32_u8(vqtbl1q_u8(bytes, vld1q_u8(shuffle)));
}
V_INLINE vi even_words(uint32x4_t a, uint32x4_t b) { return signed_words(vuzp1q_u32(a, b)); }
V_INLINE vi odd_words(uint32x4_t a, uint32x4_t b) { return signed_words(vuzp2q_u32(a, b)); }

V_INLINE vi v_gather(const unsigned char *p, size_t stride, size_t last) {
  vi a = vdupq_n_s32(v_gathered(p, stride, last, 0));
  a = vsetq_lane_s32(v_gathered(p, stride, last, 1), a, 1);
  a = vsetq_lane_s32(v_gathered(p, stride, last, 2), a, 2);
  return vsetq_lane_s32(v_gathered(p, stride, last, 3), a, 3);
}

V_INLINE vcode v_load_u32(const unsigned char *p) {
  return (vcode){{signed_words(vreinterpretq_u32_u8(vld1q_u8(p)))}};
}
V_INLINE void v_store_u32(unsigned char *p, vcode c) { vst1q_u8(p, vreinterpretq_u8_s32(c.w[0])); }

/* Loads eight bytes from each end of the twelve. Indices above 15 give zero bytes. */
V_INLINE vcode v_load_u24(const unsigned char *p) {
  static const uint8_t spread[16] = {0, 1, 2, 99, 3, 4, 5, 99, 6, 7, 12, 99, 13, 14, 15, 99};
  return (vcode){{signed_words(shuffled(vcombine_u8(vld1_u8(p), vld1_u8(p + 4)), spread))}};
}

V_INLINE void v_store_u24(unsigned char *p, vcode c) {
  /* bytes 0 to 7 of the twelve to store, then 4 to 11 */
  static const uint8_t squeeze[16] = {0, 1, 2, 4, 5, 6, 8, 9, 5, 6, 8, 9, 10, 12, 13, 14};
  const uint8x16_t ends = vqtbl1q_u8(vreinterpretq_u8_s32(c.w[0]), vld1q_u8(squeeze));
  vst1_u8(p, vget_low_u8(ends));
  vst1_u8(p + 4, vget_high_u8(ends));
}

/* Loads 16 bytes from each end of the 24. Indices above 15 give zero bytes. */
V_INLINE vcode v_load_u48(const unsigned char *p) {
  static const uint8_t front[16] = {0, 1, 2, 3, 4, 5, 99, 99, 6, 7, 8, 9, 10, 11, 99, 99};
  static const uint8_t back[16] = {4, 5, 6, 7, 8, 9, 99, 99, 10, 11, 12, 13, 14, 15, 99, 99};
  const uint32x4_t e01 = shuffled(vld1q_u8(p), front), e23 = shuffled(vld1q_u8(p + 8), back);
  return (vcode){{even_words(e01, e23), odd_words(e01, e23)}};
}

V_INLINE void v_store_u48(unsigned char *p, vcode c) {
  static const uint8_t squeeze[16] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 99, 99, 99, 99};
  const uint32x4_t low = unsigned_words(c.w[0]), high = unsigned_words(c.w[1]);
  const uint8x16_t e01 = vqtbl1q_u8(vreinterpretq_u8_u32(vzip1q_u32(low, high)), vld1q_u8(squeeze));
  const uint8x16_t e23 = vqtbl1q_u8(vreinterpretq_u8_u32(vzip2q_u32(low, high)), vld1q_u8(squeeze));
  /* e01 and e23 have twelve bytes each: stores e01 with four of e23, then the other eight */
  vst1q_u8(p, vreinterpretq_u8_u32(vsetq_lane_u32(vgetq_lane_u32(vreinterpretq_u32_u8(e23), 0),
                                                  vreinterpretq_u32_u8(e01), 3)));
  vst1_u8(p + 16, vget_low_u8(vextq_u8(e23, e23, 4)));
}

V_INLINE vcode v_load_u64(const unsigned char *p) {
  const uint32x4_t e01 = vreinterpretq_u32_u8(vld1q_u8(p)), e23 = vreinterpretq_u32_u8(vld1q_u8(p + 16));
  return (vcode){{even_words(e01, e23), odd_words(e01, e23)}};
}

V_INLINE void v_store_u64(unsigned char *p, vcode c) {
  const uint32x4_t low = unsigned_words(c.w[0]), high = unsigned_words(c.w[1]);
  vst1q_u8(p, vreinterpretq_u8_u32(vzip1q_u32(low, high)));
  vst1q_u8(p + 16, vreinterpretq_u8_u32(vzip2q_u32(low, high)));
}

V_INLINE uint32x4_t windows(uint8x16_t pair, const uint8_t *shuffle, const uint32_t *shift) {
  return vshlq_u32(shuffled(pair, shuffle), vreinterpretq_s32_u32(vld1q_u32(shift)));
}

V_INLINE void v_load_fields(const unsigned char *p, const bit_plan *plan, vcode f[2]) {
  QUATSIMD_UNROLL(2)
  for (int part = 0; part < 2; part++) {
    const uint8x16_t e01 = vld1q_u8(p + plan->pair_offset[2 * part]),
                     e23 = vld1q_u8(p + plan->pair_offset[2 * part + 1]);
    const uint32x4_t cb0 = windows(e01, plan->shuffle_cb[part], plan->shift_cb[part]);
    const uint32x4_t cb1 = windows(e23, plan->shuffle_cb[part + 2], plan->shift_cb[part + 2]);
    const uint32x4_t al0 = windows(e01, plan->shuffle_al[part], plan->shift_al[part]);
    const uint32x4_t al1 = windows(e23, plan->shuffle_al[part + 2], plan->shift_al[part + 2]);
    f[part] = (vcode){{even_words(cb0, cb1), odd_words(cb0, cb1), even_words(al0, al1), odd_words(al0, al1)}};
  }
}

V_INLINE void v_store_bits(unsigned char *p, const bit_plan *plan, const vcode c[2]) {
  uint64x2_t before = vdupq_n_u64(0);
  QUATSIMD_UNROLL(4)
  for (int e = 0; e < 8; e += 2) {
    const uint32x4_t low = unsigned_words(c[e / 4].w[0]), high = unsigned_words(c[e / 4].w[1]);
    const uint64x2_t pair = vreinterpretq_u64_u32((e & 2) ? vzip2q_u32(low, high) : vzip1q_u32(low, high));
    const int row = (e & 2) + e / 4;
    const int64x2_t up = vreinterpretq_s64_u64(vld1q_u64(plan->shift_up[row]));
    const int64x2_t carry = vreinterpretq_s64_u64(vld1q_u64(plan->shift_carry[row]));
    const uint64x2_t out =
        vorrq_u64(vshlq_u64(pair, up), vshlq_u64(vextq_u64(before, pair, 1), vnegq_s64(carry)));
    vst1_u8(p + plan->element_offset[e], vreinterpret_u8_u64(vget_low_u64(out)));
    vst1_u8(p + plan->element_offset[e + 1], vreinterpret_u8_u64(vget_high_u64(out)));
    before = pair;
  }
}

#include "simd/vec/structs.inc.h"
#include "simd/vec/four.inc.h"

#endif
