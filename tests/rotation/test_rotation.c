/* Every function of rotation.h against what the header promises, through the public interface: the worst
 * error over random and over hard inputs, against rotation_reference.h; layouts, counts, use in place, what
 * is no number, errors.
 *
 *   test_rotation             the tests
 *   test_rotation --layouts   those of them that are not about errors; for each of the kernels
 *   test_rotation --full [N]  the worst errors over N (1e7) random and N / 10 hard inputs of each function,
 *                             as the table of
 *                             docs/rotation.md */
#include "support/denormals.h"
#include "support/guarded.h"
#include "support/isa.h"
#include "support/random.h"
#include "rotation/rotation_reference.h"

#include "quatsimd/rotation.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* Random inputs of each function, and as many hard ones. Where long double is made of integer operations,
 * few. */
enum { INPUTS = LDBL_MANT_DIG > 64 ? 400 : 10000 };

/* ---- limits, and the two of a float that is rounded once ---- */
#define ROTATIONS 3e-7         /* radians */
#define VECTORS 4e-7           /* relative */
#define ROUNDED_ONCE 5.9605e-8 /* 2^-24, relative */
#define UNIT_LENGTH 2.5e-7L
#define FLOAT_TIE 1.2e-7L  /* a dot product this near 0 may have either sign in float */
#define SMALLEST 0x1p-126L /* normal float; what is smaller is held to an absolute error */
#define NEARLY_EQUAL                                                                                         \
  1e-8L /* radians: what is smaller is held to an absolute error, as double can cancel no further */

/* ---- the 24 orders of Euler angles, written down here once more ---- */

