#include "clip/encode/source.h"

#include "clip/kernels.h"
#include "core/arithmetic.h"

#define square_root __builtin_sqrt
static double absolute(double x) { return x < 0 ? -x : x; }

/* ---- checks ---- */

static const char *key_error(const quatsimd_curve *curve, int kind, size_t k) {
  const size_t n = clip_components(kind);
  const float *v = curve->values + n * k;
  double norm2 = 0;
  for (size_t i = 0; i < n; i++) {
    if (!(v[i] >= -FLT_MAX && v[i] <= FLT_MAX))
      return v[i] != v[i] ? "a component is not a number" : "a component is infinite";
    if (kind != QUATSIMD_CLIP_ROTATION && absolute(v[i]) > 0x1p+60) return "a component is larger than 2^60";
    norm2 += (double)v[i] * v[i];
  }
  if (kind == QUATSIMD_CLIP_ROTATION &&
      !(norm2 >= (double)QUATSIMD_MIN_NORM2 && norm2 <= (double)QUATSIMD_MAX_NORM2))
    return "the quaternion's length is not from 2^-32 to 2^32";
  if (!curve->times) return NULL;
  const double t = curve->times[k];
  if (!(absolute(t) <= 0x1p+60)) return "the time is not a number, or beyond 2^60 seconds";
  if (k > 0 && !(t > curve->times[k - 1])) return "the time is not later than that of the key before";
  return NULL;
}

static const char *curve_error(const quatsimd_curve *curve) {
  if (curve->keys >= CLIP_KEYED_DOUBLE) return "there are 2^30 keys or more";
  if (curve->keys && !curve->values) return "there are keys, but values is null";
  if (curve->interpolation != QUATSIMD_CURVE_LINEAR && curve->interpolation != QUATSIMD_CURVE_HOLD)
    return "interpolation is neither QUATSIMD_CURVE_LINEAR nor QUATSIMD_CURVE_HOLD";
  return curve->keys > 1 && !curve->times ? "there are several keys, but times is null" : NULL;
}

quatsimd_status quatsimd_source_check(const quatsimd_clip_source *source, quatsimd_clip_report *report) {
  if (source->joints > CLIP_MOST_JOINTS) return clip_refuse_all(report, "there are more than 2^20 joints");
  if (source->joints && !source->joint) return clip_refuse_all(report, "there are joints, but joint is null");
  for (size_t j = 0; j < source->joints; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
      const quatsimd_curve *curve = clip_curve(&source->joint[j], kind);
      const char *error = curve_error(curve);
      if (error) return clip_refuse(report, j, kind, CLIP_NOWHERE, error);
      for (size_t k = 0; k < curve->keys; k++) {
        error = key_error(curve, kind, k);
        if (error) return clip_refuse(report, j, kind, k, error), QUATSIMD_ERROR_BAD_KEY;
      }
    }
  return QUATSIMD_OK;
}

/* ---- the grid ---- */

/* How far a time that stands for a frame's may be off, seconds: a thousandth of an even frame, and what a
 * time in float is rounded by. Exactly: as far as sampling takes a time for a frame's. */
static double frame_slack(const clip_grid *grid, double time, bool exactly) {
  const double rounding = 0x1p-23 * absolute(time);
  if (grid->times) return rounding;
  const double of_frame = exactly ? 0x1p-20 : 1e-3, slack = of_frame + rounding * grid->rate;
  return (slack < 0.05 ? slack : 0.05) / grid->rate;
}

/* The frame nearest to a time, or one of the two. */
static size_t near_frame(const clip_grid *grid, double time) {
  const double last = (double)(grid->frames - 1);
  if (!grid->times) {
    const double p = (time - grid->start) * grid->rate + 0.5;
    return (size_t)(int64_t)(p < 0 ? 0 : p > last ? last : p);
  }
  size_t low = 0, high = grid->frames;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if ((double)grid->times[middle] <= time) low = middle;
    else high = middle;
  }
  return high < grid->frames && (double)grid->times[high] - time < time - (double)grid->times[low] ? high
                                                                                                   : low;
}

bool quatsimd_curve_fits(const quatsimd_curve *curve, const clip_grid *grid, bool exactly) {
  size_t before = 0;
  for (size_t k = 0; k < curve->keys && curve->keys > 1; k++) {
    const size_t frame = near_frame(grid, curve->times[k]);
    if (absolute(clip_grid_time(grid, frame) - curve->times[k]) > frame_slack(grid, curve->times[k], exactly))
      return false;
    if (k > 0 && frame <= before) return false;
    before = frame;
  }
  return true;
}

