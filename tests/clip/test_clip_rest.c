/* Tests curves with the values of a skeleton's rest pose. Samples and decodes with random rest poses. */
#include "fixture.h"

#include "support/random.h"

#include "quatsimd/skeleton.h"

enum { MOST_JOINTS = 700, LEFT = 0x5a5a5a5a }; /* LEFT + i: bits of unwritten float i */

static const float none[QUATSIMD_CLIP_KIND_COUNT][4] = {{0, 0, 0, 1}, {0}, {1, 1, 1}, {0}};

typedef struct rigged {
  fixture f;
  void *bytes;
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  float rest[QUATSIMD_CLIP_KIND_COUNT][4 * MOST_JOINTS];
} rigged;

/* Makes a skeleton whose joints are a chain. Its rest pose has the values of the curves' first keys. Curves
 * without keys, and every third joint and track, get other values. */
static void make_skeleton(rigged *r, size_t joints, size_t tracks) {
  static const char *name[MOST_JOINTS];
  static quatsimd_skeleton_joint joint[MOST_JOINTS];
  static float track_rest[MOST_JOINTS];
  const quatsimd_clip_source *source = &r->f.scene.source;
  assert_true(joints <= MOST_JOINTS);
  for (size_t j = 0; j < joints; j++) {
    joint[j] = (quatsimd_skeleton_joint){.name = "joint",
                                         .parent = (int64_t)j - 1,
                                         .rotation = {0.6f, 0, 0, 0.8f},
                                         .translation = {1, 2, 3},
                                         .scale = {1.25f, 1, 1}};
    float *to[] = {joint[j].rotation, joint[j].translation, joint[j].scale};
    for (int kind = 0; kind < 3 && j < source->joint_count && j % 3 != 2; kind++)
      if (curve_of(&source->joints[j], kind)->key_count > 0)
        memcpy(to[kind], key_of(curve_of(&source->joints[j], kind), kind, 0),
               components(kind) * sizeof(float));
  }
  for (size_t t = 0; t < tracks; t++) {
    const bool follows = t < source->track_count && t % 3 != 2 && source->tracks[t].curve.key_count > 0;
    name[t] = "track", track_rest[t] = follows ? source->tracks[t].curve.values[0] : 0.375f;
  }
  const quatsimd_skeleton_source of = {joints, joint, tracks, name, 1, track_rest};
  size_t size;
  assert_int_equal(quatsimd_skeleton_encode(&r->bytes, &size, &of, NULL, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_skeleton_open(&r->skeleton, &r->storage, sizeof r->storage, r->bytes, size),
                   QUATSIMD_OK);
  quatsimd_pose_out pose = {quatsimd_aos_out(r->rest[0]), quatsimd_aos_out(r->rest[1]),
                            quatsimd_aos_out(r->rest[2]), r->rest[3]};
  assert_int_equal(quatsimd_skeleton_rest_pose(r->skeleton, &pose, 0, joints), QUATSIMD_OK);
  for (size_t t = 0; t < tracks; t++) assert_true(r->rest[3][t] == track_rest[t]);
}

static quatsimd_status encode_rigged(rigged *r) {
  quatsimd_clip_report_init(&r->f.report, sizeof r->f.report);
  return quatsimd_clip_encode(&r->f.data, &r->f.size, &r->f.scene.source, &r->f.scene.options, &r->f.report);
}

/* Returns true for scenes that are encoded quickly and whose curves can be compared one by one. */
static bool is_usual(const scene *s) {
  return s->options.object_bound == 0 && s->source.joint_count <= MOST_JOINTS && s->frames < 5000;
}

static void open_rigged(rigged *r) {
  if (encode_rigged(r) != QUATSIMD_OK) fail_msg("%s: %s", r->f.name, r->f.report.error);
  assert_int_equal(quatsimd_clip_open(&r->f.clip, &r->f.storage, sizeof r->f.storage, r->f.data, r->f.size),
                   QUATSIMD_OK);
}

static void done_rigged(rigged *r) {
  quatsimd_skeleton_free(NULL, r->bytes);
  done(&r->f);
}

/* ---- states ---- */

static void check_states(const rigged *r) {
  const quatsimd_clip_source *source = &r->f.scene.source;
  for (int kind = 0; kind < 3; kind++) {
    size_t at_rest = 0;
    for (size_t j = 0; j < source->joint_count; j++) {
      const quatsimd_curve *curve = curve_of(&source->joints[j], kind);
      const quatsimd_clip_state state = quatsimd_clip_curve_state(r->f.clip, kind, j);
      at_rest += state == QUATSIMD_CLIP_REST;
      assert_int_equal(state == QUATSIMD_CLIP_ABSENT, curve->key_count == 0);
      if (curve->key_count == 0) continue;
      long double far = 0;
      const value at = value_of(kind, r->rest[kind] + components(kind) * j);
      for (size_t k = 0; k < curve->key_count; k++)
        far = fmaxl(far, error_between(kind, value_of(kind, key_of(curve, kind, k)), at));
      const double bound = bound_of(&r->f.scene, kind, j);
      if (far < 0.9L * bound - 1e-6L) assert_int_equal(state, QUATSIMD_CLIP_REST);
      if (far > 1.001L * bound + 1e-6L) assert_int_not_equal(state, QUATSIMD_CLIP_REST);
    }
    assert_int_equal(r->f.report.rest_count[kind], at_rest);
  }
}

/* Checks the states of tracks. Adds the number of tracks in each state to `states`. */
static void check_tracks(const rigged *r, size_t states[CLIP_STATES]) {
  const quatsimd_clip_source *source = &r->f.scene.source;
  size_t at_rest = 0;
  for (size_t t = 0; t < source->track_count; t++) {
    const quatsimd_clip_track *track = &source->tracks[t];
    const quatsimd_clip_state state = quatsimd_clip_curve_state(r->f.clip, QUATSIMD_CLIP_TRACK, t);
    const float bound = track->bound > 0 ? track->bound : r->f.scene.options.track_bound;
    float far = 0;
    for (size_t k = 0; k < track->curve.key_count; k++)
      far = fmaxf(far, fabsf(track->curve.values[k] - r->rest[3][t]));
    states[state]++, at_rest += state == QUATSIMD_CLIP_REST;
    assert_int_equal(state == QUATSIMD_CLIP_ABSENT, track->curve.key_count == 0);
    if (track->curve.key_count == 0 || track->curve.interpolation == QUATSIMD_CURVE_CUBIC) continue;
    if (far < 0.9f * bound - 1e-6f) assert_int_equal(state, QUATSIMD_CLIP_REST);
    if (far > 1.001f * bound + 1e-6f) assert_int_not_equal(state, QUATSIMD_CLIP_REST);
  }
  assert_int_equal(r->f.report.rest_count[QUATSIMD_CLIP_TRACK], at_rest);
}

static size_t curves_at_rest(const quatsimd_clip_report *report) {
  return report->rest_count[0] + report->rest_count[1] + report->rest_count[2];
}

static void curves_at_rest_are_two_bits(void **state) {
  (void)state;
  size_t all = 0, shorter = 0, tracks[CLIP_STATES] = {0};
  for (size_t i = 0; i < SCENES; i++) {
    rigged r = {.f.name = scenes[i].name};
    scene_make(&r.f.scene, &scenes[i]);
    if (is_usual(&r.f.scene) && r.f.scene.options.additive == 0) {
      open_rigged(&r);
      const size_t without = r.f.size, others = curves_at_rest(&r.f.report);
      assert_true(quatsimd_clip_skeleton_hash(r.f.clip) == 0);
      quatsimd_clip_free(r.f.scene.options.allocator, r.f.data);
      make_skeleton(&r, r.f.scene.source.joint_count, r.f.scene.source.track_count);
      r.f.scene.options.skeleton = r.skeleton;
      open_rigged(&r);
      assert_true(quatsimd_clip_skeleton_hash(r.f.clip) == quatsimd_skeleton_hash(r.skeleton));
      check_states(&r);
      check_tracks(&r, tracks);
      all += curves_at_rest(&r.f.report);
      if (curves_at_rest(&r.f.report) > others + 4) shorter++, assert_true(r.f.size < without);
    }
    done_rigged(&r);
  }
  assert_true(all > 500 && shorter > 5);
  assert_true(tracks[QUATSIMD_CLIP_REST] > 5 && tracks[QUATSIMD_CLIP_ABSENT] > 0);
}

/* ---- sampling ---- */

typedef struct sampled {
  float at[QUATSIMD_CLIP_KIND_COUNT][4 * MOST_JOINTS];
} sampled;

static size_t floats_of(int kind) { return kind == QUATSIMD_CLIP_TRACK ? 1 : components(kind); }

static quatsimd_pose_out pose_of(sampled *s) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t i = 0; i < 4 * MOST_JOINTS; i++) s->at[kind][i] = float_from_bits(LEFT + (uint32_t)i);
  return (quatsimd_pose_out){quatsimd_aos_out(s->at[0]), quatsimd_aos_out(s->at[1]),
                             quatsimd_aos_out(s->at[2]), s->at[3]};
}

