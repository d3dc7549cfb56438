/* Opens a clip of a bundle: reads its record, then unpacks its tables. Its curves stay in the bundle. */
#include "bundle/layout.h"
#include "clip/sample/states.h"

/* A reader of bits, the lowest bit first. Reading behind the end gives zeros and sets `ok` to false. */
typedef struct bits {
  const unsigned char *at;
  size_t bit, bits;
  bool ok;
} bits;

static bits bits_of(const clip_reader *reader) {
  return (bits){reader->at, 0, reader->size > SIZE_MAX / 8 ? SIZE_MAX : 8 * reader->size, true};
}

static void skip_bits(bits *b, size_t width) {
  if (!b->ok || width > b->bits - b->bit) b->ok = false;
  else b->bit += width;
}

/* Reads a field of at most 16 bits. */
static uint32_t read_bits(bits *b, unsigned width) {
  const size_t from = b->bit;
  skip_bits(b, width);
  if (!b->ok || width == 0) return 0;
  const unsigned char *const p = b->at + from / 8;
  const uint32_t word =
      b->bits - from >= 32 ? load_u32(p) : (uint32_t)load_little(p, (b->bit + 7) / 8 - from / 8);
  return word >> from % 8 & ((1u << width) - 1);
}

/* ---- states ---- */

/* A walk through a clip's states, 32 joints at a time. For joints that vary, `own` replaces `usual`. */
typedef struct own_states {
  const unsigned char *usual, *varies, *own;
  size_t elements, varying; /* varying: the number of states in `own` that next_states has passed */
} own_states;

static own_states states_of(const bundle_reading *r, int kind) {
  const quatsimd_bundle *b = r->bundle;
  return (own_states){b->usual[kind], b->varies[kind], r->states[kind], bundle_elements(b, kind), 0};
}

static uint32_t load_varying(const own_states *s, size_t first) {
  const size_t joints = clip_state_joints(s->elements, first);
  const uint32_t varies = (uint32_t)clip_load_bits(s->varies, s->elements, first);
  return joints == CLIP_STATE_JOINTS ? varies : varies & ((1u << joints) - 1);
}

static uint64_t next_states(own_states *s, size_t first) {
  uint64_t states = clip_load_mask(s->usual, s->elements, first);
  for (uint32_t left = load_varying(s, first); left; left &= left - 1, s->varying++) {
    const unsigned at = 2 * quatsimd_lowest_bit(left);
    const uint64_t own = s->own[s->varying / 4] >> s->varying % 4 * 2 & 3u;
    states = (states & ~((uint64_t)3 << at)) | own << at;
  }
  return states;
}

/* Adds the number of curves in each state to the numbers of *part. */
static void count_masks(quatsimd_clip_part *part, const unsigned char *masks, size_t joints) {
  for (size_t j = 0; j < joints; j += CLIP_STATE_JOINTS) {
    const clip_states states =
        quatsimd_clip_split_states(clip_load_mask(masks, joints, j), 0, clip_state_joints(joints, j));
    quatsimd_clip_count_states(part, &states);
  }
}

void quatsimd_bundle_count_states(quatsimd_bundle *b, int kind) {
  own_states s = {b->usual[kind], b->varies[kind], NULL, bundle_elements(b, kind), 0};
  quatsimd_clip_part part = {0};
  size_t varying = 0;
  for (size_t j = 0; j < s.elements; j += CLIP_STATE_JOINTS) {
    const uint64_t varies = clip_spread(load_varying(&s, j));
    const clip_states states = quatsimd_clip_split_states(
        clip_load_mask(s.usual, s.elements, j) & ~(3 * varies), 0, clip_state_joints(s.elements, j));
    quatsimd_clip_count_states(&part, &states);
    varying += clip_count_bits(varies);
  }
  b->states[kind] = (bundle_states){(uint32_t)varying, (uint32_t)part.curves, (uint32_t)part.constants,
                                    (uint32_t)part.moving};
}

