#include "readers/gltf/gltf_edit.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/glob.h"
#include "base/json.h"
#include "base/text.h"
#include "terminal/message.h"

const char *const gltf_arrays[GLTF_ARRAYS] = {"animations", "accessors", "bufferViews", "buffers"};

/* Where those to each array are: * stands for each item or member. web/js/glb.js has the same lists. */
static const char *const places[GLTF_ARRAYS][16] = {
    [GLTF_ANIMATIONS] = {"nodes/*/extensions/MOZ_hubs_components/loop-animation/activeClipIndices/*",
                         "scenes/*/extensions/MOZ_hubs_components/loop-animation/activeClipIndices/*"},
    [GLTF_ACCESSORS] = {"animations/*/samplers/*/input", "animations/*/samplers/*/output",
                        "meshes/*/primitives/*/indices", "meshes/*/primitives/*/attributes/*",
                        "meshes/*/primitives/*/targets/*/*",
                        "meshes/*/primitives/*/extensions/CESIUM_primitive_outline/indices",
                        "nodes/*/extensions/EXT_mesh_gpu_instancing/attributes/*",
                        "skins/*/inverseBindMatrices"},
    [GLTF_VIEWS] = {"accessors/*/bufferView", "accessors/*/sparse/indices/bufferView",
                    "accessors/*/sparse/values/bufferView", "images/*/bufferView",
                    "meshes/*/primitives/*/extensions/KHR_draco_mesh_compression/bufferView",
                    /* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): none is missing */
                    "meshes/*/primitives/*/extensions/KHR_gaussian_splatting/extensions/"
                    "KHR_gaussian_splatting_compression_spz_2/bufferView",
                    "extensions/EXT_feature_metadata/featureTables/*/properties/*/arrayOffsetBufferView",
                    "extensions/EXT_feature_metadata/featureTables/*/properties/*/bufferView",
                    "extensions/EXT_feature_metadata/featureTables/*/properties/*/stringOffsetBufferView",
                    "extensions/EXT_lights_ies/lights/*/bufferView",
                    "extensions/EXT_structural_metadata/propertyTables/*/properties/*/arrayOffsets",
                    "extensions/EXT_structural_metadata/propertyTables/*/properties/*/stringOffsets",
                    "extensions/EXT_structural_metadata/propertyTables/*/properties/*/values",
                    "extensions/KHR_audio_emitter/audio/*/bufferView",
                    "extensions/KHR_techniques_webgl/shaders/*/bufferView"},
    [GLTF_BUFFERS] = {"bufferViews/*/buffer", "bufferViews/*/extensions/EXT_meshopt_compression/buffer",
                      "bufferViews/*/extensions/KHR_meshopt_compression/buffer"},
};

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
  const char *path;
  enum gltf_array from, to;
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
  size_t number;
  if (!json_whole(item, (double)s->count[s->to], &number))
    return complain(s->gltf->path, "%s is not the number of one of its %zu %s", s->where.text,
                    s->count[s->to], gltf_arrays[s->to]);
  struct gltf_references *all = s->all;
  all->of = memory_grow(all->of, all->count, sizeof *all->of);
  all->of[all->count++] = (struct gltf_reference){item, s->from, s->to, s->number, number};
  return true;
}

/* Of what is at `path` below an item, which is at s->where. */
static bool follow(struct search *s, cJSON *item, const char *path) {
  if (!*path) return add(s, item);
  const size_t name = strcspn(path, "/");
  const bool any = *path == '*', first = any && !memchr(s->path, '*', (size_t)(path - s->path));
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
    const cJSON *array = json_member(gltf->tree, gltf_arrays[a]);
    s.count[a] = cJSON_IsArray(array) ? (size_t)cJSON_GetArraySize(array) : 0;
  }
  bool good = true;
  for (s.to = 0; good && s.to < GLTF_ARRAYS; s.to++)
    for (const char *const *path = places[s.to]; good && *path; path++) {
      s.path = *path, s.from = 0;
      while (s.from < GLTF_ARRAYS && strncmp(*path, gltf_arrays[s.from], strlen(gltf_arrays[s.from])) != 0)
        s.from++;
      good = follow(&s, gltf->tree, *path);
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
  size_t number;
  if (!cJSON_IsArray(item)) return json_whole(item, (double)animations, &number);
  const cJSON *child = item->child;
  while (child && json_whole(child, (double)animations, &number)) child = child->next;
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
  return find_animation(tree, NULL, (size_t)cJSON_GetArraySize(json_member(tree, "animations")), where);
}

const char *gltf_unknown_extension(const cJSON *tree) { return find_extension(tree, is_unknown); }
const char *gltf_extension_of_animations(const cJSON *tree) { return find_extension(tree, is_of_animations); }
