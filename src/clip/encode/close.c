#include "clip/encode/encoder.h"

#include "core/quat64.h"

static double last_time(const quatsimd_curve *curve) { return curve->times[curve->key_count - 1]; }

/* ---- the length of the frame ---- */

/* Returns the mean time from key to key of the curve with the most keys, or 0. *end gets the last key's time
 * of all curves. */
static double mean_step(const quatsimd_clip_source *source, double *end) {
  size_t most = 1;
  double step = 0;
  for (size_t i = 0; i < clip_all_curves(source); i++) {
    const quatsimd_curve *curve = clip_any_curve(source, i);
    const size_t keys = curve->key_count;
    if (keys < 2) continue;
    if (most == 1 || last_time(curve) > *end) *end = last_time(curve);
    if (keys > most) most = keys, step = (last_time(curve) - curve->times[0]) / (double)(keys - 1);
  }
  return step;
}

/* Sets *length to that of one frame of the clip's rate, if keys have one in common. */
static quatsimd_status frame_length(double *length, quatsimd_memory *memory,
                                    const quatsimd_clip_source *source, quatsimd_clip_report *report) {
  const quatsimd_clip_source *linear = quatsimd_source_copy(memory, source);
  clip_grid grid;
  bool fits = false;
  if (!linear) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t i = 0; i < clip_all_curves(linear); i++)
    if (clip_is_cubic(clip_curve_of_copy(linear, i)))
      clip_curve_of_copy(linear, i)->interpolation = QUATSIMD_CURVE_LINEAR;
  const quatsimd_status status = quatsimd_source_grid(memory, linear, 0, 0, false, &grid, report);
  if (status != QUATSIMD_OK) return status;
  for (size_t i = 0; i < clip_all_curves(linear); i++) {
    const quatsimd_curve *curve = clip_any_curve(linear, i);
    if (curve->key_count < 2 || clip_holds(curve)) continue;
    if (!quatsimd_curve_fits(curve, &grid)) return QUATSIMD_OK;
    fits = true;
  }
  if (fits && !grid.times) *length = 1 / grid.rate;
  return QUATSIMD_OK;
}

/* ---- the keys ---- */

/* Finds the value at the end of a frame that a travelling joint needs to move as in the last frame. */
static void value_beyond(clip_value value, const quatsimd_curve *curve, int kind, double end, double close) {
  double last[CLIP_MOST_COMPONENTS], before[CLIP_MOST_COMPONENTS];
  quatsimd_curve_at(curve, kind, end, last);
  quatsimd_curve_at(curve, kind, end - (close - end), before);
  if (kind == QUATSIMD_CLIP_ROTATION) {
    quat64_relative(before, before, last);
    quat64_multiply(last, last, before);
  } else
    for (int i = 0; i < 3; i++) last[i] += last[i] - before[i];
  for (int i = 0; i < CLIP_MOST_COMPONENTS; i++) value[i] = (float)clip_kept(last[i]);
}

/* Appends keys: if `end` is after the last key, this key again at `end`; then `value` at `close`. Curves that
 * interpolate go straight to it. False if memory runs out. */
static bool close_curve(quatsimd_memory *memory, quatsimd_curve *curve, int kind, const float *value,
                        double end, double close) {
  const size_t n = clip_components(kind), keys = curve->key_count,
               width = curve->interpolation == QUATSIMD_CURVE_CUBIC ? 3 * n : n;
  const bool waits = last_time(curve) < end && !clip_holds(curve);
  const size_t all = keys + waits + 1;
  double *times = quatsimd_take(memory, all, sizeof *times);
  float *values = quatsimd_take(memory, all * width, sizeof *values);
  if (!times || !values) return false;
  memcpy(times, curve->times, keys * sizeof *times);
  memcpy(values, curve->values, keys * width * sizeof *values);
  float *const key = values + (keys - 1) * width, *const closing = values + (all - 1) * width,
               *const last = closing - width;
  memcpy(width > n ? closing + n : closing, value, n * sizeof *closing);
  if (waits) memcpy(last, key, width * sizeof *last), times[all - 2] = end;
  times[all - 1] = close;
  if (width > n) { /* each key is its in-tangent, its value and its out-tangent */
    float dot = 0;
    for (size_t i = n; i < 2 * n; i++) dot += last[i] * closing[i];
    const float sign = kind == QUATSIMD_CLIP_ROTATION && dot < 0 ? -1.0f : 1.0f;
    for (size_t i = 0; i < n; i++) {
      closing[n + i] *= sign;
      if (waits) key[2 * n + i] = last[i] = 0;
      const double slope = ((double)closing[n + i] - (double)last[n + i]) / (times[all - 1] - times[all - 2]);
      last[2 * n + i] = closing[i] = closing[2 * n + i] = (float)slope;
    }
  }
  curve->key_count = all, curve->times = times, curve->values = values;
  return true;
}

