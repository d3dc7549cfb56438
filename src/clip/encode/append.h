/* A growing buffer for the bytes of a clip. */
#ifndef QUATSIMD_CLIP_APPEND_H
#define QUATSIMD_CLIP_APPEND_H

#include <stdbool.h>

#include "clip/layout.h"

typedef struct clip_bytes {
  const quatsimd_allocator *allocator;
  unsigned char *data;
  size_t size, capacity;
  bool failed; /* memory ran out: appending does nothing more */
} clip_bytes;

/* Appends `size` zeros, which the caller overwrites before the next call. Returns null if memory runs out. */
unsigned char *quatsimd_clip_append(clip_bytes *bytes, size_t size);

static inline void clip_bytes_free(clip_bytes *bytes) {
  quatsimd_clip_free(bytes->allocator, bytes->data);
  *bytes = (clip_bytes){.allocator = bytes->allocator};
}

#endif
