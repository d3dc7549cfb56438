#ifndef QUATSIMD_SIMD_KERNEL_FLOAT4_H
#define QUATSIMD_SIMD_KERNEL_FLOAT4_H

#include "simd/kernels/common.h"

/* Normalises v unless is_unit. Results below 2^-60 could depend on the denormal mode, so they become 0. */
V_INLINE vf float4_component(vf v, vf r, vm is_unit) {
  const vf n = v_mul(v, r);
  return v_select(is_unit, v, v_keep(v_ge(v_abs(n), v_set(0x1p-60f)), n));
}

V_INLINE vq float4_unit(vq q, vf n2) {
  const vm is_unit = v_both(v_ge(n2, v_set(1 - 0x1p-21f)), v_le(n2, v_set(1 + 0x1p-21f)));
  const vf r = reciprocal_sqrt(1, n2);
  return V_QUAT(q, float4_component, r, is_unit);
}

V_INLINE vcode pack_float4(vq q, vf n2) {
  q = float4_unit(q, n2);
  return (vcode){{v_bits(q.x), v_bits(q.y), v_bits(q.z), v_bits(q.w)}};
}

V_INLINE vq unpack_float4(vcode c) {
  const vq q = {v_from_bits(c.w[0]), v_from_bits(c.w[1]), v_from_bits(c.w[2]), v_from_bits(c.w[3])};
  const vf n2 = norm2(q);
  return identity_if_invalid(valid_norm2(n2), float4_unit(q, n2));
}

#endif
