/* The functions of rotation.h in long double, from Hamilton's rules and the rotation q v q^-1. This file
 * takes nothing from the kernels. A quaternion is x, y, z, w.
 *
 * Some results have two right answers, such as the axis of half a turn. The last bit of a sum decides between
 * them. `ref_ties` counts these ties and says which answer to take, so that a caller can try all answers. */
#ifndef QUATSIMD_TESTS_ROTATION_REFERENCE_H
#define QUATSIMD_TESTS_ROTATION_REFERENCE_H

#include <math.h>
#include <string.h>

typedef long double real;
#define REF_PI 3.14159265358979323846264338327950288L
#define REF_TIE 1e-14L      /* double arithmetic may give the wrong sign to a number of smaller magnitude */
#define REF_TIE_AGAIN 1e-7L /* the same for dot products of results of ref_slerp */

typedef struct ref_ties {
  unsigned choice, count; /* choice: bit i is the answer at tie i. count: ties so far */
} ref_ties;

/* Returns true if a number is negative. If its error, up to `uncertain`, could change its sign, the sign is a
 * tie, and `ties` supplies the answer. */
static inline int ref_negative(real value, real uncertain, ref_ties *ties) {
  if (fabsl(value) > uncertain) return value < 0;
  return (int)(ties->choice >> ties->count++ & 1);
}

/* ---- vectors ---- */

