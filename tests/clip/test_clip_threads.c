/* Checks that encoding on several threads, in any order, gives the same bytes and the same report. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/threads.h"
#include "quatsimd/quatsimd.h"
#include "support/counted.h"
#include "support/random.h"

/* The scene is so large that the encoder divides measuring and searching into several tasks each. */
enum {
  JOINTS = 5,
  KEYS = 1400,
  THREADS = 4,
  SPLINE_KEYS = KEYS / 10 /* leaves many frames between neighbouring keys */
};

typedef struct scene {
  double times[KEYS];
  float turns[JOINTS][3 * KEYS][4]; /* splines use this array too, with tangents of 0 */
  float path[KEYS][3], bone[3];
  quatsimd_clip_joint joint[JOINTS];
} scene;

/* Makes joints that turn by up to `swing` radians to either side. Jerks make the encoder try more often. */
static void make_scene(scene *s, int interpolation, double swing) {
  uint64_t random = 7;
  const size_t keys = interpolation == QUATSIMD_CURVE_CUBIC ? SPLINE_KEYS : KEYS;
  memset(s, 0, sizeof *s);
  s->bone[1] = 0.3f;
  for (size_t k = 0; k < KEYS; k++) {
    s->times[k] = (double)k / 60;
    s->path[k][0] = 0.2f * (float)sin((double)k / 20), s->path[k][2] = 0.01f * (float)k;
    for (int j = 0; j < JOINTS; j++) {
      const double angle = swing * sin((double)k / (9 + j)) + (k % 211 == 0 ? random_unit(&random) : 0);
      float *q = s->turns[j][interpolation == QUATSIMD_CURVE_CUBIC ? 3 * k + 1 : k];
      q[j % 3] = (float)sin(angle / 2), q[3] = (float)cos(angle / 2);
    }
  }
  for (int j = 0; j < JOINTS; j++) {
    s->joint[j].parent = j - 1;
    s->joint[j].rotation = (quatsimd_curve){keys, s->times, s->turns[j][0], interpolation};
    s->joint[j].translation = (quatsimd_curve){1, s->times, s->bone, 0};
  }
  s->joint[0].translation = (quatsimd_curve){KEYS, s->times, s->path[0], 0};
}

/* ---- runners ---- */

static size_t most_tasks; /* the most tasks in one call of a runner */

static void run_backwards(void *context, void (*task)(void *data, size_t i), void *data, size_t count) {
  assert_ptr_equal(context, &most_tasks);
  if (count > most_tasks) most_tasks = count;
  while (count-- > 0) task(data, count);
}

/* ---- tests ---- */

static void same_bytes(const scene *s, const quatsimd_clip_options *options) {
  const quatsimd_clip_source source = {JOINTS, s->joint, 0, NULL};
  struct threads threads = {.count = THREADS};
  const quatsimd_runner runners[] = {{run_backwards, &most_tasks}, {threads_run, &threads}};
  quatsimd_clip_report wanted, got;
  void *alone, *data;
  size_t size, bytes;
  quatsimd_clip_report_init(&wanted, sizeof wanted), quatsimd_clip_report_init(&got, sizeof got);
  assert_int_equal(quatsimd_clip_encode(&alone, &size, &source, options, &wanted), QUATSIMD_OK);
  for (int i = 0; i < 2; i++) {
    quatsimd_clip_options own = *options;
    own.runner = &runners[i];
    assert_int_equal(quatsimd_clip_encode(&data, &bytes, &source, &own, &got), QUATSIMD_OK);
    assert_int_equal(bytes, size);
    assert_memory_equal(data, alone, size);
    assert_memory_equal(&got, &wanted, sizeof got);
    quatsimd_clip_free(NULL, data);
  }
  quatsimd_clip_free(NULL, alone);
}

static void runners(void **state) {
  (void)state;
  static scene s, below;
  const quatsimd_clip_source base = {JOINTS, below.joint, 0, NULL};
  make_scene(&below, QUATSIMD_CURVE_LINEAR, 0.4);
  for (int interpolation = QUATSIMD_CURVE_LINEAR; interpolation <= QUATSIMD_CURVE_CUBIC; interpolation++) {
    make_scene(&s, interpolation, 0.6);
    for (int additive = QUATSIMD_CLIP_ADDITIVE_NONE; additive <= QUATSIMD_CLIP_ADDITIVE_BASE; additive++)
      for (int way = 0; way < 3; way++) { /* ways: object bounds; object bounds and a rate; joint bounds */
        quatsimd_clip_options options;
        quatsimd_clip_options_init(&options, sizeof options);
        if (way < 2) options.object_bound = 1e-3f, options.object_distance = 0.1f;
        else options.rotation_bound = 1e-3f, options.translation_bound = 1e-3f;
        options.rate = way == 1 ? 70 : 0;
        options.additive = additive,
        options.additive_base = additive == QUATSIMD_CLIP_ADDITIVE_BASE ? &base : NULL;
        most_tasks = 0;
        same_bytes(&s, &options);
        if (interpolation == QUATSIMD_CURVE_LINEAR && way != 1) assert_in_range(most_tasks, 2, 64);
      }
  }
}

/* Checks that a runner without a function is refused. */
static void no_function(void **state) {
  (void)state;
  static scene s;
  make_scene(&s, QUATSIMD_CURVE_LINEAR, 0.6);
  const quatsimd_clip_source source = {JOINTS, s.joint, 0, NULL};
  const quatsimd_runner runner = {NULL, NULL};
  quatsimd_clip_options options;
  quatsimd_clip_report report;
  void *data;
  size_t size;
  quatsimd_clip_report_init(&report, sizeof report);
  quatsimd_clip_options_init(&options, sizeof options);
  options.rotation_bound = 1e-3f, options.translation_bound = 1e-3f, options.runner = &runner;
  assert_int_equal(quatsimd_clip_encode(&data, &size, &source, &options, &report),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_string_equal(report.error, "run of the runner is null");
}

/* Checks that encoding returns an error and frees everything if a task cannot get memory. */
static void without_memory(void **state) {
  (void)state;
  static scene s;
  make_scene(&s, QUATSIMD_CURVE_LINEAR, 0.6);
  const quatsimd_clip_source source = {JOINTS, s.joint, 0, NULL};
  const quatsimd_runner runner = {run_backwards, &most_tasks};
  quatsimd_status status = QUATSIMD_ERROR_NO_MEMORY;
  for (size_t most = 0; status != QUATSIMD_OK; most += 1 + most / 16) {
    counted_memory c = {.from = most, .to = SIZE_MAX};
    const quatsimd_allocator allocator = counted_allocator(&c);
    quatsimd_clip_options options;
    void *data = NULL;
    size_t size;
    quatsimd_clip_options_init(&options, sizeof options);
    options.object_bound = 1e-3f, options.object_distance = 0.1f;
    options.allocator = &allocator, options.runner = &runner;
    status = quatsimd_clip_encode(&data, &size, &source, &options, NULL);
    assert_true(status == QUATSIMD_OK || status == QUATSIMD_ERROR_NO_MEMORY);
    if (status == QUATSIMD_OK) quatsimd_clip_free(&allocator, data);
    assert_int_equal(c.pieces, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(runners), cmocka_unit_test(no_function),
                                     cmocka_unit_test(without_memory)};
  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
