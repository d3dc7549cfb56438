#include "report/measure_report.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "terminal/print.h"
#include "terminal/table.h"

static void print_animations(const struct measured_files *all) {
  struct table table = {.columns = 4, .left = 1 << 3};
  table_row(&table, (const char *const[]){"curves", "keys", "replaced", "animation"});
  for (size_t f = 0; f < all->files; f++)
    for (size_t a = 0; a < all->input[f].animations; a++) {
      const struct input_animation *animation = &all->input[f].animation[a];
      table_cell(&table, "%s", text_number(animation->curves));
      table_cell(&table, "%s", text_number(animation->keys));
      table_cell(&table, "%s", text_number(animation->invalid));
      table_cell(&table, "%s%s%s", all->input[f].path, *animation->name ? ": " : "", animation->name);
    }
  table_print(&table, 1);
}

static void print_title(const struct measure_report *r) {
  const struct measured_files *all = r->files;
  print("\nquatsimd %s: %s, %s, %s, %s\n", quatsimd_version(), text_count(all->keys, "rotation"),
        text_count(all->curves, "curve"), text_count(all->animations, "animation"),
        text_count(all->files, "file"));
  if (all->invalid)
    print("%s invalid rotation%s replaced by the identity; the errors are those of the others\n",
          text_number(all->invalid), text_plural(all->invalid));
  if (r->timed)
    print("speed: %s kernels on one thread, %s rotations per call%s\n", r->pair.active->name,
          text_number(r->timed->keys),
          r->pair.active == r->pair.scalar ? "" : "; the scalar kernels beside them gave the same bytes");
  print("\n");
}

/* The scalar kernels' beside it, unless it is theirs. */
static void print_speed_cells(struct table *table, double speed, double scalar, double bytes, bool both) {
  table_cell(table, "%.0f", speed / 1e6);
  table_cell(table, "%.1f", speed * bytes / 1e9);
  if (both) table_cell(table, "%.0f", scalar / 1e6);
}

/* Three lines of titles. */
static void print_titles(struct table *table, const char *isa, bool timed, bool both) {
  static const char *const titles[3][6] = {{"", "", "", "", "", ""},
                                           {"", "packed", "times", "worst error", "mean error", "worst"},
                                           {"format", "bytes", "smaller", "degrees", "degrees", "1-|dot|"}};
  for (int line = 0; line < 3; line++) {
    if (line == 0 && !timed) continue;
    for (int column = 0; column < 6; column++) table_cell(table, "%s", titles[line][column]);
    for (int packs = 1; timed && packs >= 0; packs--) {
      const char *const cells[3][3] = {
          {packs ? "pack" : "unpack", packs ? "pack" : "unpack", packs ? "pack" : "unpack"},
          {isa, isa, "scalar"},
          {"M/s", "GB/s", "M/s"}};
      for (int column = 0; column < (both ? 3 : 2); column++) table_cell(table, "%s", cells[line][column]);
    }
  }
}

static void print_results(const struct measure_report *report) {
  const struct kernel_pair pair = report->pair;
  const bool timed = report->timed != NULL, both = pair.active != pair.scalar;
  struct table table = {.columns = !timed ? 6 : both ? 12 : 10, .left = 1 << 0};
  print_titles(&table, pair.active->name, timed, both);
  for (size_t i = 0; i < report->count; i++) {
    const struct measured_format *r = &report->results[i];
    const quatsimd_format_info *info = quatsimd_get_format_info(r->format);
    table_cell(&table, "%s", info->name);
    table_cell(&table, "%s", text_number(r->packed_bytes));
    table_cell(&table, "%.2f", 16 * (double)report->files->keys / (double)r->packed_bytes);
    table_cell_if(&table, r->error.keys > 0, "%.6f", r->error.worst);
    table_cell_if(&table, r->error.keys > 0, "%.6f", r->error.mean);
    table_cell_if(&table, r->error.keys > 0, "%.1e", r->error.worst_dot);
    if (!timed) continue;
    const double bytes = 16 + info->bits / 8.0; /* read and written for a rotation */
    print_speed_cells(&table, r->speed.pack, r->scalar.pack, bytes, both);
    print_speed_cells(&table, r->speed.unpack, r->scalar.unpack, bytes, both);
  }
  table_print(&table, timed ? 3 : 2);
}

static cJSON *json_of_animations(const struct measured_files *all) {
  cJSON *list = cJSON_CreateArray();
  for (size_t f = 0; f < all->files; f++)
    for (size_t a = 0; a < all->input[f].animations; a++) {
      const struct input_animation *animation = &all->input[f].animation[a];
      cJSON *entry = json_append(list);
      json_add_text(entry, "file", all->input[f].path);
      json_add_text(entry, "animation", animation->name);
      json_add_number(entry, "curves", (double)animation->curves);
      json_add_number(entry, "keys", (double)animation->keys);
      json_add_number(entry, "replaced", (double)animation->invalid);
    }
  return list;
}

static void json_add_speed(cJSON *object, const char *key, struct speed speed) {
  cJSON *entry = cJSON_AddObjectToObject(object, key);
  json_add_number(entry, "pack_rotations_per_second", speed.pack);
  json_add_number(entry, "unpack_rotations_per_second", speed.unpack);
}

static cJSON *json_of_results(const struct measure_report *report) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < report->count; i++) {
    const struct measured_format *r = &report->results[i];
    const bool known = r->error.keys > 0;
    cJSON *entry = json_append(list);
    cJSON_AddStringToObject(entry, "format", quatsimd_get_format_info(r->format)->name);
    json_add_number(entry, "keys", (double)report->files->keys);
    json_add_number(entry, "packed_bytes", (double)r->packed_bytes);
    json_add_number(entry, "times_smaller", 16 * (double)report->files->keys / (double)r->packed_bytes);
    json_add_figure(entry, "worst_error_degrees", r->error.worst, known);
    json_add_figure(entry, "mean_error_degrees", r->error.mean, known);
    json_add_figure(entry, "worst_one_minus_dot", r->error.worst_dot, known);
    if (report->timed) {
      json_add_speed(entry, "speed", r->speed);
      json_add_speed(entry, "scalar_speed", r->scalar);
    }
  }
  return list;
}

void measure_report_print(const struct measure_report *report) {
  print_animations(report->files);
  print_title(report);
  print_results(report);
}

void measure_report_print_json(const struct measure_report *report) {
  const struct measured_files *all = report->files;
  cJSON *tree = cJSON_CreateObject();
  cJSON_AddStringToObject(tree, "version", quatsimd_version());
  cJSON_AddStringToObject(tree, "kernels", report->pair.active->name);
  json_add_number(tree, "files", (double)all->files);
  json_add_number(tree, "curves", (double)all->curves);
  json_add_number(tree, "keys", (double)all->keys);
  json_add_number(tree, "replaced", (double)all->invalid);
  if (report->timed) json_add_number(tree, "timed_rotations", (double)report->timed->keys);
  cJSON_AddItemToObject(tree, "animations", json_of_animations(all));
  cJSON_AddItemToObject(tree, "formats", json_of_results(report));
  json_print(tree);
}
