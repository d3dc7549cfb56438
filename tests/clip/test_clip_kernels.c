/* Checks that clips have the same bits on every CPU. Compares all kernels with the reference, and the scenes
 * of clips.h with the hashes of clips.txt.
 *
 *   test_clip_kernels          runs the tests
 *   test_clip_kernels --small  compares only hashes, of clips of at most 20,000 bytes: for emulators
 *   test_clip_kernels --write  prints tests/clip/clips.txt
 *   test_clip_kernels --clips FOLDER  writes each clip to a file, for tests/model/clip.py */
#include "check_kernels.h"
#include "support/clips.h"
#include "support/denormals.h"
#include "support/hash.h"
#include "support/kernels.h"
#include "support/sanitized.h"

#include <inttypes.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

#include "support/skip.h"

typedef struct hashes {
  size_t size;
  uint64_t bytes, poses;
} hashes;

enum { COMPONENTS = 10 }; /* floats of a joint: rotation, translation, scale */
static quatsimd_pose_out pose_in(float *to, size_t elements) {
  return (quatsimd_pose_out){quatsimd_aos_out(to), quatsimd_aos_out(to + 4 * elements),
                             quatsimd_aos_out(to + 7 * elements), to + COMPONENTS * elements};
}

/* Encodes and samples a scene, with denormals flushed to zero if `flush`. Returns the clip's hashes. */
static hashes hashes_of(const scene_maker *maker, bool flush) {
  enum { AT_ONCE = 1 << 16, TIMES = 50, CLOCKS = 6 };
  static const double clocks[CLOCKS] = {1, -1, 3600, 86400, -31557600, 31557600}; /* seconds */
  scene s;
  void *data;
  hashes h = {0};
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  scene_make(&s, maker);
  flush_denormals(flush);
  assert_int_equal(quatsimd_clip_encode(&data, &h.size, &s.source, &s.options, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, data, h.size), QUATSIMD_OK);
  h.bytes = XXH64(data, h.size, 0);
  const size_t joints = quatsimd_clip_joint_count(clip), most = joints ? AT_ONCE / joints + 1 : 1,
               floats = COMPONENTS * joints + quatsimd_clip_track_count(clip);
  float *to = calloc(most * floats + 1, sizeof *to);
  assert_non_null(to);
  for (size_t first = 0, n; first < quatsimd_clip_frame_count(clip); first += n) {
    n = quatsimd_clip_frame_count(clip) - first < most ? quatsimd_clip_frame_count(clip) - first : most;
    quatsimd_pose_out pose = pose_in(to, n * joints);
    assert_int_equal(quatsimd_clip_decode(clip, &pose, NULL, first, n, 0), QUATSIMD_OK);
    put_floats(to, to, n * floats);
    h.poses = XXH64(to, n * floats * sizeof *to, h.poses);
  }
  quatsimd_pose_out pose = pose_in(to, joints);
  for (int i = 0; i < TIMES + CLOCKS; i++) { /* most times are between frames; from 48 on they are outside */
    const double within = quatsimd_clip_start(clip) + quatsimd_clip_duration(clip) * i / 47,
                 time = within + (i < TIMES ? 0 : clocks[i - TIMES]);
    assert_int_equal(quatsimd_clip_sample(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0), QUATSIMD_OK);
    put_floats(to, to, floats);
    h.poses = XXH64(to, floats * sizeof *to, h.poses);
  }
  flush_denormals(false);
  free(to);
  quatsimd_clip_free(NULL, data);
  scene_free(&s);
  return h;
}

enum { SMALL = 20000 };                            /* bytes; larger clips take minutes in an emulator */
static size_t most = SANITIZED ? SMALL : SIZE_MAX; /* largest size of a clip in bytes */

