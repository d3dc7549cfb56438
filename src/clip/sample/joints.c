/* Sampling some joints alone. */
#include "clip/sample/groups.h"
#include "clip/sample/output.h"
#include "clip/sample/still.h"

static void sample_some_moving(const quatsimd_clip *clip, int kind, const clip_position *p,
                               const uint32_t *joint, size_t count, const clip_output *out) {
  const quatsimd_clip_part *part = &clip->part[kind];
  const size_t slot_bytes = clip_slot_bytes(clip->joints);
  quatsimd_clip_row row[2];
  clip_load_rows(row, p);
  clip_walk w = quatsimd_clip_walk_block(clip, kind, p->block, p->intervals);
  while (w.group < clip_groups(clip, kind)) {
    const size_t first = CLIP_GROUP * w.group, curves = clip_walk_curves(&w);
    float value[CLIP_GROUP][4];
    bool unpacked = false;
    for (size_t i = 0; i < curves; i++) {
      const size_t j = clip_slot(part->slots, slot_bytes, first + i);
      for (size_t e = 0; e < count; e++) {
        if (joint[e] != j) continue;
        if (!unpacked) {
          quatsimd_clip_group group;
          clip_walk at = w;
          quatsimd_clip_unpack_group(&group, &at);
          quatsimd_clip_evaluate(value, clip, kind, &group, p, row, w.kernels);
          unpacked = true;
        }
        clip_store(out, e, value[i]);
      }
    }
    quatsimd_clip_walk_past(&w);
  }
}

quatsimd_status quatsimd_clip_sample_joints(const quatsimd_clip *clip, const quatsimd_pose *pose, double time,
                                            quatsimd_clip_wrap wrap, const uint32_t *joint, size_t count) {
  clip_output out[QUATSIMD_CLIP_KINDS];
  if (!clip || !pose || (!joint && count) || (unsigned)wrap > QUATSIMD_CLIP_WRAP_LOOP ||
      !quatsimd_clip_outputs(out, pose, count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t i = 0; i < count; i++)
    if (joint[i] >= clip->joints) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const clip_position p = quatsimd_clip_position_of(clip, time, wrap);
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    if (!out[kind].wanted) continue;
    for (size_t i = 0; i < count; i++) {
      const unsigned state =
          clip->part[kind].masks ? clip_state(clip->part[kind].masks, joint[i]) : CLIP_ABSENT;
      float value[4];
      if (state == CLIP_MOVING) continue;
      quatsimd_clip_sample_one_still(clip, kind, state, joint[i], p.time, value);
      clip_store(&out[kind], i, value);
    }
    if (clip->part[kind].moving > 0) sample_some_moving(clip, kind, &p, joint, count, &out[kind]);
  }
  return QUATSIMD_OK;
}
