#include "clip/inspect.h"

#include "clip/sample/open.h"
#include "core/container.h"

/* ---- heads ---- */

unsigned quatsimd_inspect_version(void) { return CLIP_MAGIC_3 >> 24; }

uint32_t quatsimd_inspect_checksum(const unsigned char *bytes, size_t size) {
  return container_checksum(bytes, size);
}

quatsimd_status quatsimd_inspect_head(struct clip_head *head, const unsigned char *bytes, size_t size) {
  *head = (struct clip_head){0};
  const quatsimd_status status = quatsimd_clip_check_magic(bytes, size);
  if (size >= 4) head->version = bytes[3];
  if (status != QUATSIMD_OK) return status;
  if (size < CLIP_HEAD) return QUATSIMD_ERROR_DAMAGED_CLIP;
  head->size = load_u32(bytes + CONTAINER_AT_SIZE);
  head->checksum = load_u32(bytes + CONTAINER_AT_CHECKSUM);
  return QUATSIMD_OK;
}

/* ---- curves ---- */

void quatsimd_inspect_states(const quatsimd_clip *clip, size_t count[CLIP_STATES][QUATSIMD_CLIP_KIND_COUNT]) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const quatsimd_clip_part part = clip_part_of(clip, kind);
    count[QUATSIMD_CLIP_MOVING][kind] = part.moving, count[QUATSIMD_CLIP_CONSTANT][kind] = part.constants;
    count[QUATSIMD_CLIP_KEYED][kind] = part.keyed;
    count[QUATSIMD_CLIP_ABSENT][kind] = clip_elements(clip, kind) - part.curves;
    count[QUATSIMD_CLIP_REST][kind] = part.curves - part.moving - part.constants - part.keyed;
  }
}

/* ---- bytes, section by section ---- */

static void section_block(const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part, size_t block,
                          struct clip_sections *s) {
  const size_t moving = part->moving, axes = clip_axes(kind), codes_size = (moving + 1) / 2 + axes * moving;
  const size_t inner = clip_block_start(block + 1, clip->frames) - clip_block_start(block, clip->frames) - 1;
  const unsigned char *codes = part->blocks + clip_block_at(clip, kind, part, block);
  const unsigned char *profile = codes + (moving + 1) / 2, *at = codes + codes_size;
  s->bytes[CLIP_CODES][kind] += codes_size;
  for (size_t first = 0; first < moving; first += CLIP_GROUP) {
    const size_t curves = clip_group_curves(moving, first / CLIP_GROUP);
    const unsigned char *const channels = at;
    for (size_t i = 0; i < axes * curves; i++) at += quatsimd_clip_bytes[*profile++];
    const unsigned char *const raws = at;
    for (size_t i = 0; i < curves; i++)
      if (clip_code(codes, first + i) == CLIP_RAW) at += clip_raw_bytes(at, axes, inner);
    s->bytes[CLIP_COEFFICIENTS][kind] += (size_t)(raws - channels);
    s->bytes[CLIP_RAWS][kind] += (size_t)(at - raws);
  }
}

static void section_moving(const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part,
                           struct clip_sections *s) {
  const size_t groups = (part->moving + CLIP_GROUP - 1) / CLIP_GROUP;
  s->blocks = clip_blocks(clip->frames);
  s->bytes[CLIP_PLANS][kind] = 4 + clip_axes(kind) * groups + s->blocks * clip_end_bytes(clip, kind) +
                               (part->units ? part->moving : 0);
  for (size_t b = 0; b < s->blocks; b++) section_block(clip, kind, part, b, s);
  s->bytes[CLIP_KNOTS][kind] = (s->blocks + 1) * part->row;
  s->bytes[CLIP_BASES][kind] = (size_t)(part->slots - part->bases);
  s->bytes[CLIP_SLOTS][kind] = (size_t)(part->constant - part->slots);
}

/* Counts the bytes of a kind's sections. Returns the end of the last section. */
static const unsigned char *section_kind(const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part,
                                         struct clip_sections *s) {
  const unsigned char *end = part->keys;
  s->bytes[CLIP_MASKS][kind] =
      (clip_elements(clip, kind) + 3) / 4 + (part->keyed_mask ? (clip_elements(clip, kind) + 7) / 8 : 0);
  if (part->moving) section_moving(clip, kind, part, s);
  s->bytes[CLIP_CONSTANTS][kind] = part->constants * clip_constant_bytes(kind, clip_precision(clip));
  for (size_t i = 0; i < part->keyed; i++) {
    const clip_keyed keys = clip_keyed_at(clip, kind, end);
    end = quatsimd_clip_keyed_end(&keys);
  }
  s->bytes[CLIP_KEYS][kind] = (size_t)(end - part->keys);
  return end;
}

