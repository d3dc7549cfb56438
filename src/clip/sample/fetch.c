#include "clip/sample/fetch.h"

#include "clip/sample/groups.h"

enum { CACHE_LINE = 64, MOST_FETCHED = 512 }; /* in bytes; beyond MOST_FETCHED, CPUs prefetch by themselves */

static void fetch(const void *from, size_t bytes) {
  const char *p = from;
  const size_t most = bytes < MOST_FETCHED ? bytes : MOST_FETCHED;
  for (size_t i = 0; i < most; i += CACHE_LINE) QUATSIMD_PREFETCH(p + i);
}

void quatsimd_clip_fetch(const quatsimd_clip *clip) { fetch(clip, CLIP_WORD * CLIP_MOST_WORDS); }

/* Prefetches what moving curves read, but not the block, whose place is among the prefetched bytes. */
static void fetch_tables(const quatsimd_clip *clip, int kind, size_t block) {
  quatsimd_clip_part part;
  clip_find_moving(&part, clip, kind);
  QUATSIMD_PREFETCH(part.ends + clip_end_bytes(clip, kind) * block);
  fetch(part.knots + block * part.row, 2 * part.row);
  fetch(part.bases, part.moving * clip_base_bytes(clip, kind));
  fetch(part.widths, clip_axes(kind) * clip_groups(part.moving));
  fetch(part.slots, part.moving * part.slot_bytes);
  if (part.units) fetch(part.units, part.moving);
}

static void fetch_groups(const quatsimd_clip *clip, int kind, size_t block) {
  quatsimd_clip_part part;
  clip_find_moving(&part, clip, kind);
  const size_t from = clip_block_at(clip, kind, &part, block);
  fetch(part.blocks + from, clip_block_end(clip, kind, &part, block) - from);
}

void quatsimd_clip_fetch_block(const quatsimd_clip *clip, const clip_position *p) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    if (clip->part_at[kind] == 0) continue;
    const quatsimd_clip_still *const still = clip_still_at(clip, kind);
    fetch(clip_masks(clip, kind), (clip_elements(clip, kind) + 3) / 4);
    fetch(clip->data + still->constant, still->constants * clip_constant_bytes(kind, clip_precision(clip)));
    if (still->moving > 0) fetch_tables(clip, kind, p->block);
  }
  /* Only these wait for memory. They do so once, because the ends of blocks of all kinds come together. */
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (clip_still_of(clip, kind)->moving > 0) fetch_groups(clip, kind, p->block);
}
