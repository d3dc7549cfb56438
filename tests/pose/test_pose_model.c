/* Compares skinning and the conversion from local to model space with docs/pose.md, in long double. */
#include "matrices.h"
#include "support/guarded.h"
#include "support/kernels.h"

enum { JOINTS = 61, POSES = 3, CHAIN = 1000 };

typedef struct rig {
  quatsimd_skeleton_joint joint[CHAIN];
  float bind[CHAIN][12];
  size_t joints;
  void *data;
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
} rig;

/* Makes a skeleton with random parents, or a chain. Most joints have an inverse bind matrix. */
static void make_rig(rig *r, size_t joints, bool chain, uint64_t *state) {
  *r = (rig){.joints = joints};
  for (size_t j = 0; j < joints; j++) {
    for (int i = 0; i < 12; i++) r->bind[j][i] = (float)(random_unit(state) * 2 - 1);
    r->joint[j] = (quatsimd_skeleton_joint){.name = "joint",
                                            .parent = chain ? (int64_t)j - 1
                                                            : (int64_t)(sweep_next(state) % (j + 1)) - 1,
                                            .rotation = {0, 0, 0, 1},
                                            .scale = {1, 1, 1},
                                            .inverse_bind = j % 5 == 2 ? NULL : r->bind[j]};
  }
  const quatsimd_skeleton_source source = {joints, r->joint, 0, NULL, 1, NULL};
  r->skeleton = open_skeleton(&r->data, &r->storage, &source);
}

static void root_matrix(float to[16], quatsimd_matrix_layout layout) {
  static const float rows[3][4] = {{0, 0, 2, 5}, {1, 0, 0, -7}, {0, -1, 0, 0.5f}};
  memset(to, 0, 16 * sizeof *to);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      to[layout == QUATSIMD_MATRIX_3X4 ? 4 * row + column : 4 * column + row] = rows[row][column];
  if (layout == QUATSIMD_MATRIX_4X4) to[15] = 1;
}

/* Compares each joint's matrix with its parent's computed matrix times its own local matrix. */
static void check_model(const rig *r, const poses *p, const float *model, quatsimd_matrix_layout layout,
                        const float *root, size_t joints, size_t count) {
  for (size_t k = 0; k < count; k++)
    for (size_t j = 0; j < joints; j++) {
      const size_t e = k * joints + j;
      const int64_t parent = r->joint[j].parent;
      const matrix own = local(p->at[0] + 4 * e, p->at[1] + 3 * e, p->at[2] + 3 * e);
      matrix above = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
      if (root) above = of_floats(root, layout);
      if (parent >= 0) above = of_floats(model + (k * joints + (size_t)parent) * layout, layout);
      const matrix wanted = multiply(&above, &own);
      expect_near(model + e * layout, layout, &wanted, 2e-6L * largest_of(&above) * (1 + largest_of(&own)));
    }
}