/* Compares element i of `got`, a sample of curve j, with `plain`, a sample without a rest pose. */
static void check_curve(const quatsimd_clip *clip, int kind, const sampled *got, size_t i,
                        const sampled *plain, const sampled *rest, size_t j, int leave) {
  const size_t n = floats_of(kind);
  const quatsimd_clip_state state = quatsimd_clip_curve_state(clip, kind, j);
  const float *expected = plain->at[kind] + n * j;
  const uint32_t left = LEFT + (uint32_t)(n * i), untouched[4] = {left, left + 1, left + 2, left + 3};
  if (state <= QUATSIMD_CLIP_REST) {
    assert_memory_equal(expected, none[kind], n * sizeof(float));
    if (rest && !quatsimd_clip_additive(clip)) expected = rest->at[kind] + n * j;
  }
  if (state == QUATSIMD_CLIP_ABSENT && leave) expected = (const float *)(const void *)untouched;
  assert_memory_equal(got->at[kind] + n * i, expected, n * sizeof(float));
}

static size_t elements_of(const quatsimd_clip *clip, int kind) {
  return kind == QUATSIMD_CLIP_TRACK ? quatsimd_clip_track_count(clip) : quatsimd_clip_joint_count(clip);
}

static void check_pose(const quatsimd_clip *clip, const sampled *got, size_t frame, const sampled *plain,
                       const sampled *rest, int leave) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; j < elements_of(clip, kind); j++)
      check_curve(clip, kind, got, frame * elements_of(clip, kind) + j, plain, rest, j, leave);
}

