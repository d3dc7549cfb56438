/* Makes small random scenes for test_clip_times and test_clip_same. A family and a seed determine a scene. */
#ifndef RANDOM_SCENES_H
#define RANDOM_SCENES_H

#include "support/clip_truth.h"
#include "support/random.h"

#include <string.h>

enum { MOST_JOINTS = 12, MOST_KEYS = 60 };

typedef struct random_scene {
  quatsimd_clip_joint joint[MOST_JOINTS], base_joint[MOST_JOINTS];
  quatsimd_clip_source source, base;
  quatsimd_clip_options options;
  double times[2 * 3 * MOST_JOINTS][MOST_KEYS];
  float values[2 * 3 * MOST_JOINTS][12 * MOST_KEYS];
  uint64_t random;
} random_scene;

/* ---- numbers ---- */

static inline double in_range(uint64_t *r, double from, double to) {
  return from + (to - from) * random_unit(r);
}
static inline double log_range(uint64_t *r, double from, double to) {
  return from * exp(random_unit(r) * log(to / from));
}
static inline size_t one_of(uint64_t *r, size_t count) { return (size_t)(random_unit(r) * (double)count); }
static inline bool chance(uint64_t *r, double of) { return random_unit(r) < of; }
#define ANY(r, ...)                                                                                          \
  (((const double[]){__VA_ARGS__})[one_of(r, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))])

/* ---- times ---- */

typedef enum { EVEN, FLOATS, UNEVEN, LISTED } timings; /* UNEVEN: each curve has times of its own */

typedef struct clock_of_scene {
  timings timing;
  double start, rate;
  size_t keys;
  double listed[MOST_KEYS];
} clock_of_scene;

static inline void gaps(uint64_t *r, double *times, size_t keys, double start, double rate) {
  double time = start;
  for (size_t k = 0; k < keys; k++, time += log_range(r, 0.1, 10) / rate) times[k] = time;
}

static inline clock_of_scene make_clock(uint64_t *r, timings timing, double start) {
  clock_of_scene c = {timing, start, ANY(r, 24, 25, 30, 30, 60, 1000 / 33., 30000 / 1001., 7.3), 0, {0}};
  c.keys = 2 + one_of(r, chance(r, 0.3) ? 4 : MOST_KEYS - 1);
  gaps(r, c.listed, c.keys, start, c.rate);
  return c;
}

/* Writes the times of a curve's keys. Returns the number of keys. */
static inline size_t take_times(uint64_t *r, const clock_of_scene *c, double *times) {
  size_t keys = c->keys;
  if (c->timing == UNEVEN) {
    keys = 2 + one_of(r, c->keys - 1);
    gaps(r, times, keys, c->start + (chance(r, 0.5) ? in_range(r, 0, 1) : 0), c->rate);
    return keys;
  }
  for (size_t k = 0; k < keys; k++) {
    times[k] = c->timing == LISTED ? c->listed[k] : c->start + (double)k / c->rate;
    if (c->timing == FLOATS) times[k] = (double)(float)times[k];
    if (k && times[k] <= times[k - 1]) return k; /* rounding to float has made two times equal */
  }
  return keys;
}

/* ---- values ---- */

typedef enum { SMOOTH, FAST, WHEEL, DOOR, NOISE, SIXTY } motions;

static inline void turn(double *q, const double *axis, double degrees) {
  const double half = degrees * 3.14159265358979323846 / 360;
  for (int i = 0; i < 3; i++) q[i] = axis[i] * sin(half);
  q[3] = cos(half);
}
static inline void random_axis(uint64_t *r, double *axis) {
  double n = 0;
  const bool main = chance(r, 0.4);
  const size_t which = one_of(r, 3);
  for (size_t i = 0; i < 3; i++) axis[i] = main ? i == which : random_gauss(r), n += axis[i] * axis[i];
  for (int i = 0; i < 3; i++) axis[i] /= sqrt(n);
}
static inline void multiply(double *to, const double *a, const double *b) {
  const double q[] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                      a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                      a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                      a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
  memcpy(to, q, sizeof q);
}

