/* How far vertices of glTF's meshes are from the nodes that move them. */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "readers/gltf/gltf.h"
#include "scene/reach.h"

struct reaching {
  struct gltf *gltf;
  struct reach *reach;
  struct gltf_list nodes, meshes, skins;
  size_t *place; /* of each node in the file: where the scene has it */
};

static const double as_it_is[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/* An attribute's numbers, to be freed; null and *count 0 if there are none. False if they cannot be read. */
static bool take_attribute(struct gltf *gltf, const cJSON *attributes, const char *name, size_t width,
                           float **numbers, size_t *count) {
  size_t accessor;
  *numbers = NULL, *count = 0;
  if (!json_member(attributes, name)) return true;
  if (!gltf_index(attributes, name, gltf->accessors.count, &accessor))
    return gltf_fail(gltf, "%s is in no accessor", name);
  *numbers = gltf_numbers(gltf, accessor, width, count);
  return *numbers != NULL;
}

/* Adds vertices of a skinned primitive: four joints and weights of each in every set. */
static bool take_sets(struct reaching *r, const cJSON *attributes, const struct gltf_skin *skin,
                      const struct reach_mesh *mesh) {
  bool good = true, any = true;
  for (int set = 0; good && any; set++) {
    char names[2][32];
    float *joints = NULL, *weights = NULL;
    size_t count[2];
    snprintf(names[0], sizeof names[0], "JOINTS_%d", set),
        snprintf(names[1], sizeof names[1], "WEIGHTS_%d", set);
    any = json_member(attributes, names[0]) && json_member(attributes, names[1]);
    good = !any || (take_attribute(r->gltf, attributes, names[0], 4, &joints, &count[0]) &&
                    take_attribute(r->gltf, attributes, names[1], 4, &weights, &count[1]) &&
                    ((count[0] == mesh->count && count[1] == mesh->count) ||
                     gltf_fail(r->gltf, "has joints of other vertices")));
    for (size_t i = 0; good && joints && weights && i < 4 * mesh->count; i++) {
      const size_t j =
          joints[i] >= 0 && (double)joints[i] < (double)skin->count ? (size_t)joints[i] : skin->count;
      if (weights[i] > 0 && j == skin->count) good = gltf_fail(r->gltf, "has a joint that its skin lacks");
      else if (weights[i] > 0) reach_take(r->reach, r->place[skin->node[j]], skin->matrix[j], mesh, i / 4);
    }
    free(joints);
    free(weights);
  }
  return good;
}

/* The rows of a translation, a rotation and a scale, any of which may be null. */
static void rows_of(double m[12], const float *move, const float *turn, const float *scale) {
  const double x = turn ? turn[0] : 0, y = turn ? turn[1] : 0, z = turn ? turn[2] : 0, w = turn ? turn[3] : 1;
  const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                              2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                              2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) m[4 * i + k] = rotation[3 * i + k] * (scale ? (double)scale[k] : 1);
    m[4 * i + 3] = move ? (double)move[i] : 0;
  }
}

/* Adds vertices of a mesh that EXT_mesh_gpu_instancing repeats in the space of its node. */
static bool take_instances(struct reaching *r, const cJSON *attributes, const struct reach_mesh *mesh) {
  static const char *const names[3] = {"TRANSLATION", "ROTATION", "SCALE"};
  float *numbers[3] = {NULL, NULL, NULL};
  size_t count[3], all = 0;
  bool good = true;
  for (int k = 0; k < 3; k++) {
    good = good && take_attribute(r->gltf, attributes, names[k], k == 1 ? 4 : 3, &numbers[k], &count[k]) &&
           (!numbers[k] || all == 0 || count[k] == all ||
            gltf_fail(r->gltf, "has other instances in %s", names[k]));
    if (good && numbers[k]) all = count[k];
  }
  for (size_t i = 0; good && i < all; i++) {
    double rows[12];
    rows_of(rows, numbers[0] ? numbers[0] + 3 * i : NULL, numbers[1] ? numbers[1] + 4 * i : NULL,
            numbers[2] ? numbers[2] + 3 * i : NULL);
    for (size_t v = 0; v < mesh->count; v++) reach_take(r->reach, mesh->node, rows, mesh, v);
  }
  for (int k = 0; k < 3; k++) free(numbers[k]);
  return good;
}

static bool take_primitive(struct reaching *r, const cJSON *primitive, size_t node, const cJSON *instances,
                           const struct gltf_skin *skin) {
  const cJSON *attributes = json_member(primitive, "attributes"), *target;
  struct reach_mesh mesh = {.node = node};
  size_t count;
  if (json_member(json_member(primitive, "extensions"), "KHR_draco_mesh_compression"))
    return gltf_fail(r->gltf, "is compressed by Draco, which is not read");
  bool good = take_attribute(r->gltf, attributes, "POSITION", 3, &mesh.position, &mesh.count);
  const int targets = cJSON_GetArraySize(json_member(primitive, "targets"));
  mesh.targets = targets > 0 ? (size_t)targets : 0;
  mesh.moved = memory_get(mesh.targets, sizeof *mesh.moved);
  size_t t = 0;
  cJSON_ArrayForEach(target, json_member(primitive, "targets")) {
    good = good && take_attribute(r->gltf, target, "POSITION", 3, &mesh.moved[t], &count) &&
           (!mesh.moved[t] || count == mesh.count || gltf_fail(r->gltf, "has a target of other vertices"));
    t++;
  }
  if (good && skin) good = take_sets(r, attributes, skin, &mesh);
  else if (good && instances) good = take_instances(r, instances, &mesh);
  else
    for (size_t v = 0; good && v < mesh.count; v++) reach_take(r->reach, node, as_it_is, &mesh, v);
  reach_mesh_free(&mesh);
  return good;
}

static bool take_mesh(struct reaching *r, size_t n) {
  const cJSON *node = r->nodes.item[n], *primitive;
  const cJSON *instances =
      json_member(json_member(json_member(node, "extensions"), "EXT_mesh_gpu_instancing"), "attributes");
  size_t m, s, p = 0;
  struct gltf_skin skin = {0};
  if (!gltf_index(node, "mesh", r->meshes.count, &m)) return true;
  const bool skinned = gltf_index(node, "skin", r->skins.count, &s);
  bool good = !skinned || gltf_take_skin(r->gltf, r->skins.item[s], r->nodes.count, &skin);
  cJSON_ArrayForEach(primitive, json_member(r->meshes.item[m], "primitives")) {
    good = good && take_primitive(r, primitive, r->place[n], instances, skinned ? &skin : NULL);
    p += good;
  }
  gltf_free_skin(&skin);
  return good || complain(r->gltf->path, "mesh %zu, primitive %zu: %s", m, p, r->gltf->error);
}

bool gltf_reach(const char *path, struct reach *reach) {
  struct gltf gltf;
  if (!gltf_open(&gltf, path)) return false;
  struct reaching r = {&gltf,
                       reach,
                       gltf_list(gltf.tree, "nodes"),
                       gltf_list(gltf.tree, "meshes"),
                       gltf_list(gltf.tree, "skins"),
                       NULL};
  r.place = memory_get(r.nodes.count, sizeof *r.place);
  for (size_t n = 0; n < reach->skeleton->scene.nodes; n++)
    r.place[reach->skeleton->scene.node[n].number] = n;
  bool good = true;
  for (size_t n = 0; good && n < r.nodes.count; n++) good = take_mesh(&r, n);
  free(r.place);
  free(r.nodes.item), free(r.meshes.item), free(r.skins.item);
  gltf_close(&gltf);
  return good;
}
