/* Opens the sections of a clip one by one, also for bundles, which have them in another order. */
#ifndef QUATSIMD_CLIP_SECTIONS_H
#define QUATSIMD_CLIP_SECTIONS_H

#include "clip/sample/open.h"

/* A reader of sections. If too few bytes are left, clip_take returns null and sets `ok` to false. */
typedef struct clip_reader {
  const unsigned char *at;
  size_t size;
  bool ok;
} clip_reader;

static inline const unsigned char *clip_take(clip_reader *reader, uint64_t size) {
  const unsigned char *p = reader->at;
  if (!reader->ok || size > reader->size) return reader->ok = false, NULL;
  reader->at += size;
  reader->size -= (size_t)size;
  return p;
}

/* A clip that is being opened, with pointers in place of offsets. */
typedef struct clip_opening {
  quatsimd_clip clip;
  quatsimd_clip_part part[QUATSIMD_CLIP_KIND_COUNT];
  quatsimd_clip_events events; /* count 0: the clip has none */
  bool newer;                  /* some curve has a CLIP_KEYED_3 flag */
} clip_opening;

/* True if the clip has version 3 only if a curve needs it. Its keys must have been opened. */
static inline bool clip_needs_version(const clip_opening *o) {
  return ((o->clip.flags & CLIP_IS_3) != 0) == o->newer;
}

static inline bool clip_has_kind(const quatsimd_clip *clip, int kind) {
  return (clip->flags & CLIP_HAS_KIND << kind) != 0;
}

/* The functions of type bool below return false if something is not as docs/clip-format.md says. */

/* Checks the numbers of the head, which are in *clip, and takes the times of frames, if they are listed. */
bool quatsimd_clip_open_times(quatsimd_clip *clip, clip_reader *reader);
bool quatsimd_clip_is_unit(float unit, int kind);
/* Takes and checks the blocks of a kind, if it has moving curves. The kind's part must have its `ends`. */
bool quatsimd_clip_open_blocks(clip_opening *o, int kind, clip_reader *reader);
bool quatsimd_clip_check_floats(const unsigned char *p, size_t count);
/* Takes constants and keys; if `check`, checks their values. */
bool quatsimd_clip_open_still(clip_opening *o, int kind, clip_reader *reader, bool check);

enum { CLIP_SLOTS_AT_ONCE = 1 << 17 }; /* joints whose slots are checked at a time */
typedef struct clip_seen {
  uint32_t joint[CLIP_SLOTS_AT_ONCE / 32]; /* a bit for each joint */
} clip_seen;
/* Marks the joints that have a slot, among the CLIP_SLOTS_AT_ONCE joints from `first` on. */
void quatsimd_clip_see_slots(clip_seen *seen, const quatsimd_clip_part *part, size_t elements, size_t first);

/* Returns the size of the opened clip in bytes, a multiple of 4, without the tables of CLIP_OWN_*. */
size_t quatsimd_clip_compact_size(const clip_opening *o);
/* Stores the opened clip in quatsimd_clip_compact_size bytes. Turns the parts' pointers into offsets. */
void quatsimd_clip_compact(quatsimd_clip *to, const clip_opening *o);

#endif
