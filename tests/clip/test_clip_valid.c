/* Tests sources that are valid but difficult for an encoder. Clips are compared with support/clip_truth.h. */
#include "made.h"
#include "support/clip_truth.h"
#include "support/denormals.h"

#include "clip/sample/open.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

static const quatsimd_curve_interpolation LINEAR = QUATSIMD_CURVE_LINEAR, HOLD = QUATSIMD_CURVE_HOLD;

static void check_at(const made *m, const quatsimd_clip *clip, double time, const char *what) {
  const size_t n = m->source.joint_count;
  const truth of = truth_make(&m->source, &m->options);
  float *to = malloc(40 * n);
  assert_non_null(to);
  quatsimd_pose_out pose = {quatsimd_aos_out(to), quatsimd_aos_out(to + 4 * n), quatsimd_aos_out(to + 7 * n),
                            NULL};
  const truth_pose got = {{to, to + 4 * n, to + 7 * n}};
  assert_int_equal(quatsimd_clip_sample(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0), QUATSIMD_OK);
  for (size_t j = 0; j < n; j++)
    for (int kind = 0; kind <= TRUTH_OBJECT; kind++) {
      const double bound = truth_bound(&of, j, kind), distance = truth_distance(&of, j);
      if (bound == (double)INFINITY) continue;
      const double rounding = kind == TRUTH_OBJECT ? truth_object_rounding(&of, j, distance, time)
                                                   : truth_rounding(&of, j, kind, &got);
      const double off = truth_error(&of, j, kind, distance, &got, time, bound + rounding, NULL);
      if (!(off <= bound + rounding))
        fail_msg("%s: joint %zu, kind %d at %.17g: off by %.6g, the bound is %.6g", what, j, kind, time, off,
                 bound);
    }
  free(to);
}

/* Encodes the source. Checks that the clip is within its bounds at random times. If there are few joints,
 * also checks times of keys and just after keys. */
static void expect_held(made *m, const char *what) {
  enum { TIMES = 40 };
  uint64_t random = 5;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  encode(m, what);
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, m->data, m->size), QUATSIMD_OK);
  const truth of = truth_make(&m->source, &m->options);
  for (int i = 0; i <= TIMES; i++)
    check_at(m, clip, of.first + (of.last - of.first) * (i < 2 ? i : random_unit(&random)), what);
  for (size_t i = 0; i < 3 * m->source.joint_count && m->source.joint_count < 3; i++) {
    const quatsimd_curve *c = truth_curve(&m->joint[i / 3], (int)(i % 3));
    for (size_t k = 0; k < c->key_count && c->times; k++)
      check_at(m, clip, c->times[k], what), check_at(m, clip, c->times[k] + 2e-5, what);
  }
}

/* ---- bounds ---- */

static void quarter_turns(void **state) {
  (void)state;
  static const float bounds[] = {1.7e-4f, 1.78e-4f};
  uint64_t random = 1;
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < 24; i++) { /* two components of q are not 0; i also chooses their signs */
      float q[4] = {0};
      static const int first[] = {0, 0, 0, 1, 1, 2}, second[] = {1, 2, 3, 2, 3, 3};
      q[first[i % 6]] = i / 6 % 2 ? -0.70710678f : 0.70710678f;
      q[second[i % 6]] = i / 12 ? -0.70710678f : 0.70710678f;
      made *m = make(1);
      m->joint[0].rotation = (quatsimd_curve){1, NULL, q, LINEAR}, m->options.rotation_bound = bounds[b];
      expect_held(m, "a quarter turn");
      release(m);
    }
  for (int i = 0; i < 500; i++) {
    static const double times[] = {0, 1};
    float pair[8];
    random_rotations(pair, 2, &random);
    made *m = make(1);
    m->joint[0].rotation = (quatsimd_curve){2, times, pair, LINEAR}, m->options.rotation_bound = bounds[0];
    expect_held(m, "two keys");
    release(m);
  }
}

