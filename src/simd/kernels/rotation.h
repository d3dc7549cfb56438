/* The operations of rotation.h, on vectors of doubles. Inputs are floats, so products of two are exact, and
 * nothing overflows or vanishes. The rounding to float at the end is nearly the whole error.
 *
 * Chains of dependent steps limit the speed. So polynomials take the place of the square roots, divisions and
 * arc cosines whose arguments have a short range for unit quaternions. A unit quaternion may have length
 * 1 + e, with |e| up to 1e-4. Polynomials in place of 1 / length then add a relative error of a few e^2. */
#ifndef QUATSIMD_SIMD_KERNEL_ROTATION_H
#define QUATSIMD_SIMD_KERNEL_ROTATION_H

#include "simd/kernels/isa.h"
#include "simd/vec/doubles.inc.h"

typedef struct dq {
  vd x, y, z, w;
} dq;
typedef struct dv {
  vd x, y, z;
} dv;

/* Polynomials made by generate/rotation_polynomials.py. Each comment gives the function, the variable, the
 * variable's range and the relative error. */
/* sin(s) / s, of s^2 up to (pi / 2)^2, within 3e-11 */
static const double ROTATION_SIN[] = {0x1.ffffffffda90ep-1,   -0x1.555555443d378p-3, 0x1.11110c01e8fb2p-7,
                                      -0x1.a017d0787b6a4p-13, 0x1.71702a586d26ep-19, -0x1.9a6b1a39126bcp-26};
/* cos(s), of s^2 up to (pi / 2)^2, within 2e-10 absolute */
static const double ROTATION_COS[] = {0x1.fffffffe1c030p-1,   -0x1.ffffff918696bp-2, 0x1.555544fb3f853p-5,
                                      -0x1.6c13363ea5243p-10, 0x1.9f67f8e1c39fbp-16, -0x1.17b8a7039db71p-22};
/* arctan(s) / s, of s^2 up to 1, within 2e-09 */
static const double ROTATION_ATAN[] = {0x1.ffffffeaeba94p-1,  -0x1.5555331519c21p-2, 0x1.999052ce2a8e4p-3,
                                       -0x1.2413b82aa9691p-3, 0x1.c01c4cef4c184p-4,  -0x1.56eb73e5eca8ap-4,
                                       0x1.d6bdd036550bfp-5,  -0x1.f74690fed32c3p-6, 0x1.5dfc5d2d8f5d2p-7,
                                       -0x1.c919cb5311d63p-10};
/* 2 s / sin(s), of cos(s) from 0 to 1, within 1e-08 */
static const double ROTATION_ARC[] = {0x1.921fb4fad35b8p+1,  -0x1.ffff886e916dfp+0, 0x1.920f790cbc128p+0,
                                      -0x1.547709d518469p+0, 0x1.276a47237fb10p+0,  -0x1.edcdc7ad3ef3bp-1,
                                      0x1.6784da50c67bap-1,  -0x1.8ed7d94c314c0p-2, 0x1.1bb9ea09a3661p-3,
                                      -0x1.77da22e73a7bap-6};
/* s^2 / u, of u = sin(s / 2)^2 = (1 - cos(s)) / 2 up to 1 / 2, within 6e-09 */
static const double ROTATION_ARC2[] = {0x1.000000182e7e3p+2, 0x1.5554de8d7dad8p+0,  0x1.6c46755b26d94p-1,
                                       0x1.ccce6c2aeeae6p-2, 0x1.93b555be4b7d8p-2,  -0x1.f5e152b7d4408p-4,
                                       0x1.4f54fe7c475f8p+0, -0x1.ac87c07bc33f8p+0, 0x1.7d5712705a80ep+0};
/* s / sin(s), of the same u = sin(s / 2)^2 as in ROTATION_ARC2, within 1e-08 */
static const double ROTATION_ARC_SIN[] = {0x1.ffffff9687b32p-1,  0x1.5555f552cc4b6p-1, 0x1.10e940363529ap-1,
                                          0x1.dbbe16971f96bp-2,  0x1.421ae1a4a817ep-2, 0x1.0259837128c36p+0,
                                          -0x1.27ae9e36b66c8p+1, 0x1.b66c003912304p+2, -0x1.1636fb41a8d5fp+3,
                                          0x1.77da239da978cp+2};
