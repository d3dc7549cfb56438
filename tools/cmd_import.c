/* quatsimd import: the rotation tracks of a clip as .npy files. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clip.h"
#include "command.h"
#include "json.h"
#include "message.h"
#include "npy.h"
#include "progress.h"
#include "text.h"

/* With "-12345" and ".times.npy" still below 255, the longest name of most file systems. */
enum { NAME_BYTES = 200 };

/* A file name, to be freed, from a name in a clip: no separators, nothing Windows refuses, no leading dot. */
static char *file_name(const char *name, const char *if_empty) {
  char *safe = memory_get(NAME_BYTES + 1, 1);
  size_t length = strlen(name);
  if (length > NAME_BYTES)
    for (length = NAME_BYTES; length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80;) length--;
  memcpy(safe, name, length);
  for (char *s = safe; *s; s++)
    if (strchr("/\\:*?\"<>|", *s)) *s = '_';
  if (safe[0] == '.') safe[0] = '_';
  if (length > 0 && (safe[length - 1] == '.' || safe[length - 1] == ' ')) safe[length - 1] = '_';
  if (length == 0) strcpy(safe, if_empty);
  return safe;
}

/* Names given away in a directory. */
struct names {
  size_t count;
  char **name;
};

/* Some file systems take capital and small letters for the same. */
static bool same_name(const char *a, const char *b) {
  while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) a++, b++;
  return *a == *b;
}

static bool is_taken(const struct names *taken, const char *name) {
  for (size_t i = 0; i < taken->count; i++)
    if (same_name(taken->name[i], name)) return true;
  return false;
}

static void take(struct names *taken, char *name) {
  taken->name = memory_grow(taken->name, taken->count, sizeof *taken->name);
  taken->name[taken->count++] = name;
}

static void free_names(struct names *taken) {
  for (size_t i = 0; i < taken->count; i++) free(taken->name[i]);
  free(taken->name);
}

static char *join(const char *start, const char *between, const char *end) {
  const size_t size = strlen(start) + strlen(between) + strlen(end) + 1;
  char *joined = memory_get(size, 1);
  snprintf(joined, size, "%s%s%s", start, between, end);
  return joined;
}

/* A name that nothing in the directory has, nor "NAME.times" of it: the wanted one, or that with a number.
 * Owned by the list. */
static const char *unique_name(struct names *taken, const char *name, const char *if_empty) {
  char *wanted = file_name(name, if_empty);
  for (size_t n = 1;; n++) {
    char number[24] = "";
    if (n > 1) snprintf(number, sizeof number, "-%zu", n);
    char *candidate = join(wanted, number, "");
    char *times = join(candidate, ".times", "");
    if (!is_taken(taken, candidate) && !is_taken(taken, times)) {
      take(taken, candidate);
      take(taken, times);
      free(wanted);
      return candidate;
    }
    free(candidate);
    free(times);
  }
}

static bool make_directory(const char *path) {
  struct stat status;
  if (mkdir(path, 0777) == 0) return true;
  const int error = errno;
  if (error == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) return true;
  complain(path, "cannot make the directory: %s", strerror(error));
  return false;
}

static bool write_track(const char *path, const struct clip_track *track) {
  struct npy keys = {.kind = 'f', .size = 4, .axes = 2, .shape = {track->keys, 4}, .count = 4 * track->keys};
  struct npy times = {.kind = 'f', .size = 8, .axes = 1, .shape = {track->keys}, .count = track->keys};
  unsigned char *bytes = memory_get(track->keys, 16);
  char *keys_path = join(path, ".npy", ""), *times_path = join(path, ".times.npy", "");
  keys.data = times.data = bytes;
  for (size_t i = 0; i < keys.count; i++) npy_put_float(bytes + 4 * i, track->xyzw[i]);
  bool good = npy_write(keys_path, &keys);
  for (size_t i = 0; i < times.count; i++) npy_put_double(bytes + 8 * i, track->seconds[i]);
  good = good && npy_write(times_path, &times);
  free(times_path);
  free(keys_path);
  free(bytes);
  return good;
}

static void list_track(cJSON *list, const struct clip_animation *animation, const struct clip_track *track,
                       const char *path) {
  cJSON *entry = cJSON_CreateObject();
  char *file = join(path, ".npy", ""), *times = join(path, ".times.npy", "");
  cJSON_AddItemToArray(list, entry);
  json_add_text(entry, "animation", animation->name);
  json_add_text(entry, "node", track->node);
  cJSON_AddNumberToObject(entry, "keys", (double)track->keys);
  cJSON_AddNumberToObject(entry, "seconds", track->keys ? track->seconds[track->keys - 1] : 0);
  json_add_text(entry, "file", file);
  json_add_text(entry, "times", times);
  free(times);
  free(file);
}

