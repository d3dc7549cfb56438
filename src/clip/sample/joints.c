/* Samples the joints that a caller lists. If they are a large part of a small clip's, samples all joints.
 * Else marks those among ASKED_JOINTS joints at a time, to allocate nothing, and visits the marked joints in
 * the clip's order. */
#include "clip/sample/asked.h"
#include "clip/sample/packed.h"
#include "clip/sample/sample.h"
#include "clip/sample/still.h"

/* Marks the listed joints that are among the ASKED_JOINTS joints from `first` on. False if none are. */
static bool mark(clip_asked *asked, size_t first, const uint32_t *joint, size_t count) {
  bool any = false;
  for (size_t e = 0; e < count; e++) {
    const size_t i = joint[e] - first;
    if (i >= ASKED_JOINTS) continue; /* i is huge for a joint before `first` */
    if (!any) asked->first = asked->end = first, asked->repeated = false;
    any = true;
    for (; asked->end <= joint[e]; asked->end += ASKED_WORD)
      asked->bits[(asked->end - first) / ASKED_WORD] = 0;
    uint32_t *word = &asked->bits[i / ASKED_WORD];
    const uint32_t bit = 1u << i % ASKED_WORD;
    if (*word & bit) asked->repeated = true;
    else asked->element[i] = (uint32_t)e;
    *word |= bit;
  }
  return any;
}

/* The most joints of a group that are sampled one by one. For more, the whole group is sampled. */
enum { FEW_CURVES = 2 };

/* Samples the moving curves of the joints that are asked for. left: the number of these curves. */
static void sample_moving(const quatsimd_clip *clip, int kind, const clip_position *p,
                          const clip_asked *asked, size_t left, const clip_output *out) {
  quatsimd_clip_row row[2];
  clip_load_rows(row, p);
  clip_walk w = quatsimd_clip_walk_block(clip, kind, p->block, p->intervals);
  const quatsimd_clip_part *part = &w.part;
  const size_t slot_bytes = part->slot_bytes;
  while (left > 0) {
    const size_t first = CLIP_GROUP * w.group, curves = clip_walk_curves(&w);
    size_t wanted[CLIP_GROUP], n = 0; /* lanes of the joints that are asked for */
    for (size_t i = 0; i < curves; i++)
      if (clip_is_asked(asked, clip_slot(part->slots, slot_bytes, first + i))) wanted[n++] = i;
    float value[CLIP_GROUP][4];
    if (n == 0) quatsimd_clip_walk_past(&w);
    else if (n <= FEW_CURVES && !clip_walk_any_raw(&w)) {
      for (size_t i = 0; i < n; i++) quatsimd_clip_sample_curve(value[wanted[i]], &w, wanted[i], p, row);
      quatsimd_clip_walk_past(&w);
    } else quatsimd_clip_sample_group(value, &w, p, row);
    for (size_t i = 0; i < n; i++)
      clip_store(out, clip_asked_element(asked, clip_slot(part->slots, slot_bytes, first + wanted[i])),
                 value[wanted[i]]);
    left -= n;
  }
}

/* Returns the number of a joint's curve among the moving curves. */
static size_t find_slot(const quatsimd_clip_part *part, size_t joint) {
  const unsigned char *const slots = part->slots;
  const size_t slot_bytes = part->slot_bytes;
  size_t i = 0;
  while (clip_slot(slots, slot_bytes, i) != joint) i++;
  return i;
}

/* Samples one joint as element 0. Does not mark the joint, because marking takes longer than sampling. */
static void sample_one(const quatsimd_clip *clip, const clip_position *p, size_t joint,
                       const clip_output out[QUATSIMD_CLIP_KIND_COUNT]) {
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    if (!out[kind].wanted || quatsimd_clip_sample_one_still(clip, kind, p, joint, &out[kind])) continue;
    clip_walk w = quatsimd_clip_walk_block(clip, kind, p->block, p->intervals);
    const size_t slot = find_slot(&w.part, joint);
    quatsimd_clip_row row[2];
    float value[CLIP_GROUP][4];
    clip_load_rows(row, p);
    while (w.group < slot / CLIP_GROUP) quatsimd_clip_walk_past(&w);
    if (clip_walk_any_raw(&w)) quatsimd_clip_sample_group(value, &w, p, row);
    else quatsimd_clip_sample_curve(value[slot % CLIP_GROUP], &w, slot % CLIP_GROUP, p, row);
    clip_store(&out[kind], 0, value[slot % CLIP_GROUP]);
  }
}

/* Copies the value of each joint that is asked for more than once from its first element to its others. */
static void repeat(const quatsimd_clip *clip, int kind, const clip_asked *asked, const uint32_t *joint,
                   size_t count, const clip_output *out) {
  for (size_t e = 0; e < count; e++) {
    float value[4];
    if (!clip_is_asked(asked, joint[e]) || clip_asked_element(asked, joint[e]) == asked->from + e) continue;
    if (out->leave_absent && clip_state_of(clip, kind, joint[e]) == QUATSIMD_CLIP_ABSENT) continue;
    quatsimd_load_element(&out->to, clip_asked_element(asked, joint[e]), value);
    clip_store(out, asked->from + e, value);
  }
}

