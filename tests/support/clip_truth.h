/* Computes the errors of samples. Written from clip.h alone, so as not to repeat the library's mistakes. */
#ifndef QUATSIMD_TESTS_CLIP_TRUTH_H
#define QUATSIMD_TESTS_CLIP_TRUTH_H

#include "quatsimd/quatsimd.h"
#include "quatsimd/clip.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- curves ---- */

typedef struct truth_value {
  double v[4];
} truth_value;

static inline size_t truth_width(int kind) { return kind == QUATSIMD_CLIP_ROTATION ? 4 : 3; }
static inline const quatsimd_curve *truth_curve(const quatsimd_clip_joint *joint, int kind) {
  return kind == QUATSIMD_CLIP_ROTATION      ? &joint->rotation
         : kind == QUATSIMD_CLIP_TRANSLATION ? &joint->translation
                                             : &joint->scale;
}

/* Returns the floats of a key. In cubic curves, `part` is 0 for the value, -1 for the tangent before the key,
 * and 1 for the one after it. */
static inline const float *truth_key(const quatsimd_curve *c, int kind, size_t key, int part) {
  const bool cubic = c->interpolation == QUATSIMD_CURVE_CUBIC;
  return c->values + truth_width(kind) * (cubic ? (size_t)(3 * (ptrdiff_t)key + 1 + part) : key);
}

static inline truth_value truth_unit(truth_value q) {
  double n2 = 0;
  for (int i = 0; i < 4; i++) n2 += q.v[i] * q.v[i];
  for (int i = 0; i < 4; i++) q.v[i] /= sqrt(n2);
  return q;
}

static inline truth_value truth_of(int kind, const float *f) {
  truth_value q = {{0}};
  for (size_t i = 0; i < truth_width(kind); i++) q.v[i] = (double)f[i];
  return kind == QUATSIMD_CLIP_ROTATION ? truth_unit(q) : q;
}

static inline truth_value truth_slerp(const float *from, const float *to, double t) {
  truth_value a = truth_of(QUATSIMD_CLIP_ROTATION, from), b = truth_of(QUATSIMD_CLIP_ROTATION, to);
  double dot = 0, minus = 0, plus = 0;
  for (int i = 0; i < 4; i++) dot += (double)from[i] * (double)to[i];
  for (int i = 0; i < 4; i++) {
    if (!(dot >= 0)) b.v[i] = -b.v[i];
    minus += (a.v[i] - b.v[i]) * (a.v[i] - b.v[i]), plus += (a.v[i] + b.v[i]) * (a.v[i] + b.v[i]);
  }
  /* the angle between a and b is at most a quarter turn; atan2 is accurate for small angles */
  const double angle = 2 * atan2(sqrt(minus), sqrt(plus));
  const double of_a = angle < 1e-9 ? 1 - t : sin((1 - t) * angle), of_b = angle < 1e-9 ? t : sin(t * angle);
  for (int i = 0; i < 4; i++) a.v[i] = of_a * a.v[i] + of_b * b.v[i];
  return truth_unit(a);
}

/* Evaluates a cubic curve between keys k and k + 1. Returns NaN if a quaternion is nearly zero. */
static inline truth_value truth_hermite(const quatsimd_curve *c, int kind, size_t k, double t, double span) {
  const float *p = truth_key(c, kind, k, 0), *m = truth_key(c, kind, k, 1), *q = truth_key(c, kind, k + 1, 0),
              *n = truth_key(c, kind, k + 1, -1);
  truth_value r = {{0}};
  double n2 = 0, terms = 0;
  for (size_t i = 0; i < truth_width(kind); i++) {
    const double term[] = {(1 + 2 * t) * (1 - t) * (1 - t) * (double)p[i], t * t * (3 - 2 * t) * (double)q[i],
                           span * t * (1 - t) * (1 - t) * (double)m[i],
                           -span * t * t * (1 - t) * (double)n[i]};
    for (int j = 0; j < 4; j++) r.v[i] += term[j], terms = fmax(terms, fabs(term[j]));
    n2 += r.v[i] * r.v[i];
  }
  if (kind != QUATSIMD_CLIP_ROTATION) return r;
  if (!(sqrt(n2) > 1e-3 * terms)) return (truth_value){{(double)NAN, 0, 0, 0}};
  return truth_unit(r);
}

