#include "clip/sample/output.h"

const float quatsimd_clip_none[QUATSIMD_CLIP_KIND_COUNT][4] = {{0, 0, 0, 1}, {0}, {1, 1, 1, 0}, {0}};

/* True if a view begins where one of the first `kinds` outputs does. */
static inline bool meets(const clip_output *out, int kinds, const quatsimd_operand *view) {
  for (int kind = 0; kind < kinds; kind++)
    if (out[kind].wanted && quatsimd_meet(&out[kind].to, view)) return true;
  return false;
}

static inline bool take_output(clip_output *out, int kind, const quatsimd_out *view, size_t count) {
  out[kind].components = clip_components(kind);
  out[kind].leave_absent = false;
  out[kind].wanted = count > 0 && view->layout != QUATSIMD_VIEW_NONE;
  return !out[kind].wanted || (quatsimd_resolve_out(&out[kind].to, (int)out[kind].components, view) &&
                               !meets(out, kind, &out[kind].to));
}

bool quatsimd_clip_outputs(clip_output out[QUATSIMD_CLIP_KIND_COUNT], const quatsimd_pose_out *pose,
                           size_t joints, size_t tracks) {
  const quatsimd_out floats = {.x = pose->tracks,
                               .layout = pose->tracks ? QUATSIMD_VIEW_AOS : QUATSIMD_VIEW_NONE};
  return take_output(out, QUATSIMD_CLIP_ROTATION, &pose->rotations, joints) &&
         take_output(out, QUATSIMD_CLIP_TRANSLATION, &pose->translations, joints) &&
         take_output(out, QUATSIMD_CLIP_SCALE, &pose->scales, joints) &&
         take_output(out, QUATSIMD_CLIP_TRACK, &floats, tracks);
}

bool quatsimd_clip_input(quatsimd_operand *in, int kind, const quatsimd_pose_in *pose) {
  if (kind == QUATSIMD_CLIP_ROTATION) return quatsimd_resolve_in(in, 4, &pose->rotations);
  if (kind == QUATSIMD_CLIP_TRANSLATION) return quatsimd_resolve_in(in, CLIP_AXES, &pose->translations);
  if (kind == QUATSIMD_CLIP_SCALE) return quatsimd_resolve_in(in, CLIP_AXES, &pose->scales);
  return quatsimd_resolve_in(in, 1, &(quatsimd_in){.x = pose->tracks, .layout = QUATSIMD_VIEW_AOS});
}

static inline bool take_rest(clip_output *out, int kind, const quatsimd_in *view, bool additive) {
  quatsimd_operand *of_kind = &out[kind].rest;
  if (!out[kind].wanted) return true;
  const bool given = view && view->layout != QUATSIMD_VIEW_NONE;
  if (given && (!quatsimd_resolve_in(of_kind, (int)out[kind].components, view) ||
                meets(out, QUATSIMD_CLIP_KIND_COUNT, of_kind)))
    return false;
  if (!given || additive) /* stride 0: one value for all elements */
    *of_kind = (quatsimd_operand){.first = (const char *)quatsimd_clip_none[kind], .interleaved = true};
  return true;
}

bool quatsimd_clip_rest(clip_output out[QUATSIMD_CLIP_KIND_COUNT], const quatsimd_clip *clip,
                        const quatsimd_pose_in *rest, int leave_absent) {
  const bool additive = clip_additive(clip) != 0;
  const float *const tracks = rest ? rest->tracks : NULL;
  const quatsimd_in floats = {.x = tracks, .layout = tracks ? QUATSIMD_VIEW_AOS : QUATSIMD_VIEW_NONE};
  if (leave_absent != 0 && leave_absent != 1) return false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) out[kind].leave_absent = leave_absent;
  return take_rest(out, QUATSIMD_CLIP_ROTATION, rest ? &rest->rotations : NULL, additive) &&
         take_rest(out, QUATSIMD_CLIP_TRANSLATION, rest ? &rest->translations : NULL, additive) &&
         take_rest(out, QUATSIMD_CLIP_SCALE, rest ? &rest->scales : NULL, additive) &&
         take_rest(out, QUATSIMD_CLIP_TRACK, &floats, additive);
}
