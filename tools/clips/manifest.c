#include "clips/manifest.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/file.h"
#include "base/json.h"
#include "base/message.h"
#include "base/names.h"
#include "base/text.h"
#include "readers/readers.h"
#include "system/files.h"

static const char *const error_names[] = {"worst_rotation_error_degrees", "worst_translation_error",
                                          "worst_scale_error", "worst_object_error"};
static const char *const share_names[] = {"rotation", "translation", "scale", "object"};

/* Appends to a text that is to be freed. */
static void append(char **text, const char *between, const char *more) {
  char *longer = names_join(*text, between, more);
  free(*text);
  *text = longer;
}

/* Parts that change with other files, too. */
static char *pipeline_options(const struct clip_settings *s) {
  char *text = names_join(s->loop == CLIP_LOOP_AUTO ? " loop auto" : "", "", ""), digits[40];
  if (s->base) {
    char *path = text_clean(s->base->path);
    snprintf(digits, sizeof digits, " %zu ", clip_base_animation(s->base)->number);
    append(&text, " base ", s->base->hash), append(&text, digits, path);
    free(path);
  }
  if (s->joints) {
    joint_bounds_hash(s->joints, digits);
    append(&text, " joint bounds ", digits);
  }
  for (const char *const *a = s->animations; a && *a; a++) {
    char *pattern = text_clean(*a);
    append(&text, " animation ", pattern);
    free(pattern);
  }
  return text;
}

/* A number of a skeleton and of the human bones that its joints are. */
static uint64_t hash_of(const struct skeleton_file *file) {
  uint64_t hash = XXH64(file->data, file->size, file->backward);
  for (size_t j = 0; file->human && j < quatsimd_skeleton_joint_count(file->skeleton); j++) {
    const char *human = file->human[j] ? file->human[j] : "";
    hash = XXH64(human, strlen(human) + 1, hash);
  }
  return hash;
}

char *manifest_options(const struct clip_settings *s) {
  static const char *const units[] = {
      [BOUNDS_FILE_UNIT] = "", [BOUNDS_METRES] = " m", [BOUNDS_METRES_OR_HEIGHT] = " m or by height"};
  const struct bounds *b = &s->asked.bounds;
  const enum bounds_in *in = s->asked.in;
  const struct skeleton_choice *k = &s->skeleton;
  char text[600], rate[40] = "", track[40], of[40] = "", mesh[60] = "";
  if (s->asked.mesh > 0)
    snprintf(mesh, sizeof mesh, " mesh %.17g%s%s", s->asked.mesh, units[s->asked.mesh_in],
             s->track_given ? " and tracks" : "");
  if (s->rate > 0) snprintf(rate, sizeof rate, " rate %.17g", s->rate);
  snprintf(track, sizeof track, " track %.17g", s->track_bound);
  if (k->of) snprintf(of, sizeof of, " skeleton %016" PRIx64, hash_of(k->of));
  snprintf(text, sizeof text,
           "quatsimd %s rotation %.17g translation %.17g%s scale %.17g object %.17g%s at "
           "%.17g%s%s%s%s%s%s%s%s%s%s%s%s",
           quatsimd_version(), b->of[0], b->of[1], units[in[1]], b->of[2], b->of[CLIP_CHECK_OBJECT],
           units[in[CLIP_CHECK_OBJECT]], b->distance, units[s->asked.distance_in], mesh, track, rate,
           s->loop == CLIP_LOOP_ALL ? " loop" : "", s->additive ? " additive" : "",
           s->only < 0 ? "" : " only ", s->only < 0 ? "" : scene_kinds[s->only], of,
           k->ignore_unmatched ? " ignore unmatched" : "", k->by_importance ? " order importance" : "",
           s->bundle ? " bundle" : "");
  char *more = pipeline_options(s), *all = names_join(text, "", more);
  free(more);
  return all;
}

/* hashes. ------------------------------------------------------------------------------------------------ */

void manifest_hash_bytes(char digits[17], const void *bytes, size_t size) {
  snprintf(digits, 17, "%016" PRIx64, (uint64_t)XXH64(bytes, size, 0));
}

