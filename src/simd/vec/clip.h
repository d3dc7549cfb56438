/* The contract of the vector layer for clips: the operations that simd/kernels/clip.h needs beyond vec.h, for
 * layers with 4 or 8 lanes. Each vec_clip_<isa>.h implements these and no others; scripts/vector_layer.py
 * compares them with this list. Curves come in groups of eight; `first` is the number, within the group, of
 * the curve in lane 0: 0 with eight lanes, 0 or 4 with four. Lanes are in the order of the array, and no
 * alignment is needed.
 *   vi v_loadi(const void *p)      V_LANES 32-bit integers.
 *   void v_storei(void *p, vi a)
 *   vi v_multiply_pairs(vi a, vi b)
 *                                  in each lane, the product of the low 16 bits of a and b, signed, plus
 *                                  that of the high 16 bits. This sum wraps round if all are -32768.
 *   vi v_load_bytes(const unsigned char *p)
 *                                  V_LANES bytes, as integers.
 *   vi v_nibbles(uint32_t nibbles, int first)
 *                                  lane i's low four bits are nibble first + i, the lowest one being number
 *                                  0; its other bits may be anything.
 *   vf v_look_up(const float table[16], vi index)
 *                                  table[index]; index is the low four bits of a lane.
 *   void v_load_channel(vi *channel, const unsigned char *p, uint8_t profile)
 *                                  the 16 coefficients of the channel at p, see clip/layout.h, in order,
 *                                  in 8 / V_LANES vectors; reads up to CLIP_OVERREAD bytes more.
 *   const unsigned char *v_load_coefficients(vi pair[8], const unsigned char *p, const uint8_t *profile)
 *                                  lane i has the channel with profile[i], see clip/layout.h; the V_LANES
 *                                  channels lie one behind the other from p on. pair[k] has coefficient 2k
 *                                  in its low half, 2k + 1 in its high one. Returns the channels' end; reads
 *                                  up to CLIP_OVERREAD bytes behind that end.
 *   const unsigned char *v_products(vi sum[2], const unsigned char *p, const uint8_t *profile, const vi *row)
 *                                  for the channels of v_load_coefficients: lane i of sum[k] is the sum of
 *                                  the products of coefficients with the 16 16-bit integers of row k; it
 *                                  wraps round. Row 0 is the first 8 / V_LANES vectors of row, row 1 the next
 *                                  ones. Returns and reads as v_load_coefficients does.
 *   vi v_load_knots(const unsigned char *p, unsigned width, int first)
 *                                  lane i is the signed field first + i of `width` bits, 0 to CLIP_KNOT_BITS,
 *                                  of eight that lie one behind the other from bit 0 of p on, low bits first;
 *                                  0 for 0 bits. Reads up to CLIP_OVERREAD bytes behind the eighth field.
 *   void v_store_each(char *to, const size_t *offset, vq q)
 *                                  lane i's x, y, z, w as four floats at to + offset[i]; lane 0 is the last
 *                                  one stored, so that lanes without a curve may go where lane 0 goes. */
#ifndef QUATSIMD_SIMD_VEC_CLIP_H
#define QUATSIMD_SIMD_VEC_CLIP_H

#include "clip/layout.h"
#include "simd/vec/vec.h"

/* Returns the address `offset` bytes behind p. */
V_INLINE float *v_at(char *p, size_t offset) { return (float *)(void *)(p + offset); }

#endif
