/* Operations that are the same with vectors of 256 and of 512 bits. The header that includes this defines X,
 * as for x86.inc.h. Contract: vec.h. */
V_INLINE vd d_abs(vd a) { return X(andnot_pd)(d_set(-0.0), a); }
V_INLINE vd d_negated(vd a) { return X(xor_pd)(a, d_set(-0.0)); }
V_INLINE vd d_flip(vd a, vd b) { return X(xor_pd)(a, X(and_pd)(b, d_set(-0.0))); }

V_INLINE vi v_half(vf a) {
  return X(cvtepu16_epi32)(X(cvtps_ph)(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

/* Transposes the 4x4 floats in each 128 bits of the four vectors. The transpose is its own inverse. */
V_INLINE vq transpose(vf a, vf b, vf c, vf d) {
  const vd ab_low = X(castps_pd)(X(unpacklo_ps)(a, b)), ab_high = X(castps_pd)(X(unpackhi_ps)(a, b));
  const vd cd_low = X(castps_pd)(X(unpacklo_ps)(c, d)), cd_high = X(castps_pd)(X(unpackhi_ps)(c, d));
  return (vq){X(castpd_ps)(X(unpacklo_pd)(ab_low, cd_low)), X(castpd_ps)(X(unpackhi_pd)(ab_low, cd_low)),
              X(castpd_ps)(X(unpacklo_pd)(ab_high, cd_high)), X(castpd_ps)(X(unpackhi_pd)(ab_high, cd_high))};
}

/* A register holds two or four quaternions, one behind the other. So aos order is 0, 2, 4, 6, 1, 3, 5, 7, or
 * 0, 4, 8, 12, 1, 5, ... */
V_INLINE void v_store_aos(float *p, vq q) {
  q = transpose(q.x, q.y, q.z, q.w);
  v_store(p, q.x);
  v_store(p + V_LANES, q.y);
  v_store(p + 2 * V_LANES, q.z);
  v_store(p + 3 * V_LANES, q.w);
}

/* Return the even and the odd words of two vectors: [a0 a2 b0 b2] and [a1 a3 b1 b3] in each 128 bits. */
V_INLINE vi even_words(vi a, vi b) { return v_bits(X(shuffle_ps)(v_from_bits(a), v_from_bits(b), 0x88)); }
V_INLINE vi odd_words(vi a, vi b) { return v_bits(X(shuffle_ps)(v_from_bits(a), v_from_bits(b), 0xdd)); }

/* Stores the low 64 bits of a pair where element e of a group goes, the high 64 bits where e + 1 goes. */
V_INLINE void store_pair(unsigned char *p, const bit_plan *plan, int e, __m128i pair) {
  _mm_storel_epi64((__m128i *)(void *)(p + plan->element_offset[e]), pair);
  _mm_storel_epi64((__m128i *)(void *)(p + plan->element_offset[e + 1]), _mm_unpackhi_epi64(pair, pair));
}
