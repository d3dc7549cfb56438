/* The figures of docs/bundle.md: bytes of the clips of a file by themselves and in a bundle, and what
 * sampling costs. A program by itself, which reads files as the command does; tests/bundle builds it.
 *
 *   bundle_figures [-s] FILE ROTATION         rotations alone, within so many degrees
 *   bundle_figures [-s] FILE OBJECT DISTANCE  all curves: points so far from a joint are off by no more than
 *                                             that, both in metres
 * It prints bytes as JSON, with the memory of the opened bundle and of all its opened clips together; with
 * -s nanoseconds, too. It fails if a clip of the bundle is not sampled to the bits of the clip by itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/speed.h"
#include "base/text.h"
#include "bundle/layout.h"
#include "clips/source.h"
#include "quatsimd/bundle.h"

struct one {
  void *data; /* by itself */
  size_t size;
  quatsimd_clip *clip;
  void *of_bundle; /* the memory of the clip below */
  quatsimd_clip *bundled;
};

static void fail(const char *why) { fprintf(stderr, "%s\n", why), exit(1); }

static void encode(struct one *to, const struct clip_source *from, quatsimd_clip_options options,
                   int bundled) {
  options.bundled = bundled;
  if (quatsimd_clip_encode(&to->data, &to->size, &from->source, &options, NULL) != QUATSIMD_OK)
    fail("an animation is not encoded");
  if (quatsimd_clip_open(&to->clip, memory_get(1, sizeof(quatsimd_clip_storage)),
                         sizeof(quatsimd_clip_storage), to->data, to->size) != QUATSIMD_OK)
    fail("a clip is not opened");
}

static quatsimd_pose_out pose_of(float *memory, size_t joints) {
  return (quatsimd_pose_out){quatsimd_aos_out(memory), quatsimd_aos_out(memory + 4 * joints),
                             quatsimd_aos_out(memory + 7 * joints), NULL};
}

static void compare(const struct one *one, size_t joints) {
  float *wanted = memory_get(10 * joints, sizeof *wanted), *got = memory_get(10 * joints, sizeof *got);
  quatsimd_pose_out to = pose_of(wanted, joints), too = pose_of(got, joints);
  for (int i = 0; i <= 100; i++) {
    const double time = quatsimd_clip_start(one->clip) + quatsimd_clip_duration(one->clip) * (i / 100.0);
    if (quatsimd_clip_sample(one->clip, &to, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0) != QUATSIMD_OK ||
        quatsimd_clip_sample(one->bundled, &too, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0) != QUATSIMD_OK)
      fail("a clip is not sampled");
    if (memcmp(wanted, got, 10 * joints * sizeof *wanted) != 0) fail("a clip differs in the bundle");
  }
  free(wanted), free(got);
}

/* Nanoseconds a pose, the least of some runs: one pose of each clip in turn, at other times each time. */
static double speed_of(const struct one *one, size_t clips, size_t joints, int bundled, quatsimd_pose_out *to,
                       const quatsimd_pose_in *rest) {
  enum { ROUNDS = 40 };
  (void)joints;
  unsigned state = 1;
  const double start = speed_now();
  for (int r = 0; r < ROUNDS; r++)
    for (size_t i = 0; i < clips; i++) {
      const quatsimd_clip *clip = bundled ? one[i].bundled : one[i].clip;
      state = state * 1664525 + 1013904223;
      const double part = (double)(state >> 8) * 0x1p-24;
      quatsimd_clip_sample(clip, to, rest, quatsimd_clip_start(clip) + part * quatsimd_clip_duration(clip),
                           QUATSIMD_CLIP_WRAP_CLIP, 0);
    }
  return (speed_now() - start) / (ROUNDS * (double)clips) * 1e9;
}

/* Bytes of the same bundle in version 1. */
static size_t former_size(const quatsimd_bundle *b) {
  const size_t settings = quatsimd_bundle_section(b, SECTION_SETTINGS).size - 4,
               names = quatsimd_bundle_section(b, SECTION_NAMES).size, offsets = 3 * b->clips;
  return BUNDLE_HEAD + settings + offsets + names + b->records_end - b->clips + b->skeleton_size;
}

