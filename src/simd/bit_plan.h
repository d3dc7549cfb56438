/* The places of the fields of bit-packed elements. An element is L << 3B | a << 2B | b << B | c and has n =
 * 2 + 3B bits, so eight elements have n bytes. For every B a pair of elements spans at most 16 bytes. A field
 * fits the window of 32 bits that begins with the field's first byte. Tests check both.
 *
 * Pair k = 0..3 holds elements 2k and 2k+1. Its windows, in the order of shuffle_cb and shuffle_al, are
 *   cb: [c of 2k, b of 2k, c of 2k+1, b of 2k+1]    al: [a, L, a, L]
 * Byte shuffles pick the windows from the 16 bytes at pair_offset[k]. After the left shifts each field ends
 * at bit 31. Byte indices above 15 are past the field and may give any bits. Rows of a plan are pairs 0, 2,
 * 1, 3. Rows 0 and 1 fill one 256-bit vector, rows 2 and 3 another, and a shuffle restores the order. */
#ifndef QUATSIMD_SIMD_BIT_PLAN_H
#define QUATSIMD_SIMD_BIT_PLAN_H

#include <stdint.h>

typedef struct bit_plan {
  uint8_t shuffle_cb[4][16], shuffle_al[4][16];
  uint32_t shift_cb[4][4], shift_al[4][4];
  /* An element is stored from bit shift_up of a byte on. The lower bits of that byte are the top of the
   * element before, shifted down by shift_carry. Rows are in the order of pairs given above. */
  uint64_t shift_up[4][2], shift_carry[4][2];
  uint8_t pair_offset[4], element_offset[8];
  uint8_t bits_per_field, bytes; /* B; n, the number of bytes of eight elements */
} bit_plan;

/* The plans by B. 0 to 3 are unused. */
extern const bit_plan quatsimd_bit_plans[21];

#endif