static inline real ref_dot(const real *a, const real *b, int n) {
  real sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Returns the length. Scales the components first, because squares may exceed the range of long double. */
static inline real ref_length(const real *a, int n) {
  real largest = 0, sum = 0;
  for (int i = 0; i < n; i++) largest = fmaxl(largest, fabsl(a[i]));
  if (largest == 0) return 0;
  for (int i = 0; i < n; i++) sum += (a[i] / largest) * (a[i] / largest);
  return largest * sqrtl(sum);
}

static inline void ref_scaled(real *to, const real *a, real factor, int n) {
  for (int i = 0; i < n; i++) to[i] = a[i] * factor;
}

static inline void ref_unit(real *to, const real *a, int n) {
  const real length = ref_length(a, n);
  for (int i = 0; i < n; i++) to[i] = a[i] / length;
}

/* ---- algebra ---- */

static inline void ref_widen(real *to, const float *from, int n) {
  for (int i = 0; i < n; i++) to[i] = from[i];
}

static inline void ref_cross(real *to, const real *a, const real *b) {
  to[0] = a[1] * b[2] - a[2] * b[1], to[1] = a[2] * b[0] - a[0] * b[2], to[2] = a[0] * b[1] - a[1] * b[0];
}

/* Returns the angle in radians between two vectors of any length. */
static inline real ref_angle_of_vectors(const real *a, const real *b) {
  real across[3];
  ref_cross(across, a, b);
  return atan2l(ref_length(across, 3), ref_dot(a, b, 3));
}

/* Multiplies by Hamilton's rules: i i = j j = k k = i j k = -1. The indices 0, 1 and 2 stand for i, j and k,
 * and 3 stands for 1. */
static inline void ref_multiply(real *to, const real *a, const real *b) {
  real sum[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      const real product = a[i] * b[j];
      if (i == 3) sum[j] += product;
      else if (j == 3) sum[i] += product;
      else if (i == j) sum[3] -= product;
      else if ((i + 1) % 3 == j) sum[3 - i - j] += product; /* i j = k, j k = i, k i = j */
      else sum[3 - i - j] -= product;
    }
  memcpy(to, sum, sizeof sum);
}

static inline void ref_conjugate(real *to, const real *q) {
  for (int i = 0; i < 4; i++) to[i] = i < 3 ? -q[i] : q[i];
}

static inline void ref_inverse(real *to, const real *q) { /* q^-1 q = 1 */
  const real length = ref_length(q, 4);
  for (int i = 0; i < 4; i++) to[i] = (i < 3 ? -q[i] : q[i]) / length / length;
}

static inline void ref_rotate(real *to, const real *q, const real *v) {
  const real pure[4] = {v[0], v[1], v[2], 0};
  real unit[4], back[4], r[4];
  ref_unit(unit, q, 4);
  ref_conjugate(back, unit);
  ref_multiply(r, unit, pure);
  ref_multiply(r, r, back);
  memcpy(to, r, 3 * sizeof *to);
}

/* Returns the angle of a rotation, 0 to pi; it is accurate near 0. The quaternion may have any length. */
static inline real ref_angle(const real *q) { return 2 * atan2l(ref_length(q, 3), fabsl(q[3])); }

/* Returns the angle of the rotation from a to b. */
static inline real ref_angle_between(const real *a, const real *b) {
  real ua[4], ub[4], r[4];
  ref_unit(ua, a, 4), ref_unit(ub, b, 4);
  ref_conjugate(ua, ua);
  ref_multiply(r, ua, ub);
  return ref_angle(r);
}

/* ---- exponential and logarithm ---- */

static inline void ref_turn(real *to, const real *axis, real angle) { /* `axis` has any length but 0 */
  real unit[3];
  ref_unit(unit, axis, 3);
  for (int i = 0; i < 3; i++) to[i] = unit[i] * sinl(angle / 2);
  to[3] = cosl(angle / 2);
}

static inline void ref_exp(real *to, const real *v) {
  const real angle = ref_length(v, 3);
  if (angle > 0) ref_turn(to, v, angle);
  else to[0] = to[1] = to[2] = 0, to[3] = 1;
}

/* Computes the rotation's axis as a unit vector, and its angle, which is from 0 to pi. */
static inline void ref_axis_angle(real *axis, real *angle, const real *q, ref_ties *ties) {
  *angle = ref_angle(q);
  if (ref_length(q, 3) > 0) ref_unit(axis, q, 3);
  else axis[0] = 1, axis[1] = axis[2] = 0;
  if (ref_length(q, 3) > 0 && ref_negative(q[3], REF_TIE * ref_length(q, 4), ties))
    ref_scaled(axis, axis, -1, 3);
}

static inline void ref_log(real *to, const real *q, ref_ties *ties) {
  real axis[3], angle;
  ref_axis_angle(axis, &angle, q, ties);
  ref_scaled(to, axis, angle, 3);
}

/* Computes the vector in the direction of the axis with length tan(angle / 4). */
static inline void ref_to_cayley(real *to, const real *q, ref_ties *ties) {
  real axis[3], angle;
  ref_axis_angle(axis, &angle, q, ties);
  ref_scaled(to, axis, tanl(angle / 4), 3);
}

static inline void ref_from_cayley(real *to, const real *b) {
  const real half = 2 * atanl(ref_length(b, 3)); /* half the rotation's angle */
  if (ref_length(b, 3) > 0) ref_unit(to, b, 3);
  else to[0] = to[1] = to[2] = 0;
  ref_scaled(to, to, sinl(half), 3);
  to[3] = cosl(half);
}

/* ---- interpolation ---- */

/* Chooses b or -b, whichever is nearer to a. If the cosine of the angle between a and b is within +-tie,
 * `ties` decides. */
static inline void ref_nearer(real *to, const real *a, const real *b, real tie, ref_ties *ties) {
  const int negate = ref_negative(ref_dot(a, b, 4), tie * ref_length(a, 4) * ref_length(b, 4), ties);
  ref_scaled(to, b, negate ? -1 : 1, 4);
}

static inline void ref_nlerp(real *to, const real *a, const real *b, real t, real tie, ref_ties *ties) {
  real near[4], sum[4];
  t = fminl(fmaxl(t, 0), 1);
  ref_nearer(near, a, b, tie, ties);
  for (int i = 0; i < 4; i++) sum[i] = (1 - t) * a[i] + t * near[i];
  ref_unit(to, sum, 4);
}

/* Computes the point at t of the way along the great circle from a to b. */
static inline void ref_slerp(real *to, const real *a, const real *b, real t, real tie, ref_ties *ties) {
  real ua[4], ub[4], difference[4], sum[4], side[4];
  t = fminl(fmaxl(t, 0), 1);
  ref_unit(ua, a, 4), ref_unit(ub, b, 4);
  ref_nearer(ub, ua, ub, tie, ties);
  for (int i = 0; i < 4; i++) difference[i] = ub[i] - ua[i], sum[i] = ub[i] + ua[i];
  const real arc = 2 * atan2l(ref_length(difference, 4), ref_length(sum, 4)); /* at most pi / 2 */
  const real along = ref_dot(difference, ua, 4);
  for (int i = 0; i < 4; i++) side[i] = difference[i] - along * ua[i]; /* the part perpendicular to a */
  const real length = ref_length(side, 4);
  for (int i = 0; i < 4; i++)
    to[i] = cosl(t * arc) * ua[i] + (length > 0 ? sinl(t * arc) * side[i] / length : 0);
}

static inline void ref_squad(real *to, const real *a, const real *a_control, const real *b_control,
                             const real *b, real t, ref_ties *ties) {
  real keys[4], controls[4];
  t = fminl(fmaxl(t, 0), 1);
  ref_slerp(keys, a, b, t, REF_TIE, ties);
  ref_slerp(controls, a_control, b_control, t, REF_TIE, ties);
  ref_slerp(to, keys, controls, 2 * t * (1 - t), REF_TIE_AGAIN, ties);
}

/* Computes the control of squad at q by Shoemake's formula: q exp(-(log(q^-1 after) + log(q^-1 before)) / 4).
 * The rotation vectors of ref_log and ref_exp are twice the logarithms of quaternions. */
static inline void ref_squad_control(real *to, const real *before, const real *q, const real *after,
                                     ref_ties *ties) {
  real unit[4], back[4], r[4], to_after[3], to_before[3], v[3];
  ref_unit(unit, q, 4);
  ref_conjugate(back, unit);
  ref_multiply(r, back, after), ref_log(to_after, r, ties);
  ref_multiply(r, back, before), ref_log(to_before, r, ties);
  for (int i = 0; i < 3; i++) v[i] = -(to_after[i] + to_before[i]) / 4;
  ref_exp(r, v);
  ref_multiply(to, unit, r);
}

/* ---- matrices: three columns, one after the other ---- */

static inline void ref_to_matrix3(real *m, const real *q) { /* columns are the images of the axes */
  for (int column = 0; column < 3; column++) {
    const real axis[3] = {column == 0, column == 1, column == 2};
    ref_rotate(m + 3 * column, q, axis);
  }
}

/* Returns the angle between the rotation of q and the rotation nearest to the matrix m. The antisymmetric
 * part of R^T m is a small rotation by this angle, where R is the matrix of q. Returns infinity if m is far
 * from R. */
static inline real ref_angle_to_matrix3(const real *q, const real *m) {
  real r[9], turned[3][3], v[3];
  ref_to_matrix3(r, q);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) turned[i][j] = ref_dot(r + 3 * i, m + 3 * j, 3);
  if (!(turned[0][0] + turned[1][1] + turned[2][2] > 2.9999L)) return (real)INFINITY;
  for (int i = 0; i < 3; i++)
    v[i] = (turned[(i + 2) % 3][(i + 1) % 3] - turned[(i + 1) % 3][(i + 2) % 3]) / 2;
  return ref_length(v, 3);
}

