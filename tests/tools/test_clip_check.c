/* Tests the command's measurement of clip errors, with sources that differ from a clip by a known error. */
#include "check/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { JOINTS = 3, KEYS = 31 };

/* A hip, a knee and a foot, each 2 along x from the one above. All turn, and the hip also moves. */
struct leg {
  quatsimd_clip_joint joint[JOINTS];
  quatsimd_clip_source source;
  double times[KEYS];
  float turns[JOINTS][KEYS][4], path[KEYS][3], sizes[KEYS][3], bone[3];
};

static void turn(float *q, double angle) {
  q[0] = q[1] = 0;
  q[2] = (float)sin(angle / 2), q[3] = (float)cos(angle / 2);
}

static void make_leg(struct leg *leg) {
  static const double start = 0;
  memset(leg, 0, sizeof *leg);
  leg->source = (quatsimd_clip_source){JOINTS, leg->joint, 0, NULL};
  leg->bone[0] = 2;
  for (int k = 0; k < KEYS; k++) {
    leg->times[k] = k / 30.0;
    leg->path[k][1] = 0.1f * (float)sin(0.3 * k);
    for (int i = 0; i < 3; i++) leg->sizes[k][i] = 1 + 0.01f * (float)k;
    for (int j = 0; j < JOINTS; j++) turn(leg->turns[j][k], 0.5 * sin(0.2 * k + j));
    float *foot = leg->turns[2][k];
    foot[0] = 0.36f * foot[2], foot[1] = 0.48f * foot[2], foot[2] *= 0.8f;
  }
  for (int j = 0; j < JOINTS; j++) {
    leg->joint[j].parent = j - 1;
    leg->joint[j].rotation = (quatsimd_curve){KEYS, leg->times, leg->turns[j][0], 0};
    leg->joint[j].translation = (quatsimd_curve){1, &start, leg->bone, 0};
  }
  leg->joint[0].translation = (quatsimd_curve){KEYS, leg->times, leg->path[0], 0};
  leg->joint[2].scale = (quatsimd_curve){KEYS, leg->times, leg->sizes[0], 0};
}

/* An encoded clip. */
struct made {
  quatsimd_clip *clip;
  quatsimd_clip_storage storage;
  void *data;
};

static const quatsimd_clip_options fine = {
    .struct_size = sizeof fine, .rotation_bound = 2e-5f, .translation_bound = 1e-5f, .scale_bound = 1e-5f};

static void make_clip(struct made *made, const quatsimd_clip_source *source,
                      const quatsimd_clip_options *options) {
  size_t size;
  assert_int_equal(quatsimd_clip_encode(&made->data, &size, source, options, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&made->clip, &made->storage, sizeof made->storage, made->data, size),
                   QUATSIMD_OK);
}

/* The errors of the last comparison. */
static struct clip_error error[CLIP_CHECK_ERRORS];
static const struct clip_error *const object = &error[CLIP_CHECK_OBJECT];

static void check_clip(const struct made *made, const quatsimd_clip_source *source, double distance) {
  const struct clip_pair pair = {.source = source, .clip = made->clip, .distance = distance};
  assert_int_equal(clip_check(&pair, error, NULL), QUATSIMD_OK);
}

/* Encodes one source, and compares the clip with another. */
static void compare_sources(const quatsimd_clip_source *of, const quatsimd_clip_options *options,
                            const quatsimd_clip_source *with, double distance) {
  struct made made;
  make_clip(&made, of, options);
  check_clip(&made, with, distance);
  quatsimd_clip_free(NULL, made.data);
}

/* Encodes the leg, and compares the clip with the leg that `change` has changed. */
static void check(void (*change)(struct leg *), int additive, double distance) {
  quatsimd_clip_options options = fine;
  struct leg leg, changed;
  options.additive = additive;
  make_leg(&leg), make_leg(&changed);
  change(&changed);
  compare_sources(&leg.source, &options, &changed.source, distance);
}

static void expect(const struct clip_error *error, double worst, double tolerance, size_t joint, int key) {
  if (fabs(error->worst - worst) > tolerance) fail_msg("%.9g is not %.9g", error->worst, worst);
  if (worst == 0) return;
  assert_int_equal(error->joint, joint);
  assert_true(error->time == key / 30.0);
}

