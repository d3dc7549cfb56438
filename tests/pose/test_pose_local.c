/* Compares the making and decomposing of local matrices with computations in long double. */
#include "matrices.h"
#include "support/guarded.h"
#include "support/kernels.h"

static void made(void **state) {
  (void)state;
  static poses p;
  static float matrices[MOST * 16 + 1];
  uint64_t random = 51;
  for (int round = 0; round < 16; round++) {
    const quatsimd_matrix_layout layout = layouts[round % 2];
    const size_t n = round < 8 ? (size_t)round : MOST;
    random_poses(&p, MOST, &random);
    if (n > 3) memset(p.at[0] + 12, 0, 16); /* a zero quaternion counts as the identity */
    for (int i = 0; n > 4 && i < 4; i++) p.at[0][16 + i] *= 3;
    const quatsimd_pose_in pose = poses_in(&p, round / 2 % LAYOUTS, n);
    memset(matrices, 0xa5, sizeof matrices);
    assert_int_equal(quatsimd_pose_to_local(matrices, layout, &pose, n), QUATSIMD_OK);
    for (size_t i = 0; i < n; i++) {
      const matrix wanted = local(p.at[0] + 4 * i, p.at[1] + 3 * i, p.at[2] + 3 * i);
      expect_near(matrices + layout * i, layout, &wanted, 5e-7L * largest_of(&wanted));
    }
    uint32_t behind;
    memcpy(&behind, &matrices[n * layout], 4);
    assert_true(behind == 0xa5a5a5a5);
  }
}

static void put(float *to, quatsimd_matrix_layout layout, const matrix *m) {
  memset(to, 0, 16 * sizeof *to);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      to[layout == QUATSIMD_MATRIX_3X4 ? 4 * row + column : 4 * column + row] = (float)m->m[row][column];
  if (layout == QUATSIMD_MATRIX_4X4) to[15] = 1;
}

/* Checks that a decomposed matrix is the product of its parts. */
static void check_parts(const float *q, const float *t, const float *s, const float *m,
                        quatsimd_matrix_layout layout) {
  const matrix again = local(q, t, s), given = of_floats(m, layout);
  long double n2 = 0;
  for (int c = 0; c < 4; c++) n2 += (long double)q[c] * q[c];
  assert_true(fabsl(n2 - 1) < 1e-6L);
  expect_near(m, layout, &again, 2e-6L * largest_of(&given));
}

static void taken_apart(void **state) {
  (void)state;
  static poses p, got;
  static float matrices[MOST * 16];
  uint64_t random = 52;
  for (int round = 0; round < 16; round++) {
    const quatsimd_matrix_layout layout = layouts[round % 2];
    const int kinds = round / 2 % LAYOUTS;
    const size_t n = MOST;
    random_poses(&p, n, &random);
    for (size_t i = 0; i < n; i++)
      for (size_t c = 0; c < 3; c++) { /* some scales are negative, and some are 0 */
        const uint64_t pick = sweep_next(&random);
        p.at[2][3 * i + c] *= i % 3 == 0 && pick % 2 ? 0 : (pick & 4 ? -1.f : 1.f);
      }
    for (size_t i = 0; i < n; i++) {
      const matrix m = local(p.at[0] + 4 * i, p.at[1] + 3 * i, p.at[2] + 3 * i);
      put(matrices + layout * i, layout, &m);
    }
    memset(&got, 0, sizeof got);
    quatsimd_pose_out out = poses_out(&got, kinds, n);
    assert_int_equal(quatsimd_pose_from_local(&out, matrices, layout, n), QUATSIMD_OK);
    move_pose(&got, kinds, n, true);
    for (size_t i = 0; i < n; i++) {
      const float *s = p.at[2] + 3 * i, *scale = got.at[2] + 3 * i;
      check_parts(got.at[0] + 4 * i, got.at[1] + 3 * i, scale, matrices + layout * i, layout);
      assert_true(same_bits(got.at[1] + 3 * i, p.at[1] + 3 * i, 3));
      assert_true((scale[0] < 0) == (s[0] * s[1] * s[2] < 0) && scale[1] >= 0 && scale[2] >= 0);
      for (int c = 0; c < 3; c++) assert_true(fabsf(scale[c] - copysignf(s[c], scale[c])) < 1e-6f);
    }
  }
}

