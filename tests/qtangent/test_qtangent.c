/* qtangent.h against long double: frames, words, bone transforms and skinning. That all kernels give the
 * same bits, test_operations says, and of half floats everything. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "quatsimd/quatsimd.h"
#include "support/random.h"
#include "rotation/rotation_reference.h"

enum { COUNT = 20000 };
#define DEGREE 0.017453292519943295L

static uint64_t random_state = 1;
static double uniform(double low, double high) { return low + (high - low) * random_unit(&random_state); }

static void draw_vector(float *v, double length) {
  real unit[3], gauss[3];
  for (int c = 0; c < 3; c++) gauss[c] = random_gauss(&random_state);
  ref_unit(unit, gauss, 3);
  for (int c = 0; c < 3; c++) v[c] = (float)(unit[c] * length);
}

static bool is_unit(const float *v, int n, real within) {
  real wide[4];
  ref_widen(wide, v, n);
  return fabsl(ref_length(wide, n) - 1) <= within;
}

/* ---- frames ---- */

static float normals[3 * COUNT], tangents[3 * COUNT], bitangents[3 * COUNT], q[4 * COUNT], handedness[COUNT];

/* Tangents up to nearly parallel to normals, lengths from 2^-31 to 2^31, bitangents somewhere on their
 * side. */
static void draw_frames(void) {
  for (int i = 0; i < COUNT; i++) {
    float *n = normals + 3 * i, *t = tangents + 3 * i, *b = bitangents + 3 * i, other[3];
    const double slant = i % 2 ? 0 : pow(10, uniform(-4, 2));
    draw_vector(n, i % 4 ? 1 : exp2(uniform(-31, 31)));
    draw_vector(other, 1);
    real wide_n[3], wide_other[3], across[3], away[3], unit_n[3];
    ref_widen(wide_n, n, 3), ref_widen(wide_other, other, 3);
    ref_unit(unit_n, wide_n, 3);
    ref_cross(across, unit_n, wide_other), ref_unit(across, across, 3);
    ref_cross(away, unit_n, across);
    const double length = i % 8 ? 1 : exp2(uniform(-31, 31));
    const real norm = sqrtl(1 + slant * slant);
    for (int c = 0; c < 3; c++) t[c] = (float)((across[c] + slant * unit_n[c]) / norm * length);
    const real side = i % 3 ? 1 : -1;
    for (int c = 0; c < 3; c++)
      b[c] = (float)(side * away[c] + 0.5 * uniform(-1, 1) * (unit_n[c] + across[c]));
    handedness[i] = (float)side;
  }
}

static void frames_keep_normals_and_tangents(void **state) {
  (void)state;
  static float got_handedness[COUNT], q2[4 * COUNT], out[3][3 * COUNT];
  draw_frames();
  assert_int_equal(quatsimd_qtangent_from_tbn(quatsimd_aos_out(q), quatsimd_aos_out(got_handedness),
                                              quatsimd_aos(normals), quatsimd_aos(tangents),
                                              quatsimd_aos(bitangents), COUNT),
                   QUATSIMD_OK);
  assert_int_equal(quatsimd_qtangent_from_tangents(quatsimd_aos_out(q2), quatsimd_aos(normals),
                                                   quatsimd_aos(tangents), COUNT),
                   QUATSIMD_OK);
  assert_memory_equal(q, q2, sizeof q);
  assert_memory_equal(got_handedness, handedness, sizeof handedness);
  assert_int_equal(quatsimd_qtangent_to_tbn(quatsimd_aos_out(out[0]), quatsimd_aos_out(out[1]),
                                            quatsimd_aos_out(out[2]), quatsimd_aos(q),
                                            quatsimd_aos(handedness), COUNT),
                   QUATSIMD_OK);
  real worst_normal = 0, worst_tangent = 0, worst_steep = 0;
  for (int i = 0; i < COUNT; i++) {
    assert_true(is_unit(q + 4 * i, 4, 2.5e-7L));
    real n[3], t[3], b[3], flat[3], got[3][3], unit_n[3];
    ref_widen(n, normals + 3 * i, 3), ref_widen(t, tangents + 3 * i, 3);
    for (int v = 0; v < 3; v++) {
      ref_widen(got[v], out[v] + 3 * i, 3);
      assert_true(is_unit(out[v] + 3 * i, 3, 4e-7L));
    }
    ref_unit(unit_n, n, 3);
    for (int c = 0; c < 3; c++) flat[c] = t[c] - unit_n[c] * ref_dot(unit_n, t, 3);
    /* of t, not of its direction across n */
    const real sine = ref_length(flat, 3) / ref_length(t, 3),
               error = ref_angle_of_vectors(got[1], flat) * sine;
    worst_normal = fmaxl(worst_normal, ref_angle_of_vectors(got[0], n));
    worst_tangent = fmaxl(worst_tangent, error);
    if (sine > 0.5L) worst_steep = fmaxl(worst_steep, ref_angle_of_vectors(got[1], flat));
    ref_cross(b, got[0], got[1]);
    for (int c = 0; c < 3; c++) assert_true(fabsl(handedness[i] * b[c] - got[2][c]) < 1e-6L);
  }
  print_message("worst: normal %.3Lg degrees, tangent %.3Lg, by its distance from the normal %.3Lg\n",
                worst_normal / DEGREE, worst_steep / DEGREE, worst_tangent / DEGREE);
  assert_true(worst_normal < 0.0005L * DEGREE && worst_steep < 0.0005L * DEGREE &&
              worst_tangent < 0.0005L * DEGREE);
}

