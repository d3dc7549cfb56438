/* Blends without checks, for callers that have resolved all views. */
#ifndef QUATSIMD_POSE_BLEND_H
#define QUATSIMD_POSE_BLEND_H

#include "pose/operands.h"

/* The outputs of a call. count: elements of a kind in all poses. each: elements of a kind in one pose. */
typedef struct pose_call {
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  size_t count[QUATSIMD_CLIP_KIND_COUNT], each[QUATSIMD_CLIP_KIND_COUNT];
} pose_call;

/* Resolves the views of `out`. Returns false if one breaks a rule of view.h, or has too many elements. */
bool quatsimd_pose_begin(pose_call *call, quatsimd_pose_out *out, quatsimd_pose_counts counts);
/* Blends layers as quatsimd_pose_blend does, into the views of `call`. */
void quatsimd_pose_blend_to(const pose_call *call, const quatsimd_weighted_poses *layers, size_t layer_count,
                            const quatsimd_pose_in *rest);
/* Adds layers as quatsimd_pose_add does, into the views of `call`. */
void quatsimd_pose_add_to(const pose_call *call, const quatsimd_pose_in *base,
                          const quatsimd_weighted_poses *additive);

#endif