typedef struct euler {
  quatsimd_euler_order order;
  char letters[4];
  bool extrinsic;
} euler;
enum { ORDERS = 24 };
#define BOTH(letters)                                                                                        \
  {QUATSIMD_INTRINSIC_##letters, #letters, false}, { QUATSIMD_EXTRINSIC_##letters, #letters, true }
static const euler eulers[ORDERS] = {BOTH(XYZ), BOTH(XZY), BOTH(YXZ), BOTH(YZX), BOTH(ZXY), BOTH(ZYX),
                                     BOTH(XYX), BOTH(XZX), BOTH(YXY), BOTH(YZY), BOTH(ZXZ), BOTH(ZYZ)};

static bool is_proper(const euler *e) { return e->letters[0] == e->letters[2]; }

/* ---- what an argument is ---- */

typedef enum kind {
  UNIT, /* a quaternion of length 1 within 1e-4 */
  /* of length 1 as near as rounding leaves it: interpolation takes the angle from a dot product, and
   * lengths as they are */
  ROUNDED,
  VALID, /* of a length that normalize takes */
  ANY4,  /* of any length */
  VECTOR,
  AXIS,
  ROTATION_VECTOR,
  CAYLEY,
  VELOCITY,
  EULER,
  MATRIX3,
  MATRIX4,
  FACTOR,
  ANGLE,
  T,
  DT,
  KINDS
} kind;
static const int widths[KINDS] = {4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 9, 16, 1, 1, 1, 1};
static bool is_quaternion(kind k) { return k <= ANY4; }

enum { MOST_IN = 6, MOST_OUT = 2, WIDEST = 16 };

/* One element with its results; `error` puts a number to it. */
typedef struct sample {
  real in[MOST_IN][WIDEST];
  float out[MOST_OUT][WIDEST];
  const euler *euler;
  ref_ties ties;
} sample;

/* What becomes of NaN and of infinity in an input. */
typedef enum invalid_rule {
  GIVES_NAN,     /* no result looks like one */
  NAN_OR_LIMIT,  /* infinity may also give its limit */
  COMPONENTWISE, /* as that, in that component alone unless it is the factor */
  IDENTITY       /* the identity */
} invalid_rule;

typedef struct function {
  const char *name;
  int outs, out_width[MOST_OUT], ins;
  kind in[MOST_IN];
  invalid_rule invalid;
  quatsimd_status (*call)(const quatsimd_out *o, const quatsimd_in *i, quatsimd_euler_order order, size_t n);
  real (*error)(sample *s);
  const char *unit;
  double limit;
  bool ordered; /* it takes an order of Euler angles */
} function;

static uint32_t bits_of(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

/* ---- errors ---- */

static real relative_above(const float *out, const real *exact, int n, real floor) {
  real difference[WIDEST];
  for (int i = 0; i < n; i++) {
    if (!isfinite(out[i])) return (real)INFINITY;
    difference[i] = out[i] - exact[i];
  }
  return ref_length(difference, n) / fmaxl(ref_length(exact, n), floor);
}

static real relative(const float *out, const real *exact, int n) {
  return relative_above(out, exact, n, SMALLEST);
}

static real each_relative(const float *out, const real *exact, int n) {
  real worst = 0;
  for (int i = 0; i < n; i++) worst = fmaxl(worst, relative(out + i, exact + i, 1));
  return worst;
}

static real largest_difference(const float *out, const real *exact, int n) {
  real worst = 0;
  for (int i = 0; i < n; i++) {
    if (!isfinite(out[i])) return (real)INFINITY;
    worst = fmaxl(worst, fabsl(out[i] - exact[i]));
  }
  return worst;
}

/* Infinite if `out` is not of length 1. */
static real angle_from(const float *out, const real *exact) {
  real q[4];
  for (int i = 0; i < 4; i++) q[i] = out[i];
  if (!(fabsl(ref_length(q, 4) - 1) <= UNIT_LENGTH)) return (real)INFINITY;
  return ref_angle_between(exact, q);
}

static real angle_and_sign_from(const float *out, const real *exact) {
  real q[4];
  for (int i = 0; i < 4; i++) q[i] = out[i];
  return ref_dot(q, exact, 4) > 0 ? angle_from(out, exact) : (real)INFINITY;
}

static bool largest_is_positive(const float *q) { /* or one of the largest */
  float largest = 0, positive = 0;
  for (int i = 0; i < 4; i++) largest = fmaxf(largest, fabsf(q[i])), positive = fmaxf(positive, q[i]);
  return positive >= largest * (1 - 4 * FLT_EPSILON);
}

#define CALL(name, ...)                                                                                      \
  static quatsimd_status call_##name(const quatsimd_out *o, const quatsimd_in *i,                            \
                                     quatsimd_euler_order order, size_t n) {                                 \
    (void)order;                                                                                             \
    return quatsimd_##name(__VA_ARGS__, n);                                                                  \
  }                                                                                                          \
  static real error_##name(sample *s)

CALL(normalize, o[0], i[0]) {
  real exact[4];
  ref_unit(exact, s->in[0], 4);
  /* half angles */
  return fmaxl(angle_and_sign_from(s->out[0], exact), 2 * relative(s->out[0], exact, 4));
}
CALL(conjugate, o[0], i[0]) {
  real exact[4];
  ref_conjugate(exact, s->in[0]);
  return each_relative(s->out[0], exact, 4);
}
CALL(inverse, o[0], i[0]) {
  real exact[4];
  ref_inverse(exact, s->in[0]);
  return relative(s->out[0], exact, 4);
}
CALL(add, o[0], i[0], i[1]) {
  real exact[4];
  for (int c = 0; c < 4; c++) exact[c] = s->in[0][c] + s->in[1][c];
  return each_relative(s->out[0], exact, 4);
}
CALL(scale, o[0], i[0], i[1]) {
  real exact[4];
  ref_scaled(exact, s->in[0], s->in[1][0], 4);
  return each_relative(s->out[0], exact, 4);
}
CALL(multiply, o[0], i[0], i[1]) {
  real exact[4];
  ref_multiply(exact, s->in[0], s->in[1]);
  return relative(s->out[0], exact, 4);
}
CALL(dot, o[0], i[0], i[1]) {
  const real exact = ref_dot(s->in[0], s->in[1], 4);
  return relative_above(s->out[0], &exact, 1,
                        fmaxl(SMALLEST, NEARLY_EQUAL * ref_length(s->in[0], 4) * ref_length(s->in[1], 4)));
}
CALL(norm, o[0], i[0]) {
  const real exact = ref_length(s->in[0], 4);
  return relative(s->out[0], &exact, 1);
}
CALL(angle_between, o[0], i[0], i[1]) {
  const real exact = ref_angle_between(s->in[0], s->in[1]);
  if (!(s->out[0][0] >= 0 && s->out[0][0] <= (float)REF_PI)) return (real)INFINITY;
  return relative_above(s->out[0], &exact, 1, NEARLY_EQUAL);
}
CALL(rotate, o[0], i[0], i[1]) {
  real exact[3];
  ref_rotate(exact, s->in[0], s->in[1]);
  return relative_above(s->out[0], exact, 3, 16 * SMALLEST); /* denormal products */
}
CALL(nlerp, o[0], i[0], i[1], i[2]) {
  real exact[4];
  ref_nlerp(exact, s->in[0], s->in[1], s->in[2][0], FLOAT_TIE, &s->ties);
  return angle_and_sign_from(s->out[0], exact);
}
CALL(slerp, o[0], i[0], i[1], i[2]) {
  real exact[4];
  ref_slerp(exact, s->in[0], s->in[1], s->in[2][0], FLOAT_TIE, &s->ties);
  return angle_and_sign_from(s->out[0], exact);
}
CALL(squad, o[0], i[0], i[1], i[2], i[3], i[4]) {
  real exact[4];
  ref_squad(exact, s->in[0], s->in[1], s->in[2], s->in[3], s->in[4][0], &s->ties);
  return angle_and_sign_from(s->out[0], exact);
}
CALL(squad_control, o[0], i[0], i[1], i[2]) {
  real exact[4];
  ref_squad_control(exact, s->in[0], s->in[1], s->in[2], &s->ties);
  return angle_from(s->out[0], exact);
}
CALL(from_axis_angle, o[0], i[0], i[1]) {
  real exact[4] = {0, 0, 0, 1};
  if (ref_length(s->in[0], 3) > 0) ref_turn(exact, s->in[0], s->in[1][0]);
  return s->out[0][3] >= 0 ? angle_from(s->out[0], exact) : (real)INFINITY;
}
CALL(to_axis_angle, o[0], o[1], i[0]) {
  real axis[3], angle;
  ref_axis_angle(axis, &angle, s->in[0], &s->ties);
  const float got = s->out[1][0];
  if (!(got >= 0 && got <= (float)REF_PI)) return (real)INFINITY;
  return fmaxl(relative(s->out[0], axis, 3), relative(&got, &angle, 1));
}
CALL(exp, o[0], i[0]) {
  real exact[4];
  ref_exp(exact, s->in[0]);
  return s->out[0][3] >= 0 ? angle_from(s->out[0], exact) : (real)INFINITY;
}
CALL(log, o[0], i[0]) {
  real exact[3];
  ref_log(exact, s->in[0], &s->ties);
  return relative(s->out[0], exact, 3);
}
CALL(from_cayley, o[0], i[0]) {
  real exact[4];
  ref_from_cayley(exact, s->in[0]);
  return angle_and_sign_from(s->out[0], exact);
}
CALL(to_cayley, o[0], i[0]) {
  real exact[3];
  ref_to_cayley(exact, s->in[0], &s->ties);
  return relative(s->out[0], exact, 3);
}
CALL(from_matrix3, o[0], i[0]) {
  real q[4];
  for (int c = 0; c < 4; c++) q[c] = s->out[0][c];
  /* its length */
  if (!(angle_from(s->out[0], q) == 0) && !(angle_from(s->out[0], q) < 1e-15L)) return (real)INFINITY;
  return largest_is_positive(s->out[0]) ? ref_angle_to_matrix3(q, s->in[0]) : (real)INFINITY;
}
CALL(from_matrix4, o[0], i[0]) {
  for (int c = 0; c < 9; c++) s->in[0][c] = s->in[0][c / 3 * 4 + c % 3];
  return error_from_matrix3(s);
}
CALL(to_matrix3, o[0], i[0]) {
  real exact[9];
  ref_to_matrix3(exact, s->in[0]);
  return largest_difference(s->out[0], exact, 9);
}
CALL(to_matrix4, o[0], i[0]) {
  static const float last[4] = {0, 0, 0, 1};
  for (int c = 0; c < 9; c++) {
    if (c < 3 && memcmp(s->out[0] + 4 * c + 3, last, 4) != 0) return (real)INFINITY; /* last row */
    s->in[1][c] = s->out[0][c / 3 * 4 + c % 3];
  }
  if (memcmp(s->out[0] + 12, last, sizeof last) != 0) return (real)INFINITY; /* last column */
  for (int c = 0; c < 9; c++) s->out[0][c] = (float)s->in[1][c];
  return error_to_matrix3(s);
}
CALL(from_euler, o[0], i[0], order) {
  real exact[4];
  ref_from_euler(exact, s->in[0], s->euler->letters, s->euler->extrinsic);
  return angle_from(s->out[0], exact);
}
CALL(to_euler, o[0], i[0], order) {
  const float *got = s->out[0], pi = (float)REF_PI, half_pi = (float)(REF_PI / 2);
  const float low = is_proper(s->euler) ? 0 : -half_pi, high = is_proper(s->euler) ? pi : half_pi;
  if (!(fabsf(got[0]) <= pi && fabsf(got[2]) <= pi && got[1] >= low && got[1] <= high)) return (real)INFINITY;
  /* gimbal lock, unless the threshold is so near that the last bit decides */
  if (ref_from_lock(s->in[0], s->euler->letters, s->euler->extrinsic) < 1.19e-7L &&
      !(got[2] == 0 && (got[1] == low || got[1] == high)))
    return (real)INFINITY;
  real angles[3], back[4];
  for (int c = 0; c < 3; c++) angles[c] = got[c];
  ref_from_euler(back, angles, s->euler->letters, s->euler->extrinsic);
  return ref_angle_between(back, s->in[0]);
}
CALL(integrate, o[0], i[0], i[1], i[2]) {
  real exact[4];
  ref_integrate(exact, s->in[0], s->in[1], s->in[2][0]);
  return angle_from(s->out[0], exact);
}
CALL(integrate_rk4, o[0], i[0], i[1], i[2], i[3], i[4]) {
  real exact[4];
  ref_integrate_rk4(exact, s->in[0], s->in[1], s->in[2], s->in[3], s->in[4][0]);
  return angle_from(s->out[0], exact);
}
CALL(angular_velocity, o[0], i[0], i[1], i[2]) {
  real exact[3];
  ref_angular_velocity(exact, s->in[0], s->in[1], s->in[2][0], &s->ties);
  return relative_above(s->out[0], exact, 3, fmaxl(SMALLEST, NEARLY_EQUAL / fabsl(s->in[2][0])));
}
CALL(predict, o[0], i[0], i[1]) {
  real exact[4];
  ref_predict(exact, s->in[0], s->in[1]);
  return angle_from(s->out[0], exact);
}

#define USE(name) call_##name, error_##name
#define QUATERNION                                                                                           \
  1, { 4 }
static const function functions[] = {
    {"normalize", QUATERNION, 1, {VALID}, IDENTITY, USE(normalize), "radians", ROTATIONS, false},
    {"conjugate", QUATERNION, 1, {ANY4}, COMPONENTWISE, USE(conjugate), "relative", 0, false},
    {"inverse", QUATERNION, 1, {ANY4}, NAN_OR_LIMIT, USE(inverse), "relative", VECTORS, false},
    {"add", QUATERNION, 2, {ANY4, ANY4}, COMPONENTWISE, USE(add), "relative", ROUNDED_ONCE, false},
    {"scale", QUATERNION, 2, {ANY4, FACTOR}, COMPONENTWISE, USE(scale), "relative", ROUNDED_ONCE, false},
    {"multiply", QUATERNION, 2, {ANY4, ANY4}, NAN_OR_LIMIT, USE(multiply), "relative", VECTORS, false},
    {"dot", 1, {1}, 2, {ANY4, ANY4}, NAN_OR_LIMIT, USE(dot), "relative", VECTORS, false},
    {"norm", 1, {1}, 1, {ANY4}, NAN_OR_LIMIT, USE(norm), "relative", VECTORS, false},
    {"angle_between", 1, {1}, 2, {UNIT, UNIT}, GIVES_NAN, USE(angle_between), "relative", VECTORS, false},
    {"rotate", 1, {3}, 2, {UNIT, VECTOR}, GIVES_NAN, USE(rotate), "relative", VECTORS, false},
    {"nlerp", QUATERNION, 3, {ROUNDED, ROUNDED, T}, GIVES_NAN, USE(nlerp), "radians", ROTATIONS, false},
    {"slerp", QUATERNION, 3, {ROUNDED, ROUNDED, T}, GIVES_NAN, USE(slerp), "radians", ROTATIONS, false},
    {"squad",
     QUATERNION,
     5,
     {ROUNDED, ROUNDED, ROUNDED, ROUNDED, T},
     GIVES_NAN,
     USE(squad),
     "radians",
     ROTATIONS,
     false},
    {"squad_control",
     QUATERNION,
     3,
     {UNIT, UNIT, UNIT},
     GIVES_NAN,
     USE(squad_control),
     "radians",
     ROTATIONS,
     false},
    {"from_axis_angle",
     QUATERNION,
     2,
     {AXIS, ANGLE},
     GIVES_NAN,
     USE(from_axis_angle),
     "radians",
     ROTATIONS,
     false},
    {"to_axis_angle", 2, {3, 1}, 1, {UNIT}, GIVES_NAN, USE(to_axis_angle), "relative", VECTORS, false},
    {"exp", QUATERNION, 1, {ROTATION_VECTOR}, GIVES_NAN, USE(exp), "radians", ROTATIONS, false},
    {"log", 1, {3}, 1, {UNIT}, GIVES_NAN, USE(log), "relative", VECTORS, false},
    {"from_cayley", QUATERNION, 1, {CAYLEY}, GIVES_NAN, USE(from_cayley), "radians", ROTATIONS, false},
    {"to_cayley", 1, {3}, 1, {UNIT}, GIVES_NAN, USE(to_cayley), "relative", VECTORS, false},
    {"from_matrix3", QUATERNION, 1, {MATRIX3}, GIVES_NAN, USE(from_matrix3), "radians", ROTATIONS, false},
    {"from_matrix4", QUATERNION, 1, {MATRIX4}, GIVES_NAN, USE(from_matrix4), "radians", ROTATIONS, false},
    {"to_matrix3", 1, {9}, 1, {UNIT}, GIVES_NAN, USE(to_matrix3), "absolute", VECTORS, false},
    {"to_matrix4", 1, {16}, 1, {UNIT}, GIVES_NAN, USE(to_matrix4), "absolute", VECTORS, false},
    {"from_euler", QUATERNION, 1, {EULER}, GIVES_NAN, USE(from_euler), "radians", ROTATIONS, true},
    {"to_euler", 1, {3}, 1, {UNIT}, GIVES_NAN, USE(to_euler), "radians", ROTATIONS, true},
    {"integrate",
     QUATERNION,
     3,
     {UNIT, VELOCITY, DT},
     GIVES_NAN,
     USE(integrate),
     "radians",
     ROTATIONS,
     false},
    {"integrate_rk4",
     QUATERNION,
     5,
     {UNIT, VELOCITY, VELOCITY, VELOCITY, DT},
     GIVES_NAN,
     USE(integrate_rk4),
     "radians",
     ROTATIONS,
     false},
    {"angular_velocity",
     1,
     {3},
     3,
     {UNIT, UNIT, DT},
     NAN_OR_LIMIT,
     USE(angular_velocity),
     "relative",
     VECTORS,
     false},
    {"predict", QUATERNION, 2, {UNIT, UNIT}, GIVES_NAN, USE(predict), "radians", ROTATIONS, false},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };
#define FOR_EACH_FUNCTION(f) for (const function *f = functions; f < functions + FUNCTIONS; f++)

/* ---- inputs ---- */

static size_t pick(uint64_t *random, size_t n) { return (size_t)(sweep_next(random) >> 32) % n; }
#define ONE_OF(list, random) (list)[pick(random, sizeof(list) / sizeof *(list))]

static void random_direction(double *to, int n, uint64_t *random) {
  double n2 = 0;
  for (int i = 0; i < n; i++) to[i] = random_gauss(random), n2 += to[i] * to[i];
  for (int i = 0; i < n; i++) to[i] /= sqrt(n2);
}

static void hard_axis(double *to, uint64_t *random) { /* components 0 and +-1, or any */
  random_direction(to, 3, random);
  const size_t n = pick(random, 40);
  if (n == 13 || n >= 27) return;
  const double x = (double)(n % 3) - 1, y = (double)(n / 3 % 3) - 1, z = (double)(n / 9) - 1,
               length = sqrt(x * x + y * y + z * z);
  to[0] = x / length, to[1] = y / length, to[2] = z / length;
}

static const double pi = 3.14159265358979323846;
static double hard_angle(uint64_t *random, double most) {
  const double list[] = {0,         -0.0,      1e-30,         1e-15,         1e-7,      1e-4,          1e-2,
                         1,         pi / 2,    pi / 2 - 1e-4, pi - 1e-4,     pi - 1e-6, pi - 1e-7,     pi,
                         pi + 1e-7, pi + 1e-4, 3 * pi / 2,    2 * pi - 1e-4, 2 * pi,    2 * pi + 1e-4, 3 * pi,
                         4 * pi,    1e6,       999999.9375};
  double angle = ONE_OF(list, random);
  const size_t other = pick(random, 4);
  if (other == 0) angle = most * random_unit(random);
  /* where sine or cosine is 0 */
  if (other == 1) angle = floor(most / (pi / 2) * pow(random_unit(random), 3)) * (pi / 2);
  return (sweep_next(random) >> 40 & 1 ? -1 : 1) * fmin(angle, most);
}

static void turn(double *q, const double *axis, double angle) {
  for (int i = 0; i < 3; i++) q[i] = axis[i] * sin(angle / 2);
  q[3] = cos(angle / 2);
}

/* At and near gimbal lock in one order or another. */
static void near_lock(double *q, uint64_t *random) {
  static const double off[] = {0,    1e-9, 5e-8, 1e-7, 1.15e-7, 1.25e-7, 1.5e-7,
                               2e-7, 3e-7, 5e-7, 1e-6, 1e-5,    1e-4,    1e-3};
  const euler *e = &eulers[pick(random, ORDERS)];
  const double end = is_proper(e) ? (double)pick(random, 2) * pi : (double)pick(random, 2) * pi - pi / 2;
  const double side = end == 0 || end == -pi / 2 ? 1 : -1;
  const real angles[3] = {7 * random_unit(random), end + side * ONE_OF(off, random),
                          pick(random, 3) ? 7 * random_unit(random) : 0};
  real exact[4];
  ref_from_euler(exact, angles, e->letters, e->extrinsic);
  for (int i = 0; i < 4; i++) q[i] = (double)exact[i];
}

/* A unit quaternion. */
static void draw_rotation(double *q, uint64_t *random, bool hard) {
  double axis[3];
  random_direction(q, 4, random);
  if (!hard) return;
  const size_t which = pick(random, 8);
  if (which < 4) hard_axis(axis, random), turn(q, axis, hard_angle(random, 4 * pi));
  else if (which < 6) near_lock(q, random);
  else if (which == 6) { /* one component large, or two; the others of any size below */
    const size_t large = pick(random, 4), other = pick(random, 4);
    for (size_t i = 0; i < 4; i++)
      if (i != large) q[i] *= i == other ? 1 : exp2(-60 * random_unit(random));
  } /* else any */
}

/* A unit quaternion that makes trouble together with another one. */
static void draw_related(double *q, const float *to, uint64_t *random) {
  double a[4], axis[3], b[4], n2 = 0;
  for (int i = 0; i < 4; i++) a[i] = to[i], n2 += a[i] * a[i];
  for (int i = 0; i < 4; i++) a[i] /= n2 > 0 ? sqrt(n2) : 1;
  const size_t which = pick(random, 8);
  const double across[4] = {-a[1], a[0], -a[3], a[2]}, sign = pick(random, 2) ? 1 : -1;
  static const double moves[] = {1e-8, 6e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
  const double move = ONE_OF(moves, random);
  for (int i = 0; i < 4; i++) q[i] = a[i];
  /* nearly equal, nearly opposite */
  if (which <= 1)
    for (int i = 0; i < 4; i++) q[i] = sign * (a[i] + move * random_gauss(random));
  /* orthogonal */
  else if (which == 2)
    for (int i = 0; i < 4; i++) q[i] = sign * across[i];
  /* nearly */
  else if (which == 3)
    for (int i = 0; i < 4; i++) q[i] = across[i] + move * random_gauss(random);
  /* a hard angle away */
  else if (which <= 5) {
    hard_axis(axis, random), turn(b, axis, hard_angle(random, 4 * pi));
    const real ra[4] = {a[0], a[1], a[2], a[3]}, rb[4] = {b[0], b[1], b[2], b[3]};
    real r[4];
    ref_multiply(r, rb, ra);
    for (int i = 0; i < 4; i++) q[i] = (double)r[i];
  } else draw_rotation(q, random, true);
}

/* Rounds a quaternion of length 1, or of another. */
static void round_quaternion(float *to, const double *q, double length) {
  double n2 = 0;
  for (int i = 0; i < 4; i++) n2 += q[i] * q[i];
  for (int i = 0; i < 4; i++) to[i] = (float)(q[i] / sqrt(n2) * length);
}

static void draw_quaternion(float *to, kind k, const float *earlier, uint64_t *random, bool hard) {
  double q[4], length = 1;
  const int most = k == ANY4 ? 50 : 31;
  if (hard && earlier && pick(random, 2)) {
    const size_t same = pick(random, 8);
    if (same <= 2) { /* equal or opposite, or a unit in the last place away */
      for (int i = 0; i < 4; i++) to[i] = same == 1 ? -earlier[i] : earlier[i];
      if (same == 2) {
        const size_t i = pick(random, 4);
        /* else the length would change */
        if (fabsf(to[i]) < 0.5f) to[i] = nextafterf(to[i], pick(random, 2) ? 2 : -2);
      }
      return;
    }
    draw_related(q, earlier, random);
  } else draw_rotation(q, random, hard);
  if (k == UNIT && pick(random, 2)) length = 1 + 0.9999e-4 * (2 * random_unit(random) - 1);
  if (k > ROUNDED && pick(random, 2)) length = exp2((2 * random_unit(random) - 1) * (hard ? most : 1));
  if (k > ROUNDED && hard && pick(random, 8) == 0) length = ldexp(1, most * ((int)pick(random, 3) - 1));
  round_quaternion(to, q, length);
  if (k == ANY4 && hard && pick(random, 50) == 0 && earlier) memset(to, 0, 16);
}

static void draw_argument(float *to, kind k, const float *earlier, uint64_t *random, bool hard) {
  static const float ts[] = {0,  -0.f, 0.5f,  1,    0x1p-149f, 1e-20f, 1e-7f, 1 - 0x1p-24f, 1 + 0x1p-23f,
                             -1, 2,    -0.1f, 1.1f, -1e30f,    1e30f};
  double v[3], q[4], length;
  float rounded[4];
  real exact[4], m[9];
  switch (k) {
  case UNIT:
  case ROUNDED:
  case VALID:
  case ANY4: draw_quaternion(to, k, earlier, random, hard); return;
  case VECTOR:
    random_direction(v, 3, random);
    if (hard) hard_axis(v, random);
    length = hard ? exp2(-160 + 280 * random_unit(random)) : 4 * random_unit(random);
    if (hard && pick(random, 20) == 0) length = 0;
    break;
  case AXIS:
    random_direction(v, 3, random);
    if (hard) hard_axis(v, random);
    length = hard ? exp2((2 * random_unit(random) - 1) * 31.99) : exp2(2 * random_unit(random) - 1);
    if (hard && pick(random, 4) == 0) length = 1;
    if (hard && pick(random, 20) == 0) length = 0;
    break;
  case ROTATION_VECTOR:
    random_direction(v, 3, random);
    if (hard) hard_axis(v, random);
    length = hard ? hard_angle(random, 999999) : 2 * pi * random_unit(random);
    break;
  case CAYLEY:
    random_direction(v, 3, random);
    if (hard) hard_axis(v, random);
    length = hard ? exp2(-60 + 91.9 * random_unit(random)) : exp2(4 * random_unit(random) - 3);
    if (hard && pick(random, 4) == 0) length = 1;
    if (hard && pick(random, 4) == 0) length = exp2(4e-7 * (random_unit(random) - 0.5));
    if (hard && pick(random, 20) == 0) length = 0;
    break;
  case VELOCITY:
    random_direction(v, 3, random);
    if (hard) hard_axis(v, random);
    length = hard ? 900 * pow(random_unit(random), 9) : 10 * random_unit(random);
    if (hard && pick(random, 20) == 0) length = 0;
    break;
  case EULER:
    for (int i = 0; i < 3; i++)
      to[i] = (float)(hard ? hard_angle(random, pick(random, 2) ? 2 * pi : 1e6)
                           : (2 * random_unit(random) - 1) * pi);
    return;
  case MATRIX3:
  case MATRIX4:
    draw_rotation(q, random, hard);
    round_quaternion(rounded, q, 1);
    for (int i = 0; i < 4; i++) exact[i] = rounded[i];
    ref_to_matrix3(m, exact);
    /* translation and whatever */
    if (k == MATRIX4)
      for (int i = 0; i < 16; i++) to[i] = (float)(100 * random_gauss(random));
    for (int i = 0; i < 9; i++) to[k == MATRIX4 ? i / 3 * 4 + i % 3 : i] = (float)m[i];
    return;
  case FACTOR:
    to[0] =
        (float)(hard ? random_gauss(random) * exp2(100 * random_unit(random) - 50) : random_gauss(random));
    return;
  case ANGLE:
    to[0] = (float)(hard ? hard_angle(random, 1e6) : (2 * random_unit(random) - 1) * 2 * pi);
    return;
  case T:
    to[0] = hard && pick(random, 4) ? ONE_OF(ts, random)
                                    : (float)(random_unit(random) * (hard ? 1.2 : 1) - (hard ? 0.1 : 0));
    return;
  default: /* DT */
    to[0] = (float)(hard ? exp2(30 * random_unit(random) - 20) * (pick(random, 2) ? 1 : -1)
                         : random_unit(random));
    return;
  }
  for (int i = 0; i < 3; i++) to[i] = (float)(v[i] * length);
}

enum { BLOCK = 1024 };
typedef struct block {
  float in[MOST_IN][WIDEST * BLOCK], out[MOST_OUT][WIDEST * BLOCK];
} block;

static void draw(const function *f, block *b, size_t n, uint64_t *random, bool hard) {
  for (size_t i = 0; i < n; i++)
    for (int a = 0; a < f->ins; a++) {
      const float *earlier = NULL; /* quaternion */
      for (int e = 0; e < a; e++)
        if (is_quaternion(f->in[e]) && (!earlier || pick(random, 2))) earlier = b->in[e] + 4 * i;
      draw_argument(b->in[a] + (size_t)widths[f->in[a]] * i, f->in[a], earlier, random, hard);
    }
}

static void call_aos(const function *f, block *b, const euler *e, size_t n) {
  quatsimd_in in[MOST_IN];
  quatsimd_out out[MOST_OUT];
  for (int a = 0; a < f->ins; a++) in[a] = quatsimd_aos(b->in[a]);
  for (int a = 0; a < f->outs; a++) out[a] = quatsimd_aos_out(b->out[a]);
  assert_int_equal(f->call(out, in, e->order, n), QUATSIMD_OK);
}

/* ---- the worst errors ---- */

static real error_at(const function *f, const block *b, const euler *e, size_t i) {
  real least = (real)INFINITY;
  unsigned ties = 0; /* in any of the ways */
  sample s;
  s.ties.choice = 0;
  do {
    s.euler = e;
    s.ties.count = 0;
    for (int a = 0; a < f->ins; a++)
      for (int w = widths[f->in[a]], c = 0; c < w; c++) s.in[a][c] = b->in[a][(size_t)w * i + (size_t)c];
    for (int a = 0; a < f->outs; a++)
      memcpy(s.out[a], b->out[a] + (size_t)f->out_width[a] * i, sizeof(float) * (size_t)f->out_width[a]);
    const real error = f->error(&s);
    if (error < least) least = error; /* false for NaN */
    if (s.ties.count > ties) ties = s.ties.count;
  } while (++s.ties.choice < 1u << ties);
  return least;
}

static void show(const char *what, const float *p, int n) {
  fprintf(stderr, "  %s", what);
  for (int i = 0; i < n; i++) fprintf(stderr, " %.9g", (double)p[i]);
  fprintf(stderr, "\n");
}

/* The worst error over n inputs, in a few orders each or in all of them by turns. Shows an input that
 * exceeds the limit. */
static double worst_error(const function *f, size_t n, uint64_t *random, bool hard, bool *shown) {
  static block b;
  real worst = 0;
  for (size_t done = 0, round = 0; done < n; round++) {
    const size_t count = n - done < BLOCK / 8 ? n - done : f->ordered || n - done < BLOCK ? BLOCK / 8 : BLOCK;
    const euler *e = &eulers[round % ORDERS];
    draw(f, &b, count, random, hard);
    call_aos(f, &b, e, count);
    for (size_t i = 0; i < count; i++) {
      const real error = error_at(f, &b, e, i);
      worst = fmaxl(worst, error);
      if (error <= f->limit || *shown) continue;
      *shown = true;
      fprintf(stderr, "%s: error %Lg %s\n", f->name, error, f->unit);
      if (f->ordered)
        fprintf(stderr, "  order %s %s\n", e->extrinsic ? "extrinsic" : "intrinsic", e->letters);
      for (int a = 0; a < f->ins; a++) show("in ", b.in[a] + (size_t)widths[f->in[a]] * i, widths[f->in[a]]);
      for (int a = 0; a < f->outs; a++) show("out", b.out[a] + (size_t)f->out_width[a] * i, f->out_width[a]);
    }
    done += count;
  }
  return (double)worst;
}

static void errors_are_small(void **state) {
  (void)state;
  unsigned wrong = 0;
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 1;
    bool shown = false;
    const double any = worst_error(f, INPUTS, &random, false, &shown),
                 hard = worst_error(f, INPUTS, &random, true, &shown);
    const double worst = fmax(any, hard);
    print_message("%-17s %9.3g  %-8s  %d%s\n", f->name, worst, f->unit, 2 * INPUTS,
                  worst <= f->limit ? "" : "   WRONG");
    wrong += !(worst <= f->limit);
  }
  assert_int_equal(wrong, 0);
}

/* ---- layouts ---- */

enum { MOST = 200, FILL = 0xa5, MARGIN = 64, ARENA = (MOST + 8) * (4 * WIDEST + 20) + MARGIN };
enum { OUT_ARENAS = 4 * MOST_OUT, ARENAS = OUT_ARENAS + 4 * MOST_IN };
static arena arenas[ARENAS];

static void make_arenas(void) {
  for (int i = 0; i < ARENAS; i++) arenas[i] = arena_new(ARENA);
}

typedef enum layout { AOS, SOA, STRIDED, W_FIRST, BLOCKS4, BLOCKS8, W_FIRST8, ONE, LAYOUTS } layout;
static const char *const layout_names[LAYOUTS] = {
    "aos", "soa", "strided", "w first", "blocks of 4", "blocks of 8", "w first in blocks", "one"};
static size_t block_of(layout l) { return l == BLOCKS4 ? 4 : l == BLOCKS8 || l == W_FIRST8 ? 8 : 1; }

/* An argument of `count` elements somewhere in its arenas. */
typedef struct placed {
  layout layout;
  int width;
  size_t step, size; /* bytes of one array */
  unsigned char *at[4];
} placed;

static int arrays_of(const placed *p) { return p->layout == SOA ? p->width : 1; }

static float *component(const placed *p, size_t i, int c) {
  if (p->layout == SOA) return (float *)(void *)p->at[c] + i;
  const size_t lanes = block_of(p->layout);
  if (p->layout == W_FIRST || p->layout == W_FIRST8) c = (c + 1) % 4;
  if (lanes > 1)
    return (float *)(void *)p->at[0] + i / lanes * lanes * (size_t)p->width + (size_t)c * lanes + i % lanes;
  return (float *)(void *)(p->at[0] + i * p->step) + c;
}

/* Filled, with the bytes around it; the last struct of a strided array ends with its element. */
static placed place(int first_arena, layout l, int width, size_t step, size_t count, bool at_end) {
  placed p = {.layout = l, .width = width, .step = l == ONE ? 0 : l == SOA ? sizeof(float) : step};
  const size_t bytes = sizeof(float) * (size_t)width;
  const size_t lanes = block_of(l),
               whole = (count + lanes - 1) / lanes * lanes; /* the last one is complete */
  p.size = lanes > 1    ? whole * bytes
           : l == SOA   ? sizeof(float) * count
           : count == 0 ? 0
           : l == ONE   ? bytes
                        : (count - 1) * step + bytes;
  for (int i = 0; i < arrays_of(&p); i++) {
    const arena *a = &arenas[first_arena + i];
    p.at[i] = at_end ? a->end - p.size : a->begin;
    memset(at_end ? p.at[i] - MARGIN : p.at[i], FILL, p.size + MARGIN);
  }
  return p;
}

static placed place_width(int first_arena, layout l, int width, size_t count, bool at_end) {
  return place(first_arena, l, width, sizeof(float) * (size_t)width + (l == STRIDED ? 20 : 0), count, at_end);
}

static quatsimd_in source_of(const placed *p) {
  float *c[4] = {NULL, NULL, NULL, NULL};
  for (int i = 0; i < arrays_of(p); i++) c[i] = (float *)(void *)p->at[i];
  if (p->layout == SOA) return quatsimd_soa(c[0], c[1], c[2], c[3]);
  if (p->layout == ONE) return quatsimd_one(c[0]);
  if (p->layout == W_FIRST) return quatsimd_wxyz(quatsimd_aos(c[0]));
  if (p->layout == W_FIRST8) return quatsimd_wxyz(quatsimd_blocks(c[0], 8));
  if (block_of(p->layout) > 1) return quatsimd_blocks(c[0], (unsigned)block_of(p->layout));
  return p->layout == AOS ? quatsimd_aos(c[0]) : quatsimd_strided(c[0], p->step);
}

static quatsimd_out target_of(const placed *p) {
  float *c[4] = {NULL, NULL, NULL, NULL};
  for (int i = 0; i < arrays_of(p); i++) c[i] = (float *)(void *)p->at[i];
  if (p->layout == SOA) return quatsimd_soa_out(c[0], c[1], c[2], c[3]);
  if (p->layout == W_FIRST) return quatsimd_wxyz_out(quatsimd_aos_out(c[0]));
  if (p->layout == W_FIRST8) return quatsimd_wxyz_out(quatsimd_blocks_out(c[0], 8));
  if (block_of(p->layout) > 1) return quatsimd_blocks_out(c[0], (unsigned)block_of(p->layout));
  return p->layout == AOS ? quatsimd_aos_out(c[0]) : quatsimd_strided_out(c[0], p->step);
}

static void fill_with(placed *p, const float *elements, size_t count) {
  for (size_t i = 0; i < (p->layout == ONE && count > 1 ? 1 : count); i++)
    for (int c = 0; c < p->width; c++)
      memcpy(component(p, i, c), elements + (size_t)p->width * i + (size_t)c, sizeof(float));
}

/* Do the arrays have these elements, bit for bit, and is everything around and between them as `place`
 * left it? */
static bool holds(const placed *p, const float *elements, size_t count, bool at_end) {
  static unsigned char expected[ARENA];
  placed shadow = *p;
  for (int i = 0; i < arrays_of(p); i++) {
    const unsigned char *from = at_end ? p->at[i] - MARGIN : p->at[i];
    memset(expected, FILL, p->size + MARGIN);
    shadow.at[i] = expected + (at_end ? MARGIN : 0);
    for (size_t e = 0; e < count; e++)
      for (int c = 0; c < p->width; c++)
        if (p->layout != SOA || c == i)
          memcpy(component(&shadow, e, c), elements + (size_t)p->width * e + (size_t)c, sizeof(float));
    if (memcmp(from, expected, p->size + MARGIN) != 0) return false;
  }
  return true;
}

/* The results, from calls for one element each. `one` has a bit for each argument of which the first
 * element is for all. */
static void expected_results(const function *f, const block *b, float expected[MOST_OUT][WIDEST * BLOCK],
                             const euler *e, size_t count, unsigned one) {
  for (size_t i = 0; i < count; i++) {
    float in_copy[MOST_IN][WIDEST];
    quatsimd_in in[MOST_IN];
    quatsimd_out out[MOST_OUT];
    for (int a = 0; a < f->ins; a++) {
      const size_t w = (size_t)widths[f->in[a]];
      memcpy(in_copy[a], b->in[a] + (one >> a & 1 ? 0 : w * i), w * sizeof(float));
      in[a] = quatsimd_aos(in_copy[a]);
    }
    for (int a = 0; a < f->outs; a++) out[a] = quatsimd_aos_out(expected[a] + (size_t)f->out_width[a] * i);
    assert_int_equal(f->call(out, in, e->order, 1), QUATSIMD_OK);
  }
}

/* No more than four arrays; w is a quaternion's. */
static layout allowed(layout l, int width) {
  if (l == SOA && width > 4) return STRIDED;
  return width == 4 ? l : l == W_FIRST ? AOS : l == W_FIRST8 ? BLOCKS8 : l;
}

static void check_layouts(const function *f, const block *b, const layout *of_out, const layout *of_in,
                          const euler *e, size_t count, bool at_end,
                          float expected[MOST_OUT][WIDEST * BLOCK]) {
  placed out[MOST_OUT], in[MOST_IN];
  quatsimd_out targets[MOST_OUT];
  quatsimd_in sources[MOST_IN];
  for (int a = 0; a < f->outs; a++) {
    out[a] = place_width(4 * a, allowed(of_out[a], f->out_width[a]), f->out_width[a], count, at_end);
    targets[a] = target_of(&out[a]);
  }
  for (int a = 0; a < f->ins; a++) {
    in[a] =
        place_width(OUT_ARENAS + 4 * a, allowed(of_in[a], widths[f->in[a]]), widths[f->in[a]], count, at_end);
    fill_with(&in[a], b->in[a], count);
    sources[a] = source_of(&in[a]);
  }
  assert_int_equal(f->call(targets, sources, e->order, count), QUATSIMD_OK);
  for (int a = 0; a < f->outs; a++)
    if (!holds(&out[a], expected[a], count, at_end))
      fail_msg("%s: result %d as %s, first argument as %s, count %zu: differs from single calls, or other "
               "bytes were written",
               f->name, a, layout_names[out[a].layout], layout_names[in[0].layout], count);
}

static void layouts_give_the_same_bits(void **state) {
  (void)state;
  static block b;
  static float expected[MOST_OUT][WIDEST * BLOCK], of_mixed[MOST_OUT][WIDEST * BLOCK];
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 2;
    for (size_t count = 0; count <= MOST; count++) {
      const euler *e = &eulers[count / 8 % ORDERS];
      const bool at_end = count % 5 != 0;
      if (count % 8 == 0) {
        draw(f, &b, MOST, &random, count % 16);
        expected_results(f, &b, expected, e, MOST, 0);
      }
      for (layout o = 0; o < ONE; o++)
        for (layout i = 0; i < ONE; i++) {
          if (o != i && (o > STRIDED || i > STRIDED)) continue;
          const layout of_out[MOST_OUT] = {o, o}, of_in[MOST_IN] = {i, i, i, i, i, i};
          check_layouts(f, &b, of_out, of_in, e, count, at_end, expected);
        }
      if (count % 8 != 3 && count > 16) continue;
      layout of_out[MOST_OUT], of_in[MOST_IN]; /* each argument in another layout */
      unsigned one = 0;
      for (int a = 0; a < MOST_OUT; a++) of_out[a] = pick(&random, ONE);
      for (int a = 0; a < MOST_IN; a++)
        of_in[a] = pick(&random, LAYOUTS), one |= of_in[a] == ONE ? 1u << a : 0;
      expected_results(f, &b, of_mixed, e, count, one);
      check_layouts(f, &b, of_out, of_in, e, count, at_end, of_mixed);
    }
  }
}

