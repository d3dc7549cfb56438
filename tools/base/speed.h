/* How fast kernels pack and unpack, and how fast anything is. */
#ifndef SPEED_H
#define SPEED_H

#include "core/dispatch.h"

/* The rotations that are timed: those of the files, repeated if they are few, cut if they are many. */
struct speed_data {
  size_t keys;
  float *xyzw;
};

struct speed {
  double pack, unpack; /* rotations per second */
};

enum { SPEED_MOST = 1048576 };
struct speed_data speed_data(const float *xyzw, size_t keys);
void speed_data_free(struct speed_data *data);

/* Times the format with those kernels. packed and unpacked receive the result of the last repetition; the
 * caller provides room for data->keys rotations. */
struct speed speed_measure(const quatsimd_kernels *kernels, quatsimd_format format,
                           const struct speed_data *data, unsigned char *packed, float *unpacked);

/* Returns the seconds of the best of at least five repetitions, which take at least `seconds` together:
 * whatever else the machine does only ever adds time. The first one, which meets cold caches and fresh pages,
 * is not timed. */
double speed_best_within(double seconds, void (*run)(void *), void *data);

/* Seconds since some time in the past. */
double speed_now(void);

#endif
