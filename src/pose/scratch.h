/* The scratch memory of a job. */
#ifndef QUATSIMD_POSE_SCRATCH_H
#define QUATSIMD_POSE_SCRATCH_H

#include "core/operand.h"
#include "quatsimd/pose.h"

/* Floats of a joint in scratch: rotation, translation, scale. */
enum { POSE_JOINT_FLOATS = 10 };

/* Returns the number of joints for which poses in scratch have room: all joints, because sampling may write
 * more than the job wants, and the joints of a block. */
static inline size_t pose_room_of(const quatsimd_pose_job *job) {
  const size_t joints = quatsimd_skeleton_joint_count(job->skeleton);
  return joints > QUATSIMD_OPERATION_BLOCK ? joints : QUATSIMD_OPERATION_BLOCK;
}

/* Returns the number of floats of a pose in scratch. It is even, because structs with pointers follow. */
static inline size_t pose_floats(const quatsimd_pose_job *job) {
  const size_t floats = POSE_JOINT_FLOATS * pose_room_of(job) + quatsimd_skeleton_track_count(job->skeleton);
  return floats + floats % 2;
}

/* Returns the size of a job's scratch: the rest pose, the views of layers, the result, matrices of model
 * space, a pose for each layer, and the modes of layers. Returns SIZE_MAX if the size is more than memory can
 * have. */
static inline size_t pose_scratch_bytes(const quatsimd_pose_job *job) {
  const size_t floats = pose_floats(job), layer = sizeof(quatsimd_weighted_poses) + floats * sizeof(float);
  if (job->layer_count >= PTRDIFF_MAX / layer / 2) return SIZE_MAX;
  const size_t bytes =
      job->layer_count * layer + (2 * floats + QUATSIMD_MATRIX_4X4 * pose_room_of(job)) * sizeof(float);
  return bytes + (job->layer_count + 7) / 8 * 8;
}

#endif
