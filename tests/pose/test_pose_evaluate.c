/* Checks that jobs give the same bits as separate calls for each step. */
#include "poses.h"

#include "support/guarded.h"

/* The library prefetches the first 8 layers of a job. Some jobs have fewer layers, and some have more. */
enum { JOINTS = 20, TRACKS = 3, KEYS = 31, CLIPS = 4, JOBS = 40, LAYERS = 20, FEW_LAYERS = 4, GOALS = 3 };

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
  quatsimd_root_motion_storage motion_storage[CLIPS];
  quatsimd_root_motion *motion[CLIPS];
} world;

/* Makes clip c. Clip 2 is additive, and clip 3 has no skeleton. Some curves equal the rest pose. */
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
      assert_int_equal(quatsimd_root_motion_init(&w->motion[c], &w->motion_storage[c],
                                                 sizeof w->motion_storage[c], w->skeleton, w->clip[c], 0,
                                                 QUATSIMD_ROOT_ALL, NULL),
                       QUATSIMD_OK);
  }
}

static void free_world(world *w) {
  quatsimd_skeleton_free(NULL, w->skeleton_data);
  for (int c = 0; c < CLIPS; c++) quatsimd_clip_free(NULL, w->data[c]);
}

/* Memory for the results of one job. */
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

/* Computes a job's results for all joints, with one call for each step that docs/pose.md describes. */
static void step_by_step(const world *w, const quatsimd_pose_job *job, result *r) {
  static result layer[LAYERS], rest;
  const quatsimd_pose_counts counts = {JOINTS, TRACKS, 1};
  quatsimd_weighted_poses views[LAYERS];
  quatsimd_pose_out rest_to = pose_of(&rest), to = pose_of(r);
  quatsimd_skeleton_rest_pose(w->skeleton, &rest_to, 0, JOINTS);
  const quatsimd_pose_in at_rest = as_read(&rest), pose = as_read(r);
  size_t blended = 0;
  bool only = true;
  for (int later = 0; later < 2; later++) {
    for (size_t l = 0; l < job->layer_count; l++) {
      const quatsimd_pose_layer *of = &job->layers[l];
      if (!(of->weight > 0 || of->weight < 0)) continue; /* a layer without weight may have no clip */
      const bool additive = quatsimd_clip_additive(of->clip) != 0, over = of->mode == QUATSIMD_POSE_MODE_OVER;
      if ((additive || over) != later || (over && of->weight < 0)) continue;
      quatsimd_pose_out sampled = pose_of(&layer[l]);
      assert_int_equal(quatsimd_clip_sample(of->clip, &sampled, &at_rest, of->time, of->wrap, 0),
                       QUATSIMD_OK);
      if (of->motion)
        assert_int_equal(quatsimd_root_motion_remove(of->motion, &sampled, JOINTS, 1), QUATSIMD_OK);
      views[later ? 0 : blended] =
          (quatsimd_weighted_poses){as_read(&layer[l]), &of->weight, of->mask, of->track_mask};
      if (over) assert_int_equal(quatsimd_pose_blend(&to, views, 1, &pose, counts), QUATSIMD_OK);
      else if (!later) {
        only = !of->mask && !of->track_mask && of->weight >= 1;
        if (++blended == 1 && only) *r = layer[l];
      } else assert_int_equal(quatsimd_pose_add(&to, &pose, views, counts), QUATSIMD_OK);
    }
    if (!later && !(blended == 1 && only))
      assert_int_equal(quatsimd_pose_blend(&to, views, blended, &at_rest, counts), QUATSIMD_OK);
  }
  const size_t joints = job->joint_count ? job->joint_count : JOINTS;
  for (size_t g = 0; g < job->goal_count; g++) {
    const quatsimd_pose_goal *goal = &job->goals[g];
    if (!(goal->weight > 0) || goal->joint >= joints) continue;
    assert_int_equal(goal->kind == QUATSIMD_POSE_GOAL_REACH
                         ? quatsimd_pose_reach(w->skeleton, &to, goal, sizeof *goal, 1,
                                               (quatsimd_pose_counts){JOINTS, 0, 1})
                         : quatsimd_pose_aim(w->skeleton, &to, goal, sizeof *goal, 1,
                                             (quatsimd_pose_counts){JOINTS, 0, 1}),
                     QUATSIMD_OK);
  }
  assert_int_equal(quatsimd_pose_to_model(w->skeleton, r->model, job->layout, &pose, job->root, JOINTS, 1),
                   QUATSIMD_OK);
  assert_int_equal(quatsimd_pose_to_skinning(w->skeleton, r->skinning, r->model, job->layout, JOINTS, 1),
                   QUATSIMD_OK);
}

