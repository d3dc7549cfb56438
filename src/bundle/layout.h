/* Describes the bytes of a bundle, which docs/bundle.md defines. */
#ifndef QUATSIMD_BUNDLE_LAYOUT_H
#define QUATSIMD_BUNDLE_LAYOUT_H

#include "clip/sample/sections.h"
#include "core/container.h"
#include "quatsimd/bundle.h"

/* The head: fields of core/container.h, counts of clips and of sections. The table of sections follows. */
enum { BUNDLE_AT_CLIPS = 16, BUNDLE_AT_SECTIONS = 20, BUNDLE_HEAD = 24 };
/* An entry of the table of sections, and the alignment of sections. */
enum {
  SECTION_AT_TYPE = 0,
  SECTION_AT_CHECKSUM = 4,
  SECTION_AT_PLACE = 8,
  SECTION_AT_SIZE = 16,
  SECTION_ENTRY = 24,
  SECTION_ALIGNMENT = 16
};
#define SECTION_REQUIRED (1u << 31)
/* Types of sections, in the order in which sections come. */
enum {
  SECTION_SKELETON = 1,
  SECTION_SETTINGS,
  SECTION_INDEX,
  SECTION_NAMES,
  SECTION_CLIPS, /* the last of the required types */
  SECTION_EVENTS,
  SECTION_MASKS,
  SECTION_MAKING,
  SECTION_END
};
enum { BUNDLE_TAIL = CLIP_OVERREAD }; /* zero bytes after the last clip */

enum { BUNDLE_VERSION = 2, BUNDLE_RECORD_VERSION = 1 };

/* A setting, which several clips may share: flags, frames per second, and a unit for each kind. */
enum { SETTING_AT_RATE = 4, SETTING_AT_UNITS = 12, BUNDLE_SETTING = 28 };

/* Flags of a setting: the next three, and all flags of a clip but CLIP_HAS_SKELETON and CLIP_HAS_TRACKS. */
#define BUNDLE_LISTS_SLOTS (1u << 25) /* records list a kind's slots, not groups; shifted left by the kind */
#define BUNDLE_LONG (1u << 29)        /* records have four bytes for the number of frames, not two */
#define BUNDLE_CLIPS_3 (1u << 30)     /* clips are of version 3; not in bundles of version 1 */
#define BUNDLE_FLAGS (((1u << 31) - 1) & ~(CLIP_HAS_SKELETON | CLIP_HAS_TRACKS))

/* A record's bits for a width of knots and for a component of a base; the most groups of a kind. */
enum { BUNDLE_WIDTH_BITS = 5, BUNDLE_COMPONENT_BITS = 10, BUNDLE_MOST_GROUPS = 65536 / CLIP_GROUP };
/* The bits that coarse bases omit: the CLIP_BASE_COARSE lowest bits of each component. */
#define BUNDLE_FINE_BITS (((1u << CLIP_BASE_COARSE) - 1) * (1 << 20 | 1 << 10 | 1))
#define BUNDLE_BASE_BITS (((uint32_t)1 << 30) - 1)

/* varying: the number of joints whose state is in each record. The other members count curves of the other
 * joints. curves: those that are not absent. */
typedef struct bundle_states {
  uint32_t varying, curves, constants, moving;
} bundle_states;

/* Times of events are finite doubles. bundle_time_order returns integers in the order of the times. Both
 * functions take the bits of a double, because CPUs may flush denormal doubles to zero. */