static bool add_file(void *state, const char *path) {
  enum { AT_ONCE = 1 << 16 };
  uint64_t size;
  FILE *file = file_is_regular(path) ? file_open(path, &size) : NULL;
  if (!file) return false;
  char *bytes = memory_get(AT_ONCE, 1);
  for (size_t got; (got = fread(bytes, 1, AT_ONCE, file)) > 0;) XXH3_128bits_update(state, bytes, got);
  const bool good = !ferror(file);
  if (!good) complain(path, "cannot read: %s", strerror(errno));
  fclose(file);
  free(bytes);
  return good;
}

char *manifest_hash(const char *path) {
  XXH3_state_t *state = memory_or_exit(XXH3_createState());
  XXH3_128bits_reset(state);
  const struct reader *reader = reader_of(path);
  const bool good =
      reader && add_file(state, path) && (!reader->parts || reader->parts(path, add_file, state));
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  if (!good) return NULL;
  char digits[33];
  snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
  return names_join(digits, "", "");
}

/* reading. ----------------------------------------------------------------------------------------------- */

/* All of a file, and a zero; null if it cannot be read. Without a complaint: what is not there is made. */
static char *read_quietly(const char *path, uint64_t most, size_t *size) {
  struct system_look look;
  char *bytes = NULL;
  /* pipes would wait */
  FILE *file = system_look(path, &look) && look.kind == SYSTEM_FILE && look.size <= most
                   ? system_open(path, "rb")
                   : NULL;
  *size = 0;
  if (!file) return NULL;
  if (fseek(file, 0, SEEK_END) == 0) {
    const long end = ftell(file);
    if (end >= 0 && fseek(file, 0, SEEK_SET) == 0) {
      bytes = memory_get((size_t)end + 1, 1);
      *size = fread(bytes, 1, (size_t)end, file);
    }
  }
  fclose(file);
  return bytes;
}

static size_t count_at(const cJSON *object, const char *key) {
  const double n = json_number(object, key);
  return n >= 0 && n <= 0x1p53 ? (size_t)n : 0;
}

static void read_hash(const cJSON *item, char hash[17]) {
  char *text = json_text(item, "xxh64");
  for (size_t i = 0; i < 16 && text[i]; i++) hash[i] = (char)tolower((unsigned char)text[i]);
  free(text);
}

static char *printed(const cJSON *item) {
  char *text = memory_or_exit(cJSON_PrintUnformatted(item)), *copy = names_join(text, "", "");
  cJSON_free(text);
  return copy;
}

/* bounds: of all joints. */
static void read_clip(const cJSON *item, const struct bounds *bounds, struct manifest_clip *clip) {
  const cJSON *keys = cJSON_GetObjectItemCaseSensitive(item, "keys");
  const cJSON *number = cJSON_GetObjectItemCaseSensitive(item, "number");
  const bool numbered = cJSON_IsNumber(number) && number->valuedouble >= 0 && number->valuedouble <= 0x1p53;
  const cJSON *extras = cJSON_GetObjectItemCaseSensitive(item, "extras");
  *clip = (struct manifest_clip){.name = json_text(item, "animation"),
                                 .loop = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, "loop")),
                                 .extras = extras ? printed(extras) : NULL,
                                 .output = json_text(item, "output"),
                                 .number = numbered ? count_at(item, "number") : MANIFEST_NONE,
                                 .joints = count_at(item, "joints"),
                                 .frames = count_at(item, "frames"),
                                 .bytes = count_at(item, "bytes"),
                                 .seconds = json_number(item, "seconds"),
                                 .moved = json_number(item, "moved_ms") / 1000};
  read_hash(item, clip->hash);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    clip->keys[kind] = count_at(keys, scene_kinds[kind]);
  clip->track_worst = json_number(item, "worst_track_error");
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++)
    clip->worst[i] = json_number(item, error_names[i]) / bounds_unit(i);
  const cJSON *shares = cJSON_GetObjectItemCaseSensitive(item, "shares_of_bounds");
  clip->track_share = json_number(shares, scene_kinds[SCENE_TRACK]);
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++)
    clip->share[i] = shares ? json_number(shares, share_names[i]) : bounds_share(bounds, i, clip->worst[i]);
}

/* As compress names files: so that nobody else's are taken for these, and removed. Windows has more that
 * divides folders. */
static bool is_name(const char *name, const char *ending) {
  return *name != '.' && !strpbrk(name, "/\\:") && file_name_ends(name, ending);
}

static bool is_clip(const struct manifest_clip *clip) {
  return clip->bytes > 0 && clip->number != MANIFEST_NONE && is_name(clip->output, ".qsc");
}