/* All curves that move linearly, one after the other: *at counts from 0 and is moved on. Null at the end. */
static const quatsimd_curve *next_linear(const quatsimd_clip_source *source, size_t *at) {
  while (*at < QUATSIMD_CLIP_KINDS * source->joints) {
    const size_t i = (*at)++;
    const quatsimd_curve *curve =
        clip_curve(&source->joint[i / QUATSIMD_CLIP_KINDS], (int)(i % QUATSIMD_CLIP_KINDS));
    if (curve->keys > 1 && !clip_holds(curve)) return curve;
  }
  return NULL;
}

static bool all_fit(const quatsimd_clip_source *source, const clip_grid *grid) {
  const quatsimd_curve *curve;
  for (size_t at = 0; (curve = next_linear(source, &at));)
    if (!quatsimd_curve_fits(curve, grid, false)) return false;
  return true;
}

/* Of a number above 0; what is too large for integers is whole. */
static double whole(double x) { return x < 0x1p+62 ? (double)(int64_t)x : x; }

/* So many intervals over the length; a whole number of frames a second if the keys allow it, which times
 * in float hide. */
static bool try_intervals(const quatsimd_clip_source *source, double length, double intervals,
                          clip_grid *grid) {
  if (!(intervals >= 1 && intervals < CLIP_MOST_FRAMES)) return false;
  const double rate = intervals / length, round = whole(rate + 0.5);
  grid->frames = (size_t)intervals + 1;
  grid->times = NULL;
  grid->rate = rate;
  if (rate > 0x1p+100) return true; /* which may be infinite, and the encoder refuses */
  grid->rate = round;
  if (round >= 1 && absolute(rate - round) < 1e-4 * rate && all_fit(source, grid)) return true;
  grid->rate = rate;
  return all_fit(source, grid);
}

/* All times of curves that move linearly, each once; at most `most` of them, else 0. */
static size_t collect_times(float *times, float *merged, size_t most, const quatsimd_clip_source *source) {
  const quatsimd_curve *curve;
  size_t count = 0;
  for (size_t at = 0; (curve = next_linear(source, &at));) {
    size_t same = 0;
    while (curve->keys == count && same < count && times[same] == (float)curve->times[same]) same++;
    if (count > 0 && same == count) continue;
    size_t n = 0;
    for (size_t i = 0, k = 0; i < count || k < curve->keys; n++) {
      if (n == most) return 0;
      const bool old = k == curve->keys || (i < count && times[i] <= (float)curve->times[k]);
      merged[n] = old ? times[i] : (float)curve->times[k];
      while (i < count && times[i] <= merged[n]) i++;
      while (k < curve->keys && (float)curve->times[k] <= merged[n]) k++;
    }
    memcpy(times, merged, n * sizeof *times);
    count = n;
  }
  return count;
}

/* From the first key to the last, of curves that hold, too. False if no curve has two keys. */
static bool extent_of(const quatsimd_clip_source *source, double *start, double *end) {
  bool any = false;
  *start = *end = 0;
  for (size_t i = 0; i < QUATSIMD_CLIP_KINDS * source->joints; i++) {
    const quatsimd_curve *curve =
        clip_curve(&source->joint[i / QUATSIMD_CLIP_KINDS], (int)(i % QUATSIMD_CLIP_KINDS));
    if (curve->keys < 2) continue;
    if (!any || curve->times[0] < *start) *start = curve->times[0];
    if (!any || curve->times[curve->keys - 1] > *end) *end = curve->times[curve->keys - 1];
    any = true;
  }
  return any;
}

/* The keys of the curve that has most, of those that move linearly, and the least time between two keys. */
static size_t most_keys(const quatsimd_clip_source *source, double *gap) {
  const quatsimd_curve *curve;
  size_t most = 0;
  *gap = 0;
  for (size_t at = 0; (curve = next_linear(source, &at));) {
    if (curve->keys > most) most = curve->keys;
    for (size_t k = 1; k < curve->keys; k++) {
      const double d = curve->times[k] - curve->times[k - 1];
      if (*gap == 0 || d < *gap) *gap = d;
    }
  }
  return most;
}

/* Even frames that all keys lie on: up to FINER from key to key, and about SPARSE times `most` in all. */
static bool even_grid(clip_grid *grid, const quatsimd_clip_source *source, double length, double gap,
                      size_t most) {
  enum { FINER = 8, SPARSE = 16 };
  for (int finer = 1; finer <= FINER; finer++) {
    const double intervals = whole(length / gap * finer + 0.5);
    if (intervals <= SPARSE * (double)most + FINER && try_intervals(source, length, intervals, grid))
      return true;
  }
  return false;
}

