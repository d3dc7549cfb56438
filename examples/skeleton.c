#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 }; /* joints */

static void fail(const char *what, quatsimd_status status, const char *why) {
  fprintf(stderr, "%s: %s%s%s\n", what, quatsimd_status_string(status), why ? ": " : "", why ? why : "");
  exit(1);
}

/* A tool writes it: an arm, 0.3 m from joint to joint. */
static void *make(size_t *size) {
  const quatsimd_skeleton_joint joints[] = {
      {"shoulder", -1, {0, 0, 0, 1}, {0, 1.4f, 0}, {1, 1, 1}, NULL},
      {"elbow", 0, {0, 0, 0, 1}, {0.3f, 0, 0}, {1, 1, 1}, NULL},
      {"hand", 1, {0, 0, 0.7071068f, 0.7071068f}, {0.3f, 0, 0}, {1, 1, 1}, NULL},
      {"thumb", 2, {0, 0, 0, 1}, {0.1f, 0, 0}, {1, 1, 1}, NULL}};
  const quatsimd_skeleton_source source = {4, joints, 0, NULL, 1};
  quatsimd_skeleton_report report;
  quatsimd_skeleton_report_init(&report, sizeof report);
  void *data = NULL;
  const quatsimd_status status = quatsimd_skeleton_encode(&data, size, &source, NULL, &report);
  if (status != QUATSIMD_OK) fail("encode", status, report.error);
  return data;
}

/* An engine reads it: where a joint is when the skeleton rests, in model space. */
static void place(float point[3], const void *data, size_t size, const char *name) {
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  const quatsimd_status status = quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, data, size);
  if (status != QUATSIMD_OK) fail("open", status, NULL);
  const size_t joints = quatsimd_skeleton_joints(skeleton);
  const int64_t wanted = quatsimd_skeleton_find(skeleton, name);
  if (wanted < 0 || joints > MOST) fail(name, QUATSIMD_OK, "no such joint, or too many");

  float model[MOST][8]; /* rotation, translation, scale, as in sqt.h */
  const quatsimd_pose pose = {quatsimd_strided_out(model[0], sizeof model[0]),
                              quatsimd_strided_out(model[0] + 4, sizeof model[0]),
                              {0}}; /* scales are 1 here */
  quatsimd_skeleton_rest(skeleton, &pose, 0, joints);
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
  size_t size;
  void *data = make(&size);
  float point[3];
  place(point, data, size, "thumb");
  printf("%zu bytes; the thumb rests at %.2f %.2f %.2f m\n", size, (double)point[0], (double)point[1],
         (double)point[2]);
  quatsimd_skeleton_free(NULL, data);
  return 0;
}