/* ---- Euler angles: about the axes named by three letters, intrinsic or extrinsic ---- */

static inline void ref_from_euler(real *to, const real *angles, const char *letters, int extrinsic) {
  real q[4] = {0, 0, 0, 1};
  for (int i = 0; i < 3; i++) {
    const real axis[3] = {letters[i] == 'X', letters[i] == 'Y', letters[i] == 'Z'};
    real turn[4];
    ref_turn(turn, axis, angles[i]);
    if (extrinsic) ref_multiply(q, turn, q); /* the later axis is fixed in the world */
    else ref_multiply(q, q, turn);           /* the later axis has been turned */
  }
  memcpy(to, q, sizeof q);
}

/* Returns the distance of the second angle from the nearest end of its range. This is the angle between the
 * axes of the first and the third turn, as lines. */
static inline real ref_from_lock(const real *q, const char *letters, int extrinsic) {
  const int a = letters[extrinsic ? 2 : 0] - 'X', c = letters[extrinsic ? 0 : 2] - 'X';
  const real axis[3] = {c == 0, c == 1, c == 2};
  real r[3];
  ref_rotate(r, q, axis);
  const real across[2] = {r[(a + 1) % 3], r[(a + 2) % 3]};
  return atan2l(ref_length(across, 2), fabsl(r[a]));
}