static void nothing(struct leg *leg) { (void)leg; }
static void change_curves(struct leg *leg) {
  float *q = leg->turns[2][7];
  const float x = q[0], y = q[1], z = q[2], w = q[3], c = (float)cos(0.005), s = (float)sin(0.005);
  /* turn the foot by a further 0.01 about x */
  q[0] = c * x + s * w, q[1] = c * y - s * z, q[2] = c * z + s * y, q[3] = c * w - s * x;
  for (int i = 0; i < 4; i++) q[i] *= -3; /* neither the length nor the sign of a quaternion is an error */
  leg->path[11][0] += 0.03f, leg->path[11][1] += 0.04f;
  leg->sizes[KEYS - 1][1] -= 0.02f, leg->sizes[KEYS - 1][2] += 0.01f;
}
static void change_hip(struct leg *leg) { turn(leg->turns[0][5], 0.5 * sin(0.2 * 5) + 0.01); }
static void change_path(struct leg *leg) { leg->path[KEYS - 1][2] = 0.25f; }
static void change_size(struct leg *leg) { leg->sizes[3][0] += 0.1f; }

static void curves_are_compared_at_their_keys(void **state) {
  (void)state;
  for (int additive = QUATSIMD_CLIP_ADDITIVE_NONE; additive <= QUATSIMD_CLIP_ADDITIVE_FIRST; additive++) {
    check(nothing, additive, 0);
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) expect(&error[kind], 0, 2.1e-5, 0, 0);
    check(change_curves, additive, 0);
    expect(&error[QUATSIMD_CLIP_ROTATION], 0.01, 2.1e-5, 2, 7);
    expect(&error[QUATSIMD_CLIP_TRANSLATION], 0.05, 1.1e-5, 0, 11);
    expect(&error[QUATSIMD_CLIP_SCALE], 0.02, 1.1e-5, 2, KEYS - 1);
    assert_true(object->worst == 0);
  }
}

/* If the hip turns, the largest error is at the point farthest from the hip. This point is 3 beyond the foot.
 * The distance from the hip to the foot depends on the angle of the knee. */
static void joints_are_compared_where_the_root_is(void **state) {
  (void)state;
  check(nothing, 0, 3);
  expect(object, 0, 5e-4, 0, 0);
  check(change_hip, 0, 3);
  const double knee = 0.5 * sin(0.2 * 5 + 1), foot = hypot(2 + 2 * cos(knee), 2 * sin(knee));
  expect(object, (foot + 3 * (1 + 0.01 * 5)) * 2 * sin(0.005), 5e-4, 2, 5);
  check(change_path, 0, 3);
  if (fabs(object->worst - 0.25) > 1e-3) fail_msg("%g is not 0.25", object->worst);
  assert_true(object->time == 1);
  check(change_size, 0, 3);
  expect(object, 0.3, 5e-4, 2, 3);
}

/* Leaves the hip only two keys. At the knee's keys between these two, slerp determines the hip's rotation. */
static void take_keys_away(struct leg *leg) {
  static double times[2];
  static float turns[2][4];
  times[0] = 0, times[1] = 1;
  turn(turns[0], 0), turn(turns[1], 2);
  leg->joint[0].rotation = (quatsimd_curve){2, times, turns[0], 0};
  for (int k = 0; k < KEYS; k++) turn(leg->turns[0][k], 2 * k / 30.0);
}

static void between_keys_sources_are_interpolated(void **state) {
  struct leg leg, fewer;
  (void)state;
  for (int hold = 0; hold < 2; hold++) {
    make_leg(&leg), take_keys_away(&leg);
    leg.joint[0].rotation = (quatsimd_curve){KEYS, leg.times, leg.turns[0][0], 0};
    make_leg(&fewer), take_keys_away(&fewer);
    fewer.joint[0].rotation.interpolation = hold ? QUATSIMD_CURVE_HOLD : QUATSIMD_CURVE_LINEAR;
    compare_sources(&leg.source, &fine, &fewer.source, 3);
    if (hold) assert_true(object->worst > 1); /* the hip stands still until the end */
    else expect(object, 0, 5e-4, 0, 0);
  }
}

/* Encodes a curve of the hip with keys so dense that interpolation adds hardly any error. Compares the clip
 * with a curve of fewer keys. */
