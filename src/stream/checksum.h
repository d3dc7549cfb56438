/* The checksum of a packet: of its bytes, its number, the options and, unless it is a key packet, the
 * checksum of its baseline. */
#ifndef QUATSIMD_STREAM_CHECKSUM_H
#define QUATSIMD_STREAM_CHECKSUM_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "stream/state.h"

static inline uint16_t folded_hash(uint32_t seed, const unsigned char *bytes, size_t size) {
  const uint32_t h = XXH32(bytes, size, seed);
  return (uint16_t)(h ^ h >> 16);
}

/* Of what is behind the head; base is NULL for a key packet. */
static inline uint16_t stream_checksum(const quatsimd_stream *s, uint32_t number, const state *base,
                                       const unsigned char *bytes, size_t size) {
  unsigned char with[7];
  store_little(with, number, 4), store_little(with + 4, base ? base->check : 0, 2);
  with[6] = base != NULL;
  return folded_hash(XXH32(with, sizeof with, s->seed), bytes, size);
}

#endif
