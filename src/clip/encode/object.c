#include "clip/encode/object.h"

#include "core/arithmetic.h"
#include "clip/sample/open.h"

#define square_root __builtin_sqrt

typedef struct affine {
  double m[3][4]; /* the last column is where the origin goes */
} affine;

static affine product(const affine *a, const affine *b) {
  affine p;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++)
      p.m[r][c] = ((a->m[r][0] * b->m[0][c] + a->m[r][1] * b->m[1][c]) + a->m[r][2] * b->m[2][c]) +
                  (c == 3 ? a->m[r][3] : 0);
  return p;
}

/* Translation, rotation (of any length but 0) and scale, in this order from the left. */
static affine transform(const double *q, const double *t, const double *s) {
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

/* No vector of length 1 becomes longer: the eighth root of the Frobenius norm of B^4, B = A^T A, at most 8
 * % too much, and only 4 % where A is the difference of two rotations. */
static double longest(double (*a)[4]) {
  double b[3][3], trace = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) b[i][j] = a[0][i] * a[0][j] + a[1][i] * a[1][j] + a[2][i] * a[2][j];
  for (int i = 0; i < 3; i++) trace += b[i][i];
  if (!(trace > 0x1p-900)) return square_root(trace);
  for (int i = 0; i < 9; i++) b[i / 3][i % 3] /= trace;
  for (int power = 2; power <= 4; power *= 2) {
    double c[3][3];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) c[i][j] = b[i][0] * b[0][j] + b[i][1] * b[1][j] + b[i][2] * b[2][j];
    memcpy(b, c, sizeof b);
  }
  double sum = 0;
  for (int i = 0; i < 9; i++) sum += b[i / 3][i % 3] * b[i / 3][i % 3];
  return square_root(trace) * square_root(square_root(square_root(square_root(sum))));
}

/* From each joint up to the first one that has its place, then places for all on the way. Nothing is
 * climbed twice, so that time is linear, whatever the joints' order. */
static quatsimd_status sort_joints(clip_skeleton *skeleton, quatsimd_memory *memory,
                                   quatsimd_clip_report *report) {
  const size_t joints = skeleton->source->joints;
  const quatsimd_clip_joint *joint = skeleton->source->joint;
  /* 1 + the joint that one was climbed to from; 0: it was not yet */
  size_t *from = quatsimd_take(memory, joints + 1, sizeof *from), sorted = 0;
  skeleton->order = quatsimd_take(memory, joints + 1, sizeof *skeleton->order);
  if (!from || !skeleton->order) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t j = 0; j < joints; j++) {
    int64_t at = (int64_t)j;
    for (; at >= 0 && from[at] == 0; at = joint[at].parent) {
      if (joint[at].parent < -1 || joint[at].parent >= (int64_t)joints)
        return clip_refuse(report, (size_t)at, QUATSIMD_CLIP_KINDS, CLIP_NOWHERE,
                           "the parent is not -1 or a joint's number");
      from[at] = j + 1;
      sorted++;
    }
    if (at >= 0 && from[at] == j + 1) /* on the way already */
      return clip_refuse(report, (size_t)at, QUATSIMD_CLIP_KINDS, CLIP_NOWHERE,
                         "the joint is above itself: parents go round in a circle");
    size_t place = sorted;
    for (at = (int64_t)j; at >= 0 && from[at] == j + 1; at = joint[at].parent)
      skeleton->order[--place] = (size_t)at;
  }
  return QUATSIMD_OK;
}

/* What a joint's values are: its own, or those of an additive clip on its base. */
static affine local_transform(const clip_skeleton *skeleton, size_t joint, double time,
                              double (*value)[CLIP_MOST_COMPONENTS]) {
  affine own;
  if (!skeleton->base) return transform(value[0], value[1], value[2]);
  double base[QUATSIMD_CLIP_KINDS][CLIP_MOST_COMPONENTS], q[4], t[3], s[3];
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    quatsimd_curve curve = *clip_curve(&skeleton->base->joint[joint], kind);
    if (skeleton->first_keys && curve.keys > 1) curve.keys = 1;
    quatsimd_curve_at(&curve, kind, time, 0, base[kind]);
  }
  const double *a = base[0], *b = value[0];
  q[0] = (a[3] * b[0] + a[0] * b[3]) + (a[1] * b[2] - a[2] * b[1]);
  q[1] = (a[3] * b[1] + a[1] * b[3]) + (a[2] * b[0] - a[0] * b[2]);
  q[2] = (a[3] * b[2] + a[2] * b[3]) + (a[0] * b[1] - a[1] * b[0]);
  q[3] = (a[3] * b[3] - a[0] * b[0]) - (a[1] * b[1] + a[2] * b[2]);
  for (int i = 0; i < 3; i++) t[i] = base[1][i] + value[1][i], s[i] = base[2][i] * value[2][i];
  own = transform(q, t, s);
  return own;
}

