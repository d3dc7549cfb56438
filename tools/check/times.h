/* The times that a clip is compared with its source at. */
#ifndef CLIP_TIMES_H
#define CLIP_TIMES_H

#include "quatsimd/clip.h"

/* Makes them rise, each once. Returns how many are left. */
size_t times_sort(double *time, size_t times);

/* The times of a clip's frames, and of the keys of curves that have their own, of the kinds from `first` to
 * before `end`; in no order, and with room for `more` behind them. To be freed. */
double *times_of_clip(const quatsimd_clip *clip, int first, int end, size_t more, size_t *count);

#endif