int main(int argc, char **argv) {
  const int timed = argc > 1 && strcmp(argv[1], "-s") == 0;
  argc -= timed, argv += timed;
  struct skeleton s;
  if (argc < 3 || !skeleton_read(argv[1], NULL, &s)) return 1;
  const size_t clips = s.scene.animations;
  const double metres = s.metres > 0 ? s.metres : 1;
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  if (argc > 3) {
    options.object_bound = (float)(atof(argv[2]) / metres),
    options.object_distance = (float)(atof(argv[3]) / metres);
  } else options.rotation_bound = (float)(atof(argv[2]) * 3.14159265358979323846 / 180);
  struct one *plain = memory_get(clips, sizeof *plain), *with = memory_get(clips, sizeof *with),
             *bundled = memory_get(clips, sizeof *bundled);
  quatsimd_bundle_entry *entry = memory_get(clips, sizeof *entry);
  size_t bytes[2] = {0}, names = 0, used = 0;
  for (size_t a = 0; a < clips; a++) {
    struct clip_source from;
    clip_source_make(&from, &s, a, argc > 3 ? -1 : QUATSIMD_CLIP_ROTATION);
    if (from.keys[0] + from.keys[1] + from.keys[2] == 0) continue;
    options.skeleton = NULL;
    encode(&plain[used], &from, options, 0);
    options.skeleton = s.file.skeleton;
    encode(&with[used], &from, options, 0);
    encode(&bundled[used], &from, options, 1);
    bytes[0] += plain[used].size, bytes[1] += with[used].size;
    entry[used] = (quatsimd_bundle_entry){
        .name = s.scene.animation[a].name, .data = bundled[used].data, .data_size = bundled[used].size};
    names += strlen(entry[used].name) + 1;
    used++;
  }
  const quatsimd_bundle_source source = {.struct_size = sizeof source,
                                         .entry_size = sizeof *entry,
                                         .skeleton = s.file.data,
                                         .skeleton_size = s.file.size,
                                         .clips = entry,
                                         .clip_count = used};
  quatsimd_bundle_report report;
  quatsimd_bundle_report_init(&report, sizeof report);
  void *data;
  size_t size;
  if (quatsimd_bundle_encode(&data, &size, &source, NULL, &report) != QUATSIMD_OK) fail(report.error);
  quatsimd_bundle_storage storage;
  quatsimd_bundle *bundle;
  if (quatsimd_bundle_open(&bundle, &storage, sizeof storage, data, size) != QUATSIMD_OK)
    fail("the bundle is not opened");
  size_t all_memory = 0;
  for (size_t i = 0; i < used; i++) {
    const size_t number = (size_t)quatsimd_bundle_find_clip(bundle, entry[i].name),
                 memory = quatsimd_bundle_clip_memory_size(bundle, number);
    bundled[i].of_bundle = memory_get(1, memory);
    all_memory += memory;
    if (quatsimd_bundle_open_clip(bundle, number, &bundled[i].bundled, bundled[i].of_bundle, memory) !=
        QUATSIMD_OK)
      fail("a clip of the bundle is not opened");
    compare(&bundled[i], s.joints);
  }
  printf("{\"clips\": %zu, \"plain\": %zu, \"with_skeleton\": %zu, \"bundle\": %zu, \"version_1\": %zu, "
         "\"skeleton\": %zu, \"names\": %zu, \"memory\": %zu",
         used, bytes[0], bytes[1], size, former_size(bundle), s.file.size, names,
         quatsimd_bundle_memory_size() + all_memory);
  if (timed) {
    float *to = memory_get(10 * s.joints, sizeof *to), *rest = memory_get(10 * s.joints, sizeof *rest);
    quatsimd_pose_out pose = pose_of(to, s.joints), rest_pose = pose_of(rest, s.joints);
    quatsimd_skeleton_rest_pose(s.file.skeleton, &rest_pose, 0, s.joints);
    const quatsimd_pose_in in = {quatsimd_aos(rest), quatsimd_aos(rest + 4 * s.joints),
                                 quatsimd_aos(rest + 7 * s.joints), NULL};
    double least[3] = {1e9, 1e9, 1e9};
    for (int r = 0; r < 200; r++)
      for (int i = 0; i < 3; i++) {
        const double ns = speed_of(i == 0   ? plain
                                   : i == 1 ? with
                                            : bundled,
                                   used, s.joints, i == 2, &pose, &in);
        if (ns < least[i]) least[i] = ns;
      }
    printf(", \"ns\": [%.0f, %.0f, %.0f]", least[0], least[1], least[2]);
  }
  puts("}");
  skeleton_free(&s);
  return 0;
}