/* Many jobs on two skeletons, with their layers and results. */
typedef struct crowd {
  const world *of[JOBS];
  quatsimd_pose_job job[JOBS];
  quatsimd_pose_layer layer[JOBS][LAYERS];
  quatsimd_pose_goal goal[JOBS][GOALS];
  result got[JOBS];
} crowd;

/* Returns a goal of joints that are below each other, or one that is left out. */
static quatsimd_pose_goal make_goal(const world *w, uint64_t *state) {
  static const float weights[] = {1, 0.5f, 0, (float)NAN};
  quatsimd_pose_goal goal = {.weight = weights[sweep_next(state) % 4], .axis = {0, 0, 1}};
  uint32_t joint[3];
  for (int c = 0; c < 3; c++) goal.target[c] = (float)random_unit(state) * 20 - 5;
  joint[0] = (uint32_t)(sweep_next(state) % JOINTS);
  for (int i = 1; i < 3; i++) {
    const int64_t parent = w->joint[joint[i - 1]].parent;
    joint[i] = parent < 0 ? JOINTS : (uint32_t)parent;
    if (parent < 0) joint[2] = i == 1 ? joint[0] : joint[1];
    if (parent < 0) break;
  }
  const bool is_limb = w->joint[joint[0]].parent >= 0 && joint[1] != joint[2] && joint[1] != JOINTS;
  goal.kind = is_limb && sweep_next(state) % 2 ? QUATSIMD_POSE_GOAL_REACH : QUATSIMD_POSE_GOAL_AIM;
  goal.joint = joint[0], goal.middle = joint[1], goal.first = joint[2];
  if (goal.weight > 0) return goal;
  goal.kind = (quatsimd_pose_goal_kind)7, goal.joint = JOINTS;
  return goal;
}

static void make_crowd(const world worlds[2], crowd *c, uint64_t *state) {
  static const float odd[] = {0, 1, 2, 0.5f, 0.99f, -1, 0.75f, (float)NAN},
                     root[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1};
  static const double clocks[8] = {0, 0, 0, 1, 3600, 86400, 31557600, -31557600}; /* seconds */
  static const quatsimd_pose_mode modes[2][3] = {
      {QUATSIMD_POSE_MODE_AUTO, QUATSIMD_POSE_MODE_BLEND, QUATSIMD_POSE_MODE_OVER},
      {QUATSIMD_POSE_MODE_AUTO, QUATSIMD_POSE_MODE_ADD, QUATSIMD_POSE_MODE_ADD}};
  static float odd_root[16]; /* has a NaN with other bits than the library's */
  memcpy(odd_root, root, sizeof root), odd_root[5] = -nanf("7");
  memset(c, 0xa5, sizeof *c);
  for (size_t i = 0; i < JOBS; i++) {
    result *r = &c->got[i];
    const world *const w = c->of[i] = &worlds[sweep_next(state) % 2];
    c->job[i] = (quatsimd_pose_job){.struct_size = sizeof c->job[i],
                                    .layer_size = sizeof c->layer[i][0],
                                    .skeleton = w->skeleton,
                                    .layers = c->layer[i],
                                    .layer_count = sweep_next(state) % ((i % 5 ? FEW_LAYERS : LAYERS) + 1),
                                    .joint_count = i % 3 == 1 ? 1 + sweep_next(state) % JOINTS : 0,
                                    .layout = i % 2 ? QUATSIMD_MATRIX_4X4 : QUATSIMD_MATRIX_3X4,
                                    .root = i % 8 == 3   ? root
                                            : i % 8 == 7 ? odd_root
                                                         : NULL};
    for (size_t g = 0; g < GOALS; g++) c->goal[i][g] = make_goal(w, state);
    if (!c->job[i].root) /* docs/pose.md: goals count the root, which the functions do not take */
      c->job[i].goals = c->goal[i], c->job[i].goal_size = sizeof c->goal[i][0],
      c->job[i].goal_count = sweep_next(state) % (GOALS + 1);
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
                                .time = random_unit(state) * 3 - 1 + clocks[sweep_next(state) % 8],
                                .wrap = (quatsimd_clip_wrap)(sweep_next(state) % 3),
                                .mode = modes[clip == 2][sweep_next(state) % 3],
                                .weight = odd[sweep_next(state) % 8],
                                .mask = sweep_next(state) % 3 ? NULL : w->mask,
                                .track_mask = sweep_next(state) % 3 ? NULL : w->track_mask,
                                .motion = clip == 2 || sweep_next(state) % 2 ? NULL : w->motion[clip]};
      if (c->layer[i][l].weight == 0) { /* a layer without weight is left out, whatever its members are */
        c->layer[i][l].clip = sweep_next(state) % 2 ? NULL : worlds[w == worlds].clip[clip];
        c->layer[i][l].wrap = (quatsimd_clip_wrap)7;
        c->layer[i][l].mode = (quatsimd_pose_mode)9;
      }
    }
  }
}

