#include "readers/scene.h"

#include <stdlib.h>
#include <string.h>

const char *const scene_kinds[SCENE_KINDS] = {"rotation", "translation", "scale"};

int scene_kind(const char *name) {
  int kind = 0;
  while (kind < SCENE_KINDS && !(name && strcmp(name, scene_kinds[kind]) == 0)) kind++;
  return kind;
}

static void free_channel(struct scene_channel *channel) {
  for (int kind = 0; kind < SCENE_KINDS; kind++) {
    free(channel->curve[kind].values);
    free(channel->curve[kind].seconds);
  }
  free(channel->name);
}

void scene_free(struct scene *scene) {
  for (size_t a = 0; a < scene->animations; a++) {
    for (size_t c = 0; c < scene->animation[a].channels; c++) free_channel(&scene->animation[a].channel[c]);
    free(scene->animation[a].channel);
    free(scene->animation[a].name);
  }
  for (size_t n = 0; n < scene->nodes; n++) free(scene->node[n].name);
  free(scene->animation);
  free(scene->node);
  *scene = (struct scene){0};
}
