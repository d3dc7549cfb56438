/* Reads through Assimp, in a child process: some broken files crash Assimp, and its importers print. */
#include "readers/assimp.h"

#include <assimp/version.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/message.h"
#include "base/output.h"
#include "base/text.h"
#include "readers/assimp_pipe.h"
#include "readers/child.h"
#include "readers/gltf.h"

static void import(FILE *pipe, const void *path) { assimp_import_to(pipe, path); }

/* All take_... return false or null if the answer broke off. --------------------------------------------- */

static bool take(FILE *answer, void *bytes, size_t size) { return fread(bytes, 1, size, answer) == size; }
static bool take_number(FILE *answer, size_t *n) {
  unsigned number;
  if (!take(answer, &number, sizeof number)) return false;
  *n = number;
  return true;
}

static char *take_text(FILE *answer) {
  enum { TEXT_MAX = 65536 }; /* names in Assimp have at most 1024 bytes */
  size_t length;
  if (!take_number(answer, &length) || length > TEXT_MAX) return NULL;
  char *text = memory_get(length + 1, 1);
  char *clean = take(answer, text, length) ? text_clean(text) : NULL;
  free(text);
  return clean;
}

/* In growing steps, so that memory follows what comes and not what a child that went wrong claims. To be
 * freed. */
static void *take_array(FILE *answer, size_t count, size_t size) {
  size_t room = count < 4096 ? count : 4096, got = 0;
  char *array = memory_get(room, size);
  for (;;) {
    if (fread(array + got * size, size, room - got, answer) != room - got) return free(array), NULL;
    if (room == count) return array;
    got = room;
    room = count / 2 > room ? 2 * room : count;
    char *grown = memory_get(room, size);
    memcpy(grown, array, got * size);
    free(array);
    array = grown;
  }
}

static bool take_curve(FILE *answer, struct scene_curve *curve, int kind, double ticks_per_second) {
  const size_t width = scene_width(kind);
  if (!take_number(answer, &curve->keys)) return false;
  if (curve->keys == 0) return true;
  curve->values = take_array(answer, curve->keys, width * sizeof(float));
  curve->seconds = curve->values ? take_array(answer, curve->keys, sizeof(double)) : NULL;
  if (!curve->seconds) return false;
  for (size_t k = 0; k < curve->keys; k++) curve->seconds[k] /= ticks_per_second;
  return true;
}

/* A node's number below `end`, or none. */
static bool take_node_number(FILE *answer, size_t *number, size_t end) {
  if (!take_number(answer, number)) return false;
  if (*number == PIPE_NONE) *number = SCENE_NONE;
  return *number == SCENE_NONE || *number < end;
}

static bool take_animation(FILE *answer, struct scene_animation *animation, size_t nodes, size_t *merged) {
  double ticks_per_second;
  size_t channels;
  animation->name = take_text(answer);
  if (!animation->name || !take(answer, &ticks_per_second, sizeof ticks_per_second) ||
      !take_number(answer, &channels))
    return false;
  if (!(ticks_per_second > 0)) ticks_per_second = 25; /* not in the file; Assimp's own tools take 25 */
  for (size_t c = 0; c < channels; c++) {
    animation->channel = memory_grow(animation->channel, c, sizeof *animation->channel);
    struct scene_channel *channel = &animation->channel[animation->channels++];
    channel->name = take_text(answer);
    if (!channel->name || !take_node_number(answer, &channel->node, nodes)) return false;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      if (!take_curve(answer, &channel->curve[kind], kind, ticks_per_second)) return false;
      else *merged += scene_settle_times(&channel->curve[kind], kind);
  }
  return true;
}

static bool take_node(FILE *answer, struct scene_node *node, size_t number) {
  node->name = take_text(answer);
  node->number = number;
  if (!node->name || !take_node_number(answer, &node->parent, number)) return false;
  for (int kind = 0; kind < SCENE_KINDS; kind++)
    if (!take(answer, node->rest[kind], scene_width(kind) * sizeof(float))) return false;
  size_t joint;
  if (!take_number(answer, &joint) || joint > 1) return false;
  node->in_skin = node->bound = joint;
  return !joint || take(answer, node->inverse_bind, sizeof node->inverse_bind);
}

/* And tells people. */
static bool take_remarks(FILE *answer, const char *path) {
  size_t sheared, unread;
  char *reason = NULL;
  if (!take_number(answer, &sheared) || !take_number(answer, &unread) || !(reason = take_text(answer)))
    return false;
  if (sheared)
    complain(
        path,
        "%zu node%s a parent with a different scale on each axis, where FBX's InheritType asks for a shear: "
        "glTF and clips have no shear, so %s may be in the wrong place",
        sheared, sheared > 1 ? "s have" : " has", sheared > 1 ? "they" : "it");
  if (unread)
    complain(path, "Assimp leaves out %zu part%s that it cannot read: %s", unread, text_plural(unread),
             reason);
  free(reason);
  return true;
}

static bool take_scene(FILE *answer, const char *path, struct scene *scene) {
  size_t nodes, animations, end;
  if (!take(answer, &scene->metres, sizeof scene->metres) ||
      !(scene->metres >= 0 && scene->metres < INFINITY))
    return false;
  if (!take_remarks(answer, path) || !take_number(answer, &nodes)) return false;
  while (scene->nodes < nodes) {
    scene->node = memory_grow(scene->node, scene->nodes, sizeof *scene->node);
    const size_t number = scene->nodes++;
    if (!take_node(answer, &scene->node[number], number)) return false;
  }
  if (!take_number(answer, &animations)) return false;
  while (scene->animations < animations) {
    scene->animation = memory_grow(scene->animation, scene->animations, sizeof *scene->animation);
    const size_t number = scene->animations++;
    scene->animation[number].number = number;
    size_t merged = 0;
    if (!take_animation(answer, &scene->animation[number], nodes, &merged)) return false;
    if (merged) scene_mention_merged(path, &scene->animation[number], merged);
  }
  return take_number(answer, &end) && end == PIPE_END;
}

