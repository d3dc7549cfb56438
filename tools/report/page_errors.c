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
  const double bound = bounds_of_joint(e->bounds, &e->source->joint[joint], of);
  const double scaled = bound > 0 ? off * (e->bounds->of[of] / bound) : off;
  e->worst[of][e->times - 1] = fmax(e->worst[of][e->times - 1], scaled);
  clip_tally_add(&e->joint[joint][of], off, time, at_key);
}

quatsimd_status page_errors_measure(struct page_errors *errors, const struct clip_source *source,
                                    const quatsimd_clip_source *base, const quatsimd_clip *clip,
                                    const quatsimd_pose_in *pose, const struct bounds *bounds) {
  *errors = (struct page_errors){.joint = memory_get(source->source.joint_count, sizeof *errors->joint),
                                 .bounds = bounds,
                                 .source = source};
  return clip_check_each(&source->source, base, clip, bounds->distance, NULL, pose, take, errors);
}

void page_errors_free(struct page_errors *errors) {
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) free(errors->worst[i]);
  free(errors->time);
  free(errors->joint);
  *errors = (struct page_errors){.times = 0};
}
