/* Checks that clips keep the promises of clip.h. CTest runs this test once for each table of kernels. */
#include "fixture.h"

#include "support/isa.h"

#include <time.h>

static void check_report(const fixture *f) {
  const quatsimd_clip *clip = f->clip;
  assert_int_equal(clip->joints, f->scene.source.joint_count);
  assert_int_equal(clip->frames, f->report.frame_count);
  assert_true(clip->rate == f->report.rate);
  assert_int_equal(clip_loops(clip), f->scene.options.looping);
  assert_int_equal(clip_additive(clip), f->scene.options.additive);
  if (f->scene.frames) {
    assert_int_equal(clip->frames, f->scene.frames);
    if (fabs(clip->rate - f->scene.rate) > 0)
      fail_msg("%s: the rate is %.17g, not %g", f->name, clip->rate, f->scene.rate);
  }
  for (int kind = 0; kind < 3; kind++) {
    size_t count[CLIP_STATES] = {0};
    for (size_t j = 0; j < clip->joints; j++) count[state_of(clip, kind, j)]++;
    assert_int_equal(f->report.rest_count[kind], count[QUATSIMD_CLIP_REST]);
    assert_int_equal(f->report.constant_count[kind], count[QUATSIMD_CLIP_CONSTANT]);
    assert_int_equal(f->report.moving_count[kind], count[QUATSIMD_CLIP_MOVING]);
    assert_int_equal(f->report.keyed_count[kind], count[QUATSIMD_CLIP_KEYED]);
    assert_int_equal(clip_part_of(clip, kind).curves, clip->joints - count[QUATSIMD_CLIP_ABSENT]);
  }
  for (size_t i = 1; i < clip->frames && i < 5000; i++)
    assert_true(quatsimd_clip_frame_time(clip, i) > quatsimd_clip_frame_time(clip, i - 1));
  assert_true(quatsimd_clip_frame_time(clip, 0) == clip->start);
  assert_true(fabs(quatsimd_clip_frame_time(clip, clip->frames - 1) - clip->start - clip->duration) <=
              1e-12 * fabs(clip->duration + fabs(clip->start)));
}

static void a_scene(void **state) {
  fixture f;
  encode(&f, *state);
  check_report(&f);
  check_errors(&f);
  check_consistency(&f);
  check_ends(&f);
  check_between(&f);
  check_decode(&f);
  check_keyed(&f);
  done(&f);
}

/* Checks that clips for bundles are within their bounds. */
static void bundled_scenes(void **state) {
  (void)state;
  for (size_t i = 0; i < SCENES; i++) {
    fixture f;
    if (strcmp(scenes[i].name, "hour") == 0 || strcmp(scenes[i].name, "many_joints") == 0)
      continue; /* both take seconds */
    encode_as(&f, &scenes[i], 1);
    check_report(&f);
    check_errors(&f);
    check_between(&f);
    check_keyed(&f);
    done(&f);
  }
}

/* ---- properties that scenes are made for ---- */

static void expect_counts(const char *name, int kind, size_t constant, size_t moving, size_t keyed) {
  fixture f;
  encode(&f, maker_of(name));
  if (f.report.constant_count[kind] != constant || f.report.moving_count[kind] != moving ||
      f.report.keyed_count[kind] != keyed)
    fail_msg("%s, kind %d: %zu constant, %zu moving, %zu keyed curves, not %zu, %zu, %zu", name, kind,
             f.report.constant_count[kind], f.report.moving_count[kind], f.report.keyed_count[kind], constant,
             moving, keyed);
  done(&f);
}

static void kinds_of_curves(void **state) {
  (void)state;
  expect_counts("smooth", 0, 0, 23, 0);
  expect_counts("noise", 0, 0, 11, 0);
  expect_counts("turns", 0, 0, 8, 1);
  expect_counts("steps", 0, 2, 1, 4);
  expect_counts("steps", 1, 0, 1, 1);
  expect_counts("steps", 2, 0, 0, 2);
  expect_counts("steps_alone", 0, 0, 0, 3);
  expect_counts("uneven", 0, 0, 10, 0);
  expect_counts("sparse", 0, 0, 6, 0);
  expect_counts("retimed", 0, 0, 7, 0);
  expect_counts("no_curves", 0, 0, 0, 0);
}

