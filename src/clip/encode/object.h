/* Object space: how far points fixed to joints are off at the skeleton's root. */
#ifndef QUATSIMD_CLIP_OBJECT_H
#define QUATSIMD_CLIP_OBJECT_H

#include "clip/encode/source.h"

typedef struct clip_skeleton {
  /* base: of additive clips, else null; only its first keys if first_keys */
  const quatsimd_clip_source *source, *base;
  bool first_keys;
  size_t *order;           /* of joints, parents first */
  float *bound, *distance; /* of each joint */
  double *reach;           /* how far from a joint the farthest point is that it moves */
  double *factor;          /* room for quatsimd_object_tighten: what a joint's bounds are multiplied by */
} clip_skeleton;

/* QUATSIMD_ERROR_BAD_ARGUMENT and a report if parents are no joints or go round in circles. */
quatsimd_status quatsimd_skeleton(clip_skeleton *skeleton, quatsimd_memory *memory,
                                  const quatsimd_clip_options *options, quatsimd_clip_report *report);

/* Bounds of the joints' own errors to begin with. */
void quatsimd_object_bounds(const clip_skeleton *skeleton, double *const bound[QUATSIMD_CLIP_KINDS]);

/* worst[j]: no point at joint j's distance from it is off by more, at any frame or key. */
quatsimd_status quatsimd_object_errors(const clip_skeleton *skeleton, quatsimd_memory *memory,
                                       const quatsimd_clip *clip, double *worst);

/* Makes the bounds of joints whose points are off too far smaller, and those of all that move them. */
void quatsimd_object_tighten(const clip_skeleton *skeleton, const double *worst,
                             double *const bound[QUATSIMD_CLIP_KINDS]);

#endif