/* Writes a sum of two sine waves for each axis, with a height of about `height`. */
static inline void waves(uint64_t *r, const double *times, size_t keys, double height, double (*to)[3]) {
  for (int i = 0; i < 3; i++) {
    const double f = in_range(r, 0.5, 6), g = in_range(r, 0.5, 12), p = in_range(r, 0, 6),
                 o = in_range(r, 0, 6);
    for (size_t k = 0; k < keys; k++) {
      const double t = times[k] - times[0];
      to[k][i] = height * (0.7 * sin(f * t + p) + 0.3 * sin(g * t + o));
    }
  }
}

static inline void make_turns(uint64_t *r, motions motion, const double *times, size_t keys, double (*q)[4]) {
  double axis[3], path[MOST_KEYS][3], at[4];
  random_axis(r, axis), turn(at, axis, in_range(r, -180, 180));
  const double step = ANY(r, 180, 180, 179.98, 179.97, -179.97, 10, 190, 90, 120, 170, 360);
  const bool placed = chance(r, 0.5); /* if false, WHEEL and DOOR begin at the exact identity */
  waves(r, times, keys, ANY(r, 2, 20, 80), path);
  for (size_t k = 0; k < keys; k++) {
    double by[4], a[3];
    if (motion == SMOOTH || motion == NOISE) {
      const double *p = path[k], n = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) + 1e-9;
      for (int i = 0; i < 3; i++) a[i] = p[i] / n;
      turn(by, a, motion == NOISE ? n * in_range(r, 0, 1) : n);
      multiply(q[k], at, by);
    } else if (motion == FAST || motion == SIXTY) {
      memcpy(q[k], at, sizeof at);
      for (int i = 0; i < 3; i++) axis[i] += (motion == FAST ? 0.1 : 0.001) * random_gauss(r);
      const double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
      for (int i = 0; i < 3; i++) axis[i] /= n;
      turn(by, axis, motion == FAST ? in_range(r, 60, 180) : in_range(r, 52, 66)), multiply(at, at, by);
    } else {
      turn(by, axis, motion == WHEEL ? step * (double)k : step * (double)(chance(r, 0.7) ? k % 2 : 0));
      if (placed) multiply(q[k], at, by);
      else memcpy(q[k], by, sizeof by);
    }
  }
}

/* Returns the least length of a cubic curve's quaternions. Where they are short, the rotation turns fast. */
static inline double shortest(const quatsimd_curve *c) {
  double least = 1;
  for (size_t i = 0; i + 1 < c->key_count; i++)
    for (int s = 0; s <= 32; s++) {
      const double t = s / 32., span = c->times[i + 1] - c->times[i];
      double n2 = 0;
      for (int v = 0; v < 4; v++) {
        const float *p = truth_key(c, 0, i, 0) + v;
        const double x = (1 + 2 * t) * (1 - t) * (1 - t) * (double)p[0] +
                         t * t * (3 - 2 * t) * (double)p[12] +
                         span * t * (1 - t) * ((1 - t) * (double)p[4] - t * (double)p[8]);
        n2 += x * x;
      }
      least = fmin(least, sqrt(n2));
    }
  return least;
}

/* Writes the keys of a cubic curve and their tangents to `to`. A tangent is the slope between the key's
 * neighbours, changed at random. */
