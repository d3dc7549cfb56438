/* Finds where sampled values are written and where the rest pose is read. */
#ifndef QUATSIMD_CLIP_OUTPUT_H
#define QUATSIMD_CLIP_OUTPUT_H

#include "core/operand.h"
#include "clip/sample/open.h"

typedef struct clip_output {
  quatsimd_operand to, rest; /* rest: the rest pose of all joints */
  size_t components;
  bool wanted, leave_absent;
} clip_output;
/* Returns the number of a kind's elements: joints or tracks. */
static inline size_t clip_either(int kind, size_t joints, size_t tracks) {
  return kind == QUATSIMD_CLIP_TRACK ? tracks : joints;
}

/* The value of a curve that is at rest or absent, if no rest pose is given. */
extern const float quatsimd_clip_none[QUATSIMD_CLIP_KIND_COUNT][4];

/* Resolves the views of an output pose. Kinds without elements or without a view are not wanted. False if a
 * view is not valid, or if two views begin at one address. */
bool quatsimd_clip_outputs(clip_output out[QUATSIMD_CLIP_KIND_COUNT], const quatsimd_pose_out *pose,
                           size_t joints, size_t tracks);
/* Resolves the view of a kind in an input pose. */
bool quatsimd_clip_input(quatsimd_operand *in, int kind, const quatsimd_pose_in *pose);
/* Returns f. If f is NaN, returns a NaN that has the same bits on all CPUs. */
static inline float clip_number(float f) { return f == f ? f : float_from_bits(0x7fc00000); }
/* Resolves the rest pose, which may be null. leave_absent: 1 to leave elements with absent curves as they
 * are, else 0. False if an argument is not valid, or if an output begins where a view of `rest` does. */
bool quatsimd_clip_rest(clip_output out[QUATSIMD_CLIP_KIND_COUNT], const quatsimd_clip *clip,
                        const quatsimd_pose_in *rest, int leave_absent);

/* Returns the address of an element. The output must be interleaved. */
static inline char *clip_place(const clip_output *out, size_t element) {
  return (char *)(uintptr_t)out->to.first + element * out->to.stride;
}

/* Copies a value. Its size is constant in each branch, so that compilers do not call memcpy. */
static inline void clip_copy(void *to, const void *from, size_t components) {
  if (components == 4) memcpy(to, from, 4 * sizeof(float));
  else if (components == CLIP_AXES) memcpy(to, from, CLIP_AXES * sizeof(float));
  else memcpy(to, from, sizeof(float));
}

static inline void clip_load_rest(float value[4], const clip_output *out, size_t joint) {
  if (!out->rest.interleaved) quatsimd_load_element(&out->rest, joint, value);
  else clip_copy(value, out->rest.first + joint * out->rest.stride, out->components);
}

static inline void clip_store(const clip_output *out, size_t element, const float *value) {
  if (!out->to.interleaved) quatsimd_store_element(&out->to, element, value);
  else clip_copy(clip_place(out, element), value, out->components);
}

static inline void clip_find_offsets(size_t offset[CLIP_GROUP], const quatsimd_clip_part *part, size_t group,
                                     size_t stride) {
  const size_t curves = clip_group_curves(part->moving, group), slot_bytes = part->slot_bytes;
  const unsigned char *slots = part->slots + slot_bytes * CLIP_GROUP * group;
  if (slot_bytes == 1 && curves == CLIP_GROUP) /* nearly all groups */
    for (size_t i = 0; i < CLIP_GROUP; i++) offset[i] = slots[i] * stride;
  else
    for (size_t i = 0; i < CLIP_GROUP; i++)
      offset[i] = clip_slot(slots, slot_bytes, i < curves ? i : 0) * stride;
}

static inline void clip_put_group(float value[CLIP_GROUP][4], const quatsimd_clip_part *part,
                                  const clip_output *out, size_t first, size_t group) {
  const size_t slot_bytes = part->slot_bytes;
  for (size_t i = 0; i < clip_group_curves(part->moving, group); i++)
    clip_store(out, first + clip_slot(part->slots + slot_bytes * CLIP_GROUP * group, slot_bytes, i),
               value[i]);
}

#endif
