/* The command's own measure of clips: a clip of one source is compared with another, whose distance from
 * it is known. */
#include "clips/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

enum { JOINTS = 3, KEYS = 31 };

/* Hip, knee and foot: two turn about z, the foot about another axis, the hip moves; the lower ones are 2
 * along x from those above. */
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
  leg->source = (quatsimd_clip_source){JOINTS, leg->joint};
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

/* Encodes the leg as it is, and then compares that with what `change` makes of it. */
static void check(void (*change)(struct leg *), int additive, double distance,
                  struct clip_error error[CLIP_CHECK_ERRORS]) {
  const quatsimd_clip_options options = {.struct_size = sizeof options,
                                         .rotation_bound = 2e-5f,
                                         .translation_bound = 1e-5f,
                                         .scale_bound = 1e-5f,
                                         .additive = additive};
  struct leg leg;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  void *data;
  size_t size;
  make_leg(&leg);
  assert_int_equal(quatsimd_clip_encode(&data, &size, &leg.source, &options, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, data, size), QUATSIMD_OK);
  change(&leg);
  assert_int_equal(clip_check(&leg.source, clip, distance, NULL, error, NULL), QUATSIMD_OK);
  quatsimd_clip_free(NULL, data);
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
  /* and then by 0.01 about x */
  q[0] = c * x + s * w, q[1] = c * y - s * z, q[2] = c * z + s * y, q[3] = c * w - s * x;
  for (int i = 0; i < 4; i++) q[i] *= -3; /* neither length nor sign is an error */
  leg->path[11][0] += 0.03f, leg->path[11][1] += 0.04f;
  leg->sizes[KEYS - 1][1] -= 0.02f, leg->sizes[KEYS - 1][2] += 0.01f;
}
static void change_hip(struct leg *leg) { turn(leg->turns[0][5], 0.5 * sin(0.2 * 5) + 0.01); }
static void change_path(struct leg *leg) { leg->path[KEYS - 1][2] = 0.25f; }
static void change_size(struct leg *leg) { leg->sizes[3][0] += 0.1f; }

static void curves_are_compared_at_their_keys(void **state) {
  struct clip_error error[CLIP_CHECK_ERRORS];
  (void)state;
  for (int additive = QUATSIMD_CLIP_ADDITIVE_NONE; additive <= QUATSIMD_CLIP_ADDITIVE_FIRST; additive++) {
    check(nothing, additive, 0, error);
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) expect(&error[kind], 0, 2.1e-5, 0, 0);
    check(change_curves, additive, 0, error);
    expect(&error[QUATSIMD_CLIP_ROTATION], 0.01, 2.1e-5, 2, 7);
    expect(&error[QUATSIMD_CLIP_TRANSLATION], 0.05, 1.1e-5, 0, 11);
    expect(&error[QUATSIMD_CLIP_SCALE], 0.02, 1.1e-5, 2, KEYS - 1);
    assert_true(error[CLIP_CHECK_OBJECT].worst == 0);
  }
}

/* A turn of the hip moves what is farthest from it: 3 beyond the foot, which is as far away as the knee's
 * angle lets it be. */
static void joints_are_compared_where_the_root_is(void **state) {
  struct clip_error error[CLIP_CHECK_ERRORS];
  (void)state;
  check(nothing, 0, 3, error);
  expect(&error[CLIP_CHECK_OBJECT], 0, 5e-4, 0, 0);
  check(change_hip, 0, 3, error);
  const double knee = 0.5 * sin(0.2 * 5 + 1), foot = hypot(2 + 2 * cos(knee), 2 * sin(knee));
  expect(&error[CLIP_CHECK_OBJECT], (foot + 3 * (1 + 0.01 * 5)) * 2 * sin(0.005), 5e-4, 2, 5);
  check(change_path, 0, 3, error);
  if (fabs(error[CLIP_CHECK_OBJECT].worst - 0.25) > 1e-3)
    fail_msg("%g is not 0.25", error[CLIP_CHECK_OBJECT].worst);
  assert_true(error[CLIP_CHECK_OBJECT].time == 1);
  check(change_size, 0, 3, error);
  expect(&error[CLIP_CHECK_OBJECT], 0.3, 5e-4, 2, 3);
}

/* The knee has a key where the hip has none: the hip is then where slerp has it. */
static void take_keys_away(struct leg *leg) {
  static double times[2];
  static float turns[2][4];
  times[0] = 0, times[1] = 1;
  turn(turns[0], 0), turn(turns[1], 2);
  leg->joint[0].rotation = (quatsimd_curve){2, times, turns[0], 0};
  for (int k = 0; k < KEYS; k++) turn(leg->turns[0][k], 2 * k / 30.0);
}

static void between_keys_sources_are_interpolated(void **state) {
  const quatsimd_clip_options options = {.struct_size = sizeof options,
                                         .rotation_bound = 2e-5f,
                                         .translation_bound = 1e-5f,
                                         .scale_bound = 1e-5f};
  struct clip_error error[CLIP_CHECK_ERRORS];
  struct leg leg;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  void *data;
  size_t size;
  (void)state;
  for (int hold = 0; hold < 2; hold++) {
    make_leg(&leg);
    take_keys_away(&leg);
    leg.joint[0].rotation = (quatsimd_curve){KEYS, leg.times, leg.turns[0][0], 0};
    assert_int_equal(quatsimd_clip_encode(&data, &size, &leg.source, &options, NULL), QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, data, size), QUATSIMD_OK);
    take_keys_away(&leg);
    leg.joint[0].rotation.interpolation = hold ? QUATSIMD_CURVE_HOLD : QUATSIMD_CURVE_LINEAR;
    assert_int_equal(clip_check(&leg.source, clip, 3, NULL, error, NULL), QUATSIMD_OK);
    if (hold) assert_true(error[CLIP_CHECK_OBJECT].worst > 1); /* the hip stands still until the end */
    else expect(&error[CLIP_CHECK_OBJECT], 0, 5e-4, 0, 0);
    quatsimd_clip_free(NULL, data);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curves_are_compared_at_their_keys),
      cmocka_unit_test(joints_are_compared_where_the_root_is),
      cmocka_unit_test(between_keys_sources_are_interpolated),
  };
  return cmocka_run_group_tests_name("clip_check", tests, NULL, NULL);
}
