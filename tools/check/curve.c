#include "check/curve.h"

#include <math.h>
#include <string.h>

#include "scene/scene.h"

const float *curve_key(const quatsimd_curve *curve, int kind, size_t key) {
  return curve->values +
         scene_width(kind) * (curve->interpolation == QUATSIMD_CURVE_CUBIC ? 3 * key + 1 : key);
}

size_t curve_find(const quatsimd_curve *curve, double time) {
  size_t low = 0, high = curve->key_count; /* times[low] <= time < times[high] */
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (curve->times[middle] <= time) low = middle;
    else high = middle;
  }
  return low;
}

static double dot(const double *p, const double *q) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
}

/* |p| |q| times the sine of half the angle from the one to the other, squared. */
static double sine_squared(const double *p, const double *q) {
  const double x = p[3] * q[0] - p[0] * q[3] - (p[1] * q[2] - p[2] * q[1]),
               y = p[3] * q[1] - p[1] * q[3] - (p[2] * q[0] - p[0] * q[2]),
               z = p[3] * q[2] - p[2] * q[3] - (p[0] * q[1] - p[1] * q[0]);
  return x * x + y * y + z * z;
}

/* atan2 loses no digits, neither near 0 nor near pi. */
static double angle_between(const double *p, const double *q) {
  const double s = sine_squared(p, q), w = dot(p, q);
  return s == 0 && w == 0 ? NAN : 2 * atan2(sqrt(s), fabs(w));
}

bool curve_is_within(int kind, const double *p, const double *q, double limit) {
  if (kind != QUATSIMD_CLIP_ROTATION) return curve_distance(kind, p, q) <= limit;
  const double w = dot(p, q), half = limit / 2; /* its tangent is larger */
  return w != 0 && sine_squared(p, q) <= half * half * w * w;
}

