#include "report/stream_report.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/table.h"
#include "base/text.h"

static double bits_per_rotation(const struct stream_result *r) {
  return 8 * (double)r->bytes / (double)r->rotations;
}
static double nanoseconds(double seconds, const struct stream_result *r) {
  return 1e9 * seconds / (double)r->rotations;
}
static double key_share(const struct stream_result *r) { return (double)r->key_packets / (double)r->packets; }

static void print_title(const struct stream_report *r) {
  const struct stream_settings *s = r->settings;
  const struct stream_result *sum = r->sum;
  printf("quatsimd %s: %s rotation%s in %s stream%s; %s kernels\n", quatsimd_version(),
         text_number(sum->rotations), text_plural(sum->rotations), text_number(r->count),
         text_plural(r->count), quatsimd_isa());
  printf("bound %g degrees, %s, predictors: %s; key packets: the first", s->bound,
         s->options.exponential ? "exponential map" : "Cayley map", s->predict);
  if (s->key) printf(" and every %s", text_number(s->key));
  printf("\n");
  if (r->left_out)
    printf("%s curve%s of one key left out\n", text_number(r->left_out), text_plural(r->left_out));
  if (sum->invalid)
    printf("%s invalid rotation%s passed over: the receiver keeps the one before; the errors are those of "
           "the others\n",
           text_number(sum->invalid), text_plural(sum->invalid));
  putchar('\n');
}

static void print_figures(struct table *table, const struct stream_result *r, bool timed) {
  table_cell(table, "%s", text_number(r->packets));
  table_cell(table, "%s", text_number(r->bytes));
  table_cell(table, "%.3f", bits_per_rotation(r));
  if (r->error.keys) {
    table_cell(table, "%.6f", r->error.worst);
    table_cell(table, "%.6f", r->error.mean);
  } else {
    table_cell(table, "-");
    table_cell(table, "-");
  }
  table_cell(table, "%.2f%%", 100 * key_share(r));
  if (!timed) return;
  table_cell(table, "%.1f", nanoseconds(r->encode, r));
  table_cell(table, "%.1f", nanoseconds(r->decode, r));
}

static void print_table(const struct stream_report *report) {
  const bool timed = report->settings->timed;
  static const char *const titles[2][10] = {
      {"", "", "", "bits per", "worst error", "mean error", "key", "encode", "decode", ""},
      {"bodies", "packets", "bytes", "rotation", "degrees", "degrees", "packets", "ns", "ns", "animation"}};
  struct table table = {.columns = timed ? 10 : 8};
  table.left = 1u << (table.columns - 1);
  for (int line = 0; line < 2; line++)
    for (int column = 0; column < 10; column++)
      if (timed || column < 7 || column == 9) table_cell(&table, "%s", titles[line][column]);
  for (size_t i = 0; i < report->count; i++) {
    const struct stream_result *r = &report->results[i];
    char *path = text_clean(r->path);
    table_cell(&table, "%s", text_number(r->motion->bodies));
    print_figures(&table, r, timed);
    table_cell(&table, "%s%s%s", path, *r->motion->name ? ": " : "", r->motion->name);
    free(path);
  }
  if (report->count > 1) {
    table_cell(&table, "-");
    print_figures(&table, report->sum, timed);
    table_cell(&table, "all %s streams", text_number(report->count));
  }
  table_print(&table, 2, stdout);
  table_free(&table);
}

static void json_add_figures(cJSON *entry, const struct stream_result *r, bool timed) {
  json_add_number(entry, "packets", (double)r->packets);
  json_add_number(entry, "rotations", (double)r->rotations);
  json_add_number(entry, "invalid", (double)r->invalid);
  json_add_number(entry, "bytes", (double)r->bytes);
  json_add_number(entry, "bits_per_rotation", bits_per_rotation(r));
  json_add_figure(entry, "worst_error_degrees", r->error.worst, r->error.keys > 0);
  json_add_figure(entry, "mean_error_degrees", r->error.mean, r->error.keys > 0);
  json_add_number(entry, "key_packets", (double)r->key_packets);
  if (!timed) return;
  json_add_number(entry, "encode_nanoseconds_per_rotation", nanoseconds(r->encode, r));
  json_add_number(entry, "decode_nanoseconds_per_rotation", nanoseconds(r->decode, r));
}

void stream_report_print(const struct stream_report *report) {
  print_title(report);
  print_table(report);
}

void stream_report_print_json(const struct stream_report *report) {
  const struct stream_settings *s = report->settings;
  cJSON *tree = cJSON_CreateObject();
  cJSON_AddStringToObject(tree, "version", quatsimd_version());
  cJSON_AddStringToObject(tree, "kernels", quatsimd_isa());
  json_add_number(tree, "bound_degrees", s->bound);
  cJSON_AddStringToObject(tree, "map", s->options.exponential ? "exponential" : "cayley");
  cJSON_AddStringToObject(tree, "predict", s->predict);
  json_add_number(tree, "key", (double)s->key);
  json_add_number(tree, "curves_left_out", (double)report->left_out);
  cJSON *list = cJSON_AddArrayToObject(tree, "streams");
  for (size_t i = 0; i < report->count; i++) {
    const struct stream_result *r = &report->results[i];
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddItemToArray(list, entry);
    json_add_text(entry, "file", r->path);
    json_add_text(entry, "animation", r->motion->name);
    json_add_number(entry, "bodies", (double)r->motion->bodies);
    json_add_figures(entry, r, s->timed);
  }
  json_add_figures(cJSON_AddObjectToObject(tree, "all"), report->sum, s->timed);
  json_print(tree);
}
