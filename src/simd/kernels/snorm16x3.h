#ifndef QUATSIMD_SIMD_KERNEL_SNORM16X3_H
#define QUATSIMD_SIMD_KERNEL_SNORM16X3_H

#include "simd/kernels/common.h"

V_INLINE vcode pack_snorm16x3(vq q, vf n2) {
  const vf k = v_flip(reciprocal_sqrt(32767, n2), negative_sign(q.w));
  const vi x = v_round_half_away(v_mul(q.x, k)), y = v_round_half_away(v_mul(q.y, k)),
           z = v_round_half_away(v_mul(q.z, k));
  const vi low = v_seti(0xffff);
  return (vcode){{v_or(v_and(x, low), v_shl(y, 16)), v_and(z, low)}};
}

V_INLINE vq unpack_snorm16x3(vcode c) {
  return derive_w(snorm16_at_top(v_shl(c.w[0], 16)), snorm16_at_top(c.w[0]),
                  snorm16_at_top(v_shl(c.w[1], 16)));
}

#endif
