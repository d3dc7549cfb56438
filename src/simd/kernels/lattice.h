/* lattice24, lattice32, lattice48 and lattice64, as docs/codec-lattice.md defines them. */
#ifndef QUATSIMD_SIMD_KERNEL_LATTICE_H
#define QUATSIMD_SIMD_KERNEL_LATTICE_H

#include "simd/kernels/common.h"

/* ---- packing ---- */

/* One axis of the chart. k: half of the nearest even H. half: half a quantum. y: the component of the unit
 * quaternion. limit: a move along the axis reduces the cost if the magnitude of a candidate's c is above
 * limit. even_error, odd_error: the errors of the nearest even and the nearest odd H. */
typedef struct lattice_axis {
  vf k, half, y, limit, even_error, odd_error;
} lattice_axis;

V_INLINE vf lattice_unwarp(quatsimd_lattice f, vf x, vf X) {
  const vf z = v_mul(x, x), zz = v_mul(z, z);
  const vf low = v_add(v_mul(z, v_set(QUATSIMD_UNWARP_1 * f.h)), v_set(QUATSIMD_UNWARP_0 * f.h));
  const vf middle = v_add(v_mul(z, v_set(QUATSIMD_UNWARP_3 * f.h)), v_set(QUATSIMD_UNWARP_2 * f.h));
  const vf high = v_add(v_mul(z, v_set(QUATSIMD_UNWARP_5 * f.h)), v_set(QUATSIMD_UNWARP_4 * f.h));
  const vf t = v_mul(x, v_add(v_mul(zz, v_add(v_mul(zz, high), middle)), low));
  if (!f.newton) return t;
  const vf w = v_mul(t, t), error = v_sub(v_mul(t, v_add(v_set(f.a), w)), X);
  return v_sub(t, v_div(error, v_add(v_set(f.a), v_mul(v_set(3), w))));
}

V_INLINE lattice_axis lattice_axis_of(quatsimd_lattice f, vf v, vf to_chart, vf to_unit) {
  lattice_axis axis;
  const vf x = v_mul(v, to_chart), X = v_mul(x, v_set(f.c));
  axis.k = v_rint(lattice_unwarp(f, x, X));
  axis.y = v_mul(v, to_unit);
  const vf kk = v_mul(axis.k, axis.k);
  axis.half = v_add(v_mul(v_set(1.5f), kk), v_set(f.a * 0.5f));
  axis.even_error = v_sub(v_mul(axis.k, v_add(v_set(f.a), kk)), v_sub(X, v_set(0x1p-32f)));
  axis.odd_error = v_sub(axis.even_error, v_flip(axis.half, axis.even_error));
  axis.limit = v_mul(axis.half, v_sub(v_set(1), v_mul(axis.y, axis.y)));
  return axis;
}

/* The best point of one parity: the nearest H of that parity, moved along at most one axis. The move is the
 * one that reduces the cost most. c: the errors before the move, without their part along the quaternion. d:
 * what a move by a quantum along each axis adds to the cost, divided by 4. m: the least of d and 0. */
typedef struct lattice_candidate {
  vf cost, m, c[3], d[3];
} lattice_candidate;

V_INLINE lattice_candidate lattice_try(const lattice_axis axis[3], const vf e[3]) {
  lattice_candidate best;
  const vf p = v_add(v_add(v_mul(e[0], axis[0].y), v_mul(e[1], axis[1].y)), v_mul(e[2], axis[2].y));
  QUATSIMD_UNROLL(3)
  for (int i = 0; i < 3; i++) {
    best.c[i] = v_sub(e[i], v_mul(p, axis[i].y));
    best.d[i] = v_mul(axis[i].half, v_sub(axis[i].limit, v_abs(best.c[i])));
  }
  const vf ee = v_add(v_add(v_mul(e[0], e[0]), v_mul(e[1], e[1])), v_mul(e[2], e[2]));
  best.m = v_min(v_min(best.d[0], best.d[1]), v_min(best.d[2], v_set(0)));
  best.cost = v_add(v_sub(ee, v_mul(p, p)), v_mul(v_set(4), best.m));
  return best;
}

