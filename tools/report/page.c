#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/message.h"
#include "base/names.h"
#include "base/quantity.h"
#include "base/text.h"
#include "report/chart.h"
#include "report/html.h"
#include "report/page_part.h"

/* clips in the table, at most; so many are all shown in detail */
enum { PAGE_ROWS = 1000, PAGE_DETAILS = 4 };

struct page {
  struct output *o;
  const struct clip_settings *settings;
  const struct page_clip *clips;
  size_t count, left_out;
  struct page_bound bound[PAGE_ERRORS];
  const struct page_clip **largest; /* all, the largest first */
};

void page_bounds(const struct bounds *bounds, struct page_bound bound[CLIP_CHECK_ERRORS]) {
  static const char of_file[] = "the file\xe2\x80\x99s unit";
  static const char *const names[] = {"rotation", "translation", "scale", "object space"};
  static const char *const units[] = {"degrees", of_file, "", of_file};
  for (int e = 0; e < CLIP_CHECK_ERRORS; e++)
    bound[e] = (struct page_bound){names[e], units[e], bounds_unit(e), bounds->of[e] * bounds_unit(e)};
}

static double share_of(const struct page_clip *clip, int e) { return clip->share[e]; }

double page_share(const struct page_clip *clip) {
  double share = 0;
  for (int e = 0; e < PAGE_ERRORS; e++) share = fmax(share, share_of(clip, e));
  return share;
}

char *page_title(const struct page_clip *clip) {
  return names_join(clip->file, *clip->animation ? ": " : "", clip->animation);
}

/* Are there keys that errors of this kind are of? */
static bool has_keys(const struct page_clip *c, int e) {
  return e == CLIP_CHECK_OBJECT || c->keys[e == PAGE_TRACKS ? QUATSIMD_CLIP_TRACK : e] > 0;
}

static size_t keys_of(const struct page_clip *c) { return c->keys[0] + c->keys[1] + c->keys[2] + c->keys[3]; }

static int compare_sizes(const void *a, const void *b) {
  const struct page_clip *p = *(const struct page_clip *const *)a, *q = *(const struct page_clip *const *)b;
  /* in the order of the files */
  return p->bytes != q->bytes ? (p->bytes < q->bytes ? 1 : -1) : p < q ? -1 : p > q;
}

/* totals. ------------------------------------------------------------------------------------------------ */

static struct page_clip sum_of(const struct page *page, size_t *files) {
  struct page_clip sum = {0};
  *files = 0;
  for (size_t i = 0; i < page->count; i++) {
    const struct page_clip *c = &page->clips[i];
    *files += i == 0 || strcmp(c->file, c[-1].file) != 0;
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) sum.keys[kind] += c->keys[kind];
    sum.bytes += c->bytes, sum.frames += c->frames;
    sum.raw_bytes += c->raw_bytes, sum.seconds += c->seconds;
  }
  return sum;
}

static void put_total(struct output *o, const char *name, const char *value, const char *small) {
  html_print(o, "<div><dt>%s</dt><dd>%s<small>%s</small></dd></div>\n", name, value, small);
}

/* Where the bounds of clips differ, as their units do, their errors are not of one scale. */
static void put_error(const struct page *page, int e) {
  const double unit = page->bound[e].factor;
  const struct page_clip *nearest = page->clips;
  bool one = true;
  for (size_t i = 0; i < page->count; i++) {
    if (share_of(&page->clips[i], e) > share_of(nearest, e)) nearest = &page->clips[i];
    one = one && bounds_are_same(&page->clips[i].bounds, &page->clips->bounds) &&
          page->clips[i].own_bounds->count == 0;
  }
  const double share = share_of(nearest, e);
  html_print(page->o, "<div%s><dt>Worst error, %s</dt><dd>", share > 1 ? " class=\"warn\"" : "",
             page->bound[e].name);
  if (one)
    html_print(page->o, "%.4g%s<small>bound %.4g, %.4g %% of it", nearest->worst[e] * unit,
               e == QUATSIMD_CLIP_ROTATION ? "\xc2\xb0" : "", page->bound[e].bound, 100 * share);
  else html_print(page->o, "%.4g %%<small>of the bound, which differs by file or joint", 100 * share);
  if (e == CLIP_CHECK_OBJECT && one)
    html_print(page->o, "; points %.4g from a joint", nearest->bounds.distance);
  if (one && (e == QUATSIMD_CLIP_TRANSLATION || e == CLIP_CHECK_OBJECT))
    html_put(page->o, "; in the unit of the files");
  html_put(page->o, "</small></dd></div>\n");
}

