/* One clip in detail: the input and the clip are read again and compared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/text.h"
#include "bundle/separate.h"
#include "clip/inspect.h"
#include "clips/origin.h"
#include "clips/rest.h"
#include "clips/source.h"
#include "report/chart.h"
#include "report/html.h"
#include "report/page_curve.h"
#include "report/page_errors.h"
#include "report/page_part.h"

enum { JOINTS = 200, POINTS = 400 }; /* joints in the table and times in a chart, at most */

struct detail {
  struct output *o;
  const struct clip_settings *settings;
  const struct bounds *bounds;
  struct page_bound bound[CLIP_CHECK_ERRORS]; /* the same, as they are shown */
  struct skeleton skeleton;
  struct clip_source source;
  struct clip_base_on on; /* what it is put on, if that is another animation */
  struct given_clip given;
  struct clip_rest rest;
  struct page_errors errors;
};

/* reading. ----------------------------------------------------------------------------------------------- */

/* Of the clip that was read. */
static bool read_source(struct detail *d, const struct page_clip *c) {
  if (!skeleton_read_like(c->source, &d->given.skeleton, quatsimd_clip_skeleton_hash(d->given.clip.clip),
                          NULL, NULL, &d->skeleton))
    return false;
  for (size_t a = 0; a < d->skeleton.scene.animations; a++)
    if (d->skeleton.scene.animation[a].number == c->number) {
      clip_source_make(&d->source, &d->skeleton, a, d->settings->only);
      if (d->settings->asked.bounds.distance > 0) clip_source_stand_at_rest(&d->source);
      joint_bounds_apply(c->own_bounds, &c->bounds, &d->source);
      if (d->settings->base) {
        const bool kinds[] = {quatsimd_clip_curve_count(d->given.clip.clip, 0) > 0,
                              quatsimd_clip_curve_count(d->given.clip.clip, 1) > 0,
                              quatsimd_clip_curve_count(d->given.clip.clip, 2) > 0};
        clip_base_put_under(d->settings->base, kinds, true, &d->source, &d->on);
      }
      if (c->moved > 0) clip_source_move(&d->source, d->on.joint ? &d->on.source : NULL, d->settings->rate);
      return true;
    }
  complain(c->source, "animation %zu cannot be read again", c->number);
  return false;
}

/* Takes the clip out of its bundle, as its bytes by joint are those of a clip by itself. */
static bool separate(struct clip_file *clip, const char *path) {
  struct clip_file own = {.path = path, .storage = memory_get(1, sizeof *own.storage)};
  void *data;
  if (quatsimd_clip_separate(&data, &own.size, clip->clip, NULL) != QUATSIMD_OK) (void)memory_or_exit(NULL);
  own.data = data;
  clip_file_free(clip);
  *clip = own;
  return quatsimd_clip_open(&clip->clip, clip->storage, sizeof *clip->storage, data, clip->size) ==
         QUATSIMD_OK;
}

static bool read_clip(struct detail *d, const struct page_clip *c) {
  if (!given_clip_read(&d->given, c->bundle, c->clip) || !separate(&d->given.clip, c->bundle) ||
      !read_source(d, c))
    return false;
  if (!clip_origin_fits(&d->given.clip, c->source, &d->skeleton)) return false;
  clip_rest_make(&d->rest, d->given.clip.clip, d->skeleton.file.skeleton);
  return true;
}

static void free_detail(struct detail *d) {
  page_errors_free(&d->errors);
  clip_rest_free(&d->rest);
  clip_base_on_free(&d->on);
  clip_source_free(&d->source);
  skeleton_free(&d->skeleton);
  given_clip_free(&d->given);
}

/* Does the page show errors of this kind? */
static bool has_errors(const struct detail *d, int e) {
  return d->bound[e].bound > 0 && (e == CLIP_CHECK_OBJECT || d->source.keys[e] > 0);
}

/* In parts of the joint's bound. */
static double share_of(const struct detail *d, int e, size_t joint, double worst) {
  return worst / bounds_of_joint(d->bounds, &d->source.joint[joint], e);
}

static const quatsimd_clip_source *base_of(const struct detail *d) {
  return d->on.joint ? &d->on.source : NULL;
}

/* by joint. ---------------------------------------------------------------------------------------------- */

struct row {
  size_t joint;
  double bytes;
};

static int compare_rows(const void *a, const void *b) {
  const struct row *p = a, *q = b;
  return p->bytes != q->bytes ? (p->bytes < q->bytes ? 1 : -1) : p->joint < q->joint ? -1 : 1;
}

static void put_size(const struct detail *d, double bytes, double largest) {
  html_print(d->o,
             "<td class=\"bar size\" style=\"--v:%.4f\" data-v=\"%.4f\">%.1f<small>%.1f %%</small></td>",
             largest > 0 ? bytes / largest : 0, bytes, bytes, 100 * bytes / (double)d->given.clip.size);
}

