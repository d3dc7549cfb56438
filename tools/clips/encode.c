#include "clips/encode.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/speed.h"
#include "base/text.h"
#include "check/curve.h"
#include "check/rest.h"
#include "clip/encode/curve.h"
#include "clips/frames.h"
#include "clips/source.h"
#include "terminal/message.h"

struct work {
  const struct clip_plan *plan;
  const struct clip_keys *keys;
  struct clip_source from;
  struct bounds_use use[CLIP_CHECK_ERRORS];
  struct threads threads;
  quatsimd_runner runner;
};

/* How far the ends of a loop are apart that does not close; else nothing. */
static const char *gap_of(const struct work *w, quatsimd_status status, const quatsimd_clip_report *report,
                          char text[80]) {
  const int kind = (int)report->kind;
  *text = '\0';
  if (status != QUATSIMD_ERROR_BAD_KEY || w->plan->settings->loop != CLIP_LOOP_ALL || w->from.under.joint ||
      report->joint >= clip_curves(&w->from.source, kind))
    return text;
  const quatsimd_curve *curve = clip_curve(&w->from.source, kind, report->joint);
  double first[4], last[4];
  if (report->key + 1 != curve->key_count) return text;
  curve_value(curve, kind, 0, curve->times[0], first);
  curve_value(curve, kind, report->key, curve->times[report->key], last);
  const double off = curve_distance(kind, first, last), metres = w->plan->skeleton->metres;
  if (kind == QUATSIMD_CLIP_ROTATION) snprintf(text, 80, ": %.4g degrees apart", off * DEGREES);
  else if (kind == QUATSIMD_CLIP_TRANSLATION && metres > 0)
    snprintf(text, 80, ": %.4g mm apart", 1e3 * off * metres);
  else snprintf(text, 80, ": %.4g apart", off);
  return text;
}

/* Each part of where it is, as far as there is one. */
static bool refuse(const struct work *w, quatsimd_status status, const quatsimd_clip_report *report) {
  const bool joint = report->joint != SIZE_MAX, key = report->key != SIZE_MAX,
             track = report->kind == QUATSIMD_CLIP_TRACK,
             kind = report->kind < QUATSIMD_CLIP_JOINT_KIND_COUNT;
  char where[400] = "", which[40] = "", gap[80];
  if (key) snprintf(which, sizeof which, ", key %zu", report->key);
  if (joint)
    snprintf(where, sizeof where, "%s%s\"%.300s\"%s: ",
             kind    ? scene_kinds[report->kind]
             : track ? "track"
                     : "",
             kind    ? " of "
             : track ? " "
                     : "",
             (track ? clip_source_track : clip_source_joint)(&w->from, report->joint), which);
  complain(w->plan->path, "%s: %s%s%s", w->from.title, where,
           report->error ? report->error : quatsimd_status_string(status), gap_of(w, status, report, gap));
  return false;
}

/* How far it is off, with what stands at rest in either; by_joint: each joint for itself. */
static quatsimd_status check_errors(struct work *w, struct clip_result *result, const struct clip_pair *pair,
                                    bool by_joint) {
  struct clip_tally(*tally)[CLIP_CHECK_ERRORS] =
      by_joint ? memory_get(w->plan->skeleton->joints, sizeof *tally) : NULL;
  const quatsimd_status status = clip_check(pair, result->error, tally);
  bounds_judge(&result->bounds, result->error, (const struct clip_tally(*)[CLIP_CHECK_ERRORS])tally, &w->from,
               w->use);
  free(tally);
  return status;
}