/* Tests chains that are 100 units long. At their end the rounding of floats is a tenth of the bound. */
static void long_chains(void **state) {
  (void)state;
  enum { JOINTS = 15, KEYS = 40 };
  for (int moving = 0; moving < 3; moving++) {
    uint64_t random = 2;
    made *m = make(JOINTS);
    const double *times = even(m, KEYS, 30);
    m->options.object_bound = 0.0001f, m->options.object_distance = 0.03f;
    for (size_t j = 0; j < JOINTS; j++) {
      m->joint[j].rotation = turns(m, moving == 2 || (moving == 1 && j % 2) ? KEYS : 1, times, &random);
      m->joint[j].translation = fixed(m, 6, 2, 1);
    }
    expect_held(m, moving ? "a long chain" : "a long chain that stays");
    release(m);
  }
}

/* Tests chains whose error rises and falls many times between two keys. */
static void wide_turns(void **state) {
  (void)state;
  enum { JOINTS = 40, CHAINS = 60 };
  static const double times[] = {0, 0.04}, half = 1.527; /* half of 175 degrees */
  uint64_t random = 12;
  for (int chain = 0; chain < CHAINS; chain++) {
    made *m = make(JOINTS);
    m->options.object_bound = 0.1f, m->options.object_distance = 0.1f;
    for (size_t j = 0; j < JOINTS; j++) {
      float *q = take(m, 32);
      random_rotations(q, 1, &random);
      const double s = sin(half), c = cos(half); /* the second key is the first one, turned about z */
      q[4] = (float)(c * q[0] + s * q[1]), q[5] = (float)(c * q[1] - s * q[0]);
      q[6] = (float)(c * q[2] + s * q[3]), q[7] = (float)(c * q[3] - s * q[2]);
      m->joint[j].rotation = (quatsimd_curve){2, times, q, LINEAR};
      m->joint[j].translation = fixed(m, 1, 0, 0);
    }
    expect_held(m, "a chain of wide turns");
    release(m);
  }
}

/* Tests bounds that are smaller than the errors of floats. The encoder must not refuse such bounds. */
static void smallest_bounds(void **state) {
  enum { KEYS = 30 };
  const int interpolation = *(const int *)*state;
  for (int listed = 0; listed < 2; listed++) {
    uint64_t random = 3;
    made *m = make(2);
    for (size_t j = 0; j < 2; j++) {
      const double *times = listed ? uneven(m, KEYS, &random) : even(m, KEYS, 30);
      const size_t of_key = interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1;
      quatsimd_clip_joint *to = &m->joint[j];
      float *q = take(m, 16 * of_key * KEYS);
      random_rotations(q, of_key * KEYS, &random);
      to->rotation = (quatsimd_curve){KEYS, times, q, LINEAR};
      to->translation = anywhere(m, KEYS * of_key, times, 3, 100, &random), to->translation.key_count = KEYS;
      to->scale = anywhere(m, KEYS * of_key, times, 3, 100, &random), to->scale.key_count = KEYS;
      to->rotation.interpolation = to->translation.interpolation = to->scale.interpolation = interpolation;
      /* cubic rotations must stay away from zero */
      for (size_t i = 0; of_key == 3 && i < 12 * KEYS; i++) q[i] *= i / 4 % 3 == 1 ? 1.f : 0.01f;
      for (size_t i = 4 + 12; of_key == 3 && i < 12 * KEYS; i += 12) {
        float dot = 0;
        for (size_t c = 0; c < 4; c++) dot += q[i + c] * q[i + c - 12];
        for (size_t c = 0; c < 4 && dot < 0; c++) q[i + c] = -q[i + c];
      }
    }
    m->options.rotation_bound = 1e-5f;
    /* the bounds of splines are larger, because each spline is divided into at most 1024 pieces */
    m->options.translation_bound = m->options.scale_bound =
        interpolation == QUATSIMD_CURVE_CUBIC ? 1e-3f : 1e-9f;
    expect_held(m, "the smallest bounds");
    /* float_count need not count HOLD and cubic curves, which have keys of their own for other reasons */
    if (interpolation == LINEAR)
      assert_true(m->report.float_count[QUATSIMD_CLIP_TRANSLATION] > 0 &&
                  m->report.float_count[QUATSIMD_CLIP_SCALE] > 0);
    release(m);
  }
}

