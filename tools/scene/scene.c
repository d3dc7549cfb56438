#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/encode/curve.h"
#include "terminal/message.h"

const char *const scene_kinds[SCENE_KINDS + 1] = {"rotation", "translation", "scale", "track"};

int scene_kind(const char *name) {
  int kind = 0;
  while (kind < SCENE_KINDS && !(name && strcmp(name, scene_kinds[kind]) == 0)) kind++;
  return kind;
}

void scene_free_curve(struct scene_curve *curve) {
  if (curve->shared) return;
  free(curve->values);
  free(curve->seconds);
}

void scene_drop_curve(struct scene_curve *curve) {
  scene_free_curve(curve);
  *curve = (struct scene_curve){0};
}

static void free_channel(struct scene_channel *channel) {
  for (int kind = 0; kind < SCENE_KINDS; kind++) scene_free_curve(&channel->curve[kind]);
  free(channel->name);
}

void *scene_share(struct scene *scene, void *array) {
  scene->share = memory_grow(scene->share, scene->shared, sizeof *scene->share);
  return scene->share[scene->shared++] = array;
}

static void *copy_of(const void *array, size_t count, size_t size) {
  return memcpy(memory_get(count, size), array, count * size);
}

void scene_unshare(struct scene_curve *curve, int kind) {
  if (!curve->shared) return;
  curve->shared = false;
  curve->values = copy_of(curve->values, scene_floats(curve, kind), sizeof *curve->values);
  curve->seconds = copy_of(curve->seconds, curve->keys, sizeof *curve->seconds);
}

void scene_free_animation(struct scene_animation *animation, size_t tracks) {
  for (size_t c = 0; c < animation->channels; c++) free_channel(&animation->channel[c]);
  for (size_t t = 0; animation->track && t < tracks; t++) scene_free_curve(&animation->track[t]);
  free(animation->track);
  free(animation->channel);
  free(animation->name);
  free(animation->extras);
  free(animation->left_out);
}

void scene_free(struct scene *scene) {
  for (size_t a = 0; a < scene->animations; a++) scene_free_animation(&scene->animation[a], scene->tracks);
  for (size_t n = 0; n < scene->nodes; n++) free(scene->node[n].name), free(scene->node[n].human);
  for (size_t t = 0; t < scene->tracks; t++) free(scene->track[t].name);
  free(scene->track);
  for (size_t i = 0; i < scene->shared; i++) free(scene->share[i]);
  free(scene->share);
  free(scene->animation);
  free(scene->node);
  *scene = (struct scene){0};
}

/* True if the next key is at the same time but for rounding. */
static bool jumps(const struct scene_curve *curve, size_t key) {
  return key + 1 < curve->keys &&
         curve->seconds[key + 1] - curve->seconds[key] < 0x1p-50 * fabs(curve->seconds[key + 1]) + 0x1p-900;
}

float scene_time(const struct scene_curve *curve, size_t key) {
  const float time = (float)curve->seconds[key];
  return jumps(curve, key) && time == (float)curve->seconds[key + 1] ? nextafterf(time, -INFINITY) : time;
}

size_t scene_children(const struct scene *scene, size_t **first, size_t **next) {
  size_t root = SCENE_NONE;
  *first = memory_get(scene->nodes, sizeof **first), *next = memory_get(scene->nodes, sizeof **next);
  for (size_t n = 0; n < scene->nodes; n++) (*first)[n] = SCENE_NONE;
  for (size_t n = scene->nodes; n-- > 0;) {
    const size_t parent = scene->node[n].parent;
    size_t *const before = parent == SCENE_NONE ? &root : &(*first)[parent];
    (*next)[n] = *before, *before = n;
  }
  return root;
}

/* times. ------------------------------------------------------------------------------------------------- */

static bool same_time(const struct scene_curve *curve, size_t k) {
  return k + 1 < curve->keys && curve->seconds[k] == curve->seconds[k + 1];
}