static void read_file(const cJSON *item, struct manifest_file *file) {
  if (!cJSON_IsObject(item)) return;
  *file = (struct manifest_file){.output = json_text(item, "output"), .bytes = count_at(item, "bytes")};
  read_hash(item, file->hash);
}

static void read_tree(const cJSON *tree, struct manifest *manifest) {
  *manifest = (struct manifest){.input = json_text(tree, "input"),
                                .path = json_text(tree, "path"),
                                .hash = json_text(tree, "hash"),
                                .options = json_text(tree, "options"),
                                .bounds = bounds_of_json(tree),
                                .track_bound = json_number(tree, "track_bound"),
                                .joints = joint_bounds_of_json(tree),
                                .left_out = count_at(tree, "animations_left_out"),
                                .missed = count_at(tree, "animations_beyond_bounds"),
                                .empty = count_at(tree, "animations_without_curves")};
  const cJSON *skeleton = cJSON_GetObjectItemCaseSensitive(tree, "skeleton");
  read_file(skeleton, &manifest->skeleton);
  read_file(cJSON_GetObjectItemCaseSensitive(tree, "bundle"), &manifest->bundle);
  manifest->skeleton_joints = count_at(skeleton, "joints");
  manifest->curves_left_out = count_at(skeleton, "curves_left_out");
  const cJSON *base = cJSON_GetObjectItemCaseSensitive(tree, "base");
  if (base)
    manifest->base =
        (struct manifest_base){json_text(base, "path"), json_text(base, "hash"), count_at(base, "number")};
  const cJSON *item;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(tree, "animations")) {
    manifest->clip = memory_grow(manifest->clip, manifest->count, sizeof *manifest->clip);
    read_clip(item, &manifest->bounds, &manifest->clip[manifest->count++]);
  }
}

static bool is_manifest(const cJSON *tree) {
  return cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(tree, "manifest")) &&
         cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(tree, "animations"));
}

static bool is_of_this_version(const cJSON *tree) {
  return is_manifest(tree) && json_number(tree, "manifest") == MANIFEST_VERSION;
}

/* Null if it is not JSON, or cannot be read. */
static cJSON *parse_quietly(const char *path) {
  size_t size;
  char *text = read_quietly(path, (uint64_t)1 << 30, &size);
  cJSON *tree = text ? cJSON_ParseWithLength(text, size) : NULL;
  free(text);
  return tree;
}

bool manifest_may_be_replaced(const char *path) {
  cJSON *tree = parse_quietly(path);
  const bool good = !tree || is_of_this_version(tree);
  cJSON_Delete(tree);
  if (!good)
    complain(path, "is in the way: not a manifest of version %d; move its folder away, or give another OUT",
             MANIFEST_VERSION);
  return good;
}

bool manifest_read(const char *folder, struct manifest *manifest) {
  char *path = names_join(folder, "/", MANIFEST_FILE);
  cJSON *tree = parse_quietly(path);
  free(path);
  *manifest = (struct manifest){0};
  bool good = is_of_this_version(tree);
  if (good) read_tree(tree, manifest);
  const char *skeleton = manifest->skeleton.output, *bundle = manifest->bundle.output;
  good = good && (!skeleton || strcmp(skeleton, SKELETON_FILE) == 0) && (!bundle || is_name(bundle, ".qsb"));
  for (size_t i = 0; i < manifest->count; i++) good = good && is_clip(&manifest->clip[i]);
  cJSON_Delete(tree);
  if (!good) manifest_free(manifest);
  return good;
}

bool manifest_read_back(const char *folder, const char *options, struct manifest *manifest) {
  if (manifest_read(folder, manifest) && *manifest->hash && strcmp(manifest->options, options) == 0)
    return true;
  char *path = names_join(folder, "/", MANIFEST_FILE);
  complain(path, "is missing, or not as this run left it: another run may have replaced it; run this again");
  free(path);
  return false;
}

bool manifest_read_any(const char *path, struct manifest *manifest) {
  size_t size;
  *manifest = (struct manifest){0};
  char *text = file_read(path, &size);
  if (!text) return false;
  cJSON *tree = cJSON_ParseWithLength(text, size);
  free(text);
  const double version = json_number(tree, "manifest");
  const char *hash = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, "hash"));
  const bool is_interim = hash && !*hash;
  const bool good = is_of_this_version(tree) && !is_interim;
  if (!tree) complain(path, "is not JSON");
  else if (!is_manifest(tree)) complain(path, "is not a manifest of clips");
  else if (is_interim)
    complain(path, "a run of compress replaces these files, or could not do so to the end; run it again");
  else if (!good)
    complain(path, "the manifest has version %g; this quatsimd reads version %d", version, MANIFEST_VERSION);
  else read_tree(tree, manifest);
  cJSON_Delete(tree);
  return good;
}

