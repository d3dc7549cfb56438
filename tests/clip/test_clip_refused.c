/* Checks that bad sources, options and calls are refused, and that failing allocations are reported. */
#include "fixture.h"

#include "support/counted.h"

static void no_memory(void **state) {
  (void)state;
  const char *names[] = {"small",         "small_uneven",   "no_joints",      "one_frame",
                         "strangers",     "additive_base",  "additive_first", "object_additive",
                         "splines_first", "splines_object", "pairs",          "pairs_object"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    counted_memory c = {0};
    const quatsimd_allocator allocator = counted_allocator(&c);
    fixture f;
    encode(&f, maker_of(names[n]));
    f.scene.options.allocator = &allocator;
    void *data, *untouched = &data;
    size_t size = 0;
    assert_int_equal(quatsimd_clip_encode(&data, &size, &f.scene.source, &f.scene.options, NULL),
                     QUATSIMD_OK);
    assert_int_equal(c.pieces, 1);
    assert_int_equal(size, f.size);
    assert_memory_equal(data, f.data, size); /* although the allocator's memory is not zeroed */
    quatsimd_clip_free(&allocator, data);
    const size_t allocations = c.asked, step = allocations / 400 + 1;
    assert_int_equal(c.pieces, 0);
    assert_true(allocations > 3);
    for (c.from = 0; c.from < allocations; c.from += c.from < 60 ? 1 : step) {
      data = untouched, size = 17, c.asked = 0, c.to = c.from + 1;
      const quatsimd_status status =
          quatsimd_clip_encode(&data, &size, &f.scene.source, &f.scene.options, &f.report);
      if (status != QUATSIMD_ERROR_NO_MEMORY || c.pieces != 0 || data != untouched || size != 17)
        fail_msg("%s: without the allocation %zu of %zu: %s, %zu pieces leak", names[n], c.from, allocations,
                 quatsimd_status_string(status), c.pieces);
    }
    f.scene.options.allocator = NULL;
    done(&f);
  }
}

/* ---- errors ---- */

static void expect_bad_key(scene *s, size_t joint, int kind, size_t key, const char *what) {
  quatsimd_clip_report report;
  quatsimd_clip_report_init(&report, sizeof report);
  void *data, *untouched = &data;
  size_t size = 17;
  counted_memory c = {0};
  const quatsimd_allocator allocator = counted_allocator(&c);
  data = untouched;
  s->options.allocator = &allocator;
  const quatsimd_status status = quatsimd_clip_encode(&data, &size, &s->source, &s->options, &report);
  if (status != QUATSIMD_ERROR_BAD_KEY || report.joint != joint || (int)report.kind != kind ||
      report.key != key || !report.error || !*report.error)
    fail_msg("%s: %s, joint %zu, kind %d, key %zu: %s", what, quatsimd_status_string(status), report.joint,
             report.kind, report.key, report.error ? report.error : "no message");
  assert_true(data == untouched && size == 17 && c.pieces == 0);
  assert_true(report.error[strlen(report.error) - 1] != '.');
  assert_int_equal(quatsimd_clip_encode(&data, &size, &s->source, &s->options, NULL), QUATSIMD_ERROR_BAD_KEY);
}

