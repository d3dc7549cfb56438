/* Moves keys as snap_times does, and adds the frame of close_loop. Clips are held against these keys. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/encode/encoder.h"
#include "clip/encode/snap.h"

static bool is_snapped(const quatsimd_curve *from, const quatsimd_curve *to) {
  bool good = to->key_count == from->key_count;
  for (size_t k = 0; good && k < from->key_count && from->key_count > 1; k++)
    good = fabs(to->times[k] - from->times[k]) <= 0x1p-24 * 1.001 * fabs(from->times[k]) &&
           (k == 0 || to->times[k] > to->times[k - 1]);
  return good;
}

/* Copies curves, whose memory is the encoder's, to the scene. */
static void take(scene *s, quatsimd_clip_joint *joints, quatsimd_clip_track *tracks,
                 const quatsimd_clip_source *from) {
  for (int kind = 0; kind <= TRACK; kind++)
    for (size_t i = 0; i < count_of(s, kind); i++) {
      quatsimd_curve curve = *clip_curve(from, kind, i);
      const size_t floats = curve.key_count * (size_t)components_of[kind] *
                            (curve.interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1);
      if (curve.key_count > 0)
        curve.values = memcpy(scene_memory(s, floats * sizeof(float)), curve.values, floats * sizeof(float));
      if (curve.key_count > 0 && curve.times)
        curve.times = memcpy(scene_memory(s, curve.key_count * sizeof(double)), curve.times,
                             curve.key_count * sizeof(double));
      *curve_of(joints, tracks, kind, i) = curve;
    }
}

/* Adds a key to a curve, in the scene's memory, that is `value`, or the last key's if that is null. The curve
 * goes straight to it. */
static void add_key(scene *s, quatsimd_curve *curve, size_t n, double time, const float *value) {
  const bool cubic = curve->interpolation == QUATSIMD_CURVE_CUBIC;
  const size_t keys = curve->key_count, width = cubic ? 3 * n : n, at = cubic ? n : 0;
  double *times = scene_memory(s, (keys + 1) * sizeof *times);
  float *values = scene_memory(s, (keys + 1) * width * sizeof *values);
  memcpy(times, curve->times, keys * sizeof *times),
      memcpy(values, curve->values, keys * width * sizeof *values);
  float *const key = values + keys * width, *const last = key - width;
  times[keys] = time;
  memcpy(key + at, value ? value : last + at, n * sizeof *key);
  float dot = 0;
  for (size_t c = 0; c < n; c++) dot += key[at + c] * last[at + c];
  for (size_t c = 0; c < n && cubic; c++) {
    if (n == 4 && dot < 0) key[at + c] = -key[at + c];
    last[2 * n + c] = key[c] =
        (float)(((double)key[n + c] - (double)last[n + c]) / (times[keys] - times[keys - 1]));
  }
  curve->key_count = keys + 1, curve->times = times, curve->values = values;
}

/* Closes curves as clip.h says: each waits at its last key until `end`, and is back at `close`. */
static void close_curves(scene *s, quatsimd_clip_joint *joints, quatsimd_clip_track *tracks, double end,
                         double close) {
  for (int kind = 0; kind <= TRACK; kind++)
    for (size_t i = 0; i < count_of(s, kind); i++) {
      quatsimd_curve *curve = curve_of(joints, tracks, kind, i);
      const size_t n = (size_t)components_of[kind];
      if (curve->key_count < 2 || !(curve->times[curve->key_count - 1] < close)) continue;
      if (curve->times[curve->key_count - 1] < end && curve->interpolation != QUATSIMD_CURVE_HOLD)
        add_key(s, curve, n, end, NULL);
      add_key(s, curve, n, close, curve->values + (curve->interpolation == QUATSIMD_CURVE_CUBIC ? n : 0));
    }
}

static double last_of(const quatsimd_clip_source *source) {
  double last = -INFINITY;
  for (size_t i = 0; i < clip_all_curves(source); i++) {
    const quatsimd_curve *curve = clip_any_curve(source, i);
    if (curve->key_count > 1) last = fmax(last, curve->times[curve->key_count - 1]);
  }
  return last;
}

int check_settled(scene *s, const encoded *e) {
  const quatsimd_clip_options *o = &s->options;
  const bool based = o->additive == QUATSIMD_CLIP_ADDITIVE_BASE;
  quatsimd_memory memory = {0};
  quatsimd_clip_report report = {0};
  const quatsimd_clip_source *source = &s->source, *base = based ? &s->base : NULL;
  double rate = 0;
  int bad = 0;
  if (o->snap_times && quatsimd_snap(&memory, &source, &base, o->rate, &rate, &report) != QUATSIMD_OK)
    abort();
  for (size_t i = 0; i < clip_all_curves(source) && o->rate == 0; i++)
    if (!is_snapped(clip_any_curve(&s->source, i), clip_any_curve(source, i)) ||
        (base && !is_snapped(clip_any_curve(&s->base, i), clip_any_curve(base, i))))
      bad = complain(s, "a key moves by more than the rounding of its float");
  if (report.snapped != e->report.snapped) bad = complain(s, "the report has another move");
  /* where joints travel, curves go on as the encoder says */
  const bool travels = e->report.travelling_count > 0;
  const double end = last_of(source), close = end + e->report.loop_gap;
  if (travels && quatsimd_close_loop(&memory, &source, &base, o, &report) != QUATSIMD_OK) abort();
  if (source != &s->source) take(s, s->joints, s->tracks, source);
  if (base && base != &s->base) take(s, s->base_joints, s->base_tracks, base);
  if (o->close_loop && !travels && e->report.loop_gap > 0) {
    close_curves(s, s->joints, s->tracks, end, close);
    if (based) close_curves(s, s->base_joints, s->base_tracks, end, close);
  }
  quatsimd_release(&memory, NULL);
  return bad;
}
