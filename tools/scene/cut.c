/* Parts of animations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check/curve.h"
#include "files/names.h"
#include "scene/change.h"

/* Calls with each curve that has keys. */
typedef void each_curve(void *context, struct scene_curve *curve, int kind);
static void call_each(const struct scene *scene, struct scene_animation *animation, each_curve *call,
                      void *context) {
  for (size_t c = 0; c < animation->channels; c++)
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      if (animation->channel[c].curve[kind].keys > 0) call(context, &animation->channel[c].curve[kind], kind);
  for (size_t t = 0; animation->track && t < scene->tracks; t++)
    if (animation->track[t].keys > 0) call(context, &animation->track[t], SCENE_TRACK);
}

/* Ends. -------------------------------------------------------------------------------------------------- */

static void find_ends(void *context, struct scene_curve *curve, int kind) {
  double *ends = context;
  (void)kind;
  ends[0] = fmin(ends[0], curve->seconds[0]);
  ends[1] = fmax(ends[1], curve->seconds[curve->keys - 1]);
}

void scene_find_ends(const struct scene *scene, size_t animation, double ends[2]) {
  ends[0] = INFINITY, ends[1] = -INFINITY;
  call_each(scene, &scene->animation[animation], find_ends, ends);
  if (!(ends[0] <= ends[1])) ends[0] = ends[1] = 0;
}

/* A part in time. ---------------------------------------------------------------------------------------- */

/* Keys that are so near to an end of the part are at it. */
static double nearness(double time) { return 1e-6 * fmax(1, fabs(time)); }

/* The keys of a new curve, which the old one gives. */
struct keys {
  const struct scene_curve *of;
  int kind;
  size_t count, stride; /* floats of a key */
  float *values;
  double *seconds;
};

static struct keys keys_begin(const struct scene_curve *of, int kind, size_t most) {
  const size_t stride = scene_width(kind) * (of->interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1);
  return (struct keys){
      of, kind, 0, stride, memory_get(most * stride, sizeof(float)), memory_get(most, sizeof(double))};
}

static float *add_key(struct keys *keys, double time) {
  keys->seconds[keys->count] = time;
  return keys->values + keys->stride * keys->count++;
}

static void copy_key(struct keys *keys, size_t key, double time) {
  memcpy(add_key(keys, time), keys->of->values + keys->stride * key, keys->stride * sizeof(float));
}

/* The change of a spline in a second, part t of the way to the next key. */
static double slope(const float *key, size_t width, size_t i, double t, double seconds) {
  const double s = 1 - t, from = (double)key[width + i], to = (double)key[4 * width + i];
  return 6 * t * s * (to - from) / seconds + s * (1 - 3 * t) * (double)key[2 * width + i] -
         t * (2 - 3 * t) * (double)key[3 * width + i];
}

/* Adds a key where the old curve has none. A spline goes on as it was on either side. */
static void add_between(struct keys *keys, double time, double now) {
  const struct scene_curve *of = keys->of;
  const quatsimd_curve curve = {of->keys, of->seconds, of->values, of->interpolation};
  const size_t width = scene_width(keys->kind), key = curve_find(&curve, time);
  const bool cubic = of->interpolation == QUATSIMD_CURVE_CUBIC;
  float *to = add_key(keys, now);
  double value[4];
  curve_value(&curve, keys->kind, key, time, value);
  for (size_t i = 0; i < width; i++) to[(cubic ? width : 0) + i] = (float)value[i];
  if (!cubic || key + 1 >= of->keys || time <= of->seconds[key]) return;
  const double length = of->seconds[key + 1] - of->seconds[key], t = (time - of->seconds[key]) / length;
  for (size_t i = 0; i < width; i++)
    to[i] = to[2 * width + i] = (float)slope(of->values + keys->stride * key, width, i, t, length);
}

static void keys_end(struct keys *keys, struct scene_curve *curve) {
  const int interpolation = curve->interpolation;
  scene_free_curve(curve);
  *curve = (struct scene_curve){keys->count, interpolation, keys->values, keys->seconds, false};
}

/* A spline that stays at a value has no slope there. part: 0 for the slope before a key, 2 for that behind
 * it. */
static void flatten(struct keys *keys, size_t key, size_t part) {
  const size_t width = scene_width(keys->kind);
  if (keys->stride > width)
    memset(keys->values + keys->stride * key + part * width, 0, width * sizeof(float));
}

