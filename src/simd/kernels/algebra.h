/* Short operations of rotation.h and sqt.h, in float. Vectors have twice as many floats as doubles, and
 * floats need no conversions. Errors are up to 3e-7, in double 1e-7. Where floats would overflow or vanish,
 * doubles are used. scalar/algebra.h has the same for one element. */
#ifndef QUATSIMD_SIMD_KERNEL_ALGEBRA_H
#define QUATSIMD_SIMD_KERNEL_ALGEBRA_H

#include "core/dispatch.h"
#include "core/parts.h"
#include "simd/kernels/common.h"
#include "simd/kernels/operations.inc.h"

V_INLINE vf v_twice(vf a) { return v_add(a, a); }

/* The matrix of the rotation by q, times |q|^2; elements off the diagonal are halved. e is 1 - |q|^2.
 * Rotating v by v + 2 u x (u x v + w v), where q = (u, w), would take longer sums, with larger errors. */
typedef struct vrotation {
  vf xx, yy, zz, xy, yx, xz, zx, yz, zy, e; /* xy: row x, column y */
} vrotation;

V_INLINE vrotation rotation_of(vq q) {
  const vf xx = v_mul(q.x, q.x), yy = v_mul(q.y, q.y), zz = v_mul(q.z, q.z), ww = v_mul(q.w, q.w),
           half = v_set(0.5f);
  const vf xy = v_mul(q.x, q.y), xz = v_mul(q.x, q.z), yz = v_mul(q.y, q.z);
  const vf wx = v_mul(q.w, q.x), wy = v_mul(q.w, q.y), wz = v_mul(q.w, q.z);
  return (vrotation){v_add(v_sub(ww, yy), v_sub(xx, zz)),
                     v_add(v_sub(ww, xx), v_sub(yy, zz)),
                     v_add(v_sub(ww, xx), v_sub(zz, yy)),
                     v_sub(xy, wz),
                     v_add(xy, wz),
                     v_add(xz, wy),
                     v_sub(xz, wy),
                     v_sub(yz, wx),
                     v_add(yz, wx),
                     v_add(v_sub(half, v_add(xx, yy)), v_sub(half, v_add(zz, ww)))};
}

V_INLINE vf rotated_row(vf diagonal, vf v, vf half_a, vf a, vf half_b, vf b, vf e) {
  const vf r = v_add(v_mul(diagonal, v), v_twice(v_add(v_mul(half_a, a), v_mul(half_b, b))));
  return v_add(r, v_mul(r, e));
}
V_INLINE v3 rotated(vrotation m, v3 v) {
  return (v3){rotated_row(m.xx, v.x, m.xy, v.y, m.xz, v.z, m.e),
              rotated_row(m.yy, v.y, m.yx, v.x, m.yz, v.z, m.e),
              rotated_row(m.zz, v.z, m.zx, v.x, m.zy, v.y, m.e)};
}

/* Clamps t to 0..1. NaN stays NaN. The sum with 0 turns -0 into 0, because v_max may give either zero. */
V_INLINE vf fraction_of(vf t) { return v_add(v_min(v_set(1), v_max(v_set(0), t)), v_set(0)); }

/* Returns of_a * a + of_b * b, or of_a * a - of_b * b where d is negative. d, the dot product of a and b, is
 * compared with 0, because the sign bit of a NaN differs between CPUs. */
V_INLINE vq weighted_sum(vq a, vq b, vf d, vf of_a, vf of_b) {
  of_b = v_select(v_gt(v_set(0), d), v_negated(of_b), of_b);
  return (vq){v_add(v_mul(a.x, of_a), v_mul(b.x, of_b)), v_add(v_mul(a.y, of_a), v_mul(b.y, of_b)),
              v_add(v_mul(a.z, of_a), v_mul(b.z, of_b)), v_add(v_mul(a.w, of_a), v_mul(b.w, of_b))};
}

V_INLINE vq float_nlerp(vq a, vq b, vf t) {
  const vf in = fraction_of(t);
  const vq q = weighted_sum(a, b, dot_product(a, b), v_sub(v_set(1), in), in);
  return scaled(q, reciprocal_sqrt(1, norm2(q)));
}

