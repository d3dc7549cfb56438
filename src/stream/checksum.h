/* The hash of a packet covers the bytes after the head, the packet's number, the options and the hashes of
 * the states that it is coded against. The packet carries a checksum of 16 bits, made of the hash. If a
 * damaged packet has a valid checksum by chance, the receiver's hash of this packet differs from the sender's
 * hash. Later packets against this state then have wrong checksums, so the receiver refuses them. */
#ifndef QUATSIMD_STREAM_CHECKSUM_H
#define QUATSIMD_STREAM_CHECKSUM_H

#include "core/hash.h"
#include "stream/state.h"

static inline uint16_t checksum_of(uint32_t hash) { return (uint16_t)(hash ^ hash >> 16); }

/* `bytes` follow the head of the packet. */
static inline uint32_t packet_hash(const quatsimd_stream *s, uint32_t number, const references *r,
                                   const unsigned char *bytes, size_t size) {
  unsigned char with[5 + 6 * 4] = {0};
  const state *const of[6] = {r->base, r->chain, r->line[0], r->line[1], r->anchor, r->models};
  store_little(with, number, 4);
  for (int i = 0; i < 6; i++) store_little(with + 4 + 4 * i, of[i] ? of[i]->hash : 0, 4);
  with[28] = r->base != NULL;
  return XXH32(bytes, size, XXH32(with, sizeof with, s->seed));
}

#endif
