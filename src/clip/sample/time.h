/* Where a time is among a clip's frames. */
#ifndef QUATSIMD_CLIP_TIME_H
#define QUATSIMD_CLIP_TIME_H

#include "clip/sample/open.h"

/* When curves that have keys are sampled. */
typedef struct clip_moment {
  double time;  /* the frame's, if it is one's, so that all curves are at one time */
  double asked; /* that was asked for, brought into the round if time goes round: for curves that hold keys */
  double slack; /* how far behind it such a key may be that is there: at frames alone, or 0 */
} clip_moment;
static inline clip_moment clip_moment_of(double time) {
  return (clip_moment){time, time, clip_rounding(time)};
}

/* Between frame and frame + 1, at t of the way, and the block that both are in. */
typedef struct clip_position {
  clip_moment moment;
  /* inner: the frame counted from the block's first; intervals: of the block */
  size_t frame, block, inner, intervals;
  float t;
} clip_position;

clip_position quatsimd_clip_position_of_frame(const quatsimd_clip *clip, size_t frame, float t);
clip_position quatsimd_clip_position_of(const quatsimd_clip *clip, double time, quatsimd_clip_wrap wrap);

static inline double clip_absolute(double x) { return x < 0 ? -x : x; }

#endif