static void models(void **state) {
  (void)state;
  static rig r;
  static poses p;
  static float model[MOST * 16], again[MOST * 16], root[16], one[16];
  uint64_t random = 31;
  for (int round = 0; round < 24; round++) {
    make_rig(&r, JOINTS, false, &random);
    random_poses(&p, POSES * JOINTS, &random);
    if (round == 3) memset(p.at[0] + 4 * 5, 0, 16); /* a zero quaternion counts as the identity */
    const quatsimd_matrix_layout layout = layouts[round % 2];
    const size_t joints = round % 3 == 0 ? 17 : JOINTS;
    root_matrix(root, layout);
    const float *above = round & 4 ? root : NULL;
    const quatsimd_pose_in pose = poses_in(&p, round % LAYOUTS, POSES * joints);
    memset(model, 0xa5, sizeof model);
    assert_int_equal(quatsimd_pose_to_model(r.skeleton, model, layout, &pose, above, joints, POSES),
                     QUATSIMD_OK);
    check_model(&r, &p, model, layout, above, joints, POSES);
    uint32_t behind;
    memcpy(&behind, &model[POSES * joints * layout], 4);
    assert_true(behind == 0xa5a5a5a5);
    for (size_t k = 0; k < POSES; k++) { /* one pose at a time gives the same bits */
      static poses alone;
      for (int kind = 0; kind < 3; kind++)
        memcpy(alone.at[kind], p.at[kind] + k * joints * width_of(kind),
               joints * width_of(kind) * sizeof(float));
      const quatsimd_pose_in single = poses_in(&alone, 0, joints);
      assert_int_equal(quatsimd_pose_to_model(r.skeleton, again, layout, &single, above, joints, 1),
                       QUATSIMD_OK);
      assert_true(same_bits(again, model + k * joints * layout, joints * layout));
      for (size_t j = 0; j < joints; j++) {
        assert_int_equal(quatsimd_pose_joint_to_model(r.skeleton, one, layout, &single, above, j),
                         QUATSIMD_OK);
        assert_true(same_bits(one, again + j * layout, layout));
      }
    }
    /* compute skinning matrices in other memory, and then in place */
    assert_int_equal(quatsimd_pose_to_skinning(r.skeleton, again, model, layout, joints, POSES), QUATSIMD_OK);
    for (size_t e = 0; e < POSES * joints; e++) {
      const size_t j = e % joints;
      const matrix of = of_floats(model + e * layout, layout),
                   bind = of_floats(r.bind[j], QUATSIMD_MATRIX_3X4);
      const matrix wanted = multiply(&of, &bind);
      if (r.joint[j].inverse_bind) expect_near(again + e * layout, layout, &wanted, 1e-6L * largest_of(&of));
      else assert_true(same_bits(again + e * layout, model + e * layout, layout));
    }
    assert_int_equal(quatsimd_pose_to_skinning(r.skeleton, model, model, layout, joints, POSES), QUATSIMD_OK);
    assert_true(same_bits(model, again, POSES * joints * layout));
    quatsimd_skeleton_free(NULL, r.data);
  }
}

static void spoil_last(float *matrices, size_t count) {
  for (size_t i = 3; i < 16 * count; i += 4) matrices[i] = -7;
}
static void expect_last(const float *matrices, size_t count) {
  static const float last[4] = {0, 0, 0, 1};
  for (size_t i = 0; i < 4 * count; i++) assert_true(same_bits(&matrices[4 * i + 3], &last[i % 4], 1));
}

/* The last row of a 4x4 that is given may be anything. That of a result is 0, 0, 0, 1, whatever the pose. */
static void last_rows(void **state) {
  (void)state;
  static rig r;
  static poses p;
  static float model[JOINTS * 16], again[JOINTS * 16], skinning[JOINTS * 16], spoiled[JOINTS * 16], root[16],
      one[16];
  uint64_t random = 37;
  for (int round = 0; round < 6; round++) {
    make_rig(&r, JOINTS, false, &random);
    random_poses(&p, JOINTS, &random);
    if (round % 3 > 0) p.at[1][3 * (round % JOINTS)] = round % 3 == 1 ? (float)INFINITY : (float)NAN;
    const quatsimd_pose_in pose = poses_in(&p, 0, JOINTS);
    root_matrix(root, QUATSIMD_MATRIX_4X4);
    const float *above = round < 3 ? root : NULL;
    assert_int_equal(quatsimd_pose_to_model(r.skeleton, model, QUATSIMD_MATRIX_4X4, &pose, above, JOINTS, 1),
                     QUATSIMD_OK);
    expect_last(model, JOINTS);
    spoil_last(root, 1);
    assert_int_equal(quatsimd_pose_to_model(r.skeleton, again, QUATSIMD_MATRIX_4X4, &pose, above, JOINTS, 1),
                     QUATSIMD_OK);
    assert_true(same_bits(again, model, JOINTS * 16));
    for (size_t j = 0; j < JOINTS; j++) {
      assert_int_equal(quatsimd_pose_joint_to_model(r.skeleton, one, QUATSIMD_MATRIX_4X4, &pose, above, j),
                       QUATSIMD_OK);
      assert_true(same_bits(one, model + 16 * j, 16));
    }
    spoil_last(model, JOINTS);
    for (int i = 0; i < 2; i++) {
      const float *from = i ? again : model;
      assert_int_equal(quatsimd_pose_to_skinning(r.skeleton, skinning, from, QUATSIMD_MATRIX_4X4, JOINTS, 1),
                       QUATSIMD_OK);
      expect_last(skinning, JOINTS);
      if (i) assert_true(same_bits(skinning, spoiled, JOINTS * 16));
      else memcpy(spoiled, skinning, sizeof spoiled);
    }
    quatsimd_skeleton_free(NULL, r.data);
  }
}