/* Keys at one time, from `first` to `last`: where the first and the last have the same value, or the curve
 * holds keys or begins there, the last one is enough. Else it jumps: the first one comes just before. */
static size_t settle_keys(struct scene_curve *curve, int kind, size_t to, size_t first, size_t last,
                          size_t *merged) {
  const size_t width = scene_floats(curve, kind) / curve->keys;
  float *const from = curve->values + first * width, *const behind = curve->values + last * width;
  const bool same = memcmp(scene_key(curve, kind, first), scene_key(curve, kind, last),
                           scene_width(kind) * sizeof(float)) == 0;
  const double time = curve->seconds[last];
  const bool cubic = curve->interpolation == QUATSIMD_CURVE_CUBIC;
  if (last > first && same && cubic)
    memcpy(behind, from, scene_width(kind) * sizeof *from); /* the way to it stays */
  if (last > first && !same && to > 0 && curve->interpolation != QUATSIMD_CURVE_HOLD) {
    memmove(curve->values + to * width, from, width * sizeof *from);
    curve->seconds[to++] = clip_just_before(time);
  } else *merged += last - first;
  memmove(curve->values + to * width, behind, width * sizeof *from);
  curve->seconds[to++] = time;
  return to;
}

static bool has_equal_times(const struct scene_curve *curve) {
  size_t k = 0;
  while (k < curve->keys && !same_time(curve, k)) k++;
  return k < curve->keys;
}

size_t scene_settle_times(struct scene_curve *curve, int kind) {
  const size_t keys = curve->keys;
  size_t k = 0, kept = 0, merged = 0;
  if (!has_equal_times(curve)) return 0;
  scene_unshare(curve, kind);
  for (size_t first = 0; first < keys; first = k + 1) {
    for (k = first; same_time(curve, k);) k++;
    kept = settle_keys(curve, kind, kept, first, k, &merged);
  }
  curve->keys = kept;
  return merged;
}

/* ---- rotations of length 0 ---- */

static bool is_null(const struct scene_curve *curve, size_t key) {
  const float *q = scene_key(curve, SCENE_ROTATION, key);
  return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 0x1p-64f;
}

static bool has_null_rotation(const struct scene_curve *curve) {
  size_t k = 0;
  while (k < curve->keys && !is_null(curve, k)) k++;
  return k < curve->keys;
}

size_t scene_mend_rotations(struct scene_curve *curve) {
  size_t good = 0, mended = 0;
  if (!has_null_rotation(curve)) return 0;
  scene_unshare(curve, SCENE_ROTATION);
  while (good < curve->keys && is_null(curve, good)) good++;
  if (good == curve->keys) return curve->keys = 0;
  for (size_t k = 0; k < curve->keys; k++) {
    if (!is_null(curve, k)) good = k;
    else {
      memcpy(scene_key(curve, SCENE_ROTATION, k), scene_key(curve, SCENE_ROTATION, good), 4 * sizeof(float));
      mended++;
    }
  }
  return mended;
}

void scene_mention_rest(const char *path, const struct scene *scene, bool stays) {
  for (size_t a = 0; a < scene->animations; a++) {
    const struct scene_animation *animation = &scene->animation[a];
    if (stays && animation->beyond) continue;
    if (animation->left_out)
      complain(path, "animation %zu%s%.80s: %s", animation->number, *animation->name ? ", " : "",
               animation->name, animation->left_out);
    if (animation->merged)
      complain(path, "animation %zu%s%.80s: %zu key%s merged with the next key, which has the same time",
               animation->number, *animation->name ? ", " : "", animation->name, animation->merged,
               animation->merged > 1 ? "s are" : " is");
    if (animation->mended)
      complain(path,
               "animation %zu%s%.80s: %zu rotation%s of length 0: the one before stands in, or at the start "
               "the next one",
               animation->number, *animation->name ? ", " : "", animation->name, animation->mended,
               animation->mended > 1 ? "s are" : " is");
  }
}