/* Decomposes sheared matrices. The rotation's first column times s[0] is the matrix's first column. Their
 * second columns are at most a right angle apart. Each |s[c]| is the length of column c. */
static void sheared(void **state) {
  (void)state;
  static const matrix shears[] = {
      {{{2, 1, 0, 5}, {0, 3, 0.5L, 6}, {0, 0, 1, 7}}},
      {{{-2, 1, 0, 5}, {0, 3, 0.5L, 6}, {0, 0, 1, 7}}},
      {{{1, 1, 1, 0}, {1, 1, 1, 0}, {1, 1, 1, 0}}},
      {{{0.3L, 0.6L, 1, 0}, {0.1L, 0.2L, 0, 0}, {0.7L, 1.4L, 2, 0}}},
      {{{30000, 90000.1L, 60000, 0}, {10001, 30003.05L, 20002, 0}, {70001, 210003, 140002.1L, 0}}}};
  for (size_t k = 0; k < sizeof shears / sizeof *shears; k++) {
    float m[16], q[4], t[3], s[3];
    const matrix *given = &shears[k];
    quatsimd_pose_out out = {
        .rotations = quatsimd_aos_out(q), .translations = quatsimd_aos_out(t), .scales = quatsimd_aos_out(s)};
    put(m, QUATSIMD_MATRIX_3X4, given);
    assert_int_equal(quatsimd_pose_from_local(&out, m, QUATSIMD_MATRIX_3X4, 1), QUATSIMD_OK);
    const matrix turned = local(q, t, (const float[]){1, 1, 1});
    long double along = 0;
    for (int c = 0; c < 3; c++) {
      long double n2 = 0;
      for (int row = 0; row < 3; row++) n2 += given->m[row][c] * given->m[row][c];
      assert_true(fabsl(fabsl(s[c]) - sqrtl(n2)) < 1e-6L * largest_of(given));
      assert_true(fabsl(turned.m[c][0] * s[0] - given->m[c][0]) < 1e-6L * largest_of(given));
      along += turned.m[c][1] * given->m[c][1];
    }
    assert_true(along >= -1e-6L * largest_of(given));
    assert_true(k == 4 || (s[0] < 0) == (k == 1)); /* matrix 4 is nearly flat: s[0] may have either sign */
  }
}

static void nothing(void **state) {
  (void)state;
  static const float zeros[12] = {0};
  float q[4], s[3];
  quatsimd_pose_out out = {.rotations = quatsimd_aos_out(q), .scales = quatsimd_aos_out(s)};
  assert_int_equal(quatsimd_pose_from_local(&out, zeros, QUATSIMD_MATRIX_3X4, 1), QUATSIMD_OK);
  assert_true(same_bits(q, (const float[]){0, 0, 0, 1}, 4) && same_bits(s, zeros, 3));
}

static void numbers(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    float m[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, value[10];
    quatsimd_pose_out out = {.rotations = quatsimd_aos_out(value),
                             .translations = quatsimd_aos_out(value + 4),
                             .scales = quatsimd_aos_out(value + 7)};
    m[i] = -nanf("7");
    int nans = 0;
    assert_int_equal(quatsimd_pose_from_local(&out, m, QUATSIMD_MATRIX_3X4, 1), QUATSIMD_OK);
    for (int c = 0; c < 10; c++) {
      uint32_t bits;
      memcpy(&bits, &value[c], 4);
      if (value[c] != value[c]) assert_true(bits == 0x7fc00000);
      nans += value[c] != value[c];
    }
    assert_true(nans > 0);
  }
}

