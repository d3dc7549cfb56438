/* Jobs give the bits of the same calls one by one. */
#include "poses.h"

#include "support/guarded.h"

enum { JOINTS = 20, TRACKS = 3, KEYS = 31, CLIPS = 4, JOBS = 40, LAYERS = 4 };

typedef struct world {
  quatsimd_skeleton_joint joint[JOINTS];
  float bind[JOINTS][12], values[CLIPS][JOINTS][4 * KEYS], weights[CLIPS][TRACKS][KEYS], mask[JOINTS],
      track_mask[TRACKS];
  double times[KEYS];
  void *skeleton_data, *data[CLIPS];
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_skeleton *skeleton;
  quatsimd_clip_storage storage[CLIPS];
  quatsimd_clip *clip[CLIPS];
  quatsimd_root_motion motion[CLIPS];
} world;

/* Clip 2 is additive to its first keys, clip 3 knows no skeleton. Some curves are at rest. */
static void make_clip(world *w, int c, uint64_t *state) {
  static quatsimd_clip_joint joint[JOINTS];
  static quatsimd_clip_track track[TRACKS];
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.skeleton = c == 3 ? NULL : w->skeleton,
  options.additive = c == 2 ? QUATSIMD_CLIP_ADDITIVE_FIRST : 0;
  for (size_t j = 0; j < JOINTS; j++) {
    const double phase = random_unit(state) * 6, reach = random_unit(state);
    for (size_t k = 0; k < KEYS; k++) {
      const double a = reach * sin((double)k / 5 + phase);
      float *q = w->values[c][j] + 4 * k;
      q[j % 3] = (float)sin(a), q[3] = (float)cos(a);
    }
    joint[j] = (quatsimd_clip_joint){.parent = w->joint[j].parent};
    if (j % 4 != 1) joint[j].rotation = (quatsimd_curve){KEYS, w->times, w->values[c][j], 0};
  }
  for (size_t t = 0; t < TRACKS; t++) {
    for (size_t k = 0; k < KEYS; k++) w->weights[c][t][k] = (float)random_unit(state);
    track[t] = (quatsimd_clip_track){{t == 1 ? 0 : KEYS, w->times, w->weights[c][t], 0}, 0};
  }
  const quatsimd_clip_source source = {JOINTS, joint, TRACKS, track};
  size_t size;
  options.rotation_bound = 1e-3f;
  assert_int_equal(quatsimd_clip_encode(&w->data[c], &size, &source, &options, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&w->clip[c], &w->storage[c], sizeof w->storage[c], w->data[c], size),
                   QUATSIMD_OK);
}

static void make_world(world *w, uint64_t *state) {
  static const char *const track[TRACKS] = {"a", "b", "c"};
  static const float track_rest[TRACKS] = {0.5f, 0.25f, 0};
  memset(w, 0, sizeof *w);
  for (size_t k = 0; k < KEYS; k++) w->times[k] = (double)k / 30;
  for (size_t j = 0; j < JOINTS; j++) {
    w->mask[j] = (float)random_unit(state);
    for (int i = 0; i < 12; i++) w->bind[j][i] = (float)random_unit(state);
    w->joint[j] = (quatsimd_skeleton_joint){.name = "joint",
                                            .parent = (int64_t)(sweep_next(state) % (j + 1)) - 1,
                                            .rotation = {0.6f, 0, (float)random_unit(state), 0.8f},
                                            .translation = {0, 1, (float)j},
                                            .scale = {1, 1.5f, 1},
                                            .inverse_bind = w->bind[j]};
  }
  for (size_t t = 0; t < TRACKS; t++) w->track_mask[t] = (float)random_unit(state);
  const quatsimd_skeleton_source source = {JOINTS, w->joint, TRACKS, track, 1, track_rest};
  w->skeleton = open_skeleton(&w->skeleton_data, &w->skeleton_storage, &source);
  for (int c = 0; c < CLIPS; c++) {
    make_clip(w, c, state);
    if (c != 2)
      assert_int_equal(
          quatsimd_root_motion_init(&w->motion[c], w->skeleton, w->clip[c], 0, QUATSIMD_ROOT_ALL, NULL),
          QUATSIMD_OK);
  }
}