static quatsimd_status check(struct work *w, struct clip_result *result) {
  const struct clip_plan *plan = w->plan;
  const bool own_bounds = plan->joints.count > 0;
  bool above = false;
  struct clip_rest rest;
  if (result->bounds.of[CLIP_CHECK_OBJECT] > 0) clip_source_stand_at_rest(&w->from);
  if (result->report.snapped > 0) clip_source_move(&w->from, w->keys->rate);
  if (result->closed > 0) clip_source_close(&w->from, result->closed);
  clip_rest_make(&rest, result->clip, plan->skeleton->file.skeleton);
  const struct clip_pair pair = {.source = &w->from.source,
                                 .base = clip_source_under(&w->from),
                                 .clip = result->clip,
                                 .distance = result->bounds.distance,
                                 .rest = w->from.rest,
                                 .pose = rest.pose};
  quatsimd_status status = check_errors(w, result, &pair, own_bounds);
  for (int of = 0; of < CLIP_CHECK_ERRORS; of++) above = above || w->use[of].nearest.share > 1;
  /* rounding explains less of a joint near the root than of those far away */
  if (above && !own_bounds) status = check_errors(w, result, &pair, true);
  for (int of = 0; of < CLIP_CHECK_ERRORS; of++) result->share[of] = w->use[of].nearest.share;
  const struct bounds_use *use = &w->use[CLIP_CHECK_OBJECT];
  const struct bounds_share *nearest = plan->asked.mesh > 0 ? &use->mesh : &use->nearest;
  for (int kind = 0; kind < CLIP_CHECK_OBJECT; kind++) /* without bounds if there is one of points */
    if (w->use[kind].nearest.share > nearest->share) nearest = &w->use[kind].nearest;
  if (nearest->share > 0) result->nearest = text_clean(clip_source_joint(&w->from, nearest->joint));
  result->nearest_share = nearest->share, result->nearest_time = nearest->time;
  result->track_error = clip_tracks_check(&pair, plan->settings->track_bound);
  clip_rest_free(&rest);
  return status;
}

static quatsimd_clip_options options_of(const struct work *w, const struct bounds *b) {
  const struct clip_settings *s = w->plan->settings;
  const double part = w->keys->part;
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.rotation_bound = quantity_bound(part * b->of[QUATSIMD_CLIP_ROTATION]);
  options.translation_bound = quantity_bound(part * b->of[QUATSIMD_CLIP_TRANSLATION]);
  options.scale_bound = quantity_bound(part * b->of[QUATSIMD_CLIP_SCALE]);
  options.object_bound = quantity_bound(part * b->of[CLIP_CHECK_OBJECT]);
  options.object_distance = (float)b->distance;
  options.track_bound = quantity_bound(part * s->track_bound);
  options.rate = w->keys->rate;
  options.snap_times = w->keys->intervals == 0;
  options.skeleton = w->plan->skeleton->file.skeleton;
  options.bundled = s->bundle;
  options.additive = s->base       ? QUATSIMD_CLIP_ADDITIVE_BASE
                     : s->additive ? QUATSIMD_CLIP_ADDITIVE_FIRST
                                   : QUATSIMD_CLIP_ADDITIVE_NONE;
  options.additive_base = clip_source_under(&w->from);
  options.runner = w->threads.count > 1 ? &w->runner : NULL;
  return options;
}

static quatsimd_status encode_as(const struct work *w, struct clip_result *result, bool looping, bool close) {
  quatsimd_clip_options options = options_of(w, &result->bounds);
  struct clip_frames fewer = {.curves = 0};
  options.looping = looping, options.close_loop = close;
  quatsimd_clip_report_init(&result->report, sizeof result->report);
  if (w->keys->intervals > 0) clip_frames_make(&fewer, &w->from, w->keys);
  const quatsimd_status status = quatsimd_clip_encode(
      &result->data, &result->size, w->keys->intervals > 0 ? &fewer.source : &w->from.source, &options,
      &result->report);
  clip_frames_free(&fewer);
  if (status >= 0) result->closed = result->report.loop_gap;
  return status;
}

/* As a loop first, if it may be one: where it does not close, that is found before anything is searched for.
 * Any other bad key is one without the loop, too. */
static quatsimd_status try_loop(const struct work *w, struct clip_result *result) {
  const enum clip_loop loop = w->plan->settings->loop;
  const bool looping = loop == CLIP_LOOP_ALL || (loop != CLIP_LOOP_NONE && result->seconds > 0);
  const quatsimd_status status = encode_as(w, result, looping, false);
  if (status != QUATSIMD_ERROR_BAD_KEY || !looping || loop == CLIP_LOOP_ALL) return status;
  return encode_as(w, result, false, loop == CLIP_LOOP_CLOSE);
}