/* A coarser bound makes a clip smaller. Signs and lengths of quaternions hardly change its size. */
static void sizes(void **state) {
  (void)state;
  fixture smooth, tight, loose, flips;
  encode(&smooth, maker_of("smooth")), encode(&tight, maker_of("tight")), encode(&loose, maker_of("loose")),
      encode(&flips, maker_of("flips"));
  assert_true(loose.size < smooth.size && 2 * smooth.size < tight.size);
  assert_true(smooth.size < 61 * 23 * 4); /* a quarter of the size of the source's quaternions */
  assert_true(flips.size <= smooth.size + smooth.size / 50 && smooth.size <= flips.size + flips.size / 50);
  done(&smooth), done(&tight), done(&loose), done(&flips);
}

/* Checks clips of 1 to 56 frames, which have up to four blocks. */
static void all_lengths(void **state) {
  (void)state;
  for (size_t frames = 1; frames <= 56; frames++) {
    fixture f = {.name = "all lengths"};
    quatsimd_clip_report_init(&f.report, sizeof f.report);
    scene_lengths_of(&f.scene, frames);
    assert_int_equal(quatsimd_clip_encode(&f.data, &f.size, &f.scene.source, &f.scene.options, &f.report),
                     QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_open(&f.clip, &f.storage, sizeof f.storage, f.data, f.size), QUATSIMD_OK);
    assert_int_equal(f.clip->frames, frames);
    check_errors(&f);
    check_between(&f);
    check_decode(&f);
    done(&f);
  }
}

/* Checks that a clip's bytes do not depend on earlier calls or on the report. Checks that a clip's poses do
 * not depend on its address. */
static void same_bytes(void **state) {
  (void)state;
  fixture f, g;
  encode(&f, maker_of("bodies")), encode(&g, maker_of("bodies"));
  assert_int_equal(f.size, g.size);
  assert_memory_equal(f.data, g.data, f.size);
  void *data;
  size_t size;
  assert_int_equal(quatsimd_clip_encode(&data, &size, &f.scene.source, &f.scene.options, NULL), QUATSIMD_OK);
  assert_int_equal(f.size, size);
  assert_memory_equal(f.data, data, size);
  quatsimd_clip_free(NULL, data);
  for (size_t offset = 0; offset < 9; offset++) { /* clips may begin at any address */
    unsigned char *moved = malloc(f.size + offset);
    assert_non_null(moved);
    memcpy(moved + offset, f.data, f.size);
    assert_int_equal(quatsimd_clip_open(&g.clip, &g.storage, sizeof g.storage, moved + offset, f.size),
                     QUATSIMD_OK);
    guarded_pose a = guarded_pose_new(13), b = guarded_pose_new(13);
    sample(&f, 1.2345, QUATSIMD_CLIP_WRAP_CLIP, &a), sample(&g, 1.2345, QUATSIMD_CLIP_WRAP_CLIP, &b);
    expect_same(&f, &a, &b, 1.2345, "at another address");
    guarded_pose_free(&a), guarded_pose_free(&b);
    free(moved);
  }
  done(&f), done(&g);
}

/* Checks that sampling gives a frame's pose even if the frame's time has been rounded to float. */
static void times_near_frames(void **state) {
  (void)state;
  fixture f;
  encode(&f, maker_of("smooth"));
  guarded_pose wanted = guarded_pose_new(23), r = guarded_pose_new(23);
  for (size_t i = 0; i < 61; i++) {
    const double time = quatsimd_clip_frame_time(f.clip, i);
    sample(&f, time, QUATSIMD_CLIP_WRAP_CLAMP, &wanted);
    for (int side = -1; side < 2; side += 2) {
      sample(&f, time + side * 0x1.fp-25 * time, QUATSIMD_CLIP_WRAP_CLAMP, &r);
      expect_same(&f, &wanted, &r, time, "nearly a frame");
    }
    if (i == 0 || i == 60) continue;
    sample(&f, time + 1e-3, QUATSIMD_CLIP_WRAP_CLAMP, &r);
    assert_memory_not_equal(r.at[0], wanted.at[0], 4 * r.floats[0]);
  }
  guarded_pose_free(&wanted), guarded_pose_free(&r);
  done(&f);
}

