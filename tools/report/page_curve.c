#include "report/page_curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/text.h"
#include "clips/curve.h"
#include "report/chart.h"

/* keys to be seen, at most; points of the clip's curve from key to key */
enum { KEYS = 120, BETWEEN = 6 };

struct window {
  const quatsimd_clip *clip;
  const quatsimd_curve *base;   /* that an additive clip is put on; null: the first key */
  const quatsimd_pose_in *pose; /* may be null */
  size_t joint;
  int kind;
  const quatsimd_curve *curve;
  size_t first, keys; /* keys to be seen */
  /* of rotations: their mean, which they are shown relative to: angles are smallest then */
  double origin[4];
};

static size_t width_of(int kind) { return kind == QUATSIMD_CLIP_ROTATION ? 4 : 3; }

/* conj(a) b with the sign that is nearer to q; it need not be of length 1. */
static void quotient(double out[4], const double a[4], const float *b, const double q[4]) {
  const double x = (double)b[0], y = (double)b[1], z = (double)b[2], w = (double)b[3];
  out[0] = a[3] * x - a[0] * w - (a[1] * z - a[2] * y);
  out[1] = a[3] * y - a[1] * w - (a[2] * x - a[0] * z);
  out[2] = a[3] * z - a[2] * w - (a[0] * y - a[1] * x);
  out[3] = a[0] * x + a[1] * y + a[2] * z + a[3] * w;
  if (out[0] * q[0] + out[1] * q[1] + out[2] * q[2] + out[3] * q[3] < 0)
    for (int i = 0; i < 4; i++) out[i] = -out[i];
}

/* Axis times angle, in degrees. */
static void rotation_vector(double out[3], const double q[4]) {
  const double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  for (int i = 0; i < 3; i++) out[i] = sine > 0 ? q[i] * (2 * atan2(sine, q[3]) / sine * DEGREES) : 0;
}

/* The value as it is drawn. near: the rotation drawn before it, which becomes this one: turns beyond 180
 * degrees go on.
 */
static void show(const struct window *w, const float *value, double near[4], double out[3]) {
  if (w->kind == QUATSIMD_CLIP_ROTATION) {
    double q[4];
    quotient(q, w->origin, value, near);
    memcpy(near, q, sizeof q);
    rotation_vector(out, q);
  } else
    for (int i = 0; i < 3; i++) out[i] = (double)value[i];
}

/* value less key. */
static void subtract(const struct window *w, const float *value, const float *key, double out[3]) {
  static const double none[4] = {0, 0, 0, 1};
  if (w->kind == QUATSIMD_CLIP_ROTATION) {
    const double from[4] = {(double)key[0], (double)key[1], (double)key[2], (double)key[3]};
    double q[4];
    quotient(q, from, value, none);
    rotation_vector(out, q);
  } else
    for (int i = 0; i < 3; i++) out[i] = (double)value[i] - (double)key[i];
}

/* The clip's value at a time, four floats or three. */
static void sample(const struct window *w, double time, float *value) {
  float q[4], t[3], s[3], first[4];
  quatsimd_pose_out pose = {quatsimd_aos_out(q), quatsimd_aos_out(t), quatsimd_aos_out(s), NULL};
  const uint32_t joint = (uint32_t)w->joint;
  float *const of[] = {q, t, s};
  quatsimd_clip_sample_joints(w->clip, &pose, w->pose, time, QUATSIMD_CLIP_WRAP_CLAMP, &joint, 1, 0);
  if (quatsimd_clip_additive(
          w->clip)) { /* of this kind alone: the others are put on nothing, and not looked at */
    const float *key = curve_key(w->curve, w->kind, 0);
    double under[4];
    for (size_t i = 0; i < width_of(w->kind); i++) under[i] = (double)key[i];
    if (w->base) curve_value(w->base, w->kind, curve_find(w->base, time), time, under);
    for (size_t i = 0; i < width_of(w->kind); i++) first[i] = (float)under[i];
    if (w->kind == QUATSIMD_CLIP_ROTATION)
      quatsimd_normalize(quatsimd_aos_out(first), quatsimd_aos(first), 1);
    quatsimd_pose_in onto = {.tracks = NULL};
    *(w->kind == 0   ? &onto.rotations
      : w->kind == 1 ? &onto.translations
                     : &onto.scales) = quatsimd_aos(first);
    quatsimd_clip_add(&pose, &onto,
                      &(quatsimd_pose_in){quatsimd_aos(q), quatsimd_aos(t), quatsimd_aos(s), NULL}, 1, 0);
  }
  memcpy(value, of[w->kind], width_of(w->kind) * sizeof *value);
}