/* Samples `count` joints to the elements from `from` on. */
static void sample_some(const quatsimd_clip *clip, const clip_position *p, const uint32_t *joint, size_t from,
                        size_t count, const clip_output out[QUATSIMD_CLIP_KIND_COUNT]) {
  clip_passed passed[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  clip_asked asked;
  asked.from = from;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    passed[kind] = (clip_passed){.keys = clip_part_of(clip, kind).keys};
  for (size_t first = 0; first < clip->joints; first += ASKED_JOINTS) {
    if (!mark(&asked, first, joint, count)) continue;
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
      if (!out[kind].wanted) continue;
      const size_t moving = quatsimd_clip_sample_some_still(clip, kind, p, &asked, &passed[kind], &out[kind]);
      if (moving > 0) sample_moving(clip, kind, p, &asked, moving, &out[kind]);
      if (asked.repeated) repeat(clip, kind, &asked, joint, count, &out[kind]);
    }
  }
}

/* For more joints than `some`, sampling all joints is faster. */
enum { WHOLE_JOINTS = 256 };
static bool is_whole_faster(const quatsimd_clip *clip, size_t count) {
  const size_t some = 2 + clip->joints / 20;
  return clip->joints <= WHOLE_JOINTS && count > some;
}

/* Copies the listed joints' values. `components` is known at compile time. */
static inline void copy_listed(const clip_output *out, size_t components, const float *from,
                               const uint32_t *joint, size_t count) {
  for (size_t e = 0; e < count; e++)
    memcpy(clip_place(out, e), from + components * joint[e], components * sizeof *from);
}

static void copy_some(const quatsimd_clip *clip, int kind, const clip_output *out, const float *from,
                      const uint32_t *joint, size_t count) {
  for (size_t e = 0; e < count; e++)
    if (!out->leave_absent || clip_state_of(clip, kind, joint[e]) != QUATSIMD_CLIP_ABSENT)
      clip_store(out, e, from + out->components * joint[e]);
}

/* Samples all joints, then copies those that are listed. */
static void sample_whole(const quatsimd_clip *clip, const clip_position *p, const uint32_t *joint,
                         size_t count, clip_output out[QUATSIMD_CLIP_KIND_COUNT]) {
  float values[QUATSIMD_CLIP_JOINT_KIND_COUNT][4 * WHOLE_JOINTS];
  quatsimd_operand to[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  bool leave_absent[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    if (!out[kind].wanted) continue;
    to[kind] = out[kind].to, leave_absent[kind] = out[kind].leave_absent;
    out[kind].to = quatsimd_structs(values[kind], (int)clip_components(kind));
    out[kind].leave_absent = false;
  }
  quatsimd_clip_sample_to(clip, out, clip->joints, p);
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    if (!out[kind].wanted) continue;
    out[kind].to = to[kind], out[kind].leave_absent = leave_absent[kind];
    if (leave_absent[kind] || !to[kind].interleaved)
      copy_some(clip, kind, &out[kind], values[kind], joint, count);
    else if (kind == QUATSIMD_CLIP_ROTATION) copy_listed(&out[kind], 4, values[kind], joint, count);
    else copy_listed(&out[kind], CLIP_AXES, values[kind], joint, count);
  }
}

quatsimd_status quatsimd_clip_sample_joints(const quatsimd_clip *clip, quatsimd_pose_out *pose,
                                            const quatsimd_pose_in *rest, double time,
                                            quatsimd_clip_wrap wrap, const uint32_t *joint, size_t count,
                                            int leave_absent) {
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  if (!clip || !pose || (!joint && count) || (unsigned)wrap > QUATSIMD_CLIP_WRAP_LOOP ||
      !quatsimd_clip_outputs(out, pose, count, 0) || !quatsimd_clip_rest(out, clip, rest, leave_absent))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t i = 0; i < count; i++)
    if (joint[i] >= clip->joints) return QUATSIMD_ERROR_BAD_ARGUMENT;
  clip_position p;
  quatsimd_clip_position_of(&p, clip, time, wrap);
  if (count == 1) sample_one(clip, &p, joint[0], out);
  const bool whole = is_whole_faster(clip, count);
  if (whole) sample_whole(clip, &p, joint, count, out);
  for (size_t i = 0, n; count > 1 && !whole && i < count; i += n) {
    n = count - i < UINT32_MAX ? count - i : UINT32_MAX; /* clip_asked.element has 32 bits */
    sample_some(clip, &p, joint + i, i, n, out);
  }
  return QUATSIMD_OK;
}
