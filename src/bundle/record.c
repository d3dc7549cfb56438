/* A clip of a bundle: its tables are unpacked, its curves stay where they are. */
#include "bundle/layout.h"
#include "clip/sample/sections.h"

/* Fields of bits, the lowest bit first. Reading behind the end makes it false, and zeros. */
typedef struct bits {
  const unsigned char *at;
  size_t bit, bits;
  bool ok;
} bits;

/* Of at most 16 bits. */
static uint32_t read_bits(bits *b, unsigned width) {
  uint32_t field = 0;
  if (!b->ok || width > b->bits - b->bit) return b->ok = false, 0;
  for (size_t got = 0; got < width;) {
    const size_t skip = b->bit % 8, take = 8 - skip < width - got ? 8 - skip : width - got;
    field |= (uint32_t)(b->at[b->bit / 8] >> skip & ((1u << take) - 1)) << got;
    got += take, b->bit += take;
  }
  return field;
}

/* The state of reading a record. */
typedef struct reader {
  const quatsimd_bundle *bundle;
  quatsimd_clip *clip;
  clip_rest rest;
  unsigned setting_flags;
  unsigned char *memory; /* for tables; null: all is checked */
  size_t needed;
  unsigned char masks[(65536 + 3) / 4]; /* where there is no memory */
  uint8_t filled[BUNDLE_MOST_GROUPS];   /* curves in each group */
} reader;

/* Memory for a table; null where there is none. */
static unsigned char *room_for(reader *r, size_t size) {
  unsigned char *room = r->memory ? r->memory + r->needed : NULL;
  r->needed += size;
  return room;
}

static bool read_masks(reader *r, int kind) {
  const quatsimd_bundle *b = r->bundle;
  const size_t elements = bundle_elements(b, kind), bytes = (elements + 3) / 4;
  unsigned char *masks = room_for(r, bytes);
  size_t varying = 0;
  if (!masks) masks = r->masks;
  for (size_t j = 0; j < elements; j++) varying += bundle_is_varying(b->varies[kind], j);
  const unsigned char *own = clip_take(&r->rest, (varying + 3) / 4);
  if (!own) return false;
  memcpy(masks, b->usual[kind], bytes);
  for (size_t j = 0, i = 0; varying > 0 && j < elements; j++) {
    if (!bundle_is_varying(b->varies[kind], j)) continue;
    const unsigned state = own[i / 4] >> i % 4 * 2 & 3u;
    masks[j / 4] = (unsigned char)((masks[j / 4] & ~(3u << j % 4 * 2)) | state << j % 4 * 2);
    i++;
  }
  quatsimd_clip_part *part = &r->clip->part[kind];
  part->masks = masks;
  if (r->clip->flags & CLIP_HAS_KEYS << kind) part->keyed_mask = clip_take(&r->rest, (elements + 7) / 8);
  return r->rest.ok && quatsimd_clip_count_curves(r->clip, kind);
}

/* Which group each moving curve is in. In a group they are as joints come. */
static bool read_groups(reader *r, int kind, bits *b, size_t groups) {
  quatsimd_clip_part *part = &r->clip->part[kind];
  const size_t elements = bundle_elements(r->bundle, kind), slot_bytes = clip_slot_bytes(elements);
  const unsigned width = bundle_group_bits(groups);
  unsigned char *slots = room_for(r, slot_bytes * part->moving);
  memset(r->filled, 0, groups);
  for (size_t j = 0, left = part->moving; left > 0; j++) {
    if (clip_state(part->masks, NULL, j) != QUATSIMD_CLIP_MOVING) continue;
    const size_t group = read_bits(b, width);
    if (group >= groups || r->filled[group] >= clip_group_curves(part->moving, group)) return false;
    const size_t i = CLIP_GROUP * group + r->filled[group]++;
    if (slots) store_little(slots + slot_bytes * i, j, slot_bytes);
    left--;
  }
  part->slots = slots;
  return b->ok;
}

static bool read_widths(reader *r, int kind, bits *b, size_t groups) {
  quatsimd_clip_part *part = &r->clip->part[kind];
  const size_t axes = clip_axes(kind);
  unsigned char *widths = room_for(r, axes * groups);
  for (size_t g = 0; g < groups; g++) {
    unsigned char width[CLIP_AXES] = {0};
    for (size_t a = 0; a < axes; a++) {
      width[a] = (unsigned char)read_bits(b, BUNDLE_WIDTH_BITS);
      if (width[a] > CLIP_KNOT_BITS) return false;
      if (widths) widths[axes * g + a] = width[a];
    }
    part->row += clip_row_bytes(width, axes, clip_group_curves(part->moving, g));
  }
  part->widths = widths;
  return b->ok;
}

/* A base in 30 bits, or less where it is coarse. */
static uint32_t read_base(bits *b, bool coarse) {
  const unsigned without = coarse ? CLIP_BASE_COARSE : 0;
  uint32_t word = 0;
  for (int i = 0; i < 3; i++)
    word |= read_bits(b, BUNDLE_COMPONENT_BITS - without) << (BUNDLE_COMPONENT_BITS * i + (int)without);
  return word;
}

static bool read_rotation_bases(reader *r, bits *b) {
  quatsimd_clip_part *part = &r->clip->part[QUATSIMD_CLIP_ROTATION];
  unsigned char *bases = room_for(r, part->moving * clip_base_bytes(r->clip, QUATSIMD_CLIP_ROTATION));
  const bool axes = r->clip->flags & CLIP_HAS_AXES;
  for (size_t i = 0; i < part->moving; i++) {
    const bool coarse = read_bits(b, 1), has_axes = axes && read_bits(b, 1),
               coarse_axes = has_axes && read_bits(b, 1);
    const uint32_t right = read_base(b, coarse), left = has_axes ? read_base(b, coarse_axes) : CLIP_BASE_NONE;
    if (bases) store_little(bases + 4 * i, right, 4);
    if (bases && axes) store_little(bases + 4 * (part->moving + i), left, 4);
  }
  part->bases = bases;
  return b->ok;
}

