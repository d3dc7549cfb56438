/* Files of every release open in every later one and give the same bits: names, times, curves, poses. There
 * is a folder of files for each release that changed a format, and frozen.txt has a hash of each file. The
 * numbers in the public headers stay the same too.
 *
 *   test_frozen FOLDER               checks the files of FOLDER/frozen.txt
 *   test_frozen --write FOLDER FILE  prints the line of frozen.txt for a file, whose path is relative to
 *                                    FOLDER */
#include <quatsimd/quatsimd.h>

#include "support/hash.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define NUMBER(name, value) _Static_assert((name) == (value), #name " is another number than in a release");
#include "numbers.def"

/* Ends the program if the condition is false, because nothing after the failure can be trusted. */
#define NEED(condition)                                                                                      \
  do {                                                                                                       \
    if (!(condition)) fprintf(stderr, "%s: %s\n", path, #condition), exit(1);                                \
  } while (0)

static const char *path; /* path of the file that is read */
static uint64_t hash;

static void add(const void *bytes, size_t size) { hash = XXH64(bytes, size, hash); }

static void add_number(uint64_t number) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(number >> 8 * i);
  add(bytes, sizeof bytes);
}

static void add_double(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  add_number(bits);
}

static void add_floats(float *floats, size_t count) {
  put_floats(floats, floats, count);
  add(floats, count * sizeof *floats);
}

static void *allocate(size_t size) {
  void *const memory = calloc(size + 1, 1);
  if (!memory) perror(path), exit(1);
  return memory;
}

enum { COMPONENTS = 10 }; /* components of a joint: rotation, translation, scale; tracks follow */

static quatsimd_pose_out pose_in(float *to, size_t joints) {
  return (quatsimd_pose_out){quatsimd_aos_out(to), quatsimd_aos_out(to + 4 * joints),
                             quatsimd_aos_out(to + 7 * joints), to + COMPONENTS * joints};
}

/* Makes a rest pose that differs from joint to joint. The components of quaternions are multiples of 1/5,
 * rounded the same on every machine. */
static quatsimd_pose_in rest_in(float *to, size_t joints, size_t tracks) {
  static const float rotation[4][4] = {
      {0.6F, 0, 0, 0.8F}, {0, 0.8F, 0, 0.6F}, {0, 0, -0.6F, 0.8F}, {0.2F, 0.4F, 0.4F, 0.8F}};
  for (size_t j = 0; j < joints; j++) {
    memcpy(to + 4 * j, rotation[j % 4], sizeof rotation[0]);
    for (size_t axis = 0; axis < 3; axis++) {
      to[4 * joints + 3 * j + axis] = (float)(j % 64) + 0.25F * (float)axis;
      to[7 * joints + 3 * j + axis] = 1 + 0.5F * (float)((j + axis) % 3);
    }
  }
  for (size_t t = 0; t < tracks; t++) to[COMPONENTS * joints + t] = 0.125F * (float)(t % 16);
  return (quatsimd_pose_in){quatsimd_aos(to), quatsimd_aos(to + 4 * joints), quatsimd_aos(to + 7 * joints),
                            to + COMPONENTS * joints};
}

/* Adds to the hash all properties of a clip, the pose at each frame, and poses between and beyond frames. */
static void add_clip(const quatsimd_clip *clip) {
  enum { TIMES = 41 };
  const size_t joints = quatsimd_clip_joint_count(clip), tracks = quatsimd_clip_track_count(clip),
               frames = quatsimd_clip_frame_count(clip), floats = COMPONENTS * joints + tracks;
  const double start = quatsimd_clip_start(clip), duration = quatsimd_clip_duration(clip);
  add_number(joints), add_number(tracks), add_number(frames);
  add_double(quatsimd_clip_rate(clip)), add_double(start), add_double(duration);
  add_number((uint64_t)quatsimd_clip_is_looping(clip)), add_number((uint64_t)quatsimd_clip_additive(clip));
  add_number(quatsimd_clip_skeleton_hash(clip));
  for (int kind = QUATSIMD_CLIP_ROTATION; kind <= QUATSIMD_CLIP_TRACK; kind++)
    for (size_t j = 0; j < (kind == QUATSIMD_CLIP_TRACK ? tracks : joints); j++)
      add_number((uint64_t)quatsimd_clip_curve_state(clip, kind, j));
  float *const to = allocate(floats * sizeof *to), *const from = allocate(floats * sizeof *from);
  quatsimd_pose_out pose = pose_in(to, joints);
  const quatsimd_pose_in rest = rest_in(from, joints, tracks);
  for (size_t f = 0; f < frames; f++) {
    add_double(quatsimd_clip_frame_time(clip, f));
    NEED(quatsimd_clip_decode(clip, &pose, f % 2 ? &rest : NULL, f, 1, 0) == QUATSIMD_OK);
    add_floats(to, floats);
  }
  for (int wrap = QUATSIMD_CLIP_WRAP_CLIP; wrap <= QUATSIMD_CLIP_WRAP_LOOP; wrap++)
    for (int i = 0; i < TIMES; i++) {
      const double time = start + duration * (2 * i - TIMES / 2) / TIMES; /* -0.5 to 1.5 times the duration */
      NEED(quatsimd_clip_sample(clip, &pose, i % 2 ? &rest : NULL, time, (quatsimd_clip_wrap)wrap, 0) ==
           QUATSIMD_OK);
      add_floats(to, floats);
    }
  free(from);
  free(to);
}