enum { FINE = 240 };
struct curve {
  double times[FINE + 1];
  float values[FINE + 1][4];
};
typedef void value_at(double time, float *value);

/* Makes a curve with `keys` keys at even times from 0 to 1 second. */
static quatsimd_curve make_curve(struct curve *curve, value_at *at, int keys, size_t width) {
  float *values = (float *)(void *)curve->values; /* `width` components for each key */
  for (int k = 0; k < keys; k++) {
    curve->times[k] = (float)k / (float)(keys - 1);
    at(curve->times[k], values + width * (size_t)k);
  }
  return (quatsimd_curve){(size_t)keys, curve->times, curve->values[0], QUATSIMD_CURVE_LINEAR};
}

/* Encodes the function `at` as a curve of the hip, and compares the clip with the curve `with`. */
static struct clip_error compare(value_at *at, int kind, const quatsimd_curve *with) {
  quatsimd_clip_options options = fine;
  struct curve dense;
  quatsimd_clip_joint joint = {.parent = -1}, other = {.parent = -1};
  const quatsimd_clip_source source = {1, &joint, 0, NULL}, others = {1, &other, 0, NULL};
  options.rate = FINE;
  *(kind ? &joint.translation : &joint.rotation) = make_curve(&dense, at, FINE + 1, kind ? 3 : 4);
  *(kind ? &other.translation : &other.rotation) = *with;
  compare_sources(&source, &options, &others, 0);
  return error[kind];
}

static void expect_between(struct clip_error error, double at_keys, double between, double tolerance) {
  if (fabs(error.at_keys - at_keys) > tolerance || fabs(error.between - between) > tolerance)
    fail_msg("%.9g and %.9g are not %.9g and %.9g", error.at_keys, error.between, at_keys, between);
  assert_true(error.worst == fmax(error.at_keys, error.between));
}

/* Linear interpolation of keys at tenths of a second is off by 0.1 midway between two keys. */
static void wave(double time, float *value) {
  value[0] = (float)time, value[1] = 0.1f * (float)fabs(sin(10 * 3.14159265358979323846 * time)),
  value[2] = 0;
}
static void wobble(double time, float *value) {
  turn(value, 3 * time + 0.1 * fabs(sin(10 * 3.14159265358979323846 * time)));
}

static void between_keys_errors_are_found(void **state) {
  struct curve rough;
  (void)state;
  quatsimd_curve curve = make_curve(&rough, wave, 11, 3);
  expect_between(compare(wave, QUATSIMD_CLIP_TRANSLATION, &curve), 0, 0.1, 1e-3);
  curve = make_curve(&rough, wobble, 11, 4);
  expect_between(compare(wobble, QUATSIMD_CLIP_ROTATION, &curve), 0, 0.1, 1e-3);
  for (size_t i = 0; i < 4; i++) rough.values[5][i] = -rough.values[5][i]; /* -q is the same rotation */
  expect_between(compare(wobble, QUATSIMD_CLIP_ROTATION, &curve), 0, 0.1, 1e-3);
}

/* A turn whose adjacent keys have a dot product of at least 0, so interpolation negates no key. */
static void half_turns(double time, float *value) { turn(value, 2 * 3.14159265358979323846 * time); }

static void half_turns_have_a_way(void **state) {
  static const double times[] = {0, 0.5, 1};
  float values[][4] = {{0, 0, 0, 1}, {0, 0, 1, 0}, {0, 0, 0, -1}};
  const quatsimd_curve curve = {3, times, values[0], QUATSIMD_CURVE_LINEAR};
  (void)state;
  expect_between(compare(half_turns, QUATSIMD_CLIP_ROTATION, &curve), 0, 0, 1e-4);
  values[2][3] = 1; /* the second of the two half turns goes back */
  expect_between(compare(half_turns, QUATSIMD_CLIP_ROTATION, &curve), 0, 3.14159265, 1e-4);
  values[2][3] = -1, values[1][2] = -1; /* both half turns go in the other direction */
  expect_between(compare(half_turns, QUATSIMD_CLIP_ROTATION, &curve), 0, 3.14159265, 1e-4);
}

