/* A range coder in integer arithmetic. It codes a binary decision in a fraction of a bit. Probabilities adapt
 * to earlier decisions.
 *
 * A packet is a number between 0 and 1. Each decision divides the remaining range in proportion to the
 * probabilities of 1 and 0, and keeps one part. `range` is at least 2^32 before each decision, so rounding
 * hardly changes a probability. */
#ifndef QUATSIMD_STREAM_RANGE_CODER_H
#define QUATSIMD_STREAM_RANGE_CODER_H

#include <stdbool.h>

#include "core/bytes.h"

/* p is the probability that a decision is 1, in 65536ths. `count` decisions have adapted it, MOST_COUNT at
 * most. A decision moves p by 1 / (count + 1.5) of the way, so that p is close to the truth after a few
 * decisions. A decision costs at most 10.7 bits. */
typedef struct model {
  uint16_t p;
  uint8_t count;
} model;

enum { MOST_COUNT = 62 };
static const model FIRST_MODEL = {0x8000, 0};

static inline uint64_t part_of(uint64_t range, const model *m) { return (range >> 16) * m->p; }
static inline void adapt(model *m, bool bit) {
  /* 65536 / (count + 1.5), rounded down */
  static const uint16_t steps[MOST_COUNT + 1] = {
      43690, 26214, 18724, 14563, 11915, 10082, 8738, 7710, 6898, 6241, 5698, 5242, 4854, 4519, 4228, 3971,
      3744,  3542,  3360,  3196,  3048,  2912,  2788, 2674, 2570, 2473, 2383, 2299, 2221, 2148, 2080, 2016,
      1956,  1899,  1846,  1795,  1747,  1702,  1659, 1618, 1579, 1542, 1506, 1472, 1440, 1409, 1379, 1351,
      1323,  1297,  1272,  1248,  1224,  1202,  1180, 1159, 1139, 1120, 1101, 1083, 1065, 1048, 1032};
  const uint16_t ones = bit ? 0xffff : 0, away = (uint16_t)(m->p ^ ones);
  m->p = (uint16_t)((away - ((uint32_t)away * steps[m->count] >> 16)) ^ ones);
  m->count = (uint8_t)(m->count + (m->count < MOST_COUNT));
}

/* ---- encoding ---- */

typedef struct range_encoder {
  uint64_t low, range; /* low: start of the remaining range, without stored bytes */
  unsigned char *start, *at;
} range_encoder;

static inline range_encoder range_encoder_new(unsigned char *to) {
  return (range_encoder){0, UINT64_MAX, to, to};
}

static inline void carry(range_encoder *e) {
  for (unsigned char *p = e->at; p > e->start && ++*--p == 0;) {
  }
}
static inline void raise_low(range_encoder *e, uint64_t by) {
  e->low += by;
  if (e->low < by) carry(e);
}
static inline void store_top(range_encoder *e) { /* stores four bytes of `low` if range is below 2^32 */
  if (e->range >> 32) return;
  const uint32_t top = (uint32_t)(e->low >> 32);
  for (int i = 0; i < 4; i++) *e->at++ = (unsigned char)(top >> (24 - 8 * i));
  e->low <<= 32, e->range <<= 32;
}

static inline void put_bit(range_encoder *e, model *m, bool bit) {
  const uint64_t part = part_of(e->range, m);
  raise_low(e, bit ? 0 : part);
  e->range = bit ? part : e->range - part;
  adapt(m, bit);
  store_top(e);
}

/* Codes a value of up to 16 bits. All values have the same probability. */
static inline void put_plain(range_encoder *e, uint32_t value, int bits) {
  e->range >>= bits;
  raise_low(e, e->range * value);
  store_top(e);
}

/* Stores the number in the remaining range that has the fewest bytes. Drops zero bytes at the packet's end,
 * because a decoder reads zeros there. Returns the end of the packet. */
static inline unsigned char *range_encoder_end(range_encoder *e) {
  uint64_t below = UINT64_MAX, value = 0; /* below: a mask of the bits that are not stored */
  int bytes = 0;
  for (; value = (e->low + below) & ~below, value - e->low >= e->range; bytes++) below >>= 8;
  if (value < e->low) carry(e);
  for (int i = 0; i < bytes; i++) *e->at++ = (unsigned char)(value >> (56 - 8 * i));
  while (e->at > e->start && e->at[-1] == 0) e->at--;
  return e->at;
}

/* ---- decoding: any bytes give decisions ---- */

typedef struct range_decoder {
  uint64_t code, range; /* code is below range if an encoder wrote the bytes */
  const unsigned char *bytes;
  size_t size, at; /* at: the next byte to read; bytes from `size` on read as 0 */
} range_decoder;

static inline uint32_t next_four(range_decoder *d) {
  uint32_t four = 0;
  if (d->at + 4 <= d->size) {
    four = load_u32(d->bytes + d->at);
    four = four << 24 | (four << 8 & 0xff0000) | (four >> 8 & 0xff00) | four >> 24;
  } else {
    for (size_t i = 0; i < 4; i++) four = four << 8 | (d->at + i < d->size ? d->bytes[d->at + i] : 0u);
  }
  d->at += 4;
  return four;
}
static inline range_decoder range_decoder_new(const unsigned char *bytes, size_t size) {
  range_decoder d = {0, UINT64_MAX, bytes, size, 0};
  d.code = (uint64_t)next_four(&d) << 32;
  d.code |= next_four(&d);
  return d;
}
static inline void load_more(range_decoder *d) {
  if (d->range >> 32) return;
  d->code = d->code << 32 | next_four(d), d->range <<= 32;
}

static inline bool take_bit(range_decoder *d, model *m) {
  const uint64_t part = part_of(d->range, m);
  const bool bit = d->code < part;
  d->code -= bit ? 0 : part;
  d->range = bit ? part : d->range - part;
  adapt(m, bit);
  load_more(d);
  return bit;
}
static inline uint32_t take_plain(range_decoder *d, int bits) {
  d->range >>= bits;
  const uint64_t most = ((uint64_t)1 << bits) - 1, found = d->code / d->range;
  const uint32_t value = (uint32_t)(found < most ? found : most);
  d->code -= d->range * value;
  load_more(d);
  return value;
}

/* Returns true if all bytes were read and the last byte, if any, is not 0. */
static inline bool range_decoder_at_end(const range_decoder *d) {
  return d->size <= d->at && (d->size == 0 || d->bytes[d->size - 1] != 0);
}

/* ---- numbers in plain bits ---- */

/* Codes n >= 1 by the Elias gamma code, which is short for small numbers. */
static inline void put_number(range_encoder *e, uint32_t n) {
  const int bits = 1 + (int)quatsimd_highest_bit(n);
  for (int i = 1; i < bits; i++) put_plain(e, 0, 1);
  for (int i = bits; i-- > 0;) put_plain(e, n >> i & 1, 1);
}
/* Returns n, or 0 if n has more than 32 bits. */
static inline uint32_t take_number(range_decoder *d) {
  int bits = 1;
  while (take_plain(d, 1) == 0)
    if (++bits > 32) return 0;
  uint32_t n = 1;
  while (--bits > 0) n = n << 1 | take_plain(d, 1);
  return n;
}

#endif