V_INLINE v3 float_lerp(v3 a, v3 b, vf t) {
  const vf of_b = fraction_of(t), of_a = v_sub(v_set(1), of_b);
  return (v3){v_add(v_mul(a.x, of_a), v_mul(b.x, of_b)), v_add(v_mul(a.y, of_a), v_mul(b.y, of_b)),
              v_add(v_mul(a.z, of_a), v_mul(b.z, of_b))};
}

V_INLINE vq select4(vm m, vq a, vq b) {
  return (vq){v_select(m, a.x, b.x), v_select(m, a.y, b.y), v_select(m, a.z, b.z), v_select(m, a.w, b.w)};
}

/* Computes an operation of operations.inc.h on a vector of quaternions, or of two. It is not inlined, because
 * few elements need it. */
QUATSIMD_NOINLINE vq in_double(quatsimd_operation_fn *call, vq a, vq b) {
  float in[8][V_LANES], out[4][V_LANES] = {{0}};
  v_store(in[0], a.x), v_store(in[1], a.y), v_store(in[2], a.z), v_store(in[3], a.w);
  v_store(in[4], b.x), v_store(in[5], b.y), v_store(in[6], b.z), v_store(in[7], b.w);
  call((float *const[]){out[0], out[1], out[2], out[3]},
       (const float *const[]){in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]}, V_LANES);
  return (vq){v_load(out[0]), v_load(out[1]), v_load(out[2]), v_load(out[3])};
}

/* The next three are exact enough in float, and are numbers, if no product overflows and not all vanish. A
 * finite sum is one of finite products. Valid quaternions have lengths from 2^-32 to 2^32. */
V_INLINE vf float_dot(vq a, vq b) {
  const vf d = dot_product(a, b);
  const vm is_finite = v_le(v_abs(d), v_set(FLT_MAX));
  return QUATSIMD_LIKELY(v_all(is_finite)) ? d : v_select(is_finite, d, in_double(in_double_dot, a, b).x);
}
V_INLINE vf float_norm(vq q) {
  const vf n2 = norm2(q), n = v_sqrt(n2);
  const vm valid = valid_norm2(n2);
  return QUATSIMD_LIKELY(v_all(valid)) ? n : v_select(valid, n, in_double(in_double_norm, q, q).x);
}
V_INLINE vq float_inverse(vq q) {
  const vf n2 = norm2(q), by = v_div(v_set(1), n2), minus = v_negated(by);
  const vq inverse = {v_mul(q.x, minus), v_mul(q.y, minus), v_mul(q.z, minus), v_mul(q.w, by)};
  const vm valid = valid_norm2(n2);
  return QUATSIMD_LIKELY(v_all(valid)) ? inverse
                                       : select4(valid, inverse, in_double(in_double_inverse, q, q));
}

V_INLINE vf polynomial5(const float c[5], vf x) {
  const vf above = v_add(v_mul(v_set(c[4]), x), v_set(c[3])),
           middle = v_add(v_mul(v_set(c[2]), x), v_set(c[1]));
  return v_add(v_mul(v_add(v_mul(above, v_mul(x, x)), middle), x), v_set(c[0]));
}

/* Returns the cosine of the square root of x. */
V_INLINE vf half_cosine(vf x) {
  return v_add(v_mul(v_sub(v_set(ROTATION_QUARTER2), x), polynomial5(ROTATION_HALF_COS, x)),
               v_set(ROTATION_COS_REST));
}

V_INLINE vq float_exp(v3 v) {
  const vf x = v_mul(sum_of_squares(v.x, v.y, v.z), v_set(0.25f)),
           factor = v_mul(polynomial5(ROTATION_HALF_SIN, x), v_set(0.5f));
  const vq near = {v_mul(v.x, factor), v_mul(v.y, factor), v_mul(v.z, factor), half_cosine(x)};
  const vm is_near = v_le(x, v_set(ROTATION_QUARTER2));
  if (v_all(is_near)) return near;
  const vq any = {v.x, v.y, v.z, v.z};
  return select4(is_near, near, in_double(in_double_exp, any, any));
}

/* ---- matrices and joint transforms ---- */

