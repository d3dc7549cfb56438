/* Packets and acknowledgements made by hand, as docs/stream.md says. */
#ifndef SEALED_H
#define SEALED_H

#include "streams.h"

enum { HEAD = 4, KEY_HEAD = 12 }; /* where the code begins */

static inline void put_little(unsigned char *to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static inline unsigned check_of(const unsigned char *packet) { return packet[2] | (unsigned)packet[3] << 8; }

static inline uint32_t seed_of_setting(const setting *o) {
  unsigned char id[19];
  uint32_t bound_bits;
  memcpy(&bound_bits, &o->bound, 4);
  put_little(id, o->bodies, 4), put_little(id + 4, bound_bits, 4), put_little(id + 8, (unsigned)o->states, 2);
  id[10] = 2;
  put_little(id + 11, SESSION, 8);
  return XXH32(id, sizeof id, 0);
}

/* Gives a packet its number and the checksum that belongs to it. base: its baseline's packet; NULL: it is a
 * key packet, of which the time is set already. */
static inline void seal(const setting *o, unsigned char *packet, size_t size, uint32_t number,
                        const unsigned char *base) {
  unsigned char with[7];
  put_little(packet, (uint64_t)(number & 0x7fff) << 1 | !base, 2);
  if (!base) put_little(packet + HEAD, number, 4);
  put_little(with, number, 4), put_little(with + 4, base ? check_of(base) : 0, 2);
  with[6] = base != NULL;
  const uint32_t h = XXH32(packet + HEAD, size - HEAD, XXH32(with, sizeof with, seed_of_setting(o)));
  put_little(packet + 2, h ^ h >> 16, 2);
}

/* mask: which states there are, the newest lowest; 0: there is none. */
static inline acknowledgement sealed_acknowledgement(const setting *o, uint32_t newest, uint32_t mask) {
  acknowledgement a;
  put_little(a.bytes, newest, 4), put_little(a.bytes + 4, mask, 4);
  const uint32_t h = XXH32(a.bytes, 8, seed_of_setting(o) ^ UINT32_C(0xacacacac));
  put_little(a.bytes + 8, h ^ h >> 16, 2);
  return a;
}

#endif
