/* Checks options.close_loop: loops whose last key was left out get one frame more, and hold their bounds at
 * every time, also where they begin again. */
#include "quatsimd/clip.h"
#include "quatsimd/pose.h"
#include "quatsimd/skeleton.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { JOINTS = 2, KEYS = 24, SAMPLES = 2000 };
#define PERIOD 0.8 /* seconds; the keys are PERIOD / KEYS apart, and the first is at START */
#define START 0.25
#define TURN_BOUND 0.001f
#define LENGTH_BOUND 0.0005f

/* Two joints that swing, in PERIOD. */
typedef struct swing {
  double times[KEYS];
  float rotation[JOINTS][3 * KEYS][4], translation[JOINTS][3 * KEYS][3];
  quatsimd_clip_joint joint[JOINTS];
  quatsimd_clip_source source;
} swing;

static double length_of(bool even, size_t k) { return even || k % 3 ? 1 : 2; }

static void make_swing(swing *s, quatsimd_curve_interpolation interpolation, bool even, double phase,
                       double walk) {
  const bool cubic = interpolation == QUATSIMD_CURVE_CUBIC;
  const size_t width = cubic ? 3 : 1, at = cubic ? 1 : 0;
  double time = 0, all = 0;
  memset(s, 0, sizeof *s);
  for (size_t k = 0; k < KEYS; k++) all += length_of(even, k);
  for (size_t k = 0; k < KEYS; k++) {
    const double part = time / all, angle = 6.283185307179586 * part + phase;
    s->times[k] = START + PERIOD * part;
    time += length_of(even, k);
    for (size_t j = 0; j < JOINTS; j++) {
      const double half = 0.4 * sin(angle + (double)j);
      float *q = s->rotation[j][width * k + at], *t = s->translation[j][width * k + at];
      q[2] = (float)sin(half), q[3] = (float)cos(half);
      t[0] = (float)((j ? 0.5 : 0) + 0.05 * cos(angle)), t[1] = (float)(0.03 * sin(2 * angle));
      t[2] = j ? 0 : (float)(walk * part);
    }
  }
  for (size_t j = 0; j < JOINTS; j++) {
    s->joint[j].parent = (int64_t)j - 1;
    s->joint[j].rotation = (quatsimd_curve){KEYS, s->times, s->rotation[j][0], interpolation};
    s->joint[j].translation = (quatsimd_curve){KEYS, s->times, s->translation[j][0], interpolation};
  }
  s->source = (quatsimd_clip_source){JOINTS, s->joint, 0, NULL};
}

typedef struct loop {
  quatsimd_clip_options options;
  quatsimd_clip_report report;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  void *data;
  size_t size;
} loop;

static void prepare(loop *l) {
  memset(l, 0, sizeof *l);
  quatsimd_clip_options_init(&l->options, sizeof l->options);
  quatsimd_clip_report_init(&l->report, sizeof l->report);
  l->options.rotation_bound = TURN_BOUND, l->options.translation_bound = LENGTH_BOUND;
  l->options.close_loop = 1;
}

static void encode_loop(loop *l, const swing *s) {
  if (quatsimd_clip_encode(&l->data, &l->size, &s->source, &l->options, &l->report) != QUATSIMD_OK)
    fail_msg("%s", l->report.error ? l->report.error : "no message");
  assert_int_equal(quatsimd_clip_open(&l->clip, &l->storage, sizeof l->storage, l->data, l->size),
                   QUATSIMD_OK);
}

/* Evaluates a linear or holding curve that begins again after PERIOD. */
static void wanted(double *out, const quatsimd_curve *c, size_t n, double time, bool turns) {
  double into = fmod(time - START, PERIOD), norm = 0, dot = 0;
  if (into < 0) into += PERIOD;
  size_t k = 0;
  while (k + 1 < KEYS && c->times[k + 1] - START <= into) k++;
  const double from = c->times[k] - START, to = k + 1 < KEYS ? c->times[k + 1] - START : PERIOD;
  const float *a = c->values + n * k, *b = c->values + n * ((k + 1) % KEYS);
  const double t = c->interpolation == QUATSIMD_CURVE_HOLD ? 0 : (into - from) / (to - from);
  for (size_t i = 0; i < n; i++) dot += (double)a[i] * (double)b[i];
  const double angle = turns ? acos(fmin(dot, 1)) : 0;
  for (size_t i = 0; i < n; i++) {
    out[i] = angle > 1e-6 ? (sin((1 - t) * angle) * (double)a[i] + sin(t * angle) * (double)b[i]) / sin(angle)
                          : (1 - t) * (double)a[i] + t * (double)b[i];
    norm += out[i] * out[i];
  }
  for (size_t i = 0; i < n && turns; i++) out[i] /= sqrt(norm);
}

