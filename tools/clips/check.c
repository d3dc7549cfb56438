#include "clips/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/inspect.h"
#include "clip/sample/still.h"
#include "readers/scene.h"

const quatsimd_curve *clip_check_curve(const quatsimd_clip_joint *joint, int kind) {
  return kind == QUATSIMD_CLIP_ROTATION      ? &joint->rotation
         : kind == QUATSIMD_CLIP_TRANSLATION ? &joint->translation
                                             : &joint->scale;
}

/* All that is compared at one time. */
struct check {
  const quatsimd_clip_source *source;
  const quatsimd_clip *clip;
  quatsimd_clip_cursor *cursor;
  double distance;
  const bool *rest; /* may be null */
  /* of each curve, [3 * joint + kind]: the first key not yet compared */
  size_t *next;
  float *sampled[QUATSIMD_CLIP_KINDS];    /* the pose out of the clip */
  float *first[QUATSIMD_CLIP_KINDS];      /* the first keys, which an additive clip goes on */
  double (*original)[12], (*decoded)[12]; /* of each joint: from there to where the root is */
  clip_check_found *found;
  void *context;
};

/* times. ------------------------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b) {
  const double s = *(const double *)a, t = *(const double *)b;
  return s < t ? -1 : s > t;
}

/* Appends the times of a curve, unless the one before had the same, as most have. */
static const quatsimd_curve *append_times(double *time, size_t *times, const quatsimd_curve *curve,
                                          const quatsimd_curve *before) {
  if (curve->keys == 0) return before;
  if (before && before->keys == curve->keys &&
      memcmp(before->times, curve->times, curve->keys * sizeof *time) == 0)
    return before;
  memcpy(time + *times, curve->times, curve->keys * sizeof *time);
  *times += curve->keys;
  return curve;
}