static void layouts_of_frames_agree(void **state) {
  (void)state;
  enum { N = 301, STEP = 13 };
  static float vertices[STEP * N], parts[11][N], expected[4 * N], expected_h[N], got[4 * N], got_h[N],
      strided[STEP * N];
  draw_frames();
  for (int i = 0; i < N; i++)
    for (int c = 0; c < 3; c++) {
      vertices[STEP * i + c] = parts[c][i] = normals[3 * i + c];
      vertices[STEP * i + 3 + c] = parts[3 + c][i] = tangents[3 * i + c];
      vertices[STEP * i + 6 + c] = parts[6 + c][i] = bitangents[3 * i + c];
    }
  assert_int_equal(quatsimd_qtangent_from_tbn(quatsimd_aos_out(expected), quatsimd_aos_out(expected_h),
                                              quatsimd_aos(normals), quatsimd_aos(tangents),
                                              quatsimd_aos(bitangents), N),
                   QUATSIMD_OK);
  assert_int_equal(quatsimd_qtangent_from_tbn(quatsimd_aos_out(got), quatsimd_aos_out(got_h),
                                              quatsimd_soa(parts[0], parts[1], parts[2], NULL),
                                              quatsimd_soa(parts[3], parts[4], parts[5], NULL),
                                              quatsimd_soa(parts[6], parts[7], parts[8], NULL), N),
                   QUATSIMD_OK);
  assert_memory_equal(got, expected, sizeof got);
  assert_memory_equal(got_h, expected_h, sizeof got_h);
  assert_int_equal(quatsimd_qtangent_from_tbn(
                       quatsimd_strided_out(strided, 4 * STEP), quatsimd_strided_out(strided + 4, 4 * STEP),
                       quatsimd_strided(vertices, 4 * STEP), quatsimd_strided(vertices + 3, 4 * STEP),
                       quatsimd_strided(vertices + 6, 4 * STEP), N),
                   QUATSIMD_OK);
  for (int i = 0; i < N; i++) {
    assert_memory_equal(strided + STEP * i, expected + 4 * i, 16);
    assert_true(strided[STEP * i + 4] == expected_h[i] && strided[STEP * i + 5] == 0);
  }
  for (size_t n = 0; n < 40; n++) { /* any count gives the same, and nothing behind it */
    memset(got, 0xa5, sizeof got), memset(got_h, 0xa5, sizeof got_h);
    assert_int_equal(quatsimd_qtangent_from_tbn(quatsimd_aos_out(got), quatsimd_aos_out(got_h),
                                                quatsimd_aos(normals), quatsimd_aos(tangents),
                                                quatsimd_aos(bitangents), n),
                     QUATSIMD_OK);
    assert_memory_equal(got, expected, 16 * n);
    assert_memory_equal(got_h, expected_h, 4 * n);
    for (size_t b = 16 * n; b < sizeof got; b++) assert_int_equal(((unsigned char *)got)[b], 0xa5);
    for (size_t b = 4 * n; b < sizeof got_h; b++) assert_int_equal(((unsigned char *)got_h)[b], 0xa5);
  }
}

