/* Checks goals and applies them to poses. */
#include "pose/goals.h"
#include "pose/limb.h"

/* ---- checking ---- */

static bool is_below(const quatsimd_skeleton *skeleton, size_t joint, size_t ancestor) {
  size_t j = joint;
  while (j != SKELETON_NO_PARENT && j > ancestor) j = skeleton_parent(skeleton, j);
  return j == ancestor && joint != ancestor;
}

/* Returns the error of a goal that is not left out, or null. */
static const char *check_joints(const quatsimd_pose_goal *goal, quatsimd_pose_goal_kind kind,
                                const quatsimd_skeleton *skeleton) {
  if (goal->joint >= skeleton->joints) return "the goal has a joint that the skeleton does not have";
  if (kind == QUATSIMD_POSE_GOAL_AIM)
    return goal->first == goal->joint || is_below(skeleton, goal->joint, goal->first)
               ? NULL
               : "the goal's first is neither its joint nor above it";
  if (!is_below(skeleton, goal->joint, goal->middle)) return "the goal's middle is not above its joint";
  return is_below(skeleton, goal->middle, goal->first) ? NULL : "the goal's first is not above its middle";
}

const char *quatsimd_pose_check_goal(const quatsimd_pose_goal *goal, const quatsimd_skeleton *skeleton) {
  if (goal_is_left_out(goal)) return NULL;
  if (goal->kind != QUATSIMD_POSE_GOAL_REACH && goal->kind != QUATSIMD_POSE_GOAL_AIM)
    return "the goal's kind is unknown";
  return check_joints(goal, goal->kind, skeleton);
}

/* ---- joints ---- */

void quatsimd_pose_limb_local(double m[12], const goal_pose *pose, size_t joint) {
  float v[QUATSIMD_CLIP_JOINT_KIND_COUNT][4];
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    pose_load(&pose->of[kind], kind, pose->first + joint, v[kind]);
  const double x = v[0][0], y = v[0][1], z = v[0][2], w = v[0][3], n2 = (x * x + y * y) + (z * z + w * w),
               two = n2 == 0 ? 0 : 2 / n2;
  const double xx = two * (x * x), yy = two * (y * y), zz = two * (z * z), xy = two * (x * y),
               xz = two * (x * z), yz = two * (y * z), wx = two * (w * x), wy = two * (w * y),
               wz = two * (w * z);
  const float *const t = v[QUATSIMD_CLIP_TRANSLATION], *const s = v[QUATSIMD_CLIP_SCALE];
  const double made[12] = {(1 - (yy + zz)) * s[0], (xy - wz) * s[1],       (xz + wy) * s[2],       t[0],
                           (xy + wz) * s[0],       (1 - (xx + zz)) * s[1], (yz - wx) * s[2],       t[1],
                           (xz - wy) * s[0],       (yz + wx) * s[1],       (1 - (xx + yy)) * s[2], t[2]};
  memcpy(m, made, sizeof made);
}

bool quatsimd_pose_limb_inverse(double inverse[12], const goal_pose *pose, size_t joint) {
  double m[12], above[12];
  quatsimd_pose_limb_local(m, pose, joint);
  while ((joint = skeleton_parent(pose->skeleton, joint)) != SKELETON_NO_PARENT)
    quatsimd_pose_limb_local(above, pose, joint), pose_multiply(m, above, m);
  if (pose->root) {
    const bool rows = pose->layout == QUATSIMD_MATRIX_3X4;
    for (int i = 0; i < 12; i++) above[i] = pose->root[rows ? i : i % 4 * 4 + i / 4];
    pose_multiply(m, above, m);
  }
  return pose_invert(inverse, m);
}

bool quatsimd_pose_limb_turn(float to[4], const double q[4], const double turn[4], float weight) {
  const double w = weight < 1 ? weight : 1, sign = turn[3] < 0 ? -w : w;
  double by[4], turned[4];
  for (int c = 0; c < 4; c++) by[c] = sign * turn[c] + (c == 3 ? 1 - w : 0);
  quat64_multiply(turned, q, by), quat64_normalise(turned);
  for (int c = 0; c < 4; c++) to[c] = (float)turned[c];
  return limb_is_finite(quat64_dot(turned, turned));
}

/* ---- applying ---- */

static void apply(const goal_pose *pose, const quatsimd_pose_goal *goal, quatsimd_pose_goal_kind kind,
                  size_t joint_count) {
  if (goal_is_left_out(goal) || goal->joint >= joint_count) return;
  if (kind == QUATSIMD_POSE_GOAL_REACH) quatsimd_pose_reach_one(pose, goal);
  else quatsimd_pose_aim_one(pose, goal);
}