/* Compares the results of job i with `wanted`. Outputs that the job did not ask for must not change. */
static void check(const crowd *c, size_t i, const result *wanted) {
  const quatsimd_pose_job *job = &c->job[i];
  const result *got = &c->got[i];
  const size_t n = job->joint_count ? job->joint_count : JOINTS;
  const struct {
    const float *got, *wanted;
    size_t floats, capacity;
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
    for (size_t f = 0; f < written; f++)
      if (isnan(parts[p].got[f])) assert_true(same_bits(&parts[p].got[f], &(float){(float)NAN}, 1));
    for (size_t b = written * 4; b < parts[p].capacity * 4; b++)
      assert_int_equal(((const unsigned char *)parts[p].got)[b], 0xa5);
  }
}

static void jobs(void **state) {
  (void)state;
  static world w[2];
  static crowd c, parts;
  uint64_t random = 51;
  make_world(&w[0], &random), make_world(&w[1], &random);
  const arena a = arena_new(1 << 16); /* so that accesses behind the scratch memory fault */
  for (int round = 0; round < 60; round++) {
    make_crowd(w, &c, &random);
    const size_t size = quatsimd_pose_scratch_size(c.job, JOBS);
    assert_in_range(size, 1, 1 << 16);
    assert_int_equal(quatsimd_pose_evaluate(c.job, JOBS, a.end - size, size, NULL), QUATSIMD_OK);
    for (size_t i = 0; i < JOBS; i++) {
      static result wanted;
      step_by_step(c.of[i], &c.job[i], &wanted);
      check(&c, i, &wanted);
    }
    parts = c; /* fewer jobs in a call, with less scratch memory, give the same bits */
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
      assert_int_equal(quatsimd_pose_evaluate(parts.job + i, n, a.end - size, some, NULL), QUATSIMD_OK);
    }
    assert_memory_equal(parts.got, c.got, sizeof c.got);
  }
  free_world(&w[0]), free_world(&w[1]);
}

/* Skeletons of few joints, views in all layouts, and memory that ends where the results do. Without layers a
 * job gives the rest pose. */
static void poses_of_any_size(void **state) {
  (void)state;
  enum { MOST_JOINTS = 40 };
  static poses rest, wanted, got;
  static quatsimd_skeleton_joint joint[MOST_JOINTS];
  static float bind[MOST_JOINTS][12], model[16 * MOST_JOINTS], skinning[16 * MOST_JOINTS];
  const arena scratch = arena_new(1 << 16), matrices = arena_new(1 << 16);
  uint64_t random = 54;
  random_poses(&rest, MOST_JOINTS, &random);
  for (size_t j = 0; j < MOST_JOINTS; j++) {
    joint[j] = (quatsimd_skeleton_joint){.name = "",
                                         .parent = (int64_t)(sweep_next(&random) % (j + 1)) - 1,
                                         .inverse_bind = j % 5 == 3 ? NULL : bind[j]};
    memcpy(joint[j].rotation, rest.at[0] + 4 * j, sizeof joint[j].rotation);
    memcpy(joint[j].translation, rest.at[1] + 3 * j, sizeof joint[j].translation);
    memcpy(joint[j].scale, rest.at[2] + 3 * j, sizeof joint[j].scale);
    for (int i = 0; i < 12; i++) bind[j][i] = (float)random_unit(&random);
  }
  for (size_t n = 1; n <= MOST_JOINTS; n++) {
    const quatsimd_skeleton_source source = {n, joint, 0, NULL, 1, NULL};
    quatsimd_skeleton_storage storage;
    void *data;
    quatsimd_skeleton *skeleton = open_skeleton(&data, &storage, &source);
    for (int layout = 0; layout < LAYOUTS; layout++) {
      const quatsimd_matrix_layout of_matrices = layout % 2 ? QUATSIMD_MATRIX_3X4 : QUATSIMD_MATRIX_4X4;
      const size_t floats = n * of_matrices;
      float *const to = (float *)(void *)matrices.end - floats;
      const quatsimd_pose_in at_rest = poses_in(&rest, 0, n), pose = poses_in(&wanted, 0, n);
      quatsimd_pose_out blended = poses_out(&wanted, 0, n);
      quatsimd_pose_job job = {.struct_size = sizeof job,
                               .skeleton = skeleton,
                               .local = poses_out(&got, layout, n),
                               .skinning = to,
                               .layout = of_matrices};
      const size_t size = quatsimd_pose_scratch_size(&job, 1);
      job.local.tracks = blended.tracks = NULL;
      assert_int_equal(quatsimd_pose_blend(&blended, NULL, 0, &at_rest, (quatsimd_pose_counts){n, 0, 1}),
                       QUATSIMD_OK);
      assert_int_equal(quatsimd_pose_to_model(skeleton, model, of_matrices, &pose, NULL, n, 1), QUATSIMD_OK);
      assert_int_equal(quatsimd_pose_to_skinning(skeleton, skinning, model, of_matrices, n, 1), QUATSIMD_OK);
      memset(scratch.end - size, 0xff, size);
      assert_int_equal(quatsimd_pose_evaluate(&job, 1, scratch.end - size, size, NULL), QUATSIMD_OK);
      assert_true(same_bits(to, skinning, floats));
      move_pose(&got, layout, n, true), move_pose(&wanted, 0, n, true);
      for (int kind = 0; kind < TRACK; kind++)
        assert_true(same_bits(got.at[kind], wanted.at[kind], width_of(kind) * n));
    }
    quatsimd_skeleton_free(NULL, data);
  }
}

