/* Poses: blending, additive poses, model space, skinning matrices, root motion.
 *
 * A pose is a rotation, a translation and a scale for each joint, relative to its parent, and float tracks:
 * the result of quatsimd_clip_sample. quatsimd_pose_evaluate goes from clips to matrices in one call; the
 * other functions do one step each. docs/pose.md: formulas, errors, costs.
 *
 * Functions with an argument `poses` work on that many poses at once, one after the other in memory: joint j
 * of pose p is element p * joints + j of each view, and track t is tracks[p * tracks + t]. Poses do not
 * affect each other.
 *
 * In an input, a view of all zeros stands for the identity, translation 0 or scale 1, and null tracks for 0.
 * In an output a view of all zeros, or null tracks, means that this kind is not wanted. An output may have
 * the memory of an input of the same kind if each element occupies the same bytes in both views. Other
 * overlap is not allowed; it is refused if two views begin at the same address.
 *
 * Determinism. Results have the same bits on every CPU and with every compiler. Undefined results are the
 * quiet NaN 0x7fc00000.
 *
 * Threads. Every function may be called from any number of threads at once. No function allocates memory or
 * keeps state. */
#ifndef QUATSIMD_POSE_H
#define QUATSIMD_POSE_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- blending ----
 * These functions compute in float. Input rotations should have length 1. A rotation of another length, from
 * 2^-60 to 2^60, counts in a blend with its length as a factor of its weight. The lengths of a joint's
 * rotations times their weights must sum to less than 2^62; otherwise the rotation may become 0. Output
 * rotations have length 1 within 5e-7. */

/* Poses with weights. */
typedef struct quatsimd_weighted_poses {
  quatsimd_pose_in pose; /* as many poses as the call's `poses` */
  const float *weights;  /* a weight for each pose; null: 1 */
  /* Factors of the weight for each joint and for each track, the same for all poses; null: 1 */
  const float *mask, *track_mask;
} quatsimd_weighted_poses;

/* Blends the poses of `layers` layers into one pose, for `poses` poses at once. The weight of a joint in a
 * layer is the layer's weight times the joint's mask. Weights and masks below 0, and NaN, count as 0; above
 * 2^16 as 2^16. If the weights of a joint sum to less than 1 - 2^-20, the rest pose gets the remainder to 1.
 * If they sum to more than 1, they are divided by the sum. A joint of weight 0 in a layer is ignored there,
 * even if its values are NaN.
 *
 * Rotations are summed with their weights, in the order of the layers and the rest pose last, and the sum is
 * normalised (nlerp). Each gets the sign that makes its dot product with the sum so far not negative.
 * Translations, scales and tracks are weighted sums. rest is one pose, and may be null. It must not share
 * memory with out unless poses is 1.
 *
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that breaks a rule of
 * view.h, overlap that is refused, or more elements than memory can hold. On
 * error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_pose_blend(quatsimd_pose_out *out, const quatsimd_weighted_poses *layer,
                                                 size_t layers, const quatsimd_pose_in *rest, size_t joints,
                                                 size_t tracks, size_t poses);

/* Adds additive poses, which are samples of additive clips or results of quatsimd_pose_subtract, to base
 * poses. With w = weight * mask, rotations become base * nlerp(identity, additive, w), translations and
 * tracks base + w * additive, and scales base * (1 + w * (additive - 1)) for each component. Weights and
 * masks may be negative or above 1. Each is clamped to the range from -2^16 to 2^16; a NaN counts as 0.
 * Returns the same as quatsimd_pose_blend. */
QUATSIMD_API quatsimd_status quatsimd_pose_add(quatsimd_pose_out *out, const quatsimd_pose_in *base,
                                               const quatsimd_weighted_poses *additive, size_t joints,
                                               size_t tracks, size_t poses);

/* Computes the additive poses that lead from base to pose. Rotations are conjugate(base) * pose, for base
 * rotations of length 1. Translations and tracks are pose - base. Scales are pose / base for each component,
 * and 1 where the base's is 0. quatsimd_pose_add with weight 1 gives the pose again within rounding. Returns
 * the same as quatsimd_pose_blend. */
