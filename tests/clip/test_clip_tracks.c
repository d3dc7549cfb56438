/* Checks that float tracks are within their bounds at every time, in clips with joints and without. */
#include "fixture.h"

#include <float.h>

enum { MOST_TRACKS = 64 };

/* Returns the value of a track's curve at a time, as clip.h defines it. */
static long double track_at(const quatsimd_curve *c, long double time) {
  const bool cubic = c->interpolation == QUATSIMD_CURVE_CUBIC;
  const float *v = cubic ? c->values + 1 : c->values;
  const size_t apart = cubic ? 3 : 1;
  size_t k = 0;
  if (c->key_count == 0) return 0;
  while (k + 1 < c->key_count && c->times[k + 1] <= time) k++;
  const long double a = v[apart * k];
  if (k + 1 == c->key_count || c->interpolation == QUATSIMD_CURVE_HOLD ||
      (c->key_count > 1 && time <= c->times[k]))
    return a;
  const long double b = v[apart * (k + 1)], length = (long double)c->times[k + 1] - c->times[k],
                    t = (time - c->times[k]) / length;
  if (!cubic) return a + t * (b - a);
  return (2 * t * t * t - 3 * t * t + 1) * a + length * (t * t * t - 2 * t * t + t) * v[3 * k + 1] +
         (3 * t * t - 2 * t * t * t) * b + length * (t * t * t - t * t) * v[3 * k + 2];
}

static long double largest_value(const quatsimd_curve *c) {
  long double most = 0;
  for (size_t i = 0; i < c->key_count * (c->interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1); i++)
    most = fmaxl(most, fabsl((long double)c->values[i]));
  return most;
}

/* Returns the largest error of a linear curve if rounding changes its times by 2^-23 of the last time. */
static long double of_times(const quatsimd_curve *c) {
  long double steepest = 0;
  for (size_t k = 1; c->interpolation == QUATSIMD_CURVE_LINEAR && k < c->key_count; k++)
    steepest = fmaxl(steepest, fabsl((long double)c->values[k] - c->values[k - 1]) /
                                   ((long double)c->times[k] - c->times[k - 1]));
  return c->key_count > 1 ? steepest * 0x1p-23L * fabsl((long double)c->times[c->key_count - 1]) : 0;
}

/* Returns true if the curve jumps at this time, up to rounding. Then the values on both sides are right. */
static bool jumps_at(const quatsimd_curve *c, double time) {
  for (size_t k = 1; c->interpolation == QUATSIMD_CURVE_HOLD && k < c->key_count; k++)
    if (fabs(c->times[k] - time) <= 0x1p-22 * fabs(time)) return true;
  return false;
}

/* Checks all tracks at a time. Raises *worst to the largest quotient of a track's error and its bound. */
static void check_at(const fixture *f, const float *got, double time, long double *worst) {
  const quatsimd_clip_source *s = &f->scene.source;
  for (size_t t = 0; t < s->track_count; t++) {
    const quatsimd_curve *c = &s->tracks[t].curve;
    const double bound = (double)(s->tracks[t].bound > 0 ? s->tracks[t].bound : f->scene.options.track_bound);
    long double wanted = track_at(c, time);
    if (f->scene.options.additive && c->key_count) wanted -= track_at(c, c->key_count > 1 ? c->times[0] : 0);
    /* subtracts rounding errors, since floats are too coarse for the finest bound here */
    const long double off =
        fabsl((long double)got[t] - wanted) - 4 * (long double)FLT_EPSILON * largest_value(c) - of_times(c);
    if (jumps_at(c, time)) continue;
    if (off > bound)
      fail_msg("%s, track %zu at %g s: %Lg beside %Lg", f->name, t, time, (long double)got[t], wanted);
    if (off / bound > *worst && bound > 1e-8) *worst = off / bound;
  }
}