/* Structs of a later version. Jobs with them must give the same bits if their additional members are zero. */
typedef struct later_layer {
  quatsimd_pose_layer now;
  double later;
} later_layer;
typedef struct later_job {
  quatsimd_pose_job now;
  size_t later[2];
} later_job;

static void jobs_of_a_later_version(void **state) {
  (void)state;
  static world w[2];
  static crowd c, as_now;
  static later_job job[JOBS];
  static later_layer layer[JOBS][LAYERS];
  static double scratch[8192];
  uint64_t random = 53;
  make_world(&w[0], &random), make_world(&w[1], &random);
  for (int round = 0; round < 5; round++) {
    make_crowd(w, &c, &random);
    for (size_t i = 0; i < JOBS; i++) {
      job[i] = (later_job){.now = c.job[i]};
      job[i].now.struct_size = sizeof job[i], job[i].now.layer_size = sizeof layer[i][0];
      job[i].now.layers = &layer[i][0].now;
      for (size_t l = 0; l < LAYERS; l++) {
        layer[i][l] = (later_layer){.now = c.layer[i][l]};
        if (c.layer[i][l].weight == 0) layer[i][l].later = 1;
      }
    }
    const size_t size = quatsimd_pose_scratch_size(c.job, JOBS);
    assert_int_equal(quatsimd_pose_scratch_size(&job[0].now, JOBS), size);
    assert_int_equal(quatsimd_pose_evaluate(c.job, JOBS, scratch, sizeof scratch, NULL), QUATSIMD_OK);
    as_now = c;
    memset(c.got, 0xa5, sizeof c.got);
    assert_int_equal(quatsimd_pose_evaluate(&job[0].now, JOBS, scratch, sizeof scratch, NULL), QUATSIMD_OK);
    assert_memory_equal(c.got, as_now.got, sizeof c.got);
  }
  free_world(&w[0]), free_world(&w[1]);
}

/* The sizes of structs of the first version, whose programs still run. */
enum {
  FIRST_JOB = offsetof(quatsimd_pose_job, goals),
  FIRST_LAYER = offsetof(quatsimd_pose_layer, last_time)
};