QUATSIMD_API quatsimd_status quatsimd_pose_subtract(quatsimd_pose_out *out, const quatsimd_pose_in *pose,
                                                    const quatsimd_pose_in *base, size_t joints,
                                                    size_t tracks, size_t poses);

/* ---- matrices ----
 * A joint's local matrix is translation * rotation * scale, as in glTF. A rotation of length 0 counts as the
 * identity. Tracks are not used. */

/* The layout of matrices in memory. */
typedef enum quatsimd_matrix_layout {
  QUATSIMD_MATRIX_3X4 = 12, /* three rows of four floats, the translation last in each row, as in sqt.h */
  QUATSIMD_MATRIX_4X4 = 16  /* four columns of four floats, the translation in the last column, as in glTF */
} quatsimd_matrix_layout;

/* Computes local matrices of `elements` elements of a pose, in float. The matrix of element i begins at
 * matrices[i * layout]. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, an unknown
 * layout, a view that breaks a rule of view.h, matrices that begin at the same address as a view, or more
 * elements than memory can hold. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_pose_to_local(float *matrices, quatsimd_matrix_layout layout,
                                                    const quatsimd_pose_in *pose, size_t elements);

/* Computes the rotations, translations and scales of local matrices, in double. If a matrix mirrors, its
 * scale along x is negative, whichever axis was mirrored. If its columns x, y and z are not at right angles
 * (shear), the columns of the rotation are those of x, of y made perpendicular to x, and of z made
 * perpendicular to both, at length 1. Scales are the columns' lengths. A column of length 0 gets any
 * direction that fits the others. A NaN in a matrix gives at least one NaN. Returns the same as
 * quatsimd_pose_to_local. */
QUATSIMD_API quatsimd_status quatsimd_pose_from_local(quatsimd_pose_out *pose, const float *matrices,
                                                      quatsimd_matrix_layout layout, size_t elements);

/* Computes matrices in model space of the skeleton's joints 0 to joints - 1, for each of `poses` poses, in
 * float. The matrix of joint j of pose p begins at matrices[(p * joints + j) * layout]. It is the parent's
 * matrix times the joint's local matrix. Scales may be negative and differ by axis; matrices can then shear,
 * as in glTF.
 *
 * root is an affine matrix in the same layout, or null. It stands for the parent of joints without one, in
 * all poses: the place of the character, for example. The last row of a 4 x 4 root is not read. For less
 * detail, joints may be less than the skeleton's number of joints.
 *
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, an unknown layout, more joints than
 * the skeleton has, a view that breaks a rule of view.h, matrices that begin at the same address as a view or
 * root, or more elements than memory can hold. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_pose_to_model(const quatsimd_skeleton *skeleton, float *matrices,
                                                    quatsimd_matrix_layout layout,
                                                    const quatsimd_pose_in *pose, const float *root,
                                                    size_t joints, size_t poses);

/* Computes the matrix of one joint of one pose in model space, with the bits of quatsimd_pose_to_model: for
 * an object in a hand, or the chain of an arm. The views of pose have at least joint + 1 elements; only the
 * joint and those above it are read. Other arguments and the return value are as in
 * quatsimd_pose_to_model. */
QUATSIMD_API quatsimd_status quatsimd_pose_joint_to_model(const quatsimd_skeleton *skeleton, float *matrix,
                                                          quatsimd_matrix_layout layout,
                                                          const quatsimd_pose_in *pose, const float *root,
                                                          size_t joint);

/* Computes skinning matrices: matrices in model space times the inverse bind matrices of their joints. A
 * joint without an inverse bind matrix gets its model matrix. skinning may be the same memory as model; other
 * overlap is not allowed. Shapes and return value are as in quatsimd_pose_to_model. */
QUATSIMD_API quatsimd_status quatsimd_pose_to_skinning(const quatsimd_skeleton *skeleton, float *skinning,
                                                       const float *model, quatsimd_matrix_layout layout,
                                                       size_t joints, size_t poses);

