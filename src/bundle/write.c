/* Writes a clip's record. Copies the tables that sampling reads in place, and packs the others. */
#include "bundle/encode.h"
#include "clip/constant.h"
#include "core/bits.h"

static clip_bytes *records_of(bundle_encoder *e) { return &e->section[SECTION_CLIPS]; }

/* Writes bits to bytes, which must be zeros at first. If `to` is null, only counts the bits. */
typedef struct bits {
  unsigned char *to;
  size_t bit;
} bits;

static void put(bits *b, unsigned width, uint32_t value) {
  if (b->to) put_bits(b->to, b->bit, width, (int32_t)value);
  b->bit += width;
}

static void write_masks(bundle_encoder *e, const quatsimd_clip *clip, int kind,
                        const quatsimd_clip_part *part) {
  const size_t elements = clip_elements(clip, kind);
  const unsigned char *varies = e->bundle.varies[kind];
  size_t varying = 0;
  for (size_t j = 0; j < elements; j++) varying += bundle_is_varying(varies, j);
  unsigned char *own = quatsimd_clip_append(records_of(e), (varying + 3) / 4);
  for (size_t j = 0, i = 0; own && j < elements; j++)
    if (bundle_is_varying(varies, j)) {
      own[i / 4] |= (unsigned char)(clip_state(part->masks, NULL, j) << i % 4 * 2);
      i++;
    }
  if (part->keyed_mask) bundle_append(records_of(e), part->keyed_mask, (elements + 7) / 8);
}

/* Writes the number of each moving curve's group, in the order of joints. */
static void put_groups(bits *b, const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part,
                       uint16_t *group_of, size_t groups) {
  const size_t slot_bytes = clip_slot_bytes(clip_elements(clip, kind));
  for (size_t i = 0; i < part->moving; i++)
    group_of[clip_slot(part->slots, slot_bytes, i)] = (uint16_t)(i / CLIP_GROUP);
  for (size_t j = 0; j < clip_elements(clip, kind); j++)
    if (clip_state(part->masks, NULL, j) == QUATSIMD_CLIP_MOVING)
      put(b, bundle_group_bits(groups), group_of[j]);
}

static void put_base(bits *b, uint32_t word, bool coarse) {
  const unsigned without = coarse ? CLIP_BASE_COARSE : 0;
  for (int i = 0; i < 3; i++)
    put(b, BUNDLE_COMPONENT_BITS - without, (word >> BUNDLE_COMPONENT_BITS * i & 1023) >> without);
}

static void put_rotation_bases(bits *b, const quatsimd_clip *clip, const quatsimd_clip_part *part) {
  const bool axes = clip->flags & CLIP_HAS_AXES;
  for (size_t i = 0; i < part->moving; i++) {
    const uint32_t right = load_u32(part->bases + 4 * i),
                   left = axes ? load_u32(part->bases + 4 * (part->moving + i)) : CLIP_BASE_NONE;
    const bool has_axes = left != CLIP_BASE_NONE, coarse = (right & BUNDLE_FINE_BITS) == 0,
               coarse_axes = (left & BUNDLE_FINE_BITS) == 0;
    put(b, 1, coarse);
    if (axes) put(b, 1, has_axes);
    if (has_axes) put(b, 1, coarse_axes);
    put_base(b, right, coarse);
    if (has_axes) put_base(b, left, coarse_axes);
  }
}

static void put_middles(bits *b, int kind, const quatsimd_clip_part *part) {
  const size_t axes = clip_axes(kind);
  for (size_t i = 0; i < part->moving; i++) {
    const unsigned char *middle = part->bases + 4 * axes * i;
    bool coarse = true;
    for (size_t a = 0; a < axes; a++) coarse = coarse && load_u16(middle + 4 * a) == 0;
    put(b, 1, coarse);
    for (size_t a = 0; a < axes; a++) {
      if (!coarse) put(b, 16, load_u16(middle + 4 * a));
      put(b, 16, load_u16(middle + 4 * a + 2));
    }
  }
}

static void put_tables(bits *b, const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part,
                       bool listed, uint16_t *group_of) {
  const size_t groups = (part->moving + CLIP_GROUP - 1) / CLIP_GROUP;
  if (!listed) put_groups(b, clip, kind, part, group_of, groups);
  for (size_t i = 0; i < clip_axes(kind) * groups; i++) put(b, BUNDLE_WIDTH_BITS, part->widths[i]);
  if (kind == QUATSIMD_CLIP_ROTATION) put_rotation_bases(b, clip, part);
  else put_middles(b, kind, part);
}

static void write_moving(bundle_encoder *e, const quatsimd_clip *clip, int kind,
                         const quatsimd_clip_part *part, bool listed) {
  const size_t blocks = clip_blocks(clip->frames), elements = clip_elements(clip, kind);
  struct piece *mark = e->memory.last;
  uint16_t *group_of = quatsimd_take(&e->memory, elements + 1, sizeof *group_of);
  bits b = {NULL, 0};
  if (!group_of) {
    records_of(e)->failed = true;
    return;
  }
  bundle_append(records_of(e), part->ends, blocks * clip_end_bytes(clip, kind));
  if (part->units) bundle_append(records_of(e), part->units, part->moving);
  if (listed) bundle_append(records_of(e), part->slots, clip_slot_bytes(elements) * part->moving);
  put_tables(&b, clip, kind, part, listed, group_of);
  b.to = quatsimd_clip_append(records_of(e), (b.bit + 7) / 8), b.bit = 0;
  if (b.to) put_tables(&b, clip, kind, part, listed, group_of);
  quatsimd_release(&e->memory, mark);
  bundle_append(records_of(e), part->blocks, clip_block_end(clip, kind, part, blocks - 1));
  bundle_append(records_of(e), part->knots, (blocks + 1) * part->row);
}

static void write_still(bundle_encoder *e, const quatsimd_clip *clip, int kind,
                        const quatsimd_clip_part *part) {
  const unsigned char *end = part->keys;
  bundle_append(records_of(e), part->constant,
                clip_constant_bytes(kind, clip_precision(clip)) * part->constants);
  for (size_t i = 0; i < part->keyed; i++) {
    const clip_keyed keys = clip_keyed_at(clip, kind, end);
    end = quatsimd_clip_keyed_end(&keys);
  }
  bundle_append(records_of(e), part->keys, (size_t)(end - part->keys));
}

void quatsimd_bundle_write_record(bundle_encoder *e, size_t number) {
  const size_t from = e->order[number];
  const quatsimd_clip *clip = bundle_clip(e, from);
  const unsigned flags = load_u32(bundle_setting(e, e->setting_of[number]));
  bundle_append_number(records_of(e), BUNDLE_RECORD_VERSION, 1);
  bundle_append_number(records_of(e), e->setting_of[number], bundle_setting_bytes(e->bundle.settings));
  bundle_append_number(records_of(e), clip->frames, flags & BUNDLE_LONG ? 4 : 2);
  if (clip->rate != 0 && clip->flags & CLIP_HAS_START)
    bundle_append(records_of(e), clip->data + CLIP_HEAD, 8);
  if (clip->times)
    bundle_append(records_of(e), clip->data + clip->times, clip_time_bytes(clip) * clip->frames);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const quatsimd_clip_part part = clip_part_of(clip, kind);
    if (!part.masks) continue;
    write_masks(e, clip, kind, &part);
    if (part.moving > 0) write_moving(e, clip, kind, &part, flags & BUNDLE_LISTS_SLOTS << kind);
    write_still(e, clip, kind, &part);
  }
}