static void bounds_of_tracks(void **state) {
  (void)state;
  size_t checked = 0, states[CLIP_STATES] = {0};
  for (size_t i = 0; i < SCENES; i++) {
    fixture f;
    if (strncmp(scenes[i].name, "face", 4) != 0) continue;
    encode(&f, &scenes[i]);
    float got[MOST_TRACKS], again[MOST_TRACKS];
    const size_t tracks = quatsimd_clip_track_count(f.clip);
    long double worst = 0;
    assert_true(tracks == f.scene.source.track_count && tracks <= MOST_TRACKS);
    quatsimd_pose_out pose = {{0}, {0}, {0}, got}, other = {{0}, {0}, {0}, again};
    for (int step = 0; step <= 5000; step++) {
      const double time = quatsimd_clip_start(f.clip) +
                          quatsimd_clip_duration(f.clip) * step / 5000 * (step < 5000 ? 1 : 1 - 1e-9);
      assert_int_equal(quatsimd_clip_sample(f.clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, 0),
                       QUATSIMD_OK);
      check_at(&f, got, time, &worst);
    }
    for (size_t frame = 0; frame < quatsimd_clip_frame_count(f.clip); frame++) {
      const double time = quatsimd_clip_frame_time(f.clip, frame);
      assert_int_equal(quatsimd_clip_decode(f.clip, &other, NULL, frame, 1, 0), QUATSIMD_OK);
      assert_int_equal(quatsimd_clip_sample(f.clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, 0),
                       QUATSIMD_OK);
      assert_memory_equal(got, again, tracks * sizeof(float));
      check_at(&f, got, time, &worst);
    }
    for (size_t t = 0; t < tracks; t++) states[quatsimd_clip_curve_state(f.clip, QUATSIMD_CLIP_TRACK, t)]++;
    assert_true(worst > 0.5L); /* smaller errors mean that the clip is larger than necessary */
    checked++;
    done(&f);
  }
  assert_true(checked == 5);
  for (size_t s = 0; s < CLIP_STATES; s++) assert_true(states[s] > 0);
}

/* Checks that sampling joints and tracks in one call gives the bits of sampling them in two calls. */
static void joints_beside_tracks(void **state) {
  (void)state;
  fixture f;
  encode(&f, maker_of("face"));
  const size_t joints = quatsimd_clip_joint_count(f.clip), tracks = quatsimd_clip_track_count(f.clip);
  static float all[4 * 64], alone[4 * 64], floats[MOST_TRACKS], more[MOST_TRACKS];
  assert_true(joints <= 64);
  for (int i = 0; i < 50; i++) {
    const double time = quatsimd_clip_duration(f.clip) * i / 49;
    quatsimd_pose_out both = {quatsimd_aos_out(all), {0}, {0}, floats},
                      one = {quatsimd_aos_out(alone), {0}, {0}, NULL}, other = {{0}, {0}, {0}, more};
    assert_int_equal(quatsimd_clip_sample(f.clip, &both, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0),
                     QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_sample(f.clip, &one, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0), QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_sample(f.clip, &other, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0),
                     QUATSIMD_OK);
    assert_memory_equal(all, alone, 16 * joints);
    assert_memory_equal(floats, more, 4 * tracks);
  }
  done(&f);
}

static void sums_of_tracks(void **state) {
  (void)state;
  float sum[300], base[300], was[300];
  for (size_t i = 0; i < 300; i++) was[i] = sum[i] = (float)i * 0.37f, base[i] = 1 - (float)i;
  quatsimd_pose_out pose = {{0}, {0}, {0}, sum};
  const quatsimd_pose_in on = {.tracks = base}, none = {.tracks = NULL}, same = {.tracks = sum};
  assert_int_equal(quatsimd_clip_add(&pose, &on, &same, 0, 299), QUATSIMD_OK);
  for (size_t i = 0; i < 300; i++) assert_true(sum[i] == (i < 299 ? was[i] + base[i] : was[i]));
  REFUSED(quatsimd_clip_add(&pose, NULL, &same, 0, 0));
  assert_int_equal(quatsimd_clip_add(&pose, &same, &same, 0, 1), QUATSIMD_OK);
  assert_true(sum[0] == 2 * (was[0] + base[0]) && sum[1] == was[1] + base[1]);
  assert_int_equal(quatsimd_clip_add(&pose, &none, &on, 0, 3), QUATSIMD_OK);
  for (size_t i = 0; i < 4; i++) assert_true(sum[i] == (i < 3 ? base[i] : was[i] + base[i]));
}

