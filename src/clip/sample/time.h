/* Finds where a time is among a clip's frames. */
#ifndef QUATSIMD_CLIP_TIME_H
#define QUATSIMD_CLIP_TIME_H

#include "clip/sample/open.h"

/* A time between `frame` (t = 0) and the next frame (t = 1), and the block of both frames. */
typedef struct clip_position {
  /* Curves with keys are sampled at this time. It is exactly a frame's time if only rounding separates the
   * caller's time from that frame. */
  double time;
  /* inner: the frame, counted from the block's first; intervals: the number of the block's intervals */
  size_t frame, block, inner, intervals;
  float t;
  bool outside; /* the time is before the first frame or after the last one, and does not count as theirs */
} clip_position;

/* Both functions write *p and return no struct: copying a struct would wait for the stores of its members. */
void quatsimd_clip_position_of_frame(clip_position *p, const quatsimd_clip *clip, size_t frame, float t);
void quatsimd_clip_position_of(clip_position *p, const quatsimd_clip *clip, double time,
                               quatsimd_clip_wrap wrap);

static inline double clip_absolute(double x) { return x < 0 ? -x : x; }

#endif
