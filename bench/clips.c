/* Clips to encode and to sample: a skeleton whose joints turn to and fro, each at a velocity that wanders. */
#include <stdio.h>
#include <stdlib.h>

#include <quatsimd/quatsimd.h>

#include "bench.h"

#define FRAMES 256 /* at 30 Hz */

static struct {
  double times[FRAMES];
  float rotations[CLIP_JOINTS][FRAMES][4], translations[CLIP_JOINTS][3];
} keys;

static struct {
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  void *data;
  size_t size, poses;
  float *rotations, *translations;
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_skeleton *skeleton;
  quatsimd_pose_job job;
  quatsimd_pose_layer layer[2];
  float *matrices;
  void *scratch;
  size_t scratch_size;
} work;

static void check(quatsimd_status status) {
  if (status != QUATSIMD_OK) die(quatsimd_status_string(status));
}

static void *allocate(size_t bytes) {
  void *p = malloc(bytes);
  if (!p) die("out of memory");
  return p;
}

/* -1 to 1. */
static float random_number(uint64_t *state) { return (float)(random_bits(state) >> 40) * 0x1p-23f - 1; }

static void make_source(void) {
  static float velocity[CLIP_JOINTS][3], frame[CLIP_JOINTS][4];
  const float dt = 1.0f / 30;
  uint64_t state = 1;
  random_rotations(frame[0], CLIP_JOINTS, 1);
  for (size_t f = 0; f < FRAMES; f++) {
    keys.times[f] = (double)f / 30;
    for (size_t j = 0; j < CLIP_JOINTS; j++)
      for (int c = 0; c < 4; c++) keys.rotations[j][f][c] = frame[j][c];
    for (size_t j = 0; j < CLIP_JOINTS; j++)
      for (int c = 0; c < 3; c++) velocity[j][c] = 0.95f * velocity[j][c] + 0.3f * random_number(&state);
    check(quatsimd_integrate(quatsimd_aos_out(frame[0]), quatsimd_aos(frame[0]), quatsimd_aos(velocity[0]),
                             quatsimd_one(&dt), CLIP_JOINTS));
  }
  for (size_t j = 0; j < CLIP_JOINTS; j++)
    for (int c = 0; c < 3; c++) keys.translations[j][c] = 0.1f * random_number(&state);
}

static void encode(void **data, size_t *size, size_t joints, size_t first, size_t frames) {
  quatsimd_clip_joint joint[CLIP_JOINTS];
  const quatsimd_clip_source source = {joints, joint, 0, NULL};
  quatsimd_clip_options options;
  check(quatsimd_clip_options_init(&options, sizeof options));
  options.rotation_bound = 1e-3f, options.translation_bound = 1e-4f;
  for (size_t j = 0; j < joints; j++)
    joint[j] = (quatsimd_clip_joint){.parent = (int64_t)j - 1,
                                     .rotation = {frames, keys.times + first, keys.rotations[j][first], 0},
                                     .translation = {1, NULL, keys.translations[j], 0}};
  check(quatsimd_clip_encode(data, size, &source, &options, NULL));
}

static void make_clip(void) {
  make_source();
  encode(&work.data, &work.size, CLIP_JOINTS, 0, FRAMES);
  check(quatsimd_clip_open(&work.clip, &work.storage, sizeof work.storage, work.data, work.size));
}

/* A job of two layers, from the clip to matrices for skinning. */
static void make_job(void) {
  static char name[CLIP_JOINTS][8];
  quatsimd_skeleton_joint joint[CLIP_JOINTS];
  void *data;
  size_t size;
  for (size_t j = 0; j < CLIP_JOINTS; j++) {
    snprintf(name[j], sizeof name[j], "%zu", j);
    joint[j] = (quatsimd_skeleton_joint){.name = name[j],
                                         .parent = (int64_t)j - 1,
                                         .rotation = {0, 0, 0, 1},
                                         .scale = {1, 1, 1},
                                         .inverse_bind = (const float[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  }
  const quatsimd_skeleton_source source = {CLIP_JOINTS, joint, 0, NULL, 1, NULL};
  check(quatsimd_skeleton_encode(&data, &size, &source, NULL, NULL));
  check(quatsimd_skeleton_open(&work.skeleton, &work.skeleton_storage, sizeof work.skeleton_storage, data,
                               size));
  work.matrices = allocate(2 * 12 * CLIP_JOINTS * sizeof(float));
  for (int l = 0; l < 2; l++)
    work.layer[l] = (quatsimd_pose_layer){.clip = work.clip, .weight = l ? 0.3f : 0.7f};
  work.job = (quatsimd_pose_job){.struct_size = sizeof work.job,
                                 .layer_size = sizeof work.layer[0],
                                 .skeleton = work.skeleton,
                                 .layers = work.layer,
                                 .layer_count = 2,
                                 .model = work.matrices,
                                 .skinning = work.matrices + 12 * CLIP_JOINTS,
                                 .layout = QUATSIMD_MATRIX_3X4};
  work.scratch_size = quatsimd_pose_scratch_size(&work.job, 1);
  work.scratch = allocate(work.scratch_size);
}

size_t prepare_clip(size_t joints, size_t poses) {
  if (!work.data) make_clip(), make_job();
  free(work.rotations);
  free(work.translations);
  work.poses = poses;
  work.rotations = allocate(16 * CLIP_JOINTS * poses);
  work.translations = allocate(12 * CLIP_JOINTS * poses);
  return 28 * joints * poses + work.size * joints * poses / (CLIP_JOINTS * FRAMES);
}

static void sample(size_t pose, double frame) {
  quatsimd_pose_out to = {quatsimd_aos_out(work.rotations + 4 * CLIP_JOINTS * pose),
                          quatsimd_aos_out(work.translations + 3 * CLIP_JOINTS * pose),
                          {0},
                          NULL};
  check(quatsimd_clip_sample(work.clip, &to, NULL, quatsimd_clip_start(work.clip) + frame / 30,
                             QUATSIMD_CLIP_WRAP_CLAMP, 0));
}

void seek_clip(void) {
  uint64_t state = 1;
  for (size_t i = 0; i < work.poses; i++)
    sample(i, (double)(random_bits(&state) >> 40) * 0x1p-24 * (FRAMES - 1));
}

void evaluate_jobs(void) {
  uint64_t state = 1;
  for (size_t i = 0; i < work.poses; i++) {
    for (int l = 0; l < 2; l++)
      work.layer[l].time = (double)(random_bits(&state) >> 40) * 0x1p-24 * (FRAMES - 1) / 30;
    check(quatsimd_pose_evaluate(&work.job, 1, work.scratch, work.scratch_size, NULL));
  }
}

void decode_clip(void) {
  quatsimd_pose_out to = {quatsimd_aos_out(work.rotations), quatsimd_aos_out(work.translations), {0}, NULL};
  check(quatsimd_clip_decode(work.clip, &to, NULL, 0, work.poses, 0));
}

void encode_clip(void) {
  enum { AT_ONCE = 16 };
  for (size_t first = 0; first < work.poses; first += AT_ONCE) {
    void *data;
    size_t size;
    encode(&data, &size, ENCODED_JOINTS, first, AT_ONCE);
    quatsimd_clip_free(NULL, data);
  }
}
