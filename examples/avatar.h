/* The avatar of avatar.c: its skeleton, its motion, and its errors. */
#include <math.h>
#include <quatsimd/quatsimd.h>
#include <string.h>

enum { JOINTS = 20, WEIGHTS = 52 };
static const int parents[JOINTS] = {-1, 0, 1, 2, 3, 3, 5, 6, 7, 3, 9, 10, 11, 0, 13, 14, 0, 16, 17, 2};
static float places[JOINTS][3], turns[JOINTS][4], weights[WEIGHTS]; /* sent */
static float got_places[JOINTS][3], got_turns[JOINTS][4], got_weights[WEIGHTS];
static quatsimd_skeleton *skeleton;

/* Makes the skeleton. Returns false if memory is short. */
static int make_skeleton(void) {
  quatsimd_skeleton_joint joints[JOINTS];
  for (int j = 0; j < JOINTS; j++) {
    places[j][0] = 0.08f * (float)(j % 5), places[j][1] = j < 13 ? 0.2f : -0.4f;
    joints[j] = (quatsimd_skeleton_joint){
        "", parents[j], {0, 0, 0, 1}, {places[j][0], places[j][1], places[j][2]}, {1, 1, 1}, NULL};
  }
  memcpy(got_places, places, sizeof places);
  const quatsimd_skeleton_source source = {.joint_count = JOINTS, .joints = joints, .metres = 1};
  static quatsimd_skeleton_storage storage;
  static void *data;
  size_t size;
  return quatsimd_skeleton_encode(&data, &size, &source, NULL, NULL) == QUATSIMD_OK &&
         quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, data, size) == QUATSIMD_OK;
}

/* Both processes know the motion; the client only compares. The last joint never turns. */
static void move(uint32_t time) {
  const float t = (float)time / 30;
  for (int j = 0; j < JOINTS; j++) {
    const float half = j == JOINTS - 1 ? 0 : 0.3f * sinf((2 + (float)(j % 3)) * t + (float)j);
    turns[j][j % 3] = sinf(half), turns[j][3] = cosf(half);
  }
  places[0][0] = 1.2f * t, places[0][1] = 1 + 0.03f * sinf(8 * t);
  for (int w = 0; w < WEIGHTS; w++) weights[w] = fmaxf(0, sinf(3 * t + (float)w) - 0.5f);
}

/* Returns the largest error of points at 10 cm from a joint, fixed to it, along its axes. */
static float worst_point(void) {
  static float sent[JOINTS][12], got[JOINTS][12];
  const quatsimd_pose_in a = {quatsimd_aos(turns[0]), quatsimd_strided(places[0], 12), {0}, NULL},
                         b = {quatsimd_aos(got_turns[0]), quatsimd_strided(got_places[0], 12), {0}, NULL};
  quatsimd_pose_to_model(skeleton, sent[0], QUATSIMD_MATRIX_3X4, &a, NULL, JOINTS, 1);
  quatsimd_pose_to_model(skeleton, got[0], QUATSIMD_MATRIX_3X4, &b, NULL, JOINTS, 1);
  float worst = 0;
  for (int i = 0; i < 6 * JOINTS; i++) {
    float d[3], by = i % 2 ? 0.1f : -0.1f;
    const float *const p = sent[i / 6], *const q = got[i / 6];
    for (int r = 0, c = i / 2 % 3; r < 12; r += 4)
      d[r / 4] = p[r + 3] - q[r + 3] + by * (p[r + c] - q[r + c]);
    worst = fmaxf(worst, hypotf(hypotf(d[0], d[1]), d[2]));
  }
  return worst;
}
