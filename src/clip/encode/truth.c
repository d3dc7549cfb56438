#include "clip/encode/truth.h"

#include "core/quat64.h"

static bool within(double x, double most) { return x <= most && x >= -most; } /* false for NaN */

/* ---- the truth at a time ---- */

static bool relative_value(int kind, const double *b, double *q) {
  if (kind == QUATSIMD_CLIP_ROTATION) { /* the conjugate of the base times the source's value */
    quat64_relative(q, b, q);
    return true;
  }
  bool good = true;
  for (int i = 0; i < 3; i++) {
    /* if both scales are equal, even if they are 0, the value is 1 */
    q[i] = kind != QUATSIMD_CLIP_SCALE ? q[i] - b[i] : q[i] == b[i] ? 1 : q[i] / b[i];
    good = good && within(q[i], 0x1p+60);
  }
  return good;
}

bool quatsimd_truth_along(const clip_truth *truth, int kind, double time, clip_truth_progress *place,
                          double value[CLIP_MOST_COMPONENTS]) {
  double base[CLIP_MOST_COMPONENTS];
  quatsimd_curve_along(&truth->curve, kind, time, &place->curve, value);
  if (truth->additive) {
    quatsimd_curve_along(&truth->base, kind, time, &place->base, base);
    return relative_value(kind, base, value);
  }
  bool good = true; /* keys are at most 2^60, but between keys a spline may be larger */
  for (int i = 0; i < 3; i++) good = good && within(value[i], 0x1p+60);
  return good;
}

static bool next_key(const quatsimd_curve *curve, size_t k, double from, double *time) {
  if (curve->key_count < 2) return false;
  if (!(curve->times[k] > from)) k++; /* otherwise k is 0, and key 0 is the next key */
  if (k < curve->key_count) *time = curve->times[k];
  return k < curve->key_count;
}

bool quatsimd_truth_next(const clip_truth *truth, const clip_truth_progress *place, double from,
                         double *time) {
  double of_base;
  const bool any = next_key(&truth->curve, place->curve.key, from, time);
  if (!next_key(&truth->base, place->base.key, from, &of_base)) return any;
  if (!any || of_base < *time) *time = of_base;
  return true;
}

/* ---- the truth as a curve ---- */

/* Merges the key times of two curves, without duplicates. Returns their number. */
static size_t merge_times(double *to, const quatsimd_curve *a, const quatsimd_curve *b) {
  size_t i = 0, j = 0, n = 0;
  const size_t most_i = a->key_count > 1 ? a->key_count : 0, most_j = b->key_count > 1 ? b->key_count : 0;
  while (i < most_i || j < most_j) {
    const bool first = j == most_j || (i < most_i && a->times[i] <= b->times[j]);
    const double t = first ? a->times[i] : b->times[j];
    if (first) i++;
    else j++;
    if (n == 0 || t > to[n - 1]) to[n++] = t;
  }
  return n;
}

typedef struct stretch {
  const clip_truth *truth;
  int kind;
  double from, to, error;
  double largest; /* if not 0, the base's largest scale; errors are multiplied by base scale / largest */
} stretch;

static double time_in(const stretch *s, size_t piece, size_t pieces) {
  return piece == pieces ? s->to : s->from + (s->to - s->from) * ((double)piece / (double)pieces);
}

#define NEARLY_HALF 0x1p-10  /* two rotations with a smaller dot product are too near to half a turn apart */
#define ALL_BUT_HALF 0x1p-20 /* the same if clip_is_straight: then only the rounding to floats counts */

/* True if `pieces` linear pieces hold s->error at their quarter points and each piece turns by less than half
 * a turn. *good gets false if the truth has no value somewhere; the function then returns true. */
static bool near_enough(const stretch *s, size_t pieces, clip_truth_progress place, bool *good) {
  double a[CLIP_MOST_COMPONENTS], b[CLIP_MOST_COMPONENTS], wanted[3][CLIP_MOST_COMPONENTS],
      under[3][CLIP_MOST_COMPONENTS] = {{0}}, found[4];
  /* a slerp times one rotation is a slerp, so linear curves stay linear relative to a base of one key */
  const bool bends = !clip_is_straight(s->truth);
  *good = quatsimd_truth_along(s->truth, s->kind, s->from, &place, a);
  for (size_t i = 0; i < pieces && *good; i++) {
    for (int q = 0; q < 3 && bends; q++) {
      const double time = time_in(s, 4 * i + (size_t)q + 1, 4 * pieces);
      *good = *good && quatsimd_truth_along(s->truth, s->kind, time, &place, wanted[q]);
      if (s->largest > 0) quatsimd_curve_along(&s->truth->base, s->kind, time, &place.base, under[q]);
    }
    *good = *good && quatsimd_truth_along(s->truth, s->kind, time_in(s, i + 1, pieces), &place, b);
    /* near half a turn from a to b, rounding these to floats could change which direction is shorter */
    if (*good && s->kind == QUATSIMD_CLIP_ROTATION && quat64_dot(a, b) < (bends ? NEARLY_HALF : ALL_BUT_HALF))
      return false;
    for (int q = 0; q < 3 && *good && bends; q++) {
      quatsimd_value_between(s->kind, a, b, 0.25 * (q + 1), 0, found);
      for (int c = 0; c < 3 && s->largest > 0; c++)
        found[c] = wanted[q][c] + (found[c] - wanted[q][c]) * (fabs(under[q][c]) / s->largest);
      if (!(quatsimd_value_error(s->kind, found, wanted[q]) <= s->error)) return false;
    }
    memcpy(a, b, sizeof a);
  }
  return true;
}

