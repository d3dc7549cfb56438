/* Reads the bytes of an FBX, from wherever they are: web/src/fbx.c has no files. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "readers/fbx/fbx.h"
#include "readers/limits.h"
#include "terminal/message.h"

static bool is_late(double start) {
  return reader_limits.seconds > 0 && fbx_now() - start > reader_limits.seconds;
}

static ufbx_progress_result watch(void *start, const ufbx_progress *progress) {
  (void)progress;
  return is_late(*(const double *)start) ? UFBX_PROGRESS_CANCEL : UFBX_PROGRESS_CONTINUE;
}

bool fbx_spend(struct fbx *fbx, size_t bytes) {
  fbx->bytes += bytes;
  fbx->over = fbx->over || fbx->bytes > reader_memory() || is_late(fbx->start);
  return fbx->over;
}

static void complain_of_time(const char *path) {
  complain(path, "takes more than %g seconds (%s allows more)", reader_limits.seconds,
           reader_limits.seconds_option);
}

static void complain_of_memory(const char *path) { complain(path, "%s", reader_over_memory()); }

static void complain_of(const char *path, const ufbx_error *error) {
  if (error->type == UFBX_ERROR_MEMORY_LIMIT) complain_of_memory(path);
  else if (error->type == UFBX_ERROR_CANCELLED) complain_of_time(path);
  else if (error->type == UFBX_ERROR_OUT_OF_MEMORY) complain(path, "takes more memory than there is");
  else
    complain(path, "is no FBX file that ufbx reads: %.200s%s%.200s", error->description.data,
             error->info_length ? ": " : "", error->info);
}

/* vertices: of skins, too. */
static ufbx_scene *load(const char *path, const void *bytes, size_t size, double start, bool vertices) {
  enum { DEEPEST = 10000 };
  const uint64_t most = reader_memory(), rest = size < most ? most - size : 0;
  ufbx_load_opts opts = {.ignore_embedded = true,
                         .skip_skin_vertices = !vertices,
                         .skip_mesh_parts = true,
                         .file_format = UFBX_FILE_FORMAT_FBX,
                         .node_depth_limit = DEEPEST,
                         .allow_unsafe = true, /* for the next line: names keep their bytes */
                         .unicode_error_handling = UFBX_UNICODE_ERROR_HANDLING_UNSAFE_IGNORE,
                         .progress_cb = {watch, &start}};
  /* half of it for ufbx's scene, half for reading that; 0 would be no limit */
  opts.temp_allocator.memory_limit = opts.result_allocator.memory_limit =
      rest / 2 < SIZE_MAX ? (size_t)(rest / 2) + 1 : SIZE_MAX;
  ufbx_error error;
  ufbx_scene *file = ufbx_load_memory(bytes, size, &opts, &error);
  if (!file && size > 20 && memcmp(bytes, "Kaydara FBX Binary  ", 20) == 0 && ((const char *)bytes)[20])
    complain(path, "its head is damaged: a binary FBX that is sent as text loses its zeros");
  else if (!file) complain_of(path, &error);
  return file;
}

/* True if a text ends within braces, which ufbx passes over. */
static bool is_cut(const char *text, size_t size) {
  size_t depth = 0;
  bool quoted = false, comment = false;
  if (size == 0 || *text != ';') return false; /* a binary file */
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '\n') comment = false;
    else if (!comment && text[i] == '"') quoted = !quoted;
    else if (!quoted && text[i] == ';') comment = true;
    else if (!quoted && !comment && text[i] == '{') depth++;
    else if (!quoted && !comment && text[i] == '}' && depth > 0) depth--;
  }
  return depth > 0 || quoted;
}

/* Says what clips cannot have, or what ufbx does not evaluate. */
static void mention(const struct fbx *fbx) {
  size_t sheared = 0, first = 0, spheric = 0, first_spheric = 0;
  for (size_t n = fbx->scene->nodes; n-- > 0;) {
    if (fbx->sheared[n]) sheared++, first = n;
    if (fbx->node[n]->rotation_order == UFBX_ROTATION_ORDER_SPHERIC) spheric++, first_spheric = n;
  }
  if (spheric)
    complain(fbx->path, "\"%.100s\"%s the RotationOrder SphericXYZ, which is not read: %s not turn",
             fbx->scene->node[first_spheric].name, spheric > 1 ? " and others have" : " has",
             spheric > 1 ? "they do" : "it does");
  if (sheared)
    complain(fbx->path,
             "%zu node%s a parent with a different scale on each axis, where FBX's InheritType asks for a "
             "shear, which glTF and clips have not: \"%.100s\"%s in the wrong place, and what is below",
             sheared, sheared > 1 ? "s have" : " has", fbx->scene->node[first].name,
             sheared > 1 ? " and others are" : " is");
  if (fbx->wild)
    complain(fbx->path, "%zu value%s faster than keys follow, %sof \"%.100s\": between keys %s wrong",
             fbx->wild, fbx->wild > 1 ? "s change" : " changes", fbx->wild > 1 ? "the first " : "",
             fbx->wildest->name.data, fbx->wild > 1 ? "they are" : "it is");
  const size_t constraints = fbx->file->constraints.count;
  if (constraints)
    complain(fbx->path, "%zu constraint%s left out, \"%.100s\"%s: bake the animation to keep what %s",
             constraints, constraints > 1 ? "s are" : " is", fbx->file->constraints.data[0]->name.data,
             constraints > 1 ? " and others" : "", constraints > 1 ? "they do" : "it does");
}

bool fbx_read(const char *path, const void *bytes, size_t size, struct scene *scene) {
  *scene = (struct scene){0};
  const double start = fbx_now();
  if (is_cut(bytes, size)) return complain(path, "is cut: its text ends within braces or quotes");
  ufbx_scene *file = load(path, bytes, size, start, false);
  if (!file) return false;
  struct fbx fbx = {.path = path,
                    .file = file,
                    .scene = scene,
                    .recent = memory_get(FBX_RECENT, sizeof *fbx.recent),
                    .start = start,
                    .bytes = size + file->metadata.result_memory_used};
  scene->metres = file->settings.unit_meters;
  const ufbx_coordinate_axis up = file->settings.axes.up;
  scene->up = up == UFBX_COORDINATE_AXIS_POSITIVE_Y ? 1 : up == UFBX_COORDINATE_AXIS_UNKNOWN ? 0 : -1;
  fbx_take_nodes(&fbx);
  fbx_take_animations(&fbx);
  if (fbx.over) (is_late(start) ? complain_of_time : complain_of_memory)(path);
  else mention(&fbx);
  free(fbx.node), free(fbx.sheared), free(fbx.recent);
  ufbx_free_scene(file);
  if (fbx.over) scene_free(scene);
  return !fbx.over;
}

bool fbx_reach(const char *path, const void *bytes, size_t size, struct reach *reach) {
  const double start = fbx_now();
  struct scene scene = {0};
  ufbx_scene *file = load(path, bytes, size, start, true);
  if (!file) return false;
  struct fbx fbx = {.path = path, .file = file, .scene = &scene, .start = start, .bytes = size};
  fbx_take_nodes(&fbx);
  if (!fbx.over) fbx_take_reach(&fbx, reach);
  if (fbx.over) (is_late(start) ? complain_of_time : complain_of_memory)(path);
  free(fbx.node), free(fbx.sheared);
  scene_free(&scene);
  ufbx_free_scene(file);
  return !fbx.over;
}
