#include "readers/gltf/gltf_references.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/glob.h"
#include "base/text.h"
#include "terminal/message.h"

const char *const gltf_arrays[GLTF_ARRAYS] = {"animations", "accessors", "bufferViews", "buffers"};

/* Where they are, rising by `to`: * stands for each item or member. web/js/glb.js has the same lists. */
static const struct place {
  const char *path;
  enum gltf_array from, to;
} places[] = {
    {"nodes/*/extensions/MOZ_hubs_components/loop-animation/activeClipIndices/*", GLTF_ARRAYS,
     GLTF_ANIMATIONS},
    {"scenes/*/extensions/MOZ_hubs_components/loop-animation/activeClipIndices/*", GLTF_ARRAYS,
     GLTF_ANIMATIONS},
    {"animations/*/samplers/*/input", GLTF_ANIMATIONS, GLTF_ACCESSORS},
    {"animations/*/samplers/*/output", GLTF_ANIMATIONS, GLTF_ACCESSORS},
    {"meshes/*/primitives/*/indices", GLTF_ARRAYS, GLTF_ACCESSORS},
    {"meshes/*/primitives/*/attributes/*", GLTF_ARRAYS, GLTF_ACCESSORS},
    {"meshes/*/primitives/*/targets/*/*", GLTF_ARRAYS, GLTF_ACCESSORS},
    {"meshes/*/primitives/*/extensions/CESIUM_primitive_outline/indices", GLTF_ARRAYS, GLTF_ACCESSORS},
    {"nodes/*/extensions/EXT_mesh_gpu_instancing/attributes/*", GLTF_ARRAYS, GLTF_ACCESSORS},
    {"skins/*/inverseBindMatrices", GLTF_ARRAYS, GLTF_ACCESSORS},
    {"accessors/*/bufferView", GLTF_ACCESSORS, GLTF_VIEWS},
    {"accessors/*/sparse/indices/bufferView", GLTF_ACCESSORS, GLTF_VIEWS},
    {"accessors/*/sparse/values/bufferView", GLTF_ACCESSORS, GLTF_VIEWS},
    {"images/*/bufferView", GLTF_ARRAYS, GLTF_VIEWS},
    {"meshes/*/primitives/*/extensions/KHR_draco_mesh_compression/bufferView", GLTF_ARRAYS, GLTF_VIEWS},
    {"meshes/*/primitives/*/extensions/KHR_gaussian_splatting/extensions/"
     "KHR_gaussian_splatting_compression_spz_2/bufferView",
     GLTF_ARRAYS, GLTF_VIEWS},
    {"extensions/EXT_feature_metadata/featureTables/*/properties/*/arrayOffsetBufferView", GLTF_ARRAYS,
     GLTF_VIEWS},
    {"extensions/EXT_feature_metadata/featureTables/*/properties/*/bufferView", GLTF_ARRAYS, GLTF_VIEWS},
    {"extensions/EXT_feature_metadata/featureTables/*/properties/*/stringOffsetBufferView", GLTF_ARRAYS,
     GLTF_VIEWS},
    {"extensions/EXT_lights_ies/lights/*/bufferView", GLTF_ARRAYS, GLTF_VIEWS},
    {"extensions/EXT_structural_metadata/propertyTables/*/properties/*/arrayOffsets", GLTF_ARRAYS,
     GLTF_VIEWS},
    {"extensions/EXT_structural_metadata/propertyTables/*/properties/*/stringOffsets", GLTF_ARRAYS,
     GLTF_VIEWS},
    {"extensions/EXT_structural_metadata/propertyTables/*/properties/*/values", GLTF_ARRAYS, GLTF_VIEWS},
    {"extensions/KHR_audio_emitter/audio/*/bufferView", GLTF_ARRAYS, GLTF_VIEWS},
    {"extensions/KHR_techniques_webgl/shaders/*/bufferView", GLTF_ARRAYS, GLTF_VIEWS},
    {"bufferViews/*/buffer", GLTF_VIEWS, GLTF_BUFFERS},
    {"bufferViews/*/extensions/EXT_meshopt_compression/buffer", GLTF_VIEWS, GLTF_BUFFERS},
    {"bufferViews/*/extensions/KHR_meshopt_compression/buffer", GLTF_VIEWS, GLTF_BUFFERS}};