static inline void add_tangents(uint64_t *r, quatsimd_curve *c, int kind, double (*v)[4], float *to) {
  const size_t width = truth_width(kind);
  const double strength = ANY(r, 0, 1, 1, 1, 1.5), own = chance(r, 0.3) ? in_range(r, 0, 1) : 0;
  const bool broken = chance(r, 0.4); /* tangents before and after a key differ */
  for (size_t k = 0; k < c->key_count; k++) {
    const size_t before = k ? k - 1 : 0, behind = k + 1 < c->key_count ? k + 1 : k;
    for (size_t i = 0; i < width; i++) {
      const double span = behind > before ? c->times[behind] - c->times[before] : 1;
      double slope = strength * (v[behind][i] - v[before][i]) / span;
      for (size_t part = 0; part < 3; part += 2) {
        if (part == 0 || broken) slope += own * random_gauss(r) * (fabs(slope) + 0.1);
        to[(3 * k + part) * width + i] = (float)slope;
      }
      to[(3 * k + 1) * width + i] = (float)v[k][i];
    }
  }
  for (int tries = 0; kind == QUATSIMD_CLIP_ROTATION && tries < 8 && shortest(c) < 0.2; tries++)
    for (size_t i = 0; i < 12 * c->key_count; i++)
      if (i / 4 % 3 != 1) to[i] /= 2;
}

typedef struct style {
  motions motion;
  int interpolation;
  double distance, scale; /* distance: size of translations. scale: mean of scales */
  bool closed, any_length, own_bounds;
} style;

static inline quatsimd_curve make_curve(random_scene *s, size_t number, int kind, const clock_of_scene *clock,
                                        const style *how) {
  uint64_t *r = &s->random;
  double v[MOST_KEYS][4] = {{0}}, path[MOST_KEYS][3];
  float *to = s->values[number];
  quatsimd_curve c = {take_times(r, clock, s->times[number]), s->times[number], to, how->interpolation};
  if (how->closed) { /* all curves have the same first and last time, and each ends with its first value */
    const double end = clock->start + (double)clock->keys / clock->rate, *t = c.times;
    const double stretch = (end - clock->start) / (t[c.key_count - 1] - t[0]), from = t[0];
    for (size_t k = 0; k < c.key_count && clock->timing == UNEVEN; k++)
      s->times[number][k] = k + 1 == c.key_count ? end : clock->start + (t[k] - from) * stretch;
  } else if (chance(r, 0.15))
    c.key_count = 1, c.interpolation = chance(r, 0.5) ? how->interpolation : QUATSIMD_CURVE_LINEAR;
  if (kind == QUATSIMD_CLIP_ROTATION) make_turns(r, how->motion, c.times, c.key_count, v);
  else {
    const double middle[] = {in_range(r, -1, 1), in_range(r, -1, 1), in_range(r, -1, 1)};
    waves(r, c.times, c.key_count, kind == QUATSIMD_CLIP_SCALE ? 0.3 : how->distance * ANY(r, 0.02, 0.3),
          path);
    for (size_t k = 0; k < c.key_count; k++)
      for (int i = 0; i < 3; i++) {
        if (how->motion == NOISE) path[k][i] *= in_range(r, 0, 1);
        v[k][i] = kind == QUATSIMD_CLIP_SCALE ? how->scale * (1 + path[k][i])
                                              : how->distance * middle[i] + path[k][i];
      }
  }
  /* Negates some keys. Negates keys of cubic curves only to keep the curve away from zero. */
  for (size_t k = 0; kind == QUATSIMD_CLIP_ROTATION && k < c.key_count; k++) {
    double dot = 0;
    for (int i = 0; i < 4 && k; i++) dot += v[k][i] * v[k - 1][i];
    const bool cubic = c.interpolation == QUATSIMD_CURVE_CUBIC, flip = cubic ? dot < 0 : chance(r, 0.1);
    const double length = how->any_length && !cubic ? log_range(r, 0.01, 100) : 1;
    for (int i = 0; i < 4; i++) v[k][i] *= flip ? -length : length;
  }
  if (how->closed && c.key_count > 0) memcpy(v[c.key_count - 1], v[0], sizeof v[0]);
  if (c.interpolation == QUATSIMD_CURVE_CUBIC) return add_tangents(r, &c, kind, v, to), c;
  for (size_t k = 0; k < c.key_count; k++)
    for (size_t i = 0; i < truth_width(kind); i++) {
      to[truth_width(kind) * k + i] = (float)v[k][i];
      /* some keys of HOLD curves repeat the key before them */
      if (c.interpolation == QUATSIMD_CURVE_HOLD && k % 3 == 1 && !(how->closed && k + 1 == c.key_count))
        to[truth_width(kind) * k + i] = to[truth_width(kind) * (k - 1) + i];
    }
  return c;
}

