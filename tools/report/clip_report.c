#include "report/clip_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/quantity.h"
#include "base/text.h"
#include "terminal/print.h"
#include "terminal/table.h"

/* Of an animation, or of all of them. */
struct figures {
  size_t keys[QUATSIMD_CLIP_KIND_COUNT], moving, constant, at_rest, keyed, floats, bytes;
  double track_worst, seconds, encode_seconds, moved;
  size_t frames;
  double worst[CLIP_CHECK_ERRORS], shares[CLIP_CHECK_ERRORS]; /* of bounds */
  bool mixed; /* bounds differ by file: lengths may not be of one unit, and are not shown */
};

static void add(struct figures *f, const struct clip_result *r) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    f->keys[kind] += r->keys[kind];
    f->moving += r->report.moving_count[kind];
    f->constant += r->report.constant_count[kind];
    f->at_rest += r->report.rest_count[kind];
    f->keyed += r->report.keyed_count[kind];
    f->floats += r->report.float_count[kind];
  }
  f->track_worst = fmax(f->track_worst, r->track_error.of.worst);
  f->moved = fmax(f->moved, r->report.snapped);
  f->bytes += r->size;
  f->seconds += r->seconds;
  f->encode_seconds += r->encode_seconds;
  f->frames += r->frames;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) {
    f->worst[i] = fmax(f->worst[i], r->error[i].worst);
    f->shares[i] = fmax(f->shares[i], r->share[i]);
  }
}

/* Are the bounds of all files the same? */
static bool have_one_bound(const struct clip_report *report) {
  for (size_t i = 1; i < report->count; i++)
    if (!bounds_are_same(&report->results[i].bounds, &report->results[0].bounds)) return false;
  return report->count > 0;
}

static struct figures sum_of(const struct clip_report *report) {
  struct figures sum = {.mixed = !have_one_bound(report)};
  for (size_t i = 0; i < report->count; i++) add(&sum, &report->results[i]);
  return sum;
}

static size_t all_keys(const struct figures *f) { return f->keys[0] + f->keys[1] + f->keys[2] + f->keys[3]; }
static double bits_per_key(const struct figures *f) { return 8 * (double)f->bytes / (double)all_keys(f); }
static double times_smaller(const struct figures *f) { return clip_key_bytes(f->keys) / (double)f->bytes; }
static double keys_per_second(const struct figures *f) { return (double)all_keys(f) / f->encode_seconds; }

static const struct recipe *recipe_of(const struct clip_report *report) {
  return report->compress ? report->compress->recipe : report->glb ? report->glb->recipe : NULL;
}

/* text. -------------------------------------------------------------------------------------------------- */

/* Where the rest pose decided about lengths, once a file. */
static void print_heights(const struct clip_report *report) {
  for (size_t i = 0; i < report->count; i++) {
    const struct clip_result *r = &report->results[i];
    if (r->bounds.height == 0 || (i > 0 && r[-1].path == r->path)) continue;
    print_about(r->path, "the rest pose is %.4g high\n", r->bounds.height);
  }
}

/* The bounds of most clips; without that of the mesh if no file has one. */
static const struct bounds_asked *asked_of(const struct clip_report *report) {
  const struct compress *c = report->compress;
  const struct clip_result *first = NULL;
  if (report->glb) return &report->glb->asked;
  for (size_t i = 0; i < report->count && !(first && first->asked.mesh > 0); i++)
    if ((!first || report->results[i].asked.mesh > 0) && !(c && c->of[i].own)) first = &report->results[i];
  return first ? &first->asked : report->count > 0 ? &report->results[0].asked : &report->settings->asked;
}

