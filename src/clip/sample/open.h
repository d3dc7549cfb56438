/* The layout of an opened clip. */
#ifndef QUATSIMD_CLIP_OPEN_H
#define QUATSIMD_CLIP_OPEN_H

#include <stdbool.h>

#include "clip/constant.h"
#include "clip/layout.h"

/* The curves of a kind, as sampling uses them. Pointers to tables that a clip lacks are null or unread. */
typedef struct quatsimd_clip_part {
  size_t curves, constants, moving, keyed; /* curves: the number of curves that are not absent */
  size_t row, slot_bytes;                  /* row: bytes of the knots of all moving curves at a frame */
  float unit;
  const unsigned char *masks; /* null if the clip does not have the kind */
  const unsigned char *keyed_mask, *constant, *keys;
  const unsigned char *widths, *ends, *units, *blocks, *knots, *bases, *slots; /* valid if any curve moves */
} quatsimd_clip_part;

/* An opened clip stores a quatsimd_clip_part in two structs, with offsets instead of pointers. An offset
 * is from clip->data, unless a bit in clip->places says that the table is elsewhere. */
typedef struct quatsimd_clip_still {
  uint32_t curves, constants, moving, keyed;
  uint32_t masks, keyed_mask, constant; /* keyed_mask 0: there is none */
} quatsimd_clip_still;
/* The part's members for moving curves. They follow the kind's quatsimd_clip_still if any curve moves. */
typedef struct quatsimd_clip_moving {
  float unit;
  uint32_t row, widths, ends, units, blocks, knots, bases, slots; /* units 0: there are none */
} quatsimd_clip_moving;

/* Bits of quatsimd_clip.places, for tables outside of the bytes at clip->data. CLIP_OWN_*: tables in the
 * memory of the opened clip. */
enum {
  CLIP_USUAL_MASKS = 1, /* masks are at clip->usual */
  CLIP_OWN_MASKS = 2,
  CLIP_OWN_TABLES = 4, /* widths and bases */
  CLIP_OWN_SLOTS = 8
};

/* The events of a clip, in the bytes of a bundle, sorted by time. */
typedef struct quatsimd_clip_events {
  const unsigned char *first; /* the first of `count` entries of CLIP_EVENT_ENTRY bytes */
  uint32_t count, text_after; /* text_after: how many entries are between `first` and the text of names */
} quatsimd_clip_events;
/* The fields of an entry: a double, and the offset of a name in the text. */
enum { CLIP_EVENT_TIME = 0, CLIP_EVENT_NAME = 8, CLIP_EVENT_ENTRY = 12 };

/* An opened clip. In memory, its quatsimd_clip_events follow if it has events, then the parts of its kinds,
 * then the tables of CLIP_OWN_*. The struct is small, because programs open many clips. */
struct quatsimd_clip {
  const unsigned char *data;  /* the bytes that were opened */
  const unsigned char *usual; /* the masks that clips of a bundle share; null: none */
  double start, rate, duration;
  uint64_t skeleton; /* the skeleton's hash; 0: none */
  uint32_t size, joints, frames, tracks, flags;
  uint32_t times; /* offset of the list of times; 0: frames are evenly spaced */
  uint8_t part_at[QUATSIMD_CLIP_KIND_COUNT],
      places[QUATSIMD_CLIP_KIND_COUNT]; /* part_at: words from the struct to a kind's part; 0: none */
};
enum {
  CLIP_WORD = sizeof(uint32_t),
  CLIP_STILL_WORDS = sizeof(quatsimd_clip_still) / CLIP_WORD,
  CLIP_MOVING_WORDS = sizeof(quatsimd_clip_moving) / CLIP_WORD,
  CLIP_HEAD_WORDS = sizeof(quatsimd_clip) / CLIP_WORD,
  CLIP_EVENTS_WORDS = sizeof(quatsimd_clip_events) / CLIP_WORD, /* only clips of bundles have events */
  CLIP_MOST_WORDS = CLIP_HEAD_WORDS + QUATSIMD_CLIP_KIND_COUNT * (CLIP_STILL_WORDS + CLIP_MOVING_WORDS)
};

/* The clip must have events. */
static inline const quatsimd_clip_events *clip_events(const quatsimd_clip *clip) {
  return (const void *)(clip + 1);
}
static inline bool clip_loops(const quatsimd_clip *clip) { return (clip->flags & CLIP_LOOPS) != 0; }
static inline bool clip_loops_with(const quatsimd_clip *clip, quatsimd_clip_wrap wrap) {
  return wrap == QUATSIMD_CLIP_WRAP_LOOP || (wrap == QUATSIMD_CLIP_WRAP_CLIP && clip_loops(clip));
}
static inline int clip_additive(const quatsimd_clip *clip) { return clip->flags / CLIP_ADDITIVE % 4; }