static double off_by(const double *a, const float *b, size_t n, bool turns) {
  double sum = 0, dot = 0;
  for (size_t i = 0; i < n; i++) dot += a[i] * (double)b[i];
  for (size_t i = 0; i < n; i++) {
    const double d = a[i] - (turns && dot < 0 ? -(double)b[i] : (double)b[i]);
    sum += d * d;
  }
  return turns ? 4 * asin(sqrt(sum) / 2) : sqrt(sum);
}

/* Compares a clip, added to `base` if this is not null, with the source, over three rounds. */
static void compare(const loop *l, const swing *s, const swing *base) {
  for (size_t i = 0; i < SAMPLES; i++) {
    const double time = START + PERIOD * (-1 + 3 * ((double)i + 0.37) / SAMPLES);
    float q[JOINTS][4], t[JOINTS][3];
    quatsimd_pose_out pose = {quatsimd_aos_out(q[0]), quatsimd_aos_out(t[0]), {0}, NULL};
    quatsimd_clip_sample(l->clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0);
    for (size_t j = 0; j < JOINTS; j++) {
      double turn[4], move[3];
      wanted(turn, &s->joint[j].rotation, 4, time, true);
      wanted(move, &s->joint[j].translation, 3, time, false);
      if (base) {
        double b[4], under[3];
        wanted(b, &base->joint[j].rotation, 4, time, true);
        wanted(under, &base->joint[j].translation, 3, time, false);
        const double z = b[2], w = b[3], x2 = (double)q[j][2], w2 = (double)q[j][3];
        q[j][2] = (float)(w * x2 + z * w2), q[j][3] = (float)(w * w2 - z * x2);
        for (int c = 0; c < 3; c++) t[j][c] += (float)under[c];
      }
      if (!(off_by(turn, q[j], 4, true) <= (double)TURN_BOUND + 2e-6))
        fail_msg("joint %zu turns at %.9g: off by %.6g", j, time, off_by(turn, q[j], 4, true));
      if (!(off_by(move, t[j], 3, false) <= (double)LENGTH_BOUND + 2e-6))
        fail_msg("joint %zu moves at %.9g: off by %.6g", j, time, off_by(move, t[j], 3, false));
    }
  }
}

static void done(loop *l) { quatsimd_clip_free(NULL, l->data); }

static void check_gap(const loop *l, double gap) {
  assert_true(quatsimd_clip_is_looping(l->clip) == 1);
  assert_true(fabs(l->report.loop_gap - gap) < 1e-6);
  assert_true(fabs(quatsimd_clip_duration(l->clip) - (PERIOD * (KEYS - 1) / KEYS + gap)) < 1e-6);
  assert_int_equal(l->report.travelling_count, 0);
}

/* Measures the error that the report calls nearest to its bound, at its joint and time. */
static void check_nearest(const loop *l, const swing *s) {
  const quatsimd_clip_worst *turn = &l->report.nearest[QUATSIMD_CLIP_ROTATION];
  float q[JOINTS][4];
  double expected[4];
  quatsimd_pose_out pose = {quatsimd_aos_out(q[0]), {0}, {0}, NULL};
  assert_true(turn->joint < JOINTS && turn->ratio > 0 && turn->ratio <= 1.002f);
  quatsimd_clip_sample(l->clip, &pose, NULL, turn->time, QUATSIMD_CLIP_WRAP_CLIP, 0);
  wanted(expected, &s->joint[turn->joint].rotation, 4, turn->time + 1e-9, true);
  const double off = off_by(expected, q[turn->joint], 4, true),
               said = (double)turn->ratio * (double)TURN_BOUND;
  if (!(fabs(off - said) <= 0.02 * said + 2e-6))
    fail_msg("off by %.6g at %.9g, the report says %.6g", off, turn->time, said);
}

