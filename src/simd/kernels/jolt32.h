#ifndef QUATSIMD_SIMD_KERNEL_JOLT32_H
#define QUATSIMD_SIMD_KERNEL_JOLT32_H

#include "simd/kernels/common.h"

V_INLINE vcode pack_jolt32(vq q, vf n2) {
  const vlargest s = v_sort_largest(q);
  const vf r = v_flip(reciprocal_sqrt(1, n2), s.largest);
  const vi top = with_index(v_and(v_bits(s.largest), v_seti((int32_t)0x80000000)), s, 29);
  return (vcode){{v_or(v_or(top, code_from_0(s.a, r, 510)),
                       v_or(v_shl(code_from_0(s.b, r, 510), 9), v_shl(code_from_0(s.c, r, 510), 18)))}};
}

V_INLINE vf jolt32_component(vi fields, int shift, vi zero) {
  return v_mul(v_float(v_subi(v_and(v_shr(fields, shift), v_seti(511)), zero)), v_set(QUATSIMD_SQRT2 / 510));
}

/* For a negative quaternion all bits of the fields are flipped, and `zero` is 256, not 255. This negates the
 * components and never gives -0. The sum with 0 turns -0 as the largest component into 0. */
V_INLINE vq unpack_jolt32(vcode code) {
  const vi word = code.w[0], negative = v_sar(word, 31);
  const vi fields = v_xor(word, negative), zero = v_subi(v_seti(255), negative);
  const vf a = jolt32_component(fields, 0, zero), b = jolt32_component(fields, 9, zero),
           c = jolt32_component(fields, 18, zero);
  const vf s = sum_of_squares(a, b, c), one = v_set(1);
  const vf largest = v_add(v_flip(v_sqrt(v_sub(one, s)), v_from_bits(word)), v_set(0));
  return identity_if_invalid(v_le(s, one), v_unsort_largest(v_shl(word, 1), largest, a, b, c));
}

#endif
