/* Poses: blending, additive poses, model space, skinning matrices, root motion, hands and feet.
 *
 * A pose is a rotation, a translation and a scale for each joint, relative to its parent, and float tracks:
 * the result of quatsimd_clip_sample. quatsimd_pose_evaluate goes from clips to matrices in one call; the
 * other functions do one step each. docs/pose.md: formulas, errors, costs.
 *
 * Functions with a pose_count work on that many poses at once, one after the other in memory: joint j of pose
 * p is element p * joint_count + j of each view, and track t is tracks[p * track_count + t]. Poses do not
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

/* The numbers of joints and tracks of each pose, and of poses. If pose_count is 0, nothing is read or
 * written. */
typedef struct quatsimd_pose_counts {
  size_t joint_count; /* joints of each pose */
  size_t track_count; /* tracks of each pose */
  size_t pose_count;  /* poses */
} quatsimd_pose_counts;

/* Poses with weights. */
typedef struct quatsimd_weighted_poses {
  quatsimd_pose_in poses; /* as many poses as the call's pose_count */
  const float *weights;   /* a weight for each pose; null: 1 */
  /* Factors of the weight for each joint and for each track, the same for all poses; null: 1 */
  const float *mask, *track_mask;
} quatsimd_weighted_poses;

/* Blends the poses of layer_count layers into one pose, for pose_count poses at once. The weight of a joint
 * in a layer is the layer's weight times the joint's mask. Weights and masks below 0, and NaN, count as 0;
 * above 2^16 as 2^16. If the weights of a joint sum to less than 1 - 2^-20, the rest pose gets the remainder
 * to 1. If they sum to more than 1, they are divided by the sum. A joint of weight 0 in a layer is ignored
 * there, even if its values are NaN.
 *
 * Rotations are summed with their weights, in the order of the layers and the rest pose last, and the sum is
 * normalised (nlerp). Each gets the sign that makes its dot product with the sum so far not negative.
 * Translations, scales and tracks are weighted sums. rest is one pose, and may be null. It must not share
 * memory with out unless pose_count is 1.
 *
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that breaks a rule of
 * view.h, overlap that is refused, or more elements than memory can hold. On
 * error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_pose_blend(quatsimd_pose_out *out,
                                                 const quatsimd_weighted_poses *layers, size_t layer_count,
                                                 const quatsimd_pose_in *rest, quatsimd_pose_counts counts);

/* Adds additive poses, which are samples of additive clips or results of quatsimd_pose_subtract, to base
 * poses. With w = weight * mask, rotations become base * nlerp(identity, additive, w), translations and
 * tracks base + w * additive, and scales base * (1 + w * (additive - 1)) for each component. Weights and
 * masks may be negative or above 1. Each is clamped to the range from -2^16 to 2^16; a NaN counts as 0.
 * Returns the same as quatsimd_pose_blend. */
QUATSIMD_API quatsimd_status quatsimd_pose_add(quatsimd_pose_out *out, const quatsimd_pose_in *base,
                                               const quatsimd_weighted_poses *additive,
                                               quatsimd_pose_counts counts);

/* Computes the additive poses that lead from base to pose. Rotations are conjugate(base) * pose, for base
 * rotations of length 1. Translations and tracks are pose - base. Scales are pose / base for each component,
 * and 1 where the base's is 0. quatsimd_pose_add with weight 1 gives the pose again within rounding. Returns
 * the same as quatsimd_pose_blend. */
QUATSIMD_API quatsimd_status quatsimd_pose_subtract(quatsimd_pose_out *out, const quatsimd_pose_in *pose,
                                                    const quatsimd_pose_in *base,
                                                    quatsimd_pose_counts counts);

/* ---- matrices ----
 * A joint's local matrix is translation * rotation * scale, as in glTF. A rotation of length 0 counts as the
 * identity. Tracks are not used. */

/* The layout of matrices in memory. */
typedef enum quatsimd_matrix_layout {
  QUATSIMD_MATRIX_3X4 = 12, /* three rows of four floats, the translation last in each row, as in sqt.h */
  QUATSIMD_MATRIX_4X4 = 16  /* four columns of four floats, the translation in the last column, as in glTF */
} quatsimd_matrix_layout;

