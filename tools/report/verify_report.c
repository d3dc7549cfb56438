#include "report/verify_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "terminal/print.h"
#include "terminal/table.h"

struct clip_tally verify_total(const struct verification *v, int kind) {
  if (kind == VERIFY_TRACKS) return v->tracks.of;
  const struct clip_error *error = &v->error[kind];
  struct clip_tally total = {
      .worst = error->worst, .at_keys = error->at_keys, .between = error->between, .time = error->time};
  for (size_t j = 0; j < v->source.source.joint_count; j++)
    total.count += v->tally[j][kind].count, total.sum += v->tally[j][kind].sum;
  return total;
}

double verify_mean(const struct clip_tally *tally) { return tally->sum / (double)tally->count; }

/* For all joints, or of the worst track; 0: none. */
static double bound_of(const struct verification *v, int kind) {
  if (kind != VERIFY_TRACKS) return v->bounds.of[kind];
  if (v->tracks.tracks == 0) return 0;
  const float own = v->source.track[v->tracks.track].bound;
  return own > 0 ? (double)own : v->track_bound;
}

bool verify_is_beyond(const struct verification *v, int kind) {
  return kind == VERIFY_TRACKS ? clip_tracks_beyond(&v->tracks) : v->use[kind].beyond;
}

/* Where it is worst. */
static const char *name_of_worst(const struct verification *v, int kind) {
  return kind == VERIFY_TRACKS ? clip_source_track(&v->source, v->tracks.track)
                               : clip_source_joint(&v->source, v->error[kind].joint);
}

bool verify_has_bound(const struct verification *v) {
  bool any = false;
  for (int kind = 0; kind < VERIFY_KINDS; kind++) any = any || bound_of(v, kind) > 0;
  return any;
}

/* text. -------------------------------------------------------------------------------------------------- */

static void print_title(const struct verification *v) {
  char *clip = text_clean(v->clip.path), *file = text_clean(v->file);
  print("%s against %s, %s\n", clip, file, v->source.title);
  if (!verify_has_bound(v)) print("there is no bound to compare with: it is in options, or in a bundle\n");
  else if (!v->origin.clip) print("bounds are those of the options\n");
  else
    print("bounds are those of the bundle%s%s\n",
          clip_origin_bounds(&v->origin)->joints.count ? ", where joints have their own" : "",
          v->options ? ", but for those of the options" : "");
  if (v->base) print("put on %s, animation %zu\n", v->base->path, clip_base_animation(v->base)->number);
  if (v->moved > 0) print("keys moved by at most %.3g ms, to even times\n", 1000 * v->moved);
  print("\n");
  free(clip);
  free(file);
}

static void add_error(struct table *table, int kind, double error, char mark) {
  if (kind == QUATSIMD_CLIP_ROTATION) table_cell(table, "%.6f%c", error * bounds_unit(kind), mark);
  else table_cell(table, "%.3g%c", error, mark);
}

static const char *title_of_count(int kind) { return kind == CLIP_CHECK_OBJECT ? "times" : "keys"; }

static void add_heads(struct table *table, const bool shown[CLIP_CHECK_ERRORS]) {
  for (int kind = 0; kind < CLIP_CHECK_ERRORS; kind++)
    if (shown[kind]) {
      table_cell(table, "%s", clip_check_names[kind]);
      table_cell(table, "at keys");
      table_cell(table, "between");
      table_cell(table, "mean");
    }
  table_cell(table, "%s", "");
  for (int kind = 0; kind < CLIP_CHECK_ERRORS; kind++)
    if (shown[kind]) {
      table_cell(table, "%s ", title_of_count(kind));
      for (int i = 0; i < 3; i++)
        table_cell(table, "%s ", kind == QUATSIMD_CLIP_ROTATION ? "degrees" : "error");
    }
  table_cell(table, "joint");
}

/* One joint's is marked, the worst of all at any time. */
static char mark_of(const struct verification *v, size_t joint, int kind, double off) {
  const struct clip_error *error = &v->error[kind];
  const double bound = bounds_of_joint(&v->bounds, &v->source.joint[joint], kind);
  return bounds_beyond(bound, v->tally[joint][kind].rounding, off)          ? '!'
         : error->worst > 0 && error->joint == joint && off == error->worst ? '*'
                                                                            : ' ';
}