/* Says which --rate keeps the rate of keys that are rounded too much to be moved unasked. */
static void name_rate(const struct work *w, double rate) {
  char digits[40];
  for (int count = 6; count <= 17; count++) { /* 60, not 6e+01 */
    snprintf(digits, sizeof digits, "%.*g", count, rate);
    if (strtod(digits, NULL) == rate) break;
  }
  complain(w->plan->path,
           "%s: keys keep their own times: at %.4g per second they would be even, but floats round times so "
           "late by more than 1/16 of a frame. `--rate %s` makes them even, which takes fewer bytes",
           w->from.title, rate, digits);
}

size_t clip_own_keys(const quatsimd_clip_report *report) {
  size_t keyed = 0, moving = 0;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    keyed += report->keyed_count[kind], moving += report->moving_count[kind];
  return keyed > moving ? keyed : 0;
}

/* Says that a rate leaves many curves as they are: their keys fit no frames. */
static void mention_rate(const struct work *w, const quatsimd_clip_report *report) {
  const size_t keyed = clip_own_keys(report);
  if (w->keys->rate > 0 && keyed > 1)
    complain(w->plan->path,
             "%s: %s curves keep their own keys, which fit no frames at a rate of %g per second",
             w->from.title, text_number(keyed), w->keys->rate);
}

static bool encode(struct work *w, struct clip_result *result) {
  const double start = speed_now();
  quatsimd_status status = try_loop(w, result);
  result->encode_seconds = speed_now() - start;
  if (status < 0) {
    result->data = NULL;
    return refuse(w, status, &result->report);
  }
  if (result->report.snap_rate > 0) name_rate(w, result->report.snap_rate);
  mention_rate(w, &result->report);
  if (result->report.travelling_count > 0)
    complain(
        w->plan->path,
        "%s: a joint goes on in the frame that closes the loop, so the clip loops with its root motion taken "
        "out, and not by itself",
        w->from.title);
  result->storage = memory_get(1, sizeof *result->storage);
  status =
      quatsimd_clip_open(&result->clip, result->storage, sizeof *result->storage, result->data, result->size);
  if (status >= 0) status = check(w, result);
  if (status < 0)
    complain(w->plan->path, "%s: the clip cannot be read back: %s; please report it", w->from.title,
             quatsimd_status_string(status));
  return status >= 0;
}

/* True if the encoder says of each error beyond its bound that it is, after it took floats. */
static bool is_reported(const struct work *w, const struct clip_result *result) {
  const quatsimd_clip_report *report = &result->report;
  const struct clip_track_error *track = &result->track_error;
  const size_t *const floats = report->float_count;
  bool reported =
      !clip_tracks_beyond(track) || (double)report->worst[QUATSIMD_CLIP_TRACK] > track->share_bound;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) {
    const bool object = i == CLIP_CHECK_OBJECT;
    const double worst = (double)(object ? report->worst_object : report->worst[i]);
    const size_t tried = object ? floats[0] + floats[1] + floats[2] : floats[i];
    reported = reported && (!w->use[i].beyond || (tried > 0 && worst > w->use[i].bound));
  }
  return reported;
}

/* Floats of a key, with its tangents. */
static size_t key_floats(const quatsimd_curve *curve, int kind) {
  return scene_width(kind) * (curve->interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1);
}

/* True if the scale of a joint is 0 all the time. */
static bool is_nothing(const struct work *w, size_t joint) {
  const quatsimd_curve *curve = clip_curve(&w->from.source, SCENE_SCALE, joint);
  const float *value = curve->key_count ? curve->values : w->plan->skeleton->joint[joint].rest[SCENE_SCALE];
  const size_t count = curve->key_count ? curve->key_count * key_floats(curve, SCENE_SCALE) : 3;
  bool all = true;
  for (size_t i = 0; all && i < count; i++) all = value[i] == 0;
  return all;
}

static bool has_motion(const quatsimd_curve *curve, int kind) {
  const size_t floats = key_floats(curve, kind);
  bool moves = false;
  for (size_t k = 1; k < curve->key_count && !moves; k++)
    moves = memcmp(curve->values, curve->values + k * floats, floats * sizeof(float)) != 0;
  return moves;
}

