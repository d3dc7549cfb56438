/* Compares sqt.h with long double: joint transforms, packed transforms and skinning. test_operations shows
 * that all kernels give the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <cmocka.h>

#include "quatsimd/sqt.h"
#include "support/draw.h"

#define DEGREE 0.017453292519943295L

/* ---- joint transforms ---- */

static void draw_sqt(float *sqt) {
  random_rotations(sqt, 1, &random_state);
  draw_vector(sqt + 4, uniform(0, 10));
  sqt[7] = (float)exp2(uniform(-3, 3));
}

static void ref_point(real *to, const real *sqt, const real *p, bool move) {
  real scaled[3];
  ref_scaled(scaled, p, sqt[7], 3);
  ref_rotate(to, sqt, scaled);
  for (int c = 0; c < 3 && move; c++) to[c] += sqt[4 + c];
}

static real length_of(const real *v) { return sqrtl(ref_dot(v, v, 3)); }

/* Checks that errors are at most 4e-7 times `magnitude`, the largest term in the sums. */
static void near(const float *got, const real *exact, int n, real magnitude) {
  for (int c = 0; c < n; c++)
    if (!(fabsl(got[c] - exact[c]) <= 4e-7L * magnitude)) fail_msg("%g, not %Lg", (double)got[c], exact[c]);
}

static void joint_transforms_are_exact(void **state) {
  (void)state;
  enum { N = 2000 };
  static float a[8 * N], b[8 * N], p[3 * N], ab[8 * N], back[8 * N], points[3 * N], vectors[3 * N], m[12 * N],
      twice[3 * N], once[3 * N];
  for (int i = 0; i < N; i++)
    draw_sqt(a + 8 * i), draw_sqt(b + 8 * i), draw_vector(p + 3 * i, uniform(0, 10));
  assert_int_equal(quatsimd_sqt_compose(quatsimd_aos_out(ab), quatsimd_aos(a), quatsimd_aos(b), N),
                   QUATSIMD_OK);
  assert_int_equal(quatsimd_sqt_invert(quatsimd_aos_out(back), quatsimd_aos(a), N), QUATSIMD_OK);
  assert_int_equal(
      quatsimd_sqt_transform_points(quatsimd_aos_out(points), quatsimd_aos(a), quatsimd_aos(p), N),
      QUATSIMD_OK);
  assert_int_equal(
      quatsimd_sqt_transform_vectors(quatsimd_aos_out(vectors), quatsimd_aos(a), quatsimd_aos(p), N),
      QUATSIMD_OK);
  assert_int_equal(quatsimd_sqt_to_matrix3x4(quatsimd_aos_out(m), quatsimd_aos(a), N), QUATSIMD_OK);
  assert_int_equal(quatsimd_sqt_transform_points(quatsimd_aos_out(once), quatsimd_aos(b), quatsimd_aos(p), N),
                   QUATSIMD_OK);
  assert_int_equal(
      quatsimd_sqt_transform_points(quatsimd_aos_out(twice), quatsimd_aos(a), quatsimd_aos(once), N),
      QUATSIMD_OK);
  for (int i = 0; i < N; i++) {
    real wa[8], wb[8], wp[3], exact[3], ref_q[4], got_q[4], of_ab[3], wab[8], wback[8];
    ref_widen(wa, a + 8 * i, 8), ref_widen(wb, b + 8 * i, 8), ref_widen(wp, p + 3 * i, 3),
        ref_widen(wab, ab + 8 * i, 8), ref_widen(wback, back + 8 * i, 8);
    ref_multiply(ref_q, wa, wb), ref_widen(got_q, ab + 8 * i, 4);
    assert_true(ref_angle_between(ref_q, got_q) < 3e-7L && is_unit(ab + 8 * i, 4, 2.5e-7L));
    ref_point(exact, wa, wb + 4, true);
    near(ab + 8 * i + 4, exact, 3, wa[7] * length_of(wb + 4) + length_of(wa + 4));
    assert_true(fabsl(ab[8 * i + 7] / (wa[7] * wb[7]) - 1) < 1e-7L);
    ref_point(exact, wa, wp, true);
    near(points + 3 * i, exact, 3, wa[7] * length_of(wp) + length_of(wa + 4));
    for (int c = 0; c < 3; c++) {
      ref_point(exact, wa, (real[]){c == 0, c == 1, c == 2}, false);
      for (int row = 0; row < 3; row++) near(m + 12 * i + 4 * row + c, exact + row, 1, wa[7]);
    }
    for (int row = 0; row < 3; row++) assert_true(m[12 * i + 4 * row + 3] == a[8 * i + 4 + row]);
    ref_point(exact, wa, wp, false);
    near(vectors + 3 * i, exact, 3, wa[7] * length_of(wp));
    ref_point(of_ab, wab, wp, true);
    near(twice + 3 * i, of_ab, 3, 2000);
    real moved[3];
    ref_point(moved, wa, wp, true), ref_point(exact, wback, moved, true);
    near(p + 3 * i, exact, 3, 2000);
  }
}