static void one_stands_for_all(void **state) {
  (void)state;
  static block b;
  static float expected[MOST_OUT][WIDEST * BLOCK];
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 3;
    draw(f, &b, MOST, &random, false);
    for (unsigned one = 1; one < 1u << f->ins; one++) {
      layout of_out[MOST_OUT] = {one % 2 ? AOS : SOA, SOA}, of_in[MOST_IN];
      for (int a = 0; a < f->ins; a++) of_in[a] = one >> a & 1 ? ONE : (layout)(one % 3);
      for (size_t count = 1; count <= MOST; count += count < 20 ? 1 : 37) {
        const euler *e = &eulers[count % ORDERS];
        expected_results(f, &b, expected, e, count, one);
        check_layouts(f, &b, of_out, of_in, e, count, true, expected);
      }
    }
  }
}

/* Steps of an input may be shorter than its elements: windows that slide over an array. */
static void windows_may_overlap(void **state) {
  (void)state;
  static block b, gathered;
  static float expected[MOST_OUT][WIDEST * BLOCK];
  FOR_EACH_FUNCTION(f) for (int a = 0; a < f->ins; a++) {
    uint64_t random = 4;
    const size_t w = (size_t)widths[f->in[a]], count = 77;
    for (size_t step = 1; step < w; step++) {
      draw(f, &b, count, &random, false);
      gathered = b;
      for (size_t i = 0; i < count; i++)
        memcpy(gathered.in[a] + w * i, b.in[a] + step * i, w * sizeof(float));
      expected_results(f, &gathered, expected, &eulers[step % ORDERS], count, 0);
      quatsimd_in in[MOST_IN];
      quatsimd_out out[MOST_OUT];
      for (int k = 0; k < f->ins; k++)
        in[k] = k == a ? quatsimd_strided(b.in[a], 4 * step) : quatsimd_aos(gathered.in[k]);
      for (int k = 0; k < f->outs; k++) out[k] = quatsimd_aos_out(b.out[k]);
      assert_int_equal(f->call(out, in, eulers[step % ORDERS].order, count), QUATSIMD_OK);
      for (int k = 0; k < f->outs; k++)
        if (memcmp(b.out[k], expected[k], sizeof(float) * (size_t)f->out_width[k] * count) != 0)
          fail_msg("%s: argument %d in steps of %zu floats", f->name, a, step);
    }
  }
}

