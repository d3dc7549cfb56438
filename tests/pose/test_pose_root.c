/* Checks root motion in long double. Root motion and the remaining pose must give the clip's pose. */
#include "places.h"

enum { KEYS = 31, JOINTS = 4, HIPS = 2, CLIPS = 5, PARTS = 8 };
static const double start = 0.5, duration = 1;

/* Returns the place of HIPS in model space. The root and the parent of HIPS have the rest pose. */
static const float high[4] = {0.1f, 0.2f, 0, 1}, far[3] = {1, -2, 3},
                   lying[4] = {-0.70710678f, 0, 0, 0.70710678f}, aside[3] = {0.1f, 0.2f, 0.3f};
static place in_model(const float q[4], const float t[3]) {
  const place a = of(high, far, 1), b = of(lying, aside, 0.01L), c = of(q, t, 1), ab = times(&a, &b);
  return times(&ab, &c);
}

typedef struct world {
  void *data[CLIPS], *skeleton_data;
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_skeleton *skeleton;
  quatsimd_clip_storage storage[CLIPS];
  quatsimd_clip *clip[CLIPS];
} world;

/* Clip 0 moves and turns, clip 1 only turns, 2 turns all the way round, 3 is additive, 4 only moves. */
static void make_world(world *w, float scale) {
  static quatsimd_skeleton_joint joint[JOINTS];
  static float q[KEYS][4], t[KEYS][3];
  static double at[KEYS];
  for (int j = 0; j < JOINTS; j++)
    joint[j] = (quatsimd_skeleton_joint){
        .name = "joint", .parent = j - 1, .rotation = {0.5f, 0.5f, 0.5f, 0.5f}, .scale = {1, 1, 1}};
  memcpy(joint[0].rotation, high, sizeof high), memcpy(joint[0].translation, far, sizeof far);
  memcpy(joint[1].rotation, lying, sizeof lying), memcpy(joint[1].translation, aside, sizeof aside);
  for (int c = 0; c < 3; c++)
    joint[1].scale[c] = 0.01f, joint[0].scale[c] = scale, joint[HIPS].translation[c] = 90 + (float)c;
  const quatsimd_skeleton_source made = {JOINTS, joint, 0, NULL, 0.01, NULL};
  size_t size;
  w->skeleton = open_skeleton(&w->skeleton_data, &w->skeleton_storage, &made);
  for (int c = 0; c < CLIPS; c++) {
    for (int k = 0; k < KEYS; k++) {
      const double x = (double)k / (KEYS - 1), round = c == 2 ? 6.283185307179586 * x : 1.9 * x;
      at[k] = start + duration * x;
      q[k][0] = 0.2f, q[k][1] = (float)(0.3 * sin(round)), q[k][2] = (float)sin(0.5 * sin(round)),
      q[k][3] = 1;
      t[k][0] = 50 + (float)(100 * sin(round)), t[k][1] = (float)(130 * cos(round)),
      t[k][2] = 90 + 5 * q[k][1];
    }
    quatsimd_clip_joint source_joint[JOINTS] = {{0}};
    if (c != 4) source_joint[HIPS].rotation = (quatsimd_curve){KEYS, at, q[0], 0};
    if (c != 1) source_joint[HIPS].translation = (quatsimd_curve){KEYS, at, t[0], 0};
    quatsimd_clip_options options;
    quatsimd_clip_options_init(&options, sizeof options);
    options.skeleton = w->skeleton, options.rotation_bound = 1e-3f, options.translation_bound = 0.01f;
    options.looping = c == 2, options.additive = c == 3;
    const quatsimd_clip_source source = {JOINTS, source_joint, 0, NULL};
    assert_int_equal(quatsimd_clip_encode(&w->data[c], &size, &source, &options, NULL), QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_open(&w->clip[c], &w->storage[c], sizeof w->storage[c], w->data[c], size),
                     QUATSIMD_OK);
  }
}

