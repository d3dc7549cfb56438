#include "clip_origin.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "file.h"
#include "manifest.h"
#include "message.h"
#include "names.h"
#include "text.h"

static const double degrees = 57.29577951308232;

static const cJSON *member(const cJSON *object, const char *name) { return cJSON_GetObjectItemCaseSensitive(object, name); }
static const char *text_of(const cJSON *object, const char *name) {
  const char *text = cJSON_GetStringValue(member(object, name));
  return text ? text : "";
}
static double number_of(const cJSON *object, const char *name) {
  const cJSON *item = member(object, name);
  return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static bool check(const char *path, const cJSON *tree) {
  const cJSON *version = member(tree, "manifest");
  if (!tree) complain(path, "is not JSON");
  else if (!cJSON_IsNumber(version) || !cJSON_IsArray(member(tree, "animations"))) complain(path, "is not a manifest of clips");
  else if (version->valuedouble != MANIFEST_VERSION)
    complain(path, "a manifest of version %g; this quatsimd reads version %d", version->valuedouble, MANIFEST_VERSION);
  else return true;
  return false;
}

/* The clip's entry; null if it has none. */
static const cJSON *find(const cJSON *tree, const char *file) {
  const cJSON *entry;
  cJSON_ArrayForEach(entry, member(tree, "animations")) if (strcmp(text_of(entry, "output"), file) == 0) return entry;
  return NULL;
}

/* Is the entry of these bytes? */
static bool matches(const cJSON *entry, const quatsimd_clip *clip) {
  char hash[17];
  const char *said = text_of(entry, "xxh64");
  manifest_hash_bytes(hash, clip->data, clip->size);
  return !*said || strcasecmp(said, hash) == 0;
}

static void take(struct clip_origin *origin, const char *path, const cJSON *tree, const cJSON *entry) {
  static const char *const names[CLIP_CHECK_ERRORS] = {"rotation_bound_degrees", "translation_bound", "scale_bound", "object_bound"};
  origin->manifest = names_join(path, "", "");
  origin->input = text_clean(text_of(tree, "input"));
  origin->hash = text_clean(text_of(tree, "hash"));
  origin->animation = text_clean(text_of(entry, "animation"));
  const double number = number_of(entry, "number");
  origin->number = number >= 0 && number < 0x1p32 ? (size_t)number : 0;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) {
    const double bound = number_of(tree, names[i]);
    origin->bound[i] = bound > 0 ? bound / (i == QUATSIMD_CLIP_ROTATION ? degrees : 1) : 0;
  }
  origin->distance = number_of(tree, "object_distance");
  if (!(origin->distance > 0)) origin->distance = origin->bound[CLIP_CHECK_OBJECT] = 0;
}

static bool read_manifest(const char *path, const char *file, const struct clip_file *clip, struct clip_origin *origin) {
  size_t size;
  char *text = file_read(path, &size);
  if (!text) return false;
  cJSON *tree = cJSON_ParseWithLength(text, size);
  const cJSON *entry = NULL;
  bool good = check(path, tree);
  if (good) entry = find(tree, file);
  if (entry && !matches(entry, &clip->clip)) {
    complain(path, "is of another %s than the one beside it: their checksums differ", file);
    good = false;
  } else if (entry && !cJSON_IsNumber(member(entry, "number"))) {
    complain(path, "does not say which animation %s is", file);
    good = false;
  } else if (entry) take(origin, path, tree, entry);
  cJSON_Delete(tree);
  free(text);
  return good;
}

bool clip_origin_read(const struct clip_file *clip, struct clip_origin *origin) {
  struct stat status;
  const char *slash = strrchr(clip->path, '/'), *file = slash ? slash + 1 : clip->path;
  *origin = (struct clip_origin){0};
  const size_t folder = (size_t)(file - clip->path);
  char *path = memory_get(folder + sizeof MANIFEST_FILE, 1);
  memcpy(path, clip->path, folder);
  memcpy(path + folder, MANIFEST_FILE, sizeof MANIFEST_FILE);
  const bool good = stat(path, &status) != 0 || read_manifest(path, file, clip, origin);
  free(path);
  return good;
}

void clip_origin_free(struct clip_origin *origin) {
  free(origin->manifest);
  free(origin->input);
  free(origin->hash);
  free(origin->animation);
  *origin = (struct clip_origin){0};
}
