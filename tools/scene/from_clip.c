#include "scene/from_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check/rest.h"
#include "clip/sample/still.h"

/* Where values of a curve come from. */
struct place {
  struct scene_curve *curve;
  int kind;
  size_t element;
};

static bool may_take(const struct from_clip *r, uint64_t bytes) {
  return !r->may_take || r->may_take(r->context, bytes);
}

static bool make_curve(const struct from_clip *r, struct scene_curve *curve, int kind, size_t keys,
                       double *seconds, int interpolation) {
  *curve =
      (struct scene_curve){.keys = keys, .shared = true, .seconds = seconds, .interpolation = interpolation};
  const size_t floats = scene_floats(curve, kind);
  if (!may_take(r, floats * sizeof(float) + (seconds ? 0 : keys * sizeof(double)))) return false;
  if (!seconds) curve->seconds = scene_share(r->scene, memory_get(keys, sizeof *seconds));
  curve->values = scene_share(r->scene, memory_get(floats, sizeof(float)));
  return true;
}

/* The values and tangents of a spline. Rotations keep the lengths that the clip has. */
static void take_spline(const struct place *to, const clip_keyed *keys) {
  const size_t width = scene_width(to->kind);
  for (size_t k = 0; k < keys->count; k++) {
    const bool between = k + 1 < keys->count;
    const double length = between ? clip_keyed_time(keys, k + 1) - clip_keyed_time(keys, k) : 1;
    double number[SPLINE_NUMBERS][4];
    float *const value = scene_key(to->curve, to->kind, k);
    quatsimd_clip_load_numbers(number, keys, k, between);
    for (size_t c = 0; c < width; c++) {
      value[c] = (float)number[SPLINE_VALUE][c];
      if (!between) continue;
      value[width + c] = (float)(number[SPLINE_OUT][c] / length);
      value[2 * width + c] = (float)(number[SPLINE_IN][c] / length);
    }
  }
}

/* A curve relative to a base that moves becomes linear, with the keys of both. */
static bool take_pair(const struct from_clip *r, const struct place *to, const clip_keyed *keys) {
  const clip_keyed base = quatsimd_clip_keyed_base(keys);
  double *time = scene_share(r->scene, memory_get(keys->count + base.count, sizeof *time));
  size_t count = 0, i = 0, j = 0;
  while (i < keys->count || j < base.count) {
    const double own = i < keys->count ? clip_keyed_time(keys, i) : INFINITY,
                 other = j < base.count ? clip_keyed_time(&base, j) : INFINITY;
    time[count++] = fmin(own, other), i += own <= other, j += other <= own;
  }
  if (!make_curve(r, to->curve, to->kind, count, time, QUATSIMD_CURVE_LINEAR)) return false;
  for (size_t k = 0; k < count; k++) {
    float value[4];
    quatsimd_clip_sample_keys(value, keys, time[k]);
    memcpy(scene_key(to->curve, to->kind, k), value, scene_width(to->kind) * sizeof *value);
  }
  return true;
}

/* Its own keys; *head: of these, and then of the next curve's. */
static bool take_keyed(const struct from_clip *r, const struct place *to, const unsigned char **head) {
  const clip_keyed keys = clip_keyed_at(r->clip, to->kind, *head);
  *head = quatsimd_clip_keyed_end(&keys);
  if (keys.pair) return take_pair(r, to, &keys);
  const int interpolation = keys.spline ? QUATSIMD_CURVE_CUBIC
                            : keys.hold ? QUATSIMD_CURVE_HOLD
                                        : QUATSIMD_CURVE_LINEAR;
  if (!make_curve(r, to->curve, to->kind, keys.count, NULL, interpolation)) return false;
  for (size_t k = 0; k < keys.count; k++) to->curve->seconds[k] = clip_keyed_time(&keys, k);
  if (keys.spline) take_spline(to, &keys);
  for (size_t k = 0; !keys.spline && k < keys.count; k++) {
    float value[4];
    quatsimd_clip_load_key(value, &keys, k);
    memcpy(scene_key(to->curve, to->kind, k), value, scene_width(to->kind) * sizeof *value);
  }
  return true;
}

/* The frames' times, and the ends of the clip. */
struct times {
  double *frames, *ends;
  size_t frame_count, end_count;
};

static bool take_times(const struct from_clip *r, struct times *times) {
  struct times t = {.frame_count = quatsimd_clip_frame_count(r->clip)};
  if (!may_take(r, t.frame_count * sizeof *t.frames)) return false;
  t.frames = scene_share(r->scene, memory_get(t.frame_count, sizeof *t.frames));
  for (size_t f = 0; f < t.frame_count; f++) t.frames[f] = quatsimd_clip_frame_time(r->clip, f);
  t.end_count = quatsimd_clip_duration(r->clip) > 0 ? 2 : 1;
  t.ends = scene_share(r->scene, memory_get(2, sizeof *t.ends));
  t.ends[0] = quatsimd_clip_start(r->clip), t.ends[1] = t.ends[0] + quatsimd_clip_duration(r->clip);
  *times = t;
  return true;
}