/* Computes local matrices of element_count elements of a pose, in float. The matrix of element i begins at
 * matrices[i * layout]. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, an unknown
 * layout, a view that breaks a rule of view.h, matrices that begin at the same address as a view, or more
 * elements than memory can hold. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_pose_to_local(float *matrices, quatsimd_matrix_layout layout,
                                                    const quatsimd_pose_in *pose, size_t element_count);

/* Computes the rotations, translations and scales of local matrices, in double. If a matrix mirrors, its
 * scale along x is negative, whichever axis was mirrored. If its columns x, y and z are not at right angles
 * (shear), the columns of the rotation are those of x, of y made perpendicular to x, and of z made
 * perpendicular to both, at length 1. Scales are the columns' lengths. A column of length 0 gets any
 * direction that fits the others. A NaN in a matrix gives at least one NaN. Returns the same as
 * quatsimd_pose_to_local. */
QUATSIMD_API quatsimd_status quatsimd_pose_from_local(quatsimd_pose_out *pose, const float *matrices,
                                                      quatsimd_matrix_layout layout, size_t element_count);

/* Computes matrices in model space of the skeleton's joints 0 to joint_count - 1, for each of pose_count
 * poses, in float. The matrix of joint j of pose p begins at matrices[(p * joint_count + j) * layout]. It is
 * the parent's matrix times the joint's local matrix. Scales may be negative and differ by axis; matrices can
 * then shear, as in glTF.
 *
 * root is an affine matrix in the same layout, or null. It stands for the parent of joints without one, in
 * all poses: the place of the character, for example. The last row of a 4 x 4 root is not read. For less
 * detail, joint_count may be less than the skeleton's number of joints.
 *
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, an unknown layout, more joints than
 * the skeleton has, a view that breaks a rule of view.h, matrices that begin at the same address as a view or
 * root, or more elements than memory can hold. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_pose_to_model(const quatsimd_skeleton *skeleton, float *matrices,
                                                    quatsimd_matrix_layout layout,
                                                    const quatsimd_pose_in *pose, const float *root,
                                                    size_t joint_count, size_t pose_count);

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
                                                       size_t joint_count, size_t pose_count);

/* ---- root motion ----
 * Root motion is the movement of one joint, the root or the hips, taken out of a clip's poses and given to
 * the character. These functions compute in double, from samples in float. */

/* The parts of a joint's movement in model space that are root motion. Values are summed, and so arguments
 * and members that take them are ints. QUATSIMD_ROOT_ALL excludes the three before it. */
typedef enum quatsimd_root_parts {
  QUATSIMD_ROOT_ACROSS = 1, /* movement perpendicular to the up axis: over the floor */
  QUATSIMD_ROOT_ALONG = 2,  /* movement along the up axis */
  QUATSIMD_ROOT_TURN = 4,   /* rotation about the up axis */
  QUATSIMD_ROOT_ALL = 8,    /* all movement and rotation, without an up axis */
  /* With any of the others: the straight path. The movement from the clip's start to its end, evenly in time,
   * for clips that sway in place: the sway stays in the pose. */
  QUATSIMD_ROOT_STRAIGHT = 16
} quatsimd_root_parts;

/* How a clip moves a character, in the caller's memory. It points neither to the skeleton nor to the clip. */
typedef struct quatsimd_root_motion quatsimd_root_motion;

/* Memory for the root motion of one clip: on the stack, in a struct, anywhere. */
typedef union quatsimd_root_motion_storage {
  unsigned char bytes[512];  /* at least quatsimd_root_motion_memory_size() */
  double aligned;            /* not used: it aligns the bytes */
  void *aligned_as_pointers; /* not used: it aligns the bytes */
} quatsimd_root_motion_storage;
/* Returns the bytes of memory that quatsimd_root_motion_init needs, at most
 * sizeof(quatsimd_root_motion_storage). For bindings to other languages, and for memory that is not a
 * quatsimd_root_motion_storage. */
QUATSIMD_API size_t quatsimd_root_motion_memory_size(void);