void quatsimd_inspect_sections(struct clip_sections *s, const quatsimd_clip *clip) {
  *s = (struct clip_sections){.head = CLIP_HEAD + (clip->rate != 0 && clip->flags & CLIP_HAS_START ? 8u : 0) +
                                      (clip->flags & CLIP_HAS_SKELETON ? 8u : 0) +
                                      (clip->flags & CLIP_HAS_TRACKS ? 4u : 0),
                              .times = clip->rate == 0 ? clip_time_bytes(clip) * clip->frames : 0};
  const unsigned char *end = clip->data + s->head + s->times;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (clip->part_at[kind]) {
      const quatsimd_clip_part part = clip_part_of(clip, kind);
      end = section_kind(clip, kind, &part, s);
    }
  s->padding = (size_t)(clip->data + clip->size - end);
}

/* ---- bytes of each joint ---- */

/* Adds to each bytes[joint] the bytes of the joint's curve in a block. */
static void add_block(const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part, size_t block,
                      double *bytes) {
  const size_t slot = clip_slot_bytes(clip->joints);
  const size_t inner = clip_block_start(block + 1, clip->frames) - clip_block_start(block, clip->frames) - 1;
  const unsigned char *codes = part->blocks + clip_block_at(clip, kind, part, block);
  const unsigned char *profile = codes + (part->moving + 1) / 2,
                      *payload = profile + CLIP_AXES * part->moving;
  for (size_t first = 0; first < part->moving; first += CLIP_GROUP) {
    const size_t curves = clip_group_curves(part->moving, first / CLIP_GROUP);
    for (size_t i = 0; i < CLIP_AXES * curves; i++) {
      bytes[clip_slot(part->slots, slot, first + i % curves)] += 1 + quatsimd_clip_bytes[profile[i]];
      payload += quatsimd_clip_bytes[profile[i]];
    }
    for (size_t i = 0; i < curves; i++) {
      double *own = &bytes[clip_slot(part->slots, slot, first + i)];
      *own += 0.5;
      if (clip_code(codes, first + i) != CLIP_RAW) continue;
      const size_t raw = clip_raw_bytes(payload, CLIP_AXES, inner);
      *own += (double)raw;
      payload += raw;
    }
    profile += CLIP_AXES * curves;
  }
}

static void add_moving(const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part, double *bytes) {
  const size_t blocks = clip->frames > 1 ? clip_blocks(clip->frames) : 0,
               slot = clip_slot_bytes(clip->joints);
  const size_t base = clip_base_bytes(clip, kind);
  for (size_t b = 0; part->moving && b < blocks; b++) add_block(clip, kind, part, b, bytes);
  for (size_t i = 0; i < part->moving; i++) {
    const unsigned char *width = part->widths + CLIP_AXES * (i / CLIP_GROUP);
    const double knot = (width[0] + width[1] + width[2]) / 8.0;
    bytes[clip_slot(part->slots, slot, i)] +=
        knot * (double)(blocks + 1) + (double)(base + slot + (part->units ? 1 : 0));
  }
}

static void add_still(const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part, double *bytes) {
  const unsigned char *head = part->keys;
  for (size_t j = 0; j < clip->joints; j++) {
    const unsigned state = clip_part_state(part, j);
    if (state == QUATSIMD_CLIP_CONSTANT) bytes[j] += (double)clip_constant_bytes(kind, clip_precision(clip));
    if (state != QUATSIMD_CLIP_KEYED) continue;
    const clip_keyed keys = clip_keyed_at(clip, kind, head);
    const unsigned char *const end = quatsimd_clip_keyed_end(&keys);
    bytes[j] += (double)(end - head);
    head = end;
  }
}

double quatsimd_inspect_joints(const quatsimd_clip *clip, double *bytes) {
  double common = (double)clip->size;
  memset(bytes, 0, clip->joints * sizeof *bytes);
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    const quatsimd_clip_part part = clip_part_of(clip, kind);
    if (!part.keys) continue; /* the clip does not have the kind */
    add_moving(clip, kind, &part, bytes);
    add_still(clip, kind, &part, bytes);
  }
  for (size_t j = 0; j < clip->joints; j++) common -= bytes[j];
  return common;
}