/* ---- root motion ----
 * Root motion is the movement of one joint, the root or the hips, taken out of a clip's poses and given to
 * the character. These functions compute in double, from samples in float. */

/* The parts of a joint's movement in model space that are root motion. The first three may be summed. */
enum {
  QUATSIMD_ROOT_ACROSS = 1, /* movement perpendicular to the up axis: over the floor */
  QUATSIMD_ROOT_ALONG = 2,  /* movement along the up axis */
  QUATSIMD_ROOT_TURN = 4,   /* rotation about the up axis */
  QUATSIMD_ROOT_ALL = 8     /* all movement and rotation, without an up axis */
};

/* How a clip moves a character. quatsimd_root_motion_init fills it; other functions only read it. */
typedef struct quatsimd_root_motion {
  size_t joint; /* the joint that moves the character */
  int parts;    /* QUATSIMD_ROOT_..., a sum */
  double up[3]; /* the up axis in model space, of length 1; zeros for QUATSIMD_ROOT_ALL */
  /* For the functions of this header only: the transforms above the joint, the joint's rest pose, its place
   * at the clip's start, and the movement of one pass through the clip */
  double above[12], below[12], turned[4], rest[7], start[7], round[7];
} quatsimd_root_motion;

/* Prepares the root motion of a joint in a clip. The clip must not be additive, and must not move any joint
 * above this one. parts is QUATSIMD_ROOT_ACROSS + QUATSIMD_ROOT_TURN for characters that walk. up is the up
 * axis in model space, of any length; it may be null for QUATSIMD_ROOT_ALL. Scales above the joint should be
 * the same along all axes. If the clip does not move the joint, all movements are zero.
 *
 * Returns QUATSIMD_OK, or
 * - QUATSIMD_ERROR_WRONG_SKELETON: the clip has another skeleton, or another number of joints or tracks.
 * - QUATSIMD_ERROR_BAD_ARGUMENT: any other error.
 *
 * Bad arguments are a null pointer, an additive clip, a joint that the skeleton does not have, a joint above
 * it that the clip moves, unknown parts, an axis of length 0 or not finite, and a scale of 0 above the joint.
 * On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_root_motion_init(quatsimd_root_motion *motion,
                                                       const quatsimd_skeleton *skeleton,
                                                       const quatsimd_clip *clip, size_t joint, int parts,
                                                       const float up[3]);

/* Computes the movement of the character between two times of the clip: rotation (x, y, z, w) and translation
 * (x, y, z), relative to its place at `from`. The new place is rotation_old * rotation, and translation_old +
 * translation rotated by rotation_old. `to` may be earlier than `from`. Times and wrap are as in
 * quatsimd_clip_sample. When looping, movement accumulates over the passes through the clip (at most 2^52)
 * between the two times. If a clock is wrapped as quatsimd_clip_sample says, it gives `from`, and `to` is
 * `from` plus the seconds that have passed: a `to` that is wrapped by itself could be a pass earlier. clip is
 * the clip that quatsimd_root_motion_init was given. To blend the movements of several clips, blend them as
 * poses of one joint. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a clip that is
 * additive or does not have the joint, or an unknown wrap. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_root_motion_between(const quatsimd_root_motion *motion,
                                                          float rotation[4], float translation[3],
                                                          const quatsimd_clip *clip, double from, double to,
                                                          quatsimd_clip_wrap wrap);

/* Removes the root motion from poses sampled from the clip, in place. If the character is moved by the root
 * motion since the clip's start, the poses that remain put the joint where the clip has it. With
 * QUATSIMD_ROOT_ALL the joint stays where it is at the clip's start. In each of `poses` poses of `joints`
 * joints the joint's rotation and translation are read and written. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, poses that do not have the joint, a view that is all zeros
 * or breaks a rule of view.h, rotations and translations that begin at the same address, or more elements
 * than memory can hold. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_root_motion_remove(const quatsimd_root_motion *motion,
                                                         quatsimd_pose_out *pose, size_t joints,
                                                         size_t poses);

/* ---- from clips to matrices in one call ---- */

