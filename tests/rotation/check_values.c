/* Tests results for particular arguments, and relations between functions. */
#include "rotation/checks.h"
#include "rotation/draw.h"

static void expect_quaternion(const float *got, double x, double y, double z, double w) {
  const double expected[4] = {x, y, z, w};
  for (int c = 0; c < 4; c++)
    if (!(fabs(got[c] - expected[c]) <= 1e-7))
      fail_msg("%.9g %.9g %.9g %.9g, not %.9g %.9g %.9g %.9g", (double)got[0], (double)got[1], (double)got[2],
               (double)got[3], x, y, z, w);
}

#define ONE_CALL(f, out, ...)                                                                                \
  assert_int_equal(quatsimd_##f(quatsimd_aos_out(out), __VA_ARGS__, 1), QUATSIMD_OK)

void known_answers(void **state) {
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
  static const float quarter[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}; /* column by column */
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
  /* Angles are roll about x, then pitch about y, then yaw about z. Quarter turns in the first two take z to
   * -y. */
  const float quarters[3] = {turn[0], turn[0], 0}, z[3] = {0, 0, 1};
  assert_int_equal(
      quatsimd_from_euler(quatsimd_aos_out(out), quatsimd_aos(quarters), QUATSIMD_ROLL_PITCH_YAW, 1),
      QUATSIMD_OK);
  ONE_CALL(rotate, out, quatsimd_aos(out), quatsimd_aos(z));
  assert_true(fabsf(out[0]) < 2e-7f && fabsf(out[1] + 1) < 2e-7f && fabsf(out[2]) < 2e-7f);
}

/* If b and -b are equally far from a, interpolation uses b. */
void ties_are_for_b(void **state) {
  (void)state;
  static const float i[4] = {1, 0, 0, 0}, minus_one[4] = {0, 0, 0, -1}, half = 0.5f;
  float out[4];
  ONE_CALL(slerp, out, quatsimd_aos(identity), quatsimd_aos(i), quatsimd_aos(&half));
  expect_quaternion(out, sqrt(0.5), 0, 0, sqrt(0.5));
  ONE_CALL(nlerp, out, quatsimd_aos(identity), quatsimd_aos(i), quatsimd_aos(&half));
  expect_quaternion(out, sqrt(0.5), 0, 0, sqrt(0.5));
  ONE_CALL(slerp, out, quatsimd_aos(minus_one), quatsimd_aos(i), quatsimd_aos(&half));
  expect_quaternion(out, sqrt(0.5), 0, 0, -sqrt(0.5));
  const float negative[4] = {-0.f, -1, -0.f, -0.f}; /* the dot product with i is -0 */
  ONE_CALL(slerp, out, quatsimd_aos(i), quatsimd_aos(negative), quatsimd_aos(&half));
  expect_quaternion(out, sqrt(0.5), -sqrt(0.5), 0, 0);
  ONE_CALL(nlerp, out, quatsimd_aos(i), quatsimd_aos(negative), quatsimd_aos(&half));
  expect_quaternion(out, sqrt(0.5), -sqrt(0.5), 0, 0);
}

/* Interpolation returns the rotation of a at t = 0, that of b at t = 1, and theirs if both are equal. */
void interpolation_meets_its_ends(void **state) {
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
      const float *key = k % 2 ? b : a; /* the result is a, or it is b or -b; -0 counts as 0 */
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

/* Converting a rotation to a matrix, a vector or angles and back gives the same rotation. */
void conversions_come_back(void **state) {
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

/* At a constant velocity the error of the Runge-Kutta method has the size that rotation.h states. */
void runge_kutta_is_of_fourth_order(void **state) {
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
