#include "readers/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const char *const scene_kinds[SCENE_KINDS] = {"rotation", "translation", "scale"};

int scene_kind(const char *name) {
  int kind = 0;
  while (kind < SCENE_KINDS && !(name && strcmp(name, scene_kinds[kind]) == 0)) kind++;
  return kind;
}

static void free_channel(struct scene_channel *channel) {
  for (int kind = 0; kind < SCENE_KINDS; kind++) {
    if (channel->curve[kind].shared) continue;
    free(channel->curve[kind].values);
    free(channel->curve[kind].seconds);
  }
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

void scene_free(struct scene *scene) {
  for (size_t a = 0; a < scene->animations; a++) {
    for (size_t c = 0; c < scene->animation[a].channels; c++) free_channel(&scene->animation[a].channel[c]);
    free(scene->animation[a].channel);
    free(scene->animation[a].name);
  }
  for (size_t n = 0; n < scene->nodes; n++) free(scene->node[n].name);
  for (size_t i = 0; i < scene->shared; i++) free(scene->share[i]);
  free(scene->share);
  free(scene->animation);
  free(scene->node);
  *scene = (struct scene){0};
}

float scene_time(const struct scene_curve *curve, size_t key) {
  const float time = (float)curve->seconds[key];
  const bool jumps = key + 1 < curve->keys && time == (float)curve->seconds[key + 1];
  return jumps && curve->seconds[key + 1] - curve->seconds[key] <
                      0x1p-50 * fabs(curve->seconds[key + 1]) + 0x1p-900
             ? nextafterf(time, -INFINITY)
             : time;
}
