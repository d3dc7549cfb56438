/* Steps that several kernels share, on top of the vector layer. */
#ifndef QUATSIMD_SIMD_KERNEL_COMMON_H
#define QUATSIMD_SIMD_KERNEL_COMMON_H

#include "codec/constants.h"
#include "simd/kernels/isa.h"

#define V_QUAT(q, OP, ...)                                                                                   \
  ((vq){OP((q).x, __VA_ARGS__), OP((q).y, __VA_ARGS__), OP((q).z, __VA_ARGS__), OP((q).w, __VA_ARGS__)})

V_INLINE vf norm2(vq q) {
  return v_add(v_add(v_mul(q.x, q.x), v_mul(q.y, q.y)), v_add(v_mul(q.z, q.z), v_mul(q.w, q.w)));
}

V_INLINE vm valid_norm2(vf n2) {
  return v_both(v_ge(n2, v_set(QUATSIMD_MIN_NORM2)), v_le(n2, v_set(QUATSIMD_MAX_NORM2)));
}

V_INLINE vq identity_where_not(vm keep, vq q) {
  return (vq){v_keep(keep, q.x), v_keep(keep, q.y), v_keep(keep, q.z), v_select(keep, q.w, v_set(1))};
}
/* The same behind a branch: invalid quaternions are so rare that CPUs predict it. */
V_INLINE vq identity_if_invalid(vm valid, vq q) {
  return QUATSIMD_LIKELY(v_all(valid)) ? q : identity_where_not(valid, q);
}

V_INLINE vq scaled(vq q, vf factor) { return V_QUAT(q, v_mul, factor); }
V_INLINE vf reciprocal_sqrt(float numerator, vf a) { return v_div(v_set(numerator), v_sqrt(a)); }

V_INLINE vf v_negated(vf a) { return v_from_bits(v_xor(v_bits(a), v_seti((int32_t)0x80000000))); }

/* Rounds to the nearest integer, halves away from zero; |a| < 2^22. It adds the largest float below 0.5.
 * Adding 0.5 would round this same float up to 1. */
V_INLINE vi v_round_half_away(vf a) { return v_trunc(v_add(a, v_flip(v_set(0x1.fffffep-2f), a))); }

/* A quaternion's component of largest magnitude (the first one on ties), the other three in the order of x,
 * y, z, w, and its index: the number of the three masks that are true, 0 for x, 1 for y, 2 for z, 3 for w. */
typedef struct vlargest {
  vf largest, a, b, c;
  vm not_x, upper, is_w;
} vlargest;

V_INLINE vlargest v_sort_largest(vq q) {
  vf of_xy, of_zw;
  const vm y_over_x = v_larger(q.y, q.x, &of_xy), w_over_z = v_larger(q.w, q.z, &of_zw);
  const vm upper = v_gt(of_zw, of_xy); /* largest is z or w */
  const vm not_x = v_either(upper, y_over_x), is_w = v_both(upper, w_over_z);
  return (vlargest){v_select(upper, v_select(w_over_z, q.w, q.z), v_select(y_over_x, q.y, q.x)),
                    v_select(not_x, q.x, q.y),
                    v_select(upper, q.y, q.z),
                    v_select(is_w, q.z, q.w),
                    not_x,
                    upper,
                    is_w};
}

V_INLINE vi index_of(vlargest s) { return v_count(s.not_x, s.upper, s.is_w); }
/* Puts the index into bits n and n + 1 of a code that has zeros there. */
V_INLINE vi with_index(vi code, vlargest s, int n) { return v_with_count(code, s.not_x, s.upper, s.is_w, n); }

/* Undoes v_sort_largest. The top two bits of index_at_top are the index of the largest component. */
V_INLINE vq v_unsort_largest(vi index_at_top, vf largest, vf a, vf b, vf c) {
  /* upper: the index is 2 or 3; odd: it is 1 or 3 */
  const vm upper = v_top(index_at_top), odd = v_second(index_at_top);
  return (vq){v_select(v_either(upper, odd), a, largest), v_select(upper, b, v_select(odd, largest, a)),
              v_select(upper, v_select(odd, c, largest), b), v_select(v_both(upper, odd), largest, c)};
}

/* Maps the component v * r, of magnitude up to sqrt(1/2), to an integer from 0 to max, as ozz48 and jolt32
 * do. It needs no clamp: before it is truncated the number is at most max + 0.51. */
V_INLINE vi code_from_0(vf v, vf r, float max) {
  return v_trunc(
      v_add(v_mul(v_add(v_mul(v, r), v_set(QUATSIMD_SQRT_HALF)), v_set(max / QUATSIMD_SQRT2)), v_set(0.5f)));
}

/* ---- unpacking what a format leaves out ---- */