/* Returns the number of keys up to `time`. If `before` is true, keys at `time` do not count. */
static inline size_t truth_keys(const quatsimd_curve *c, double time, bool before) {
  size_t low = 0, high = c->key_count;
  while (low < high && c->times) {
    const size_t k = low + (high - low) / 2;
    if (c->times[k] < time || (!before && c->times[k] == time)) low = k + 1;
    else high = k;
  }
  return low;
}

/* Returns a curve's value at `time`. If the curve jumps there, `before` selects the value before the jump. */
static inline truth_value truth_at(const quatsimd_curve *c, int kind, double time, bool before) {
  static const float none[3][4] = {{0, 0, 0, 1}, {0}, {1, 1, 1}};
  if (c->key_count == 0) return truth_of(kind, none[kind]);
  const size_t passed = c->key_count > 1 ? truth_keys(c, time, before) : 1, k = passed ? passed - 1 : 0;
  if (passed == 0 || passed == c->key_count || c->interpolation == QUATSIMD_CURVE_HOLD)
    return truth_of(kind, truth_key(c, kind, k, 0));
  const double span = c->times[k + 1] - c->times[k], t = (time - c->times[k]) / span;
  if (c->interpolation == QUATSIMD_CURVE_CUBIC) return truth_hermite(c, kind, k, t, span);
  const float *from = truth_key(c, kind, k, 0), *to = truth_key(c, kind, k + 1, 0);
  if (kind == QUATSIMD_CLIP_ROTATION) return truth_slerp(from, to, t);
  truth_value r = {{0}};
  for (int i = 0; i < 3; i++) r.v[i] = (1 - t) * (double)from[i] + t * (double)to[i];
  return r;
}

/* Returns the error of p: an angle of rotations, a distance of translations, or the largest difference of
 * scales. Returns 0 if the true value q is not finite in float. Such values are not compared. */
static inline double truth_between(int kind, truth_value p, truth_value q) {
  double off[4], sum = 0, most = 0;
  const double *a = p.v, *b = q.v;
  for (int i = 0; i < 4; i++) {
    if (!(fabs(b[i]) <= (double)FLT_MAX)) return 0;
    off[i] = a[i] - b[i], most = fmax(most, isnan(off[i]) ? (double)INFINITY : fabs(off[i]));
  }
  if (kind == QUATSIMD_CLIP_SCALE || most > 1e100) return most;
  if (kind == QUATSIMD_CLIP_TRANSLATION) return sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
  for (int i = 0; i < 3; i++) { /* the vector part of conj(a) b */
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double v = a[3] * b[i] - a[i] * b[3] - (a[j] * b[k] - a[k] * b[j]);
    sum += v * v;
  }
  return 2 * atan2(sqrt(sum), fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]));
}

/* ---- a source with its options, and a sample ---- */

typedef struct truth {
  const quatsimd_clip_source *source;
  const quatsimd_clip_options *options;
  double first, last; /* times of the first and the last key of all curves of several keys */
} truth;

static inline truth truth_make(const quatsimd_clip_source *source, const quatsimd_clip_options *options) {
  truth of = {source, options, (double)INFINITY, (double)-INFINITY};
  const size_t of_joints = source->joint_count * QUATSIMD_CLIP_JOINT_KIND_COUNT;
  for (size_t i = 0; i < of_joints + source->track_count; i++) {
    const quatsimd_curve *c = i < of_joints ? truth_curve(&source->joints[i / QUATSIMD_CLIP_JOINT_KIND_COUNT],
                                                          (int)(i % QUATSIMD_CLIP_JOINT_KIND_COUNT))
                                            : &source->tracks[i - of_joints].curve;
    if (c->key_count > 1 && c->times)
      of.first = fmin(of.first, c->times[0]), of.last = fmax(of.last, c->times[c->key_count - 1]);
  }
  if (!(of.first <= of.last)) of.first = of.last = 0;
  return of;
}

