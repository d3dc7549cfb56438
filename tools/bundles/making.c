#include "bundles/making.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "bundles/record_path.h"

/* writing. ----------------------------------------------------------------------------------------------- */

static char *printed(const cJSON *item) {
  char *text = memory_or_exit(cJSON_PrintUnformatted(item)), *copy = text_copy(text);
  cJSON_free(text);
  return copy;
}

/* A figure of errors, which nobody needs in more digits. */
static double rounded(double figure) {
  char text[40];
  snprintf(text, sizeof text, "%.6g", figure);
  return strtod(text, NULL);
}

static void add_numbers(cJSON *object, const char *key, const double *numbers, size_t count) {
  cJSON *list = cJSON_AddArrayToObject(object, key);
  for (size_t i = 0; i < count; i++) cJSON_AddItemToArray(list, cJSON_CreateNumber(rounded(numbers[i])));
}

static void add_path(cJSON *object, const char *bundle, const char *path) {
  char *spelled = record_path(bundle, path);
  cJSON_AddStringToObject(object, "path", spelled);
  free(spelled);
}

static void add_base(cJSON *item, const struct made_base *base, const char *path, bool release) {
  if (!base->path) return;
  cJSON *to = cJSON_AddObjectToObject(item, "base");
  if (!release) add_path(to, path, base->path);
  json_add_text(to, "hash", base->hash);
  json_add_number(to, "number", (double)base->number);
  animation_change_add_json(to, &base->change);
}

static void add_bounds(cJSON *item, const struct made_bounds *bounds, const char *path,
                       const quatsimd_skeleton *skeleton, bool release) {
  bounds_add_json(item, &bounds->bounds);
  if (bounds->mesh > 0) json_add_number(item, "mesh_bound", bounds->mesh);
  json_add_number(item, "track_bound", bounds->track_bound);
  joint_bounds_add_json(item, &bounds->joints, skeleton);
  add_base(item, &bounds->base, path, release);
}

/* Origins, and how far the clip is off. */
static void add_origin(cJSON *item, const struct made_clip *clip) {
  double keys[QUATSIMD_CLIP_KIND_COUNT];
  if (strcmp(clip->name, clip->clip) != 0) json_add_text(item, "animation", clip->name);
  json_add_number(item, "number", (double)clip->number);
  json_add_number(item, "seconds", rounded(clip->seconds));
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) keys[kind] = (double)clip->keys[kind];
  add_numbers(item, "keys", keys, QUATSIMD_CLIP_KIND_COUNT);
  if (clip->moved > 0) json_add_number(item, "moved", rounded(clip->moved));
  add_numbers(item, "worst", clip->worst, CLIP_CHECK_ERRORS);
  add_numbers(item, "share", clip->share, CLIP_CHECK_ERRORS);
  if (clip->nearest) {
    json_add_text(item, "joint", clip->nearest);
    json_add_number(item, "of_bound", rounded(clip->nearest_share));
    json_add_number(item, "time", rounded(clip->nearest_time));
  }
  if (clip->keys[QUATSIMD_CLIP_TRACK] > 0) {
    json_add_number(item, "worst_track", rounded(clip->track_worst));
    json_add_number(item, "share_track", rounded(clip->track_share));
  }
}

static void add_clip(cJSON *list, const struct made_clip *clip, const char *path,
                     const quatsimd_skeleton *skeleton, bool release) {
  cJSON *item = json_append(list);
  json_add_text(item, "clip", clip->clip);
  if (!release) add_origin(item, clip);
  if (clip->own) add_bounds(item, &clip->bounds, path, skeleton, release);
  animation_change_add_json(item, &clip->change);
  if (clip->closed > 0) json_add_exact(item, "closed", clip->closed);
  if (clip->extras && !release) cJSON_AddRawToObject(item, "extras", clip->extras);
}

char *making_text(const struct making *making, const char *path, const quatsimd_skeleton *skeleton,
                  bool release) {
  cJSON *tree = cJSON_CreateObject();
  cJSON_AddStringToObject(tree, "quatsimd", quatsimd_version());
  json_add_number(tree, "record", MAKING_VERSION);
  json_add_text(tree, "digest", making->digest);
  if (!release) json_add_text(tree, "options", making->options);
  scene_changes_add_json(tree, &making->changes);
  cJSON *files = cJSON_AddArrayToObject(tree, "files");
  for (size_t f = 0; f < making->count; f++) {
    const struct made_file *file = &making->file[f];
    cJSON *item = json_append(files);
    if (!release) add_path(item, path, file->path);
    if (!release) json_add_text(item, "name", file->name);
    json_add_text(item, "hash", file->hash);
    add_bounds(item, &file->bounds, path, skeleton, release);
    if (file->empty > 0) json_add_number(item, "animations_without_curves", (double)file->empty);
    cJSON *clips = cJSON_AddArrayToObject(item, "clips");
    for (size_t i = 0; i < file->count; i++) add_clip(clips, &file->clip[i], path, skeleton, release);
  }
  char *text = printed(tree);
  cJSON_Delete(tree);
  return text;
}

/* reading. ----------------------------------------------------------------------------------------------- */

static size_t count_at(const cJSON *object, const char *key) {
  const double n = json_number(object, key);
  return n >= 0 && n <= 0x1p53 ? (size_t)n : 0;
}

