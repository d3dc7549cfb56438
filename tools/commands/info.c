/* quatsimd info: what is in clips, and what their bytes are spent on. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "bundles/file.h"
#include "bundles/origin.h"
#include "clip/inspect.h"
#include "commands/command.h"
#include "files/collect.h"
#include "report/bundle_report.h"
#include "report/skeleton_report.h"
#include "scene/scene.h"
#include "system/files.h"
#include "terminal/message.h"
#include "terminal/print.h"
#include "terminal/table.h"

static const char *const sections_named[CLIP_SECTIONS] = {
    "masks", "plans", "codes and profiles", "coefficients", "raw curves", "knots",
    "bases", "slots", "constants",          "keys"};

/* In the order in which they are shown. */
static const struct shown {
  const char *name;
  quatsimd_clip_state state;
} states[CLIP_STATES] = {{"moving", QUATSIMD_CLIP_MOVING},
                         {"constant", QUATSIMD_CLIP_CONSTANT},
                         {"rest", QUATSIMD_CLIP_REST},
                         {"keyed", QUATSIMD_CLIP_KEYED},
                         {"absent", QUATSIMD_CLIP_ABSENT}};

struct info {
  struct clip_file file;
  struct skeleton_file skeleton; /* beside it */
  struct clip_head head;
  size_t curves[CLIP_STATES][QUATSIMD_CLIP_KIND_COUNT];
  struct clip_sections sections;
};

/* text. -------------------------------------------------------------------------------------------------- */

static void print_head(const struct info *info) {
  const quatsimd_clip *clip = info->file.clip;
  print_about(info->file.path, "%s bytes, format version %u, checksum %08lx\n", text_number(info->file.size),
              info->head.version, (unsigned long)info->head.checksum);
  print("%s, %s ", text_count(quatsimd_clip_joint_count(clip), "joint"),
        text_count(quatsimd_clip_frame_count(clip), "frame"));
  if (quatsimd_clip_rate(clip) > 0) print("at %g per second", quatsimd_clip_rate(clip));
  else print("at times of their own");
  print(" in %s, %g seconds from %g%s%s%s\n", text_count(info->sections.blocks, "block"),
        quatsimd_clip_duration(clip), quatsimd_clip_start(clip),
        quatsimd_clip_is_looping(clip) ? ", loops" : "", quatsimd_clip_additive(clip) ? ", additive to " : "",
        quatsimd_clip_additive(clip) == QUATSIMD_CLIP_ADDITIVE_FIRST  ? "the first keys"
        : quatsimd_clip_additive(clip) == QUATSIMD_CLIP_ADDITIVE_BASE ? "another animation"
                                                                      : "");
}

static void print_curves(const struct info *info) {
  struct table table = {.columns = 1 + CLIP_STATES, .left = 1};
  table_cell(&table, "curves");
  for (int i = 0; i < CLIP_STATES; i++) table_cell(&table, "%s", states[i].name);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    table_cell(&table, "%s", scene_kinds[kind]);
    for (int i = 0; i < CLIP_STATES; i++)
      table_cell(&table, "%s", text_number(info->curves[states[i].state][kind]));
  }
  table_print(&table, 1);
}

/* A row of bytes; of what no kind has alone, by_kind is null. */
static void add_bytes(struct table *table, const char *name, const size_t *by_kind, size_t all) {
  table_cell(table, "%s", name);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    table_cell(table, "%s", by_kind ? text_number(by_kind[kind]) : "-");
  table_cell(table, "%s", text_number(all));
}

static void print_sections(const struct clip_sections *s) {
  struct table table = {.columns = 2 + QUATSIMD_CLIP_KIND_COUNT, .left = 1};
  size_t sum[QUATSIMD_CLIP_KIND_COUNT] = {0}, all = s->head + s->times + s->padding;
  table_row(&table, (const char *const[]){"bytes", scene_kinds[0], scene_kinds[1], scene_kinds[2],
                                          scene_kinds[3], "all"});
  add_bytes(&table, "head and times", NULL, s->head + s->times);
  for (int i = 0; i < CLIP_SECTIONS; i++) {
    const size_t *bytes = s->bytes[i];
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) sum[kind] += bytes[kind];
    add_bytes(&table, sections_named[i], bytes, bytes[0] + bytes[1] + bytes[2] + bytes[3]);
  }
  add_bytes(&table, "padding", NULL, s->padding);
  add_bytes(&table, "all", sum, all + sum[0] + sum[1] + sum[2] + sum[3]);
  table_print(&table, 1);
}

/* How states are shown. */
static const char *name_of(quatsimd_clip_state state) {
  int i = 0;
  while (states[i].state != state) i++;
  return states[i].name;
}