/* Sets part->keyed and subtracts it from part->constants, which still counts keyed curves. */
static void count_keyed(const bundle_reading *r, quatsimd_clip_part *part, int kind) {
  own_states s = states_of(r, kind);
  for (size_t j = 0; j < s.elements; j += CLIP_STATE_JOINTS) {
    const clip_states states =
        quatsimd_clip_split_states(next_states(&s, j), clip_load_bits(part->keyed_mask, s.elements, j),
                                   clip_state_joints(s.elements, j));
    part->keyed += clip_count_bits(states.keyed);
  }
  part->constants -= part->keyed;
}

/* Returns true if the clip has the usual states of a kind. If there are many joints and few vary, returns
 * false at once, because comparing would take longer than reading the record. */
static bool is_usual(const bundle_reading *r, int kind) {
  enum { FEW = 64 };
  own_states s = states_of(r, kind);
  if (r->bundle->states[kind].varying == 0) return true;
  if (s.elements / CLIP_STATE_JOINTS > FEW + r->bundle->states[kind].varying) return false;
  for (size_t j = 0; j < s.elements; j += CLIP_STATE_JOINTS)
    if (load_varying(&s, j) && next_states(&s, j) != clip_load_mask(s.usual, s.elements, j)) return false;
  return true;
}

static bool read_masks(bundle_reading *r, clip_reader *reader, int kind) {
  const quatsimd_bundle *b = r->bundle;
  const bundle_states *states = &b->states[kind];
  quatsimd_clip *clip = &r->opening.clip;
  quatsimd_clip_part *part = &r->opening.part[kind];
  const bool has_keys = clip->flags & CLIP_HAS_KEYS << kind;
  r->states[kind] = clip_take(reader, (states->varying + 3) / 4);
  if (has_keys) part->keyed_mask = clip_take(reader, (bundle_elements(b, kind) + 7) / 8);
  if (!reader->ok) return false;
  part->curves = states->curves, part->constants = states->constants, part->moving = states->moving;
  count_masks(part, r->states[kind], states->varying);
  if (has_keys) count_keyed(r, part, kind);
  clip->places[kind] = is_usual(r, kind) ? CLIP_USUAL_MASKS : CLIP_OWN_MASKS;
  if (clip->places[kind] == CLIP_USUAL_MASKS && !clip->usual) clip->usual = b->usual[kind];
  return part->moving == 0 || clip->frames > 1;
}

static void unpack_masks(unsigned char *masks, const bundle_reading *r, int kind) {
  own_states s = states_of(r, kind);
  for (size_t j = 0; j < s.elements; j += CLIP_STATE_JOINTS)
    store_little(masks + j / 4, next_states(&s, j), (clip_state_joints(s.elements, j) + 3) / 4);
}

/* ---- tables ---- */

static size_t groups_of(const quatsimd_clip_part *part) {
  return (part->moving + CLIP_GROUP - 1) / CLIP_GROUP;
}

/* Checks that each group but the last has CLIP_GROUP curves. */
static bool check_groups(const quatsimd_clip_part *part, bits b) {
  const size_t groups = groups_of(part);
  const unsigned width = bundle_group_bits(groups);
  uint8_t curves[BUNDLE_MOST_GROUPS];
  memset(curves, 0, groups);
  for (size_t i = 0; i < part->moving; i++) {
    const size_t group = read_bits(&b, width);
    if (group >= groups || curves[group]++ >= clip_group_curves(part->moving, group)) return false;
  }
  return true;
}

/* Makes slots from the number of each moving joint's group. In a group, curves are in the order of joints. */
static void unpack_groups(unsigned char *slots, const quatsimd_clip_part *part, size_t elements, bits *b) {
  const size_t groups = groups_of(part), slot_bytes = clip_slot_bytes(elements);
  const unsigned width = bundle_group_bits(groups);
  uint8_t curves[BUNDLE_MOST_GROUPS];
  memset(curves, 0, groups);
  for (size_t first = 0; first < elements; first += CLIP_STATE_JOINTS)
    for (uint64_t left = quatsimd_clip_load_states(part, elements, first).moving; left; left &= left - 1) {
      const size_t group = read_bits(b, width), i = CLIP_GROUP * group + curves[group]++;
      store_little(slots + slot_bytes * i, first + quatsimd_lowest_bit(left) / 2, slot_bytes);
    }
}

