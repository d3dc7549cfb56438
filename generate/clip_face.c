/* A face as a clip: 52 weights at 60 Hz for 30 seconds. Every track has bumps of 0.2 to 0.8 that last 0.1
 * to 0.5 s, one in each second on average, and is at rest between them; while it moves there is noise,
 * uniform within 0.0005. Usage: clip_face            prints what docs/clip.md says of it, speed included
 * clip_face --check    is it within its bound, and in no more bytes than here? */
#include "quatsimd/quatsimd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRACKS = 52, RATE = 60, SECONDS = 30, KEYS = RATE * SECONDS + 1, MOST_BYTES = 32100 };
#define BOUND 0.002f

static float weight[TRACKS][KEYS];
static double times[KEYS];

static double unit(void) { /* 0 to 1 */
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) / 0x1p+53;
}

/* Smooth, from 0 to 1 and back, without functions that differ from machine to machine. */
static double bump(double x) {
  const double y = x < 0.5 ? 2 * x : 2 - 2 * x;
  return y * y * (3 - 2 * y);
}

/* Returns the keys that move. */
static size_t make_track(float *to) {
  size_t moving = 0;
  for (int second = 0; second < SECONDS; second++) { /* one in each */
    const double length = 0.1 + 0.4 * unit(), from = second + (1 - length) * unit(),
                 high = 0.2 + 0.6 * unit();
    for (int k = RATE * second; k < RATE * (second + 1); k++) {
      const double x = (times[k] - from) / length;
      if (!(x > 0 && x < 1)) continue;
      to[k] = (float)(high * bump(x) + 0.001 * (unit() - 0.5));
      moving++;
    }
  }
  return moving;
}

/* The bytes of 16-bit keys once `zstd -19` is through with them; 0: there is no such program. */
static long zstd_bytes(void) {
  char path[] = P_tmpdir "/clip_face_XXXXXX", command[100];
  long bytes = 0;
  FILE *file = NULL;
  const int made = mkstemp(path);
  if (made < 0 || !(file = fdopen(made, "wb"))) return 0;
  for (int t = 0; t < TRACKS; t++)
    for (int k = 0; k < KEYS; k++) {
      const float x = weight[t][k] > 0 ? weight[t][k] : 0;
      const uint16_t key = (uint16_t)(x * 65535 + 0.5f);
      fwrite(&key, sizeof key, 1, file);
    }
  fclose(file);
  snprintf(command, sizeof command, "zstd -19 -q -c %s 2>/dev/null | wc -c", path);
  FILE *pipe = popen(command, "r");
  if (pipe && fscanf(pipe, "%ld", &bytes) != 1) bytes = 0;
  if (pipe) pclose(pipe);
  remove(path);
  return bytes;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Nanoseconds of a pose at random times, the least of many passes. */
static double speed(const quatsimd_clip *clip) {
  enum { POSES = 4096, PASSES = 1000 };
  static double at[POSES];
  float out[TRACKS];
  quatsimd_pose_out pose = {{0}, {0}, {0}, out};
  double best = 1;
  for (int i = 0; i < POSES; i++) at[i] = SECONDS * unit();
  for (int pass = 0; pass < PASSES; pass++) {
    const double start = now();
    for (int i = 0; i < POSES; i++)
      quatsimd_clip_sample(clip, &pose, NULL, at[i], QUATSIMD_CLIP_WRAP_CLIP, 0);
    const double each = (now() - start) / POSES;
    if (each < best) best = each;
  }
  return best * 1e9;
}

int main(int argc, char **argv) {
  quatsimd_clip_track track[TRACKS] = {{{0}, 0}};
  size_t moving = 0, size;
  for (int k = 0; k < KEYS; k++) times[k] = (double)k / RATE;
  for (int t = 0; t < TRACKS; t++) {
    moving += make_track(weight[t]);
    track[t].curve = (quatsimd_curve){KEYS, times, weight[t], QUATSIMD_CURVE_LINEAR};
  }
  const quatsimd_clip_source source = {0, NULL, TRACKS, track};
  quatsimd_clip_options options;
  quatsimd_clip_report report;
  quatsimd_clip_options_init(&options, sizeof options);
  quatsimd_clip_report_init(&report, sizeof report);
  options.track_bound = BOUND;
  void *data;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  if (quatsimd_clip_encode(&data, &size, &source, &options, &report) != QUATSIMD_OK ||
      quatsimd_clip_open(&clip, &storage, sizeof storage, data, size) != QUATSIMD_OK)
    return fputs("it is not encoded\n", stderr), 1;
  const double keys = (double)TRACKS * KEYS, seconds = (double)moving / RATE;
  printf("%zu bytes, off by at most %.5f; %.2f bits a key; %.0f bits a second that a track moves\n", size,
         (double)report.worst[QUATSIMD_CLIP_TRACK], 8 * (double)size / keys, 8 * (double)size / seconds);
  if (argc > 1 && strcmp(argv[1], "--check") == 0) {
    quatsimd_clip_free(NULL, data);
    return size <= MOST_BYTES && report.worst[QUATSIMD_CLIP_TRACK] <= BOUND ? 0 : 1;
  }
  const long other = zstd_bytes();
  if (other)
    printf("16-bit keys with zstd -19: %ld bytes, %.2f bits a key\n", other, 8 * (double)other / keys);
  else puts("SKIP: no zstd to compare with");
  const double pose = speed(clip);
  printf("%s: %.1f ns a pose at a random time, %.2f ns a track\n", quatsimd_isa(), pose, pose / TRACKS);
  quatsimd_clip_free(NULL, data);
  return 0;
}