/* The clip's curves of each joint, or track. */
static void print_elements(const struct info *info, bool tracks) {
  const quatsimd_skeleton *skeleton = info->skeleton.skeleton;
  const int first = tracks ? QUATSIMD_CLIP_TRACK : 0, end = tracks ? QUATSIMD_CLIP_KIND_COUNT : SCENE_KINDS;
  struct table table = {.columns = (unsigned)(2 + end - first)};
  table.left = (1u << table.columns) - 2;
  table_cell(&table, tracks ? "track" : "joint");
  for (int kind = first; kind < end; kind++) table_cell(&table, "%s", tracks ? "" : scene_kinds[kind]);
  table_cell(&table, "name");
  const size_t count =
      tracks ? quatsimd_skeleton_track_count(skeleton) : quatsimd_skeleton_joint_count(skeleton);
  for (size_t i = 0; i < count; i++) {
    table_cell(&table, "%zu", i);
    for (int kind = first; kind < end; kind++)
      table_cell(&table, "%s", name_of(quatsimd_clip_curve_state(info->file.clip, kind, i)));
    table_cell(&table, "%s",
               (tracks ? quatsimd_skeleton_track_name : quatsimd_skeleton_joint_name)(skeleton, i));
  }
  table_print(&table, 1);
}

static void print_text(const struct info *info, bool with_joints) {
  print_head(info);
  print("\n");
  print_curves(info);
  print("\n");
  print_sections(&info->sections);
  if (!with_joints || !info->skeleton.skeleton) return;
  print("\n");
  print_elements(info, false);
  if (quatsimd_skeleton_track_count(info->skeleton.skeleton) > 0) print("\n"), print_elements(info, true);
}

/* JSON. -------------------------------------------------------------------------------------------------- */

static void add_kinds(cJSON *entry, const char *key, const size_t numbers[QUATSIMD_CLIP_KIND_COUNT]) {
  cJSON *object = cJSON_AddObjectToObject(entry, key);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    json_add_number(object, scene_kinds[kind], (double)numbers[kind]);
}

static void add_sections(cJSON *entry, const struct clip_sections *s) {
  static const char *const keys[CLIP_SECTIONS] = {"masks", "plans", "codes", "coefficients", "raw",
                                                  "knots", "bases", "slots", "constants",    "keys"};
  cJSON *object = cJSON_AddObjectToObject(entry, "sections");
  json_add_number(object, "head", (double)s->head);
  json_add_number(object, "times", (double)s->times);
  for (int i = 0; i < CLIP_SECTIONS; i++) add_kinds(object, keys[i], s->bytes[i]);
  json_add_number(object, "padding", (double)s->padding);
}

static void add_names(cJSON *entry, const char *key, const quatsimd_skeleton *skeleton, bool tracks) {
  cJSON_AddItemToObject(entry, key, skeleton ? skeleton_file_names(skeleton, tracks) : cJSON_CreateNull());
}

static cJSON *tree_of(const struct info *info) {
  const quatsimd_clip *clip = info->file.clip;
  cJSON *entry = cJSON_CreateObject();
  char sum[9];
  snprintf(sum, sizeof sum, "%08lx", (unsigned long)info->head.checksum);
  json_add_text(entry, "file", info->file.path);
  json_add_number(entry, "bytes", (double)info->file.size);
  json_add_number(entry, "version", info->head.version);
  cJSON_AddStringToObject(entry, "checksum", sum);
  json_add_number(entry, "joints", (double)quatsimd_clip_joint_count(clip));
  add_names(entry, "joint_names", info->skeleton.skeleton, false);
  json_add_number(entry, "tracks", (double)quatsimd_clip_track_count(clip));
  add_names(entry, "track_names", info->skeleton.skeleton, true);
  json_add_number(entry, "frames", (double)quatsimd_clip_frame_count(clip));
  json_add_number(entry, "blocks", (double)info->sections.blocks);
  json_add_number(entry, "rate", quatsimd_clip_rate(clip));
  json_add_number(entry, "seconds", quatsimd_clip_duration(clip));
  json_add_number(entry, "start", quatsimd_clip_start(clip));
  cJSON_AddBoolToObject(entry, "loop", quatsimd_clip_is_looping(clip));
  cJSON_AddStringToObject(entry, "additive", clip_file_additive(clip));
  for (int i = 0; i < CLIP_STATES; i++) add_kinds(entry, states[i].name, info->curves[states[i].state]);
  add_sections(entry, &info->sections);
  return entry;
}

/* -------------------------------------------------------------------------------------------------------- */

