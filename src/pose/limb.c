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
  limb_rotate(turned, half, 2, 1, a);
  limb_shortest(q, turned, b);
  quat64_multiply(q, q, half);
}

/* Joints of a chain that are remembered, to save walks up to each of them. */
enum { AT_ONCE = 64 };

void quatsimd_pose_limb_begin(double target[3], double direction[3], const goal_pose *pose, size_t joint,
                              const float from_target[3], const float from_direction[3]) {
  limb_to_double(target, from_target);
  if (pose->rooted) pose_transform(target, pose->from_root, target);
  if (direction) limb_to_double(direction, from_direction);
  if (direction && pose->rooted) pose_direct(direction, pose->from_root, direction);
  for (size_t left = SIZE_MAX, chain[AT_ONCE]; left > 0;) {
    size_t count = 0;
    for (size_t j = joint; j != SKELETON_NO_PARENT && count < left; j = skeleton_parent(pose->skeleton, j))
      chain[count++ % AT_ONCE] = j;
    for (left = count < AT_ONCE ? 0 : count - AT_ONCE; count > left;) {
      limb_joint of;
      limb_load(&of, pose, chain[--count % AT_ONCE]);
      limb_add(target, of.t, -1), limb_in(target, &of);
      if (direction) limb_in(direction, &of);
    }
  }
}