/* Result o in the place of argument a; other arguments of the same shape are that array, too, if `all`. */
static void check_in_place(const function *f, const block *b, int o, int a, layout l, size_t count,
                           bool all) {
  static float expected[MOST_OUT][WIDEST * BLOCK];
  static block same;
  const int width_in = widths[f->in[a]], width_out = f->out_width[o],
            wider = width_in > width_out ? width_in : width_out;
  if (l == SOA && wider > 4) return;
  if ((l == AOS || l > STRIDED) && width_in != width_out) return; /* strides or blocks differ */
  l = allowed(l, wider);
  const euler *e = &eulers[count % ORDERS];
  same = *b;
  for (int k = 0; k < f->ins; k++)
    if (all && f->in[k] == f->in[a]) memcpy(same.in[k], same.in[a], sizeof(float) * (size_t)width_in * count);
  expected_results(f, &same, expected, e, count, 0);

  const size_t step = sizeof(float) * (size_t)wider + (l == STRIDED ? 4 : 0);
  placed shared = place(0, l, wider, step, count, true), in_view = shared, out_view = shared, others[MOST_IN],
         other_out;
  in_view.width = width_in, out_view.width = width_out;
  fill_with(&in_view, same.in[a], count);
  quatsimd_in sources[MOST_IN];
  quatsimd_out targets[MOST_OUT];
  for (int k = 0; k < f->ins; k++) {
    if (k == a || (all && f->in[k] == f->in[a])) {
      sources[k] = source_of(&in_view);
      continue;
    }
    others[k] = place_width(OUT_ARENAS + 4 * k, AOS, widths[f->in[k]], count, true);
    fill_with(&others[k], same.in[k], count);
    sources[k] = source_of(&others[k]);
  }
  for (int k = 0; k < f->outs; k++) {
    if (k != o) other_out = place_width(4, AOS, f->out_width[k], count, true);
    targets[k] = target_of(k == o ? &out_view : &other_out);
  }
  assert_int_equal(f->call(targets, sources, e->order, count), QUATSIMD_OK);
  for (size_t i = 0; i < count; i++) {
    for (int c = 0; c < width_out; c++)
      if (memcmp(component(&out_view, i, c), expected[o] + (size_t)width_out * i + c, sizeof(float)) != 0)
        fail_msg("%s: result %d in the place of argument %d, %s, count %zu, at %zu", f->name, o, a,
                 layout_names[l], count, i);
    for (int c = width_out; c < width_in; c++)
      if (memcmp(component(&in_view, i, c), same.in[a] + (size_t)width_in * i + c, sizeof(float)) != 0)
        fail_msg("%s: wrote behind a result in the place of argument %d", f->name, a);
  }
  for (int k = 0; k < f->outs; k++)
    if (k != o) assert_true(holds(&other_out, expected[k], count, true));
}

