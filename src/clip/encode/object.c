#include "clip/encode/chain.h"

#include "clip/encode/sort.h"
#include "clip/encode/wanted.h"
#include "clip/sample/time.h"
#include "quatsimd/skeleton.h"

static affine product(const affine *a, const affine *b) {
  affine p;
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 4; c++)
      p.m[r][c] = (a->m[r][0] * b->m[0][c] + a->m[r][1] * b->m[1][c]) + a->m[r][2] * b->m[2][c];
    p.m[r][3] += a->m[r][3];
  }
  return p;
}

/* Makes translation times rotation times scale. The quaternion q may have any length but 0. */
static affine transform(const double q[4], const double t[3], const double s[3]) {
  const double n = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), x = q[0], y = q[1], z = q[2],
               w = q[3];
  const double r[3][3] = {{1 - n * (y * y + z * z), n * (x * y - z * w), n * (x * z + y * w)},
                          {n * (x * y + z * w), 1 - n * (x * x + z * z), n * (y * z - x * w)},
                          {n * (x * z - y * w), n * (y * z + x * w), 1 - n * (x * x + y * y)}};
  affine a;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) a.m[i][j] = r[i][j] * s[j];
    a.m[i][3] = t[i];
  }
  return a;
}

/* A joint's matrix in the clip minus that in the source. */
typedef struct offset {
  double m[3][4];
} offset;

/* Returns the spectral norm of the 3x3 part of `a`, or up to 1.1 % more: the root of the largest eigenvalue
 * of b. Newton's method starts above it, at the fourth root of the Frobenius norm of b^4. */
static double longest(const double (*a)[4]) {
  double b[3][3], trace = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) b[i][j] = a[0][i] * a[0][j] + a[1][i] * a[1][j] + a[2][i] * a[2][j];
  for (int i = 0; i < 3; i++) trace += b[i][i];
  if (!(trace > 0x1p-900)) return quatsimd_sqrt(trace);
  for (int i = 0; i < 9; i++) b[i / 3][i % 3] /= trace;
  double minor[3];
  for (int i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3)
    minor[i] = b[j][j] * b[k][k] - b[j][k] * b[k][j];
  const double minors = minor[0] + minor[1] + minor[2],
               determinant = b[0][0] * minor[0] + b[0][1] * (b[1][2] * b[2][0] - b[1][0] * b[2][2]) +
                             b[0][2] * (b[1][0] * b[2][1] - b[1][1] * b[2][0]);
  for (int power = 2; power <= 4; power *= 2) {
    double c[3][3];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) c[i][j] = b[i][0] * b[0][j] + b[i][1] * b[1][j] + b[i][2] * b[2][j];
    memcpy(b, c, sizeof b);
  }
  double sum = 0;
  for (int i = 0; i < 9; i++) sum += b[i / 3][i % 3] * b[i / 3][i % 3];
  double most = quatsimd_sqrt(quatsimd_sqrt(quatsimd_sqrt(sum)));
  for (int i = 0; i < 5; i++) {
    const double slope = (3 * most - 2) * most + minors,
                 value = ((most - 1) * most + minors) * most - determinant;
    if (slope > 0x1p-30 && value > 0) most -= value / slope;
  }
  return quatsimd_sqrt(trace) * quatsimd_sqrt(most);
}

/* Orders joints, parents first, in linear time. Climbs from each joint to the first ancestor in the order,
 * then adds the joints of this path. */
static quatsimd_status sort_joints(clip_skeleton *skeleton, clip_encoder *e) {
  const size_t joints = e->original->joint_count;
  const quatsimd_clip_joint *joint = e->original->joints;
  /* for each joint: 1 + the number of the joint from which the sort climbed to it; 0: not reached yet */
  size_t *from = quatsimd_take(&e->memory, joints + 1, sizeof *from), sorted = 0;
  skeleton->order = quatsimd_take(&e->memory, joints + 1, sizeof *skeleton->order);
  if (!from || !skeleton->order) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t j = 0; j < joints; j++) {
    int64_t at = (int64_t)j;
    for (; at >= 0 && from[at] == 0; at = joint[at].parent) {
      if (joint[at].parent < -1 || joint[at].parent >= (int64_t)joints)
        return clip_refuse(e->report, (size_t)at, QUATSIMD_CLIP_KIND_COUNT, CLIP_NOWHERE,
                           "the parent is not -1 or a joint's number");
      if (e->options->skeleton &&
          joint[at].parent != quatsimd_skeleton_parent(e->options->skeleton, (size_t)at))
        return clip_refuse(e->report, (size_t)at, QUATSIMD_CLIP_KIND_COUNT, CLIP_NOWHERE,
                           "the parent is not that of the skeleton");
      from[at] = j + 1;
      sorted++;
    }
    if (at >= 0 && from[at] == j + 1)
      return clip_refuse(e->report, (size_t)at, QUATSIMD_CLIP_KIND_COUNT, CLIP_NOWHERE,
                         "the joint is above itself: parents go round in a circle");
    size_t place = sorted;
    for (at = (int64_t)j; at >= 0 && from[at] == j + 1; at = joint[at].parent)
      skeleton->order[--place] = (size_t)at;
  }
  return QUATSIMD_OK;
}

