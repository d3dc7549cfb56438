/* What is to be encoded: checked, put on a grid of frames, and evaluated. */
#ifndef QUATSIMD_CLIP_SOURCE_H
#define QUATSIMD_CLIP_SOURCE_H

#include <stdbool.h>

#include "clip/layout.h"
#include "clip/encode/memory.h"

/* The times of frames: even ones, or those of a list. */
typedef struct clip_grid {
  size_t frames;
  double start, rate; /* rate 0: as `times` has them */
  const float *times;
} clip_grid;

static inline double clip_grid_time(const clip_grid *grid, size_t frame) {
  return grid->times ? (double)grid->times[frame] : grid->start + (double)frame / grid->rate;
}

enum { CLIP_MOST_COMPONENTS = 4 };
static inline size_t clip_components(int kind) { return kind == QUATSIMD_CLIP_ROTATION ? 4 : 3; }

static inline const quatsimd_curve *clip_curve(const quatsimd_clip_joint *joint, int kind) {
  return kind == QUATSIMD_CLIP_ROTATION      ? &joint->rotation
         : kind == QUATSIMD_CLIP_TRANSLATION ? &joint->translation
                                             : &joint->scale;
}

static inline bool clip_holds(const quatsimd_curve *curve) {
  return curve->interpolation == QUATSIMD_CURVE_HOLD;
}

/* Says in the report what is wrong: of a joint, a curve, a key, or of none, CLIP_NOWHERE or
 * QUATSIMD_CLIP_KINDS. Returns QUATSIMD_ERROR_BAD_ARGUMENT. */
#define CLIP_NOWHERE SIZE_MAX
static inline quatsimd_status clip_refuse(quatsimd_clip_report *report, size_t joint, int kind, size_t key,
                                          const char *error) {
  report->joint = joint, report->kind = kind, report->key = key, report->error = error;
  return QUATSIMD_ERROR_BAD_ARGUMENT;
}
static inline quatsimd_status clip_refuse_all(quatsimd_clip_report *report, const char *error) {
  return clip_refuse(report, CLIP_NOWHERE, QUATSIMD_CLIP_KINDS, CLIP_NOWHERE, error);
}

/* QUATSIMD_ERROR_BAD_KEY or QUATSIMD_ERROR_BAD_ARGUMENT, and the report filled in, if a key or a curve
 * cannot be encoded. */
quatsimd_status quatsimd_source_check(const quatsimd_clip_source *source, quatsimd_clip_report *report);

/* The frames that all keys of all curves that do not hold lie on, even ones if they are not many more
 * than the keys, else the keys' own times (in `memory`); where keys have too little in common, some that
 * are fine enough. rate > 0: so many a second. QUATSIMD_ERROR_BAD_ARGUMENT and a report if there would be
 * too many. */
quatsimd_status quatsimd_source_grid(quatsimd_memory *memory, const quatsimd_clip_source *source, double rate,
                                     clip_grid *grid, quatsimd_clip_report *report);

/* Is every key at a frame: near enough for frames to be where keys are meant to be; exactly: so near that
 * sampling at the key's time finds the frame? */
bool quatsimd_curve_fits(const quatsimd_curve *curve, const clip_grid *grid, bool exactly);

/* A key; rotations are normalised. */
void quatsimd_curve_key(const quatsimd_curve *curve, int kind, size_t k, double value[CLIP_MOST_COMPONENTS]);

/* Between two values as a clip is sampled: toward slerp the short way, or linear. */
void quatsimd_value_between(int kind, const double *a, const double *b, double t, double *out);

/* The last frame becomes the first one, with the sign that it had. */
void quatsimd_close_loop(int kind, double (*value)[CLIP_MOST_COMPONENTS], size_t frames);

/* The curve at a time: a key where one is there, else between two. Rotations are normalised, their sign is
 * that of no frame in particular. */
void quatsimd_curve_at(const quatsimd_curve *curve, int kind, double time, double slack,
                       double value[CLIP_MOST_COMPONENTS]);

/* The same at a frame, from key *key on, which is moved along: for one frame after the other. */
void quatsimd_curve_frame(const quatsimd_curve *curve, int kind, const clip_grid *grid, size_t frame,
                          size_t *key, double value[CLIP_MOST_COMPONENTS]);

/* The same at all frames; neighbouring rotations are less than a half turn apart as quaternions. */
void quatsimd_curve_frames(const quatsimd_curve *curve, int kind, const clip_grid *grid,
                           double (*value)[CLIP_MOST_COMPONENTS]);

/* The source relative to `base`, or to its own first keys if that is null: as additive clips are stored.
 * The copy is in `memory`; null and a report if there is no such thing, null and none if there is no
 * memory. */
quatsimd_clip_joint *quatsimd_source_relative(quatsimd_memory *memory, const quatsimd_clip_source *source,
                                              const quatsimd_clip_source *base, quatsimd_clip_report *report);

/* Angle between rotations of any sign, or distance. */
double quatsimd_value_error(int kind, const double *a, const double *b);

/* The same in two steps, to find the largest of many: the square of the chord (of the shorter way) or
 * distance, and the error that this is. */
double quatsimd_value_chord2(int kind, const double *a, const double *b);
double quatsimd_chord2_error(int kind, double chord2);

/* Has a curve that fits the grid a key at every frame? */
static inline bool clip_dense(const quatsimd_curve *curve, const clip_grid *grid) {
  return curve->keys == grid->frames && grid->frames > 1;
}

#endif