static void put_totals(const struct page *page) {
  struct output *o = page->o;
  size_t files;
  const struct page_clip sum = sum_of(page, &files);
  char text[100];
  html_put(o, "<dl class=\"totals\">\n");
  snprintf(text, sizeof text, "of %s file%s, %.5g seconds", text_number(files), text_plural(files),
           sum.seconds);
  put_total(o, "Clips", text_number(page->count), text);
  int length = snprintf(text, sizeof text, "%s rotation, %s translation, %s scale", text_number(sum.keys[0]),
                        text_number(sum.keys[1]), text_number(sum.keys[2]));
  if (has_keys(&sum, PAGE_TRACKS))
    snprintf(text + length, sizeof text - (size_t)length, ", %s track",
             text_number(sum.keys[QUATSIMD_CLIP_TRACK]));
  put_total(o, "Keys", text_number(keys_of(&sum)), text);
  put_total(o, "Bytes before", text_number((size_t)sum.raw_bytes), "keys as floats, without their times");
  snprintf(text, sizeof text, "%.2f bits a key", 8 * (double)sum.bytes / (double)keys_of(&sum));
  put_total(o, "Bytes after", text_number(sum.bytes), text);
  put_total(o, "Against floats", text_ratio(sum.raw_bytes, (double)sum.bytes), "bytes after and before");
  for (int e = 0; e < PAGE_ERRORS; e++)
    if (page->bound[e].bound > 0 && has_keys(&sum, e)) put_error(page, e);
  html_put(o, "</dl>\n");
}

static void put_head(const struct page *page) {
  struct output *o = page->o;
  static const char *const loops[] = {
      [CLIP_LOOP_NONE] = "", [CLIP_LOOP_ALL] = "; clips loop", [CLIP_LOOP_AUTO] = "; clips that close loop"};
  const struct clip_settings *s = page->settings;
  html_put(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>Compressed "
              "animations</title>\n<style>\n");
  html_put(o, page_style);
  html_put(o, "</style>\n</head>\n<body>\n<h1>Compressed animations</h1>\n<p class=\"note\">");
  html_print(o, "quatsimd %s%s%s", quatsimd_version(), loops[s->loop],
             s->additive ? "; additive to the first keys"
             : s->base   ? "; additive to another animation"
                         : "");
  if (s->rate > 0) html_print(o, "; %g frames a second", s->rate);
  html_put(o, page->count ? "</p>\n" : "; there are no clips</p>\n");
  if (page->left_out)
    html_print(o,
               "<p class=\"warn\">%s animation%s left out, because something is wrong with %s: see the "
               "messages of the "
               "command.</p>\n",
               text_number(page->left_out), page->left_out == 1 ? " is" : "s are",
               page->left_out == 1 ? "it" : "them");
}

/* size against error. ------------------------------------------------------------------------------------ */

/* Dots that would hide each other are one. */
enum { COLUMNS = 160, LINES = 60 };
struct cell {
  const struct page_clip *first;
  size_t clips;
};

static void put_cell(const struct page *page, const struct chart *chart, const struct cell *cell) {
  const double share = page_share(cell->first);
  char *title = page_title(cell->first);
  html_print(page->o, "<path%s d=\"M%.1f %.1fh0\"><title>", share > 1 ? " class=\"over\"" : "",
             10 * chart_place(&chart->x, (double)cell->first->bytes),
             1000 - 10 * chart_place(&chart->y, 100 * share));
  html_text(page->o, title);
  if (cell->clips > 1) html_print(page->o, " and %s more", text_number(cell->clips - 1));
  html_print(page->o, ": %s bytes, %.3g %% of the bound</title></path>\n", text_number(cell->first->bytes),
             100 * share);
  free(title);
}