static void loops_close(void **state) {
  (void)state;
  static swing s;
  const quatsimd_curve_interpolation ways[] = {QUATSIMD_CURVE_LINEAR, QUATSIMD_CURVE_HOLD};
  for (size_t i = 0; i < 2; i++)
    for (int rate = 0; rate < 2; rate++) {
      loop l;
      make_swing(&s, ways[i], true, 0.3, 0);
      prepare(&l);
      if (rate) l.options.rate = KEYS / PERIOD;
      encode_loop(&l, &s);
      check_gap(&l, PERIOD / KEYS);
      compare(&l, &s, NULL);
      check_nearest(&l, &s);
      double first[3], last[3];
      wanted(first, &s.joint[1].translation, 3, START, false);
      wanted(last, &s.joint[1].translation, 3, s.times[KEYS - 1] + 1e-9, false);
      if (ways[i] == QUATSIMD_CURVE_HOLD)
        assert_true(fabs((double)l.report.loop_ends[QUATSIMD_CLIP_TRANSLATION] -
                         hypot(first[0] - last[0], first[1] - last[1])) < 1e-6);
      assert_true(l.report.loop_ends[QUATSIMD_CLIP_ROTATION] > 0.01f);
      assert_true(l.report.loop_ends[QUATSIMD_CLIP_SCALE] == 0);
      done(&l);
    }
}

/* Without a common rate, the frame is as long as the mean time between keys. */
static void uneven_loops_close(void **state) {
  (void)state;
  static swing s;
  loop l;
  make_swing(&s, QUATSIMD_CURVE_LINEAR, false, 0.3, 0);
  for (size_t k = 1; k < KEYS; k++) s.times[k] += 0.001 * sin((double)(k * k));
  prepare(&l);
  encode_loop(&l, &s);
  const double gap = (s.times[KEYS - 1] - START) / (KEYS - 1);
  assert_true(quatsimd_clip_is_looping(l.clip) == 1);
  assert_true(fabs(l.report.loop_gap - gap) < 1e-9);
  assert_true(fabs(quatsimd_clip_duration(l.clip) - (s.times[KEYS - 1] - START + gap)) < 1e-6);
  done(&l);
}

static void splines_close(void **state) {
  (void)state;
  static swing s;
  loop l;
  make_swing(&s, QUATSIMD_CURVE_CUBIC, true, 0.3, 0);
  prepare(&l);
  encode_loop(&l, &s);
  check_gap(&l, PERIOD / KEYS);
  for (size_t k = 0; k <= KEYS; k++) { /* at keys, and halfway to the first key again */
    const double time = k < KEYS ? s.times[k] : START + PERIOD * (KEYS - 0.5) / KEYS;
    float t[JOINTS][3];
    quatsimd_pose_out pose = {{0}, quatsimd_aos_out(t[0]), {0}, NULL};
    quatsimd_clip_sample(l.clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0);
    for (size_t i = 0; i < 3; i++) {
      const double key = (double)s.translation[1][3 * (k < KEYS ? k : KEYS - 1) + 1][i],
                   next = k < KEYS ? key : (double)s.translation[1][1][i];
      assert_true(fabs((double)t[1][i] - (key + next) / 2) <= (double)LENGTH_BOUND + 1e-6);
    }
  }
  done(&l);
}

static void additive_loops_close(void **state) {
  (void)state;
  static swing s, base;
  loop l;
  make_swing(&s, QUATSIMD_CURVE_LINEAR, true, 0.3, 0);
  make_swing(&base, QUATSIMD_CURVE_LINEAR, true, 1.9, 0);
  prepare(&l);
  l.options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, l.options.additive_base = &base.source;
  encode_loop(&l, &s);
  check_gap(&l, PERIOD / KEYS);
  compare(&l, &s, &base);
  done(&l);
}

static void loops_of_points_close(void **state) {
  (void)state;
  static swing s;
  loop l;
  make_swing(&s, QUATSIMD_CURVE_LINEAR, true, 0.3, 0);
  prepare(&l);
  l.options.rotation_bound = l.options.translation_bound = 0;
  l.options.object_bound = 0.0002f, l.options.object_distance = 0.2f;
  encode_loop(&l, &s);
  check_gap(&l, PERIOD / KEYS);
  compare(&l, &s, NULL);
  assert_true(l.report.worst_object <= 0.000201f);
  done(&l);
}

