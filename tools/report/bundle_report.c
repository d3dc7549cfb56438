#include "report/bundle_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "bundle/layout.h"
#include "bundles/marks.h"
#include "files/names.h"
#include "report/skeleton_report.h"
#include "terminal/print.h"
#include "terminal/table.h"

/* Opens a clip of a bundle, which is whole: it cannot fail. */
static struct clip_file clip_of(const struct bundle_file *file, size_t number) {
  struct clip_file clip;
  (void)bundle_file_open_clip(file, quatsimd_bundle_clip_name(file->bundle, number), &clip);
  return clip;
}

static void add_row(struct table *table, struct table *events, const struct bundle_file *file,
                    size_t number) {
  struct clip_file of = clip_of(file, number);
  const quatsimd_clip *clip = of.clip;
  table_cell(table, "%zu", number);
  table_cell(table, "%.3f", quatsimd_clip_duration(clip));
  table_cell(table, "%s", text_number(quatsimd_clip_frame_count(clip)));
  table_cell(table, quatsimd_clip_is_looping(clip) ? "yes" : "no");
  table_cell(table, "%s", clip_file_additive(clip));
  table_cell(table, "%s", text_number(of.size));
  table_cell(table, "%s", quatsimd_bundle_clip_name(file->bundle, number));
  bundle_add_event_rows(events, clip, number);
  clip_file_free(&of);
}

/* What it was made from. */
static void print_making(const char *path, const struct bundle_file *file) {
  struct making making;
  making_read(&making, path, file->bundle);
  for (size_t f = 0; f < making.count; f++) {
    const struct made_file *made = &making.file[f];
    const struct bounds_asked in_its_unit = {.bounds = made->bounds.bounds};
    if (made->count > 0) print("%s of %s; ", text_count(made->count, "clip"), made->name);
    bounds_print(&in_its_unit, &made->bounds.bounds);
    if (made->bounds.joints.count) print("; %s of single joints", text_number(made->bounds.joints.count));
    if (made->bounds.base.path)
      print("; the base is animation %zu of %s", made->bounds.base.number, made->bounds.base.path);
    print("\n");
  }
  making_free(&making);
}

/* The record as it is; null if there is none. */
static cJSON *making_of(const struct bundle_file *file) {
  const void *record;
  size_t size;
  if (quatsimd_bundle_making(file->bundle, &record, &size) != QUATSIMD_OK || size == 0) return NULL;
  cJSON *tree = cJSON_ParseWithLength(record, size);
  char *text = memcpy(memory_get(size + 1, 1), record, size);
  cJSON *raw = tree ? memory_or_exit(cJSON_CreateRaw(text)) : NULL; /* extras stay as they were written */
  cJSON_Delete(tree);
  free(text);
  return raw;
}

void bundle_report_print(const char *path, const struct bundle_file *file) {
  struct table table = {.columns = 7, .left = 1 << 3 | 1 << 4 | 1 << 6},
               events = {.columns = 3, .left = 1 << 2};
  struct skeleton_file skeleton;
  bundle_file_take_skeleton(file, &skeleton);
  char *its = names_join(path, ", ", "its skeleton");
  print_about(path, "%s bytes, format version %u, %s\n", text_number(file->size), file->data[3],
              text_count(quatsimd_bundle_clip_count(file->bundle), "clip"));
  print_making(path, file);
  print("\n");
  table_row(&table, (const char *const[]){"clip", "seconds", "frames", "loops", "additive", "bytes", "name"});
  for (size_t i = 0; i < quatsimd_bundle_clip_count(file->bundle); i++) add_row(&table, &events, file, i);
  table_print(&table, 1);
  if (events.cells > 0) print("\n"), table_print(&events, 1);
  bundle_print_masks(file->bundle, skeleton.skeleton);
  print("\n");
  skeleton_report_print(its, &skeleton);
  skeleton_file_free(&skeleton);
  free(its);
}

static void add_clip(cJSON *list, const struct bundle_file *file, size_t number) {
  struct clip_file of = clip_of(file, number);
  const quatsimd_clip *clip = of.clip;
  cJSON *object = json_append(list);
  json_add_number(object, "number", (double)number);
  json_add_text(object, "name", quatsimd_bundle_clip_name(file->bundle, number));
  json_add_number(object, "frames", (double)quatsimd_clip_frame_count(clip));
  json_add_number(object, "rate", quatsimd_clip_rate(clip));
  json_add_number(object, "seconds", quatsimd_clip_duration(clip));
  json_add_number(object, "start", quatsimd_clip_start(clip));
  cJSON_AddBoolToObject(object, "loop", quatsimd_clip_is_looping(clip));
  cJSON_AddStringToObject(object, "additive", clip_file_additive(clip));
  json_add_number(object, "bytes", (double)of.size);
  bundle_add_events(object, clip);
  clip_file_free(&of);
}

cJSON *bundle_report_tree(const char *path, const struct bundle_file *file) {
  struct skeleton_file skeleton;
  cJSON *tree = cJSON_CreateObject();
  bundle_file_take_skeleton(file, &skeleton);
  json_add_text(tree, "file", path);
  json_add_number(tree, "bytes", (double)file->size);
  json_add_number(tree, "version", file->data[3]);
  cJSON *clips = cJSON_AddArrayToObject(tree, "clips");
  for (size_t i = 0; i < quatsimd_bundle_clip_count(file->bundle); i++) add_clip(clips, file, i);
  bundle_add_masks(tree, file->bundle, skeleton.skeleton);
  cJSON *making = making_of(file);
  if (making) cJSON_AddItemToObject(tree, "making", making);
  cJSON_AddItemToObject(tree, "skeleton", skeleton_report_tree(path, &skeleton));
  skeleton_file_free(&skeleton);
  return tree;
}