/* Polynomials in float for algebra.h, of s^2 up to (pi / 2)^2. HALF_SIN: sin(s) / s within 7e-9. HALF_COS:
 * cos(s) / ((pi / 2)^2 - s^2) within 2e-8, so that cosines near 0 have small relative errors.
 * ROTATION_QUARTER2 is (pi / 2)^2 rounded to float. ROTATION_COS_REST corrects this rounding: the cosine of 0
 * is 1. */
#define ROTATION_QUARTER2 0x1.3bd3ccp+1f
#define ROTATION_COS_REST 0x1.04p-25f
static const float ROTATION_HALF_SIN[] = {0x1.0p+0f, -0x1.55554ap-3f, 0x1.110eb2p-7f, -0x1.9f6cfap-13f,
                                          0x1.5da854p-19f};
static const float ROTATION_HALF_COS[] = {0x1.9f02f6p-2f, -0x1.3a76ap-5f, 0x1.5c78fp-10f, -0x1.947522p-16f,
                                          0x1.15189cp-22f};
/* For stream.h. STREAM_ARC is ROTATION_ARC rounded to float. STREAM_LONGEST is the largest square of half an
 * angle for which the polynomials in float are exact enough. It is above (pi / 2)^2, because vectors of
 * lattice points may be a little longer than half a turn. */
enum { STREAM_ARC_TERMS = 10 };
static const float STREAM_ARC[STREAM_ARC_TERMS] = {
    0x1.921fb4p+1f,  -0x1.ffff88p+0f, 0x1.920f7ap+0f,  -0x1.54770ap+0f, 0x1.276a48p+0f,
    -0x1.edcdc8p-1f, 0x1.6784dap-1f,  -0x1.8ed7dap-2f, 0x1.1bb9eap-3f,  -0x1.77da22p-6f};
#define STREAM_LONGEST 3.0f
/* The largest squared distance from a residual to its point, in quanta: 5 / 4, less a margin for rounding. */
#define STREAM_BOUND2 1.2499f
#define STREAM_LEAST 0x1p-60f
#define POLYNOMIAL(c, x) d_polynomial(c, (int)(sizeof c / sizeof *c), x)

#define ROTATION_PI 0x1.921fb54442d18p+1
#define ROTATION_TWO_PI_HIGH 0x1.921fb5p+2 /* 25 bits: multiples by up to 2^28 are exact */
#define ROTATION_TWO_PI_LOW 0x1.110b4611a6263p-24
#define ROTATION_MAX_ANGLE 0x1p30

/* ---- vectors ---- */

/* Return a b + c d and a b - c d, rounded three times. */
D_INLINE vd sum_of_two(vd a, vd b, vd c, vd d) { return d_add(d_mul(a, b), d_mul(c, d)); }
D_INLINE vd difference_of_two(vd a, vd b, vd c, vd d) { return d_sub(d_mul(a, b), d_mul(c, d)); }
D_INLINE vd twice(vd a) { return d_mul(d_set(2), a); }

D_INLINE vd dot3(dv a, dv b) { return d_add(sum_of_two(a.x, b.x, a.y, b.y), d_mul(a.z, b.z)); }
D_INLINE dv scale3(dv a, vd s) { return (dv){d_mul(a.x, s), d_mul(a.y, s), d_mul(a.z, s)}; }
D_INLINE dv add3(dv a, dv b) { return (dv){d_add(a.x, b.x), d_add(a.y, b.y), d_add(a.z, b.z)}; }
D_INLINE dv cross3(dv a, dv b) {
  return (dv){difference_of_two(a.y, b.z, a.z, b.y), difference_of_two(a.z, b.x, a.x, b.z),
              difference_of_two(a.x, b.y, a.y, b.x)};
}
D_INLINE dv vector_of(dq q) { return (dv){q.x, q.y, q.z}; }

/* ---- algebra ---- */

D_INLINE vd dot(dq a, dq b) { return d_add(sum_of_two(a.x, b.x, a.y, b.y), sum_of_two(a.z, b.z, a.w, b.w)); }
D_INLINE dq scale(dq q, vd s) { return (dq){d_mul(q.x, s), d_mul(q.y, s), d_mul(q.z, s), d_mul(q.w, s)}; }
D_INLINE dq add(dq a, dq b) {
  return (dq){d_add(a.x, b.x), d_add(a.y, b.y), d_add(a.z, b.z), d_add(a.w, b.w)};
}
D_INLINE dq conjugate(dq q) { return (dq){d_negated(q.x), d_negated(q.y), d_negated(q.z), q.w}; }
D_INLINE vd norm(dq q) { return d_sqrt(dot(q, q)); }
D_INLINE dq unit_of(dq q) { return scale(q, d_div(d_set(1), norm(q))); }