/* Returns the length of the longest translation key, or the largest magnitude of scale keys' components.
 * Returns `none` if the curve has no keys. */
static double largest_key(const quatsimd_curve *curve, int kind, double none) {
  double most = curve->key_count ? 0 : none, v[CLIP_MOST_COMPONENTS];
  for (size_t k = 0; k < curve->key_count; k++) {
    quatsimd_curve_key(curve, kind, k, v);
    const double length = quatsimd_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (kind == QUATSIMD_CLIP_TRANSLATION && length > most) most = length;
    for (int i = 0; kind == QUATSIMD_CLIP_SCALE && i < 3; i++)
      most = v[i] > most ? v[i] : -v[i] > most ? -v[i] : most;
  }
  return most;
}

/* Sets `start`: the smallest bound of a joint and all joints below it. */
static void find_starts(const clip_skeleton *skeleton, const quatsimd_clip_source *source) {
  float *const start = skeleton->start;
  for (size_t j = 0; j < source->joint_count; j++) start[j] = skeleton->bound[j];
  for (size_t i = source->joint_count; i-- > 0;) { /* children first */
    const size_t j = skeleton->order[i];
    const int64_t parent = source->joints[j].parent;
    if (parent >= 0 && start[j] < start[parent]) start[parent] = start[j];
  }
}

/* Finds scale, stretch, span and reach of joints. A child's distance is its longest translation key. Where
 * the bound of points is larger than `start` of the joint that moves them, they count as so much nearer. */
static void find_reaches(const clip_skeleton *skeleton, const quatsimd_clip_source *source) {
  const size_t joints = source->joint_count;
  const float *const start = skeleton->start;
  for (size_t j = 0; j < joints; j++)
    skeleton->scale[j] = largest_key(&source->joints[j].scale, QUATSIMD_CLIP_SCALE, 1);
  for (size_t i = 0; i < joints; i++) { /* parents first */
    const int64_t parent = source->joints[skeleton->order[i]].parent;
    skeleton->stretch[skeleton->order[i]] =
        parent < 0 ? 1 : skeleton->stretch[parent] * skeleton->scale[parent];
  }
  for (size_t j = 0; j < joints; j++) skeleton->reach[j] = 0;
  for (size_t i = joints; i-- > 0;) {
    const size_t j = skeleton->order[i];
    const double own = clip_own_reach(skeleton, j);
    if (own > skeleton->reach[j]) skeleton->reach[j] = own;
    skeleton->span[j] = skeleton->reach[j];
    skeleton->reach[j] *= skeleton->scale[j];
    const int64_t parent = source->joints[j].parent;
    if (parent < 0) continue;
    const double reach =
        (largest_key(&source->joints[j].translation, QUATSIMD_CLIP_TRANSLATION, 0) + skeleton->reach[j]) *
        ((double)start[parent] / (double)start[j]);
    if (reach > skeleton->reach[parent]) skeleton->reach[parent] = reach;
  }
}

quatsimd_status quatsimd_object_skeleton(clip_skeleton *skeleton, clip_encoder *e) {
  const size_t joints = e->original->joint_count;
  const quatsimd_clip_options *options = e->options;
  *skeleton = (clip_skeleton){.bound = quatsimd_take(&e->memory, joints + 1, sizeof *skeleton->bound),
                              .distance = quatsimd_take(&e->memory, joints + 1, sizeof *skeleton->distance),
                              .asked = quatsimd_take(&e->memory, joints + 1, sizeof *skeleton->asked),
                              .start = quatsimd_take(&e->memory, joints + 1, sizeof *skeleton->start),
                              .reach = quatsimd_take(&e->memory, joints + 1, sizeof *skeleton->reach),
                              .scale = quatsimd_take(&e->memory, joints + 1, sizeof *skeleton->scale),
                              .span = quatsimd_take(&e->memory, joints + 1, sizeof *skeleton->span),
                              .stretch = quatsimd_take(&e->memory, joints + 1, sizeof *skeleton->stretch),
                              .factor = quatsimd_take(&e->memory, joints + 1, sizeof *skeleton->factor),
                              .worst = quatsimd_take(&e->memory, joints + 1, sizeof *skeleton->worst)};
  if (!skeleton->bound || !skeleton->distance || !skeleton->asked || !skeleton->start || !skeleton->reach ||
      !skeleton->scale || !skeleton->span || !skeleton->stretch || !skeleton->factor || !skeleton->worst)
    return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t j = 0; j < joints; j++) {
    const quatsimd_clip_joint *joint = &e->original->joints[j];
    skeleton->bound[j] = skeleton->asked[j] =
        clip_is_zero(joint->object_bound) ? options->object_bound : clip_least_bound(joint->object_bound);
    skeleton->distance[j] = clip_is_zero(joint->object_distance) ? options->object_distance
                                                                 : clip_least_bound(joint->object_distance);
  }
  const quatsimd_status status = sort_joints(skeleton, e);
  if (status != QUATSIMD_OK) return status;
  find_starts(skeleton, e->original);
  find_reaches(skeleton, e->original);
  for (size_t j = 0; j < joints && e->strategy->floats; j++) skeleton->start[j] = 0;
  return QUATSIMD_OK;
}