static void free_world(world *w) {
  quatsimd_skeleton_free(NULL, w->skeleton_data);
  for (int c = 0; c < CLIPS; c++) quatsimd_clip_free(NULL, w->data[c]);
}

typedef struct pose {
  float q[JOINTS][4], t[JOINTS][3];
} pose;
static quatsimd_pose_out written(pose *p) {
  return (quatsimd_pose_out){.rotations = quatsimd_aos_out(p->q[0]),
                             .translations = quatsimd_aos_out(p->t[0])};
}

static void sample_as(const world *w, int clip, pose *p, double time, quatsimd_clip_wrap wrap) {
  static pose rest;
  quatsimd_pose_out to = written(p), rest_to = written(&rest);
  assert_int_equal(quatsimd_skeleton_rest_pose(w->skeleton, &rest_to, 0, JOINTS), QUATSIMD_OK);
  const quatsimd_pose_in in = {.rotations = quatsimd_aos(rest.q[0]), .translations = quatsimd_aos(rest.t[0])};
  assert_int_equal(quatsimd_clip_sample(w->clip[clip], &to, &in, time, wrap, 0), QUATSIMD_OK);
}
static void sample(const world *w, int clip, pose *p, double time) {
  sample_as(w, clip, p, time, QUATSIMD_CLIP_WRAP_CLAMP);
}

static place between(const quatsimd_root_motion *motion, const quatsimd_clip *clip, double from, double to,
                     quatsimd_clip_wrap wrap) {
  float q[4], t[3];
  assert_int_equal(quatsimd_root_motion_between(motion, q, t, clip, from, to, wrap), QUATSIMD_OK);
  assert_true(q[3] >= 0);
  assert_float_equal(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 5e-7);
  return of(q, t, 1);
}

/* Returns the place of HIPS in clip 0 at a time, with looping. */
static place in_loop(const world *w, double time) {
  pose p;
  sample_as(w, 0, &p, time, QUATSIMD_CLIP_WRAP_LOOP);
  return in_model(p.q[HIPS], p.t[HIPS]);
}

static const float up[3] = {0.5f, 1, 3};
#define NEAR(a, b, most) assert_true(difference(&(a), &(b)) < (most))

static void check(const world *w, int clip, int parts, uint64_t *random) {
  const long double length = sqrtl(0.25L + 1 + 9), axis[3] = {0.5L / length, 1 / length, 3 / length};
  const quatsimd_clip_wrap wrap = clip == 2 ? QUATSIMD_CLIP_WRAP_CLIP : QUATSIMD_CLIP_WRAP_LOOP;
  const quatsimd_clip *const of_clip = w->clip[clip];
  quatsimd_root_motion_storage motion_storage;
  quatsimd_root_motion *motion;
  assert_int_equal(quatsimd_root_motion_init(&motion, &motion_storage, sizeof motion_storage, w->skeleton,
                                             of_clip, HIPS, parts, parts == QUATSIMD_ROOT_ALL ? NULL : up),
                   QUATSIMD_OK);
  pose p;
  sample(w, clip, &p, start);
  const place first = in_model(p.q[HIPS], p.t[HIPS]);
  sample(w, clip, &p, start + duration);
  const place end = in_model(p.q[HIPS], p.t[HIPS]), round = moved(&first, &end, parts, axis);
  place character = stays;
  double before = start;
  for (int i = 0; i < 40; i++) { /* moves the character at intervals, forwards and backwards */
    const double within = start + duration * random_unit(random);
    const int rounds = (int)(sweep_next(random) % 7) - 3;
    const double now = within + rounds * duration;
    const place step = between(motion, of_clip, before, now, wrap);
    character = times(&character, &step), before = now;
    sample(w, clip, &p, now - rounds * duration);
    const place wanted = in_model(p.q[HIPS], p.t[HIPS]), x = moved(&first, &wanted, parts, axis),
                all = repeated(&round, rounds), should = times(&all, &x), inverse = back(&should);
    const place came = between(motion, of_clip, now, start, wrap);
    NEAR(character, should, 2e-5L);
    NEAR(came, inverse, 4e-6L);
    /* The remaining pose contains no root motion. */
    quatsimd_pose_out left = written(&p);
    const pose whole = p;
    assert_int_equal(quatsimd_root_motion_remove(motion, &left, JOINTS, 1), QUATSIMD_OK);
    const place remaining = in_model(p.q[HIPS], p.t[HIPS]), again = times(&x, &remaining),
                still = moved(&first, &remaining, parts, axis);
    NEAR(again, wanted, 4e-6L);
    NEAR(still, stays, 4e-6L);
    for (size_t j = 0; j < JOINTS; j++)
      if (j != HIPS) {
        assert_memory_equal(p.q[j], whole.q[j], sizeof p.q[j]);
        assert_memory_equal(p.t[j], whole.t[j], sizeof p.t[j]);
      }
  }
}