/* Measures the error of the last joint in a chain of a thousand turns by small angles. */
static void long_chain(void **state) {
  (void)state;
  static rig r;
  static float q[4 * CHAIN], t[3 * CHAIN], model[12 * CHAIN], last[12];
  uint64_t random = 32;
  make_rig(&r, CHAIN, true, &random);
  matrix wanted = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  for (size_t j = 0; j < CHAIN; j++) {
    const double a = random_unit(&random) * 0.2 - 0.1;
    q[4 * j + j % 3] = (float)sin(a), q[4 * j + 3] = (float)cos(a), t[3 * j + (j + 1) % 3] = 0.5f;
    const matrix own = local(q + 4 * j, t + 3 * j, (const float[]){1, 1, 1});
    wanted = multiply(&wanted, &own);
  }
  const quatsimd_pose_in pose = {.rotations = quatsimd_aos(q), .translations = quatsimd_aos(t)};
  assert_int_equal(quatsimd_pose_to_model(r.skeleton, model, QUATSIMD_MATRIX_3X4, &pose, NULL, CHAIN, 1),
                   QUATSIMD_OK);
  expect_near(model + 12 * (CHAIN - 1), QUATSIMD_MATRIX_3X4, &wanted, 500 * 0x1p-20L);
  for (size_t j = 0; j < CHAIN; j += 37) {
    assert_int_equal(quatsimd_pose_joint_to_model(r.skeleton, last, QUATSIMD_MATRIX_3X4, &pose, NULL, j),
                     QUATSIMD_OK);
    assert_true(same_bits(last, model + 12 * j, 12));
  }
  quatsimd_skeleton_free(NULL, r.data);
}