static void bad_frames_are_replaced(void **state) {
  (void)state;
  static const struct {
    float n[3], t[3], b[3];
    bool normal_kept, tangent_kept;
  } cases[] = {
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, false, true},
      {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, false, false},
      {{NAN, 0, 1}, {1, 0, 0}, {0, 1, 0}, false, true},
      {{0, INFINITY, 0}, {1, 0, 0}, {0, 1, 0}, false, true},
      {{0, 1, 0}, {0, 0, 0}, {0, 0, 1}, true, false},
      {{0, 1, 0}, {0, -3, 0}, {0, 0, 1}, true, false},
      {{1, 2, 3}, {2, 4, 6}, {0, 0, 1}, true, false},
      {{0, 1, 0}, {1, NAN, 0}, {0, 0, 1}, true, false},
      {{1, 0, 0}, {-INFINITY, 0, 1}, {0, 0, 1}, true, false},
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}, true, true},
      {{1, 0, 0}, {0, 1, 0}, {0, 0, NAN}, true, true},
      {{1, 0, 0}, {0, 1, 0}, {5, 5, 0}, true, true},
      {{1e-20f, 0, 0}, {0, 1, 0}, {0, 0, 1}, false, true},
      {{1e30f, 0, 0}, {0, 1, 0}, {0, 0, 1}, false, true},
      {{1, 1, 0}, {0, 0, 0}, {0, 0, 1}, true, false},
      {{-3, 1, 1}, {0, 0, 0}, {0, 0, 1}, true, false},
      {{1, 0, 0}, {0, 1e-30f, 0}, {0, 0, 1}, true, false},
      {{1, 0, 0}, {1, 1e-5f, 0}, {0, 0, 1}, true, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    float got[4], h, n[3], t[3], b[3];
    uint32_t word;
    assert_int_equal(quatsimd_qtangent_from_tbn(quatsimd_aos_out(got), quatsimd_aos_out(&h),
                                                quatsimd_aos(cases[i].n), quatsimd_aos(cases[i].t),
                                                quatsimd_aos(cases[i].b), 1),
                     QUATSIMD_WARNING_REPLACED_INVALID);
    assert_int_equal(quatsimd_qtangent_pack_tbn(&word, 4, quatsimd_aos(cases[i].n), quatsimd_aos(cases[i].t),
                                                quatsimd_aos(cases[i].b), 1),
                     QUATSIMD_WARNING_REPLACED_INVALID);
    assert_true(is_unit(got, 4, 2.5e-7L) && (h == 1 || h == -1));
    assert_int_equal(quatsimd_qtangent_to_tbn(quatsimd_aos_out(n), quatsimd_aos_out(t), quatsimd_aos_out(b),
                                              quatsimd_aos(got), quatsimd_aos(&h), 1),
                     QUATSIMD_OK);
    real kept[3], wide[3];
    ref_widen(kept, cases[i].n, 3), ref_widen(wide, n, 3);
    if (cases[i].normal_kept) assert_true(ref_angle_of_vectors(kept, wide) < 1e-6L);
    else assert_true(n[2] > 0.999999f);
    ref_widen(kept, cases[i].t, 3), ref_widen(wide, t, 3);
    if (cases[i].tangent_kept) assert_true(ref_angle_of_vectors(kept, wide) < 1e-6L);
  }
  const float n[3] = {0, 0, 1}, t[3] = {1, 3e-5f, 3}; /* near, but not parallel */
  float got[4];
  assert_int_equal(
      quatsimd_qtangent_from_tangents(quatsimd_aos_out(got), quatsimd_aos(n), quatsimd_aos(t), 1),
      QUATSIMD_OK);
  assert_int_equal(
      quatsimd_qtangent_from_tangents(quatsimd_aos_out(got), quatsimd_aos(n), quatsimd_aos(n), 1),
      QUATSIMD_WARNING_REPLACED_INVALID);
}

