/* Aims the axis of a joint at a point: docs/pose.md, Goals. */
#include "pose/limb.h"
#include "simd/vec/one.h"
#include "simd/kernels/rotation.h"

/* A joint of the chain, with the place and the axis of the joint that aims, in this joint's space. */
typedef struct aim_link {
  size_t joint;
  double place[3], axis[3];
} aim_link;

/* The state of the walk down the chain. */
typedef struct aim_state {
  double target[3], present[3]; /* the target, and the axis before the goal, in the space of the next link */
  double limit_cosine, limit_sine;
} aim_state;

/* Finds links `first` to `end` - 1 of a chain of `count`, by a walk from its last joint. */
static void find_links(aim_link *links, const goal_pose *pose, const quatsimd_pose_goal *goal, size_t first,
                       size_t end, size_t count) {
  aim_link link = {.joint = goal->joint};
  limb_to_double(link.axis, goal->axis);
  for (size_t i = count; i-- > first;) {
    if (i < end) links[i - first] = link;
    if (i == first) return;
    limb_joint of;
    quatsimd_pose_limb_load(&of, pose, link.joint);
    limb_out(link.place, &of), limb_add(link.place, of.t, 1), limb_out(link.axis, &of);
    link.joint = skeleton_parent(pose->skeleton, link.joint);
  }
}

static bool to_unit(double v[3]) {
  const double n2 = pose_dot3(v, v);
  if (!(n2 > 0 && limb_is_finite(n2))) return false;
  limb_scale(v, v, 1 / quatsimd_sqrt(n2));
  return true;
}

/* Turns `to` back to the limit, in the plane of both directions. */
static void limit_direction(double to[3], const aim_state *s) {
  const double cosine = pose_dot3(s->present, to);
  if (!(cosine < s->limit_cosine)) return;
  double side[3];
  if (1 + cosine > LIMB_OPPOSITE) limb_sum(side, to, 1, s->present, -cosine);
  else quatsimd_pose_limb_perpendicular(side, s->present);
  limb_sum(to, s->present, s->limit_cosine, side, s->limit_sine / quatsimd_sqrt(pose_dot3(side, side)));
}

/* Computes the rotation of a link: 1 / left of the rotation that the axis still needs. If there is none,
 * computes the identity and returns false. */
static bool find_turn(double turn[4], const aim_link *link, const aim_state *s, size_t left) {
  double axis[3], to[3], half[3];
  for (int c = 0; c < 4; c++) turn[c] = c == 3;
  memcpy(axis, link->axis, sizeof axis);
  limb_sum(to, s->target, 1, link->place, -1);
  if (!to_unit(axis) || !to_unit(to)) return false;
  limit_direction(to, s);
  quatsimd_pose_limb_perpendicular(half, axis);
  limb_swing(turn, axis, to, half);
  const double share = 1 / (double)left, length = quatsimd_sqrt(quat64_dot(turn, turn));
  for (int c = 0; c < 4; c++) turn[c] = share * turn[c] + (c == 3 ? (1 - share) * length : 0);
  return true;
}

/* Brings target and present axis from the space of a joint, turned by `turn`, to that of a child. Returns
 * false if the child's scale is 0. */
static bool descend(aim_state *s, const double turn[4], const goal_pose *pose, size_t child) {
  limb_joint of;
  const double twice = 2 / quat64_dot(turn, turn);
  quatsimd_pose_limb_load(&of, pose, child);
  quatsimd_pose_limb_rotate(s->target, turn, twice, -1, s->target), limb_add(s->target, of.t, -1),
      limb_in(s->target, &of);
  quatsimd_pose_limb_rotate(s->present, turn, twice, -1, s->present), limb_in(s->present, &of);
  return to_unit(s->present);
}

/* Prepares the walk down the chain of `count` joints. Returns false if nothing is to change. */
static bool begin(aim_state *s, const aim_link *first, const goal_pose *pose,
                  const quatsimd_pose_goal *goal) {
  if (!(goal->limit >= 0)) return false;
  quatsimd_pose_limb_begin(s->target, NULL, pose, goal->first, goal->target, NULL);
  memcpy(s->present, first->axis, sizeof s->present);
  if (goal->limit > 0 && goal->limit < ROTATION_PI) {
    const sine half = sine_of_half(d_set(goal->limit));
    s->limit_cosine = 1 - 2 * (half.sin * half.sin), s->limit_sine = 2 * (half.sin * half.cos);
  }
  return to_unit(s->present) &&
         limb_is_finite(pose_dot3(s->target, s->target) + pose_dot3(first->place, first->place));
}

void quatsimd_pose_aim_one(const goal_pose *pose, const quatsimd_pose_goal *goal) {
  aim_link links[LIMB_AT_ONCE];
  aim_state s = {.limit_cosine = -2}; /* no limit */
  double turn[4] = {0, 0, 0, 1};
  size_t count = 1;
  for (size_t j = goal->joint; j != goal->first; j = skeleton_parent(pose->skeleton, j)) count++;
  for (size_t i = 0; i < count; i++) {
    const aim_link *const link = &links[i % LIMB_AT_ONCE];
    if (i % LIMB_AT_ONCE == 0)
      find_links(links, pose, goal, i, count - i < LIMB_AT_ONCE ? count : i + LIMB_AT_ONCE, count);
    if (i == 0 ? !begin(&s, link, pose, goal) : !descend(&s, turn, pose, link->joint)) return;
    double q[4];
    float turned[4];
    (void)limb_rotation(q, pose, link->joint);
    if (!find_turn(turn, link, &s, count - i) || !limb_turn(turned, q, turn, goal->weight)) continue;
    limb_store(pose, link->joint, turned);
    if (!(goal->weight >= 1)) continue;
    const double stored[4] = {turned[0], turned[1], turned[2], turned[3]};
    quat64_relative(turn, q, stored); /* so that the next joint corrects the rounding */
  }
}
