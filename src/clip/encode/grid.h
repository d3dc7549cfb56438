/* The times of frames. */
#ifndef QUATSIMD_CLIP_GRID_H
#define QUATSIMD_CLIP_GRID_H

#include "clip/encode/memory.h"
#include "clip/encode/source.h"

/* Even frames, or those of a list. */
typedef struct clip_grid {
  size_t frames;
  double start, rate; /* rate 0: as `times` has them */
  const double *times;
  bool floats; /* the clip has these in float */
  /* the times of the keys that even frames stand for: all curves are evaluated at these; null: the frames'
   * own */
  const double *exact;
} clip_grid;

/* A frame's time in the clip, and in the source. */
static inline double clip_grid_nominal(const clip_grid *grid, size_t frame) {
  if (!grid->times) return grid->start + (double)frame / grid->rate;
  return grid->floats ? (double)(float)grid->times[frame] : grid->times[frame];
}
static inline double clip_grid_time(const clip_grid *grid, size_t frame) {
  return grid->exact ? grid->exact[frame] : grid->times ? grid->times[frame] : clip_grid_nominal(grid, frame);
}

/* The frames that all keys of all curves that do not hold lie on: even ones if they are not many more than
 * the keys, else the keys' own times; where keys have too little in common, some that are fine enough.
 * rate > 0: so many a second. at_once: joints are looked at together, so that frames must not be off the
 * keys by what matters where some curves have keys of their own. Lists are in `memory`.
 * QUATSIMD_ERROR_BAD_ARGUMENT and a report if there would be too many frames, or frames that times in double
 * cannot tell apart. */
quatsimd_status quatsimd_source_grid(quatsimd_memory *memory, const quatsimd_clip_source *source, double rate,
                                     bool at_once, clip_grid *grid, quatsimd_clip_report *report);

/* The times of a curve that holds keys or jumps, in `memory` if some change: a key that is behind a frame's
 * time in the clip by no more than rounding comes at that time, or the last float before it. Sampling at the
 * key's time gives the frame, and the key with it. */
quatsimd_status quatsimd_grid_settle(quatsimd_memory *memory, quatsimd_curve *curve, const clip_grid *grid,
                                     bool at_once);

/* The last frame whose time in the source is not after `time`; the first one if all are. */
size_t quatsimd_grid_frame(const clip_grid *grid, double time);

/* Is every key at a frame: so near that sampling at the key's time finds the frame? */
bool quatsimd_curve_fits(const quatsimd_curve *curve, const clip_grid *grid);

#endif
