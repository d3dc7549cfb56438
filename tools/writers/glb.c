#include "writers/writers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "core/bytes.h"
#include "readers/gltf/gltf_edit.h"
#include "terminal/message.h"

struct writer {
  const char *output;
  const struct scene *scene;
  cJSON *tree;
  struct gltf_bytes binary;
  size_t views, meshes;
};

static void add_floats(cJSON *object, const char *name, const float *values, size_t count) {
  cJSON_AddItemToObject(object, name, memory_or_exit(cJSON_CreateFloatArray(values, (int)count)));
}

static void put_float(struct writer *w, float value) {
  w->binary.bytes = memory_grow(w->binary.bytes, w->binary.size / 4, 4);
  store_float(w->binary.bytes + w->binary.size, value);
  w->binary.size += 4;
}

/* Elements of 1, 3 or 4 floats, in a bufferView of their own. Returns the accessor's number. */
static size_t add_accessor(struct writer *w, const float *values, size_t count, size_t width) {
  static const char *const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
  float least[4], most[4];
  memcpy(least, values, width * sizeof *least), memcpy(most, values, width * sizeof *most);
  cJSON *view = gltf_append(w->tree, "bufferViews"), *accessor = gltf_append(w->tree, "accessors");
  cJSON_AddNumberToObject(view, "buffer", 0);
  cJSON_AddNumberToObject(view, "byteOffset", (double)w->binary.size);
  cJSON_AddNumberToObject(view, "byteLength", (double)(count * width * 4));
  for (size_t i = 0; i < count * width; i++) {
    const float value = values[i];
    if (value < least[i % width]) least[i % width] = value;
    if (value > most[i % width]) most[i % width] = value;
    put_float(w, value);
  }
  cJSON_AddNumberToObject(accessor, "bufferView", (double)w->views);
  cJSON_AddNumberToObject(accessor, "componentType", 5126);
  cJSON_AddNumberToObject(accessor, "count", (double)count);
  cJSON_AddStringToObject(accessor, "type", types[width]);
  add_floats(accessor, "min", least, width);
  add_floats(accessor, "max", most, width);
  return w->views++;
}

/* Nodes. ------------------------------------------------------------------------------------------------- */

/* Lines lead from a node to its children, so that there is something to see. */
static void add_node(struct writer *w, size_t n, size_t first, const size_t *next) {
  const struct scene_node *from = &w->scene->node[n];
  cJSON *node = gltf_append(w->tree, "nodes"),
        *children = first == SCENE_NONE ? NULL : cJSON_AddArrayToObject(node, "children");
  float *ends = NULL;
  size_t count = 0;
  json_add_text(node, "name", from->name);
  for (int kind = 0; kind < SCENE_KINDS; kind++)
    add_floats(node, scene_kinds[kind], from->rest[kind], scene_width(kind));
  for (size_t c = first; c != SCENE_NONE; c = next[c]) {
    cJSON_AddItemToArray(children, cJSON_CreateNumber((double)c));
    for (int end = 0; end < 2; end++, count++) {
      ends = memory_grow(ends, count, 3 * sizeof *ends);
      if (end) memcpy(ends + 3 * count, w->scene->node[c].rest[SCENE_TRANSLATION], 3 * sizeof *ends);
    }
  }
  if (count > 0) {
    cJSON *primitive = gltf_append(gltf_append(w->tree, "meshes"), "primitives"),
          *attributes = cJSON_AddObjectToObject(primitive, "attributes");
    cJSON_AddNumberToObject(attributes, "POSITION", (double)add_accessor(w, ends, count, 3));
    cJSON_AddNumberToObject(primitive, "mode", 1);
    cJSON_AddNumberToObject(node, "mesh", (double)w->meshes++);
  }
  free(ends);
}

static void add_nodes(struct writer *w) {
  cJSON *roots = cJSON_AddArrayToObject(gltf_append(w->tree, "scenes"), "nodes");
  size_t *first, *next;
  for (size_t root = scene_children(w->scene, &first, &next); root != SCENE_NONE; root = next[root])
    cJSON_AddItemToArray(roots, cJSON_CreateNumber((double)root));
  for (size_t n = 0; n < w->scene->nodes; n++) add_node(w, n, first[n], next);
  free(first), free(next);
}

/* Skins without a mesh say which nodes are joints. The joints of one have a root in common. */
static void add_skins(struct writer *w) {
  cJSON **joints = memory_get(w->scene->nodes, sizeof(cJSON *));
  cJSON_AddArrayToObject(w->tree, "skins");
  for (size_t n = 0; n < w->scene->nodes; n++) { /* children come after their parents */
    const size_t parent = w->scene->node[n].parent;
    joints[n] = parent == SCENE_NONE ? cJSON_AddArrayToObject(gltf_append(w->tree, "skins"), "joints")
                                     : joints[parent];
    cJSON_AddItemToArray(joints[n], cJSON_CreateNumber((double)n));
  }
  free(joints);
}

/* Animations. -------------------------------------------------------------------------------------------- */

/* The earliest time, if it is before 0, which glTF does not allow. */
static float early(const struct scene_animation *from) {
  float first = 0;
  for (size_t c = 0; c < from->channels; c++)
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      if (from->channel[c].curve[kind].keys > 0)
        first = fminf(first, scene_time(&from->channel[c].curve[kind], 0));
  return first;
}

