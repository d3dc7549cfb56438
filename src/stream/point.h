/* The code of a lattice point.
 *
 * A residual r (Cayley or rotation vector) is rounded to the nearest point of h * k with the three numbers
 * of k all even or all odd. No point of space is further than h * sqrt(5) / 2 from one of them, so that h
 * is set by the bound; for the same bound these cells are 1.86 times as large as cubes. */
#ifndef QUATSIMD_STREAM_POINT_H
#define QUATSIMD_STREAM_POINT_H

#include <stdbool.h>

#include "core/operand.h"
#include "stream/packet_bits.h"

enum { MAX_QUOTIENT = 31 /* ones in the unary part of a number; all bits set */ };

/* Points of a chunk of residuals: three numbers, and the sum of their magnitudes. */
enum { SIZE = 3 };
typedef struct points {
  int32_t k[4][QUATSIMD_CHUNK];
} points;

/* 0, 1, 2, ... for 0, -1, 1, -2, ...: what a component is when its parity is taken away and it is halved. */
static inline uint32_t folded(int32_t k, int32_t parity) {
  const int32_t n = (k - parity) >> 1;
  return (uint32_t)n << 1 ^ (n < 0 ? UINT32_MAX : 0);
}
static inline int32_t unfolded(uint32_t z, int32_t parity) {
  return 2 * ((int32_t)(z >> 1) ^ -(int32_t)(z & 1)) + parity;
}

/* The sum of magnitudes tells the class of a point, 0, 2 or 3 or more than that: none; one component 2 or
 * -2, the others 0; all 1 or -1; any other. */
typedef enum class { ZERO, AXIS, CORNER, OTHER, CLASSES } class;

/* The code for a scale: class prefixes (lowest bit first), and the low bits of a folded number that are
 * stored as they are, the rest being unary. */
typedef struct point_code {
  const struct prefixes *of;
  int low_bits[2]; /* even, odd */
} point_code;
typedef struct prefixes {
  unsigned char bits[CLASSES], length[CLASSES];
  unsigned char few_bits[4]; /* about how many, by the size of the point, if it is of another class */
  unsigned char found[8];    /* by the next three bits: class + 4 * length */
} prefixes;

/* By the exponent of a float: x86 counts zeros at one bit per cycle or so unless it is told that it is a
 * newer one. n < 2^24. */
static inline int floor_log2(int32_t n) { return (int)(float_bits((float)n) >> 23) - 127; }

static inline point_code point_code_of(uint16_t scale) {
#define P(class, length) (class + 4 * length)
  static const prefixes all[3] = {
      {{0, 1, 3, 7},
       {1, 2, 3, 3},
       {1, 0, 5, 6},
       {P(ZERO, 1), P(AXIS, 2), P(ZERO, 1), P(CORNER, 3), P(ZERO, 1), P(AXIS, 2), P(ZERO, 1), P(OTHER, 3)}},
      {{0, 1, 2, 3},
       {2, 2, 2, 2},
       {2, 0, 5, 5},
       {P(ZERO, 2), P(AXIS, 2), P(CORNER, 2), P(OTHER, 2), P(ZERO, 2), P(AXIS, 2), P(CORNER, 2),
        P(OTHER, 2)}},
      {{3, 7, 1, 0},
       {3, 3, 2, 1},
       {3, 0, 6, 5},
       {P(OTHER, 1), P(CORNER, 2), P(OTHER, 1), P(ZERO, 3), P(OTHER, 1), P(CORNER, 2), P(OTHER, 1),
        P(AXIS, 3)}}};
#undef P
  const int low = floor_log2(scale / 44 | 1);
  return (point_code){&all[(scale >= 30) + (scale >= 44)], {low, low > 1 ? low : 1}};
}

/* About how many bits a point of this size takes, for a choice between two. Both ways are computed: which
 * it is, is hard to foresee. */
static inline int about_bits(const point_code *c, int32_t size) {
  const int32_t quotients = size >> c->low_bits[0];
  const int few = c->of->few_bits[size & 3],
            many = c->of->length[OTHER] + 4 + 3 * c->low_bits[0] + (quotients < 200 ? quotients : 200);
  return size <= 3 ? few : many;
}

/* Prefix and parity of a point of class OTHER. */
static inline uint64_t other_head(const point_code *c, int32_t parity) {
  return c->of->bits[OTHER] | (uint64_t)parity << c->of->length[OTHER];
}

/* Of the class OTHER, none at all says that something else follows. */
static inline int bits_of_escape(const point_code *c) {
  return c->of->length[OTHER] + 1 + 3 * (1 + c->low_bits[0]);
}
static inline void put_escape(bit_writer *w, const point_code *c) {
  put(w, other_head(c, 0), bits_of_escape(c));
}