static void free_world(world *w) {
  quatsimd_skeleton_free(NULL, w->skeleton_data);
  for (int c = 0; c < CLIPS; c++) quatsimd_clip_free(NULL, w->data[c]);
}

/* Room for one job's results. */
typedef struct result {
  float q[4 * JOINTS], t[3 * JOINTS], s[3 * JOINTS], tracks[TRACKS], model[16 * JOINTS],
      skinning[16 * JOINTS];
} result;

static quatsimd_pose_out pose_of(result *r) {
  return (quatsimd_pose_out){quatsimd_aos_out(r->q), quatsimd_aos_out(r->t), quatsimd_aos_out(r->s),
                             r->tracks};
}
static quatsimd_pose_in as_read(const result *r) {
  return (quatsimd_pose_in){quatsimd_aos(r->q), quatsimd_aos(r->t), quatsimd_aos(r->s), r->tracks};
}

/* The same by the functions that there are for each step, of all joints, as docs/pose.md says it. */
static void step_by_step(const world *w, const quatsimd_pose_job *job, result *r) {
  static result layer[LAYERS], rest;
  quatsimd_weighted_poses views[LAYERS];
  quatsimd_pose_out rest_to = pose_of(&rest), to = pose_of(r);
  quatsimd_skeleton_rest_pose(w->skeleton, &rest_to, 0, JOINTS);
  const quatsimd_pose_in at_rest = as_read(&rest), pose = as_read(r);
  size_t blended = 0;
  bool only = true;
  for (int additive = 0; additive < 2; additive++) {
    for (size_t l = 0; l < job->layers; l++) {
      const quatsimd_pose_layer *of = &job->layer[l];
      if (!(of->weight > 0 || of->weight < 0)) continue; /* it may have no clip */
      if ((quatsimd_clip_additive(of->clip) != 0) != additive) continue;
      quatsimd_pose_out sampled = pose_of(&layer[l]);
      assert_int_equal(quatsimd_clip_sample(of->clip, &sampled, &at_rest, of->time, of->wrap, 0),
                       QUATSIMD_OK);
      if (of->motion)
        assert_int_equal(quatsimd_root_motion_remove(of->motion, &sampled, JOINTS, 1), QUATSIMD_OK);
      views[additive ? 0 : blended] =
          (quatsimd_weighted_poses){as_read(&layer[l]), &of->weight, of->mask, of->track_mask};
      if (!additive) {
        only = !of->mask && !of->track_mask && of->weight >= 1;
        if (++blended == 1 && only) *r = layer[l];
      } else assert_int_equal(quatsimd_pose_add(&to, &pose, views, JOINTS, TRACKS, 1), QUATSIMD_OK);
    }
    if (!additive && !(blended == 1 && only))
      assert_int_equal(quatsimd_pose_blend(&to, views, blended, &at_rest, JOINTS, TRACKS, 1), QUATSIMD_OK);
  }
  assert_int_equal(quatsimd_pose_to_model(w->skeleton, r->model, job->layout, &pose, job->root, JOINTS, 1),
                   QUATSIMD_OK);
  assert_int_equal(quatsimd_pose_to_skinning(w->skeleton, r->skinning, r->model, job->layout, JOINTS, 1),
                   QUATSIMD_OK);
}

/* Of two skeletons. */
typedef struct crowd {
  const world *of[JOBS];
  quatsimd_pose_job job[JOBS];
  quatsimd_pose_layer layer[JOBS][LAYERS];
  result got[JOBS];
} crowd;