/* Checks slots that the record lists: each moving joint has exactly one, and no other joint has one. */
static bool check_slots(const bundle_reading *r, int kind) {
  own_states s = states_of(r, kind);
  clip_seen seen;
  quatsimd_clip_see_slots(&seen, &r->opening.part[kind], s.elements, 0);
  for (size_t j = 0; j < s.elements; j += CLIP_STATE_JOINTS) {
    const clip_states states =
        quatsimd_clip_split_states(next_states(&s, j), 0, clip_state_joints(s.elements, j));
    if (clip_spread(seen.joint[j / 32]) != states.moving) return false;
  }
  return true;
}
_Static_assert((int)CLIP_SLOTS_AT_ONCE >= QUATSIMD_SKELETON_MOST, "not all slots are checked at once");

static bool read_widths(quatsimd_clip_part *part, size_t axes, bits *b) {
  for (size_t g = 0; g < groups_of(part); g++) {
    unsigned char width[CLIP_AXES] = {0};
    for (size_t a = 0; a < axes; a++) {
      width[a] = (unsigned char)read_bits(b, BUNDLE_WIDTH_BITS);
      if (width[a] > CLIP_KNOT_BITS) return false;
    }
    part->row += clip_row_bytes(width, axes, clip_group_curves(part->moving, g));
  }
  return b->ok;
}

static unsigned component_bits(bool coarse) {
  return BUNDLE_COMPONENT_BITS - (coarse ? CLIP_BASE_COARSE : 0);
}

/* Reads a base of 30 bits, or of 15 if it is coarse. */
static uint32_t read_base(bits *b, bool coarse) {
  uint32_t word = 0;
  for (int i = 0; i < 3; i++)
    word |= read_bits(b, component_bits(coarse))
            << (BUNDLE_COMPONENT_BITS * i + (coarse ? CLIP_BASE_COARSE : 0));
  return word;
}

/* The bits before each moving rotation's bases in a record. */
typedef struct base_form {
  bool coarse, has_axes, coarse_axes;
} base_form;

static base_form read_form(bits *b, bool axes) {
  base_form form = {.coarse = read_bits(b, 1)};
  form.has_axes = axes && read_bits(b, 1);
  form.coarse_axes = form.has_axes && read_bits(b, 1);
  return form;
}

static bool skip_rotation_bases(size_t moving, bool axes, bits *b) {
  for (size_t i = 0; b->ok && i < moving; i++) {
    const base_form form = read_form(b, axes);
    skip_bits(b, 3 * (component_bits(form.coarse) + (form.has_axes ? component_bits(form.coarse_axes) : 0)));
  }
  return b->ok;
}

static void unpack_rotation_bases(unsigned char *bases, size_t moving, bool axes, bits *b) {
  for (size_t i = 0; i < moving; i++) {
    const base_form form = read_form(b, axes);
    store_little(bases + 4 * i, read_base(b, form.coarse), 4);
    const uint32_t left = form.has_axes ? read_base(b, form.coarse_axes) : CLIP_BASE_NONE;
    if (axes) store_little(bases + 4 * (moving + i), left, 4);
  }
}

static void read_middle(unsigned char middle[4 * CLIP_AXES], size_t axes, bits *b) {
  const bool coarse = read_bits(b, 1);
  for (size_t a = 0; a < axes; a++) {
    store_little(middle + 4 * a, coarse ? 0 : read_bits(b, 16), 2);
    store_little(middle + 4 * a + 2, read_bits(b, 16), 2);
  }
}

static bool check_middles(size_t moving, size_t axes, bits *b) {
  for (size_t i = 0; b->ok && i < moving; i++) {
    unsigned char middle[4 * CLIP_AXES];
    read_middle(middle, axes, b);
    if (!quatsimd_clip_check_floats(middle, axes)) return false;
  }
  return b->ok;
}