/* Returns the number of elements of a kind: tracks or joints. */
static inline size_t clip_elements(const quatsimd_clip *clip, int kind) {
  return kind == QUATSIMD_CLIP_TRACK ? clip->tracks : clip->joints;
}

static inline size_t clip_base_bytes(const quatsimd_clip *clip, int kind) {
  return kind != QUATSIMD_CLIP_ROTATION ? 4 * clip_axes(kind) : clip->flags & CLIP_HAS_AXES ? 8 : 4;
}

static inline unsigned clip_precision(const quatsimd_clip *clip) {
  return clip->flags / CLIP_PRECISION_AT % 4;
}
static inline unsigned clip_end_bytes(const quatsimd_clip *clip, int kind) {
  return clip->flags & CLIP_WIDE << kind ? 4 : 2;
}

/* The clip must have the kind. */
static inline const quatsimd_clip_still *clip_still_at(const quatsimd_clip *clip, int kind) {
  return (const void *)((const unsigned char *)clip + CLIP_WORD * clip->part_at[kind]);
}
/* Returns the masks of a kind, which the clip must have. */
static inline const unsigned char *clip_masks(const quatsimd_clip *clip, int kind) {
  return (clip->places[kind] & CLIP_USUAL_MASKS ? clip->usual
          : clip->places[kind] & CLIP_OWN_MASKS ? (const unsigned char *)clip
                                                : clip->data) +
         clip_still_at(clip, kind)->masks;
}
/* Returns zeros if the clip does not have the kind. */
static inline const quatsimd_clip_still *clip_still_of(const quatsimd_clip *clip, int kind) {
  static const quatsimd_clip_still none = {0};
  return clip->part_at[kind] ? clip_still_at(clip, kind) : &none;
}

/* Sets the members of a part that moving curves need, and no others. The kind must have moving curves. */
static inline void clip_find_moving(quatsimd_clip_part *part, const quatsimd_clip *clip, int kind) {
  const quatsimd_clip_still *const still = clip_still_at(clip, kind);
  const quatsimd_clip_moving *const from = (const void *)(still + 1);
  const unsigned char *const data = clip->data, *const own = (const unsigned char *)clip,
                             *const tables = clip->places[kind] & CLIP_OWN_TABLES ? own : data;
  part->moving = still->moving, part->unit = from->unit, part->row = from->row;
  part->slot_bytes = clip_slot_bytes(clip_elements(clip, kind));
  part->widths = tables + from->widths, part->bases = tables + from->bases;
  part->slots = (clip->places[kind] & CLIP_OWN_SLOTS ? own : data) + from->slots;
  part->ends = data + from->ends, part->blocks = data + from->blocks, part->knots = data + from->knots;
  part->units = from->units ? data + from->units : NULL;
}

/* Sets the members of a part that still curves need, and no others. */
static inline void clip_find_still(quatsimd_clip_part *part, const quatsimd_clip *clip, int kind) {
  const quatsimd_clip_still *const from = clip_still_of(clip, kind);
  part->constants = from->constants, part->keyed = from->keyed;
  part->masks = clip->part_at[kind] ? clip_masks(clip, kind) : NULL;
  part->keyed_mask = from->keyed_mask ? clip->data + from->keyed_mask : NULL;
  part->constant = clip->data + from->constant;
  part->keys = part->constant + part->constants * clip_constant_bytes(kind, clip_precision(clip));
}

/* Returns the part of a kind, all zeros if the clip does not have the kind. */
static inline quatsimd_clip_part clip_part_of(const quatsimd_clip *clip, int kind) {
  quatsimd_clip_part part = {0};
  const quatsimd_clip_still *const from = clip_still_at(clip, kind);
  if (clip->part_at[kind] == 0) return part;
  part.curves = from->curves, part.moving = from->moving;
  clip_find_still(&part, clip, kind);
  if (part.moving > 0) clip_find_moving(&part, clip, kind);
  return part;
}

static inline quatsimd_clip_state clip_part_state(const quatsimd_clip_part *part, size_t joint) {
  return part->masks ? clip_state(part->masks, part->keyed_mask, joint) : QUATSIMD_CLIP_ABSENT;
}
/* Returns the state of an element's curve, which is absent if the clip does not have the kind. */
static inline quatsimd_clip_state clip_state_of(const quatsimd_clip *clip, int kind, size_t joint) {
  const quatsimd_clip_part part = clip_part_of(clip, kind);
  return clip_part_state(&part, joint);
}

/* Checks the letters and the version. Errors are those of quatsimd_clip_open. */
quatsimd_status quatsimd_clip_check_magic(const unsigned char *data, size_t size);

