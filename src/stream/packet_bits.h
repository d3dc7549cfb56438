/* Bits, the first one lowest. */
#ifndef QUATSIMD_STREAM_PACKET_BITS_H
#define QUATSIMD_STREAM_PACKET_BITS_H

#include "core/bytes.h"

/* Stores eight bytes each time. */
typedef struct bit_writer {
  unsigned char *to;
  uint64_t waiting;
  int count; /* bits waiting, fewer than 8 */
} bit_writer;

static inline void put(bit_writer *w, uint64_t value, int bits) { /* bits <= 56, value without others */
  w->waiting |= value << w->count;
  w->count += bits;
  store_little(w->to, w->waiting, 8);
  w->to += w->count / 8;
  w->waiting >>= w->count / 8 * 8;
  w->count %= 8;
}

/* Reads zeros behind the end, and counts them. */
typedef struct bit_reader {
  const unsigned char *bytes;
  size_t size, at; /* next byte */
  uint64_t waiting;
  int count; /* above them, bits may be there already that the next refill brings again */
} bit_reader;

static inline void refill(bit_reader *r) { /* to at least 56 bits */
  if (r->at + 8 <= r->size) {
    r->waiting |= load_u64(r->bytes + r->at) << r->count;
    const int bytes = (63 - r->count) / 8;
    r->at += (size_t)bytes, r->count += 8 * bytes;
  } else {
    for (; r->count <= 56; r->count += 8, r->at++)
      if (r->at < r->size) r->waiting |= (uint64_t)r->bytes[r->at] << r->count;
  }
}

static inline uint32_t take(bit_reader *r, int bits) {
  const uint32_t value = (uint32_t)(r->waiting & (((uint64_t)1 << bits) - 1));
  r->waiting >>= bits;
  r->count -= bits;
  return value;
}

#endif
