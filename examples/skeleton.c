#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 }; /* joints */

static void fail(const char *what, quatsimd_status status, const char *why) {
  fprintf(stderr, "%s: %s%s%s\n", what, quatsimd_status_string(status), why ? ": " : "", why ? why : "");
  exit(1);
}

/* A tool writes the skeleton: an arm, 0.3 m from joint to joint, and a thumb 0.1 m from the hand. */
static void *make(size_t *size) {
  const quatsimd_skeleton_joint joints[] = {
      {"shoulder", -1, {0, 0, 0, 1}, {0, 1.4f, 0}, {1, 1, 1}, NULL},
      {"elbow", 0, {0, 0, 0, 1}, {0.3f, 0, 0}, {1, 1, 1}, NULL},
      {"hand", 1, {0, 0, 0.7071068f, 0.7071068f}, {0.3f, 0, 0}, {1, 1, 1}, NULL},
      {"thumb", 2, {0, 0, 0, 1}, {0.1f, 0, 0}, {1, 1, 1}, NULL}};
  const quatsimd_skeleton_source source = {4, joints, 0, NULL, 1, NULL};
  quatsimd_skeleton_report report;
  quatsimd_skeleton_report_init(&report, sizeof report);
  void *data = NULL;
  const quatsimd_status status = quatsimd_skeleton_encode(&data, size, &source, NULL, &report);
  if (status != QUATSIMD_OK) fail("encode", status, report.error);
  return data;
}

/* The tool's clip: the elbow bends by a right angle in a second. All else is at rest. */
static void *bend(size_t *size, const quatsimd_skeleton *skeleton) {
  static const double times[] = {0, 1};
  static const float turns[] = {0, 0, 0, 1, 0, 0, 0.7071068f, 0.7071068f};
  quatsimd_clip_joint joints[MOST] = {{0}};
  joints[1].rotation.key_count = 2, joints[1].rotation.times = times, joints[1].rotation.values = turns;
  for (size_t j = 0; j < quatsimd_skeleton_joint_count(skeleton); j++)
    joints[j].parent = quatsimd_skeleton_parent(skeleton, j);
  const quatsimd_clip_source source = {quatsimd_skeleton_joint_count(skeleton), joints, 0, NULL};
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.skeleton = skeleton;
  options.object_bound = 0.0001f, options.object_distance = 0.03f; /* metres */
  void *data = NULL;
  const quatsimd_status status = quatsimd_clip_encode(&data, size, &source, &options, NULL);
  if (status != QUATSIMD_OK) fail("encode the clip", status, NULL);
  return data;
}

/* An engine reads the skeleton and the clip, and finds where a joint is at a time, in model space. */
static void place(float point[3], const quatsimd_skeleton *skeleton, const quatsimd_clip *clip, double time,
                  const char *name) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton);
  const int64_t wanted = quatsimd_skeleton_find_joint(skeleton, name);
  if (wanted < 0 || joints > MOST) fail(name, QUATSIMD_OK, "no such joint, or too many");
  if (quatsimd_clip_skeleton_hash(clip) != quatsimd_skeleton_hash(skeleton))
    fail("the clip is of another skeleton", QUATSIMD_OK, NULL);

  float rotations[MOST][4], translations[MOST][3], scales[MOST][3];
  quatsimd_pose_out rest_pose = {quatsimd_aos_out(rotations[0]), quatsimd_aos_out(translations[0]),
                                 quatsimd_aos_out(scales[0]), NULL};
  quatsimd_skeleton_rest_pose(skeleton, &rest_pose, 0, joints);
  const quatsimd_pose_in rest = {quatsimd_aos(rotations[0]), quatsimd_aos(translations[0]),
                                 quatsimd_aos(scales[0]), NULL};

  float model[MOST][8]; /* rotation, translation, scale, as in sqt.h */
  quatsimd_pose_out pose = {quatsimd_strided_out(model[0], sizeof model[0]),
                            quatsimd_strided_out(model[0] + 4, sizeof model[0]),
                            {0},
                            NULL}; /* scales are 1 here */
  quatsimd_clip_sample(clip, &pose, &rest, time, QUATSIMD_CLIP_WRAP_CLIP, 0);
  for (size_t j = 0; j < joints; j++) { /* parents come first */
    const int64_t parent = quatsimd_skeleton_parent(skeleton, j);
    model[j][7] = 1;
    if (parent >= 0)
      quatsimd_sqt_compose(quatsimd_aos_out(model[j]), quatsimd_aos(model[parent]), quatsimd_aos(model[j]),
                           1);
  }
  for (int i = 0; i < 3; i++) point[i] = model[wanted][4 + i];
}

int main(void) {
  size_t size, clip_size;
  void *data = make(&size);
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  quatsimd_status status = quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, data, size);
  if (status != QUATSIMD_OK) fail("open", status, NULL);
  void *clip_data = bend(&clip_size, skeleton);
  quatsimd_clip_storage clip_storage;
  quatsimd_clip *clip;
  status = quatsimd_clip_open(&clip, &clip_storage, sizeof clip_storage, clip_data, clip_size);
  if (status != QUATSIMD_OK) fail("open the clip", status, NULL);
  printf("a skeleton of %zu bytes, a clip of %zu\n", size, clip_size);
  for (int i = 0; i <= 2; i++) {
    float point[3];
    place(point, skeleton, clip, i / 2.0, "thumb");
    printf("%.1f s: the thumb is at %5.2f %5.2f %5.2f m\n", i / 2.0, (double)point[0], (double)point[1],
           (double)point[2]);
  }
  quatsimd_clip_free(NULL, clip_data);
  quatsimd_skeleton_free(NULL, data);
  return 0;
}
