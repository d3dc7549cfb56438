#ifndef QUATSIMD_SIMD_KERNEL_CUBE32_H
#define QUATSIMD_SIMD_KERNEL_CUBE32_H

#include "simd/kernels/common.h"

V_INLINE vi cube32_code(vf v, vf r) {
  return v_trunc(v_add(v_mul(v_add(v_mul(v, r), v_set(1)), v_set(511.5f)), v_set(0.5f)));
}

V_INLINE vcode pack_cube32(vq q) {
  const vlargest s = v_sort_largest(q);
  const vf r = v_div(v_set(1), s.largest);
  const vi a = v_shl(cube32_code(s.a, r), 20), b = v_shl(cube32_code(s.b, r), 10), c = cube32_code(s.c, r);
  return (vcode){{with_index(v_or(a, v_or(b, c)), s, 30)}};
}

V_INLINE vf cube32_side(vi word, int shift, float centre) {
  const vf e = v_float(v_and(v_shr(word, shift), v_seti(1023)));
  return v_mul(v_sub(e, v_set(centre)), v_set(2.0f / 1023.0f));
}

V_INLINE vq unpack_cube32(float centre, vcode code) {
  const vi word = code.w[0];
  const vf a = cube32_side(word, 20, centre), b = cube32_side(word, 10, centre),
           c = cube32_side(word, 0, centre);
  const vf r = reciprocal_sqrt(1, v_add(v_add(v_add(v_mul(a, a), v_mul(b, b)), v_mul(c, c)), v_set(1)));
  return v_unsort_largest(word, r, v_mul(a, r), v_mul(b, r), v_mul(c, r));
}

#endif
