/* Where things are in an opened clip. */
#ifndef QUATSIMD_CLIP_OPEN_H
#define QUATSIMD_CLIP_OPEN_H

#include <stdbool.h>

#include "clip/constant.h"
#include "clip/layout.h"

typedef struct quatsimd_clip_part {
  size_t constants, moving, keyed, row;
  float unit;
  const unsigned char *masks, *keyed_mask, *widths, *ends, *units, *blocks, *knots, *bases, *slots, *constant,
      *keys;
} quatsimd_clip_part;

struct quatsimd_clip {
  const unsigned char *data; /* the bytes that were opened */
  size_t size;
  size_t joints, frames, tracks;
  double start, rate, duration;
  uint64_t skeleton;          /* hash; 0: none */
  const unsigned char *times; /* of frames; null: they are even */
  size_t curves[QUATSIMD_CLIP_KIND_COUNT];
  quatsimd_clip_part part[QUATSIMD_CLIP_KIND_COUNT];
  unsigned flags;
  int loop, additive;
};

/* How many curves of a kind there may be: one for each joint, or the tracks. */
static inline size_t clip_elements(const quatsimd_clip *clip, int kind) {
  return kind == QUATSIMD_CLIP_TRACK ? clip->tracks : clip->joints;
}

/* Bytes of a moving curve's base. */
static inline size_t clip_base_bytes(const quatsimd_clip *clip, int kind) {
  return kind != QUATSIMD_CLIP_ROTATION ? 4 * clip_axes(kind) : clip->flags & CLIP_HAS_AXES ? 8 : 4;
}

/* The state of a joint's curve; absent also where the clip has none of that kind. */
static inline quatsimd_clip_state clip_state_of(const quatsimd_clip *clip, int kind, size_t joint) {
  const quatsimd_clip_part *part = &clip->part[kind];
  return part->masks ? clip_state(part->masks, part->keyed_mask, joint) : QUATSIMD_CLIP_ABSENT;
}

/* Are these bytes a clip of this version, as far as the first four tell? Errors as of quatsimd_clip_open. */
quatsimd_status quatsimd_clip_check_magic(const unsigned char *data, size_t size);
uint32_t quatsimd_clip_checksum(const unsigned char *data, size_t size); /* size >= 8 */

static inline unsigned clip_end_bytes(const quatsimd_clip *clip, int kind) {
  return clip->flags & CLIP_WIDE << kind ? 4 : 2;
}
static inline size_t clip_block_end(const quatsimd_clip *clip, int kind, size_t block) {
  const unsigned char *ends = clip->part[kind].ends;
  return clip->flags & CLIP_WIDE << kind ? load_u32(ends + 4 * block) : load_u16(ends + 2 * block);
}

/* Bytes of the time of a frame that has one of its own. */
static inline size_t clip_time_bytes(const quatsimd_clip *clip) {
  return clip->flags & CLIP_DOUBLE_TIMES ? 8 : 4;
}
static inline double clip_frame_time(const quatsimd_clip *clip, size_t frame) {
  if (!clip->times) return clip->start + (double)frame / clip->rate;
  return clip_time_bytes(clip) == 8 ? load_double(clip->times + 8 * frame)
                                    : (double)load_float(clip->times + 4 * frame);
}

static inline unsigned clip_precision(const quatsimd_clip *clip) {
  return clip->flags / CLIP_PRECISION_AT % 4;
}

/* A curve with keys of its own. */
typedef struct clip_keyed {
  size_t count, time_bytes, value_bytes;
  bool hold, floats; /* floats: of rotations, not of length 1 */
  const unsigned char *times, *values;
} clip_keyed;

static inline clip_keyed clip_keyed_at(const quatsimd_clip *clip, int kind, const unsigned char *head) {
  const uint32_t word = load_u32(head);
  const bool floats = (word & CLIP_KEYED_FLOATS) != 0;
  clip_keyed keys = {word & (CLIP_KEYED_FLOATS - 1),
                     word & CLIP_KEYED_DOUBLE ? 8 : 4,
                     floats ? 16 : clip_constant_bytes(kind, clip_precision(clip)),
                     (word & CLIP_KEYED_HOLD) != 0,
                     floats,
                     head + 4,
                     NULL};
  keys.values = keys.times + keys.count * keys.time_bytes;
  return keys;
}
static inline const unsigned char *clip_keyed_end(const clip_keyed *keys) {
  return keys->values + keys->count * keys->value_bytes;
}
static inline double clip_keyed_time(const clip_keyed *keys, size_t k) {
  return keys->time_bytes == 8 ? load_double(keys->times + 8 * k) : (double)load_float(keys->times + 4 * k);
}

#endif
