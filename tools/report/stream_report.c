#include "report/stream_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/table.h"
#include "base/text.h"
#include "streams/packets.h"

/* figures; NaN where there is nothing to have one. ------------------------------------------------------- */

static double share(double part, double all) { return all > 0 ? part / all : NAN; }

static double bits_per_rotation(struct stream_part p) {
  return share(8 * (double)p.bytes, (double)p.rotations);
}
static double payload_per_rotation(struct stream_part p) {
  p.bytes -= PACKET_HEAD * p.packets;
  return bits_per_rotation(p);
}
/* Those that are no key packets. */
static struct stream_part others(const struct stream_result *r) {
  return (struct stream_part){.packets = r->all.packets - r->key.packets,
                              .bytes = r->all.bytes - r->key.bytes,
                              .rotations = r->all.rotations - r->key.rotations};
}
static double bits_per_second(const struct stream_result *r) {
  return share(8 * (double)r->all.bytes, r->seconds);
}
static double packets_per_second(const struct stream_result *r) {
  return share((double)r->all.packets, r->seconds);
}
static double key_share(const struct stream_result *r) {
  return share((double)r->key.packets, (double)r->all.packets);
}
static double decoded_share(const struct stream_result *r) {
  return share((double)r->decoded, (double)(r->arrived - r->late));
}
static double worst_error(const struct stream_result *r) { return r->error.keys ? r->error.worst : NAN; }
static double mean_error(const struct stream_result *r) { return r->error.keys ? r->error.mean : NAN; }
static double nanoseconds(double seconds, const struct stream_result *r) {
  return share(1e9 * seconds, (double)r->all.rotations);
}
/* The age that this share of all is not beyond. */
static double milliseconds(const struct stream_result *r, double of_all) {
  const double rank = ceil(of_all * (double)r->ages);
  return r->ages ? 1000 * r->age[rank > 1 ? (size_t)rank - 1 : 0] : NAN;
}

/* text. -------------------------------------------------------------------------------------------------- */

static void print_link(const struct stream_settings *s) {
  const struct link_settings *link = &s->link;
  printf("the link: %g ms", 1000 * link->delay);
  if (link->jitter > 0) printf(" and up to %g more", 1000 * link->jitter);
  printf(" each way");
  if (link->loss > 0) printf(", %g%% lost, %.3g in a row on average", 100 * link->loss, link->burst);
  if (link->duplicate > 0) printf(", %g%% come twice", 100 * link->duplicate);
  if (link->reorder) printf(", in any order");
  printf("; seed %d\n", link->seed);
}

static void print_title(const struct stream_report *r) {
  const struct stream_settings *s = r->settings;
  const struct stream_result *sum = r->sum;
  printf("quatsimd %s: %s rotation%s in %s stream%s; %s kernels\n", quatsimd_version(),
         text_number(sum->all.rotations), text_plural(sum->all.rotations), text_number(r->count),
         text_plural(r->count), quatsimd_isa());
  printf("bound %g degrees, %d states%s; key packets: those needed", s->bound, s->options.state_count,
         s->options.reliable ? ", reliable" : "");
  if (s->key) printf(" and every %s", text_number(s->key));
  printf("\n");
  print_link(s);
  if (r->left_out)
    printf("%s curve%s of one key left out\n", text_number(r->left_out), text_plural(r->left_out));
  if (sum->invalid)
    printf("%s invalid rotation%s passed over: the receiver keeps the one before; the errors are those of "
           "the others\n",
           text_number(sum->invalid), text_plural(sum->invalid));
}

static void print_figure(struct table *table, const char *format, double figure) {
  char text[64];
  snprintf(text, sizeof text, format, figure);
  table_cell(table, "%s", isnan(figure) ? "-" : text);
}

/* A table of one row for each stream and one for all, and a name behind each: cells has the others. */
struct block {
  unsigned columns; /* with the name */
  const char *const *titles[2];
  void (*cells)(struct table *table, const struct stream_result *r);
};

static void print_block(const struct stream_report *report, const struct block *block) {
  struct table table = {.columns = block->columns, .left = 1u << (block->columns - 1)};
  for (int line = 0; line < 2; line++) table_row(&table, block->titles[line]);
  for (size_t i = 0; i < report->count; i++) {
    const struct stream_result *r = &report->results[i];
    char *path = text_clean(r->path);
    block->cells(&table, r);
    table_cell(&table, "%s%s%s", path, *r->motion->name ? ": " : "", r->motion->name);
    free(path);
  }
  if (report->count > 1) {
    block->cells(&table, report->sum);
    table_cell(&table, "all %s streams", text_number(report->count));
  }
  putchar('\n');
  table_print(&table, 2, stdout);
  table_free(&table);
}

static void sent_cells(struct table *table, const struct stream_result *r) {
  table_cell(table, "%s", r->motion ? text_number(r->motion->bodies) : "-");
  table_cell(table, "%s", text_number(r->all.packets));
  print_figure(table, "%.2f%%", 100 * key_share(r));
  table_cell(table, "%s", text_number(r->all.bytes));
  table_cell(table, "%s", text_number(r->all.longest));
  print_figure(table, "%.2f", bits_per_second(r) / 1000);
  print_figure(table, "%.3f", bits_per_rotation(r->all));
  print_figure(table, "%.3f", payload_per_rotation(others(r)));
}