/* ---- families ---- */

typedef struct family {
  const char *name;
  void (*change)(random_scene *s, clock_of_scene *clock, style *how);
  int mixed; /* interpolations that curves may have, a bit for each */
} family;

static inline void smooth(random_scene *s, clock_of_scene *c, style *how) { (void)s, (void)c, (void)how; }
static inline void fast(random_scene *s, clock_of_scene *c, style *how) {
  (void)c;
  how->motion = FAST, s->options.rotation_bound = (float)log_range(&s->random, 1e-4, 0.02);
}
static inline void half_turns(random_scene *s, clock_of_scene *c, style *how) {
  (void)c;
  how->motion = chance(&s->random, 0.5) ? WHEEL : DOOR;
  s->options.rotation_bound = (float)log_range(&s->random, 0.05 * 0.0174533, 0.0174533);
}
static inline void uneven(random_scene *s, clock_of_scene *c, style *how) {
  *c = make_clock(&s->random, chance(&s->random, 0.7) ? UNEVEN : LISTED, c->start);
  how->motion = chance(&s->random, 0.3) ? FAST : SMOOTH;
}
static inline void late(random_scene *s, clock_of_scene *c, style *how) {
  const timings timing = (timings[]){EVEN, FLOATS, UNEVEN, LISTED}[one_of(&s->random, 4)];
  *c = make_clock(&s->random, timing, ANY(&s->random, 600, 3601, 1e5, 0.37, -2.5, -3601));
  how->motion = chance(&s->random, 0.2) ? FAST : SMOOTH;
}
static inline void in_floats(random_scene *s, clock_of_scene *c, style *how) {
  *c = make_clock(&s->random, FLOATS, ANY(&s->random, 0, 0, 1, 17.3, 100));
  how->motion = chance(&s->random, 0.3) ? DOOR : SMOOTH;
}
static inline void loops(random_scene *s, clock_of_scene *c, style *how) {
  *c = make_clock(&s->random, (timings[]){EVEN, EVEN, FLOATS, LISTED, UNEVEN}[one_of(&s->random, 5)],
                  ANY(&s->random, 0, 0, 1, -3));
  how->closed = true, s->options.looping = 1;
  how->motion = (motions[]){SMOOTH, SMOOTH, FAST, WHEEL}[one_of(&s->random, 4)];
}
static inline void rates(random_scene *s, clock_of_scene *c, style *how) {
  if (chance(&s->random, 0.3)) *c = make_clock(&s->random, UNEVEN, 0);
  s->options.rate = c->rate * ANY(&s->random, 0.1, 0.25, 0.5, 0.7, 1, 1.3, 2, 3.7);
  how->motion = chance(&s->random, 0.3) ? FAST : SMOOTH;
}
static inline void first(random_scene *s, clock_of_scene *c, style *how) {
  if (chance(&s->random, 0.3)) uneven(s, c, how);
  s->options.additive = QUATSIMD_CLIP_ADDITIVE_FIRST;
  how->motion = (motions[]){SMOOTH, SMOOTH, FAST, DOOR}[one_of(&s->random, 4)];
}
static inline void onto_base(random_scene *s, clock_of_scene *c, style *how) {
  if (chance(&s->random, 0.3)) uneven(s, c, how);
  s->options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, s->options.additive_base = &s->base;
}
static inline void objects(random_scene *s, clock_of_scene *c, style *how) {
  uint64_t *r = &s->random;
  if (chance(r, 0.3)) late(s, c, how);
  else if (chance(r, 0.3)) uneven(s, c, how);
  if (chance(r, 0.1)) s->options.additive = QUATSIMD_CLIP_ADDITIVE_FIRST;
  how->distance = ANY(r, 0.3, 1, 10), how->motion = chance(r, 0.3) ? FAST : SMOOTH;
  s->options.object_distance = (float)(how->distance * ANY(r, 0.03, 0.3, 1));
  s->options.object_bound = (float)(how->distance * log_range(r, 3e-4, 0.03));
}
static inline void objects_onto_base(random_scene *s, clock_of_scene *c, style *how) {
  objects(s, c, how);
  s->options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, s->options.additive_base = &s->base;
}
/* Makes few joints and keys, because encoding is slow if a joint's bound differs much from its parent's. */
static inline void own_bounds(random_scene *s, clock_of_scene *c, style *how) {
  objects(s, c, how);
  s->options.object_bound *= 0.1f;
  how->own_bounds = true;
  if (s->source.joint_count > 3) s->source.joint_count = s->base.joint_count = 3;
  if (c->keys > 5) c->keys = 5;
}
static inline void own_bounds_onto_base(random_scene *s, clock_of_scene *c, style *how) {
  own_bounds(s, c, how);
  s->options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, s->options.additive_base = &s->base;
}
static inline void fine(random_scene *s, clock_of_scene *c, style *how) {
  if (chance(&s->random, 0.3)) uneven(s, c, how);
  how->motion = (motions[]){FAST, WHEEL, DOOR}[one_of(&s->random, 3)];
  s->options.rotation_bound = (float)log_range(&s->random, 1e-5, 5e-5);
}
/* Makes turns of about 60 degrees. Among turns below 120 degrees, sampling these differs most from slerp. */
static inline void sixty(random_scene *s, clock_of_scene *c, style *how) {
  (void)c;
  how->motion = SIXTY, s->options.rotation_bound = 1e-5f;
}
static inline void everything(random_scene *s, clock_of_scene *c, style *how) {
  uint64_t *r = &s->random;
  void (*const all[])(random_scene *, clock_of_scene *, style *) = {uneven, late, in_floats, rates};
  all[one_of(r, 4)](s, c, how);
  if (chance(r, 0.3)) first(s, c, how);
  how->motion = (motions[]){SMOOTH, FAST, WHEEL, DOOR, NOISE}[one_of(r, 5)];
  how->any_length = chance(r, 0.5);
}

