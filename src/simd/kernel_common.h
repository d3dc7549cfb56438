/* Steps that several kernels share, on top of the vector layer. */
#ifndef QUATSIMD_SIMD_KERNEL_COMMON_H
#define QUATSIMD_SIMD_KERNEL_COMMON_H

/* An operation on every component. */
#define V_QUAT(q, OP, ...) ((vq){OP((q).x, __VA_ARGS__), OP((q).y, __VA_ARGS__), OP((q).z, __VA_ARGS__), OP((q).w, __VA_ARGS__)})

V_INLINE vf norm2(vq q) {
  return v_add(v_add(v_mul(q.x, q.x), v_mul(q.y, q.y)), v_add(v_mul(q.z, q.z), v_mul(q.w, q.w)));
}

V_INLINE vm valid_norm2(vf n2) {
  return v_both(v_ge(n2, v_set(QUATSIMD_MIN_NORM2)), v_le(n2, v_set(QUATSIMD_MAX_NORM2)));
}

V_INLINE vq identity_where_not(vm keep, vq q) {
  return (vq){v_keep(keep, q.x), v_keep(keep, q.y), v_keep(keep, q.z), v_select(keep, q.w, v_set(1))};
}

V_INLINE vq scaled(vq q, vf factor) { return V_QUAT(q, v_mul, factor); }
V_INLINE vf reciprocal_sqrt(float numerator, vf a) { return v_div(v_set(numerator), v_sqrt(a)); }

/* The sign bit of b flips a. */
V_INLINE vf with_sign_of(vf a, vf b) {
  return v_from_bits(v_xor(v_bits(a), v_and(v_bits(b), v_seti((int32_t)0x80000000))));
}

/* Halves away from zero, |a| < 2^22. 0.5 less one unit in the last place: it carries a fraction of a half over the
 * next integer (the sum rounds up) and none below it. */
V_INLINE vi v_round_half_away(vf a) { return v_trunc(v_add(a, with_sign_of(v_set(0x1.fffffep-2f), a))); }

/* x, y, z, w sorted into the component of largest magnitude, its index (the first on ties) and the others in
 * ascending order. */
typedef struct vlargest {
  vf largest, a, b, c;
  vi index;
} vlargest;

V_INLINE vlargest v_sort_largest(vq q) {
  const vf ax = v_abs(q.x), ay = v_abs(q.y), az = v_abs(q.z), aw = v_abs(q.w);
  const vm y_over_x = v_gt(ay, ax), w_over_z = v_gt(aw, az);
  const vm upper = v_gt(v_max(aw, az), v_max(ay, ax)); /* largest is z or w */
  return (vlargest){
      v_select(upper, v_select(w_over_z, q.w, q.z), v_select(y_over_x, q.y, q.x)),
      v_select(v_either(upper, y_over_x), q.x, q.y),
      v_select(upper, q.y, q.z),
      v_select(v_both(upper, w_over_z), q.z, q.w),
      v_selecti(upper, v_selecti(w_over_z, v_seti(3), v_seti(2)), v_selecti(y_over_x, v_seti(1), v_seti(0)))};
}

/* And back, the index in the top two bits. */
V_INLINE vq v_unsort_largest(vi index_at_top, vf largest, vf a, vf b, vf c) {
  const vm upper = v_top(index_at_top), odd = v_top(v_shl(index_at_top, 1)); /* index 2 or 3, 1 or 3 */
  return (vq){v_select(v_either(upper, odd), a, largest), v_select(upper, b, v_select(odd, largest, a)),
              v_select(upper, v_select(odd, c, largest), b), v_select(v_both(upper, odd), largest, c)};
}

/* ---- words with three fields of `bits` bits, c lowest, and more above them ---- */

/* word << bits into or across a boundary at 32; a negative count is a shift right, and one beyond 32 gives 0. */
V_INLINE vi shift_by(vi a, int count) { return count >= 0 ? v_shl(a, count) : v_shr(a, -count); }

/* c, b and above them a with whatever is above a, at most 32 bits. */
V_INLINE vcode code_of_fields(int bits, vi upper_a, vi b, vi c) {
  return (vcode){{v_or(v_or(c, v_shl(b, bits)), v_shl(upper_a, 2 * bits)),
                  v_or(v_shr(b, 32 - bits), shift_by(upper_a, 2 * bits - 32))}};
}

/* `value` of `width` bits, put where the code has zeros. */
V_INLINE vcode with_field(vcode code, vi value, int position, int width) {
  if (position < 32) code.w[0] = v_or(code.w[0], v_shl(value, position));
  if (position + width > 32) code.w[1] = v_or(code.w[1], shift_by(value, position - 32));
  return code;
}

/* `width` bits from bit `position` on, at the top, from a code of two words; junk below them. */
V_INLINE vi field_of_word(vcode code, int position, int width) {
  const int end = position + width;
  if (end <= 32) return v_shl(code.w[0], 32 - end);
  if (position >= 32) return v_shl(code.w[1], 64 - end);
  return v_or(v_shl(code.w[1], 64 - end), v_shr(code.w[0], end - 32));
}

#endif