static void motions(void **state) {
  (void)state;
  static world w;
  uint64_t random = 71;
  make_world(&w, 1);
  for (int clip = 0; clip < CLIPS; clip++)
    for (int parts = 1; clip != 3 && parts <= PARTS; parts++) check(&w, clip, parts, &random);
  free_world(&w);
}

/* Tests the ends of a clip's rounds, many rounds, and times that are infinite or NaN. */
static void far_away(void **state) {
  (void)state;
  static world w;
  make_world(&w, 1);
  quatsimd_root_motion_storage motion_storage;
  quatsimd_root_motion *motion;
  assert_int_equal(quatsimd_root_motion_init(&motion, &motion_storage, sizeof motion_storage, w.skeleton,
                                             w.clip[0], HIPS, QUATSIMD_ROOT_ALL, NULL),
                   QUATSIMD_OK);
  const quatsimd_clip *const clip = w.clip[0];
  const double end = start + duration, inf = (double)INFINITY, odd[] = {inf, -inf, 1e300, -1e300, 1e17};
  const place once = between(motion, clip, start, end, QUATSIMD_CLIP_WRAP_CLAMP),
              round = between(motion, clip, start, end, QUATSIMD_CLIP_WRAP_LOOP),
              nearly = between(motion, clip, start, end * (1 - 0x1p-50), QUATSIMD_CLIP_WRAP_LOOP),
              beyond = between(motion, clip, start - 9, end + 9, QUATSIMD_CLIP_WRAP_CLIP);
  NEAR(round, once, 1e-6L), NEAR(nearly, once, 1e-6L), NEAR(beyond, once, 1e-6L);
  const place many = between(motion, clip, start, start + 1000 * duration, QUATSIMD_CLIP_WRAP_LOOP),
              should = repeated(&once, 1000);
  NEAR(many, should, 2e-3L); /* `once` has a float rounding error, which is multiplied by 1000 */
  const place later = between(motion, clip, 1e6 + start + 0.25, 1e6 + start + 0.75, QUATSIMD_CLIP_WRAP_LOOP),
              sooner = between(motion, clip, start + 0.25, start + 0.75, QUATSIMD_CLIP_WRAP_LOOP),
              none = between(motion, clip, (double)NAN, start, QUATSIMD_CLIP_WRAP_LOOP);
  NEAR(later, sooner, 1e-6L), NEAR(none, stays, 1e-9L);
  assert_int_equal(quatsimd_root_motion_init(&motion, &motion_storage, sizeof motion_storage, w.skeleton,
                                             w.clip[2], HIPS, QUATSIMD_ROOT_ALL, NULL),
                   QUATSIMD_OK);
  const place held = between(motion, w.clip[2], start, end + 0.3, QUATSIMD_CLIP_WRAP_CLAMP);
  NEAR(held, stays, 1e-6L);
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    float q[4], t[3];
    assert_int_equal(quatsimd_root_motion_between(motion, q, t, clip, start, odd[i], QUATSIMD_CLIP_WRAP_LOOP),
                     QUATSIMD_OK);
    for (int c = 0; c < 4; c++) assert_true(fabsf(q[c]) <= 1);
  }
  /* If a time is very close to that of a frame, sampling returns the frame. Root motion must do the same. */
  assert_int_equal(quatsimd_root_motion_init(&motion, &motion_storage, sizeof motion_storage, w.skeleton,
                                             clip, HIPS, QUATSIMD_ROOT_ALL, NULL),
                   QUATSIMD_OK);
  const place whole = between(motion, clip, start - 0x1p+51, start + 0x1p+51, QUATSIMD_CLIP_WRAP_LOOP),
              endless = between(motion, clip, start, inf, QUATSIMD_CLIP_WRAP_LOOP);
  NEAR(endless, whole, 1e-9L);
  for (int i = 0; i < 200; i++) {
    const double rounds = 1e5, within = start + duration * (i + 0.5) / 210;
    const place first = in_loop(&w, start), there = in_loop(&w, rounds * duration + within),
                wanted = moved(&first, &there, QUATSIMD_ROOT_ALL, (const long double[3]){0}),
                moved_on = between(motion, clip, rounds * duration + start, rounds * duration + within,
                                   QUATSIMD_CLIP_WRAP_LOOP);
    NEAR(moved_on, wanted, 1e-6L);
  }
  free_world(&w);
}

