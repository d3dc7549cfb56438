#include "report/detail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "bundles/origin.h"
#include "check/curve.h"
#include "check/rest.h"
#include "clip/encode/curve.h"

/* joints, times and keys at most; points of the clip from key to key */
enum { JOINTS = 200, TIMES = 400, KEYS = 120, BETWEEN = 6 };

/* The error of a joint that is the largest share of its bound. */
struct worst {
  double share, off, time;
  int of;
  size_t joint;
};

struct detail {
  const struct compress *run;
  const struct compressed_file *file;
  const struct clip_result *result;
  const struct compressed_clip *of;
  struct skeleton skeleton;
  struct clip_source source;
  struct given_clip given;
  struct clip_rest rest;
  struct worst *worst;  /* of each joint; then the largest share first */
  size_t times;         /* of keys and between them, rising */
  double *time, *share; /* there, and of all joints */
};

/* Reading. ----------------------------------------------------------------------------------------------- */

/* Makes the source of the clip that was read as the encoder had it. */
static bool read_source(struct detail *d) {
  const struct clip_result *r = d->result;
  const quatsimd_clip *clip = d->given.clip.clip;
  if (!skeleton_read_like(r->path, &d->given.skeleton, quatsimd_clip_skeleton_hash(clip), NULL,
                          d->run->recipe ? &d->run->recipe->changes : NULL, &d->skeleton))
    return false;
  const size_t a = clip_origin_find(&d->skeleton.scene, r->number);
  if (a == SCENE_NONE) {
    complain(r->path, "animation %zu cannot be read again", r->number);
    return false;
  }
  if (!animation_change_is_none(&d->of->change))
    scene_change_animation(&d->skeleton.scene, a, &d->of->change);
  clip_source_make(&d->source, &d->skeleton, a, d->run->settings->only);
  if (r->bounds.distance > 0) clip_source_stand_at_rest(&d->source);
  joint_bounds_apply(&(d->of->own ? &d->of->bounds : &d->file->bounds)->joints, &r->bounds, &d->source);
  const struct clip_base *base = d->of->own ? d->of->base : d->run->settings->base;
  if (base) {
    clip_source_keep(&d->source, &d->of->change.only);
    clip_base_put_under_clip(base, clip, true, &d->source);
  }
  if (r->report.snapped > 0) clip_source_move(&d->source, quatsimd_clip_rate(clip));
  if (r->closed > 0) clip_source_close(&d->source, r->closed);
  return clip_origin_fits(&d->given.clip, r->path, &d->skeleton);
}

/* Errors. ------------------------------------------------------------------------------------------------ */

static void take(void *context, int of, size_t joint, double time, double off, bool at_key) {
  struct detail *d = context;
  (void)at_key;
  const double bound = bounds_of_joint(&d->result->bounds, &d->source.joint[joint], of);
  if (bound == 0) return;
  const double share = fmin(off / bound, 1e9); /* off may be infinite */
  /* beside a bound of the mesh, joints without vertices count if they are beyond */
  if (d->result->asked.mesh > 0 && !d->source.moves_vertices[joint] && share <= 1) return;
  if (d->times == 0 || d->time[d->times - 1] != time) {
    d->time = memory_grow(d->time, d->times, sizeof *d->time);
    d->share = memory_grow(d->share, d->times, sizeof *d->share);
    d->time[d->times] = time, d->share[d->times++] = 0;
  }
  d->share[d->times - 1] = fmax(d->share[d->times - 1], share);
  if (share > d->worst[joint].share) d->worst[joint] = (struct worst){share, off, time, of, joint};
}

static int compare(const void *a, const void *b) {
  const struct worst *p = a, *q = b;
  return p->share != q->share ? (p->share < q->share ? 1 : -1) : p->joint < q->joint ? -1 : 1;
}

static bool measure(struct detail *d) {
  const size_t joints = d->source.source.joint_count;
  d->worst = memory_get(joints, sizeof *d->worst);
  for (size_t j = 0; j < joints; j++) d->worst[j] = (struct worst){.share = -1, .joint = j};
  const struct clip_pair pair = {.source = &d->source.source,
                                 .base = clip_source_under(&d->source),
                                 .clip = d->given.clip.clip,
                                 .distance = d->result->bounds.distance,
                                 .pose = d->rest.pose};
  const quatsimd_status status = clip_check_each(&pair, take, d);
  if (status < 0)
    complain(d->file->bundle, "cannot be compared with its animation: %s", quatsimd_status_string(status));
  qsort(d->worst, joints, sizeof *d->worst, compare);
  return status >= 0;
}

/* JSON. -------------------------------------------------------------------------------------------------- */

