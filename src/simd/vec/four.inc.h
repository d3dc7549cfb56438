/* Operations that are the same with all vectors of four lanes; included at the end of their vec_*.h.
 * Contract: vec.h. */
V_INLINE vf v_quarters(vi a, int n) { return v_mul(v_float(v_sar(v_shl(a, 30 - n), 30)), v_set(0.25f)); }

/* A transpose within 128 bits is all there is to transpose. */
V_INLINE vi v_to_aos_order(vi a) { return a; }
V_INLINE vi v_from_aos_order(vi a) { return a; }

V_INLINE vcode v_load_pairs(const unsigned char *p) { return v_load_u64(p); }
V_INLINE void v_store_pairs(unsigned char *p, vcode c) { v_store_u64(p, c); }