static bool is_current(const char *folder, const char *name, size_t size, const char *hash) {
  size_t count;
  char *path = names_join(folder, "/", name), found[17] = "", *bytes = read_quietly(path, size, &count);
  free(path);
  if (bytes) manifest_hash_bytes(found, bytes, count);
  const bool current = bytes && count == size && strcmp(found, hash) == 0;
  free(bytes);
  return current;
}

bool manifest_is_current(const struct manifest *manifest, const char *folder, const char *hash,
                         const char *options) {
  bool current = manifest->left_out + manifest->missed == 0 && strcmp(manifest->hash, hash) == 0 &&
                 strcmp(manifest->options, options) == 0;
  const struct manifest_file *const files[2] = {&manifest->skeleton, &manifest->bundle};
  for (size_t i = 0; current && i < 2; i++)
    current = !files[i]->output || is_current(folder, files[i]->output, files[i]->bytes, files[i]->hash);
  for (size_t i = 0; current && i < manifest->count; i++) {
    const struct manifest_clip *clip = &manifest->clip[i];
    current = is_current(folder, clip->output, clip->bytes, clip->hash);
  }
  return current;
}

/* writing. ----------------------------------------------------------------------------------------------- */

static const char *additive_to(const struct clip_settings *s) {
  return s->base ? "base" : s->additive ? "first" : "none";
}

static void add_clip(cJSON *list, const struct manifest *manifest, const struct manifest_clip *clip,
                     const struct clip_settings *settings) {
  const bool object = manifest->bounds.of[CLIP_CHECK_OBJECT] > 0;
  cJSON *item = cJSON_CreateObject(), *keys;
  cJSON_AddItemToArray(list, item);
  json_add_number(item, "number", (double)clip->number);
  json_add_text(item, "animation", clip->name);
  json_add_text(item, "output", clip->output);
  json_add_text(item, "xxh64", clip->hash);
  json_add_number(item, "joints", (double)clip->joints);
  json_add_number(item, "frames", (double)clip->frames);
  json_add_number(item, "seconds", clip->seconds);
  json_add_number(item, "moved_ms", 1000 * clip->moved);
  keys = cJSON_AddObjectToObject(item, "keys");
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    json_add_number(keys, scene_kinds[kind], (double)clip->keys[kind]);
  if (clip->keys[QUATSIMD_CLIP_TRACK] > 0) {
    json_add_number(keys, scene_kinds[SCENE_TRACK], (double)clip->keys[QUATSIMD_CLIP_TRACK]);
    json_add_number(item, "worst_track_error", clip->track_worst);
  }
  json_add_number(item, "bytes", (double)clip->bytes);
  json_add_number(item, "raw_bytes", clip_key_bytes(clip->keys));
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++)
    json_add_figure(item, error_names[i], clip->worst[i] * bounds_unit(i),
                    i < QUATSIMD_CLIP_JOINT_KIND_COUNT ? clip->keys[i] > 0 : object);
  const bool own = manifest->joints.count + manifest->joints.tracks > 0;
  cJSON *shares = own ? cJSON_AddObjectToObject(item, "shares_of_bounds") : NULL;
  for (int i = 0; shares && i < CLIP_CHECK_ERRORS; i++)
    json_add_figure(shares, share_names[i], clip->share[i], manifest->bounds.of[i] > 0);
  if (manifest->joints.tracks > 0) json_add_number(shares, scene_kinds[SCENE_TRACK], clip->track_share);
  cJSON_AddBoolToObject(item, "loop", clip->loop);
  cJSON_AddStringToObject(item, "additive", additive_to(settings));
  if (clip->extras) cJSON_AddRawToObject(item, "extras", clip->extras);
}

