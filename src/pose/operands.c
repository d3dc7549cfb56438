#include "pose/operands.h"

bool quatsimd_pose_operand(pose_operand *in, int kind, const quatsimd_pose_in *pose) {
  const quatsimd_in *const ins[] = {&pose->rotations, &pose->translations, &pose->scales};
  in->given = kind == QUATSIMD_CLIP_TRACK ? pose->tracks != NULL : ins[kind]->layout != QUATSIMD_VIEW_NONE;
  return !in->given || quatsimd_clip_input(&in->at, kind, pose);
}

bool quatsimd_pose_may_read(const clip_output out[QUATSIMD_CLIP_KIND_COUNT], const quatsimd_pose_in *pose,
                            const size_t count[QUATSIMD_CLIP_KIND_COUNT]) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    pose_operand in;
    if (!out[kind].wanted) continue;
    if (!quatsimd_pose_operand(&in, kind, pose)) return false;
    for (int to = 0; in.given && to < QUATSIMD_CLIP_KIND_COUNT; to++)
      if (out[to].wanted && (to == kind ? quatsimd_collide(&out[to].to, &in.at, count[kind])
                                        : quatsimd_meet(&out[to].to, &in.at)))
        return false;
  }
  return true;
}

bool quatsimd_pose_begin(pose_call *call, quatsimd_pose_out *out, quatsimd_pose_counts counts) {
  size_t all_joints, all_tracks;
  if (!out || !pose_elements(&all_joints, counts.joint_count, counts.pose_count) ||
      !pose_elements(&all_tracks, counts.track_count, counts.pose_count) ||
      !quatsimd_clip_outputs(call->out, out, all_joints, all_tracks))
    return false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    call->count[kind] = clip_either(kind, all_joints, all_tracks),
    call->each[kind] = clip_either(kind, counts.joint_count, counts.track_count);
  return true;
}
