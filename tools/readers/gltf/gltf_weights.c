#include "readers/gltf/gltf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "files/names.h"

/* All primitives of a mesh have as many targets. */
static size_t count_targets(const cJSON *mesh) {
  const int targets =
      cJSON_GetArraySize(json_member(cJSON_GetArrayItem(json_member(mesh, "primitives"), 0), "targets"));
  return targets > 0 ? (size_t)targets : 0;
}

/* "mesh.target", by their names or numbers, behind "node." if that is not null; to be freed. */
static char *name_of(const char *node, const cJSON *mesh, size_t number, size_t target) {
  char unnamed[2][40];
  const cJSON *names = json_member(json_member(mesh, "extras"), "targetNames");
  const char *own = gltf_text(mesh, "name"),
             *of_target = cJSON_GetStringValue(cJSON_GetArrayItem(names, (int)target));
  snprintf(unnamed[0], sizeof unnamed[0], "meshes[%zu]", number);
  snprintf(unnamed[1], sizeof unnamed[1], "%zu", target);
  char *name = names_join(*own ? own : unnamed[0], ".", of_target && *of_target ? of_target : unnamed[1]);
  char *whole = node ? names_join(node, ".", name) : NULL, *clean = text_clean(whole ? whole : name);
  free(whole);
  free(name);
  return clean;
}

/* The node's own, or else the mesh's; what is not there is 0, and what is no number NaN. */
static float rest_of(const cJSON *node, const cJSON *mesh, size_t target) {
  const cJSON *own = json_member(node, "weights"),
              *weight = cJSON_GetArrayItem(own ? own : json_member(mesh, "weights"), (int)target);
  return weight ? (float)cJSON_GetNumberValue(weight) : 0;
}

bool gltf_take_tracks(struct gltf *gltf, const struct gltf_list *nodes, const size_t *place,
                      struct scene *scene) {
  const struct gltf_list meshes = gltf_list(gltf->tree, "meshes");
  size_t *node_at = memory_get(scene->nodes, sizeof *node_at), mesh,
         *users = memory_get(meshes.count, sizeof *users);
  for (size_t n = 0; n < nodes->count; n++) {
    node_at[place[n]] = n;
    if (gltf_index(nodes->item[n], "mesh", meshes.count, &mesh)) users[mesh]++;
  }
  bool good = true;
  for (size_t n = 0; good && n < scene->nodes; n++) { /* in the scene's order */
    const cJSON *node = nodes->item[node_at[n]];
    if (!gltf_index(node, "mesh", meshes.count, &mesh)) continue;
    const size_t targets = count_targets(meshes.item[mesh]);
    const char *shared = users[mesh] > 1 ? scene->node[n].name : NULL;
    for (size_t t = 0; good && t < targets; t++) {
      scene->track = memory_grow(scene->track, scene->tracks, sizeof *scene->track);
      scene->track[scene->tracks++] = (struct scene_track){name_of(shared, meshes.item[mesh], mesh, t), n, t,
                                                           rest_of(node, meshes.item[mesh], t)};
      good = gltf_may_take(gltf, 2 * sizeof *scene->track + 4 * strlen(scene->track[scene->tracks - 1].name));
    }
  }
  free(users);
  free(node_at);
  free(meshes.item);
  return good || complain(gltf->path, "%s", gltf->error);
}

size_t gltf_tracks_of(const struct scene *scene, size_t node, size_t *count) {
  size_t first = 0;
  while (first < scene->tracks && scene->track[first].node != node) first++;
  *count = 0;
  while (first + *count < scene->tracks && scene->track[first + *count].node == node) ++*count;
  return first;
}