/* A root that walks goes on. Its motion over some rounds is that of the walk. */
static void walks_go_on(void **state) {
  (void)state;
  static swing s;
  loop l;
  make_swing(&s, QUATSIMD_CURVE_LINEAR, true, 0.3, 1.2);
  prepare(&l);
  encode_loop(&l, &s);
  assert_int_equal(l.report.travelling_count, 1);
  assert_true(quatsimd_clip_is_looping(l.clip) == 0);
  assert_true(fabs(quatsimd_clip_duration(l.clip) - PERIOD) < 1e-6);
  float t[2][JOINTS][3];
  for (int i = 0; i < 2; i++) {
    quatsimd_pose_out pose = {{0}, quatsimd_aos_out(t[i][0]), {0}, NULL};
    quatsimd_clip_sample(l.clip, &pose, NULL, START + i * PERIOD, QUATSIMD_CLIP_WRAP_CLAMP, 0);
  }
  assert_true(fabs((double)(t[1][0][2] - t[0][0][2]) - 1.2) <= 2 * (double)LENGTH_BOUND + 1e-6);
  for (int i = 0; i < 3; i++) /* the other joint closes */
    assert_true(fabs((double)(t[1][1][i] - t[0][1][i])) <= 2 * (double)LENGTH_BOUND + 1e-6);
  done(&l);
}

static void still_poses_need_no_frame(void **state) {
  (void)state;
  static swing s;
  loop l;
  make_swing(&s, QUATSIMD_CURVE_LINEAR, true, 0.3, 0);
  for (size_t j = 0; j < JOINTS; j++) s.joint[j].rotation.key_count = s.joint[j].translation.key_count = 1;
  prepare(&l);
  encode_loop(&l, &s);
  assert_true(l.report.loop_gap == 0);
  done(&l);
  prepare(&l);
  l.options.close_loop = 2;
  assert_int_equal(quatsimd_clip_encode(&l.data, &l.size, &s.source, &l.options, &l.report),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_non_null(strstr(l.report.error, "close_loop"));
  /* the base of a loop that is to be closed must not go on after it */
  static swing base;
  make_swing(&s, QUATSIMD_CURVE_LINEAR, true, 0.3, 0);
  make_swing(&base, QUATSIMD_CURVE_LINEAR, true, 1.9, 0);
  for (size_t j = 0; j < JOINTS; j++) s.joint[j].rotation.key_count--, s.joint[j].translation.key_count--;
  prepare(&l);
  l.options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, l.options.additive_base = &base.source;
  assert_int_equal(quatsimd_clip_encode(&l.data, &l.size, &s.source, &l.options, &l.report),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_non_null(strstr(l.report.error, "the base ends after the source"));
}

/* Memory that runs out at the n-th call. */
static void *allocate_some(void *context, size_t size) {
  size_t *left = context;
  return *left > 0 ? --*left, malloc(size) : NULL;
}
static void release(void *context, void *memory) {
  (void)context;
  free(memory);
}

static void memory_runs_out(void **state) {
  (void)state;
  static swing s;
  bool good = false;
  make_swing(&s, QUATSIMD_CURVE_CUBIC, true, 0.3, 1.2);
  for (size_t n = 0; !good; n++) {
    loop l;
    size_t left = n;
    const quatsimd_allocator allocator = {allocate_some, release, &left};
    prepare(&l);
    l.options.allocator = &allocator;
    const quatsimd_status status = quatsimd_clip_encode(&l.data, &l.size, &s.source, &l.options, &l.report);
    good = status == QUATSIMD_OK;
    if (!good) assert_int_equal(status, QUATSIMD_ERROR_NO_MEMORY);
    quatsimd_clip_free(&allocator, l.data);
    assert_true(n < 20000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops_close),
                                     cmocka_unit_test(uneven_loops_close),
                                     cmocka_unit_test(splines_close),
                                     cmocka_unit_test(additive_loops_close),
                                     cmocka_unit_test(loops_of_points_close),
                                     cmocka_unit_test(walks_go_on),
                                     cmocka_unit_test(still_poses_need_no_frame),
                                     cmocka_unit_test(memory_runs_out)};
  return cmocka_run_group_tests_name("loops that are closed", tests, NULL, NULL);
}