/* Tests keys of a HOLD curve that are slightly later than frames. Sampling at a frame gives the key's value
 * only if the key is later by less than a rounding error of times. */
static void keys_near_frames(void **state) {
  (void)state;
  enum { KEYS = 40 };
  static const double after[] = {2e-8, 2e-7}; /* the largest time has a rounding error of 8e-8 */
  for (int far = 0; far < 2; far++) {
    double near[KEYS];
    fixture f = {.name = "keys near frames"};
    quatsimd_clip_report_init(&f.report, sizeof f.report);
    const double *times = even_times(&f.scene, KEYS, 0, 30);
    for (int k = 0; k < KEYS; k++) near[k] = times[k] + (k ? after[far] : 0);
    scene_joints(&f.scene, 2);
    f.scene.joint[0].rotation = swinging(&f.scene, 0, times, KEYS, 0.2, 2);
    f.scene.joint[1].translation = holding(drifting(&f.scene, 1, near, KEYS, 1, 1));
    f.scene.options.rate = 30;
    bounds_of(&f.scene, 1e-3f, 1e-3f, 0);
    if (quatsimd_clip_encode(&f.data, &f.size, &f.scene.source, &f.scene.options, &f.report) != QUATSIMD_OK)
      fail_msg("key %zu: %s", f.report.key, f.report.error);
    assert_int_equal(quatsimd_clip_open(&f.clip, &f.storage, sizeof f.storage, f.data, f.size), QUATSIMD_OK);
    assert_true(quatsimd_clip_rate(f.clip) == 30);
    assert_int_equal(state_of(f.clip, QUATSIMD_CLIP_TRANSLATION, 1), QUATSIMD_CLIP_KEYED);
    guarded_pose r = guarded_pose_new(2);
    for (size_t k = 0; k < KEYS; k++)
      for (int at = 0; at < 2; at++) {
        sample(&f, at ? near[k] : times[k], QUATSIMD_CLIP_WRAP_CLAMP, &r);
        const bool before = !at && far && k > 0;
        assert_memory_equal(r.at[1] + 3, f.scene.joint[1].translation.values + 3 * (k - before), 12);
      }
    guarded_pose_free(&r);
    done(&f);
  }
}

/* ---- some joints ---- */

enum { CROWD = 9001, KINDS_OF_JOINTS = 7 };

/* Encodes more joints than the ASKED_JOINTS that sampling marks at a time. Their curves are of all sorts. */
static void encode_crowd(fixture *f) {
  *f = (fixture){.name = "a crowd"};
  quatsimd_clip_report_init(&f->report, sizeof f->report);
  const double *times = even_times(&f->scene, 5, 0, 30);
  scene_joints(&f->scene, CROWD);
  for (size_t j = 0; j < CROWD; j++) {
    quatsimd_clip_joint *joint = &f->scene.joint[j];
    const size_t which = j * j % 11 % KINDS_OF_JOINTS;
    if (which < 2) joint->rotation = swinging(&f->scene, j, times, 5, 0.2, 2);
    if (which == 2) joint->rotation = jumping(&f->scene, j + 1, times, 1);
    if (which == 3) joint->rotation = holding(jumping(&f->scene, j + 1, times, 5));
    if (which == 1) joint->translation = drifting(&f->scene, j, times, 5, 1, 1);
    if (which > 3) joint->translation = drifting(&f->scene, j, times, 1, 1, 1);
    if (which == 5) joint->scale = holding(drifting(&f->scene, j, times, 5, 1, 1));
  }
  bounds_of(&f->scene, 1e-2f, 1e-2f, 1e-2f);
  assert_int_equal(quatsimd_clip_encode(&f->data, &f->size, &f->scene.source, &f->scene.options, &f->report),
                   QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&f->clip, &f->storage, sizeof f->storage, f->data, f->size),
                   QUATSIMD_OK);
  for (int kind = 0; kind < 2; kind++)
    assert_true(f->report.moving_count[kind] > 0 && f->report.constant_count[kind] > 0);
  assert_true(f->report.keyed_count[0] > 0 && f->report.keyed_count[2] > 0);
}