/* The index of the chart, which is the largest component, and the three integers H. */
typedef struct lattice_point {
  vi largest, H[3];
} lattice_point;

V_INLINE lattice_point lattice_choose(vi largest, const lattice_axis axis[3], lattice_candidate even,
                                      lattice_candidate odd) {
  const vm is_odd = v_gt(even.cost, odd.cost);
  const vf m = v_select(is_odd, odd.m, even.m), d0 = v_select(is_odd, odd.d[0], even.d[0]);
  const vf d1 = v_select(is_odd, odd.d[1], even.d[1]), d2 = v_select(is_odd, odd.d[2], even.d[2]);
  const vm moves[3] = {v_le(d0, m), v_both(v_le(d1, m), v_gt(d0, m)),
                       v_both(v_le(d2, m), v_gt(v_min(d0, d1), m))};
  lattice_point point = {largest, {largest}};
  QUATSIMD_UNROLL(3)
  for (int i = 0; i < 3; i++) {
    const vf to_odd = v_keep(is_odd, v_flip(v_set(1), axis[i].even_error));
    const vf move = v_keep(moves[i], v_flip(v_set(2), v_select(is_odd, odd.c[i], even.c[i])));
    point.H[i] = v_round(v_sub(v_sub(v_add(axis[i].k, axis[i].k), to_odd), move));
  }
  return point;
}

/* Finds the nearest points to one or two vectors of quaternions. Two vectors go through the steps side by
 * side, because each step depends on the one before. */
V_INLINE void lattice_nearest(quatsimd_lattice f, int n, const vq q[], const vf n2[], lattice_point point[]) {
  vlargest s[2];
  lattice_axis axis[2][3];
  lattice_candidate even[2], odd[2];
  QUATSIMD_UNROLL(2)
  for (int i = 0; i < n; i++) {
    s[i] = v_sort_largest(q[i]);
    const vf to_chart = v_div(v_set(1), s[i].largest), to_unit = reciprocal_sqrt(1, n2[i]);
    axis[i][0] = lattice_axis_of(f, s[i].a, to_chart, to_unit);
    axis[i][1] = lattice_axis_of(f, s[i].b, to_chart, to_unit);
    axis[i][2] = lattice_axis_of(f, s[i].c, to_chart, to_unit);
  }
  QUATSIMD_UNROLL(2)
  for (int i = 0; i < n; i++) {
    even[i] =
        lattice_try(axis[i], (vf[]){axis[i][0].even_error, axis[i][1].even_error, axis[i][2].even_error});
    odd[i] = lattice_try(axis[i], (vf[]){axis[i][0].odd_error, axis[i][1].odd_error, axis[i][2].odd_error});
  }
  QUATSIMD_UNROLL(2)
  for (int i = 0; i < n; i++) point[i] = lattice_choose(index_of(s[i]), axis[i], even[i], odd[i]);
}

V_INLINE vcode lattice_code_of_indices(quatsimd_lattice f, lattice_point point) {
  const vi mask = v_seti((1 << f.bits) - 1);
  vcode code = {{v_and(v_shr(point.H[2], 1), mask), v_seti(0)}};
  code = with_field(code, v_and(v_shr(point.H[1], 1), mask), f.bits, f.bits);
  code = with_field(code, v_and(v_shr(point.H[0], 1), mask), f.first_at, f.bits);
  code = with_field(code, v_and(point.H[0], v_seti(1)), f.parity_at, 1);
  return with_field(code, point.largest, f.chart_at, 2);
}

/* Returns the digit of H: H = 8 * digit + 2 * l + s, where l is from -2 to 1 and s is 0 or 1. */
V_INLINE vf lattice_digit(vi H) { return v_float(v_sar(v_addi(H, v_seti(4)), 3)); }