/* Prepares the root motion of a joint in a clip. *motion is made in `memory` and stays there; it needs no
 * closing. memory must be aligned as quatsimd_root_motion_storage is; an alignment of 8 bytes always
 * suffices. The clip must not be additive, and must not move any joint above this one. parts is a sum of
 * quatsimd_root_parts: QUATSIMD_ROOT_ACROSS + QUATSIMD_ROOT_TURN for characters that walk, and
 * QUATSIMD_ROOT_STRAIGHT as well if they sway in place. up is the up axis
 * in model space, of any length; it may be null for QUATSIMD_ROOT_ALL. Scales above the joint should be the
 * same along all axes. If the clip does not move the joint, all movements are zero.
 *
 * Returns QUATSIMD_OK, or
 * - QUATSIMD_ERROR_WRONG_SKELETON: the clip has another skeleton, or another number of joints or tracks.
 * - QUATSIMD_ERROR_SHORT_BUFFER: memory_size is less than quatsimd_root_motion_memory_size().
 * - QUATSIMD_ERROR_BAD_ARGUMENT: any other error.
 *
 * Bad arguments are a null pointer, memory that is not aligned, an additive clip, a joint that the skeleton
 * does not have, a joint above it that the clip moves, unknown parts, an axis of length 0 or not finite, and
 * a scale of 0 above the joint. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_root_motion_init(quatsimd_root_motion **motion, void *memory,
                                                       size_t memory_size, const quatsimd_skeleton *skeleton,
                                                       const quatsimd_clip *clip, size_t joint, int parts,
                                                       const float up[3]);

/* Computes the movement of the character between two times of the clip: rotation (x, y, z, w) and translation
 * (x, y, z), relative to its place at `from`. The new place is rotation_old * rotation, and translation_old +
 * translation rotated by rotation_old. `to` may be earlier than `from`. Times and wrap are as in
 * quatsimd_clip_sample. When looping, movement accumulates over the passes through the clip (at most 2^52)
 * between the two times. Both may come from a clock that runs for years; do not wrap them, as a `to` that is
 * wrapped by itself could be a pass earlier. clip is the clip that quatsimd_root_motion_init was given. To
 * blend the movements of several clips, blend them as poses of one joint. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a root motion of zeros, a clip that is additive or does not
 * have the joint, or an unknown wrap. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_root_motion_between(const quatsimd_root_motion *motion,
                                                          float rotation[4], float translation[3],
                                                          const quatsimd_clip *clip, double from, double to,
                                                          quatsimd_clip_wrap wrap);

/* Removes the root motion from poses sampled from the clip, in place. If the character is moved by the root
 * motion since the clip's start, the poses that remain put the joint where the clip has it. With
 * QUATSIMD_ROOT_ALL the joint stays where it is at the clip's start. In each of pose_count poses of
 * joint_count joints the joint's rotation and translation are read and written. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a root motion of zeros or with QUATSIMD_ROOT_STRAIGHT,
 * poses that do not have the joint, a view that is all zeros or breaks a rule of view.h, rotations and
 * translations that begin at the same address, or more elements than memory can hold. On error nothing is
 * written. */
QUATSIMD_API quatsimd_status quatsimd_root_motion_remove(const quatsimd_root_motion *motion,
                                                         quatsimd_pose_out *pose, size_t joint_count,
                                                         size_t pose_count);

/* As quatsimd_root_motion_remove, for one pose that was sampled from the clip at a time, with any parts, also
 * QUATSIMD_ROOT_STRAIGHT: then the movement depends on the time, not on the pose. clip is the clip that
 * quatsimd_root_motion_init was given; time and wrap are those with which it was sampled. Returns in addition
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null clip, one that is additive or does not have the joint, and an
 * unknown wrap. */
QUATSIMD_API quatsimd_status quatsimd_root_motion_remove_at(const quatsimd_root_motion *motion,
                                                            quatsimd_pose_out *pose, size_t joint_count,
                                                            const quatsimd_clip *clip, double time,
                                                            quatsimd_clip_wrap wrap);

/* ---- hands and feet, and where a head looks ----
 * Goals change rotations of a pose so that a joint reaches a point, or an axis of it points there. They are
 * computed in double. docs/pose.md has the formulas, under Goals. */

/* The function whose work a goal of a job does. */
typedef enum quatsimd_pose_goal_kind {
  QUATSIMD_POSE_GOAL_REACH = 1, /* as by quatsimd_pose_reach */
  QUATSIMD_POSE_GOAL_AIM = 2    /* as by quatsimd_pose_aim */
} quatsimd_pose_goal_kind;