static void bad_keys(void **state) {
  (void)state;
  const float bad[] = {NAN, INFINITY, -INFINITY};
  for (int kind = 0; kind < 3; kind++)
    for (size_t i = 0; i < 3 * components(kind); i++) {
      scene s;
      scene_make(&s, maker_of("bodies"));
      values_of((quatsimd_curve *)(uintptr_t)curve_of(&s.joint[6], kind))[components(kind) * 33 + i / 3] =
          bad[i % 3];
      expect_bad_key(&s, 6, kind, 33, "not finite");
      scene_free(&s);
    }
  const float lengths[] = {0, 0x1p-33f, 0x1p+33f, -0.0f};
  for (int i = 0; i < 4; i++) {
    scene s;
    scene_make(&s, maker_of("smooth"));
    float *q = values_of(&s.joint[22].rotation) + 4 * 60;
    for (int c = 0; c < 4; c++) q[c] = c == i ? lengths[i] : 0;
    expect_bad_key(&s, 22, QUATSIMD_CLIP_ROTATION, 60, "no direction");
    scene_free(&s);
  }
  const double times[] = {0, 0.5, (double)NAN, (double)INFINITY, (double)-INFINITY, 1e300, 0x1.1p+60};
  for (int i = 0; i < 7; i++) {
    scene s;
    scene_make(&s, maker_of("smooth"));
    double *t = (double *)(uintptr_t)s.joint[3].rotation.times;
    s.joint[4].rotation.times = memcpy(scene_take(&s, 61 * sizeof *t), t, 61 * sizeof *t);
    t = (double *)(uintptr_t)s.joint[4].rotation.times;
    t[17] = i == 0 ? t[16] : times[i];
    const bool falls = i == 1; /* the next key has the time of this one */
    if (falls) t[17] = t[18];
    expect_bad_key(&s, 4, QUATSIMD_CLIP_ROTATION, falls ? 18 : 17, "times");
    scene_free(&s);
  }
  for (int kind = 0; kind < 3; kind++) { /* the ends of the loop differ */
    scene s;
    scene_make(&s, maker_of("loop"));
    values_of((quatsimd_curve *)(uintptr_t)curve_of(&s.joint[6], kind))[components(kind) * 74] += 0.01f;
    expect_bad_key(&s, 6, kind, 74, "open loop");
    scene_free(&s);
  }
}

/* Checks that the first and last key of a loop may differ by a quarter of the bound, but not by more. */
static void nearly_closed_loops(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++)
    for (int part = 20; part <= 30; part += 10) { /* part: `gap` in hundredths of the bound */
      scene s;
      scene_make(&s, maker_of("loop"));
      const quatsimd_curve *curve = curve_of(&s.joint[6], kind);
      float *first = values_of((quatsimd_curve *)(uintptr_t)curve),
            *last = first + components(kind) * (curve->key_count - 1);
      const float own[] = {s.joint[6].rotation_bound, s.joint[6].translation_bound, s.joint[6].scale_bound},
                  all[] = {s.options.rotation_bound, s.options.translation_bound, s.options.scale_bound};
      const float gap = (own[kind] > 0 ? own[kind] : all[kind]) * (float)part / 100;
      memcpy(last, first, components(kind) * sizeof *last);
      if (kind == QUATSIMD_CLIP_ROTATION) { /* turns by `gap` about x */
        const float q[4] = {first[0], first[1], first[2], first[3]}, h = gap / 2;
        last[0] = q[0] + h * q[3], last[1] = q[1] - h * q[2], last[2] = q[2] + h * q[1],
        last[3] = q[3] - h * q[0];
      } else {
        last[0] += gap;
      }
      void *data = NULL;
      size_t size;
      quatsimd_clip_report report;
      quatsimd_clip_report_init(&report, sizeof report);
      const quatsimd_status status = quatsimd_clip_encode(&data, &size, &s.source, &s.options, &report);
      if (status != (part < 25 ? QUATSIMD_OK : QUATSIMD_ERROR_BAD_KEY))
        fail_msg("kind %d, open by %d %% of the bound: %s", kind, part, quatsimd_status_string(status));
      if (status != QUATSIMD_OK)
        assert_true(report.joint == 6 && (int)report.kind == kind && report.key == 74);
      quatsimd_clip_free(NULL, data);
      scene_free(&s);
    }
}