enum { MOST_PIECES = 1024 };

/* Returns `pieces`, or 1 if doubles do not tell the times of so many pieces apart. */
static size_t distinct_pieces(const stretch *s, size_t pieces) {
  for (size_t i = 1; i <= pieces; i++)
    if (!(time_in(s, i, pieces) > time_in(s, i - 1, pieces))) return 1;
  return pieces;
}

/* Returns how many pieces of the same length a stretch needs, at most MOST_PIECES. */
static size_t even_pieces(const stretch *s, const clip_truth_progress *place, bool *good) {
  size_t pieces = 1;
  while (pieces < MOST_PIECES && !near_enough(s, pieces, *place, good)) pieces *= 2;
  if (pieces == MOST_PIECES) near_enough(s, pieces, *place, good);
  return pieces;
}

/* Returns the middle of two times, as a float if possible: floats take fewer bytes in a clip. */
static double middle_of(double from, double to) {
  const double middle = from + (to - from) / 2, in_float = (double)(float)middle;
  return in_float > from && in_float < to ? in_float : middle;
}

typedef struct division {
  size_t pieces, most; /* the number of pieces so far; halve stops above `most` */
  double *to;          /* gets the times at which pieces begin; null: pieces are only counted */
} division;

/* Halves a stretch, at most `depth` times, until pieces are near enough. False if the truth lacks a value. */
static bool halve(const stretch *s, clip_truth_progress place, int depth, division *d) {
  bool good = true;
  const double middle = middle_of(s->from, s->to);
  if (d->pieces > d->most) return true;
  if (depth == 0 || !(middle > s->from && middle < s->to) || near_enough(s, 1, place, &good) || !good) {
    if (d->to) d->to[d->pieces] = s->from;
    d->pieces++;
    return good;
  }
  double value[CLIP_MOST_COMPONENTS];
  stretch half = *s;
  half.to = middle;
  if (!halve(&half, place, depth - 1, d)) return false;
  half.from = middle, half.to = s->to;
  quatsimd_truth_along(s->truth, s->kind, middle, &place, value);
  return halve(&half, place, depth - 1, d);
}

static double largest_scale(const quatsimd_curve *base) {
  double most = 0;
  for (size_t k = 0; k < base->key_count; k++)
    for (size_t c = 0; c < 3; c++) {
      const double scale = fabs((double)clip_key(base, QUATSIMD_CLIP_SCALE, k)[c]);
      most = scale > most ? scale : most;
    }
  return most;
}

/* Divides a stretch into pieces, shorter ones where the truth bends more. Returns their number, and lists
 * them in `to`, if not null. If there are too many, allows larger errors: first where the base's scale is
 * small, then everywhere. */
static size_t uneven_pieces(const stretch *s, const clip_truth_progress *place, double *to, bool *good) {
  enum { DEEP = 24 };
  stretch looser = *s;
  division d;
  do {
    d = (division){.most = MOST_PIECES};
    *good = halve(&looser, *place, DEEP, &d);
    if (d.pieces <= d.most) break;
    if (s->kind == QUATSIMD_CLIP_SCALE && s->truth->base.key_count > 1 && looser.largest == 0)
      looser.largest = largest_scale(&s->truth->base);
    else looser.error *= 2;
  } while (*good);
  if (!to || !*good) return d.pieces;
  d = (division){.most = MOST_PIECES, .to = to};
  *good = halve(&looser, *place, DEEP, &d);
  return d.pieces;
}

/* True if the truth jumps between `before` and `after`. If both of its curves hold, the new curve holds, too,
 * and needs no keys for jumps. */
