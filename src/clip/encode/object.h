/* Object space: how far points fixed to joints are off at the skeleton's root. */
#ifndef QUATSIMD_CLIP_OBJECT_H
#define QUATSIMD_CLIP_OBJECT_H

#include "clip/encode/encoder.h"

typedef struct clip_skeleton {
  size_t *order;           /* of joints, parents first */
  float *bound, *distance; /* of each joint */
  float *start;            /* of each joint: the bound that its curves' bounds begin with */
  double *scale;           /* the largest component of a joint's scales; 1: it has none */
  double *span;            /* how far the farthest point is before the joint's own scale */
  double *reach;           /* how far from a joint the farthest point is that it moves, in its own space */
  double *stretch;         /* how much longer a joint's own lengths are at the root */
  double *factor;          /* room for quatsimd_object_adjust: what a joint's bounds are multiplied by */
  double *worst;           /* of each joint: the largest error of a point */
} clip_skeleton;

/* QUATSIMD_ERROR_BAD_ARGUMENT and a report if parents are no joints or go round in circles. */
quatsimd_status quatsimd_object_skeleton(clip_skeleton *skeleton, clip_encoder *e);

/* Bounds of the joints' own errors to begin with. */
void quatsimd_object_bounds(const clip_skeleton *skeleton, clip_encoder *e);

/* worst[j]: no point at joint j's distance from it is off by more, at any frame and, if `between`, at the
 * quarter points between them, or closer, and at keys, or some, that are at no frame. *ratio: the largest of
 * worst and bound. */
quatsimd_status quatsimd_object_measure(clip_skeleton *skeleton, clip_encoder *e, const quatsimd_clip *clip,
                                        bool between, double *ratio);

/* Bounds of joints become smaller where points that they move are off too far, and larger, if that is asked,
 * where none is near its bound. */
void quatsimd_object_adjust(const clip_skeleton *skeleton, clip_encoder *e, bool loosen);

#endif
