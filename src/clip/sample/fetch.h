/* Fetches bytes into the cache that sampling will read, while the CPU does something else. */
#ifndef QUATSIMD_CLIP_FETCH_H
#define QUATSIMD_CLIP_FETCH_H

#include "clip/sample/time.h"

/* The opened clip. */
void quatsimd_clip_fetch(const quatsimd_clip *clip);
/* The block that is sampled at a position. */
void quatsimd_clip_fetch_block(const quatsimd_clip *clip, const clip_position *p);

#endif