/* One goal. Later versions may add members; a goal begins as zeros. */
typedef struct quatsimd_pose_goal {
  quatsimd_pose_goal_kind kind; /* read in jobs alone */
  float weight;                 /* the share of the goal, clamped to the range from 0 to 1; NaN counts as 0 */
  /* Reach: `joint` is the hand or foot, `middle` the elbow or knee, `first` the shoulder or hip: each is an
   * ancestor of the one before, not necessarily its parent. Aim: `joint` is the one whose axis aims, and
   * `first` is itself or an ancestor, from which on the joints down to `joint` share the rotation. */
  uint32_t joint, middle, first;
  float target[3]; /* a point in model space */
  float pole[3];   /* reach: the direction in model space to which `middle` points; zeros: as in the pose */
  float softness;  /* reach: the share of the limb's length, from its end, over which it slows; 0: none */
  float axis[3];   /* aim: the axis, in the space of `joint`, of any length */
  float limit;     /* aim: the largest angle by which the axis turns, radians; 0: none */
} quatsimd_pose_goal;

/* Rotates the joints `first` and `middle` of limbs so that `joint` comes to the target, in place. goals has
 * goal_count elements for each of counts.pose_count poses, goal_size bytes each: sizeof(quatsimd_pose_goal)
 * in the caller's program. Goal g of pose p is number p * goal_count + g. The goals of a pose are reached in
 * their order, each on the pose that the ones before it left. `kind` is not read. pose has counts.joint_count
 * joints for each pose; counts.track_count is not read. Its rotations are read and written. Its translations
 * and scales are only read, and may be all zeros; its tracks are not used. goals must not share memory with
 * the rotations.
 *
 * A target beyond reach is met by the straight limb that points to it, one too near by the folded limb. With
 * softness s, the hand slows over the last s of the limb's length, so that the limb does not snap straight.
 * With a pole the limb bends toward it. If the target lies along the pole, or without a pole, the limb stays
 * in its present plane. A part of the limb with length 0, a scale of 0, and numbers that are not finite,
 * change nothing. Scales of `first`, `middle` and joints between them and `joint` should be the same along
 * all axes; those above may be any. Rotations count as if they had length 1. Rotations that change get length
 * 1. The hand is within 2e-7 of the limb's length of a target within reach.
 *
 * A goal of weight 0, below 0 or NaN is ignored, whatever its other members are. So is a goal whose `joint`
 * the skeleton has but is not below counts.joint_count.
 *
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, more joints than the skeleton has,
 * joints that the skeleton does not have or that are not above each other, a goal_size that is not the size
 * of a goal, goals that are not aligned, a member that this version does not know, rotations that are all
 * zeros, a view that breaks a rule of view.h, rotations that begin at the same address as another view, or
 * more elements than memory can hold. If there are no joints, poses or goals, nothing is read. On error
 * nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_pose_reach(const quatsimd_skeleton *skeleton, quatsimd_pose_out *pose,
                                                 const quatsimd_pose_goal *goals, size_t goal_size,
                                                 size_t goal_count, quatsimd_pose_counts counts);

/* Rotates the joints from `first` down to `joint` so that the axis of `joint` points to the target, in place.
 * The joints share the rotation: with k of them left, a joint turns by 1 / k of what is still needed. The
 * last one takes the rest, so that the axis points to the target within 3e-7 radians. `limit` is the largest
 * angle between the axis before and after; beyond it the axis turns by `limit` toward the target. An axis of
 * length 0, a target at the joint's place, a negative limit, a scale of 0, and numbers that are not finite,
 * change nothing. Scales of the joints that share should be the same along all axes. Arguments and return
 * value are as in quatsimd_pose_reach. */
QUATSIMD_API quatsimd_status quatsimd_pose_aim(const quatsimd_skeleton *skeleton, quatsimd_pose_out *pose,
                                               const quatsimd_pose_goal *goals, size_t goal_size,
                                               size_t goal_count, quatsimd_pose_counts counts);

/* ---- from clips to matrices in one call ----
 * Jobs and reports begin with struct_size, and jobs have the size of a layer, so that later versions can add
 * members to all three. A size is sizeof the caller's struct: at least the struct's size in the first
 * version, at most 4096. Members beyond it have their default, which is 0. A struct of a later version is
 * accepted if all its bytes that this version does not know are zero. */

/* How a layer is put together with the others. */
typedef enum quatsimd_pose_mode {
  QUATSIMD_POSE_MODE_AUTO = 0,  /* _ADD for an additive clip, _BLEND for any other */
  QUATSIMD_POSE_MODE_BLEND = 1, /* as in quatsimd_pose_blend; the clip must not be additive */
  QUATSIMD_POSE_MODE_ADD = 2,   /* as in quatsimd_pose_add; the clip must be additive */
  /* laid over what comes before it: quatsimd_pose_blend of this layer alone, with the pose so far as the rest
   * pose; the clip must not be additive */
  QUATSIMD_POSE_MODE_OVER = 3
} quatsimd_pose_mode;