static void bad_bases(void **state) {
  (void)state;
  scene s;
  scene_make(&s, maker_of("additive_base")); /* a base with scale 0 is refused */
  values_of((quatsimd_curve *)(uintptr_t)&s.base.joints[4].scale)[3 * 7 + 1] = 0;
  expect_bad_key(&s, 4, QUATSIMD_CLIP_SCALE, 7, "scale 0");
  scene_free(&s);
  scene_make(&s, maker_of("additive_base")); /* the base's scale passes 0 between two keys */
  values_of((quatsimd_curve *)(uintptr_t)&s.base.joints[4].scale)[3 * 7 + 2] = -0.37f;
  expect_bad_key(&s, 4, QUATSIMD_CLIP_SCALE, 6, "scale 0 between keys");
  scene_free(&s);
  scene_make(&s, maker_of("additive_base")); /* the clip's and the base's values differ too much */
  s.joint[4].translation = drifting(&s, 1, s.base.joints[4].translation.times, 31, 0x1p+60, 0);
  values_of((quatsimd_curve *)(uintptr_t)&s.base.joints[4].translation)[3 * 9] = -0x1p+60f;
  expect_bad_key(&s, 4, QUATSIMD_CLIP_TRANSLATION, 9, "difference");
  void *data;
  size_t size;
  quatsimd_clip_report report;
  quatsimd_clip_report_init(&report, sizeof report);
  s.options.allocator = NULL; /* the allocator's context has gone out of scope */
  assert_int_equal(quatsimd_clip_encode(&data, &size, &s.source, &s.options, &report),
                   QUATSIMD_ERROR_BAD_KEY);
  assert_non_null(strstr(report.error, "difference"));
  scene_free(&s);
  scene_make(&s, maker_of("additive_base"));
  values_of((quatsimd_curve *)(uintptr_t)&s.base.joints[1].rotation)[4 * 5] = NAN;
  expect_bad_key(&s, 1, QUATSIMD_CLIP_ROTATION, 5, "no number in the base");
  scene_free(&s);
  scene_make(&s, maker_of("additive_base"));
  values_of(&s.joint[1].rotation)[4 * 5 + 3] = INFINITY;
  expect_bad_key(&s, 1, QUATSIMD_CLIP_ROTATION, 5, "no number in the source");
  scene_free(&s);
}

/* In a report, ALL stands for no particular kind, and SIZE_MAX for no joint or no key. */
enum { ALL = QUATSIMD_CLIP_KIND_COUNT };

/* Checks that the source is refused. The report must have this joint, kind and key, and an error that
 * contains `says`. */
