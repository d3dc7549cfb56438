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

/* Finds frames on which the keys of all linear curves lie: even frames or, if these are too many, the keys'
 * own times. If curves share too few key times, frames are even and dense. rate > 0 sets the frames per
 * second. likely: a rate that the frames' rate may be a multiple of, or 0. at_once: all curves are measured
 * at the same times, so frames must be very near to keys. Lists of times are in `memory`. Returns
 * QUATSIMD_ERROR_BAD_ARGUMENT and fills the report if frames would be too many or too near to each other. */
quatsimd_status quatsimd_source_grid(quatsimd_memory *memory, const quatsimd_clip_source *source, double rate,
                                     double likely, bool at_once, clip_grid *grid,
                                     quatsimd_clip_report *report);

/* True if doubles tell the times of even frames apart. `end` is the last key's time. */
bool quatsimd_grid_is_resolved(const clip_grid *grid, double end);

/* Makes a list of a grid's `exact` times. */
void quatsimd_grid_list(clip_grid *grid);

/* Moves keys of a curve that holds or jumps. A key that is, by rounding, slightly later than a frame gets the
 * frame's time. Sampling at that time then gives the key. snapped: keys were moved to the times of frames; a
 * key at such a time gets the float before it, which takes fewer bytes. Changed times are in `memory`. */
quatsimd_status quatsimd_grid_settle(quatsimd_memory *memory, quatsimd_curve *curve, const clip_grid *grid,
                                     bool at_once, bool snapped);

/* Returns the frame whose time in the clip is nearest. */
size_t quatsimd_grid_nearest(const clip_grid *grid, double time);

/* Returns the last frame whose time in the source is not after `time`, or the first frame. */
size_t quatsimd_grid_frame(const clip_grid *grid, double time);

/* How times of keys are stored: flags of the head of a curve with its own keys, and bytes of each time. If
 * `newer`, the clip has version 3, where times may be numbers of frames. */
typedef struct clip_time_form {
  uint32_t flags;
  size_t bytes;
} clip_time_form;
clip_time_form quatsimd_time_form(const clip_grid *grid, bool newer, const double *times, size_t count);

/* True if every key of the curve is so near to a frame that sampling at the key's time gives the frame. */
bool quatsimd_curve_fits(const quatsimd_curve *curve, const clip_grid *grid);

#endif