/* The keys' own times and both ends; no frames if there are too many times. */
static quatsimd_status listed_grid(clip_grid *grid, quatsimd_memory *memory,
                                   const quatsimd_clip_source *source, double start, double end,
                                   size_t most) {
  float *times = quatsimd_take(memory, most + 2, sizeof *times),
        *merged = quatsimd_take(memory, most + 2, sizeof *merged);
  if (!times || !merged) return QUATSIMD_ERROR_NO_MEMORY;
  size_t count = collect_times(times, merged, most, source);
  *grid = (clip_grid){0};
  if (count == 0) return QUATSIMD_OK;
  /* curves that hold may begin earlier and end later */
  if ((float)start < times[0]) memmove(times + 1, times, count++ * sizeof *times), times[0] = (float)start;
  if ((float)end > times[count - 1]) times[count++] = (float)end;
  if (count > 1 && count <= CLIP_MOST_FRAMES) *grid = (clip_grid){count, (double)times[0], 0, times};
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_source_grid(quatsimd_memory *memory, const quatsimd_clip_source *source, double rate,
                                     clip_grid *grid, quatsimd_clip_report *report) {
  enum { UNION = 4 }; /* a list has up to so many times the keys of a curve */
  double start, end, gap;
  const bool any = extent_of(source, &start, &end);
  const double length = end - start;
  *grid = (clip_grid){1, start, rate > 0 ? rate : 1, NULL};
  if (!any) return QUATSIMD_OK;
  if (rate > 0) {
    const double intervals = length * rate - frame_slack(grid, end, false) * rate;
    if (!(intervals < CLIP_MOST_FRAMES - 2))
      return clip_refuse_all(report, "there would be more than 2^26 frames at this rate");
    grid->frames = (size_t)(int64_t)(intervals > 0 ? intervals : 0) + 2;
    return QUATSIMD_OK;
  }
  const size_t most = most_keys(source, &gap);
  if (most == 0) { /* all hold and have their own keys: the ends are enough */
    *grid = (clip_grid){2, start, 1 / length, NULL};
    return QUATSIMD_OK;
  }
  const bool even = even_grid(grid, source, length, gap, most);
  if (even && grid->frames <= most + most / 4 + 1) return QUATSIMD_OK;
  clip_grid listed;
  const quatsimd_status status = listed_grid(&listed, memory, source, start, end, UNION * most);
  if (status != QUATSIMD_OK) return status;
  if (listed.frames > 0 && !(even && grid->frames <= listed.frames + listed.frames / 4)) {
    *grid = listed;
    return QUATSIMD_OK;
  }
  if (even) return QUATSIMD_OK;
  const double dense = 4 * (double)(most - 1); /* nothing in common */
  if (!(dense < CLIP_MOST_FRAMES))
    return clip_refuse_all(
        report, "there would be more than 2^26 frames: the times of keys have too little in common");
  *grid = (clip_grid){(size_t)dense + 1, start, dense / length, NULL};
  return QUATSIMD_OK;
}

/* ---- evaluation ---- */

void quatsimd_curve_key(const quatsimd_curve *curve, int kind, size_t k, double value[CLIP_MOST_COMPONENTS]) {
  const size_t n = clip_components(kind);
  double norm2 = 0;
  for (size_t i = 0; i < n; i++) value[i] = curve->values[n * k + i], norm2 += value[i] * value[i];
  const double norm = square_root(norm2);
  for (size_t i = 0; kind == QUATSIMD_CLIP_ROTATION && i < n; i++) value[i] /= norm;
}

void quatsimd_value_between(int kind, const double *a, const double *b, double t, double *out) {
  double dot = 0, norm2 = 0, toward = t;
  for (int i = 0; i < 4 && kind == QUATSIMD_CLIP_ROTATION; i++) dot += a[i] * b[i];
  if (kind == QUATSIMD_CLIP_ROTATION) { /* clip_weights in double */
    const double d = absolute(dot), s = (t - 0.5) * (t - 0.5);
    double turn = 0;
    for (int i = 3; i >= 0; i--) {
      const float *c = clip_turn[i];
      turn = turn * d + (((double)c[3] * s + c[2]) * s + c[1]) * s + c[0];
    }
    toward += t * (t - 0.5) * (t - 1) * (1 - d) * turn;
  }
  for (size_t i = 0; i < clip_components(kind); i++)
    out[i] = a[i] * (1 - toward) + b[i] * (dot < 0 ? -toward : toward), norm2 += out[i] * out[i];
  for (int i = 0; i < 4 && kind == QUATSIMD_CLIP_ROTATION; i++) out[i] /= square_root(norm2);
}

void quatsimd_close_loop(int kind, double (*value)[CLIP_MOST_COMPONENTS], size_t frames) {
  double dot = 0;
  for (int i = 0; i < 4 && kind == QUATSIMD_CLIP_ROTATION; i++) dot += value[0][i] * value[frames - 1][i];
  for (size_t i = 0; i < clip_components(kind); i++)
    value[frames - 1][i] = dot < 0 ? -value[0][i] : value[0][i];
}

static void between(const quatsimd_curve *curve, int kind, size_t k, double t,
                    double value[CLIP_MOST_COMPONENTS]) {
  double next[CLIP_MOST_COMPONENTS];
  quatsimd_curve_key(curve, kind, k, value);
  quatsimd_curve_key(curve, kind, k + 1, next);
  if (kind != QUATSIMD_CLIP_ROTATION) {
    for (size_t i = 0; i < 3; i++) value[i] += t * (next[i] - value[i]);
    return;
  }
  float a[4], b[4], q[4], at = (float)t; /* no libm: it differs from machine to machine */
  for (int i = 0; i < 4; i++) a[i] = (float)value[i], b[i] = (float)next[i];
  quatsimd_slerp(quatsimd_aos_out(q), quatsimd_aos(a), quatsimd_aos(b), quatsimd_one(&at), 1);
  double norm2 = 0;
  for (int i = 0; i < 4; i++) norm2 += (double)q[i] * q[i];
  for (int i = 0; i < 4; i++) value[i] = q[i] / square_root(norm2);
}

/* The curve at `time`, from key *k or a later one on, which is moved to the last key not after it. */
static void evaluate_from(const quatsimd_curve *curve, int kind, double time, double slack, size_t *k,
                          double value[CLIP_MOST_COMPONENTS]) {
  if (curve->keys == 0) {
    for (int i = 0; i < CLIP_MOST_COMPONENTS; i++)
      value[i] = kind == QUATSIMD_CLIP_SCALE || (kind == QUATSIMD_CLIP_ROTATION && i == 3);
    return;
  }
  while (*k + 1 < curve->keys && curve->times[*k + 1] <= time) ++*k;
  if (*k + 1 < curve->keys && curve->times[*k + 1] <= time + slack &&
      curve->times[*k + 1] - time < absolute(time - curve->times[*k]))
    ++*k;
  if (clip_holds(curve) || *k + 1 == curve->keys || time <= curve->times[*k] + slack)
    quatsimd_curve_key(curve, kind, *k, value);
  else between(curve, kind, *k, (time - curve->times[*k]) / (curve->times[*k + 1] - curve->times[*k]), value);
}

void quatsimd_curve_at(const quatsimd_curve *curve, int kind, double time, double slack,
                       double value[CLIP_MOST_COMPONENTS]) {
  size_t low = 0, high = curve->keys;
  while (high > 1 && high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (curve->times[middle] <= time) low = middle;
    else high = middle;
  }
  evaluate_from(curve, kind, time, slack, &low, value);
}

void quatsimd_curve_frame(const quatsimd_curve *curve, int kind, const clip_grid *grid, size_t frame,
                          size_t *key, double value[CLIP_MOST_COMPONENTS]) {
  const double time = clip_grid_time(grid, frame);
  evaluate_from(curve, kind, time, frame_slack(grid, time, true), key, value);
}

void quatsimd_curve_frames(const quatsimd_curve *curve, int kind, const clip_grid *grid,
                           double (*value)[CLIP_MOST_COMPONENTS]) {
  const bool dense = clip_dense(curve, grid) && quatsimd_curve_fits(curve, grid, true);
  size_t k = 0;
  for (size_t f = 0; f < grid->frames; f++) {
    if (dense) quatsimd_curve_key(curve, kind, f, value[f]);
    else quatsimd_curve_frame(curve, kind, grid, f, &k, value[f]);
    if (kind != QUATSIMD_CLIP_ROTATION || f == 0) continue;
    double dot = 0;
    for (int i = 0; i < 4; i++) dot += value[f][i] * value[f - 1][i];
    for (int i = 0; dot < 0 && i < 4; i++) value[f][i] = -value[f][i];
  }
}

double quatsimd_value_chord2(int kind, const double *a, const double *b) {
  double d2 = 0, s2 = 0;
  for (size_t i = 0; i < clip_components(kind); i++)
    d2 += (a[i] - b[i]) * (a[i] - b[i]), s2 += (a[i] + b[i]) * (a[i] + b[i]);
  return kind != QUATSIMD_CLIP_ROTATION || d2 < s2 ? d2 : s2;
}

double quatsimd_chord2_error(int kind, double chord2) {
  if (kind != QUATSIMD_CLIP_ROTATION) return square_root(chord2);
  /* 4 asin(chord / 2); its series up to a chord that is an angle of 1 radian, beyond that a bound is no
   * matter. */
  const double x = square_root(chord2) / 2, y = x * x;
  return 4 * x *
         (1 + y * (1.0 / 6 +
                   y * (3.0 / 40 +
                        y * (15.0 / 336 + y * (105.0 / 3456 + y * (945.0 / 42240 + y * 10395.0 / 599040))))));
}

double quatsimd_value_error(int kind, const double *a, const double *b) {
  return quatsimd_chord2_error(kind, quatsimd_value_chord2(kind, a, b));
}