static void expect_bad_argument(scene *s, size_t joint, int kind, size_t key, const char *says,
                                const char *what) {
  void *data, *untouched = &data;
  size_t size = 17;
  quatsimd_clip_report report;
  quatsimd_clip_report_init(&report, sizeof report);
  counted_memory c = {0};
  const quatsimd_allocator allocator = counted_allocator(&c);
  data = untouched;
  s->options.allocator = &allocator;
  const quatsimd_status status = quatsimd_clip_encode(&data, &size, &s->source, &s->options, &report);
  if (status != QUATSIMD_ERROR_BAD_ARGUMENT || report.joint != joint || (int)report.kind != kind ||
      report.key != key || !report.error || !strstr(report.error, says))
    fail_msg("%s: %s, joint %zd, kind %d, key %zd: %s", what, quatsimd_status_string(status),
             (ptrdiff_t)report.joint, report.kind, (ptrdiff_t)report.key,
             report.error ? report.error : "no message");
  assert_true(data == untouched && size == 17 && c.pieces == 0);
  assert_true(report.error[strlen(report.error) - 1] != '.');
  assert_int_equal(quatsimd_clip_encode(&data, &size, &s->source, &s->options, NULL),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
}

#define BAD_OF(name, joint, kind, says, what)                                                                \
  do {                                                                                                       \
    scene s;                                                                                                 \
    scene_make(&s, maker_of(name));                                                                          \
    what;                                                                                                    \
    expect_bad_argument(&s, joint, kind, SIZE_MAX, says, name ": " #what);                                   \
    scene_free(&s);                                                                                          \
  } while (0)

static void bad_options(void **state) {
  (void)state;
#define BAD(kind, says, what) BAD_OF("bodies", SIZE_MAX, kind, says, what)
  BAD(0, "rotation_bound", s.options.rotation_bound = -1e-3f);
  BAD(0, "rotation_bound", s.options.rotation_bound = 0.9e-5f);
  BAD(0, "rotation_bound", s.options.rotation_bound = 1.1f);
  BAD(0, "rotation_bound", s.options.rotation_bound = NAN);
  BAD(1, "translation_bound", s.options.translation_bound = -1);
  BAD(1, "translation_bound", s.options.translation_bound = NAN);
  BAD(1, "translation_bound", s.options.translation_bound = INFINITY);
  BAD(2, "scale_bound", s.options.scale_bound = NAN);
  BAD(2, "scale_bound", s.options.scale_bound = -1);
  BAD(ALL, "object_bound", s.options.object_bound = NAN);
  BAD(ALL, "object_bound", s.options.object_bound = INFINITY);
  BAD(ALL, "object_distance", s.options.object_distance = -1);
  BAD(ALL, "rate is not", s.options.rate = -1);
  BAD(ALL, "rate is not", s.options.rate = (double)NAN);
  BAD(ALL, "rate is not", s.options.rate = (double)INFINITY);
  BAD(ALL, "rate is not", s.options.rate = 1e20);
  BAD(ALL, "rate is not", s.options.rate = 0x1p-101);
  BAD_OF("no_curves", SIZE_MAX, ALL, "nearer to each other than times in double",
         (s.options.rate = 1000, s.options.rotation_bound = 1e-3f,
          s.joint[0].rotation = swinging(&s, 1, even_times(&s, 2, 0x1p+40, 1), 2, 0.1, 1)));
  BAD(ALL, "looping is not", s.options.looping = 2);
  BAD(ALL, "looping is not", s.options.looping = -1);
  BAD(ALL, "bundled is not", s.options.bundled = 2);
  BAD(ALL, "additive is not", s.options.additive = -1);
  BAD(ALL, "additive is not", s.options.additive = 3);
  BAD(ALL, "additive_base is null", s.options.additive = QUATSIMD_CLIP_ADDITIVE_BASE);
  BAD(ALL, "additive_base without additive", s.options.additive_base = &s.source);
  BAD(ALL, "additive_base without additive",
      (s.options.additive = QUATSIMD_CLIP_ADDITIVE_FIRST, s.options.additive_base = &s.source));
#undef BAD
}

static void bad_joints(void **state) {
  (void)state;
#define BAD(joint, kind, says, what) BAD_OF("bodies", joint, kind, says, what)
  BAD(SIZE_MAX, ALL, "more than 2^20 joints", s.source.joint_count = (1 << 20) + 1);
  BAD(SIZE_MAX, ALL, "joints is null", s.source.joints = NULL);
  BAD(1, 0, "values is null", s.joint[1].rotation.values = NULL);
  BAD(2, 1, "values is null", s.joint[2].translation.values = NULL);
  BAD(1, 0, "times is null", s.joint[1].rotation.times = NULL);
  BAD(2, 0, "2^29 keys", s.joint[2].rotation.key_count = 1 << 29);
  BAD(2, 0, "rotation_bound", s.joint[2].rotation_bound = NAN);
  BAD(2, 0, "rotation_bound", s.joint[2].rotation_bound = -1);
  BAD(2, 0, "rotation_bound", s.joint[2].rotation_bound = 0.9e-5f);
  BAD(2, 0, "rotation_bound", s.joint[2].rotation_bound = 1.1f);
  BAD(2, 1, "translation_bound", s.joint[2].translation_bound = -1);
  BAD(3, 2, "scale_bound", s.joint[3].scale_bound = INFINITY);
  BAD(1, ALL, "object_bound", s.joint[1].object_bound = NAN);
  BAD(1, ALL, "object_bound", s.joint[1].object_bound = -1);
  BAD(1, ALL, "object_distance", s.joint[1].object_distance = INFINITY);
  BAD(1, ALL, "object_bound, and the options have none", s.joint[1].object_bound = 1e-3f);
  BAD(2, ALL, "object_distance, and the options have no", s.joint[2].object_distance = 1);
  /* the report names each kind's first curve without a bound */
  BAD(0, 0, "no bound", s.options.rotation_bound = 0);
  BAD(1, 0, "no bound", (s.options.rotation_bound = 0, s.joint[0].rotation_bound = 1e-3f));
  BAD(0, 1, "no bound", s.options.translation_bound = 0);
  BAD(0, 2, "no bound", s.options.scale_bound = 0);
#undef BAD
  BAD_OF("additive_base", SIZE_MAX, ALL, "base has more or fewer joints", s.base.joint_count = 5);
  BAD_OF("additive_base", 1, 0, "values is null",
         ((quatsimd_clip_joint *)(uintptr_t)s.base.joints)[1].rotation.values = NULL);
  /* a curve that only the base has is in the clip too, and needs a bound */
  BAD_OF("additive_base", 0, 0, "no bound",
         (s.options.rotation_bound = 0, s.joint[0].rotation.key_count = 0));
  BAD_OF("object", 4, 0, "which replaces this bound", s.joint[4].rotation_bound = 1e-3f);
  BAD_OF("object", 20, 1, "which replaces this bound", s.joint[20].translation_bound = 1e-3f);
  BAD_OF("object", 0, 2, "which replaces this bound", s.joint[0].scale_bound = 1e-3f);
  BAD_OF("object", 4, ALL, "parent is not", s.joint[4].parent = 21);
  BAD_OF("object", 4, ALL, "parent is not", s.joint[4].parent = -2);
  BAD_OF("object", 20, ALL, "parent is not", s.joint[20].parent = INT64_MAX);
  BAD_OF("object", 4, ALL, "circle", s.joint[4].parent = 4);
  BAD_OF("object", 1, ALL, "circle", s.joint[1].parent = 9);
  /* the report names a joint of the circle of parents, not a joint below the circle */
  BAD_OF("object_backwards", 18, ALL, "circle", s.joint[20].parent = 18);
}

/* Checks valid sources that are too extreme to be encoded, and sources at the limits that are encoded. */
static void too_extreme(void **state) {
  (void)state;
  BAD_OF("bodies", SIZE_MAX, ALL, "2^26 frames at this rate", s.options.rate = 1e12);
  scene s = {0};
  const double instant[] = {0, 0x1p-101}, shortest[] = {0, 0x1p-100}, denormal[] = {-0x1p-1040, 0x1p-1060};
  scene_joints(&s, 1);
  s.joint[0].rotation = jumping(&s, 1, instant, 2);
  bounds_of(&s, 1e-3f, 0, 0);
  expect_bad_argument(&s, SIZE_MAX, ALL, SIZE_MAX, "2^-100 seconds apart", "an instant");
  s.joint[0].rotation.interpolation = QUATSIMD_CURVE_LINEAR;
  s.joint[0].rotation.times = denormal; /* the rate of frames at these times would be infinite */
  expect_bad_argument(&s, SIZE_MAX, ALL, SIZE_MAX, "2^-100 seconds apart", "less than an instant");
  s.joint[0].rotation.interpolation = QUATSIMD_CURVE_HOLD;
  s.joint[0].rotation.times = shortest;
  s.options.allocator = NULL;
  void *data;
  size_t size;
  assert_int_equal(quatsimd_clip_encode(&data, &size, &s.source, &s.options, NULL), QUATSIMD_OK);
  quatsimd_clip_free(NULL, data);
  scene_free(&s);

  const double near[] = {0, 1e-6, 50, 100}; /* frames are at 0 and 100 only */
  for (int kind = 0; kind < 2; kind++) {
    s = (scene){0};
    scene_joints(&s, 5);
    if (kind)
      s.joint[3].translation = holding(drifting(&s, 2, near, 4, 0, 1)),
      values_of(&s.joint[3].translation)[3] = 7;
    else s.joint[3].rotation = holding(jumping(&s, 1, near, 4));
    bounds_of(&s, 1e-3f, 1e-3f, 0);
    quatsimd_clip_joint still[5] = {{0}};
    s.base = s.source, s.base.joints = still;
    /* the encoder must not take the key at 1e-6 for the key or the frame at 0 */
    for (int additive = 0; additive < 3; additive++) {
      s.options.additive = additive, s.options.allocator = NULL;
      s.options.additive_base = additive == QUATSIMD_CLIP_ADDITIVE_BASE ? &s.base : NULL;
      assert_int_equal(quatsimd_clip_encode(&data, &size, &s.source, &s.options, NULL), QUATSIMD_OK);
      quatsimd_clip_free(NULL, data);
    }
    scene_free(&s);
  }
}
#undef BAD_OF

/* An allocator without its functions is refused before it is used. Freeing nothing with it is no error. */
static void allocators_without_functions(void **state) {
  (void)state;
  scene s;
  counted_memory c = {0};
  scene_make(&s, maker_of("bodies"));
  for (int given = 0; given < 3; given++) {
    quatsimd_allocator allocator = counted_allocator(&c);
    if (!(given & 1)) allocator.allocate = NULL;
    if (!(given & 2)) allocator.release = NULL;
    void *data = NULL;
    size_t size = 17;
    quatsimd_clip_report report;
    quatsimd_clip_report_init(&report, sizeof report);
    s.options.allocator = &allocator;
    assert_int_equal(quatsimd_clip_encode(&data, &size, &s.source, &s.options, &report),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_string_equal(report.error, "allocate or release of the allocator is null");
    assert_true(!data && size == 17 && c.pieces == 0);
    quatsimd_clip_free(&allocator, data);
  }
  scene_free(&s);
}

static void nulls_to_encode(void **state) {
  (void)state;
  fixture f;
  encode(&f, maker_of("bodies"));
  void *data;
  size_t size;
  for (int i = 0; i < 4; i++) {
    quatsimd_clip_report report;
    quatsimd_clip_report_init(&report, sizeof report);
    assert_int_equal(quatsimd_clip_encode(i == 2 ? NULL : &data, i == 3 ? NULL : &size,
                                          i == 0 ? NULL : &f.scene.source, i == 1 ? NULL : &f.scene.options,
                                          &report),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(report.joint == SIZE_MAX && report.key == SIZE_MAX && (int)report.kind == ALL &&
                report.error && strstr(report.error, "null"));
    assert_int_equal(quatsimd_clip_encode(i == 2 ? NULL : &data, i == 3 ? NULL : &size,
                                          i == 0 ? NULL : &f.scene.source, i == 1 ? NULL : &f.scene.options,
                                          NULL),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
  }
  done(&f);
}

static void bad_arguments(void **state) {
  (void)state;
  fixture f;
  encode(&f, maker_of("bodies"));
  guarded_pose r = guarded_pose_new(13);
  quatsimd_pose_out pose = aos(&r);
  const uint32_t joints[] = {0, 12, 13, 1};
  const quatsimd_clip_wrap beyond = (quatsimd_clip_wrap)3;
  assert_int_equal(quatsimd_clip_sample(NULL, &pose, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, 0),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample(f.clip, NULL, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, 0),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample(f.clip, &pose, NULL, 0, beyond, 0), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample_joints(f.clip, &pose, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, joints, 4, 0),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample_joints(f.clip, &pose, NULL, 0, beyond, joints, 2, 0),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample_joints(f.clip, &pose, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, NULL, 1, 0),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample_joints(f.clip, NULL, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, joints, 2, 0),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample_joints(NULL, &pose, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, joints, 2, 0),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_decode(NULL, &pose, NULL, 0, 1, 0), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_decode(f.clip, NULL, NULL, 0, 1, 0), QUATSIMD_ERROR_BAD_ARGUMENT);
  const quatsimd_out bad[] = {quatsimd_strided_out(r.at[0], 8), quatsimd_strided_out(r.at[0], 18),
                              quatsimd_aos_out(NULL), quatsimd_soa_out(r.at[0], NULL, r.at[0], r.at[0])};
  for (int i = 0; i < 4; i++) {
    quatsimd_pose_out wrong = pose;
    wrong.rotations = bad[i];
    assert_int_equal(quatsimd_clip_sample(f.clip, &wrong, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, 0),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(
        quatsimd_clip_sample_joints(f.clip, &wrong, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, joints, 1, 0),
        QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_clip_decode(f.clip, &wrong, NULL, 0, 1, 0), QUATSIMD_ERROR_BAD_ARGUMENT);
    wrong = pose, wrong.scales = bad[i];
    assert_int_equal(quatsimd_clip_sample(f.clip, &wrong, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, 0),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
  }
  /* none of these calls wrote anything */
  for (int kind = 0; kind < 3; kind++) assert_true(filled(r.at[kind], 4 * r.floats[kind]));
  guarded_pose_free(&r);
  done(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_memory),
                                     cmocka_unit_test(bad_keys),
                                     cmocka_unit_test(nearly_closed_loops),
                                     cmocka_unit_test(bad_bases),
                                     cmocka_unit_test(bad_options),
                                     cmocka_unit_test(bad_joints),
                                     cmocka_unit_test(too_extreme),
                                     cmocka_unit_test(bad_arguments),
                                     cmocka_unit_test(allocators_without_functions),
                                     cmocka_unit_test(nulls_to_encode)};
  return cmocka_run_group_tests_name("clips refused", tests, NULL, NULL);
}