/* A clip at a time, as one layer of a pose. */
typedef struct quatsimd_pose_layer {
  const quatsimd_clip *clip; /* a clip of the job's skeleton, additive or not */
  double time;               /* seconds, as in quatsimd_clip_sample: a clock may run for years */
  quatsimd_clip_wrap wrap;   /* the meaning of times outside the clip */
  float weight;              /* as in quatsimd_weighted_poses; 0: the layer is ignored */
  /* Factors of the weight, as in quatsimd_weighted_poses, for each joint that is computed; null: 1 */
  const float *mask, *track_mask;
  const quatsimd_root_motion *motion; /* the clip's root motion, which is removed; null: none */
  quatsimd_pose_mode mode;            /* 0: QUATSIMD_POSE_MODE_AUTO */
  double last_time; /* `time` of the evaluation before; read if the job wants events or root motion */
} quatsimd_pose_layer;

/* An event that a layer passed. */
typedef struct quatsimd_pose_event {
  size_t layer;     /* the number of the layer */
  float weight;     /* the weight of the layer */
  const char *name; /* as in quatsimd_clip_event */
  double time;      /* as there */
  double clock;     /* as there */
} quatsimd_pose_event;

/* One character: its layers, and the memory of the results. */
typedef struct quatsimd_pose_job {
  size_t struct_size; /* sizeof(quatsimd_pose_job) in the caller's program, the same in all jobs of a call */
  size_t layer_size;  /* sizeof(quatsimd_pose_layer) in the caller's program */
  const quatsimd_skeleton *skeleton; /* its rest pose holds where no clip has a value */
  const quatsimd_pose_layer *layers; /* an array of layer_count elements, layer_size bytes each */
  size_t layer_count; /* 0: the rest pose; layers may then be null, and layer_size is not read */
  size_t joint_count; /* joints 0 to joint_count - 1 are computed, for less detail; 0: all */
  /* The pose in local space: an element for each computed joint, and as many tracks as the skeleton has. A
   * view of all zeros, or a null pointer, means that this kind is not wanted. */
  quatsimd_pose_out local;
  /* Matrices in model space and for skinning, one for each computed joint, in this layout; null: not
   * wanted */
  float *model, *skinning;
  quatsimd_matrix_layout layout; /* also of root; not used if no matrices are wanted, nor goals with a root */
  const float *root;             /* as in quatsimd_pose_to_model; may be null */
  /* Goals, reached in their order before matrices are computed. Targets and poles are in the space of the
   * matrices: model space, or the space to which `root` leads. A root without inverse leaves all undone. */
  const quatsimd_pose_goal *goals; /* an array of goal_count elements, goal_size bytes each */
  size_t goal_size;                /* sizeof(quatsimd_pose_goal) in the caller's program */
  size_t goal_count;               /* 0: none; goals may then be null, and goal_size is not read */
  /* Not 0: `root`, if it is given, is the place before the movement of the character. Matrices and goals are
   * computed at the place after it, which is root * movement. */
  int move_root;
  /* The movement of the character from the layers' last times to their times, by their root motion: a
   * rotation (x, y, z, w) and a translation, as in quatsimd_root_motion_between; null: not wanted */
  float *root_rotation, *root_translation;
  /* The events that the layers passed from their last times to their times, as by
   * quatsimd_clip_events_between. *event_count gets their number, which may be more than event_capacity;
   * those that fit are written to events: layer by layer, those of a layer in the order of passing. Layers
   * that are ignored pass none. */
  quatsimd_pose_event *events; /* memory for event_capacity elements, event_size bytes each */
  size_t event_size;           /* sizeof(quatsimd_pose_event) in the caller's program */
  size_t event_capacity;       /* 0: events may be null, and event_size is not read */
  size_t *event_count;         /* null: not wanted; events is then not used */
} quatsimd_pose_job;
/* Fills a job with zeros and the two sizes: sizeof *job, and sizeof(quatsimd_pose_layer). A program in C may
 * use designated initialisers instead, and set both sizes there. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a size out of range. */
QUATSIMD_API quatsimd_status quatsimd_pose_job_init(quatsimd_pose_job *job, size_t struct_size,
                                                    size_t layer_size);

