/* Sampling of opened clips. Nothing here can fail but on arguments: open has checked the bytes. */
#include "clip/sample/packed.h"
#include "clip/sample/sample.h"
#include "clip/sample/still.h"

/* Groups from this one on, up to CLIP_AT_ONCE, that have any of the first `wanted` joints. */
static size_t wanted_groups(const quatsimd_clip *clip, int kind, size_t group, size_t wanted) {
  const quatsimd_clip_part *part = &clip->part[kind];
  const size_t all = clip_elements(clip, kind), slot_bytes = clip_slot_bytes(all),
               left = clip_groups(clip, kind) - group, most = left < CLIP_AT_ONCE ? left : CLIP_AT_ONCE;
  size_t n = 0;
  if (wanted == all) return most;
  for (bool any = true; any && n < most; n += any) {
    const size_t first = CLIP_GROUP * (group + n), curves = clip_group_curves(part->moving, group + n);
    any = false;
    for (size_t i = 0; !any && i < curves; i++) any = clip_slot(part->slots, slot_bytes, first + i) < wanted;
  }
  return n;
}

static void sample_moving(const quatsimd_clip *clip, int kind, const clip_position *p, size_t wanted,
                          const clip_output *out) {
  quatsimd_clip_row row[2];
  clip_walk w = quatsimd_clip_walk_block(clip, kind, p->block, p->intervals);
  clip_load_rows(row, p);
  while (w.group < clip_groups(clip, kind)) {
    const size_t g = w.group, groups = wanted_groups(clip, kind, g, wanted);
    float value[CLIP_GROUP][4];
    if (groups == 0) {
      quatsimd_clip_walk_past(&w);
      continue;
    }
    if (quatsimd_clip_sample_groups(&w, groups, p, row, out)) continue;
    quatsimd_clip_sample_group(value, &w, p, row);
    clip_put_group(value, clip, kind, out, 0, g);
  }
}

/* Jobs that wait to be done together. */
typedef struct queue {
  const quatsimd_clip *clip;
  const quatsimd_clip_kernels *kernels;
  const clip_output *out;
  int kind;
  size_t jobs;
  quatsimd_clip_job job[CLIP_AT_ONCE];
} queue;

static void flush(queue *q) {
  if (q->jobs > 0) q->kernels->decode(q->job, q->jobs, (q->clip->flags & CLIP_HAS_AXES) != 0);
  q->jobs = 0;
}

static bool is_simple(const queue *q, const quatsimd_clip_group *group) {
  return q->kind == QUATSIMD_CLIP_ROTATION && !group->raws && q->out->to.interleaved;
}

/* A group that is not, whose number is g; its joints are elements from `first` on. */
static void evaluate_now(queue *q, const quatsimd_clip_group *group, size_t g, size_t first,
                         const clip_position *p, const quatsimd_clip_row row[2]) {
  float value[CLIP_GROUP][4];
  quatsimd_clip_evaluate(value, q->clip, q->kind, group, p, row, q->kernels);
  clip_put_group(value, q->clip, q->kind, q->out, first, g);
}

static void sample_still(const quatsimd_clip *clip, int kind, const clip_position *p, size_t wanted,
                         const clip_output *out) {
  const quatsimd_clip_part *part = &clip->part[kind];
  if (part->constants + part->moving + part->keyed < clip_elements(clip, kind))
    quatsimd_clip_sample_rest(clip, kind, wanted, out);
  if (part->constants > 0) quatsimd_clip_sample_constants(clip, kind, wanted, out);
  if (part->keyed > 0) quatsimd_clip_sample_keyed(clip, kind, p, wanted, out);
}

void quatsimd_clip_sample_to(const quatsimd_clip *clip, const clip_output out[QUATSIMD_CLIP_KINDS],
                             size_t joints, const clip_position *p) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    if (!out[kind].wanted) continue;
    const size_t wanted = clip_either(kind, joints, clip->tracks);
    if (clip->part[kind].moving < clip_elements(clip, kind)) sample_still(clip, kind, p, wanted, &out[kind]);
    if (clip->part[kind].moving > 0) sample_moving(clip, kind, p, wanted, &out[kind]);
  }
}