static bool jumps(const clip_truth *truth, const clip_truth_progress *before,
                  const clip_truth_progress *after) {
  return truth->base.key_count > 1 && !clip_only_holds(truth) &&
         ((clip_holds(&truth->curve) && after->curve.key > before->curve.key) ||
          (clip_holds(&truth->base) && after->base.key > before->base.key));
}

/* The plan of `divide`. */
typedef struct clip_division {
  double error;
  bool uneven;   /* pieces of an interval may differ in length */
  size_t pieces; /* pieces of each interval between keys of the truth; 0: as many as `error` needs */
} clip_division;

/* Lists the new curve's key times in `to`, if not null. *keys gets their number, *most the largest number of
 * pieces of an interval. False if the truth lacks a value at or after times[i]; *keys then gets i. */
static bool divide(const clip_truth *truth, int kind, const clip_division *plan, const double *times,
                   size_t count, double *to, size_t *keys, size_t *most) {
  clip_truth_progress place = {.curve = {0}, .base = {0}};
  double value[CLIP_MOST_COMPONENTS];
  for (*keys = 0; *keys < count; ++*keys)
    if (!quatsimd_truth_along(truth, kind, times[*keys], &place, value)) return false;
  place = (clip_truth_progress){.curve = {0}, .base = {0}};
  *keys = 0, *most = 1;
  quatsimd_truth_along(truth, kind, times[0], &place, value);
  for (size_t k = 0; k + 1 < count; k++) {
    clip_truth_progress next = place;
    bool good = quatsimd_truth_along(truth, kind, times[k + 1], &next, value);
    const double left = clip_just_before(times[k + 1]);
    const bool jump = jumps(truth, &place, &next) && left > times[k];
    const stretch s = {truth, kind, times[k], jump ? left : times[k + 1], plan->error, 0};
    double *const into = to ? to + *keys : NULL;
    const size_t n = clip_only_holds(truth) ? 1
                     : plan->pieces         ? distinct_pieces(&s, plan->pieces)
                     : plan->uneven         ? uneven_pieces(&s, &place, into, &good)
                                            : distinct_pieces(&s, even_pieces(&s, &place, &good));
    if (!good) return *keys = k, false;
    for (size_t i = 0; into && !plan->uneven && i < n; i++) into[i] = time_in(&s, i, n);
    if (into && jump) into[n] = left;
    *keys += n + jump;
    if (n > *most) *most = n;
    place = next;
  }
  if (to) to[*keys] = times[count - 1];
  ++*keys;
  return true;
}

/* Returns the smallest error for which a truth is divided: rounding to floats errs by hardly less. */
static double finest_error(const clip_truth *truth, int kind) {
  double most = 0;
  if (kind == QUATSIMD_CLIP_ROTATION) return 1e-6;
  for (size_t k = 0; k < truth->curve.key_count; k++)
    for (size_t i = 0; i < clip_axes(kind); i++) {
      const double x = (double)clip_key(&truth->curve, kind, k)[i];
      if (x > most || -x > most) most = x < 0 ? -x : x;
    }
  return most * 0x1p-22;
}

/* True if a component of the base's scale changes its sign between two times. Components that equal the
 * source's at both times do not count. */
static bool passes_zero(const clip_truth *truth, clip_truth_progress *place, double from, double to) {
  double base[2][CLIP_MOST_COMPONENTS], own[2][CLIP_MOST_COMPONENTS];
  for (int i = 0; i < 2; i++) {
    quatsimd_curve_along(&truth->base, QUATSIMD_CLIP_SCALE, i ? to : from, &place->base, base[i]);
    quatsimd_curve_along(&truth->curve, QUATSIMD_CLIP_SCALE, i ? to : from, &place->curve, own[i]);
  }
  for (int c = 0; c < 3; c++)
    if ((base[0][c] < 0) != (base[1][c] < 0) && !(base[0][c] == own[0][c] && base[1][c] == own[1][c]))
      return true;
  return false;
}

/* Reports that the truth has no value at `time`. report->key gets the last key that is not after
 * `time`: a key of the base if the base moves. */
static quatsimd_status refuse_value(quatsimd_clip_report *report, const clip_truth *truth, int kind,
                                    double time) {
  const quatsimd_curve *curve = truth->base.key_count > 1 ? &truth->base : &truth->curve;
  size_t k = 0;
  while (k + 1 < curve->key_count && curve->times[k + 1] <= time) k++;
  report->key = k;
  report->error = !truth->additive ? "behind the key the spline is larger than 2^60"
                  : kind == QUATSIMD_CLIP_SCALE
                      ? "the scale of the base is 0 there or behind it, or the quotient larger than 2^60"
                      : "the difference from the base is larger than 2^60";
  return QUATSIMD_ERROR_BAD_KEY;
}