static void goldens(void **state) {
  quatsimd_use_kernels(kernels_or_skip(state));
  FILE *file = fopen(QUATSIMD_CLIP_GOLDENS, "r");
  if (!file) fail_msg("no %s", QUATSIMD_CLIP_GOLDENS);
  char line[200], name[100];
  size_t found = 0, bad = 0;
  while (fgets(line, sizeof line, file)) {
    hashes wanted;
    if (line[0] == '#') continue;
    assert_int_equal(
        sscanf(line, "%99s %zu %" SCNx64 " %" SCNx64, name, &wanted.size, &wanted.bytes, &wanted.poses), 4);
    assert_true(found < SCENES);
    assert_string_equal(name, scenes[found].name); /* the file's lines are in the order of scenes[] */
    const scene_maker *maker = &scenes[found++];
    for (int flush = 0;
         flush < (wanted.size <= SMALL && flush_denormals(false) ? 2 : 1) && wanted.size <= most; flush++) {
      const hashes h = hashes_of(maker, flush);
      if (h.size == wanted.size && h.bytes == wanted.bytes && h.poses == wanted.poses) continue;
      print_error("%s, %s%s: %zu bytes, not %zu;%s%s differ from the goldens\n", quatsimd_isa(), name,
                  flush ? ", denormals flushed" : "", h.size, wanted.size,
                  h.bytes != wanted.bytes ? " bytes" : "", h.poses != wanted.poses ? " poses" : "");
      bad++;
    }
  }
  fclose(file);
  quatsimd_use_kernels(NULL);
  assert_int_equal(bad, 0);
  assert_int_equal(found, SCENES);
}

static int write_goldens(void) {
  puts("# The clips of clips.h: bytes, XXH64 of these, XXH64 of the poses (see test_clip_kernels.c, which "
       "prints this with --write).");
  for (size_t i = 0; i < SCENES; i++) {
    const hashes h = hashes_of(&scenes[i], false);
    printf("%s %zu %016" PRIx64 " %016" PRIx64 "\n", scenes[i].name, h.size, h.bytes, h.poses);
  }
  return 0;
}

static int write_clips(const char *folder) {
  for (size_t i = 0; i < SCENES; i++) {
    scene s;
    void *data;
    size_t size;
    char path[1000];
    scene_make(&s, &scenes[i]);
    if (quatsimd_clip_encode(&data, &size, &s.source, &s.options, NULL) != QUATSIMD_OK)
      return fprintf(stderr, "%s: not encoded\n", scenes[i].name), 1;
    snprintf(path, sizeof path, "%s/%s.qsc", folder, scenes[i].name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) return perror(path), 1;
    quatsimd_clip_free(NULL, data);
    scene_free(&s);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--write") == 0) return write_goldens();
  if (argc == 3 && strcmp(argv[1], "--clips") == 0) return write_clips(argv[2]);
  if (argc == 2 && strcmp(argv[1], "--small") == 0) cmocka_set_test_filter("*: goldens"), most = SMALL;
  static const struct {
    const char *name;
    CMUnitTestFunction test;
  } kinds[] = {{"unpack", unpacking}, {"knots", knots},      {"quanta", quanta},   {"bases", bases},
               {"tangent", tangents}, {"rotate", rotations}, {"sample", samples},  {"vectors", vectors},
               {"curve", curves},     {"decode", decodes},   {"search", searches}, {"goldens", goldens}};
  enum { KINDS = sizeof kinds / sizeof kinds[0], ALONE = 4 };
  const struct CMUnitTest alone[ALONE] = {cmocka_unit_test(reference_unpacks), cmocka_unit_test(profiles),
                                          cmocka_unit_test(format_tables), cmocka_unit_test(own_code)};
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = all_kernels(tables);
  struct CMUnitTest tests[MAX_KERNELS * KINDS + ALONE];
  char names[MAX_KERNELS * KINDS][64];
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < KINDS; j++, count++) {
      snprintf(names[count], sizeof names[count], "%s: %s", tables[i]->name, kinds[j].name);
      tests[count] =
          (struct CMUnitTest){names[count], kinds[j].test, NULL, NULL, (void *)(uintptr_t)tables[i]};
    }
  memcpy(tests + count, alone, sizeof alone);
  return _cmocka_run_group_tests("clip kernels", tests, count + ALONE, NULL, NULL);
}
