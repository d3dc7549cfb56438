/* Measures the errors of points that are fixed to joints, in model space. */
#ifndef QUATSIMD_CLIP_OBJECT_H
#define QUATSIMD_CLIP_OBJECT_H

#include "clip/encode/encoder.h"

typedef struct clip_skeleton {
  size_t *order; /* numbers of joints, parents first */
  /* arrays with an element for each joint: lengths in the clip's unit, or factors */
  float *bound, *distance;    /* the largest error that its points may have; the distance of these points */
  float *asked;               /* the bound that the caller gave; `bound` may have been raised */
  float *start;               /* the smallest bound of the joint and all joints below it; floats: 0 */
  double *scale;              /* the largest component of its scale keys; 1 if it has none */
  double *span;               /* the distance of the farthest point that it moves, before its own scale: a */
                              /* point with a larger bound than `start` counts as nearer by this factor */
  double *reach;              /* the same after its own scale */
  double *stretch;            /* the product of `scale` of the joints above */
  double *factor;             /* buffer of quatsimd_object_adjust: the factor of its curves' bounds */
  double *worst;              /* the largest error of its points that was measured */
  bool held;                  /* `worst` is that of all frames of the clip, which hold the bound */
  struct clip_wanted *wanted; /* for each part of the frames: poses of the source; null: not made yet */
  uint8_t *groups;            /* for each frame: the groups of steps to the next frame; 0: not known yet */
  double *times;              /* times between frames at which clips are measured, too; null: not known yet */
  size_t time_count;
  bool far; /* from some frame to the next there are more groups than CLIP_MEASURE_COARSELY has */
} clip_skeleton;

/* Returns the distance of a joint's own points, as it counts in `span`. */
static inline double clip_own_reach(const clip_skeleton *s, size_t j) {
  return (double)s->distance[j] * ((double)s->start[j] / (double)s->bound[j]);
}

/* Makes the skeleton. Returns QUATSIMD_ERROR_BAD_ARGUMENT and fills the report if a parent is no joint or
 * parents form a circle. */
quatsimd_status quatsimd_object_skeleton(clip_skeleton *skeleton, clip_encoder *e);

/* After an attempt in floats: raises bounds that it missed to its errors. Joints that missed their bound in
 * it, or are `hard`, become exact, with those above them. True if some are exact, and some are not. */
bool quatsimd_object_raise(const clip_skeleton *skeleton, clip_encoder *e, const bool *hard);

/* Sets the bounds of joints' curves for the first attempt. */
void quatsimd_object_bounds(const clip_skeleton *skeleton, clip_encoder *e);

/* Where a clip is measured: at frames, or also at steps and keys between frames. If it is measured coarsely,
 * there are few steps where joints turn far: enough to find most clips that miss their bound. */
typedef enum clip_measured { CLIP_MEASURE_FRAMES, CLIP_MEASURE_COARSELY, CLIP_MEASURE_ALL } clip_measured;

/* Measures a clip. skeleton->worst gets each joint's largest error, *ratio the largest error as a multiple of
 * its bound. */
quatsimd_status quatsimd_object_measure(clip_skeleton *skeleton, clip_encoder *e, const quatsimd_clip *clip,
                                        clip_measured where, double *ratio);

/* Tightens the bounds of curves whose joints move points too far. If `loosen`, loosens the others. True if a
 * bound changes. */
bool quatsimd_object_adjust(const clip_skeleton *skeleton, clip_encoder *e, bool loosen);

/* attempts.c: encodes with the bounds of points. If no clip holds them, stores all curves in floats. If this
 * clip misses bounds, too, or only some joints missed theirs before, joints that need no floats have a second
 * try. */
quatsimd_status quatsimd_encode_object(clip_encoder *e, clip_skeleton *skeleton, clip_bytes *bytes);
quatsimd_status quatsimd_encode_in_floats(clip_encoder *e, clip_skeleton *skeleton, clip_bytes *bytes);

#endif
