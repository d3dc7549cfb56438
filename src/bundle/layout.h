/* Where everything is in the bytes of a bundle: docs/bundle.md. */
#ifndef QUATSIMD_BUNDLE_LAYOUT_H
#define QUATSIMD_BUNDLE_LAYOUT_H

#include "clip/sample/sections.h"
#include "quatsimd/bundle.h"

enum {
  BUNDLE_AT_CHECKSUM = 4,
  BUNDLE_AT_SIZE = 8, /* from here on everything counts for the checksum */
  BUNDLE_AT_CLIPS = 12,
  BUNDLE_AT_SETTINGS = 16,
  BUNDLE_AT_SKELETON = 20,
  BUNDLE_HEAD = 24
};

enum { BUNDLE_VERSION = 1 };

/* Settings that clips share: flags, frames per second, a unit of each kind. */
enum { SETTING_AT_RATE = 4, SETTING_AT_UNITS = 12, BUNDLE_SETTING = 28 };

/* Flags of a setting: a clip's, but those that say what the skeleton says, and these. */
#define BUNDLE_LISTS_SLOTS (1u << 25) /* << kind: slots are there, not groups */
#define BUNDLE_LONG (1u << 29)        /* the number of frames has four bytes, not two */
#define BUNDLE_FLAGS (((1u << 30) - 1) & ~(CLIP_HAS_SKELETON | CLIP_HAS_TRACKS))

/* Bits of the tables of a record. */
enum { BUNDLE_WIDTH_BITS = 5, BUNDLE_COMPONENT_BITS = 10, BUNDLE_MOST_GROUPS = 65536 / CLIP_GROUP };
/* The lower bits of components, which coarse bases do without. */
#define BUNDLE_FINE_BITS (((1u << CLIP_BASE_COARSE) - 1) * (1 << 20 | 1 << 10 | 1))
#define BUNDLE_BASE_BITS (((uint32_t)1 << 30) - 1)

/* Of a kind, how many joints have their state in each clip's record, and the states of the others. */
typedef struct bundle_states {
  uint32_t varying, curves, constants, moving;
} bundle_states;

struct quatsimd_bundle {
  const unsigned char *data;
  size_t size, clips, settings;
  size_t joints, tracks; /* of the skeleton, and so of all clips */
  uint64_t hash;
  const unsigned char *setting, *offsets, *skeleton;
  /* of each kind that any setting has: the states that joints have in clips, and whose states differ */
  const unsigned char *usual[QUATSIMD_CLIP_KIND_COUNT], *varies[QUATSIMD_CLIP_KIND_COUNT];
  bundle_states states[QUATSIMD_CLIP_KIND_COUNT];
  size_t offset_bytes;
};

static inline size_t bundle_elements(const quatsimd_bundle *b, int kind) {
  return kind == QUATSIMD_CLIP_TRACK ? b->tracks : b->joints;
}
static inline size_t bundle_offset_bytes(uint64_t size) { return size <= 1 << 24 ? 3 : 4; }
static inline size_t bundle_setting_bytes(size_t settings) { return clip_slot_bytes(settings); }
static inline bool bundle_is_varying(const unsigned char *varies, size_t element) {
  return varies[element / 8] >> element % 8 & 1;
}
/* Bits that tell which of so many groups. */
static inline unsigned bundle_group_bits(size_t groups) {
  unsigned bits = 0;
  while ((size_t)1 << bits < groups) bits++;
  return bits;
}

/* Where a clip's record begins, with its name; behind the last one is the skeleton. */
static inline size_t bundle_record_at(const quatsimd_bundle *b, size_t clip) {
  if (clip == b->clips) return (size_t)(b->skeleton - b->data);
  return (size_t)load_little(b->offsets + b->offset_bytes * clip, b->offset_bytes);
}
static inline const unsigned char *bundle_record(const quatsimd_bundle *b, size_t clip) {
  return b->data + bundle_record_at(b, clip);
}

/* open.c */
uint32_t quatsimd_bundle_checksum(const unsigned char *data, size_t size);
/* record.c */
/* Counts the usual states of a kind, which are there. */
void quatsimd_bundle_count_states(quatsimd_bundle *b, int kind);
/* A record that was read. Its clip's tables are not unpacked yet, and their pointers are null. */
typedef struct bundle_reading {
  const quatsimd_bundle *bundle;
  clip_opening opening;
  unsigned setting_flags;
  /* of each kind: states of its own, and packed tables with all bytes of the record behind them */
  const unsigned char *states[QUATSIMD_CLIP_KIND_COUNT];
  clip_rest tables[QUATSIMD_CLIP_KIND_COUNT];
  size_t memory_size; /* bytes that the opened clip takes, a multiple of 8 */
} bundle_reading;
/* Reads the record behind its name, which is `size` bytes at `at`, any bytes. Nothing outside is read. If
 * `check`, all is checked that sampling relies on; else what places and sizes depend on. */
bool quatsimd_bundle_read_record(bundle_reading *r, const quatsimd_bundle *b, const unsigned char *at,
                                 size_t size, bool check);
/* Makes the opened clip in r->memory_size bytes at `to`, of a record that was checked now or before. */
void quatsimd_bundle_unpack_record(quatsimd_clip *to, bundle_reading *r);

#endif
