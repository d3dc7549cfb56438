/* The parts of the page. */
#ifndef PAGE_PART_H
#define PAGE_PART_H

#include "base/output.h"
#include "report/page.h"

/* A page's part on errors of one kind, where there are bounds. */
struct page_bound {
  const char *name, *unit; /* "rotation", "degrees"; a unit may be empty */
  double factor;           /* from what errors are measured in to the unit */
  double bound;            /* in the unit; 0: none */
};
void page_bounds(const struct bounds *bounds, struct page_bound bound[CLIP_CHECK_ERRORS]);

/* The largest error of a clip in parts of its bound. */
double page_share(const struct page_clip *clip);

/* "hero.glb: Walk", to be freed. */
char *page_title(const struct page_clip *clip);

/* Sizes and errors of the clip by joint and by time, and its worst curve. False and a complaint if it
 * cannot be read again. */
bool page_put_clip(struct output *o, const struct clip_settings *settings, const struct page_clip *clip);

extern const char page_style[], page_script[]; /* page.css and page.js, which the build embeds */

#endif