/* Says first whether the prediction changes. False, and nothing is written, if the unary part of a number
 * would be too long. */
static inline bool put_residual(bit_writer *w, const point_code *c, bool other_prediction, const points *p,
                                size_t e) {
  const int32_t k[3] = {p->k[0][e], p->k[1][e], p->k[2][e]}, size = p->k[SIZE][e];
  const int32_t parity = k[0] & 1;
  const int low = c->low_bits[parity];
  const uint32_t z[3] = {folded(k[0], parity), folded(k[1], parity), folded(k[2], parity)};
  if ((z[0] | z[1] | z[2]) >> low > MAX_QUOTIENT) return false;
  if (other_prediction) {
    put_escape(w, c);
    put(w, 0, 1);
  }
  if (size <= 3) {
    const unsigned which = k[0] != 0   ? 0
                           : k[1] != 0 ? 1
                                       : 3,
                   signs = (k[0] < 0) | (k[1] < 0) << 1 | (unsigned)(k[2] < 0) << 2;
    const unsigned kind = size == 0 ? ZERO : (unsigned)size - 1;
    const unsigned rest = size == 0 ? 0 : size == 2 ? (signs != 0) | which << 1 : signs;
    const int rest_bits = size == 2 ? (which ? 3 : 2) : size;
    put(w, c->of->bits[kind] | (uint64_t)rest << c->of->length[kind], c->of->length[kind] + rest_bits);
  } else {
    uint64_t part[3]; /* quotient ones, a zero, the low bits */
    int bits[3];
    for (int i = 0; i < 3; i++) {
      const uint32_t quotient = z[i] >> low;
      part[i] = (((uint64_t)1 << quotient) - 1) | (uint64_t)(z[i] & ((1u << low) - 1)) << (quotient + 1);
      bits[i] = (int)quotient + 1 + low;
    }
    part[0] = other_head(c, parity) | part[0] << (c->of->length[OTHER] + 1);
    bits[0] += c->of->length[OTHER] + 1;
    if (bits[0] + bits[1] + bits[2] <= 56) {
      put(w, part[0] | part[1] << bits[0] | part[2] << (bits[0] + bits[1]), bits[0] + bits[1] + bits[2]);
    } else {
      for (int i = 0; i < 3; i++) put(w, part[i], bits[i]);
    }
  }
  return true;
}

typedef enum taken { POINT, ESCAPE, DAMAGED } taken;
static inline taken take_point(bit_reader *r, const point_code *c, int32_t k[3]) {
  refill(r);
  const int found = c->of->found[r->waiting & 7];
  (void)take(r, found / 4);
  k[0] = k[1] = k[2] = 0;
  if (found % 4 == ZERO) return POINT;
  if (found % 4 == AXIS) {
    const int32_t value = take(r, 1) ? -2 : 2;
    k[take(r, 1) == 0 ? 0 : take(r, 1) == 0 ? 1 : 2] = value;
    return POINT;
  }
  if (found % 4 == CORNER) {
    const int signs = (int)take(r, 3);
    for (int i = 0; i < 3; i++) k[i] = 1 - (signs >> i & 1) * 2;
    return POINT;
  }
  const int32_t parity = (int32_t)take(r, 1);
  const int low = c->low_bits[parity];
  uint32_t any = (uint32_t)parity;
  for (int i = 0; i < 3; i++) {
    if (i > 0) refill(r);
    const int quotient = __builtin_ctzll(~r->waiting | (uint64_t)1 << 63);
    if (quotient > MAX_QUOTIENT) return DAMAGED;
    (void)take(r, quotient + 1);
    const uint32_t z = (uint32_t)quotient << low | take(r, low);
    any |= z;
    k[i] = unfolded(z, parity);
  }
  return any ? POINT : ESCAPE;
}

/* A rotation by itself: parity and three numbers of fixed width. */
static inline void put_whole(bit_writer *w, int width, const points *p, size_t e) {
  const int32_t parity = p->k[0][e] & 1;
  put(w, (uint32_t)parity, 1);
  for (int i = 0; i < 3; i++) put(w, (uint32_t)(((p->k[i][e] - parity) >> 1) + (1 << (width - 1))), width);
}
static inline void take_whole(bit_reader *r, int width, int32_t k[3]) {
  refill(r);
  const int32_t parity = (int32_t)take(r, 1);
  for (int i = 0; i < 3; i++) {
    refill(r);
    k[i] = 2 * ((int32_t)take(r, width) - (1 << (width - 1))) + parity;
  }
}

#endif