/* Checks that sampling some joints, in any order and repeated, gives the values of sampling all joints. */
static void many_requests(void **state) {
  (void)state;
  fixture f;
  encode_crowd(&f);
  uint64_t random = 21;
  guarded_pose all = guarded_pose_new(CROWD);
  sample(&f, 0.051, QUATSIMD_CLIP_WRAP_CLIP, &all);
  for (int round = 0; round < 60; round++) {
    const size_t counts[] = {1, 2, 40, CROWD, 2 * CROWD}, count = counts[round % 5];
    const size_t spread = round % 3 == 0   ? CROWD
                          : round % 3 == 1 ? 300
                                           : 4097,
                 from = (size_t)(random_unit(&random) * (double)(CROWD + 1 - spread));
    uint32_t *joint = malloc(count * sizeof *joint);
    guarded_pose r = guarded_pose_new(count), wanted = guarded_pose_new(count),
                 parts = guarded_pose_new(count);
    float *const *p = parts.at;
    assert_non_null(joint);
    for (size_t i = 0; i < count; i++) {
      joint[i] = (uint32_t)(from + (size_t)(random_unit(&random) * (double)spread));
      for (int kind = 0; kind < 3; kind++)
        memcpy(wanted.at[kind] + components(kind) * i, all.at[kind] + components(kind) * joint[i],
               4 * components(kind));
    }
    quatsimd_pose_out pose = aos(&r),
                      soa = {quatsimd_soa_out(p[0], p[0] + count, p[0] + 2 * count, p[0] + 3 * count),
                             quatsimd_soa_out(p[1], p[1] + count, p[1] + 2 * count, NULL),
                             quatsimd_soa_out(p[2], p[2] + count, p[2] + 2 * count, NULL), NULL};
    assert_int_equal(
        quatsimd_clip_sample_joints(f.clip, &pose, NULL, 0.051, QUATSIMD_CLIP_WRAP_CLIP, joint, count, 0),
        QUATSIMD_OK);
    expect_same(&f, &wanted, &r, 0.051, "some joints");
    assert_int_equal(
        quatsimd_clip_sample_joints(f.clip, &soa, NULL, 0.051, QUATSIMD_CLIP_WRAP_CLIP, joint, count, 0),
        QUATSIMD_OK);
    for (int kind = 0; kind < 3; kind++)
      for (size_t i = 0; i < r.floats[kind]; i++)
        r.at[kind][i] = p[kind][i % components(kind) * count + i / components(kind)];
    expect_same(&f, &wanted, &r, 0.051, "some joints, soa");
    guarded_pose_free(&r), guarded_pose_free(&wanted), guarded_pose_free(&parts);
    free(joint);
  }
  guarded_pose_free(&all);
  done(&f);
}

/* ---- additive ---- */

/* Returns views of joints that have ten floats each: rotation, translation, scale. */
static quatsimd_pose_in in_tens(const float *p) {
  return (quatsimd_pose_in){quatsimd_strided(p, 40), quatsimd_strided(p + 4, 40), quatsimd_strided(p + 7, 40),
                            NULL};
}
static quatsimd_pose_out out_tens(float *p) {
  return (quatsimd_pose_out){quatsimd_strided_out(p, 40), quatsimd_strided_out(p + 4, 40),
                             quatsimd_strided_out(p + 7, 40), NULL};
}

static void random_tens(float *p, size_t joints, uint64_t *random) {
  for (size_t j = 0; j < joints; j++) {
    put_quat(p + 10 * j, random_quat(random));
    for (size_t i = 4; i < 10; i++) p[10 * j + i] = (float)random_unit(random) * 4;
  }
}