static void words_are_vertex32(void **state) {
  (void)state;
  static uint32_t words[COUNT], direct[COUNT], plain[COUNT];
  static float back[4 * COUNT], back_h[COUNT], unpacked[4 * COUNT];
  draw_frames();
  assert_int_equal(quatsimd_qtangent_from_tangents(quatsimd_aos_out(q), quatsimd_aos(normals),
                                                   quatsimd_aos(tangents), COUNT),
                   QUATSIMD_OK);
  assert_int_equal(
      quatsimd_qtangent_pack(words, sizeof words, quatsimd_aos(q), quatsimd_aos(handedness), COUNT),
      QUATSIMD_OK);
  assert_int_equal(quatsimd_pack(QUATSIMD_FORMAT_VERTEX32, plain, sizeof plain, quatsimd_aos(q), COUNT),
                   QUATSIMD_OK);
  for (int i = 0; i < COUNT; i++) {
    unsigned char byte[4];
    memcpy(byte, &words[i], 4);
    assert_int_equal(byte[3] >> 7, handedness[i] < 0);
    byte[3] &= 0x7f;
    assert_memory_equal(byte, &plain[i], 4);
  }
  assert_int_equal(quatsimd_qtangent_pack_tbn(direct, sizeof direct, quatsimd_aos(normals),
                                              quatsimd_aos(tangents), quatsimd_aos(bitangents), COUNT),
                   QUATSIMD_OK);
  assert_memory_equal(direct, words, sizeof words);
  memset(direct, 0, sizeof direct);
  assert_int_equal(quatsimd_qtangent_pack_tangents(direct, sizeof direct, quatsimd_aos(normals),
                                                   quatsimd_aos(tangents), quatsimd_aos(handedness), COUNT),
                   QUATSIMD_OK);
  assert_memory_equal(direct, words, sizeof words);
  assert_int_equal(
      quatsimd_qtangent_unpack(quatsimd_aos_out(back), quatsimd_aos_out(back_h), words, sizeof words, COUNT),
      QUATSIMD_OK);
  assert_int_equal(
      quatsimd_unpack(QUATSIMD_FORMAT_VERTEX32, quatsimd_aos_out(unpacked), plain, sizeof plain, 0, COUNT),
      QUATSIMD_OK);
  assert_memory_equal(back, unpacked, sizeof back);
  assert_memory_equal(back_h, handedness, sizeof handedness);
  real worst = 0;
  for (int i = 0; i < COUNT; i++) {
    real a[4], b[4];
    ref_widen(a, q + 4 * i, 4), ref_widen(b, back + 4 * i, 4);
    worst = fmaxl(worst, ref_angle_between(a, b));
  }
  print_message("worst of vertex32: %.4Lg degrees\n", worst / DEGREE);
  assert_true(worst < 1.25L * DEGREE);
  static const float signs[] = {1, -1, 0, -0.f, NAN, 5, -1e-30f, -INFINITY}; /* only the sign counts */
  static const int negative[] = {0, 1, 0, 0, 0, 0, 1, 1};
  assert_int_equal(quatsimd_qtangent_pack(words, 32, quatsimd_one(q), quatsimd_aos(signs), 8), QUATSIMD_OK);
  for (int i = 0; i < 8; i++) assert_int_equal(((unsigned char *)words)[4 * i + 3] >> 7, negative[i]);
  const float bad[4] = {0, 0, 0, NAN};
  assert_int_equal(quatsimd_qtangent_pack(words, 32, quatsimd_one(bad), quatsimd_aos(signs), 8),
                   QUATSIMD_WARNING_REPLACED_INVALID);
  assert_int_equal(quatsimd_qtangent_pack(words, 31, quatsimd_one(q), quatsimd_aos(signs), 8),
                   QUATSIMD_ERROR_SHORT_BUFFER);
  assert_int_equal(quatsimd_qtangent_unpack(quatsimd_aos_out(back), quatsimd_aos_out(back_h), words, 3, 1),
                   QUATSIMD_ERROR_SHORT_BUFFER);
  assert_int_equal(quatsimd_qtangent_pack_tbn(words, 7, quatsimd_aos(normals), quatsimd_aos(tangents),
                                              quatsimd_aos(bitangents), 2),
                   QUATSIMD_ERROR_SHORT_BUFFER);
}

