/* Adds additive poses to base poses. */
#include "clip/sample/output.h"

/* The views of an input pose. Each one that the caller does not give is a view of quatsimd_clip_none. */
typedef struct pose_views {
  quatsimd_operand of[QUATSIMD_CLIP_KIND_COUNT];
} pose_views;

/* Resolves an input's views. False if a view breaks a rule of view.h, or an output may overwrite the view. */
static bool find_views(pose_views *views, const quatsimd_pose_in *pose,
                       const clip_output out[QUATSIMD_CLIP_KIND_COUNT], size_t joint_count,
                       size_t track_count) {
  const clip_output *const end = out + QUATSIMD_CLIP_KIND_COUNT;
  const bool given[] = {pose->rotations.layout != QUATSIMD_VIEW_NONE,
                        pose->translations.layout != QUATSIMD_VIEW_NONE,
                        pose->scales.layout != QUATSIMD_VIEW_NONE, pose->tracks != NULL};
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    quatsimd_operand *const in = &views->of[kind];
    if (!out[kind].wanted) continue;
    if (!given[kind]) {
      const quatsimd_in none = quatsimd_one(quatsimd_clip_none[kind]);
      (void)quatsimd_resolve_in(in, (int)clip_components(kind), &none);
      continue;
    }
    if (!quatsimd_clip_input(in, kind, pose)) return false;
    /* only the output of this kind may begin where `in` does: others may be written before `in` is read */
    for (const clip_output *to = out; to < end; to++)
      if (to->wanted &&
          (to == &out[kind] ? quatsimd_collide(&to->to, in, clip_either(kind, joint_count, track_count))
                            : quatsimd_meet(&to->to, in)))
        return false;
  }
  return true;
}

/* Composes n elements of a kind: a first, then b. The results replace b. */
static void add(int kind, float (*b)[QUATSIMD_CHUNK], float (*a)[QUATSIMD_CHUNK], size_t n) {
  if (kind == QUATSIMD_CLIP_ROTATION) {
    const float *const both[] = {b[0], b[1], b[2], b[3], a[0], a[1], a[2], a[3]};
    quatsimd_active_kernels()->operation[QUATSIMD_OPERATION_multiply]((float *[]){b[0], b[1], b[2], b[3]},
                                                                      both, quatsimd_padded(n));
    return;
  }
  for (size_t c = 0; c < clip_axes(kind); c++)
    for (size_t k = 0; k < n; k++)
      b[c][k] = clip_number(kind == QUATSIMD_CLIP_SCALE ? a[c][k] * b[c][k] : a[c][k] + b[c][k]);
}

quatsimd_status quatsimd_clip_add(quatsimd_pose_out *out, const quatsimd_pose_in *base,
                                  const quatsimd_pose_in *additive, size_t joint_count, size_t track_count) {
  clip_output outs[QUATSIMD_CLIP_KIND_COUNT];
  pose_views under, over;
  if (!out || !base || !additive || !quatsimd_clip_outputs(outs, out, joint_count, track_count) ||
      !find_views(&under, base, outs, joint_count, track_count) ||
      !find_views(&over, additive, outs, joint_count, track_count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const size_t elements = outs[kind].wanted ? clip_either(kind, joint_count, track_count) : 0;
    for (size_t i = 0, n; i < elements; i += n) {
      float a[4][QUATSIMD_CHUNK], b[4][QUATSIMD_CHUNK];
      n = quatsimd_chunk(i, elements);
      quatsimd_gather(&over.of[kind], i, n, quatsimd_padded(n), a);
      quatsimd_gather(&under.of[kind], i, n, quatsimd_padded(n), b);
      add(kind, b, a, n);
      quatsimd_scatter(&outs[kind].to, i, n, b);
    }
  }
  return QUATSIMD_OK;
}
