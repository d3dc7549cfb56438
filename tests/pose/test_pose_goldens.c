/* Checks that pose.h gives the same bits on every machine. test_pose_goldens --write prints the table. */
#include "poses.h"

#include "support/denormals.h"
#include "support/hash.h"

#include <inttypes.h>
#include <stdio.h>

enum { JOINTS = 61, TRACKS = 9, POSES = 4, KEYS = 24, CLIPS = 3 };
enum { BLEND, ADD, SUBTRACT, MODEL, SKINNING, LOCAL, APART, JOBS, MOTION, COUNTS, REACH, AIM, RESULTS };

static const char *const names[RESULTS] = {"blend", "add",  "subtract",    "model",  "skinning", "local",
                                           "apart", "jobs", "root motion", "counts", "reach",    "aim"};
static const uint64_t goldens[RESULTS] = {0xa1ab53db73365a07, 0x51d78cd0bc83663d, 0xbeb0974cf0e82a22,
                                          0xf3e139870012135e, 0x3cd4d6c675c45471, 0x4ee58e0b6ce956a9,
                                          0x92480936bf960e1a, 0x58177353c3311f0d, 0x9d993480995dd8c3,
                                          0x8c43028ded7dc9f4, 0x1591ed887093dd1e, 0x0f993a420d84da84};

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

