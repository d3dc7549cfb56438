/* Bytes of a clip being written. */
#ifndef QUATSIMD_CLIP_BYTES_H
#define QUATSIMD_CLIP_BYTES_H

#include <stdbool.h>

#include "clip/layout.h"

/* The low bits of a value, into bytes that are zeros there. */
static inline void clip_put_bits(unsigned char *p, size_t at, unsigned width, int32_t value) {
  for (unsigned b = 0; b < width; b++)
    p[(at + b) / 8] |= (unsigned char)(((uint32_t)value >> b & 1) << (at + b) % 8);
}

/* The fewest bits that hold a value, in two's complement. */
static inline unsigned clip_width(int32_t v) {
  const uint32_t m = (uint32_t)(v < 0 ? ~v : v);
  return v == 0 ? 0 : m == 0 ? 1 : 33 - (unsigned)__builtin_clz(m);
}

/* Bytes that grow. */
typedef struct clip_bytes {
  const quatsimd_allocator *allocator;
  unsigned char *data;
  size_t size, room;
  bool failed; /* there was no memory, and nothing is written any more */
} clip_bytes;

/* So many zeros more, to be written before the next call; null if there is no memory. */
unsigned char *quatsimd_clip_append(clip_bytes *bytes, size_t size);

#endif
