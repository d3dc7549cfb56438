/* Tests splines that clips store as such: their sizes, errors at dense times, and bytes that are refused. */
#include "fixture.h"

#include "random_scenes.h"
#include "support/clip_bytes.h"

/* Returns the bytes that a curve may take. Times count as doubles unless all are floats. A rotation's turn by
 * more than 120 degrees counts as one more key. */
static size_t bytes_of(const quatsimd_curve *c, int kind, size_t width) {
  size_t time = 4, keys = c->key_count;
  const bool cubic = c->interpolation == QUATSIMD_CURVE_CUBIC;
  for (size_t k = 0; c->times && k < c->key_count; k++) {
    if ((double)(float)c->times[k] != c->times[k]) time = 8;
    if (k > 0 && kind == QUATSIMD_CLIP_ROTATION && c->interpolation == QUATSIMD_CURVE_LINEAR)
      keys += error_between(kind, value_of(kind, key_of(c, kind, k - 1)),
                            value_of(kind, key_of(c, kind, k))) > 2.09L;
  }
  return keys * (time + 4 * width * (cubic ? 3 : 1));
}

/* Returns the bytes that a clip may take. */
static size_t most_bytes(const quatsimd_clip_source *source) {
  size_t bytes = 128 + source->joint_count;
  for (size_t i = 0; i < 3 * source->joint_count; i++) {
    const quatsimd_curve *c = curve_of(&source->joints[i / 3], (int)(i % 3));
    bytes += bytes_of(c, (int)(i % 3), components((int)(i % 3))) +
             (c->key_count && c->interpolation != QUATSIMD_CURVE_CUBIC ? 4 : 0);
  }
  for (size_t t = 0; t < source->track_count; t++)
    bytes += bytes_of(&source->tracks[t].curve, QUATSIMD_CLIP_TRACK, 1);
  return bytes;
}

typedef struct encoded {
  quatsimd_clip_report report;
  void *data;
  size_t size;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
} encoded;

static void encode_source(encoded *e, const quatsimd_clip_source *source,
                          const quatsimd_clip_options *options) {
  quatsimd_clip_report_init(&e->report, sizeof e->report);
  assert_int_equal(quatsimd_clip_encode(&e->data, &e->size, source, options, &e->report), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&e->clip, &e->storage, sizeof e->storage, e->data, e->size),
                   QUATSIMD_OK);
}

/* Encodes random scenes whose bases do not move. */
static void clips_are_not_larger_than_floats(void **state) {
  (void)state;
  static random_scene s;
  size_t splines = 0;
  for (size_t f = 0; f < FAMILIES; f++)
    for (uint64_t seed = 1000; seed < 1030; seed++) {
      encoded e;
      scene_of_family(&s, &families[f], seed);
      quatsimd_clip_report_init(&e.report, sizeof e.report);
      if (s.options.additive_base ||
          quatsimd_clip_encode(&e.data, &e.size, &s.source, &s.options, &e.report) != QUATSIMD_OK)
        continue;
      splines += ((unsigned char *)e.data)[3] == 3;
      if (e.size > most_bytes(&s.source))
        fail_msg("%s %d: %zu bytes, and it may have %zu", families[f].name, (int)seed, e.size,
                 most_bytes(&s.source));
      quatsimd_clip_free(NULL, e.data);
    }
  assert_true(splines > 20);
}

enum { HANDS = 30, HAND_KEYS = 9 };

/* Makes joints with keys set by hand: nine in four seconds, at times of their own if not `even`. */
static void hand_keyed(scene *s, bool even) {
  scene_joints(s, HANDS);
  bounds_of(s, 1e-3f, 0, 0);
  for (size_t j = 0; j < HANDS; j++) {
    const double *times =
        even ? even_times(s, HAND_KEYS, 0, 2) : uneven_times(s, HAND_KEYS, 0, 2, true, 900 + j);
    s->joint[j].rotation = splined(s, swinging(s, 910 + j, times, HAND_KEYS, 0.4, 1), 4);
  }
}

static void splines_are_short(void **state) {
  (void)state;
  for (int even = 0; even < 2; even++) {
    scene s = {0};
    encoded e;
    hand_keyed(&s, even);
    encode_source(&e, &s.source, &s.options);
    if (e.size > 5500) fail_msg("%zu bytes", e.size);
    assert_int_equal(((unsigned char *)e.data)[3], 3);
    assert_int_equal(e.report.keyed_count[0], HANDS);
    assert_true(e.report.worst[0] <= 1e-3f && e.report.worst[0] > 0.5e-3f);
    /* no curve has frames, so there are 30 a second, the last at the last key */
    assert_int_equal(e.clip->frames, even ? 121 : (size_t)(e.clip->duration * 30) + 1);
    quatsimd_clip_free(NULL, e.data);
    scene_free(&s);
  }
}

