#include "clip/sample/output.h"

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
