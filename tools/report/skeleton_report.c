#include "report/skeleton_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/quantity.h"
#include "base/text.h"
#include "terminal/print.h"
#include "terminal/table.h"

struct rest {
  float rotation[4], translation[3], scale[3];
};

/* Of all tracks; to be freed. */
static float *track_rests(const quatsimd_skeleton *skeleton) {
  float *rest = memory_get(quatsimd_skeleton_track_count(skeleton), sizeof *rest);
  quatsimd_pose_out pose = {.tracks = rest};
  (void)quatsimd_skeleton_rest_pose(skeleton, &pose, 0, 0);
  return rest;
}

static struct rest rest_of(const quatsimd_skeleton *skeleton, size_t joint) {
  struct rest rest = {.rotation = {0}};
  quatsimd_pose_out pose = {quatsimd_aos_out(rest.rotation), quatsimd_aos_out(rest.translation),
                            quatsimd_aos_out(rest.scale), NULL};
  (void)quatsimd_skeleton_rest_pose(skeleton, &pose, joint, 1); /* of a joint that is there it cannot fail */
  return rest;
}

/* text. -------------------------------------------------------------------------------------------------- */

/* Two spaces for each joint above; no more beyond so many, which no screen has. */
enum { DEEPEST = 30 };

/* By how many degrees about which axis. */
static void put_rotation(struct table *table, const float q[4]) {
  const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3],
               sine = sqrt(x * x + y * y + z * z), by = w < 0 ? -sine : sine;
  if (sine == 0) table_cell(table, "0");
  else
    table_cell(table, "%.4g about %.4g, %.4g, %.4g", 2 * atan2(sine, fabs(w)) * DEGREES, x / by + 0,
               y / by + 0, z / by + 0);
}

static void put_vector(struct table *table, const float *v) {
  table_cell(table, "%.4g, %.4g, %.4g", (double)v[0], (double)v[1], (double)v[2]);
}

static void put_joint(struct table *table, const quatsimd_skeleton *skeleton, size_t joint, size_t depth) {
  const struct rest rest = rest_of(skeleton, joint);
  const float *s = rest.scale;
  table_cell(table, "%zu", joint);
  put_vector(table, rest.translation);
  put_rotation(table, rest.rotation);
  if (s[0] == 1 && s[1] == 1 && s[2] == 1) table_cell(table, "1");
  else put_vector(table, s);
  table_cell(table, quatsimd_skeleton_has_inverse_bind(skeleton, joint) ? "yes" : "no");
  table_cell(table, "%*s%s", (int)(2 * (depth < DEEPEST ? depth : DEEPEST)), "",
             quatsimd_skeleton_joint_name(skeleton, joint));
}

static void print_joints(const quatsimd_skeleton *skeleton) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton);
  struct table table = {.columns = 6, .left = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5};
  size_t *depth = memory_get(joints, sizeof *depth);
  table_row(&table, (const char *const[]){"joint", "translation", "rotation, degrees", "scale",
                                          "inverse bind", "name"});
  for (size_t j = 0; j < joints; j++) {
    const int64_t parent = quatsimd_skeleton_parent(skeleton, j);
    depth[j] = parent < 0 ? 0 : depth[parent] + 1;
    put_joint(&table, skeleton, j, depth[j]);
  }
  table_print(&table, 1);
  free(depth);
}

static void print_tracks(const quatsimd_skeleton *skeleton) {
  struct table table = {.columns = 3, .left = 1 << 2};
  float *rest = track_rests(skeleton);
  table_row(&table, (const char *const[]){"track", "at rest", "name"});
  for (size_t t = 0; t < quatsimd_skeleton_track_count(skeleton); t++) {
    table_cell(&table, "%zu", t);
    table_cell(&table, "%.4g", (double)rest[t]);
    table_cell(&table, "%s", quatsimd_skeleton_track_name(skeleton, t));
  }
  table_print(&table, 1);
  free(rest);
}

void skeleton_report_print(const char *path, const struct skeleton_file *file) {
  const quatsimd_skeleton *skeleton = file->skeleton;
  const double metres = quatsimd_skeleton_metres(skeleton);
  print_about(path, "%s bytes, format version %u, hash %016" PRIx64 "\n", text_number(file->size),
              file->data[3], quatsimd_skeleton_hash(skeleton));
  print("%s", text_count(quatsimd_skeleton_joint_count(skeleton), "joint"));
  if (metres > 0) print(", translations in units of %g m\n", metres);
  else print(", the unit of translations is not known\n");
  print("\n");
  print_joints(skeleton);
  if (quatsimd_skeleton_track_count(skeleton)) print("\n"), print_tracks(skeleton);
}

/* JSON. -------------------------------------------------------------------------------------------------- */

static void add_floats(cJSON *object, const char *key, const float *values, int count) {
  cJSON_AddItemToObject(object, key, memory_or_exit(cJSON_CreateFloatArray(values, count)));
}

static void add_joint(cJSON *list, const quatsimd_skeleton *skeleton, size_t joint) {
  const struct rest rest = rest_of(skeleton, joint);
  float bind[12];
  cJSON *object = json_append(list);
  json_add_text(object, "name", quatsimd_skeleton_joint_name(skeleton, joint));
  json_add_number(object, "parent", (double)quatsimd_skeleton_parent(skeleton, joint));
  add_floats(object, "rotation", rest.rotation, 4);
  add_floats(object, "translation", rest.translation, 3);
  add_floats(object, "scale", rest.scale, 3);
  if (quatsimd_skeleton_inverse_bind(skeleton, bind, joint) == QUATSIMD_OK)
    add_floats(object, "inverse_bind", bind, 12);
  else cJSON_AddNullToObject(object, "inverse_bind");
}

cJSON *skeleton_report_tree(const char *path, const struct skeleton_file *file) {
  const quatsimd_skeleton *skeleton = file->skeleton;
  cJSON *tree = cJSON_CreateObject();
  char hash[17];
  snprintf(hash, sizeof hash, "%016" PRIx64, quatsimd_skeleton_hash(skeleton));
  json_add_text(tree, "file", path);
  json_add_number(tree, "bytes", (double)file->size);
  json_add_number(tree, "version", file->data[3]);
  cJSON_AddStringToObject(tree, "hash", hash);
  json_add_figure(tree, "metres", quatsimd_skeleton_metres(skeleton), quatsimd_skeleton_metres(skeleton) > 0);
  json_add_number(tree, "joints", (double)quatsimd_skeleton_joint_count(skeleton));
  cJSON *joints = cJSON_AddArrayToObject(tree, "skeleton");
  for (size_t j = 0; j < quatsimd_skeleton_joint_count(skeleton); j++) add_joint(joints, skeleton, j);
  cJSON_AddItemToObject(tree, "tracks", skeleton_file_names(skeleton, true));
  float *rest = track_rests(skeleton);
  add_floats(tree, "tracks_at_rest", rest, (int)quatsimd_skeleton_track_count(skeleton));
  free(rest);
  return tree;
}
