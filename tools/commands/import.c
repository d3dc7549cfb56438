/* quatsimd import: the rotation curves of animations as .npy files. */
#include <stdbool.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "commands/command.h"
#include "core/bytes.h"
#include "files/inputs.h"
#include "files/names.h"
#include "readers/limits.h"
#include "scene/input.h"
#include "terminal/print.h"
#include "terminal/progress.h"
#include "writers/writers.h"

/* Where a curve's keys and their times go, to be freed. */
struct curve_paths {
  char *keys, *times;
};

static struct curve_paths curve_paths(const char *directory, const char *name) {
  char *file = names_join(name, "", ".npy");
  const struct curve_paths paths = {names_join(directory, "/", file), names_join(directory, "/times/", file)};
  free(file);
  return paths;
}

static bool write_curve(struct curve_paths paths, const struct scene_curve *curve) {
  struct npy keys = npy_shape_of(curve->keys);
  struct npy times = {.kind = 'f', .size = 8, .axes = 1, .shape = {curve->keys}, .count = curve->keys};
  unsigned char *bytes = memory_get(curve->keys, 16);
  keys.data = times.data = bytes;
  for (size_t i = 0; i < keys.count; i++)
    store_float(bytes + 4 * i, scene_key(curve, SCENE_ROTATION, i / 4)[i % 4]);
  bool good = npy_write(paths.keys, &keys);
  for (size_t i = 0; i < times.count; i++) store_double(bytes + 8 * i, curve->seconds[i]);
  good = good && npy_write(paths.times, &times);
  free(bytes);
  return good;
}

static void list_curve(cJSON *list, const struct scene_animation *animation,
                       const struct scene_channel *channel, struct curve_paths paths) {
  const struct scene_curve *curve = &channel->curve[SCENE_ROTATION];
  cJSON *entry = json_append(list);
  json_add_text(entry, "animation", animation->name);
  json_add_text(entry, "node", channel->name);
  json_add_number(entry, "keys", (double)curve->keys);
  json_add_number(entry, "seconds", curve->seconds[curve->keys - 1]);
  json_add_text(entry, "file", paths.keys);
  json_add_text(entry, "times", paths.times);
}

/* Writes its curves. look: writes nothing; false and a complaint if one of its files is an input. */
static bool write_animation(const char *directory, const struct scene_animation *animation, bool look,
                            cJSON *list) {
  void *names = NULL;
  char *times = names_join(directory, "/", "times");
  bool good = look || (names_make_directory(directory) && names_make_directory(times));
  for (size_t c = 0; good && c < animation->channels; c++) {
    const struct scene_channel *channel = &animation->channel[c];
    if (channel->curve[SCENE_ROTATION].keys == 0) continue;
    const struct curve_paths paths = curve_paths(directory, names_unique(&names, channel->name, "node"));
    good = look ? inputs_spare(paths.keys) && inputs_spare(paths.times)
                : write_curve(paths, &channel->curve[SCENE_ROTATION]);
    if (list && !look) list_curve(list, animation, channel, paths);
    free(paths.times);
    free(paths.keys);
  }
  free(times);
  names_free(&names);
  return good;
}

/* How many curves an animation has, and adds up their keys. */
static size_t count_curves(const struct scene_animation *animation, size_t *keys) {
  size_t curves = 0;
  for (size_t c = 0; c < animation->channels; c++) {
    const struct scene_curve *curve = &animation->channel[c].curve[SCENE_ROTATION];
    curves += curve->keys > 0;
    *keys += curve->keys;
  }
  return curves;
}

/* look: as in write_animation. */
static bool write_scene(const char *directory, const struct scene *scene, bool look, cJSON *list) {
  void *names = NULL;
  bool good = look || names_make_directories(directory);
  size_t keys = 0, curves = 0, written = 0;
  for (size_t a = 0; good && a < scene->animations; a++) {
    const struct scene_animation *animation = &scene->animation[a];
    const size_t count = count_curves(animation, &keys);
    if (count == 0) continue;
    if (!look) progress_show("writing", a, scene->animations, animation->name);
    char *path = names_join(directory, "/", names_unique(&names, animation->name, "animation"));
    good = write_animation(path, animation, look, list);
    free(path);
    curves += count;
    written++;
  }
  progress_clear();
  names_free(&names);
  if (good && !look && !list) {
    char *clean = text_clean(directory);
    print("%s, %s curves, %s keys in %s\n", text_count(written, "animation"), text_number(curves),
          text_number(keys), clean);
    free(clean);
  }
  return good;
}

static int import(const char *path, const char *directory, bool json) {
  struct scene scene;
  if (!input_scene(path, &scene)) return STATUS_BAD_INPUT;
  cJSON *list = json ? cJSON_CreateArray() : NULL;
  const bool good = write_scene(directory, &scene, true, NULL) && write_scene(directory, &scene, false, list);
  if (good && list) json_print(list);
  else cJSON_Delete(list);
  const bool whole = scene.unread == 0;
  scene_free(&scene);
  return good && whole ? STATUS_OK : STATUS_BAD_INPUT;
}

static int run(int argc, char **argv) {
  bool json = false;
  int status;
  const struct option_row options[] = {{"json", 0, .flag = &json}, READER_OPTIONS, {0}};
  const struct command_line line = {"import", command_import.help, options, 2, 2};
  struct arguments a;
  if (arguments_parse(&a, &line, argc, argv, &status)) status = import(a.operands[0], a.operands[1], json);
  return status;
}

const struct command command_import = {
    "import",
    "write the rotation curves of animations as .npy arrays",
    {"Usage: quatsimd import [--json] FILE OUTDIR\n"
     "\n"
     "Writes every rotation curve of every animation in FILE as two arrays. FILE is\n"
     "glTF 2.0 (.gltf, .glb), BVH or FBX. Existing files in OUTDIR are replaced.\n"
     "  OUTDIR/ANIMATION/NODE.npy        the keys: float32 of shape (keys, 4),\n"
     "                                   x, y, z, w\n"
     "  OUTDIR/ANIMATION/times/NODE.npy  their times in seconds: float64 of shape\n"
     "                                   (keys,)\n"
     "\n"
     "  --json      print a list of the curves and their files as JSON\n"
     "  -h, --help  print this text\n" READER_HELP "\n"
     "Examples:\n"
     "  quatsimd import walk.bvh walk         write the arrays\n"
     "  quatsimd measure walk/Motion/*.npy    compare formats on them\n"
     "  quatsimd pack --format smallest3_48 walk/Motion/Hips.npy hips.npy\n"
     "                                        pack one curve\n"
     "\n"
     "docs/command.md says which keys and names these are.\n"},
    run,
};
