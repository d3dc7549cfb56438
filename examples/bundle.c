#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>

enum { JOINTS = 3 };

static void fail(const char *what, quatsimd_status status, const char *why) {
  fprintf(stderr, "%s: %s%s%s\n", what, quatsimd_status_string(status), why ? ": " : "", why ? why : "");
  exit(1);
}

static void *make_skeleton(size_t *size) {
  const quatsimd_skeleton_joint joints[JOINTS] = {{"hip", -1, {0, 0, 0, 1}, {0, 1, 0}, {1, 1, 1}, NULL},
                                                  {"knee", 0, {0, 0, 0, 1}, {0, -0.5f, 0}, {1, 1, 1}, NULL},
                                                  {"foot", 1, {0, 0, 0, 1}, {0, -0.5f, 0}, {1, 1, 1}, NULL}};
  const quatsimd_skeleton_source source = {JOINTS, joints, 0, NULL, 1, NULL};
  void *data = NULL;
  const quatsimd_status status = quatsimd_skeleton_encode(&data, size, &source, NULL, NULL);
  if (status != QUATSIMD_OK) fail("encode the skeleton", status, NULL);
  return data;
}

/* A clip of this length, in which the knee bends. */
static void *make_clip(size_t *size, const quatsimd_skeleton *skeleton, double seconds) {
  const double times[] = {0, seconds};
  static const float turns[] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f};
  quatsimd_clip_joint joints[JOINTS] = {{0}};
  joints[1].rotation.key_count = 2, joints[1].rotation.times = times, joints[1].rotation.values = turns;
  const quatsimd_clip_source source = {JOINTS, joints, 0, NULL};
  void *data = NULL;
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.rotation_bound = 0.001f;
  options.skeleton = skeleton;
  options.bundled = 1;
  const quatsimd_status status = quatsimd_clip_encode(&data, size, &source, &options, NULL);
  if (status != QUATSIMD_OK) fail("encode a clip", status, NULL);
  return data;
}

/* A tool writes one file. */
static void *make_bundle(size_t *size) {
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  size_t skeleton_size;
  void *skeleton_data = make_skeleton(&skeleton_size);
  quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, skeleton_data, skeleton_size);
  static const quatsimd_bundle_event hit = {0.1, "hit"};
  quatsimd_bundle_entry entries[] = {{.name = "walk"}, {.name = "kick", .events = &hit, .event_count = 1}};
  void *walk = make_clip(&entries[0].data_size, skeleton, 1),
       *kick = make_clip(&entries[1].data_size, skeleton, 0.2);
  entries[0].data = walk, entries[1].data = kick;
  float leg[JOINTS] = {0};
  quatsimd_skeleton_mask(skeleton, 1, 1, leg); /* 1 for the knee and the foot below it */
  const quatsimd_bundle_mask_entry mask = {"leg", leg, NULL};
  const quatsimd_bundle_source source = {.struct_size = sizeof source,
                                         .entry_size = sizeof *entries,
                                         .skeleton = skeleton_data,
                                         .skeleton_size = skeleton_size,
                                         .clips = entries,
                                         .clip_count = 2,
                                         .masks = &mask,
                                         .mask_count = 1};
  quatsimd_bundle_report report;
  quatsimd_bundle_report_init(&report, sizeof report);
  void *data = NULL;
  const quatsimd_status status = quatsimd_bundle_encode(&data, size, &source, NULL, &report);
  if (status != QUATSIMD_OK) fail("encode the bundle", status, report.error);
  quatsimd_clip_free(NULL, walk), quatsimd_clip_free(NULL, kick);
  quatsimd_skeleton_free(NULL, skeleton_data);
  return data;
}

int main(void) {
  size_t size;
  void *data = make_bundle(&size);
  quatsimd_bundle_storage storage;
  quatsimd_bundle *bundle;
  quatsimd_status status = quatsimd_bundle_open(&bundle, &storage, sizeof storage, data, size);
  if (status != QUATSIMD_OK) fail("open the bundle", status, NULL);
  printf("%zu clips in %zu bytes\n", quatsimd_bundle_clip_count(bundle), size);

  const int64_t number = quatsimd_bundle_find_clip(bundle, "kick");
  if (number < 0) fail("find a clip", QUATSIMD_ERROR_NO_SUCH_CLIP, NULL);
  const size_t memory_size = quatsimd_bundle_clip_memory_size(bundle, (size_t)number);
  void *memory = malloc(memory_size); /* for one opened clip */
  quatsimd_clip *clip;
  status = quatsimd_bundle_open_clip(bundle, (size_t)number, &clip, memory, memory_size);
  if (status != QUATSIMD_OK) fail("open a clip", status, NULL);
  float rotations[JOINTS][4];
  quatsimd_pose_out pose = {quatsimd_aos_out(rotations[0]), {0}, {0}, NULL};
  double last = 0; /* the time of the frame before */
  for (int i = 0; i <= 4; i++) {
    const double time = i * 0.08;
    quatsimd_clip_sample(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_LOOP, 0);
    printf("%s, %.2f s: the knee is turned by (%.3f, %.3f, %.3f, %.3f)\n",
           quatsimd_bundle_clip_name(bundle, (size_t)number), time, (double)rotations[1][0],
           (double)rotations[1][1], (double)rotations[1][2], (double)rotations[1][3]);
    quatsimd_clip_event events[8];
    size_t passed = quatsimd_clip_events_between(clip, events, 8, last, time, QUATSIMD_CLIP_WRAP_LOOP);
    for (size_t e = 0; e < passed && e < 8; e++) printf("%s at %.2f s\n", events[e].name, events[e].clock);
    last = time;
  }

  float weights[JOINTS]; /* the mask of a pose's layer */
  status = quatsimd_bundle_mask(bundle, "leg", weights, NULL);
  if (status != QUATSIMD_OK) fail("find a mask", status, NULL);
  printf("leg: %g, %g, %g\n", (double)weights[0], (double)weights[1], (double)weights[2]);
  free(memory);
  quatsimd_bundle_free(NULL, data);
  return 0;
}