static void results_may_replace_arguments(void **state) {
  (void)state;
  static block b;
  static const size_t counts[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 100, 128, MOST};
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 5;
    draw(f, &b, MOST, &random, false);
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++)
      for (int o = 0; o < f->outs; o++)
        for (int a = 0; a < f->ins; a++)
          for (layout l = 0; l < ONE; l++)
            for (int all = 0; all < 2; all++) check_in_place(f, &b, o, a, l, counts[n], all);
  }
}

/* Its intermediate results may be flushed. */
static bool is_in_float(const function *f) {
  return f->call == call_multiply || f->call == call_rotate || f->call == call_nlerp ||
         f->call == call_slerp || f->call == call_exp;
}

/* The length of the vector that element i of rotate turns. */
static float length_of_vector(const function *f, const block *b, size_t i) {
  return f->call == call_rotate ? hypotf(hypotf(b->in[1][3 * i], b->in[1][3 * i + 1]), b->in[1][3 * i + 2])
                                : 0;
}

static void flushing_changes_nothing_else(void **state) {
  (void)state;
  static block b;
  static float before[MOST_OUT][WIDEST * BLOCK];
  if (!flush_denormals(false)) {
    print_message("SKIP: no mode of this CPU is known that flushes denormal numbers\n");
    skip();
  }
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 6;
    for (int round = 0; round < ORDERS; round++) {
      draw(f, &b, BLOCK / 8, &random, round % 2);
      for (int a = 0; a < f->ins; a++)
        for (size_t i = 0; i < BLOCK / 8 * (size_t)widths[f->in[a]]; i++)
          if (fabsf(b.in[a][i]) < FLT_MIN) b.in[a][i] = 0;
      call_aos(f, &b, &eulers[round], BLOCK / 8);
      memcpy(before, b.out, sizeof before);
      flush_denormals(true);
      call_aos(f, &b, &eulers[round], BLOCK / 8);
      flush_denormals(false);
      for (int a = 0; a < f->outs; a++)
        for (size_t i = 0; i < BLOCK / 8 * (size_t)f->out_width[a]; i++)
          if (memcmp(&before[a][i], &b.out[a][i], sizeof(float)) != 0 &&
              !(fabsf(before[a][i]) < FLT_MIN && b.out[a][i] == 0) &&
              !(is_in_float(f) &&
                fabsf(before[a][i] - b.out[a][i]) <=
                    16 * FLT_MIN * fmaxf(1, length_of_vector(f, &b, i / (size_t)f->out_width[a]))))
            fail_msg("%s: %a, but %a with denormal numbers flushed", f->name, (double)before[a][i],
                     (double)b.out[a][i]);
    }
  }
}

/* ---- what is no number ---- */

static bool is_the_nan(float f) { return bits_of(f) == UINT32_C(0x7fc00000); }
static const float identity[4] = {0, 0, 0, 1};

/* Are the results of the i-th element as they should be with a bad number in component c of argument a? */
static bool invalid_is_right(const function *f, const block *b, const block *before, size_t i, int a, int c,
                             bool infinite) {
  const bool ignored = f->in[a] == MATRIX4 && (c / 4 == 3 || c % 4 == 3),
             alone = f->invalid == COMPONENTWISE && f->in[a] != FACTOR;
  const bool limited =
      f->invalid == NAN_OR_LIMIT || f->invalid == COMPONENTWISE || f->in[a] == VECTOR || f->in[a] == T;
  bool any = false;
  for (int o = 0; o < f->outs; o++) {
    const int w = f->out_width[o];
    const float *got = b->out[o] + (size_t)w * i, *was = before->out[o] + (size_t)w * i;
    if (f->invalid == IDENTITY) return memcmp(got, identity, sizeof identity) == 0;
    for (int k = 0; k < w; k++) {
      const bool constant = w == 16 && (k / 4 == 3 || k % 4 == 3);
      if (is_the_nan(got[k])) any = true;
      else if (isnan(got[k])) return false;
      if ((ignored || constant || (alone && k != c)) && bits_of(got[k]) != bits_of(was[k])) return false;
    }
  }
  return ignored || any || (infinite && limited);
}

static void what_is_no_number_gives_the_nan(void **state) {
  (void)state;
  enum { N = 9 };
  static const uint32_t bad[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xff812345,
                                 0x7fffffff, 0x7f800000, 0xff800000};
  static block b, before;
  unsigned wrong = 0;
  FOR_EACH_FUNCTION(f) for (int round = 0; round < ORDERS; round++) {
    uint64_t random = 7 + (uint64_t)round;
    const euler *e = &eulers[round];
    draw(f, &before, N, &random, false);
    call_aos(f, &before, e, N);
    for (int a = 0; a < f->ins; a++)
      for (int c = 0; c < widths[f->in[a]]; c++)
        for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
          const size_t at = (size_t)(c + round) % N;
          b = before;
          memcpy(&b.in[a][(size_t)widths[f->in[a]] * at + (size_t)c], &bad[k], sizeof bad[k]);
          call_aos(f, &b, e, N);
          if (!invalid_is_right(f, &b, &before, at, a, c, isinf(sweep_float_of_bits(bad[k])))) {
            if (wrong++ < 20) {
              fprintf(stderr, "%s: %08x as component %d of argument %d\n", f->name, (unsigned)bad[k], c, a);
              for (int o = 0; o < f->outs; o++)
                show("out", b.out[o] + (size_t)f->out_width[o] * at, f->out_width[o]);
            }
          }
          for (int o = 0; o < f->outs; o++) /* the others */
            for (size_t i = 0; i < N; i++)
              if (i != at)
                assert_memory_equal(b.out[o] + (size_t)f->out_width[o] * i,
                                    before.out[o] + (size_t)f->out_width[o] * i,
                                    sizeof(float) * (size_t)f->out_width[o]);
        }
  }
  assert_int_equal(wrong, 0);
}

/* No result is a NaN of other bits, whatever the input. */
static void there_is_one_nan(void **state) {
  (void)state;
  static block b;
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 8;
    for (int round = 0; round < 2 * ORDERS; round++) {
      for (int a = 0; a < f->ins; a++)
        for (size_t i = 0; i < BLOCK / 4 * (size_t)widths[f->in[a]]; i++) {
          const uint64_t u = sweep_next(&random);
          sweep_set_bits(&b.in[a][i], (u >> 32) % 4 ? (uint32_t)u : (uint32_t)u & UINT32_C(0x80000000));
        }
      call_aos(f, &b, &eulers[round % ORDERS], BLOCK / 4);
      for (int a = 0; a < f->outs; a++)
        for (size_t i = 0; i < BLOCK / 4 * (size_t)f->out_width[a]; i++)
          if (isnan(b.out[a][i]) && !is_the_nan(b.out[a][i]))
            fail_msg("%s: NaN %08x", f->name, (unsigned)bits_of(b.out[a][i]));
    }
  }
}

/* Zero has no direction. */
static void zero_gives_the_nan(void **state) {
  (void)state;
  static block b;
  unsigned wrong = 0;
  FOR_EACH_FUNCTION(f) for (int a = 0; a < f->ins; a++) {
    if (f->in[a] != VALID && strcmp(f->name, "inverse") != 0) continue; /* others need not take it */
    uint64_t random = 9;
    draw(f, &b, ORDERS, &random, false);
    for (int minus = 0; minus < 2; minus++) {
      for (int c = 0; c < 4; c++) b.in[a][c] = minus ? -0.f : 0;
      for (int round = 0; round < ORDERS; round++) {
        call_aos(f, &b, &eulers[round], 2);
        bool right = f->invalid != IDENTITY || memcmp(b.out[0], identity, sizeof identity) == 0;
        for (int o = 0; o < f->outs; o++)
          for (int k = 0; k < f->out_width[o]; k++)
            if (f->invalid != IDENTITY && !(f->out_width[o] == 16 && (k / 4 == 3 || k % 4 == 3)) &&
                !is_the_nan(b.out[o][k]))
              right = false;
        if (right || wrong++ >= 20) continue;
        fprintf(stderr, "%s: zero as argument %d\n", f->name, a);
        for (int o = 0; o < f->outs; o++) show("out", b.out[o], f->out_width[o]);
      }
    }
  }
  assert_int_equal(wrong, 0);
}