static void check_sampled(const quatsimd_clip *clip, double time, const quatsimd_pose_in *rest,
                          const sampled *values, int leave) {
  static sampled plain, got;
  const size_t joints = quatsimd_clip_joint_count(clip);
  const quatsimd_clip_wrap wrap = QUATSIMD_CLIP_WRAP_CLAMP;
  quatsimd_pose_out pose = pose_of(&plain);
  assert_int_equal(quatsimd_clip_sample(clip, &pose, NULL, time, wrap, 0), QUATSIMD_OK);
  pose = pose_of(&got);
  assert_int_equal(quatsimd_clip_sample(clip, &pose, rest, time, wrap, leave), QUATSIMD_OK);
  check_pose(clip, &got, 0, &plain, values, leave);
  static uint32_t joint[MOST_JOINTS]; /* numbers below joints / 2, not in order, most of them twice */
  for (size_t j = 0; j < joints; j++) joint[j] = (uint32_t)(j * 7 % joints / 2);
  pose = pose_of(&got);
  assert_int_equal(quatsimd_clip_sample_joints(clip, &pose, rest, time, wrap, joint, joints, leave),
                   QUATSIMD_OK);
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    for (size_t i = 0; i < joints; i++) check_curve(clip, kind, &got, i, &plain, values, joint[i], leave);
  for (size_t t = 0; t < 4 * MOST_JOINTS; t++) assert_int_equal(float_bits(got.at[3][t]), LEFT + t);
}

