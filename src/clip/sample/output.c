#include "clip/sample/output.h"

const float quatsimd_clip_none[QUATSIMD_CLIP_KINDS][4] = {{0, 0, 0, 1}, {0, 0, 0, 0}, {1, 1, 1, 0}};

bool quatsimd_clip_outputs(clip_output out[QUATSIMD_CLIP_KINDS], const quatsimd_pose *pose, size_t count) {
  const quatsimd_out *outs[] = {&pose->rotations, &pose->translations, &pose->scales};
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    const int components = kind == QUATSIMD_CLIP_ROTATION ? 4 : CLIP_AXES;
    out[kind].components = (size_t)components;
    out[kind].wanted = count > 0 && outs[kind]->layout != QUATSIMD_VIEW_NONE;
    if (!out[kind].wanted) continue;
    if (!quatsimd_resolve_out(&out[kind].to, components, outs[kind])) return false;
    for (int k = 0; k < kind; k++)
      if (out[k].wanted && quatsimd_meet(&out[kind].to, &out[k].to)) return false;
  }
  return true;
}

bool quatsimd_clip_rest_outputs(clip_output out[QUATSIMD_CLIP_KINDS], const quatsimd_pose *pose, size_t count,
                                const quatsimd_clip *clip, const quatsimd_rest *rest) {
  if (!quatsimd_clip_outputs(out, pose, count)) return false;
  if (rest && (rest->leave_absent < 0 || rest->leave_absent > 1)) return false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    out[kind].leave_absent = rest && rest->leave_absent;
    /* one value for all joints */
    out[kind].rest =
        (quatsimd_operand){.first = (const char *)quatsimd_clip_none[kind], .stride = 0, .interleaved = true};
    if (!rest || !out[kind].wanted) continue;
    const quatsimd_in *ins[] = {&rest->rotations, &rest->translations, &rest->scales};
    quatsimd_operand given;
    if (ins[kind]->layout == QUATSIMD_VIEW_NONE) continue;
    if (!quatsimd_resolve_in(&given, (int)out[kind].components, ins[kind])) return false;
    for (int k = 0; k < QUATSIMD_CLIP_KINDS; k++)
      if (out[k].wanted && quatsimd_meet(&out[k].to, &given)) return false;
    if (!clip->additive) out[kind].rest = given;
  }
  return true;
}