bool quatsimd_object_raise(const clip_skeleton *skeleton, clip_encoder *e, const bool *hard) {
  const size_t joints = e->original->joint_count;
  const double most = 0x1p+100;
  bool others = false, any = false;
  for (size_t i = joints; i-- > 0;) { /* children first */
    const size_t j = skeleton->order[i];
    const int64_t parent = e->original->joints[j].parent;
    const bool missed = !(skeleton->worst[j] <= (double)skeleton->bound[j]);
    /* other attempts are measured at other times, and errors far below the largest one are left out */
    if (missed)
      skeleton->bound[j] = skeleton->worst[j] < most ? (float)(1.05 * skeleton->worst[j]) : (float)most;
    e->exact[j] = e->exact[j] || missed || hard[j];
    any = any || e->exact[j], others = others || !e->exact[j];
    if (parent >= 0) e->exact[parent] = e->exact[parent] || e->exact[j];
  }
  find_starts(skeleton, e->original);
  find_reaches(skeleton, e->original);
  quatsimd_object_bounds(skeleton, e);
  return any && others;
}

static double at_most(double x, double most) { return x < most ? x : most; }
static double within(double x, double least, double most) { return x < least ? least : at_most(x, most); }

/* The range of curves' bounds, in which lengths do not overflow and sampling is accurate for angles. */
#define LEAST_BOUND 0x1p-100
#define MOST_LENGTH 0x1p+60
#define MOST_ANGLE 0.5

/* Returns the error of one curve that moves some point by the joint's `start`. */
static double bound_alone(const clip_skeleton *skeleton, int kind, size_t joint) {
  const double stretch = skeleton->stretch[joint] > 0 ? skeleton->stretch[joint] : 0x1p-60,
               displacement = (double)skeleton->start[joint] / stretch,
               reach = skeleton->reach[joint] > 0 ? skeleton->reach[joint] : 0x1p-60;
  if (kind == QUATSIMD_CLIP_TRANSLATION) return within(displacement, LEAST_BOUND, MOST_LENGTH);
  if (kind == QUATSIMD_CLIP_ROTATION) return within(displacement / reach, LEAST_BOUND, MOST_ANGLE);
  const double span = skeleton->span[joint] > 0 ? skeleton->span[joint] : 0x1p-60;
  return within(displacement / span, LEAST_BOUND, MOST_LENGTH);
}

void quatsimd_object_bounds(const clip_skeleton *skeleton, clip_encoder *e) {
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    for (size_t j = 0; j < e->original->joint_count; j++) e->bound[kind][j] = bound_alone(skeleton, kind, j);
}

bool quatsimd_object_adjust(const clip_skeleton *skeleton, clip_encoder *e, bool loosen) {
  bool changed = false;
  const double aim = 0.97, slowest = 0.3, fastest = loosen ? 1.5 : 1;
  double *const factor = skeleton->factor;
  for (size_t j = 0; j < e->original->joint_count; j++) factor[j] = fastest;
  for (size_t i = e->original->joint_count; i-- > 0;) { /* children first */
    const size_t j = skeleton->order[i];
    const int64_t parent = e->original->joints[j].parent;
    const double allowed = (double)skeleton->bound[j];
    if (skeleton->worst[j] * factor[j] > aim * allowed) factor[j] = aim * allowed / skeleton->worst[j];
    if (!(factor[j] > slowest)) factor[j] = slowest;
    if (parent >= 0) factor[parent] = at_most(factor[parent], factor[j]);
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
      const double before = e->bound[kind][j];
      e->bound[kind][j] = within(before * factor[j], LEAST_BOUND, bound_alone(skeleton, kind, j));
      changed = changed || e->bound[kind][j] != before;
    }
  }
  return changed;
}

/* ---- measuring ---- */

/* A joint at a frame of the source: its rotation relative to its parent, its rotation in model space now and
 * at the frame before, and its turn between the two, an axis times radians, as seen at either. */
typedef struct clip_spin {
  double rotation[4], model[4], before[4], was[3], is[3];
} clip_spin;

/* The state of a task. A slot keeps the joints' errors at one time. STEPS steps at a time are measured into
 * slots SLOT_FROM + 1 to SLOT_TO. The two slots before keep the two times before these steps. */