D_INLINE dq multiply(dq a, dq b) {
  return (dq){d_add(sum_of_two(a.w, b.x, a.x, b.w), difference_of_two(a.y, b.z, a.z, b.y)),
              d_add(sum_of_two(a.w, b.y, a.y, b.w), difference_of_two(a.z, b.x, a.x, b.z)),
              d_add(sum_of_two(a.w, b.z, a.z, b.w), difference_of_two(a.x, b.y, a.y, b.x)),
              d_sub(difference_of_two(a.w, b.w, a.x, b.x), sum_of_two(a.y, b.y, a.z, b.z))};
}

/* Returns true for valid quaternions as codec.h defines them, in float arithmetic. */
D_INLINE vdm is_valid(dq q) {
  const vd xx = d_float(d_mul(q.x, q.x)), yy = d_float(d_mul(q.y, q.y)), zz = d_float(d_mul(q.z, q.z)),
           ww = d_float(d_mul(q.w, q.w)), n2 = d_float(d_add(d_float(d_add(xx, yy)), d_float(d_add(zz, ww))));
  return d_both(d_ge(n2, d_set((double)QUATSIMD_MIN_NORM2)), d_ge(d_set((double)QUATSIMD_MAX_NORM2), n2));
}
D_INLINE dq valid_unit(dq q) {
  const vdm valid = is_valid(q);
  const dq unit = unit_of(q);
  return (dq){d_select(valid, unit.x, d_set(0)), d_select(valid, unit.y, d_set(0)),
              d_select(valid, unit.z, d_set(0)), d_select(valid, unit.w, d_set(1))};
}

/* Return 1 / |q|^2 within 4 e^2 and 1 / |q| within 1.5 e^2, where |q| is 1 + e. For an infinite length they
 * return NaN, because n2 - n2 is NaN. */
D_INLINE vd near_one_reciprocal(vd n2) { return d_add(d_sub(d_set(2), n2), d_sub(n2, n2)); }
D_INLINE vd near_one_rsqrt(vd n2) { return d_add(d_add(d_mul(d_set(-0.5), n2), d_set(1.5)), d_sub(n2, n2)); }

D_INLINE dq inverse(dq q) { return scale(conjugate(q), d_div(d_set(1), dot(q, q))); }

/* Returns v + 2 u x (u x v + w v) for q = (u, w). */
D_INLINE dv rotate(dq q, dv v) {
  const dv u = vector_of(q);
  return add3(v,
              scale3(cross3(u, add3(cross3(u, v), scale3(v, q.w))), twice(near_one_reciprocal(dot(q, q)))));
}

/* ---- exponential and Cayley map ---- */

D_INLINE vd without_minus_0(vd a) { return d_add(a, d_set(0)); }

/* Returns v / (1 + w), where (v, w) is q or -q, whichever has w >= 0. */
D_INLINE dv to_cayley(dq q) {
  const vd r = near_one_rsqrt(dot(q, q));
  return scale3(vector_of(q), d_flip(d_div(r, d_add(d_set(1), d_mul(d_abs(q.w), r))), without_minus_0(q.w)));
}

/* Returns the logarithm divided by q's vector: the angle divided by the sine of half the angle. */
D_INLINE vd log_factor(dq q) {
  const vd r = near_one_rsqrt(dot(q, q));
  return d_flip(d_mul(POLYNOMIAL(ROTATION_ARC, d_mul(d_abs(q.w), r)), r), without_minus_0(q.w));
}
D_INLINE dv log_of(dq q) { return scale3(vector_of(q), log_factor(q)); }
D_INLINE vd angle_between(dq a, dq b) {
  const dv v = log_of(multiply(conjugate(a), b));
  return d_sqrt(dot3(v, v));
}

D_INLINE dq from_cayley(dv b) {
  const vd b2 = dot3(b, b), s = d_div(d_set(1), d_add(d_set(1), b2));
  const dv v = scale3(b, d_add(s, s));
  return (dq){v.x, v.y, v.z, d_mul(d_sub(d_set(1), b2), s)};
}

