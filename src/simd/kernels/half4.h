#ifndef QUATSIMD_SIMD_KERNEL_HALF4_H
#define QUATSIMD_SIMD_KERNEL_HALF4_H

#include "simd/kernels/common.h"

/* Converts any float to a half. For large floats and NaN the bits of v_half differ between CPUs. So large
 * floats become infinity here, and NaN becomes 0x7e00. */
V_INLINE vi half_of_any(vf a) {
  const vi magnitude = v_and(v_bits(a), v_seti(0x7fffffff)), sign = v_shl(v_shr(v_bits(a), 31), 15);
  /* `large` is true from 65520 on: 0x477fefff is the float before */
  const vm large = v_lti(v_seti(0x477fefff), magnitude), nan = v_lti(v_seti(0x7f800000), magnitude);
  const vi half = v_half(v_from_bits(v_selecti(large, v_seti(0), magnitude)));
  return v_selecti(nan, v_seti(0x7e00), v_or(sign, v_selecti(large, v_seti(0x7c00), half)));
}

V_INLINE vcode halves_of_any(vq q) {
  return (vcode){{v_or(half_of_any(q.x), v_shl(half_of_any(q.y), 16)),
                  v_or(half_of_any(q.z), v_shl(half_of_any(q.w), 16))}};
}

V_INLINE vq floats_of_halves(vcode c) {
  return (vq){v_from_half(c.w[0]), v_from_half(v_shr(c.w[0], 16)), v_from_half(c.w[1]),
              v_from_half(v_shr(c.w[1], 16))};
}

V_INLINE vcode pack_half4(vq q, vf n2) {
  q = scaled(q, reciprocal_sqrt(1, n2));
  return (vcode){{v_halves(q.x, q.y), v_halves(q.z, q.w)}};
}

V_INLINE vq unpack_half4(vcode c) { return unit_or_identity(floats_of_halves(c)); }

#endif
