/* Chooses the times of frames. */
#ifndef QUATSIMD_CLIP_GRID_H
#define QUATSIMD_CLIP_GRID_H

#include "clip/encode/memory.h"
#include "clip/encode/source.h"

/* Frames at even times, or at the times of a list. */
typedef struct clip_grid {
  size_t frames;
  double start, rate; /* rate 0: the times are in the list */
  const double *times;
  bool floats; /* the clip stores the list as floats */
  /* the keys' times that even frames stand for, at which all curves are evaluated; null: the frames' own
   * times */
  const double *exact;
} clip_grid;

/* Return a frame's time in the clip, and in the source. */
static inline double clip_grid_nominal(const clip_grid *grid, size_t frame) {
  if (!grid->times) return grid->start + (double)frame / grid->rate;
  return grid->floats ? (double)(float)grid->times[frame] : grid->times[frame];
}
static inline double clip_grid_time(const clip_grid *grid, size_t frame) {
  return grid->exact ? grid->exact[frame] : grid->times ? grid->times[frame] : clip_grid_nominal(grid, frame);
}

/* Finds frames on which all keys lie of all curves that do not hold: even frames, unless these are many more
 * than the keys; otherwise the keys' own times. If keys have too few times in common, it takes even frames
 * that are dense enough. rate > 0 sets the frames per second. at_once: joints are measured together, so
 * frames must not differ noticeably from the keys' times, since other curves have their own keys. Lists are
 * in `memory`. Returns QUATSIMD_ERROR_BAD_ARGUMENT and fills the report if there would be too many frames, or
 * frames that doubles cannot tell apart. */
quatsimd_status quatsimd_source_grid(quatsimd_memory *memory, const quatsimd_clip_source *source, double rate,
                                     bool at_once, clip_grid *grid, quatsimd_clip_report *report);

/* Moves keys of a curve that holds or jumps. A key that is behind a frame's time in the clip by no more than
 * rounding gets that time, or that of the last float before it. Sampling at the key's time then gives the
 * frame and the key. Changed times are in `memory`. */
quatsimd_status quatsimd_grid_settle(quatsimd_memory *memory, quatsimd_curve *curve, const clip_grid *grid,
                                     bool at_once);

/* Returns the last frame whose time in the source is not after `time`, or the first frame. */
size_t quatsimd_grid_frame(const clip_grid *grid, double time);

/* True if every key is so near to a frame that sampling at the key's time finds the frame. */
bool quatsimd_curve_fits(const quatsimd_curve *curve, const clip_grid *grid);

#endif
