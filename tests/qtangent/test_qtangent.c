/* Compares QTangents and their packed words with what qtangent.h promises, computed in long double.
 * test_operations shows that all kernels give the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <cmocka.h>

#include "quatsimd/codec.h"
#include "quatsimd/qtangent.h"
#include "support/denormals.h"
#include "support/draw.h"

enum { COUNT = 20000 };
#define DEGREE 0.017453292519943295L

static float normals[3 * COUNT], tangents[3 * COUNT], bitangents[3 * COUNT], q[4 * COUNT], handedness[COUNT];

/* Draws vertices. Some tangents are nearly parallel to their normals, some lengths are from 2^-31 to 2^31,
 * and bitangents are on either side of the plane of normal and tangent. */
static void draw_vertices(void) {
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

static void qtangents_keep_normals_and_tangents(void **state) {
  (void)state;
  static float got_handedness[COUNT], q2[4 * COUNT], out[3][3 * COUNT];
  draw_vertices();
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
    /* if the direction of t has an error e, `flat` is turned by e / sine */
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

static void layouts_agree(void **state) {
  (void)state;
  enum { N = 301, STRIDE = 13 };
  static float vertices[STRIDE * N], parts[11][N], expected[4 * N], expected_h[N], got[4 * N], got_h[N],
      strided[STRIDE * N];
  draw_vertices();
  for (int i = 0; i < N; i++)
    for (int c = 0; c < 3; c++) {
      vertices[STRIDE * i + c] = parts[c][i] = normals[3 * i + c];
      vertices[STRIDE * i + 3 + c] = parts[3 + c][i] = tangents[3 * i + c];
      vertices[STRIDE * i + 6 + c] = parts[6 + c][i] = bitangents[3 * i + c];
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
  assert_int_equal(quatsimd_qtangent_from_tbn(quatsimd_strided_out(strided, 4 * STRIDE),
                                              quatsimd_strided_out(strided + 4, 4 * STRIDE),
                                              quatsimd_strided(vertices, 4 * STRIDE),
                                              quatsimd_strided(vertices + 3, 4 * STRIDE),
                                              quatsimd_strided(vertices + 6, 4 * STRIDE), N),
                   QUATSIMD_OK);
  for (int i = 0; i < N; i++) {
    assert_memory_equal(strided + STRIDE * i, expected + 4 * i, 16);
    assert_true(strided[STRIDE * i + 4] == expected_h[i] && strided[STRIDE * i + 5] == 0);
  }
  for (size_t n = 0; n < 40; n++) { /* count n gives the first n of the results above and no others */
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

static void bad_vertices_are_replaced(void **state) {
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
  const float n[3] = {0, 0, 1}, t[3] = {1, 3e-5f, 3}; /* t is not perpendicular to n */
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
  draw_vertices();
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
  static const float signs[] = {1, -1, 0, -0.f, NAN, 5, -1e-30f, -INFINITY}; /* only signs count */
  static const int negative[] = {0, 1, 0, 0, 0, 0, 1, 1};
  assert_int_equal(quatsimd_qtangent_pack(words, 32, quatsimd_one(q), quatsimd_aos(signs), 8), QUATSIMD_OK);
  for (int i = 0; i < 8; i++) assert_int_equal(((unsigned char *)words)[4 * i + 3] >> 7, negative[i]);
  static const float tiny[] = {1e-40f, -1e-40f, -1e-45f, 1e-45f};
  /* the sign of a denormal handedness counts, even if the CPU flushes denormals */
  for (int flush = 0; flush < 2; flush++) {
    if (!flush_denormals(flush)) print_message("SKIP: no denormal modes on this CPU\n");
    assert_int_equal(quatsimd_qtangent_pack(words, 16, quatsimd_one(q), quatsimd_aos(tiny), 4), QUATSIMD_OK);
    flush_denormals(false);
    for (int i = 0; i < 4; i++) assert_int_equal(((unsigned char *)words)[4 * i + 3] >> 7, tiny[i] < 0);
  }
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

/* ---- calls with errors ---- */

static void wrong_calls_are_refused(void **state) {
  (void)state;
  float f[64] = {0}, out[64];
  uint32_t words[8] = {0};
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
  const quatsimd_in other = quatsimd_aos(f + 32);
  REFUSED(quatsimd_qtangent_pack(f, 4, ok, other, 1));
  REFUSED(quatsimd_qtangent_pack(f, 4, other, ok, 1));
  REFUSED(quatsimd_qtangent_unpack(to, quatsimd_aos_out(f), out, 4, 1));
  REFUSED(quatsimd_qtangent_unpack(quatsimd_aos_out(f), to, out, 4, 1));
  for (int same = 0; same < 3; same++) {
    const quatsimd_in a = same == 0 ? ok : other, b = same == 1 ? ok : other, c = same == 2 ? ok : other;
    REFUSED(quatsimd_qtangent_pack_tbn(f, 4, a, b, c, 1));
    REFUSED(quatsimd_qtangent_pack_tangents(f, 4, a, b, c, 1));
    REFUSED(quatsimd_qtangent_from_tbn(quatsimd_aos_out(f), to, a, b, c, 2));
    REFUSED(quatsimd_qtangent_from_tbn(to, quatsimd_aos_out(f), a, b, c, 2));
  }
  for (int i = 0; i < 64; i++) assert_true(f[i] == 0);
  REFUSED(quatsimd_qtangent_from_tangents(quatsimd_aos_out(f), quatsimd_aos(f + 32), quatsimd_aos(f), 2));
  REFUSED(quatsimd_qtangent_align_morph(quatsimd_aos_out(f), quatsimd_one(f), 2));
  for (size_t b = 0; b < sizeof out; b++) assert_int_equal(((unsigned char *)out)[b], 0xa5);
  assert_int_equal(quatsimd_qtangent_from_tbn(none_out, none_out, none, none, none, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_qtangent_pack_tbn(NULL, 0, none, none, none, 0), QUATSIMD_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(qtangents_keep_normals_and_tangents),
      cmocka_unit_test(layouts_agree),
      cmocka_unit_test(bad_vertices_are_replaced),
      cmocka_unit_test(words_are_vertex32),
      cmocka_unit_test(wrong_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