static bool write_animation(const char *directory, const struct clip_animation *animation, cJSON *list) {
  struct names nodes = {0};
  bool good = make_directory(directory);
  for (size_t t = 0; good && t < animation->tracks; t++) {
    const struct clip_track *track = &animation->track[t];
    char *path = join(directory, "/", unique_name(&nodes, track->node, "node"));
    good = write_track(path, track);
    if (list) list_track(list, animation, track, path);
    free(path);
  }
  free_names(&nodes);
  return good;
}

static bool write_clip(const char *directory, const struct clip *clip, cJSON *list) {
  struct names animations = {0};
  bool good = make_directory(directory);
  size_t keys = 0, tracks = 0, written = 0;
  for (size_t a = 0; good && a < clip->animations; a++) {
    const struct clip_animation *animation = &clip->animation[a];
    if (animation->tracks == 0) continue;
    progress_show("writing", a, clip->animations, animation->name);
    char *path = join(directory, "/", unique_name(&animations, animation->name, "animation"));
    good = write_animation(path, animation, list);
    free(path);
    for (size_t t = 0; t < animation->tracks; t++) keys += animation->track[t].keys;
    tracks += animation->tracks;
    written++;
  }
  progress_clear();
  free_names(&animations);
  if (good && !list) {
    char *clean = text_clean(directory);
    printf("%s animation%s, %s tracks, %s keys in %s\n", text_number(written), written == 1 ? "" : "s",
           text_number(tracks), text_number(keys), clean);
    free(clean);
  }
  return good;
}

static int import(const char *path, const char *directory, bool json) {
  struct stat status;
  struct clip clip;
  if (stat(path, &status) != 0) {
    complain(path, "cannot open: %s", strerror(errno));
    return STATUS_BAD_INPUT;
  }
  if (!S_ISREG(status.st_mode)) {
    complain(path, S_ISDIR(status.st_mode) ? "is a directory" : "not a regular file");
    return STATUS_BAD_INPUT;
  }
  if (!clip_read(path, &clip)) return STATUS_BAD_INPUT;
  cJSON *list = json ? cJSON_CreateArray() : NULL;
  const bool good = write_clip(directory, &clip, list);
  if (good && list) json_print(list);
  else cJSON_Delete(list);
  clip_free(&clip);
  return good ? STATUS_OK : STATUS_BAD_INPUT;
}

static int run(int argc, const char **argv) {
  int json = 0, status;
  const struct poptOption options[] = {{"json", 0, POPT_ARG_NONE, &json, 0, NULL, NULL}, COMMON_OPTIONS};
  struct arguments a;
  if (arguments_parse(&a, &command_import, argc, argv, options, 2, 2, &status))
    status = import(a.operands[0], a.operands[1], json);
  arguments_free(&a);
  return status;
}

const struct command command_import = {
  "import", "write the rotation tracks of a clip as .npy arrays",
  "Usage: quatsimd import [--json] CLIP OUTDIR\n"
  "\n"
  "Writes every rotation track of every animation in CLIP, which may be anything\n"
  "Assimp reads (BVH, glTF, GLB, FBX, Collada and others):\n"
  "  OUTDIR/ANIMATION/NODE.npy        the keys: float32 of shape (keys, 4),\n"
  "                                   x, y, z, w\n"
  "  OUTDIR/ANIMATION/NODE.times.npy  their times in seconds: float64 of shape\n"
  "                                   (keys,)\n"
  "\n"
  "  --json      print a list of the tracks and their files as JSON\n"
  "  -h, --help  this text\n"
  "\n"
  "In names, characters that files cannot have become _, and equal names get a\n"
  "number. OUTDIR is made if it is not there; existing files in it are replaced.\n"
  "Keys are taken as Assimp stores them: nothing is resampled, normalised or left\n"
  "out. A file without a rate counts as 25 ticks per second, as in Assimp's own\n"
  "tools.\n"
  "\n"
  "Examples:\n"
  "  quatsimd import walk.bvh walk\n"
  "  quatsimd pack --format smallest3_48 walk/Motion/Hips.npy hips.npy\n",
  run,
};