static void joint_transforms_as_halves(void **state) {
  (void)state;
  enum { N = 300 };
  static float a[8 * N], back[8 * N], strided[9 * N];
  static unsigned char packed[16 * N], packed_strided[16 * N];
  for (int i = 0; i < N; i++) draw_sqt(a + 8 * i), memcpy(strided + 9 * i, a + 8 * i, 32);
  assert_int_equal(quatsimd_sqt_pack(packed, sizeof packed, quatsimd_aos(a), N), QUATSIMD_OK);
  assert_int_equal(quatsimd_sqt_pack(packed_strided, sizeof packed, quatsimd_strided(strided, 36), N),
                   QUATSIMD_OK);
  assert_memory_equal(packed, packed_strided, sizeof packed);
  assert_int_equal(packed[1] >> 7, a[0] < 0); /* halves are little-endian */
  assert_int_equal(quatsimd_sqt_unpack(quatsimd_aos_out(back), packed, sizeof packed, N), QUATSIMD_OK);
  for (int i = 0; i < N; i++) {
    real x[4], y[4];
    ref_widen(x, a + 8 * i, 4), ref_widen(y, back + 8 * i, 4);
    assert_true(ref_angle_between(x, y) < 0.1L * DEGREE && is_unit(back + 8 * i, 4, 2.5e-7L));
    for (int c = 4; c < 8; c++)
      assert_true(fabsf(back[8 * i + c] - a[8 * i + c]) <= fabsf(a[8 * i + c]) * 0x1p-11f + 0x1p-24f);
  }
  memset(strided, 0, sizeof strided);
  assert_int_equal(quatsimd_sqt_unpack(quatsimd_strided_out(strided, 36), packed, sizeof packed, N),
                   QUATSIMD_OK);
  for (int i = 0; i < N; i++) {
    assert_memory_equal(strided + 9 * i, back + 8 * i, 32);
    assert_true(strided[9 * i + 8] == 0);
  }
  assert_int_equal(quatsimd_sqt_pack(packed, 16 * N - 1, quatsimd_aos(a), N), QUATSIMD_ERROR_SHORT_BUFFER);
  assert_int_equal(quatsimd_sqt_unpack(quatsimd_aos_out(back), packed, 16 * N - 1, N),
                   QUATSIMD_ERROR_SHORT_BUFFER);
}

/* ---- skinning ---- */