/* In as many digits as floats have. */
static void add(cJSON *list, double x) {
  char text[40];
  snprintf(text, sizeof text, "%.9g", x);
  cJSON_AddItemToArray(list, isfinite(x) ? cJSON_CreateRaw(text) : cJSON_CreateNull());
}

static void add_joints(cJSON *detail, const struct detail *d) {
  cJSON *list = cJSON_AddArrayToObject(detail, "joints");
  const size_t joints = d->source.source.joint_count;
  for (size_t i = 0; i < joints && i < JOINTS && d->worst[i].share >= 0; i++) {
    const struct worst *w = &d->worst[i];
    cJSON *joint = json_append(list);
    json_add_text(joint, "joint", clip_source_joint(&d->source, w->joint));
    json_add_text(joint, "of", clip_check_names[w->of]);
    json_add_number(joint, "error", w->off * bounds_unit(w->of));
    json_add_number(joint, "of_bound", w->share);
    json_add_number(joint, "time", w->time);
  }
}

/* Where there are too many times, the largest of neighbours, so that nothing is hidden. */
static void add_times(cJSON *detail, const struct detail *d) {
  cJSON *times = cJSON_AddArrayToObject(detail, "times"),
        *shares = cJSON_AddArrayToObject(detail, "of_bound");
  const size_t each = (d->times + TIMES - 1) / TIMES;
  for (size_t i = 0; i < d->times; i += each) {
    size_t worst = i;
    for (size_t k = i; k < d->times && k < i + each; k++)
      if (d->share[k] > d->share[worst]) worst = k;
    add(times, d->time[worst]), add(shares, d->share[worst]);
  }
}

/* Finds the clip's value at a time; an additive clip is put on the base, or on the source's first key. */
static void sample(const struct detail *d, size_t joint, int kind, double time, float value[4]) {
  const int width = (int)scene_width(kind);
  const quatsimd_clip *clip = d->given.clip.clip;
  float of[3][4], first[4];
  quatsimd_pose_out pose = {quatsimd_aos_out(of[0]), quatsimd_aos_out(of[1]), quatsimd_aos_out(of[2]), NULL};
  const uint32_t only = (uint32_t)joint;
  quatsimd_clip_sample_joints(clip, &pose, d->rest.pose, time, QUATSIMD_CLIP_WRAP_CLAMP, &only, 1, 0);
  if (quatsimd_clip_additive(clip)) { /* the other kinds are put on nothing, and not looked at */
    const quatsimd_clip_source *under_it = clip_source_under(&d->source);
    const quatsimd_curve *base = under_it ? clip_curve(under_it, kind, joint) : NULL;
    const float *key = curve_key(clip_curve(&d->source.source, kind, joint), kind, 0);
    double under[4];
    for (int i = 0; i < width; i++) under[i] = (double)key[i];
    if (base) curve_value(base, kind, curve_find(base, time), time, under);
    for (int i = 0; i < width; i++) first[i] = (float)under[i];
    if (width == 4) quatsimd_normalize(quatsimd_aos_out(first), quatsimd_aos(first), 1);
    quatsimd_pose_in onto = {.tracks = NULL};
    *(kind == 0 ? &onto.rotations : kind == 1 ? &onto.translations : &onto.scales) = quatsimd_aos(first);
    quatsimd_clip_add(
        &pose, &onto,
        &(quatsimd_pose_in){quatsimd_aos(of[0]), quatsimd_aos(of[1]), quatsimd_aos(of[2]), NULL}, 1, 0);
  }
  memcpy(value, of[kind], (size_t)width * sizeof *value);
}

/* Adds keys of a curve about the time of an error: their times and values in the file, and the clip's values
 * from key to key, in equal parts. */
static void add_curve(cJSON *detail, const struct detail *d, size_t joint, int kind, double time) {
  const quatsimd_curve *curve = clip_curve(&d->source.source, kind, joint);
  const double bound = bounds_of_joint(&d->result->bounds, &d->source.joint[joint], kind) * bounds_unit(kind);
  const int width = (int)scene_width(kind);
  const size_t keys = curve->key_count < KEYS ? curve->key_count : KEYS;
  size_t first = 0;
  while (first + keys < curve->key_count && curve->times[first + keys / 2] < time) first++;
  cJSON *to = cJSON_AddObjectToObject(detail, "curve"), *before, *times, *after;
  json_add_text(to, "joint", clip_source_joint(&d->source, joint));
  json_add_text(to, "of", scene_kinds[kind]);
  json_add_number(to, "time", time);
  json_add_figure(to, "bound", bound, bound > 0);
  json_add_number(to, "keys", (double)curve->key_count);
  json_add_number(to, "parts", BETWEEN);
  before = cJSON_AddArrayToObject(to, "before"), times = cJSON_AddArrayToObject(to, "times");
  after = cJSON_AddArrayToObject(to, "after");
  for (size_t k = first; k < first + keys; k++) {
    const bool last = k + 1 == first + keys;
    const double from = curve->times[k], part = last ? 0 : (curve->times[k + 1] - from) / BETWEEN;
    for (int i = 0; i < width; i++) add(before, (double)curve_key(curve, kind, k)[i]);
    for (int n = 0; n < (last ? 1 : BETWEEN); n++) {
      float value[4];
      sample(d, joint, kind, from + n * part, value);
      add(times, from + n * part);
      for (int i = 0; i < width; i++) add(after, (double)value[i]);
    }
  }
}

