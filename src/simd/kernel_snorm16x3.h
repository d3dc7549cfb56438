#ifndef QUATSIMD_SIMD_KERNEL_SNORM16X3_H
#define QUATSIMD_SIMD_KERNEL_SNORM16X3_H

V_INLINE vcode pack_snorm16x3(int param, vq q, vf n2) {
  (void)param;
  /* w is negative if its sign bit is set and it is not -0; tested as integers, as -denormal counts in any mode */
  const vi negative_zero = v_seti((int32_t)0x80000000);
  const vf sign = v_from_bits(v_selecti(v_eqi(v_bits(q.w), negative_zero), v_seti(0), v_bits(q.w)));
  const vf k = with_sign_of(reciprocal_sqrt(32767, n2), sign);
  const vi x = v_round_half_away(v_mul(q.x, k)), y = v_round_half_away(v_mul(q.y, k)), z = v_round_half_away(v_mul(q.z, k));
  const vi low = v_seti(0xffff);
  return (vcode){{v_or(v_and(x, low), v_shl(y, 16)), v_and(z, low)}};
}

V_INLINE vf snorm16_at_top(vi code) {
  return v_max(v_mul(v_float(v_sar(code, 16)), v_set(1.0f / 32767.0f)), v_set(-1));
}

/* One square root serves both cases: of s to divide by where s > 1, of 1 - s for w elsewhere. */
V_INLINE vq unpack_snorm16x3(int param, vcode c) {
  (void)param;
  const vf x = snorm16_at_top(v_shl(c.w[0], 16)), y = snorm16_at_top(c.w[0]), z = snorm16_at_top(v_shl(c.w[1], 16));
  const vf s = v_add(v_add(v_mul(x, x), v_mul(y, y)), v_mul(z, z)), one = v_set(1);
  const vm too_long = v_gt(s, one);
  const vf root = v_sqrt(v_select(too_long, s, v_sub(one, s)));
  const vf scale = v_div(one, v_select(too_long, root, one));
  return (vq){v_mul(x, scale), v_mul(y, scale), v_mul(z, scale), v_select(too_long, v_set(0), root)};
}

#endif
