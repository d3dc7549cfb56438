/* Numbers that are kept in a byte: exact up to 31, rounded to 5 bits above, at most MOST_ROUNDED. Of two
 * numbers the larger one never has the smaller byte. */
#ifndef QUATSIMD_STREAM_ROUNDED_H
#define QUATSIMD_STREAM_ROUNDED_H

#include "core/bytes.h"

enum { MOST_ROUNDED = 31 << 11 };

/* A float has such a rounded number in its exponent and the upper 4 bits of its fraction; KEPT_BELOW is what
 * they are for 16, less 16. */
enum { KEPT_FRACTION = 19, KEPT_BELOW = 130 << 4 };

static inline uint8_t rounded(uint32_t n) {
  const uint32_t most = n < MOST_ROUNDED ? n : MOST_ROUNDED,
                 bits = float_bits((float)(int32_t)most) + (1u << (KEPT_FRACTION - 1));
  return (uint8_t)(most < 16 ? most : (bits >> KEPT_FRACTION) - KEPT_BELOW);
}
static inline uint32_t unrounded(uint8_t byte) {
  const float n = float_from_bits((byte + (uint32_t)KEPT_BELOW) << KEPT_FRACTION);
  return byte < 16 ? byte : (uint32_t)(int32_t)n;
}

/* Adds a number to a sum of those of the last packets, which fades by an eighth with each packet. */
static inline uint8_t faded_sum(uint8_t sum, uint32_t number) {
  const uint32_t n = unrounded(sum);
  return rounded(n - (n >> 3) + number);
}

#endif