static void refusals(void **state) {
  (void)state;
  static rig r;
  static poses p;
  static float to[16 * JOINTS];
  const quatsimd_matrix_layout layout = QUATSIMD_MATRIX_4X4;
  uint64_t random = 33;
  make_rig(&r, JOINTS, false, &random), random_poses(&p, JOINTS, &random);
  const quatsimd_skeleton *s = r.skeleton;
  quatsimd_pose_in pose = poses_in(&p, 0, JOINTS);
  memset(to, 0x5a, sizeof to);
  REFUSED(quatsimd_pose_to_model(NULL, to, layout, &pose, NULL, 1, 1));
  REFUSED(quatsimd_pose_to_model(s, NULL, layout, &pose, NULL, 1, 1));
  REFUSED(quatsimd_pose_to_model(s, to, layout, NULL, NULL, 1, 1));
  REFUSED(quatsimd_pose_to_model(s, to, (quatsimd_matrix_layout)9, &pose, NULL, 1, 1));
  REFUSED(quatsimd_pose_to_model(s, to, layout, &pose, NULL, JOINTS + 1, 1));
  REFUSED(quatsimd_pose_to_model(s, to, layout, &pose, NULL, JOINTS, SIZE_MAX / 2));
  REFUSED(quatsimd_pose_to_model(s, to, layout, &pose, to, 1, 1));
  REFUSED(quatsimd_pose_joint_to_model(NULL, to, layout, &pose, NULL, 0));
  REFUSED(quatsimd_pose_joint_to_model(s, NULL, layout, &pose, NULL, 0));
  REFUSED(quatsimd_pose_joint_to_model(s, to, layout, NULL, NULL, 0));
  REFUSED(quatsimd_pose_joint_to_model(s, to, (quatsimd_matrix_layout)0, &pose, NULL, 0));
  REFUSED(quatsimd_pose_joint_to_model(s, to, layout, &pose, NULL, JOINTS));
  REFUSED(quatsimd_pose_joint_to_model(s, to, layout, &pose, to, 0));
  REFUSED(quatsimd_pose_to_skinning(NULL, to, to, layout, 1, 1));
  REFUSED(quatsimd_pose_to_skinning(s, NULL, to, layout, 1, 1));
  REFUSED(quatsimd_pose_to_skinning(s, to, NULL, layout, 1, 1));
  REFUSED(quatsimd_pose_to_skinning(s, to, to, (quatsimd_matrix_layout)1, 1, 1));
  REFUSED(quatsimd_pose_to_skinning(s, to, to, layout, JOINTS + 1, 1));
  REFUSED(quatsimd_pose_to_skinning(s, to, to, layout, JOINTS, SIZE_MAX / 2));
  for (int kind = 0; kind < 3; kind++) {
    quatsimd_pose_in meets = pose;
    *(kind == 0 ? &meets.rotations : kind == 1 ? &meets.translations : &meets.scales) = quatsimd_aos(to);
    REFUSED(quatsimd_pose_to_model(s, to, layout, &meets, NULL, JOINTS, 1));
    REFUSED(quatsimd_pose_joint_to_model(s, to, layout, &meets, NULL, 0));
  }
  pose.scales = quatsimd_strided(p.at[2], 2);
  REFUSED(quatsimd_pose_to_model(s, to, layout, &pose, NULL, JOINTS, 1));
  for (size_t i = 0; i < sizeof to; i++) assert_int_equal(((unsigned char *)to)[i], 0x5a);
  assert_int_equal(quatsimd_pose_to_model(s, NULL, layout, NULL, NULL, 0, 1), QUATSIMD_OK);
  assert_int_equal(quatsimd_pose_to_model(s, NULL, layout, NULL, NULL, 1, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_pose_to_skinning(s, NULL, NULL, layout, 0, 1), QUATSIMD_OK);
  quatsimd_skeleton_free(NULL, r.data);
}

/* All tables give the same bits, of NaN and infinity too, and access no memory behind matrices. */
static void tables_agree(void **state) {
  (void)state;
  static rig r;
  static poses p;
  static float wanted[2][JOINTS * 16], given[JOINTS * 16];
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t table_count = all_kernels(tables);
  unsigned char *end[2];
  float root[16];
  uint64_t random = 77;
  for (int i = 0; i < 2; i++) end[i] = arena_new(sizeof wanted[0]).end;
  for (size_t round = 0; round < 200; round++) {
    const quatsimd_matrix_layout layout = layouts[round % 2];
    const size_t joints = 1 + sweep_next(&random) % JOINTS, floats = joints * layout, bytes = floats * 4;
    const uint32_t joint = (uint32_t)(sweep_next(&random) % joints);
    make_rig(&r, joints, round % 5 == 0, &random);
    random_poses(&p, joints, &random);
    root_matrix(root, layout);
    if (layout == QUATSIMD_MATRIX_4X4) root[3] = root[15] = NAN; /* is not read */
    if (round % 3 == 0) p.at[1][sweep_next(&random) % (3 * joints)] = round % 2 ? NAN : INFINITY;
    for (size_t i = 0; i < floats; i++) given[i] = i % 97 == 13 ? -NAN : (float)(random_unit(&random) - 0.5);
    const quatsimd_pose_in pose = poses_in(&p, 0, joints);
    const float *const above = round & 4 ? root : NULL;
    for (size_t t = 0; t <= table_count; t++) {
      float *const to = (float *)(void *)(end[0] - bytes), *const from = (float *)(void *)(end[1] - bytes);
      const quatsimd_kernels *const table = t ? tables[t - 1] : scalar_kernels();
      if (t > 0 && !can_run(table)) continue;
      quatsimd_use_kernels(table);
      assert_int_equal(quatsimd_pose_to_model(r.skeleton, to, layout, &pose, above, joints, 1), QUATSIMD_OK);
      if (t == 0) memcpy(wanted[0], to, bytes);
      assert_memory_equal(to, wanted[0], bytes);
      memcpy(from, given, bytes);
      assert_int_equal(quatsimd_pose_to_skinning(r.skeleton, to, from, layout, joints, 1), QUATSIMD_OK);
      if (t == 0) memcpy(wanted[1], to, bytes);
      assert_memory_equal(to, wanted[1], bytes);
      assert_int_equal(quatsimd_pose_joint_to_model(r.skeleton, to, layout, &pose, above, joint),
                       QUATSIMD_OK);
      assert_memory_equal(to, wanted[0] + joint * layout, layout * sizeof *to);
    }
    quatsimd_skeleton_free(NULL, r.data);
  }
  quatsimd_use_kernels(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(models), cmocka_unit_test(last_rows),
                                     cmocka_unit_test(long_chain), cmocka_unit_test(refusals),
                                     cmocka_unit_test(tables_agree)};
  return cmocka_run_group_tests_name("model space", tests, NULL, NULL);
}