static void check_decoded(const quatsimd_clip *clip, const quatsimd_pose_in *rest, const sampled *values,
                          int leave) {
  static sampled plain, got;
  const size_t most = quatsimd_clip_joint_count(clip) + quatsimd_clip_track_count(clip),
               frames = most * quatsimd_clip_frame_count(clip) <= MOST_JOINTS
                            ? quatsimd_clip_frame_count(clip)
                            : 1;
  quatsimd_pose_out pose = pose_of(&got);
  assert_int_equal(quatsimd_clip_decode(clip, &pose, rest, 0, frames, leave), QUATSIMD_OK);
  for (size_t f = 0; f < frames; f++) {
    pose = pose_of(&plain);
    assert_int_equal(quatsimd_clip_decode(clip, &pose, NULL, f, 1, 0), QUATSIMD_OK);
    check_pose(clip, &got, f, &plain, values, leave);
  }
}

/* Makes a rest pose of random bits, with the layout aos if `layout` is 0, else soa. moved: memory for soa. */
static quatsimd_pose_in random_rest(sampled *values, sampled *moved, size_t joints, int layout,
                                    uint64_t *state) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t i = 0; i < 4 * MOST_JOINTS; i++)
      sweep_set_bits(&values->at[kind][i], (uint32_t)sweep_next(state));
  quatsimd_pose_in rest = {{0}, {0}, {0}, values->at[3]};
  quatsimd_in *const to[] = {&rest.rotations, &rest.translations, &rest.scales};
  for (int kind = 0; kind < 3; kind++) {
    const float *at = values->at[kind];
    float *soa = moved->at[kind];
    for (size_t c = 0; c < components(kind); c++)
      for (size_t j = 0; j < joints; j++)
        memcpy(&soa[c * joints + j], &at[components(kind) * j + c], sizeof(float));
    *to[kind] = layout == 0
                    ? quatsimd_aos(at)
                    : quatsimd_soa(soa, soa + joints, soa + 2 * joints, kind == 0 ? soa + 3 * joints : NULL);
  }
  return rest;
}

static void rest_poses_of_all_scenes(void **state) {
  (void)state;
  static sampled values, moved;
  uint64_t random = 20;
  size_t states[CLIP_STATES] = {0};
  for (size_t i = 0; i < SCENES; i++) {
    rigged r;
    encode(&r.f, &scenes[i]);
    const quatsimd_clip *clip = r.f.clip;
    const size_t joints = quatsimd_clip_joint_count(clip);
    for (int way = 0; way < 4 && joints > 0 && joints <= MOST_JOINTS; way++) {
      quatsimd_pose_in rest = random_rest(&values, &moved, joints, way / 2, &random);
      for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
        for (size_t j = 0; j < elements_of(clip, kind); j++)
          states[quatsimd_clip_curve_state(clip, kind, j)]++;
      for (int t = -1; t < 6; t++)
        check_sampled(clip, quatsimd_clip_start(clip) + t * quatsimd_clip_duration(clip) / 4, &rest, &values,
                      way % 2);
      check_decoded(clip, &rest, &values, way % 2);
      rest = (quatsimd_pose_in){{0}, {0}, {0}, NULL};
      check_sampled(clip, quatsimd_clip_start(clip), &rest, NULL, way % 2);
    }
    done(&r.f);
  }
  for (size_t s = 0; s < CLIP_STATES; s++) assert_true(states[s] > 20);
}