V_INLINE vf sum_of_squares(vf a, vf b, vf c) { return v_add(v_add(v_mul(a, a), v_mul(b, b)), v_mul(c, c)); }

/* Derives the largest component from the others. If their squares add up to more than 1, which no encoder
 * writes, it returns the identity. */
V_INLINE vq derive_largest(vi index_at_top, vf a, vf b, vf c) {
  const vf s = sum_of_squares(a, b, c), one = v_set(1);
  return identity_if_invalid(v_le(s, one), v_unsort_largest(index_at_top, v_sqrt(v_sub(one, s)), a, b, c));
}

/* Derives w >= 0 from x, y, z. If these are longer than 1, w is 0 and they are divided by their length. */
V_INLINE vq derive_w(vf x, vf y, vf z) {
  const vf s = sum_of_squares(x, y, z), one = v_set(1);
  const vm too_long = v_gt(s, one);
  const vf root = v_sqrt(v_select(too_long, s, v_sub(one, s)));
  const vf scale = v_div(one, v_select(too_long, root, one));
  return (vq){v_mul(x, scale), v_mul(y, scale), v_mul(z, scale), v_select(too_long, v_set(0), root)};
}

V_INLINE vq unit_or_identity(vq q) {
  const vf n2 = norm2(q);
  return identity_if_invalid(valid_norm2(n2), scaled(q, reciprocal_sqrt(1, n2)));
}

/* Returns v, but 0 for -0, so that the sign bit means v < 0. It compares bits, so that negative denormals
 * keep their sign in any denormal mode. */
V_INLINE vf negative_sign(vf v) {
  const vi minus_zero = v_seti((int32_t)0x80000000);
  return v_from_bits(v_selecti(v_eqi(v_bits(v), minus_zero), v_seti(0), v_bits(v)));
}

/* Reads the upper 16 bits of each lane as a normalized short. Both -32768 and -32767 give -1. */
V_INLINE vf snorm16_at_top(vi code) {
  return v_max(v_mul(v_float(v_sar(code, 16)), v_set(1.0f / 32767.0f)), v_set(-1));
}

/* ---- words with three fields of `bits` bits, c lowest, and more above them ---- */

/* Shifts left by `count`, or right by -count if `count` is negative. A shift by 32 or more gives 0. */
V_INLINE vi shift_by(vi a, int count) { return count >= 0 ? v_shl(a, count) : v_shr(a, -count); }

typedef struct vcodes {
  vcode of[2];
} vcodes;

/* Joins fields to a code: c lowest, of which the low bits are taken, then b, then upper_a (a and the fields
 * above it, at most 32 bits). */
V_INLINE vcode code_of_fields(int bits, vi upper_a, vi b, vi c) {
  return (vcode){{v_join(c, v_or(b, v_shl(upper_a, bits)), bits),
                  v_or(v_shr(b, 32 - bits), shift_by(upper_a, 2 * bits - 32))}};
}

/* Inserts a value of `width` bits at bit `position`, where the code has zeros. */
V_INLINE vcode with_field(vcode code, vi value, int position, int width) {
  if (position < 32) code.w[0] = v_or(code.w[0], v_shl(value, position));
  if (position + width > 32) code.w[1] = v_or(code.w[1], shift_by(value, position - 32));
  return code;
}

/* Extracts `width` bits, from bit `position` on, to the top of the lane. Lower bits may be anything. */
V_INLINE vi field_of_word(vcode code, int position, int width) {
  const int end = position + width;
  if (end <= 32) return v_shl(code.w[0], 32 - end);
  if (position >= 32) return v_shl(code.w[1], 64 - end);
  return v_or(v_shl(code.w[1], 64 - end), v_shr(code.w[0], end - 32));
}

V_INLINE vq float_multiply(vq a, vq b) {
  return (vq){
      v_add(v_add(v_mul(a.w, b.x), v_mul(a.x, b.w)), v_sub(v_mul(a.y, b.z), v_mul(a.z, b.y))),
      v_add(v_add(v_mul(a.w, b.y), v_mul(a.y, b.w)), v_sub(v_mul(a.z, b.x), v_mul(a.x, b.z))),
      v_add(v_add(v_mul(a.w, b.z), v_mul(a.z, b.w)), v_sub(v_mul(a.x, b.y), v_mul(a.y, b.x))),
      v_sub(v_sub(v_mul(a.w, b.w), v_mul(a.x, b.x)), v_add(v_mul(a.y, b.y), v_mul(a.z, b.z))),
  };
}

V_INLINE vf dot_product(vq a, vq b) {
  return v_add(v_add(v_mul(a.x, b.x), v_mul(a.y, b.y)), v_add(v_mul(a.z, b.z), v_mul(a.w, b.w)));
}

#endif
