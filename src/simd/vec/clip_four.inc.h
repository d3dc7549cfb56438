/* Operations for clips that all layers of four lanes share. Contract: clip.h. */
V_INLINE int32_t v_sum(vi a) {
  uint32_t lane[V_LANES];
  v_storei(lane, a);
  return (int32_t)((lane[0] + lane[1]) + (lane[2] + lane[3]));
}
V_INLINE vi v_load_bytes(const unsigned char *p) {
  const int32_t bytes[V_LANES] = {p[0], p[1], p[2], p[3]};
  return v_loadi(bytes);
}
V_INLINE vi v_nibbles(uint32_t nibbles, int first) {
  int32_t found[V_LANES];
  for (int i = 0; i < V_LANES; i++) found[i] = (int32_t)(nibbles >> 4 * (first + i));
  return v_loadi(found);
}
V_INLINE vf v_look_up(const float table[16], vi index) {
  int32_t at[V_LANES];
  float found[V_LANES];
  v_storei(at, index);
  for (int i = 0; i < V_LANES; i++) found[i] = table[at[i] & 15];
  return v_load(found);
}

V_INLINE const unsigned char *v_products(vi sum[2], const unsigned char *p, const uint8_t *profile,
                                         const vi *row) {
  vi parts[2][V_LANES];
  if (load_u32(profile) == 0) { /* no curves, as a rule: profile 0 has no coefficients */
    sum[0] = sum[1] = v_seti(0);
    return p;
  }
  for (int i = 0; i < V_LANES; i++) {
    vi channel[2];
    v_load_channel(channel, p, profile[i]);
    for (int k = 0; k < 2; k++)
      parts[k][i] =
          v_addi(v_multiply_pairs(channel[0], row[2 * k]), v_multiply_pairs(channel[1], row[2 * k + 1]));
    p += quatsimd_clip_bytes[profile[i]];
  }
  sum[0] = sum_each(parts[0]), sum[1] = sum_each(parts[1]);
  return p;
}

V_INLINE vf v_load_line(const float *p) { return v_load(p); }
V_INLINE void v_store_line(float *p, vf a) { v_store(p, a); }
V_INLINE vf v_each_from(vf a, int i) {
  const vq each = v_each(a);
  return i == 0 ? each.x : i == 1 ? each.y : i == 2 ? each.z : each.w;
}
