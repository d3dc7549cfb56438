/* Prefetches into the cache the bytes that sampling will read. */
#ifndef QUATSIMD_CLIP_FETCH_H
#define QUATSIMD_CLIP_FETCH_H

#include "clip/sample/time.h"

/* Prefetches *clip and its parts, but not the bytes that the clip was opened from. */
void quatsimd_clip_fetch(const quatsimd_clip *clip);
/* Prefetches those bytes of the clip that sampling at a position reads, except curves with their own keys.
 * Waits only for the ends of blocks. */
void quatsimd_clip_fetch_block(const quatsimd_clip *clip, const clip_position *p);

#endif