static void print_title(const struct clip_report *report, const struct figures *sum) {
  static const char *const loops[] = {
      [CLIP_LOOP_NONE] = "", [CLIP_LOOP_ALL] = ", loops", [CLIP_LOOP_AUTO] = ", those loop that close"};
  const struct clip_settings *s = report->settings;
  print("quatsimd %s: %s, keys: %s rotation, %s translation, %s scale", quatsimd_version(),
        text_count(report->count, "animation"), text_number(sum->keys[0]), text_number(sum->keys[1]),
        text_number(sum->keys[2]));
  if (sum->keys[QUATSIMD_CLIP_TRACK])
    print(", %s of tracks, off by at most %.3g", text_number(sum->keys[QUATSIMD_CLIP_TRACK]),
          sum->track_worst);
  print("; %s kernels\n", quatsimd_isa());
  bounds_print(asked_of(report), sum->mixed ? NULL : &report->results[0].bounds);
  if (recipe_of(report)) print("; joints and animations as %s says", recipe_of(report)->path);
  print("%s%s%s\n", loops[s->loop],
        s->additive ? ", additive to the first keys"
        : s->base   ? ", additive to "
                    : "",
        s->base ? s->base->path : "");
  if (sum->mixed) print_heights(report);
  if (report->empty && !report->glb) /* of which those stay */
    print("%s without such curves left out\n", text_count(report->empty, "animation"));
  if (report->bad && !report->glb)
    print("%s left out, see the messages\n", text_count(report->bad, "animation"));
  if (sum->moved > 0) print("keys moved by at most %.3g ms, to even times\n", 1000 * sum->moved);
  if (sum->floats)
    print("%s stored as floats: nothing shorter holds the bound\n", text_count(sum->floats, "curve"));
  if (!report->count) print("no node moves\n");
}

static void print_figures(struct table *table, const struct figures *f, bool object) {
  table_cell(table, "%s", text_number(f->moving));
  table_cell(table, "%s", text_number(f->constant));
  table_cell(table, "%s", text_number(f->at_rest));
  table_cell(table, "%s", text_number(f->keyed));
  table_cell(table, "%s", text_number(f->bytes));
  table_cell(table, "%.2f", bits_per_key(f));
  table_cell(table, "%s", text_ratio(clip_key_bytes(f->keys), (double)f->bytes));
  table_cell_if(table, f->keys[QUATSIMD_CLIP_ROTATION] > 0, "%.6f",
                f->worst[QUATSIMD_CLIP_ROTATION] * DEGREES);
  table_cell_if(table, f->keys[QUATSIMD_CLIP_TRANSLATION] > 0 && !f->mixed, "%.3g",
                f->worst[QUATSIMD_CLIP_TRANSLATION]);
  if (!object) return;
  table_cell_if(table, !f->mixed, "%.3g", f->worst[CLIP_CHECK_OBJECT]);
  table_cell(table, "%.1f %%", 100 * f->shares[CLIP_CHECK_OBJECT]);
}

static void print_animations(const struct clip_report *report, const struct figures *sum) {
  static const char *const titles[2][15] = {{"", "", "", "curves:", "", "", "", "", "bits", "against",
                                             "rotation", "translation", "object", "of its", ""},
                                            {"seconds", "frames", "joints", "moving", "constant", "rest",
                                             "keyed", "bytes", "per key", "floats", "error, degrees", "error",
                                             "error", "bound", "animation"}};
  const bool object = report->settings->asked.bounds.distance > 0;
  if (!report->count) return;
  print("\n");
  struct table table = {.columns = object ? 15 : 13};
  table.left = 1u << (table.columns - 1);
  for (int line = 0; line < 2; line++)
    for (int column = 0; column < 15; column++)
      if (object || (column != 12 && column != 13)) table_cell(&table, "%s", titles[line][column]);
  for (size_t i = 0; i < report->count; i++) {
    const struct clip_result *r = &report->results[i];
    struct figures f = {0};
    add(&f, r);
    table_cell(&table, "%.2f", f.seconds);
    table_cell(&table, "%s", text_number(f.frames));
    table_cell(&table, "%s", text_number(r->joints));
    print_figures(&table, &f, object);
    const char *name = r->clip_name ? r->clip_name : r->name;
    table_cell(&table, "%s%s%s", r->path, *name ? ": " : "", name);
  }
  if (report->count > 1) {
    table_cell(&table, "%.2f", sum->seconds);
    table_cell(&table, "%s", text_number(sum->frames));
    table_cell(&table, "-");
    print_figures(&table, sum, object);
    table_cell(&table, "all %s animations", text_number(report->count));
  }
  table_print(&table, 2);
}