enum { SLOT_BEFORE, SLOT_FROM, STEPS = 2, SLOT_TO = SLOT_FROM + STEPS, SLOTS };
typedef struct object_work {
  float *q, *t, *s; /* the sampled pose */
  /* for each joint, at the time of a slot: its error or UNKNOWN, and its offset */
  double *error[SLOTS];
  offset *off[SLOTS];
  affine *found, *wanted; /* for each joint: in the clip; in the source, where no pose is kept */
  clip_wanted *kept;      /* poses of the source in this part */
  quatsimd_curve *truth[QUATSIMD_CLIP_JOINT_KIND_COUNT], *base[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  clip_progress *place[QUATSIMD_CLIP_JOINT_KIND_COUNT], *base_place[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  clip_progress *ahead; /* for each joint: the progress of its rotation at the next frame, and its spin */
  clip_spin *spin;
  size_t spun; /* the frame of `spin`, or SIZE_MAX */
  size_t frame;
  bool noted; /* the task of the part before has noted the errors of `frame` */
  /* for each joint: the largest error of its points so far, and the largest that is within the bound */
  double *worst, *within;
  double at[SLOTS]; /* the slots' times in the clip */
  quatsimd_clip_worst nearest;
  clip_chain_notes notes;
} object_work;

/* The parts of the frames. Each part is a task of its own. */
typedef struct object_parts {
  const clip_skeleton *skeleton;
  const clip_encoder *e;
  const quatsimd_clip *clip;
  bool between, coarsely, jumps;
  const bool *done; /* null, or for each frame: the clip was measured from there to the next frame before */
  const double *times; /* times between frames to measure, too */
  size_t count;
  object_work *part; /* results of each part: `worst` and `notes`; null `worst`: memory ran out */
} object_parts;

#define UNKNOWN (-1.0)   /* an error that is too small to matter and was not computed */
#define MARGIN 1.02      /* `longest` may be 1.1 % too large */
#define PEAK_MARGIN 1.15 /* and a peak between frames may add 1/8 */

/* True if the error of points at `distance`, times `margin`, is surely below `most`. Uses Frobenius norms,
 * which are cheap and never below the spectral norm. */
static bool surely_below(const offset *d, double distance, double most, double margin) {
  double turn = 0, away = 0, squares = 0;
  for (int r = 0; r < 3; r++) {
    turn += (d->m[r][0] * d->m[r][0] + d->m[r][1] * d->m[r][1]) + d->m[r][2] * d->m[r][2];
    away += d->m[r][3] * d->m[r][3];
  }
  const double left = most - margin * quatsimd_sqrt(away), farthest = margin * distance;
  if (!(left >= 0)) return false;
  if (farthest * farthest * turn <= left * left) return true;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) {
      const double b = d->m[0][i] * d->m[0][j] + d->m[1][i] * d->m[1][j] + d->m[2][i] * d->m[2][j];
      squares += i == j ? b * b : 2 * b * b;
    }
  return farthest * farthest * quatsimd_sqrt(squares) <= left * left;
}

/* Returns an upper bound of the error of points at `distance` from a joint. */
static double error_of(const offset *d, double distance) {
  double away = 0;
  for (int r = 0; r < 3; r++) away += d->m[r][3] * d->m[r][3];
  return quatsimd_sqrt(away) + distance * longest(d->m);
}

/* Loads a joint's sampled values. If the clip is additive, applies these to the values of its base. */
static void sampled_values(double value[QUATSIMD_CLIP_JOINT_KIND_COUNT][CLIP_MOST_COMPONENTS],
                           const clip_encoder *e, object_work *w, size_t joint, double time) {
  double base[QUATSIMD_CLIP_JOINT_KIND_COUNT][CLIP_MOST_COMPONENTS];
  for (size_t i = 0; i < 4; i++) value[QUATSIMD_CLIP_ROTATION][i] = w->q[4 * joint + i];
  for (size_t i = 0; i < 3; i++)
    value[QUATSIMD_CLIP_TRANSLATION][i] = w->t[3 * joint + i],
    value[QUATSIMD_CLIP_SCALE][i] = w->s[3 * joint + i];
  if (!e->base) return;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    quatsimd_curve_along(&w->base[kind][joint], kind, time, &w->base_place[kind][joint], base[kind]);
  double *const q = value[QUATSIMD_CLIP_ROTATION];
  quat64_multiply(q, base[QUATSIMD_CLIP_ROTATION], q);
  for (int i = 0; i < 3; i++)
    value[QUATSIMD_CLIP_TRANSLATION][i] += base[QUATSIMD_CLIP_TRANSLATION][i],
        value[QUATSIMD_CLIP_SCALE][i] *= base[QUATSIMD_CLIP_SCALE][i];
}

static affine in_model(const affine *pose, int64_t parent, double value[][CLIP_MOST_COMPONENTS]) {
  const affine own = transform(value[0], value[1], value[2]);
  return parent < 0 ? own : product(&pose[parent], &own);
}

/* Computes a joint's transform in the source, in model space. That of its parent is known. */
static void want_joint(const clip_encoder *e, object_work *w, affine *pose, size_t j, double time,
                       double clip_time) {
  double value[QUATSIMD_CLIP_JOINT_KIND_COUNT][CLIP_MOST_COMPONENTS];
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    const quatsimd_curve *truth = &w->truth[kind][j];
    quatsimd_curve_along(truth, kind, clip_holds(truth) ? clip_time : time, &w->place[kind][j], value[kind]);
  }
  pose[j] = in_model(pose, e->original->joints[j].parent, value);
}

/* The same in the clip. */
static void find_joint(const clip_encoder *e, object_work *w, size_t j, double time) {
  double value[QUATSIMD_CLIP_JOINT_KIND_COUNT][CLIP_MOST_COMPONENTS];
  sampled_values(value, e, w, j, time);
  w->found[j] = in_model(w->found, e->original->joints[j].parent, value);
}

/* True if sampling uses exactly this time, and not that of a frame near it. */
static bool is_sampled(const quatsimd_clip *clip, double clip_time) {
  clip_position p;
  quatsimd_clip_position_of(&p, clip, clip_time, QUATSIMD_CLIP_WRAP_CLAMP);
  return p.time == clip_time;
}

