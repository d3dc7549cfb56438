/* The arguments of the kernels of poses. */
#ifndef QUATSIMD_POSE_BLOCK_H
#define QUATSIMD_POSE_BLOCK_H

#include <stdbool.h>

#include "core/isas.h"
#include "quatsimd/pose.h"

/* Blends some joints and makes their local matrices, from layer to layer in registers. Each kernel table has
 * such a function: simd/kernels/pose.h, and scalar/pose.h for one joint at a time.
 * All poses are arrays of structs without gaps. If `count` fills no whole vectors, joints behind the block's
 * are read and written up to the end of its last vector. */
typedef struct pose_block {
  size_t first, count;                   /* the joints */
  const quatsimd_weighted_poses *layers; /* those that are blended, then the others, in their order */
  size_t blended, others;
  const bool *over; /* element i: the i-th of the others is laid over the pose so far; else it is added */
  bool as_sampled;  /* one layer is blended, and its values are taken as they are; `rest` is not read */
  const quatsimd_pose_in *rest; /* gets what is left of the weight, as in quatsimd_pose_blend */
  float *to[QUATSIMD_CLIP_JOINT_KIND_COUNT], *matrices; /* results of joint `first`; null: not wanted */
  quatsimd_matrix_layout layout;
} pose_block;

/* Multiplies matrices down the hierarchy: each local matrix by that of its parent, or by `root` where a joint
 * has none. Multiplies the products by inverse bind matrices. A joint without one keeps its product. Each
 * kernel table has such a function: simd/kernels/place.h, and scalar/place.h. The fourth numbers of columns
 * of 4x4 matrices are not read. */
typedef struct pose_places {
  const unsigned char *parents; /* as in skeletons; null: `local` has matrices in model space */
  const unsigned char *binds;   /* the skeleton's SKELETON_BINDS; null: no joint has an inverse bind matrix */
  const unsigned char *inverse_binds; /* that of joint `first`, or of the next joint that has one */
  const float *local, *root;          /* local: of joint `first`; may be in `model`. root: may be null */
  float *model, *skinning;            /* joint 0; may be null; with `parents`, `model` has their matrices */
  quatsimd_matrix_layout layout;
  size_t first, end; /* the joints from `first` to end - 1 */
} pose_places;
#ifdef QUATSIMD_HAS_AVX512
void quatsimd_pose_place_avx2(const pose_places *places); /* AVX-512 uses it, too */
#endif

/* Larger weights count as this one, so that squared lengths of weighted sums are finite. If weights sum to
 * less than POSE_ENOUGH, the rest pose gets the remainder to 1. */
#define POSE_MOST_WEIGHT 0x1p+16f
#define POSE_ENOUGH (1 - 0x1p-20f)

/* Clamps a weight to POSE_MOST_WEIGHT, and from below to 0, or to -POSE_MOST_WEIGHT if it may have any sign.
 * Returns 0 for NaN. */
static inline float pose_weight(float w, bool any_sign) {
  const float low = any_sign ? -POSE_MOST_WEIGHT : 0;
  return w > low ? w < POSE_MOST_WEIGHT ? w : POSE_MOST_WEIGHT : w <= low ? low : 0;
}
static inline float pose_layer_weight(const quatsimd_weighted_poses *layer, bool any_sign) {
  return pose_weight(*layer->weights, any_sign);
}

/* Operations on one component. Weights are as pose_weight returns them. */
static inline float pose_mix1(float sum, float v, float w) { return sum + w * (w > 0 ? v : 0); }
static inline float pose_finish1(float sum, float w) { return sum * (w > 1 ? 1 / w : 1); }
static inline float pose_add1(float base, float v, float w) { return base + w * v; }

#endif