/* normalize finds invalid what quatsimd_find_invalid does, at the borders, too. */
static void normalize_knows_what_is_invalid(void **state) {
  (void)state;
  enum { N = 4000 };
  static float q[4 * N], out[4 * N];
  uint64_t random = 10;
  for (size_t i = 0; i < N; i++) {
    double v[4];
    random_direction(v, 4, &random);
    if (i % 4 == 0) v[0] = v[1] = v[2] = 0, v[3] = i % 8 ? -1 : 1;
    if (i % 4 == 1) v[0] = v[1] = v[2] = v[3] = 0.5;
    const double length = exp2(i % 3 == 0 ? 40 * random_gauss(&random)
                                          : (i % 3 == 1 ? -32 : 32) + 4e-7 * (random_unit(&random) - 0.5));
    for (size_t c = 0; c < 4; c++) q[4 * i + c] = (float)(v[c] * length);
    if (i % 4 == 0 && i % 5 == 0) q[4 * i + 3] = nextafterf(i % 3 ? 0x1p-32f : 0x1p32f, i % 2 ? 0 : 1);
  }
  assert_int_equal(quatsimd_normalize(quatsimd_aos_out(out), quatsimd_aos(q), N), QUATSIMD_OK);
  size_t invalid = 0;
  for (size_t i = 0; i < N; i++) {
    const float *p = q + 4 * i, *r = out + 4 * i;
    const bool as_identity = memcmp(r, identity, sizeof identity) == 0,
               is_identity = p[0] == 0 && p[1] == 0 && p[2] == 0 && p[3] > 0;
    if (is_identity) continue;
    const bool is_invalid = quatsimd_find_invalid(quatsimd_aos(p), 1, 0) == 0;
    if (is_invalid != as_identity)
      fail_msg("%a %a %a %a is %s, but became %a %a %a %a", (double)p[0], (double)p[1], (double)p[2],
               (double)p[3], is_invalid ? "invalid" : "valid", (double)r[0], (double)r[1], (double)r[2],
               (double)r[3]);
    invalid += is_invalid;
  }
  assert_in_range(invalid, N / 4, 3 * N / 4);
}

/* ---- particular values ---- */

static void expect_quaternion(const float *got, double x, double y, double z, double w) {
  const double expected[4] = {x, y, z, w};
  for (int c = 0; c < 4; c++)
    if (!(fabs(got[c] - expected[c]) <= 1e-7))
      fail_msg("%.9g %.9g %.9g %.9g, not %.9g %.9g %.9g %.9g", (double)got[0], (double)got[1], (double)got[2],
               (double)got[3], x, y, z, w);
}

#define ONE_CALL(f, out, ...)                                                                                \
  assert_int_equal(quatsimd_##f(quatsimd_aos_out(out), __VA_ARGS__, 1), QUATSIMD_OK)

static void known_answers(void **state) {
  (void)state;
  static const float i[4] = {1, 0, 0, 0}, j[4] = {0, 1, 0, 0}, minus_one[4] = {0, 0, 0, -1};
  const float h = sqrtf(0.5f), about_z[4] = {0, 0, h, h}, x_axis[3] = {1, 0, 0}, turn[1] = {(float)(pi / 2)},
              z_axis[3] = {0, 0, 2};
  float out[16], angle;
  ONE_CALL(multiply, out, quatsimd_aos(i), quatsimd_aos(j));
  expect_quaternion(out, 0, 0, 1, 0); /* i j = k */
  ONE_CALL(rotate, out, quatsimd_aos(about_z), quatsimd_aos(x_axis));
  out[3] = 0;
  expect_quaternion(out, 0, 1, 0, 0); /* a quarter turn about z takes x to y */
  ONE_CALL(from_axis_angle, out, quatsimd_aos(z_axis), quatsimd_aos(turn));
  expect_quaternion(out, 0, 0, sqrt(0.5), sqrt(0.5));
  ONE_CALL(to_matrix4, out, quatsimd_aos(about_z));
  static const float quarter[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}; /* columns */
  for (int k = 0; k < 16; k++) assert_true(fabsf(out[k] - quarter[k]) < 2e-7f);
  assert_int_equal(
      quatsimd_to_axis_angle(quatsimd_aos_out(out), quatsimd_aos_out(&angle), quatsimd_aos(minus_one), 1),
      QUATSIMD_OK);
  assert_true(out[0] == 1 && out[1] == 0 && out[2] == 0 && angle == 0);
  static const float zero[3] = {0, 0, 0}, far[1] = {0x1.000002p30f};
  ONE_CALL(from_axis_angle, out, quatsimd_aos(zero), quatsimd_aos(turn));
  assert_memory_equal(out, identity, sizeof identity);
  ONE_CALL(exp, out, quatsimd_aos(zero));
  assert_memory_equal(out, identity, sizeof identity);
  ONE_CALL(from_axis_angle, out, quatsimd_aos(z_axis), quatsimd_aos(far));
  for (int k = 0; k < 4; k++) assert_true(is_the_nan(out[k]));
  const float far_vector[3] = {0, -0x1.8p30f, 0};
  ONE_CALL(exp, out, quatsimd_aos(far_vector));
  for (int k = 0; k < 4; k++) assert_true(is_the_nan(out[k]));
  /* roll about x, then pitch about y, then yaw about z: by quarter turns z goes to -y, and so on */
  const float quarters[3] = {turn[0], turn[0], 0}, z[3] = {0, 0, 1};
  assert_int_equal(
      quatsimd_from_euler(quatsimd_aos_out(out), quatsimd_aos(quarters), QUATSIMD_ROLL_PITCH_YAW, 1),
      QUATSIMD_OK);
  ONE_CALL(rotate, out, quatsimd_aos(out), quatsimd_aos(z));
  assert_true(fabsf(out[0]) < 2e-7f && fabsf(out[1] + 1) < 2e-7f && fabsf(out[2]) < 2e-7f);
}

/* Where b and -b are as far from a: b. */
static void ties_are_for_b(void **state) {
  (void)state;
  static const float i[4] = {1, 0, 0, 0}, minus_one[4] = {0, 0, 0, -1}, half = 0.5f;
  float out[4];
  /* as far: b, not -b */
  ONE_CALL(slerp, out, quatsimd_aos(identity), quatsimd_aos(i), quatsimd_aos(&half));
  expect_quaternion(out, sqrt(0.5), 0, 0, sqrt(0.5));
  ONE_CALL(nlerp, out, quatsimd_aos(identity), quatsimd_aos(i), quatsimd_aos(&half));
  expect_quaternion(out, sqrt(0.5), 0, 0, sqrt(0.5));
  ONE_CALL(slerp, out, quatsimd_aos(minus_one), quatsimd_aos(i), quatsimd_aos(&half));
  expect_quaternion(out, sqrt(0.5), 0, 0, -sqrt(0.5));
  const float negative[4] = {-0.f, -1, -0.f, -0.f}; /* of which the dot product with i is -0 */
  ONE_CALL(slerp, out, quatsimd_aos(i), quatsimd_aos(negative), quatsimd_aos(&half));
  expect_quaternion(out, sqrt(0.5), -sqrt(0.5), 0, 0);
  ONE_CALL(nlerp, out, quatsimd_aos(i), quatsimd_aos(negative), quatsimd_aos(&half));
  expect_quaternion(out, sqrt(0.5), -sqrt(0.5), 0, 0);
}

/* At the ends of t, the keys themselves; equal keys stay where they are. */
static void interpolation_meets_its_ends(void **state) {
  (void)state;
  uint64_t random = 11;
  for (int n = 0; n < 3000; n++) {
    float a[4], b[4], c[4], d[4], out[4];
    draw_argument(a, ROUNDED, NULL, &random, true), draw_argument(b, ROUNDED, a, &random, true);
    draw_argument(c, ROUNDED, NULL, &random, true), draw_argument(d, ROUNDED, c, &random, true);
    real ra[4], rb[4];
    for (int i = 0; i < 4; i++) ra[i] = a[i], rb[i] = b[i];
    static const float ts[] = {0, 1, -5, 7};
    for (int k = 0; k < 4; k++) {
      const real *end = k % 2 ? rb : ra;
      ONE_CALL(slerp, out, quatsimd_aos(a), quatsimd_aos(b), quatsimd_aos(&ts[k]));
      const float *key = k % 2 ? b : a; /* b or -b; no difference is made between 0 and -0 */
      bool same = true, opposite = k % 2;
      for (int i = 0; i < 4; i++) same = same && out[i] == key[i], opposite = opposite && out[i] == -key[i];
      if (!same && !opposite) {
        show("a  ", a, 4), show("b  ", b, 4), show("t  ", &ts[k], 1), show("out", out, 4);
        fail_msg("slerp: not the key at its end");
      }
      ONE_CALL(squad, out, quatsimd_aos(a), quatsimd_aos(c), quatsimd_aos(d), quatsimd_aos(b),
               quatsimd_aos(&ts[k]));
      assert_true(angle_from(out, end) <= ROTATIONS);
      if (k < 2) ONE_CALL(nlerp, out, quatsimd_aos(a), quatsimd_aos(b), quatsimd_aos(&ts[k]));
      assert_true(angle_from(out, end) <= ROTATIONS);
    }
    const float t = (float)random_unit(&random);
    ONE_CALL(slerp, out, quatsimd_aos(a), quatsimd_aos(a), quatsimd_aos(&t));
    assert_true(angle_and_sign_from(out, ra) <= ROTATIONS);
    for (int i = 0; i < 4; i++) b[i] = -a[i];
    ONE_CALL(slerp, out, quatsimd_aos(a), quatsimd_aos(b), quatsimd_aos(&t));
    assert_true(angle_and_sign_from(out, ra) <= ROTATIONS);
    ONE_CALL(angle_between, out, quatsimd_aos(a), quatsimd_aos(b));
    assert_true(out[0] < 1e-14f);
  }
}

/* From a matrix or angles and back. */
static void conversions_come_back(void **state) {
  (void)state;
  enum { N = 4000 };
  static float q[4 * N], matrix[16 * N], angles[3 * N], vector[3 * N], axis[3 * N], angle[N], back[4 * N];
  uint64_t random = 12;
  for (size_t i = 0; i < N; i++) draw_argument(q + 4 * i, UNIT, i ? q : NULL, &random, true);
  double worst[4 + 2 * ORDERS] = {0};
  for (int way = 0; way < 5 + ORDERS; way++) {
    const quatsimd_in from = quatsimd_aos(q);
    const quatsimd_out to = quatsimd_aos_out(back);
    quatsimd_status there, here;
    if (way == 0)
      there = quatsimd_to_matrix3(quatsimd_aos_out(matrix), from, N),
      here = quatsimd_from_matrix3(to, quatsimd_aos(matrix), N);
    else if (way == 1)
      there = quatsimd_to_matrix4(quatsimd_aos_out(matrix), from, N),
      here = quatsimd_from_matrix4(to, quatsimd_aos(matrix), N);
    else if (way == 2)
      there = quatsimd_log(quatsimd_aos_out(vector), from, N),
      here = quatsimd_exp(to, quatsimd_aos(vector), N);
    else if (way == 3)
      there = quatsimd_to_cayley(quatsimd_aos_out(vector), from, N),
      here = quatsimd_from_cayley(to, quatsimd_aos(vector), N);
    else if (way == 4) {
      there = quatsimd_to_axis_angle(quatsimd_aos_out(axis), quatsimd_aos_out(angle), from, N);
      here = quatsimd_from_axis_angle(to, quatsimd_aos(axis), quatsimd_aos(angle), N);
    } else {
      const quatsimd_euler_order order = eulers[way - 5].order;
      there = quatsimd_to_euler(quatsimd_aos_out(angles), from, order, N),
      here = quatsimd_from_euler(to, quatsimd_aos(angles), order, N);
    }
    assert_true(there == QUATSIMD_OK && here == QUATSIMD_OK);
    for (size_t i = 0; i < N; i++) {
      real exact[4];
      for (size_t c = 0; c < 4; c++) exact[c] = q[4 * i + c];
      worst[way] = fmax(worst[way], (double)angle_from(back + 4 * i, exact));
    }
    if (!(worst[way] <= 2 * ROTATIONS)) fail_msg("conversion %d there and back: %g", way, worst[way]);
  }
}

/* For a constant velocity, the step of Runge and Kutta differs from the exact one by what the header says. */
static void runge_kutta_is_of_fourth_order(void **state) {
  (void)state;
  uint64_t random = 13;
  for (double angle = 0.05; angle < 1; angle *= 1.2) {
    double v[3];
    float q[4], velocity[3], dt = 0.25f, exact[4], step[4];
    random_direction(v, 3, &random);
    random_rotations(q, 1, &random);
    for (int c = 0; c < 3; c++) velocity[c] = (float)(v[c] * angle / (double)dt);
    ONE_CALL(integrate, exact, quatsimd_aos(q), quatsimd_aos(velocity), quatsimd_aos(&dt));
    ONE_CALL(integrate_rk4, step, quatsimd_aos(q), quatsimd_aos(velocity), quatsimd_aos(velocity),
             quatsimd_aos(velocity), quatsimd_aos(&dt));
    real r[4];
    for (int c = 0; c < 4; c++) r[c] = exact[c];
    const double error = (double)angle_from(step, r), expected = 2 * pow(angle / 2, 5) / 120;
    assert_true(error <= 1.1 * expected + 4e-7 && error >= 0.8 * expected - 4e-7);
  }
}

/* ---- along a track ---- */

static bool is_valid(const float *q) { return quatsimd_find_invalid(quatsimd_aos(q), 1, 0) == 1; }

static void tracks_become_continuous(void **state) {
  (void)state;
  static float q[4 * MOST];
  for (size_t count = 0; count <= MOST; count++) {
    uint64_t random = 14 + count;
    for (size_t i = 0; i < count; i++) {
      draw_quaternion(q + 4 * i, count % 2 ? VALID : UNIT, i && i % 3 ? q + 4 * (i - 1) : NULL, &random,
                      count % 4 > 1);
      if (count % 3 == 0 && (pick(&random, 5) == 0 || (i < 3 && count % 2))) {
        static const float bad[][4] = {{NAN, 0, 0, 1},
                                       {0, 0, 0, 0},
                                       {-1, INFINITY, 0, 0},
                                       {0x1p-40f, 0, -0x1p-40f, 0},
                                       {0x1p40f, 0, 0, -1}};
        memcpy(q + 4 * i, ONE_OF(bad, &random), 16);
      }
    }
    float first[4 * MOST];
    for (layout l = 0; l < ONE; l++) {
      placed p = place_width(0, l, 4, count, true);
      fill_with(&p, q, count);
      assert_int_equal(quatsimd_make_continuous(target_of(&p), count), QUATSIMD_OK);
      float got[4 * MOST];
      for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 4; c++) got[4 * i + (size_t)c] = *component(&p, i, c);
      if (l == AOS) memcpy(first, got, sizeof first);
      if (memcmp(first, got, 16 * count) != 0 || !holds(&p, got, count, true))
        fail_msg("make_continuous as %s, count %zu", layout_names[l], count);
    }
    const float *last = NULL;
    for (size_t i = 0; i < count; i++) {
      const float *was = q + 4 * i, *is = first + 4 * i;
      bool same = true, opposite = true;
      for (int c = 0; c < 4; c++)
        same = same && bits_of(was[c]) == bits_of(is[c]),
        opposite = opposite && bits_of(was[c]) == (bits_of(is[c]) ^ UINT32_C(0x80000000));
      if (!(same || (opposite && last && is_valid(was))))
        fail_msg("make_continuous: key %zu of %zu", i, count);
      if (!is_valid(was)) continue;
      if (last) {
        real a[4], b[4];
        for (int c = 0; c < 4; c++) a[c] = last[c], b[c] = is[c];
        if (!(ref_dot(a, b, 4) >= -1e-15L * ref_length(a, 4) * ref_length(b, 4)))
          fail_msg("make_continuous: jumps at key %zu of %zu", i, count);
      }
      last = is;
    }
  }
}

