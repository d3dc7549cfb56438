#include "clip/sample/output.h"

const float quatsimd_clip_none[QUATSIMD_CLIP_KIND_COUNT][4] = {{0, 0, 0, 1}, {0}, {1, 1, 1, 0}, {0}};

static bool is_flag(int x) { return x == 0 || x == 1; }

bool quatsimd_clip_outputs(clip_output out[QUATSIMD_CLIP_KIND_COUNT], const quatsimd_pose_out *pose,
                           size_t joints, size_t tracks) {
  const quatsimd_out floats = pose->tracks ? quatsimd_aos_out(pose->tracks) : (quatsimd_out){0};
  const quatsimd_out *outs[] = {&pose->rotations, &pose->translations, &pose->scales, &floats};
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    out[kind].components = clip_components(kind);
    out[kind].leave_absent = false;
    out[kind].wanted = clip_either(kind, joints, tracks) > 0 && outs[kind]->layout != QUATSIMD_VIEW_NONE;
    if (!out[kind].wanted) continue;
    if (!quatsimd_resolve_out(&out[kind].to, (int)clip_components(kind), outs[kind])) return false;
    for (int k = 0; k < kind; k++)
      if (out[k].wanted && quatsimd_meet(&out[kind].to, &out[k].to)) return false;
  }
  return true;
}

bool quatsimd_clip_input(quatsimd_operand *in, int kind, const quatsimd_pose_in *pose) {
  if (kind == QUATSIMD_CLIP_ROTATION) return quatsimd_resolve_in(in, 4, &pose->rotations);
  if (kind == QUATSIMD_CLIP_TRANSLATION) return quatsimd_resolve_in(in, CLIP_AXES, &pose->translations);
  if (kind == QUATSIMD_CLIP_SCALE) return quatsimd_resolve_in(in, CLIP_AXES, &pose->scales);
  return quatsimd_resolve_in(in, 1, &(quatsimd_in){.x = pose->tracks, .layout = QUATSIMD_VIEW_AOS});
}

static bool is_given(const quatsimd_pose_in *pose, int kind) {
  return (kind == QUATSIMD_CLIP_ROTATION      ? pose->rotations.layout
          : kind == QUATSIMD_CLIP_TRANSLATION ? pose->translations.layout
          : kind == QUATSIMD_CLIP_SCALE       ? pose->scales.layout
          : pose->tracks                      ? QUATSIMD_VIEW_AOS
                                              : QUATSIMD_VIEW_NONE) != QUATSIMD_VIEW_NONE;
}

bool quatsimd_clip_rest(clip_output out[QUATSIMD_CLIP_KIND_COUNT], const quatsimd_clip *clip,
                        const quatsimd_pose_in *rest, int leave_absent) {
  if (!is_flag(leave_absent)) return false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    quatsimd_operand *of_kind = &out[kind].rest;
    out[kind].leave_absent = leave_absent;
    if (!out[kind].wanted) continue;
    if (rest && is_given(rest, kind)) {
      if (!quatsimd_clip_input(of_kind, kind, rest)) return false;
      for (int k = 0; k < QUATSIMD_CLIP_KIND_COUNT; k++)
        if (out[k].wanted && quatsimd_meet(&out[k].to, of_kind)) return false;
      if (!clip_additive(clip)) continue;
    }
    /* stride 0: one value for all elements */
    *of_kind = (quatsimd_operand){.first = (const char *)quatsimd_clip_none[kind], .interleaved = true};
  }
  return true;
}