static void make_crowd(const world worlds[2], crowd *c, uint64_t *state) {
  static const float odd[] = {0, 1, 2, 0.5f, 0.25f, -1, 0.75f, (float)NAN},
                     root[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1};
  memset(c, 0xa5, sizeof *c);
  for (size_t i = 0; i < JOBS; i++) {
    result *r = &c->got[i];
    const world *const w = c->of[i] = &worlds[sweep_next(state) % 2];
    c->job[i] = (quatsimd_pose_job){.skeleton = w->skeleton,
                                    .layer = c->layer[i],
                                    .layers = sweep_next(state) % (LAYERS + 1),
                                    .joints = i % 3 == 1 ? 1 + sweep_next(state) % JOINTS : 0,
                                    .layout = i % 2 ? QUATSIMD_MATRIX_4X4 : QUATSIMD_MATRIX_3X4,
                                    .root = i % 4 == 3 ? root : NULL};
    const size_t wanted = sweep_next(state) % 64;
    if (wanted & 1) c->job[i].local.rotations = quatsimd_aos_out(r->q);
    if (wanted & 2) c->job[i].local.translations = quatsimd_aos_out(r->t);
    if (wanted & 4) c->job[i].local.scales = quatsimd_aos_out(r->s);
    if (wanted & 8) c->job[i].local.tracks = r->tracks;
    if (wanted & 16) c->job[i].model = r->model;
    if (wanted & 32) c->job[i].skinning = r->skinning;
    for (size_t l = 0; l < LAYERS; l++) {
      const size_t clip = sweep_next(state) % CLIPS;
      c->layer[i][l] =
          (quatsimd_pose_layer){.clip = w->clip[clip],
                                .time = random_unit(state) * 3 - 1,
                                .wrap = (quatsimd_clip_wrap)(sweep_next(state) % 3),
                                .weight = odd[sweep_next(state) % 8],
                                .mask = sweep_next(state) % 3 ? NULL : w->mask,
                                .track_mask = sweep_next(state) % 3 ? NULL : w->track_mask,
                                .motion = clip == 2 || sweep_next(state) % 2 ? NULL : &w->motion[clip]};
      if (c->layer[i][l].weight == 0) { /* it is left out, whatever it is */
        c->layer[i][l].clip = sweep_next(state) % 2 ? NULL : worlds[w == worlds].clip[clip];
        c->layer[i][l].wrap = (quatsimd_clip_wrap)7;
      }
    }
  }
}

/* Outputs that were not wanted are as they were. */
static void check(const crowd *c, size_t i, const result *wanted) {
  const quatsimd_pose_job *job = &c->job[i];
  const result *got = &c->got[i];
  const size_t n = job->joints ? job->joints : JOINTS;
  const struct {
    const float *got, *wanted;
    size_t floats, room;
    bool asked;
  } parts[] = {{got->q, wanted->q, 4 * n, 4 * JOINTS, job->local.rotations.x != NULL},
               {got->t, wanted->t, 3 * n, 3 * JOINTS, job->local.translations.x != NULL},
               {got->s, wanted->s, 3 * n, 3 * JOINTS, job->local.scales.x != NULL},
               {got->tracks, wanted->tracks, TRACKS, TRACKS, job->local.tracks != NULL},
               {got->model, wanted->model, n * job->layout, 16 * JOINTS, job->model != NULL},
               {got->skinning, wanted->skinning, n * job->layout, 16 * JOINTS, job->skinning != NULL}};
  for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
    const size_t written = parts[p].asked ? parts[p].floats : 0;
    if (!same_bits(parts[p].got, parts[p].wanted, written)) fail_msg("job %zu, part %zu differs", i, p);
    for (size_t b = written * 4; b < parts[p].room * 4; b++)
      assert_int_equal(((const unsigned char *)parts[p].got)[b], 0xa5);
  }
}