static void put_joint_errors(const struct detail *d, size_t joint) {
  for (int e = 0; e < CLIP_CHECK_ERRORS; e++) {
    const struct clip_tally *error = &d->errors.joint[joint][e];
    if (!has_errors(d, e)) continue;
    if (error->count == 0) {
      html_put(d->o, "<td data-v=\"-1\">\xe2\x80\x93</td>");
      continue;
    }
    const double share = share_of(d, e, joint, error->worst), mean = error->sum / (double)error->count;
    html_print(d->o,
               "<td class=\"bar error%s\" style=\"--v:%.4f;--m:%.4f\" data-v=\"%.9g\">%.4g<small>mean "
               "%.3g</small></td>",
               share > 1 ? " over" : "", fmin(share, 1), fmin(share_of(d, e, joint, mean), 1),
               error->worst * d->bound[e].factor, error->worst * d->bound[e].factor,
               mean * d->bound[e].factor);
  }
}

static void put_joint_head(const struct detail *d) {
  html_put(d->o,
           "<thead><tr><th scope=\"col\">joint</th><th scope=\"col\">bytes<small>of the clip</small></th>");
  for (int e = 0; e < CLIP_CHECK_ERRORS; e++)
    if (has_errors(d, e))
      html_print(d->o, "<th scope=\"col\">%s error%s%s<small>bar: 0 to the bound, %.4g</small></th>",
                 d->bound[e].name, *d->bound[e].unit ? ", " : "", d->bound[e].unit, d->bound[e].bound);
  html_put(d->o, "</tr></thead>\n");
}

/* The bytes that are of no row above. */
static void put_rest(const struct detail *d, const char *name, double bytes, double largest) {
  html_print(d->o, "<tr><th scope=\"row\">%s</th>", name);
  put_size(d, bytes, largest);
  html_put(d->o, "</tr>\n");
}

static void put_joints(const struct detail *d) {
  const size_t joints = quatsimd_clip_joint_count(d->given.clip.clip);
  struct row *row = memory_get(joints, sizeof *row);
  double *bytes = memory_get(joints, sizeof *bytes), others = 0;
  struct clip_sections sections;
  quatsimd_inspect_sections(&sections, d->given.clip.clip);
  double tracks = 0;
  for (int i = 0; i < CLIP_SECTIONS; i++) tracks += (double)sections.bytes[i][QUATSIMD_CLIP_TRACK];
  const double common = quatsimd_inspect_joints(d->given.clip.clip, bytes) - tracks;
  for (size_t j = 0; j < joints; j++) row[j] = (struct row){j, bytes[j]};
  qsort(row, joints, sizeof *row, compare_rows);
  const double largest = joints ? row[0].bytes : 0;
  html_put(
      d->o,
      "<h4>Size and error by joint</h4>\n<p class=\"note\">The largest come first. Error bars: pale to the "
      "worst, dark to the mean; the line at "
      "the right is the bound.</p>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Size and error by joint\">\n<table "
      "class=\"sort\">\n");
  put_joint_head(d);
  html_put(d->o, "<tbody>\n");
  for (size_t i = 0; i < joints && i < JOINTS; i++) {
    html_put(d->o, "<tr><th scope=\"row\">");
    html_text(d->o, clip_source_joint(&d->source, row[i].joint));
    html_put(d->o, "</th>");
    put_size(d, row[i].bytes, largest);
    put_joint_errors(d, row[i].joint);
    html_put(d->o, "</tr>\n");
  }
  html_put(d->o, "</tbody>\n<tfoot>\n");
  for (size_t i = JOINTS; i < joints; i++) others += row[i].bytes;
  if (joints > JOINTS) {
    char name[60];
    snprintf(name, sizeof name, "%s more joints", text_number(joints - JOINTS));
    put_rest(d, name, others, largest);
  }
  if (tracks > 0) put_rest(d, "tracks", tracks, largest);
  put_rest(d, "common: head, masks, plans, padding", common, largest);
  html_put(d->o, "</tfoot>\n</table>\n</div>\n");
  free(bytes);
  free(row);
}

/* by time. ----------------------------------------------------------------------------------------------- */

/* The largest of neighbours, where there are too many times: so high that nothing is hidden. */
static size_t take_times(const struct detail *d, int e, double *x, double *y) {
  const struct page_errors *errors = &d->errors;
  const size_t each = (errors->times + POINTS - 1) / POINTS;
  size_t count = 0;
  for (size_t i = 0; i < errors->times; i += each) {
    double worst = -1, time = 0;
    for (size_t k = i; k < errors->times && k < i + each; k++)
      if (errors->worst[e][k] > worst) worst = errors->worst[e][k], time = errors->time[k];
    if (worst >= 0) x[count] = time, y[count++] = 100 * worst / d->bounds->of[e];
  }
  return count;
}

