/* Reaches a point with a limb of two parts: docs/pose.md, Goals. All vectors are in the space of the joint
 * `first`, whose origin is the limb's beginning. */
#include "pose/limb.h"

/* The limb and its goal. */
typedef struct limb {
  double upper[3], lower[3]; /* from `first` to `middle`, and from there to `joint` */
  double between[4];         /* product of the rotations of the joints between `first` and `middle` */
  double target[3], pole[3];
  double softness;
} limb;

/* Reads the limb from the joints. */
static bool find_limb(limb *l, const goal_pose *pose, const quatsimd_pose_goal *goal) {
  double m[12], inverse[12], v[3];
  if (!quatsimd_pose_limb_inverse(inverse, pose, goal->first)) return false;
  limb_to_double(v, goal->target), pose_transform(l->target, inverse, v);
  limb_to_double(v, goal->pole), pose_direct(l->pole, inverse, v);
  quatsimd_pose_limb_local(m, pose, goal->joint);
  for (int c = 0; c < 3; c++) l->lower[c] = m[4 * c + 3];
  for (size_t j = goal->joint; (j = skeleton_parent(pose->skeleton, j)) != goal->middle;)
    quatsimd_pose_limb_local(m, pose, j), pose_transform(l->lower, m, l->lower);
  quatsimd_pose_limb_local(m, pose, goal->middle), pose_direct(l->lower, m, l->lower);
  for (int c = 0; c < 3; c++) l->upper[c] = m[4 * c + 3], l->between[c] = 0;
  l->between[3] = 1;
  for (size_t j = goal->middle; (j = skeleton_parent(pose->skeleton, j)) != goal->first;) {
    double q[4];
    quatsimd_pose_limb_local(m, pose, j);
    pose_transform(l->upper, m, l->upper), pose_direct(l->lower, m, l->lower);
    limb_rotation(q, pose, j), quat64_multiply(l->between, q, l->between);
  }
  l->softness = goal->softness;
  return limb_is_finite(l->softness);
}

/* Returns the distance from the limb's beginning at which the hand is to be, for a target at `distance`. */
static double find_distance(double distance, double upper, double lower, double softness) {
  const double length = upper + lower, share = limb_clamp(softness, 0, 1), soft = share * length,
               begin = length - soft, beyond = distance - begin;
  if (beyond > 0 && soft > 0) distance = begin + soft * (beyond / (beyond + soft));
  return limb_clamp(distance, clip_absolute(upper - lower), length);
}

/* Computes cosine and sine of an angle from 0 to half a turn. versine: 1 minus the cosine. */
static void angle_of(double *cosine, double *sine, double versine) {
  const double w = limb_clamp(versine, 0, 2);
  *cosine = 1 - w, *sine = quatsimd_sqrt(w * (2 - w));
}

/* Computes the axis about which the limb bends: from the present bend, or if the limb is straight, from the
 * pole. upper, lower: the directions of the parts. */
static void find_bend_axis(double axis[3], const double upper[3], const double lower[3],
                           const double pole[3]) {
  double side[3];
  pose_cross(axis, upper, lower);
  const double n2 = pose_dot3(axis, axis);
  if (n2 > QUATSIMD_PARALLEL2) limb_scale(axis, axis, 1 / quatsimd_sqrt(n2));
  else if (limb_across(side, pole, upper)) pose_cross(axis, side, upper);
  else limb_perpendicular(axis, upper);
}

/* Computes the rotations that solve the limb: `first` by `swing`, its parts relative to each other by `bend`.
 * Returns false if the limb or the goal has no length, or if numbers are not finite. */
static bool solve(double swing[4], double bend[4], const limb *l) {
  const double upper2 = pose_dot3(l->upper, l->upper), lower2 = pose_dot3(l->lower, l->lower),
               target2 = pose_dot3(l->target, l->target), pole2 = pose_dot3(l->pole, l->pole);
  double upper[3], lower[3], ray[3], axis[3], side[3], bent[3], hand[3], cosine, sine;
  if (!(upper2 > 0 && lower2 > 0) || !limb_is_finite((upper2 + lower2) + (target2 + pole2))) return false;
  const double a = quatsimd_sqrt(upper2), b = quatsimd_sqrt(lower2), length = a + b,
               d = find_distance(quatsimd_sqrt(target2), a, b, l->softness);
  limb_sum(ray, l->upper, 1, l->lower, 1);
  memcpy(ray, target2 > 0 ? l->target : ray, sizeof ray);
  const double ray2 = pose_dot3(ray, ray);
  if (!(ray2 > 0)) return false;
  limb_scale(ray, ray, 1 / quatsimd_sqrt(ray2));
  limb_scale(upper, l->upper, 1 / a), limb_scale(lower, l->lower, 1 / b);
  find_bend_axis(axis, upper, lower, l->pole);
  pose_cross(side, axis, upper);
  angle_of(&cosine, &sine, (length - d) * (length + d) / (2 * a * b));
  limb_sum(bent, upper, cosine, side, sine);
  limb_swing(bend, lower, bent, axis);
  angle_of(&cosine, &sine, d > 0 ? (length - d) * ((b - a) + d) / (2 * a * d) : 1);
  limb_sum(hand, upper, cosine, side, sine);
  limb_swing(swing, hand, ray, axis);
  if (limb_across(bent, l->pole, ray)) {
    double twist[4];
    quat64_rotate(axis, swing, axis), pose_cross(side, ray, axis);
    limb_swing(twist, side, bent, ray);
    quat64_multiply(swing, twist, swing);
  }
  return true;
}

void quatsimd_pose_reach_one(const goal_pose *pose, const quatsimd_pose_goal *goal) {
  limb l;
  double swing[4], bend[4], back[4], q[4];
  float first[4], middle[4];
  if (!find_limb(&l, pose, goal) || !solve(swing, bend, &l)) return;
  quat64_conjugate(back, l.between), quat64_rotate(bend, back, bend); /* to the space of middle's parent */
  limb_rotation(q, pose, goal->middle), quat64_conjugate(back, q), quat64_rotate(bend, back, bend);
  if (!quatsimd_pose_limb_turn(middle, q, bend, goal->weight)) return;
  limb_rotation(q, pose, goal->first);
  if (!quatsimd_pose_limb_turn(first, q, swing, goal->weight)) return;
  limb_store(pose, goal->first, first), limb_store(pose, goal->middle, middle);
}