/* Returns half of an angle, minus the multiple of pi nearest to this half. The result gives the same
 * rotation, with a cosine that is not negative. */
D_INLINE vd half_of(vd angle) {
  const vd turns = d_round(d_mul(angle, d_set(0x1.45f306dc9c883p-3)));
  const vd rest = d_sub(d_sub(angle, d_mul(turns, d_set(ROTATION_TWO_PI_HIGH))),
                        d_mul(turns, d_set(ROTATION_TWO_PI_LOW)));
  return d_select(d_ge(d_set(ROTATION_MAX_ANGLE), d_abs(angle)), d_mul(rest, d_set(0.5)), d_set(NAN));
}

D_INLINE vd cosine(vd x) { /* the cosine of sqrt(x), never negative */
  const vd c = POLYNOMIAL(ROTATION_COS, x);
  return d_select(d_ge(d_set(0), c), d_set(0), c);
}

typedef struct sine {
  vd sin, cos;
} sine;
D_INLINE sine sine_of_half(vd angle) {
  const vd half = half_of(angle), x = d_mul(half, half);
  return (sine){d_mul(half, POLYNOMIAL(ROTATION_SIN, x)), cosine(x)};
}

/* Computes exp. Sine and cosine are functions of the angle's square. Whole turns must be taken away first,
 * but only from vectors longer than pi. These are so rare that a branch pays. */
D_INLINE dq exp_of(dv v) {
  const vd n2 = dot3(v, v);
  const vdm far = d_gt(n2, d_set(0x1.3bd3cc9be45dep+3));
  vd x = d_mul(n2, d_set(0.25)), factor = d_set(0.5);
  if (d_any(far)) {
    const vd angle = d_sqrt(n2), half = half_of(angle);
    x = d_select(far, d_mul(half, half), x);
    factor = d_select(far, d_div(half, angle), factor);
  }
  const dv u = scale3(v, d_mul(POLYNOMIAL(ROTATION_SIN, x), factor));
  return (dq){u.x, u.y, u.z, cosine(x)};
}

/* ---- interpolation ---- */

/* Clamps t to 0..1, and -0 to 0. In WebAssembly clang makes `t < 0 ? 0 : t` f64.max: it gives either zero. */
D_INLINE vd clamped(vd t) {
  return d_select(d_ge(d_set(0), t), d_set(0), d_select(d_gt(t, d_set(1)), d_set(1), t));
}

/* The weights of slerp: sin((1 - t) s) / sin(s) and sin(t s) / sin(s), where s is the angle between two unit
 * quaternions as vectors. Polynomials of u = (1 - cos(s)) / 2 and of s^2 take the place of a square root, an
 * arc cosine and a division. They also hold for s = 0. */
typedef struct weights {
  vd a, b;
} weights;
D_INLINE weights slerp_weights(vd u, vd in) {
  const vd s2 = d_mul(u, POLYNOMIAL(ROTATION_ARC2, u)), r = POLYNOMIAL(ROTATION_ARC_SIN, u),
           out = d_sub(d_set(1), in);
  return (weights){d_mul(d_mul(out, POLYNOMIAL(ROTATION_SIN, d_mul(d_mul(out, out), s2))), r),
                   d_mul(d_mul(in, POLYNOMIAL(ROTATION_SIN, d_mul(d_mul(in, in), s2))), r)};
}

D_INLINE dq slerp(dq a, dq b, vd t) {
  const vd d = dot(a, b);
  const weights w = slerp_weights(d_mul(d_sub(d_set(1), d_abs(d)), d_set(0.5)), clamped(t));
  return add(scale(a, w.a), scale(b, d_flip(w.b, without_minus_0(d))));
}

D_INLINE dq squad(dq a, dq a_control, dq b_control, dq b, vd t) {
  t = clamped(t);
  return slerp(slerp(a, b, t), slerp(a_control, b_control, t), d_mul(twice(t), d_sub(d_set(1), t)));
}

D_INLINE dq squad_control(dq before, dq q, dq after) {
  const dv sum = add3(log_of(multiply(conjugate(q), before)), log_of(multiply(conjugate(q), after)));
  return unit_of(multiply(q, exp_of(scale3(sum, d_set(-0.25)))));
}

/* ---- axis and angle ---- */

