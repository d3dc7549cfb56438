#ifndef QUATSIMD_SIMD_KERNEL_UNREAL_H
#define QUATSIMD_SIMD_KERNEL_UNREAL_H

V_INLINE vq unreal_unit(vq q, vf n2) {
  return scaled(q, with_sign_of(reciprocal_sqrt(1, n2), negative_sign(q.w)));
}
V_INLINE vi unreal_code(vf v, int max) { return v_addi(v_trunc(v_mul(v, v_set((float)max))), v_seti(max)); }
V_INLINE vf unreal_component(vi code, int max) {
  return v_mul(v_float(v_subi(code, v_seti(max))), v_set(1 / (float)max));
}

V_INLINE vcode pack_unreal48(int param, vq q, vf n2) {
  (void)param;
  q = unreal_unit(q, n2);
  return (vcode){
      {v_or(unreal_code(q.x, 32767), v_shl(unreal_code(q.y, 32767), 16)), unreal_code(q.z, 32767)}};
}

V_INLINE vq unpack_unreal48(int param, vcode c) {
  (void)param;
  return derive_w(unreal_component(v_and(c.w[0], v_seti(65535)), 32767),
                  unreal_component(v_shr(c.w[0], 16), 32767),
                  unreal_component(v_and(c.w[1], v_seti(65535)), 32767));
}

V_INLINE vcode pack_unreal32(int param, vq q, vf n2) {
  (void)param;
  q = unreal_unit(q, n2);
  return (vcode){{v_or(v_or(v_shl(unreal_code(q.x, 1023), 21), v_shl(unreal_code(q.y, 1023), 10)),
                       unreal_code(q.z, 511))}};
}

V_INLINE vq unpack_unreal32(int param, vcode c) {
  (void)param;
  return derive_w(unreal_component(v_shr(c.w[0], 21), 1023),
                  unreal_component(v_and(v_shr(c.w[0], 10), v_seti(2047)), 1023),
                  unreal_component(v_and(c.w[0], v_seti(1023)), 511));
}

#endif
