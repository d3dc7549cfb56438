#ifndef QUATSIMD_SIMD_KERNEL_VERTEX32_H
#define QUATSIMD_SIMD_KERNEL_VERTEX32_H

#include "simd/kernels/common.h"

V_INLINE vcode pack_vertex32(vq q, vf n2) {
  const vf k = reciprocal_sqrt(127, n2);
  const vi x = v_round_half_away(v_mul(q.x, k)), y = v_round_half_away(v_mul(q.y, k)),
           z = v_round_half_away(v_mul(q.z, k));
  const vi w = v_round_half_away(v_add(v_mul(v_mul(q.w, k), v_set(0.5f)), v_set(63.5f)));
  const vi low = v_seti(0xff);
  return (vcode){
      {v_or(v_or(v_and(x, low), v_shl(v_and(y, low), 8)), v_or(v_shl(v_and(z, low), 16), v_shl(w, 24)))}};
}

V_INLINE vf snorm8_at_top(vi code) {
  return v_max(v_mul(v_float(v_sar(code, 24)), v_set(1.0f / 127.0f)), v_set(-1));
}

V_INLINE vq unpack_vertex32(vcode c) {
  const vf w = v_float(v_and(v_shr(c.w[0], 24), v_seti(0x7f)));
  const vq q = {snorm8_at_top(v_shl(c.w[0], 24)), snorm8_at_top(v_shl(c.w[0], 16)),
                snorm8_at_top(v_shl(c.w[0], 8)), v_sub(v_mul(w, v_set(2.0f / 127.0f)), v_set(1))};
  return scaled(q, reciprocal_sqrt(1, norm2(q)));
}

#endif
