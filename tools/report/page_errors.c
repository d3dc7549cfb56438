#include "report/page_errors.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"

static void begin_time(struct page_errors *e, double time) {
  e->time = memory_grow(e->time, e->times, sizeof *e->time);
  e->time[e->times] = time;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) {
    e->worst[i] = memory_grow(e->worst[i], e->times, sizeof *e->worst[i]);
    e->worst[i][e->times] = -1;
  }
  e->times++;
}

static void take(void *context, int of, size_t joint, double time, double off, bool at_key) {
  struct page_errors *e = context;
  if (e->times == 0 || e->time[e->times - 1] != time) begin_time(e, time);
  e->worst[of][e->times - 1] = fmax(e->worst[of][e->times - 1], off);
  clip_tally_add(&e->joint[joint][of], off, time, at_key);
}

quatsimd_status page_errors_measure(struct page_errors *errors, const quatsimd_clip_source *source,
                                    const quatsimd_clip *clip, const quatsimd_pose_in *pose,
                                    double distance) {
  *errors = (struct page_errors){.joint = memory_get(source->joints, sizeof *errors->joint)};
  return clip_check_each(source, clip, distance, NULL, pose, take, errors);
}

void page_errors_free(struct page_errors *errors) {
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) free(errors->worst[i]);
  free(errors->time);
  free(errors->joint);
  *errors = (struct page_errors){.times = 0};
}
