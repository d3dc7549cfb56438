#ifndef QUATSIMD_SIMD_KERNEL_HALF4_H
#define QUATSIMD_SIMD_KERNEL_HALF4_H

V_INLINE vcode pack_half4(int param, vq q, vf n2) {
  (void)param;
  q = scaled(q, reciprocal_sqrt(1, n2));
  return (vcode){{v_or(v_half(q.x), v_shl(v_half(q.y), 16)), v_or(v_half(q.z), v_shl(v_half(q.w), 16))}};
}

V_INLINE vq unpack_half4(int param, vcode c) {
  (void)param;
  const vq q = {v_from_half(c.w[0]), v_from_half(v_shr(c.w[0], 16)), v_from_half(c.w[1]), v_from_half(v_shr(c.w[1], 16))};
  return unit_or_identity(q);
}

#endif