D_INLINE dq from_axis_angle(dv axis, vd angle) {
  const sine h = sine_of_half(angle);
  const vd n2 = dot3(axis, axis);
  const vdm none = d_eq(n2, d_set(0));
  const dv v = scale3(axis, d_select(none, d_set(0), d_div(h.sin, d_sqrt(n2))));
  return (dq){v.x, v.y, v.z, d_select(none, d_set(1), h.cos)};
}

D_INLINE dv axis_of(dq q) {
  const vd n2 = dot3(vector_of(q), vector_of(q));
  const vdm none = d_eq(n2, d_set(0));
  const dv axis = scale3(vector_of(q), d_flip(d_div(d_set(1), d_sqrt(n2)), without_minus_0(q.w)));
  return (dv){d_select(none, d_set(1), axis.x), d_select(none, d_set(0), axis.y),
              d_select(none, d_set(0), axis.z)};
}

/* ---- matrices, as m[column][row] ---- */

typedef struct dm {
  vd m[3][3];
} dm;

D_INLINE dm to_matrix(dq q) {
  const vd s = twice(near_one_reciprocal(dot(q, q))), one = d_set(1);
  const vd xx = d_mul(d_mul(q.x, q.x), s), yy = d_mul(d_mul(q.y, q.y), s), zz = d_mul(d_mul(q.z, q.z), s),
           xy = d_mul(d_mul(q.x, q.y), s), xz = d_mul(d_mul(q.x, q.z), s), yz = d_mul(d_mul(q.y, q.z), s),
           wx = d_mul(d_mul(q.w, q.x), s), wy = d_mul(d_mul(q.w, q.y), s), wz = d_mul(d_mul(q.w, q.z), s);
  return (dm){{{d_sub(one, d_add(yy, zz)), d_add(xy, wz), d_sub(xz, wy)},
               {d_sub(xy, wz), d_sub(one, d_add(xx, zz)), d_add(yz, wx)},
               {d_add(xz, wy), d_sub(yz, wx), d_sub(one, d_add(xx, yy))}}};
}

/* ---- scale, rotation, translation ---- */

typedef struct dsqt {
  dq q;
  dv t;
  vd s;
} dsqt;

D_INLINE dv sqt_vector(dsqt a, dv v) { return rotate(a.q, scale3(v, a.s)); }
D_INLINE dv sqt_point(dsqt a, dv p) { return add3(sqt_vector(a, p), a.t); }
D_INLINE dsqt sqt_invert(dsqt a) {
  const dsqt back = {conjugate(a.q), {d_set(0), d_set(0), d_set(0)}, d_div(d_set(1), a.s)};
  return (dsqt){back.q, sqt_vector(back, scale3(a.t, d_set(-1))), back.s};
}

/* ---- Euler angles, intrinsic about axes i, j, k, which the caller permutes to x, y, z ---- */

/* parity: 1 if i, j, k follow one another as x, y, z do, else -1. repeats: 1 if the axes are i, j and i. */
D_INLINE dq from_euler(dv angles, double parity, int repeats) {
  const sine a = sine_of_half(angles.x), b = sine_of_half(angles.y), c = sine_of_half(angles.z);
  const vd cc = d_mul(a.cos, c.cos), ss = d_mul(a.sin, c.sin), sc = d_mul(a.sin, c.cos),
           cs = d_mul(a.cos, c.sin), sign = d_set(parity);
  if (repeats)
    return (dq){d_mul(b.cos, d_add(sc, cs)), d_mul(b.sin, d_add(cc, ss)),
                d_mul(d_mul(b.sin, d_sub(sc, cs)), sign), d_mul(b.cos, d_sub(cc, ss))};
  const vd sin_b = d_mul(b.sin, sign);
  return (dq){sum_of_two(b.cos, sc, sin_b, cs), d_sub(d_mul(b.sin, cc), d_mul(d_mul(b.cos, ss), sign)),
              sum_of_two(b.cos, cs, sin_b, sc), difference_of_two(b.cos, cc, sin_b, ss)};
}

