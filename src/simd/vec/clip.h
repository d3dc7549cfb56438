/* The contract of the vector layer for clips and for matrices of poses: the operations beyond vec.h, for
 * layers with 4 or 8 lanes. Each vec_clip_<isa>.h implements these and no others; scripts/vector_layer.py
 * compares them with this list. Curves come in groups of eight. `first` is the number of lane 0's curve in
 * its group: 0 with eight lanes, 0 or 4 with four. Lanes are in the order of the array. No address needs
 * alignment.
 *   vi v_loadi(const void *p)      V_LANES 32-bit integers.
 *   void v_storei(void *p, vi a)
 *   vi v_multiply_pairs(vi a, vi b)
 *                                  in each lane, the product of the low 16 bits of a and of b, signed, plus
 *                                  the product of their high 16 bits. The sum wraps round if all four numbers
 *                                  are -32768.
 *   int32_t v_sum(vi a)            the sum of all lanes. It wraps round.
 *   vi v_load_bytes(const unsigned char *p)
 *                                  V_LANES bytes, as integers.
 *   vi v_nibbles(uint32_t nibbles, int first)
 *                                  the low four bits of lane i are nibble first + i of `nibbles`, counted
 *                                  from 0 at the low end. The lane's other bits may be anything.
 *   vf v_look_up(const float table[16], vi index)
 *                                  in each lane, table[the low four bits of index].
 *   void v_load_channel(vi *channel, const unsigned char *p, uint8_t profile)
 *                                  the 16 coefficients of the channel at p, see clip/layout.h, in order,
 *                                  in 8 / V_LANES vectors; reads up to CLIP_OVERREAD bytes more.
 *   const unsigned char *v_load_coefficients(vi pair[8], const unsigned char *p, const uint8_t *profile)
 *                                  lane i has the channel with profile[i], see clip/layout.h; the V_LANES
 *                                  channels lie one behind the other from p on. Each lane of pair[k] has
 *                                  coefficient 2k in its low half and 2k + 1 in its high half. Returns the
 *                                  channels' end; reads up to CLIP_OVERREAD bytes behind that end.
 *   const unsigned char *v_products(vi sum[2], const unsigned char *p, const uint8_t *profile, const vi *row)
 *                                  for the channels of v_load_coefficients: lane i of sum[k] is the sum of
 *                                  the products of channel i's coefficients with the 16 16-bit integers of
 *                                  row k. The sum wraps round. Row 0 is the first 8 / V_LANES vectors of
 *                                  `row`, row 1 the next ones. Returns and reads as v_load_coefficients does.
 *   vi v_load_knots(const unsigned char *p, unsigned width, int first)
 *                                  eight signed fields of `width` bits, 0 to CLIP_KNOT_BITS, lie one behind
 *                                  the other from bit 0 of p on, low bits first. Lane i is field first + i,
 *                                  or 0 if width is 0. Reads up to CLIP_OVERREAD bytes behind the last field.
 *   void v_store_each(char *to, const size_t *offset, vq q)
 *                                  lane i's x, y, z, w as four floats at to + offset[i]; lane 0 is the last
 *                                  one stored, so that lanes without a curve may go where lane 0 goes.
 *
 * ---- lines of matrices: a line is four adjacent lanes, from lane 0 or 4 on ----
 *   vf v_load_line(const float *p) the same four floats in each line.
 *   void v_store_line(float *p, vf a)
 *                                  the first line.
 *   vq v_each(vf a)                in all lanes of a line of x, y, z and w, the first, second, third and
 *                                  fourth lane of the same line of a.
 *   vf v_each_from(vf a, int i)    in all lanes of the first line, lane i of a; of the second, lane i + 1 of
 *                                  a's second line. i: 0 to 3; with two lines 0 or 2. */
#ifndef QUATSIMD_SIMD_VEC_CLIP_H
#define QUATSIMD_SIMD_VEC_CLIP_H

#include "clip/layout.h"
#include "simd/vec/vec.h"

V_INLINE float *v_at(char *p, size_t offset) { return (float *)(void *)(p + offset); }

#endif
