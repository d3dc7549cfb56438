/* The page of a report: one HTML file that needs nothing else. */
#ifndef PAGE_H
#define PAGE_H

#include "clips/encode.h"

/* Errors on the page: as in a clip_check, and of tracks. */
enum { PAGE_TRACKS = CLIP_CHECK_ERRORS, PAGE_ERRORS };

/* One clip of the report. */
struct page_clip {
  const char *file; /* the input, as shown */
  /* to read them again: the paths of the input and of the bundle, null if that was not written; and the
   * clip's name there */
  const char *source, *bundle, *clip;
  size_t number;         /* of the animation in the file */
  const char *animation; /* its name; may be empty */
  size_t joints, frames, keys[QUATSIMD_CLIP_KIND_COUNT], bytes;
  double raw_bytes, seconds, worst[PAGE_ERRORS]; /* as clip_error.worst */
  double share[PAGE_ERRORS];                     /* as of clip_result */
  double moved;                                  /* seconds, as clip_source_move */
  struct bounds bounds;
  const struct joint_bounds *own_bounds; /* of joints, in the unit of the file */
};

/* Does the name end as those of pages? */
bool page_has_name(const char *path);
/* Returns false and complains if it is known beforehand that there can be no such file. */
bool page_may_be_written(const char *path);

/* Writes the page (beside, then renamed); clips of one file follow each other. left_out: animations that
 * are not there because something is wrong with them. False and a complaint if it cannot be written, then
 * nothing is; or if a clip that is shown in detail or its input cannot be read again, then the page says
 * so. */
bool page_write(const char *path, const struct clip_settings *settings, const struct page_clip *clips,
                size_t count, size_t left_out);

#endif