/* Returns the angle of (x, y), from -pi to pi. */
D_INLINE vd arc_tangent(vd y, vd x) {
  const vd ax = d_abs(x), ay = d_abs(y);
  const vdm steep = d_gt(ay, ax);
  const vd low = d_select(steep, ax, ay), high = d_select(steep, ay, ax);
  const vd r = d_div(low, d_select(d_eq(high, d_set(0)), d_set(1), high));
  const vd a = d_mul(r, POLYNOMIAL(ROTATION_ATAN, d_mul(r, r)));
  const vd b = d_select(steep, d_sub(d_set(ROTATION_PI / 2), a), a);
  return d_flip(d_select(d_top(x), d_sub(d_set(ROTATION_PI), b), b), y);
}

D_INLINE vd wrapped(vd a) {
  const vd pi = d_set(ROTATION_PI), turn = d_set(2 * ROTATION_PI);
  return d_select(d_gt(a, pi), d_sub(a, turn), d_select(d_gt(d_set(-ROTATION_PI), a), d_add(a, turn), a));
}

/* Returns the angles about i, j, i if repeats is 1, else those about i, j, k. To get i, j, k, it turns q by a
 * quarter turn about j and finds the angles about i, j, i. It subtracts the quarter turn from the second
 * angle and multiplies the third by -parity. reversed: 1 if the first angle here is the caller's last. In
 * gimbal lock the first angle becomes 0 if reversed is 1, else the third. */
D_INLINE dv to_euler(dq q, double parity, int repeats, int reversed) {
  vd a = q.w, b = q.x, c = q.y, d = d_mul(q.z, d_set(parity));
  if (!repeats) a = d_sub(q.w, q.y), b = d_sub(q.x, d), c = d_add(q.y, q.w), d = d_add(d, q.x);
  const vd ab2 = sum_of_two(a, a, b, b), cd2 = sum_of_two(c, c, d, d), all2 = d_add(ab2, cd2),
           tiny = d_mul(all2, d_set(0x1p-48));
  const vdm low = d_ge(tiny, cd2), high = d_ge(tiny, ab2), lock = d_either(low, high);
  const vd zero = d_set(0), sum = arc_tangent(b, a), difference = arc_tangent(d, c);
  const vd second =
      d_select(low, zero, d_select(high, d_set(ROTATION_PI), twice(arc_tangent(d_sqrt(cd2), d_sqrt(ab2)))));
  const vd locked = d_select(low, twice(sum), d_mul(d_set(reversed ? -2 : 2), difference));
  vd first = wrapped(d_select(lock, locked, d_add(sum, difference))),
     third = wrapped(d_select(lock, locked, d_sub(sum, difference)));
  if (reversed) first = d_select(lock, zero, first);
  if (!repeats) third = d_mul(third, d_set(-parity));
  if (!reversed) third = d_select(lock, zero, third);
  /* all2 - all2 is NaN for an infinite quaternion */
  return (dv){first, d_add(repeats ? second : d_sub(second, d_set(ROTATION_PI / 2)), d_sub(all2, all2)),
              third};
}

/* ---- motion ---- */

D_INLINE dq integrate(dq q, dv velocity, vd dt) { return unit_of(multiply(exp_of(scale3(velocity, dt)), q)); }

/* Returns dq / dt. */
D_INLINE dq derivative(dv velocity, dq q) {
  const dv half = scale3(velocity, d_set(0.5));
  return multiply((dq){half.x, half.y, half.z, d_set(0)}, q);
}

D_INLINE dq integrate_rk4(dq q, dv begin, dv middle, dv end, vd dt) {
  const vd half = d_mul(d_set(0.5), dt);
  const dq k1 = derivative(begin, q), k2 = derivative(middle, add(q, scale(k1, half)));
  const dq k3 = derivative(middle, add(q, scale(k2, half))), k4 = derivative(end, add(q, scale(k3, dt)));
  return unit_of(add(q, scale(add(add(k1, k4), scale(add(k2, k3), d_set(2))), d_div(dt, d_set(6)))));
}

D_INLINE dv angular_velocity(dq from, dq to, vd dt) {
  return scale3(log_of(multiply(to, conjugate(from))), d_div(d_set(1), dt));
}
D_INLINE dq predict(dq before, dq last) { return unit_of(multiply(multiply(last, conjugate(before)), last)); }

D_INLINE void store3(float *const *out, size_t i, dv v) {
  d_store(out[0] + i, v.x), d_store(out[1] + i, v.y), d_store(out[2] + i, v.z);
}
D_INLINE void store4(float *const *out, size_t i, dq q) {
  store3(out, i, vector_of(q)), d_store(out[3] + i, q.w);
}

#endif
