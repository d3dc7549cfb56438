#include "clips/frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/text.h"
#include "check/curve.h"
#include "clip/encode/source.h"

/* True if it has more keys than so many intervals have ends. */
static bool has_more(const quatsimd_curve *curve, double intervals) {
  return curve->interpolation == QUATSIMD_CURVE_LINEAR && (double)curve->key_count > intervals + 1;
}

double clip_frames_intervals(const struct clip_source *source, double rate) {
  return fmax(1, round(source->seconds * rate));
}

bool clip_frames_are_fewer(const struct clip_source *source, double intervals) {
  for (size_t i = 0; i < clip_all_curves(&source->source); i++)
    if (has_more(clip_any_curve(&source->source, i), intervals)) return true;
  return false;
}

static double first_key(const quatsimd_clip_source *source) {
  double first = INFINITY;
  for (size_t i = 0; i < clip_all_curves(source); i++) {
    const quatsimd_curve *curve = clip_any_curve(source, i);
    if (curve->key_count > 0) first = fmin(first, curve->times[0]);
  }
  return first;
}

double clip_frames_rate(const struct clip_source *source, double rate) {
  const double intervals = clip_frames_intervals(source, rate), seconds = source->seconds;
  if (!(rate > 0 && seconds > 0)) return rate;
  const double rounding = (fabs(first_key(&source->source)) + seconds) * 0x1p-23;
  return fabs(intervals - seconds * rate) < 1e-5 + rounding * rate ? rate : intervals / seconds;
}

/* Gives a curve a key at each of so many times. */
static void take_keys(quatsimd_curve *curve, int kind, const double *time, size_t count, bool loop,
                      float *values) {
  struct curve_walk walk = {.curve = curve, .kind = kind};
  const quatsimd_curve taken = {count, time, values, curve->interpolation};
  for (size_t k = 0; k < count; k++) {
    double value[4];
    curve_walk_on(&walk, time[k]);
    curve_walk_value(&walk, time[k], value);
    for (size_t i = 0; i < scene_width(kind); i++) *values++ = (float)value[i];
  }
  if (loop) memcpy(values - scene_width(kind), taken.values, scene_width(kind) * sizeof *values);
  *curve = taken;
}

static void scale_bounds(quatsimd_clip_joint *joint, size_t joints, quatsimd_clip_track *track, size_t tracks,
                         double part) {
  for (size_t j = 0; j < joints; j++) {
    float *const bound[] = {&joint[j].rotation_bound, &joint[j].translation_bound, &joint[j].scale_bound,
                            &joint[j].object_bound};
    for (size_t i = 0; i < 4; i++) *bound[i] = quantity_bound((double)*bound[i] * part);
  }
  for (size_t t = 0; t < tracks; t++) track[t].bound = quantity_bound((double)track[t].bound * part);
}

void clip_frames_make(struct clip_frames *frames, const struct clip_source *of,
                      const struct clip_keys *keys) {
  const size_t joints = of->source.joint_count, tracks = of->source.track_count,
               curves = clip_all_curves(&of->source), count = (size_t)keys->intervals + 1;
  const double start = first_key(&of->source);
  *frames = (struct clip_frames){.joint = memory_get(joints, sizeof *frames->joint),
                                 .track = memory_get(tracks, sizeof *frames->track),
                                 .time = memory_get(count, sizeof *frames->time),
                                 .values = memory_get(curves, sizeof *frames->values)};
  frames->source = (quatsimd_clip_source){joints, frames->joint, tracks, frames->track};
  memcpy(frames->joint, of->source.joints, joints * sizeof *frames->joint);
  memcpy(frames->track, of->source.tracks, tracks * sizeof *frames->track);
  scale_bounds(frames->joint, joints, frames->track, tracks, keys->part);
  for (size_t k = 0; k < count; k++) frames->time[k] = start + (double)k / keys->rate;
  for (size_t i = 0; i < curves; i++) {
    const int kind = clip_source_kind(of, i);
    quatsimd_curve *curve = clip_curve_of_copy(&frames->source, i);
    if (!has_more(curve, keys->intervals)) continue;
    frames->values[frames->curves] = memory_get(count * scene_width(kind), sizeof(float));
    take_keys(curve, kind, frames->time, count, keys->loop, frames->values[frames->curves++]);
  }
}

void clip_frames_free(struct clip_frames *frames) {
  for (size_t i = 0; i < frames->curves; i++) free(frames->values[i]);
  free(frames->values), free(frames->time), free(frames->joint), free(frames->track);
  *frames = (struct clip_frames){.curves = 0};
}