/* A sample of the clip: for each kind, an array with the values of all joints. */
typedef struct truth_pose {
  float *at[QUATSIMD_CLIP_JOINT_KIND_COUNT];
} truth_pose;

/* Returns the curve to which an additive clip adds a joint's values; NULL if the clip is not additive. */
static inline const quatsimd_curve *truth_base(const truth *of, size_t joint, int kind) {
  const int additive = of->options->additive;
  return additive == QUATSIMD_CLIP_ADDITIVE_FIRST ? truth_curve(&of->source->joints[joint], kind)
         : additive == QUATSIMD_CLIP_ADDITIVE_BASE
             ? truth_curve(&of->options->additive_base->joints[joint], kind)
             : NULL;
}

/* Returns a joint's value in the sample, added to the base's value at `time` if the clip is additive. */
static inline truth_value truth_given(const truth *of, size_t joint, int kind, const truth_pose *pose,
                                      double time, bool before) {
  const size_t width = truth_width(kind);
  float sum[4] = {0}, onto[4];
  for (size_t i = 0; i < width; i++) sum[i] = pose->at[kind][width * joint + i];
  const quatsimd_curve *base = truth_base(of, joint, kind);
  if (base) {
    /* QUATSIMD_CLIP_ADDITIVE_FIRST adds to the first keys at all times */
    const bool fixed = of->options->additive == QUATSIMD_CLIP_ADDITIVE_FIRST;
    const truth_value b = truth_at(base, kind, fixed ? (double)-INFINITY : time, before);
    for (size_t i = 0; i < 4; i++) onto[i] = (float)b.v[i];
    const quatsimd_in under = quatsimd_aos(onto), over = quatsimd_aos(sum);
    quatsimd_pose_out added = {0}; /* fill only the values of this kind */
    *(kind == QUATSIMD_CLIP_ROTATION      ? &added.rotations
      : kind == QUATSIMD_CLIP_TRANSLATION ? &added.translations
                                          : &added.scales) = quatsimd_aos_out(sum);
    if (quatsimd_clip_add(&added, &(quatsimd_pose_in){under, under, under, NULL},
                          &(quatsimd_pose_in){over, over, over, NULL}, 1, 0) != QUATSIMD_OK)
      return (truth_value){{(double)NAN, 0, 0, 0}};
  }
  return truth_of(kind, sum);
}

/* ---- the space of the root ---- */

typedef struct truth_matrix {
  double m[3][4];
} truth_matrix;

static inline truth_matrix truth_trs(truth_value q, truth_value t, truth_value s) {
  const double x = q.v[0], y = q.v[1], z = q.v[2], w = q.v[3];
  const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                          {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                          {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  truth_matrix of;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) of.m[i][j] = r[i][j] * s.v[j];
    of.m[i][3] = t.v[i];
  }
  return of;
}

/* Returns the transform from a joint to the root's space, of the sample `pose`, or of the source if `pose` is
 * NULL. If `reach` is not NULL, *reach becomes the length of the chain from the root to a point at `distance`
 * from the joint. */
static inline truth_matrix truth_world(const truth *of, size_t joint, const truth_pose *pose, double time,
                                       bool before, double distance, double *reach) {
  truth_matrix all = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  double length = distance;
  for (int64_t j = (int64_t)joint; j >= 0; j = of->source->joints[j].parent) {
    truth_value v[QUATSIMD_CLIP_JOINT_KIND_COUNT];
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
      v[kind] = pose ? truth_given(of, (size_t)j, kind, pose, time, before)
                     : truth_at(truth_curve(&of->source->joints[j], kind), kind, time, before);
    const truth_matrix local = truth_trs(v[0], v[1], v[2]), inner = all;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++) {
        all.m[r][c] = c == 3 ? local.m[r][3] : 0;
        for (int i = 0; i < 3; i++) all.m[r][c] += local.m[r][i] * inner.m[i][c];
      }
    length = sqrt(v[1].v[0] * v[1].v[0] + v[1].v[1] * v[1].v[1] + v[1].v[2] * v[1].v[2]) +
             length * fmax(fabs(v[2].v[0]), fmax(fabs(v[2].v[1]), fabs(v[2].v[2])));
  }
  if (reach) *reach = length;
  return all;
}

