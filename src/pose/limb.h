/* For reaching and aiming: joints of one pose in double, and rotations from one direction to another. */
#ifndef QUATSIMD_POSE_LIMB_H
#define QUATSIMD_POSE_LIMB_H

#include "core/quat64.h"
#include "pose/affine.h"
#include "skeleton/layout.h"

/* One pose, whose rotations change. */
typedef struct goal_pose {
  const quatsimd_skeleton *skeleton;
  pose_operand of[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  size_t first; /* the element of joint 0 */
  bool rooted;
  double from_root[12]; /* if `rooted`: from the space of targets and poles to model space */
} goal_pose;

void quatsimd_pose_reach_one(const goal_pose *pose, const quatsimd_pose_goal *goal);
void quatsimd_pose_aim_one(const goal_pose *pose, const quatsimd_pose_goal *goal);

/* Joints of a chain that are visited at once, to save walks up to each of them. */
enum { LIMB_AT_ONCE = 64 };

/* Loads a target and a direction, which may be null, and brings them to the space of a joint. */
void quatsimd_pose_limb_begin(double target[3], double direction[3], const goal_pose *pose, size_t joint,
                              const float from_target[3], const float from_direction[3]);

static inline void limb_to_double(double to[3], const float from[3]) {
  for (int c = 0; c < 3; c++) to[c] = from[c];
}

/* Returns the address of a joint's value of a kind. `copy` gets values whose floats are not adjacent. */
static inline const float *limb_value(float copy[4], const goal_pose *pose, int kind, size_t joint) {
  const pose_operand *const in = &pose->of[kind];
  const size_t element = pose->first + joint;
  if (!in->given) return quatsimd_clip_none[kind];
  if (in->at.interleaved) return quatsimd_floats(in->at.first + element * in->at.stride);
  quatsimd_load_element(&in->at, element, copy);
  return copy;
}

/* Loads a joint's rotation, the identity in place of 0, and returns its squared length. */
static inline double limb_rotation(double q[4], const goal_pose *pose, size_t joint) {
  float copy[4];
  const float *const v = limb_value(copy, pose, QUATSIMD_CLIP_ROTATION, joint);
  for (int c = 0; c < 4; c++) q[c] = v[c];
  const double n2 = quat64_dot(q, q);
  if (n2 != 0) return n2;
  return q[3] = 1;
}

/* A joint's local transform. `twice` is 2 divided by the squared length of q; `by` is 1 / s, not
 * finite if s is 0 or not finite. */
typedef struct limb_joint {
  double q[4], t[3], s[3], by[3], twice;
} limb_joint;

void quatsimd_pose_limb_load(limb_joint *j, const goal_pose *pose, size_t joint);

/* Rotates v by q, whose squared length is 2 / twice, or by its inverse: sign is 1 or -1. `to` may equal v. */
void quatsimd_pose_limb_rotate(double to[3], const double q[4], double twice, double sign, const double v[3]);

/* Bring a direction from the space of a joint to that of its parent, and back. A point is a direction, and
 * the joint's translation is added after the first step, or subtracted before the second. */
static inline void limb_out(double v[3], const limb_joint *j) {
  for (int c = 0; c < 3; c++) v[c] *= j->s[c];
  quatsimd_pose_limb_rotate(v, j->q, j->twice, 1, v);
}
static inline void limb_in(double v[3], const limb_joint *j) {
  quatsimd_pose_limb_rotate(v, j->q, j->twice, -1, v);
  for (int c = 0; c < 3; c++) v[c] *= j->by[c];
}
static inline void limb_add(double v[3], const double t[3], double sign) {
  for (int c = 0; c < 3; c++) v[c] += sign * t[c];
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
void quatsimd_pose_limb_perpendicular(double to[3], const double unit[3]);

/* Two directions at less than 1.4e-6 radians from opposite have no reliable shortest rotation. */
#define LIMB_OPPOSITE 0x1p-40 /* 1 + the cosine */

/* Computes the shortest rotation that takes direction a to b, unless they are opposite; of any length. */
static inline void limb_shortest(double q[4], const double a[3], const double b[3]) {
  pose_cross(q, a, b), q[3] = 1 + pose_dot3(a, b);
}

/* Computes the rotation that takes direction a to b when they are nearly opposite: a half turn about `axis`,
 * of length 1, then the rest. */
void quatsimd_pose_limb_half_turn(double q[4], const double a[3], const double b[3], const double axis[3]);

/* Computes the shortest rotation that takes direction a to b; `axis` is that of a half turn. */
static inline void limb_swing(double q[4], const double a[3], const double b[3], const double axis[3]) {
  limb_shortest(q, a, b);
  if (!(q[3] > LIMB_OPPOSITE)) quatsimd_pose_limb_half_turn(q, a, b, axis);
}

/* Turns a joint from its present rotation q to q * turn by the share `weight`. q and turn have any length,
 * not 0. Returns false if the result is not finite. */
static inline bool limb_turn(float to[4], const double q[4], const double turn[4], float weight) {
  const double w = weight < 1 ? weight : 1, sign = turn[3] < 0 ? -w : w;
  double by[4];
  for (int c = 0; c < 4; c++) by[c] = sign * turn[c];
  by[3] += (1 - w) * quatsimd_sqrt(quat64_dot(turn, turn));
  quat64_multiply(by, q, by);
  const double n2 = quat64_dot(by, by), unit = 1 / quatsimd_sqrt(n2);
  for (int c = 0; c < 4; c++) to[c] = (float)(by[c] * unit);
  return n2 > 0 && limb_is_finite(n2);
}

#endif
