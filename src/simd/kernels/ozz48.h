#ifndef QUATSIMD_SIMD_KERNEL_OZZ48_H
#define QUATSIMD_SIMD_KERNEL_OZZ48_H

#include "simd/kernels/common.h"

V_INLINE vcode pack_ozz48(vq q, vf n2) {
  const vlargest s = v_sort_largest(q);
  const vf r = reciprocal_sqrt(1, n2);
  const vi sign = v_shl(v_shr(v_bits(s.largest), 31), 2), b = code_from_0(s.b, r, 32767);
  return (vcode){{v_or(with_index(sign, s, 0), v_or(v_shl(code_from_0(s.a, r, 32767), 3), v_shl(b, 18))),
                  v_or(v_shr(b, 14), v_shl(code_from_0(s.c, r, 32767), 1))}};
}

V_INLINE vf ozz48_component(vi field) {
  return v_sub(v_mul(v_float(v_and(field, v_seti(32767))), v_set(QUATSIMD_SQRT2 / 32767)),
               v_set(QUATSIMD_SQRT_HALF));
}

V_INLINE vq unpack_ozz48(vcode code) {
  const vi low = code.w[0], high = code.w[1];
  const vf a = ozz48_component(v_shr(low, 3)), b = ozz48_component(v_or(v_shr(low, 18), v_shl(high, 14)));
  const vf c = ozz48_component(v_shr(high, 1)), s = sum_of_squares(a, b, c), one = v_set(1);
  const vf largest = v_flip(v_sqrt(v_sub(one, s)), v_from_bits(v_shl(low, 29)));
  return identity_if_invalid(v_le(s, one), v_unsort_largest(v_shl(low, 30), largest, a, b, c));
}

#endif
