/* Draws jobs of worlds.h: layers of any mode, times, masks, motions, goals and wanted results together. */
#ifndef TESTS_JOBS_H
#define TESTS_JOBS_H

#include "worlds.h"

enum { MOST_LAYERS = 6, MOST_GOALS = 3, MOST_EVENTS = 12 };

/* The results of one job, in memory of the largest skeleton. */
typedef struct result {
  poses pose;
  float model[16 * MOST_JOINTS], skinning[16 * MOST_JOINTS], step[7];
  size_t event_count;
  quatsimd_pose_event events[MOST_EVENTS];
} result;

typedef struct drawn_job {
  const world *of;
  quatsimd_pose_job job; /* has no results */
  quatsimd_pose_layer layers[MOST_LAYERS];
  const root_choice *choice[MOST_LAYERS];
  int kind[MOST_LAYERS];
  quatsimd_pose_goal goals[MOST_GOALS];
  float root[16];
  unsigned wanted; /* bits, in the order of want() */
  int layout;
} drawn_job;

static inline size_t computed_joints(const drawn_job *d) {
  return d->job.joint_count ? d->job.joint_count : d->of->joints;
}

enum { WANT_ALL = 0x3ff };

/* Lets a copy of the job write to `to`. It has as many of the results as `wanted` has bits. */
static inline quatsimd_pose_job want(const drawn_job *d, unsigned wanted, int layout, result *to) {
  quatsimd_pose_job job = d->job;
  const quatsimd_pose_out all = poses_out(&to->pose, layout, computed_joints(d));
  if (wanted & 1) job.local.rotations = all.rotations;
  if (wanted & 2) job.local.translations = all.translations;
  if (wanted & 4) job.local.scales = all.scales;
  if (wanted & 8) job.local.tracks = all.tracks;
  if (wanted & 16) job.model = to->model;
  if (wanted & 32) job.skinning = to->skinning;
  if (wanted & 64) job.root_rotation = to->step;
  if (wanted & 128) job.root_translation = to->step + 4;
  if (wanted & 256) job.event_count = &to->event_count;
  if (wanted & 512) job.events = to->events;
  else job.event_capacity = 0;
  return job;
}

/* ---- drawing ---- */

/* Draws a time near `base`, a time of the clip's ends in some round, or a time that is no number. */
static inline double draw_time(const quatsimd_clip *clip, double base, uint64_t *random) {
  const double start = quatsimd_clip_start(clip), duration = quatsimd_clip_duration(clip);
  const size_t how = draw_below(40, random);
  const double rounds = (double)draw_below(7, random) - 3;
  if (how == 0) return (double)NAN;
  if (how < 4) return start + rounds * duration;
  return base + between_numbers(-3, 3, random);
}

static inline float draw_weight(uint64_t *random) {
  static const float odd[] = {0, 1, 1, 1, 2, -1, (float)NAN, 0.5f, 1 - 0x1p-21f, 3};
  if (draw_below(200, random) == 0) return 7e4f;
  return draw_below(2, random) ? odd[draw_below(10, random)] : (float)between_numbers(0, 1.2, random);
}

