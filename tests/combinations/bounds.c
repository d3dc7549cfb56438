/* Bounds at every time, with what clip.h lists beside them. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "times.h"

enum { MOST_SHIFTS = 80 };

/* One comparison. The values of errors are in the order of `places`. */
typedef struct comparison {
  scene *s;
  const encoded *e;
  counts *count;
  truth_pose source, base, sum;
  affine *wanted, *found;
  float_pose sampled;
  real *largest;       /* largest component of each curve */
  real *distance;      /* that of each joint and those above it, from the origin, at most */
  real *error, *least; /* that of each curve, or of each joint's points, less the rounding of float_pose */
  int *best;           /* for each place, the shift with the least error; MOST_SHIFTS more: of the base */
  size_t places;
} comparison;

/* A curve on a base that moves has the errors of both. */
static real curves_of(const scene *s) { return s->options.additive == QUATSIMD_CLIP_ADDITIVE_BASE ? 2 : 1; }

static bool by_points(const scene *s) { return s->options.object_bound > 0; }

/* Errors have a place for each joint's three kinds and points, and for each track. */
static size_t place_of(const scene *s, int kind, size_t number) {
  return kind == TRACK ? 4 * s->joint_count + number : 4 * number + (size_t)(kind == POINT ? 3 : kind);
}

static float own_or(float own, float common) { return own > 0 ? own : common; }

static real bound_of(const scene *s, int kind, size_t number) {
  const quatsimd_clip_options *o = &s->options;
  if (kind == TRACK) return (real)own_or(s->tracks[number].bound, o->track_bound);
  const quatsimd_clip_joint *j = &s->joints[number];
  switch (kind) {
  case ROTATION: return (real)own_or(j->rotation_bound, o->rotation_bound);
  case TRANSLATION: return (real)own_or(j->translation_bound, o->translation_bound);
  case SCALE: return (real)own_or(j->scale_bound, o->scale_bound);
  default: return (real)own_or(j->object_bound, o->object_bound);
  }
}

static real point_distance(const scene *s, size_t joint) {
  return (real)own_or(s->joints[joint].object_distance, s->options.object_distance);
}

/* The largest error that the report admits. */
static real reported(const encoded *e, int kind) {
  return (real)(kind == POINT ? e->report.worst_object : e->report.worst[kind]);
}

static real *value_in(const truth_pose *pose, int kind, size_t number) {
  return kind == TRACK ? pose->tracks + number : pose->joints[number].part[kind];
}

static void widen(real *most, real x) {
  if (fabsl(x) > *most) *most = fabsl(x);
}