static double largest(const double *v) {
  double most = 0;
  for (int i = 0; i < 3; i++) most = v[i] > most ? v[i] : -v[i] > most ? -v[i] : most;
  return most;
}

/* A joint moves its own points and its children's, which are as far away as their translations say, at any
 * key. */
static void find_reaches(const clip_skeleton *skeleton) {
  const size_t joints = skeleton->source->joints;
  for (size_t j = 0; j < joints; j++) skeleton->reach[j] = (double)skeleton->distance[j];
  for (size_t i = joints; i-- > 0;) {
    const size_t j = skeleton->order[i];
    const int64_t parent = skeleton->source->joint[j].parent;
    if (parent < 0) continue;
    const quatsimd_curve *translation = &skeleton->source->joint[j].translation,
                         *scale = &skeleton->source->joint[parent].scale;
    const quatsimd_curve *base = skeleton->base ? &skeleton->base->joint[j].translation : NULL;
    double away = 0, farthest = 0, stretch = scale->keys ? 0 : 1, value[CLIP_MOST_COMPONENTS];
    for (size_t k = 0; k < translation->keys; k++) {
      quatsimd_curve_key(translation, QUATSIMD_CLIP_TRANSLATION, k, value);
      away = largest(value) * 1.7320508;
      if (away > farthest) farthest = away;
    }
    if (base && base->keys) {
      quatsimd_curve_key(base, QUATSIMD_CLIP_TRANSLATION, 0, value);
      farthest += largest(value) * 1.7320508;
    }
    for (size_t k = 0; k < scale->keys; k++) {
      quatsimd_curve_key(scale, QUATSIMD_CLIP_SCALE, k, value);
      if (largest(value) > stretch) stretch = largest(value);
    }
    const double reach = (farthest + skeleton->reach[j]) * stretch;
    if (reach > skeleton->reach[parent]) skeleton->reach[parent] = reach;
  }
}

quatsimd_status quatsimd_skeleton(clip_skeleton *skeleton, quatsimd_memory *memory,
                                  const quatsimd_clip_options *options, quatsimd_clip_report *report) {
  const size_t joints = skeleton->source->joints;
  skeleton->bound = quatsimd_take(memory, joints + 1, sizeof *skeleton->bound);
  skeleton->distance = quatsimd_take(memory, joints + 1, sizeof *skeleton->distance);
  skeleton->reach = quatsimd_take(memory, joints + 1, sizeof *skeleton->reach);
  skeleton->factor = quatsimd_take(memory, joints + 1, sizeof *skeleton->factor);
  if (!skeleton->bound || !skeleton->distance || !skeleton->reach || !skeleton->factor)
    return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t j = 0; j < joints; j++) {
    const quatsimd_clip_joint *joint = &skeleton->source->joint[j];
    skeleton->bound[j] = joint->object_bound > 0 ? joint->object_bound : options->object_bound;
    skeleton->distance[j] = joint->object_distance > 0 ? joint->object_distance : options->object_distance;
  }
  const quatsimd_status status = sort_joints(skeleton, memory, report);
  if (status == QUATSIMD_OK) find_reaches(skeleton);
  return status;
}

static double at_most(double x, double most) { return x < most ? x : most; }

void quatsimd_object_bounds(const clip_skeleton *skeleton, double *const bound[QUATSIMD_CLIP_KINDS]) {
  for (size_t j = 0; j < skeleton->source->joints; j++) {
    const double displacement = (double)skeleton->bound[j], reach = skeleton->reach[j];
    const double angle = reach > 0 ? displacement / reach : 1;
    bound[QUATSIMD_CLIP_ROTATION][j] = at_most(angle, 0.5);
    bound[QUATSIMD_CLIP_TRANSLATION][j] = displacement;
    bound[QUATSIMD_CLIP_SCALE][j] = at_most(angle, 0.5);
  }
}

void quatsimd_object_tighten(const clip_skeleton *skeleton, const double *worst,
                             double *const bound[QUATSIMD_CLIP_KINDS]) {
  const size_t joints = skeleton->source->joints;
  double *const factor = skeleton->factor;
  for (size_t j = 0; j < joints; j++) factor[j] = 1;
  for (size_t i = joints; i-- > 0;) { /* children first: a joint's factor is no larger than theirs */
    const size_t j = skeleton->order[i];
    const int64_t parent = skeleton->source->joint[j].parent;
    const double allowed = (double)skeleton->bound[j],
                 own = worst[j] > allowed ? at_most(0.97 * allowed / worst[j], 0.97) : 1;
    factor[j] = at_most(factor[j], own);
    if (parent >= 0) factor[parent] = at_most(factor[parent], factor[j]);
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) bound[kind][j] *= factor[j];
  }
}

/* ---- measuring ---- */