/* Jobs and layers of the first version give the same bits, and nothing behind them is read. */
static void jobs_of_the_first_version(void **state) {
  (void)state;
  static world w[2];
  static crowd c, as_now;
  static double scratch[8192];
  uint64_t random = 58;
  make_world(&w[0], &random), make_world(&w[1], &random);
  const arena jobs = arena_new(JOBS * FIRST_JOB), layers = arena_new(JOBS * LAYERS * FIRST_LAYER);
  unsigned char *const first = jobs.end - JOBS * FIRST_JOB;
  for (int round = 0; round < 5; round++) {
    make_crowd(w, &c, &random);
    for (size_t i = 0; i < JOBS; i++) c.job[i].goal_count = 0;
    as_now = c;
    for (size_t i = 0; i < JOBS; i++) {
      quatsimd_pose_job job = c.job[i];
      unsigned char *const own = layers.end - (JOBS - i) * LAYERS * FIRST_LAYER;
      for (size_t l = 0; l < LAYERS; l++) memcpy(own + l * FIRST_LAYER, &c.layer[i][l], FIRST_LAYER);
      job.struct_size = FIRST_JOB, job.layer_size = FIRST_LAYER;
      job.layers = (const quatsimd_pose_layer *)(const void *)own;
      memcpy(first + i * FIRST_JOB, &job, FIRST_JOB);
    }
    assert_int_equal(quatsimd_pose_evaluate(c.job, JOBS, scratch, sizeof scratch, NULL), QUATSIMD_OK);
    static result wanted[JOBS];
    memcpy(wanted, c.got, sizeof wanted), memcpy(c.got, as_now.got, sizeof c.got);
    assert_int_equal(
        quatsimd_pose_evaluate((quatsimd_pose_job *)(void *)first, JOBS, scratch, sizeof scratch, NULL),
        QUATSIMD_OK);
    assert_memory_equal(c.got, wanted, sizeof wanted);
  }
  free_world(&w[0]), free_world(&w[1]);
}

/* ---- refusals ---- */

static double scratch_memory[10000];

/* Evaluates two jobs. Checks that the call returns `status`, and that the report names `job` and `layer`. */
static void expect_refused(quatsimd_pose_job *jobs, quatsimd_status status, size_t job, size_t layer) {
  quatsimd_pose_report report;
  assert_int_equal(quatsimd_pose_report_init(&report, sizeof report), QUATSIMD_OK);
  assert_int_equal(quatsimd_pose_evaluate(jobs, 2, scratch_memory, sizeof scratch_memory, &report), status);
  assert_int_equal(report.struct_size, sizeof report);
  assert_int_equal(report.job, job);
  assert_int_equal(report.layer, layer);
  assert_non_null(report.error);
}

/* Two jobs. Tests change job[1] and layers[1]. layers[0] has no weight. */
typedef struct two_jobs {
  quatsimd_pose_job job[2];
  quatsimd_pose_layer layers[2];
  result r;
} two_jobs;

static void make_two(two_jobs *two, const world *w) {
  result *const r = &two->r;
  const quatsimd_pose_job job = {.struct_size = sizeof job,
                                 .layer_size = sizeof two->layers[0],
                                 .skeleton = w->skeleton,
                                 .layers = two->layers,
                                 .layer_count = 2,
                                 .local = pose_of(r),
                                 .model = r->model,
                                 .skinning = r->skinning,
                                 .layout = QUATSIMD_MATRIX_3X4};
  two->job[0] = two->job[1] = job;
  /* job 0 has no layers, so it gives the rest pose */
  two->job[0].layer_count = 0, two->job[0].layer_size = 0, two->job[0].layers = NULL;
  two->layers[0] = (quatsimd_pose_layer){.clip = NULL};
  two->layers[1] = (quatsimd_pose_layer){.clip = w->clip[0], .weight = 1};
}

/* Skeletons that do not fit the clips. `other` has another hash, and `larger` has one more joint. `motion` is
 * a root motion of `larger`. */
typedef struct strangers {
  quatsimd_skeleton_joint joint[JOINTS + 1];
  void *data[2], *clip_data;
  quatsimd_skeleton_storage storage[2];
  quatsimd_skeleton *other, *larger;
  quatsimd_clip_storage clip_storage;
  quatsimd_root_motion_storage motion_storage;
  quatsimd_root_motion *motion;
} strangers;

static void make_strangers(strangers *s, const world *w, size_t tracks) {
  static const char *const track[TRACKS] = {"a", "b", "c"};
  memcpy(s->joint, w->joint, sizeof w->joint);
  s->joint[3].name = "another";
  s->joint[JOINTS] = s->joint[0];
  const quatsimd_skeleton_source source = {JOINTS, s->joint, tracks, track, 1, NULL},
                                 more = {JOINTS + 1, s->joint, 0, NULL, 1, NULL};
  s->other = open_skeleton(&s->data[0], &s->storage[0], &source);
  s->larger = open_skeleton(&s->data[1], &s->storage[1], &more);
  quatsimd_clip_joint still[JOINTS + 1];
  for (size_t j = 0; j <= JOINTS; j++) still[j] = (quatsimd_clip_joint){.parent = s->joint[j].parent};
  const quatsimd_clip_source of_clip = {JOINTS + 1, still, 0, NULL};
  quatsimd_clip_options options;
  quatsimd_clip *clip;
  size_t size;
  quatsimd_clip_options_init(&options, sizeof options);
  options.rotation_bound = 1e-3f;
  assert_int_equal(quatsimd_clip_encode(&s->clip_data, &size, &of_clip, &options, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&clip, &s->clip_storage, sizeof s->clip_storage, s->clip_data, size),
                   QUATSIMD_OK);
  assert_int_equal(quatsimd_root_motion_init(&s->motion, &s->motion_storage, sizeof s->motion_storage,
                                             s->larger, clip, JOINTS, QUATSIMD_ROOT_ALL, NULL),
                   QUATSIMD_OK);
}
static void free_strangers(strangers *s) {
  for (int i = 0; i < 2; i++) quatsimd_skeleton_free(NULL, s->data[i]);
  quatsimd_clip_free(NULL, s->clip_data);
}

