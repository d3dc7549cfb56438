/* Prints times of the library, in nanoseconds: packing and unpacking of one of 1024 rotations, sampling of a
 * clip with 60 joints, encoding of it. scripts/debug_speed.py compares builds by it. */
#include "quatsimd.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COUNT = 1024, JOINTS = 60, KEYS = 91, ROUNDS = 9 };

static float rotations[JOINTS][KEYS][4], array[COUNT][4];
static unsigned char packed[4 * COUNT];
static const void *clip_data;
static size_t clip_size;
static quatsimd_clip *clip;

static void need(quatsimd_status status) {
  if (status == QUATSIMD_OK) return;
  fprintf(stderr, "%s\n", quatsimd_status_string(status));
  exit(1);
}

static void pack(void) {
  need(quatsimd_pack(QUATSIMD_FORMAT_LATTICE32, packed, sizeof packed, quatsimd_aos(array[0]), COUNT));
}

static void unpack(void) {
  need(quatsimd_unpack(QUATSIMD_FORMAT_LATTICE32, quatsimd_aos_out(array[0]), packed, sizeof packed, 0,
                       COUNT));
}

static void encode(void) {
  static double times[KEYS];
  quatsimd_clip_joint joints[JOINTS] = {{0}};
  for (int k = 0; k < KEYS; k++) times[k] = k / 30.0;
  for (int j = 0; j < JOINTS; j++) {
    joints[j].parent = j - 1;
    joints[j].rotation.key_count = KEYS;
    joints[j].rotation.times = times;
    joints[j].rotation.values = rotations[j][0];
  }
  const quatsimd_clip_source source = {JOINTS, joints, 0, NULL};
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.rotation_bound = 0.001f;
  void *data;
  need(quatsimd_clip_encode(&data, &clip_size, &source, &options, NULL));
  quatsimd_clip_free(NULL, (void *)clip_data);
  clip_data = data;
}

static void sample(void) {
  static float pose[JOINTS][4];
  static int frame;
  quatsimd_pose_out out = {quatsimd_aos_out(pose[0]), {0}, {0}, NULL};
  frame = (frame + 7) % KEYS;
  need(quatsimd_clip_sample(clip, &out, NULL, (frame + 0.5) / 30.0, QUATSIMD_CLIP_WRAP_LOOP, 0));
}

/* The least time of a call in several rounds. */
static void print(const char *name, void call(void), int calls, int divisor) {
  double least = 1e30;
  for (int round = 0; round < ROUNDS; round++) {
    const clock_t start = clock();
    for (int i = 0; i < calls; i++) call();
    const double time = (double)(clock() - start) / CLOCKS_PER_SEC / calls / divisor;
    if (time < least) least = time;
  }
  printf("%s: %.3g\n", name, 1e9 * least);
}

int main(void) {
  static quatsimd_clip_storage storage;
  for (int i = 0; i < COUNT; i++) /* not normalised */
    for (int c = 0; c < 4; c++) array[i][c] = sinf((float)(4 * i + c) * 1.7f) + (c == 3 ? 1.5f : 0);
  for (int j = 0; j < JOINTS; j++)
    for (int k = 0; k < KEYS; k++)
      for (int c = 0; c < 4; c++)
        rotations[j][k][c] = c == 3 ? 1 : 0.3f * sinf((float)k * 0.07f + (float)j + (float)c);
  print("pack", pack, 2000, COUNT);
  print("unpack", unpack, 2000, COUNT);
  encode();
  need(quatsimd_clip_open(&clip, &storage, sizeof storage, clip_data, clip_size));
  print("sample", sample, 20000, 1);
  print("encode", encode, 1, 1);
  return 0;
}