/* ---- model space: a chain whose lengths are only in its skeleton ---- */

static void lengths_of_the_skeleton(void **state) {
  (void)state;
  enum { JOINTS = 12, KEYS = 61 };
  static float values[JOINTS][4 * KEYS];
  static double times[KEYS];
  quatsimd_clip_joint joint[JOINTS] = {{0}};
  for (size_t k = 0; k < KEYS; k++) times[k] = (double)k / 30;
  for (size_t j = 0; j < JOINTS; j++) {
    for (size_t k = 0; k < KEYS; k++) {
      const double a = 0.3 * sin((double)k * 0.2 + (double)j);
      values[j][4 * k] = (float)sin(a), values[j][4 * k + 3] = (float)cos(a);
    }
    joint[j] = (quatsimd_clip_joint){.parent = (int64_t)j - 1,
                                     .rotation = {.key_count = KEYS, .times = times, .values = values[j]}};
  }
  rigged r = {.f.name = "arms"};
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.object_bound = 1e-3f;
  r.f.scene.source = (quatsimd_clip_source){JOINTS, joint, 0, NULL};
  r.f.scene.options = options;
  open_rigged(&r); /* without the skeleton, all joints are at one point, so rotations may have large errors */
  const size_t loose = r.f.size;
  quatsimd_clip_free(NULL, r.f.data);
  make_skeleton(&r, JOINTS, 0);
  r.f.scene.options.skeleton = r.skeleton;
  open_rigged(&r);
  assert_true(r.f.size > 2 * loose);
  static sampled got;
  const quatsimd_pose_in rest = {quatsimd_aos(r.rest[0]), quatsimd_aos(r.rest[1]), quatsimd_aos(r.rest[2]),
                                 NULL};
  long double worst = 0;
  for (size_t k = 0; k < KEYS; k++) {
    quatsimd_pose_out pose = pose_of(&got);
    assert_int_equal(quatsimd_clip_sample(r.f.clip, &pose, &rest, times[k], QUATSIMD_CLIP_WRAP_CLAMP, 0),
                     QUATSIMD_OK);
    long double at[2][3] = {{0}};
    for (int of = 0; of < 2; of++)
      for (size_t j = JOINTS; j-- > 0;) { /* moves the last joint's origin up the chain, to model space */
        const float *q = of ? values[j] + 4 * k : got.at[0] + 4 * j;
        const float *t = of ? r.rest[1] + 3 * j : got.at[1] + 3 * j,
                    *s = of ? r.rest[2] + 3 * j : got.at[2] + 3 * j;
        const long double v[3] = {at[of][0] * s[0], at[of][1] * s[1], at[of][2] * s[2]}, x = q[0], w = q[3],
                          n2 = x * x + w * w, c = (w * w - x * x) / n2, d = 2 * x * w / n2;
        at[of][0] = v[0] + t[0], at[of][1] = c * v[1] - d * v[2] + t[1],
        at[of][2] = d * v[1] + c * v[2] + t[2];
      }
    worst = fmaxl(worst, hypotl(hypotl(at[0][0] - at[1][0], at[0][1] - at[1][1]), at[0][2] - at[1][2]));
  }
  assert_true(worst <= 1e-3L * 1.001L && worst > 1e-5L);
  joint[7].parent = 3; /* in the skeleton joint 7 has another parent */
  quatsimd_clip_free(NULL, r.f.data);
  r.f.data = NULL;
  REFUSED(encode_rigged(&r));
  assert_int_equal(r.f.report.joint, 7);
  assert_string_equal(r.f.report.error, "the parent is not that of the skeleton");
  quatsimd_skeleton_free(NULL, r.bytes);
}