/* Checks that adding poses gives the same bits if the output is an input, or has another layout. */
static void add_layouts(void **state) {
  (void)state;
  enum { JOINTS = 131 };
  float base[10 * JOINTS], added[10 * JOINTS], made[10 * JOINTS], again[10 * JOINTS], soa[10 * JOINTS];
  uint64_t random = 12;
  random_tens(base, JOINTS, &random), random_tens(added, JOINTS, &random);
  const quatsimd_pose_in under = in_tens(base), over = in_tens(added);
  quatsimd_pose_out out = out_tens(made);
  assert_int_equal(quatsimd_clip_add(&out, &under, &over, JOINTS, 0), QUATSIMD_OK);
  for (size_t j = 0; j < JOINTS; j++) {
    scene_quat p, q;
    for (int i = 0; i < 4; i++) p.v[i] = base[10 * j + (size_t)i], q.v[i] = added[10 * j + (size_t)i];
    p = scene_product(p, q);
    for (size_t i = 0; i < 4; i++) assert_true(fabs(p.v[i] - (double)made[10 * j + i]) < 1e-6);
    for (size_t i = 4; i < 7; i++) assert_true(made[10 * j + i] == added[10 * j + i] + base[10 * j + i]);
    for (size_t i = 7; i < 10; i++) assert_true(made[10 * j + i] == added[10 * j + i] * base[10 * j + i]);
  }
  for (int to_base = 0; to_base < 2; to_base++) {
    const quatsimd_pose_in own = in_tens(again);
    memcpy(again, to_base ? base : added, sizeof again);
    out = out_tens(again);
    assert_int_equal(quatsimd_clip_add(&out, to_base ? &own : &under, to_base ? &over : &own, JOINTS, 0),
                     QUATSIMD_OK);
    assert_memory_equal(again, made, sizeof made);
  }
  float *p = soa;
  quatsimd_pose_out parts = {quatsimd_soa_out(p, p + JOINTS, p + 2 * JOINTS, p + 3 * JOINTS),
                             quatsimd_soa_out(p + 4 * JOINTS, p + 5 * JOINTS, p + 6 * JOINTS, NULL),
                             {0},
                             NULL};
  for (size_t i = 0; i < 10 * JOINTS; i++) soa[i] = 77;
  assert_int_equal(quatsimd_clip_add(&parts, &under, &over, JOINTS, 0), QUATSIMD_OK);
  for (size_t j = 0; j < JOINTS; j++)
    for (size_t i = 0; i < 10; i++) assert_true(soa[JOINTS * i + j] == (i < 7 ? made[10 * j + i] : 77));
  REFUSED(quatsimd_clip_add(NULL, &under, &over, JOINTS, 0));
  REFUSED(quatsimd_clip_add(&out, NULL, &over, JOINTS, 0));
  REFUSED(quatsimd_clip_add(&out, &under, NULL, JOINTS, 0));
  quatsimd_pose_out nonsense = {quatsimd_aos_out(NULL), quatsimd_blocks_out(base, 5), quatsimd_aos_out(NULL),
                                NULL};
  assert_int_equal(quatsimd_clip_add(&nonsense, &(quatsimd_pose_in){.scales = quatsimd_aos(NULL)},
                                     &(quatsimd_pose_in){.scales = quatsimd_aos(NULL)}, 0, 0),
                   QUATSIMD_OK);
}