/* A curve that the clip has, as one without values yet, if they come from samples; *head: of the next keyed
 * one. */
static bool take_curve(const struct from_clip *r, const struct place *to, const struct times *t,
                       const unsigned char **head) {
  switch (quatsimd_clip_curve_state(r->clip, to->kind, to->element)) {
  case QUATSIMD_CLIP_KEYED: return *head && take_keyed(r, to, head);
  case QUATSIMD_CLIP_MOVING:
    return make_curve(r, to->curve, to->kind, t->frame_count, t->frames, QUATSIMD_CURVE_LINEAR);
  default: return make_curve(r, to->curve, to->kind, t->end_count, t->ends, QUATSIMD_CURVE_LINEAR);
  }
}

/* Samples the curves that have these times. */
static void take_values(const struct from_clip *r, const quatsimd_pose_in *rest, const struct place *place,
                        size_t count, const double *time, size_t times) {
  const size_t joints = quatsimd_clip_joint_count(r->clip), tracks = quatsimd_clip_track_count(r->clip);
  float *value[QUATSIMD_CLIP_KIND_COUNT];
  size_t any = 0;
  while (any < count && place[any].curve->seconds != time) any++;
  if (any == count) return;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    value[kind] = memory_get(kind == SCENE_TRACK ? tracks : joints, scene_width(kind) * sizeof(float));
  quatsimd_pose_out pose = {quatsimd_aos_out(value[0]), quatsimd_aos_out(value[1]),
                            quatsimd_aos_out(value[2]), value[SCENE_TRACK]};
  for (size_t k = 0; k < times; k++) {
    (void)quatsimd_clip_sample(r->clip, &pose, rest, time[k], QUATSIMD_CLIP_WRAP_CLAMP, 0);
    for (size_t i = 0; i < count; i++) {
      const size_t width = scene_width(place[i].kind);
      if (place[i].curve->seconds == time)
        memcpy(place[i].curve->values + width * k, value[place[i].kind] + width * place[i].element,
               width * sizeof(float));
    }
  }
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) free(value[kind]);
}

static bool has_curve(const quatsimd_clip *clip, size_t joint) {
  int kind = 0;
  while (kind < SCENE_KINDS && quatsimd_clip_curve_state(clip, kind, joint) == QUATSIMD_CLIP_ABSENT) kind++;
  return kind < SCENE_KINDS;
}

/* Room for the curves that are there: channels of joints that have some, channel_of[joint], and tracks. */
static bool make_channels(const struct from_clip *r, struct scene_animation *animation, size_t *channel_of) {
  const size_t joints = quatsimd_clip_joint_count(r->clip);
  const bool any_track = r->track && quatsimd_clip_curve_count(r->clip, QUATSIMD_CLIP_TRACK) > 0;
  size_t bytes = 0, count = 0;
  for (size_t j = 0; j < joints; j++)
    if (has_curve(r->clip, j)) count++, bytes += strlen(r->scene->node[r->node[j]].name);
  bytes += count * sizeof *animation->channel + any_track * r->scene->tracks * sizeof *animation->track;
  if (!may_take(r, bytes)) return false;
  animation->channel = memory_get(count, sizeof *animation->channel);
  if (any_track) animation->track = memory_get(r->scene->tracks, sizeof *animation->track);
  for (size_t j = 0; j < joints; j++) {
    if (!has_curve(r->clip, j)) continue;
    channel_of[j] = animation->channels++;
    animation->channel[channel_of[j]] =
        (struct scene_channel){.name = text_clean(r->scene->node[r->node[j]].name), .node = r->node[j]};
  }
  return true;
}

bool scene_take_clip(const struct from_clip *r, struct scene_animation *animation) {
  const quatsimd_clip *clip = r->clip;
  const size_t joints = quatsimd_clip_joint_count(clip), tracks = quatsimd_clip_track_count(clip);
  struct times t = {0};
  size_t count = 0;
  struct place *place = memory_get(SCENE_KINDS * joints + tracks, sizeof *place);
  size_t *channel_of = memory_get(joints, sizeof *channel_of);
  bool good = take_times(r, &t) && make_channels(r, animation, channel_of);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const unsigned char *head = clip_part_of(clip, kind).keys;
    const size_t elements = kind < SCENE_KINDS ? joints : animation->track ? tracks : 0;
    for (size_t e = 0; e < elements && good; e++) {
      if (quatsimd_clip_curve_state(clip, kind, e) == QUATSIMD_CLIP_ABSENT) continue;
      struct scene_curve *curve = kind < SCENE_KINDS ? &animation->channel[channel_of[e]].curve[kind]
                                                     : &animation->track[r->track[e]];
      place[count] = (struct place){curve, kind, e};
      good = take_curve(r, &place[count++], &t, &head);
    }
  }
  if (good) {
    struct clip_rest rest;
    clip_rest_make(&rest, clip, r->skeleton);
    take_values(r, rest.pose, place, count, t.frames, t.frame_count);
    take_values(r, rest.pose, place, count, t.ends, t.end_count);
    clip_rest_free(&rest);
  }
  free(place), free(channel_of);
  return good;
}
