/* Checks goals and applies them to poses. */
#include "pose/goals.h"
#include "pose/limb.h"

/* ---- checking ---- */

/* Joint 65,535 has the number that stands for no parent, so parents are looked up first. */
static bool is_below(const quatsimd_skeleton *skeleton, size_t joint, size_t ancestor) {
  size_t j = joint;
  do j = skeleton_parent(skeleton, j);
  while (j != SKELETON_NO_PARENT && j > ancestor);
  return j == ancestor && joint > ancestor;
}

const char *quatsimd_pose_check_goal(const quatsimd_pose_goal *goal, size_t size,
                                     quatsimd_pose_goal_kind kind, const quatsimd_skeleton *skeleton) {
  if (goal_is_left_out(goal)) return NULL;
  if (!growing_is_known(goal, size, sizeof *goal)) return "the goal has a member of a later version";
  if (kind != QUATSIMD_POSE_GOAL_REACH && kind != QUATSIMD_POSE_GOAL_AIM) return "the goal's kind is unknown";
  if (goal->joint >= skeleton->joints) return "the goal has a joint that the skeleton does not have";
  if (kind == QUATSIMD_POSE_GOAL_AIM)
    return goal->first == goal->joint || is_below(skeleton, goal->joint, goal->first)
               ? NULL
               : "the goal's first is neither its joint nor above it";
  if (!is_below(skeleton, goal->joint, goal->middle)) return "the goal's middle is not above its joint";
  return is_below(skeleton, goal->middle, goal->first) ? NULL : "the goal's first is not above its middle";
}

/* ---- applying ---- */

static void apply(const goal_pose *pose, const quatsimd_pose_goal *goal, quatsimd_pose_goal_kind kind,
                  size_t joint_count) {
  if (goal_is_left_out(goal) || goal->joint >= joint_count) return;
  if (kind == QUATSIMD_POSE_GOAL_REACH) quatsimd_pose_reach_one(pose, goal);
  else quatsimd_pose_aim_one(pose, goal);
}

static bool invert_root(double inverse[12], const float *root, quatsimd_matrix_layout layout) {
  double m[12];
  for (int i = 0; i < 12; i++) m[i] = root[layout == QUATSIMD_MATRIX_3X4 ? i : i % 4 * 4 + i / 4];
  return pose_invert(inverse, m);
}

void quatsimd_pose_apply_goals(const quatsimd_pose_goal *goals, size_t goal_size, size_t goal_count,
                               const quatsimd_skeleton *skeleton,
                               float *const value[QUATSIMD_CLIP_JOINT_KIND_COUNT], size_t joint_count,
                               const float *root, quatsimd_matrix_layout layout) {
  goal_pose pose = {.skeleton = skeleton, .rooted = root != NULL};
  if (root && !invert_root(pose.from_root, root, layout)) return;
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
  for (size_t g = 0; g < count; g++)
    if (quatsimd_pose_check_goal(goal_at(goals, size, g), size, kind, skeleton)) return false;
  return true;
}

/* Applies goals of one kind to all poses. */
static quatsimd_status apply_all(quatsimd_pose_goal_kind kind, const quatsimd_skeleton *skeleton,
                                 const quatsimd_pose_out *views, const quatsimd_pose_goal *goals, size_t size,
                                 size_t goal_count, quatsimd_pose_counts counts) {
  const size_t joint_count = counts.joint_count, pose_count = counts.pose_count;
  goal_pose pose = {.skeleton = skeleton, .rooted = false};
  size_t elements;
  if (!skeleton || joint_count > skeleton->joints || !pose_elements(&elements, joint_count, pose_count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (elements == 0 || goal_count == 0) return QUATSIMD_OK;
  if (!views || !goals || !goal_is_size(size) || pose_count > PTRDIFF_MAX / size / goal_count ||
      (uintptr_t)goals % _Alignof(quatsimd_pose_goal) != 0 || !find_poses(&pose, views) ||
      !check_goals(goals, size, pose_count * goal_count, kind, skeleton))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t p = 0; p < pose_count; p++, pose.first += joint_count)
    for (size_t g = 0; g < goal_count; g++)
      apply(&pose, goal_at(goals, size, p * goal_count + g), kind, joint_count);
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_pose_reach(const quatsimd_skeleton *skeleton, quatsimd_pose_out *pose,
                                    const quatsimd_pose_goal *goals, size_t goal_size, size_t goal_count,
                                    quatsimd_pose_counts counts) {
  return apply_all(QUATSIMD_POSE_GOAL_REACH, skeleton, pose, goals, goal_size, goal_count, counts);
}

quatsimd_status quatsimd_pose_aim(const quatsimd_skeleton *skeleton, quatsimd_pose_out *pose,
                                  const quatsimd_pose_goal *goals, size_t goal_size, size_t goal_count,
                                  quatsimd_pose_counts counts) {
  return apply_all(QUATSIMD_POSE_GOAL_AIM, skeleton, pose, goals, goal_size, goal_count, counts);
}