/* Returns the largest distance between the images of a point under a and b, for all points at `distance` from
 * the joint. The result may be slightly too small. */
static inline double truth_point(const truth_matrix *a, const truth_matrix *b, double distance) {
  double d[3][4], worst = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      if (!(fabs(b->m[i][j]) <= (double)FLT_MAX)) return 0;
      d[i][j] = (a->m[i][j] - b->m[i][j]) * (j < 3 ? distance : 1);
      if (!(fabs(d[i][j]) <= 1e100)) return (double)INFINITY;
    }
  for (int start = 0; start < 6; start++) {
    double u[3] = {start % 3 == 0 ? 1 : 0.3, start % 3 == 1 ? 1 : 0.2, start % 3 == 2 ? 1 : -0.1}, off = 0;
    for (int i = 0; i < 3 && start >= 3; i++) u[i] = -u[i];
    for (int round = 0; round < 12; round++) { /* the power method for the largest singular value */
      double n = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), e[3], grow[3] = {0};
      if (!(n > 0)) break;
      for (int i = 0; i < 3; i++) u[i] /= n;
      for (int i = 0; i < 3; i++) e[i] = d[i][0] * u[0] + d[i][1] * u[1] + d[i][2] * u[2] + d[i][3];
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) grow[j] += d[i][j] * e[i];
      off = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]), worst = fmax(worst, off);
      for (int i = 0; i < 3; i++) u[i] = grow[i];
    }
  }
  return worst;
}

/* ---- errors at a time that may be rounded ---- */

/* one more kind of error: that of the points at object_distance from a joint */
enum { TRUTH_OBJECT = QUATSIMD_CLIP_JOINT_KIND_COUNT };

typedef struct truth_question {
  const truth *of;
  size_t joint;
  int kind;
  const truth_pose *pose;
  double distance, enough, best, where;
} truth_question;

/* Computes the error at one time, and keeps it if it is the smallest so far. */
static inline void truth_try(truth_question *q, double time, bool before) {
  double off;
  if (q->kind == TRUTH_OBJECT) {
    const truth_matrix a = truth_world(q->of, q->joint, q->pose, time, before, q->distance, NULL),
                       b = truth_world(q->of, q->joint, NULL, time, before, q->distance, NULL);
    off = truth_point(&a, &b, q->distance);
  } else
    off = truth_between(
        q->kind, truth_given(q->of, q->joint, q->kind, q->pose, time, before),
        truth_at(truth_curve(&q->of->source->joints[q->joint], q->kind), q->kind, time, before));
  if (off < q->best || isnan(q->best)) q->best = off, q->where = time;
}

static inline void truth_try_keys(truth_question *q, const quatsimd_curve *c, double from, double to) {
  if (!c || c->key_count < 2) return;
  for (size_t k = truth_keys(c, from, true); k < c->key_count && c->times[k] <= to && q->best > q->enough;
       k++)
    truth_try(q, c->times[k], true), truth_try(q, c->times[k], false);
}

/* Tries times ever closer to `time`. */
static inline void truth_try_around(truth_question *q, double time, double from, double to) {
  enum { STEPS = 40 };
  double width = to - from;
  for (int i = 0; i < STEPS && q->best > q->enough; i++, width *= 0.6)
    for (int side = -1; side <= 1; side += 2)
      if (time + side * width >= from && time + side * width <= to) truth_try(q, time + side * width, false);
}