static inline void draw_layer(drawn_job *d, size_t l, double base, uint64_t *random) {
  static const quatsimd_pose_mode modes[] = {QUATSIMD_POSE_MODE_AUTO, QUATSIMD_POSE_MODE_BLEND,
                                             QUATSIMD_POSE_MODE_OVER, QUATSIMD_POSE_MODE_OVER};
  const world *w = d->of;
  const int kind = d->kind[l] = draw_below(5, random) ? (int)draw_below(CLIPS, random) : HALF_TURN;
  const size_t m = draw_below(MOTIONS, random), mask = draw_below(5, random);
  quatsimd_pose_layer *layer = &d->layers[l];
  *layer = (quatsimd_pose_layer){.clip = w->clip[kind], .mask = mask < MASKS ? w->mask[mask] : NULL};
  layer->time = draw_time(layer->clip, base, random);
  layer->last_time = draw_below(6, random) ? layer->time + between_numbers(-1, 0.2, random)
                                           : draw_time(layer->clip, base, random);
  if (draw_below(12, random) == 0) layer->last_time = layer->time;
  if (kind == HALF_TURN && draw_below(2, random)) { /* nearly half a turn, forward or backward */
    const double pass = 0.97 * quatsimd_clip_duration(layer->clip), start = quatsimd_clip_start(layer->clip);
    layer->last_time = start, layer->time = start + pass;
    if (draw_below(2, random)) layer->time = start, layer->last_time = start + pass;
  }
  layer->wrap = (quatsimd_clip_wrap)draw_below(3, random);
  layer->weight = draw_weight(random);
  layer->mode = modes[draw_below(4, random)];
  if (kind == ADDITIVE)
    layer->mode = draw_below(2, random) ? QUATSIMD_POSE_MODE_ADD : QUATSIMD_POSE_MODE_AUTO;
  layer->track_mask = draw_below(3, random) ? NULL : w->track_mask;
  layer->motion = draw_below(3, random) ? w->motion[kind][m] : NULL;
  d->choice[l] = layer->motion ? &w->choice[kind][m] : NULL;
  if (layer->weight > 0 || layer->weight < 0 || draw_below(2, random)) return;
  layer->clip = NULL, layer->mode = (quatsimd_pose_mode)9, layer->wrap = (quatsimd_clip_wrap)7;
}

/* Draws a limb or a chain that aims. Some goals are left out: they have no weight. */
static inline void draw_goal(const world *w, quatsimd_pose_goal *goal, uint64_t *random) {
  int64_t chain[3];
  chain[0] = (int64_t)draw_below(w->joints, random);
  for (int i = 1; i < 3; i++) chain[i] = chain[i - 1] < 0 ? -1 : w->joint[chain[i - 1]].parent;
  const bool limb = chain[2] >= 0 && draw_below(2, random);
  *goal = (quatsimd_pose_goal){.kind = limb ? QUATSIMD_POSE_GOAL_REACH : QUATSIMD_POSE_GOAL_AIM,
                               .joint = (uint32_t)chain[0]};
  goal->middle = (uint32_t)(limb ? chain[1] : 0);
  goal->first = (uint32_t)(limb ? chain[2] : chain[1] >= 0 && draw_below(2, random) ? chain[1] : chain[0]);
  goal->weight = draw_below(2, random) ? 1 : (float)between_numbers(-0.5, 1.5, random);
  for (int c = 0; c < 3; c++) goal->target[c] = (float)between_numbers(-6, 6, random);
  if (draw_below(2, random)) draw_unit(goal->pole, 3, random);
  draw_unit(goal->axis, 3, random);
  goal->softness = draw_below(2, random) ? 0.1f : 0, goal->limit = draw_below(2, random) ? 0.4f : 0;
  if (draw_below(10, random) == 0) goal->weight = NAN;
}

/* Draws a root with scales and shear, and with a determinant that is not small. */
static inline void draw_root(float *root, quatsimd_matrix_layout layout, uint64_t *random) {
  memset(root, 0, 16 * sizeof *root);
  for (size_t row = 0; row < 3; row++)
    for (size_t column = 0; column < 4; column++) {
      const double diagonal = row == column ? 1 : 0, far = column == 3 ? 5 : 0.3;
      root[layout == QUATSIMD_MATRIX_3X4 ? 4 * row + column : 4 * column + row] =
          (float)(diagonal + between_numbers(-far, far, random));
    }
}

/* Makes the first layer one that a job may write as it is sampled, if nothing else changes the pose. */
static inline void draw_plain(drawn_job *d, uint64_t *random) {
  quatsimd_pose_layer *first = &d->layers[0];
  d->kind[0] = WALK, d->choice[0] = NULL;
  *first = (quatsimd_pose_layer){.clip = d->of->clip[WALK], .weight = 1};
  first->time = draw_time(first->clip, 0, random);
  d->job.layer_count = 1 + draw_below(2, random);
}

