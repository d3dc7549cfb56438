#include "base/speed.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "core/operand.h"

/* Fewer keys than FEW are repeated until there are TIMED. */
enum { FEW = 65536, TIMED = 262144 };

struct speed_data speed_data(const float *xyzw, size_t keys) {
  struct speed_data data = {keys < FEW ? TIMED : keys < SPEED_MOST ? keys : SPEED_MOST, NULL};
  data.xyzw = memory_get(data.keys, 4 * sizeof *data.xyzw);
  for (size_t i = 0; i < data.keys; i += keys) {
    const size_t rest = data.keys - i;
    memcpy(data.xyzw + 4 * i, xyzw, (rest < keys ? rest : keys) * 4 * sizeof *data.xyzw);
  }
  return data;
}

void speed_data_free(struct speed_data *data) {
  free(data->xyzw);
  data->xyzw = NULL;
}

double speed_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct job {
  const quatsimd_kernels *kernels;
  const quatsimd_format_entry *entry;
  const struct speed_data *data;
  unsigned char *packed;
  float *unpacked;
};

static void pack(void *job) {
  const struct job *j = job;
  const quatsimd_operand from = quatsimd_structs(j->data->xyzw, 4);
  j->kernels->codec[j->entry->codec].pack(j->entry->width, j->packed, &from, j->data->keys);
}

static void unpack(void *job) {
  const struct job *j = job;
  const quatsimd_operand to = quatsimd_structs(j->unpacked, 4);
  j->kernels->codec[j->entry->codec].unpack(j->entry->width, &to, j->packed, j->data->keys);
}

double speed_best_within(double at_least, void (*run)(void *), void *data) {
  run(data);
  double best = 1e30, total = 0;
  for (int i = 0; i < 5 || total < at_least; i++) {
    const double start = speed_now();
    run(data);
    const double seconds = speed_now() - start;
    total += seconds;
    if (seconds < best) best = seconds;
  }
  return best > 0 ? best : 1e-9; /* a clock too coarse to see it */
}

struct speed speed_measure(const quatsimd_kernels *kernels, quatsimd_format format,
                           const struct speed_data *data, unsigned char *packed, float *unpacked) {
  struct job job = {kernels, quatsimd_format_lookup(format), data, packed, unpacked};
  struct speed speed;
  speed.pack = (double)data->keys / speed_best_within(0.02, pack, &job);
  speed.unpack = (double)data->keys / speed_best_within(0.02, unpack, &job);
  return speed;
}
