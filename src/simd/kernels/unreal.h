#ifndef QUATSIMD_SIMD_KERNEL_UNREAL_H
#define QUATSIMD_SIMD_KERNEL_UNREAL_H

#include "simd/kernels/common.h"

V_INLINE vi unreal_code(vf v, int bits) {
  const int max = (1 << (bits - 1)) - 1;
  return v_addi(v_trunc(v_mul(v, v_set((float)max))), v_seti(max));
}
V_INLINE vf unreal_component(vcode code, int at, int bits) {
  const int max = (1 << (bits - 1)) - 1;
  const vi upper = v_shr(code.w[at / 32], at % 32);
  const vi field = at % 32 + bits < 32 ? v_and(upper, v_seti((1 << bits) - 1)) : upper;
  return v_mul(v_float(v_subi(field, v_seti(max))), v_set(1 / (float)max));
}

V_INLINE vcode pack_unreal(quatsimd_unreal f, vq q, vf n2) {
  q = scaled(q, v_flip(reciprocal_sqrt(1, n2), negative_sign(q.w)));
  if (f.z_at == 32)
    return (vcode){{v_or(unreal_code(q.x, f.x_bits), v_shl(unreal_code(q.y, f.y_bits), f.y_at)),
                    unreal_code(q.z, f.z_bits)}};
  return (vcode){
      {v_or(v_or(v_shl(unreal_code(q.x, f.x_bits), f.x_at), v_shl(unreal_code(q.y, f.y_bits), f.y_at)),
            unreal_code(q.z, f.z_bits))}};
}

V_INLINE vq unpack_unreal(quatsimd_unreal f, vcode c) {
  return derive_w(unreal_component(c, f.x_at, f.x_bits), unreal_component(c, f.y_at, f.y_bits),
                  unreal_component(c, f.z_at, f.z_bits));
}

#endif
