#include "readers/gltf_weights.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/text.h"

static const cJSON *member(const cJSON *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const cJSON *first_of(const cJSON *array) { return array ? array->child : NULL; }

static bool any_weights(const cJSON *tree) {
  for (const cJSON *a = first_of(member(tree, "animations")); a; a = a->next)
    for (const cJSON *channel = first_of(member(a, "channels")); channel; channel = channel->next) {
      struct gltf_target target;
      if (gltf_target(channel, SIZE_MAX, &target) && target.weights) return true;
    }
  return false;
}

/* All primitives of a mesh have as many targets. */
static size_t count_targets(const cJSON *mesh) {
  const int targets =
      cJSON_GetArraySize(member(cJSON_GetArrayItem(member(mesh, "primitives"), 0), "targets"));
  return targets > 0 ? (size_t)targets : 0;
}

/* "mesh.target", by their names or numbers; to be freed. */
static char *name_of(const cJSON *mesh, size_t number, size_t target) {
  char unnamed[2][40];
  const cJSON *names = member(member(mesh, "extras"), "targetNames");
  const char *own = gltf_text(mesh, "name"),
             *of_target = cJSON_GetStringValue(cJSON_GetArrayItem(names, (int)target));
  snprintf(unnamed[0], sizeof unnamed[0], "meshes[%zu]", number);
  snprintf(unnamed[1], sizeof unnamed[1], "%zu", target);
  char *name = names_join(*own ? own : unnamed[0], ".", of_target && *of_target ? of_target : unnamed[1]);
  char *clean = text_clean(name);
  free(name);
  return clean;
}

void gltf_take_tracks(const struct gltf *gltf, const struct gltf_list *nodes, const size_t *place,
                      struct scene *scene) {
  if (!any_weights(gltf->tree)) return;
  const struct gltf_list meshes = gltf_list(gltf->tree, "meshes");
  size_t *node_at = memory_get(scene->nodes, sizeof *node_at);
  for (size_t n = 0; n < nodes->count; n++) node_at[place[n]] = n;
  for (size_t n = 0; n < scene->nodes; n++) { /* in the scene's order */
    size_t mesh;
    if (!gltf_index(nodes->item[node_at[n]], "mesh", meshes.count, &mesh)) continue;
    for (size_t t = 0; t < count_targets(meshes.item[mesh]); t++) {
      scene->track = memory_grow(scene->track, scene->tracks, sizeof *scene->track);
      scene->track[scene->tracks++] = (struct scene_track){name_of(meshes.item[mesh], mesh, t), n, t};
    }
  }
  free(node_at);
  free(meshes.item);
}

size_t gltf_tracks_of(const struct scene *scene, size_t node, size_t *count) {
  size_t first = 0;
  while (first < scene->tracks && scene->track[first].node != node) first++;
  *count = 0;
  while (first + *count < scene->tracks && scene->track[first + *count].node == node) ++*count;
  return first;
}