/* Wild tangents, and rotations that pass at any distance from zero: what a spline says is exact. */
static void wild_splines(void **state) {
  (void)state;
  enum { JOINTS = 5, KEYS = 6, PARTS = 997 };
  for (uint64_t seed = 1; seed < 40; seed++) {
    uint64_t random = seed;
    scene s = {0};
    scene_joints(&s, JOINTS);
    bounds_of(&s, 1e-3f, 1e-3f, 1e-3f);
    for (size_t j = 0; j < JOINTS; j++) {
      const double *times = uneven_times(&s, KEYS, 0, 2, seed % 2, seed + j);
      quatsimd_curve *curve[] = {&s.joint[j].rotation, &s.joint[j].translation, &s.joint[j].scale};
      for (int kind = 0; kind < 3; kind++) {
        const size_t n = components(kind);
        *curve[kind] = splined(
            &s, kind ? drifting(&s, seed + j, times, KEYS, 1, 1) : jumping(&s, seed + j, times, KEYS), n);
        for (size_t i = 0; i < 3 * n * KEYS; i++)
          if (i / n % 3 != 1 && seed % 3) values_of(curve[kind])[i] = (float)(in_range(&random, -1, 1) * 1e4);
        /* a rotation through eps, across the straight line from a key to its negative */
        if (kind == 0 && seed % 3 == 0)
          for (size_t c = 0; c < 4; c++) {
            float *v = values_of(curve[0]);
            v[4 + 12 * 3 + c] = -v[4 + 12 * 2 + c] + (float)in_range(&random, -1e-3, 1e-3);
            v[8 + 12 * 2 + c] = v[12 * 3 + c] = 0;
          }
      }
    }
    encoded e;
    encode_source(&e, &s.source, &s.options);
    if (e.size > most_bytes(&s.source)) fail_msg("seed %d: %zu bytes", (int)seed, e.size);
    for (uint32_t j = 0; j < JOINTS; j++)
      for (int kind = 0; kind < 3; kind++) {
        const quatsimd_curve *c = curve_of(&s.joint[j], kind);
        float to[3][4];
        quatsimd_pose_out pose = {quatsimd_aos_out(to[0]), quatsimd_aos_out(to[1]), quatsimd_aos_out(to[2]),
                                  NULL};
        for (size_t i = 0; i < PARTS * (KEYS - 1); i++) {
          const double *t = c->times + i / PARTS, time = t[0] + (t[1] - t[0]) * (double)(i % PARTS) / PARTS;
          quatsimd_clip_sample_joints(e.clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, &j, 1, 0);
          const value wanted = source_at(c, kind, time, 0);
          long double largest = 0;
          for (int q = 0; q < 3 && kind; q++) largest = fmaxl(largest, fabsl(wanted.v[q]));
          /* values are rounded to float, and times are off by up to 2^-24 of themselves */
          const long double error = error_between(kind, value_of(kind, to[kind]), wanted),
                            rounding = 2e-6L + 1e-7L * largest + 3e4L * 0x1p-24L * fabsl(time);
          if (!(error <= 1e-3L + rounding && error <= 1.01L * (long double)e.report.worst[kind] + rounding))
            fail_msg("seed %d: joint %d, kind %d at %.17g: the error is %Lg, and the report says %g",
                     (int)seed, (int)j, kind, time, error, (double)e.report.worst[kind]);
        }
      }
    quatsimd_clip_free(NULL, e.data);
    scene_free(&s);
  }
}

/* Splines whose keys are so near, or so late, that frames between them would not be apart. */
static void short_clips(void **state) {
  (void)state;
  /* at 2^45 doubles are 1/128 apart, and 17/32 seconds are 16 frames at 30 a second but for rounding */
  static const double starts[] = {0, 1e6, -12.34, 36000, 1e9, 0x1p45},
                      lengths[] = {1e-9, 1e-5, 1 / 30., 0.05, 17. / 32, 1e5};
  for (size_t i = 0; i < 36; i++) {
    const double start = starts[i / 6], length = lengths[i % 6],
                 times[] = {start, start + length / 3, start + length};
    if (!(length > 0x1p-46 * fabs(start))) continue; /* doubles do not tell such times apart */
    static const float values[9][3] = {{0}, {1, 2, 3}, {1, 0, 0}, {0}, {2, 1, 3},
                                       {0}, {0, 1, 0}, {3, 3, 3}, {0}};
    quatsimd_clip_joint joint = {.parent = -1, .translation = {3, times, values[0], QUATSIMD_CURVE_CUBIC}};
    const quatsimd_clip_source source = {1, &joint, 0, NULL};
    quatsimd_clip_options options;
    quatsimd_clip_options_init(&options, sizeof options);
    options.translation_bound = 1e-4f;
    encoded e;
    encode_source(&e, &source, &options);
    const double most = 1e-4 + 1e-7 * length; /* tangents times the length, in floats */
    assert_true((double)e.report.worst[1] <= most);
    assert_true(e.clip->frames >= 2 && e.clip->frames <= 1024);
    for (int k = 0; k < 3; k++) {
      float to[3];
      quatsimd_pose_out pose = {.translations = quatsimd_aos_out(to)};
      quatsimd_clip_sample(e.clip, &pose, NULL, times[k], QUATSIMD_CLIP_WRAP_CLAMP, 0);
      const long double off = error_between(1, value_of(1, to), value_of(1, values[3 * k + 1]));
      if (off > (long double)most) fail_msg("start %g, length %g: key %d is %Lg off", start, length, k, off);
    }
    quatsimd_clip_free(NULL, e.data);
  }
}