static void raise_worst(const object_parts *m, object_work *w, size_t j, int slot, double error) {
  const float ratio = (float)(error / (double)m->skeleton->asked[j]);
  if (!(error <= w->worst[j])) w->worst[j] = error;
  if (error > w->within[j] && error <= (double)m->skeleton->bound[j]) w->within[j] = error;
  if (!(ratio <= w->nearest.ratio)) w->nearest = (quatsimd_clip_worst){ratio, j, w->at[slot]};
  if (m->e->chain)
    quatsimd_chain_note(m->e->chain, &w->notes, w->frame, j, error / (double)m->skeleton->bound[j]);
}

/* Measures all joints at one time: `time` in the source, `clip_time` in the clip. `slot` gets the errors.
 * Curves that hold use `clip_time`, since their keys are settled. If sampling takes `clip_time` for a frame's
 * time, returns false and measures nothing. */
static bool measure_pose(const object_parts *m, object_work *w, double time, double clip_time, int slot) {
  const clip_encoder *e = m->e;
  const clip_skeleton *skeleton = m->skeleton;
  quatsimd_pose_out pose = {quatsimd_aos_out(w->q), quatsimd_aos_out(w->t), quatsimd_aos_out(w->s), NULL};
  if (clip_is_relative(e)) time = clip_time;
  if (!is_sampled(m->clip, clip_time)) return false; /* another call measures the frame */
  const quatsimd_pose_in rest = {quatsimd_aos(e->rest[0]), quatsimd_aos(e->rest[1]), quatsimd_aos(e->rest[2]),
                                 NULL};
  quatsimd_clip_sample(m->clip, &pose, e->rest[0] ? &rest : NULL, clip_time, QUATSIMD_CLIP_WRAP_CLAMP, 0);
  w->at[slot] = clip_time;
  bool known;
  affine *wanted = clip_wanted_find(w->kept, time, clip_time, &known);
  if (!wanted) wanted = w->wanted;
  for (size_t i = 0; i < e->original->joint_count; i++) {
    const size_t j = skeleton->order[i];
    if (!known) want_joint(e, w, wanted, j, time, clip_time);
    find_joint(e, w, j, time);
    offset *off = &w->off[slot][j];
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++) off->m[r][c] = w->found[j].m[r][c] - wanted[j].m[r][c];
    const double distance = (double)skeleton->distance[j];
    w->error[slot][j] = UNKNOWN;
    if (w->noted || surely_below(off, distance, w->within[j], m->between ? PEAK_MARGIN : MARGIN)) continue;
    w->error[slot][j] = error_of(off, distance);
    raise_worst(m, w, j, slot, w->error[slot][j]);
  }
  return true;
}

/* Measures all joints at a frame. An additive clip that is sampled at a frame's time in the source, slightly
 * later than its time in the clip, has jumped there. */
static void measure_frame(const object_parts *m, object_work *w, size_t frame, int slot) {
  const double time = clip_grid_time(&m->e->grid, frame), nominal = clip_grid_nominal(&m->e->grid, frame);
  measure_pose(m, w, time, nominal, slot);
  if (m->jumps && clip_is_relative(m->e) && time > nominal) measure_pose(m, w, time, time, slot);
}

/* Measures the peaks of a joint's error near slots `first` to SLOT_TO - 1. Slot first - 1 is measured. */
static void measure_peaks(const object_parts *m, object_work *w, size_t j, int first) {
  for (int q = first; q < SLOT_TO; q++) {
    if (w->error[q][j] == UNKNOWN) continue; /* this error, even with a peak, is too small to matter */
    for (int i = q - 1; i <= q + 1; i += 2)
      if (w->error[i][j] == UNKNOWN)
        w->error[i][j] = error_of(&w->off[i][j], (double)m->skeleton->distance[j]);
    const double peak = clip_peak(w->error[q - 1][j], w->error[q][j], w->error[q + 1][j]);
    if (peak >= 0) raise_worst(m, w, j, q, peak);
  }
}

/* Prepares a task that begins at `frame`. False if memory runs out. */
static bool take_work(object_work *w, quatsimd_memory *memory, const clip_encoder *e, size_t joints,
                      size_t frame) {
  const double exact = clip_grid_time(&e->grid, frame), nominal = clip_grid_nominal(&e->grid, frame),
               time = exact < nominal ? exact : nominal;
  w->q = quatsimd_take(memory, joints + 1, 4 * sizeof(float));
  w->t = quatsimd_take(memory, joints + 1, 3 * sizeof(float));
  w->s = quatsimd_take(memory, joints + 1, 3 * sizeof(float));
  w->found = quatsimd_take(memory, joints + 1, sizeof *w->found);
  w->wanted = quatsimd_take(memory, joints + 1, sizeof *w->wanted);
  w->spun = SIZE_MAX;
  bool good = w->q && w->t && w->s && w->found && w->wanted;
  w->ahead = quatsimd_take(memory, joints + 1, sizeof *w->ahead);
  w->spin = quatsimd_take(memory, joints + 1, sizeof *w->spin);
  good = good && w->ahead && w->spin;
  for (int i = 0; i < SLOTS; i++) {
    w->error[i] = quatsimd_take(memory, joints + 1, sizeof *w->error[i]);
    w->off[i] = quatsimd_take(memory, joints + 1, sizeof *w->off[i]);
    good = good && w->error[i] && w->off[i];
  }
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    w->truth[kind] = quatsimd_take(memory, joints + 1, sizeof *w->truth[kind]);
    w->place[kind] = quatsimd_take(memory, joints + 1, sizeof *w->place[kind]);
    good = good && w->truth[kind] && w->place[kind];
    if (e->base) {
      w->base[kind] = quatsimd_take(memory, joints + 1, sizeof *w->base[kind]);
      w->base_place[kind] = quatsimd_take(memory, joints + 1, sizeof *w->base_place[kind]);
      good = good && w->base[kind] && w->base_place[kind];
    }
    for (size_t j = 0; j < joints && good; j++) {
      const clip_truth truth = quatsimd_encode_truth(e, kind, j);
      w->truth[kind][j] = truth.curve, w->place[kind][j] = quatsimd_curve_start(&truth.curve, time);
      if (kind == QUATSIMD_CLIP_ROTATION) w->ahead[j] = quatsimd_curve_start(&truth.curve, exact);
      if (!e->base) continue;
      w->base[kind][j] = truth.base, w->base_place[kind][j] = quatsimd_curve_start(&truth.base, time);
    }
  }
  return good;
}