static void print_speed(const struct clip_speed *speed, const struct figures *sum) {
  static const char *const ways[CLIP_WAYS] = {"random poses", "playback at 60 Hz", "all frames"};
  static const char *const titles[2][3] = {{"", "rotations alone, ns", "everything, ns"},
                                           {"", "per moving rotation", "per moving curve"}};
  struct table table = {.columns = 3, .left = 1};
  for (int line = 0; line < 2; line++) table_row(&table, titles[line]);
  for (int way = 0; way < CLIP_WAYS; way++) {
    table_cell(&table, "%s", ways[way]);
    table_cell_if(&table, speed->rotation[way] > 0, "%.2f", speed->rotation[way]);
    table_cell_if(&table, speed->curve[way] > 0, "%.2f", speed->curve[way]);
  }
  print("\n");
  table_print(&table, 2);
  if (sum->encode_seconds > 0)
    print("\nencoding: %s keys per second\n", text_number((size_t)keys_per_second(sum)));
}

static void print_glb(const struct glb *glb) {
  const size_t count = glb->count;
  char *path = text_clean(glb->path);
  print("\n");
  print_about(glb->out, "%s bytes, ", text_number(glb->bytes));
  print("%s than %s; ", text_ratio((double)glb->before, (double)glb->bytes), path);
  print("%s %s a bundle of %s bytes\n", text_count(count, "animation"), count == 1 ? "is" : "are",
        text_number(glb->bundle));
  if (glb->kept)
    print("%s animation%s as %s\n", text_number(glb->kept), glb->kept == 1 ? " stays" : "s stay",
          glb->kept == 1 ? "it is" : "they are");
  print("gltfpack drops bundles: run it before this command. gltf-transform drops them, too, without "
        "quatsimd/gltf-transform.\n");
  free(path);
}

static void print_share(const struct figures *f, int of) {
  if (f->shares[of] > 0) print(" (%.3g %% of the bound)", 100 * f->shares[of]);
}

/* Where bounds differ by file, lengths may not be of one unit. */
static void print_length(const struct figures *f, int of, const char *what) {
  if (!f->mixed) {
    print(", %.3g %s", f->worst[of], what);
    print_share(f, of);
  } else if (f->shares[of] > 0) print(", %.3g %% of the bound %s", 100 * f->shares[of], what);
}

/* How far a clip is off, as far as its bound counts: of vertices, with the tracks that share it. */
static double share_of(const struct clip_result *r) {
  return r->asked.mesh > 0 ? fmax(r->nearest_share, r->track_error.share) : r->nearest_share;
}

/* True if some vertices have another bound than that of the mesh. */
static bool has_bounds_by_hand(const struct clip_report *report) {
  const struct compress *c = report->compress;
  bool any = false;
  for (size_t f = 0; c && f < c->done_count; f++) any = any || c->done[f].by_hand;
  for (size_t i = 0; c && i < c->count; i++)
    any = any || c->of[i].by_hand || (c->of[i].own && !(c->result[i].asked.mesh > 0));
  return any;
}

/* The error that was bound, as a share, and where it is: of the vertex that is farthest off, if any clip has
 * a bound of the mesh. */
static void print_nearest(const struct clip_report *report) {
  const struct clip_result *nearest = NULL;
  const bool mesh = report->count > 0 && asked_of(report)->mesh > 0;
  double most = 0;
  for (size_t i = 0; i < report->count; i++) {
    const struct clip_result *r = &report->results[i];
    const double share = share_of(r) * (mesh ? r->asked.mesh : 1);
    if (r->nearest && share > most) most = share, nearest = r;
  }
  if (!nearest || nearest->asked.bounds.distance == 0) return;
  bounds_print_share(&nearest->asked, share_of(nearest), has_bounds_by_hand(report));
  print(" (%s, %.2f s of %s)\n", nearest->nearest, nearest->nearest_time,
        nearest->clip_name ? nearest->clip_name
        : *nearest->name   ? nearest->name
                           : "an animation");
}