static void timed_cells(struct table *table, const struct stream_result *r) {
  sent_cells(table, r);
  print_figure(table, "%.1f", nanoseconds(r->encode, r));
  print_figure(table, "%.1f", nanoseconds(r->decode, r));
}

static void came_cells(struct table *table, const struct stream_result *r) {
  table_cell(table, "%s", text_number(r->all.packets - r->arrived));
  table_cell(table, "%s", text_number(r->duplicates));
  table_cell(table, "%s", text_number(r->late));
  print_figure(table, "%.6g%%", 100 * decoded_share(r));
  print_figure(table, "%.6f", worst_error(r));
  print_figure(table, "%.6f", mean_error(r));
  print_figure(table, "%.1f", milliseconds(r, 0.5));
  print_figure(table, "%.1f", milliseconds(r, 0.99));
}

void stream_report_print(const struct stream_report *report) {
  static const char *const sent[2][9] = {{"", "", "key", "", "longest", "kbit per", "bits per", "payload",
                                          ""},
                                         {"bodies", "packets", "packets", "bytes", "packet", "second",
                                          "rotation", "bits", "sent"}},
                           *const timed[2][11] = {{"", "", "key", "", "longest", "kbit per", "bits per",
                                                   "payload", "encode", "decode", ""},
                                                  {"bodies", "packets", "packets", "bytes", "packet",
                                                   "second", "rotation", "bits", "ns", "ns", "sent"}},
                           *const came[2][9] = {
                               {"", "", "", "", "worst error", "mean error", "age, ms", "age, ms", ""},
                               {"lost", "twice", "late", "decoded", "degrees", "degrees", "median", "99%",
                                "received"}};
  print_title(report);
  print_block(report, report->settings->timed ? &(struct block){11, {timed[0], timed[1]}, timed_cells}
                                              : &(struct block){9, {sent[0], sent[1]}, sent_cells});
  print_block(report, &(struct block){9, {came[0], came[1]}, came_cells});
}

/* JSON. -------------------------------------------------------------------------------------------------- */

static void json_add_figures(cJSON *entry, const struct stream_result *r, bool timed) {
  json_add_number(entry, "packets", (double)r->all.packets);
  json_add_number(entry, "key_packets", (double)r->key.packets);
  json_add_number(entry, "rotations", (double)r->all.rotations);
  json_add_number(entry, "invalid", (double)r->invalid);
  json_add_number(entry, "bytes", (double)r->all.bytes);
  json_add_number(entry, "longest_packet_bytes", (double)r->all.longest);
  json_add_number(entry, "seconds", r->seconds);
  json_add_number(entry, "packets_per_second", packets_per_second(r));
  json_add_number(entry, "bits_per_second", bits_per_second(r));
  json_add_number(entry, "bits_per_rotation", bits_per_rotation(r->all));
  json_add_number(entry, "payload_bits_per_rotation", payload_per_rotation(r->all));
  json_add_number(entry, "payload_bits_per_rotation_of_key_packets", payload_per_rotation(r->key));
  json_add_number(entry, "payload_bits_per_rotation_of_others", payload_per_rotation(others(r)));
  json_add_number(entry, "lost", (double)(r->all.packets - r->arrived));
  json_add_number(entry, "arrived", (double)r->arrived);
  json_add_number(entry, "duplicates", (double)r->duplicates);
  json_add_number(entry, "late", (double)r->late);
  json_add_number(entry, "decoded", (double)r->decoded);
  json_add_number(entry, "decoded_share", decoded_share(r));
  json_add_number(entry, "worst_error_degrees", worst_error(r));
  json_add_number(entry, "mean_error_degrees", mean_error(r));
  json_add_number(entry, "median_age_milliseconds", milliseconds(r, 0.5));
  json_add_number(entry, "age_milliseconds_99_percent", milliseconds(r, 0.99));
  if (!timed) return;
  json_add_number(entry, "encode_nanoseconds_per_rotation", nanoseconds(r->encode, r));
  json_add_number(entry, "decode_nanoseconds_per_rotation", nanoseconds(r->decode, r));
}

static void json_add_settings(cJSON *tree, const struct stream_settings *s) {
  json_add_number(tree, "bound_degrees", s->bound);
  json_add_number(tree, "states", s->options.state_count);
  json_add_number(tree, "key", (double)s->key);
  cJSON_AddBoolToObject(tree, "reliable", s->options.reliable);
  cJSON *link = cJSON_AddObjectToObject(tree, "link");
  json_add_number(link, "loss", s->link.loss);
  json_add_number(link, "burst", s->link.burst);
  json_add_number(link, "duplicate", s->link.duplicate);
  json_add_number(link, "delay_milliseconds", 1000 * s->link.delay);
  json_add_number(link, "jitter_milliseconds", 1000 * s->link.jitter);
  cJSON_AddBoolToObject(link, "reorder", s->link.reorder);
  json_add_number(link, "seed", s->link.seed);
}

void stream_report_print_json(const struct stream_report *report) {
  const struct stream_settings *s = report->settings;
  cJSON *tree = cJSON_CreateObject();
  cJSON_AddStringToObject(tree, "version", quatsimd_version());
  cJSON_AddStringToObject(tree, "kernels", quatsimd_isa());
  json_add_settings(tree, s);
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
