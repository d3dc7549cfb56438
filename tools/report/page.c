#include "report/page.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "files/file.h"
#include "files/output.h"
#include "report/detail.h"
#include "terminal/message.h"

/* so many clips are all shown in detail */
enum { DETAILS = 4 };

extern const char page_template[]; /* page.html, which the build embeds */

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

/* Returns the largest share of any bound. Beside a bound of the mesh, joints without vertices count if they
 * are beyond. */
static double share_of(const struct clip_result *r) {
  double share = r->track_error.share;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) share = fmax(share, r->share[i]);
  if (r->asked.mesh == 0 || !r->nearest || share > 1) return share;
  return fmax(r->track_error.share, r->nearest_share);
}

/* Adds what only the page has. Without room for all details, the clip nearest to its bound and the largest
 * one have them. */
static bool add_details(cJSON *tree, const struct clip_report *report) {
  const struct compress *c = report->compress;
  const struct clip_result *nearest = c->result, *largest = c->result;
  cJSON *entry = cJSON_GetObjectItemCaseSensitive(tree, "animations")->child;
  bool good = true;
  for (const struct clip_result *r = c->result; r < c->result + c->count; r++) {
    if (share_of(r) > share_of(nearest)) nearest = r;
    if (r->size > largest->size) largest = r;
  }
  for (const struct compressed_file *f = c->done; f < c->done + c->done_count; f++)
    for (size_t i = 0; i < f->count; i++, entry = entry->next) {
      const struct clip_result *r = &c->result[f->first + i];
      const double height = r->bounds.height,
                   metres = height > 0 ? 1 / height : f->metres; /* counts as one */
      json_add_figure(entry, "metres_per_unit", metres, metres > 0);
      const double mesh = (c->of[f->first + i].own ? &c->of[f->first + i].bounds : &f->bounds)->mesh;
      json_add_figure(entry, "mesh_bound", mesh, mesh > 0);
      if (c->count <= DETAILS || r == nearest || r == largest)
        good = detail_add(entry, c, f, f->first + i) && good;
    }
  return good;
}

/* JSON has < in texts alone, where this is the same; no text ends the script. */
static void write_json(struct output *o, const char *json) {
  for (size_t size; *json; json += size) {
    size = strcspn(json, "<");
    if (size > 0) output_write(o, json, size);
    else output_write(o, "\\u003c", 6), size = 1;
  }
}

bool page_write(const char *path, const struct clip_report *report) {
  static const char mark[] = "@RUN@";
  const char *place = strstr(page_template, mark), *rest = place + sizeof mark - 1;
  struct output output;
  if (!output_open(&output, path)) return false;
  cJSON *tree = clip_report_json(report);
  bool good = add_details(tree, report);
  char *json = cJSON_PrintUnformatted(tree);
  output_write(&output, page_template, (size_t)(place - page_template));
  write_json(&output, memory_or_exit(json));
  output_write(&output, rest, strlen(rest));
  good = output_close(&output) && good;
  cJSON_free(json);
  cJSON_Delete(tree);
  return good;
}