static struct chart cloud_chart(const struct page *page) {
  struct chart chart = {
      page->o,
      {"bytes of the clip", (double)page->largest[page->count - 1]->bytes, (double)page->largest[0]->bytes,
       true},
      {"worst error, percent of its bound (of the kind that is nearest to its own)", 90, 100, false}};
  for (size_t i = 0; i < page->count; i++) {
    /* worst may be infinite */
    const double share = fmin(100 * page_share(&page->clips[i]), 1e6);
    chart.y.low = fmin(chart.y.low, share), chart.y.high = fmax(chart.y.high, share);
  }
  chart_round(&chart.x), chart_round(&chart.y);
  return chart;
}

static struct cell *cell_of(struct cell *cells, const struct chart *chart, const struct page_clip *c) {
  const double x = chart_place(&chart->x, (double)c->bytes), y = chart_place(&chart->y, 100 * page_share(c));
  const size_t column = (size_t)(x / 100 * (COLUMNS - 1) + 0.5), line = (size_t)(y / 100 * (LINES - 1) + 0.5);
  return &cells[line * COLUMNS + column];
}

static void put_cloud(const struct page *page) {
  struct chart chart = cloud_chart(page);
  struct cell *cells = memory_get(COLUMNS * LINES, sizeof *cells);
  for (size_t i = 0; i < page->count; i++) {
    struct cell *cell = cell_of(cells, &chart, page->largest[i]);
    if (cell->clips++ == 0) cell->first = page->largest[i];
  }
  const struct chart_name name = {"Size and error of each clip",
                                  "Each dot is a clip, or some that lie together. The dashed line is the "
                                  "bound: what is above it is beyond.",
                                  NULL};
  chart_begin(&chart, &name);
  chart_limit_y(&chart, 100);
  html_put(page->o, "<g class=\"cloud\">\n");
  for (size_t i = 0; i < COLUMNS * LINES; i++)
    if (cells[i].clips) put_cell(page, &chart, &cells[i]);
  html_put(page->o, "</g>\n");
  chart_end(&chart);
  free(cells);
}

/* the table. --------------------------------------------------------------------------------------------- */

static void put_figure(struct output *o, double value, const char *format) {
  char text[40];
  snprintf(text, sizeof text, format, value);
  html_print(o, "<td data-v=\"%.9g\">%s</td>", value, text);
}

static void put_count(struct output *o, size_t value) {
  html_print(o, "<td data-v=\"%zu\">%s</td>", value, text_number(value));
}

static void put_row(const struct page *page, const struct page_clip *c) {
  struct output *o = page->o;
  const double share = page_share(c);
  html_print(o, "<tr%s><th scope=\"row\">", share > 1 ? " class=\"over\"" : "");
  html_text(o, *c->animation ? c->animation : c->file);
  html_put(o, "<small>");
  html_text(o, *c->animation ? c->file : "");
  html_put(o, "</small></th>");
  put_figure(o, c->seconds, "%.2f");
  put_count(o, c->frames);
  put_count(o, c->joints);
  put_count(o, keys_of(c));
  put_count(o, (size_t)c->raw_bytes);
  put_count(o, c->bytes);
  put_figure(o, 8 * (double)c->bytes / (double)keys_of(c), "%.2f");
  html_print(o, "<td data-v=\"%.9g\">%s</td>", c->raw_bytes / (double)c->bytes,
             text_ratio(c->raw_bytes, (double)c->bytes));
  for (int e = 0; e < PAGE_ERRORS; e++) {
    if (page->bound[e].bound == 0) continue;
    if (!has_keys(c, e)) html_put(o, "<td data-v=\"-1\">\xe2\x80\x93</td>");
    else put_figure(o, c->worst[e] * page->bound[e].factor, "%.4g");
  }
  put_figure(o, 100 * share, "%.1f");
  html_put(o, "</tr>\n");
}

