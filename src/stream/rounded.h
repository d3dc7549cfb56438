/* Numbers that are kept in a byte: exact up to 31, rounded to 5 bits above, at most MOST_ROUNDED. Of two
 * numbers the larger one never has the smaller byte. */
#ifndef QUATSIMD_STREAM_ROUNDED_H
#define QUATSIMD_STREAM_ROUNDED_H

#include "core/bytes.h"

enum { MOST_ROUNDED = 31 << 11 };

/* A byte is the exponent and the upper 4 bits of the fraction of a float, less KEPT_BELOW, which are those of
 * 8. The float is n, or n / 2 + 8 where that is more. Bits of floats are compared as integers: a compiler
 * makes vectors of loops without branches. */
enum { KEPT_FRACTION = 19, KEPT_BELOW = 130 << 4 };

static inline int32_t smaller_of(int32_t a, int32_t b) { return a < b ? a : b; }

/* n is below 2^31 */
static inline uint8_t rounded(uint32_t n) {
  const float most = (float)smaller_of((int32_t)n, MOST_ROUNDED);
  const int32_t bits = -smaller_of(-(int32_t)float_bits(most), -(int32_t)float_bits(most * 0.5f + 8));
  return (uint8_t)(((bits + (1 << (KEPT_FRACTION - 1))) >> KEPT_FRACTION) - KEPT_BELOW);
}
static inline uint32_t unrounded(uint8_t byte) {
  const uint32_t bits = (byte + (uint32_t)KEPT_BELOW) << KEPT_FRACTION;
  const int32_t small = (int32_t)float_bits(float_from_bits(bits) * 2 - 16);
  const uint32_t least = (uint32_t)smaller_of((int32_t)bits, small);
  return (uint32_t)(int32_t)float_from_bits(least);
}

/* Adds a number to a sum of those of the last packets, which fades by an eighth with each packet. */
static inline uint8_t faded_sum(uint8_t sum, uint32_t number) {
  const uint32_t n = unrounded(sum);
  return rounded(n - (n >> 3) + number);
}

#endif
