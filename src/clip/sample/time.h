/* Where a time is among a clip's frames. */
#ifndef QUATSIMD_CLIP_TIME_H
#define QUATSIMD_CLIP_TIME_H

#include "clip/sample/open.h"

/* Between frame and frame + 1, at t of the way, and the block that both are in. */
typedef struct clip_position {
  double time; /* of curves that have keys: the frame's, if it is one's, so that all curves are at one time */
  /* inner: the frame counted from the block's first; intervals: of the block */
  size_t frame, block, inner, intervals;
  float t;
} clip_position;

/* Written to where they are used: a copy of what has just been stored waits for it. */
void quatsimd_clip_position_of_frame(clip_position *p, const quatsimd_clip *clip, size_t frame, float t);
void quatsimd_clip_position_of(clip_position *p, const quatsimd_clip *clip, double time,
                               quatsimd_clip_wrap wrap);

static inline double clip_absolute(double x) { return x < 0 ? -x : x; }

#endif
