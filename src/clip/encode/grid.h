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
  /* for each even frame: the time of its key, at which curves are evaluated; null: the frames' own times */
  const double *exact;
} clip_grid;

/* clip_grid_nominal returns a frame's time in the clip, clip_grid_time the frame's time in the source. */
static inline double clip_grid_nominal(const clip_grid *grid, size_t frame) {
  if (!grid->times) return grid->start + (double)frame / grid->rate;
  return grid->floats ? (double)(float)grid->times[frame] : grid->times[frame];
}
static inline double clip_grid_time(const clip_grid *grid, size_t frame) {
  return grid->exact ? grid->exact[frame] : grid->times ? grid->times[frame] : clip_grid_nominal(grid, frame);
}

/* Finds frames on which the keys of all curves that do not hold lie: even frames, or the keys' own times if
 * even frames are many more than the keys. If the curves have too few key times in common, the frames are
 * even and dense. rate > 0 sets the frames per second. at_once: all curves are measured at the same times, so
 * frames must not differ noticeably from the times of keys. Lists of times are in `memory`. Returns
 * QUATSIMD_ERROR_BAD_ARGUMENT and fills the report if there would be too many frames, or frames that doubles
 * cannot tell apart. */
quatsimd_status quatsimd_source_grid(quatsimd_memory *memory, const quatsimd_clip_source *source, double rate,
                                     bool at_once, clip_grid *grid, quatsimd_clip_report *report);

/* Moves keys of a curve that holds or jumps. A key that is later than a frame's time in the clip, by no more
 * than rounding, gets the frame's time, or the largest float that is not above this time. A clip that is
 * sampled at the frame's time then gives the key, too. Changed times are in `memory`. */
quatsimd_status quatsimd_grid_settle(quatsimd_memory *memory, quatsimd_curve *curve, const clip_grid *grid,
                                     bool at_once);

/* Returns the last frame whose time in the source is not after `time`, or the first frame. */
size_t quatsimd_grid_frame(const clip_grid *grid, double time);

/* True if every key of the curve is so near to a frame that sampling at the key's time gives the frame. */
bool quatsimd_curve_fits(const quatsimd_curve *curve, const clip_grid *grid);

#endif