/* ---- motion ---- */

static inline void ref_integrate(real *to, const real *q, const real *velocity, real dt) {
  real v[3], turn[4], unit[4];
  ref_scaled(v, velocity, dt, 3);
  ref_exp(turn, v);
  ref_unit(unit, q, 4);
  ref_multiply(to, turn, unit);
}

static inline void ref_slope(real *to, const real *velocity, const real *q) { /* velocity q / 2 */
  const real pure[4] = {velocity[0] / 2, velocity[1] / 2, velocity[2] / 2, 0};
  ref_multiply(to, pure, q);
}

static inline void ref_step(real *to, const real *q, const real *slope, real dt) {
  for (int i = 0; i < 4; i++) to[i] = q[i] + dt * slope[i];
}

static inline void ref_integrate_rk4(real *to, const real *q, const real *begin, const real *middle,
                                     const real *end, real dt) {
  real unit[4], k1[4], k2[4], k3[4], k4[4], at[4];
  ref_unit(unit, q, 4);
  ref_slope(k1, begin, unit);
  ref_step(at, unit, k1, dt / 2), ref_slope(k2, middle, at);
  ref_step(at, unit, k2, dt / 2), ref_slope(k3, middle, at);
  ref_step(at, unit, k3, dt), ref_slope(k4, end, at);
  for (int i = 0; i < 4; i++) at[i] = unit[i] + dt * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) / 6;
  ref_unit(to, at, 4);
}

static inline void ref_angular_velocity(real *to, const real *from, const real *q, real dt, ref_ties *ties) {
  real inverse[4], turn[4], unit[4];
  ref_unit(inverse, from, 4), ref_conjugate(inverse, inverse);
  ref_unit(unit, q, 4);
  ref_multiply(turn, unit, inverse);
  ref_log(to, turn, ties);
  ref_scaled(to, to, 1 / dt, 3);
}

static inline void ref_predict(real *to, const real *before, const real *last) {
  real inverse[4], unit[4], turn[4];
  ref_unit(inverse, before, 4), ref_conjugate(inverse, inverse);
  ref_unit(unit, last, 4);
  ref_multiply(turn, unit, inverse);
  ref_multiply(to, turn, unit);
}

/* ---- the mean: the q that maximises the sum of weight (q . q_i)^2 ----
 *
 * Computes the eigenvector of the largest eigenvalue of a symmetric matrix by Jacobi's method. Overwrites m.
 * Returns the relative distance from this eigenvalue to the next. */
static inline real ref_largest_eigenvector(real *to, real m[4][4]) {
  real v[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}; /* eigenvectors, as columns */
  for (int sweep = 0; sweep < 30; sweep++)
    for (int p = 0; p < 4; p++)
      for (int q = p + 1; q < 4; q++) {
        if (m[p][q] == 0) continue;
        const real angle = atan2l(2 * m[p][q], m[p][p] - m[q][q]) / 2, c = cosl(angle), s = sinl(angle);
        for (int i = 0; i < 4; i++) {
          const real x = m[i][p], y = m[i][q];
          m[i][p] = c * x + s * y, m[i][q] = c * y - s * x;
        }
        for (int i = 0; i < 4; i++) {
          const real x = m[p][i], y = m[q][i], vx = v[i][p], vy = v[i][q];
          m[p][i] = c * x + s * y, m[q][i] = c * y - s * x;
          v[i][p] = c * vx + s * vy, v[i][q] = c * vy - s * vx;
        }
        m[p][q] = m[q][p] = 0;
      }
  int largest = 0;
  for (int i = 1; i < 4; i++)
    if (m[i][i] > m[largest][largest]) largest = i;
  real next = -(real)INFINITY;
  for (int i = 0; i < 4; i++) {
    to[i] = v[i][largest];
    if (i != largest) next = fmaxl(next, m[i][i]);
  }
  return (m[largest][largest] - next) / m[largest][largest];
}

#endif