static void add_tallies(struct table *table, const struct verification *v, size_t joint, int kind) {
  const struct clip_tally *tally = &v->tally[joint][kind];
  if (tally->count == 0) {
    for (int i = 0; i < 4; i++) table_cell(table, "- ");
    return;
  }
  table_cell(table, "%s ", text_number(tally->count));
  add_error(table, kind, tally->at_keys, mark_of(v, joint, kind, tally->at_keys));
  add_error(table, kind, tally->between, mark_of(v, joint, kind, tally->between));
  add_error(table, kind, verify_mean(tally), ' ');
}

static void print_joints(const struct verification *v) {
  struct table table = {0};
  bool shown[CLIP_CHECK_ERRORS];
  for (int kind = 0; kind < CLIP_CHECK_ERRORS; kind++)
    if ((shown[kind] = verify_total(v, kind).count > 0)) table.columns += 4;
  if (table.columns == 0) return; /* a clip of tracks alone */
  table.left = 1u << table.columns++;
  add_heads(&table, shown);
  for (size_t j = 0; j < v->source.source.joint_count; j++) {
    for (int kind = 0; kind < CLIP_CHECK_ERRORS; kind++)
      if (shown[kind]) add_tallies(&table, v, j, kind);
    table_cell(&table, "%s", clip_source_joint(&v->source, j));
  }
  table_print(&table, 2);
  print("* the worst of all joints%s\n\n", verify_has_bound(v) ? "; ! beyond the bound" : "");
}

static void print_totals(const struct verification *v) {
  struct table table = {.columns = 9, .left = 1 | 1 << 6 | 1 << 8};
  table_row(&table, (const char *const[]){"", "keys", "at keys", "between", "mean", "bound", "", "seconds",
                                          v->tracks.tracks ? "joint or track" : "joint"});
  for (int kind = 0; kind < VERIFY_KINDS; kind++) {
    const struct clip_tally total = verify_total(v, kind);
    const double bound = bound_of(v, kind), unit = bounds_unit(kind);
    const bool off = total.worst > 0;
    if (total.count == 0) continue;
    if (kind == CLIP_CHECK_OBJECT) table_cell(&table, "object, at %g", v->bounds.distance);
    else
      table_cell(&table, "%s%s", clip_check_names[kind], kind == QUATSIMD_CLIP_ROTATION ? ", degrees" : "");
    table_cell(&table, "%s", text_number(total.count));
    table_cell(&table, "%.6g", total.at_keys * unit);
    table_cell(&table, "%.6g", total.between * unit);
    table_cell(&table, "%.6g", verify_mean(&total) * unit);
    table_cell_if(&table, bound > 0, "%.6g", bound * unit);
    table_cell(&table, "%s", bound <= 0 ? "" : verify_is_beyond(v, kind) ? "beyond" : "within");
    table_cell_if(&table, off, "%.6g", total.time);
    table_cell_if(&table, off, "%s", name_of_worst(v, kind));
  }
  table_print(&table, 1);
}

/* Vertices. ---------------------------------------------------------------------------------------------- */

struct verify_vertices verify_vertices(const struct verification *v) {
  const struct made_bounds *made = clip_origin_bounds(&v->origin);
  const double mesh = made->mesh, height = made->bounds.height,
               metres = height > 0 ? 1 / height : v->skeleton->metres;
  const struct bounds_share *share = &v->use[CLIP_CHECK_OBJECT].mesh;
  const bool other = v->origin.clip && v->origin.clip->own && !(mesh > 0);
  struct verify_vertices vertices = {.metric = metres > 0,
                                     .by_hand = other || joint_bounds_are_by_hand(&made->joints)};
  if (!(mesh > 0) || !(share->share > 0) || !v->name) return vertices;
  char text[700];
  snprintf(text, sizeof text, "%.300s, %.2f s of %.300s", clip_source_joint(&v->source, share->joint),
           share->time, v->name);
  vertices.off = fmax(share->share, v->tracks.share) * mesh * (vertices.metric ? 1e3 * metres : 1);
  vertices.where = text_clean(text);
  return vertices;
}

void verify_vertices_print(const struct verify_vertices *vertices) {
  if (vertices->off > 0)
    print("no vertex%s is off by more than %.3g%s (%s)\n", vertices->by_hand ? BOUNDS_BY_HAND : "",
          vertices->off, vertices->metric ? " mm" : "", vertices->where);
}

