/* How far vertices of an FBX's meshes are from the nodes that move them. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "readers/fbx/fbx.h"
#include "scene/reach.h"

/* A matrix by rows of four. */
static void take_matrix(double to[12], const ufbx_matrix *from) {
  for (int row = 0; row < 3; row++)
    for (int c = 0; c < 4; c++) to[4 * row + c] = from->v[3 * c + row];
}

/* The smallest change of a target's weight from one of its shapes to the next. Between two shapes a vertex
 * moves by at most twice the farther one's offset: half of the change stands for that. */
static double least_step(const ufbx_blend_channel *target) {
  double least = 1e9, before = 0;
  for (size_t k = 0; k < target->keyframes.count; k++) {
    const double weight = target->keyframes.data[k].target_weight, step = fabs(weight - before);
    if (step > 0) least = fmin(least, step);
    if (weight != 0) least = fmin(least, fabs(weight)); /* at 0 there is a shape that moves nothing */
    before = weight;
  }
  return target->keyframes.count > 1 ? least / 2 : least;
}

/* Takes how far targets move vertices as their weights change by 1, at most: the farthest of the shapes that
 * a target has. */
static void take_targets(const ufbx_node *node, struct reach_mesh *mesh) {
  while (fbx_target(node, mesh->targets)) mesh->targets++;
  mesh->moved = memory_get(mesh->targets, sizeof *mesh->moved);
  for (size_t t = 0; t < mesh->targets; t++) {
    const ufbx_blend_channel *target = fbx_target(node, t);
    const double step = least_step(target);
    float *moved = mesh->moved[t] = memory_get(mesh->count, 3 * sizeof *moved);
    for (size_t k = 0; k < target->keyframes.count; k++) {
      const ufbx_blend_shape *shape = target->keyframes.data[k].shape;
      for (size_t i = 0; i < shape->num_offsets; i++) {
        const ufbx_real *by = shape->position_offsets.data[i].v;
        const size_t v = shape->offset_vertices.data[i];
        if (v >= mesh->count) continue;
        for (size_t c = 0; c < 3; c++)
          if (fabs(by[c] / step) > fabs((double)moved[3 * v + c])) moved[3 * v + c] = (float)(by[c] / step);
      }
    }
  }
}

static void take_skin(struct reach *reach, const ufbx_skin_deformer *skin, const size_t *place,
                      const struct reach_mesh *mesh) {
  for (size_t v = 0; v < mesh->count && v < skin->vertices.count; v++) {
    const ufbx_skin_vertex *vertex = &skin->vertices.data[v];
    for (size_t w = 0; w < vertex->num_weights; w++) {
      const ufbx_skin_weight *weight = &skin->weights.data[vertex->weight_begin + w];
      const ufbx_skin_cluster *cluster = skin->clusters.data[weight->cluster_index];
      double matrix[12];
      take_matrix(matrix, &cluster->geometry_to_bone);
      if (weight->weight > 0 && cluster->bone_node)
        reach_take(reach, place[cluster->bone_node->typed_id], matrix, mesh, v);
    }
  }
}

/* Adds a node's mesh. Without a skin its vertices come to the node's space. */
static void take_mesh(struct reach *reach, const ufbx_node *node, size_t n, const size_t *place) {
  struct reach_mesh mesh = {.node = n, .count = node->mesh->num_vertices};
  double matrix[12];
  mesh.position = memory_get(mesh.count, 3 * sizeof *mesh.position);
  for (size_t v = 0; v < mesh.count; v++)
    for (size_t c = 0; c < 3; c++) mesh.position[3 * v + c] = (float)node->mesh->vertices.data[v].v[c];
  take_targets(node, &mesh);
  take_matrix(matrix, &node->geometry_to_node);
  for (size_t s = 0; s < node->mesh->skin_deformers.count; s++)
    take_skin(reach, node->mesh->skin_deformers.data[s], place, &mesh);
  for (size_t v = 0; node->mesh->skin_deformers.count == 0 && v < mesh.count; v++)
    reach_take(reach, n, matrix, &mesh, v);
  reach_mesh_free(&mesh);
}

void fbx_take_reach(const struct fbx *fbx, struct reach *reach) {
  size_t *place = memory_get(fbx->file->nodes.count, sizeof *place);
  for (size_t n = 0; n < fbx->scene->nodes; n++) place[fbx->node[n]->typed_id] = n;
  for (size_t n = 0; n < fbx->scene->nodes && n < reach->skeleton->scene.nodes; n++)
    if (fbx->node[n]->mesh) take_mesh(reach, fbx->node[n], n, place);
  free(place);
}
