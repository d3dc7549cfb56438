/* Operations that are one intrinsic of Intel's with the same name at every width. X(name) is that intrinsic;
 * XI(name) is one whose name ends in the type of integers. Contract: vec.h. */
V_INLINE vf v_set(float a) { return X(set1_ps)(a); }
V_INLINE vf v_add(vf a, vf b) { return X(add_ps)(a, b); }
V_INLINE vf v_sub(vf a, vf b) { return X(sub_ps)(a, b); }
V_INLINE vf v_mul(vf a, vf b) { return X(mul_ps)(a, b); }
V_INLINE vf v_div(vf a, vf b) { return X(div_ps)(a, b); }
V_INLINE vf v_sqrt(vf a) { return X(sqrt_ps)(a); }
V_INLINE vf v_max(vf a, vf b) { return X(max_ps)(a, b); }
V_INLINE vf v_min(vf a, vf b) { return X(min_ps)(a, b); }

V_INLINE vi v_seti(int32_t a) { return X(set1_epi32)(a); }
V_INLINE vi v_addi(vi a, vi b) { return X(add_epi32)(a, b); }
V_INLINE vi v_subi(vi a, vi b) { return X(sub_epi32)(a, b); }
V_INLINE vi v_and(vi a, vi b) { return XI(and)(a, b); }
V_INLINE vi v_or(vi a, vi b) { return XI(or)(a, b); }
V_INLINE vi v_xor(vi a, vi b) { return XI(xor)(a, b); }

V_INLINE vi v_bits(vf a) { return XI(castps)(a); }
V_INLINE vi v_trunc(vf a) { return X(cvttps_epi32)(a); }
V_INLINE vf v_float(vi a) { return X(cvtepi32_ps)(a); }

V_INLINE vf v_load(const float *p) { return X(loadu_ps)(p); }
V_INLINE void v_store(float *p, vf a) { X(storeu_ps)(p, a); }

V_INLINE vd d_set(double a) { return X(set1_pd)(a); }
V_INLINE vd d_float(vd a) { return X(cvtps_pd)(X(cvtpd_ps)(a)); }
V_INLINE vd d_add(vd a, vd b) { return X(add_pd)(a, b); }
V_INLINE vd d_sub(vd a, vd b) { return X(sub_pd)(a, b); }
V_INLINE vd d_mul(vd a, vd b) { return X(mul_pd)(a, b); }
V_INLINE vd d_div(vd a, vd b) { return X(div_pd)(a, b); }
V_INLINE vd d_sqrt(vd a) { return X(sqrt_pd)(a); }
