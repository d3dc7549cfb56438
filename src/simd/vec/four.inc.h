/* Operations that all layers of four lanes share. Contract: vec.h. */
V_INLINE vf v_quarters(vi a, int n) { return v_mul(v_float(v_sar(v_shl(a, 30 - n), 30)), v_set(0.25f)); }

/* With four lanes, transposing keeps the order of the array. */
V_INLINE vi v_to_aos_order(vi a) { return a; }
V_INLINE vi v_from_aos_order(vi a) { return a; }

V_INLINE vcode v_load_pairs(const unsigned char *p) { return v_load_u64(p); }
V_INLINE void v_store_pairs(unsigned char *p, vcode c) { v_store_u64(p, c); }

V_INLINE void v_store_aos16(float *p, const vq q[4]) {
  v_store_strided(p, 64, q[0]), v_store_strided(p + 4, 64, q[1]);
  v_store_strided(p + 8, 64, q[2]), v_store_strided(p + 12, 64, q[3]);
}
