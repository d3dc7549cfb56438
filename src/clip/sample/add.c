/* Additive poses, put on their base. */
#include "clip/sample/output.h"

quatsimd_status quatsimd_clip_add(quatsimd_pose_out *additive, const quatsimd_pose_in *base, size_t joints,
                                  size_t tracks) {
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  quatsimd_operand in[QUATSIMD_CLIP_KIND_COUNT];
  if (!additive || !base || !quatsimd_clip_outputs(out, additive, joints, tracks))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (out[kind].wanted && !quatsimd_clip_input(&in[kind], kind, base)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT;
       kind++) /* a kind is read when those before it are written */
    for (int from = 0; out[kind].wanted && from < QUATSIMD_CLIP_KIND_COUNT; from++)
      if (out[from].wanted &&
          (from == kind ? quatsimd_collide(&out[kind].to, &in[from], clip_either(kind, joints, tracks))
                        : quatsimd_meet(&out[kind].to, &in[from])))
        return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const size_t elements = clip_either(kind, joints, tracks);
    if (!out[kind].wanted) continue;
    for (size_t i = 0, n; i < elements; i += n) {
      float a[4][QUATSIMD_CHUNK], b[4][QUATSIMD_CHUNK];
      n = quatsimd_chunk(i, elements);
      quatsimd_gather(&out[kind].to, i, n, quatsimd_room(n), a);
      quatsimd_gather(&in[kind], i, n, quatsimd_room(n), b);
      if (kind == QUATSIMD_CLIP_ROTATION) {
        const float *both[] = {b[0], b[1], b[2], b[3], a[0], a[1], a[2], a[3]};
        quatsimd_active_kernels()->operation[QUATSIMD_OPERATION_multiply](
            0, (float *[]){a[0], a[1], a[2], a[3]}, both, quatsimd_room(n));
      } else {
        for (size_t c = 0; c < clip_axes(kind); c++)
          for (size_t k = 0; k < n; k++)
            a[c][k] = clip_number(kind == QUATSIMD_CLIP_SCALE ? a[c][k] * b[c][k] : a[c][k] + b[c][k]);
      }
      quatsimd_scatter(&out[kind].to, i, n, a);
    }
  }
  return QUATSIMD_OK;
}
