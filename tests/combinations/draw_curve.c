#include "draw_curve.h"

#include <math.h>
#include <string.h>

/* A curve while it is drawn. */
typedef struct drawing {
  scene *s;
  bool base; /* the base's: its scales keep their sign */
  int kind;
  size_t n; /* components */
  uint64_t dice;
  double *times, *values; /* n for each key */
  size_t keys;
  bool cubic, near_zero;
} drawing;

static double amplitude(drawing *d) {
  const double exponent = random_unit(&d->dice);
  if (d->kind == TRANSLATION) return pow(10, has(d->s, HAS_big) ? 5 * exponent - 1 : 2 * exponent - 2);
  if (d->kind == TRACK) return pow(10, has(d->s, HAS_big) ? 4 * exponent - 1 : 0);
  return pow(10, 2 * exponent - 2) /
         (1 + (double)d->s->joint_count / 8); /* that of scales, whose products grow */
}

static double frame_time(const drawing *d, size_t frame) {
  const double time = d->s->start + (double)frame / d->s->rate;
  return has(d->s, HAS_floats) ? (double)(float)time : time;
}

/* Adds a time unless it is not after the last one. */
static void add_time(drawing *d, double time) {
  if (d->keys == 0 || time > d->times[d->keys - 1]) d->times[d->keys++] = time;
}

static void draw_times(drawing *d, size_t most) {
  const scene *s = d->s;
  size_t first = 0, last = s->frames - 1;
  const uint32_t shorter = below(&d->dice, 6), style = below(&d->dice, 3);
  /* where a base goes on after the source's end, the sum does not close */
  if (has(s, HAS_shorter) && s->frames > 4 && !(has(s, HAS_loop) && has(s, HAS_base))) {
    if (shorter & 1) first = below(&d->dice, (uint32_t)s->frames / 2);
    if (shorter & 2) last = s->frames / 2 + 1 + below(&d->dice, (uint32_t)s->frames / 2 - 1);
  }
  const size_t inner = last - first < 2 ? 0 : last - first - 1;
  add_time(d, frame_time(d, first));
  if (has(s, HAS_uneven) && style == 0) {
    const size_t count = 1 + below(&d->dice, (uint32_t)(most < 40 ? most : 40));
    double share = 0;
    for (size_t k = 0; k < count; k++) {
      share += -log(random_unit(&d->dice)) / (double)count;
      if (share >= 1) break;
      const double time = frame_time(d, first) + share * (frame_time(d, last) - frame_time(d, first));
      const double given = has(s, HAS_floats) ? (double)(float)time : time;
      if (given < frame_time(d, last)) add_time(d, given);
    }
  } else {
    const bool some = has(s, HAS_sparse) && style < 2;
    const double chance = fmin((double)most / (double)(inner + 1), some ? random_unit(&d->dice) * 0.5 : 1);
    for (size_t frame = first + 1; frame < last; frame++)
      if (random_unit(&d->dice) < chance) add_time(d, frame_time(d, frame));
  }
  add_time(d, frame_time(d, last));
}

