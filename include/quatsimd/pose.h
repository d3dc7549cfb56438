/* Poses: blended, put on one another, and brought from local to model space and to matrices for skinning.
 *
 * A pose is a rotation, a translation and a scale of each joint, relative to the parent, and tracks: what
 * quatsimd_clip_sample gives. Functions that take `poses` work on so many at once, one behind the other:
 * joint j of pose p is element p * joints + j of each view, and track t is tracks[p * tracks + t]. A pose's
 * result does not depend on the others.
 *
 * Rotations are of length 1; where one is not, its length, from 2^-60 to 2^60, counts in blends as a weight,
 * and results are of length 1 within 5e-7 all the same. A view of all zeros, and a null pointer, stand
 * in an input for the identity, translation 0, scale 1 and tracks 0; in an output they say that this kind is
 * not wanted. An output may have the memory of an input of its own kind if each element has the same bytes in
 * both. Other overlap is not allowed; it is refused where two views begin at one address.
 *
 * Determinism. Results have the same bits on every CPU and with every compiler; a NaN is 0x7fc00000. Computed
 * in float.
 *
 * Threads. All functions may be called at once; nothing is kept, and nothing allocated. docs/pose.md has
 * examples. */
#ifndef QUATSIMD_POSE_H
#define QUATSIMD_POSE_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- blending ---- */

/* Poses with weights. */
typedef struct quatsimd_weighted_poses {
  quatsimd_pose_in pose; /* as many poses as are blended */
  const float *weights;  /* of each pose; null: 1 */
  /* Factors of the weights, the same for all poses: of each joint, and of each track; null: 1. */
  const float *mask, *track_mask;
} quatsimd_weighted_poses;

/* Blends `layers` poses into one, for each of `poses` poses. A joint's weight in a layer is the layer's weight
 * times its mask. Where the sum of these is below 1 - 2^-20, the rest pose fills it up; above 1 all are
 * divided by it. Negative weights and NaN count as 0, and more than 2^16 as 2^16; so do masks. A joint that has no
 * weight in a layer is not looked at there. Rotations are summed with their weights, in the order of the
 * layers and the rest pose last, each with the sign that makes the dot product with the sum so far not
 * negative, and normalised (nlerp). Translations, scales and tracks are sums. rest is of one pose, and may
 * be null. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that breaks a rule
 * of view.h, leave_absent that is not 0, overlap that is not allowed, or more elements than memory has, and
 * has written nothing then. */
QUATSIMD_API quatsimd_status quatsimd_pose_blend(const quatsimd_pose *out,
                                                 const quatsimd_weighted_poses *layer, size_t layers,
                                                 const quatsimd_pose_in *rest, size_t joints, size_t tracks,
                                                 size_t poses);

/* Puts additive poses (additive clips, or quatsimd_pose_subtract) on base poses, as much of them as their
 * weight times their mask says: rotations become base * nlerp(identity, additive, weight), translations and
 * tracks base + weight * additive, scales base * (1 + weight * (additive - 1)) by component. Weights may be
 * negative or above 1; a NaN counts as 0, and what is beyond 2^16 or -2^16 as that. Returns as
 * quatsimd_pose_blend. */
QUATSIMD_API quatsimd_status quatsimd_pose_add(const quatsimd_pose *out, const quatsimd_pose_in *base,
                                               const quatsimd_weighted_poses *additive, size_t joints,
                                               size_t tracks, size_t poses);

/* The additive poses that lead from base to pose: rotations conjugate(base) * pose, for bases of length 1,
 * translations and tracks pose - base, scales pose / base by component, 1 where the base's is 0. Put on the
 * base with weight 1 they give the pose within rounding. Returns as quatsimd_pose_blend. */
QUATSIMD_API quatsimd_status quatsimd_pose_subtract(const quatsimd_pose *out, const quatsimd_pose_in *pose,
                                                    const quatsimd_pose_in *base, size_t joints,
                                                    size_t tracks, size_t poses);

/* ---- matrices ---- */

/* How matrices lie in memory. */
typedef enum quatsimd_matrix_layout {
  QUATSIMD_MATRIX_3X4 = 12, /* three rows of four floats, the translation last in each, as in sqt.h */
  QUATSIMD_MATRIX_4X4 = 16  /* four columns of four floats, the translation in the last one, as in glTF */
} quatsimd_matrix_layout;

/* Local matrices, translation * rotation * scale, of `elements` elements of a pose: of element i from
 * matrices[i * layout] on. A rotation of length 0 counts as the identity. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, another layout, a view that breaks a rule of view.h,
 * matrices that begin where a view does, or more elements than memory has, and has written nothing then. */
QUATSIMD_API quatsimd_status quatsimd_pose_to_local(float *matrices, quatsimd_matrix_layout layout,
                                                    const quatsimd_pose_in *pose, size_t elements);

