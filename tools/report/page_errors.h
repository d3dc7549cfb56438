/* How far a clip is off, by joint and by time. */
#ifndef PAGE_ERRORS_H
#define PAGE_ERRORS_H

#include "clips/bounds.h"

struct page_errors {
  struct clip_tally (*joint)[CLIP_CHECK_ERRORS];
  size_t times;                            /* of keys and between them, rising */
  double *time, *worst[CLIP_CHECK_ERRORS]; /* of all joints; -1: none moves there */
  const struct bounds *bounds;
  const struct clip_source *source;
};

/* base: as of clip_check. Errors of a joint with a bound of its own count by time in parts of that: as if the
 * bounds of all were it. */
quatsimd_status page_errors_measure(struct page_errors *errors, const struct clip_source *source,
                                    const quatsimd_clip_source *base, const quatsimd_clip *clip,
                                    const quatsimd_pose_in *pose, const struct bounds *bounds);
void page_errors_free(struct page_errors *errors);

#endif