/* A clip at a time, as one layer of a pose. */
typedef struct quatsimd_pose_layer {
  const quatsimd_clip *clip;          /* a clip of the job's skeleton, additive or not */
  double time;                        /* seconds, as in quatsimd_clip_sample; wrap long clocks as there */
  quatsimd_clip_wrap wrap;            /* the meaning of times outside the clip */
  float weight;                       /* as in quatsimd_weighted_poses; 0: the layer is ignored */
  const float *mask, *track_mask;     /* factors of the weight, as in quatsimd_weighted_poses; null: 1 */
  const quatsimd_root_motion *motion; /* the clip's root motion, which is removed; null: none */
} quatsimd_pose_layer;

/* One character: its layers, and the memory of the results. */
typedef struct quatsimd_pose_job {
  const quatsimd_skeleton *skeleton; /* its rest pose holds where no clip has a value */
  const quatsimd_pose_layer *layer;  /* an array of `layers` elements */
  size_t layers;                     /* 0: the rest pose */
  size_t joints;                     /* joints 0 to joints - 1 are computed, for less detail; 0: all */
  /* The pose in local space: an element for each computed joint, and as many tracks as the skeleton has. A
   * view of all zeros, or a null pointer, means that this kind is not wanted. */
  quatsimd_pose_out local;
  /* Matrices in model space and for skinning, one for each computed joint, in this layout; null: not
   * wanted */
  float *model, *skinning;
  quatsimd_matrix_layout layout; /* not used if no matrices are wanted */
  const float *root;             /* as in quatsimd_pose_to_model; may be null */
} quatsimd_pose_job;

/* Returns the bytes of scratch memory that quatsimd_pose_evaluate needs for these jobs: the most that any of
 * them needs. A job's need depends only on its skeleton and its number of layers, so the memory can be
 * allocated once. Returns 0 for a null pointer, and SIZE_MAX if the size does not fit memory. */
QUATSIMD_API size_t quatsimd_pose_scratch_size(const quatsimd_pose_job *jobs, size_t count);

/* Samples, blends and computes matrices for `count` jobs, one after the other. For each job
 * - layers of weight 0 or NaN are ignored, whatever their other members are: the clip may be null.
 * - clips are sampled with the skeleton's rest pose, and their root motion is removed if it is given.
 * - layers that are not additive are blended as by quatsimd_pose_blend, with the skeleton's rest pose.
 * - additive layers are added to the blend as by quatsimd_pose_add, in their order.
 * - matrices are those of quatsimd_pose_to_model and quatsimd_pose_to_skinning.
 *
 * A blend normalises the rotations of the rest pose. A single layer that is not additive, with a weight of 1
 * or more and no masks, is used as it is sampled.
 *
 * scratch is memory for one thread: scratch_size bytes, at least quatsimd_pose_scratch_size, aligned to 8
 * bytes. Nothing is kept in it. Several threads may evaluate jobs at once, each with its own scratch. The
 * bits do not depend on which jobs are in one call. Results must not overlap each other, scratch or any
 * input.
 *
 * Returns QUATSIMD_OK, or
 * - QUATSIMD_ERROR_SHORT_BUFFER: scratch_size is too small.
 * - QUATSIMD_ERROR_WRONG_SKELETON: a clip has another skeleton, or another number of joints or tracks.
 * - QUATSIMD_ERROR_BAD_ARGUMENT: any other error.
 *
 * Bad arguments are a null pointer, more joints than the skeleton has, root motion of an additive clip or of
 * a joint that the skeleton does not have, an unknown wrap or layout, a view that breaks a rule of view.h,
 * two results of one job that begin at the same address, and scratch that is not
 * aligned. On error no result of any job is written. To find the job at fault, evaluate jobs one by one. */
QUATSIMD_API quatsimd_status quatsimd_pose_evaluate(const quatsimd_pose_job *jobs, size_t count,
                                                    void *scratch, size_t scratch_size);

#ifdef __cplusplus
}
#endif

#endif
