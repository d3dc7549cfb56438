/* Samples opened clips. Sampling fails only for wrong arguments: opening has checked the clip's bytes. */
#include "clip/sample/fetch.h"
#include "clip/sample/packed.h"
#include "clip/sample/sample.h"
#include "clip/sample/still.h"
#include "core/parts.h"

static bool is_wanted(const quatsimd_clip_part *part, size_t group, size_t wanted) {
  const size_t slot_bytes = part->slot_bytes, first = CLIP_GROUP * group;
  bool any = false;
  for (size_t i = 0; i < clip_group_curves(part->moving, group); i++)
    any = any || clip_slot(part->slots, slot_bytes, first + i) < wanted;
  return any;
}

/* Counts groups from `group` on until one has none of the first `wanted` joints. Stops at CLIP_AT_ONCE. */
static size_t wanted_groups(const quatsimd_clip *clip, const quatsimd_clip_part *part, int kind, size_t group,
                            size_t wanted) {
  const size_t left = clip_groups(part->moving) - group, most = left < CLIP_AT_ONCE ? left : CLIP_AT_ONCE;
  size_t n = 0;
  if (wanted == clip_elements(clip, kind)) return most;
  while (n < most && is_wanted(part, group + n, wanted)) n++;
  return n;
}

static void sample_moving(const quatsimd_clip *clip, int kind, const clip_position *p, size_t wanted,
                          const clip_output *out) {
  quatsimd_clip_row row[2];
  clip_walk w = quatsimd_clip_walk_block(clip, kind, p->block, p->intervals);
  clip_load_rows(row, p);
  while (w.group < clip_groups(w.part.moving)) {
    const size_t g = w.group, groups = wanted_groups(clip, &w.part, kind, g, wanted);
    float value[CLIP_GROUP][4];
    if (groups == 0) {
      quatsimd_clip_walk_past(&w);
      continue;
    }
    if (quatsimd_clip_sample_groups(&w, groups, p, row, out)) continue;
    quatsimd_clip_sample_group(value, &w, p, row);
    clip_put_group(value, &w.part, out, 0, g);
  }
}

static void sample_still(const quatsimd_clip *clip, int kind, const clip_position *p, size_t wanted,
                         const clip_output *out) {
  const quatsimd_clip_still *part = clip_still_of(clip, kind);
  if (part->constants + part->moving + part->keyed < clip_elements(clip, kind))
    quatsimd_clip_sample_rest(clip, kind, wanted, out);
  if (part->constants > 0) quatsimd_clip_sample_constants(clip, kind, wanted, out);
  if (part->keyed > 0) quatsimd_clip_sample_keyed(clip, kind, p, wanted, out);
}

void quatsimd_clip_sample_to(const quatsimd_clip *clip, const clip_output out[QUATSIMD_CLIP_KIND_COUNT],
                             size_t joints, const clip_position *p) {
  /* still curves of all kinds come first: meanwhile the blocks arrive, which have just been fetched */
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (out[kind].wanted && clip_still_of(clip, kind)->moving < clip_elements(clip, kind))
      sample_still(clip, kind, p, clip_either(kind, joints, clip->tracks), &out[kind]);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (out[kind].wanted && clip_still_of(clip, kind)->moving > 0)
      sample_moving(clip, kind, p, clip_either(kind, joints, clip->tracks), &out[kind]);
}

quatsimd_status quatsimd_clip_sample(const quatsimd_clip *clip, quatsimd_pose_out *pose,
                                     const quatsimd_pose_in *rest, double time, quatsimd_clip_wrap wrap,
                                     int leave_absent) {
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  if (!clip || !pose || (unsigned)wrap > QUATSIMD_CLIP_WRAP_LOOP) return QUATSIMD_ERROR_BAD_ARGUMENT;
  quatsimd_clip_fetch(clip);
  if (!quatsimd_clip_outputs(out, pose, clip->joints, clip->tracks) ||
      !quatsimd_clip_rest(out, clip, rest, leave_absent))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  clip_position p;
  quatsimd_clip_position_of(&p, clip, time, wrap);
  quatsimd_clip_fetch_block(clip, &p);
  quatsimd_clip_sample_to(clip, out, clip->joints, &p);
  return QUATSIMD_OK;
}

/* Decodes frames of a block from `first` on, to elements from `element` on. Stops after `most` frames, or at
 * the block's end. Returns the number of decoded frames. */
static size_t decode_block(const quatsimd_clip *clip, int kind, size_t first, size_t most,
                           const clip_output *out, size_t element) {
  clip_position p;
  quatsimd_clip_position_of_frame(&p, clip, first, 0);
  size_t n = p.intervals - p.inner;
  if (first + n == clip->frames - 1) n++;
  if (n > most) n = most;
  quatsimd_clip_row row[CLIP_INTERVALS + 1];
  for (size_t f = 0; f < n; f++) row[f] = clip_row_of(p.intervals, p.inner + f);
  clip_walk w = quatsimd_clip_walk_block(clip, kind, p.block, p.intervals);
  const size_t elements = clip_elements(clip, kind);
  for (size_t g = 0; g < clip_groups(w.part.moving); g++) {
    quatsimd_clip_group group;
    quatsimd_clip_unpack_group(&group, &w);
    if (!QUATSIMD_IS_PLAYER && kind == QUATSIMD_CLIP_ROTATION && !group.raws && out->to.interleaved) {
      clip_find_offsets(group.offset, &w.part, g, out->to.stride);
      w.kernels->decode(clip_place(out, element), elements * out->to.stride, &group, row, n,
                        (clip->flags & CLIP_HAS_AXES) != 0);
      continue;
    }
    for (size_t f = 0; f < n; f++) {
      float value[CLIP_GROUP][4];
      clip_position at = p;
      at.inner += f;
      quatsimd_clip_evaluate(value, clip, kind, &group, &at, &row[f], w.kernels);
      clip_put_group(value, &w.part, out, element + f * elements, g);
    }
  }
  return n;
}

quatsimd_status quatsimd_clip_decode(const quatsimd_clip *clip, quatsimd_pose_out *pose,
                                     const quatsimd_pose_in *rest, size_t first, size_t count,
                                     int leave_absent) {
  /* still curves are decoded for so many frames at a time that the poses of these frames fit the cache */
  enum { AT_ONCE = 64 };
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  if (!clip || !pose || first > clip->frames || count > clip->frames - first ||
      !quatsimd_clip_outputs(out, pose, count > 0 ? clip->joints : 0, count > 0 ? clip->tracks : 0) ||
      !quatsimd_clip_rest(out, clip, rest, leave_absent))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const size_t elements = clip_elements(clip, kind);
    const size_t moving = clip_still_of(clip, kind)->moving;
    if (!out[kind].wanted) continue;
    for (size_t i = 0; moving < elements && i < count; i += AT_ONCE)
      quatsimd_clip_decode_still(clip, kind, first + i, count - i < AT_ONCE ? count - i : AT_ONCE, &out[kind],
                                 i * elements);
    for (size_t i = 0; moving > 0 && i < count;)
      i += decode_block(clip, kind, first + i, count - i, &out[kind], i * elements);
  }
  return QUATSIMD_OK;
}
