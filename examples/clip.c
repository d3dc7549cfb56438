/* A chain's animation, encoded and played. */
#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>

enum { JOINTS = 20, KEYS = 91 }; /* three seconds at 30 Hz */

static void fail(const char *what, quatsimd_status status, const char *why) {
  fprintf(stderr, "%s: %s%s%s\n", what, quatsimd_status_string(status), why ? ": " : "", why ? why : "");
  exit(1);
}

/* A chain that swings, each joint a little later than the one before. */
static void animate(float rotations[JOINTS][KEYS][4], double times[KEYS]) {
  for (int k = 0; k < KEYS; k++) {
    times[k] = k / 30.0;
    for (int j = 0; j < JOINTS; j++) {
      const float phase = (float)((k + 90 - 2 * j) % 90) / 45 - 1; /* -1 to 1, in three seconds */
      const float bend = 4 * phase * (1 - (phase < 0 ? -phase : phase));
      rotations[j][k][0] = 0.2f * bend, rotations[j][k][1] = 0, rotations[j][k][2] = 0.1f,
      rotations[j][k][3] = 1;
    }
  }
}

/* The engine's part: opens the clip and plays it. */
static float play(const void *data, size_t size) {
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  quatsimd_status status = quatsimd_clip_open(&clip, &storage, sizeof storage, data, size);
  if (status != QUATSIMD_OK) fail("open", status, NULL);
  float rotations[JOINTS][4], translations[JOINTS][3], highest = 0;
  if (quatsimd_clip_joint_count(clip) != JOINTS) fail("another skeleton's clip", QUATSIMD_OK, NULL);
  quatsimd_pose_out pose = {quatsimd_aos_out(rotations[0]), quatsimd_aos_out(translations[0]), {0}, NULL};

  for (int i = 0; status == QUATSIMD_OK && i < 600; i++) { /* ten seconds at 60 Hz */
    const double time = i / 60.0; /* of a clock; after its end the clip begins again */
    status = quatsimd_clip_sample(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0);
    for (int j = 0; j < JOINTS; j++)
      if (rotations[j][0] > highest) highest = rotations[j][0];
  }
  if (status != QUATSIMD_OK) fail("sample", status, NULL);
  return highest;
}

int main(void) {
  static float rotations[JOINTS][KEYS][4];
  static const float along[3] = {0, 0.1f, 0};
  double times[KEYS];
  animate(rotations, times);

  quatsimd_clip_joint joints[JOINTS] = {{0}};
  for (int j = 0; j < JOINTS; j++) {
    const quatsimd_curve swing = {KEYS, times, rotations[j][0], 0}, offset = {1, NULL, along, 0};
    joints[j].parent = j - 1;
    joints[j].rotation = swing, joints[j].translation = offset;
  }
  const quatsimd_clip_source source = {JOINTS, joints, 0, NULL};
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  /* radians; the unit of translations */
  options.rotation_bound = 0.001f, options.translation_bound = 0.0001f;
  options.looping = 1;
  quatsimd_clip_report report;
  quatsimd_clip_report_init(&report, sizeof report);
  void *data;
  size_t size;
  const quatsimd_status status = quatsimd_clip_encode(&data, &size, &source, &options, &report);
  if (status != QUATSIMD_OK) fail("encode", status, report.error);

  const float highest = play(data, size);
  printf("%d joints, %zu frames, %zu bytes: %.2f bits a key; worst error %g radians; x up to %g\n", JOINTS,
         report.frame_count, size, 8.0 * (double)size / (JOINTS * KEYS),
         (double)report.worst[QUATSIMD_CLIP_ROTATION], (double)highest);
  quatsimd_clip_free(NULL, data);
  return report.worst[QUATSIMD_CLIP_ROTATION] <= options.rotation_bound && highest > 0.19f && highest < 0.2f
             ? 0
             : 1;
}