static void swing(double t, float *value) { /* x goes from 0 to 1, slowly at both ends */
  value[0] = (float)(t * t * (3 - 2 * t)), value[1] = (float)(t * (1 - t) * (1 - t)), value[2] = 5;
}
static void swing_round(double t, float *value) {
  value[0] = (float)(t * t * (3 - 2 * t)), value[1] = (float)(t * (1 - t) * (1 - t)), value[2] = 0;
  value[3] = (float)((1 - t) * (1 - t) * (1 + 2 * t));
}

static void cubic_curves_have_tangents(void **state) {
  static const double times[] = {0, 1};
  /* in-tangent, key and out-tangent, for two keys */
  float places[][3] = {{9, 9, 9}, {0, 0, 5}, {0, 1, 0}, {0, 0, 0}, {1, 0, 5}, {9, 9, 9}};
  const float turns[][4] = {{9, 9, 9, 9}, {0, 0, 0, 1}, {0, 1, 0, 0}, {0}, {1, 0, 0, 0}, {9, 9, 9, 9}};
  quatsimd_curve curve = {2, times, places[0], QUATSIMD_CURVE_CUBIC};
  (void)state;
  expect_between(compare(swing, QUATSIMD_CLIP_TRANSLATION, &curve), 0, 0, 1e-4);
  places[3][1] = 1; /* the in-tangent adds t^2 (t - 1), whose magnitude is at most 4 / 27 */
  expect_between(compare(swing, QUATSIMD_CLIP_TRANSLATION, &curve), 0, 4. / 27, 1e-3);
  curve.values = turns[0];
  expect_between(compare(swing_round, QUATSIMD_CLIP_ROTATION, &curve), 0, 0, 1e-4);
}

/* Values on both sides of a jump and after the last key are compared. A jump may be off by the rounding of a
 * float time. */