static inline void draw_job(const world *w, drawn_job *d, uint64_t *random) {
  static const double clocks[] = {0, 0, 0, 10, 3600, 86400, 31557600, -31557600}; /* seconds */
  memset(d, 0, sizeof *d);
  d->of = w;
  const double base = clocks[draw_below(8, random)];
  for (size_t l = 0; l < MOST_LAYERS; l++) draw_layer(d, l, base, random);
  for (size_t g = 0; g < MOST_GOALS; g++) draw_goal(w, &d->goals[g], random);
  quatsimd_pose_job *job = &d->job;
  *job = (quatsimd_pose_job){.struct_size = sizeof *job,
                             .layer_size = sizeof d->layers[0],
                             .goal_size = sizeof d->goals[0],
                             .event_size = sizeof(quatsimd_pose_event),
                             .skeleton = w->skeleton,
                             .layers = d->layers,
                             .goals = d->goals};
  job->layer_count = draw_below(MOST_LAYERS + 1, random);
  if (draw_below(8, random) == 0) draw_plain(d, random);
  job->joint_count = draw_below(3, random) ? 0 : 1 + draw_below(w->joints, random);
  job->layout = draw_below(2, random) ? QUATSIMD_MATRIX_3X4 : QUATSIMD_MATRIX_4X4;
  job->goal_count = draw_below(2, random) ? 0 : 1 + draw_below(MOST_GOALS, random);
  job->event_capacity = draw_below(2, random) ? MOST_EVENTS : draw_below(MOST_EVENTS, random);
  job->move_root = (int)draw_below(3, random) - 1;
  draw_root(d->root, job->layout, random);
  if (draw_below(2, random)) job->root = d->root;
  d->wanted = (unsigned)draw_below(WANT_ALL + 1, random);
  d->layout = (int)draw_below(LAYOUTS, random);
}

/* ---- evaluating ---- */

/* Evaluates jobs with scratch memory that ends where `scratch_end` is, as small as it may be. */
static inline void evaluate_jobs(quatsimd_pose_job *jobs, size_t count, unsigned char *scratch_end) {
  const size_t size = quatsimd_pose_scratch_size(jobs, count);
  quatsimd_pose_report report;
  assert_int_equal(quatsimd_pose_report_init(&report, sizeof report), QUATSIMD_OK);
  memset(scratch_end - size, 0xff, size);
  if (quatsimd_pose_evaluate(jobs, count, scratch_end - size, size, &report) != QUATSIMD_OK)
    fail_msg("job %zu, layer %zu, goal %zu: %s", report.job, report.layer, report.goal, report.error);
}

static inline size_t events_written(const drawn_job *d, unsigned wanted, const result *r) {
  if (~wanted & 768) return 0;
  return r->event_count < d->job.event_capacity ? r->event_count : d->job.event_capacity;
}

static inline bool same_event(const quatsimd_pose_event *a, const quatsimd_pose_event *b) {
  return a->layer == b->layer && memcmp(&a->weight, &b->weight, sizeof a->weight) == 0 &&
         a->name == b->name && memcmp(&a->time, &b->time, sizeof(double)) == 0 &&
         memcmp(&a->clock, &b->clock, sizeof(double)) == 0;
}

/* Returns true if all bytes of two results are the same, except gaps in the events that are written. */
static inline bool same_result(const drawn_job *d, unsigned wanted, const result *a, const result *b) {
  bool same = memcmp(a, b, offsetof(result, events)) == 0;
  const size_t events = same ? events_written(d, wanted, a) : 0;
  for (size_t e = 0; e < events; e++) same = same && same_event(&a->events[e], &b->events[e]);
  const size_t rest = sizeof *a->events * (MOST_EVENTS - events);
  return same && memcmp(&a->events[events], &b->events[events], rest) == 0;
}

#endif