/* Of all keys, rising, each once; to be freed. */
static double *all_times(const quatsimd_clip_source *source, size_t *count) {
  size_t keys = 0, times = 0;
  const quatsimd_curve *before = NULL;
  for (size_t j = 0; j < source->joints; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
      keys += clip_check_curve(&source->joint[j], kind)->keys;
  double *time = memory_get(keys, sizeof *time);
  for (size_t j = 0; j < source->joints; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
      before = append_times(time, &times, clip_check_curve(&source->joint[j], kind), before);
  qsort(time, times, sizeof *time, compare_times);
  *count = 0;
  for (size_t i = 0; i < times; i++)
    if (i == 0 || time[i] != time[i - 1]) time[(*count)++] = time[i];
  return time;
}

/* curves, each by itself. -------------------------------------------------------------------------------- */

/* The angle of the rotation from p to q, of any lengths but 0. atan2 loses no digits, neither near 0 nor
 * near pi. */
static double angle_between(const float *p, const float *q) {
  const double x = (double)p[3] * q[0] - (double)p[0] * q[3] - ((double)p[1] * q[2] - (double)p[2] * q[1]),
               y = (double)p[3] * q[1] - (double)p[1] * q[3] - ((double)p[2] * q[0] - (double)p[0] * q[2]),
               z = (double)p[3] * q[2] - (double)p[2] * q[3] - ((double)p[0] * q[1] - (double)p[1] * q[0]),
               w = (double)p[0] * q[0] + (double)p[1] * q[1] + (double)p[2] * q[2] + (double)p[3] * q[3];
  if (x == 0 && y == 0 && z == 0 && w == 0) return NAN;
  return 2 * atan2(sqrt(x * x + y * y + z * z), fabs(w));
}

static double difference(int kind, const float *p, const float *q) {
  if (kind == QUATSIMD_CLIP_ROTATION) return angle_between(p, q);
  double d[3];
  for (int i = 0; i < 3; i++) d[i] = fabs((double)p[i] - q[i]);
  return kind == QUATSIMD_CLIP_SCALE ? fmax(d[0], fmax(d[1], d[2]))
                                     : sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static void tell(const struct check *c, int of, size_t joint, double time, double off) {
  c->found(c->context, of, joint, time, isnan(off) ? INFINITY : off);
}

/* A joint stands at rest, and the clip does not say so. */
static bool left_out(const struct check *c, size_t joint, int kind) {
  return c->rest && c->rest[QUATSIMD_CLIP_KINDS * joint + (size_t)kind] &&
         quatsimd_inspect_state(c->clip, kind, joint) == CLIP_ABSENT;
}

static void check_keys(struct check *c, double time) {
  for (size_t j = 0; j < c->source->joints; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
      const quatsimd_curve *curve = clip_check_curve(&c->source->joint[j], kind);
      const size_t width = scene_width(kind);
      size_t *k = &c->next[QUATSIMD_CLIP_KINDS * j + (size_t)kind];
      if (*k == curve->keys || curve->times[*k] != time || left_out(c, j, kind)) continue;
      tell(c, kind, j, time, difference(kind, curve->values + width * *k, c->sampled[kind] + width * j));
      ++*k;
    }
}

/* joints, where the root is. ----------------------------------------------------------------------------- */

/* The value at a time: slerp or linear between keys, as the header has it. A key that is as near as times
 * in float are rounded is at that time, as it is to quatsimd_clip_sample, but for what lies between keys
 * that are hardly further apart. */
static void value_at(const quatsimd_curve *curve, int kind, double time, double out[4]) {
  const size_t width = scene_width(kind);
  size_t low = 0, high = curve->keys; /* the last key at or before: times[low] <= time < times[high] */
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (curve->times[middle] <= time) low = middle;
    else high = middle;
  }
  const float *p = curve->values + width * low, *q = p + (high < curve->keys ? width : 0);
  double t = 0, a = 1, b = 0, pp = 0, qq = 0, pq = 0;
  if (high < curve->keys && time > curve->times[low]) {
    const double interval = curve->times[high] - curve->times[low],
                 near = fmin(0x1p-23 * fabs(time) / interval, 0.05);
    t = (time - curve->times[low]) / interval;
    t = t <= near ? 0 : t >= 1 - near ? 1 : curve->interpolation == QUATSIMD_CURVE_HOLD ? 0 : t;
  }
  a = 1 - t, b = t;
  if (kind == QUATSIMD_CLIP_ROTATION) {
    for (size_t i = 0; i < 4; i++)
      pp += (double)p[i] * p[i], qq += (double)q[i] * q[i], pq += (double)p[i] * q[i];
    const double angle = angle_between(p, q) / 2, sine = sin(angle);
    if (sine > 1e-9) a = sin((1 - t) * angle) / sine, b = sin(t * angle) / sine;
    a /= sqrt(pp), b /= copysign(sqrt(qq), pq);
  }
  for (size_t i = 0; i < width; i++) out[i] = a * p[i] + b * q[i];
}

/* T R S by columns, each of three numbers: those of the matrix and the translation. */
static void to_matrix(double m[12], const double q[4], const double t[3], const double s[3]) {
  const double n = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double r[9] = {1 - n * (y * y + z * z), n * (x * y + z * w),     n * (x * z - y * w),
                       n * (x * y - z * w),     1 - n * (x * x + z * z), n * (y * z + x * w),
                       n * (x * z + y * w),     n * (y * z - x * w),     1 - n * (x * x + y * y)};
  for (int i = 0; i < 9; i++) m[i] = r[i] * s[i / 3];
  for (int i = 0; i < 3; i++) m[9 + i] = t[i];
}

/* m becomes parent m. */
static void put_on(double m[12], const double parent[12]) {
  double out[12];
  for (int c = 0; c < 4; c++)
    for (int i = 0; i < 3; i++)
      out[3 * c + i] = parent[i] * m[3 * c] + parent[3 + i] * m[3 * c + 1] + parent[6 + i] * m[3 * c + 2] +
                       (c == 3 ? parent[9 + i] : 0);
  memcpy(m, out, sizeof out);
}

/* How far a and b can take one point at the distance apart: the largest |D p + d| of |p| = distance. It is
 * convex in p, so each step to where its slope points goes up; starts on all axes find the highest top but
 * for freaks. */
static double farthest(const double a[12], const double b[12], double distance) {
  double worst = 0;
  for (int start = 0; start < 6; start++) {
    double p[3] = {0}, last = -1;
    p[start / 2] = start % 2 ? -distance : distance;
    for (int step = 0; step < 200; step++) {
      double e[3], slope[3];
      for (int i = 0; i < 3; i++) {
        e[i] = a[9 + i] - b[9 + i];
        for (int c = 0; c < 3; c++) e[i] += (a[3 * c + i] - b[3 * c + i]) * p[c];
      }
      const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
      if (isnan(length)) return length;
      if (length <= last * (1 + 1e-9)) break;
      last = length;
      worst = fmax(worst, length);
      for (int c = 0; c < 3; c++) {
        slope[c] = 0;
        for (int i = 0; i < 3; i++) slope[c] += (a[3 * c + i] - b[3 * c + i]) * e[i];
      }
      const double steepness = sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
      if (!(steepness > 0)) break;
      for (int c = 0; c < 3; c++) p[c] = slope[c] * distance / steepness;
    }
  }
  return worst;
}

static void check_objects(struct check *c, double time) {
  for (size_t j = 0; j < c->source->joints; j++) {
    const quatsimd_clip_joint *joint = &c->source->joint[j];
    double original[QUATSIMD_CLIP_KINDS][4], decoded[QUATSIMD_CLIP_KINDS][4];
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
      const size_t width = scene_width(kind);
      for (size_t i = 0; i < width; i++) {
        original[kind][i] = quatsimd_clip_none[kind][i];
        decoded[kind][i] = c->sampled[kind][width * j + i];
      }
      if (clip_check_curve(joint, kind)->keys)
        value_at(clip_check_curve(joint, kind), kind, time, original[kind]);
    }
    to_matrix(c->original[j], original[0], original[1], original[2]);
    to_matrix(c->decoded[j], decoded[0], decoded[1], decoded[2]);
    if (joint->parent >= 0) { /* it comes before */
      put_on(c->original[j], c->original[joint->parent]);
      put_on(c->decoded[j], c->decoded[joint->parent]);
    }
    tell(c, CLIP_CHECK_OBJECT, j, time, farthest(c->original[j], c->decoded[j], c->distance));
  }
}

/* -------------------------------------------------------------------------------------------------------- */

/* What an additive clip is relative to. */
static void take_first_keys(struct check *c) {
  for (size_t j = 0; j < c->source->joints; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
      const quatsimd_curve *curve = clip_check_curve(&c->source->joint[j], kind);
      const size_t width = scene_width(kind);
      memcpy(c->first[kind] + width * j, curve->keys ? curve->values : quatsimd_clip_none[kind],
             width * sizeof(float));
    }
  quatsimd_normalize(quatsimd_aos_out(c->first[0]), quatsimd_aos(c->first[0]), c->source->joints);
}

static quatsimd_status sample(struct check *c, double time) {
  const quatsimd_pose pose = {quatsimd_aos_out(c->sampled[0]), quatsimd_aos_out(c->sampled[1]),
                              quatsimd_aos_out(c->sampled[2])};
  quatsimd_status status = quatsimd_clip_sample(c->clip, &pose, time, QUATSIMD_CLIP_WRAP_CLAMP, c->cursor);
  if (status >= 0 && quatsimd_clip_additive(c->clip))
    status = quatsimd_clip_add(&pose, quatsimd_aos(c->first[0]), quatsimd_aos(c->first[1]),
                               quatsimd_aos(c->first[2]), c->source->joints);
  for (size_t j = 0; c->rest && j < c->source->joints; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
      if (left_out(c, j, kind))
        memcpy(c->sampled[kind] + scene_width(kind) * j, clip_check_curve(&c->source->joint[j], kind)->values,
               scene_width(kind) * sizeof(float));
  return status;
}

quatsimd_status clip_check_each(const quatsimd_clip_source *source, const quatsimd_clip *clip,
                                double distance, const bool *rest, clip_check_found *found, void *context) {
  const size_t joints = source->joints;
  struct check c = {
      .source = source, .clip = clip, .distance = distance, .rest = rest, .found = found, .context = context};
  quatsimd_status status = QUATSIMD_OK;
  size_t times;
  double *time = all_times(source, &times);
  c.next = memory_get(QUATSIMD_CLIP_KINDS * joints, sizeof *c.next);
  c.original = memory_get(joints, sizeof *c.original);
  c.decoded = memory_get(joints, sizeof *c.decoded);
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    c.sampled[kind] = memory_get(joints, scene_width(kind) * sizeof(float));
    c.first[kind] = memory_get(joints, scene_width(kind) * sizeof(float));
  }
  take_first_keys(&c);
  void *kept = memory_get(quatsimd_clip_cursor_size(clip), 1);
  status = quatsimd_clip_cursor_init(&c.cursor, kept, quatsimd_clip_cursor_size(clip), clip);
  for (size_t i = 0; i < times && status >= 0; i++) {
    status = sample(&c, time[i]);
    if (status >= 0) check_keys(&c, time[i]);
    if (status >= 0 && distance > 0) check_objects(&c, time[i]);
  }
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) free(c.sampled[kind]), free(c.first[kind]);
  free(kept);
  free(c.decoded);
  free(c.original);
  free(c.next);
  free(time);
  return status;
}

/* -------------------------------------------------------------------------------------------------------- */

void clip_tally_add(struct clip_tally *tally, double off, double time) {
  if (tally->count == 0 || off > tally->worst) tally->worst = off, tally->time = time;
  tally->count++;
  tally->sum += off;
}

struct worst {
  struct clip_error *error;
  struct clip_tally (*tally)[CLIP_CHECK_ERRORS]; /* may be null */
};

static void keep_worst(void *context, int of, size_t joint, double time, double off) {
  const struct worst *w = context;
  if (off > w->error[of].worst) w->error[of] = (struct clip_error){off, joint, time};
  if (w->tally) clip_tally_add(&w->tally[joint][of], off, time);
}

quatsimd_status clip_check(const quatsimd_clip_source *source, const quatsimd_clip *clip, double distance,
                           const bool *rest, struct clip_error error[CLIP_CHECK_ERRORS],
                           struct clip_tally (*tally)[CLIP_CHECK_ERRORS]) {
  struct worst worst = {error, tally};
  memset(error, 0, CLIP_CHECK_ERRORS * sizeof *error);
  return clip_check_each(source, clip, distance, rest, keep_worst, &worst);
}
