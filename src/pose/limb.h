/* What reaching and aiming share: joints of one pose in double, and rotations from one direction to another. */
#ifndef QUATSIMD_POSE_LIMB_H
#define QUATSIMD_POSE_LIMB_H

#include "core/quat64.h"
#include "pose/affine.h"
#include "skeleton/layout.h"

/* One pose, whose rotations change. */
typedef struct goal_pose {
  const quatsimd_skeleton *skeleton;
  pose_operand of[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  size_t first;      /* the element of joint 0 */
  const float *root; /* may be null */
  quatsimd_matrix_layout layout;
} goal_pose;

void quatsimd_pose_reach_one(const goal_pose *pose, const quatsimd_pose_goal *goal);
void quatsimd_pose_aim_one(const goal_pose *pose, const quatsimd_pose_goal *goal);

/* goals.c */
/* Computes the local matrix of a joint. */
void quatsimd_pose_limb_local(double m[12], const goal_pose *pose, size_t joint);
/* Computes the inverse of a joint's matrix in model space. Returns false if it has none. */
bool quatsimd_pose_limb_inverse(double inverse[12], const goal_pose *pose, size_t joint);
/* Computes the rotation that turns a joint from its present rotation q to q * turn by the share `weight`.
 * Returns false if it is not finite. */
bool quatsimd_pose_limb_turn(float to[4], const double q[4], const double turn[4], float weight);

static inline void limb_to_double(double to[3], const float from[3]) {
  for (int c = 0; c < 3; c++) to[c] = from[c];
}

/* Loads a joint's rotation, at length 1. A NaN or an infinity gives a NaN. */
static inline void limb_rotation(double q[4], const goal_pose *pose, size_t joint) {
  float v[4];
  pose_load(&pose->of[QUATSIMD_CLIP_ROTATION], QUATSIMD_CLIP_ROTATION, pose->first + joint, v);
  for (int c = 0; c < 4; c++) q[c] = v[c];
  const double n2 = quat64_dot(q, q), by = 1 / quatsimd_sqrt(n2);
  for (int c = 0; c < 4; c++) q[c] = n2 == 0 ? c == 3 : q[c] * by;
}

static inline void limb_store(const goal_pose *pose, size_t joint, const float q[4]) {
  const quatsimd_operand *const to = &pose->of[QUATSIMD_CLIP_ROTATION].at;
  if (!to->interleaved) quatsimd_store_element(to, pose->first + joint, q);
  else memcpy((char *)(uintptr_t)to->first + (pose->first + joint) * to->stride, q, 4 * sizeof *q);
}

static inline bool limb_is_finite(double x) { return clip_absolute(x) <= DBL_MAX; }

static inline double limb_clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

static inline void limb_scale(double to[3], const double v[3], double by) {
  for (int c = 0; c < 3; c++) to[c] = v[c] * by;
}

/* Computes a * x + b * y. */
static inline void limb_sum(double to[3], const double x[3], double a, const double y[3], double b) {
  for (int c = 0; c < 3; c++) to[c] = a * x[c] + b * y[c];
}

/* Computes the direction, of length 1, of the part of v that is perpendicular to `unit`. Returns false if v
 * is 0 or parallel to it. */
static inline bool limb_across(double to[3], const double v[3], const double unit[3]) {
  double part[3];
  limb_sum(part, v, 1, unit, -pose_dot3(v, unit));
  const double n2 = pose_dot3(part, part);
  if (!(n2 > QUATSIMD_PARALLEL2 * pose_dot3(v, v))) return false;
  limb_scale(to, part, 1 / quatsimd_sqrt(n2));
  return true;
}

/* Computes a direction that is perpendicular to `unit`: the cross product of `unit` with the axis to which it
 * has the smallest component, the first of several. */
static inline void limb_perpendicular(double to[3], const double unit[3]) {
  const double x = clip_absolute(unit[0]), y = clip_absolute(unit[1]), z = clip_absolute(unit[2]);
  const int k = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
  const double axis[3] = {k == 0, k == 1, k == 2};
  pose_cross(to, unit, axis);
  limb_scale(to, to, 1 / quatsimd_sqrt(pose_dot3(to, to)));
}

/* Two directions at less than 1.4e-6 radians from opposite have no reliable shortest rotation. */
#define LIMB_OPPOSITE (-1 + 0x1p-40)

/* Computes the shortest rotation that takes direction a to b, unless they are opposite. */
static inline void limb_shortest(double q[4], const double a[3], const double b[3]) {
  pose_cross(q, a, b), q[3] = 1 + pose_dot3(a, b);
  const double by = 1 / quatsimd_sqrt(quat64_dot(q, q));
  for (int c = 0; c < 4; c++) q[c] *= by;
}

/* The same; opposite directions get a half turn about `axis`, of length 1, and the rotation that is left. */
static inline void limb_swing(double q[4], const double a[3], const double b[3], const double axis[3]) {
  if (pose_dot3(a, b) > LIMB_OPPOSITE) {
    limb_shortest(q, a, b);
    return;
  }
  const double half[4] = {axis[0], axis[1], axis[2], 0};
  double turned[3];
  quat64_rotate(turned, half, a);
  limb_shortest(q, turned, b);
  quat64_multiply(q, q, half);
}

#endif
