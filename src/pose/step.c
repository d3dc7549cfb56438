/* Computes the movement of a character in a step of time, and the events that its layers pass. */
#include "clip/sample/events.h"
#include "core/quat64.h"
#include "pose/block.h"
#include "pose/job.h"
#include "pose/motion.h"
#include "pose/operands.h"

/* The weighted sum of movements, as quatsimd_pose_blend makes it of the joints of poses. */
typedef struct movements {
  pose_rigid sum;
  double weight;
} movements;

static void mix_movement(movements *to, const pose_rigid *x, double w) {
  const double turn = quat64_dot(to->sum.q, x->q) < 0 ? -w : w;
  for (int c = 0; c < 4; c++) to->sum.q[c] += turn * x->q[c];
  for (int c = 0; c < 3; c++) to->sum.t[c] += w * x->t[c];
  to->weight += w;
}

/* Gives what is left of the weight to `rest`. */
static pose_rigid finish_movement(movements *of, const pose_rigid *rest) {
  if (of->weight < POSE_ENOUGH) mix_movement(of, rest, 1 - of->weight);
  quat64_normalise_any(of->sum.q);
  for (int c = 0; c < 3; c++) of->sum.t[c] /= of->weight > 1 ? of->weight : 1;
  return of->sum;
}

/* Returns the joint of the first layer that has root motion, or SIZE_MAX. */
static size_t moving_joint(const quatsimd_pose_job *job) {
  for (size_t l = 0; l < job->layer_count; l++) {
    const quatsimd_pose_layer *layer = pose_layer_at(job, l);
    if (pose_counts(layer) && layer->motion) return layer->motion->joint;
  }
  return SIZE_MAX;
}

/* Adds the layer's movement to the sum. Without root motion it stands still, and counts with the weight of
 * `joint`. */
static void mix_layer_movement(movements *to, const quatsimd_pose_job *job, const quatsimd_pose_layer *layer,
                               size_t joint) {
  pose_rigid x = {{0, 0, 0, 1}, {0, 0, 0}};
  if (layer->motion) joint = layer->motion->joint;
  float w = pose_weight(layer->weight, false);
  if (layer->mask && joint < pose_joints_of(job)) w *= pose_weight(layer->mask[joint], false);
  if (!(w > 0)) return;
  if (layer->motion)
    x = quatsimd_pose_movement(layer->motion, layer->clip, pose_last_time(job, layer), layer->time,
                               layer->wrap);
  mix_movement(to, &x, (double)w);
}

static bool has_mode(const quatsimd_pose_layer *layer, quatsimd_pose_mode mode) {
  return pose_counts(layer) && pose_mode_of(layer) == mode;
}

static pose_rigid find_step(const quatsimd_pose_job *job) {
  const pose_rigid none = {{0, 0, 0, 1}, {0, 0, 0}};
  const size_t joint = moving_joint(job);
  movements blended = {{{0}, {0}}, 0};
  if (joint == SIZE_MAX) return none;
  for (size_t l = 0; l < job->layer_count; l++) {
    const quatsimd_pose_layer *layer = pose_layer_at(job, l);
    if (has_mode(layer, QUATSIMD_POSE_MODE_BLEND)) mix_layer_movement(&blended, job, layer, joint);
  }
  pose_rigid step = finish_movement(&blended, &none);
  for (size_t l = 0; l < job->layer_count; l++) {
    const quatsimd_pose_layer *layer = pose_layer_at(job, l);
    movements over = {{{0}, {0}}, 0};
    if (!has_mode(layer, QUATSIMD_POSE_MODE_OVER)) continue;
    mix_layer_movement(&over, job, layer, joint);
    step = finish_movement(&over, &step);
  }
  return step;
}

/* Multiplies an affine matrix by a movement. Each row of the matrix is rotated back. */
static void move_root(float to[QUATSIMD_MATRIX_4X4], const float *root, quatsimd_matrix_layout layout,
                      const pose_rigid *step) {
  const size_t row = layout == QUATSIMD_MATRIX_3X4 ? 4 : 1, column = layout == QUATSIMD_MATRIX_3X4 ? 1 : 4;
  double back[4];
  quat64_conjugate(back, step->q);
  for (size_t r = 0; r < 3; r++) {
    double v[3];
    for (size_t c = 0; c < 3; c++) v[c] = root[r * row + c * column];
    to[r * row + 3 * column] = (float)(pose_dot3(v, step->t) + root[r * row + 3 * column]);
    quat64_rotate(v, back, v);
    for (size_t c = 0; c < 3; c++) to[r * row + c * column] = (float)v[c];
  }
  for (size_t c = 0; layout == QUATSIMD_MATRIX_4X4 && c < 4; c++) to[4 * c + 3] = c == 3;
}

const float *quatsimd_pose_step(const quatsimd_pose_job *job, float moved[QUATSIMD_MATRIX_4X4]) {
  /* without matrices and goals the root is not read, as its layout may be unknown */
  const bool moves = job->move_root && job->root && (job->model || job->skinning || job->goal_count > 0);
  if (!job->root_rotation && !job->root_translation && !moves) return job->root;
  pose_rigid step = find_step(job);
  if (step.q[3] < 0) quat64_negate(step.q);
  for (int c = 0; job->root_rotation && c < 4; c++) job->root_rotation[c] = clip_number((float)step.q[c]);
  for (int c = 0; job->root_translation && c < 3; c++)
    job->root_translation[c] = clip_number((float)step.t[c]);
  if (moves) move_root(moved, job->root, job->layout, &step);
  return moves ? moved : job->root;
}

/* The members of events that elements of jobs share with those of clips. */
enum { EVENT_AT = offsetof(quatsimd_pose_event, name) };
_Static_assert(offsetof(quatsimd_pose_event, time) - EVENT_AT == offsetof(quatsimd_clip_event, time) &&
                   offsetof(quatsimd_pose_event, clock) - EVENT_AT == offsetof(quatsimd_clip_event, clock),
               "events of jobs have the members of events of clips");

void quatsimd_pose_events(const quatsimd_pose_job *job) {
  size_t count = 0;
  for (size_t l = 0; l < job->layer_count; l++) {
    const quatsimd_pose_layer *layer = pose_layer_at(job, l);
    if (!pose_counts(layer)) continue;
    const size_t left = count < job->event_capacity ? job->event_capacity - count : 0;
    char *const to = left ? (char *)job->events + count * job->event_size : NULL;
    const quatsimd_pose_event own = {.layer = l, .weight = layer->weight};
    const size_t passed =
        quatsimd_clip_write_events(layer->clip, to ? to + EVENT_AT : NULL, job->event_size, left,
                                   pose_last_time(job, layer), layer->time, layer->wrap);
    for (size_t i = 0; to && i < left && i < passed; i++) {
      char *const element = to + i * job->event_size;
      memcpy(element, &own, EVENT_AT);
      memset(element + sizeof own, 0, job->event_size - sizeof own);
    }
    count = passed < SIZE_MAX - count ? count + passed : SIZE_MAX;
  }
  *job->event_count = count;
}