/* Scales the root, and divides the lengths of joints by the same factor. Points stay in their places or are
 * mirrored, so the clip's size must hardly change. */
static void armatures(void **state) {
  (void)state;
  enum { JOINTS = 20, FRAMES = 60, CASES = 3 };
  static const struct {
    const char *what;
    double root, unit;
  } cases[CASES] = {{"scaled bones", 0, 1}, {"a scaled root", 0.01, 100}, {"a mirrored root", -0.01, 100}};
  size_t sizes[CASES];
  for (size_t i = 0; i < CASES; i++) {
    uint64_t random = 4;
    made *m = make(JOINTS);
    const double *times = even(m, FRAMES, 30), unit = cases[i].unit, root = cases[i].root;
    m->options.object_bound = 1e-4f, m->options.object_distance = (float)(0.03 * unit);
    for (size_t j = 0; j < JOINTS; j++) {
      m->joint[j].rotation = turns(m, FRAMES, times, &random);
      if (j) m->joint[j].parent = (int64_t)(j % 5 == 1 ? 0 : j - 1); /* joints form limbs of five */
      const double scale = j ? unit : 1;
      m->joint[j].translation = fixed(m, 0.1 * scale, 0.05 * scale, 0.02 * scale);
    }
    if (root != 0) m->joint[0].scale = fixed(m, root, root, root);
    expect_held(m, cases[i].what);
    if (!(m->report.worst_object >= 0.9f * m->options.object_bound))
      fail_msg("%s: the worst is %.6g of a bound of %.6g", cases[i].what, (double)m->report.worst_object,
               (double)m->options.object_bound);
    sizes[i] = m->size;
    release(m);
    if (fabs((double)sizes[i] / (double)sizes[0] - 1) > 0.1)
      fail_msg("%zu bytes with %s, %zu with %s", sizes[i], cases[i].what, sizes[0], cases[0].what);
  }
}

/* ---- times ---- */

static void steps_close_together(void **state) {
  (void)state;
  static const double times[] = {0, 1e-6, 100};
  static const float values[] = {0, 0, 0, 1, 1, 1, 2, 2, 2}, q[] = {0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0};
  made *m = make(1);
  m->joint[0].rotation = (quatsimd_curve){3, times, q, HOLD};
  m->joint[0].translation = m->joint[0].scale = (quatsimd_curve){3, times, values, HOLD};
  m->options.rotation_bound = m->options.translation_bound = m->options.scale_bound = 1e-3f;
  expect_held(m, "steps close together");
  release(m);
}

/* Tests keys at neighbouring doubles just after a frame, with different values. The encoder could take one of
 * these keys for a key at the frame. */
static void jumps_in_a_row(void **state) {
  (void)state;
  enum { KEYS = 6 };
  for (int late = 0; late < 40; late++) {
    made *m = make(1);
    double *times = take(m, KEYS * sizeof *times), time = 1.0 / 3;
    float *to = take(m, 12 * KEYS);
    for (int i = 0; i < late; i++) time = nextafter(time, 1);
    for (int k = 0; k < KEYS; k++) {
      times[k] = k == 0 ? 0 : k + 1 < KEYS ? time : 1;
      if (k > 0) time = nextafter(time, 1);
      for (int i = 0; i < 3; i++) to[3 * k + i] = (float)(k % 3);
    }
    m->joint[0].translation = (quatsimd_curve){KEYS, times, to, LINEAR};
    m->options.translation_bound = 1e-3f, m->options.rate = 30;
    encode(m, "jumps in a row");
    release(m);
  }
}