/* Returns the accessor. Times that would be one float become neighbouring floats. */
static size_t add_times(struct writer *w, const struct scene_curve *curve, float first) {
  float *times = memory_get(curve->keys, sizeof *times);
  for (size_t k = 0; k < curve->keys; k++) {
    times[k] = scene_time(curve, k) - first;
    if (k > 0 && times[k] <= times[k - 1]) times[k] = nextafterf(times[k - 1], INFINITY);
  }
  const size_t accessor = add_accessor(w, times, curve->keys, 1);
  free(times);
  return accessor;
}

static bool has_times_of(const struct scene_curve *a, const struct scene_curve *b) {
  return a->keys == b->keys && memcmp(a->seconds, b->seconds, a->keys * sizeof *a->seconds) == 0;
}

/* Curves share the times of the last one that moves, or that does not. */
static void add_animation(struct writer *w, cJSON *animation, const struct scene_animation *from) {
  cJSON_AddArrayToObject(animation, "channels"), cJSON_AddArrayToObject(animation, "samplers");
  const float first = early(from);
  struct {
    const struct scene_curve *curve;
    size_t times;
  } last[2] = {{NULL, 0}, {NULL, 0}};
  size_t count = 0;
  json_add_text(animation, "name", from->name);
  if (first < 0) complain(w->output, "\"%s\" began at %g s, and begins at 0 now", from->name, (double)first);
  for (size_t c = 0; c < from->channels; c++)
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
      const struct scene_curve *curve = &from->channel[c].curve[kind];
      if (curve->keys == 0) continue;
      const bool cubic = curve->interpolation == QUATSIMD_CURVE_CUBIC, moves = curve->keys > 2;
      if (!last[moves].curve || !has_times_of(last[moves].curve, curve))
        last[moves].times = add_times(w, curve, first);
      last[moves].curve = curve;
      cJSON *sampler = gltf_append(animation, "samplers"), *channel = gltf_append(animation, "channels"),
            *target = cJSON_AddObjectToObject(channel, "target");
      cJSON_AddNumberToObject(sampler, "input", (double)last[moves].times);
      if (cubic || curve->interpolation == QUATSIMD_CURVE_HOLD)
        cJSON_AddStringToObject(sampler, "interpolation", cubic ? "CUBICSPLINE" : "STEP");
      const size_t values = add_accessor(w, curve->values, (cubic ? 3 : 1) * curve->keys, scene_width(kind));
      cJSON_AddNumberToObject(sampler, "output", (double)values);
      cJSON_AddNumberToObject(channel, "sampler", (double)count++);
      cJSON_AddNumberToObject(target, "node", (double)from->channel[c].node);
      cJSON_AddStringToObject(target, "path", scene_kinds[kind]);
    }
}

/* Lengths. ----------------------------------------------------------------------------------------------- */

static void multiply(float *values, size_t count, double by) {
  for (size_t i = 0; i < count; i++) values[i] = (float)((double)values[i] * by);
}

static void make_metres(struct scene *scene) {
  for (size_t n = 0; n < scene->nodes; n++)
    multiply(scene->node[n].rest[SCENE_TRANSLATION], 3, scene->metres);
  for (size_t a = 0; a < scene->animations; a++)
    for (size_t c = 0; c < scene->animation[a].channels; c++) {
      struct scene_curve *curve = &scene->animation[a].channel[c].curve[SCENE_TRANSLATION];
      multiply(curve->values, scene_floats(curve, SCENE_TRANSLATION), scene->metres);
    }
  scene->metres = 1;
}

/* -------------------------------------------------------------------------------------------------------- */

bool glb_write(struct scene *scene, const char *output) {
  struct writer w = {.output = output, .scene = scene, .tree = memory_or_exit(cJSON_CreateObject())};
  if (scene->metres > 0) make_metres(scene);
  cJSON_AddStringToObject(cJSON_AddObjectToObject(w.tree, "asset"), "version", "2.0");
  cJSON_AddNumberToObject(w.tree, "scene", 0);
  static const char *const arrays[] = {"nodes", "meshes", "accessors", "bufferViews"};
  for (int i = 0; i < 4; i++) cJSON_AddArrayToObject(w.tree, arrays[i]);
  add_nodes(&w);
  add_skins(&w);
  cJSON_AddArrayToObject(w.tree, "animations");
  for (size_t a = 0; a < scene->animations; a++)
    add_animation(&w, gltf_append(w.tree, "animations"), &scene->animation[a]);
  if (w.meshes == 0) cJSON_DeleteItemFromObjectCaseSensitive(w.tree, "meshes"); /* none may be empty */
  cJSON_AddNumberToObject(gltf_append(w.tree, "buffers"), "byteLength", (double)w.binary.size);
  char *text = cJSON_PrintUnformatted(w.tree);
  const bool good = gltf_write_glb(output, text, &w.binary, &(struct gltf_bytes){NULL, 0});
  cJSON_free(text);
  free(w.binary.bytes);
  cJSON_Delete(w.tree);
  return good;
}