static bool is_earlier(const void *a, const void *b) { return *(const double *)a < *(const double *)b; }

/* Collects, in order, the key times of curves that have keys between frames, and the middles of their pieces.
 * Leaves out some of very many times, so that the time to measure is linear in joints. They are the same in
 * all attempts. */
static quatsimd_status other_times(clip_encoder *e, double **times, size_t *count) {
  enum { FOR_A_FRAME = 4 };
  const size_t curves = QUATSIMD_CLIP_JOINT_KIND_COUNT * e->source->joint_count;
  size_t keys = 0, most = e->grid.frames, n = 0;
  for (int pass = 0; pass < 2; pass++) { /* pass 0 counts, pass 1 copies */
    for (size_t i = 0; i < curves; i++) {
      const quatsimd_curve *curve = clip_any_curve(e->source, i);
      if (curve->key_count < 2 || quatsimd_curve_fits(curve, &e->grid)) continue;
      const clip_truth truth = quatsimd_encode_truth(e, (int)(i % QUATSIMD_CLIP_JOINT_KIND_COUNT),
                                                     i / QUATSIMD_CLIP_JOINT_KIND_COUNT);
      const bool pieces = !clip_is_straight(&truth) && !clip_holds(curve);
      if (pass) memcpy(*times + n, curve->times, curve->key_count * sizeof **times), n += curve->key_count;
      for (size_t k = 1; pass && pieces && k < curve->key_count; k++)
        (*times)[n++] = curve->times[k - 1] + (curve->times[k] - curve->times[k - 1]) / 2;
      keys += curve->key_count * (1 + pieces);
      if (curve->key_count > most) most = curve->key_count;
    }
    if (!pass && !(*times = quatsimd_take(&e->lasting, keys + 1, sizeof **times)))
      return QUATSIMD_ERROR_NO_MEMORY;
  }
  quatsimd_sort(*times, n, sizeof **times, is_earlier);
  *count = 0;
  for (size_t i = 0; i < n; i++)
    if (i == 0 || (*times)[i] != (*times)[*count - 1]) (*times)[(*count)++] = (*times)[i];
  const size_t enough = FOR_A_FRAME * most, every = enough > 0 ? *count / enough + 1 : 1;
  n = 0;
  for (size_t i = 0; i < *count; i += every) (*times)[n++] = (*times)[i];
  *count = n;
  return QUATSIMD_OK;
}

static bool any_holds(const quatsimd_clip_source *source) {
  for (size_t i = 0; source && i < QUATSIMD_CLIP_JOINT_KIND_COUNT * source->joint_count; i++)
    if (clip_holds(clip_any_curve(source, i))) return true;
  return false;
}

/* Moves w->spin to a frame. Returns the fastest turn of a joint in model space since the frame before, in
 * radians or up to 12 % more, at the first or last moment. Between frames joints turn about one axis each. */
static double turn_to(const object_parts *m, object_work *w, size_t frame) {
  static const clip_spin none = {.model = {0, 0, 0, 1}, .before = {0, 0, 0, 1}};
  double most = 0;
  for (size_t i = 0; i < m->clip->joints; i++) {
    const size_t j = m->skeleton->order[i];
    const int64_t parent = m->e->original->joints[j].parent;
    const clip_spin *up = parent < 0 ? &none : &w->spin[parent];
    const quatsimd_curve *truth = &w->truth[QUATSIMD_CLIP_ROTATION][j];
    clip_spin *spin = &w->spin[j];
    double to[CLIP_MOST_COMPONENTS], turn[CLIP_MOST_COMPONENTS], back[4], was[3], is[3];
    quatsimd_curve_along(truth, QUATSIMD_CLIP_ROTATION, clip_grid_time(&m->e->grid, frame), &w->ahead[j], to);
    quat64_conjugate(back, spin->rotation);
    quat64_multiply(turn, to, back);
    const double sine = chain_length(turn),
                 angle =
                     2.23 * quatsimd_sqrt(quatsimd_value_chord2(QUATSIMD_CLIP_ROTATION, to, spin->rotation));
    const double factor = clip_holds(truth) || !(sine > 0) ? 0 : (turn[3] < 0 ? -angle : angle) / sine;
    for (int c = 0; c < 3; c++) turn[c] *= factor;
    memcpy(spin->before, spin->model, sizeof spin->before);
    quat64_multiply(spin->model, up->model, to);
    quat64_rotate(was, up->before, turn), quat64_rotate(is, up->model, turn);
    for (int c = 0; c < 3; c++) spin->was[c] = up->was[c] + was[c], spin->is[c] = up->is[c] + is[c];
    const double length = chain_length(spin->was), after = chain_length(spin->is);
    most = length > most ? length : most, most = after > most ? after : most;
    memcpy(spin->rotation, to, sizeof spin->rotation);
  }
  return most;
}

