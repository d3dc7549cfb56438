/* The struct of root motion, which root.c makes and evaluate.c reads. */
#ifndef QUATSIMD_POSE_MOTION_H
#define QUATSIMD_POSE_MOTION_H

#include <stdbool.h>

#include "quatsimd/pose.h"

struct quatsimd_root_motion {
  size_t joint;     /* the joint that moves the character */
  int parts;        /* a sum of quatsimd_root_parts */
  double up[3];     /* the up axis in model space, of length 1; zeros for QUATSIMD_ROOT_ALL */
  double above[12]; /* matrix from the joint's parent's space to model space */
  double below[12]; /* inverse of `above` */
  double turned[4]; /* product of the rotations of all the joint's ancestors */
  double rest[7];   /* the joint's rotation and translation at rest */
  double start[7];  /* the joint's rotation and position in model space at the clip's start */
  double round[7];  /* the joint's movement during one pass through the clip */
};

/* False if the memory has only zeros, as before quatsimd_root_motion_init. */
static inline bool pose_is_motion(const quatsimd_root_motion *motion) { return motion->parts != 0; }

#endif
