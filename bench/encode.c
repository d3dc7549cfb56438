/* Times the encoder on chains of joints: keys a second by a bound for each curve and by a bound for points,
 * and the seconds that deep chains take. */
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <quatsimd/quatsimd.h>

enum { KEYS = 3000, SWAYING = 18 };

typedef struct chain {
  size_t joints, keys;
  quatsimd_clip_joint *joint;
  double *times;
  float *rotations, *translations;
} chain;

static void *allocate(size_t count, size_t size) {
  void *p = calloc(count, size);
  if (!p) exit(fprintf(stderr, "out of memory\n"));
  return p;
}

/* Makes a chain of bones of `length` along y. Each joint sways by `swing` radians about its own axis. */
static chain make_chain(size_t joints, size_t keys, float length, double swing) {
  chain c = {joints,
             keys,
             allocate(joints, sizeof *c.joint),
             allocate(keys, sizeof *c.times),
             allocate(4 * joints * keys, sizeof(float)),
             allocate(3 * joints, sizeof(float))};
  for (size_t k = 0; k < keys; k++) c.times[k] = (double)k / 30;
  for (size_t j = 0; j < joints; j++) {
    float *q = c.rotations + 4 * keys * j;
    c.translations[3 * j + 1] = j ? length : 0;
    for (size_t k = 0; k < keys; k++, q += 4) {
      const double angle = swing * (sin(0.11 * (double)k + (double)j) +
                                    0.3 * sin(0.37 * (double)k + 2.0 * (double)j)),
                   turn = 1.7 * (double)j;
      q[0] = (float)(sin(angle / 2) * cos(turn)), q[2] = (float)(sin(angle / 2) * sin(turn));
      q[3] = (float)cos(angle / 2);
    }
    c.joint[j] = (quatsimd_clip_joint){.parent = (int64_t)j - 1,
                                       .rotation = {keys, c.times, c.rotations + 4 * keys * j, 0},
                                       .translation = {1, NULL, c.translations + 3 * j, 0}};
  }
  return c;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Encodes a chain by points (0.1 mm at 3 cm, 1 mm for deep chains) or by curves. Returns the least seconds of
 * `rounds`. */
static double time_of(const chain *c, int points, int rounds, size_t *size) {
  const quatsimd_clip_source source = {c->joints, c->joint, 0, NULL};
  quatsimd_clip_options options;
  double least = 1e9;
  quatsimd_clip_options_init(&options, sizeof options);
  if (points) options.object_bound = c->joints > SWAYING ? 1e-3f : 1e-4f, options.object_distance = 0.03f;
  else options.rotation_bound = 1e-3f, options.translation_bound = 1e-4f;
  for (int i = 0; i < rounds; i++) {
    void *data;
    const double start = seconds();
    const quatsimd_status status = quatsimd_clip_encode(&data, size, &source, &options, NULL);
    const double took = seconds() - start;
    if (status != QUATSIMD_OK) exit(fprintf(stderr, "%s\n", quatsimd_status_string(status)));
    quatsimd_clip_free(NULL, data);
    least = took < least ? took : least;
  }
  return least;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 3;
  const size_t depths[] = {250, 1000, 2000};
  size_t size;
  const chain swaying = make_chain(SWAYING, KEYS, 0.1f, 0.4);
  for (int points = 0; points < 2; points++) {
    const double took = time_of(&swaying, points, rounds, &size);
    printf("%d joints, %d keys each, bounds of %s: %.0f keys a second, %zu bytes\n", SWAYING, KEYS,
           points ? "points" : "curves", SWAYING * KEYS / took, size);
  }
  for (int i = 0; i < 3; i++) {
    const chain deep = make_chain(depths[i], 30, 0.1f, 0.4);
    const double took = time_of(&deep, 1, 1, &size);
    printf("%zu joints, 30 keys each, bounds of points: %.2f s, %zu bytes\n", depths[i], took, size);
    fflush(stdout);
  }
  return 0;
}
