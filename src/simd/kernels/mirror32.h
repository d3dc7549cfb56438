#ifndef QUATSIMD_SIMD_KERNEL_MIRROR32_H
#define QUATSIMD_SIMD_KERNEL_MIRROR32_H

#include "simd/kernels/common.h"

V_INLINE vi mirror32_code(vf v, vf r) {
  return v_trunc(
      v_mul(v_add(v_mul(v, r), v_set(QUATSIMD_MIRROR_LIMIT)), v_set(1023 / QUATSIMD_MIRROR_RANGE)));
}

V_INLINE vcode pack_mirror32(vq q, vf n2) {
  const vlargest s = v_sort_largest(q);
  const vf r = v_flip(reciprocal_sqrt(1, n2), s.largest);
  const vi a = v_shl(mirror32_code(s.a, r), 20), b = v_shl(mirror32_code(s.b, r), 10);
  return (vcode){{with_index(v_or(a, v_or(b, mirror32_code(s.c, r))), s, 30)}};
}

V_INLINE vf mirror32_component(vi word, int shift) {
  const vf code = v_float(v_and(v_shr(word, shift), v_seti(1023)));
  return v_sub(v_mul(code, v_set(QUATSIMD_MIRROR_RANGE / 1023)), v_set(QUATSIMD_MIRROR_LIMIT));
}

V_INLINE vq unpack_mirror32(vcode c) {
  return derive_largest(c.w[0], mirror32_component(c.w[0], 20), mirror32_component(c.w[0], 10),
                        mirror32_component(c.w[0], 0));
}

#endif
