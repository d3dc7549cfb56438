#include "check/tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check/curve.h"
#include "check/times.h"
#include "terminal/message.h"

/* Of keys and of the clip, rising, each once; to be freed. */
static double *times_of(const quatsimd_clip_source *source, const quatsimd_clip *clip, size_t *count) {
  size_t keys = 0;
  for (size_t t = 0; t < source->track_count; t++) keys += source->tracks[t].curve.key_count;
  double *time = times_of_clip(clip, QUATSIMD_CLIP_TRACK, QUATSIMD_CLIP_KIND_COUNT, keys, count);
  for (size_t t = 0; t < source->track_count; t++) {
    const quatsimd_curve *curve = &source->tracks[t].curve;
    if (curve->key_count) memcpy(time + *count, curve->times, curve->key_count * sizeof *time);
    *count += curve->key_count;
  }
  *count = times_sort(time, *count);
  return time;
}

struct tracks_check {
  const struct clip_pair *pair;
  double bound, rounding; /* rounding: of times */
  float *sampled;
  struct clip_track_error *error;
};

/* The value of a track of a base at a time; a clip ends, while a longer base goes on. */
static double under_at(const quatsimd_curve *base, const quatsimd_clip *clip, double time) {
  const double first = quatsimd_clip_start(clip), last = first + quatsimd_clip_duration(clip),
               at = fmin(fmax(time, first), last);
  double value[4] = {0};
  if (base->key_count > 0) curve_value(base, QUATSIMD_CLIP_TRACK, curve_find(base, at), at, value);
  return value[0];
}

static double largest_of(const quatsimd_curve *curve) {
  double largest = 0;
  for (size_t k = 0; k < curve->key_count; k++)
    largest = fmax(largest, fabs((double)*curve_key(curve, QUATSIMD_CLIP_TRACK, k)));
  return largest;
}

/* At a time, and whatever the source is within the rounding of it. */
static void check_at(const struct tracks_check *c, double time) {
  quatsimd_pose_out pose = {{0}, {0}, {0}, c->sampled};
  quatsimd_clip_sample(c->pair->clip, &pose, c->pair->pose, time, QUATSIMD_CLIP_WRAP_CLAMP, 0);
  for (size_t t = 0; t < c->pair->source->track_count; t++) {
    const quatsimd_clip_track *track = &c->pair->source->tracks[t];
    const quatsimd_curve *curve = &track->curve;
    if (curve->key_count == 0) continue;
    double value[4] = {(double)c->sampled[t]};
    if (quatsimd_clip_additive(c->pair->clip) == QUATSIMD_CLIP_ADDITIVE_FIRST)
      value[0] += (double)*curve_key(curve, QUATSIMD_CLIP_TRACK, 0);
    if (c->pair->base) value[0] += under_at(&c->pair->base->tracks[t].curve, c->pair->clip, time);
    double off = curve_distance_within(curve, QUATSIMD_CLIP_TRACK, time, time, value);
    const double bound = track->bound > 0 ? (double)track->bound : c->bound;
    if (off > c->error->of.worst || off > bound)
      off = fmin(off, curve_distance_within(curve, QUATSIMD_CLIP_TRACK, time - c->rounding,
                                            time + c->rounding, value));
    if (!(off <= (double)INFINITY)) off = (double)INFINITY;
    if (off > c->error->of.worst) c->error->track = t;
    clip_tally_add(&c->error->of, off, time, curve->times[curve_find(curve, time)] == time);
    if (!(bound > 0 && off > 0x1p-21 * largest_of(curve) && off / bound > c->error->share)) continue;
    c->error->share = off / bound, c->error->share_off = off, c->error->share_bound = bound;
    c->error->share_time = time, c->error->share_track = t;
  }
}

struct clip_track_error clip_tracks_check(const struct clip_pair *pair, double bound) {
  const quatsimd_clip_source *source = pair->source;
  struct clip_track_error error = {0};
  size_t times;
  for (size_t t = 0; t < source->track_count; t++) error.tracks += source->tracks[t].curve.key_count > 0;
  if (error.tracks == 0) return error;
  double *time = times_of(source, pair->clip, &times);
  struct tracks_check c = {.pair = pair,
                           .bound = bound,
                           .rounding = 0x1p-23 * fmax(fabs(time[0]), fabs(time[times - 1])),
                           .sampled = memory_get(source->track_count, sizeof *c.sampled),
                           .error = &error};
  for (size_t i = 0; i < times; i++)
    for (int quarter = 0; quarter < (i + 1 < times ? 4 : 1); quarter++)
      check_at(&c, quarter ? time[i] + (time[i + 1] - time[i]) * quarter / 4 : time[i]);
  free(c.sampled);
  free(time);
  return error;
}

bool clip_tracks_beyond(const struct clip_track_error *error) { return error->share > 1 + 1e-6; }

bool clip_tracks_hold(const struct clip_track_error *error, const struct clip_source *source,
                      const char *path, bool ours) {
  if (!clip_tracks_beyond(error)) return true;
  complain(path, "%s%strack \"%.300s\" at %.9g seconds is %.9g off, %.6g times its bound of %.9g",
           ours ? source->title : "", ours ? ": " : "", clip_source_track(source, error->share_track),
           error->share_time, error->share_off, error->share, error->share_bound);
  return false;
}
