/* Where the fields of bit-packed elements are: value = L << 3B | a << 2B | b << B | c, n = 2 + 3B bits. Eight
 * elements are n bytes. A pair of elements spans at most 16 bytes for every B (checked by the tests for all
 * of them), a field at most 27 bits from the start of its first byte: it fits a 32-bit window.
 *
 * Pair k = 0..3 holds elements 2k and 2k+1. Its windows, in the order of the shuffles,
 *   cb: [c of 2k, b of 2k, c of 2k+1, b of 2k+1]    al: [a, L, a, L]
 * are picked by byte shuffles from the 16 bytes at offset[k] and shifted left until the field ends at bit
 * 31. Byte indices above 15 point behind the field and may give any bits. Rows are ordered pair 0, 2, 1,
 * 3: rows 0 and 1 fill one 256-bit vector, rows 2 and 3 the other, and shuffling one against the other
 * restores the array's order. */
#ifndef QUATSIMD_SIMD_BIT_PLAN_H
#define QUATSIMD_SIMD_BIT_PLAN_H

#include <stdint.h>

typedef struct bit_plan {
  uint8_t shuffle_cb[4][16], shuffle_al[4][16];
  uint32_t shift_cb[4][4], shift_al[4][4];
  /* An element is stored from bit shift_up of a byte on; that byte's lower bits are the top of the element
   * before it, shifted down by shift_carry. Rows of pairs as above. */
  uint64_t shift_up[4][2], shift_carry[4][2];
  uint8_t pair_offset[4], element_offset[8];
  uint8_t bits_per_field, bytes; /* B; n, the bytes of a group of eight */
} bit_plan;

/* By B; 0..3 are unused. */
extern const bit_plan quatsimd_bit_plans[21];

#endif
