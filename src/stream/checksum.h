/* The hash of a packet: of its bytes, its number, the options and, unless it is a key packet, the hash of its
 * baseline. The packet has 16 bits of it, a checksum. States keep all 32: a damaged packet whose checksum is
 * right has another hash than the sender's, and what is coded against it is refused. */
#ifndef QUATSIMD_STREAM_CHECKSUM_H
#define QUATSIMD_STREAM_CHECKSUM_H

#include "core/hash.h"
#include "stream/state.h"

static inline uint16_t checksum_of(uint32_t hash) { return (uint16_t)(hash ^ hash >> 16); }

/* Of the bytes behind the head; base is NULL for a key packet. */
static inline uint32_t packet_hash(const quatsimd_stream *s, uint32_t number, const state *base,
                                   const unsigned char *bytes, size_t size) {
  unsigned char with[9];
  store_little(with, number, 4), store_little(with + 4, base ? base->hash : 0, 4);
  with[8] = base != NULL;
  return XXH32(bytes, size, XXH32(with, sizeof with, s->seed));
}

#endif