static void read_numbers(const cJSON *object, const char *key, double *numbers, size_t count) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key), *item;
  size_t i = 0;
  cJSON_ArrayForEach(item, list) if (i < count) numbers[i++] = cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static bool has_text(const cJSON *object, const char *key) {
  return cJSON_IsString(cJSON_GetObjectItemCaseSensitive(object, key));
}

static char *read_path(const cJSON *item, const char *path) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "path"));
  return text ? record_path_read(path, text) : NULL;
}

static void read_bounds(const cJSON *item, const char *path, struct made_bounds *to) {
  const cJSON *base = cJSON_GetObjectItemCaseSensitive(item, "base");
  *to = (struct made_bounds){.bounds = bounds_of_json(item),
                             .mesh = json_number(item, "mesh_bound"),
                             .track_bound = json_number(item, "track_bound"),
                             .joints = joint_bounds_of_json(item)};
  if (!base) return;
  to->base = (struct made_base){
      .path = read_path(base, path), .hash = json_text(base, "hash"), .number = count_at(base, "number")};
  animation_change_of_json(base, &to->base.change);
}

static void read_clip(const cJSON *item, const char *path, struct made_clip *clip) {
  const cJSON *extras = cJSON_GetObjectItemCaseSensitive(item, "extras");
  double keys[QUATSIMD_CLIP_KIND_COUNT] = {0};
  *clip = (struct made_clip){.clip = json_text(item, "clip"),
                             .name = json_text(item, has_text(item, "animation") ? "animation" : "clip"),
                             .number =
                                 cJSON_HasObjectItem(item, "number") ? count_at(item, "number") : SCENE_NONE,
                             .seconds = json_number(item, "seconds"),
                             .moved = json_number(item, "moved"),
                             .track_worst = json_number(item, "worst_track"),
                             .track_share = json_number(item, "share_track"),
                             .nearest = has_text(item, "joint") ? json_text(item, "joint") : NULL,
                             .nearest_share = json_number(item, "of_bound"),
                             .nearest_time = json_number(item, "time"),
                             .closed = json_number(item, "closed"),
                             .own = cJSON_GetObjectItemCaseSensitive(item, "track_bound") != NULL,
                             .extras = extras ? printed(extras) : NULL};
  if (!(clip->closed > 0 && clip->closed <= 1e9)) clip->closed = 0;
  animation_change_of_json(item, &clip->change);
  if (clip->own) read_bounds(item, path, &clip->bounds);
  read_numbers(item, "keys", keys, QUATSIMD_CLIP_KIND_COUNT);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    clip->keys[kind] = keys[kind] >= 0 && keys[kind] <= 0x1p53 ? (size_t)keys[kind] : 0;
  read_numbers(item, "worst", clip->worst, CLIP_CHECK_ERRORS);
  read_numbers(item, "share", clip->share, CLIP_CHECK_ERRORS);
}

static void read_made_file(const cJSON *item, const char *path, struct made_file *file) {
  const cJSON *clip;
  *file = (struct made_file){.path = read_path(item, path),
                             .name = json_text(item, "name"),
                             .hash = json_text(item, "hash"),
                             .empty = count_at(item, "animations_without_curves")};
  read_bounds(item, path, &file->bounds);
  cJSON_ArrayForEach(clip, cJSON_GetObjectItemCaseSensitive(item, "clips")) {
    file->clip = memory_grow(file->clip, file->count, sizeof *file->clip);
    read_clip(clip, path, &file->clip[file->count++]);
  }
}

void making_read(struct making *making, const char *path, const quatsimd_bundle *bundle) {
  const void *record;
  size_t size;
  *making = (struct making){0};
  if (quatsimd_bundle_making(bundle, &record, &size) != QUATSIMD_OK || size == 0) return;
  cJSON *tree = cJSON_ParseWithLength(record, size), *item;
  if (json_number(tree, "record") == MAKING_VERSION && has_text(tree, "digest")) {
    making->digest = json_text(tree, "digest");
    making->options = has_text(tree, "options") ? json_text(tree, "options") : NULL;
    scene_changes_of_json(tree, &making->changes);
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(tree, "files")) {
      making->file = memory_grow(making->file, making->count, sizeof *making->file);
      read_made_file(item, path, &making->file[making->count++]);
    }
  }
  cJSON_Delete(tree);
}

static void free_bounds(struct made_bounds *bounds) {
  joint_bounds_free(&bounds->joints);
  free(bounds->base.path), free(bounds->base.hash);
  animation_change_free(&bounds->base.change);
}

static void free_clip(struct made_clip *clip) {
  free(clip->clip), free(clip->name), free(clip->extras), free(clip->nearest);
  free_bounds(&clip->bounds);
  animation_change_free(&clip->change);
}

void making_free(struct making *making) {
  for (size_t f = 0; f < making->count; f++) {
    struct made_file *file = &making->file[f];
    for (size_t i = 0; i < file->count; i++) free_clip(&file->clip[i]);
    free(file->clip), free(file->path), free(file->name), free(file->hash);
    free_bounds(&file->bounds);
  }
  scene_changes_free(&making->changes);
  free(making->file), free(making->digest), free(making->options);
  *making = (struct making){0};
}

const struct made_bounds *made_bounds_of(const struct made_file *file, const struct made_clip *clip) {
  return clip && clip->own ? &clip->bounds : &file->bounds;
}