/* Extensions that have references where `places` has them or none, as patterns of base/glob.h. */
static const char *const known[] = {"AGI_articulations",
                                    "AGI_stk_metadata",
                                    "CESIUM_primitive_outline",
                                    "CESIUM_RTC",
                                    "EXT_feature_metadata",
                                    "EXT_instance_features",
                                    "EXT_lights_ies",
                                    "EXT_lights_image_based",
                                    "EXT_mesh_features",
                                    "EXT_mesh_gpu_instancing",
                                    "EXT_meshopt_compression",
                                    "EXT_structural_metadata",
                                    "EXT_texture_avif",
                                    "EXT_texture_webp",
                                    "FB_ngon_encoding",
                                    "GODOT_single_root",
                                    "KHR_animation_pointer",
                                    "KHR_audio_emitter",
                                    "KHR_draco_mesh_compression",
                                    "KHR_gaussian_splatting",
                                    "KHR_gaussian_splatting_compression_spz_2",
                                    "KHR_lights_punctual",
                                    "KHR_materials_*",
                                    "KHR_mesh_quantization",
                                    "KHR_meshopt_compression",
                                    "KHR_node_*",
                                    "KHR_techniques_webgl",
                                    "KHR_texture_basisu",
                                    "KHR_texture_transform",
                                    "KHR_xmp*",
                                    "MOZ_hubs_components",
                                    "MSFT_lod",
                                    "MSFT_packing_*",
                                    "MSFT_texture_dds",
                                    "VRM",
                                    "VRMC_*"};

static const char *const of_animations[] = {"KHR_interactivity"};

/* References. -------------------------------------------------------------------------------------------- */

struct search {
  const struct gltf *gltf;
  struct gltf_references *all;
  size_t count[GLTF_ARRAYS]; /* of items */
  const struct place *place;
  size_t number; /* of the first * */
  struct gltf_where where;
};

/* Adds a child to the place, as far as there is room. Returns the length before. */
static size_t enter(struct gltf_where *where, const cJSON *child, size_t number) {
  const size_t before = where->length, room = sizeof where->text - before;
  const int more = child->string ? snprintf(where->text + before, room, "/%.60s", child->string)
                                 : snprintf(where->text + before, room, "/%zu", number);
  where->length += (size_t)more < room ? (size_t)more : room - 1;
  return before;
}

static void leave(struct gltf_where *where, size_t before) {
  where->length = before;
  where->text[before] = 0;
}

static bool add(struct search *s, cJSON *item) {
  const enum gltf_array to = s->place->to;
  const double n = cJSON_IsNumber(item) ? item->valuedouble : -1;
  if (!(n >= 0 && n < (double)s->count[to]) || n != (double)(size_t)n) {
    complain(s->gltf->path, "%s is not the number of one of its %zu %s", s->where.text, s->count[to],
             gltf_arrays[to]);
    return false;
  }
  struct gltf_references *all = s->all;
  all->of = memory_grow(all->of, all->count, sizeof *all->of);
  all->of[all->count++] = (struct gltf_reference){item, s->place->from, to, s->number, (size_t)n};
  return true;
}

/* Of what is at `path` below an item, which is at s->where. */
static bool follow(struct search *s, cJSON *item, const char *path) {
  if (!*path) return add(s, item);
  const size_t name = strcspn(path, "/");
  const bool any = *path == '*', first = any && !memchr(s->place->path, '*', (size_t)(path - s->place->path));
  size_t number = 0;
  for (cJSON *child = item->child; child; child = child->next, number++) {
    if (!any && !(child->string && strlen(child->string) == name && memcmp(child->string, path, name) == 0))
      continue;
    const size_t before = enter(&s->where, child, number);
    if (first) s->number = number;
    if (!follow(s, child, path + name + (path[name] == '/'))) return false;
    leave(&s->where, before);
    if (!any) return true;
  }
  return true;
}