/* A joint walks at 1 m/s. On exact clocks of up to a year it must move by 6.94 mm in each 1/144 s, within
 * 0.1 %. The walk starts at `first`; its clip has frames at a rate or, if not `even`, their own times. */
static void walk(double first, double length, bool even) {
  static const double clocks[] = {0, 1, 3600, 86400, 100 * 86400.0, 31557600, -31557600};
  double times[KEYS];
  float path[KEYS][3] = {{0}}, scale[KEYS][3]; /* the scale shares the times, which then are frames */
  for (int k = 0; k < KEYS; k++) {
    const double x = k / (KEYS - 1.0);
    for (int c = 0; c < 3; c++) scale[k][c] = 1 + (float)((k + c) % 5) / 64;
    times[k] = first + length * (even ? x : x * (1 + x) / 2), path[k][2] = (float)(times[k] - first);
  }
  const quatsimd_skeleton_joint root = {
      .name = "root", .parent = -1, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
  const quatsimd_skeleton_source bones = {1, &root, 0, NULL, 1, NULL};
  quatsimd_skeleton_storage skeleton_storage;
  void *skeleton_data, *data;
  size_t size;
  const quatsimd_skeleton *skeleton = open_skeleton(&skeleton_data, &skeleton_storage, &bones);
  const quatsimd_clip_joint joint = {
      .parent = -1, .translation = {KEYS, times, path[0], 0}, .scale = {KEYS, times, scale[0], 0}};
  const quatsimd_clip_source source = {1, &joint, 0, NULL};
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.skeleton = skeleton, options.translation_bound = 1e-6f, options.scale_bound = 0.01f;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  assert_int_equal(quatsimd_clip_encode(&data, &size, &source, &options, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, data, size), QUATSIMD_OK);
  assert_true((quatsimd_clip_rate(clip) > 0) == even);
  quatsimd_root_motion_storage motion_storage;
  quatsimd_root_motion *motion;
  assert_int_equal(quatsimd_root_motion_init(&motion, &motion_storage, sizeof motion_storage, skeleton, clip,
                                             0, QUATSIMD_ROOT_ACROSS, (const float[]){0, 1, 0}),
                   QUATSIMD_OK);
  for (size_t c = 0; c < sizeof clocks / sizeof *clocks; c++)
    for (int i = 0; i < 2000; i++) {
      const double now = first + clocks[c] + i / 144.0;
      const place step = between(motion, clip, now, now + 1 / 144.0, QUATSIMD_CLIP_WRAP_LOOP);
      if (!(fabsl(step.t[2] - 1 / 144.0L) <= 1e-3L / 144))
        fail_msg("start %g, clock %g: a step of %.6Lf mm, not 6.944", first, now, 1000 * step.t[2]);
    }
  quatsimd_clip_free(NULL, data), quatsimd_skeleton_free(NULL, skeleton_data);
}

static void long_clocks(void **state) {
  (void)state;
  for (int even = 0; even < 2; even++)
    walk(0, 1, even), walk(0.5, 1.001, even), walk(-2.7, 0.7, even), walk(12.34, 3, even);
}

/* Many poses together, in any layout, give the same results as each pose alone. */
static void many(void **state) {
  (void)state;
  enum { POSES = 20, ALL = POSES * JOINTS };
  static world w;
  static poses p, alone;
  uint64_t random = 72;
  make_world(&w, 1);
  quatsimd_root_motion_storage motion_storage;
  quatsimd_root_motion *motion;
  assert_int_equal(quatsimd_root_motion_init(&motion, &motion_storage, sizeof motion_storage, w.skeleton,
                                             w.clip[0], HIPS, QUATSIMD_ROOT_ACROSS + QUATSIMD_ROOT_TURN, up),
                   QUATSIMD_OK);
  for (int layout = 0; layout < LAYOUTS; layout++) {
    random_poses(&p, ALL, &random);
    memset(p.at[0] + 4 * HIPS, 0, 4 * sizeof(float)); /* a zero quaternion is no rotation */
    p.at[1][3 * (JOINTS + HIPS)] = NAN;
    alone = p;
    for (size_t i = 0; i < POSES; i++) {
      quatsimd_pose_out to = {.rotations = quatsimd_aos_out(alone.at[0] + 4 * JOINTS * i),
                              .translations = quatsimd_aos_out(alone.at[1] + 3 * JOINTS * i)};
      assert_int_equal(quatsimd_root_motion_remove(motion, &to, JOINTS, 1), QUATSIMD_OK);
    }
    move_pose(&p, layout, ALL, false);
    quatsimd_pose_out to = poses_out(&p, layout, ALL);
    assert_int_equal(quatsimd_root_motion_remove(motion, &to, JOINTS, POSES), QUATSIMD_OK);
    move_pose(&p, layout, ALL, true);
    assert_true(p.at[0][4 * HIPS + 3] == p.at[0][4 * HIPS + 3]);
    for (int kind = 0; kind < 3; kind++)
      assert_true(same_bits(p.at[kind], alone.at[kind], width_of(kind) * ALL));
  }
  free_world(&w);
}

static void refusals(void **state) {
  (void)state;
  static world w;
  make_world(&w, 1);
  quatsimd_root_motion_storage motion_storage, untouched;
  quatsimd_root_motion *motion = NULL;
  memset(&untouched, 0x5a, sizeof untouched), motion_storage = untouched;
  const float flat[3] = {0}, none[3] = {0, NAN, 0}, endless[3] = {INFINITY, 0, 0};
#define INIT(skeleton, clip, joint, parts, up)                                                               \
  REFUSED(quatsimd_root_motion_init(&motion, &motion_storage, sizeof motion_storage, skeleton, clip, joint,  \
                                    parts, up))
  const size_t size = quatsimd_root_motion_memory_size();
  assert_in_range(size, 1, sizeof motion_storage);
  REFUSED(quatsimd_root_motion_init(NULL, &motion_storage, size, w.skeleton, w.clip[0], HIPS, 1, up));
  REFUSED(quatsimd_root_motion_init(&motion, NULL, size, w.skeleton, w.clip[0], HIPS, 1, up));
  REFUSED(
      quatsimd_root_motion_init(&motion, motion_storage.bytes + 1, size, w.skeleton, w.clip[0], HIPS, 1, up));
  assert_int_equal(
      quatsimd_root_motion_init(&motion, &motion_storage, size - 1, w.skeleton, w.clip[0], HIPS, 1, up),
      QUATSIMD_ERROR_SHORT_BUFFER);
  INIT(NULL, w.clip[0], HIPS, 1, up);
  INIT(w.skeleton, NULL, HIPS, 1, up);
  INIT(w.skeleton, w.clip[3], HIPS, 1, up); /* the clip is additive */
  INIT(w.skeleton, w.clip[0], JOINTS, 1, up);
  const quatsimd_skeleton_source one = {
      1, &(quatsimd_skeleton_joint){.name = "a", .parent = -1, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}},
      0, NULL,
      1, NULL};
  quatsimd_skeleton_storage storage;
  void *data;
  assert_int_equal(quatsimd_root_motion_init(&motion, &motion_storage, sizeof motion_storage,
                                             open_skeleton(&data, &storage, &one), w.clip[0], 0, 1, up),
                   QUATSIMD_ERROR_WRONG_SKELETON);
  quatsimd_skeleton_free(NULL, data);
  INIT(w.skeleton, w.clip[0], HIPS, 0, up);
  INIT(w.skeleton, w.clip[0], HIPS, -1, up);
  INIT(w.skeleton, w.clip[0], HIPS, 9, up);
  INIT(w.skeleton, w.clip[0], HIPS, 1, NULL);
  INIT(w.skeleton, w.clip[0], HIPS, 1, flat);
  INIT(w.skeleton, w.clip[0], HIPS, 1, none);
  INIT(w.skeleton, w.clip[0], HIPS, 1, endless);
  assert_null(motion);
  assert_memory_equal(&motion_storage, &untouched, sizeof motion_storage);
  assert_int_equal(
      quatsimd_root_motion_init(&motion, &motion_storage, size, w.skeleton, w.clip[0], HIPS, 1, up),
      QUATSIMD_OK);
  assert_ptr_equal(motion, &motion_storage);
  for (size_t i = size; i < sizeof motion_storage; i++) assert_int_equal(motion_storage.bytes[i], 0x5a);
  float q[4], t[3];
  REFUSED(quatsimd_root_motion_between(NULL, q, t, w.clip[0], 0, 1, 0));
  REFUSED(quatsimd_root_motion_between(motion, NULL, t, w.clip[0], 0, 1, 0));
  REFUSED(quatsimd_root_motion_between(motion, q, NULL, w.clip[0], 0, 1, 0));
  REFUSED(quatsimd_root_motion_between(motion, q, t, NULL, 0, 1, 0));
  REFUSED(quatsimd_root_motion_between(motion, q, t, w.clip[3], 0, 1, 0));
  REFUSED(quatsimd_root_motion_between(motion, q, t, w.clip[0], 0, 1, (quatsimd_clip_wrap)3));
  pose p;
  quatsimd_pose_out view = written(&p);
  REFUSED(quatsimd_root_motion_remove(NULL, &view, JOINTS, 1));
  REFUSED(quatsimd_root_motion_remove(motion, NULL, JOINTS, 1));
  static const quatsimd_root_motion_storage zeros; /* as before quatsimd_root_motion_init */
  const quatsimd_root_motion *nothing = (const quatsimd_root_motion *)(const void *)&zeros;
  REFUSED(quatsimd_root_motion_between(nothing, q, t, w.clip[0], 0, 1, 0));
  REFUSED(quatsimd_root_motion_remove(nothing, &view, JOINTS, 1));
  REFUSED(quatsimd_root_motion_remove(motion, &view, HIPS, 1));
  REFUSED(quatsimd_root_motion_remove(motion, &view, JOINTS, PTRDIFF_MAX / 16));
  view.rotations = quatsimd_strided_out(p.q[0], 12);
  REFUSED(quatsimd_root_motion_remove(motion, &view, JOINTS, 1));
  view.rotations = (quatsimd_out){0};
  REFUSED(quatsimd_root_motion_remove(motion, &view, JOINTS, 1));
  view = written(&p), view.translations = quatsimd_aos_out(p.q[0]);
  REFUSED(quatsimd_root_motion_remove(motion, &view, JOINTS, 1));
  free_world(&w);
  make_world(&w, 0);
  INIT(w.skeleton, w.clip[0], HIPS, 1, up);
  free_world(&w);
}

