#ifndef QUATSIMD_SIMD_KERNEL_SNORM16X4_H
#define QUATSIMD_SIMD_KERNEL_SNORM16X4_H

#include "simd/kernels/common.h"

/* Joins four signed 16-bit numbers to a code of two words. */
V_INLINE vcode code_of_four(vi a, vi b, vi c, vi d) {
  const vi low = v_seti(0xffff);
  return (vcode){{v_or(v_and(a, low), v_shl(b, 16)), v_or(v_and(c, low), v_shl(d, 16))}};
}

V_INLINE vcode pack_snorm16x4(vq q, vf n2) {
  const vf k = reciprocal_sqrt(32767, n2);
  return code_of_four(v_round_half_away(v_mul(q.x, k)), v_round_half_away(v_mul(q.y, k)),
                      v_round_half_away(v_mul(q.z, k)), v_round_half_away(v_mul(q.w, k)));
}

V_INLINE vq unpack_snorm16x4(vcode c) {
  return unit_or_identity((vq){snorm16_at_top(v_shl(c.w[0], 16)), snorm16_at_top(c.w[0]),
                               snorm16_at_top(v_shl(c.w[1], 16)), snorm16_at_top(c.w[1])});
}

#endif