static void print_worst(const struct figures *f) {
  print("off by at most %.6f degrees", f->worst[0] * DEGREES);
  print_share(f, QUATSIMD_CLIP_ROTATION);
  print_length(f, QUATSIMD_CLIP_TRANSLATION, "in translation");
  print(", %.3g in scale", f->worst[2]);
  print_share(f, QUATSIMD_CLIP_SCALE);
  if (f->keys[QUATSIMD_CLIP_TRACK]) print(", %.3g in tracks", f->track_worst);
  print("\n");
}

/* Of all files of a run. */
static void print_run(const struct clip_report *report, const struct figures *sum) {
  const struct compress *c = report->compress;
  size_t bytes = 0, records = 0, current = 0, left_out = 0, missed = 0;
  for (size_t i = 0; i < c->bundles; i++)
    bytes += c->bundle[i].bytes, records += c->bundle[i].record, current += c->bundle[i].current;
  for (size_t f = 0; f < c->done_count; f++)
    left_out += c->done[f].curves_left_out, missed += c->done[f].missed;
  if (left_out)
    print("%s left out, of joints without a match in %s\n", text_count(left_out, "curve"),
          report->settings->skeleton.path ? report->settings->skeleton.path : "");
  if (missed) print("%s beyond a bound, see the messages\n", text_count(missed, "clip"));
  if (c->files->others)
    print("%s in the folders left out, whose names do not end as those of animations\n",
          text_number(c->files->others));
  if (sum->encode_seconds > 0)
    print("%.1f s; encoding: %s keys per second on one thread\n", c->seconds,
          text_number((size_t)keys_per_second(sum)));
  if (c->bundles == 0) return;
  print("%s, %s keys: ", text_count(report->count, "clip"), text_number(all_keys(sum)));
  print("%s bytes as %s, skeletons included, %s", text_number(bytes), text_count(c->bundles, "bundle"),
        text_ratio(clip_key_bytes(sum->keys), (double)bytes));
  if (current) print("; %s up to date", text_number(current));
  print("\n");
  for (size_t i = 0; i < c->bundles; i++) {
    const struct compressed_bundle *b = &c->bundle[i];
    if (b->idle_bytes > 0 && c->one && !(c->recipe && c->recipe->skin))
      print("%s move%s no vertex; \"keep\": \"skin\" in a recipe leaves %s out: %s -> about %s bytes\n",
            text_count(b->idle, "joint"), b->idle > 1 ? "" : "s", b->idle > 1 ? "them" : "it",
            text_number(b->bytes), text_number(b->bytes - b->idle_bytes));
  }
  if (records && !c->release)
    print("%s bytes more say what was made of what, and how near; --release leaves them out\n",
          text_number(records));
}

void clip_report_print(const struct clip_report *report) {
  const struct figures sum = sum_of(report);
  if (recipe_of(report)) recipe_print_met(recipe_of(report));
  print_title(report, &sum);
  print_nearest(report);
  if (report->compress && report->compress->out) {
    if (report->count > 0) print_worst(&sum);
  } else print_animations(report, &sum);
  if (report->compress) print_run(report, &sum);
  if (report->glb) print_glb(report->glb);
  if (report->speed) print_speed(report->speed, &sum);
}

/* JSON. -------------------------------------------------------------------------------------------------- */

static void add_kinds(cJSON *entry, const char *key, const size_t numbers[QUATSIMD_CLIP_JOINT_KIND_COUNT]) {
  cJSON *kinds = cJSON_AddObjectToObject(entry, key);
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    json_add_number(kinds, scene_kinds[kind], (double)numbers[kind]);
}

