/* Prefetches the bytes that sampling will read into the cache, without waiting for them. */
#ifndef QUATSIMD_CLIP_FETCH_H
#define QUATSIMD_CLIP_FETCH_H

#include "clip/sample/time.h"

/* Prefetches the opened clip, without the bytes that it was opened from. */
void quatsimd_clip_fetch(const quatsimd_clip *clip);
/* Prefetches the bytes of the clip that sampling at a position reads. */
void quatsimd_clip_fetch_block(const quatsimd_clip *clip, const clip_position *p);

#endif
