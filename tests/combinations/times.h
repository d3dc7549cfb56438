/* The times at which a scene's clip is compared with its source. */
#ifndef COMBINATIONS_TIMES_H
#define COMBINATIONS_TIMES_H

#include "scene.h"

/* A time, and how the clip is asked. */
typedef struct moment {
  double time;
  quatsimd_clip_wrap wrap;
} moment;

enum { MOST_MOMENTS = 400 };
/* Fills moments, and returns their number, at most `most`. */
size_t draw_moments(moment moments[MOST_MOMENTS], const scene *s, const quatsimd_clip *clip, size_t most);

/* The time in the clip that a moment stands for, shifted by the rounding of times. Where time does
 * not loop it may end outside the clip by that. */
long double time_in_clip(const quatsimd_clip *clip, moment m, long double shift);

#endif
