/* Measures the errors of points that are fixed to joints, in model space. */
#ifndef QUATSIMD_CLIP_OBJECT_H
#define QUATSIMD_CLIP_OBJECT_H

#include "clip/encode/encoder.h"

typedef struct clip_skeleton {
  size_t *order; /* numbers of joints, parents first */
  /* arrays with an element for each joint, all of them lengths in the clip's unit or factors: */
  float *bound, *distance; /* the largest error that its points may have; their distance from the joint */
  float *start;            /* the bound of points from which its curves' first bounds are computed */
  double *scale;           /* the largest component of its scales, or 1 */
  double *span;            /* the distance of the farthest point that it moves, before its own scale */
  double *reach;           /* the distance of the farthest point that it moves, after its own scale */
  double *stretch;         /* the factor by which the scales of joints above make its lengths longer */
  double *factor;          /* buffer of quatsimd_object_adjust: factors of bounds */
  double *worst;           /* the largest error of its points that was measured */
} clip_skeleton;

/* Makes the skeleton. Returns QUATSIMD_ERROR_BAD_ARGUMENT and fills the report if a parent is no joint or
 * parents form a circle. */
quatsimd_status quatsimd_object_skeleton(clip_skeleton *skeleton, clip_encoder *e);

/* Sets the bounds of curves for the first attempt. */
void quatsimd_object_bounds(const clip_skeleton *skeleton, clip_encoder *e);

/* Measures a clip. worst[j] gets the largest error of points at joint j's distance from it. Times are every
 * frame or, if `between`, at least the quarter points between frames and the keys between frames; some of
 * these keys may be left out. *ratio gets the largest error as a multiple of its bound. */
quatsimd_status quatsimd_object_measure(clip_skeleton *skeleton, clip_encoder *e, const quatsimd_clip *clip,
                                        bool between, double *ratio);

/* Tightens the bounds of joints that move points too far. If `loosen`, loosens the bounds of joints whose
 * points have errors far below their bound. */
void quatsimd_object_adjust(const clip_skeleton *skeleton, clip_encoder *e, bool loosen);

#endif