/* ---- bone transforms ---- */

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

/* Against the largest number that adds to the result. */
static void near(const float *got, const real *exact, int n, real size) {
  for (int c = 0; c < n; c++)
    if (!(fabsl(got[c] - exact[c]) <= 4e-7L * size)) fail_msg("%g, not %Lg", (double)got[c], exact[c]);
}

static void bone_transforms_are_exact(void **state) {
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
    real wa[8], wb[8], wp[3], exact[3], ref_q[4], got_q[4], by_matrix[3], of_ab[3], wab[8], wback[8];
    ref_widen(wa, a + 8 * i, 8), ref_widen(wb, b + 8 * i, 8), ref_widen(wp, p + 3 * i, 3),
        ref_widen(wab, ab + 8 * i, 8), ref_widen(wback, back + 8 * i, 8);
    ref_multiply(ref_q, wa, wb), ref_widen(got_q, ab + 8 * i, 4);
    assert_true(ref_angle_between(ref_q, got_q) < 3e-7L && is_unit(ab + 8 * i, 4, 2.5e-7L));
    ref_point(exact, wa, wb + 4, true);
    near(ab + 8 * i + 4, exact, 3, 100);
    assert_true(fabsl(ab[8 * i + 7] / (wa[7] * wb[7]) - 1) < 1e-7L);
    ref_point(exact, wa, wp, true);
    near(points + 3 * i, exact, 3, 100);
    for (int c = 0; c < 3; c++)
      by_matrix[c] = ref_dot(
          (real[]){m[12 * i + 4 * c], m[12 * i + 4 * c + 1], m[12 * i + 4 * c + 2], m[12 * i + 4 * c + 3]},
          (real[]){wp[0], wp[1], wp[2], 1}, 4);
    near(points + 3 * i, by_matrix, 3, 200);
    ref_point(exact, wa, wp, false);
    near(vectors + 3 * i, exact, 3, 80);
    ref_point(of_ab, wab, wp, true);
    near(twice + 3 * i, of_ab, 3, 2000);
    real moved[3];
    ref_point(moved, wa, wp, true), ref_point(exact, wback, moved, true);
    near(p + 3 * i, exact, 3, 2000);
  }
}

