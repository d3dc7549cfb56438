/* Numbers that are kept in a byte: exact up to 31, rounded to 5 bits above, at most MOST_ROUNDED. Of two
 * numbers the larger one never has the smaller byte. */
#ifndef QUATSIMD_STREAM_ROUNDED_H
#define QUATSIMD_STREAM_ROUNDED_H

#include "core/bytes.h"

enum { MOST_ROUNDED = 31 << 11 };

static inline uint8_t rounded(uint32_t n) {
  if (n < 32) return (uint8_t)n;
  if (n > MOST_ROUNDED) n = MOST_ROUNDED;
  const unsigned dropped =
      quatsimd_highest_bit(n) - 4; /* number of bits; a carry leads to the next power of 2 */
  return (uint8_t)((dropped << 4) + ((n + (1u << (dropped - 1))) >> dropped));
}
static inline uint32_t unrounded(uint8_t byte) {
  return byte < 32 ? byte : (16u | (byte & 15)) << ((byte >> 4) - 1);
}

#endif
