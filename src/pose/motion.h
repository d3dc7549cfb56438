/* The struct of root motion, which root.c makes and evaluate.c reads. */
#ifndef QUATSIMD_POSE_MOTION_H
#define QUATSIMD_POSE_MOTION_H

#include <stdbool.h>

#include "quatsimd/pose.h"

struct quatsimd_root_motion {
  size_t joint;     /* the joint that moves the character */
  int parts;        /* a sum of quatsimd_root_parts, without QUATSIMD_ROOT_STRAIGHT */
  double up[3];     /* the up axis in model space, of length 1; zeros for QUATSIMD_ROOT_ALL */
  double above[12]; /* matrix from the joint's parent's space to model space */
  double below[12]; /* inverse of `above` */
  double turned[4]; /* product of the rotations of all the joint's ancestors */
  double rest[7];   /* the joint's rotation and translation at rest */
  double start[7];  /* the joint's rotation and position in model space at the clip's start */
  double round[7];  /* the joint's movement during one pass through the clip */
  bool straight;    /* parts had QUATSIMD_ROOT_STRAIGHT */
};

/* A rigid transform, which moves p to q p q^-1 + t. */
typedef struct pose_rigid {
  double q[4], t[3];
} pose_rigid;

/* False if the memory has only zeros, as before quatsimd_root_motion_init. */
static inline bool pose_is_motion(const quatsimd_root_motion *motion) { return motion->parts != 0; }

/* root.c */
/* Returns the movement between two times, seen from the character's place at `from`. */
pose_rigid quatsimd_pose_movement(const quatsimd_root_motion *motion, const quatsimd_clip *clip, double from,
                                  double to, quatsimd_clip_wrap wrap);
/* Removes the movement from the joint of the motion in poses of a clip, sampled at a time within the clip. */
void quatsimd_pose_remove(const quatsimd_root_motion *motion, const quatsimd_clip *clip,
                          quatsimd_pose_out *pose, size_t joint_count, size_t pose_count, double within);

#endif