/* Returns the difference between a curve's ends. */
static double difference(const quatsimd_curve *curve, int kind) {
  double first[CLIP_MOST_COMPONENTS], last[CLIP_MOST_COMPONENTS];
  quatsimd_curve_key(curve, kind, 0, first);
  quatsimd_curve_key(curve, kind, curve->key_count - 1, last);
  return quatsimd_value_error(kind, first, last);
}

/* True if a translation moves from its end to its start several times as fast as anywhere from key to key. */
static bool travels(const quatsimd_curve *curve, double length) {
  enum { TIMES_AS_FAST = 4 };
  double fastest = 0, from[CLIP_MOST_COMPONENTS], to[CLIP_MOST_COMPONENTS];
  for (size_t k = 1; k < curve->key_count; k++) {
    quatsimd_curve_key(curve, QUATSIMD_CLIP_TRANSLATION, k - 1, from);
    quatsimd_curve_key(curve, QUATSIMD_CLIP_TRANSLATION, k, to);
    const double speed =
        quatsimd_value_error(QUATSIMD_CLIP_TRANSLATION, from, to) / (curve->times[k] - curve->times[k - 1]);
    if (speed > fastest) fastest = speed;
  }
  return difference(curve, QUATSIMD_CLIP_TRANSLATION) > TIMES_AS_FAST * fastest * length;
}

/* Closes all curves of a copy that have several keys and end before `close`. travelling: null, or for each
 * joint true if it goes on instead. */
static bool close_all(quatsimd_memory *memory, const quatsimd_clip_source *copy, const bool *travelling,
                      double end, double close) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; j < clip_curves(copy, kind); j++) {
      quatsimd_curve *curve = (quatsimd_curve *)(uintptr_t)clip_curve(copy, kind, j);
      if (curve->key_count < 2 || !(last_time(curve) < close)) continue;
      clip_value next;
      const bool goes_on = kind < QUATSIMD_CLIP_SCALE && travelling && travelling[j] && !clip_holds(curve);
      if (goes_on) value_beyond(next, curve, kind, end, close);
      const float *const value = goes_on ? next : clip_key(curve, kind, 0);
      if (!close_curve(memory, curve, kind, value, end, close)) return false;
    }
  return true;
}

/* True if the times of all keys are floats. */
static bool are_floats(const quatsimd_clip_source *source) {
  for (size_t i = 0; i < clip_all_curves(source); i++) {
    const quatsimd_curve *curve = clip_any_curve(source, i);
    for (size_t k = 0; k < curve->key_count && curve->key_count > 1; k++)
      if ((double)(float)curve->times[k] != curve->times[k]) return false;
  }
  return true;
}

quatsimd_status quatsimd_close_loop(quatsimd_memory *memory, const quatsimd_clip_source **source,
                                    const quatsimd_clip_source **base, const quatsimd_clip_options *options,
                                    quatsimd_clip_report *report) {
  const quatsimd_clip_source *from = *source;
  bool *travelling = quatsimd_take(memory, from->joint_count + 1, sizeof *travelling);
  if (!travelling) return QUATSIMD_ERROR_NO_MEMORY;
  double end = 0, length = mean_step(from, &end);
  memset(report->loop_ends, 0, sizeof report->loop_ends);
  report->travelling_count = 0;
  if (length == 0) return QUATSIMD_OK; /* nothing moves */
  const quatsimd_status status =
      options->rate > 0 ? QUATSIMD_OK : frame_length(&length, memory, from, report);
  if (status != QUATSIMD_OK) return status;
  if (options->rate > 0) length = 1 / options->rate;
  double close = end + length;
  if (are_floats(from) && (double)(float)close > end) close = (double)(float)close;
  if (!(close > end))
    return clip_refuse_all(report, "the times are too large for a frame behind the last key");
  double end_of_base = end; /* that of the source if no curve of the base moves */
  if (*base && *base != from) mean_step(*base, &end_of_base);
  if (end_of_base > end)
    return clip_refuse_all(report, "the base ends after the source, which is to be closed at its own end");
  for (size_t j = 0; j < from->joint_count; j++) {
    const quatsimd_curve *curve = &from->joints[j].translation;
    travelling[j] = curve->key_count > 1 && !clip_holds(curve) && travels(curve, length);
    report->travelling_count += travelling[j];
  }
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; j < clip_curves(from, kind); j++) {
      const quatsimd_curve *curve = clip_curve(from, kind, j);
      if (curve->key_count < 2 || (kind < QUATSIMD_CLIP_SCALE && travelling[j])) continue;
      const double off = difference(curve, kind);
      if (off > (double)report->loop_ends[kind]) report->loop_ends[kind] = (float)off;
    }
  report->loop_gap = close - end;
  const quatsimd_clip_source *closed = quatsimd_source_copy(memory, from), *under = NULL;
  if (!closed || !close_all(memory, closed, travelling, end, close)) return QUATSIMD_ERROR_NO_MEMORY;
  if (*base && *base != from) {
    under = quatsimd_source_copy(memory, *base);
    if (!under || !close_all(memory, under, NULL, end, close)) return QUATSIMD_ERROR_NO_MEMORY;
  }
  if (*base) *base = under ? under : closed;
  *source = closed;
  return QUATSIMD_OK;
}
