#include "bundles/making.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/json.h"
#include "base/text.h"
#include "files/file.h"
#include "files/names.h"
#include "readers/readers.h"
#include "system/files.h"
#include "terminal/message.h"

/* Appends to a text that is to be freed. */
static void append(char **text, const char *between, const char *more) {
  char *longer = names_join(*text, between, more);
  free(*text);
  *text = longer;
}

/* Parts that change with other files, too. */
static char *pipeline_options(const struct clip_settings *s) {
  char *text = text_copy(s->loop == CLIP_LOOP_AUTO ? " loop auto" : ""), digits[40];
  if (s->base) {
    char *path = text_clean(s->base->path);
    snprintf(digits, sizeof digits, " %zu ", clip_base_animation(s->base)->number);
    append(&text, " base ", s->base->hash), append(&text, digits, path);
    free(path);
  }
  for (const char *const *a = s->animations; a && *a; a++) {
    char *pattern = text_clean(*a);
    append(&text, "\nanimation ", pattern); /* a pattern has no line ends */
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

char *making_skeleton(const struct clip_settings *s) {
  const struct skeleton_choice *k = &s->skeleton;
  char text[40] = "";
  if (k->of && k->of->data) snprintf(text, sizeof text, " skeleton %016" PRIx64, hash_of(k->of));
  char *all = text_copy(text);
  char *mesh =
      (s->asked.mesh > 0 || s->joints) && k->path && !skeleton_file_is(k->path) ? making_hash(k->path) : NULL;
  if (mesh) append(&all, " mesh of ", mesh);
  free(mesh);
  return all;
}

char *making_options(const struct clip_settings *s, const char *recipe, bool release) {
  static const char *const units[] = {
      [BOUNDS_FILE_UNIT] = "", [BOUNDS_METRES] = " m", [BOUNDS_METRES_OR_HEIGHT] = " m or by height"};
  const struct bounds *b = &s->asked.bounds;
  const enum bounds_in *in = s->asked.in;
  const struct skeleton_choice *k = &s->skeleton;
  char text[600], rate[40] = "", track[40], mesh[60] = "";
  if (s->asked.mesh > 0)
    snprintf(mesh, sizeof mesh, " mesh %.17g%s%s%s", s->asked.mesh, units[s->asked.mesh_in],
             s->asked.mesh_by_default ? " if any" : "", s->track_given ? " and tracks" : "");
  if (s->rate > 0) snprintf(rate, sizeof rate, " rate %.17g", s->rate);
  snprintf(track, sizeof track, " track %.17g", s->track_bound);
  snprintf(text, sizeof text,
           "quatsimd %s rotation %.17g translation %.17g%s scale %.17g object %.17g%s at "
           "%.17g%s%s%s%s%s%s%s%s%s%s",
           quatsimd_version(), b->of[0], b->of[1], units[in[1]], b->of[2], b->of[CLIP_CHECK_OBJECT],
           units[in[CLIP_CHECK_OBJECT]], b->distance, units[s->asked.distance_in], mesh, track, rate,
           s->loop == CLIP_LOOP_ALL ? " loop" : "", s->additive ? " additive" : "",
           s->only < 0 ? "" : " only ", s->only < 0 ? "" : scene_kinds[s->only],
           k->ignore_unmatched ? " ignore unmatched" : "", k->by_importance ? " order importance" : "");
  char *more = pipeline_options(s), *all = names_join(text, release ? " release" : "", more);
  char *skeleton = k->first ? NULL : making_skeleton(s);
  if (skeleton) append(&all, "", skeleton);
  if (recipe) append(&all, " recipe ", recipe);
  free(skeleton), free(more);
  return all;
}

/* hashes. ------------------------------------------------------------------------------------------------ */

static char *hash_text(XXH128_hash_t hash) {
  char digits[33];
  snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
  return text_copy(digits);
}

static bool add_file(void *state, const char *path) {
  size_t size;
  char *bytes = file_read(path, &size);
  if (bytes) XXH3_128bits_update(state, bytes, size);
  free(bytes);
  return bytes != NULL;
}

char *making_hash(const char *path) {
  XXH3_state_t *state = memory_or_exit(XXH3_createState());
  XXH3_128bits_reset(state);
  const struct reader *reader = reader_of(path);
  const bool good =
      reader && add_file(state, path) && (!reader->parts || reader->parts(path, add_file, state));
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  if (!good) return NULL;
  return hash_text(hash);
}

char *making_hash_of_bytes(const char *path) {
  size_t size;
  char *bytes = file_read(path, &size), *hash = bytes ? hash_text(XXH3_128bits(bytes, size)) : NULL;
  free(bytes);
  return hash;
}

char *making_digest(const char *options, char *const *hashes, size_t count) {
  XXH3_state_t *state = memory_or_exit(XXH3_createState());
  XXH3_128bits_reset(state);
  XXH3_128bits_update(state, options, strlen(options) + 1);
  for (size_t i = 0; i < count; i++) XXH3_128bits_update(state, hashes[i], strlen(hashes[i]) + 1);
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  return hash_text(hash);
}

/* paths. ------------------------------------------------------------------------------------------------- */

/* The whole path of a file that exists, to be freed. */
static char *whole_path(const char *path) {
  char *real = system_real_path(path);
  return real ? real : text_copy(path);
}

/* The path of a file from the folder of another one, with slashes, to be freed; the whole path where they
 * have no folder in common, as on two drives. */
static char *path_from(const char *other, const char *path) {
  char *folder = names_folder(other), *start = whole_path(folder), *to = whole_path(path), *from;
  free(folder);
  from = names_join(start, start[strlen(start) - 1] == '/' ? "" : "/", "");
  free(start);
  size_t same = 0, ups = 0;
  for (size_t i = 0; from[i] && from[i] == to[i]; i++)
    if (from[i] == '/') same = i + 1;
  for (const char *s = from + same; *s; s++) ups += *s == '/';
  char *relative = text_copy(to + (same > 0 ? same : 0));
  for (; same > 0 && ups > 0; ups--) {
    char *longer = names_join("../", "", relative);
    free(relative);
    relative = longer;
  }
  free(from), free(to);
  return relative;
}

static bool is_whole(const char *path) { return *path == '/' || system_drive(path) > 0; }

/* Takes parts away that a following ".." undoes, in place. */
static void simplify(char *path) {
  for (char *at = path, *end; (end = strchr(at, '/')); at = end + 1) {
    const bool up = strcmp(at, "..") == 0 || strncmp(at, "../", 3) == 0;
    if (up || end == at || strncmp(end, "/../", 4) != 0) continue;
    memmove(at, end + 4, strlen(end + 4) + 1);
    end = path - 1; /* once more from the start */
  }
}

/* A path as a record spells it, to be freed: with \\xNN for each backslash, and for all bytes but printable
 * ASCII if the path is not fit to be shown. */
static char *spell(const char *path) {
  char *clean = text_clean(path), *spelled = memory_get(4 * strlen(path) + 1, 1), *to = spelled;
  const bool fit = strcmp(clean, path) == 0;
  free(clean);
  for (; *path; path++)
    if (*path == '\\' || (!fit && (*path < ' ' || *path > '~')))
      to += sprintf(to, "\\x%02X", (unsigned char)*path);
    else *to++ = *path;
  return spelled;
}

/* Undoes that, in place. */
static void read_spelled(char *path) {
  char *to = path;
  for (unsigned byte; *path; to++)
    if (path[0] == '\\' && path[1] == 'x' && isxdigit((unsigned char)path[2]) &&
        isxdigit((unsigned char)path[3]) && sscanf(path + 2, "%2x", &byte) == 1)
      *to = (char)byte, path += 4;
    else *to = *path++;
  *to = '\0';
}

/* Undoes path_from. To be freed. Simple where that is the same file: a folder may be a link. */
static char *path_to(const char *other, const char *path) {
  char *folder = names_folder(other);
  char *joined = is_whole(path) ? text_copy(path) : names_join(strchr(other, '/') ? folder : "", "", path),
       *simple = text_copy(joined);
  free(folder);
  simplify(simple);
  struct system_look look;
  if (system_look(joined, &look) && !file_is_same(simple, joined)) return free(simple), joined;
  return free(joined), simple;
}

/* writing. ----------------------------------------------------------------------------------------------- */

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

static void add_path(cJSON *object, const char *path) {
  char *spelled = spell(path);
  cJSON_AddStringToObject(object, "path", spelled);
  free(spelled);
}

static void add_base(cJSON *item, const struct made_base *base, const char *path, bool release) {
  if (!base->path) return;
  cJSON *to = cJSON_AddObjectToObject(item, "base");
  char *from = release ? NULL : path_from(path, base->path);
  if (from) add_path(to, from);
  json_add_text(to, "hash", base->hash);
  json_add_number(to, "number", (double)base->number);
  animation_change_add_json(to, &base->change);
  free(from);
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
    char *from = release ? NULL : path_from(path, file->path);
    if (from) add_path(item, from);
    free(from);
    if (!release) json_add_text(item, "name", file->name);
    json_add_text(item, "hash", file->hash);
    add_bounds(item, &file->bounds, path, skeleton, release);
    if (file->empty > 0) json_add_number(item, "animations_without_curves", (double)file->empty);
    cJSON *clips = cJSON_AddArrayToObject(item, "clips");
    for (size_t i = 0; i < file->count; i++) add_clip(clips, &file->clip[i], path, skeleton, release);
  }
  char *printed = memory_or_exit(cJSON_PrintUnformatted(tree)), *text = text_copy(printed);
  cJSON_free(printed);
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

static char *printed(const cJSON *item) {
  char *text = memory_or_exit(cJSON_PrintUnformatted(item)), *copy = text_copy(text);
  cJSON_free(text);
  return copy;
}

static bool has_text(const cJSON *object, const char *key) {
  return cJSON_IsString(cJSON_GetObjectItemCaseSensitive(object, key));
}

static char *read_path(const cJSON *item, const char *path) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "path"));
  if (!text) return NULL;
  char *own = text_copy(text);
  read_spelled(own);
  char *found = path_to(path, own);
  free(own);
  return found;
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