void verify_report_print(const struct verification *v) {
  print_title(v);
  print_joints(v);
  print_totals(v);
  const struct verify_vertices vertices = verify_vertices(v);
  verify_vertices_print(&vertices);
  free(vertices.where);
}

/* JSON. -------------------------------------------------------------------------------------------------- */

/* Adds an error: of rotations in degrees, which its name says. */
static void add_error_as(cJSON *object, int kind, const char *key, double error, bool known) {
  char name[60];
  snprintf(name, sizeof name, "%s%s", key, kind == QUATSIMD_CLIP_ROTATION ? "_degrees" : "");
  json_add_figure(object, name, error * bounds_unit(kind), known);
}

cJSON *verify_add_tally(cJSON *entry, int kind, const struct clip_tally *tally) {
  if (tally->count == 0) return cJSON_AddNullToObject(entry, clip_check_names[kind]), NULL;
  cJSON *object = cJSON_AddObjectToObject(entry, clip_check_names[kind]);
  json_add_number(object, title_of_count(kind), (double)tally->count);
  add_error_as(object, kind, "worst_error", tally->worst, true);
  add_error_as(object, kind, "worst_error_at_keys", tally->at_keys, true);
  add_error_as(object, kind, "worst_error_between_keys", tally->between, true);
  add_error_as(object, kind, "mean_error", verify_mean(tally), true);
  return object;
}

static void add_truth(cJSON *object, const char *key, bool truth, bool known) {
  cJSON_AddItemToObject(object, key, known ? cJSON_CreateBool(truth) : cJSON_CreateNull());
}

static void add_total(cJSON *entry, const struct verification *v, int kind) {
  const struct clip_tally total = verify_total(v, kind);
  const double bound = bound_of(v, kind);
  const char *worst = kind == VERIFY_TRACKS ? "track_of_worst" : "joint_of_worst";
  cJSON *object = verify_add_tally(entry, kind, &total);
  if (!object) return;
  json_add_figure(object, "seconds_of_worst", total.time, total.worst > 0);
  json_add_text(object, worst, total.worst > 0 ? name_of_worst(v, kind) : NULL);
  add_error_as(object, kind, "bound", bound, bound > 0);
  add_truth(object, "within", !verify_is_beyond(v, kind), bound > 0);
}

cJSON *verify_report_tree(const struct verification *v) {
  const struct scene_animation *animation = &v->skeleton->scene.animation[v->animation];
  cJSON *tree = cJSON_CreateObject();
  cJSON_AddStringToObject(tree, "quatsimd", quatsimd_version());
  if (v->name) json_add_text(tree, "bundle", v->clip.path);
  json_add_text(tree, "clip", v->name ? v->name : v->clip.path);
  json_add_text(tree, "file", v->file);
  json_add_text(tree, "animation", animation->name);
  json_add_number(tree, "number", (double)animation->number);
  add_truth(tree, "file_changed", v->changed, v->origin.clip != NULL);
  json_add_figure(tree, "object_distance", v->bounds.distance, v->bounds.distance > 0);
  json_add_number(tree, "moved_ms", 1000 * v->moved);
  for (int kind = 0; kind < VERIFY_KINDS; kind++) add_total(tree, v, kind);
  bool within = true;
  for (int kind = 0; kind < VERIFY_KINDS; kind++) within = within && !verify_is_beyond(v, kind);
  add_truth(tree, "within", within, verify_has_bound(v));
  cJSON *joints = cJSON_AddArrayToObject(tree, "joints");
  for (size_t j = 0; j < v->source.source.joint_count; j++) {
    cJSON *joint = json_append(joints);
    json_add_text(joint, "joint", clip_source_joint(&v->source, j));
    for (int kind = 0; kind < CLIP_CHECK_ERRORS; kind++) {
      const struct clip_tally *tally = &v->tally[j][kind];
      cJSON *object = verify_add_tally(joint, kind, tally);
      if (!object) continue;
      const double bound = bounds_of_joint(&v->bounds, &v->source.joint[j], kind);
      json_add_figure(object, "seconds_of_worst", tally->time, tally->worst > 0);
      if (bound != v->bounds.of[kind]) add_error_as(object, kind, "own_bound", bound, true);
      if (kind == CLIP_CHECK_OBJECT && v->source.joint[j].object_distance > 0)
        json_add_number(object, "own_distance", (double)v->source.joint[j].object_distance);
    }
  }
  return tree;
}