/* Below a scale of 0 all points are in one place, however joints move: a bound of points keeps no motion. */
static void mention_hidden(const struct work *w) {
  const quatsimd_clip_source *source = &w->from.source;
  bool *hidden = memory_get(source->joint_count, sizeof *hidden);
  size_t count = 0, first = 0;
  for (size_t j = 0; j < source->joint_count; j++) {
    const int64_t parent = source->joints[j].parent;
    hidden[j] = parent >= 0 && (hidden[parent] || is_nothing(w, (size_t)parent));
    bool moves = false;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      moves = moves || has_motion(clip_curve(source, kind, j), kind);
    if (hidden[j] && moves && count++ == 0) first = j;
  }
  free(hidden);
  if (count)
    complain(w->plan->path,
             "%s: \"%.100s\"%s below a joint whose scale is 0, where no point moves: a bound of points keeps "
             "nothing of that, and bounds of curves do (--rotation, --translation, --scale)",
             w->from.title, clip_source_joint(&w->from, first), count > 1 ? " and others move" : " moves");
}

static enum clip_outcome encode_and_check(struct work *w, struct clip_result *result) {
  const struct clip_settings *s = w->plan->settings;
  bool kinds[QUATSIMD_CLIP_KIND_COUNT];
  if (result->keys[0] + result->keys[1] + result->keys[2] + result->keys[3] == 0) return CLIP_EMPTY;
  joint_bounds_apply(&w->plan->joints, &result->bounds, &w->from);
  if (w->plan->only) clip_source_keep(&w->from, w->plan->only);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) kinds[kind] = s->only < 0 || s->only == kind;
  if (s->base) clip_base_put_under(s->base, kinds, &w->from);
  if (!encode(w, result)) return CLIP_BAD;
  if (result->bounds.of[CLIP_CHECK_OBJECT] > 0) mention_hidden(w);
  clip_result_describe(result);
  const bool hold = bounds_hold(w->use, &w->from, w->plan->path, true, true);
  const bool tracks = clip_tracks_hold(&result->track_error, &w->from, w->plan->path, true);
  return hold && tracks ? CLIP_GOOD : is_reported(w, result) ? CLIP_MISSED : CLIP_WRONG;
}

enum clip_outcome clip_encode_keys(const struct clip_plan *plan, size_t animation,
                                   const struct clip_keys *keys, struct clip_result *result) {
  struct work w = {.plan = plan, .keys = keys, .threads = plan->settings->threads};
  w.runner = (quatsimd_runner){threads_run, &w.threads};
  const struct scene_animation *from = &plan->skeleton->scene.animation[animation];
  clip_source_make(&w.from, plan->skeleton, animation, plan->settings->only);
  *result = (struct clip_result){.path = plan->path,
                                 .number = from->number,
                                 .name = text_clean(from->name),
                                 .extras = text_copy(from->extras),
                                 .seconds = w.from.seconds,
                                 .asked = plan->asked,
                                 .bounds = plan->bounds};
  memcpy(result->keys, w.from.keys, sizeof result->keys);
  const enum clip_outcome outcome = encode_and_check(&w, result);
  if (outcome == CLIP_EMPTY || outcome == CLIP_BAD) clip_result_free(result);
  clip_source_free(&w.from);
  return outcome;
}

void clip_result_describe(struct clip_result *result) {
  result->joints = quatsimd_clip_joint_count(result->clip);
  result->frames = quatsimd_clip_frame_count(result->clip);
  result->looping = quatsimd_clip_is_looping(result->clip);
}

void clip_result_drop(struct clip_result *result) {
  quatsimd_clip_free(NULL, result->data);
  free(result->storage);
  result->data = NULL, result->storage = NULL, result->clip = NULL;
}

void clip_result_free(struct clip_result *result) {
  clip_result_drop(result);
  free(result->clip_name);
  free(result->nearest);
  free(result->name);
  free(result->extras);
  for (size_t i = 0; i < result->events; i++) free((char *)(uintptr_t)result->event[i].name);
  free(result->event);
  *result = (struct clip_result){0};
}

double clip_key_bytes(const size_t keys[QUATSIMD_CLIP_KIND_COUNT]) {
  return 16.0 * (double)keys[0] + 12.0 * (double)(keys[1] + keys[2]) + 4.0 * (double)keys[3];
}