static inline void truth_try_window(truth_question *q, double time, double window) {
  enum { ROUNDS = 8 };
  const truth *of = q->of;
  const double from = time - window, to = time + window;
  truth_try(q, time, false), truth_try(q, time, true);
  if (q->best <= q->enough) return;
  for (int64_t j = (int64_t)q->joint; j >= 0; j = q->kind == TRUTH_OBJECT ? of->source->joints[j].parent : -1)
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
      if (q->kind == kind || q->kind == TRUTH_OBJECT)
        truth_try_keys(q, truth_curve(&of->source->joints[j], kind), from, to),
            truth_try_keys(q, truth_base(of, (size_t)j, kind), from, to);
  truth_try_around(q, time, from, to);
  for (int i = 0; i < ROUNDS && q->best > q->enough; i++) {
    const double before = q->best;
    truth_try_around(q, q->where, from, to);
    if (q->best > 0.999 * before) break;
  }
}

/* Returns the smallest error within `window` of `time`, because the sampler may round `time`. The search ends
 * at an error of at most `enough`. If `at` is not NULL, *at becomes the time of the error. */
static inline double truth_error(const truth *of, size_t joint, int kind, double distance,
                                 const truth_pose *pose, double time, double enough, double *at) {
  const double window = fmax(fabs(time), fmax(fabs(of->first), fabs(of->last))) * 0x1p-23;
  const double length = of->last - of->first;
  truth_question q = {of, joint, kind, pose, distance, enough, (double)NAN, time};
  if (of->options->looping && length > 0) {
    double into = fmod(time - of->first, length);
    if (into < 0) into += length;
    time = of->first + into;
  }
  truth_try_window(&q, time, window);
  if (of->options->looping && time - window < of->first && q.best > enough)
    truth_try_window(&q, time + length, window);
  if (of->options->looping && time + window > of->last && q.best > enough)
    truth_try_window(&q, time - length, window);
  if (at) *at = q.where;
  return q.best;
}

/* ---- bounds ---- */

/* Returns a joint's own bound on errors of `kind`, else the clip's bound, or infinity if there is none.
 * Bounds below 2^-90 count as 2^-90. */
static inline double truth_bound(const truth *of, size_t joint, int kind) {
  const quatsimd_clip_options *o = of->options;
  const quatsimd_clip_joint *j = &of->source->joints[joint];
  const float own[] = {j->rotation_bound, j->translation_bound, j->scale_bound, j->object_bound};
  const float all[] = {o->rotation_bound, o->translation_bound, o->scale_bound, o->object_bound};
  const bool object = o->object_bound > 0;
  if (object != (kind == TRUTH_OBJECT)) return (double)INFINITY;
  return fmax((double)(own[kind] > 0 ? own[kind] : all[kind]), 0x1p-90);
}

static inline double truth_distance(const truth *of, size_t joint) {
  const float own = of->source->joints[joint].object_distance;
  return (double)(own > 0 ? own : of->options->object_distance);
}

/* Returns the error that rounding in a few float operations may add to a joint's error. */
static inline double truth_rounding(const truth *of, size_t joint, int kind, const truth_pose *pose) {
  double most = 0;
  if (kind == QUATSIMD_CLIP_ROTATION) return 1e-6;
  for (int base = 0; base < 2; base++) {
    const quatsimd_curve *c =
        base ? truth_base(of, joint, kind) : truth_curve(&of->source->joints[joint], kind);
    for (size_t k = 0; c && k < c->key_count; k++)
      for (int i = 0; i < 3; i++) most = fmax(most, fabs((double)truth_key(c, kind, k, 0)[i]));
  }
  for (size_t i = 0; i < 3; i++) most = fmax(most, fabs((double)pose->at[kind][3 * joint + i]));
  return most * 0x1p-21;
}

static inline double truth_object_rounding(const truth *of, size_t joint, double distance, double time) {
  double reach;
  truth_world(of, joint, NULL, time, false, distance, &reach);
  return reach * 0x1p-21;
}

#endif
