/* The hash of a packet. The hash covers the packet's bytes after the head, the packet's number, the options
 * and, unless the packet is a key packet, the hash of its baseline. The packet carries a checksum of 16 bits,
 * which is made of the hash. A state keeps all 32 bits of its packet's hash. If a damaged packet has a valid
 * checksum by chance, the receiver's state and the sender's state of this packet have different hashes, so
 * the receiver refuses later packets that are coded against this state. */
#ifndef QUATSIMD_STREAM_CHECKSUM_H
#define QUATSIMD_STREAM_CHECKSUM_H

#include "core/hash.h"
#include "stream/state.h"

static inline uint16_t checksum_of(uint32_t hash) { return (uint16_t)(hash ^ hash >> 16); }

/* Returns the hash of a packet whose `bytes` follow the head. base is the baseline's state, or NULL for a key
 * packet. */
static inline uint32_t packet_hash(const quatsimd_stream *s, uint32_t number, const state *base,
                                   const unsigned char *bytes, size_t size) {
  unsigned char with[9];
  store_little(with, number, 4), store_little(with + 4, base ? base->hash : 0, 4);
  with[8] = base != NULL;
  return XXH32(bytes, size, XXH32(with, sizeof with, s->seed));
}

#endif
