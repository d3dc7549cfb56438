/* A scene that comes from another format, as a new .glb: its nodes and one animation. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/message.h"
#include "base/output.h"
#include "base/text.h"
#include "readers/gltf/gltf.h"

struct writer {
  const struct scene *scene;
  cJSON *tree, *nodes, *meshes, *accessors, *views;
  struct gltf_bytes binary;
  size_t room, views_count, meshes_count;
};

static cJSON *append(cJSON *array) {
  cJSON *item = memory_or_exit(cJSON_CreateObject());
  cJSON_AddItemToArray(array, item);
  return item;
}

static void add_floats(cJSON *object, const char *name, const float *values, size_t count) {
  cJSON_AddItemToObject(object, name, memory_or_exit(cJSON_CreateFloatArray(values, (int)count)));
}

static void put_float(struct writer *w, float value) {
  if (w->binary.size == w->room) {
    unsigned char *more = memory_get(w->room = 2 * w->room + 4096, 1);
    if (w->binary.size) memcpy(more, w->binary.bytes, w->binary.size);
    free(w->binary.bytes);
    w->binary.bytes = more;
  }
  npy_put_float(w->binary.bytes + w->binary.size, value);
  w->binary.size += 4;
}

/* Elements of 1, 3 or 4 floats, in a bufferView of their own. Returns the accessor's number. */
static size_t add_accessor(struct writer *w, const float *values, size_t count, size_t width) {
  static const char *const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
  float least[4], most[4];
  memcpy(least, values, width * sizeof *least), memcpy(most, values, width * sizeof *most);
  cJSON *view = append(w->views), *accessor = append(w->accessors);
  cJSON_AddNumberToObject(view, "buffer", 0);
  cJSON_AddNumberToObject(view, "byteOffset", (double)w->binary.size);
  cJSON_AddNumberToObject(view, "byteLength", (double)(count * width * 4));
  for (size_t i = 0; i < count * width; i++) {
    const float value = values[i];
    if (value < least[i % width]) least[i % width] = value;
    if (value > most[i % width]) most[i % width] = value;
    put_float(w, value);
  }
  cJSON_AddNumberToObject(accessor, "bufferView", (double)w->views_count);
  cJSON_AddNumberToObject(accessor, "componentType", 5126);
  cJSON_AddNumberToObject(accessor, "count", (double)count);
  cJSON_AddStringToObject(accessor, "type", types[width]);
  add_floats(accessor, "min", least, width);
  add_floats(accessor, "max", most, width);
  return w->views_count++;
}

/* Nodes. ------------------------------------------------------------------------------------------------- */

/* Lines from a node to its children, so that there is something to see. */
static void add_lines(struct writer *w, cJSON *node, const float *ends, size_t count) {
  const size_t positions = add_accessor(w, ends, count, 3);
  cJSON *primitive = append(cJSON_AddArrayToObject(append(w->meshes), "primitives"));
  cJSON_AddNumberToObject(cJSON_AddObjectToObject(primitive, "attributes"), "POSITION", (double)positions);
  cJSON_AddNumberToObject(primitive, "mode", 1);
  cJSON_AddNumberToObject(node, "mesh", (double)w->meshes_count++);
}

/* first: of each node its first child; next: of each node the next child of its parent. */
static void add_node(struct writer *w, size_t n, size_t first, const size_t *next) {
  const struct scene_node *from = &w->scene->node[n];
  cJSON *node = append(w->nodes),
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
  if (count > 0) add_lines(w, node, ends, count);
  free(ends);
}

static void add_nodes(struct writer *w) {
  const struct scene *scene = w->scene;
  cJSON *roots = cJSON_AddArrayToObject(append(cJSON_AddArrayToObject(w->tree, "scenes")), "nodes");
  size_t *first = memory_get(scene->nodes, sizeof *first), *next = memory_get(scene->nodes, sizeof *next);
  for (size_t n = 0; n < scene->nodes; n++) first[n] = SCENE_NONE;
  for (size_t n = scene->nodes; n-- > 0;) {
    const size_t parent = scene->node[n].parent;
    if (parent == SCENE_NONE) cJSON_InsertItemInArray(roots, 0, cJSON_CreateNumber((double)n));
    else next[n] = first[parent], first[parent] = n;
  }
  for (size_t n = 0; n < scene->nodes; n++) add_node(w, n, first[n], next);
  free(first);
  free(next);
}

