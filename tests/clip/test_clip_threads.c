/* Encoding on several threads, and in any order: the same bytes and the same report. Meant for thread
 * sanitizer too. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "quatsimd/quatsimd.h"
#include "support/counted.h"
#include "support/random.h"

/* Several tasks of measuring and of searching, and frames between them. */
enum { JOINTS = 5, KEYS = 1400, THREADS = 4 };

typedef struct scene {
  double times[KEYS];
  float turns[JOINTS][KEYS][4], path[KEYS][3], bone[3];
  quatsimd_clip_joint joint[JOINTS];
} scene;

/* Smooth, but for jerks now and then, which cost attempts. */
static void make_scene(scene *s, int interpolation) {
  uint64_t random = 7;
  memset(s, 0, sizeof *s);
  s->bone[1] = 0.3f;
  for (size_t k = 0; k < KEYS; k++) {
    s->times[k] = (double)k / 60;
    s->path[k][0] = 0.2f * (float)sin((double)k / 20), s->path[k][2] = 0.01f * (float)k;
    for (int j = 0; j < JOINTS; j++) {
      const double angle = 0.6 * sin((double)k / (9 + j)) + (k % 211 == 0 ? random_unit(&random) : 0);
      float *q = s->turns[j][k];
      q[j % 3] = (float)sin(angle / 2), q[3] = (float)cos(angle / 2);
    }
  }
  for (int j = 0; j < JOINTS; j++) {
    s->joint[j].parent = j - 1;
    s->joint[j].rotation = (quatsimd_curve){KEYS, s->times, s->turns[j][0], interpolation};
    s->joint[j].translation = (quatsimd_curve){1, s->times, s->bone, 0};
  }
  s->joint[0].translation = (quatsimd_curve){KEYS, s->times, s->path[0], 0};
}

/* ---- runners ---- */

static size_t most_tasks; /* that one call had */

static void run_backwards(void *context, void (*task)(void *data, size_t i), void *data, size_t count) {
  assert_ptr_equal(context, &most_tasks);
  if (count > most_tasks) most_tasks = count;
  while (count-- > 0) task(data, count);
}

typedef struct shared {
  void (*task)(void *data, size_t i);
  void *data;
  size_t count;
  atomic_size_t next;
} shared;

static void *work(void *p) {
  shared *s = p;
  for (size_t i; (i = atomic_fetch_add(&s->next, 1)) < s->count;) s->task(s->data, i);
  return NULL;
}

static void run_threads(void *context, void (*task)(void *data, size_t i), void *data, size_t count) {
  shared s = {task, data, count, 0};
  pthread_t thread[THREADS];
  (void)context;
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, work, &s), 0);
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
}

/* ---- */

static void same_bytes(const scene *s, const quatsimd_clip_options *options) {
  const quatsimd_clip_source source = {JOINTS, s->joint, 0, NULL};
  const quatsimd_runner runners[] = {{run_backwards, &most_tasks}, {run_threads, NULL}};
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
  static scene s;
  for (int interpolation = QUATSIMD_CURVE_LINEAR; interpolation <= QUATSIMD_CURVE_HOLD; interpolation++) {
    make_scene(&s, interpolation);
    for (int kind = 0; kind < 4; kind++) {
      quatsimd_clip_options options;
      quatsimd_clip_options_init(&options, sizeof options);
      if (kind < 2) options.object_bound = 1e-3f, options.object_distance = 0.1f;
      else options.rotation_bound = 1e-3f, options.translation_bound = 1e-3f;
      options.additive = kind % 2 ? QUATSIMD_CLIP_ADDITIVE_FIRST : QUATSIMD_CLIP_ADDITIVE_NONE;
      most_tasks = 0;
      same_bytes(&s, &options);
      if (interpolation == QUATSIMD_CURVE_LINEAR) assert_in_range(most_tasks, 2, 64);
    }
  }
}

/* A task for which there is no memory: an error, and nothing is lost. */
static void without_memory(void **state) {
  (void)state;
  static scene s;
  make_scene(&s, QUATSIMD_CURVE_LINEAR);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(runners), cmocka_unit_test(without_memory)};
  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