static void add_figures(cJSON *entry, const struct figures *f, bool object) {
  add_kinds(entry, "keys", f->keys);
  json_add_number(entry, "seconds", f->seconds);
  json_add_number(entry, "frames", (double)f->frames);
  json_add_number(entry, "moved_ms", 1000 * f->moved);
  json_add_number(entry, "bytes", (double)f->bytes);
  json_add_number(entry, "raw_bytes", clip_key_bytes(f->keys));
  json_add_number(entry, "bits_per_key", bits_per_key(f));
  json_add_number(entry, "times_smaller", times_smaller(f));
  json_add_figure(entry, "worst_rotation_error_degrees", f->worst[QUATSIMD_CLIP_ROTATION] * DEGREES,
                  f->keys[0] > 0);
  json_add_figure(entry, "worst_translation_error", f->worst[QUATSIMD_CLIP_TRANSLATION],
                  f->keys[1] > 0 && !f->mixed);
  json_add_figure(entry, "worst_scale_error", f->worst[QUATSIMD_CLIP_SCALE], f->keys[2] > 0);
  json_add_figure(entry, "worst_object_error", f->worst[CLIP_CHECK_OBJECT], object && !f->mixed);
  if (f->keys[QUATSIMD_CLIP_TRACK] > 0) {
    json_add_number(cJSON_GetObjectItemCaseSensitive(entry, "keys"), scene_kinds[SCENE_TRACK],
                    (double)f->keys[QUATSIMD_CLIP_TRACK]);
    json_add_number(entry, "worst_track_error", f->track_worst);
  }
  json_add_figure(entry, "encode_keys_per_second", keys_per_second(f), f->encode_seconds > 0);
}

/* Where the clip is nearest to its bounds, and how near. */
static void add_shares(cJSON *entry, const struct clip_result *r) {
  cJSON *shares = cJSON_AddObjectToObject(entry, "of_bound"), *nearest;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++)
    json_add_figure(shares, clip_check_names[i], r->share[i], r->share[i] > 0);
  json_add_figure(shares, "track", r->track_error.share, r->track_error.share > 0);
  if (!r->nearest) {
    cJSON_AddNullToObject(entry, "nearest");
    return;
  }
  nearest = cJSON_AddObjectToObject(entry, "nearest");
  json_add_text(nearest, "joint", r->nearest);
  json_add_number(nearest, "time", r->nearest_time);
  json_add_number(nearest, "of_bound", r->nearest_share);
}

static void add_result(cJSON *list, const struct clip_result *r, bool object) {
  cJSON *entry = json_append(list);
  struct figures f = {0};
  add(&f, r);
  json_add_text(entry, "file", r->path);
  json_add_text(entry, "animation", r->name);
  json_add_text(entry, "clip", r->clip_name);
  json_add_number(entry, "number", (double)r->number);
  json_add_number(entry, "joints", (double)r->joints);
  json_add_number(entry, "rate", r->report.rate);
  add_kinds(entry, "moving", r->report.moving_count);
  add_kinds(entry, "constant", r->report.constant_count);
  add_kinds(entry, "at_rest", r->report.rest_count);
  add_kinds(entry, "keyed", r->report.keyed_count);
  bounds_add_json(entry, &r->bounds);
  json_add_figure(entry, "vertex_bound", r->asked.mesh, r->asked.mesh > 0);
  json_add_figure(entry, "worst_vertex_error", share_of(r) * r->asked.mesh, r->asked.mesh > 0);
  add_figures(entry, &f, object);
  cJSON_AddBoolToObject(entry, "loop", r->looping);
  add_shares(entry, r);
}

static void add_speed(cJSON *tree, const struct clip_speed *speed) {
  static const char *const ways[CLIP_WAYS] = {"random", "playback", "decode"};
  cJSON *entry = cJSON_AddObjectToObject(tree, "speed");
  for (int way = 0; way < CLIP_WAYS; way++) {
    cJSON *figures = cJSON_AddObjectToObject(entry, ways[way]);
    json_add_figure(figures, "nanoseconds_per_moving_rotation", speed->rotation[way],
                    speed->rotation[way] > 0);
    json_add_figure(figures, "nanoseconds_per_moving_curve", speed->curve[way], speed->curve[way] > 0);
  }
}