enum { COARSE = 8 }; /* the most groups of steps of CLIP_MEASURE_COARSELY */

/* Returns the number of groups of steps from `frame` to the next: one, or more where joints turn far. It is
 * the same in all attempts. */
static int groups_from(const object_parts *m, object_work *w, size_t frame) {
  enum { MOST = 128 };
  uint8_t *const groups = &m->skeleton->groups[frame];
  if (*groups > 0) return *groups;
  if (w->spun != frame) turn_to(m, w, frame);
  const double turn = turn_to(m, w, frame + 1);
  w->spun = frame + 1;
  *groups = turn < 0.5        ? 1
            : 2 * turn < MOST ? (uint8_t)((int)(2 * turn) + 2)
                              : MOST; /* four steps for each radian */
  return *groups;
}

/* Moves the last two slots to SLOT_BEFORE and SLOT_FROM. */
static void keep_last(object_work *w) {
  for (int slot = SLOT_BEFORE; slot <= SLOT_FROM; slot++) {
    double *const error = w->error[slot];
    w->at[slot] = w->at[slot + STEPS];
    offset *const off = w->off[slot];
    w->error[slot] = w->error[slot + STEPS], w->error[slot + STEPS] = error;
    w->off[slot] = w->off[slot + STEPS], w->off[slot + STEPS] = off;
  }
}

/* Measures errors from `frame` to the next frame: in two steps, or in more where joints turn far. A parabola
 * through three steps gives the peak between them. Peaks add at most 1 %, so they are left out if sampling
 * takes a step for a frame. */
static void measure_between(const object_parts *m, object_work *w, size_t frame, const double *others,
                            size_t count) {
  const int all = groups_from(m, w, frame), groups = m->coarsely && all > COARSE ? COARSE : all;
  const clip_grid *grid = &m->e->grid;
  const double from = clip_grid_time(grid, frame), to = clip_grid_time(grid, frame + 1), length = to - from;
  const double at = clip_grid_nominal(grid, frame), end = clip_grid_nominal(grid, frame + 1),
               shown = end - at;
  const bool smooth = count == 0;
  double before = m->jumps ? 0x1p-10 : 0; /* from the last step to the next frame, as part of the interval */
  while (m->jumps && before < 0.125 && !is_sampled(m->clip, end - before * shown)) before *= 2;
  /* known: slots up to SLOT_FROM are measured; whole: so are the next four */
  bool known = smooth, whole = smooth;
  for (int step = 1; step <= STEPS * groups; step++) {
    const double left = step < STEPS * groups ? 1 - (double)step / (STEPS * groups) : before;
    const int slot = SLOT_FROM + 1 + (step - 1) % STEPS;
    for (; count > 0 && *others < to - left * length; others++, count--)
      measure_pose(m, w, *others, at + shown * ((*others - from) / length), slot);
    if (!measure_pose(m, w, to - left * length, end - left * shown, slot)) whole = false;
    if (slot < SLOT_TO) continue;
    for (size_t j = 0; j < m->clip->joints && known && whole; j++)
      measure_peaks(m, w, j, step > STEPS ? SLOT_FROM : SLOT_FROM + 1);
    known = whole, whole = smooth;
    if (step < STEPS * groups) keep_last(w);
  }
  for (; count > 0; others++, count--)
    measure_pose(m, w, *others, at + shown * ((*others - from) / length), SLOT_TO);
  if (m->jumps) measure_frame(m, w, frame + 1, SLOT_TO);
  keep_last(w);
}

static void measure_part(void *data, size_t number) {
  const object_parts *m = data;
  const clip_grid *grid = &m->e->grid;
  const size_t first = CLIP_PART * number, end = clip_part_end(m->e, number);
  quatsimd_memory memory = {.allocator = m->e->memory.allocator};
  object_work *w = &m->part[number];
  const quatsimd_curve others = {.key_count = m->count, .times = m->times};
  size_t next = quatsimd_curve_start(&others, clip_grid_time(grid, first)).key;
  if (!take_work(w, &memory, m->e, m->clip->joints, first)) w->worst = NULL;
  bool ready = false; /* this task has measured the interval before f */
  for (size_t f = first; f < end && w->worst; f++) {
    const double from = clip_grid_time(grid, f);
    if (m->between && m->done && m->done[f]) {
      ready = false;
      continue;
    }
    w->frame = f;
    w->noted = m->between && !ready && f > 0;
    if (!m->between || !ready) measure_frame(m, w, f, SLOT_FROM);
    w->noted = false;
    ready = true;
    if (!m->between || f + 1 == grid->frames) continue;
    while (next < m->count && m->times[next] <= from) next++;
    const size_t other = next;
    while (next < m->count && m->times[next] < clip_grid_time(grid, f + 1)) next++;
    measure_between(m, w, f, m->times + other, next - other);
  }
  quatsimd_release(&memory, NULL);
}