/* These return where a block of a kind ends, and where it starts, in bytes from the kind's first block. */
static inline size_t clip_block_end(const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part,
                                    size_t block) {
  return clip->flags & CLIP_WIDE << kind ? load_u32(part->ends + 4 * block)
                                         : load_u16(part->ends + 2 * block);
}
static inline size_t clip_block_at(const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part,
                                   size_t block) {
  return block ? clip_block_end(clip, kind, part, block - 1) : 0;
}

static inline size_t clip_time_bytes(const quatsimd_clip *clip) {
  return clip->flags & CLIP_DOUBLE_TIMES ? 8 : 4;
}
static inline double clip_frame_time(const quatsimd_clip *clip, size_t frame) {
  if (!clip->times) return clip->start + (double)frame / clip->rate;
  const unsigned char *const times = clip->data + clip->times;
  return clip_time_bytes(clip) == 8 ? load_double(times + 8 * frame) : (double)load_float(times + 4 * frame);
}

static inline double clip_last_time(const quatsimd_clip *clip) {
  return clip_frame_time(clip, clip->frames - 1);
}

/* A curve with its own keys. */
typedef struct clip_keyed {
  const quatsimd_clip *clip;
  int kind;
  size_t count, time_bytes, value_bytes, components;
  /* floats: of a rotation, each value has four floats, of any length near 1; of a spline, each number is a
   * float. A spline of other numbers has a unit, then widths of values and tangents, then all numbers.
   * frames: times are numbers of frames. pair: the base follows, which is another such curve */
  bool hold, floats, spline, frames, pair;
  const unsigned char *times, *values;
} clip_keyed;

static inline clip_keyed clip_keyed_at(const quatsimd_clip *clip, int kind, const unsigned char *head) {
  const uint32_t all = load_u32(head), word = clip->flags & CLIP_IS_3 ? all : all & ~CLIP_KEYED_3;
  const bool floats = (word & CLIP_KEYED_FLOATS) != 0, frames = (word & CLIP_KEYED_FRAMES) != 0;
  clip_keyed keys = {.clip = clip,
                     .kind = kind,
                     .count =
                         clip->flags & CLIP_IS_3 ? word & CLIP_MOST_KEYS_3 : all & (CLIP_KEYED_FLOATS - 1),
                     .time_bytes = (word & CLIP_KEYED_DOUBLE ? 8u : 4u) >> frames,
                     .value_bytes = floats ? 16 : clip_constant_bytes(kind, clip_precision(clip)),
                     .components = clip_components(kind),
                     .hold = (word & CLIP_KEYED_HOLD) != 0,
                     .floats = floats,
                     .spline = (word & CLIP_KEYED_SPLINE) != 0,
                     .frames = frames,
                     .pair = (word & CLIP_KEYED_PAIR) != 0,
                     .times = head + 4};
  keys.values = keys.times + keys.count * keys.time_bytes;
  return keys;
}

/* The bytes before a packed spline's numbers: its unit, then the widths. */
static inline size_t clip_spline_head(const clip_keyed *keys) { return 4 + 2 * keys->components; }
/* Returns the bits from one key's value to the next key's: those of a value and of two tangents. *tangents
 * gets those of two tangents. */
static inline unsigned clip_spline_bits(const clip_keyed *keys, unsigned *tangents) {
  const unsigned char *width = keys->values + 4;
  unsigned value = 0, tangent = 0;
  for (size_t c = 0; c < keys->components; c++) value += width[c], tangent += width[keys->components + c];
  *tangents = 2 * tangent;
  return value + *tangents;
}
/* Returns the bytes of all values. Reads the head of a packed spline. */
static inline uint64_t clip_keyed_bytes(const clip_keyed *keys) {
  const uint64_t count = keys->count;
  unsigned tangents;
  if (!keys->spline) return count * keys->value_bytes;
  if (keys->floats) return 4 * keys->components * (3 * count - 2); /* the ends have one tangent each */
  const unsigned bits = clip_spline_bits(keys, &tangents);
  return clip_spline_head(keys) + (count * bits - tangents + 7) / 8;
}
/* Returns the base of a pair. */
clip_keyed quatsimd_clip_keyed_base(const clip_keyed *pair);
/* Returns the end of a curve and, if it is a pair, its base. */
const unsigned char *quatsimd_clip_keyed_end(const clip_keyed *keys);
static inline uint32_t clip_keyed_frame(const clip_keyed *keys, size_t k) {
  const unsigned char *const at = keys->times + keys->time_bytes * k;
  return keys->time_bytes == 2 ? load_u16(at) : load_u32(at);
}
static inline double clip_keyed_time(const clip_keyed *keys, size_t k) {
  const unsigned char *const at = keys->times + keys->time_bytes * k;
  if (keys->frames) return clip_frame_time(keys->clip, clip_keyed_frame(keys, k));
  return keys->time_bytes == 8 ? load_double(at) : (double)load_float(at);
}

#endif