static void put_table(const struct page *page) {
  struct output *o = page->o;
  html_put(o, "<h2>Clips</h2>\n<p class=\"note\">");
  if (page->count > PAGE_ROWS)
    html_print(o, "The %s largest of %s clips; totals are of all. ", text_number(PAGE_ROWS),
               text_number(page->count));
  html_put(o, "The largest come first; where scripts run, a click on a heading sorts. Errors are the worst "
              "at keys of the file and between them.</p>\n"
              "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Clips\">\n<table "
              "class=\"sort\">\n<thead><tr><th scope=\"col\">clip</th>"
              "<th scope=\"col\">seconds</th><th scope=\"col\">frames</th><th scope=\"col\">joints</th><th "
              "scope=\"col\">keys</th>"
              "<th scope=\"col\">bytes before</th><th scope=\"col\">bytes after</th><th scope=\"col\">bits a "
              "key</th><th scope=\"col\">against floats</th>");
  for (int e = 0; e < PAGE_ERRORS; e++)
    if (page->bound[e].bound > 0)
      html_print(o, "<th scope=\"col\">%s error<small>%s</small></th>", page->bound[e].name,
                 page->bound[e].unit);
  html_put(o, "<th scope=\"col\">of the bound<small>percent</small></th></tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < page->count && i < PAGE_ROWS; i++) put_row(page, page->largest[i]);
  html_put(o, "</tbody>\n</table>\n</div>\n");
}

/* -------------------------------------------------------------------------------------------------------- */

static bool put_details(const struct page *page) {
  const struct page_clip *nearest = page->largest[0];
  for (size_t i = 0; i < page->count; i++)
    if (page_share(&page->clips[i]) > page_share(nearest)) nearest = &page->clips[i];
  html_put(page->o, "<h2>In detail</h2>\n");
  if (page->count > PAGE_DETAILS)
    html_put(page->o, "<p class=\"note\">The clip that is nearest to its bound, or farthest beyond it, and "
                      "the largest one.</p>\n");
  bool good = true;
  for (size_t i = 0; i < page->count; i++) {
    const struct page_clip *c = &page->clips[i];
    if (page->count <= PAGE_DETAILS || c == nearest || c == page->largest[0])
      good = page_put_clip(page->o, page->settings, c) && good;
  }
  return good;
}

bool page_has_name(const char *path) { return file_name_ends(path, ".html") || file_name_ends(path, ".htm"); }

bool page_may_be_written(const char *path) {
  struct output output;
  /* an animation, if the page was forgotten */
  if (!page_has_name(path)) {
    complain(path, "is not a name for a page: it must end in .html or .htm");
    return false;
  }
  if (!output_open(&output, path)) return false;
  output_cancel(&output);
  return true;
}

bool page_write(const char *path, const struct clip_settings *settings, const struct page_clip *clips,
                size_t count, size_t left_out) {
  struct output output;
  struct page page = {
      &output, settings, clips, count, left_out, {{0}}, memory_get(count, sizeof(struct page_clip *))};
  bool good = output_open(&output, path);
  page_bounds(&settings->asked.bounds, page.bound); /* for which there are any: in other units */
  for (size_t i = 0; i < count; i++) {
    page.largest[i] = &clips[i];
    if (has_keys(&clips[i], PAGE_TRACKS))
      page.bound[PAGE_TRACKS] = (struct page_bound){"track", "", 1, settings->track_bound};
  }
  qsort(page.largest, count, sizeof(struct page_clip *), compare_sizes);
  if (good) {
    put_head(&page);
    if (count > 0) put_totals(&page);
    if (count > 1) put_cloud(&page);
    if (count > 0) {
      put_table(&page);
      good = put_details(&page);
    }
    html_put(&output, "<script>\n");
    html_put(&output, page_script);
    html_put(&output, "</script>\n</body>\n</html>\n");
    good = output_close(&output) && good;
  }
  free(page.largest);
  return good;
}
