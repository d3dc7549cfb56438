#include "clip/sample/cursor.h"

#include "clip/sample/still.h"

enum {
  CURSOR_ALIGNMENT = 32, /* loads of groups do not cross a cache line then */
  CONSTANT_BYTES = sizeof(float[4]) + sizeof(uint32_t)
};

static size_t constants_of(const quatsimd_clip *clip, int kind) { return clip->part[kind].constants; }

size_t quatsimd_clip_cursor_size(const quatsimd_clip *clip) {
  if (!clip) return 0;
  size_t size = sizeof(quatsimd_clip_cursor) + CURSOR_ALIGNMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KINDS; kind++)
    size += clip_groups(clip, kind) * sizeof(quatsimd_clip_group) + constants_of(clip, kind) * CONSTANT_BYTES;
  return (size + 7) / 8 * 8; /* so that cursors can lie end to end */
}

/* A group is of eight moving curves and larger than as many constants: the most memory is that of as many
 * groups as joints can fill or begin, and of seven constants, where the last group has one curve. */
_Static_assert(sizeof(quatsimd_clip_group) >= CLIP_GROUP * CONSTANT_BYTES, "constants take more than groups");

_Static_assert(QUATSIMD_CLIP_CURSOR_MAX_SIZE(0) >=
                   sizeof(quatsimd_clip_cursor) + CURSOR_ALIGNMENT + 7 +
                       QUATSIMD_CLIP_JOINT_KINDS * (CLIP_GROUP - 1) * CONSTANT_BYTES,
               "the macro is too small for a clip of few joints");
_Static_assert(QUATSIMD_CLIP_CURSOR_MAX_SIZE(CLIP_GROUP) - QUATSIMD_CLIP_CURSOR_MAX_SIZE(0) >=
                   QUATSIMD_CLIP_JOINT_KINDS * sizeof(quatsimd_clip_group),
               "the macro is too small for a clip of many joints");

size_t quatsimd_clip_cursor_max_size(size_t joints) {
  if (joints > CLIP_MOST_JOINTS) return 0;
  const size_t groups = (joints + CLIP_GROUP - 1) / CLIP_GROUP;
  const size_t kind = groups * sizeof(quatsimd_clip_group) + (CLIP_GROUP - 1) * CONSTANT_BYTES;
  return (sizeof(quatsimd_clip_cursor) + CURSOR_ALIGNMENT + QUATSIMD_CLIP_JOINT_KINDS * kind + 7) / 8 * 8;
}

quatsimd_status quatsimd_clip_cursor_init(quatsimd_clip_cursor **cursor, void *memory, size_t size,
                                          const quatsimd_clip *clip) {
  if (!cursor || !memory || !clip || (uintptr_t)memory % 8 != 0) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (size < quatsimd_clip_cursor_size(clip)) return QUATSIMD_ERROR_SHORT_BUFFER;
  quatsimd_clip_cursor *made = memory;
  made->data = clip->data;
  made->checksum = clip->check;
  made->joints = clip->joints;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KINDS; kind++) made->moving[kind] = clip->part[kind].moving;
  char *at = (char *)(made + 1);
  at += -(uintptr_t)at % CURSOR_ALIGNMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KINDS; kind++) { /* what has the largest alignment first */
    made->kind[kind] = (clip_kept){.group = (quatsimd_clip_group *)(void *)at};
    at += clip_groups(clip, kind) * sizeof(quatsimd_clip_group);
  }
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KINDS; kind++) {
    clip_kept *k = &made->kind[kind];
    k->value = (float(*)[4])(void *)at;
    at += constants_of(clip, kind) * sizeof(float[4]);
    k->joint = (uint32_t *)(void *)at;
    at += constants_of(clip, kind) * sizeof(uint32_t);
    for (size_t j = 0; j < clip->joints; j++) {
      if (clip_state_of(clip, kind, j) != QUATSIMD_CLIP_CONSTANT) continue;
      clip_load_value(k->value[k->values], clip, kind,
                      clip->part[kind].constant +
                          clip_constant_bytes(kind, clip_precision(clip)) * k->values);
      k->joint[k->values++] = (uint32_t)j;
    }
  }
  *cursor = made;
  return QUATSIMD_OK;
}

void quatsimd_clip_cursor_fill(clip_kept *k, const quatsimd_clip *clip, int kind, const clip_position *p,
                               size_t stride) {
  if (k->block != p->block + 1) {
    clip_walk w = quatsimd_clip_walk_block(clip, kind, p->block, p->intervals);
    for (size_t g = 0; g < clip_groups(clip, kind); g++) quatsimd_clip_unpack_group(&k->group[g], &w);
    k->block = p->block + 1;
  }
  if (k->stride != stride) {
    for (size_t g = 0; g < clip_groups(clip, kind); g++)
      clip_find_offsets(k->group[g].offset, clip, kind, g, stride);
    k->stride = stride;
  }
}