void scene_cut_curve(struct scene_curve *curve, int kind, double from, double to, double start) {
  const double near_from = nearness(from), near_to = nearness(to);
  const bool begins_later = curve->seconds[0] > from + near_from,
             ends_before = curve->seconds[curve->keys - 1] < to - near_to;
  struct keys keys = keys_begin(curve, kind, curve->keys + 2);
  size_t k = 0, at = SCENE_NONE;
  for (; k < curve->keys && curve->seconds[k] <= from + near_from; k++)
    if (curve->seconds[k] >= from - near_from) at = k;
  if (at != SCENE_NONE) copy_key(&keys, at, from - start);
  else add_between(&keys, from, from - start);
  for (; k < curve->keys && curve->seconds[k] < to - near_to; k++)
    copy_key(&keys, k, curve->seconds[k] - start);
  if (k < curve->keys && curve->seconds[k] <= to + near_to) copy_key(&keys, k, to - start);
  else add_between(&keys, to, to - start);
  if (begins_later) flatten(&keys, 1, 0);
  if (ends_before) flatten(&keys, keys.count - 2, 2);
  keys_end(&keys, curve);
}

static void cut(void *context, struct scene_curve *curve, int kind) {
  const struct animation_change *change = context;
  scene_cut_curve(curve, kind, change->from, change->to, change->from);
}

/* Joints. ------------------------------------------------------------------------------------------------ */

static void keep_only(struct scene *scene, struct scene_animation *animation, const struct texts *patterns) {
  const char **name = memory_get(scene->nodes + scene->tracks, sizeof *name);
  size_t *parent = memory_get(scene->nodes, sizeof *parent);
  bool *kept = memory_get(scene->nodes + scene->tracks, sizeof *kept);
  for (size_t n = 0; n < scene->nodes; n++) name[n] = scene->node[n].name, parent[n] = scene->node[n].parent;
  for (size_t t = 0; t < scene->tracks; t++) name[scene->nodes + t] = scene->track[t].name;
  names_select(patterns, scene->nodes, name, parent, kept);
  names_select(patterns, scene->tracks, name + scene->nodes, NULL, kept + scene->nodes);
  for (size_t c = 0; c < animation->channels; c++)
    for (int kind = 0; !kept[animation->channel[c].node] && kind < SCENE_KINDS; kind++)
      scene_drop_curve(&animation->channel[c].curve[kind]);
  for (size_t t = 0; animation->track && t < scene->tracks; t++)
    if (!kept[scene->nodes + t]) scene_drop_curve(&animation->track[t]);
  free(name), free(parent), free(kept);
}

/* -------------------------------------------------------------------------------------------------------- */

void scene_change_animation(struct scene *scene, size_t animation, const struct animation_change *change) {
  struct scene_animation *of = &scene->animation[animation];
  struct animation_change part = *change;
  if (change->only.count > 0) keep_only(scene, of, &change->only);
  if (change->cut) call_each(scene, of, cut, &part);
}

static void copy_curve(struct scene_curve *curve, int kind) {
  curve->shared = curve->keys > 0;
  if (curve->shared) scene_unshare(curve, kind);
}

size_t scene_copy_animation(struct scene *scene, size_t animation) {
  struct scene_animation *all = memory_get(scene->animations + 1, sizeof *all);
  memcpy(all, scene->animation, scene->animations * sizeof *all);
  free(scene->animation);
  scene->animation = all;
  const struct scene_animation *from = &scene->animation[animation];
  struct scene_animation *to = &scene->animation[scene->animations];
  *to = *from;
  to->name = text_copy(from->name);
  to->extras = from->extras ? text_copy(from->extras) : NULL;
  to->left_out = NULL;
  to->channel = memory_get(from->channels, sizeof *to->channel);
  for (size_t c = 0; c < from->channels; c++) {
    to->channel[c] = from->channel[c];
    to->channel[c].name = text_copy(from->channel[c].name);
    for (int kind = 0; kind < SCENE_KINDS; kind++) copy_curve(&to->channel[c].curve[kind], kind);
  }
  if (from->track) {
    to->track = memory_get(scene->tracks, sizeof *to->track);
    for (size_t t = 0; t < scene->tracks; t++) {
      to->track[t] = from->track[t];
      copy_curve(&to->track[t], SCENE_TRACK);
    }
  }
  return scene->animations++;
}