typedef struct vmatrix { /* [row][column] */
  vf m[3][3];
} vmatrix;

/* Returns the matrix of a unit quaternion, times a scale. If a component is infinite, so is r.e. r.e - r.e,
 * else 0, then makes the matrix NaN. */
V_INLINE vmatrix float_matrix(vq q, vf scale) {
  const vrotation r = rotation_of(q);
  const vf f = v_add(scale, v_mul(scale, v_add(r.e, v_sub(r.e, r.e)))), twice = v_twice(f);
  return (vmatrix){{{v_mul(r.xx, f), v_mul(r.xy, twice), v_mul(r.xz, twice)},
                    {v_mul(r.yx, twice), v_mul(r.yy, f), v_mul(r.yz, twice)},
                    {v_mul(r.zx, twice), v_mul(r.zy, twice), v_mul(r.zz, f)}}};
}

/* Each row of 4 q q^T is a multiple of q. Returns the row with the largest diagonal element, normalised. */
V_INLINE vq float_from_matrix(vmatrix a) {
  const vf xx = a.m[0][0], yy = a.m[1][1], zz = a.m[2][2], one = v_set(1);
  const vf tx = v_add(one, v_sub(v_sub(xx, yy), zz)), ty = v_add(one, v_sub(v_sub(yy, xx), zz)),
           tz = v_add(one, v_sub(v_sub(zz, xx), yy)), tw = v_add(one, v_add(v_add(xx, yy), zz));
  const vf xy = v_add(a.m[1][0], a.m[0][1]), xz = v_add(a.m[2][0], a.m[0][2]),
           yz = v_add(a.m[2][1], a.m[1][2]);
  const vf wx = v_sub(a.m[2][1], a.m[1][2]), wy = v_sub(a.m[0][2], a.m[2][0]),
           wz = v_sub(a.m[1][0], a.m[0][1]);
  const vm y_over_x = v_gt(ty, tx), w_over_z = v_gt(tw, tz);
  const vm upper = v_gt(v_select(w_over_z, tw, tz), v_select(y_over_x, ty, tx));
#define PICK(x, y, z, w) v_select(upper, v_select(w_over_z, w, z), v_select(y_over_x, y, x))
  const vq q = {PICK(tx, xy, xz, wx), PICK(xy, ty, yz, wy), PICK(xz, yz, tz, wz), PICK(wx, wy, wz, tw)};
#undef PICK
  return scaled(q, reciprocal_sqrt(1, norm2(q)));
}

typedef struct vsqt {
  vq q;
  v3 t;
  vf s;
} vsqt;

V_INLINE v3 float_sqt_vector(vsqt a, v3 v) {
  return rotated(rotation_of(a.q), (v3){v_mul(v.x, a.s), v_mul(v.y, a.s), v_mul(v.z, a.s)});
}
V_INLINE v3 float_sqt_point(vsqt a, v3 p) {
  const v3 v = float_sqt_vector(a, p);
  return (v3){v_add(v.x, a.t.x), v_add(v.y, a.t.y), v_add(v.z, a.t.z)};
}
V_INLINE vsqt float_sqt_compose(vsqt a, vsqt b) {
  const vq q = float_multiply(a.q, b.q);
  return (vsqt){scaled(q, reciprocal_sqrt(1, norm2(q))), float_sqt_point(a, b.t), v_mul(a.s, b.s)};
}

/* ---- loops over arrays of components, or over arrays of structs ---- */

typedef struct algebra_arguments {
  float *const *out;
  const float *const *in;
  const size_t *stride; /* aos: floats from one element of an input to the next */
  size_t i;             /* the index of the first element in the vectors */
  bool aos;
  vm *ordered; /* with V_SLOW_ALL: if given, it becomes false in lanes with a NaN */
} algebra_arguments;

