/* quatsimd import: the rotation tracks of a clip as .npy files. */
#include <stdbool.h>
#include <stdlib.h>

#include "readers/clip.h"
#include "commands/command.h"
#include "base/file.h"
#include "base/json.h"
#include "base/names.h"
#include "readers/npy.h"
#include "base/progress.h"
#include "base/text.h"

/* Where a track's keys and their times go, to be freed. */
struct track_paths {
  char *keys, *times;
};

static struct track_paths track_paths(const char *directory, const char *name) {
  char *file = names_join(name, "", ".npy");
  const struct track_paths paths = {names_join(directory, "/", file), names_join(directory, "/times/", file)};
  free(file);
  return paths;
}

static bool write_track(struct track_paths paths, const struct clip_track *track) {
  struct npy keys = {.kind = 'f', .size = 4, .axes = 2, .shape = {track->keys, 4}, .count = 4 * track->keys};
  struct npy times = {.kind = 'f', .size = 8, .axes = 1, .shape = {track->keys}, .count = track->keys};
  unsigned char *bytes = memory_get(track->keys, 16);
  keys.data = times.data = bytes;
  for (size_t i = 0; i < keys.count; i++) npy_put_float(bytes + 4 * i, track->xyzw[i]);
  bool good = npy_write(paths.keys, &keys);
  for (size_t i = 0; i < times.count; i++) npy_put_double(bytes + 8 * i, track->seconds[i]);
  good = good && npy_write(paths.times, &times);
  free(bytes);
  return good;
}

static void list_track(cJSON *list, const struct clip_animation *animation, const struct clip_track *track,
                       struct track_paths paths) {
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddItemToArray(list, entry);
  json_add_text(entry, "animation", animation->name);
  json_add_text(entry, "node", track->node);
  cJSON_AddNumberToObject(entry, "keys", (double)track->keys);
  cJSON_AddNumberToObject(entry, "seconds", track->keys ? track->seconds[track->keys - 1] : 0);
  json_add_text(entry, "file", paths.keys);
  json_add_text(entry, "times", paths.times);
}

static bool write_animation(const char *directory, const struct clip_animation *animation, cJSON *list) {
  void *names = NULL;
  char *times = names_join(directory, "/", "times");
  bool good = names_make_directory(directory) && names_make_directory(times);
  for (size_t t = 0; good && t < animation->tracks; t++) {
    const struct clip_track *track = &animation->track[t];
    const struct track_paths paths = track_paths(directory, names_unique(&names, track->node, "node"));
    good = write_track(paths, track);
    if (list) list_track(list, animation, track, paths);
    free(paths.times);
    free(paths.keys);
  }
  free(times);
  names_free(&names);
  return good;
}

static bool write_clip(const char *directory, const struct clip *clip, cJSON *list) {
  void *names = NULL;
  bool good = names_make_directory(directory);
  size_t keys = 0, tracks = 0, written = 0;
  for (size_t a = 0; good && a < clip->animations; a++) {
    const struct clip_animation *animation = &clip->animation[a];
    if (animation->tracks == 0) continue;
    progress_show("writing", a, clip->animations, animation->name);
    char *path = names_join(directory, "/", names_unique(&names, animation->name, "animation"));
    good = write_animation(path, animation, list);
    free(path);
    for (size_t t = 0; t < animation->tracks; t++) keys += animation->track[t].keys;
    tracks += animation->tracks;
    written++;
  }
  progress_clear();
  names_free(&names);
  if (good && !list) {
    char *clean = text_clean(directory);
    printf("%s animation%s, %s tracks, %s keys in %s\n", text_number(written), written == 1 ? "" : "s",
           text_number(tracks), text_number(keys), clean);
    free(clean);
  }
  return good;
}

static int import(const char *path, const char *directory, bool json) {
  struct clip clip;
  if (!file_is_regular(path) || !clip_read(path, &clip)) return STATUS_BAD_INPUT;
  cJSON *list = json ? cJSON_CreateArray() : NULL;
  const bool good = write_clip(directory, &clip, list);
  if (good && list) json_print(list);
  else cJSON_Delete(list);
  clip_free(&clip);
  return good ? STATUS_OK : STATUS_BAD_INPUT;
}

static int run(int argc, char **argv) {
  bool json = false;
  int status;
  const struct option_row options[] = {{"json", 0, .flag = &json}, {0}};
  const struct command_line line = {"import", command_import.help, options, 2, 2};
  struct arguments a;
  if (arguments_parse(&a, &line, argc, argv, &status)) status = import(a.operands[0], a.operands[1], json);
  return status;
}

const struct command command_import = {
    "import",
    "write the rotation tracks of a clip as .npy arrays",
    {"Usage: quatsimd import [--json] CLIP OUTDIR\n"
     "\n"
     "Writes every rotation track of every animation in CLIP, which may be anything\n"
     "Assimp reads (BVH, glTF, GLB, FBX, Collada and others):\n"
     "  OUTDIR/ANIMATION/NODE.npy        the keys: float32 of shape (keys, 4),\n"
     "                                   x, y, z, w\n"
     "  OUTDIR/ANIMATION/times/NODE.npy  their times in seconds: float64 of shape\n"
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
     "  quatsimd measure walk/Motion/*.npy\n"
     "  quatsimd pack --format smallest3_48 walk/Motion/Hips.npy hips.npy\n"},
    run,
};