quatsimd_status quatsimd_straighten(quatsimd_memory *memory, quatsimd_curve *curve, const clip_truth *truth,
                                    int kind, double error, bool keyed, bool *full,
                                    quatsimd_clip_report *report) {
  const quatsimd_curve *own = &truth->curve, *base = &truth->base;
  const bool base_moves = base->key_count > 1, moves = own->key_count > 1 || base_moves;
  *curve = *own, *full = false;
  if (!truth->additive && own->interpolation != QUATSIMD_CURVE_CUBIC) return QUATSIMD_OK;
  if (own->key_count == 0 && base->key_count == 0) return QUATSIMD_OK;
  double *merged, *times;
  size_t count = 1, keys, most;
  merged = quatsimd_take(memory, own->key_count + base->key_count, sizeof *merged);
  if (!merged) return QUATSIMD_ERROR_NO_MEMORY;
  if (moves) count = merge_times(merged, own, base); /* else merged[0] is time 0 */
  const double finest = finest_error(truth, kind);
  clip_division plan = {.error = error < finest ? finest : error, .uneven = keyed && !clip_only_holds(truth)};
  if (!divide(truth, kind, &plan, merged, count, NULL, &keys, &most))
    return refuse_value(report, truth, kind, merged[keys]);
  *full = most >= (plan.uneven ? MOST_PIECES / 2 : MOST_PIECES);
  /* if this at most doubles the keys, all intervals get `most` pieces, so that even keys stay even */
  if (!plan.uneven && most * (count - 1) < 2 * keys) {
    plan.pieces = most;
    divide(truth, kind, &plan, merged, count, NULL, &keys, &most);
  }
  if (keys >= CLIP_KEYED_FLOATS) {
    report->key = CLIP_NOWHERE, report->error = "there would be 2^29 keys or more";
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  }
  const size_t n = clip_components(kind);
  float *values = quatsimd_take(memory, keys, n * sizeof *values);
  times = quatsimd_take(memory, keys, sizeof *times);
  if (!times || !values) return QUATSIMD_ERROR_NO_MEMORY;
  divide(truth, kind, &plan, merged, count, times, &keys, &most);
  clip_truth_progress place = {.curve = {0}, .base = {0}}, under = place;
  const bool crosses = kind == QUATSIMD_CLIP_SCALE && base_moves && !clip_holds(base);
  for (size_t k = 0; k < keys; k++) {
    double value[CLIP_MOST_COMPONENTS];
    if (!quatsimd_truth_along(truth, kind, times[k], &place, value) ||
        (crosses && k > 0 && passes_zero(truth, &under, times[k - 1], times[k])))
      return refuse_value(report, truth, kind, times[crosses && k > 0 ? k - 1 : k]);
    for (size_t i = 0; i < n; i++) values[n * k + i] = (float)clip_kept(value[i]);
  }
  *curve = (quatsimd_curve){keys, times, values,
                            clip_only_holds(truth) && keys > 1 ? QUATSIMD_CURVE_HOLD : QUATSIMD_CURVE_LINEAR};
  return QUATSIMD_OK;
}

/* ---- wide turns ---- */

/* Puts a key in the middle of the turn to the next key, if this turn is too wide for sampling. */
static bool halve_turn(clip_narrowed *n) {
  const quatsimd_curve *curve = n->curve;
  if (n->kind != QUATSIMD_CLIP_ROTATION || clip_holds(curve) || n->halved || n->key == 0 ||
      n->key == curve->key_count)
    return false;
  clip_progress place = n->place;
  double next[CLIP_MOST_COMPONENTS], half[CLIP_MOST_COMPONENTS];
  const double *a = n->value, from = curve->times[n->key - 1], to = curve->times[n->key];
  const double time = middle_of(from, to);
  quatsimd_curve_along(curve, n->kind, to, &place, next);
  if (!(quat64_dot(a, next) < CLIP_WIDE_DOT && time > from && time < to)) return false;
  quatsimd_value_slerp(n->kind, a, next, (time - from) / (to - from), half);
  memcpy(n->value, half, sizeof n->value);
  n->time = time;
  return n->halved = true;
}

bool quatsimd_narrow(clip_narrowed *n) {
  const quatsimd_curve *curve = n->curve;
  if (halve_turn(n)) return true;
  if (n->key == curve->key_count) return false;
  n->time = curve->times ? curve->times[n->key] : 0;
  if (clip_holds(curve) || curve->key_count == 1) quatsimd_curve_key(curve, n->kind, n->key, n->value);
  else quatsimd_curve_along(curve, n->kind, n->time, &n->place, n->value);
  n->key++;
  n->halved = false;
  return true;
}