/* The mean of the keys with the signs that they get one after the other, or the first one where they go
 * round so far that there is none. */
static void find_origin(struct window *w) {
  const float *first = curve_key(w->curve, w->kind, w->first);
  double last[4], sum[4] = {0}, length = 0;
  for (int i = 0; i < 4; i++) last[i] = (double)first[i];
  for (size_t k = 0; k < w->keys; k++) {
    const float *key = curve_key(w->curve, w->kind, w->first + k);
    double dot = 0;
    for (int i = 0; i < 4; i++) dot += last[i] * (double)key[i];
    for (int i = 0; i < 4; i++) last[i] = copysign(1, dot) * (double)key[i], sum[i] += last[i];
  }
  for (int i = 0; i < 4; i++) length += sum[i] * sum[i];
  for (int i = 0; i < 4; i++) w->origin[i] = length > 0.01 ? sum[i] : (double)first[i];
}

/* Keys from about a time. */
static struct window window_at(const struct clip_source *source, const quatsimd_clip_source *base,
                               const quatsimd_clip *clip, const quatsimd_pose_in *pose, size_t joint,
                               int kind, double time) {
  struct window w = {.clip = clip,
                     .pose = pose,
                     .joint = joint,
                     .kind = kind,
                     .curve = clip_check_curve(&source->joint[joint], kind)};
  if (base) w.base = clip_check_curve(&base->joints[joint], kind);
  size_t middle = 0;
  while (middle + 1 < w.curve->key_count && w.curve->times[middle] < time) middle++;
  w.keys = w.curve->key_count < KEYS ? w.curve->key_count : KEYS;
  w.first = middle > w.keys / 2 ? middle - w.keys / 2 : 0;
  if (w.first > w.curve->key_count - w.keys) w.first = w.curve->key_count - w.keys;
  if (kind == QUATSIMD_CLIP_ROTATION) find_origin(&w);
  return w;
}

/* Series of three components each. */
struct series {
  size_t count;
  double *x, *y[3];
};

static struct series series_get(size_t room) {
  struct series s = {0, memory_get(room, sizeof(double)), {0}};
  for (int i = 0; i < 3; i++) s.y[i] = memory_get(room, sizeof(double));
  return s;
}
static void series_free(struct series *s) {
  free(s->x);
  for (int i = 0; i < 3; i++) free(s->y[i]);
}
static void series_add(struct series *s, double x, const double y[3]) {
  s->x[s->count] = x;
  for (int i = 0; i < 3; i++) s->y[i][s->count] = y[i];
  s->count++;
}
static void widen(struct chart_axis *axis, const struct series *s) {
  for (size_t i = 0; i < s->count; i++)
    for (int c = 0; c < 3; c++)
      if (isfinite(s->y[c][i]))
        axis->low = fmin(axis->low, s->y[c][i]), axis->high = fmax(axis->high, s->y[c][i]);
}