static void distant_past(void **state) {
  (void)state;
  static const double times[] = {-1e16, 5, 6}, at[] = {-1e16, -5e15, 0, 4, 5, 5.5, 6};
  static const float values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  made *m = make(1);
  m->joint[0].translation = (quatsimd_curve){3, times, values, HOLD};
  m->options.translation_bound = 1e-3f;
  expect_held(m, "the distant past");
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, m->data, m->size), QUATSIMD_OK);
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) { /* each sample must have the value of a key */
    float got[3];
    quatsimd_pose_out pose = {.translations = quatsimd_aos_out(got)};
    assert_int_equal(quatsimd_clip_sample(clip, &pose, NULL, at[i], QUATSIMD_CLIP_WRAP_CLIP, 0), QUATSIMD_OK);
    bool found = false;
    for (size_t k = 0; k < (i < 2 ? 1 : 3); k++) found = found || fabsf(got[0] - values[3 * k]) <= 1.001e-3f;
    if (!found) fail_msg("at %g it is %g %g %g", at[i], (double)got[0], (double)got[1], (double)got[2]);
  }
  release(m);
}

static double rounded_seconds(size_t k) { return (double)k * 0.0333333; }
static double float_frames(size_t k) { return (double)(float)((double)k / 30); }
static double double_frames(size_t k) { return (double)k / 30; }
static double rounded_floats(size_t k) { return (double)(float)((double)k / 23.5); }
static double ntsc(size_t k) { return (double)k * 1001 / 30000; }

static void rates(void **state) {
  (void)state;
  enum { KEYS = 901 };
  static const struct {
    double (*time)(size_t), rate, within;
  } cases[] = {{rounded_seconds, 30.00003, 1e-7},
               {float_frames, 30, 0},
               {double_frames, 30, 0},
               {rounded_floats, 23.5, 1e-9}, /* a rate from the last frame alone would be off by 4e-8 */
               {ntsc, 29.97003, 1e-7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t random = 6;
    made *m = make(1);
    double *times = even(m, KEYS, 30);
    for (size_t k = 0; k < KEYS; k++) times[k] = cases[i].time(k);
    m->joint[0].rotation = turns(m, KEYS, times, &random), m->options.rotation_bound = 1e-3f;
    encode(m, "a rate");
    if (!(fabs(m->report.rate / cases[i].rate - 1) <= cases[i].within) || m->report.keyed_count[0])
      fail_msg("times %zu: the rate is %.17g, not %.17g; %zu curves keep their keys", i, m->report.rate,
               cases[i].rate, m->report.keyed_count[0]);
    release(m);
  }
}

/* Tests a base whose scale is 1 at its two keys and 5 between them. The clip's errors grow as much. */
static void bases_that_overshoot(void **state) {
  (void)state;
  enum { KEYS = 61 };
  uint64_t random = 8;
  made *m = make(1);
  static const double ends[] = {0, 2};
  static const float spline[] = {0, 0, 0, 1, 1, 1, 8, 8, 8, -8, -8, -8, 1, 1, 1, 0, 0, 0};
  const quatsimd_clip_joint of_base = {.scale = {2, ends, spline, QUATSIMD_CURVE_CUBIC}};
  const quatsimd_clip_source base = {1, &of_base, 0, NULL};
  m->joint[0].scale = anywhere(m, KEYS, even(m, KEYS, 30), 3, 2, &random);
  m->options.scale_bound = 1e-3f;
  m->options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, m->options.additive_base = &base;
  expect_held(m, "a base that overshoots");
  release(m);
}

/* Tests a base whose scale is nearly 0 at a key. Near this key the quotient of source and base bends most. */
static void bases_near_zero(void **state) {
  (void)state;
  static const float lows[] = {0.1f, 0.01f, 0.003f, 0.001f, -1e-4f, 1e-5f};
  static const double ends[] = {0, 1};
  for (int i = 0; i < 12; i++) {
    const float low = lows[i / 2], high = low < 0 ? -1.0f : 1.0f, fall[] = {high, high, high, low, low, low},
                rise[] = {low, low, low, high, high, high};
    const quatsimd_clip_joint of_base = {.scale = {2, ends, i % 2 ? fall : rise, LINEAR}};
    const quatsimd_clip_source base = {1, &of_base, 0, NULL};
    static const float own[] = {1, 1, 1, 2, 2, 2};
    made *m = make(1);
    m->joint[0].scale = (quatsimd_curve){2, ends, own, LINEAR};
    m->options.scale_bound = 1e-3f;
    m->options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, m->options.additive_base = &base;
    encode(m, "a base near 0");
    quatsimd_clip_storage storage;
    quatsimd_clip *clip;
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, m->data, m->size), QUATSIMD_OK);
    for (int k = 0; k <= 20000; k++) {
      const double t = k <= 10000 ? k * 1e-4 : i % 2 ? 1 - (k - 10000) * 1e-7 : (k - 10000) * 1e-7;
      const double under = i % 2 ? high + ((double)low - high) * t : low + ((double)high - low) * t;
      float factor[3];
      quatsimd_pose_out pose = {{0}, {0}, quatsimd_aos_out(factor), NULL};
      assert_int_equal(quatsimd_clip_sample(clip, &pose, NULL, t, QUATSIMD_CLIP_WRAP_CLIP, 0), QUATSIMD_OK);
      const double off = fabs(under * (double)factor[0] - (1 + t));
      if (!(off <= 1.01e-3)) fail_msg("from %g at %g: off by %g", (double)low, t, off);
    }
    release(m);
  }
}

