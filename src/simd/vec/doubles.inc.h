/* Functions of doubles, made of the operations of vec.h or one.h. */
#ifndef QUATSIMD_SIMD_DOUBLES_INC_H
#define QUATSIMD_SIMD_DOUBLES_INC_H

#include "core/arithmetic.h"

#define D_INLINE QUATSIMD_INLINE

/* Rounds to the nearest integer, halves to even; |a| < 2^51. A sum with 1.5 * 2^52 has no fraction. */
D_INLINE vd d_round(vd a) { return d_sub(d_add(a, d_set(0x1.8p52)), d_set(0x1.8p52)); }

/* Evaluates c[0] + c[1] x + ..., at most 16 terms, by Estrin's tree of pairs, pairs of pairs and so on. The
 * tree's chain of dependent steps is short. */
D_INLINE vd d_polynomial(const double *c, int terms, vd x) {
  vd part[8];
  int parts = (terms + 1) / 2;
  QUATSIMD_UNROLL(8)
  for (int i = 0; i < parts; i++)
    part[i] = 2 * i + 1 < terms ? d_add(d_mul(d_set(c[2 * i + 1]), x), d_set(c[2 * i])) : d_set(c[2 * i]);
  QUATSIMD_UNROLL(3)
  for (int level = 0; level < 3; level++) {
    x = d_mul(x, x);
    QUATSIMD_UNROLL(4)
    for (int i = 0; i < parts / 2; i++) part[i] = d_add(d_mul(part[2 * i + 1], x), part[2 * i]);
    if (parts % 2 != 0) part[parts / 2] = part[parts - 1];
    parts = (parts + 1) / 2;
  }
  return part[0];
}

#endif