/* Returns how far a curve is off at a time, 0 if it has one key. */
static double off_of(const struct detail *d, size_t joint, int kind, double time) {
  const quatsimd_curve *curve = clip_curve(&d->source.source, kind, joint);
  double wanted[4] = {0}, got[4] = {0};
  float value[4] = {0};
  if (curve->key_count < 2) return 0;
  curve_value(curve, kind, curve_find(curve, time), time, wanted);
  sample(d, joint, kind, time, value);
  for (int i = 0; i < (int)scene_width(kind); i++) got[i] = (double)value[i];
  return curve_distance(kind, wanted, got);
}

/* With a bound of points or vertices, adds that curve of the joint which is nearest to its bound, or of those
 * above it, which moves the point the most. Distances add up along the joints, as if all were in a line. */
static void add_guilty_above(cJSON *detail, const struct detail *d, const struct worst *w) {
  const double own = (double)d->source.joint[w->joint].object_distance;
  double lever = own > 0 ? own : d->result->bounds.distance, most = 0;
  size_t joint = 0;
  int kind = 0;
  for (int64_t j = (int64_t)w->joint; j >= 0; j = d->source.joint[j].parent) {
    for (int k = 0; k < QUATSIMD_CLIP_JOINT_KIND_COUNT; k++) {
      const double off = off_of(d, (size_t)j, k, w->time) * (k == QUATSIMD_CLIP_TRANSLATION ? 1 : lever);
      if (off > most) most = off, joint = (size_t)j, kind = k;
    }
    const quatsimd_curve *to = clip_curve(&d->source.source, QUATSIMD_CLIP_TRANSLATION, (size_t)j);
    const float *t = to->key_count > 0 ? curve_key(to, QUATSIMD_CLIP_TRANSLATION, 0) : (const float[3]){0};
    lever += sqrt((double)t[0] * (double)t[0] + (double)t[1] * (double)t[1] + (double)t[2] * (double)t[2]);
  }
  if (most > 0) add_curve(detail, d, joint, kind, w->time);
}

/* With bounds of curves, adds the one with more than one key that is nearest to its bound. */
static void add_guilty_curve(cJSON *detail, const struct detail *d) {
  const struct worst *w = d->worst, *end = w + d->source.source.joint_count;
  if (w < end && w->of == CLIP_CHECK_OBJECT) {
    add_guilty_above(detail, d, w);
    return;
  }
  while (w < end && w->share >= 0 &&
         (w->of == CLIP_CHECK_OBJECT || clip_curve(&d->source.source, w->of, w->joint)->key_count < 2))
    w++;
  if (w < end && w->share >= 0) add_curve(detail, d, w->joint, w->of, w->time);
}

bool detail_add(cJSON *entry, const struct compress *c, const struct compressed_file *file, size_t number) {
  const struct clip_result *result = &c->result[number];
  struct detail d = {.run = c, .file = file, .result = result, .of = &c->of[number]};
  cJSON *detail = cJSON_AddObjectToObject(entry, "detail");
  bool good = file->bundle && given_clip_read(&d.given, file->bundle, result->clip_name) && read_source(&d);
  if (good) clip_rest_make(&d.rest, d.given.clip.clip, d.skeleton.file.skeleton);
  good = good && measure(&d);
  if (good) {
    add_joints(detail, &d);
    add_times(detail, &d);
    add_guilty_curve(detail, &d);
  } else
    json_add_text(detail, "error",
                  file->bundle
                      ? "The file or its bundle could not be read again: see the messages of the command."
                      : "The bundle was not written: see the messages of the command.");
  free(d.worst), free(d.time), free(d.share);
  clip_rest_free(&d.rest);
  clip_source_free(&d.source);
  skeleton_free(&d.skeleton);
  given_clip_free(&d.given);
  return good;
}