enum { L = 1 << QUATSIMD_CURVE_LINEAR, H = 1 << QUATSIMD_CURVE_HOLD, C = 1 << QUATSIMD_CURVE_CUBIC };
static const family families[] = {
    {"smooth", smooth, L},
    {"fast", fast, L},
    {"half", half_turns, L},
    {"step", half_turns, L | H},
    {"cubic", smooth, C},
    {"uneven", uneven, L},
    {"late", late, L | H},
    {"floats", in_floats, L | H},
    {"loop", loops, L | H},
    {"rate", rates, L | H},
    {"first", first, L | H},
    {"base", onto_base, L},
    {"base_step", onto_base, L | H},
    {"object", objects, L | H},
    {"base_object", objects_onto_base, L | H | C},
    {"fine", fine, L},
    {"linear", everything, L | H},
    {"cubic_uneven", uneven, C},
    {"cubic_loop", loops, L | C},
    {"cubic_additive", onto_base, L | H | C},
    {"cubic_object", objects, C},
    {"all", everything, L | H | C},
    {"sixty", sixty, L},
    {"own_bounds", own_bounds, L | H | C},
    {"own_bounds_cubic", own_bounds, C},
    {"base_own_bounds", own_bounds_onto_base, L},
};
enum { FAMILIES = sizeof families / sizeof *families };