/* The clip turns the root by a constant rotation. So y of the hips is along `upward`, times the root's scale
 * along y. The clip sets this scale if `scaled` is 1. If the clip moves the root, it is refused. */
static void what_is_above(void **state) {
  (void)state;
  enum { TWO = 2 };
  static const double at[] = {0, 1};
  static const float turned[] = {0.70710678f, 0, 0, 0.70710678f}, path[][3] = {{0, 0, 0}, {0, 1, 0}},
                     upward[] = {0, 0, 1}, larger[] = {6, 5, 7};
  const quatsimd_skeleton_joint joint[TWO] = {
      {.name = "root", .parent = -1, .rotation = {0, 0, 0, 1}, .scale = {2, 3, 4}},
      {.name = "hips", .parent = 0, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}}};
  const quatsimd_skeleton_source made = {TWO, joint, 0, NULL, 1, NULL};
  void *bytes, *data;
  size_t size;
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_skeleton *skeleton = open_skeleton(&bytes, &skeleton_storage, &made);
  for (int way = 0; way < 4; way++) {
    const int moves = way & 1, scaled = way >> 1;
    const quatsimd_clip_joint source_joint[TWO] = {{.parent = -1,
                                                    .rotation = {1, at, turned, 0},
                                                    .translation = {moves ? 2 : 0, at, path[0], 0},
                                                    .scale = {scaled, at, larger, 0}},
                                                   {.parent = 0, .translation = {2, at, path[0], 0}}};
    const quatsimd_clip_source source = {TWO, source_joint, 0, NULL};
    quatsimd_clip_options options;
    quatsimd_clip_options_init(&options, sizeof options);
    options.skeleton = skeleton,
    options.rotation_bound = options.translation_bound = options.scale_bound = 1e-4f;
    quatsimd_clip_storage storage;
    quatsimd_clip *clip;
    quatsimd_root_motion_storage motion_storage;
    quatsimd_root_motion *motion;
    float q[4], t[3];
    assert_int_equal(quatsimd_clip_encode(&data, &size, &source, &options, NULL), QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, data, size), QUATSIMD_OK);
    const quatsimd_status status = quatsimd_root_motion_init(&motion, &motion_storage, sizeof motion_storage,
                                                             skeleton, clip, 1, QUATSIMD_ROOT_ALONG, upward);
    assert_int_equal(status, moves ? QUATSIMD_ERROR_BAD_ARGUMENT : QUATSIMD_OK);
    if (!moves) {
      assert_int_equal(quatsimd_root_motion_between(motion, q, t, clip, 0, 1, QUATSIMD_CLIP_WRAP_CLAMP),
                       QUATSIMD_OK);
      assert_true(fabsf(t[0]) < 1e-3f && fabsf(t[1]) < 1e-3f && fabsf(t[2] - (scaled ? 5 : 3)) < 1e-3f);
    }
    quatsimd_clip_free(NULL, data);
  }
  quatsimd_skeleton_free(NULL, bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(motions),     cmocka_unit_test(far_away),
                                     cmocka_unit_test(long_clocks), cmocka_unit_test(many),
                                     cmocka_unit_test(refusals),    cmocka_unit_test(what_is_above)};
  return cmocka_run_group_tests_name("root motion", tests, NULL, NULL);
}
