/* Reaches a point with a limb of two parts: docs/pose.md, Goals. All vectors are in the space of the joint
 * `first`, whose origin is the limb's beginning. */
#include "pose/limb.h"

/* The limb and its goal. */
typedef struct limb {
  double upper[3], lower[3]; /* from `first` to `middle`, and from there to `joint` */
  double target[3], pole[3];
  double softness;
  double middle[4], turned[4]; /* the rotation of `middle` by itself, and in the space of `first` */
} limb;

/* Reads the limb from the joints. */
static void find_limb(limb *l, const goal_pose *pose, const quatsimd_pose_goal *goal) {
  limb_joint of;
  quatsimd_pose_limb_begin(l->target, l->pole, pose, goal->first, goal->target, goal->pole);
  quatsimd_pose_limb_load(&of, pose, goal->joint), memcpy(l->lower, of.t, sizeof of.t);
  for (size_t j = goal->joint; (j = skeleton_parent(pose->skeleton, j)) != goal->middle;)
    quatsimd_pose_limb_load(&of, pose, j), limb_out(l->lower, &of), limb_add(l->lower, of.t, 1);
  quatsimd_pose_limb_load(&of, pose, goal->middle), limb_out(l->lower, &of);
  memcpy(l->upper, of.t, sizeof of.t), memcpy(l->middle, of.q, sizeof of.q);
  memcpy(l->turned, of.q, sizeof of.q);
  for (size_t j = goal->middle; (j = skeleton_parent(pose->skeleton, j)) != goal->first;) {
    quatsimd_pose_limb_load(&of, pose, j), limb_out(l->lower, &of), limb_out(l->upper, &of),
        limb_add(l->upper, of.t, 1);
    quat64_multiply(l->turned, of.q, l->turned), quat64_normalise(l->turned);
  }
  l->softness = goal->softness;
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
 * pole. upper: the direction of the upper part. both2: the product of the squared lengths of both parts. */
static void find_bend_axis(double axis[3], const limb *l, const double upper[3], double both2) {
  double side[3];
  pose_cross(axis, l->upper, l->lower);
  const double n2 = pose_dot3(axis, axis);
  if (n2 > QUATSIMD_PARALLEL2 * both2) limb_scale(axis, axis, 1 / quatsimd_sqrt(n2));
  else if (limb_across(side, l->pole, upper)) pose_cross(axis, side, upper);
  else quatsimd_pose_limb_perpendicular(axis, upper);
}

/* Computes the direction from the limb's beginning to its target or, if they are at one place, to its end.
 * Returns false if all three are. */
static bool find_ray(double ray[3], const limb *l, double target2) {
  limb_sum(ray, l->upper, 1, l->lower, 1);
  if (target2 > 0) memcpy(ray, l->target, sizeof l->target);
  const double ray2 = target2 > 0 ? target2 : pose_dot3(ray, ray);
  limb_scale(ray, ray, 1 / quatsimd_sqrt(ray2));
  return ray2 > 0;
}

/* Computes the rotations that solve the limb, in the space of `first` and of any length: `swing` of the whole
 * limb, and before it `bend` of the lower part. Returns false if the limb or the goal has no length, or if
 * numbers are not finite. */
static bool solve(double swing[4], double bend[4], const limb *l) {
  const double upper2 = pose_dot3(l->upper, l->upper), lower2 = pose_dot3(l->lower, l->lower),
               target2 = pose_dot3(l->target, l->target), pole2 = pose_dot3(l->pole, l->pole);
  double upper[3], lower[3], ray[3], axis[3], side[3], bent[3], hand[3], cosine, sine;
  if (!(upper2 > 0 && lower2 > 0) || !limb_is_finite((upper2 + lower2) + (target2 + pole2)) ||
      !limb_is_finite(l->softness) || !find_ray(ray, l, target2))
    return false;
  const double a = quatsimd_sqrt(upper2), b = quatsimd_sqrt(lower2), length = a + b,
               d = find_distance(quatsimd_sqrt(target2), a, b, l->softness);
  limb_scale(upper, l->upper, 1 / a), limb_scale(lower, l->lower, 1 / b);
  find_bend_axis(axis, l, upper, upper2 * lower2);
  pose_cross(side, axis, upper);
  angle_of(&cosine, &sine, (length - d) * (length + d) / (2 * a * b));
  limb_sum(bent, upper, cosine, side, sine);
  limb_swing(bend, lower, bent, axis);
  angle_of(&cosine, &sine, d > 0 ? (length - d) * ((b - a) + d) / (2 * a * d) : 1);
  limb_sum(hand, upper, cosine, side, sine);
  limb_swing(swing, hand, ray, axis);
  if (pole2 > 0 && limb_across(bent, l->pole, ray)) {
    double twist[4];
    quatsimd_pose_limb_rotate(axis, swing, 2 / quat64_dot(swing, swing), 1, axis),
        pose_cross(side, ray, axis);
    limb_swing(twist, side, bent, ray);
    quat64_multiply(swing, twist, swing);
  }
  return true;
}

void quatsimd_pose_reach_one(const goal_pose *pose, const quatsimd_pose_goal *goal) {
  limb l;
  double swing[4], bend[4], q[4];
  float first[4], middle[4];
  find_limb(&l, pose, goal);
  if (!solve(swing, bend, &l)) return;
  quatsimd_pose_limb_rotate(bend, l.turned, 2 / quat64_dot(l.turned, l.turned), -1, bend);
  (void)limb_rotation(q, pose, goal->first);
  if (!limb_turn(first, q, swing, goal->weight) || !limb_turn(middle, l.middle, bend, goal->weight)) return;
  limb_store(pose, goal->first, first), limb_store(pose, goal->middle, middle);
}