/* Opens the clip of small_splines after a change. Curve 0 is the packed rotation, 1 the track in floats. */
static void broken_splines(void **state) {
  (void)state;
  enum { RIGHT, ONE_KEY, HOLDS, WIDE, NO_UNIT, NAN_UNIT, LATE, NAN_NUMBER, FORMER, BREAKS };
  for (int way = 0; way < BREAKS; way++) {
    fixture f;
    quatsimd_clip *clip;
    encode(&f, maker_of("small_splines"));
    unsigned char *bytes = f.data;
    const clip_keyed turn = clip_keyed_at(f.clip, 0, clip_part_of(f.clip, 0).keys),
                     track = clip_keyed_at(f.clip, 3, clip_part_of(f.clip, 3).keys);
    assert_true(turn.spline && !turn.floats && track.spline && track.floats);
    unsigned char *const head = bytes + (turn.times - bytes) - 4, *const unit = bytes + (turn.values - bytes),
                         *const last = bytes + (quatsimd_clip_keyed_end(&track) - bytes) - 4;
    if (way == ONE_KEY) head[0] = 1;
    if (way == HOLDS) head[3] |= 0x80;
    if (way == WIDE) unit[4] = 26;
    if (way == NO_UNIT) memset(unit, 0, 4);
    if (way == NAN_UNIT) unit[2] = unit[3] = 0xff;
    if (way == LATE) memcpy(head + 8, head + 4, 4);
    if (way == NAN_NUMBER) last[2] = last[3] = 0x7f, last[2] = 0xff;
    if (way == FORMER) bytes[3] = 2;
    clip_bytes_seal(bytes, f.size);
    assert_int_equal(quatsimd_clip_open(&clip, &f.storage, sizeof f.storage, bytes, f.size),
                     way == RIGHT ? QUATSIMD_OK : QUATSIMD_ERROR_DAMAGED_CLIP);
    done(&f);
  }
}

/* Keys lie on frames, but the keys in the middle of wide turns do not, so that no times are numbers of
 * frames. */
static void wide_turns_beside_frames(void **state) {
  (void)state;
  enum { JOINTS = 40, KEYS = 6 };
  static double times[JOINTS][KEYS];
  static float turns[JOINTS][KEYS][4];
  quatsimd_clip_joint joints[JOINTS] = {{.parent = -1}};
  uint64_t random = 3;
  for (size_t j = 0; j < JOINTS; j++) {
    double at = 0;
    for (size_t k = 0; k < KEYS; k++) {
      const double angle = 170 * (double)k * 3.14159265358979 / 180;
      times[j][k] = at, at += (1 + 2 * (double)(int)(random_unit(&random) * 10)) / 1024;
      turns[j][k][j % 3] = (float)sin(angle / 2), turns[j][k][3] = (float)cos(angle / 2);
    }
    joints[j].parent = -1, joints[j].rotation = (quatsimd_curve){KEYS, times[j], turns[j][0], 0};
  }
  const quatsimd_clip_source source = {JOINTS, joints, 0, NULL};
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.rotation_bound = 1e-4f;
  encoded e;
  encode_source(&e, &source, &options);
  assert_true(e.report.nearest[QUATSIMD_CLIP_ROTATION].ratio <= 1);
  if (e.size > 4700) fail_msg("%zu bytes", e.size); /* 6,500 with frames: own keys were refused by opening */
  quatsimd_clip_free(NULL, e.data);
}

/* The key of a loop that does not close is one of the source. */
static void open_loops_of_splines(void **state) {
  (void)state;
  static const double times[] = {0, 1, 2};
  static const float values[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
                                 1, 0, 0, 0, 0, 0, 0, 5, 5, 5, 0, 0, 0};
  const quatsimd_clip_joint joint = {.parent = -1, .translation = {3, times, values, QUATSIMD_CURVE_CUBIC}};
  const quatsimd_clip_source source = {1, &joint, 0, NULL};
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.translation_bound = 1e-3f, options.looping = 1;
  quatsimd_clip_report report;
  quatsimd_clip_report_init(&report, sizeof report);
  void *data;
  size_t size;
  assert_int_equal(quatsimd_clip_encode(&data, &size, &source, &options, &report), QUATSIMD_ERROR_BAD_KEY);
  assert_int_equal(report.key, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(clips_are_not_larger_than_floats),
                                     cmocka_unit_test(splines_are_short),
                                     cmocka_unit_test(wild_splines),
                                     cmocka_unit_test(short_clips),
                                     cmocka_unit_test(broken_splines),
                                     cmocka_unit_test(wide_turns_beside_frames),
                                     cmocka_unit_test(open_loops_of_splines)};
  return cmocka_run_group_tests_name("splines in clips", tests, NULL, NULL);
}
