/* How far a clip is off, by joint and by time. */
#ifndef PAGE_ERRORS_H
#define PAGE_ERRORS_H

#include "clips/check.h"

struct page_errors {
  struct clip_tally (*joint)[CLIP_CHECK_ERRORS];
  size_t times;                            /* of keys and between them, rising */
  double *time, *worst[CLIP_CHECK_ERRORS]; /* of all joints; -1: none moves there */
};

quatsimd_status page_errors_measure(struct page_errors *errors, const quatsimd_clip_source *source,
                                    const quatsimd_clip *clip, const quatsimd_pose_in *pose, double distance);
void page_errors_free(struct page_errors *errors);

#endif