void quatsimd_pose_apply_goals(const quatsimd_pose_goal *goals, size_t goal_size, size_t goal_count,
                               const quatsimd_skeleton *skeleton,
                               float *const value[QUATSIMD_CLIP_JOINT_KIND_COUNT], size_t joint_count,
                               const float *root, quatsimd_matrix_layout layout) {
  goal_pose pose = {.skeleton = skeleton, .root = root, .layout = layout};
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    const size_t components = clip_components(kind);
    quatsimd_set_structs(&pose.of[kind].at, value[kind], (int)components, components * sizeof(float));
    pose.of[kind].given = true;
  }
  for (size_t g = 0; g < goal_count; g++) {
    const quatsimd_pose_goal *const goal = goal_at(goals, goal_size, g);
    apply(&pose, goal, goal->kind, joint_count);
  }
}

/* Resolves the views of the poses. Returns false if they break a rule, or if the rotations begin where
 * another view does. */
static bool find_poses(goal_pose *pose, const quatsimd_pose_out *views) {
  const quatsimd_pose_in in = {quatsimd_to_read(views->rotations), quatsimd_to_read(views->translations),
                               quatsimd_to_read(views->scales), NULL};
  quatsimd_operand *const rotations = &pose->of[QUATSIMD_CLIP_ROTATION].at;
  pose->of[QUATSIMD_CLIP_ROTATION].given = true;
  if (!quatsimd_resolve_out(rotations, 4, &views->rotations)) return false;
  for (int kind = QUATSIMD_CLIP_TRANSLATION; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    pose_operand *const other = &pose->of[kind];
    if (!quatsimd_pose_operand(other, kind, &in)) return false;
    if (other->given && quatsimd_meet(rotations, &other->at)) return false;
  }
  return true;
}

/* Checks goals of one kind. */
static bool check_goals(const quatsimd_pose_goal *goals, size_t size, size_t count,
                        quatsimd_pose_goal_kind kind, const quatsimd_skeleton *skeleton) {
  for (size_t g = 0; g < count; g++) {
    const quatsimd_pose_goal *const goal = goal_at(goals, size, g);
    if (goal_is_left_out(goal)) continue;
    if (!growing_is_known(goal, size, sizeof *goal) || check_joints(goal, kind, skeleton)) return false;
  }
  return true;
}

/* Applies goals of one kind to all poses. */
static quatsimd_status apply_all(quatsimd_pose_goal_kind kind, const quatsimd_skeleton *skeleton,
                                 const quatsimd_pose_out *views, const quatsimd_pose_goal *goals, size_t size,
                                 size_t goal_count, size_t joint_count, size_t pose_count) {
  goal_pose pose = {.skeleton = skeleton};
  size_t elements;
  if (!skeleton || joint_count > skeleton->joints || !pose_elements(&elements, joint_count, pose_count) ||
      (goal_count && pose_count > PTRDIFF_MAX / GROWING_MOST / goal_count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (elements == 0 || goal_count == 0) return QUATSIMD_OK;
  if (!views || !goals || !goal_is_size(size) || (uintptr_t)goals % _Alignof(quatsimd_pose_goal) != 0 ||
      !find_poses(&pose, views) || !check_goals(goals, size, pose_count * goal_count, kind, skeleton))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t p = 0; p < pose_count; p++, pose.first += joint_count)
    for (size_t g = 0; g < goal_count; g++)
      apply(&pose, goal_at(goals, size, p * goal_count + g), kind, joint_count);
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_pose_reach(const quatsimd_skeleton *skeleton, quatsimd_pose_out *pose,
                                    const quatsimd_pose_goal *goals, size_t goal_size, size_t goal_count,
                                    size_t joint_count, size_t pose_count) {
  return apply_all(QUATSIMD_POSE_GOAL_REACH, skeleton, pose, goals, goal_size, goal_count, joint_count,
                   pose_count);
}

quatsimd_status quatsimd_pose_aim(const quatsimd_skeleton *skeleton, quatsimd_pose_out *pose,
                                  const quatsimd_pose_goal *goals, size_t goal_size, size_t goal_count,
                                  size_t joint_count, size_t pose_count) {
  return apply_all(QUATSIMD_POSE_GOAL_AIM, skeleton, pose, goals, goal_size, goal_count, joint_count,
                   pose_count);
}