/* Its entries of options that name files and animations. */
static void add_pipeline(cJSON *tree, const struct manifest *manifest, const struct clip_settings *s) {
  cJSON_AddStringToObject(tree, "additive", additive_to(s));
  if (s->base) {
    cJSON *base = cJSON_AddObjectToObject(tree, "base");
    json_add_text(base, "path", s->base->path);
    json_add_text(base, "hash", s->base->hash);
    json_add_number(base, "number", (double)clip_base_animation(s->base)->number);
    json_add_text(base, "animation", clip_base_animation(s->base)->name);
  }
  if (s->loop == CLIP_LOOP_AUTO) cJSON_AddStringToObject(tree, "loop", "auto");
  else cJSON_AddBoolToObject(tree, "loop", s->loop == CLIP_LOOP_ALL);
  if (s->animations) {
    cJSON *chosen = cJSON_AddArrayToObject(tree, "animations_chosen");
    for (const char *const *a = s->animations; *a; a++) {
      char *clean = text_clean(*a);
      cJSON_AddItemToArray(chosen, cJSON_CreateString(clean));
      free(clean);
    }
  }
  if (s->joints) json_add_text(tree, "joint_bounds_file", s->joints->path);
  joint_bounds_add_json(tree, &manifest->joints);
}

static cJSON *add_file_to(cJSON *tree, const char *key, const struct manifest_file *file) {
  cJSON *item = cJSON_AddObjectToObject(tree, key);
  json_add_text(item, "output", file->output);
  json_add_text(item, "xxh64", file->hash);
  json_add_number(item, "bytes", (double)file->bytes);
  return item;
}

static void add_files(cJSON *tree, const struct manifest *manifest, const struct clip_settings *settings) {
  if (manifest->bundle.output) add_file_to(tree, "bundle", &manifest->bundle);
  if (!manifest->skeleton.output) return;
  const struct skeleton_choice *choice = &settings->skeleton;
  cJSON *item = add_file_to(tree, "skeleton", &manifest->skeleton);
  json_add_number(item, "joints", (double)manifest->skeleton_joints);
  if (choice->path) json_add_text(item, "from", choice->path);
  else cJSON_AddStringToObject(item, "order", choice->by_importance ? "importance" : "depth");
  json_add_number(item, "curves_left_out", (double)manifest->curves_left_out);
}

static bool any_tracks(const struct manifest *manifest) {
  size_t keys = 0;
  for (size_t i = 0; i < manifest->count; i++) keys += manifest->clip[i].keys[QUATSIMD_CLIP_TRACK];
  return keys > 0;
}

char *manifest_text(const struct manifest *manifest, const struct clip_settings *settings) {
  cJSON *tree = cJSON_CreateObject();
  cJSON_AddStringToObject(tree, "quatsimd", quatsimd_version());
  json_add_number(tree, "manifest", MANIFEST_VERSION);
  json_add_text(tree, "input", manifest->input);
  json_add_text(tree, "path", manifest->path);
  json_add_text(tree, "hash", manifest->hash);
  json_add_text(tree, "options", manifest->options);
  bounds_add_json(tree, &manifest->bounds);
  if (any_tracks(manifest)) json_add_number(tree, "track_bound", settings->track_bound);
  add_pipeline(tree, manifest, settings);
  json_add_number(tree, "animations_left_out", (double)manifest->left_out);
  if (manifest->missed) json_add_number(tree, "animations_beyond_bounds", (double)manifest->missed);
  if (manifest->empty) json_add_number(tree, "animations_without_curves", (double)manifest->empty);
  add_files(tree, manifest, settings);
  cJSON *list = cJSON_AddArrayToObject(tree, "animations");
  for (size_t i = 0; i < manifest->count; i++) add_clip(list, manifest, &manifest->clip[i], settings);

  char *printed = memory_or_exit(cJSON_Print(tree)), *text = names_join(printed, "\n", "");
  cJSON_free(printed);
  cJSON_Delete(tree);
  return text;
}

void manifest_drop_files(struct manifest *manifest) {
  for (size_t i = 0; i < manifest->count; i++)
    free(manifest->clip[i].name), free(manifest->clip[i].output), free(manifest->clip[i].extras);
  free(manifest->clip), free(manifest->skeleton.output), free(manifest->bundle.output);
  manifest->clip = NULL, manifest->count = 0;
  manifest->skeleton = manifest->bundle = (struct manifest_file){.output = NULL};
}

void manifest_free(struct manifest *manifest) {
  manifest_drop_files(manifest);
  joint_bounds_free(&manifest->joints);
  free(manifest->base.path), free(manifest->base.hash);
  free(manifest->input), free(manifest->path), free(manifest->hash), free(manifest->options);
  *manifest = (struct manifest){0};
}