/* Checks that joints hidden by a scale of 0 stay hidden in additive clips, with scale curves and without. */
static void scales_of_zero(void **state) {
  (void)state;
  static const double times[] = {0, 1};
  static const float turn[] = {0, 0, 0, 1, 0, 0, 1, 1}, hidden[6] = {0}, half_hidden[] = {0, 1, 0, 0, 2, 0};
  rigged r;
  quatsimd_skeleton_joint joint[3];
  for (int j = 0; j < 3; j++)
    joint[j] = (quatsimd_skeleton_joint){.name = "joint", .parent = -1, .rotation = {0, 0, 0, 1}};
  joint[2].scale[1] = 1;
  const quatsimd_skeleton_source of = {3, joint, 0, NULL, 1, NULL};
  size_t size;
  assert_int_equal(quatsimd_skeleton_encode(&r.bytes, &size, &of, NULL, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_skeleton_open(&r.skeleton, &r.storage, sizeof r.storage, r.bytes, size),
                   QUATSIMD_OK);
  quatsimd_clip_joint curves[3] = {{.rotation = {2, times, turn, 0}},
                                   {.scale = {2, times, hidden, 0}, .scale_bound = 1e-3f},
                                   {.scale = {2, times, half_hidden, 0}, .scale_bound = 1e-3f}};
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.rotation_bound = 1e-3f;
  options.skeleton = r.skeleton, options.additive = QUATSIMD_CLIP_ADDITIVE_FIRST;
  const quatsimd_clip_source source = {3, curves, 0, NULL};
  assert_int_equal(quatsimd_clip_encode(&r.f.data, &r.f.size, &source, &options, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&r.f.clip, &r.f.storage, sizeof r.f.storage, r.f.data, r.f.size),
                   QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_curve_state(r.f.clip, QUATSIMD_CLIP_SCALE, 0), QUATSIMD_CLIP_ABSENT);
  assert_int_equal(quatsimd_clip_curve_state(r.f.clip, QUATSIMD_CLIP_SCALE, 1), QUATSIMD_CLIP_REST);
  float scale[9];
  quatsimd_pose_out pose = {.scales = quatsimd_aos_out(scale)};
  for (double time = 0; time < 1.1; time += 0.25) {
    assert_int_equal(quatsimd_clip_sample(r.f.clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, 0), 0);
    for (int i = 0; i < 9; i++) assert_float_equal(scale[i], i == 7 ? 1 + time : 1, 1e-3);
  }
  quatsimd_clip_free(NULL, r.f.data);
  const float shown[] = {0, 0, 0, 1, 1, 1};
  curves[1].scale.values = shown;
  assert_int_equal(quatsimd_clip_encode(&r.f.data, &r.f.size, &source, &options, NULL),
                   QUATSIMD_ERROR_BAD_KEY);
  quatsimd_skeleton_free(NULL, r.bytes);
}

/* ---- refusals ---- */

static void refusals(void **state) {
  (void)state;
  rigged r = {.f.name = "small"};
  encode(&r.f, maker_of("small"));
  static sampled got;
  const quatsimd_clip *clip = r.f.clip;
  const size_t joints = quatsimd_clip_joint_count(clip);
  const uint32_t joint = 0;
  quatsimd_pose_out pose = pose_of(&got);
  static float more[4 * MOST_JOINTS];
  const quatsimd_pose_in bad[] = {{quatsimd_aos(got.at[0]), {0}, {0}, NULL},
                                  {{0}, quatsimd_aos(got.at[0]), {0}, NULL},
                                  {{0}, {0}, quatsimd_aos(got.at[1]), NULL},
                                  {quatsimd_aos(NULL), {0}, {0}, NULL},
                                  {quatsimd_strided(more, 3), {0}, {0}, NULL}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    REFUSED(quatsimd_clip_sample(clip, &pose, &bad[i], 0, QUATSIMD_CLIP_WRAP_CLIP, 0));
    REFUSED(quatsimd_clip_sample_joints(clip, &pose, &bad[i], 0, QUATSIMD_CLIP_WRAP_CLIP, &joint, 1, 0));
    REFUSED(quatsimd_clip_decode(clip, &pose, &bad[i], 0, 1, 0));
  }
  for (int leave = -1; leave < 3; leave += 3) {
    REFUSED(quatsimd_clip_sample(clip, &pose, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, leave));
    REFUSED(quatsimd_clip_sample_joints(clip, &pose, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, &joint, 1, leave));
    REFUSED(quatsimd_clip_decode(clip, &pose, NULL, 0, 1, leave));
  }
  for (int kind = 0; kind < 3; kind++)
    for (size_t e = 0; e < 4 * MOST_JOINTS; e++) assert_int_equal(float_bits(got.at[kind][e]), LEFT + e);
  assert_int_equal(quatsimd_clip_curve_state(NULL, 0, 0), QUATSIMD_CLIP_ABSENT);
  assert_int_equal(quatsimd_clip_curve_state(clip, -1, 0), QUATSIMD_CLIP_ABSENT);
  assert_int_equal(quatsimd_clip_curve_state(clip, 4, 0), QUATSIMD_CLIP_ABSENT);
  assert_int_equal(quatsimd_clip_curve_state(clip, 0, joints), QUATSIMD_CLIP_ABSENT);
  assert_true(quatsimd_clip_skeleton_hash(NULL) == 0);
  for (int tracks = 0; tracks < 2; tracks++) {
    make_skeleton(&r, joints + (tracks == 0), tracks == 1);
    r.f.scene.options.skeleton = r.skeleton;
    void *const data = r.f.data;
    REFUSED(encode_rigged(&r));
    assert_string_equal(r.f.report.error, tracks ? "the skeleton has more or fewer tracks"
                                                 : "the skeleton has more or fewer joints");
    assert_ptr_equal(r.f.data, data);
    quatsimd_skeleton_free(NULL, r.bytes);
  }
  done(&r.f);
}

/* A base without a curve has the rest pose: a clip is relative to that. */
static void bases_at_rest(void **state) {
  (void)state;
  static const double times[] = {0, 1};
  static const float moves[] = {5, 6, 7, 6, 6, 7};
  rigged r = {.bytes = NULL};
  const quatsimd_clip_joint nothing = {.parent = -1};
  const quatsimd_clip_source base = {1, &nothing, 0, NULL};
  scene_joints(&r.f.scene, 1);
  make_skeleton(&r, 1, 0);
  r.f.scene.joint[0].translation = (quatsimd_curve){2, times, moves, QUATSIMD_CURVE_LINEAR};
  r.f.scene.options.skeleton = r.skeleton;
  r.f.scene.options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, r.f.scene.options.additive_base = &base;
  bounds_of(&r.f.scene, 1e-3f, 1e-3f, 1e-3f);
  assert_int_equal(encode_rigged(&r), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&r.f.clip, &r.f.storage, sizeof r.f.storage, r.f.data, r.f.size),
                   QUATSIMD_OK);
  float found[3];
  quatsimd_pose_out pose = {{0}, quatsimd_aos_out(found), {0}, NULL};
  assert_int_equal(quatsimd_clip_sample(r.f.clip, &pose, NULL, 1, QUATSIMD_CLIP_WRAP_CLAMP, 0), QUATSIMD_OK);
  for (int i = 0; i < 3; i++) assert_true(fabsf(found[i] - (moves[3 + i] - r.rest[1][i])) <= 1e-3f);
  assert_true(r.rest[1][0] == 1 && r.rest[1][2] == 3);
  done(&r.f);
  quatsimd_skeleton_free(NULL, r.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curves_at_rest_are_two_bits),
      cmocka_unit_test(rest_poses_of_all_scenes),
      cmocka_unit_test(lengths_of_the_skeleton),
      cmocka_unit_test(scales_of_zero),
      cmocka_unit_test(bases_at_rest),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