/* The place and reason of an error of quatsimd_pose_evaluate. */
typedef struct quatsimd_pose_report {
  size_t struct_size; /* set by quatsimd_pose_report_init */
  size_t job;         /* the number of the first job that is wrong; SIZE_MAX: none in particular */
  size_t layer;       /* the number of its first layer that is wrong; SIZE_MAX: none in particular */
  const char *error;  /* a sentence without a full stop; null for QUATSIMD_OK */
  size_t goal;        /* the number of its first goal that is wrong; SIZE_MAX: none in particular */
} quatsimd_pose_report;
/* Prepares a report for quatsimd_pose_evaluate: fills it with zeros and struct_size, which is sizeof *report.
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a size out of range. */
QUATSIMD_API quatsimd_status quatsimd_pose_report_init(quatsimd_pose_report *report, size_t struct_size);

/* Returns the bytes of scratch memory that quatsimd_pose_evaluate needs for these jobs: the most that any of
 * them needs. A job's need depends only on its skeleton and its number of layers, so the memory can be
 * allocated once. Returns 0 for a null pointer or if quatsimd_pose_evaluate refuses struct_size of the first
 * job, which that of the others must equal, and SIZE_MAX if the size does not fit memory. */
QUATSIMD_API size_t quatsimd_pose_scratch_size(const quatsimd_pose_job *jobs, size_t count);

/* Samples, blends and computes matrices for `count` jobs, one after the other. For each job
 * - layers of weight 0 or NaN are ignored, whatever their other members are: the clip may be null.
 * - clips are sampled with the skeleton's rest pose, and their root motion is removed if it is given.
 * - layers of mode blend are blended as by quatsimd_pose_blend, with the skeleton's rest pose.
 * - the other layers follow in their order: over as by quatsimd_pose_blend of the layer alone, with the pose
 *   so far as the rest pose; add as by quatsimd_pose_add.
 * - goals are reached as by quatsimd_pose_reach and quatsimd_pose_aim, in their order. Goals of joints that
 *   are not computed are ignored.
 * - matrices are those of quatsimd_pose_to_model and quatsimd_pose_to_skinning.
 * - the movement of the character is that of quatsimd_root_motion_between for each layer. Movements are put
 *   together as a joint of the pose is, with each layer's weight times its mask at the motion's joint. A
 *   layer without root motion stands still (docs/pose.md).
 * - events are those of quatsimd_clip_events_between for each layer that is not ignored.
 *
 * A blend normalises the rotations of the rest pose. A layer of mode blend with a weight of 1 or more and no
 * masks is used as it is sampled if no other layer has this mode and a weight other than 0 and NaN. Layers of
 * mode blend or over with a weight below 0 count as 0.
 *
 * scratch is memory for one thread: scratch_size bytes, at least quatsimd_pose_scratch_size, aligned to 8
 * bytes. Nothing is kept in it. Several threads may evaluate jobs at once, each with its own scratch. The
 * bits do not depend on which jobs are in one call. Results must not overlap each other, scratch or any
 * input.
 *
 * jobs is not const, because the results are written through it; the jobs themselves do not change. report
 * gets the place and the reason of an error; it may be null.
 *
 * Returns QUATSIMD_OK, or
 * - QUATSIMD_ERROR_SHORT_BUFFER: scratch_size is too small.
 * - QUATSIMD_ERROR_WRONG_SKELETON: a clip has another skeleton, or another number of joints or tracks.
 * - QUATSIMD_ERROR_BAD_ARGUMENT: any other error.
 *
 * Bad arguments are a null pointer, a struct_size, layer_size, goal_size or event_size that is not the size
 * of such a struct, jobs of different struct_size, a member that this version does not know, more joints than
 * the skeleton has, root motion of zeros, of an additive clip or of a joint that the skeleton does not have,
 * a mode that does not fit its clip, an unknown mode, wrap, layout or kind of goal, a goal whose joints the
 * skeleton does not have or that are not above each other, a view that breaks a rule of view.h, two of
 * local, model, skinning and root, or root_rotation and root_translation, that begin at the same address,
 * scratch that is not aligned, and a report that was not initialised, which is not written. On error no
 * result of any job is written. */
QUATSIMD_API quatsimd_status quatsimd_pose_evaluate(quatsimd_pose_job *jobs, size_t count, void *scratch,
                                                    size_t scratch_size, quatsimd_pose_report *report);

#ifdef __cplusplus
}
#endif

#endif
