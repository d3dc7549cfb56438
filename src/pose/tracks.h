/* Weights, and blending of tracks without checks, for callers that have resolved all views. */
#ifndef QUATSIMD_POSE_TRACKS_H
#define QUATSIMD_POSE_TRACKS_H

#include "pose/operands.h"

/* Loads the weights of n elements from element `first` on, and zeros up to quatsimd_padded(n). Each pose has
 * `each` elements. */
void quatsimd_pose_weights(float *to, const quatsimd_weighted_poses *from, bool any_sign, int kind,
                           size_t first, size_t n, size_t each);

/* Blend and add tracks as quatsimd_pose_blend and quatsimd_pose_add do. */
void quatsimd_pose_blend_tracks(const pose_call *call, const quatsimd_weighted_poses *layers,
                                size_t layer_count, const quatsimd_pose_in *rest);
void quatsimd_pose_add_tracks(const pose_call *call, const float *base,
                              const quatsimd_weighted_poses *additive);

#endif