static void jobs(void **state) {
  (void)state;
  static world w[2];
  static crowd c, parts;
  uint64_t random = 51;
  make_world(&w[0], &random), make_world(&w[1], &random);
  const arena a = arena_new(1 << 16); /* scratch ends where memory does */
  for (int round = 0; round < 20; round++) {
    make_crowd(w, &c, &random);
    const size_t size = quatsimd_pose_scratch_size(c.job, JOBS);
    assert_in_range(size, 1, 1 << 16);
    assert_int_equal(quatsimd_pose_evaluate(c.job, JOBS, a.end - size, size), QUATSIMD_OK);
    for (size_t i = 0; i < JOBS; i++) {
      static result wanted;
      step_by_step(c.of[i], &c.job[i], &wanted);
      check(&c, i, &wanted);
    }
    parts = c; /* in other ranges, with less scratch: the same bits */
    for (size_t i = 0; i < JOBS; i++) {
      quatsimd_pose_job job = c.job[i];
      const ptrdiff_t by = (char *)&parts.got[i] - (char *)&c.got[i];
      float **const to[] = {&job.local.rotations.x,
                            &job.local.translations.x,
                            &job.local.scales.x,
                            &job.local.tracks,
                            &job.model,
                            &job.skinning};
      for (size_t p = 0; p < 6; p++)
        if (*to[p]) *to[p] = (float *)(void *)((char *)*to[p] + by);
      parts.job[i] = job;
    }
    memset(parts.got, 0xa5, sizeof parts.got);
    for (size_t i = 0, n; i < JOBS; i += n) {
      n = 1 + sweep_next(&random) % 7 < JOBS - i ? 1 : JOBS - i;
      const size_t some = quatsimd_pose_scratch_size(parts.job + i, n);
      assert_int_equal(quatsimd_pose_evaluate(parts.job + i, n, a.end - size, some), QUATSIMD_OK);
    }
    assert_memory_equal(parts.got, c.got, sizeof c.got);
  }
  free_world(&w[0]), free_world(&w[1]);
}

static void refusals(void **state) {
  (void)state;
  static world w, other;
  static double scratch[10000];
  uint64_t random = 52;
  make_world(&w, &random), make_world(&other, &random);
  static result r, before;
  memset(&r, 0xa5, sizeof r), before = r;
  quatsimd_pose_layer layer = {.clip = w.clip[0], .weight = 1};
  const quatsimd_pose_job good = {.skeleton = w.skeleton,
                                  .layer = &layer,
                                  .layers = 1,
                                  .local = pose_of(&r),
                                  .model = r.model,
                                  .skinning = r.skinning,
                                  .layout = QUATSIMD_MATRIX_3X4};
  quatsimd_pose_job job[2] = {good, good};
  job[0].local = (quatsimd_pose_out){{0}, {0}, {0}, NULL}, job[0].model = job[0].skinning = NULL;
  const size_t size = quatsimd_pose_scratch_size(job, 2);
  assert_true(size > 0 && size < sizeof scratch && quatsimd_pose_scratch_size(NULL, 3) == 0);
  assert_int_equal(quatsimd_pose_evaluate(NULL, 0, NULL, 0), QUATSIMD_OK);
  REFUSED(quatsimd_pose_evaluate(NULL, 1, scratch, size));
  REFUSED(quatsimd_pose_evaluate(job, 2, NULL, size));
  REFUSED(quatsimd_pose_evaluate(job, 2, (char *)scratch + 4, size));
  assert_int_equal(quatsimd_pose_evaluate(job, 2, scratch, size - 1), QUATSIMD_ERROR_SHORT_BUFFER);
#define WRONG(status, change)                                                                                \
  do {                                                                                                       \
    job[1] = good, layer = (quatsimd_pose_layer){.clip = w.clip[0], .weight = 1};                            \
    change;                                                                                                  \
    assert_int_equal(quatsimd_pose_evaluate(job, 2, scratch, sizeof scratch), status);                       \
  } while (0)
#define BAD(change) WRONG(QUATSIMD_ERROR_BAD_ARGUMENT, change)
  BAD(job[1].skeleton = NULL);
  BAD(job[1].joints = JOINTS + 1);
  BAD(job[1].layer = NULL);
  BAD(job[1].layout = (quatsimd_matrix_layout)8);
  BAD(job[1].local.rotations = quatsimd_strided_out(r.q, 12));
  BAD(job[1].local.translations = quatsimd_aos_out(r.q));
  BAD(job[1].model = r.skinning);
  BAD(job[1].model = r.q);
  BAD(job[1].skinning = r.tracks);
  BAD(job[1].root = r.model);
  BAD(layer.clip = NULL);
  BAD(layer.wrap = (quatsimd_clip_wrap)3);
  BAD((layer.clip = w.clip[2], layer.motion = &w.motion[0]));
  BAD((layer.motion = &w.motion[0], w.motion[0].joint = JOINTS));
  other.joint[3].name = "another"; /* and so another hash */
  quatsimd_skeleton_free(NULL, other.skeleton_data);
  static const char *const track[TRACKS] = {"a", "b", "c"};
  for (size_t tracks = TRACKS - 1; tracks <= TRACKS; tracks++) {
    const quatsimd_skeleton_source source = {JOINTS, other.joint, tracks, track, 1, NULL};
    other.skeleton = open_skeleton(&other.skeleton_data, &other.skeleton_storage, &source);
    WRONG(QUATSIMD_ERROR_WRONG_SKELETON, job[1].skeleton = other.skeleton);
    WRONG(QUATSIMD_ERROR_WRONG_SKELETON,
          (job[1].skeleton = other.skeleton, layer.clip = tracks == TRACKS ? w.clip[1] : w.clip[3]));
    if (tracks < TRACKS) quatsimd_skeleton_free(NULL, other.skeleton_data);
  }
  assert_memory_equal(&r, &before, sizeof r);
  job[1] = good, layer = (quatsimd_pose_layer){.clip = w.clip[3], .weight = 1}; /* it knows no skeleton */
  job[1].skeleton = other.skeleton;
  assert_int_equal(quatsimd_pose_evaluate(&job[1], 1, scratch, sizeof scratch), QUATSIMD_OK);
  free_world(&w), free_world(&other);
}