/* The worst error of the mean over many sets. */
static double worst_mean(size_t sets, uint64_t *random) {
  enum { LARGEST = 64 };
  real worst = 0;
  for (size_t set = 0; set < sets; set++) {
    float q[4 * LARGEST], weights[LARGEST], got[4], base[4];
    const size_t count = 1 + pick(random, LARGEST);
    const bool weighted = pick(random, 2), hard = pick(random, 2);
    const double spread = ONE_OF(((const double[]){1e-6, 1e-3, 0.1, 0.5, 10}), random);
    const float scale = (float)exp2((double)pick(random, 80) - 40);
    real m[4][4] = {{0}}, exact[4];
    bool left_out = false;
    draw_argument(base, UNIT, NULL, random, true);
    for (size_t i = 0; i < count; i++) {
      double v[4];
      for (int c = 0; c < 4; c++)
        v[c] = (base[c] + spread * random_gauss(random)) * (pick(random, 2) ? 1 : 1);
      round_quaternion(q + 4 * i, v,
                       (pick(random, 2) ? 1 : -1) * (hard ? exp2(60 * random_unit(random) - 30) : 1));
      weights[i] = (float)(random_unit(random) + 0.1) * scale;
      bool counts = true;
      if (hard && pick(random, 8) == 0)
        q[4 * i + pick(random, 4)] = ONE_OF(((const float[]){NAN, INFINITY, -INFINITY, 1e30f}), random),
                               counts = false;
      if (hard && weighted && pick(random, 8) == 0)
        weights[i] = ONE_OF(((const float[]){0, -0.f, -1, NAN, INFINITY}), random), counts = false;
      if (!counts) left_out = true;
      else {
        real r[4];
        for (int c = 0; c < 4; c++) r[c] = q[4 * i + (size_t)c];
        ref_unit(r, r, 4);
        for (int k = 0; k < 4; k++)
          for (int c = 0; c < 4; c++) m[k][c] += (weighted ? (real)weights[i] : 1) * r[k] * r[c];
      }
    }
    const quatsimd_in w = quatsimd_aos(weights);
    assert_int_equal(quatsimd_mean(got, quatsimd_aos(q), weighted ? &w : NULL, count),
                     left_out ? QUATSIMD_WARNING_REPLACED_INVALID : QUATSIMD_OK);
    if (m[0][0] + m[1][1] + m[2][2] + m[3][3] == 0) {
      assert_memory_equal(got, identity, sizeof identity);
      continue;
    }
    const real gap = ref_largest_eigenvector(exact, m);
    const real error = angle_from(got, exact);
    if (!largest_is_positive(got)) fail_msg("mean: its largest component is negative");
    if (gap > 1e-4L) worst = fmaxl(worst, error); /* else there is no mean */
    else assert_true(isfinite((double)angle_from(got, got[0] != got[0] ? exact : exact)));
  }
  return (double)worst;
}

static void the_mean_is_the_mean(void **state) {
  (void)state;
  uint64_t random = 15;
  const double worst = worst_mean(INPUTS / 4, &random);
  print_message("%-17s %9.3g  %-8s  %d%s\n", "mean", worst, "radians", INPUTS / 4,
                worst <= ROTATIONS ? "" : "   WRONG");
  assert_true(worst <= ROTATIONS);

  float q[4 * 8], got[4], weights[8];
  for (int set = 0; set < 200; set++) { /* all equal, with signs and lengths of their own */
    draw_argument(q, UNIT, NULL, &random, true);
    for (size_t i = 1; i < 8; i++)
      for (size_t c = 0; c < 4; c++) q[4 * i + c] = (i % 2 ? -1 : 1) * ldexpf(q[c], 7 * (int)i - 30);
    real exact[4];
    for (int c = 0; c < 4; c++) exact[c] = q[c];
    for (size_t count = 1; count <= 8; count++) {
      assert_int_equal(quatsimd_mean(got, quatsimd_aos(q), NULL, count), QUATSIMD_OK);
      assert_true(angle_from(got, exact) <= ROTATIONS);
    }
    assert_int_equal(quatsimd_mean(got, quatsimd_one(q), NULL, 100), QUATSIMD_OK);
    assert_true(angle_from(got, exact) <= ROTATIONS);
  }
  /* a weight that outweighs the others; layouts give the same bits */
  random_rotations(q, 8, &random);
  for (int i = 0; i < 8; i++) weights[i] = i == 5 ? 1e9f : 0.1f;
  real exact[4];
  for (int c = 0; c < 4; c++) exact[c] = q[20 + c];
  for (layout l = 0; l < ONE; l++) {
    placed p = place_width(0, l, 4, 8, true), w = place_width(4, allowed(l, 1), 1, 8, true);
    fill_with(&p, q, 8), fill_with(&w, weights, 8);
    const quatsimd_in ws = source_of(&w);
    float again[4];
    assert_int_equal(quatsimd_mean(again, source_of(&p), &ws, 8), QUATSIMD_OK);
    assert_true(angle_from(again, exact) <= ROTATIONS);
    if (l == AOS) memcpy(got, again, sizeof got);
    assert_memory_equal(got, again, sizeof got);
  }
  /* none */
  memset(got, FILL, sizeof got);
  assert_int_equal(quatsimd_mean(got, quatsimd_aos(NULL), NULL, 0), QUATSIMD_OK);
  assert_memory_equal(got, identity, sizeof identity);
  for (size_t i = 0; i < 32; i++) q[i] = i % 4 ? NAN : 1;
  assert_int_equal(quatsimd_mean(got, quatsimd_aos(q), NULL, 8), QUATSIMD_WARNING_REPLACED_INVALID);
  assert_memory_equal(got, identity, sizeof identity);
  /* weights from one end of float to the other, as far as they go */
  random_rotations(q, 8, &random);
  for (int i = 0; i < 8; i++) weights[i] = i == 3 ? FLT_MAX : FLT_MIN;
  for (int c = 0; c < 4; c++) exact[c] = q[12 + c];
  const quatsimd_in ws = quatsimd_aos(weights);
  assert_int_equal(quatsimd_mean(got, quatsimd_aos(q), &ws, 8), QUATSIMD_OK);
  assert_true(angle_from(got, exact) <= ROTATIONS);
  for (int i = 0; i < 8; i++) weights[i] = FLT_MIN;
  assert_int_equal(quatsimd_mean(got, quatsimd_aos(q), &ws, 1), QUATSIMD_OK);
  for (int c = 0; c < 4; c++) exact[c] = q[c];
  assert_true(angle_from(got, exact) <= ROTATIONS);
}

