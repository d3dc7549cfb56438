#include "clip/encode/curve.h"

#include "clip/kernels.h"
#include "core/quat64.h"

const double quatsimd_no_value[QUATSIMD_CLIP_KIND_COUNT][CLIP_MOST_COMPONENTS] = {
    {0, 0, 0, 1}, {0}, {1, 1, 1, 0}, {0}};

void quatsimd_curve_key(const quatsimd_curve *curve, int kind, size_t k, double value[CLIP_MOST_COMPONENTS]) {
  const float *v = clip_key(curve, kind, k);
  for (size_t i = 0; i < clip_components(kind); i++) value[i] = clip_kept(v[i]);
  clip_clear_axes(value, kind);
  if (kind == QUATSIMD_CLIP_ROTATION) quat64_normalise(value);
}

/* ---- between two values ---- */

/* Returns sin(t x) / sin(x), where `less` is 1 - cos(x), by Eberly's series ("A Fast and Accurate Algorithm
 * for Computing SLERP", 2011). The error is below 1e-11 if less is at most NARROW. */
#define NARROW 0.14 /* x is 30.7 degrees: half of a turn of 61 degrees */
static double slerp_weight(double t, double less) {
  const double square = t * t * less;
  double w = 1;
  for (int i = 8; i > 0; i--) w = 1 + w * (i / (2 * i + 1.0) * less - 1 / (i * (2 * i + 1.0)) * square);
  return t * w;
}

/* Computes slerp. Halves the turn from a to b until it is narrow enough for the series. */
static void slerp(const double *a, const double *b, double t, double *out) {
  double low[4], high[4];
  memcpy(low, a, sizeof low);
  memcpy(high, b, sizeof high);
  while (1 - quat64_dot(low, high) > NARROW) {
    double middle[4];
    for (int i = 0; i < 4; i++) middle[i] = low[i] + high[i];
    quat64_normalise(middle);
    t *= 2;
    if (t >= 1) t -= 1, memcpy(low, middle, sizeof low);
    else memcpy(high, middle, sizeof high);
  }
  const double less = 1 - quat64_dot(low, high), of_low = slerp_weight(1 - t, less),
               of_high = slerp_weight(t, less);
  for (int i = 0; i < 4; i++) out[i] = of_low * low[i] + of_high * high[i];
}

void quatsimd_value_slerp(int kind, const double *a, const double *b, double t, double *out) {
  if (kind == QUATSIMD_CLIP_ROTATION) slerp(a, b, t, out);
  else
    for (int i = 0; i < 3; i++) out[i] = a[i] + t * (b[i] - a[i]);
}

void quatsimd_value_between(int kind, const double *a, const double *b, double t, double least, double *out) {
  double sign = 1, toward = t;
  if (kind == QUATSIMD_CLIP_ROTATION) { /* the formula of clip_weights, in double */
    const double dot = quat64_dot(a, b);
    if (dot < least) sign = -1;
    const double d = dot * sign, s = (t - 0.5) * (t - 0.5);
    double turn = 0;
    for (int i = 3; i >= 0; i--) {
      const float *c = clip_turn[i];
      turn = turn * d + (((double)c[3] * s + c[2]) * s + c[1]) * s + c[0];
    }
    toward += t * (t - 0.5) * (t - 1) * (1 - d) * turn;
  }
  for (size_t i = 0; i < clip_components(kind); i++) out[i] = a[i] * (1 - toward) + b[i] * (sign * toward);
  clip_clear_axes(out, kind);
  if (kind == QUATSIMD_CLIP_ROTATION) quat64_normalise(out);
}

/* ---- curves ---- */

/* Evaluates glTF's CUBICSPLINE between key k (t = 0) and the next one (t = 1). */
static void spline(const quatsimd_curve *curve, int kind, size_t k, double t, double *value) {
  double number[SPLINE_NUMBERS][4];
  quatsimd_curve_numbers(curve, kind, k, number);
  spline_between(value, number, clip_components(kind), t);
  clip_clear_axes(value, kind);
  /* where the spline passes near 0, it has no direction */
  if (kind == QUATSIMD_CLIP_ROTATION && !spline_turn(value)) quatsimd_curve_key(curve, kind, k, value);
}

void quatsimd_curve_numbers(const quatsimd_curve *curve, int kind, size_t k,
                            double number[SPLINE_NUMBERS][4]) {
  const size_t n = clip_components(kind);
  const float *from = clip_key(curve, kind, k);
  const double length = curve->times[k + 1] - curve->times[k];
  for (int i = 0; i < SPLINE_NUMBERS; i++, from += n)
    for (size_t c = 0; c < n; c++)
      number[i][c] = clip_kept(from[c]) * (i == SPLINE_OUT || i == SPLINE_IN ? length : 1);
}