static void skinning_blends_positions(void **state) {
  (void)state;
  enum { N = 333, JOINTS = 7, MOST = 5 };
  static float joints[8 * JOINTS], points[3 * N], weights[MOST * N], out[3 * N];
  static uint16_t indices[MOST * N];
  for (int i = 0; i < JOINTS; i++) draw_sqt(joints + 8 * i);
  for (int influences = 1; influences <= MOST; influences++) {
    for (int i = 0; i < N; i++) {
      double sum = 0;
      draw_vector(points + 3 * i, uniform(0, 10));
      for (int k = 0; k < influences; k++)
        sum += weights[influences * i + k] = (float)uniform(0, 1),
                                        indices[influences * i + k] = (uint16_t)uniform(0, JOINTS);
      for (int k = 0; k < influences; k++)
        weights[influences * i + k] = (float)(weights[influences * i + k] / sum);
    }
    assert_int_equal(quatsimd_sqt_skin(quatsimd_aos_out(out), quatsimd_aos(points), joints, JOINTS, indices,
                                       weights, influences, N),
                     QUATSIMD_OK);
    for (int i = 0; i < N; i++) {
      real exact[3] = {0, 0, 0}, p[3];
      ref_widen(p, points + 3 * i, 3);
      for (int k = 0; k < influences; k++) {
        real joint[8], moved[3];
        ref_widen(joint, joints + 8 * indices[influences * i + k], 8);
        ref_point(moved, joint, p, true);
        for (int c = 0; c < 3; c++) exact[c] += weights[influences * i + k] * moved[c];
      }
      near(out + 3 * i, exact, 3, 200);
    }
  }
  indices[4] = JOINTS;
  float before[3 * N];
  memcpy(before, out, sizeof out);
  assert_int_equal(
      quatsimd_sqt_skin(quatsimd_aos_out(out), quatsimd_aos(points), joints, JOINTS, indices, weights, 1, N),
      QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(
      quatsimd_sqt_skin(quatsimd_aos_out(out), quatsimd_aos(points), joints, JOINTS, indices, weights, 0, N),
      QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_memory_equal(before, out, sizeof out);
}

/* Shows why skinning blends positions. One of three joints makes a full turn. A mean of quaternions with
 * aligned signs jumps when this joint is half a turn from the first. A mean of positions does not jump. */
static void blended_quaternions_would_jump(void **state) {
  (void)state;
  enum { STEPS = 3600 };
  static const uint16_t indices[3] = {0, 1, 2};
  static const float weights[3] = {0.4f, 0.3f, 0.3f}, p[3] = {1, 0, 0};
  real last[3], last_blended[3], most = 0, most_blended = 0;
  for (int i = 0; i <= STEPS; i++) {
    const double half = 3.14159265358979 * i / STEPS, other = 0.6;
    const float joints[24] = {0,
                              0,
                              0,
                              1,
                              0,
                              0,
                              0,
                              1,
                              0,
                              0,
                              (float)sin(half),
                              (float)cos(half),
                              0,
                              0,
                              0,
                              1,
                              0,
                              (float)sin(other),
                              0,
                              (float)cos(other),
                              0,
                              0,
                              0,
                              1};
    float moved[3];
    assert_int_equal(
        quatsimd_sqt_skin(quatsimd_aos_out(moved), quatsimd_aos(p), joints, 3, indices, weights, 3, 1),
        QUATSIMD_OK);
    real sum[4] = {0}, position[3], blended[3], wide_p[3], unit[4];
    for (int b = 0; b < 3; b++) {
      const float sign = joints[8 * b + 3] < 0 ? -1 : 1; /* w = dot product with the first, the identity */
      for (int c = 0; c < 4; c++) sum[c] += weights[b] * sign * joints[8 * b + c];
    }
    ref_widen(position, moved, 3), ref_widen(wide_p, p, 3);
    ref_unit(unit, sum, 4), ref_rotate(blended, unit, wide_p);
    for (int c = 0; c < 3 && i > 0; c++) {
      most = fmaxl(most, fabsl(position[c] - last[c]));
      most_blended = fmaxl(most_blended, fabsl(blended[c] - last_blended[c]));
    }
    memcpy(last, position, sizeof last), memcpy(last_blended, blended, sizeof last);
  }
  print_message("largest step of a tenth of a degree: %.2Lg by positions, %.2Lg by quaternions\n", most,
                most_blended);
  assert_true(most < 0.002L && most_blended > 0.5L);
}

/* ---- calls with errors ---- */

static void wrong_calls_are_refused(void **state) {
  (void)state;
  float f[64] = {0}, out[64];
  uint32_t words[8] = {0};
  uint16_t halves[8] = {0};
  const quatsimd_in ok = quatsimd_aos(f), none = quatsimd_aos(NULL);
  const quatsimd_out to = quatsimd_aos_out(out), none_out = quatsimd_aos_out(NULL),
                     shorter = quatsimd_strided_out(out, 4);
  memset(out, 0xa5, sizeof out);
#define REFUSED(call) assert_int_equal(call, QUATSIMD_ERROR_BAD_ARGUMENT)
  REFUSED(quatsimd_sqt_compose(to, ok, quatsimd_soa(f, f, f, f), 1));
  REFUSED(quatsimd_sqt_invert(shorter, ok, 1));
  REFUSED(quatsimd_sqt_transform_points(to, none, ok, 1));
  REFUSED(quatsimd_sqt_to_matrix3x4(none_out, ok, 1));
  REFUSED(quatsimd_sqt_pack(NULL, 16, ok, 1));
  REFUSED(quatsimd_sqt_pack(words, 16, quatsimd_soa(f, f, f, f), 1));
  REFUSED(quatsimd_sqt_unpack(none_out, words, 16, 1));
  REFUSED(quatsimd_sqt_pack(f, 16, ok, 1));
  REFUSED(quatsimd_sqt_unpack(to, out, 16, 1));
  REFUSED(quatsimd_sqt_skin(to, ok, f, 1, halves, f, 4, SIZE_MAX / 4 + 2));
  REFUSED(quatsimd_sqt_skin(to, ok, NULL, 1, halves, f, 1, 1));
  REFUSED(quatsimd_sqt_skin(to, ok, f, 0, halves, f, 1, 1));
  REFUSED(quatsimd_sqt_skin(to, ok, f, 1, NULL, f, 1, 1));
  REFUSED(quatsimd_sqt_skin(quatsimd_aos_out(f), quatsimd_strided(f, 16), f, 1, halves, f, 1, 2));
  for (size_t b = 0; b < sizeof out; b++) assert_int_equal(((unsigned char *)out)[b], 0xa5);
  assert_int_equal(quatsimd_sqt_skin(none_out, none, NULL, 0, NULL, NULL, 0, 0), QUATSIMD_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joint_transforms_are_exact), cmocka_unit_test(joint_transforms_as_halves),
      cmocka_unit_test(skinning_blends_positions),  cmocka_unit_test(blended_quaternions_would_jump),
      cmocka_unit_test(wrong_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