/* ---- errors ---- */

static bool untouched(const void *p, size_t bytes) { /* each byte is the one before it */
  return *(const unsigned char *)p == FILL && memcmp(p, (const unsigned char *)p + 1, bytes - 1) == 0;
}

#define REFUSED(...)                                                                                         \
  do {                                                                                                       \
    if ((__VA_ARGS__) != QUATSIMD_ERROR_BAD_ARGUMENT)                                                        \
      fail_msg("%s: not refused: %s", f->name, #__VA_ARGS__);                                                \
    if (!untouched(b.out, sizeof b.out))                                                                     \
      fail_msg("%s: wrote, though it refused: %s", f->name, #__VA_ARGS__);                                   \
  } while (0)

/* Multiples of 4 that no array has. */
static const size_t far_strides[] = {(size_t)PTRDIFF_MAX + 1, (size_t)PTRDIFF_MAX + 17, SIZE_MAX - 15,
                                     SIZE_MAX - 3};
enum { FAR_STRIDES = sizeof far_strides / sizeof far_strides[0] };

static void bad_arguments_are_refused(void **state) {
  (void)state;
  static block b;
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 16;
    draw(f, &b, 8, &random, false);
    memset(b.out, FILL, sizeof b.out);
    quatsimd_in in[MOST_IN];
    quatsimd_out out[MOST_OUT];
    for (int a = 0; a < f->ins; a++) in[a] = quatsimd_aos(b.in[a]);
    for (int a = 0; a < f->outs; a++) out[a] = quatsimd_aos_out(b.out[a]);
    const quatsimd_euler_order order = QUATSIMD_INTRINSIC_XYZ;
    for (int a = 0; a < f->ins; a++) {
      const quatsimd_in good = in[a];
      const int w = widths[f->in[a]];
      float *const x = b.in[a];
      in[a] = quatsimd_aos(NULL);
      REFUSED(f->call(out, in, order, 8));
      in[a] = quatsimd_one(NULL);
      REFUSED(f->call(out, in, order, 8));
      in[a] = quatsimd_strided(NULL, 64);
      REFUSED(f->call(out, in, order, 8));
      for (size_t step = 1; step < 100; step++) {
        if (step % 4 == 0) continue;
        in[a] = quatsimd_strided(x, step);
        REFUSED(f->call(out, in, order, 8));
      }
      for (int null = 0; null < w && w <= 4; null++) {
        in[a] = quatsimd_soa(null == 0 ? NULL : x, null == 1 || w < 2 ? NULL : x + 8,
                             null == 2 || w < 3 ? NULL : x + 16, null == 3 || w < 4 ? NULL : x + 24);
        REFUSED(f->call(out, in, order, 8));
      }
      if (w > 4) in[a] = quatsimd_soa(x, x + 8, x + 16, x + 24);
      if (w > 4) REFUSED(f->call(out, in, order, 8));
      for (size_t k = 0; k < FAR_STRIDES; k++) {
        in[a] = quatsimd_strided(x, far_strides[k]);
        REFUSED(f->call(out, in, order, 1));
      }
      for (unsigned lanes = 0; lanes <= 16; lanes++) {
        in[a] = quatsimd_blocks(lanes == 4 || lanes == 8 ? NULL : x, lanes);
        REFUSED(f->call(out, in, order, 8));
      }
      in[a] = w == 4 ? quatsimd_wxyz(quatsimd_soa(x, x + 8, x + 16, x + 24)) : quatsimd_wxyz(quatsimd_aos(x));
      REFUSED(f->call(out, in, order, 8));
      in[a] = good, in[a].order = (quatsimd_view_order)2;
      REFUSED(f->call(out, in, order, 8));
      in[a] = good, in[a].layout = (quatsimd_view_layout)5;
      REFUSED(f->call(out, in, order, 8));
      in[a] = (quatsimd_in){0};
      REFUSED(f->call(out, in, order, 8));
      in[a] = good;
    }
    for (int a = 0; a < f->outs; a++) {
      const quatsimd_out good = out[a];
      const int w = f->out_width[a];
      float *const x = b.out[a];
      out[a] = quatsimd_aos_out(NULL);
      REFUSED(f->call(out, in, order, 8));
      out[a] = quatsimd_strided_out(NULL, 64);
      REFUSED(f->call(out, in, order, 8));
      for (size_t step = 0; step < 100; step++) {
        if (step % 4 == 0 && step >= sizeof(float) * (size_t)w) continue;
        out[a] = quatsimd_strided_out(x, step);
        REFUSED(f->call(out, in, order, 8));
      }
      for (int null = 0; null < w && w <= 4; null++) {
        out[a] = quatsimd_soa_out(null == 0 ? NULL : x, null == 1 || w < 2 ? NULL : x + 8,
                                  null == 2 || w < 3 ? NULL : x + 16, null == 3 || w < 4 ? NULL : x + 24);
        REFUSED(f->call(out, in, order, 8));
      }
      if (w > 4) out[a] = quatsimd_soa_out(x, x + 8, x + 16, x + 24);
      if (w > 4) REFUSED(f->call(out, in, order, 8));
      for (size_t k = 0; k < FAR_STRIDES; k++) {
        out[a] = quatsimd_strided_out(x, far_strides[k]);
        REFUSED(f->call(out, in, order, 1));
      }
      for (unsigned lanes = 0; lanes <= 16; lanes++) {
        out[a] = quatsimd_blocks_out(lanes == 4 || lanes == 8 ? NULL : x, lanes);
        REFUSED(f->call(out, in, order, 8));
      }
      out[a] = quatsimd_wxyz_out(w == 4 ? quatsimd_soa_out(x, x + 8, x + 16, x + 24) : quatsimd_aos_out(x));
      REFUSED(f->call(out, in, order, 8));
      out[a] = (quatsimd_out){0};
      REFUSED(f->call(out, in, order, 8));
      out[a] = good;
    }
    static const int unknown[] = {-1, 24, 25, 32, 255, 256, 1 << 16, INT32_MAX, INT32_MIN};
    for (size_t k = 0; f->ordered && k < sizeof unknown / sizeof unknown[0]; k++)
      REFUSED(f->call(out, in, (quatsimd_euler_order)unknown[k], 8));
    /* nothing to do */
    for (int a = 0; a < f->ins; a++) in[a] = quatsimd_aos(NULL);
    for (int a = 0; a < f->outs; a++) out[a] = quatsimd_aos_out(NULL);
    assert_int_equal(f->call(out, in, order, 0), QUATSIMD_OK);
    for (int a = 0; a < f->ins; a++)
      in[a] = widths[f->in[a]] > 4 ? quatsimd_aos(NULL) : quatsimd_soa(NULL, NULL, NULL, NULL);
    for (int a = 0; a < f->outs; a++)
      out[a] = f->out_width[a] > 4 ? quatsimd_aos_out(NULL) : quatsimd_soa_out(NULL, NULL, NULL, NULL);
    assert_int_equal(f->call(out, in, order, 0), QUATSIMD_OK);
  }
  assert_true(QUATSIMD_ROLL_PITCH_YAW == QUATSIMD_EXTRINSIC_XYZ && QUATSIMD_EXTRINSIC_ZYZ == 23);
}

static void bad_tracks_are_refused(void **state) {
  (void)state;
  float q[16], mean[4], weight[4] = {1, 1, 1, 1};
  for (size_t i = 0; i < 16; i++) q[i] = i < 8 ? 1 : -1;
  float before[16];
  memcpy(before, q, sizeof q);
  memset(mean, FILL, sizeof mean);
  static const size_t steps[] = {0, 4, 8, 12, 15, 17, 18};
  for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
    assert_int_equal(quatsimd_make_continuous(quatsimd_strided_out(q, steps[k]), 4),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_make_continuous(quatsimd_aos_out(NULL), 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_make_continuous(quatsimd_soa_out(q, q + 4, NULL, q + 12), 4),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_make_continuous(quatsimd_aos_out(NULL), 0), QUATSIMD_OK);
  assert_memory_equal(q, before, sizeof q);
  const quatsimd_in good = quatsimd_aos(weight), null = quatsimd_aos(NULL), odd = quatsimd_strided(weight, 6);
  assert_int_equal(quatsimd_mean(NULL, quatsimd_aos(q), NULL, 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_mean(mean, quatsimd_aos(NULL), &good, 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_mean(mean, quatsimd_strided(q, 18), &good, 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_mean(mean, quatsimd_aos(q), &null, 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_mean(mean, quatsimd_aos(q), &odd, 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_true(untouched(mean, sizeof mean));
}

/* ---- the table of the documentation ---- */

static int print_table(size_t inputs) {
  bool wrong = false;
  printf("| function | worst error | limit | |\n|---|---|---|---|\n");
  for (size_t i = 0; i <= FUNCTIONS; i++) {
    uint64_t random = 17;
    bool shown = false;
    const function *f = i < FUNCTIONS ? &functions[i] : NULL;
    const double worst = f ? fmax(worst_error(f, inputs, &random, false, &shown),
                                  worst_error(f, inputs / 10, &random, true, &shown))
                           : worst_mean(inputs / 100, &random);
    const double limit = f ? f->limit : ROTATIONS;
    if (worst == 0) printf("| `%s` | exact | | |\n", f ? f->name : "mean");
    else printf("| `%s` | %.2g | %.1g | %s |\n", f ? f->name : "mean", worst, limit, f ? f->unit : "radians");
    fflush(stdout);
    if (!(worst <= limit)) wrong = true;
  }
  return wrong;
}

int main(int argc, char **argv) {
  skip_other_kernels();
  make_arenas();
  if (argc > 1 && strcmp(argv[1], "--full") == 0)
    return print_table(argc > 2 ? strtoul(argv[2], NULL, 10) : 10000000);
  const struct CMUnitTest accuracy[] = {cmocka_unit_test(errors_are_small),
                                        cmocka_unit_test(the_mean_is_the_mean),
                                        cmocka_unit_test(known_answers),
                                        cmocka_unit_test(ties_are_for_b),
                                        cmocka_unit_test(interpolation_meets_its_ends),
                                        cmocka_unit_test(conversions_come_back),
                                        cmocka_unit_test(runge_kutta_is_of_fourth_order)};
  const struct CMUnitTest layouts[] = {cmocka_unit_test(layouts_give_the_same_bits),
                                       cmocka_unit_test(one_stands_for_all),
                                       cmocka_unit_test(windows_may_overlap),
                                       cmocka_unit_test(results_may_replace_arguments),
                                       cmocka_unit_test(flushing_changes_nothing_else),
                                       cmocka_unit_test(what_is_no_number_gives_the_nan),
                                       cmocka_unit_test(there_is_one_nan),
                                       cmocka_unit_test(zero_gives_the_nan),
                                       cmocka_unit_test(normalize_knows_what_is_invalid),
                                       cmocka_unit_test(tracks_become_continuous),
                                       cmocka_unit_test(bad_arguments_are_refused),
                                       cmocka_unit_test(bad_tracks_are_refused)};
  int failed = argc > 1 ? 0 : cmocka_run_group_tests_name("errors", accuracy, NULL, NULL);
  failed += cmocka_run_group_tests_name("layouts and limits", layouts, NULL, NULL);
  return failed;
}
