/* Results have the same bits on every machine. test_pose_goldens --write prints the table below. */
#include "poses.h"

#include "support/denormals.h"
#include "support/hash.h"

#include <inttypes.h>
#include <stdio.h>

enum { JOINTS = 61, TRACKS = 9, POSES = 4, RESULTS = 5 };

static const char *const names[RESULTS] = {"blend", "add", "subtract", "model", "skinning"};
static const uint64_t goldens[RESULTS] = {0xa1ab53db73365a07, 0x51d78cd0bc83663d, 0xbeb0974cf0e82a22,
                                          0xf3e139870012135e, 0x3cd4d6c675c45471};

static uint64_t hash_floats(const float *floats, size_t count, uint64_t seed) {
  static unsigned char bytes[16 * POSES * JOINTS * sizeof(float)];
  put_floats(bytes, floats, count);
  return XXH64(bytes, count * sizeof(float), seed);
}

static uint64_t hash_of(const poses *p) {
  uint64_t h = 0;
  for (int kind = 0; kind < 3; kind++) h = hash_floats(p->moved[kind], POSES * JOINTS * width_of(kind), h);
  return hash_floats(p->at[TRACK], POSES * TRACKS, h);
}

static void compute(uint64_t hash[RESULTS], bool flush) {
  static poses a, b, rest, out;
  static quatsimd_skeleton_joint joint[JOINTS];
  static float bind[JOINTS][12], weights[2][POSES], mask[JOINTS], model[16 * POSES * JOINTS];
  uint64_t random = 41;
  random_poses(&a, POSES * JOINTS, &random), random_poses(&b, POSES * JOINTS, &random);
  random_poses(&rest, JOINTS, &random);
  for (size_t p = 0; p < POSES; p++)
    for (int i = 0; i < 2; i++) weights[i][p] = (float)random_unit(&random);
  for (size_t j = 0; j < JOINTS; j++) {
    mask[j] = (float)random_unit(&random);
    for (int i = 0; i < 12; i++) bind[j][i] = (float)(random_unit(&random) * 2 - 1);
    joint[j] = (quatsimd_skeleton_joint){.name = "",
                                         .parent = (int64_t)(sweep_next(&random) % (j + 1)) - 1,
                                         .rotation = {0, 0, 0, 1},
                                         .scale = {1, 1, 1},
                                         .inverse_bind = bind[j]};
  }
  const quatsimd_skeleton_source source = {JOINTS, joint, 0, NULL, 1, NULL};
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  void *data;
  size_t size;
  assert_int_equal(quatsimd_skeleton_encode(&data, &size, &source, NULL, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, data, size), QUATSIMD_OK);
  const quatsimd_pose_in of_a = poses_in(&a, 0, POSES * JOINTS), of_b = poses_in(&b, 0, POSES * JOINTS),
                         of_rest = poses_in(&rest, 0, JOINTS);
  const quatsimd_pose to = poses_out(&out, 0, POSES * JOINTS);
  const quatsimd_weighted_poses layer[] = {{of_a, weights[0], NULL, NULL}, {of_b, weights[1], mask, NULL}};
  const quatsimd_matrix_layout layout = QUATSIMD_MATRIX_4X4;
  flush_denormals(flush);
  quatsimd_status all = quatsimd_pose_blend(&to, layer, 2, &of_rest, JOINTS, TRACKS, POSES);
  hash[0] = hash_of(&out);
  all |= quatsimd_pose_add(&to, &of_a, &layer[1], JOINTS, TRACKS, POSES);
  hash[1] = hash_of(&out);
  all |= quatsimd_pose_subtract(&to, &of_a, &of_b, JOINTS, TRACKS, POSES);
  hash[2] = hash_of(&out);
  all |= quatsimd_pose_to_model(skeleton, model, layout, &of_a, NULL, JOINTS, POSES);
  hash[3] = hash_floats(model, sizeof model / sizeof *model, 0);
  all |= quatsimd_pose_to_skinning(skeleton, model, model, layout, JOINTS, POSES);
  hash[4] = hash_floats(model, sizeof model / sizeof *model, 0);
  flush_denormals(false);
  assert_int_equal(all, QUATSIMD_OK);
  quatsimd_skeleton_free(NULL, data);
}

static void same_bits_everywhere(void **state) {
  (void)state;
  for (int flush = 0; flush < (flush_denormals(false) ? 2 : 1); flush++) {
    uint64_t hash[RESULTS];
    compute(hash, flush);
    for (int i = 0; i < RESULTS; i++)
      if (hash[i] != goldens[i]) fail_msg("%s%s differs", names[i], flush ? ", denormals flushed," : "");
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--write") == 0) {
    uint64_t hash[RESULTS];
    compute(hash, false);
    for (int i = 0; i < RESULTS; i++) printf("0x%016" PRIx64 ", ", hash[i]);
    return putchar('\n') == EOF;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits_everywhere)};
  return cmocka_run_group_tests_name("goldens of poses", tests, NULL, NULL);
}