/* Checks that adding takes a missing view as identity rotations, translations 0, scales 1 or tracks 0. */
static void add_without_views(void **state) {
  (void)state;
  enum { JOINTS = 131 };
  float given[10 * JOINTS], none[10 * JOINTS], wanted[11 * JOINTS], got[11 * JOINTS], tracks[JOINTS];
  static const float zeros[JOINTS] = {0}, one[10] = {0, 0, 0, 1, 0, 0, 0, 1, 1, 1};
  uint64_t random = 14;
  random_tens(given, JOINTS, &random);
  for (size_t j = 0; j < JOINTS; j++) {
    memcpy(none + 10 * j, one, sizeof one);
    tracks[j] = (float)random_unit(&random);
  }
  for (int i = 0; i < 4; i++) {
    const bool has_base = i & 1, has_additive = i & 2;
    const quatsimd_pose_in nothing = {.tracks = NULL};
    quatsimd_pose_in all = in_tens(given), neutral = in_tens(none);
    quatsimd_pose_out to = out_tens(wanted), too = out_tens(got);
    all.tracks = tracks, neutral.tracks = zeros;
    to.tracks = wanted + 10 * JOINTS, too.tracks = got + 10 * JOINTS;
    assert_int_equal(
        quatsimd_clip_add(&to, has_base ? &all : &neutral, has_additive ? &all : &neutral, JOINTS, JOINTS),
        QUATSIMD_OK);
    assert_int_equal(
        quatsimd_clip_add(&too, has_base ? &all : &nothing, has_additive ? &all : &nothing, JOINTS, JOINTS),
        QUATSIMD_OK);
    assert_memory_equal(got, wanted, sizeof got);
  }
}

/* Checks that a pose can be added to itself in place, and that other overlaps with an output are refused. */
static void add_overlap(void **state) {
  (void)state;
  enum { JOINTS = 131 };
  float made[10 * JOINTS], before[10 * JOINTS], other[10 * JOINTS];
  uint64_t random = 13;
  random_tens(made, JOINTS, &random), random_tens(other, JOINTS, &random);
  memcpy(before, made, sizeof before);
  float *const r = made, *const t = made + 4, *const s = made + 7;
  quatsimd_pose_out pose = out_tens(made), twice = out_tens(made);
  twice.scales = twice.translations;
  const quatsimd_in rs = quatsimd_strided(r, 40), ts = quatsimd_strided(t, 40), ss = quatsimd_strided(s, 40);
  const quatsimd_pose_in own = in_tens(made), elsewhere = in_tens(other),
                         shared[] = {{quatsimd_one(r), ts, ss, NULL},
                                     {rs, quatsimd_one(t), ss, NULL},
                                     {rs, ts, quatsimd_aos(s), NULL}},
                         crossed[] = {
                             {quatsimd_strided(t, 40), ts, ss, NULL}, {rs, ss, ss, NULL}, {rs, ts, ts, NULL}};
  for (int i = 0; i < 3; i++) {
    REFUSED(quatsimd_clip_add(&pose, &shared[i], &elsewhere, JOINTS, 0));
    REFUSED(quatsimd_clip_add(&pose, &elsewhere, &shared[i], JOINTS, 0));
  }
  for (size_t joints = 1; joints <= JOINTS; joints += JOINTS - 1) {
    for (int i = 0; i < 3; i++) {
      REFUSED(quatsimd_clip_add(&pose, &crossed[i], &elsewhere, joints, 0));
      REFUSED(quatsimd_clip_add(&pose, &elsewhere, &crossed[i], joints, 0));
    }
    REFUSED(quatsimd_clip_add(&twice, &elsewhere, &elsewhere, joints, 0));
  }
  assert_memory_equal(made, before, sizeof made);
  assert_int_equal(quatsimd_clip_add(&pose, &own, &own, JOINTS, 0), QUATSIMD_OK);
  for (size_t j = 0; j < JOINTS; j++)
    for (size_t i = 4; i < 10; i++) {
      const float own_value = before[10 * j + i];
      assert_true(made[10 * j + i] == (i < 7 ? own_value + own_value : own_value * own_value));
    }
}

/* ---- the order of joints ---- */

/* Encodes joints in another order. Joint j becomes joint place[j], and its parent is joint place[parent[j]].
 * Returns the seconds that encoding takes. *worst becomes report.worst_object. */
