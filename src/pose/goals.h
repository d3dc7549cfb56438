/* Goals of poses: hands and feet that reach a point, and axes that aim at one. */
#ifndef QUATSIMD_POSE_GOALS_H
#define QUATSIMD_POSE_GOALS_H

#include "core/growing.h"
#include "pose/operands.h"

/* The size of the first version's struct. */
enum { FIRST_GOAL = offsetof(quatsimd_pose_goal, limit) + sizeof(float) };

static inline bool goal_is_size(size_t size) {
  return growing_is_size(size, FIRST_GOAL) && size % _Alignof(quatsimd_pose_goal) == 0;
}
static inline const quatsimd_pose_goal *goal_at(const quatsimd_pose_goal *goals, size_t size, size_t number) {
  return (const quatsimd_pose_goal *)(const void *)((const char *)goals + number * size);
}

/* Returns true if the goal is ignored, whatever its other members are. */
static inline bool goal_is_left_out(const quatsimd_pose_goal *goal) { return !(goal->weight > 0); }

/* Returns the error of a goal of `size` bytes as one of `kind`, or null. A goal that is left out has none. */
const char *quatsimd_pose_check_goal(const quatsimd_pose_goal *goal, size_t size,
                                     quatsimd_pose_goal_kind kind, const quatsimd_skeleton *skeleton);

/* Applies goals of both kinds to one pose, in their order. value: rotations, translations and scales of
 * joint_count joints, structs without gaps. Rotations change. Goals whose `joint` is not below joint_count
 * are ignored. root: a matrix to the space of targets and poles; null: the identity, and `layout` is not
 * used. The goals must have passed the two checks. */
void quatsimd_pose_apply_goals(const quatsimd_pose_goal *goals, size_t goal_size, size_t goal_count,
                               const quatsimd_skeleton *skeleton,
                               float *const value[QUATSIMD_CLIP_JOINT_KIND_COUNT], size_t joint_count,
                               const float *root, quatsimd_matrix_layout layout);

#endif