static void bone_transforms_as_halves(void **state) {
  (void)state;
  enum { N = 300 };
  static float a[8 * N], back[8 * N], strided[9 * N];
  static unsigned char packed[16 * N], packed_strided[16 * N];
  for (int i = 0; i < N; i++) draw_sqt(a + 8 * i), memcpy(strided + 9 * i, a + 8 * i, 32);
  assert_int_equal(quatsimd_sqt_pack(packed, sizeof packed, quatsimd_aos(a), N), QUATSIMD_OK);
  assert_int_equal(quatsimd_sqt_pack(packed_strided, sizeof packed, quatsimd_strided(strided, 36), N),
                   QUATSIMD_OK);
  assert_memory_equal(packed, packed_strided, sizeof packed);
  assert_int_equal(packed[1] >> 7, a[0] < 0); /* little-endian */
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
  enum { N = 333, BONES = 7, MOST = 5 };
  static float bones[8 * BONES], points[3 * N], weights[MOST * N], out[3 * N];
  static uint16_t indices[MOST * N];
  for (int i = 0; i < BONES; i++) draw_sqt(bones + 8 * i);
  for (int influences = 1; influences <= MOST; influences++) {
    for (int i = 0; i < N; i++) {
      double sum = 0;
      draw_vector(points + 3 * i, uniform(0, 10));
      for (int k = 0; k < influences; k++)
        sum += weights[influences * i + k] = (float)uniform(0, 1),
                                        indices[influences * i + k] = (uint16_t)uniform(0, BONES);
      for (int k = 0; k < influences; k++)
        weights[influences * i + k] = (float)(weights[influences * i + k] / sum);
    }
    assert_int_equal(quatsimd_sqt_skin(quatsimd_aos_out(out), quatsimd_aos(points), bones, BONES, indices,
                                       weights, influences, N),
                     QUATSIMD_OK);
    for (int i = 0; i < N; i++) {
      real exact[3] = {0, 0, 0}, p[3];
      ref_widen(p, points + 3 * i, 3);
      for (int k = 0; k < influences; k++) {
        real bone[8], moved[3];
        ref_widen(bone, bones + 8 * indices[influences * i + k], 8);
        ref_point(moved, bone, p, true);
        for (int c = 0; c < 3; c++) exact[c] += weights[influences * i + k] * moved[c];
      }
      near(out + 3 * i, exact, 3, 200);
    }
  }
  indices[4] = BONES;
  float before[3 * N];
  memcpy(before, out, sizeof out);
  assert_int_equal(
      quatsimd_sqt_skin(quatsimd_aos_out(out), quatsimd_aos(points), bones, BONES, indices, weights, 1, N),
      QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(
      quatsimd_sqt_skin(quatsimd_aos_out(out), quatsimd_aos(points), bones, BONES, indices, weights, 0, N),
      QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_memory_equal(before, out, sizeof out);
}

/* Why positions are blended: three bones, one of which turns once around. Means of quaternions, each with
 * the sign nearest to the first as is usual, jump where it is half a turn away; means of positions do not. */
static void blended_quaternions_would_jump(void **state) {
  (void)state;
  enum { STEPS = 3600 };
  static const uint16_t indices[3] = {0, 1, 2};
  static const float weights[3] = {0.4f, 0.3f, 0.3f}, p[3] = {1, 0, 0};
  real last[3], last_blended[3], most = 0, most_blended = 0;
  for (int i = 0; i <= STEPS; i++) {
    const double half = 3.14159265358979 * i / STEPS, other = 0.6;
    const float bones[24] = {0,
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
        quatsimd_sqt_skin(quatsimd_aos_out(moved), quatsimd_aos(p), bones, 3, indices, weights, 3, 1),
        QUATSIMD_OK);
    real sum[4] = {0}, position[3], blended[3], wide_p[3], unit[4];
    for (int b = 0; b < 3; b++) {
      const float sign = bones[8 * b + 3] < 0 ? -1 : 1; /* the first is the identity */
      for (int c = 0; c < 4; c++) sum[c] += weights[b] * sign * bones[8 * b + c];
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

/* ---- calls that are wrong ---- */

static void wrong_calls_are_refused(void **state) {
  (void)state;
  float f[64] = {0}, out[64];
  uint32_t words[8] = {0};
  uint16_t halves[8] = {0};
  const quatsimd_in ok = quatsimd_aos(f), none = quatsimd_aos(NULL), odd = quatsimd_strided(f, 13);
  const quatsimd_out to = quatsimd_aos_out(out), none_out = quatsimd_aos_out(NULL),
                     shorter = quatsimd_strided_out(out, 4);
  memset(out, 0xa5, sizeof out);
#define REFUSED(call) assert_int_equal(call, QUATSIMD_ERROR_BAD_ARGUMENT)
  REFUSED(quatsimd_qtangent_from_tbn(none_out, to, ok, ok, ok, 1));
  REFUSED(quatsimd_qtangent_from_tbn(to, none_out, ok, ok, ok, 1));
  REFUSED(quatsimd_qtangent_from_tbn(to, to, none, ok, ok, 1));
  REFUSED(quatsimd_qtangent_from_tbn(to, to, ok, odd, ok, 1));
  REFUSED(quatsimd_qtangent_from_tbn(to, to, ok, ok, none, 1));
  REFUSED(quatsimd_qtangent_from_tangents(shorter, ok, ok, 1));
  REFUSED(quatsimd_qtangent_from_tangents(to, ok, none, 1));
  REFUSED(quatsimd_qtangent_from_tangents(to, quatsimd_soa(f, NULL, f, NULL), ok, 1));
  REFUSED(quatsimd_qtangent_from_tangents(to, quatsimd_soa(f, NULL, NULL, NULL), ok, 1));
  REFUSED(quatsimd_qtangent_from_tangents(quatsimd_soa_out(out, out, out, NULL), ok, ok, 1));
  REFUSED(quatsimd_qtangent_to_tbn(to, to, shorter, ok, ok, 1));
  REFUSED(quatsimd_qtangent_to_tbn(to, to, to, ok, none, 1));
  REFUSED(quatsimd_qtangent_pack(NULL, 4, ok, ok, 1));
  REFUSED(quatsimd_qtangent_pack(words, 4, none, ok, 1));
  REFUSED(quatsimd_qtangent_pack(words, 4, ok, none, 1));
  REFUSED(quatsimd_qtangent_unpack(to, none_out, words, 4, 1));
  REFUSED(quatsimd_qtangent_unpack(to, to, NULL, 4, 1));
  REFUSED(quatsimd_qtangent_pack_tbn(words, 4, ok, ok, none, 1));
  REFUSED(quatsimd_qtangent_pack_tangents(words, 4, ok, ok, none, 1));
  REFUSED(quatsimd_half_from_float(NULL, f, 1));
  REFUSED(quatsimd_half_to_float(out, NULL, 1));
  REFUSED(quatsimd_sqt_compose(to, ok, quatsimd_soa(f, f, f, f), 1));
  REFUSED(quatsimd_sqt_invert(shorter, ok, 1));
  REFUSED(quatsimd_sqt_transform_points(to, none, ok, 1));
  REFUSED(quatsimd_sqt_to_matrix3x4(none_out, ok, 1));
  REFUSED(quatsimd_sqt_pack(NULL, 16, ok, 1));
  REFUSED(quatsimd_sqt_pack(words, 16, quatsimd_soa(f, f, f, f), 1));
  REFUSED(quatsimd_sqt_unpack(none_out, words, 16, 1));
  REFUSED(quatsimd_sqt_skin(to, ok, NULL, 1, halves, f, 1, 1));
  REFUSED(quatsimd_sqt_skin(to, ok, f, 0, halves, f, 1, 1));
  REFUSED(quatsimd_sqt_skin(to, ok, f, 1, NULL, f, 1, 1));
  REFUSED(quatsimd_exp(quatsimd_aos_out(f), quatsimd_aos(f), 2)); /* elements that grow, in place */
  REFUSED(quatsimd_multiply(quatsimd_aos_out(f), quatsimd_one(f), quatsimd_aos(f), 2));
  REFUSED(quatsimd_qtangent_from_tangents(quatsimd_aos_out(f), quatsimd_aos(f + 32), quatsimd_aos(f), 2));
  REFUSED(quatsimd_sqt_skin(quatsimd_aos_out(f), quatsimd_strided(f, 16), f, 1, halves, f, 1, 2));
  REFUSED(quatsimd_qtangent_align_morph(quatsimd_aos_out(f), quatsimd_one(f), 2));
  REFUSED(quatsimd_relative_unpack(QUATSIMD_RELATIVE_CAYLEY32, 1, quatsimd_aos_out(f), quatsimd_one(f), words,
                                   8, 2));
  for (size_t b = 0; b < sizeof out; b++) assert_int_equal(((unsigned char *)out)[b], 0xa5);
  assert_int_equal(quatsimd_qtangent_from_tbn(none_out, none_out, none, none, none, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_qtangent_pack_tbn(NULL, 0, none, none, none, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_sqt_skin(none_out, none, NULL, 0, NULL, NULL, 0, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_half_from_float(NULL, NULL, 0), QUATSIMD_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_keep_normals_and_tangents), cmocka_unit_test(layouts_of_frames_agree),
      cmocka_unit_test(bad_frames_are_replaced),          cmocka_unit_test(words_are_vertex32),
      cmocka_unit_test(bone_transforms_are_exact),        cmocka_unit_test(bone_transforms_as_halves),
      cmocka_unit_test(skinning_blends_positions),        cmocka_unit_test(blended_quaternions_would_jump),
      cmocka_unit_test(wrong_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