/* Notes the sizes that rounding grows with, at one time. */
static void note_sizes(comparison *c, real time) {
  const scene *s = c->s;
  truth_at(&c->source, s, time, time), truth_base(&c->base, s, time);
  for (int kind = TRANSLATION; kind <= TRACK; kind++)
    for (size_t i = 0; i < count_of(s, kind); i++)
      for (int k = 0; k < components_of[kind]; k++) {
        real *most = &c->largest[place_of(s, kind, i)];
        widen(most, value_in(&c->source, kind, i)[k]);
        if (s->options.additive != QUATSIMD_CLIP_ADDITIVE_NONE) widen(most, value_in(&c->base, kind, i)[k]);
      }
  if (!by_points(s)) return;
  for (int base = 0; base <= (s->options.additive == QUATSIMD_CLIP_ADDITIVE_BASE); base++) {
    truth_model(c->wanted, s, base ? &c->base : &c->source);
    for (size_t j = 0; j < s->joint_count; j++) {
      const real *b = c->wanted[j].b;
      widen(&c->distance[j], sqrtl(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
      if (s->joints[j].parent >= 0) widen(&c->distance[j], c->distance[s->joints[j].parent]);
    }
  }
}

/* Keys may be larger than anything between the times that are compared. */
static void note_keys(comparison *c) {
  const scene *s = c->s;
  for (int base = 0; base < 2; base++)
    for (int kind = TRANSLATION; kind <= TRACK; kind++)
      for (size_t i = 0; i < count_of(s, kind); i++) {
        const quatsimd_curve *curve = base ? curve_of(s->base_joints, s->base_tracks, kind, i)
                                           : curve_of(s->joints, s->tracks, kind, i);
        const bool cubic = curve->interpolation == QUATSIMD_CURVE_CUBIC;
        for (size_t k = 0; k < curve->key_count; k++) {
          real value[16][4];
          for (int part = 0; part < (cubic && k + 1 < curve->key_count ? 16 : 1); part++) {
            const real t = (real)curve->times[k];
            truth_of_curve(value[part], curve, kind, rest_of(s, kind, i),
                           part ? t + ((real)curve->times[k + 1] - t) * part / 16 : t);
            for (int n = 0; n < components_of[kind]; n++)
              widen(&c->largest[place_of(s, kind, i)], value[part][n]);
          }
        }
      }
}

/* Rounding of a point, as docs/clip.md says. */
static real point_rounding(const comparison *c, size_t joint) {
  const scene *s = c->s;
  const affine *own = &c->wanted[joint];
  real reach = 0, squares = 0, sum = 0;
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++) reach += own->a[r][k] * own->a[r][k];
  reach = sqrtl(reach) * point_distance(s, joint);
  for (int64_t above = (int64_t)joint; above >= 0; above = s->joints[above].parent) {
    const real *b = c->wanted[above].b;
    const real x = own->b[0] - b[0], y = own->b[1] - b[1], z = own->b[2] - b[2],
               d = sqrtl(x * x + y * y + z * z) + reach;
    squares += d * d, sum += d;
  }
  return curves_of(s) *
         (0x1p-21L * (c->distance[joint] + reach + 0.5L * sqrtl(squares)) + c->count->slerp * sum);
}

/* Compares the pose in c->sum with the source at a time. */
static void compare(comparison *c, real time, real of_holds) {
  const scene *s = c->s;
  truth_at(&c->source, s, time, of_holds);
  if (by_points(s)) {
    truth_model(c->wanted, s, &c->source), truth_model(c->found, s, &c->sum);
    for (size_t j = 0; j < s->joint_count; j++) {
      const real enough = fminl(bound_of(s, POINT, j), reported(c->e, POINT)),
                 apart = truth_apart(&c->wanted[j], &c->found[j], point_distance(s, j), enough);
      c->error[place_of(s, POINT, j)] = apart <= enough ? apart : apart - point_rounding(c, j);
    }
  }
  for (int kind = by_points(s) ? TRACK : ROTATION; kind <= TRACK; kind++)
    for (size_t i = 0; i < count_of(s, kind); i++) {
      const size_t at = place_of(s, kind, i);
      c->error[at] = truth_difference(kind, value_in(&c->source, kind, i), value_in(&c->sum, kind, i)) -
                     (kind == ROTATION ? 1e-6L : 0x1p-21L * c->largest[at]);
    }
}

static bool is_checked(const scene *s, int kind) { return kind == TRACK || (kind == POINT) == by_points(s); }

/* The error, over what it may be. */
static real ratio_of(const comparison *c, int kind, size_t number, const real *error) {
  const real e = error[place_of(c->s, kind, number)], bound = bound_of(c->s, kind, number),
             of_report = e / (1.01L * reported(c->e, kind));
  return e <= 0 ? 0 : isnan(e) ? INFINITY : fmaxl(e / bound, of_report);
}

static bool holds(const comparison *c, const real *error) {
  for (int kind = 0; kind < KINDS; kind++)
    for (size_t i = 0; is_checked(c->s, kind) && i < count_of(c->s, kind); i++)
      if (!(ratio_of(c, kind, i, error) <= 1)) return false;
  return true;
}

static void try_shifts(comparison *c, moment m, real shift, real of_holds, size_t number) {
  compare(c, time_in_clip(c->e->clip, m, shift), time_in_clip(c->e->clip, m, of_holds));
  for (size_t i = 0; i < c->places; i++)
    if (!(c->least[i] <= c->error[i])) c->least[i] = c->error[i], c->best[i] = number;
}

/* Compares at another time, and keeps what is nearer. */
static void try_shift(comparison *c, moment m, real shift, size_t number) {
  try_shifts(c, m, shift, shift, number);
}

/* Shifts of a time that are tried, in order. */
typedef struct shifts {
  real at[MOST_SHIFTS], keys[MOST_SHIFTS];
  size_t count, key_count; /* key_count: keys, and the times just before them, where a curve jumps */
} shifts;

static void add_jumps(shifts *list, const quatsimd_curve *curve, real time, real slack) {
  if (curve->interpolation != QUATSIMD_CURVE_HOLD) return;
  for (size_t k = 1; k < curve->key_count && list->key_count + 2 < MOST_SHIFTS / 2; k++) {
    const real shift = (real)curve->times[k] - time;
    bool known = !(fabsl(shift) <= slack);
    for (size_t i = 0; i < list->key_count && !known; i++) known = list->keys[i] == shift;
    if (known) continue;
    list->keys[list->key_count++] = shift;
    list->keys[list->key_count++] = nextafterl((real)curve->times[k], -INFINITY) - time;
  }
}

static int in_order(const void *a, const void *b) {
  const real x = *(const real *)a, y = *(const real *)b;
  return (x > y) - (x < y);
}

/* A time near a frame counts as the frame's. */
static void add_frames(shifts *list, const quatsimd_clip *clip, real time, real slack) {
  size_t frame = 0, end = quatsimd_clip_frame_count(clip);
  while (end - frame > 1) {
    const size_t middle = frame + (end - frame) / 2;
    if ((real)quatsimd_clip_frame_time(clip, middle) <= time) frame = middle;
    else end = middle;
  }
  const real to_end = (real)quatsimd_clip_start(clip) + (real)quatsimd_clip_duration(clip) - time;
  if (fabsl(to_end) <= slack) list->at[list->count++] = to_end;
  for (size_t near = frame < 3 ? 0 : frame - 3; near < frame + 5; near++) {
    const real shift = (real)quatsimd_clip_frame_time(clip, near) - time;
    if (fabsl(shift) <= slack) list->at[list->count++] = shift;
  }
}

static void list_shifts(shifts *list, const comparison *c, moment m, real slack) {
  const scene *s = c->s;
  const real time = time_in_clip(c->e->clip, m, 0);
  list->count = list->key_count = 0;
  for (int kind = 0; kind < 4; kind++)
    for (size_t i = 0; i < count_of(s, kind); i++) {
      add_jumps(list, curve_of(s->joints, s->tracks, kind, i), time, slack);
      add_jumps(list, curve_of(s->base_joints, s->base_tracks, kind, i), time, slack);
    }
  memcpy(list->at, list->keys, list->key_count * sizeof list->at[0]);
  list->count = list->key_count;
  list->at[list->count++] = 0;
  add_frames(list, c->e->clip, time, slack);
  for (int part = 1; part <= 8; part++)
    for (int way = -1; way <= 1; way += 2) {
      list->at[list->count++] = slack * way * part / 8;
      list->at[list->count++] = slack * way * 0.0625L / (real)(1 << 2 * part);
    }
  qsort(list->at, list->count, sizeof list->at[0], in_order);
}

/* The same where the base is at another time, and the source is not. */
static void try_base(comparison *c, moment m, real shift, size_t number) {
  truth_base(&c->base, c->s, time_in_clip(c->e->clip, m, 0) + shift); /* it may begin before the clip */
  truth_add(&c->sum, c->s, &c->base, &c->sampled);
  try_shift(c, m, 0, number);
}

/* Seeks the shift near the best one at which an error is least. */
static void refine(comparison *c, moment m, const shifts *list, size_t place) {
  const size_t number = c->best[place], best = number % MOST_SHIFTS;
  void (*const try)(comparison *, moment, real, size_t) = number < MOST_SHIFTS ? try_shift : try_base;
  real low = list->at[best > 0 ? best - 1 : 0],
       high = list->at[best + 1 < list->count ? best + 1 : list->count - 1];
  for (int step = 0; step < 25; step++) {
    const real a = low + 0.382L * (high - low), b = low + 0.618L * (high - low);
    try(c, m, a, number);
    const real first = c->error[place];
    try(c, m, b, number);
    if (first < c->error[place]) high = b;
    else low = a;
  }
  try_base(c, m, 0, number);
}

/* The times of the base are rounded, too. Where it jumps, either side counts. */
static void forgive_base(comparison *c, moment m, const shifts *list) {
  for (size_t i = 0; i < list->count; i++) try_base(c, m, list->at[i], MOST_SHIFTS + i);
  for (size_t i = 0; i < list->key_count; i++) {
    try_base(c, m, list->keys[i], list->count / 2);
    for (size_t k = 0; k < list->key_count; k++) try_shift(c, m, list->keys[k], list->count / 2);
  }
  try_base(c, m, 0, list->count / 2);
}

/* Times are rounded by 2^-23 of the largest time, or 2^-22 at a rate that was asked for. The least errors at
 * times that are so near count. */
static void forgive(comparison *c, moment m) {
  const scene *s = c->s;
  const quatsimd_clip *clip = c->e->clip;
  const double start = quatsimd_clip_start(clip), end = start + quatsimd_clip_duration(clip);
  const real rounding = s->options.rate > 0 ? 0x1p-22L : 0x1p-23L,
             slack = rounding * (real)fmax(fabs(start), fabs(end)) + 0x1p-52L * fabsl((real)m.time);
  shifts list;
  list_shifts(&list, c, m, slack);
  for (size_t i = 0; i < c->places; i++) c->least[i] = c->error[i], c->best[i] = list.count / 2;
  for (size_t i = 0; i < list.count; i++) try_shift(c, m, list.at[i], i);
  for (size_t i = 0; i < list.key_count; i++) try_shifts(c, m, 0, list.keys[i], list.count / 2);
  if (s->options.additive == QUATSIMD_CLIP_ADDITIVE_BASE && !holds(c, c->least)) forgive_base(c, m, &list);
  for (int kind = 0; kind < KINDS; kind++)
    for (size_t i = 0; is_checked(s, kind) && i < count_of(s, kind); i++) {
      if (ratio_of(c, kind, i, c->least) <= 1) continue;
      refine(c, m, &list, place_of(s, kind, i));
      if (!(ratio_of(c, kind, i, c->least) <= 1)) return; /* one miss is enough */
    }
}

static void print_miss(const comparison *c, int kind, size_t number, moment m) {
  static const char *const names[] = {"rotation", "translation", "scale", "value", "points"};
  static const char *const ways[] = {"LINEAR", "HOLD", "CUBIC"};
  const scene *s = c->s;
  const real e = c->least[place_of(s, kind, number)];
  print_scene(s);
  printf("%s of %s %zu at %.17g s (%.9Lg): %.4Lg of its bound %.3Lg, %.4Lg of the report's worst",
         names[kind], kind == TRACK ? "track" : "joint", number, m.time, time_in_clip(c->e->clip, m, 0),
         e / bound_of(s, kind, number), bound_of(s, kind, number), e / reported(c->e, kind));
  for (int k = kind == POINT ? ROTATION : kind; k <= (kind == POINT ? SCALE : kind); k++) {
    const quatsimd_curve *curve = curve_of(s->joints, s->tracks, k, number);
    printf("; %s %zu keys, state %d", ways[curve->interpolation], curve->key_count,
           (int)quatsimd_clip_curve_state(c->e->clip, (quatsimd_clip_kind)k, number));
  }
  print_features(s);
}

static void sample(comparison *c, moment m) {
  quatsimd_pose_out out = {quatsimd_aos_out(c->sampled.rotations), quatsimd_aos_out(c->sampled.translations),
                           quatsimd_aos_out(c->sampled.scales), c->sampled.tracks};
  const float_pose *r = &c->s->rest;
  const quatsimd_pose_in rest = {quatsimd_aos(r->rotations), quatsimd_aos(r->translations),
                                 quatsimd_aos(r->scales), r->tracks};
  if (quatsimd_clip_sample(c->e->clip, &out, &rest, m.time, m.wrap, 0) != QUATSIMD_OK) abort();
  truth_base(&c->base, c->s, time_in_clip(c->e->clip, m, 0));
  truth_add(&c->sum, c->s, &c->base, &c->sampled);
}

int check_bounds(scene *s, const encoded *e, counts *count) {
  comparison c = {.s = s, .e = e, .count = count, .places = 4 * s->joint_count + s->track_count};
  c.source = truth_memory(s), c.base = truth_memory(s), c.sum = truth_memory(s);
  c.sampled = scene_floats(s);
  c.wanted = scene_memory(s, (s->joint_count + 1) * sizeof *c.wanted);
  c.found = scene_memory(s, (s->joint_count + 1) * sizeof *c.found);
  c.largest = scene_memory(s, (c.places + 1) * sizeof(real)),
  c.distance = scene_memory(s, (c.places + 1) * sizeof(real));
  c.error = scene_memory(s, (c.places + 1) * sizeof(real)),
  c.least = scene_memory(s, (c.places + 1) * sizeof(real));
  c.best = scene_memory(s, (c.places + 1) * sizeof *c.best);
  moment moments[MOST_MOMENTS];
  const size_t wanted = 4000 / s->joint_count, most = wanted < 40 ? 40 : wanted,
               n = draw_moments(moments, s, e->clip, most < MOST_MOMENTS ? most : MOST_MOMENTS);
  note_keys(&c);
  for (size_t i = 0; i < n; i += by_points(s) ? 2 : 8) note_sizes(&c, time_in_clip(e->clip, moments[i], 0));
  real worst = 0;
  int worst_kind = 0;
  size_t worst_number = 0, worst_moment = 0;
  for (size_t i = 0; i < n; i++) {
    sample(&c, moments[i]);
    const real at = time_in_clip(e->clip, moments[i], 0);
    compare(&c, at, at);
    const bool good = holds(&c, c.error);
    if (!good) forgive(&c, moments[i]);
    for (int kind = 0; kind < KINDS; kind++)
      for (size_t k = 0; is_checked(s, kind) && k < count_of(s, kind); k++) {
        const real ratio = ratio_of(&c, kind, k, good ? c.error : c.least);
        count->checks++;
        if (ratio <= worst) continue;
        worst = ratio, worst_kind = kind, worst_number = k, worst_moment = i;
      }
  }
  if (worst > (real)count->worst) count->worst = (double)worst;
  if (worst <= 1) return 0;
  sample(&c, moments[worst_moment]);
  const real time = time_in_clip(e->clip, moments[worst_moment], 0);
  compare(&c, time, time);
  forgive(&c, moments[worst_moment]);
  print_miss(&c, worst_kind, worst_number, moments[worst_moment]);
  return 1;
}
