/* The hash of a packet covers the bytes after the head, the packet's number, the options and the hash of the
 * baseline. The packet carries a checksum of 16 bits, made of the hash. If a damaged packet has a valid
 * checksum by chance, the receiver's hash of this packet differs from the sender's hash. Later packets
 * against this state then have wrong checksums, so the receiver refuses them. */
#ifndef QUATSIMD_STREAM_CHECKSUM_H
#define QUATSIMD_STREAM_CHECKSUM_H

#include "core/hash.h"
#include "stream/state.h"

static inline uint16_t checksum_of(uint32_t hash) { return (uint16_t)(hash ^ hash >> 16); }

/* `bytes` follow the head of the packet. `base` is NULL for a key packet. */
static inline uint32_t packet_hash(const quatsimd_stream *s, uint32_t number, const state *base,
                                   const unsigned char *bytes, size_t size) {
  unsigned char with[9];
  store_little(with, number, 4), store_little(with + 4, base ? base->hash : 0, 4);
  with[8] = base != NULL;
  return XXH32(bytes, size, XXH32(with, sizeof with, s->seed));
}

#endif