/* True if the source turns from key k to the negative of the next key. */
static bool turns_over(const quatsimd_curve *curve, int kind, size_t k) {
  if (kind != QUATSIMD_CLIP_ROTATION || clip_is_cubic(curve)) return false;
  const float *u = clip_key(curve, kind, k), *v = clip_key(curve, kind, k + 1);
  double a[4], b[4];
  for (int i = 0; i < 4; i++) a[i] = clip_kept(u[i]), b[i] = clip_kept(v[i]);
  return quat64_dot(a, b) < 0;
}

static void pass_key(const quatsimd_curve *curve, int kind, clip_progress *place) {
  const bool over = place->has_next ? place->over : turns_over(curve, kind, place->key);
  place->negative = place->negative != over;
  place->key++;
  place->has_this = place->has_next;
  if (place->has_next) memcpy(place->this_value, place->next_value, sizeof place->this_value);
  if (place->has_next && over) quat64_negate(place->this_value);
  place->has_next = false;
}

clip_progress quatsimd_curve_start(const quatsimd_curve *curve, double time) {
  size_t low = 0, high = curve->key_count; /* times[low] <= time, or low is 0 */
  while (high > 1 && high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (curve->times[middle] <= time) low = middle;
    else high = middle;
  }
  return (clip_progress){.key = low};
}

static const double *this_value(const quatsimd_curve *curve, int kind, clip_progress *place) {
  if (!place->has_this) quatsimd_curve_key(curve, kind, place->key, place->this_value);
  place->has_this = true;
  return place->this_value;
}

static const double *next_value(const quatsimd_curve *curve, int kind, clip_progress *place) {
  if (place->has_next) return place->next_value;
  quatsimd_curve_key(curve, kind, place->key + 1, place->next_value);
  place->over = turns_over(curve, kind, place->key);
  if (place->over) quat64_negate(place->next_value);
  place->has_next = true;
  return place->next_value;
}

void quatsimd_curve_along(const quatsimd_curve *curve, int kind, double time, clip_progress *place,
                          double value[CLIP_MOST_COMPONENTS]) {
  if (curve->key_count == 0) {
    memcpy(value, quatsimd_no_value[kind], sizeof quatsimd_no_value[kind]);
    return;
  }
  const double *times = curve->times;
  while (place->key + 1 < curve->key_count && times[place->key + 1] <= time) pass_key(curve, kind, place);
  const size_t k = place->key;
  const bool at_key = clip_holds(curve) || k + 1 == curve->key_count || time <= times[k];
  const double t = at_key ? 0 : (time - times[k]) / (times[k + 1] - times[k]);
  if (at_key) memcpy(value, this_value(curve, kind, place), sizeof place->this_value);
  else if (clip_is_cubic(curve)) spline(curve, kind, k, t, value);
  else quatsimd_value_slerp(kind, this_value(curve, kind, place), next_value(curve, kind, place), t, value);
  if (place->negative && kind == QUATSIMD_CLIP_ROTATION) quat64_negate(value);
}

void quatsimd_curve_at(const quatsimd_curve *curve, int kind, double time,
                       double value[CLIP_MOST_COMPONENTS]) {
  clip_progress place = quatsimd_curve_start(curve, time);
  quatsimd_curve_along(curve, kind, time, &place, value);
}

/* ---- errors ---- */

double quatsimd_value_chord2(int kind, const double *a, const double *b) {
  double d2 = 0, s2 = 0;
  for (size_t i = 0; i < clip_components(kind); i++)
    d2 += (a[i] - b[i]) * (a[i] - b[i]), s2 += (a[i] + b[i]) * (a[i] + b[i]);
  double most = 0;
  for (int i = 0; i < 3 && kind == QUATSIMD_CLIP_SCALE; i++) {
    const double d = (a[i] - b[i]) * (a[i] - b[i]);
    if (!(d <= most)) most = d;
  }
  if (kind == QUATSIMD_CLIP_SCALE) return most;
  return kind != QUATSIMD_CLIP_ROTATION || d2 < s2 ? d2 : s2;
}

double quatsimd_chord2_error(int kind, double chord2) {
  if (kind != QUATSIMD_CLIP_ROTATION) return quatsimd_sqrt(chord2);
  /* 4 asin(chord / 2), by its series. Chords above 1 are far beyond any bound and need no accuracy. */
  const double x = quatsimd_sqrt(chord2) / 2, y = x * x;
  return 4 * x *
         (1 + y * (1.0 / 6 +
                   y * (3.0 / 40 +
                        y * (15.0 / 336 + y * (105.0 / 3456 + y * (945.0 / 42240 + y * 10395.0 / 599040))))));
}

double quatsimd_value_error(int kind, const double *a, const double *b) {
  return quatsimd_chord2_error(kind, quatsimd_value_chord2(kind, a, b));
}