static void refusals(void **state) {
  (void)state;
  static world w;
  static strangers others, fewer;
  static two_jobs two;
  double *const scratch = scratch_memory;
  uint64_t random = 52;
  make_world(&w, &random), make_strangers(&others, &w, TRACKS), make_strangers(&fewer, &w, TRACKS - 1);
  static result before;
  result *const r = &two.r;
  memset(r, 0xa5, sizeof *r), before = *r;
  make_two(&two, &w);
  quatsimd_pose_job *const job = two.job;
  quatsimd_pose_layer *const layer = &two.layers[1];
  const size_t size = quatsimd_pose_scratch_size(job, 2);
  assert_true(size > 0 && size < sizeof scratch_memory && quatsimd_pose_scratch_size(NULL, 3) == 0);
  assert_int_equal(quatsimd_pose_evaluate(NULL, 0, NULL, 0, NULL), QUATSIMD_OK);
  REFUSED(quatsimd_pose_evaluate(NULL, 1, scratch, size, NULL));
  REFUSED(quatsimd_pose_evaluate(job, 2, NULL, size, NULL));
  REFUSED(quatsimd_pose_evaluate(job, 2, (char *)scratch + 4, size, NULL));
  assert_int_equal(quatsimd_pose_evaluate(job, 2, scratch, size - 1, NULL), QUATSIMD_ERROR_SHORT_BUFFER);
#define WRONG(status, of_layer, change)                                                                      \
  do {                                                                                                       \
    make_two(&two, &w);                                                                                      \
    change;                                                                                                  \
    expect_refused(job, status, 1, of_layer);                                                                \
  } while (0)
#define BAD(change) WRONG(QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, change)
#define BAD_LAYER(change) WRONG(QUATSIMD_ERROR_BAD_ARGUMENT, 1, change)
  BAD(job[1].skeleton = NULL);
  BAD(job[1].joint_count = JOINTS + 1);
  BAD(job[1].layers = NULL);
  BAD(job[1].layout = (quatsimd_matrix_layout)8);
  BAD(job[1].local.rotations = quatsimd_strided_out(r->q, 12));
  BAD(job[1].local.translations = quatsimd_aos_out(r->q));
  BAD(job[1].model = r->skinning);
  BAD(job[1].root = r->model);
  BAD(job[1].root = r->skinning);
  float *const views[] = {r->q, r->t, r->s, r->tracks};
  for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
    BAD(job[1].model = views[v]);
    BAD(job[1].skinning = views[v]);
  }
  BAD_LAYER(layer->clip = NULL);
  BAD_LAYER(layer->wrap = (quatsimd_clip_wrap)3);
  BAD_LAYER((layer->clip = w.clip[2], layer->motion = w.motion[0]));
  BAD_LAYER(layer->motion = others.motion);
  static const quatsimd_root_motion_storage zeros;
  BAD_LAYER(layer->motion = (const quatsimd_root_motion *)(const void *)&zeros);
  WRONG(QUATSIMD_ERROR_WRONG_SKELETON, 1, job[1].skeleton = others.other);
  WRONG(QUATSIMD_ERROR_WRONG_SKELETON, 1, (job[1].skeleton = others.other, layer->clip = w.clip[1]));
  WRONG(QUATSIMD_ERROR_WRONG_SKELETON, 1, (job[1].skeleton = fewer.other, layer->clip = w.clip[3]));
  assert_memory_equal(r, &before, sizeof *r);
  make_two(&two, &w);
  layer->clip = w.clip[3], job[1].skeleton = others.other; /* clip 3 has no skeleton, so it fits any */
  assert_int_equal(quatsimd_pose_evaluate(&job[1], 1, scratch, sizeof scratch_memory, NULL), QUATSIMD_OK);
  free_world(&w), free_strangers(&others), free_strangers(&fewer);
}