/* Makes a translation whose x alternates between 0 and 1. */
static quatsimd_curve alternating(made *m, size_t keys, const double *times) {
  float *to = take(m, 12 * keys);
  memset(to, 0, 12 * keys);
  for (size_t k = 1; k < keys; k += 2) to[3 * k] = 1;
  return (quatsimd_curve){keys, times, to, LINEAR};
}

/* Tests a last key that is later than the last frame, by less than floats distinguish. A sample after the key
 * must be within the bound. */
static void last_keys_behind_the_last_frame(void **state) {
  (void)state;
  enum { KEYS = 31 };
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  made *m = make(2);
  double *times = even(m, KEYS, 30), *late = even(m, KEYS, 30);
  for (size_t k = 0; k < KEYS; k++) times[k] += 86400, late[k] += 86400 + (k + 1 == KEYS ? 0.04 / 30 : 0);
  m->joint[0].translation = alternating(m, KEYS, times), m->joint[1].translation = alternating(m, KEYS, late);
  ((float *)(uintptr_t)m->joint[1].translation.values)[3 * (KEYS - 1)] = -1;
  m->options.translation_bound = 1e-3f;
  encode(m, "a last key");
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, m->data, m->size), QUATSIMD_OK);
  check_at(m, clip, late[KEYS - 1] + 1, "a last key");
  release(m);
}

/* Tests three curves with keys at the same frames, except one key, which is slightly later. Only its curve
 * may get keys of its own. */
static void keys_of_one_frame(void **state) {
  (void)state;
  enum { KEYS = 31, JOINTS = 3, AT = 15 };
  made *m = make(JOINTS);
  for (size_t j = 0; j < JOINTS; j++) {
    double *times = even(m, KEYS, 30);
    for (size_t k = 0; k < KEYS; k++) times[k] += 86400 + (k == AT && j == 2 ? 0.04 / 30 : 0);
    m->joint[j].translation = alternating(m, KEYS, times);
  }
  m->options.translation_bound = 1e-3f, m->options.rate = 30;
  encode(m, "keys of a frame");
  assert_true(m->report.moving_count[1] == 2 && m->report.keyed_count[1] == 1);
  release(m);
}

