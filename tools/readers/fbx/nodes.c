/* Nodes, skins and morph targets of an FBX. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/names.h"
#include "readers/fbx/fbx.h"

void fbx_note_shear(struct fbx *fbx, size_t node, double shear) {
  const double seen = 1e-4;
  if (shear > seen) fbx->sheared[node] = true;
}

static void copy(float *to, const ufbx_real *from, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = (float)from[i];
}

/* Adds a node; `parent` is in the scene. */
static void take_node(struct fbx *fbx, const ufbx_node *from, size_t parent) {
  struct scene *scene = fbx->scene;
  scene->node = memory_grow(scene->node, scene->nodes, sizeof *scene->node);
  fbx->node = memory_grow(fbx->node, scene->nodes, sizeof(const ufbx_node *));
  fbx->sheared = memory_grow(fbx->sheared, scene->nodes, sizeof *fbx->sheared);
  fbx->sheared[scene->nodes] = false;
  struct scene_node *node = &scene->node[scene->nodes];
  fbx->node[scene->nodes] = from;
  *node = (struct scene_node){.name = text_clean(from->name.data),
                              .number = scene->nodes,
                              .parent = parent,
                              .holds = from->camera || from->light};
  double shear;
  const ufbx_transform local = fbx_local(NULL, from, 0, &shear);
  copy(node->rest[SCENE_ROTATION], local.rotation.v, 4);
  copy(node->rest[SCENE_TRANSLATION], local.translation.v, 3);
  copy(node->rest[SCENE_SCALE], local.scale.v, 3);
  fbx_note_shear(fbx, scene->nodes, shear);
  fbx_spend(fbx, 2 * sizeof *node + 4 * strlen(node->name));
  scene->nodes++;
}

/* Adds all nodes below the file's root, parents first. Walks without recursion: a file may be deep. */
static void take_hierarchy(struct fbx *fbx) {
  struct level {
    const ufbx_node *node;
    size_t next, place;
  } *level = NULL;
  size_t depth = 0;
  level = memory_grow(level, depth, sizeof *level);
  level[depth++] = (struct level){fbx->file->root_node, 0, SCENE_NONE};
  while (depth > 0) {
    struct level *top = &level[depth - 1];
    if (top->next == top->node->children.count) {
      depth--;
      continue;
    }
    const ufbx_node *child = top->node->children.data[top->next++];
    take_node(fbx, child, top->place);
    level = memory_grow(level, depth, sizeof *level);
    level[depth++] = (struct level){child, 0, fbx->scene->nodes - 1};
  }
  free(level);
}

/* Gives joints the matrices of the first skin that they are in. */
static void take_skins(struct fbx *fbx) {
  const ufbx_scene *file = fbx->file;
  const ufbx_skin_cluster **first = memory_get(file->nodes.count, sizeof(const ufbx_skin_cluster *));
  for (size_t s = 0; s < file->skin_clusters.count; s++) {
    const ufbx_skin_cluster *cluster = file->skin_clusters.data[s];
    if (cluster->bone_node && !first[cluster->bone_node->typed_id])
      first[cluster->bone_node->typed_id] = cluster;
  }
  for (size_t n = 0; n < fbx->scene->nodes; n++) {
    struct scene_node *node = &fbx->scene->node[n];
    const ufbx_skin_cluster *cluster = first[fbx->node[n]->typed_id];
    node->in_skin = node->bound = cluster != NULL;
    for (size_t row = 0; cluster && row < 3; row++)
      for (size_t column = 0; column < 4; column++)
        node->inverse_bind[4 * row + column] = (float)cluster->geometry_to_bone.v[3 * column + row];
  }
  free(first);
}

const ufbx_blend_channel *fbx_target(const ufbx_node *node, size_t target) {
  for (size_t d = 0; node->mesh && d < node->mesh->blend_deformers.count; d++) {
    const ufbx_blend_channel_list *channels = &node->mesh->blend_deformers.data[d]->channels;
    if (target < channels->count) return channels->data[target];
    target -= channels->count;
  }
  return NULL;
}

/* "mesh.target", or "node.mesh.target" where several nodes have the mesh. To be freed. */
static char *name_of_track(const ufbx_node *node, const ufbx_blend_channel *target) {
  char *of_node = text_clean(node->name.data), *of_mesh = text_clean(node->mesh->name.data),
       *of_target = text_clean(target->name.data);
  char *name = names_join(*of_mesh ? of_mesh : of_node, ".", of_target);
  char *whole = node->mesh->instances.count > 1 ? names_join(of_node, ".", name) : NULL;
  free(of_node), free(of_mesh), free(of_target);
  if (whole) free(name);
  return whole ? whole : name;
}

static void take_tracks(struct fbx *fbx) {
  struct scene *scene = fbx->scene;
  const ufbx_blend_channel *target;
  for (size_t n = 0; n < scene->nodes; n++)
    for (size_t t = 0; !fbx->over && (target = fbx_target(fbx->node[n], t)) != NULL; t++) {
      scene->track = memory_grow(scene->track, scene->tracks, sizeof *scene->track);
      scene->track[scene->tracks++] =
          (struct scene_track){name_of_track(fbx->node[n], target), n, t, (float)target->weight};
      fbx_spend(fbx, 2 * sizeof *scene->track + 4 * strlen(scene->track[scene->tracks - 1].name));
    }
}

void fbx_take_nodes(struct fbx *fbx) {
  take_hierarchy(fbx);
  take_skins(fbx);
  take_tracks(fbx);
}