static inline bool bundle_is_time(uint64_t bits) {
  return (bits & 0x7ff0000000000000u) != 0x7ff0000000000000u;
}
static inline uint64_t bundle_time_order(uint64_t bits) {
  return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

enum { BUNDLE_FIRST_REPORT = offsetof(quatsimd_bundle_report, error) + sizeof(char *) };
#define BUNDLE_NOWHERE                                                                                       \
  { .clip = SIZE_MAX, .other = SIZE_MAX, .event_number = SIZE_MAX, .mask = SIZE_MAX }

/* An opened bundle. In version 1, the index has only offsets of records, and names are in the records. */
struct quatsimd_bundle {
  const unsigned char *data;
  size_t size, clips, settings;
  size_t joints, tracks; /* the same for the skeleton and all clips */
  uint64_t hash;
  const unsigned char *setting, *skeleton;
  size_t skeleton_size;
  /* varies: a bit for each joint, 1 if clips differ in its state. Null for kinds that no setting has. */
  const unsigned char *usual[QUATSIMD_CLIP_KIND_COUNT], *varies[QUATSIMD_CLIP_KIND_COUNT];
  bundle_states states[QUATSIMD_CLIP_KIND_COUNT];
  const unsigned char *index, *names, *records;
  const unsigned char *events, *masks; /* the sections, which opening has checked; null: there is none */
  size_t records_end;                  /* offset from `records`, like the offsets in the index */
  uint8_t version;
  uint8_t name_bytes, record_bytes, checksum_bytes; /* sizes of an index entry's fields */
  bool trusted;
};

typedef struct bundle_section {
  const unsigned char *at; /* null: the bundle lacks this section */
  size_t size;
  uint32_t checksum;
} bundle_section;

static inline size_t bundle_elements(const quatsimd_bundle *b, int kind) {
  return kind == QUATSIMD_CLIP_TRACK ? b->tracks : b->joints;
}
static inline size_t bundle_setting_bytes(size_t settings) { return clip_slot_bytes(settings); }
/* Returns how many bytes an offset into a section of this size takes. */
static inline unsigned bundle_place_bytes(uint64_t size) { return size <= UINT32_MAX ? 4 : 8; }
static inline uint64_t bundle_align(uint64_t place) {
  return (place + SECTION_ALIGNMENT - 1) / SECTION_ALIGNMENT * SECTION_ALIGNMENT;
}
static inline bool bundle_is_varying(const unsigned char *varies, size_t element) {
  return varies[element / 8] >> element % 8 & 1;
}
/* Returns how many bits a group's number has in a record, if there are `groups` groups. */
static inline unsigned bundle_group_bits(size_t groups) {
  unsigned bits = 0;
  while ((size_t)1 << bits < groups) bits++;
  return bits;
}

static inline size_t bundle_index_entry(const quatsimd_bundle *b) {
  return (size_t)b->name_bytes + b->record_bytes + b->checksum_bytes;
}
static inline const unsigned char *bundle_index(const quatsimd_bundle *b, size_t clip) {
  return b->index + bundle_index_entry(b) * clip;
}
/* Returns the offset of a clip's record from b->records. For b->clips, returns the end of the last record. */
static inline size_t bundle_record_at(const quatsimd_bundle *b, size_t clip) {
  return clip == b->clips ? b->records_end
                          : (size_t)load_little(bundle_index(b, clip) + b->name_bytes, b->record_bytes);
}
static inline const unsigned char *bundle_name(const quatsimd_bundle *b, size_t clip) {
  if (b->version == 1) return b->records + bundle_record_at(b, clip);
  return b->names + load_little(bundle_index(b, clip), b->name_bytes);
}

/* open.c */
extern const container_kind quatsimd_bundle_kind;
/* Returns the end of the bytes that the checksum in the head covers, or 0 if there are too few bytes. */
size_t quatsimd_bundle_checked_end(const unsigned char *data, size_t size);
/* Finds a section of an opened bundle of version 2. */
bundle_section quatsimd_bundle_section(const quatsimd_bundle *b, unsigned type);
static inline bool bundle_section_is_whole(const bundle_section *s) {
  return quatsimd_container_hash(s->at, s->size) == s->checksum;
}

/* marks.c: check the sections of events and masks, if there are any, and set b->events and b->masks. The
 * bundle's number of clips and its skeleton must have been read. */
bool quatsimd_bundle_open_events(quatsimd_bundle *b, const bundle_section *section);
bool quatsimd_bundle_open_masks(quatsimd_bundle *b, const bundle_section *section);
/* Returns the events of a clip. */
quatsimd_clip_events quatsimd_bundle_events_of(const quatsimd_bundle *b, size_t clip);

/* settings.c */
bool quatsimd_bundle_open_its_skeleton(quatsimd_bundle *b);
/* Reads the settings, then the usual states of each kind that a setting has. */
bool quatsimd_bundle_open_settings(quatsimd_bundle *b, clip_reader *reader);

/* former.c: opens a bundle of version 1. */
quatsimd_status quatsimd_bundle_open_former(quatsimd_bundle *b);

/* record.c */
/* Sets b->states[kind]. The caller has set b->usual and b->varies of the kind. */
void quatsimd_bundle_count_states(quatsimd_bundle *b, int kind);
/* A record that was read but not unpacked: pointers of `opening` to packed tables are null. */
typedef struct bundle_reading {
  const quatsimd_bundle *bundle;
  clip_opening opening;
  unsigned setting_flags;
  /* states: those in the record. tables: from a kind's packed tables to the end of the record */
  const unsigned char *states[QUATSIMD_CLIP_KIND_COUNT];
  clip_reader tables[QUATSIMD_CLIP_KIND_COUNT];
  size_t memory_size; /* bytes that the opened clip takes, a multiple of 8 */
} bundle_reading;
/* Reads a record, without the name or version before it. Its bytes may be anything. If `check`, checks all
 * that sampling relies on. If not, checks only values that places and sizes are computed from. */
bool quatsimd_bundle_read_record(bundle_reading *r, const quatsimd_bundle *b, const unsigned char *at,
                                 size_t size, bool check);
/* Makes the opened clip in r->memory_size bytes at `to`. The record must have been read with `check`. */
void quatsimd_bundle_unpack_record(quatsimd_clip *to, bundle_reading *r);

/* access.c: checks and reads the record of a clip. If `trusted`, does not check the record's checksum. */
quatsimd_status quatsimd_bundle_look(const quatsimd_bundle *b, size_t number, bool trusted,
                                     bundle_reading *r);

#endif