/* Takes memory for poses of the source: three for each frame, which is enough where joints do not turn far,
 * within MOST_KEPT bytes. */
static bool keep_poses(clip_skeleton *skeleton, clip_encoder *e, size_t joints, size_t parts) {
  enum { MOST_KEPT = 1 << 23, FOR_A_FRAME = 3 };
  const size_t most = MOST_KEPT / (parts * (joints + 1) * sizeof(affine));
  skeleton->wanted = quatsimd_take(&e->lasting, parts, sizeof *skeleton->wanted);
  for (size_t i = 0; skeleton->wanted && i < parts; i++) {
    const size_t some = FOR_A_FRAME * (clip_part_end(e, i) - CLIP_PART * i);
    if (!clip_wanted_take(&skeleton->wanted[i], &e->lasting, joints, some < most ? some : most)) return false;
  }
  return skeleton->wanted != NULL;
}

/* Collects the results of all parts. False if memory ran out in a part. */
static bool take_parts(object_parts *m, clip_skeleton *skeleton, clip_encoder *e, size_t parts) {
  bool good = true;
  for (size_t j = 0; j < m->clip->joints; j++) skeleton->worst[j] = m->done ? e->chain->joint[j].held : 0;
  e->report->nearest_object = (quatsimd_clip_worst){0};
  for (size_t i = 0; i < parts && good; i++) {
    const object_work *w = &m->part[i];
    good = w->worst != NULL;
    if (w->nearest.ratio > e->report->nearest_object.ratio) e->report->nearest_object = w->nearest;
    for (size_t j = 0; j < m->clip->joints && good; j++)
      if (!(w->worst[j] <= skeleton->worst[j])) skeleton->worst[j] = w->worst[j];
    if (good && e->chain) quatsimd_chain_take(e->chain, &w->notes, w->within, m->clip->joints, m->between);
  }
  return good;
}

quatsimd_status quatsimd_object_measure(clip_skeleton *skeleton, clip_encoder *e, const quatsimd_clip *clip,
                                        clip_measured where, double *ratio) {
  const size_t frames = e->grid.frames, joints = clip->joints, parts = clip_parts(e);
  const bool between = where != CLIP_MEASURE_FRAMES, known = between && skeleton->held;
  object_parts m = {.skeleton = skeleton,
                    .e = e,
                    .clip = clip,
                    .between = between,
                    .coarsely = where == CLIP_MEASURE_COARSELY,
                    .done = e->chain && between ? e->chain->done : NULL};
  quatsimd_status status = QUATSIMD_OK;
  m.jumps = any_holds(e->original) || any_holds(e->base); /* errors can grow until just before a jump */
  if (between && !skeleton->times) status = other_times(e, &skeleton->times, &skeleton->time_count);
  if (status != QUATSIMD_OK) return status;
  m.times = skeleton->times, m.count = between ? skeleton->time_count : 0;
  m.part = quatsimd_take(&e->memory, parts, sizeof *m.part);
  double *const worst = quatsimd_take(&e->memory, 3 * parts * joints + 1, sizeof *worst);
  float *const over = quatsimd_take(&e->memory, frames + parts, sizeof *over);
  if (!skeleton->groups) skeleton->groups = quatsimd_take(&e->lasting, frames, 1);
  if (!m.part || !worst || !over || !skeleton->groups ||
      (!skeleton->wanted && !keep_poses(skeleton, e, joints, parts)))
    return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t i = 0; i < parts; i++) {
    const size_t first = CLIP_PART * i, count = clip_part_end(e, i) - first;
    double *const of_part = worst + 3 * joints * i;
    m.part[i].kept = &skeleton->wanted[i];
    m.part[i].worst = of_part, m.part[i].within = of_part + joints;
    m.part[i].notes = (clip_chain_notes){first, count, over + first + i, of_part + 2 * joints};
    for (size_t j = 0; j < joints && known; j++) of_part[j] = of_part[joints + j] = skeleton->worst[j];
    if (known) m.part[i].nearest = e->report->nearest_object;
  }
  clip_run(e, measure_part, &m, parts);
  if (!take_parts(&m, skeleton, e, parts)) return QUATSIMD_ERROR_NO_MEMORY;
  *ratio = 0;
  e->report->worst_object = 0;
  for (size_t j = 0; j < joints; j++) {
    if ((float)skeleton->worst[j] > e->report->worst_object)
      e->report->worst_object = (float)skeleton->worst[j];
    if (!(skeleton->worst[j] <= *ratio * (double)skeleton->bound[j]))
      *ratio = skeleton->worst[j] / (double)skeleton->bound[j];
  }
  skeleton->held = !between && *ratio <= 1;
  for (size_t f = 0; f < frames; f++) skeleton->far = skeleton->far || skeleton->groups[f] > COARSE;
  return QUATSIMD_OK;
}
