#ifndef QUATSIMD_SIMD_KERNEL_SPLAT32_H
#define QUATSIMD_SIMD_KERNEL_SPLAT32_H

#include "simd/kernels/common.h"

V_INLINE vi splat32_code(vf v, vf r) {
  return v_round(v_min(v_add(v_mul(v_mul(v, r), v_set(128)), v_set(128)), v_set(255)));
}

V_INLINE vcode pack_splat32(vq q, vf n2) {
  const vf r = reciprocal_sqrt(1, n2);
  return (vcode){{v_or(v_or(splat32_code(q.w, r), v_shl(splat32_code(q.x, r), 8)),
                       v_or(v_shl(splat32_code(q.y, r), 16), v_shl(splat32_code(q.z, r), 24)))}};
}

V_INLINE vf splat32_component(vi word, int shift) {
  return v_mul(v_float(v_subi(v_and(v_shr(word, shift), v_seti(255)), v_seti(128))), v_set(1.0f / 128));
}

V_INLINE vq unpack_splat32(vcode c) {
  return unit_or_identity((vq){splat32_component(c.w[0], 8), splat32_component(c.w[0], 16),
                               splat32_component(c.w[0], 24), splat32_component(c.w[0], 0)});
}

#endif