quatsimd_status quatsimd_clip_sample(const quatsimd_clip *clip, const quatsimd_pose *pose,
                                     const quatsimd_pose_in *rest, double time, quatsimd_clip_wrap wrap) {
  clip_output out[QUATSIMD_CLIP_KINDS];
  if (!clip || !pose || (unsigned)wrap > QUATSIMD_CLIP_WRAP_LOOP ||
      !quatsimd_clip_outputs(out, pose, clip->joints, clip->tracks) || !quatsimd_clip_rest(out, clip, rest))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  clip_position p;
  quatsimd_clip_position_of(&p, clip, time, wrap);
  quatsimd_clip_sample_to(clip, out, clip->joints, &p);
  return QUATSIMD_OK;
}

/* Frames from the first on that are in its block, at most `most`; where they are counted from. The last
 * frame of a block is the next one's first. */
static size_t decode_block(const quatsimd_clip *clip, int kind, size_t first, size_t most,
                           const clip_output *out, size_t element) {
  clip_position p;
  quatsimd_clip_position_of_frame(&p, clip, first, 0);
  size_t n = p.intervals - p.inner;
  if (first + n == clip->frames - 1) n++;
  if (n > most) n = most;
  quatsimd_clip_row row[CLIP_INTERVALS + 2]; /* evaluate looks at two */
  for (size_t f = 0; f < n; f++) row[f] = clip_row_of(p.intervals, p.inner + f);
  clip_walk w = quatsimd_clip_walk_block(clip, kind, p.block, p.intervals);
  quatsimd_clip_group group;
  queue q;
  q.clip = clip, q.kernels = w.kernels, q.out = out, q.kind = kind, q.jobs = 0;
  for (size_t g = 0; g < clip_groups(clip, kind); g++) {
    quatsimd_clip_unpack_group(&group, &w);
    clip_find_offsets(group.offset, clip, kind, g, out->to.stride);
    if (is_simple(&q, &group))
      for (size_t f = 0; f < n; f++) {
        q.job[q.jobs] =
            (quatsimd_clip_job){&group, &row[f], clip_place(out, element + f * clip_elements(clip, kind))};
        if (++q.jobs == CLIP_AT_ONCE) flush(&q);
      }
    else
      for (size_t f = 0; f < n; f++) {
        clip_position at = p;
        at.inner += f;
        evaluate_now(&q, &group, g, element + f * clip_elements(clip, kind), &at, &row[f]);
      }
    flush(&q); /* the next group comes into the same place */
  }
  return n;
}

quatsimd_status quatsimd_clip_decode(const quatsimd_clip *clip, const quatsimd_pose *pose,
                                     const quatsimd_pose_in *rest, size_t first, size_t count) {
  /* frames: a joint's values are a frame apart, and the cache has room for so many */
  enum { AT_ONCE = 64 };
  clip_output out[QUATSIMD_CLIP_KINDS];
  if (!clip || !pose || first > clip->frames || count > clip->frames - first ||
      !quatsimd_clip_outputs(out, pose, count > 0 ? clip->joints : 0, count > 0 ? clip->tracks : 0) ||
      !quatsimd_clip_rest(out, clip, rest))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    const size_t elements = clip_elements(clip, kind);
    if (!out[kind].wanted) continue;
    for (size_t i = 0; clip->part[kind].moving < elements && i < count; i += AT_ONCE)
      quatsimd_clip_decode_still(clip, kind, first + i, count - i < AT_ONCE ? count - i : AT_ONCE, &out[kind],
                                 i * elements);
    for (size_t i = 0; clip->part[kind].moving > 0 && i < count;)
      i += decode_block(clip, kind, first + i, count - i, &out[kind], i * elements);
  }
  return QUATSIMD_OK;
}
