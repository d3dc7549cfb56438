#ifndef QUATSIMD_SIMD_KERNEL_JOLT32_H
#define QUATSIMD_SIMD_KERNEL_JOLT32_H

V_INLINE vcode pack_jolt32(int param, vq q, vf n2) {
  (void)param;
  const vlargest s = v_sort_largest(q);
  const vf r = with_sign_of(reciprocal_sqrt(1, n2), s.largest);
  const vi top = v_or(v_and(v_bits(s.largest), v_seti((int32_t)0x80000000)), v_shl(s.index, 29));
  return (vcode){{v_or(v_or(top, code_from_0(s.a, r, 510)),
                       v_or(v_shl(code_from_0(s.b, r, 510), 9), v_shl(code_from_0(s.c, r, 510), 18)))}};
}

V_INLINE vf jolt32_component(vi word, int shift) {
  return v_mul(v_float(v_subi(v_and(v_shr(word, shift), v_seti(511)), v_seti(255))),
               v_set(QUATSIMD_SQRT2 / 510));
}

V_INLINE vq unpack_jolt32(int param, vcode code) {
  (void)param;
  const vi word = code.w[0];
  const vf a = jolt32_component(word, 0), b = jolt32_component(word, 9), c = jolt32_component(word, 18);
  const vf s = sum_of_squares(a, b, c), one = v_set(1);
  const vq q = v_unsort_largest(v_shl(word, 1), v_sqrt(v_sub(one, s)), a, b, c);
  const vq turned = V_QUAT(q, with_sign_of, v_from_bits(word));
  return identity_where_not(v_le(s, one), V_QUAT(turned, v_add, v_set(0))); /* -0 + 0 is 0 */
}

#endif
