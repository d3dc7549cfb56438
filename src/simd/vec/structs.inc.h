/* Structs of 8 and 12 floats, for layers where they gain nothing by wider stores. Contract: vec.h. */
V_INLINE void v_load_aos8(const float *p, vq q[2]) {
  q[0] = v_load_strided(p, 32), q[1] = v_load_strided(p + 4, 32);
}
V_INLINE void v_store_aos8(float *p, const vq q[2]) {
  v_store_strided(p, 32, q[0]), v_store_strided(p + 4, 32, q[1]);
}
V_INLINE void v_store_aos12(float *p, const vq q[3]) {
  v_store_strided(p, 48, q[0]), v_store_strided(p + 4, 48, q[1]), v_store_strided(p + 8, 48, q[2]);
}