static void jumps_are_looked_at_from_both_sides(void **state) {
  double times[] = {0, 1, 2}, other_times[] = {0, 1, 2};
  float values[][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
        other_values[][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  quatsimd_clip_joint joint = {.parent = -1, .translation = {3, times, values[0], QUATSIMD_CURVE_HOLD}},
                      other = {.parent = -1,
                               .translation = {3, other_times, other_values[0], QUATSIMD_CURVE_HOLD}};
  const quatsimd_clip_source source = {1, &joint, 0, NULL}, others = {1, &other, 0, NULL};
  struct made made;
  (void)state;
  make_clip(&made, &source, &fine);
  for (int late = -1; late <= 1; late++) {
    other_times[1] = 1 + late * 0x1p-23;
    check_clip(&made, &others, 1);
    assert_true(error[QUATSIMD_CLIP_TRANSLATION].worst < 1e-5 && object->worst < 1e-5);
    other_times[1] = 1 + late * 0.125;
    check_clip(&made, &others, 1);
    expect_between(error[QUATSIMD_CLIP_TRANSLATION], error[QUATSIMD_CLIP_TRANSLATION].at_keys, abs(late),
                   1e-5);
    expect_between(*object, object->at_keys, abs(late), 1e-5);
  }
  other_times[1] = 1;
  other_values[2][0] = 3;
  check_clip(&made, &others, 1);
  assert_true(fabs(error[QUATSIMD_CLIP_TRANSLATION].worst - 1) < 1e-5);
  quatsimd_clip_free(NULL, made.data);
}

/* At -2^41 seconds, keys are beside frames, and floats are days apart. Only what may be off is forgiven. */
static void points_far_from_time_0(void **state) {
  enum { COUNT = 8 };
  const quatsimd_clip_options options = {.struct_size = sizeof options,
                                         .object_bound = 0.001f,
                                         .object_distance = 0.01f,
                                         .additive = QUATSIMD_CLIP_ADDITIVE_FIRST,
                                         .rate = 30};
  static const float values[COUNT][3] = {{-1, -0.75f, -1}, {-1, -1, -1}, {-0.96875f, -0.9375f, -0.992188f},
                                         {-1, -0.75f, -1}, {-1, -1, -1}, {-1, -1, -1},
                                         {-1, -1, -1},     {-1, -1, -1}};
  double times[COUNT], other_times[COUNT];
  quatsimd_clip_joint joint = {.parent = -1}, other = {.parent = -1};
  const quatsimd_clip_source source = {1, &joint, 0, NULL}, others = {1, &other, 0, NULL};
  (void)state;
  times[0] = -0x1p+41;
  for (size_t k = 1; k < COUNT; k++) times[k] = times[k - 1] + 1 / 30.;
  for (size_t k = 0; k < COUNT; k++) other_times[k] = times[k] + 0.5 / 30;
  joint.translation = (quatsimd_curve){COUNT, times, values[0], QUATSIMD_CURVE_LINEAR};
  other.translation = (quatsimd_curve){COUNT, other_times, values[0], QUATSIMD_CURVE_LINEAR};
  compare_sources(&source, &options, &source, 0.01);
  const double found = object->worst;
  if (!(found <= 0.001 + object->rounding)) fail_msg("points are off by %g", found);
  compare_sources(&source, &options, &others, 0.01);
  assert_true(object->worst > 0.05);
}

/* A joint turns about an axis, or stretches along it. The largest error may be off the coordinate axes. */
static void points_on_all_sides_are_looked_at(void **state) {
  static const double times[] = {0, 1};
  float turns[][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}}, sizes[][3] = {{1, 1, 1}, {1, 1, 1}};
  quatsimd_clip_joint joint = {.parent = -1,
                               .rotation = {2, times, turns[0], QUATSIMD_CURVE_LINEAR},
                               .scale = {2, times, sizes[0], QUATSIMD_CURVE_LINEAR}};
  const quatsimd_clip_source source = {1, &joint, 0, NULL};
  struct made made;
  (void)state;
  make_clip(&made, &source, &fine);
  for (int axis = 0; axis < 3; axis++) {
    turns[1][axis] = (float)sin(0.25), turns[1][3] = (float)cos(0.25);
    check_clip(&made, &source, 3);
    expect(object, 3 * 2 * sin(0.25), 5e-4, 0, 30);
    turns[1][axis] = 0, turns[1][3] = 1;
    sizes[1][axis] = 1.25f;
    check_clip(&made, &source, 3);
    expect(object, 3 * 0.25, 5e-4, 0, 30);
    sizes[1][axis] = 1;
  }
  quatsimd_clip_free(NULL, made.data);
}

/* ---- errors that come and go between times ---- */

/* Compares a clip of `of` with `source`. `wanted` is the largest true error of a point at `distance`, or of
 * translations if `distance` is 0. The measured error may be at most 1 % lower. */
static void expect_found(const quatsimd_clip_source *of, const quatsimd_clip_source *source,
                         const quatsimd_clip_options *options, double distance, double wanted) {
  compare_sources(of, options, source, distance);
  const double found = error[distance > 0 ? CLIP_CHECK_OBJECT : QUATSIMD_CLIP_TRANSLATION].worst;
  if (!(found >= 0.99 * wanted && found <= 1.001 * wanted)) fail_msg("%g is not %g", found, wanted);
}

static const float no_turn[2][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
static const double one_second[] = {0, 1};

/* The clip is linear between its own keys, and its errors at these keys are near 0. */
static void splines_with_keys(void **state) {
  (void)state;
  enum { TIMES = 20000 };
  static const double times[] = {0, (double)0.3f, 1}; /* not at the clip's frames */
  static const float values[3][3][3] = {{{0}}, {{0}, {2.3456f, 0, 0}, {0}}, {{0}, {0, 1.2345f, 0}, {0}}};
  quatsimd_clip_joint joint = {.parent = -1, .translation = {3, times, values[0][0], QUATSIMD_CURVE_CUBIC}};
  const quatsimd_clip_source source = {1, &joint, 0, NULL};
  quatsimd_clip_options rough = fine;
  rough.translation_bound = 0.01f;
  struct made made;
  double most = 0;
  make_clip(&made, &source, &rough);
  assert_int_equal(quatsimd_clip_curve_state(made.clip, QUATSIMD_CLIP_TRANSLATION, 0), QUATSIMD_CLIP_KEYED);
  for (int i = 0; i <= TIMES; i++) {
    const double time = (double)i / TIMES, middle = times[1],
                 t = time < middle ? time / middle : (time - middle) / (1 - middle),
                 part = t * t * (3 - 2 * t), first = (double)2.3456f, second = (double)1.2345f,
                 x = time < middle ? first * part : first - first * part,
                 y = time < middle ? 0 : second * part;
    float to[3];
    quatsimd_pose_out pose = {.translations = quatsimd_aos_out(to)};
    quatsimd_clip_sample(made.clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, 0);
    most = fmax(most, sqrt((x - (double)to[0]) * (x - (double)to[0]) +
                           (y - (double)to[1]) * (y - (double)to[1]) + (double)to[2] * (double)to[2]));
  }
  quatsimd_clip_free(NULL, made.data);
  expect_found(&source, &source, &rough, 0, most);
}

/* Compares a chain with one that stays straight. Joints turn by 3 radians, or to 90 degrees and back on a
 * spline with equal keys. */
static void wide_turns_of_chains(void **state) {
  (void)state;
  enum { LONG = 12, TIMES = 100000 };
  static const float along[] = {1, 0, 0};
  static const float swing_keys[2][3][4] = {{{0}, {0, 0, 0, 1}, {0, 0, 4, 0}},
                                            {{0, 0, -4, 0}, {0, 0, 0, 1}, {0}}};
  float turned[2][4];
  turn(turned[0], 0), turn(turned[1], 3);
  for (int spline = 0; spline < 2; spline++) {
    quatsimd_clip_joint straight[LONG], bent[LONG];
    for (int j = 0; j < LONG; j++) {
      straight[j] = (quatsimd_clip_joint){.parent = j - 1,
                                          .rotation = {2, one_second, no_turn[0], 0},
                                          .translation = {1, one_second, along, 0}};
      bent[j] = straight[j], bent[j].rotation.values = turned[0];
      if (spline) bent[j].rotation = (quatsimd_curve){2, one_second, swing_keys[0][0], QUATSIMD_CURVE_CUBIC};
    }
    const quatsimd_clip_source made = {LONG, straight, 0, NULL}, source = {LONG, bent, 0, NULL};
    double most = 0;
    for (int i = 0; i <= TIMES; i++) {
      const double t = (double)i / TIMES, angle = spline ? 2 * atan(4 * t * (1 - t)) : 3 * t;
      double x = 0, y = 0;
      for (int j = 1; j < LONG; j++) { /* the angles of all joints above add up */
        x += cos(angle * j) - 1, y += sin(angle * j);
        most = fmax(most, hypot(x, y) + 1e-3 * 2 * fabs(sin(angle * (j + 1) / 2)));
      }
    }
    expect_found(&made, &source, &fine, 1e-3, most);
  }
}

/* A joint turns a little. Its child shrinks to nothing, while the grandchild slides to the child. */
static void what_slides_and_shrinks(void **state) {
  (void)state;
  static const float sizes[2][3] = {{1, 1, 1}, {0, 0, 0}}, slide[2][3] = {{1, 0, 0}, {0, 0, 0}};
  const double angle = 0.05;
  float turned[2][4];
  turn(turned[0], 0), turn(turned[1], angle);
  quatsimd_clip_joint still[3] = {{.parent = -1, .rotation = {2, one_second, no_turn[0], 0}},
                                  {.parent = 0, .scale = {2, one_second, sizes[0], 0}},
                                  {.parent = 1, .translation = {2, one_second, slide[0], 0}}};
  quatsimd_clip_joint turns[3] = {still[0], still[1], still[2]};
  turns[0].rotation.values = turned[0];
  const quatsimd_clip_source made = {3, still, 0, NULL}, source = {3, turns, 0, NULL};
  expect_found(&made, &source, &fine, 1e-4, 2 * sin(angle / 6) * 4 / 9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curves_are_compared_at_their_keys),
      cmocka_unit_test(joints_are_compared_where_the_root_is),
      cmocka_unit_test(between_keys_sources_are_interpolated),
      cmocka_unit_test(between_keys_errors_are_found),
      cmocka_unit_test(half_turns_have_a_way),
      cmocka_unit_test(cubic_curves_have_tangents),
      cmocka_unit_test(jumps_are_looked_at_from_both_sides),
      cmocka_unit_test(points_far_from_time_0),
      cmocka_unit_test(points_on_all_sides_are_looked_at),
      cmocka_unit_test(splines_with_keys),
      cmocka_unit_test(wide_turns_of_chains),
      cmocka_unit_test(what_slides_and_shrinks),
  };
  return cmocka_run_group_tests_name("clip_check", tests, NULL, NULL);
}