/* Checks that undefined sums and products are the same NaN on every CPU. */
static void sums_that_are_undefined(void **state) {
  (void)state;
  enum { N = 4 };
  const uint32_t infinity = 0x7f800000, negative = 0xff800000, others[] = {0xffc00000, 0x7fc12345};
  const uint32_t x[N] = {infinity, others[0], others[1], infinity},
                 y[N] = {negative, 0x3f800000, 0x3f800000, 0};
  for (int i = 0; i < N; i++) {
    float a, b, sum[11], base[11];
    memcpy(&a, &x[i], 4), memcpy(&b, &y[i], 4);
    for (int c = 0; c < 11; c++) sum[c] = a, base[c] = b;
    quatsimd_pose_out pose = {quatsimd_aos_out(sum), quatsimd_aos_out(sum + 4), quatsimd_aos_out(sum + 7),
                              sum + 10};
    const quatsimd_pose_in on = {quatsimd_aos(base), quatsimd_aos(base + 4), quatsimd_aos(base + 7),
                                 base + 10};
    const quatsimd_pose_in added = {quatsimd_aos(sum), quatsimd_aos(sum + 4), quatsimd_aos(sum + 7),
                                    sum + 10};
    assert_int_equal(quatsimd_clip_add(&pose, &on, &added, 1, 1), QUATSIMD_OK);
    for (int c = 0; c < 11; c++) {
      uint32_t bits;
      memcpy(&bits, &sum[c], 4);
      const bool undefined = c < 4 || i == 1 || i == 2 || (c >= 7 && c < 10 ? i == 3 : i == 0);
      assert_int_equal(isnan(sum[c]), undefined);
      if (undefined) assert_int_equal(bits, 0x7fc00000);
    }
  }
}

static quatsimd_status try(const quatsimd_clip_source *source, const quatsimd_clip_options *options,
                           quatsimd_clip_report *report) {
  void *data = NULL;
  size_t size;
  quatsimd_clip_report_init(report, sizeof *report);
  const quatsimd_status status = quatsimd_clip_encode(&data, &size, source, options, report);
  assert_true(status == QUATSIMD_OK || !data);
  quatsimd_clip_free(NULL, data);
  return status;
}

static void refused_tracks(void **state) {
  (void)state;
  static const double times[] = {0, 1, 1};
  static float values[] = {0, 1, 2};
  quatsimd_clip_report report;
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  quatsimd_clip_track track[2] = {{{2, times, values, 0}, 0}, {{2, times, values, 0}, 0}};
  const quatsimd_clip_source source = {0, NULL, 2, track}, null = {0, NULL, 2, NULL},
                             many = {0, NULL, ((size_t)1 << 20) + 1, track}, one = {0, NULL, 1, track};
  assert_int_equal(try(&source, &options, &report), QUATSIMD_OK);
  assert_int_equal(report.moving_count[QUATSIMD_CLIP_TRACK], 2);
  REFUSED(try(&null, &options, &report));
  REFUSED(try(&many, &options, &report));
  track[1].curve.key_count = 3; /* the last two times are equal */
  assert_int_equal(try(&source, &options, &report), QUATSIMD_ERROR_BAD_KEY);
  assert_true(report.joint == 1 && report.kind == QUATSIMD_CLIP_TRACK && report.key == 2);
  track[1].curve.key_count = 2;
  values[1] = (float)NAN;
  assert_int_equal(try(&source, &options, &report), QUATSIMD_ERROR_BAD_KEY);
  assert_true(report.joint == 0 && report.kind == QUATSIMD_CLIP_TRACK && report.key == 1);
  values[1] = 1;
  track[1].bound = -1;
  REFUSED(try(&source, &options, &report));
  assert_true(report.joint == 1 && report.kind == QUATSIMD_CLIP_TRACK);
  track[1].bound = 0, options.track_bound = 0;
  REFUSED(try(&source, &options, &report));
  assert_true(report.joint == 0 && report.kind == QUATSIMD_CLIP_TRACK);
  options.track_bound = (float)INFINITY;
  REFUSED(try(&source, &options, &report));
  options.track_bound = 0.1f;
  options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, options.additive_base = &one;
  REFUSED(try(&source, &options, &report));
  options.additive_base = &source;
  assert_int_equal(try(&source, &options, &report), QUATSIMD_OK);
  assert_int_equal(report.rest_count[QUATSIMD_CLIP_TRACK], 2);
  options.additive = QUATSIMD_CLIP_ADDITIVE_NONE, options.additive_base = NULL, options.looping = 1;
  assert_int_equal(try(&source, &options, &report), QUATSIMD_ERROR_BAD_KEY);
  assert_non_null(strstr(report.error, "loop"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_of_tracks),
                                     cmocka_unit_test(joints_beside_tracks), cmocka_unit_test(sums_of_tracks),
                                     cmocka_unit_test(sums_that_are_undefined),
                                     cmocka_unit_test(refused_tracks)};
  return cmocka_run_group_tests_name("tracks", tests, NULL, NULL);
}