/* The rotations, translations and scales of such matrices; tracks are not looked at. Of a matrix that mirrors
 * the scale along x is negative, whichever it was. Where columns are not at right angles, because they shear,
 * the rotation is that of x, of y made perpendicular to it, and of z made perpendicular to both; scales are
 * the columns' lengths. A column of length 0 has any direction that fits the others. Computed in double. A
 * NaN gives at least one NaN. Returns as quatsimd_pose_to_local, and QUATSIMD_ERROR_BAD_ARGUMENT for
 * leave_absent that is not 0. */
QUATSIMD_API quatsimd_status quatsimd_pose_from_local(const quatsimd_pose *pose, const float *matrices,
                                                      quatsimd_matrix_layout layout, size_t elements);

/* The matrices of the skeleton's joints 0 to joints - 1 in model space, for each of `poses` poses: of pose p
 * and joint j from matrices[(p * joints + j) * layout] on. A joint's local matrix is translation * rotation *
 * scale, as in glTF, and its matrix in model space is its parent's times that. Scales may differ by axis and
 * be negative; what then shears, shears. A rotation of length 0 counts as the identity. root, which may be
 * null, is a matrix in the same layout, any affine one (the last row of 4 x 4 is not looked at), which stands
 * for the parent of joints without one, in all poses: the place of the character, for example. joints may be
 * less than the skeleton has, for less detail. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null
 * pointer, another layout, more joints than the skeleton has, a view that breaks a rule of view.h, matrices
 * that begin where a view or the root does, or more elements than memory has. It has written nothing then. */
QUATSIMD_API quatsimd_status quatsimd_pose_to_model(const quatsimd_skeleton *skeleton, float *matrices,
                                                    quatsimd_matrix_layout layout,
                                                    const quatsimd_pose_in *pose, const float *root,
                                                    size_t joints, size_t poses);

/* The matrix of one joint of one pose in model space, with the bits of quatsimd_pose_to_model: for a hand
 * that holds something, or the chain of an arm. Of the pose the joints of this chain alone are read: it has
 * joint + 1 elements at least. The other arguments, and what is returned, are as there. */
QUATSIMD_API quatsimd_status quatsimd_pose_joint_to_model(const quatsimd_skeleton *skeleton, float *matrix,
                                                          quatsimd_matrix_layout layout,
                                                          const quatsimd_pose_in *pose, const float *root,
                                                          size_t joint);

/* Matrices for skinning: matrices in model space times the inverse bind matrices of their joints; those of
 * joints without one stay as they are. skinning may be the same memory as model. Returns as
 * quatsimd_pose_to_model. */
QUATSIMD_API quatsimd_status quatsimd_pose_to_skinning(const quatsimd_skeleton *skeleton, float *skinning,
                                                       const float *model, quatsimd_matrix_layout layout,
                                                       size_t joints, size_t poses);

/* ---- root motion ---- */

/* The parts of a joint's movement in model space that are root motion. The first three may be added. */
enum {
  QUATSIMD_ROOT_ACROSS = 1, /* its movement across the axis that points up: over the floor */
  QUATSIMD_ROOT_ALONG = 2,  /* its movement along that axis: up and down */
  QUATSIMD_ROOT_TURN = 4,   /* its turns about that axis */
  QUATSIMD_ROOT_ALL = 8     /* all that it moves and turns, without an axis */
};

/* How a clip moves a character: filled by quatsimd_root_motion_init, then read only. */
typedef struct quatsimd_root_motion {
  size_t joint; /* that moves the character */
  int parts;    /* QUATSIMD_ROOT_..., a sum */
  double up[3]; /* of length 1, in model space; zeros for QUATSIMD_ROOT_ALL */
  /* for the functions alone: what is above the joint, the joint's rest pose, its place at the clip's start,
   * and what a round moves it */
  double above[12], below[12], turned[4], rest[7], start[7], round[7];
} quatsimd_root_motion;

/* Finds a joint's root motion in a clip that is not additive. The joint is the root, or the hips: it moves
 * the character, and nothing above it changes in the clip. parts is QUATSIMD_ROOT_ACROSS +
 * QUATSIMD_ROOT_TURN for characters that walk. up points up in model space, at any length, and may be null
 * for QUATSIMD_ROOT_ALL. Scales above the joint should be the same along all axes. Returns QUATSIMD_OK;
 * QUATSIMD_ERROR_WRONG_SKELETON if the clip is of another skeleton, or has another number of joints or
 * tracks; QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, an additive clip, a joint that the skeleton does
 * not have, a joint above it that the clip moves, other parts, an axis of length 0 or not finite, or a
 * scale of 0 above the joint. It has written nothing then. A clip in which the joint stays has no root
 * motion: all movements are zero. */
QUATSIMD_API quatsimd_status quatsimd_root_motion_init(quatsimd_root_motion *motion,
                                                       const quatsimd_skeleton *skeleton,
                                                       const quatsimd_clip *clip, size_t joint, int parts,
                                                       const float up[3]);

/* How the character moves from one time of the clip to another, which may be the earlier one, across any
 * number of rounds, as seen from its place at the first: rotation (x, y, z, w) and translation (x, y, z). The
 * character's new place is its place times this: rotation * this rotation, and translation + (this
 * translation, turned by the old rotation). Movements of several clips are blended as poses of one joint.
 * Times and wrap are as in quatsimd_clip_sample; a clip that goes round goes on from where it has moved to,
 * for at most 2^52 rounds. clip is the one of quatsimd_root_motion_init. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a clip that is additive or does not have the joint, or
 * another wrap, and has written nothing then. */