static double encode_in_order(const size_t *place, const size_t *parent, size_t joints, float *worst) {
  scene s = {0};
  const double *times = even_times(&s, 3, 0, 30);
  scene_joints(&s, joints);
  for (size_t j = 0; j < joints; j++) {
    quatsimd_clip_joint *joint = &s.joint[place[j]];
    joint->parent = j > 0 ? (int64_t)place[parent[j]] : -1;
    if (j < 20)
      joint->rotation = swinging(&s, j, times, 3, 0.2, 2),
      joint->translation = drifting(&s, j, times, 3, 0.2, 0.1);
  }
  s.options.object_bound = 1e-3f, s.options.object_distance = 0.05f;
  void *data;
  size_t size;
  quatsimd_clip_report report;
  quatsimd_clip_report_init(&report, sizeof report);
  const clock_t start = clock();
  assert_int_equal(quatsimd_clip_encode(&data, &size, &s.source, &s.options, &report), QUATSIMD_OK);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  *worst = report.worst_object;
  quatsimd_clip_free(NULL, data);
  scene_free(&s);
  return seconds;
}

/* Checks that bounds hold in any order of joints. The time for a chain in reverse order must not grow with
 * the square of its length. */
static void orders_of_joints(void **state) {
  (void)state;
  enum { MOST = 100000, TREE = 1000 };
  size_t *forward = malloc(MOST * sizeof *forward), *other = malloc(MOST * sizeof *other),
         *parent = malloc(MOST * sizeof *parent);
  float worst, worst_other;
  assert_true(forward && other && parent);
  for (size_t j = 0; j < MOST; j++) forward[j] = j, other[j] = MOST - 1 - j, parent[j] = j - 1;
  const double seconds = encode_in_order(forward, parent, MOST, &worst),
               backwards = encode_in_order(other, parent, MOST, &worst_other);
  assert_true(worst > 0 && worst <= 1e-3f && worst_other > 0 && worst_other <= 1e-3f);
  if (backwards > 4 * seconds + 0.5)
    fail_msg("a chain of %d joints takes %.3g s, from its end on %.3g s", MOST, seconds, backwards);
  uint64_t random = 15;
  for (size_t j = 0; j < TREE; j++) other[j] = j, parent[j] = (size_t)(random_unit(&random) * (double)j);
  for (size_t j = TREE; j-- > 1;) { /* shuffles the order */
    const size_t with = (size_t)(random_unit(&random) * (double)(j + 1)), kept = other[j];
    other[j] = other[with], other[with] = kept;
  }
  encode_in_order(forward, parent, TREE, &worst), encode_in_order(other, parent, TREE, &worst_other);
  assert_true(worst > 0 && worst <= 1e-3f && worst_other > 0 && worst_other <= 1e-3f);
  free(forward), free(other), free(parent);
}

/* Usage: test_clip [--small]. --small leaves out two clips that take minutes in an emulator. */
int main(int argc, char **argv) {
  skip_other_kernels();
  const bool small = argc == 2 && strcmp(argv[1], "--small") == 0;
  enum { OTHERS = 12 };
  const struct CMUnitTest others[OTHERS] = {cmocka_unit_test(bundled_scenes),
                                            cmocka_unit_test(kinds_of_curves),
                                            cmocka_unit_test(sizes),
                                            cmocka_unit_test(all_lengths),
                                            cmocka_unit_test(same_bytes),
                                            cmocka_unit_test(times_near_frames),
                                            cmocka_unit_test(keys_near_frames),
                                            cmocka_unit_test(add_layouts),
                                            cmocka_unit_test(add_without_views),
                                            cmocka_unit_test(add_overlap),
                                            cmocka_unit_test(orders_of_joints),
                                            cmocka_unit_test(many_requests)};
  struct CMUnitTest tests[SCENES + OTHERS];
  size_t count = 0;
  for (size_t i = 0; i < SCENES; i++) {
    const bool large = strcmp(scenes[i].name, "hour") == 0 || strcmp(scenes[i].name, "many_joints") == 0;
    if (small && large) printf("SKIP: %s takes minutes in an emulator\n", scenes[i].name);
    else
      tests[count++] =
          (struct CMUnitTest){scenes[i].name, a_scene, NULL, NULL, (void *)(uintptr_t)&scenes[i]};
  }
  memcpy(tests + count, others, sizeof others);
  return _cmocka_run_group_tests("clips", tests, count + OTHERS, NULL, NULL);
}
