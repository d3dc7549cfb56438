/* Makes sources from curves. A test makes a source, fills its joints and encodes it. */
#ifndef MADE_H
#define MADE_H

#include "support/random.h"

#include <quatsimd/clip.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

typedef struct made {
  quatsimd_clip_joint *joint;
  quatsimd_clip_source source;
  quatsimd_clip_options options;
  quatsimd_clip_report report;
  void *data;
  size_t size;
  void *memory[4096]; /* memory of the curves */
  size_t pieces;
} made;

static inline void *take(made *m, size_t size) {
  void *p = malloc(size);
  assert_true(p && m->pieces < sizeof m->memory / sizeof *m->memory);
  return m->memory[m->pieces++] = p;
}

static inline made *make(size_t joints) {
  made *m = calloc(1, sizeof *m);
  assert_non_null(m);
  m->joint = calloc(joints, sizeof *m->joint);
  assert_non_null(m->joint);
  for (size_t j = 0; j < joints; j++) m->joint[j].parent = (int64_t)j - 1;
  m->source = (quatsimd_clip_source){joints, m->joint, 0, NULL};
  assert_int_equal(quatsimd_clip_options_init(&m->options, sizeof m->options), QUATSIMD_OK);
  return m;
}

static inline void release(made *m) {
  quatsimd_clip_free(m->options.allocator, m->data);
  for (size_t i = 0; i < m->pieces; i++) free(m->memory[i]);
  free(m->joint), free(m);
}

static inline double *even(made *m, size_t keys, double rate) {
  double *times = take(m, keys * sizeof *times);
  for (size_t k = 0; k < keys; k++) times[k] = (double)k / rate;
  return times;
}

static inline double *uneven(made *m, size_t keys, uint64_t *random) {
  double *times = take(m, keys * sizeof *times), time = 0.1 * random_unit(random);
  for (size_t k = 0; k < keys; k++, time += 0.01 + 0.05 * random_unit(random)) times[k] = time;
  return times;
}

/* Makes a rotation curve that turns to and fro about a random axis. */
static inline quatsimd_curve turns(made *m, size_t keys, const double *times, uint64_t *random) {
  float *to = take(m, 16 * keys);
  double axis[3], n = 0;
  for (int i = 0; i < 3; i++) axis[i] = random_gauss(random), n += axis[i] * axis[i];
  const double phase = 6 * random_unit(random), fast = 1 + 3 * random_unit(random);
  for (size_t k = 0; k < keys; k++) {
    const double half = 0.4 * sin(fast * times[k] + phase);
    for (int i = 0; i < 3; i++) to[4 * k + (size_t)i] = (float)(axis[i] / sqrt(n) * sin(half));
    to[4 * k + 3] = (float)cos(half);
  }
  return (quatsimd_curve){keys, times, to, QUATSIMD_CURVE_LINEAR};
}

static inline quatsimd_curve anywhere(made *m, size_t keys, const double *times, size_t width,
                                      double magnitude, uint64_t *random) {
  float *to = take(m, 4 * width * keys);
  for (size_t i = 0; i < width * keys; i++) to[i] = (float)(magnitude * (2 * random_unit(random) - 1));
  return (quatsimd_curve){keys, times, to, QUATSIMD_CURVE_LINEAR};
}

static inline quatsimd_curve fixed(made *m, double x, double y, double z) {
  float *to = take(m, 12);
  to[0] = (float)x, to[1] = (float)y, to[2] = (float)z;
  return (quatsimd_curve){1, NULL, to, QUATSIMD_CURVE_LINEAR};
}

static inline void encode(made *m, const char *what) {
  quatsimd_clip_free(m->options.allocator, m->data), m->data = NULL;
  assert_int_equal(quatsimd_clip_report_init(&m->report, sizeof m->report), QUATSIMD_OK);
  const quatsimd_status status =
      quatsimd_clip_encode(&m->data, &m->size, &m->source, &m->options, &m->report);
  if (status != QUATSIMD_OK)
    fail_msg("%s: %s; joint %zu, kind %d, key %zu: %s", what, quatsimd_status_string(status), m->report.joint,
             m->report.kind, m->report.key, m->report.error ? m->report.error : "no message");
}

#endif
