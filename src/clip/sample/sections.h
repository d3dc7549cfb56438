/* The sections of a clip, opened one by one: for files that have them in another way than clips by
 * themselves. */
#ifndef QUATSIMD_CLIP_SECTIONS_H
#define QUATSIMD_CLIP_SECTIONS_H

#include "clip/sample/open.h"

/* The remaining bytes. Taking more than these makes it false, and null. */
typedef struct clip_rest {
  const unsigned char *at;
  size_t size;
  bool ok;
} clip_rest;

static inline const unsigned char *clip_take(clip_rest *rest, uint64_t size) {
  const unsigned char *p = rest->at;
  if (!rest->ok || size > rest->size) return rest->ok = false, NULL;
  rest->at += size;
  rest->size -= (size_t)size;
  return p;
}

/* Each is false if something is not as docs/clip-format.md says. */

/* The numbers of the head, which are there, and then the times of frames, which are taken. */
bool quatsimd_clip_open_times(quatsimd_clip *clip, clip_rest *rest);
/* Numbers of curves, of masks that are there. */
bool quatsimd_clip_count_curves(quatsimd_clip *clip, int kind);
bool quatsimd_clip_is_unit(float unit, int kind);
/* Of a kind with moving curves, whose `ends` are there. */
bool quatsimd_clip_open_blocks(quatsimd_clip *clip, int kind, clip_rest *rest);
bool quatsimd_clip_check_slots(const quatsimd_clip *clip, int kind);
bool quatsimd_clip_check_floats(const unsigned char *p, size_t count);
/* Constants and keys. */
bool quatsimd_clip_open_still(quatsimd_clip *clip, int kind, clip_rest *rest);

#endif