static void refused(void **state) {
  (void)state;
  float m[16] = {0}, value[16] = {0};
  quatsimd_pose_out out = {.rotations = quatsimd_aos_out(value),
                           .translations = quatsimd_aos_out(value + 4),
                           .scales = quatsimd_aos_out(value + 7)};
  quatsimd_pose_in in = {.rotations = quatsimd_aos(value),
                         .translations = quatsimd_aos(value + 4),
                         .scales = quatsimd_aos(value + 7)};
  const quatsimd_matrix_layout layout = QUATSIMD_MATRIX_4X4;
  assert_int_equal(quatsimd_pose_to_local(NULL, layout, NULL, 0), QUATSIMD_OK);
  REFUSED(quatsimd_pose_to_local(NULL, layout, &in, 1));
  REFUSED(quatsimd_pose_to_local(m, layout, NULL, 1));
  REFUSED(quatsimd_pose_to_local(m, (quatsimd_matrix_layout)13, &in, 1));
  for (int view = 0; view <= 7; view += view ? 3 : 4)
    REFUSED(quatsimd_pose_to_local(value + view, layout, &in, 1));
  REFUSED(quatsimd_pose_to_local(m, layout, &in, SIZE_MAX / 16));
  REFUSED(quatsimd_pose_from_local(NULL, m, layout, 1));
  REFUSED(quatsimd_pose_from_local(&out, NULL, layout, 1));
  REFUSED(quatsimd_pose_from_local(&out, m, (quatsimd_matrix_layout)13, 1));
  for (int view = 0; view <= 7; view += view ? 3 : 4)
    REFUSED(quatsimd_pose_from_local(&out, value + view, layout, 1));
  REFUSED(quatsimd_pose_from_local(&out, m, layout, SIZE_MAX / 16));
  in.rotations.x = NULL;
  REFUSED(quatsimd_pose_to_local(m, layout, &in, 1));
}

/* Writes n quaternions in blocks that end where `end` does. */
static quatsimd_in in_blocks(unsigned char *end, const float *quats, size_t n, unsigned block) {
  float *const to = (float *)(void *)end - 4 * ((n + block - 1) / block * block);
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < 4; c++) to[4 * (i / block * block) + c * block + i % block] = quats[4 * i + c];
  return quatsimd_blocks(to, block);
}

static const float *before(unsigned char *end, const float *floats, size_t n) {
  return memcpy(end - n * sizeof *floats, floats, n * sizeof *floats);
}

/* All tables give the same bits, whatever the view is, and access no memory behind views and matrices. */
static void exact(void **state) {
  (void)state;
  static const size_t counts[] = {1, 2, 3, 5, 6, 7, 8, 13, 17, 23, 31, 128, 133, 271};
  static poses p;
  static float wanted[MOST * 16];
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t table_count = all_kernels(tables);
  unsigned char *end[4];
  uint64_t random = 57;
  for (int i = 0; i < 4; i++) end[i] = arena_new(sizeof wanted).end;
  random_poses(&p, MOST, &random);
  for (size_t k = 0; k < 2 * sizeof counts / sizeof *counts; k++) {
    const quatsimd_matrix_layout layout = layouts[k % 2];
    const size_t n = counts[k / 2];
    quatsimd_pose_in pose = poses_in(&p, 0, n);
    float *const matrices = (float *)(void *)end[3] - n * layout;
    quatsimd_use_kernels(scalar_kernels());
    assert_int_equal(quatsimd_pose_to_local(wanted, layout, &pose, n), QUATSIMD_OK);
    pose.translations = quatsimd_aos(before(end[1], p.at[1], 3 * n));
    pose.scales = quatsimd_aos(before(end[2], p.at[2], 3 * n));
    for (size_t table = 0; table < table_count; table++)
      for (unsigned block = 0; can_run(tables[table]) && block <= 8; block += 4) {
        pose.rotations =
            block ? in_blocks(end[0], p.at[0], n, block) : quatsimd_aos(before(end[0], p.at[0], 4 * n));
        quatsimd_use_kernels(tables[table]);
        assert_int_equal(quatsimd_pose_to_local(matrices, layout, &pose, n), QUATSIMD_OK);
        assert_memory_equal(matrices, wanted, n * layout * sizeof *wanted);
      }
  }
  quatsimd_use_kernels(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(made),    cmocka_unit_test(taken_apart),
                                     cmocka_unit_test(sheared), cmocka_unit_test(nothing),
                                     cmocka_unit_test(numbers), cmocka_unit_test(exact),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
