#include "report/verify_summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "terminal/print.h"
#include "terminal/table.h"

void verify_summary_add(struct verify_summary *summary, const struct verification *v, const char *name) {
  struct verify_row row = {.name = text_clean(name), .clips = 1, .unbound = !verify_has_bound(v)};
  for (int kind = 0; kind < VERIFY_KINDS; kind++) {
    row.total[kind] = verify_total(v, kind);
    if (verify_is_beyond(v, kind)) row.beyond = 1;
  }
  const struct verify_vertices vertices = verify_vertices(v);
  const bool by_hand = summary->worst.by_hand || vertices.by_hand;
  if (vertices.metric && vertices.off > summary->worst.off) {
    free(summary->worst.where);
    summary->worst = vertices;
  } else free(vertices.where);
  summary->worst.by_hand = by_hand;
  summary->row = memory_grow(summary->row, summary->count, sizeof *summary->row);
  summary->row[summary->count++] = row;
  if (summary->list) cJSON_AddItemToArray(summary->list, verify_report_tree(v));
}

/* Means are over the keys of all clips. */
static struct verify_row sum_of(const struct verify_summary *summary) {
  struct verify_row sum = {0};
  for (size_t i = 0; i < summary->count; i++) {
    const struct verify_row *row = &summary->row[i];
    sum.clips += row->clips, sum.beyond += row->beyond, sum.unbound += row->unbound;
    for (int kind = 0; kind < VERIFY_KINDS; kind++) {
      struct clip_tally *to = &sum.total[kind];
      const struct clip_tally *from = &row->total[kind];
      to->count += from->count, to->sum += from->sum;
      to->worst = fmax(to->worst, from->worst);
      to->at_keys = fmax(to->at_keys, from->at_keys), to->between = fmax(to->between, from->between);
    }
  }
  return sum;
}

/* text. -------------------------------------------------------------------------------------------------- */

static void add_titles(struct table *table, const struct verify_row *sum) {
  for (int line = 0; line < 2; line++) {
    for (int kind = 0; kind < VERIFY_KINDS; kind++) {
      if (sum->total[kind].count == 0) continue;
      table_cell(table, "%s", line ? "worst" : clip_check_names[kind]);
      table_cell(table, "%s", line ? "mean" : kind == QUATSIMD_CLIP_ROTATION ? "degrees" : "");
    }
    table_cell(table, "%s", line ? "" : "bounds"); /* no spaces at the end of a line */
    table_cell(table, "%s", line ? "clip" : "");
  }
}

static void add_row(struct table *table, const struct verify_row *row, const struct verify_row *sum) {
  for (int kind = 0; kind < VERIFY_KINDS; kind++) {
    const struct clip_tally *total = &row->total[kind];
    const double unit = bounds_unit(kind);
    if (sum->total[kind].count == 0) continue;
    table_cell_if(table, total->count > 0, "%.4g", total->worst * unit);
    table_cell_if(table, total->count > 0, "%.4g", verify_mean(total) * unit);
  }
  table_cell(table, "%s", row->beyond ? "beyond" : row->unbound == row->clips ? "-" : "within");
}

static void print_rows(const struct verify_summary *summary, const struct verify_row *sum) {
  struct table table = {.columns = 2};
  for (int kind = 0; kind < VERIFY_KINDS; kind++) table.columns += sum->total[kind].count ? 2 : 0;
  table.left = 3u << (table.columns - 2);
  add_titles(&table, sum);
  for (size_t i = 0; i < summary->count; i++) {
    add_row(&table, &summary->row[i], sum);
    table_cell(&table, "%s", summary->row[i].name);
  }
  if (summary->count > 1) {
    add_row(&table, sum, sum);
    table_cell(&table, "all %s clips", text_number(summary->count));
  }
  table_print(&table, 2);
  print("\n");
}

static void print_text(const struct verify_summary *summary, const struct verify_row *sum) {
  if (summary->count > 0) print_rows(summary, sum);
  verify_vertices_print(&summary->worst);
  print("%s within their bounds, %s beyond, ", text_number(sum->clips - sum->beyond - sum->unbound),
        text_number(sum->beyond));
  print("%s without bounds, %s not compared\n", text_number(sum->unbound), text_number(summary->failed));
}

/* JSON. -------------------------------------------------------------------------------------------------- */

static void print_json(const struct verify_summary *summary, const struct verify_row *sum) {
  cJSON *tree = cJSON_CreateObject();
  cJSON_AddStringToObject(tree, "quatsimd", quatsimd_version());
  cJSON_AddItemToObject(tree, "clips", summary->list);
  cJSON *all = cJSON_AddObjectToObject(tree, "all");
  json_add_number(all, "within", (double)(sum->clips - sum->beyond - sum->unbound));
  json_add_number(all, "beyond", (double)sum->beyond);
  json_add_number(all, "without_bounds", (double)sum->unbound);
  json_add_number(all, "not_compared", (double)summary->failed);
  json_add_figure(all, "vertices_off_mm", summary->worst.off, summary->worst.off > 0);
  for (int kind = 0; kind < VERIFY_KINDS; kind++) verify_add_tally(all, kind, &sum->total[kind]);
  json_print(tree);
}

void verify_summary_print(const struct verify_summary *summary) {
  const struct verify_row sum = sum_of(summary);
  (summary->list ? print_json : print_text)(summary, &sum);
}

void verify_summary_free(struct verify_summary *summary) {
  for (size_t i = 0; i < summary->count; i++) free(summary->row[i].name);
  free(summary->row), free(summary->worst.where);
  *summary = (struct verify_summary){0};
}
