/* Measures how far points that are fixed to joints are off in object space. */
#ifndef QUATSIMD_CLIP_OBJECT_H
#define QUATSIMD_CLIP_OBJECT_H

#include "clip/encode/encoder.h"

typedef struct clip_skeleton {
  size_t *order;           /* joints, parents first */
  float *bound, *distance; /* of each joint */
  float *start;            /* of each joint: the bound from which its curves' bounds start */
  double *scale;           /* the largest component of a joint's scales, or 1 */
  double *span;            /* the distance of the farthest point, before the joint's own scale */
  double *reach;   /* the distance from a joint to the farthest point that it moves, in its own space */
  double *stretch; /* the factor by which scales above make a joint's lengths longer */
  double *factor;  /* a buffer of quatsimd_object_adjust: factors of a joint's bounds */
  double *worst;   /* of each joint: the largest error of a point */
} clip_skeleton;

/* Makes the skeleton. Returns QUATSIMD_ERROR_BAD_ARGUMENT and fills the report if a parent is no joint or
 * parents form a circle. */
quatsimd_status quatsimd_object_skeleton(clip_skeleton *skeleton, clip_encoder *e);

/* Sets the bounds of curves for the first attempt. */
void quatsimd_object_bounds(const clip_skeleton *skeleton, clip_encoder *e);

/* Measures a clip. worst[j] gets the largest error of points at joint j's distance from it: at every frame
 * or, if `between`, at least at the quarter points between frames, and at keys that are at no frame, of which
 * some may be left out. *ratio gets the largest error as a multiple of its bound. */
quatsimd_status quatsimd_object_measure(clip_skeleton *skeleton, clip_encoder *e, const quatsimd_clip *clip,
                                        bool between, double *ratio);

/* Tightens the bounds of joints that move points too far. If `loosen`, loosens those of joints whose points
 * are far below their bounds. */
void quatsimd_object_adjust(const clip_skeleton *skeleton, clip_encoder *e, bool loosen);

#endif