/* Reads the packed tables of a kind. */
static bool read_tables(bundle_reading *r, clip_reader *reader, int kind, bool check) {
  quatsimd_clip *clip = &r->opening.clip;
  quatsimd_clip_part *part = &r->opening.part[kind];
  const bool listed = r->setting_flags & BUNDLE_LISTS_SLOTS << kind;
  bits b = bits_of(reader);
  r->tables[kind] = *reader;
  clip->places[kind] |= listed ? CLIP_OWN_TABLES : CLIP_OWN_TABLES | CLIP_OWN_SLOTS;
  if (!listed) {
    const bits groups = b;
    skip_bits(&b, part->moving * bundle_group_bits(groups_of(part)));
    if (!b.ok || (check && !check_groups(part, groups))) return false;
  }
  if (!read_widths(part, clip_axes(kind), &b)) return false;
  if (!(kind == QUATSIMD_CLIP_ROTATION ? skip_rotation_bases(part->moving, clip->flags & CLIP_HAS_AXES, &b)
                                       : check_middles(part->moving, clip_axes(kind), &b)))
    return false;
  return clip_take(reader, (b.bit + 7) / 8) != NULL;
}

/* ---- the record ---- */

static bool read_moving(bundle_reading *r, clip_reader *reader, int kind, bool check) {
  const quatsimd_clip *clip = &r->opening.clip;
  quatsimd_clip_part *part = &r->opening.part[kind];
  const size_t blocks = clip_blocks(clip->frames),
               slot_bytes = clip_slot_bytes(bundle_elements(r->bundle, kind));
  part->ends = clip_take(reader, (uint64_t)blocks * clip_end_bytes(clip, kind));
  if (clip->flags & CLIP_HAS_UNITS << kind) part->units = clip_take(reader, part->moving);
  if (r->setting_flags & BUNDLE_LISTS_SLOTS << kind) {
    part->slots = clip_take(reader, (uint64_t)slot_bytes * part->moving);
    if (!reader->ok || (check && !check_slots(r, kind))) return false;
  }
  if (!reader->ok || !quatsimd_clip_is_unit(part->unit, kind) || !read_tables(r, reader, kind, check))
    return false;
  if (check && !quatsimd_clip_open_blocks(&r->opening, kind, reader)) return false;
  if (!check) part->blocks = clip_take(reader, clip_block_end(clip, kind, part, blocks - 1));
  part->knots = clip_take(reader, (uint64_t)(blocks + 1) * part->row);
  /* Unpacking may read CLIP_OVERREAD bytes behind the knots. In version 1, the skeleton is behind the last
   * record. In version 2, zeros are. */
  return reader->ok;
}

static bool read_kind(bundle_reading *r, clip_reader *reader, int kind, bool check) {
  return read_masks(r, reader, kind) &&
         (r->opening.part[kind].moving == 0 || read_moving(r, reader, kind, check)) &&
         quatsimd_clip_open_still(&r->opening, kind, reader, check);
}

/* Reads the clip's setting, its number of frames, its start and the times of its frames. */
static bool read_head(bundle_reading *r, clip_reader *reader) {
  const quatsimd_bundle *b = r->bundle;
  quatsimd_clip *clip = &r->opening.clip;
  const size_t index_bytes = bundle_setting_bytes(b->settings);
  const unsigned char *index = clip_take(reader, index_bytes);
  if (!index || clip_slot(index, index_bytes, 0) >= b->settings) return false;
  const unsigned char *setting = b->setting + BUNDLE_SETTING * clip_slot(index, index_bytes, 0);
  r->setting_flags = load_u32(setting);
  const bool newer = r->setting_flags & BUNDLE_CLIPS_3;
  if (r->setting_flags & ~BUNDLE_FLAGS || (newer && b->version == 1)) return false;
  clip->flags = (r->setting_flags & (BUNDLE_LISTS_SLOTS - 1)) | CLIP_HAS_SKELETON | (newer ? CLIP_IS_3 : 0) |
                (b->tracks > 0 ? CLIP_HAS_TRACKS : 0);
  clip->rate = load_double(setting + SETTING_AT_RATE);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    r->opening.part[kind].unit = load_float(setting + SETTING_AT_UNITS + 4 * kind);
  const size_t frame_bytes = r->setting_flags & BUNDLE_LONG ? 4 : 2;
  const bool started = clip->rate != 0 && clip->flags & CLIP_HAS_START;
  const unsigned char *frames = clip_take(reader, frame_bytes), *start = clip_take(reader, started ? 8 : 0);
  if (!frames || !start) return false;
  clip->frames = (uint32_t)load_little(frames, frame_bytes);
  clip->start = started ? load_double(start) : 0;
  clip->joints = (uint32_t)b->joints, clip->tracks = (uint32_t)b->tracks, clip->skeleton = b->hash;
  return quatsimd_clip_open_times(clip, reader);
}