/* Makes a clip whose joints turn from key to key. Every fifth joint has the rotation of the rest pose. */
static void make_clip(void **data, quatsimd_clip **clip, quatsimd_clip_storage *storage,
                      const quatsimd_skeleton *skeleton, const quatsimd_skeleton_joint *from, bool additive,
                      uint64_t *random) {
  static float rotations[JOINTS][4 * KEYS], translations[JOINTS][3 * KEYS];
  static double times[KEYS];
  quatsimd_clip_joint joint[JOINTS];
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.skeleton = skeleton, options.rotation_bound = 1e-3f, options.translation_bound = 1e-3f;
  options.additive = additive ? QUATSIMD_CLIP_ADDITIVE_FIRST : QUATSIMD_CLIP_ADDITIVE_NONE;
  for (size_t k = 0; k < KEYS; k++) times[k] = (double)k / 32;
  for (size_t j = 0; j < JOINTS; j++) {
    double q[4] = {0, 0, 0, 1};
    for (size_t k = 0; k < KEYS; k++) {
      double n2 = 0;
      for (int c = 0; c < 4; c++) q[c] += random_unit(random) * 0.2 - 0.1, n2 += q[c] * q[c];
      for (size_t c = 0; c < 4; c++) rotations[j][4 * k + c] = (float)(q[c] / sqrt(n2));
      for (size_t c = 0; c < 3; c++)
        translations[j][3 * k + c] = (float)((double)k * 0.01 + 0.1 * random_unit(random));
    }
    joint[j] = (quatsimd_clip_joint){.parent = from[j].parent};
    if (j % 5 != 1) joint[j].rotation = (quatsimd_curve){KEYS, times, rotations[j], 0};
    if (j % 5 == 0) joint[j].translation = (quatsimd_curve){KEYS, times, translations[j], 0};
  }
  const quatsimd_clip_source source = {JOINTS, joint, 0, NULL};
  size_t size;
  assert_int_equal(quatsimd_clip_encode(data, &size, &source, &options, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(clip, storage, sizeof *storage, *data, size), QUATSIMD_OK);
}

static void compute_jobs(uint64_t hash[RESULTS], const quatsimd_skeleton *skeleton,
                         const quatsimd_skeleton_joint *joint, const float *mask, bool flush) {
  static quatsimd_clip_storage storage[CLIPS];
  static float skinning[POSES * JOINTS * 16];
  const float up[3] = {0, 1, 0};
  void *data[CLIPS];
  quatsimd_clip *clip[CLIPS];
  quatsimd_pose_layer layer[POSES][CLIPS];
  quatsimd_pose_job job[POSES];
  quatsimd_root_motion_storage motion_storage;
  quatsimd_root_motion *motion;
  uint64_t random = 42;
  for (int c = 0; c < CLIPS; c++)
    make_clip(&data[c], &clip[c], &storage[c], skeleton, joint, c == CLIPS - 1, &random);
  flush_denormals(flush);
  quatsimd_status all = quatsimd_root_motion_init(&motion, &motion_storage, sizeof motion_storage, skeleton,
                                                  clip[0], 0, QUATSIMD_ROOT_ACROSS + QUATSIMD_ROOT_TURN, up);
  for (size_t p = 0; p < POSES; p++) {
    for (size_t c = 0; c < CLIPS; c++)
      layer[p][c] = (quatsimd_pose_layer){.clip = clip[c],
                                          .time = 0.37 * (double)(p + c),
                                          .wrap = QUATSIMD_CLIP_WRAP_LOOP,
                                          .weight = 0.25f * (float)(p + 1),
                                          .mask = c == 1 ? mask : NULL,
                                          .motion = c == 0 ? motion : NULL};
    job[p] = (quatsimd_pose_job){.struct_size = sizeof job[p],
                                 .layer_size = sizeof layer[p][0],
                                 .skeleton = skeleton,
                                 .layers = layer[p],
                                 .layer_count = p == 2 ? 1 : CLIPS,
                                 .skinning = skinning + 16 * JOINTS * p,
                                 .layout = QUATSIMD_MATRIX_4X4};
  }
  const size_t size = quatsimd_pose_scratch_size(job, POSES);
  void *scratch = malloc(size);
  assert_non_null(scratch);
  all |= quatsimd_pose_evaluate(job, POSES, scratch, size, NULL);
  hash[JOBS] = hash_floats(skinning, sizeof skinning / sizeof *skinning, 0);
  hash[MOTION] = 0;
  for (int i = 0; i < 20; i++) {
    float moved[7];
    all |= quatsimd_root_motion_between(motion, moved, moved + 4, clip[0], 0.11 * i, 0.29 * i - 0.5,
                                        QUATSIMD_CLIP_WRAP_LOOP);
    hash[MOTION] = hash_floats(moved, 7, hash[MOTION]);
  }
  flush_denormals(false);
  assert_int_equal(all, QUATSIMD_OK);
  free(scratch);
  for (int c = 0; c < CLIPS; c++) quatsimd_clip_free(NULL, data[c]);
}

/* Computes one pose of 1 to 9 joints and as many tracks. Some counts fill vectors of 4 or 8 lanes exactly. */
static quatsimd_status compute_counts(uint64_t *hash, const quatsimd_skeleton *skeleton, poses *a, poses *b,
                                      poses *rest) {
  static poses out;
  quatsimd_status all = QUATSIMD_OK;
  *hash = 0;
  for (size_t n = 1; n <= 9; n++) {
    float model[9 * 16];
    const quatsimd_pose_counts counts = {n, n, 1};
    const quatsimd_pose_in of_a = poses_in(a, 0, n), of_b = poses_in(b, 0, n), of_rest = poses_in(rest, 0, n);
    quatsimd_pose_out to = poses_out(&out, 0, n);
    const quatsimd_weighted_poses layer = {of_b, (const float[]){0.75f}, NULL, NULL};
    for (int operation = 0; operation < 5; operation++) {
      all |= operation == 0   ? quatsimd_pose_blend(&to, &layer, 1, &of_rest, counts)
             : operation == 1 ? quatsimd_pose_add(&to, &of_a, &layer, counts)
             : operation == 2 ? quatsimd_pose_subtract(&to, &of_a, &of_b, counts)
             : operation == 3
                 ? quatsimd_pose_to_model(skeleton, model, QUATSIMD_MATRIX_4X4, &of_a, NULL, n, 1)
                 : quatsimd_pose_from_local(&to, model, QUATSIMD_MATRIX_4X4, n);
      for (int kind = 0; kind < 3; kind++) *hash = hash_floats(out.moved[kind], n * width_of(kind), *hash);
    }
    *hash = hash_floats(out.at[TRACK], n, hash_floats(model, 16 * n, *hash));
  }
  return all;
}

/* Reaches for points and aims at them with the last joints of chains. */
static quatsimd_status compute_goals(uint64_t hash[RESULTS], const quatsimd_skeleton *skeleton,
                                     const quatsimd_skeleton_joint *joint, poses *p, uint64_t *random) {
  enum { GOALS = 6 };
  static poses to;
  quatsimd_pose_goal goal[POSES][GOALS] = {{{0}}};
  for (size_t i = 0; i < POSES * GOALS; i++) {
    quatsimd_pose_goal *const g = &goal[i / GOALS][i % GOALS];
    int64_t up[2] = {-1, -1};
    while (up[1] < 0) {
      g->joint = (uint32_t)(sweep_next(random) % JOINTS), up[0] = joint[g->joint].parent;
      up[1] = up[0] < 0 ? -1 : joint[up[0]].parent;
    }
    g->middle = (uint32_t)up[0], g->first = (uint32_t)up[1];
    g->weight = i % 3 ? 1 : (float)random_unit(random);
    for (int c = 0; c < 3; c++) {
      g->target[c] = (float)(random_unit(random) * 20 - 10), g->axis[c] = (float)random_unit(random);
      g->pole[c] = i % 4 ? (float)(random_unit(random) - 0.5) : 0;
    }
    g->softness = i % 5 ? 0 : 0.25f, g->limit = i % 2 ? 0 : 0.5f;
  }
  quatsimd_status all = QUATSIMD_OK;
  for (int i = 0; i < 2; i++) {
    to = *p;
    move_pose(&to, 0, POSES * JOINTS, false);
    quatsimd_pose_out views = poses_out(&to, 0, POSES * JOINTS);
    all |= i ? quatsimd_pose_aim(skeleton, &views, goal[0], sizeof goal[0][0], GOALS,
                                 (quatsimd_pose_counts){JOINTS, 0, POSES})
             : quatsimd_pose_reach(skeleton, &views, goal[0], sizeof goal[0][0], GOALS,
                                   (quatsimd_pose_counts){JOINTS, 0, POSES});
    hash[i ? AIM : REACH] = hash_floats(to.moved[0], 4 * POSES * JOINTS, 0);
  }
  return all;
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
  void *data;
  quatsimd_skeleton *skeleton = open_skeleton(&data, &storage, &source);
  const quatsimd_pose_in of_a = poses_in(&a, 0, POSES * JOINTS), of_b = poses_in(&b, 0, POSES * JOINTS),
                         of_rest = poses_in(&rest, 0, JOINTS);
  quatsimd_pose_out to = poses_out(&out, 0, POSES * JOINTS);
  const quatsimd_weighted_poses layer[] = {{of_a, weights[0], NULL, NULL}, {of_b, weights[1], mask, NULL}};
  const quatsimd_matrix_layout layout = QUATSIMD_MATRIX_4X4;
  const quatsimd_pose_counts counts = {JOINTS, TRACKS, POSES};
  flush_denormals(flush);
  quatsimd_status all = quatsimd_pose_blend(&to, layer, 2, &of_rest, counts);
  hash[BLEND] = hash_of(&out);
  all |= quatsimd_pose_add(&to, &of_a, &layer[1], counts);
  hash[ADD] = hash_of(&out);
  all |= quatsimd_pose_subtract(&to, &of_a, &of_b, counts);
  hash[SUBTRACT] = hash_of(&out);
  all |= quatsimd_pose_to_model(skeleton, model, layout, &of_a, NULL, JOINTS, POSES);
  hash[MODEL] = hash_floats(model, sizeof model / sizeof *model, 0);
  all |= quatsimd_pose_to_skinning(skeleton, model, model, layout, JOINTS, POSES);
  hash[SKINNING] = hash_floats(model, sizeof model / sizeof *model, 0);
  all |= quatsimd_pose_to_local(model, layout, &of_b, POSES * JOINTS);
  hash[LOCAL] = hash_floats(model, sizeof model / sizeof *model, 0);
  all |= quatsimd_pose_from_local(&to, model, layout, POSES * JOINTS);
  hash[APART] = hash_of(&out);
  all |= compute_counts(&hash[COUNTS], skeleton, &a, &b, &rest);
  all |= compute_goals(hash, skeleton, joint, &a, &random);
  flush_denormals(false);
  assert_int_equal(all, QUATSIMD_OK);
  compute_jobs(hash, skeleton, joint, mask, flush);
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
