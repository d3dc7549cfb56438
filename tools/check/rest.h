/* The rest pose that a clip is sampled with. */
#ifndef CLIP_REST_H
#define CLIP_REST_H

#include "quatsimd/skeleton.h"

struct clip_rest {
  float *values[QUATSIMD_CLIP_KIND_COUNT];
  quatsimd_pose_in views;
  const quatsimd_pose_in *pose; /* null: the clip was made without a skeleton, or there is none */
};

/* The skeleton has as many joints and tracks as the clip; it may be null. To be freed; stays where it is. */
void clip_rest_make(struct clip_rest *rest, const quatsimd_clip *clip, const quatsimd_skeleton *skeleton);
void clip_rest_free(struct clip_rest *rest);

#endif