bool gltf_find_references(const struct gltf *gltf, struct gltf_references *all) {
  struct search s = {.gltf = gltf, .all = all};
  *all = (struct gltf_references){0};
  for (int a = 0; a < GLTF_ARRAYS; a++) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(gltf->tree, gltf_arrays[a]);
    s.count[a] = cJSON_IsArray(array) ? (size_t)cJSON_GetArraySize(array) : 0;
  }
  bool good = true;
  for (size_t p = 0; good && p < sizeof places / sizeof *places; p++) {
    s.place = &places[p];
    good = follow(&s, gltf->tree, s.place->path);
  }
  return good;
}

/* Extensions. -------------------------------------------------------------------------------------------- */

static bool is_among(const char *name, const char *const *patterns, size_t count) {
  size_t i = 0;
  while (i < count && !glob_matches(patterns[i], name)) i++;
  return i < count;
}

static bool is_unknown(const char *name) { return !is_among(name, known, sizeof known / sizeof *known); }
static bool is_of_animations(const char *name) {
  return is_among(name, of_animations, sizeof of_animations / sizeof *of_animations);
}

/* The first one below an item; extras may have anything, and are nobody else's. */
static const char *find_extension(const cJSON *item, bool (*is_meant)(const char *name)) {
  const char *found = NULL;
  for (const cJSON *child = item->child; child && !found; child = child->next) {
    if (child->string && strcmp(child->string, "extras") == 0) continue;
    if (child->string && strcmp(child->string, "extensions") == 0)
      for (const cJSON *extension = child->child; extension && !found; extension = extension->next)
        if (extension->string && is_meant(extension->string)) found = extension->string;
    if (!found) found = find_extension(child, is_meant);
  }
  return found;
}

/* A whole number from 0 to count - 1. */
static bool is_number_below(const cJSON *item, size_t count) {
  const double n = cJSON_IsNumber(item) ? item->valuedouble : NAN;
  return n >= 0 && n < (double)count && n == (double)(int64_t)n;
}

static bool is_called_animation(const cJSON *item) {
  static const char word[] = "animation";
  const char *s = item->string ? item->string : "";
  while (*s && strncasecmp(s, word, sizeof word - 1) != 0) s++;
  return *s;
}

/* Is it a JSON pointer to an animation, or are numbers of some called so? */
static bool is_of_animation(const cJSON *item, size_t animations) {
  static const char pointer[] = "/animations/";
  const char *text = cJSON_GetStringValue(item);
  if (text) return strncmp(text, pointer, sizeof pointer - 1) == 0;
  if (!is_called_animation(item)) return false;
  if (!cJSON_IsArray(item)) return is_number_below(item, animations);
  const cJSON *child = item->child;
  while (child && is_number_below(child, animations)) child = child->next;
  return item->child && !child;
}

/* extension: that the item is in, null as long as it is in none that is unknown. */
static const char *find_animation(const cJSON *item, const char *extension, size_t animations,
                                  struct gltf_where *where) {
  const bool has_extensions = item->string && strcmp(item->string, "extensions") == 0;
  size_t number = 0;
  for (const cJSON *child = item->child; child; child = child->next, number++) {
    const char *in = extension;
    if (!in && child->string && strcmp(child->string, "extras") == 0) continue;
    if (!in && has_extensions && child->string && is_unknown(child->string)) in = child->string;
    const size_t before = enter(where, child, number);
    if (in && is_of_animation(child, animations)) return in;
    const char *found = find_animation(child, in, animations, where);
    if (found) return found;
    leave(where, before);
  }
  return NULL;
}

const char *gltf_unknown_extension_of_animations(const cJSON *tree, struct gltf_where *where) {
  *where = (struct gltf_where){0};
  return find_animation(
      tree, NULL, (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(tree, "animations")), where);
}

const char *gltf_unknown_extension(const cJSON *tree) { return find_extension(tree, is_unknown); }
const char *gltf_extension_of_animations(const cJSON *tree) { return find_extension(tree, is_of_animations); }