/* ---- a layer over others ---- */

/* A figure that stands in a plane, its arm stretched out, and poses of it: walking, running, attacking. */
enum { HIPS, ARM, HAND, FOOT, PARTS, WALK = 0, RUN, ATTACK, POSES };
static const float angle[POSES][PARTS] = {{0.2f, -1.3f, 0, 0.3f}, {0.3f, -0.9f, 0, 0.5f}, {0.6f, 1, 0.2f, 1}},
                   smile[POSES] = {0.25f, 0.125f, 1};
static const float share[2] = {0.75f, 0.25f}; /* of walk and run */

typedef struct figure {
  void *skeleton_data, *data[POSES];
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_skeleton *skeleton;
  quatsimd_clip_storage storage[POSES];
  quatsimd_clip *clip[POSES];
} figure;

static void make_figure(figure *f) {
  static const char *const track[] = {"smile"};
  static const float track_rest[] = {0.5f},
                     offset[PARTS][3] = {{0, 1, 0}, {0, 0.5f, 0}, {1, 0, 0}, {0, -1, 0}};
  static const int64_t parent[PARTS] = {-1, HIPS, ARM, HIPS};
  quatsimd_skeleton_joint joint[PARTS];
  for (int j = 0; j < PARTS; j++) {
    joint[j] = (quatsimd_skeleton_joint){
        .name = "joint", .parent = parent[j], .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    memcpy(joint[j].translation, offset[j], sizeof offset[j]);
  }
  const quatsimd_skeleton_source source = {PARTS, joint, 1, track, 1, track_rest};
  f->skeleton = open_skeleton(&f->skeleton_data, &f->skeleton_storage, &source);
  for (int p = 0; p < POSES; p++) {
    float turned[PARTS][4] = {{0}};
    quatsimd_clip_joint moved[PARTS] = {{0}};
    for (int j = 0; j < PARTS; j++) {
      turned[j][2] = sinf(angle[p][j] / 2), turned[j][3] = cosf(angle[p][j] / 2);
      moved[j].parent = parent[j], moved[j].rotation = (quatsimd_curve){1, NULL, turned[j], 0};
    }
    const quatsimd_clip_track face = {{1, NULL, &smile[p], 0}, 0};
    const quatsimd_clip_source clip = {PARTS, moved, 1, &face};
    quatsimd_clip_options options;
    quatsimd_clip_options_init(&options, sizeof options);
    options.skeleton = f->skeleton, options.rotation_bound = 1e-5f;
    size_t size;
    assert_int_equal(quatsimd_clip_encode(&f->data[p], &size, &clip, &options, NULL), QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_open(&f->clip[p], &f->storage[p], sizeof f->storage[p], f->data[p], size),
                     QUATSIMD_OK);
  }
}

/* Where the hand or the foot is if joint j has the part by[j] of the attack and the rest of what is below. */
static void end_of(double to[2], int end, const double by[PARTS], bool blended) {
  double turned[PARTS];
  for (int j = 0; j < PARTS; j++) {
    const double below = 1 - by[j], part[POSES] = {below * (blended ? (double)share[0] : 1),
                                                   blended ? below * (double)share[1] : 0, by[j]};
    double s = 0, c = 0;
    for (int p = 0; p < POSES; p++)
      s += part[p] * sin((double)angle[p][j] / 2), c += part[p] * cos((double)angle[p][j] / 2);
    turned[j] = 2 * atan2(s, c);
  }
  const double hips = turned[HIPS], arm = hips + turned[ARM];
  to[0] = end == HAND ? cos(arm) - 0.5 * sin(hips) : sin(hips);
  to[1] = 1 + (end == HAND ? sin(arm) + 0.5 * cos(hips) : -cos(hips));
}

/* As docs/pose.md says it: at no weight of the attack has the rest pose a share. */
static void a_layer_over_others(void **state) {
  (void)state;
  static figure f;
  static double scratch[1000];
  static const float masks[][PARTS] = {{0, 1, 1, 0}, {0.25f, 0.5f, 1, 0}};
  make_figure(&f);
  for (int i = 0; i < 3 * 2 * 2 * 2; i++) {
    const float w = (float)(i % 3) / 2, *const m = masks[i / 3 % 2];
    const bool blended = i / 6 % 2, first = i / 12; /* first: the attack comes before what is below */
    float others[PARTS], matrices[PARTS][12], face;
    const float others_smile = 1 - w;
    for (int j = 0; j < PARTS; j++) others[j] = 1 - w * m[j];
    const quatsimd_pose_layer attack = {.clip = f.clip[ATTACK], .weight = w, .mask = m},
                              walk = {.clip = f.clip[WALK],
                                      .weight = blended ? share[0] : 1,
                                      .mask = others,
                                      .track_mask = &others_smile},
                              run = {.clip = f.clip[RUN],
                                     .weight = blended ? share[1] : 0,
                                     .mask = others,
                                     .track_mask = &others_smile},
                              layer[] = {first ? attack : walk, run, first ? walk : attack};
    const quatsimd_pose_job job = {.skeleton = f.skeleton,
                                   .layer = layer,
                                   .layers = 3,
                                   .local = {.tracks = &face},
                                   .model = matrices[0],
                                   .layout = QUATSIMD_MATRIX_3X4};
    assert_int_equal(quatsimd_pose_evaluate(&job, 1, scratch, sizeof scratch), QUATSIMD_OK);
    double by[PARTS], wanted[2];
    for (int j = 0; j < PARTS; j++) by[j] = (double)w * (double)m[j];
    for (int end = HAND; end <= FOOT; end++) {
      end_of(wanted, end, by, blended);
      const double x = (double)matrices[end][3], y = (double)matrices[end][7];
      if (!(hypot(x - wanted[0], y - wanted[1]) < 1e-4))
        fail_msg("weight %g: joint %d is at %.4f, %.4f, not %.4f, %.4f", (double)w, end, x, y, wanted[0],
                 wanted[1]);
    }
    const float below = blended ? share[0] * smile[WALK] + share[1] * smile[RUN] : smile[WALK];
    assert_true(fabsf(face - (w * smile[ATTACK] + others_smile * below)) < 2e-3f);
  }
  quatsimd_skeleton_free(NULL, f.skeleton_data);
  for (int p = 0; p < POSES; p++) quatsimd_clip_free(NULL, f.data[p]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(jobs), cmocka_unit_test(refusals),
                                     cmocka_unit_test(a_layer_over_others)};
  return cmocka_run_group_tests_name("jobs", tests, NULL, NULL);
}