/* Turns each NaN into the NaN that the library returns on all CPUs. */
V_INLINE vf number(vf a) { return v_select(v_ge(a, a), a, v_from_bits(v_seti(0x7fc00000))); }
QUATSIMD_NOINLINE void give_bits_to_nans(float *const *out, int n, size_t floats) {
  for (int c = 0; c < n; c++)
    for (size_t i = 0; i < floats; i += V_LANES) v_store(out[c] + i, number(v_load(out[c] + i)));
}
/* NaN is rare. With V_SLOW_ALL a loop looks for one at its end. n: floats of a result. */
V_INLINE void end_loop(algebra_arguments a, float *const *out, int n, size_t count) {
  if (V_SLOW_ALL && !QUATSIMD_LIKELY(v_all(*a.ordered)))
    give_bits_to_nans(out, a.aos ? 1 : n, a.aos ? (size_t)n * count : count);
}
/* Returns true if NaNs can wait for the loop's end. */
V_INLINE bool can_wait(algebra_arguments a, vm ordered) {
  if (!V_SLOW_ALL || !a.ordered) return false;
  *a.ordered = v_both(*a.ordered, ordered);
  return true;
}
/* NaN is rare, so CPUs predict the branches of numbers3, numbers4 and numbers. */
V_INLINE v3 numbers3(algebra_arguments a, v3 v) {
  const vm ordered = v_ordered3(v.x, v.y, v.z);
  if (can_wait(a, ordered) || QUATSIMD_LIKELY(v_all(ordered))) return v;
  return (v3){number(v.x), number(v.y), number(v.z)};
}
V_INLINE vm are_numbers(vq q) { return v_ordered4(q.x, q.y, q.z, q.w); }
V_INLINE vq each_number(vq q) { return (vq){number(q.x), number(q.y), number(q.z), number(q.w)}; }
V_INLINE vq numbers4(algebra_arguments a, vq q) {
  const vm ordered = are_numbers(q);
  return can_wait(a, ordered) || QUATSIMD_LIKELY(v_all(ordered)) ? q : each_number(q);
}
/* One branch serves all n, 2 or 3. The player, which is small, has none. */
V_INLINE void numbers(algebra_arguments a, vq *q, int n) {
  const vm two = v_both(are_numbers(q[0]), are_numbers(q[1])),
           all = n == 2 ? two : v_both(two, are_numbers(q[2]));
  if (can_wait(a, all) || (!QUATSIMD_IS_PLAYER && QUATSIMD_LIKELY(v_all(all)))) return;
  q[0] = each_number(q[0]), q[1] = each_number(q[1]);
  if (n == 3) q[2] = each_number(q[2]);
}

/* Load one, three or four components of input n. If aos, in[n] has the structs of this input. Else in[c] is
 * the array of its first component, and the arrays of the others follow. */
V_INLINE vf take1(algebra_arguments a, int n, int c) {
  return a.aos ? v_from_bits(v_to_aos_order(v_bits(v_load(a.in[n] + a.stride[n] * a.i))))
               : v_load(a.in[c] + a.i);
}
V_INLINE v3 take3(algebra_arguments a, int n, int c) {
  return a.aos ? v_load_aos3(a.in[n] + a.stride[n] * a.i)
               : (v3){v_load(a.in[c] + a.i), v_load(a.in[c + 1] + a.i), v_load(a.in[c + 2] + a.i)};
}
V_INLINE vq take4(algebra_arguments a, int n, int c) {
  return a.aos ? v_load_aos(a.in[n] + a.stride[n] * a.i)
               : (vq){v_load(a.in[c] + a.i), v_load(a.in[c + 1] + a.i), v_load(a.in[c + 2] + a.i),
                      v_load(a.in[c + 3] + a.i)};
}
V_INLINE void give3(algebra_arguments a, v3 v) {
  v = numbers3(a, v);
  if (a.aos) {
    v_store_aos3(a.out[0] + 3 * a.i, v);
  } else {
    v_store(a.out[0] + a.i, v.x), v_store(a.out[1] + a.i, v.y), v_store(a.out[2] + a.i, v.z);
  }
}
/* Store results without NaNs. */
V_INLINE void put1(algebra_arguments a, vf v) {
  v_store(a.out[0] + a.i, a.aos ? v_from_bits(v_from_aos_order(v_bits(v))) : v);
}
V_INLINE void put4(algebra_arguments a, vq q) {
  if (a.aos) {
    v_store_aos(a.out[0] + 4 * a.i, q);
  } else {
    v_store(a.out[0] + a.i, q.x), v_store(a.out[1] + a.i, q.y), v_store(a.out[2] + a.i, q.z),
        v_store(a.out[3] + a.i, q.w);
  }
}
V_INLINE void give4(algebra_arguments a, vq q) { put4(a, numbers4(a, q)); }