double curve_distance(int kind, const double *p, const double *q) {
  if (kind == QUATSIMD_CLIP_ROTATION) return angle_between(p, q);
  if (kind == QUATSIMD_CLIP_TRACK) return fabs(p[0] - q[0]);
  double d[3];
  for (int i = 0; i < 3; i++) d[i] = fabs(p[i] - q[i]);
  return kind == QUATSIMD_CLIP_SCALE ? fmax(d[0], fmax(d[1], d[2]))
                                     : sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Of length 1, the second one on the side of the first. */
static void normalise_both(double p[4], double q[4]) {
  const double pp = sqrt(dot(p, p)), qq = dot(p, q) < 0 ? -sqrt(dot(q, q)) : sqrt(dot(q, q));
  for (int i = 0; i < 4; i++) p[i] /= pp, q[i] /= qq;
}

/* Both of length 1, so far apart. */
static void slerp(const double p[4], const double q[4], double angle, double sine, double t,
                  double value[4]) {
  double a = 1 - t, b = t;
  if (sine > 1e-9) a = sin((1 - t) * angle) / sine, b = sin(t * angle) / sine;
  for (int i = 0; i < 4; i++) value[i] = a * p[i] + b * q[i];
}

/* Of cubic curves, t of the way from one key to the next, which is so many seconds. */
static void spline(const float *key, size_t width, double t, double seconds, double value[4]) {
  const float *out = key + width, *in = key + 2 * width, *next = key + 3 * width;
  const double s = 1 - t;
  for (size_t i = 0; i < width; i++)
    value[i] = s * s * (1 + 2 * t) * (double)key[i] + t * t * (3 - 2 * t) * (double)next[i] +
               s * t * seconds * (s * (double)out[i] - t * (double)in[i]);
}

/* t of the way from a key to the next, which there is unless t is 0. */
static void value_on_the_way(const quatsimd_curve *curve, int kind, size_t key, double t, double value[4]) {
  const size_t width = scene_width(kind);
  const float *p = curve_key(curve, kind, key);
  double q[4] = {0};
  for (size_t i = 0; i < width; i++) value[i] = (double)p[i];
  if (t == 0 || curve->interpolation == QUATSIMD_CURVE_HOLD) return;
  if (curve->interpolation == QUATSIMD_CURVE_CUBIC) {
    spline(p, width, t, curve->times[key + 1] - curve->times[key], value);
    return;
  }
  const float *next = p + width;
  for (size_t i = 0; i < width; i++) q[i] = (double)next[i];
  if (kind == QUATSIMD_CLIP_ROTATION) {
    normalise_both(value, q);
    const double angle = angle_between(value, q) / 2;
    slerp(value, q, angle, sin(angle), t, value);
  } else
    for (size_t i = 0; i < width; i++) value[i] = (1 - t) * value[i] + t * q[i];
}

/* How much of the way from a key to the next has passed. */
static double part_of(const quatsimd_curve *curve, size_t key, double time) {
  if (key + 1 == curve->key_count || !(time > curve->times[key])) return 0;
  const double t = (time - curve->times[key]) / (curve->times[key + 1] - curve->times[key]);
  return t < 1 ? t : 1;
}

void curve_value(const quatsimd_curve *curve, int kind, size_t key, double time, double value[4]) {
  value_on_the_way(curve, kind, key, part_of(curve, key, time), value);
}

void curve_walk_on(struct curve_walk *walk, double time) {
  const quatsimd_curve *curve = walk->curve;
  while (walk->key + 1 < curve->key_count && curve->times[walk->key + 1] <= time &&
         curve->times[walk->key + 1] > curve->times[walk->key])
    walk->key++, walk->ready = false;
}

static void make_ready(struct curve_walk *walk) {
  const float *p = curve_key(walk->curve, walk->kind, walk->key),
              *q = curve_key(walk->curve, walk->kind, walk->key + 1);
  for (int i = 0; i < 4; i++) walk->from[i] = (double)p[i], walk->to[i] = (double)q[i];
  normalise_both(walk->from, walk->to);
  for (int i = 0; i < 4; i++) walk->middle[i] = walk->from[i] + walk->to[i];
  const double length = sqrt(dot(walk->middle, walk->middle));
  for (int i = 0; i < 4; i++) walk->middle[i] /= length;
  walk->angle = NAN; /* until it is needed */
  /* twice the chord, and the most that the turn, half a turn at most, is longer */
  walk->turn = 1.12 * sqrt(8 * fmax(1 - dot(walk->from, walk->to), 0));
  walk->ready = true;
}

double curve_walk_change(struct curve_walk *walk, double seconds, double more) {
  const quatsimd_curve *curve = walk->curve;
  if (walk->key + 1 >= curve->key_count || curve->interpolation == QUATSIMD_CURVE_HOLD) return 0;
  const double span = curve->times[walk->key + 1] - curve->times[walk->key],
               part = seconds < span ? seconds / span : 1;
  const bool cubic = curve->interpolation == QUATSIMD_CURVE_CUBIC;
  if (walk->kind == QUATSIMD_CLIP_ROTATION && !cubic) {
    if (!walk->ready) make_ready(walk);
    return part * walk->turn;
  }
  const size_t width = scene_width(walk->kind);
  const float *p = curve_key(curve, walk->kind, walk->key), *q = curve_key(curve, walk->kind, walk->key + 1);
  double from = 0, to = 0, way[3] = {0};
  for (size_t i = 0; i < width; i++) {
    const double a = (double)p[i], b = (double)q[i], out = cubic ? span / 3 * (double)p[width + i] : b - a,
                 in = cubic ? span / 3 * (double)*(q + i - width) : 0, middle = cubic ? b - in - a - out : 0;
    from += a * a, to += b * b, way[0] += out * out, way[1] += middle * middle, way[2] += in * in;
  }
  /* a spline is no faster than three times its longest part */
  const double all = sqrt(way[0]) + sqrt(way[1]) + sqrt(way[2]),
               fastest = cubic ? 3 * sqrt(fmax(fmax(way[0], way[1]), way[2])) : all,
               change = fmin(all, part * fastest);
  if (!(change > 0)) return 0;
  if (walk->kind == QUATSIMD_CLIP_ROTATION) return 2.23 * change / sqrt(fmin(from, to)); /* twice the chord */
  return change / (sqrt(fmax(from, to)) + more);
}

void curve_walk_value(struct curve_walk *walk, double time, double value[4]) {
  const quatsimd_curve *curve = walk->curve;
  const double t = part_of(curve, walk->key, time);
  const int quarter = (int)(4 * t + 0.5);
  if (walk->kind != QUATSIMD_CLIP_ROTATION || curve->interpolation != QUATSIMD_CURVE_LINEAR || t == 0) {
    value_on_the_way(curve, walk->kind, walk->key, t, value);
    return;
  }
  if (!walk->ready) make_ready(walk);
  if (!(fabs(4 * t - quarter) < 1e-12) || quarter == 0 || quarter == 4) {
    if (isnan(walk->angle))
      walk->angle = angle_between(walk->from, walk->to) / 2, walk->sine = sin(walk->angle);
    slerp(walk->from, walk->to, walk->angle, walk->sine, t, value);
    return;
  }
  /* quarters, which are most, need no sines */
  const double *beside = quarter == 1 ? walk->from : quarter == 3 ? walk->to : walk->middle;
  for (int i = 0; i < 4; i++) value[i] = walk->middle[i] + beside[i];
}

/* The way from a key to the next, from `low` of it to `high`: cut where it is farther off, as the distance
 * has one low on a way so short. */
static double distance_on_the_way(const quatsimd_curve *curve, int kind, size_t key, double low, double high,
                                  const double *q) {
  double value[4], least = INFINITY;
  for (int step = 0; step < 40; step++) {
    double off[2];
    for (int i = 0; i < 2; i++) {
      value_on_the_way(curve, kind, key, i ? low + (high - low) * 2 / 3 : low + (high - low) / 3, value);
      off[i] = curve_distance(kind, value, q);
    }
    least = fmin(least, fmin(off[0], off[1]));
    if (off[0] < off[1]) high = low + (high - low) * 2 / 3;
    else low = low + (high - low) / 3;
  }
  return least;
}

double curve_distance_within(const quatsimd_curve *curve, int kind, double from, double to, const double *q) {
  double start_value[4], end_value[4], least = INFINITY;
  const size_t first = curve_find(curve, from);
  for (size_t key = first; key < curve->key_count && (key == first || curve->times[key] <= to); key++) {
    double low = 0, high = 0;
    if (curve->interpolation != QUATSIMD_CURVE_HOLD && key + 1 < curve->key_count) {
      const double start = curve->times[key], interval = curve->times[key + 1] - start;
      low = fmin(fmax((from - start) / interval, 0), 1), high = fmin(fmax((to - start) / interval, 0), 1);
    }
    value_on_the_way(curve, kind, key, low, start_value);
    value_on_the_way(curve, kind, key, high, end_value);
    const double ends = fmin(curve_distance(kind, start_value, q), curve_distance(kind, end_value, q));
    least = fmin(least, ends);
    /* most ways are so short that their ends tell */
    if (high > low && curve_distance(kind, start_value, end_value) > 1e-3 * ends)
      least = fmin(least, distance_on_the_way(curve, kind, key, low, high, q));
  }
  return least;
}