static void put_times(const struct detail *d) {
  const struct page_errors *errors = &d->errors;
  char text[CLIP_CHECK_ERRORS][80], note[200];
  const char *legend[CLIP_CHECK_ERRORS + 1] = {NULL};
  double *x[CLIP_CHECK_ERRORS], *y[CLIP_CHECK_ERRORS], high = 100;
  size_t count[CLIP_CHECK_ERRORS];
  int series = 0;
  for (int e = 0; e < CLIP_CHECK_ERRORS; e++) {
    if (!has_errors(d, e)) continue;
    x[series] = memory_get(POINTS, sizeof(double)), y[series] = memory_get(POINTS, sizeof(double));
    count[series] = take_times(d, e, x[series], y[series]);
    for (size_t i = 0; i < count[series]; i++) high = fmax(high, fmin(y[series][i], 1e6));
    snprintf(text[series], sizeof text[series], "%s, bound %.4g%s", d->bound[e].name, d->bound[e].bound,
             e == QUATSIMD_CLIP_ROTATION ? "\xc2\xb0" : "");
    legend[series] = text[series];
    series++;
  }
  struct chart chart = {d->o,
                        {"seconds", errors->time[0], errors->time[errors->times - 1], false},
                        {"percent of the bound", 0, high, false}};
  if (chart.x.high <= chart.x.low) chart.x.high = chart.x.low + 1;
  chart_round(&chart.y);
  snprintf(note, sizeof note, "The worst joint at keys and between them%s. The dashed line is the bound.",
           errors->times > POINTS ? ", of some neighbouring times the worst" : "");
  const struct chart_name name = {"Error over time", note, legend};
  chart_begin(&chart, &name);
  chart_limit_y(&chart, 100);
  for (int s = 0; s < series; s++) {
    chart_line(&chart, s, x[s], y[s], count[s]);
    free(x[s]), free(y[s]);
  }
  chart_end(&chart);
}

/* the worst curve. --------------------------------------------------------------------------------------- */

static size_t keys_of(const struct detail *d, size_t joint, int kind) {
  return clip_check_curve(&d->source.joint[joint], kind)->key_count;
}

/* Of curves with more than one key, the one that uses most of its bound; with a bound in object space, one
 * that may be to blame: of the joint that is farthest off there, or of the nearest above it that moves. */
static void put_curve(const struct detail *d) {
  const bool object = d->settings->asked.bounds.distance > 0;
  double worst = -1;
  size_t joint = 0;
  int kind = 0;
  for (size_t j = 0; j < quatsimd_clip_joint_count(d->given.clip.clip); j++)
    for (int e = 0; e < CLIP_CHECK_ERRORS; e++) {
      const struct clip_tally *error = &d->errors.joint[j][e];
      if (!has_errors(d, e) || error->count == 0 || (!object && keys_of(d, j, e) < 2)) continue;
      const double share = share_of(d, e, j, error->worst);
      if (share > worst) worst = share, joint = j, kind = e;
    }
  if (worst < 0) return;
  if (object) {
    for (;; joint = (size_t)d->source.joint[joint].parent) {
      for (kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT && keys_of(d, joint, kind) < 2;) kind++;
      if (kind < QUATSIMD_CLIP_JOINT_KIND_COUNT) break;
      if (d->source.joint[joint].parent < 0) return;
    }
  }
  struct page_bound bound = d->bound[kind];
  bound.bound = bounds_of_joint(d->bounds, &d->source.joint[joint], kind) * bound.factor;
  page_put_curve(d->o, &d->source, base_of(d), d->given.clip.clip, d->rest.pose, joint, kind,
                 d->errors.joint[joint][kind].time, &bound);
}

/* -------------------------------------------------------------------------------------------------------- */

static bool measure(struct detail *d, const struct page_clip *c) {
  const quatsimd_status status =
      page_errors_measure(&d->errors, &d->source, base_of(d), d->given.clip.clip, d->rest.pose, d->bounds);
  if (status < 0)
    complain(c->bundle, "cannot be compared with its animation: %s", quatsimd_status_string(status));
  return status >= 0;
}

bool page_put_clip(struct output *o, const struct clip_settings *settings, const struct page_clip *c) {
  struct detail d = {.o = o, .settings = settings, .bounds = &c->bounds};
  char *title = page_title(c);
  html_put(o, "<section>\n<h3>");
  html_text(o, title);
  html_put(o, "</h3>\n");
  page_bounds(&c->bounds, d.bound);
  const bool good = c->bundle && read_clip(&d, c) && measure(&d, c);
  if (good) {
    put_joints(&d);
    if (d.errors.times > 0) put_times(&d); /* none if no joint has a key */
    put_curve(&d);
  } else
    html_put(o, c->bundle
                    ? "<p class=\"warn\">The file or its bundle could not be read again: see the messages of "
                      "the command.</p>\n"
                    : "<p class=\"warn\">The bundle was not written: see the messages of the command.</p>\n");
  html_put(o, "</section>\n");
  free(title);
  free_detail(&d);
  return good;
}
