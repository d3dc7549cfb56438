/* The parts of reaching and aiming that are not in line. */
#include "pose/limb.h"

void quatsimd_pose_limb_perpendicular(double to[3], const double unit[3]) {
  const double x = clip_absolute(unit[0]), y = clip_absolute(unit[1]), z = clip_absolute(unit[2]);
  const int k = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
  const double axis[3] = {k == 0, k == 1, k == 2};
  pose_cross(to, unit, axis);
  limb_scale(to, to, 1 / quatsimd_sqrt(pose_dot3(to, to)));
}

void quatsimd_pose_limb_half_turn(double q[4], const double a[3], const double b[3], const double axis[3]) {
  const double half[4] = {axis[0], axis[1], axis[2], 0};
  double turned[3];
  quatsimd_pose_limb_rotate(turned, half, 2, 1, a);
  limb_shortest(q, turned, b);
  quat64_multiply(q, q, half);
}

void quatsimd_pose_limb_load(limb_joint *j, const goal_pose *pose, size_t joint) {
  float copy[2][4];
  limb_to_double(j->t, limb_value(copy[0], pose, QUATSIMD_CLIP_TRANSLATION, joint));
  limb_to_double(j->s, limb_value(copy[1], pose, QUATSIMD_CLIP_SCALE, joint));
  for (int c = 0; c < 3; c++) j->by[c] = j->s[c] / (j->s[c] * j->s[c]); /* NaN for an infinity */
  j->twice = 2 / limb_rotation(j->q, pose, joint);
}

void quatsimd_pose_limb_rotate(double to[3], const double q[4], double twice, double sign,
                               const double v[3]) {
  double once[3], again[3];
  pose_cross(once, q, v), pose_cross(again, q, once);
  for (int c = 0; c < 3; c++) to[c] = v[c] + twice * (again[c] + sign * q[3] * once[c]);
}

void quatsimd_pose_limb_begin(double target[3], double direction[3], const goal_pose *pose, size_t joint,
                              const float from_target[3], const float from_direction[3]) {
  limb_to_double(target, from_target);
  if (pose->rooted) pose_transform(target, pose->from_root, target);
  if (direction) limb_to_double(direction, from_direction);
  if (direction && pose->rooted) pose_direct(direction, pose->from_root, direction);
  for (size_t left = SIZE_MAX, chain[LIMB_AT_ONCE]; left > 0;) {
    size_t count = 0, j = joint;
    do chain[count++ % LIMB_AT_ONCE] = j;
    while (count < left && (j = skeleton_parent(pose->skeleton, j)) != SKELETON_NO_PARENT);
    for (left = count < LIMB_AT_ONCE ? 0 : count - LIMB_AT_ONCE; count > left;) {
      limb_joint of;
      quatsimd_pose_limb_load(&of, pose, chain[--count % LIMB_AT_ONCE]);
      limb_add(target, of.t, -1), limb_in(target, &of);
      if (direction) limb_in(direction, &of);
    }
  }
}
