/* The operations of vec.h that the scalar reference needs, with one lane. */
#ifndef QUATSIMD_SIMD_ONE_H
#define QUATSIMD_SIMD_ONE_H

#include <stdbool.h>

#include "core/bytes.h"

#define V_LANES 1
#define D_LANES 1
typedef float vf;
typedef int32_t vi;
typedef double vd;
typedef bool vm, vdm;

QUATSIMD_INLINE vi v_bits(vf a) { return (int32_t)float_bits(a); }
QUATSIMD_INLINE vf v_from_bits(vi a) { return float_from_bits((uint32_t)a); }
QUATSIMD_INLINE vf v_set(float a) { return a; }
QUATSIMD_INLINE vi v_seti(int32_t a) { return a; }
QUATSIMD_INLINE vf v_load(const float *p) { return *p; }
QUATSIMD_INLINE void v_store(float *p, vf a) { *p = a; }

QUATSIMD_INLINE vf v_add(vf a, vf b) { return a + b; }
QUATSIMD_INLINE vf v_sub(vf a, vf b) { return a - b; }
QUATSIMD_INLINE vf v_mul(vf a, vf b) { return a * b; }
QUATSIMD_INLINE vf v_max(vf a, vf b) { return a > b ? a : b; }
QUATSIMD_INLINE vf v_min(vf a, vf b) { return a < b ? a : b; }
QUATSIMD_INLINE vf v_abs(vf a) { return fabsf(a); }
QUATSIMD_INLINE vi v_subi(vi a, vi b) { return a - b; }
QUATSIMD_INLINE vi v_or(vi a, vi b) { return a | b; }
QUATSIMD_INLINE vi v_xor(vi a, vi b) { return a ^ b; }
QUATSIMD_INLINE vi v_shr(vi a, int n) { return (int32_t)((uint32_t)a >> n); }

QUATSIMD_INLINE vm v_gt(vf a, vf b) { return a > b; }
QUATSIMD_INLINE vm v_ge(vf a, vf b) { return a >= b; }
QUATSIMD_INLINE vm v_le(vf a, vf b) { return a <= b; }
QUATSIMD_INLINE vm v_ordered(vf a, vf b) { return a == a && b == b; }
QUATSIMD_INLINE vm v_both(vm a, vm b) { return a && b; }
QUATSIMD_INLINE vm v_either(vm a, vm b) { return a || b; }
QUATSIMD_INLINE bool v_all(vm a) { return a; }
QUATSIMD_INLINE vf v_select(vm m, vf a, vf b) { return m ? a : b; }
QUATSIMD_INLINE vi v_selecti(vm m, vi a, vi b) { return m ? a : b; }
QUATSIMD_INLINE vf v_keep(vm m, vf a) { return m ? a : 0; }

QUATSIMD_INLINE vd d_set(double a) { return a; }
QUATSIMD_INLINE vd d_load(const float *p) { return *p; }
QUATSIMD_INLINE void d_store(float *p, vd a) {
  const float f = (float)a;
  *p = f == f ? f : float_from_bits(0x7fc00000);
}
QUATSIMD_INLINE vd d_float(vd a) { return (float)a; }

QUATSIMD_INLINE vd d_add(vd a, vd b) { return a + b; }
QUATSIMD_INLINE vd d_sub(vd a, vd b) { return a - b; }
QUATSIMD_INLINE vd d_mul(vd a, vd b) { return a * b; }
QUATSIMD_INLINE vd d_div(vd a, vd b) { return a / b; }
QUATSIMD_INLINE vd d_sqrt(vd a) { return quatsimd_sqrt(a); }
QUATSIMD_INLINE vd d_abs(vd a) { return fabs(a); }
QUATSIMD_INLINE vd d_negated(vd a) { return -a; }
QUATSIMD_INLINE vd d_flip(vd a, vd b) {
  return double_from_bits(double_bits(a) ^ (double_bits(b) & (uint64_t)1 << 63));
}

QUATSIMD_INLINE vdm d_gt(vd a, vd b) { return a > b; }
QUATSIMD_INLINE vdm d_ge(vd a, vd b) { return a >= b; }
QUATSIMD_INLINE vdm d_eq(vd a, vd b) { return a == b; }
QUATSIMD_INLINE vdm d_top(vd a) { return double_bits(a) >> 63 != 0; }
QUATSIMD_INLINE vdm d_both(vdm a, vdm b) { return a && b; }
QUATSIMD_INLINE vdm d_either(vdm a, vdm b) { return a || b; }
QUATSIMD_INLINE bool d_any(vdm a) { return a; }
QUATSIMD_INLINE vd d_select(vdm m, vd a, vd b) { return m ? a : b; }

#endif