static void add_bundles(cJSON *tree, const struct compress *c) {
  cJSON *list = cJSON_AddArrayToObject(tree, "bundles");
  for (size_t i = 0; i < c->bundles; i++) {
    const struct compressed_bundle *b = &c->bundle[i];
    cJSON *entry = json_append(list);
    json_add_text(entry, "output", b->path);
    json_add_number(entry, "bytes", (double)b->bytes);
    json_add_number(entry, "record_bytes", (double)b->record);
    json_add_number(entry, "clips", (double)b->clips);
    json_add_number(entry, "joints_without_vertices", (double)b->idle);
    json_add_number(entry, "bytes_of_these", (double)b->idle_bytes);
    cJSON_AddBoolToObject(entry, "up_to_date", b->current);
  }
}

/* A message a line: "quatsimd: FILE: text". */
static void add_messages(cJSON *list, const struct messages *messages) {
  for (const char *line = messages->text, *end; line && *line; line = end + 1) {
    char *text = text_copy(line);
    end = strchr(line, '\n');
    text[end - line] = '\0';
    cJSON_AddItemToArray(list, cJSON_CreateString(strncmp(text, "quatsimd: ", 10) ? text : text + 10));
    free(text);
  }
}

static void add_failures(cJSON *tree, const struct compress *c) {
  cJSON *list = cJSON_AddArrayToObject(tree, "failures");
  for (size_t i = 0; i < c->failures; i++) {
    cJSON *item = json_append(list);
    json_add_text(item, "file", c->failure[i].path);
    json_add_text(item, "reason", c->failure[i].reason);
    add_messages(cJSON_AddArrayToObject(item, "messages"), &c->failure[i].messages);
  }
}

static void add_glb(cJSON *tree, const struct glb *glb) {
  cJSON *entry = cJSON_AddObjectToObject(tree, "glb");
  json_add_text(entry, "output", glb->out);
  json_add_number(entry, "bytes", (double)glb->bytes);
  json_add_number(entry, "bytes_before", (double)glb->before);
  json_add_number(entry, "bundle_bytes", (double)glb->bundle);
  json_add_number(entry, "animations_that_stay", (double)glb->kept);
}

cJSON *clip_report_json(const struct clip_report *report) {
  const struct clip_settings *s = report->settings;
  const struct figures sum = sum_of(report);
  const bool object = s->asked.bounds.distance > 0;
  const struct bounds none = {{0}, 0, 0};
  cJSON *tree = cJSON_CreateObject();
  cJSON_AddStringToObject(tree, "version", quatsimd_version());
  cJSON_AddStringToObject(tree, "kernels", quatsimd_isa());
  bounds_add_json(tree, sum.mixed || report->count == 0 ? &none : &report->results[0].bounds);
  if (s->loop == CLIP_LOOP_AUTO) cJSON_AddStringToObject(tree, "loop", "auto");
  else cJSON_AddBoolToObject(tree, "loop", s->loop == CLIP_LOOP_ALL);
  cJSON_AddStringToObject(tree, "additive", s->base ? "base" : s->additive ? "first" : "none");
  cJSON_AddBoolToObject(tree, "joint_bounds", s->joints != NULL);
  json_add_number(tree, "animations_without_curves", (double)report->empty);
  json_add_number(tree, "animations_left_out", (double)report->bad);
  cJSON *list = cJSON_AddArrayToObject(tree, "animations");
  for (size_t i = 0; i < report->count; i++) add_result(list, &report->results[i], object);
  add_figures(cJSON_AddObjectToObject(tree, "all"), &sum, object);
  if (report->speed) add_speed(tree, report->speed);
  if (recipe_of(report)) recipe_add_met(tree, recipe_of(report));
  if (report->compress) add_bundles(tree, report->compress), add_failures(tree, report->compress);
  if (report->glb) add_glb(tree, report->glb);
  return tree;
}

void clip_report_print_json(const struct clip_report *report) { json_print(clip_report_json(report)); }
