#include "clip/sample/fetch.h"

#include "clip/sample/groups.h"

enum { CACHE_LINE = 64, MOST_FETCHED = 512 }; /* in bytes; beyond MOST_FETCHED, CPUs prefetch by themselves */

static void fetch(const void *from, size_t bytes) {
  const char *p = from;
  const size_t most = bytes < MOST_FETCHED ? bytes : MOST_FETCHED;
  for (size_t i = 0; i < most; i += CACHE_LINE) QUATSIMD_PREFETCH(p + i);
}

void quatsimd_clip_fetch(const quatsimd_clip *clip) { fetch(clip, CLIP_WORD * CLIP_MOST_WORDS); }

void quatsimd_clip_fetch_block(const quatsimd_clip *clip, const clip_position *p) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const quatsimd_clip_part part = clip_part_of(clip, kind);
    if (part.constants > 0) fetch(part.constant, (size_t)(part.keys - part.constant));
    if (part.moving == 0) continue;
    const size_t from = clip_block_at(clip, kind, &part, p->block);
    fetch(part.blocks + from, clip_block_end(clip, kind, &part, p->block) - from);
    fetch(part.knots + p->block * part.row, 2 * part.row);
    fetch(part.bases, part.moving * clip_base_bytes(clip, kind));
    fetch(part.widths, clip_axes(kind) * clip_groups(part.moving));
    fetch(part.slots, part.moving * part.slot_bytes);
    if (part.units) fetch(part.units, part.moving);
  }
}