static bool read_middles(reader *r, int kind, bits *b) {
  quatsimd_clip_part *part = &r->clip->part[kind];
  const size_t axes = clip_axes(kind);
  unsigned char *bases = room_for(r, 4 * axes * part->moving);
  for (size_t i = 0; i < part->moving; i++) {
    const bool coarse = read_bits(b, 1);
    for (size_t a = 0; a < axes; a++) {
      unsigned char middle[4];
      store_little(middle, coarse ? 0 : read_bits(b, 16), 2);
      store_little(middle + 2, read_bits(b, 16), 2);
      if (!quatsimd_clip_check_floats(middle, 1)) return false;
      if (bases) memcpy(bases + 4 * (axes * i + a), middle, 4);
    }
  }
  part->bases = bases;
  return b->ok;
}

/* All tables of a kind that are fields of bits. */
static bool read_tables(reader *r, int kind) {
  const size_t groups = (r->clip->part[kind].moving + CLIP_GROUP - 1) / CLIP_GROUP;
  bits b = {r->rest.at, 0, 8 * r->rest.size, true};
  if (!(r->setting_flags & BUNDLE_LISTS_SLOTS << kind) && !read_groups(r, kind, &b, groups)) return false;
  if (!read_widths(r, kind, &b, groups)) return false;
  if (kind == QUATSIMD_CLIP_ROTATION ? !read_rotation_bases(r, &b) : !read_middles(r, kind, &b)) return false;
  return clip_take(&r->rest, (b.bit + 7) / 8) != NULL;
}

static bool read_moving(reader *r, int kind) {
  quatsimd_clip *clip = r->clip;
  quatsimd_clip_part *part = &clip->part[kind];
  const size_t blocks = clip_blocks(clip->frames),
               slot_bytes = clip_slot_bytes(bundle_elements(r->bundle, kind));
  part->ends = clip_take(&r->rest, (uint64_t)blocks * clip_end_bytes(clip, kind));
  if (clip->flags & CLIP_HAS_UNITS << kind) part->units = clip_take(&r->rest, part->moving);
  if (r->setting_flags & BUNDLE_LISTS_SLOTS << kind) {
    part->slots = clip_take(&r->rest, (uint64_t)slot_bytes * part->moving);
    if (!r->rest.ok || (!r->memory && !quatsimd_clip_check_slots(clip, kind))) return false;
  }
  if (!r->rest.ok || !quatsimd_clip_is_unit(part->unit, kind) || !read_tables(r, kind)) return false;
  if (!r->memory && !quatsimd_clip_open_blocks(clip, kind, &r->rest)) return false;
  if (r->memory) part->blocks = clip_take(&r->rest, clip_block_end(clip, kind, blocks - 1));
  part->knots = clip_take(&r->rest, (uint64_t)(blocks + 1) * part->row);
  return r->rest.ok; /* the skeleton is behind it, longer than unpacking reads */
}

static bool read_kind(reader *r, int kind) {
  return read_masks(r, kind) && (r->clip->part[kind].moving == 0 || read_moving(r, kind)) &&
         quatsimd_clip_open_still(r->clip, kind, &r->rest);
}

/* The setting, the number of frames and the times of these. */
static bool read_head(reader *r) {
  const quatsimd_bundle *b = r->bundle;
  quatsimd_clip *clip = r->clip;
  const size_t index_bytes = bundle_setting_bytes(b->settings);
  const unsigned char *index = clip_take(&r->rest, index_bytes);
  if (!index || clip_slot(index, index_bytes, 0) >= b->settings) return false;
  const unsigned char *setting = b->setting + BUNDLE_SETTING * clip_slot(index, index_bytes, 0);
  r->setting_flags = load_u32(setting);
  clip->flags = (r->setting_flags & (BUNDLE_LISTS_SLOTS - 1)) | CLIP_HAS_SKELETON |
                (b->tracks > 0 ? CLIP_HAS_TRACKS : 0);
  clip->rate = load_double(setting + SETTING_AT_RATE);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    clip->part[kind].unit = load_float(setting + SETTING_AT_UNITS + 4 * kind);
  const size_t frame_bytes = r->setting_flags & BUNDLE_LONG ? 4 : 2;
  const bool started = clip->rate != 0 && clip->flags & CLIP_HAS_START;
  const unsigned char *frames = clip_take(&r->rest, frame_bytes),
                      *start = clip_take(&r->rest, started ? 8 : 0);
  if (!frames || !start) return false;
  clip->frames = (size_t)load_little(frames, frame_bytes);
  clip->start = started ? load_double(start) : 0;
  clip->joints = b->joints, clip->tracks = b->tracks, clip->skeleton = b->hash;
  return quatsimd_clip_open_times(clip, &r->rest);
}

bool quatsimd_bundle_read_record(const quatsimd_bundle *b, const unsigned char *at, size_t size,
                                 quatsimd_clip *clip, unsigned char *memory, size_t *needed) {
  reader r;
  *clip = (quatsimd_clip){.data = at, .size = size};
  r.bundle = b, r.clip = clip, r.rest = (clip_rest){at, size, true}, r.memory = memory, r.needed = 0;
  bool good = read_head(&r);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (good && clip->flags & CLIP_HAS_KIND << kind) good = read_kind(&r, kind);
  *needed = r.needed;
  return good && r.rest.size == 0;
}
