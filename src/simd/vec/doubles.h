/* Vectors of D_LANES doubles for any instruction set, one lane included, by the vector extension of GCC
 * and Clang: + - * / and comparisons are those of C, lane by lane. Loads widen floats, stores round to
 * floats. An instruction set may define D_LOAD(p), D_SQRT(a) and D_ANY(mask) where compilers do badly. */
#ifndef QUATSIMD_SIMD_DOUBLES_H
#define QUATSIMD_SIMD_DOUBLES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/arithmetic.h"

#define D_INLINE static inline __attribute__((always_inline))

typedef double vd __attribute__((vector_size(8 * D_LANES)));
/* a comparison: all ones or zeros per lane */
typedef int64_t vdm __attribute__((vector_size(8 * D_LANES)));

D_INLINE vd d_set(double a) { return a - (vd){0}; } /* - 0 changes nothing, not even -0 */

D_INLINE vd d_load(const float *p) {
#ifdef D_LOAD
  return D_LOAD(p);
#else
  vd r = {0};
  for (int i = 0; i < D_LANES; i++) r[i] = p[i];
  return r;
#endif
}

/* NaNs of different origin differ in their bits from CPU to CPU: there is one here. */
D_INLINE void d_store(float *p, vd a) {
  typedef float vfn __attribute__((vector_size(4 * D_LANES)));
  typedef int32_t vin __attribute__((vector_size(4 * D_LANES)));
  const vfn f = __builtin_convertvector(a, vfn);
  const vin number = f == f, bits = (number & (vin)f) | (~number & 0x7fc00000);
  memcpy(p, &bits, sizeof bits);
}

/* Rounded to float. */
D_INLINE vd d_float(vd a) {
  typedef float vfn __attribute__((vector_size(4 * D_LANES)));
  return __builtin_convertvector(__builtin_convertvector(a, vfn), vd);
}

D_INLINE vd d_select(vdm m, vd a, vd b) { return (vd)((m & (vdm)a) | (~m & (vdm)b)); }
D_INLINE vd d_abs(vd a) { return (vd)((vdm)a & INT64_MAX); }
/* a, its sign flipped where b has one (-0 has, too). */
D_INLINE vd d_flip(vd a, vd b) { return (vd)((vdm)a ^ ((vdm)b & INT64_MIN)); }
D_INLINE vd d_sqrt(vd a) {
#ifdef D_SQRT
  return D_SQRT(a);
#else
  vd r = {0};
  for (int i = 0; i < D_LANES; i++) r[i] = quatsimd_sqrt(a[i]);
  return r;
#endif
}
D_INLINE int d_any(vdm m) {
#ifdef D_ANY
  return D_ANY(m);
#else
  int64_t any = 0;
  for (int i = 0; i < D_LANES; i++) any |= m[i];
  return any != 0;
#endif
}
/* Nearest integer, halves to even: no bits are left for a fraction. |a| < 2^51. */
D_INLINE vd d_round(vd a) { return (a + 0x1.8p52) - 0x1.8p52; }

/* c[0] + c[1] x + ..., at most 16 terms, by Estrin's tree: pairs, pairs of pairs, ..., whose chain of
 * dependent steps is short. */
D_INLINE vd d_polynomial(const double *c, int terms, vd x) {
  vd part[8] = {{0}};
  int parts = (terms + 1) / 2;
  QUATSIMD_UNROLL(8)
  for (int i = 0; i < parts; i++) part[i] = 2 * i + 1 < terms ? c[2 * i + 1] * x + c[2 * i] : d_set(c[2 * i]);
  QUATSIMD_UNROLL(3)
  for (int level = 0; level < 3; level++) {
    x = x * x;
    QUATSIMD_UNROLL(4)
    for (int i = 0; i < parts / 2; i++) part[i] = part[2 * i + 1] * x + part[2 * i];
    if (parts % 2 != 0) part[parts / 2] = part[parts - 1];
    parts = (parts + 1) / 2;
  }
  return part[0];
}

#endif