typedef struct object_work {
  float *q, *t, *s; /* a pose */
  affine *wanted, *found;
  size_t *key[QUATSIMD_CLIP_KINDS];
} object_work;

static void measure_pose(const clip_skeleton *skeleton, const clip_grid *grid, size_t frame, double time,
                         bool at_frame, object_work *w, double *worst) {
  for (size_t i = 0; i < skeleton->source->joints; i++) {
    const size_t j = skeleton->order[i];
    const int64_t parent = skeleton->source->joint[j].parent;
    double wanted[QUATSIMD_CLIP_KINDS][CLIP_MOST_COMPONENTS],
        found[QUATSIMD_CLIP_KINDS][CLIP_MOST_COMPONENTS];
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
      const quatsimd_curve *curve = clip_curve(&skeleton->source->joint[j], kind);
      if (at_frame) quatsimd_curve_frame(curve, kind, grid, frame, &w->key[kind][j], wanted[kind]);
      else quatsimd_curve_at(curve, kind, time, 0, wanted[kind]);
    }
    for (int c = 0; c < 4; c++) found[0][c] = (double)w->q[4 * j + (size_t)c];
    for (int c = 0; c < 3; c++)
      found[1][c] = (double)w->t[3 * j + (size_t)c], found[2][c] = (double)w->s[3 * j + (size_t)c];
    w->wanted[j] = local_transform(skeleton, j, time, wanted);
    w->found[j] = local_transform(skeleton, j, time, found);
    if (parent >= 0) {
      w->wanted[j] = product(&w->wanted[parent], &w->wanted[j]);
      w->found[j] = product(&w->found[parent], &w->found[j]);
    }
    double d[3][4], away = 0;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++) d[r][c] = w->found[j].m[r][c] - w->wanted[j].m[r][c];
    for (int r = 0; r < 3; r++) away += d[r][3] * d[r][3];
    const double error = square_root(away) + (double)skeleton->distance[j] * longest(d);
    if (!(error <= worst[j])) worst[j] = error;
  }
}

quatsimd_status quatsimd_object_errors(const clip_skeleton *skeleton, quatsimd_memory *memory,
                                       const quatsimd_clip *clip, double *worst) {
  const size_t joints = skeleton->source->joints;
  float *times = quatsimd_take(memory, clip->frames, sizeof *times);
  object_work w = {quatsimd_take(memory, joints + 1, 4 * sizeof(float)),
                   quatsimd_take(memory, joints + 1, 3 * sizeof(float)),
                   quatsimd_take(memory, joints + 1, 3 * sizeof(float)),
                   quatsimd_take(memory, joints + 1, sizeof(affine)),
                   quatsimd_take(memory, joints + 1, sizeof(affine)),
                   {NULL}};
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
    w.key[kind] = quatsimd_take(memory, joints + 1, sizeof *w.key[kind]);
  void *const cursor_memory = quatsimd_take(memory, 1, quatsimd_clip_cursor_size(clip));
  if (!times || !w.q || !w.t || !w.s || !w.wanted || !w.found || !w.key[0] || !w.key[1] || !w.key[2] ||
      !cursor_memory)
    return QUATSIMD_ERROR_NO_MEMORY;
  quatsimd_clip_cursor *cursor;
  quatsimd_clip_cursor_init(&cursor, cursor_memory, quatsimd_clip_cursor_size(clip), clip);
  const quatsimd_pose pose = {quatsimd_aos_out(w.q), quatsimd_aos_out(w.t), quatsimd_aos_out(w.s)};
  for (size_t f = 0; f < clip->frames; f++) times[f] = (float)quatsimd_clip_time(clip, f);
  const clip_grid grid = {clip->frames, clip->start, clip->rate, clip->rate > 0 ? NULL : times};
  for (size_t j = 0; j < joints; j++) worst[j] = 0;
  for (size_t f = 0; f < clip->frames; f++) {
    quatsimd_clip_sample(clip, &pose, quatsimd_clip_time(clip, f), QUATSIMD_CLIP_WRAP_CLAMP, cursor);
    measure_pose(skeleton, &grid, f, quatsimd_clip_time(clip, f), true, &w, worst);
  }
  for (size_t i = 0; i < QUATSIMD_CLIP_KINDS * joints; i++) { /* keys that are at no frame */
    const quatsimd_curve *curve =
        clip_curve(&skeleton->source->joint[i / QUATSIMD_CLIP_KINDS], (int)(i % QUATSIMD_CLIP_KINDS));
    if (curve->keys < 2 || quatsimd_curve_fits(curve, &grid, true)) continue;
    for (size_t k = 0; k < curve->keys; k++) {
      quatsimd_clip_sample(clip, &pose, curve->times[k], QUATSIMD_CLIP_WRAP_CLAMP, cursor);
      measure_pose(skeleton, &grid, 0, curve->times[k], false, &w, worst);
    }
  }
  return QUATSIMD_OK;
}