/* Tests two curves whose last keys have times that floats hardly distinguish. Both are stored as frames. */
static void ends_that_are_nearly_one(void **state) {
  (void)state;
  enum { KEYS = 40 };
  uint64_t random = 10;
  made *m = make(2);
  double *times = even(m, KEYS, 30), *late = even(m, KEYS, 30);
  for (size_t k = 0; k < KEYS; k++) late[k] = times[k] += 50 + 0.01 * random_unit(&random);
  late[KEYS - 1] *= 1 + 0x1p-25;
  m->joint[0].translation = alternating(m, KEYS, times), m->joint[1].translation = alternating(m, KEYS, late);
  /* the last key has the value of the key before it */
  ((float *)(uintptr_t)m->joint[0].translation.values)[3 * (KEYS - 1)] = 0;
  m->options.translation_bound = 2e-5f;
  expect_held(m, "ends that are nearly one");
  assert_true(m->report.rate == 0 && m->report.moving_count[1] == 2);
  release(m);
}

/* Checks that the times of keys are separate frames even if floats do not distinguish these times. */
static void frames_that_floats_do_not_tell_apart(void **state) {
  (void)state;
  enum { KEYS = 40 };
  uint64_t random = 9;
  made *m = make(1);
  double *times = uneven(m, KEYS, &random);
  for (size_t k = 0; k < KEYS; k++) times[k] = 86400 + 0.01 * times[k];
  m->joint[0].translation = anywhere(m, KEYS, times, 3, 1, &random);
  m->options.translation_bound = 1e-3f;
  encode(m, "times in double");
  assert_true(m->report.moving_count[1] == 1 && m->report.frame_count == KEYS);
  release(m);
}

/* Tests rotations whose base is half a turn about an axis. A base has ten bits for each component, and the
 * encoder must clamp the component along the axis. */
static void half_turns_for_bases(void **state) {
  (void)state;
  enum { KEYS = 41 };
  for (size_t axis = 0; axis < 3; axis++) {
    quatsimd_clip_storage storage;
    quatsimd_clip *clip;
    made *m = make(1);
    float *to = take(m, 16 * KEYS);
    memset(to, 0, 16 * KEYS);
    for (size_t k = 0; k < KEYS; k++) {
      const double half = 0.2 * sin(0.3 * ((double)k - KEYS / 2));
      to[4 * k + axis] = (float)cos(half), to[4 * k + 3] = (float)sin(half);
    }
    m->joint[0].rotation = (quatsimd_curve){KEYS, even(m, KEYS, 30), to, LINEAR};
    m->options.rotation_bound = 1e-3f;
    expect_held(m, "half turns");
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, m->data, m->size), QUATSIMD_OK);
    assert_true(m->report.moving_count[0] == 1 && !(clip->flags & CLIP_HAS_AXES));
    const uint32_t base = load_u32(clip_part_of(clip, 0).bases), none = CLIP_BASE_NONE,
                   mask = ~((uint32_t)1023 << 10 * axis);
    if ((base & mask) != (none & mask)) fail_msg("axis %zu: %08x", axis, (unsigned)base);
    release(m);
  }
}

/* ---- CPU modes that take denormal numbers for 0 ---- */

enum { FLAT_KEYS = 8 };

/* Checks that flushing denormals changes neither bytes nor poses, except for results that are denormal. */
static void expect_same_flushed(made *m, const char *what) {
  void *data[2] = {NULL, NULL};
  size_t size[2];
  for (int flush = 0; flush < 2; flush++) {
    if (!flush_denormals(flush)) print_message("SKIP: no denormal modes on this CPU\n");
    const quatsimd_status status =
        quatsimd_clip_encode(&data[flush], &size[flush], &m->source, &m->options, NULL);
    flush_denormals(false);
    if (status != QUATSIMD_OK) fail_msg("%s: %s", what, quatsimd_status_string(status));
  }
  if (size[0] != size[1] || memcmp(data[0], data[1], size[0]) != 0) fail_msg("%s: other bytes", what);
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, data[0], size[0]), QUATSIMD_OK);
  for (int i = 0; i <= 70; i++) {
    float value[2][7];
    for (int flush = 0; flush < 2; flush++) {
      quatsimd_pose_out pose = {
          quatsimd_aos_out(value[flush]), quatsimd_aos_out(value[flush] + 4), {0}, NULL};
      flush_denormals(flush);
      assert_int_equal(quatsimd_clip_sample(clip, &pose, NULL, i * 0.01, QUATSIMD_CLIP_WRAP_CLIP, 0),
                       QUATSIMD_OK);
      flush_denormals(false);
    }
    for (int c = 0; c < 7; c++)
      if (fabsf(value[0][c]) < FLT_MIN) value[0][c] = value[1][c] == 0 ? value[1][c] : value[0][c];
    if (memcmp(value[0], value[1], sizeof value[0]) != 0) fail_msg("%s: other bits at %g", what, i * 0.01);
  }
  quatsimd_clip_free(NULL, data[0]), quatsimd_clip_free(NULL, data[1]);
}