/* Loads four floats, from the c-th on, of each struct of input n. Structs have `floats` floats. */
V_INLINE vq four_of(algebra_arguments a, int n, size_t floats, size_t c) {
  return v_load_strided(a.in[n] + a.stride[n] * a.i + c, floats * sizeof(float));
}
V_INLINE vf load_number(algebra_arguments a, int c) { return v_load(a.in[c] + a.i); }
V_INLINE vsqt take_sqt(algebra_arguments a, int n, int c) {
  if (!a.aos) return (vsqt){take4(a, n, c), take3(a, n, c + 4), load_number(a, c + 7)};
  vq q[2];
  v_load_aos8(a.in[n] + a.stride[n] * a.i, q);
  return (vsqt){q[0], {q[1].x, q[1].y, q[1].z}, q[1].w};
}
V_INLINE vmatrix take_matrix3(algebra_arguments a) {
  if (!a.aos)
    return (vmatrix){{{load_number(a, 0), load_number(a, 3), load_number(a, 6)},
                      {load_number(a, 1), load_number(a, 4), load_number(a, 7)},
                      {load_number(a, 2), load_number(a, 5), load_number(a, 8)}}};
  const vq first = four_of(a, 0, 9, 0), next = four_of(a, 0, 9, 4), last = four_of(a, 0, 9, 5);
  return (vmatrix){{{first.x, first.w, next.z}, {first.y, next.x, next.w}, {first.z, next.y, last.w}}};
}
V_INLINE vmatrix take_matrix4(algebra_arguments a) {
  if (!a.aos)
    return (vmatrix){{{load_number(a, 0), load_number(a, 4), load_number(a, 8)},
                      {load_number(a, 1), load_number(a, 5), load_number(a, 9)},
                      {load_number(a, 2), load_number(a, 6), load_number(a, 10)}}};
  /* 4 KiB ahead: without this, AVX2 takes 3.5 times as long beyond the second-level cache of Zen 5 */
  const uintptr_t from = (uintptr_t)(a.in[0] + a.stride[0] * a.i);
  for (size_t l = 0; l < V_LANES; l++) QUATSIMD_PREFETCH_AHEAD(from + sizeof(float) * a.stride[0] * l);
  const vq x = four_of(a, 0, 16, 0), y = four_of(a, 0, 16, 4), z = four_of(a, 0, 16, 8);
  return (vmatrix){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

/* Stores four of the `floats` floats of each result, from the c-th on. Callers replace NaNs before. */
V_INLINE void give_four(algebra_arguments a, size_t floats, size_t c, vq q) {
  if (a.aos) {
    v_store_strided(a.out[0] + floats * a.i + c, floats * sizeof(float), q);
  } else {
    v_store(a.out[c] + a.i, q.x), v_store(a.out[c + 1] + a.i, q.y), v_store(a.out[c + 2] + a.i, q.z),
        v_store(a.out[c + 3] + a.i, q.w);
  }
}
V_INLINE void give_sqt(algebra_arguments a, vsqt b) {
  vq q[2] = {b.q, {b.t.x, b.t.y, b.t.z, b.s}};
  numbers(a, q, 2);
  if (a.aos) v_store_aos8(a.out[0] + 8 * a.i, q);
  else give_four(a, 8, 0, q[0]), give_four(a, 8, 4, q[1]);
}
/* Makes rows of a matrix and a translation, and gives NaNs their bits. */
V_INLINE void rows_of(algebra_arguments a, vmatrix b, v3 t, vq row[3]) {
  row[0] = (vq){b.m[0][0], b.m[0][1], b.m[0][2], t.x};
  row[1] = (vq){b.m[1][0], b.m[1][1], b.m[1][2], t.y};
  row[2] = (vq){b.m[2][0], b.m[2][1], b.m[2][2], t.z};
  numbers(a, row, 3);
}
V_INLINE void put_matrix3x4(algebra_arguments a, const vq row[3]) {
  if (a.aos) v_store_aos12(a.out[0] + 12 * a.i, row);
  else give_four(a, 12, 0, row[0]), give_four(a, 12, 4, row[1]), give_four(a, 12, 8, row[2]);
}
V_INLINE void put_matrix4(algebra_arguments a, const vq row[3]) {
  const vf none = v_set(0);
  const vq column[4] = {{row[0].x, row[1].x, row[2].x, none},
                        {row[0].y, row[1].y, row[2].y, none},
                        {row[0].z, row[1].z, row[2].z, none},
                        {row[0].w, row[1].w, row[2].w, v_set(1)}};
  if (a.aos) v_store_aos16(a.out[0] + 16 * a.i, column);
  else
    for (size_t c = 0; c < 4; c++) give_four(a, 16, 4 * c, column[c]);
}
/* Stores the columns of 3x3 matrices. Three floats are stored twice, so that no store leaves its matrix. */
V_INLINE void give_matrix3(algebra_arguments a, vmatrix b) {
  const vf last = b.m[2][2];
  vq q[3] = {{b.m[0][0], b.m[1][0], b.m[2][0], b.m[0][1]},
             {b.m[1][1], b.m[2][1], b.m[0][2], b.m[1][2]},
             {last, last, last, last}};
  numbers(a, q, 3);
  give_four(a, 9, 0, q[0]), give_four(a, 9, 4, q[1]);
  give_four(a, 9, 5, (vq){q[1].y, q[1].z, q[1].w, q[2].x});
}

/* Adds up a list of numbers of components of operations.def: at most five. */
#define SUM_OF_FIVE(a, b, c, d, e, ...) (a + b + c + d + e)
#define SUM(...) SUM_OF_FIVE(__VA_ARGS__, 0, 0, 0, 0, 0)
enum {
#define OPERATION(name, kernel, part, outputs, inputs) OUT_OF_##name = SUM outputs, IN_OF_##name = SUM inputs,
#include "rotation/operations.def"
};
/* FLOAT_LOOP copies the pointers, because compilers would load them again after each store of a vector. */
#define FLOAT_LOOP(name, statement)                                                                          \
  static void in_float_##name(float *const *out, const float *const *in, size_t count) {                     \
    float *to[OUT_OF_##name];                                                                                \
    const float *from[IN_OF_##name];                                                                         \
    for (int c = 0; c < OUT_OF_##name; c++) to[c] = out[c];                                                  \
    for (int c = 0; c < IN_OF_##name; c++) from[c] = in[c];                                                  \
    vm ordered = v_ordered(v_set(0), v_set(0));                                                              \
    algebra_arguments a = {to, from, NULL, 0, false, &ordered};                                              \
    for (; a.i < count; a.i += V_LANES) statement;                                                           \
    end_loop(a, out, OUT_OF_##name, count);                                                                  \
  }
#define STRUCTS_LOOP(name, statement)                                                                        \
  static size_t on_structs_##name(float *const *out, const float *const *in, const size_t *stride,           \
                                  size_t count) {                                                            \
    vm ordered = v_ordered(v_set(0), v_set(0));                                                              \
    algebra_arguments a = {out, in, stride, 0, true, &ordered};                                              \
    for (; count - a.i >= V_LANES; a.i += V_LANES) statement;                                                \
    end_loop(a, out, OUT_OF_##name, a.i);                                                                    \
    return a.i;                                                                                              \
  }
V_INLINE void each_normalize(algebra_arguments a) { put4(a, unit_or_identity(take4(a, 0, 0))); }
V_INLINE void each_conjugate(algebra_arguments a) {
  const vq q = take4(a, 0, 0);
  give4(a, (vq){v_negated(q.x), v_negated(q.y), v_negated(q.z), q.w});
}
V_INLINE void each_inverse(algebra_arguments a) { put4(a, float_inverse(take4(a, 0, 0))); }
V_INLINE void each_add(algebra_arguments a) {
  const vq p = take4(a, 0, 0), q = take4(a, 1, 4);
  give4(a, (vq){v_add(p.x, q.x), v_add(p.y, q.y), v_add(p.z, q.z), v_add(p.w, q.w)});
}
V_INLINE void each_scale(algebra_arguments a) { give4(a, scaled(take4(a, 0, 0), take1(a, 1, 4))); }
V_INLINE void each_dot(algebra_arguments a) { put1(a, float_dot(take4(a, 0, 0), take4(a, 1, 4))); }
V_INLINE void each_norm(algebra_arguments a) { put1(a, float_norm(take4(a, 0, 0))); }
V_INLINE void each_multiply(algebra_arguments a) { give4(a, float_multiply(take4(a, 0, 0), take4(a, 1, 4))); }
V_INLINE void each_rotate(algebra_arguments a) {
  give3(a, rotated(rotation_of(take4(a, 0, 0)), take3(a, 1, 4)));
}
V_INLINE void each_nlerp(algebra_arguments a) {
  give4(a, float_nlerp(take4(a, 0, 0), take4(a, 1, 4), take1(a, 2, 8)));
}
V_INLINE void each_lerp(algebra_arguments a) {
  give3(a, float_lerp(take3(a, 0, 0), take3(a, 1, 3), take1(a, 2, 6)));
}
V_INLINE void each_exp(algebra_arguments a) { give4(a, float_exp(take3(a, 0, 0))); }
V_INLINE void each_to_matrix3(algebra_arguments a) {
  give_matrix3(a, float_matrix(take4(a, 0, 0), v_set(1)));
}
V_INLINE void each_to_matrix4(algebra_arguments a) {
  const vf none = v_set(0);
  vq row[3];
  rows_of(a, float_matrix(take4(a, 0, 0), v_set(1)), (v3){none, none, none}, row);
  put_matrix4(a, row);
}
V_INLINE void each_from_matrix3(algebra_arguments a) { give4(a, float_from_matrix(take_matrix3(a))); }
V_INLINE void each_from_matrix4(algebra_arguments a) { give4(a, float_from_matrix(take_matrix4(a))); }
V_INLINE void each_sqt_compose(algebra_arguments a) {
  give_sqt(a, float_sqt_compose(take_sqt(a, 0, 0), take_sqt(a, 1, 8)));
}
V_INLINE void each_sqt_point(algebra_arguments a) {
  give3(a, float_sqt_point(take_sqt(a, 0, 0), take3(a, 1, 8)));
}
V_INLINE void each_sqt_vector(algebra_arguments a) {
  give3(a, float_sqt_vector(take_sqt(a, 0, 0), take3(a, 1, 8)));
}
V_INLINE void each_sqt_to_matrix3x4(algebra_arguments a) {
  const vsqt b = take_sqt(a, 0, 0);
  vq row[3];
  rows_of(a, float_matrix(b.q, b.s), b.t, row);
  put_matrix3x4(a, row);
}
FLOAT_LOOP(normalize, each_normalize(a))
STRUCTS_LOOP(normalize, each_normalize(a))
FLOAT_LOOP(conjugate, each_conjugate(a))
STRUCTS_LOOP(conjugate, each_conjugate(a))
FLOAT_LOOP(inverse, each_inverse(a))
STRUCTS_LOOP(inverse, each_inverse(a))
FLOAT_LOOP(add, each_add(a))
STRUCTS_LOOP(add, each_add(a))
FLOAT_LOOP(scale, each_scale(a))
STRUCTS_LOOP(scale, each_scale(a))
FLOAT_LOOP(dot, each_dot(a))
STRUCTS_LOOP(dot, each_dot(a))
FLOAT_LOOP(norm, each_norm(a))
STRUCTS_LOOP(norm, each_norm(a))
FLOAT_LOOP(multiply, each_multiply(a))
STRUCTS_LOOP(multiply, each_multiply(a))
FLOAT_LOOP(rotate, each_rotate(a))
FLOAT_LOOP(nlerp, each_nlerp(a))
STRUCTS_LOOP(nlerp, each_nlerp(a))
FLOAT_LOOP(lerp, each_lerp(a))
STRUCTS_LOOP(lerp, each_lerp(a))
FLOAT_LOOP(exp, each_exp(a))
STRUCTS_LOOP(exp, each_exp(a))
FLOAT_LOOP(to_matrix3, each_to_matrix3(a))
STRUCTS_LOOP(to_matrix3, each_to_matrix3(a))
FLOAT_LOOP(to_matrix4, each_to_matrix4(a))
STRUCTS_LOOP(to_matrix4, each_to_matrix4(a))
FLOAT_LOOP(from_matrix3, each_from_matrix3(a))
STRUCTS_LOOP(from_matrix3, each_from_matrix3(a))
FLOAT_LOOP(from_matrix4, each_from_matrix4(a))
STRUCTS_LOOP(from_matrix4, each_from_matrix4(a))
FLOAT_LOOP(sqt_compose, each_sqt_compose(a))
STRUCTS_LOOP(sqt_compose, each_sqt_compose(a))
FLOAT_LOOP(sqt_transform_points, each_sqt_point(a))
STRUCTS_LOOP(sqt_transform_points, each_sqt_point(a))
FLOAT_LOOP(sqt_transform_vectors, each_sqt_vector(a))
STRUCTS_LOOP(sqt_transform_vectors, each_sqt_vector(a))
FLOAT_LOOP(sqt_to_matrix3x4, each_sqt_to_matrix3x4(a))
STRUCTS_LOOP(sqt_to_matrix3x4, each_sqt_to_matrix3x4(a))

/* If one rotation is for all vectors, its matrix is computed once. */
static size_t on_structs_rotate(float *const *out, const float *const *in, const size_t *stride,
                                size_t count) {
  vm ordered = v_ordered(v_set(0), v_set(0));
  algebra_arguments a = {out, in, stride, 0, true, &ordered};
  if (stride[0] != 0) {
    for (; count - a.i >= V_LANES; a.i += V_LANES) each_rotate(a);
  } else {
    const vrotation m = rotation_of(take4(a, 0, 0));
    for (; count - a.i >= V_LANES; a.i += V_LANES) give3(a, rotated(m, take3(a, 1, 4)));
  }
  end_loop(a, out, OUT_OF_rotate, a.i);
  return a.i;
}

/* Computes slerp with weights in double, in several passes over the chunk. In one pass CPUs could not begin
 * the next element before the end of the chain of steps, which takes 5.7 ns on Zen 3. */
V_INLINE void slerp_chunk(algebra_arguments a, size_t count) {
  float d[QUATSIMD_CHUNK], u[QUATSIMD_CHUNK], in[QUATSIMD_CHUNK], of_a[QUATSIMD_CHUNK], of_b[QUATSIMD_CHUNK];
  const size_t first = a.i;
  for (size_t k = 0; k < count; k += V_LANES, a.i += V_LANES) {
    const vf product = dot_product(take4(a, 0, 0), take4(a, 1, 4));
    v_store(d + k, product), v_store(u + k, v_mul(v_sub(v_set(1), v_abs(product)), v_set(0.5f)));
    v_store(in + k, fraction_of(take1(a, 2, 8)));
  }
  for (size_t k = 0; k < count; k += D_LANES) {
    const weights w = slerp_weights(d_load(u + k), d_load(in + k));
    d_store(of_a + k, w.a), d_store(of_b + k, w.b);
  }
  a.i = first;
  for (size_t k = 0; k < count; k += V_LANES, a.i += V_LANES)
    give4(a, weighted_sum(take4(a, 0, 0), take4(a, 1, 4), v_load(d + k), v_load(of_a + k), v_load(of_b + k)));
}
static void in_float_slerp(float *const *out, const float *const *in, size_t count) {
  for (size_t i = 0; i < count; i += QUATSIMD_CHUNK)
    slerp_chunk((algebra_arguments){out, in, NULL, i, false, NULL},
                count - i < QUATSIMD_CHUNK ? count - i : QUATSIMD_CHUNK);
}
static size_t on_structs_slerp(float *const *out, const float *const *in, const size_t *stride,
                               size_t count) {
  algebra_arguments a = {out, in, stride, 0, true, NULL};
  for (size_t n; (n = count - a.i < QUATSIMD_CHUNK ? (count - a.i) / V_LANES * V_LANES : QUATSIMD_CHUNK) > 0;
       a.i += n)
    slerp_chunk(a, n);
  return a.i;
}

#endif
