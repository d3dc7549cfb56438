#include "rotation/functions.h"

/* The table of orders of Euler angles, written independently of the library's table. */
#define BOTH(letters)                                                                                        \
  {QUATSIMD_INTRINSIC_##letters, #letters, false}, { QUATSIMD_EXTRINSIC_##letters, #letters, true }
const euler eulers[ORDERS] = {BOTH(XYZ), BOTH(XZY), BOTH(YXZ), BOTH(YZX), BOTH(ZXY), BOTH(ZYX),
                              BOTH(XYX), BOTH(XZX), BOTH(YXY), BOTH(YZY), BOTH(ZXZ), BOTH(ZYZ)};

void show(const char *label, const float *p, int n) {
  fprintf(stderr, "  %s", label);
  for (int i = 0; i < n; i++) fprintf(stderr, " %.9g", (double)p[i]);
  fprintf(stderr, "\n");
}

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

real angle_from(const float *out, const real *exact) {
  real q[4];
  for (int i = 0; i < 4; i++) q[i] = out[i];
  if (!(fabsl(ref_length(q, 4) - 1) <= UNIT_LENGTH)) return (real)INFINITY;
  return ref_angle_between(exact, q);
}

real angle_and_sign_from(const float *out, const real *exact) {
  real q[4];
  for (int i = 0; i < 4; i++) q[i] = out[i];
  return ref_dot(q, exact, 4) > 0 ? angle_from(out, exact) : (real)INFINITY;
}

bool largest_is_positive(const float *q) {
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
  return angle_and_sign_from(s->out[0], exact);
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
                        fmaxl(SMALLEST, ref_length(s->in[0], 4) * ref_length(s->in[1], 4)));
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
  return relative_above(s->out[0], exact, 3, 16 * SMALLEST); /* products in `rotate` may be denormal */
}
CALL(nlerp, o[0], i[0], i[1], i[2]) {
  real exact[4];
  ref_nlerp(exact, s->in[0], s->in[1], s->in[2][0], FLOAT_TIE, &s->ties);
  return angle_and_sign_from(s->out[0], exact);
}
CALL(lerp, o[0], i[0], i[1], i[2]) {
  real exact[3];
  const real t = fminl(fmaxl(s->in[2][0], 0), 1);
  for (int c = 0; c < 3; c++) exact[c] = (1 - t) * s->in[0][c] + t * s->in[1][c];
  return relative_above(
      s->out[0], exact, 3,
      fmaxl(16 * SMALLEST, (1 - t) * ref_length(s->in[0], 3) + t * ref_length(s->in[1], 3)));
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
  /* angle_from returns infinity unless the length of q is 1 */
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
  /* At gimbal lock the third angle must be 0. Rotations so near the threshold of gimbal lock that the last
   * bit decides are exempt. */
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
const function functions[] = {
    {"normalize", QUATERNION, 1, {VALID}, IDENTITY, USE(normalize), "radians", 1.2e-7, false},
    {"conjugate", QUATERNION, 1, {ANY4}, COMPONENTWISE, USE(conjugate), "relative", 0, false},
    {"inverse", QUATERNION, 1, {ANY4}, NAN_OR_LIMIT, USE(inverse), "relative", VECTORS, false},
    {"add", QUATERNION, 2, {ANY4, ANY4}, COMPONENTWISE, USE(add), "relative", ROUNDED_ONCE, false},
    {"scale", QUATERNION, 2, {ANY4, FACTOR}, COMPONENTWISE, USE(scale), "relative", ROUNDED_ONCE, false},
    {"multiply", QUATERNION, 2, {ANY4, ANY4}, NAN_OR_LIMIT, USE(multiply), "relative", VECTORS, false},
    {"dot", 1, {1}, 2, {ANY4, ANY4}, NAN_OR_LIMIT, USE(dot), "relative", 2e-7, false},
    {"norm", 1, {1}, 1, {ANY4}, NAN_OR_LIMIT, USE(norm), "relative", 2e-7, false},
    {"angle_between", 1, {1}, 2, {UNIT, UNIT}, GIVES_NAN, USE(angle_between), "relative", VECTORS, false},
    {"rotate", 1, {3}, 2, {UNIT, VECTOR}, GIVES_NAN, USE(rotate), "relative", VECTORS, false},
    {"nlerp", QUATERNION, 3, {ROUNDED, ROUNDED, T}, GIVES_NAN, USE(nlerp), "radians", ROTATIONS, false},
    {"lerp", 1, {3}, 3, {VECTOR, VECTOR, T}, GIVES_NAN, USE(lerp), "relative", VECTORS, false},
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
const size_t function_count = sizeof functions / sizeof functions[0];