static void denormals_may_be_flushed(void **state) {
  (void)state;
  static const float bounds[] = {1e-3f, 1e-20f, 1e-27f, 1e-44f};
  for (int b = 0; b < 4; b++)
    for (int interpolation = 0; interpolation < 3; interpolation++)
      for (int way = 0; way < 5; way++) {
        const size_t keys = way ? FLAT_KEYS : 1, parts = interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1;
        made *m = make(1);
        double *times = even(m, FLAT_KEYS, 10);
        float *to = take(m, 12 * parts * keys), *turn = take(m, 16 * parts * keys);
        for (size_t i = 0; i < 3 * parts * keys; i++)
          to[i] = (i % 3 == 1 && way < 3 ? (way == 2 ? (float)sin((double)i) : 0.5f) : 0) +
                  (way == 3   ? 1e-40f * (float)(i * 7 % 5)
                   : way == 4 ? 1e-37f * (float)(i * 7 % 5)
                              : (i % 2 ? 1e-40f : -3e-39f));
        for (size_t i = 0; i < 4 * parts * keys; i++)
          turn[i] = i % 4 == 3 ? -1e-39f : i % 4 == 0 ? 1 : 1e-40f * (float)(i * 7 % 5);
        for (size_t k = 0; way == 2 && k < keys; k++)
          turn[4 * parts * k + 4 * (parts / 2) + 1] = 0.02f * (float)k;
        m->joint[0].translation = (quatsimd_curve){keys, times, to, interpolation};
        m->joint[0].rotation = (quatsimd_curve){keys, times, turn, interpolation};
        m->options.translation_bound = bounds[b], m->options.rotation_bound = b ? 1e-5f : 1e-3f;
        char what[64];
        snprintf(what, sizeof what, "bound %g, interpolation %d, way %d", (double)bounds[b], interpolation,
                 way);
        expect_same_flushed(m, what);
        release(m);
      }
}

int main(void) {
  static int kinds[] = {QUATSIMD_CURVE_LINEAR, QUATSIMD_CURVE_HOLD, QUATSIMD_CURVE_CUBIC};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quarter_turns),
      cmocka_unit_test(long_chains),
      {"smallest_bounds, linear", smallest_bounds, NULL, NULL, &kinds[0]},
      {"smallest_bounds, hold", smallest_bounds, NULL, NULL, &kinds[1]},
      {"smallest_bounds, cubic", smallest_bounds, NULL, NULL, &kinds[2]},
      cmocka_unit_test(armatures),
      cmocka_unit_test(steps_close_together),
      cmocka_unit_test(jumps_in_a_row),
      cmocka_unit_test(distant_past),
      cmocka_unit_test(rates),
      cmocka_unit_test(bases_that_overshoot),
      cmocka_unit_test(bases_near_zero),
      cmocka_unit_test(last_keys_behind_the_last_frame),
      cmocka_unit_test(frames_that_floats_do_not_tell_apart),
      cmocka_unit_test(keys_of_one_frame),
      cmocka_unit_test(ends_that_are_nearly_one),
      cmocka_unit_test(half_turns_for_bases),
      cmocka_unit_test(wide_turns),
      cmocka_unit_test(denormals_may_be_flushed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
