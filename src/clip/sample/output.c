#include "clip/sample/output.h"

bool quatsimd_clip_outputs(clip_output out[QUATSIMD_CLIP_KINDS], const quatsimd_pose *pose) {
  const quatsimd_out *target[] = {&pose->rotations, &pose->translations, &pose->scales};
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    const quatsimd_out *t = target[kind];
    const int components = kind == QUATSIMD_CLIP_ROTATION ? 4 : CLIP_AXES;
    out[kind].components = (size_t)components;
    out[kind].wanted = t->layout != QUATSIMD_VIEW_NONE;
    if (out[kind].wanted && !quatsimd_resolve_out(&out[kind].to, components, t)) return false;
  }
  return true;
}
