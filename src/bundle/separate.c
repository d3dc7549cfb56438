/* Writes the sections of a clip in the order of a separate one. A bundle has them in another order, and packs
 * some tables, which opening unpacks. */
#include "bundle/separate.h"

#include "clip/encode/append.h"
#include "clip/sample/open.h"
#include "core/container.h"

static void append(clip_bytes *to, const unsigned char *from, size_t size) {
  unsigned char *p = size > 0 ? quatsimd_clip_append(to, size) : NULL;
  if (p) memcpy(p, from, size);
}

static void write_head(clip_bytes *to, const quatsimd_clip *clip) {
  const bool started = clip->rate != 0 && clip->flags & CLIP_HAS_START;
  unsigned char *p = quatsimd_clip_append(to, CLIP_HEAD);
  if (!p) return;
  store_little(p + CLIP_AT_MAGIC, clip->flags & CLIP_IS_3 ? CLIP_MAGIC_3 : CLIP_MAGIC, 4);
  store_little(p + CLIP_AT_JOINTS, clip->joints, 4);
  store_little(p + CLIP_AT_FRAMES, clip->frames, 4);
  store_double(p + CLIP_AT_RATE, clip->rate);
  store_little(p + CLIP_AT_FLAGS, clip->flags & ~CLIP_OPENED_FLAGS, 4);
  if (started && (p = quatsimd_clip_append(to, 8))) store_double(p, clip->start);
  if (clip->flags & CLIP_HAS_SKELETON && (p = quatsimd_clip_append(to, 8)))
    store_little(p, clip->skeleton, 8);
  if (clip->flags & CLIP_HAS_TRACKS && (p = quatsimd_clip_append(to, 4))) store_little(p, clip->tracks, 4);
  if (clip->times) append(to, clip->data + clip->times, clip_time_bytes(clip) * clip->frames);
}

static void write_masks(clip_bytes *to, const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part) {
  const size_t elements = clip_elements(clip, kind);
  append(to, part->masks, (elements + 3) / 4);
  if (part->keyed_mask) append(to, part->keyed_mask, (elements + 7) / 8);
}

static void write_plan(clip_bytes *to, const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part) {
  unsigned char *p = quatsimd_clip_append(to, 4);
  if (p) store_float(p, part->unit);
  append(to, part->widths, clip_axes(kind) * ((part->moving + CLIP_GROUP - 1) / CLIP_GROUP));
  append(to, part->ends, clip_end_bytes(clip, kind) * clip_blocks(clip->frames));
  if (part->units) append(to, part->units, part->moving);
}

static void write_still(clip_bytes *to, const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part) {
  const unsigned char *end = part->keys;
  for (size_t i = 0; i < part->keyed; i++) {
    const clip_keyed keys = clip_keyed_at(clip, kind, end);
    end = quatsimd_clip_keyed_end(&keys);
  }
  append(to, part->constant, (size_t)(end - part->constant));
}

quatsimd_status quatsimd_clip_separate(void **data, size_t *size, const quatsimd_clip *clip,
                                       const quatsimd_allocator *allocator) {
  clip_bytes to = {.allocator = allocator};
  quatsimd_clip_part part[QUATSIMD_CLIP_KIND_COUNT];
  bool moving = false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    part[kind] = clip_part_of(clip, kind);
    moving = moving || part[kind].moving > 0;
  }
  write_head(&to, clip);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (part[kind].masks) write_masks(&to, clip, kind, &part[kind]);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (part[kind].moving) write_plan(&to, clip, kind, &part[kind]);
  const size_t blocks = clip_blocks(clip->frames);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (part[kind].moving)
      append(&to, part[kind].blocks, clip_block_end(clip, kind, &part[kind], blocks - 1));
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (part[kind].moving) append(&to, part[kind].knots, (blocks + 1) * part[kind].row);
  const size_t knots_end = to.size;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const quatsimd_clip_part *p = &part[kind];
    if (p->moving) append(&to, p->bases, p->moving * clip_base_bytes(clip, kind));
    if (p->moving) append(&to, p->slots, p->moving * p->slot_bytes);
    if (p->masks) write_still(&to, clip, kind, p);
  }
  if (moving && to.size < knots_end + CLIP_OVERREAD)
    (void)quatsimd_clip_append(&to, knots_end + CLIP_OVERREAD - to.size);
  if (to.failed) return clip_bytes_free(&to), QUATSIMD_ERROR_NO_MEMORY;
  store_little(to.data + CONTAINER_AT_SIZE, to.size, 4);
  container_seal(to.data, to.size);
  *data = to.data, *size = to.size;
  return QUATSIMD_OK;
}