static void take(const struct window *w, struct series *keys, struct series *off, struct series *line) {
  double near[4] = {0}, y[3];
  if (w->kind == QUATSIMD_CLIP_ROTATION)
    quotient(near, w->origin, curve_key(w->curve, w->kind, w->first), near);
  for (size_t k = w->first; k < w->first + w->keys; k++) {
    const double time = w->curve->times[k], next = k + 1 < w->first + w->keys ? w->curve->times[k + 1] : time;
    const float *key = curve_key(w->curve, w->kind, k);
    for (int i = 0; i < (next > time ? BETWEEN : 1); i++) {
      const double at = time + (next - time) * i / BETWEEN;
      float value[4];
      sample(w, at, value);
      show(w, value, near, y);
      series_add(line, at, y);
      if (i > 0) continue;
      double beside[4];
      memcpy(beside, near, sizeof beside);
      show(w, key, beside, y);
      series_add(keys, at, y);
      subtract(w, value, key, y);
      series_add(off, at, y);
    }
  }
}

static const char *const axes[] = {"x", "y", "z", NULL};

/* The curve in the file and in the clip. Returns the chart. */
static struct chart put_values(struct output *o, const struct window *w, const char *joint, double time,
                               const struct page_bound *bound, const struct series *keys,
                               const struct series *line) {
  const bool rotation = w->kind == QUATSIMD_CLIP_ROTATION;
  struct chart chart = {o,
                        {"seconds", keys->x[0], keys->x[w->keys - 1], false},
                        {rotation       ? "degrees"
                         : *bound->unit ? bound->unit
                                        : "factor",
                         INFINITY, -INFINITY, false}};
  char title[600], text[400];
  snprintf(title, sizeof title, "Before and after: the %s of \xe2\x80\x9c%.400s\xe2\x80\x9d", bound->name,
           joint);
  snprintf(text, sizeof text,
           "%zu of %zu keys; it is farthest off at %.4g seconds. Dots are the file\xe2\x80\x99s keys, lines "
           "the clip%s.",
           w->keys, w->curve->key_count, time,
           rotation ? "; both as axis times angle, from the mean of these keys" : "");
  widen(&chart.y, keys), widen(&chart.y, line);
  chart_round(&chart.y);
  chart_begin(&chart, &(struct chart_name){title, text, axes});
  for (int c = 0; c < 3; c++) {
    chart_line(&chart, c, line->x, line->y[c], line->count);
    chart_dots(&chart, c, keys->x, keys->y[c], keys->count);
  }
  chart_end(&chart);
  return chart;
}

static void put_difference(const struct chart *values, double bound, const struct series *off) {
  struct chart chart = *values;
  char text[400];
  chart.y.low = -bound, chart.y.high = bound;
  widen(&chart.y, off);
  chart_round(&chart.y);
  const double magnified = (values->y.high - values->y.low) / (chart.y.high - chart.y.low);
  snprintf(text, sizeof text, "Clip less file at these keys, components magnified %s times.%s",
           text_number((size_t)fmin(fmax(magnified + 0.5, 1), 1e15)),
           bound > 0 ? " The dashed lines are the bound, of all three together." : "");
  chart_begin(&chart, &(struct chart_name){"The difference", text, axes});
  if (bound > 0) chart_limit_y(&chart, bound), chart_limit_y(&chart, -bound);
  for (int c = 0; c < 3; c++) chart_line(&chart, c, off->x, off->y[c], off->count);
  chart_end(&chart);
}

void page_put_curve(struct output *o, const struct clip_source *source, const quatsimd_clip_source *base,
                    const quatsimd_clip *clip, const quatsimd_pose_in *pose, size_t joint, int kind,
                    double time, const struct page_bound *bound) {
  const struct window w = window_at(source, base, clip, pose, joint, kind, time);
  struct series keys = series_get(w.keys), off = series_get(w.keys), line = series_get(BETWEEN * w.keys);
  char *name = text_clean(clip_source_joint(source, joint));
  take(&w, &keys, &off, &line);
  const struct chart values = put_values(o, &w, name, time, bound, &keys, &line);
  put_difference(&values, bound->bound, &off);
  free(name);
  series_free(&keys), series_free(&off), series_free(&line);
}