static void add_text(const char *text) {
  NEED(text);
  add(text, strlen(text) + 1);
}

static void add_skeleton(const quatsimd_skeleton *skeleton) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton),
               tracks = quatsimd_skeleton_track_count(skeleton);
  add_number(joints), add_number(tracks), add_number(quatsimd_skeleton_hash(skeleton));
  add_double(quatsimd_skeleton_metres(skeleton));
  for (size_t j = 0; j < joints; j++) {
    const char *const name = quatsimd_skeleton_joint_name(skeleton, j);
    float matrix[12] = {0};
    add_text(name);
    add_number((uint64_t)quatsimd_skeleton_parent(skeleton, j));
    add_number((uint64_t)quatsimd_skeleton_find_joint(skeleton, name));
    if (quatsimd_skeleton_has_inverse_bind(skeleton, j))
      NEED(quatsimd_skeleton_inverse_bind(skeleton, matrix, j) == QUATSIMD_OK);
    add_floats(matrix, 12);
  }
  for (size_t t = 0; t < tracks; t++) {
    const char *const name = quatsimd_skeleton_track_name(skeleton, t);
    add_text(name);
    add_number((uint64_t)quatsimd_skeleton_find_track(skeleton, name));
  }
  float *const to = allocate((COMPONENTS * joints + tracks) * sizeof *to);
  quatsimd_pose_out pose = pose_in(to, joints);
  NEED(quatsimd_skeleton_rest_pose(skeleton, &pose, 0, joints) == QUATSIMD_OK);
  add_floats(to, COMPONENTS * joints);
  free(to);
}

static void add_bundle(const quatsimd_bundle *bundle) {
  void *const memory = allocate(quatsimd_skeleton_memory_size());
  quatsimd_skeleton *skeleton;
  NEED(quatsimd_bundle_open_skeleton(bundle, &skeleton, memory, quatsimd_skeleton_memory_size()) ==
       QUATSIMD_OK);
  add_skeleton(skeleton);
  add_number(quatsimd_bundle_skeleton_hash(bundle));
  free(memory);
  for (size_t c = 0; c < quatsimd_bundle_clip_count(bundle); c++) {
    const size_t of_clip_size = quatsimd_bundle_clip_memory_size(bundle, c);
    void *const of_clip = allocate(of_clip_size);
    quatsimd_clip *clip;
    add_text(quatsimd_bundle_clip_name(bundle, c));
    add_number((uint64_t)quatsimd_bundle_find_clip(bundle, quatsimd_bundle_clip_name(bundle, c)));
    NEED(quatsimd_bundle_open_clip(bundle, c, &clip, of_clip, of_clip_size) == QUATSIMD_OK);
    add_clip(clip);
    free(of_clip);
  }
}

/* Returns the hash of the file at `path`. The end of its name tells the kind of file. */
static uint64_t hash_file(void) {
  FILE *const file = fopen(path, "rb");
  if (!file) perror(path), exit(1);
  NEED(fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  void *const data = allocate(size);
  NEED(fread(data, 1, size, file) == size);
  fclose(file);
  const char kind = path[strlen(path) - 1];
  hash = 0;
  add(data, size); /* a file that was written again has another hash */
  if (kind == 'c') {
    quatsimd_clip_storage storage;
    quatsimd_clip *clip;
    NEED(quatsimd_clip_open(&clip, &storage, sizeof storage, data, size) == QUATSIMD_OK);
    add_clip(clip);
  } else if (kind == 'k') {
    quatsimd_skeleton_storage storage;
    quatsimd_skeleton *skeleton;
    NEED(quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, data, size) == QUATSIMD_OK);
    add_skeleton(skeleton);
  } else {
    quatsimd_bundle_storage storage;
    quatsimd_bundle *bundle;
    NEED(kind == 'b');
    NEED(quatsimd_bundle_open(&bundle, &storage, sizeof storage, data, size) == QUATSIMD_OK);
    NEED(quatsimd_bundle_check(bundle, NULL) == QUATSIMD_OK);
    add_bundle(bundle);
  }
  free(data);
  return hash;
}

int main(int argc, char **argv) {
  char name[200], line[1000], full[2000];
  path = full;
  if (argc == 4 && strcmp(argv[1], "--write") == 0) {
    snprintf(full, sizeof full, "%s/%s", argv[2], argv[3]);
    printf("%s %016" PRIx64 "\n", argv[3], hash_file());
    return 0;
  }
  if (argc != 2) return fprintf(stderr, "usage: test_frozen [--write] FOLDER [FILE]\n"), 2;
  snprintf(full, sizeof full, "%s/frozen.txt", argv[1]);
  FILE *const list = fopen(full, "r");
  if (!list) return perror(full), 1;
  int files = 0, bad = 0;
  while (fgets(line, sizeof line, list)) {
    uint64_t wanted;
    if (line[0] == '#') continue;
    if (sscanf(line, "%199s %" SCNx64, name, &wanted) != 2)
      return fprintf(stderr, "frozen.txt: not a file and its hash: %s", line), 1;
    snprintf(full, sizeof full, "%s/%s", argv[1], name);
    files++;
    if (hash_file() != wanted) fprintf(stderr, "%s: it reads otherwise than when it was made\n", name), bad++;
  }
  fclose(list);
  printf("%d files of former releases, %d read otherwise\n", files, bad);
  return files == 0 || bad > 0;
}