static inline void make_joints(random_scene *s, quatsimd_clip_joint *joint, size_t curve, const family *f,
                               const clock_of_scene *clock, const style *how) {
  uint64_t *r = &s->random;
  const bool object = s->options.object_bound > 0;
  for (size_t j = 0; j < s->source.joint_count; j++) {
    joint[j] = (quatsimd_clip_joint){.parent = j ? (int64_t)one_of(r, j + 1) - 1 : -1};
    if (object && j) joint[j].parent = (int64_t)(chance(r, 0.8) ? j - 1 : one_of(r, j));
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
      style own = *how;
      if (!chance(r, (const double[]){0.95, 0.7, 0.3}[kind])) continue;
      while (!(f->mixed >> (own.interpolation = (int)one_of(r, 3)) & 1)) {
      }
      quatsimd_curve *c = kind == 0   ? &joint[j].rotation
                          : kind == 1 ? &joint[j].translation
                                      : &joint[j].scale;
      *c = make_curve(s, curve + 3 * j + (size_t)kind, kind, clock, &own);
    }
    const double own_bound = chance(r, 0.2) ? log_range(r, 1e-4, 0.02) : 0;
    if (!object) joint[j].rotation_bound = (float)own_bound; /* it would not be used beside object_bound */
    if (how->own_bounds && chance(r, 0.6))
      joint[j].object_bound = s->options.object_bound * (float)log_range(r, 1, 1e5);
  }
}

/* Scales the root by `by`, and divides the translations of all other joints by `by`. */
static inline void make_armature(random_scene *s, double by) {
  float *to = s->values[2];
  for (int i = 0; i < 3; i++) to[i] = (float)by;
  s->joint[0].scale = (quatsimd_curve){1, NULL, to, QUATSIMD_CURVE_LINEAR};
  for (size_t j = 1; j < s->source.joint_count; j++) {
    const quatsimd_curve *c = &s->joint[j].translation;
    const size_t floats = 3 * c->key_count * (c->interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1);
    for (size_t i = 0; i < floats; i++) s->values[3 * j + 1][i] = (float)((double)c->values[i] / by);
  }
  /* object_distance is divided by `by` too, so the points of each joint stay in their places */
  for (size_t j = 0; j < s->source.joint_count; j++)
    s->joint[j].object_distance = (float)((double)s->options.object_distance / by);
}

static inline void scene_of_family(random_scene *s, const family *f, uint64_t seed) {
  s->random = seed * 977 + (uint64_t)(f - families) * UINT64_C(0x9E3779B97F4A7C15);
  uint64_t *r = &s->random;
  memset(s->joint, 0, sizeof s->joint), memset(s->base_joint, 0, sizeof s->base_joint);
  quatsimd_clip_options_init(&s->options, sizeof s->options);
  s->options.rotation_bound = (float)log_range(r, 1e-4, 0.02);
  s->options.translation_bound = (float)log_range(r, 1e-4, 0.01);
  s->options.scale_bound = (float)log_range(r, 1e-4, 0.01);
  s->source = (quatsimd_clip_source){1 + one_of(r, chance(r, 0.6) ? 3 : MOST_JOINTS), s->joint, 0, NULL};
  s->base = (quatsimd_clip_source){s->source.joint_count, s->base_joint, 0, NULL};
  clock_of_scene clock = make_clock(r, EVEN, ANY(r, 0, 0, 0, 1, -1));
  style how = {.motion = chance(r, 0.15) ? NOISE : SMOOTH, .distance = 1, .scale = 1};
  f->change(s, &clock, &how);
  make_joints(s, s->joint, 0, f, &clock, &how);
  if (s->options.additive == QUATSIMD_CLIP_ADDITIVE_BASE) {
    const clock_of_scene other =
        make_clock(r, chance(r, 0.5) ? UNEVEN : EVEN, clock.start + in_range(r, -1, 1) / clock.rate);
    make_joints(s, s->base_joint, 3 * MOST_JOINTS, f, &other, &how);
  }
  if (s->options.object_bound > 0 && chance(r, 0.5)) make_armature(s, ANY(r, 0.01, 100));
}

#endif