/* Jobs are refused if a layer's mode does not fit its clip or is unknown. */
static void refused_modes(void **state) {
  (void)state;
  static world w;
  static two_jobs two;
  uint64_t random = 54;
  make_world(&w, &random);
  for (int clip = 0; clip < CLIPS; clip++)
    for (int mode = -1; mode <= 4; mode++) {
      make_two(&two, &w);
      two.layers[1].clip = w.clip[clip], two.layers[1].mode = (quatsimd_pose_mode)mode;
      const bool fits = mode == QUATSIMD_POSE_MODE_AUTO ||
                        (clip == 2 ? mode == QUATSIMD_POSE_MODE_ADD
                                   : mode == QUATSIMD_POSE_MODE_BLEND || mode == QUATSIMD_POSE_MODE_OVER);
      if (!fits) expect_refused(two.job, QUATSIMD_ERROR_BAD_ARGUMENT, 1, 1);
      else
        assert_int_equal(quatsimd_pose_evaluate(two.job, 2, scratch_memory, sizeof scratch_memory, NULL),
                         QUATSIMD_OK);
    }
  free_world(&w);
}

/* Wrong or unequal sizes of structs, and members that this version does not know, are refused. */
static void refused_sizes(void **state) {
  (void)state;
  static world w;
  static two_jobs two;
  quatsimd_pose_job *const job = two.job;
  const size_t of_job = sizeof job[0], of_layer = sizeof two.layers[0], pointer = sizeof(void *),
               wrong[][2] = {{0, 0},
                             {1, 1},
                             {FIRST_JOB - pointer, FIRST_LAYER - pointer},
                             {of_job + 1, of_layer + 1},
                             {4096 + 8, 4096 + 8},
                             {SIZE_MAX, SIZE_MAX}};
  uint64_t random = 55;
  make_world(&w, &random);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    for (size_t k = 0; k < 2; k++) {
      make_two(&two, &w), job[k].struct_size = wrong[i][0];
      expect_refused(job, QUATSIMD_ERROR_BAD_ARGUMENT, k, SIZE_MAX);
      assert_int_equal(quatsimd_pose_scratch_size(job, 2) == 0, k == 0);
    }
    make_two(&two, &w), job[1].layer_size = wrong[i][1];
    expect_refused(job, QUATSIMD_ERROR_BAD_ARGUMENT, 1, SIZE_MAX);
    REFUSED(quatsimd_pose_job_init(&job[0], wrong[i][0], of_layer));
    REFUSED(quatsimd_pose_job_init(&job[0], of_job, wrong[i][1]));
  }
  make_two(&two, &w), job[1].struct_size = sizeof(later_job);
  expect_refused(job, QUATSIMD_ERROR_BAD_ARGUMENT, 1, SIZE_MAX);
  for (int unknown = 0; unknown < 2; unknown++) {
    make_two(&two, &w);
    later_job later[2] = {{.now = job[0]}, {.now = job[1]}};
    later_layer layers[2] = {{.now = two.layers[0]}, {.now = two.layers[1]}};
    for (int k = 0; k < 2; k++) later[k].now.struct_size = sizeof later[k];
    later[1].now.layers = &layers[0].now, later[1].now.layer_size = sizeof layers[0];
    assert_int_equal(quatsimd_pose_evaluate(&later[0].now, 2, scratch_memory, sizeof scratch_memory, NULL),
                     QUATSIMD_OK);
    if (unknown) layers[1].later = 1;
    else later[1].later[1] = 1;
    expect_refused(&later[0].now, QUATSIMD_ERROR_BAD_ARGUMENT, 1, unknown ? 1 : SIZE_MAX);
  }
  free_world(&w);
}

/* quatsimd_pose_job_init gives the same job as an initialiser. Reports are filled after errors and after
 * success. A report may be larger than this version's struct. A report that is not initialised is refused. */