static void multiply(double *q, const double *by) {
  const double a[4] = {q[0], q[1], q[2], q[3]}, *b = by;
  q[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  q[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
  q[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
  q[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void turn_by(double *q, const double *axis, double angle) {
  const double half = 0.5 * angle, s = sin(half), by[4] = {axis[0] * s, axis[1] * s, axis[2] * s, cos(half)};
  multiply(q, by);
}

static void random_axis(drawing *d, double *axis) {
  float q[4];
  do random_rotations(q, 1, &d->dice);
  while (q[3] > 0.9f);
  const double n =
      sqrt((double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] + (double)q[2] * (double)q[2]);
  for (int i = 0; i < 3; i++) axis[i] = (double)q[i] / n;
}

/* Half turns about the axes: products and sums of such components are exact, so both ways are equally far. */
static void exact_half_turns(drawing *d) {
  static const double corners[][4] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  uint32_t corner = 0;
  for (size_t k = 0; k < d->keys; k++) {
    memcpy(d->values + 4 * k, corners[corner], sizeof corners[0]);
    corner = (corner + below(&d->dice, 4)) % 4;
  }
}

static void draw_rotations(drawing *d) {
  const scene *s = d->s;
  float middle[4];
  random_rotations(middle, 1, &d->dice);
  double axis[2][3], phase[2], waves[2], reach[2], q[4];
  for (int i = 0; i < 2; i++) {
    random_axis(d, axis[i]);
    phase[i] = 6.283 * random_unit(&d->dice), waves[i] = below(&d->dice, 4);
    reach[i] = pow(10, 3 * random_unit(&d->dice) - 2.5) * (i ? 0.3 : 1);
  }
  const uint32_t style = below(&d->dice, 10), nearly = below(&d->dice, 3);
  const double noise = pow(10, -4 + 3 * random_unit(&d->dice));
  if (has(s, HAS_halfturns) && style < 2 && nearly == 0) {
    exact_half_turns(d);
    return;
  }
  for (int i = 0; i < 4; i++) q[i] = (double)middle[i];
  for (size_t k = 0; k < d->keys; k++) {
    double *to = d->values + 4 * k;
    if (has(s, HAS_halfturns) && style < 2) {
      random_axis(d, axis[0]);
      if (k > 0) turn_by(q, axis[0], 3.14159265358979 - pow(10, -1 - 4 * random_unit(&d->dice)));
    } else if (style < 3) {
      float any[4];
      random_rotations(any, 1, &d->dice);
      for (int i = 0; i < 4; i++) q[i] = (double)any[i];
    } else if (style < 5) {
      random_axis(d, axis[0]);
      turn_by(q, axis[0], noise * random_gauss(&d->dice));
    } else {
      const double u = d->keys > 1 ? (d->times[k] - d->times[0]) / (d->times[d->keys - 1] - d->times[0]) : 0;
      for (int i = 0; i < 4; i++) q[i] = (double)middle[i];
      for (int i = 0; i < 2; i++) turn_by(q, axis[i], reach[i] * sin(6.283185307 * waves[i] * u + phase[i]));
    }
    memcpy(to, q, sizeof q);
  }
}

static void draw_vectors(drawing *d) {
  const bool scale = d->kind == SCALE;
  const double most = amplitude(d);
  const uint32_t style = below(&d->dice, 6), cross = below(&d->dice, 8), same = below(&d->dice, 2);
  const size_t jump = d->keys > 1 ? 1 + below(&d->dice, (uint32_t)d->keys - 1) : 0;
  const bool jumps = has(d->s, HAS_jumps) && below(&d->dice, 4) == 0;
  uint64_t again = d->dice;
  for (size_t i = 0; i < d->n; i++) {
    if (scale && !has(d->s, HAS_scales)) d->dice = again;
    double walk = 0;
    const double middle = scale ? 1 : most * random_gauss(&d->dice), phase = 6.283 * random_unit(&d->dice),
                 waves = below(&d->dice, 4), reach = most * random_gauss(&d->dice);
    const bool negative = has(d->s, HAS_negative) && scale && below(&d->dice, 3) == 0;
    for (size_t k = 0; k < d->keys; k++) {
      const double u = d->keys > 1 ? (d->times[k] - d->times[0]) / (d->times[d->keys - 1] - d->times[0]) : 0;
      double x;
      if (style == 0) x = middle + most * random_gauss(&d->dice);
      else if (style == 1) x = middle + (walk += 0.1 * most * random_gauss(&d->dice));
      else if (style == 2) x = middle + reach * u;
      else x = middle + reach * sin(6.283185307 * waves * u + phase);
      if (jumps && k >= jump) x += most * (same ? 3 : -5);
      if (d->base && scale) x = fmin(fmax(fabs(x), 0.4), 2.5); /* clip.h lists larger changes */
      else if (scale && (cross || !has(d->s, HAS_negative))) x = fmax(fabs(x), 0.1); /* not through 0 */
      d->values[d->n * k + i] = negative ? -x : x;
    }
  }
}

/* A loop's last key is its first one, or off it by less than a quarter of its bound. */
static void close_loop(drawing *d, size_t number) {
  const scene *s = d->s;
  if (!has(s, HAS_loop)) return;
  double *last = d->values + d->n * (d->keys - 1);
  memcpy(last, d->values, d->n * sizeof *last);
  const bool off = below(&d->dice, 2);
  const bool quotient = d->kind == SCALE && (has(s, HAS_base) || has(s, HAS_first));
  if (has(s, HAS_object) || d->base || !off || d->kind == TRACK || quotient) return;
  const quatsimd_clip_joint *j = &s->joints[number];
  const float own[] = {j->rotation_bound, j->translation_bound, j->scale_bound};
  const float common[] = {s->options.rotation_bound, s->options.translation_bound, s->options.scale_bound};
  const double most = 0.2 * (double)(own[d->kind] > 0 ? own[d->kind] : common[d->kind]);
  double axis[3];
  random_axis(d, axis);
  if (d->kind == ROTATION) turn_by(last, axis, most);
  else
    for (size_t i = 0; i < d->n && most > 1e-5 * fabs(last[i]); i++) /* floats can tell so little apart */
      last[i] += (last[i] < 0 ? -most : most) * fabs(axis[i]);
}

/* Neighbours get the sign that makes the way short, as splines need it; then some signs are turned. */
static void draw_signs(drawing *d) {
  if (d->kind != ROTATION) return;
  for (size_t k = 1; k < d->keys; k++) {
    double *q = d->values + 4 * k, *before = q - 4, dot = 0;
    for (int i = 0; i < 4; i++) dot += q[i] * before[i];
    const bool turned = d->cubic ? d->near_zero && fabs(dot) < 0.9999 && below(&d->dice, 3) == 0
                                 : has(d->s, HAS_flips) && below(&d->dice, 8) == 0;
    if (d->cubic ? (dot < 0) != turned : turned)
      for (int i = 0; i < 4; i++) q[i] = -q[i];
  }
}

static void write_values(drawing *d, quatsimd_curve *c) {
  const size_t n = d->n, parts = d->cubic ? 3 : 1;
  float *to = scene_memory(d->s, d->keys * n * parts * sizeof *to);
  const bool wild = has(d->s, HAS_wild) && below(&d->dice, 3) == 0 && d->keys < 12;
  const uint32_t style = below(&d->dice, 4);
  const double most = pow(10, 4 * random_unit(&d->dice));
  for (size_t k = 0; k < d->keys; k++) {
    const size_t before = k > 0 ? k - 1 : k, after = k + 1 < d->keys ? k + 1 : k;
    for (size_t i = 0; i < n; i++) {
      const double *v = d->values + i;
      to[n * (parts * k + parts / 2) + i] = (float)v[n * k];
      if (!d->cubic) continue;
      double slope =
          after > before ? (v[n * after] - v[n * before]) / (d->times[after] - d->times[before]) : 0;
      if (style == 0) slope = 0;
      if (style == 1) slope *= 1 + random_gauss(&d->dice);
      if (wild && !d->base && below(&d->dice, 2)) slope = most * (2 * random_unit(&d->dice) - 1);
      if (d->base && d->kind == SCALE) slope = 0; /* stays between keys of one sign */
      to[n * 3 * k + i] = (float)slope;
      to[n * (3 * k + 2) + i] = (float)(style == 2 ? -slope : slope);
    }
  }
  c->values = to, c->times = d->times, c->key_count = d->keys;
}

static void draw_one_key(drawing *d) {
  d->keys = 1, d->times[0] = d->s->start;
  if (d->kind == ROTATION) draw_rotations(d);
  else draw_vectors(d);
}

/* Two keys at the rest pose, or off it by a little. */
static void draw_rest_keys(drawing *d, const float *rest) {
  const double noise = below(&d->dice, 3) ? 0 : pow(10, -6 + 3 * random_unit(&d->dice));
  draw_times(d, 1);
  for (size_t k = 0; k < d->keys; k++)
    for (size_t i = 0; i < d->n; i++)
      d->values[d->n * k + i] = (double)rest[i] + noise * random_gauss(&d->dice);
}

void draw_curve(scene *s, bool base, int kind, size_t number) {
  drawing d = {.s = s, .base = base, .kind = kind, .n = (size_t)components_of[kind]};
  d.dice = scene_dice(s, base ? "base" : "curve", (size_t)kind, number);
  quatsimd_curve *c = base ? curve_of(s->base_joints, s->base_tracks, kind, number)
                           : curve_of(s->joints, s->tracks, kind, number);
  const uint32_t presence = below(&d.dice, 100), one = below(&d.dice, 100), style = below(&d.dice, 100);
  if (base && !has(s, HAS_base)) return;
  if (has(s, HAS_rest) && presence < (kind == SCALE ? 50 : 20)) return;
  d.times = scene_memory(s, (s->frames + 41) * sizeof *d.times);
  d.values = scene_memory(s, (s->frames + 41) * d.n * sizeof *d.values);
  if ((has(s, HAS_single) && one < 20) || (base && !has(s, HAS_moving))) {
    draw_one_key(&d);
    write_values(&d, c);
    return;
  }
  if (has(s, HAS_splines) && style < 35) d.cubic = true, c->interpolation = QUATSIMD_CURVE_CUBIC;
  else if (has(s, HAS_holds) && style > 75) c->interpolation = QUATSIMD_CURVE_HOLD;
  d.near_zero = has(s, HAS_nearzero) && d.cubic && below(&d.dice, 3) == 0;
  if (has(s, HAS_rest) && presence > 90) {
    d.near_zero = false;
    draw_rest_keys(&d, rest_of(s, kind, number));
  } else {
    draw_times(&d, d.cubic ? 12 : 2500);
    if (kind == ROTATION) draw_rotations(&d);
    else draw_vectors(&d);
  }
  close_loop(&d, number);
  draw_signs(&d);
  write_values(&d, c);
}
