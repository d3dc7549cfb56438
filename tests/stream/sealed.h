/* Makes packets and acknowledgements by hand, as docs/stream.md describes them. */
#ifndef SEALED_H
#define SEALED_H

#include "streams.h"

#include "stream/head.h"

enum { HEAD = 4, KEY_HEAD = 12 }; /* in key packets the code begins at KEY_HEAD, in others at HEAD */

static inline void put_little(unsigned char *to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static inline uint32_t seed_of_setting(const setting *o) {
  unsigned char id[47] = {0};
  uint32_t bound_bits;
  memcpy(&bound_bits, &o->bound, 4);
  put_little(id, o->bodies, 4), put_little(id + 4, bound_bits, 4), put_little(id + 8, (unsigned)o->states, 2);
  id[10] = 3;
  put_little(id + 11, SESSION, 8);
  return XXH32(id, sizeof id, 0);
}

/* Returns the hash of a packet. `of` has the hashes of the six states that the packet is coded against, 0 for
 * those that are missing. It is NULL for a key packet. */
static inline uint32_t hash_of(const setting *o, const unsigned char *packet, size_t size, uint32_t number,
                               const uint32_t of[6]) {
  unsigned char with[29];
  put_little(with, number, 4);
  for (int i = 0; i < 6; i++) put_little(with + 4 + 4 * i, of ? of[i] : 0, 4);
  with[28] = of != NULL;
  return XXH32(packet + HEAD, size - HEAD, XXH32(with, sizeof with, seed_of_setting(o)));
}
static inline unsigned checksum_by_hand(uint32_t hash) { return (hash ^ hash >> 16) & 0xffff; }

/* Writes number and checksum into a packet, and returns the packet's hash. `of` is as in hash_of(). A key
 * packet must contain its time already. */
static inline uint32_t seal(const setting *o, unsigned char *packet, size_t size, uint32_t number,
                            const uint32_t of[6]) {
  put_little(packet, (uint64_t)(number & 0x7fff) << 1 | !of, 2);
  if (!of) put_little(packet + HEAD, number, 4);
  const uint32_t hash = hash_of(o, packet, size, number, of);
  put_little(packet + 2, checksum_by_hand(hash), 2);
  return hash;
}

/* Seals a packet with the head of a packet for this receiver. If the receiver lacks a state that
 * the head names, or the head is wrong, the checksum is any. */
static inline void seal_for(const setting *o, quatsimd_stream *s, unsigned char *packet, size_t size,
                            uint32_t number) {
  references r = {0};
  range_decoder d = range_decoder_new(packet + HEAD, size - HEAD);
  quatsimd_stream_take_head(s, &d, number, &r);
  const state *const states[6] = {r.base, r.chain, r.line[0], r.line[1], r.anchor, r.models};
  uint32_t of[6];
  for (int i = 0; i < 6; i++) of[i] = states[i] ? states[i]->hash : 0;
  seal(o, packet, size, number, of);
}

/* Makes an acknowledgement. Bit i of mask is set if the receiver has the state of packet newest - i. `first`
 * is the number of the first packet that the receiver decoded. */
static inline acknowledgement sealed_acknowledgement(const setting *o, uint32_t newest, uint32_t mask,
                                                     uint32_t first) {
  acknowledgement a;
  put_little(a.bytes, newest, 4), put_little(a.bytes + 4, mask, 4),
      put_little(a.bytes + 8, first & 0xffff, 2);
  const uint32_t h = XXH32(a.bytes, 10, seed_of_setting(o) ^ UINT32_C(0xacacacac));
  put_little(a.bytes + 10, h ^ h >> 16, 2);
  return a;
}

static inline bool same_floats(float *const *a, float *const *b, int arrays, size_t count) {
  for (int c = 0; c < arrays; c++)
    if (memcmp(a[c], b[c], count * sizeof **a) != 0) return false;
  return true;
}
static inline bool same_state(const state *a, const state *b, size_t bodies) {
  return a->number == b->number && a->time == b->time && a->distance == b->distance &&
         a->interval == b->interval && a->hash == b->hash &&
         memcmp(&a->head, &b->head, sizeof a->head) == 0 && a->coarse == b->coarse &&
         a->anchors == b->anchors && memcmp(a->last, b->last, bodies * sizeof *a->last) == 0 &&
         memcmp(a->rotation_scale, b->rotation_scale, bodies * sizeof *a->rotation_scale) == 0 &&
         memcmp(a->errors, b->errors, bodies * sizeof *a->errors) == 0 &&
         same_floats(a->rotation, b->rotation, 4, bodies);
}

#endif
