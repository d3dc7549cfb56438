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