/* Text, with an empty line before all but the first. */
static void begin(size_t *shown) {
  if ((*shown)++) print("\n");
}

/* Adds to *shown. */
static bool show_clip(const char *path, bool with_joints, cJSON *list, size_t *shown) {
  struct info info;
  if (!clip_file_read(path, &info.file)) return false;
  const bool good = given_skeleton_read(&info.file, &info.skeleton); /* the clip is good without it */
  quatsimd_inspect_head(&info.head, info.file.data, info.file.size);
  quatsimd_inspect_states(info.file.clip, info.curves);
  quatsimd_inspect_sections(&info.sections, info.file.clip);
  if (list) cJSON_AddItemToArray(list, tree_of(&info));
  else begin(shown), print_text(&info, with_joints);
  skeleton_file_free(&info.skeleton);
  clip_file_free(&info.file);
  return good;
}

static bool show_skeleton(const char *path, cJSON *list, size_t *shown) {
  struct skeleton_file file;
  if (!skeleton_file_read(path, &file)) return false;
  if (list) cJSON_AddItemToArray(list, skeleton_report_tree(path, &file));
  else begin(shown), skeleton_report_print(path, &file);
  skeleton_file_free(&file);
  return true;
}

static bool show_bundle(const char *path, cJSON *list, size_t *shown) {
  struct bundle_file file;
  if (!bundle_file_read(path, &file)) return false;
  if (list) cJSON_AddItemToArray(list, bundle_report_tree(path, &file));
  else begin(shown), bundle_report_print(path, &file);
  bundle_file_free(&file);
  return true;
}

static bool is_shown(const char *name) {
  return clip_file_has_name(name) || skeleton_file_has_name(name) || bundle_file_has_name(name);
}

/* A clip, a skeleton, a bundle, or all below a folder. */
static bool show_all(const char *operand, cJSON *list, size_t *shown) {
  struct collected files;
  collect(&operand, 1, is_shown, &files);
  bool good = files.unread == 0;
  if (good && files.count == 0) {
    complain(operand, "there are no clips, skeletons or bundles in it: no name ends in .qsc, .qsk or .qsb");
    good = false;
  }
  for (size_t i = 0; i < files.count; i++) {
    const char *path = files.file[i].path;
    const bool alone = files.count == 1 && strcmp(path, operand) == 0;
    good = (skeleton_file_is(path) ? show_skeleton(path, list, shown)
            : bundle_file_is(path) ? show_bundle(path, list, shown)
                                   : show_clip(path, alone, list, shown)) &&
           good;
  }
  collect_free(&files);
  return good;
}

static int run(int argc, char **argv) {
  bool json = false;
  int status;
  const struct option_row options[] = {{"json", 0, .flag = &json}, {0}};
  const struct command_line line = {"info", command_info.help, options, 1, ANY_NUMBER};
  struct arguments a;
  if (arguments_parse(&a, &line, argc, argv, &status)) {
    cJSON *list = json ? cJSON_CreateArray() : NULL;
    size_t shown = 0;
    status = STATUS_OK;
    for (size_t i = 0; i < a.count; i++)
      if (!show_all(a.operands[i], list, &shown)) status = STATUS_BAD_INPUT;
    if (json) json_print(list);
  }
  return status;
}

const struct command command_info = {
    "info",
    "show the contents of clips, skeletons and bundles",
    {"Usage: quatsimd info [--json] CLIP|SKELETON|BUNDLE|GLB|DIR...\n"
     "\n"
     "Shows the contents of files that `quatsimd compress` and `extract` write. A DIR\n"
     "means all clips, skeletons and bundles in it and in the folders below it.\n"
     "  BUNDLE    (.qsb) what it was made from; its clips, with the bytes that each\n"
     "            alone takes; its skeleton\n"
     "  GLB       glTF with a bundle in it: that bundle\n"
     "  CLIP      (.qsc) joints, frames and time; curves and bytes by their kinds\n"
     "  SKELETON  (.qsk) the joints as a tree, with their rest pose; the tracks\n"
     "\n"
     "  --json       print JSON: a list with an object for each of these. That of a\n"
     "               bundle has the record of how it was made\n"
     "  -h, --help   print this text\n"
     "\n"
     "Examples:\n"
     "  quatsimd info hero.qsb                the clips of a bundle\n"
     "  quatsimd info skeleton.qsk            the tree of joints\n"
     "  quatsimd info --json out | jq '.[] | [.file, .bytes, .seconds]'\n"
     "                                        all files in a folder\n"
     "\n"
     "docs/command.md explains the states of curves and the kinds of bytes.\n"},
    run,
};