/* The animation. ----------------------------------------------------------------------------------------- */

static size_t add_times(struct writer *w, const struct scene_curve *curve) {
  float *times = memory_get(curve->keys, sizeof *times);
  for (size_t k = 0; k < curve->keys; k++) times[k] = scene_time(curve, k);
  const size_t accessor = add_accessor(w, times, curve->keys, 1);
  free(times);
  return accessor;
}

static bool has_times_of(const struct scene_curve *a, const struct scene_curve *b) {
  return a->keys == b->keys && memcmp(a->seconds, b->seconds, a->keys * sizeof *a->seconds) == 0;
}

static void add_channel(cJSON *channel, size_t sampler, size_t node, int kind) {
  cJSON_AddNumberToObject(channel, "sampler", (double)sampler);
  cJSON *target = cJSON_AddObjectToObject(channel, "target");
  cJSON_AddNumberToObject(target, "node", (double)node);
  cJSON_AddStringToObject(target, "path", scene_kinds[kind]);
}

/* Neighbours of the same times share them. */
static void add_animation(struct writer *w, const struct scene_animation *from) {
  cJSON *animation = append(cJSON_AddArrayToObject(w->tree, "animations"));
  cJSON *channels = cJSON_AddArrayToObject(animation, "channels"),
        *samplers = cJSON_AddArrayToObject(animation, "samplers");
  const struct scene_curve *last = NULL;
  size_t times = 0, count = 0;
  json_add_text(animation, "name", from->name);
  for (size_t c = 0; c < from->channels; c++)
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
      const struct scene_curve *curve = &from->channel[c].curve[kind];
      if (curve->keys == 0) continue;
      if (!last || !has_times_of(last, curve)) times = add_times(w, curve);
      last = curve;
      cJSON *sampler = append(samplers);
      const bool cubic = curve->interpolation == QUATSIMD_CURVE_CUBIC;
      cJSON_AddNumberToObject(sampler, "input", (double)times);
      if (cubic || curve->interpolation == QUATSIMD_CURVE_HOLD)
        cJSON_AddStringToObject(sampler, "interpolation", cubic ? "CUBICSPLINE" : "STEP");
      const size_t values = add_accessor(w, curve->values, (cubic ? 3 : 1) * curve->keys, scene_width(kind));
      cJSON_AddNumberToObject(sampler, "output", (double)values);
      add_channel(append(channels), count++, from->channel[c].node, kind);
    }
}

/* -------------------------------------------------------------------------------------------------------- */

static bool write_file(const struct writer *w, const char *output) {
  char *text = cJSON_PrintUnformatted(w->tree);
  const size_t size = text ? gltf_glb_size(strlen(text), &w->binary) : SIZE_MAX;
  struct output o;
  if (size > UINT32_MAX) complain(output, "cannot write: it would be too large for glTF");
  bool good = size <= UINT32_MAX && output_open(&o, output);
  if (good) {
    gltf_put_glb(&o, size, text, &w->binary);
    good = output_close(&o);
  }
  cJSON_free(text);
  return good;
}

bool gltf_write(const struct replacement *r, const char *output) {
  struct writer w = {.scene = r->scene, .tree = memory_or_exit(cJSON_CreateObject())};
  cJSON_AddStringToObject(cJSON_AddObjectToObject(w.tree, "asset"), "version", "2.0");
  cJSON_AddNumberToObject(w.tree, "scene", 0);
  w.nodes = cJSON_AddArrayToObject(w.tree, "nodes");
  w.meshes = cJSON_AddArrayToObject(w.tree, "meshes");
  w.accessors = cJSON_AddArrayToObject(w.tree, "accessors");
  w.views = cJSON_AddArrayToObject(w.tree, "bufferViews");
  if (r->animation->track)
    complain(r->original, "morph weights are not in %s, which has no meshes: its joints alone", output);
  add_nodes(&w);
  add_animation(&w, r->animation);
  if (w.meshes_count == 0) cJSON_DeleteItemFromObjectCaseSensitive(w.tree, "meshes"); /* none may be empty */
  cJSON *buffer = append(cJSON_AddArrayToObject(w.tree, "buffers"));
  cJSON_AddNumberToObject(buffer, "byteLength", (double)w.binary.size);
  const bool good = write_file(&w, output);
  free(w.binary.bytes);
  cJSON_Delete(w.tree);
  return good;
}