/* The first number of the answer, and the text behind PIPE_FAILED. */
static size_t take_outcome(FILE *answer, char **error) {
  size_t outcome = 0;
  *error = take_number(answer, &outcome) && outcome == PIPE_FAILED ? take_text(answer) : NULL;
  return outcome;
}

/* How reading or writing failed. */
struct failure {
  bool limited; /* by memory or time that options may give more of */
  char text[1000];
};

/* Ends the child. False if not all came; error: what the child said, may be null, is freed. */
static bool end(struct child *child, char *error, bool whole, struct failure *failure) {
  enum child_end end = child_end(child);
  const double gigabytes = child_limits.gigabytes;
  char memory[100];
  if (error && strcmp(error, "std::bad_alloc") == 0) end = CHILD_NO_MEMORY, *error = '\0';
  if (end == CHILD_ABORTED && gigabytes == 0) end = CHILD_CRASHED;
  snprintf(memory, sizeof memory, "takes more than %g GB of memory (--reader-memory allows more)", gigabytes);
  *failure = (struct failure){.limited = end == CHILD_NO_MEMORY || end == CHILD_NO_TIME};
  if (end == CHILD_NO_TIME)
    snprintf(failure->text, sizeof failure->text, "takes more than %g seconds (--reader-seconds allows more)",
             child_limits.seconds);
  else
    snprintf(failure->text, sizeof failure->text, "%s%s",
             end == CHILD_CRASHED     ? "crashes Assimp"
             : end == CHILD_KILLED    ? "the process that reads it was killed"
             : end == CHILD_ABORTED   ? "crashes Assimp, or "
             : end == CHILD_NO_MEMORY ? ""
             : error && *error        ? error
                                      : "Assimp fails and does not say why",
             end == CHILD_ABORTED || end == CHILD_NO_MEMORY ? memory : "");
  free(error);
  return whole;
}

/* For files that other commands read, or that others must be made of. */
static const char *hint(const char *path) {
  static const char *const endings[][2] = {
      {".npz", "is an archive of arrays; save each as .npy"},
      {".qsc", "is a clip already; `quatsimd info` shows it, `quatsimd decompress` unpacks it"},
      {".qsk", "is a skeleton, and has no animations"},
      {".qsb", "is a bundle of clips already; `quatsimd info` shows it"}};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (file_name_ends(path, endings[i][0])) return endings[i][1];
  return NULL;
}

bool assimp_scene(const char *path, struct scene *scene) {
  struct child child;
  *scene = (struct scene){0};
  if (!child_start(&child, path, import, path)) return false;
  char *error;
  const bool whole = take_outcome(child.answer, &error) == PIPE_READ && take_scene(child.answer, path, scene);
  struct failure failure;
  scene->fbx = scene_is_fbx(path);
  if (end(&child, error, whole, &failure)) return true;
  const bool unknown = strncmp(failure.text, "No suitable reader", strlen("No suitable reader")) == 0;
  const char *better = hint(path);
  complain(path, "%s",
           better    ? better
           : unknown ? "has a format that neither quatsimd nor Assimp reads"
                     : failure.text);
  scene_free(scene);
  return false;
}

/* Writing. ----------------------------------------------------------------------------------------------- */

static void export(FILE *pipe, const void *replacement) { assimp_export_to(pipe, replacement); }

static unsigned char *take_file(FILE *answer, size_t *size) {
  uint64_t bytes;
  size_t end;
  if (!take(answer, &bytes, sizeof bytes) || bytes > SIZE_MAX / 2) return NULL;
  unsigned char *file = take_array(answer, (size_t)bytes, 1);
  *size = (size_t)bytes;
  if (file && take_number(answer, &end) && end == PIPE_END) return file;
  free(file);
  return NULL;
}

/* Assimp crashes on some scenes that it has read, and fails on others without a reason. */
static bool write_joints(const struct replacement *r, const char *output, const struct failure *failure) {
  if (failure->limited) {
    complain(r->original, "cannot be written as .glb: %s", failure->text);
    return false;
  }
  complain(r->original,
           "cannot be written as .glb with its meshes (%s): %s has its joints alone, with lines between them",
           failure->text, output);
  return gltf_write(r, output);
}

bool assimp_replace_keys(const struct replacement *r, const char *output) {
  struct child child;
  if (!child_start(&child, r->original, export, r)) return false;
  char *error;
  size_t size = 0;
  unsigned char *file =
      take_outcome(child.answer, &error) == PIPE_READ ? take_file(child.answer, &size) : NULL;
  struct failure failure;
  if (!end(&child, error, file, &failure)) return write_joints(r, output, &failure);
  struct output o;
  const bool good = output_open(&o, output);
  if (good) output_write(&o, file, size);
  free(file);
  return good && output_close(&o);
}

const char *assimp_version(void) {
  static char name[40];
  snprintf(name, sizeof name, "Assimp %u.%u", aiGetVersionMajor(), aiGetVersionMinor());
  return name;
}

const struct reader reader_assimp = {.name = "a file for Assimp",
                                     .endings = {ASSIMP_ENDINGS},
                                     .copies = {".glb"},
                                     .scene = assimp_scene,
                                     .replace_keys = assimp_replace_keys};