V_INLINE vcode lattice_code_of_digits(lattice_point point) {
  const vf radix = v_set(QUATSIMD_LATTICE_RADIX);
  const vf upper = v_add(v_mul(lattice_digit(point.H[0]), radix), lattice_digit(point.H[1]));
  const vi m = v_round(v_add(v_mul(upper, radix), lattice_digit(point.H[2]))); /* |m| < 2^22 */
  const vi s_l0 = v_or(v_shl(v_and(point.H[0], v_seti(1)), 6), v_shl(v_and(point.H[0], v_seti(6)), 3));
  const vi l1_l2 = v_or(v_shl(v_and(point.H[1], v_seti(6)), 1), v_shr(v_and(point.H[2], v_seti(6)), 1));
  const vi L_m = v_or(v_shl(point.largest, 30), v_shr(v_shl(m, 9), 2));
  return (vcode){{v_or(L_m, v_or(s_l0, l1_l2))}};
}

V_INLINE vcode lattice_code(quatsimd_lattice f, lattice_point point) {
  return f.bits == 0 ? lattice_code_of_digits(point) : lattice_code_of_indices(f, point);
}

V_INLINE vcode pack_lattice(quatsimd_lattice f, vq q, vf n2) {
  lattice_point point;
  lattice_nearest(f, 1, &q, &n2, &point);
  return lattice_code(f, point);
}
V_INLINE vcodes pack_pair_lattice(quatsimd_lattice f, const vq q[2], const vf n2[2]) {
  lattice_point point[2];
  lattice_nearest(f, 2, q, n2, point);
  return (vcodes){{lattice_code(f, point[0]), lattice_code(f, point[1])}};
}

/* ---- unpacking ---- */

V_INLINE vq lattice_direction(float a, float c, vi index_at_top, vf g0, vf g1, vf g2) {
  const vf v0 = v_mul(g0, v_add(v_set(a), v_mul(g0, g0))), v1 = v_mul(g1, v_add(v_set(a), v_mul(g1, g1)));
  const vf v2 = v_mul(g2, v_add(v_set(a), v_mul(g2, g2)));
  const vf n2 = v_add(v_add(v_add(v_mul(v0, v0), v_mul(v1, v1)), v_mul(v2, v2)), v_set(c * c));
  const vf r = reciprocal_sqrt(1, n2);
  return v_unsort_largest(index_at_top, v_mul(v_set(c), r), v_mul(v0, r), v_mul(v1, r), v_mul(v2, r));
}

V_INLINE vf lattice_index(vcode code, int position, int bits) {
  return v_float(v_sar(field_of_word(code, position, bits), 32 - bits));
}

V_INLINE vq lattice_unpack_indices(quatsimd_lattice f, vcode code) {
  const vf s = v_select(v_top(field_of_word(code, f.parity_at, 1)), v_set(0.5f), v_set(0));
  return lattice_direction(
      f.a, f.c, field_of_word(code, f.chart_at, 2), v_add(lattice_index(code, f.first_at, f.bits), s),
      v_add(lattice_index(code, f.bits, f.bits), s), v_add(lattice_index(code, 0, f.bits), s));
}

/* Unpacks lattice32. In units of four quanta a coordinate is the sum of a digit, l / 4 and s / 8. Four is a
 * power of two, so these units change no rounding. */
V_INLINE vq lattice_unpack_digits(quatsimd_lattice f, vcode code) {
  const vi word = code.w[0];
  const vf radix = v_set(QUATSIMD_LATTICE_RADIX), per_radix = v_set(1.0f / QUATSIMD_LATTICE_RADIX);
  const vf m = v_float(v_sar(v_shl(word, 2), 9)), upper = v_rint(v_mul(m, per_radix));
  const vf e0 = v_rint(v_mul(upper, per_radix)), e1 = v_sub(upper, v_mul(e0, radix)),
           e2 = v_sub(m, v_mul(upper, radix));
  const vf s = v_select(v_top(v_shl(word, 25)), v_set(0.125f), v_set(0));
  return lattice_direction(f.a / 16, f.c / 64, word, v_add(e0, v_add(v_quarters(word, 4), s)),
                           v_add(e1, v_add(v_quarters(word, 2), s)),
                           v_add(e2, v_add(v_quarters(word, 0), s)));
}

V_INLINE vq unpack_lattice(quatsimd_lattice f, vcode code) {
  return f.bits == 0 ? lattice_unpack_digits(f, code) : lattice_unpack_indices(f, code);
}

#endif
