#ifndef QUATSIMD_SIMD_KERNEL_SPZ_H
#define QUATSIMD_SIMD_KERNEL_SPZ_H

#include "simd/kernels/common.h"

/* Makes the code of a component: its sign relative to that of the largest component, and its magnitude. */
V_INLINE vi spz32_code(vf v, vf k, vf largest) {
  const vi sign = v_and(v_xor(v_bits(negative_sign(v)), v_bits(largest)), v_seti((int32_t)0x80000000));
  return v_or(v_shr(sign, 22), v_trunc(v_add(v_mul(v_abs(v), k), v_set(0.5f))));
}

V_INLINE vcode pack_spz32(vq q, vf n2) {
  const vlargest s = v_sort_largest(q);
  const vf k = reciprocal_sqrt(511 * QUATSIMD_SQRT2, n2);
  const vi a = v_shl(spz32_code(s.a, k, s.largest), 20), b = v_shl(spz32_code(s.b, k, s.largest), 10);
  return (vcode){{with_index(v_or(a, v_or(b, spz32_code(s.c, k, s.largest))), s, 30)}};
}

V_INLINE vf spz32_component(vi word, int shift) {
  const vf magnitude =
      v_mul(v_float(v_and(v_shr(word, shift), v_seti(511))), v_set(QUATSIMD_SQRT_HALF / 511));
  return v_flip(magnitude, v_from_bits(v_shl(word, 22 - shift)));
}

V_INLINE vq unpack_spz32(vcode c) {
  return derive_largest(c.w[0], spz32_component(c.w[0], 20), spz32_component(c.w[0], 10),
                        spz32_component(c.w[0], 0));
}

V_INLINE vi spz24_code(vf v, vf r) {
  return v_round_half_away(v_add(v_mul(v_mul(v, r), v_set(127.5f)), v_set(127.5f)));
}

V_INLINE vcode pack_spz24(vq q, vf n2) {
  const vf r = v_flip(reciprocal_sqrt(1, n2), negative_sign(q.w));
  return (vcode){
      {v_or(v_or(spz24_code(q.x, r), v_shl(spz24_code(q.y, r), 8)), v_shl(spz24_code(q.z, r), 16))}};
}

V_INLINE vf spz24_component(vi word, int shift) {
  return v_sub(v_mul(v_float(v_and(v_shr(word, shift), v_seti(255))), v_set(1 / 127.5f)), v_set(1));
}

V_INLINE vq unpack_spz24(vcode c) {
  return derive_w(spz24_component(c.w[0], 0), spz24_component(c.w[0], 8), spz24_component(c.w[0], 16));
}

#endif
