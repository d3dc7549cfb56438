/* Bytes of a clip being written. */
#ifndef QUATSIMD_CLIP_APPEND_H
#define QUATSIMD_CLIP_APPEND_H

#include <stdbool.h>

#include "clip/layout.h"

/* Bytes that grow. */
typedef struct clip_bytes {
  const quatsimd_allocator *allocator;
  unsigned char *data;
  size_t size, capacity;
  bool failed; /* there was no memory, and nothing is written any more */
} clip_bytes;

/* So many zeros more, to be written before the next call; null if there is no memory. */
unsigned char *quatsimd_clip_append(clip_bytes *bytes, size_t size);

/* There are no bytes any more. */
static inline void clip_bytes_free(clip_bytes *bytes) {
  quatsimd_clip_free(bytes->allocator, bytes->data);
  *bytes = (clip_bytes){.allocator = bytes->allocator};
}

#endif