QUATSIMD_API quatsimd_status quatsimd_root_motion_between(const quatsimd_root_motion *motion,
                                                          float rotation[4], float translation[3],
                                                          const quatsimd_clip *clip, double from, double to,
                                                          quatsimd_clip_wrap wrap);

/* Takes the motion out of poses that the clip gave, in place: a character that has moved by the motion
 * since the clip's start is, with what is left of the pose, where the clip has it. If all counts, what is
 * left of the joint stays where it is at the clip's start. Of each of `poses` poses of `joints` joints its
 * rotation and its translation are read and written. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT
 * for a null pointer, poses that do not have the joint, a view that breaks a rule of view.h or is all
 * zeros, rotations and translations that begin at one address, or more elements than memory has, and has
 * written nothing then. */
QUATSIMD_API quatsimd_status quatsimd_root_motion_remove(const quatsimd_root_motion *motion,
                                                         const quatsimd_pose *pose, size_t joints,
                                                         size_t poses);

/* ---- from clips to matrices in one call ---- */

/* A clip at a time, as a part of a pose. A clip that is additive is put on what the others make. */
typedef struct quatsimd_pose_layer {
  const quatsimd_clip *clip;          /* of the job's skeleton */
  double time;                        /* seconds, as for quatsimd_clip_sample */
  quatsimd_clip_wrap wrap;            /* what times outside the clip mean */
  float weight;                       /* as one of quatsimd_weighted_poses; 0: the layer is left out */
  const float *mask, *track_mask;     /* factors of the weight, as in quatsimd_weighted_poses; null: 1 */
  const quatsimd_root_motion *motion; /* the clip's, which is taken out; null: none */
} quatsimd_pose_layer;

/* One character: what it plays, and where the results go. */
typedef struct quatsimd_pose_job {
  const quatsimd_skeleton *skeleton; /* whose rest pose it stands in, where no clip moves it */
  const quatsimd_pose_layer *layer;  /* an array of `layers` elements */
  size_t layers;                     /* 0: the rest pose */
  size_t joints;                     /* the first so many alone, for less detail; 0: all of the skeleton's */
  /* The pose in local space: as many elements as joints, and as many tracks as the skeleton has. A view of
   * all zeros and a null pointer say that this kind is not wanted. */
  quatsimd_pose local;
  /* Matrices in model space and for skinning, as many as joints, in this layout; null: not wanted. */
  float *model, *skinning;
  quatsimd_matrix_layout layout; /* not looked at where there are no matrices */
  const float *root;             /* as in quatsimd_pose_to_model; may be null */
} quatsimd_pose_job;

/* Bytes of memory that quatsimd_pose_evaluate needs for these jobs: the most that one of them needs. The
 * need of a job grows with its skeleton and its number of layers, and depends on nothing else, so that the
 * memory can be allocated once. 0 for a null pointer; SIZE_MAX if no memory has so many. */
QUATSIMD_API size_t quatsimd_pose_scratch_size(const quatsimd_pose_job *jobs, size_t count);

/* Samples, blends and computes matrices: `count` jobs, one after the other. Of each job
 * - clips are sampled with the skeleton's rest pose, and their root motion is taken out where it is given;
 * - layers whose weight is 0 (or NaN) are left out, whatever else they are: their clip may be null;
 * - those that are not additive are blended as quatsimd_pose_blend does, with the skeleton's rest pose, whose
 *   rotations come out normalised; a single one with a weight of 1 or more and without masks is taken as it
 *   is sampled;
 * - additive ones are put on that as quatsimd_pose_add does, in their order;
 * - matrices are those of quatsimd_pose_to_model and quatsimd_pose_to_skinning.
 * scratch is memory for one thread, aligned to 8 bytes, of scratch_size bytes, which are at least
 * quatsimd_pose_scratch_size; nothing is kept in it. Any number of threads may evaluate jobs at once, each
 * with scratch of its own: results are the same bits however jobs are shared out. Results must not overlap
 * each other, scratch or any input. Returns QUATSIMD_OK; QUATSIMD_ERROR_SHORT_BUFFER for too little scratch;
 * QUATSIMD_ERROR_WRONG_SKELETON for a clip of another skeleton (quatsimd_clip_skeleton), or with another
 * number of joints or tracks; QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, more joints than the skeleton
 * has, root motion of an additive clip or of a joint that the skeleton does not have, another wrap or layout,
 * a view that breaks a rule of view.h, leave_absent that is not 0, two results of one job that begin at one
 * address, or scratch of another alignment. It has written no result then, of no job. Which job it is one
 * finds by evaluating them one by one. */
QUATSIMD_API quatsimd_status quatsimd_pose_evaluate(const quatsimd_pose_job *jobs, size_t count,
                                                    void *scratch, size_t scratch_size);

#ifdef __cplusplus
}
#endif

#endif