static void inits_and_reports(void **state) {
  (void)state;
  static world w;
  static two_jobs two;
  quatsimd_pose_job *const job = two.job, made;
  struct {
    quatsimd_pose_report now;
    size_t later;
  } report;
  const quatsimd_pose_job wanted = {.struct_size = sizeof made, .layer_size = sizeof two.layers[0]};
  uint64_t random = 56;
  make_world(&w, &random), make_two(&two, &w);
  memset(&made, 0xa5, sizeof made), memset(&report, 0xa5, sizeof report);
  assert_int_equal(quatsimd_pose_job_init(&made, sizeof made, sizeof two.layers[0]), QUATSIMD_OK);
  assert_true(made.struct_size == wanted.struct_size && made.layer_size == wanted.layer_size &&
              !made.skeleton && !made.layers && made.layer_count == 0 && made.joint_count == 0 &&
              !made.local.rotations.x && !made.local.tracks && !made.model && !made.skinning &&
              made.layout == 0 && !made.root);
  REFUSED(quatsimd_pose_job_init(NULL, sizeof made, sizeof two.layers[0]));
  REFUSED(quatsimd_pose_report_init(NULL, sizeof report));
  REFUSED(quatsimd_pose_report_init(&report.now, offsetof(quatsimd_pose_report, goal) - 1));
  REFUSED(quatsimd_pose_report_init(&report.now, 4097));
  REFUSED(quatsimd_pose_evaluate(job, 2, scratch_memory, sizeof scratch_memory, &report.now));
  for (size_t i = 0; i < sizeof report; i++) assert_int_equal(((const unsigned char *)&report)[i], 0xa5);
  assert_int_equal(quatsimd_pose_report_init(&report.now, sizeof report), QUATSIMD_OK);
  assert_true(report.now.job == 0 && report.now.layer == 0 && !report.now.error && report.later == 0);
  assert_int_equal(quatsimd_pose_evaluate(job, 2, NULL, sizeof scratch_memory, &report.now),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_true(report.now.job == SIZE_MAX && report.now.layer == SIZE_MAX && report.now.error != NULL);
  assert_int_equal(
      quatsimd_pose_evaluate(job, 2, scratch_memory, quatsimd_pose_scratch_size(job, 1), &report.now),
      QUATSIMD_ERROR_SHORT_BUFFER);
  assert_true(report.now.job == 1 && report.now.layer == SIZE_MAX && report.now.error != NULL);
  assert_int_equal(quatsimd_pose_evaluate(job, 2, scratch_memory, sizeof scratch_memory, &report.now),
                   QUATSIMD_OK);
  assert_true(report.now.job == SIZE_MAX && report.now.layer == SIZE_MAX && !report.now.error);
  assert_true(report.now.struct_size == sizeof report && report.later == 0);
  free_world(&w);
}

/* ---- a layer over others ---- */

/* A figure in a plane with its arm stretched out. Its poses are walking, running and attacking. */
enum { HIPS, ARM, HAND, FOOT, PARTS, WALK = 0, RUN, ATTACK, POSES };
static const float angle[POSES][PARTS] = {{0.2f, -1.3f, 0, 0.3f}, {0.3f, -0.9f, 0, 0.5f}, {0.6f, 1, 0.2f, 1}},
                   smile[POSES] = {0.25f, 0.125f, 1};
static const float share[2] = {0.75f, 0.25f}; /* shares of walking and running */

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

/* Computes the position of the hand or the foot. by[j] is the share of the attack in joint j. The layers
 * below the attack share 1 - by[j]. */
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

/* The rest pose has no share in the result at any weight of the attack, as docs/pose.md promises. */
static void a_layer_over_others(void **state) {
  (void)state;
  static figure f;
  static double scratch[1000];
  static const float masks[][PARTS] = {{0, 1, 1, 0}, {0.25f, 0.5f, 1, 0}};
  make_figure(&f);
  for (int i = 0; i < 3 * 2 * 2 * 2; i++) {
    const float w = (float)(i % 3) / 2, *const m = masks[i / 3 % 2];
    const bool blended = i / 6 % 2, first = i / 12; /* first: the attack is layer[0], else layer[2] */
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
    quatsimd_pose_job job = {.struct_size = sizeof job,
                             .layer_size = sizeof layer[0],
                             .skeleton = f.skeleton,
                             .layers = layer,
                             .layer_count = 3,
                             .local = {.tracks = &face},
                             .model = matrices[0],
                             .layout = QUATSIMD_MATRIX_3X4};
    assert_int_equal(quatsimd_pose_evaluate(&job, 1, scratch, sizeof scratch, NULL), QUATSIMD_OK);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(jobs),
                                     cmocka_unit_test(poses_of_any_size),
                                     cmocka_unit_test(jobs_of_a_later_version),
                                     cmocka_unit_test(jobs_of_the_first_version),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(refused_modes),
                                     cmocka_unit_test(refused_sizes),
                                     cmocka_unit_test(inits_and_reports),
                                     cmocka_unit_test(a_layer_over_others)};
  return cmocka_run_group_tests_name("jobs", tests, NULL, NULL);
}