/* The bytes of a kind's tables in the opened clip, in the order of the tables. */
typedef struct table_sizes {
  size_t bases, slots, widths, masks;
} table_sizes;

static table_sizes sizes_of(const bundle_reading *r, int kind) {
  const quatsimd_clip *clip = &r->opening.clip;
  const quatsimd_clip_part *part = &r->opening.part[kind];
  const size_t elements = bundle_elements(r->bundle, kind), places = clip->places[kind];
  return (table_sizes){part->moving * clip_base_bytes(clip, kind),
                       places & CLIP_OWN_SLOTS ? part->moving * clip_slot_bytes(elements) : 0,
                       groups_of(part) * clip_axes(kind), places & CLIP_OWN_MASKS ? (elements + 3) / 4 : 0};
}

bool quatsimd_bundle_read_record(bundle_reading *r, const quatsimd_bundle *b, const unsigned char *at,
                                 size_t size, bool check) {
  clip_reader reader = {at, size, size <= UINT32_MAX};
  *r = (bundle_reading){.bundle = b, .opening.clip = {.data = at, .size = (uint32_t)size}};
  bool good = read_head(r, &reader);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (good && clip_has_kind(&r->opening.clip, kind)) good = read_kind(r, &reader, kind, check);
  if (!good || !clip_needs_version(&r->opening) || reader.size != 0) return false;
  r->memory_size = quatsimd_clip_compact_size(&r->opening);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const table_sizes s = sizes_of(r, kind);
    r->memory_size += s.bases + s.slots + s.widths + s.masks;
  }
  r->memory_size = (r->memory_size + 7) / 8 * 8;
  return true;
}

static void unpack_tables(const bundle_reading *r, int kind, unsigned char *bases, unsigned char *slots,
                          unsigned char *widths, bool by_groups) {
  const quatsimd_clip_part *part = &r->opening.part[kind];
  const size_t axes = clip_axes(kind);
  bits b = bits_of(&r->tables[kind]);
  if (by_groups) unpack_groups(slots, part, bundle_elements(r->bundle, kind), &b);
  for (size_t i = 0; i < axes * groups_of(part); i++)
    widths[i] = (unsigned char)read_bits(&b, BUNDLE_WIDTH_BITS);
  if (kind == QUATSIMD_CLIP_ROTATION)
    unpack_rotation_bases(bases, part->moving, r->opening.clip.flags & CLIP_HAS_AXES, &b);
  else
    for (size_t i = 0; i < part->moving; i++) read_middle(bases + 4 * axes * i, axes, &b);
}

/* Unpacks the kind's tables to `at`. Returns the end of the tables. */
static unsigned char *unpack_kind(bundle_reading *r, int kind, unsigned char *at) {
  quatsimd_clip_part *part = &r->opening.part[kind];
  const table_sizes s = sizes_of(r, kind);
  unsigned char *const bases = at, *const slots = bases + s.bases, *const widths = slots + s.slots,
                       *const masks = widths + s.widths;
  if (s.masks > 0) unpack_masks(masks, r, kind);
  part->masks = r->opening.clip.places[kind] & CLIP_USUAL_MASKS ? r->bundle->usual[kind] : masks;
  if (part->moving == 0) return masks + s.masks;
  unpack_tables(r, kind, bases, slots, widths, s.slots > 0);
  part->bases = bases, part->widths = widths;
  if (s.slots > 0) part->slots = slots;
  return masks + s.masks;
}

void quatsimd_bundle_unpack_record(quatsimd_clip *to, bundle_reading *r) {
  unsigned char *at = (unsigned char *)to + quatsimd_clip_compact_size(&r->opening);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (clip_has_kind(&r->opening.clip, kind)) at = unpack_kind(r, kind, at);
  quatsimd_clip_compact(to, &r->opening);
}
