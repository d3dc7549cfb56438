/* Finds where a time is among a clip's frames. */
#ifndef QUATSIMD_CLIP_TIME_H
#define QUATSIMD_CLIP_TIME_H

#include "clip/sample/open.h"

/* A time between frame (t = 0) and frame + 1 (t = 1), and their block. */
typedef struct clip_position {
  /* for curves with keys: a frame's own time if the position is at one, so that all curves have one time */
  double time;
  /* inner: the frame counted from the block's first; intervals: of the block */
  size_t frame, block, inner, intervals;
  float t;
} clip_position;

/* Writes a position where it is used. Returning it would copy what was just stored, and wait for it. */
void quatsimd_clip_position_of_frame(clip_position *p, const quatsimd_clip *clip, size_t frame, float t);
void quatsimd_clip_position_of(clip_position *p, const quatsimd_clip *clip, double time,
                               quatsimd_clip_wrap wrap);

static inline double clip_absolute(double x) { return x < 0 ? -x : x; }

#endif
