/* The contract of the vector layer: all operations. They let kernels be written once for all instruction
 * sets. Each vec_<isa>.h implements these and no others, as static inline functions. The same input gives the
 * same bits in all headers, for v_half and v_from_half even in different denormal modes.
 * scripts/vector_layer.py compares the headers' names and types with this list. Operations for clips: clip.h.
 *
 * A vec_<isa>.h also defines V_LANES, 4, 8 or 16; V_GROUP, the number of elements of bit-packed arrays that
 * are worked on at a time: 8, or V_LANES if that is more; D_LANES, V_LANES / 2; and V_SLOW_ALL, 1 where
 * v_all takes long, so that loops of algebra.h call it once, at their end, else 0.
 *
 * Types. vf: V_LANES floats. vi: V_LANES 32-bit integers, which wrap round. vm: a truth value per lane. vq:
 * four vf. v3: three vf. vcode: four vi, one for each word of a code, the lowest word first; operations leave
 * out those for which the code has no word. vd: D_LANES doubles. vdm: a truth value per lane of vd.
 *
 * "Not given": the result in a lane with such an input may differ between instruction sets. Kernels replace
 * it or never use it.
 *
 * ---- floats: results rounded once, to nearest even, never fused; NaN, of any bits, if an input is NaN ----
 *   vf v_set(float a)              a in every lane.
 *   vf v_add(vf a, vf b)
 *   vf v_sub(vf a, vf b)
 *   vf v_mul(vf a, vf b)
 *   vf v_div(vf a, vf b)
 *   vf v_sqrt(vf a)                -0 gives -0, other a below 0 give NaN.
 *   vf v_max(vf a, vf b)           a > b ? a : b: b if a or b is NaN; if both are 0, the sign is not given.
 *   vf v_min(vf a, vf b)           a < b ? a : b, with the rules of v_max.
 *   vf v_abs(vf a)                 the sign bit cleared, that of NaN, too.
 *   vf v_flip(vf a, vf b)          a, its sign bit flipped where that of b is set, as it is in -0.
 *   vm v_larger(vf a, vf b, vf *larger)
 *                                  |a| > |b|, and the larger of the magnitudes; not given for NaN.
 *
 * ---- integers ----
 *   vi v_seti(int32_t a)           a in every lane.
 *   vi v_addi(vi a, vi b)
 *   vi v_subi(vi a, vi b)
 *   vi v_and(vi a, vi b)
 *   vi v_or(vi a, vi b)
 *   vi v_xor(vi a, vi b)
 *   vi v_shl(vi a, int n)          left, all lanes by n, 0 to 63; the result is 0 from n = 32 on.
 *   vi v_shr(vi a, int n)          right, by n as in v_shl, with zeros from above.
 *   vi v_sar(vi a, int n)          right, with copies of the sign from above; n up to 32.
 *   vi v_join(vi low, vi high, int n)
 *                                  the low n bits of `low`, and above them `high`; n from 1 to 31.
 *
 * ---- from floats to integers, and back ----
 *   vi v_bits(vf a)                the same bits.
 *   vf v_from_bits(vi a)
 *   vi v_round(vf a)               nearest integer, halves to even; not given for NaN, and for |a| >= 2^31.
 *   vi v_trunc(vf a)               integer toward zero; not given for NaN, and for |a| >= 2^31.
 *   vf v_float(vi a)               rounded to nearest even, so exact for |a| <= 2^24.
 *   vf v_rint(vf a)                v_round as a float; |a| < 2^31. The sign of a zero is not given.
 *   vf v_quarters(vi a, int n)     the two bits n and n + 1, n up to 30, as a number from -2 to 1, times 1/4.
 *   vi v_half(vf a)                IEEE binary16 in the low 16 bits, halves to even, upper bits 0, whatever
 *                                  the denormal mode; not given for NaN, and for |a| >= 65520.
 *   vi v_halves(vf a, vf b)        v_half(a), and v_half(b) in the upper 16 bits.
 *   vf v_from_half(vi h)           the low 16 bits, an IEEE binary16; exact, infinity too, in any denormal
 *                                  mode; NaN becomes some NaN.
 *
 * ---- truth; comparisons are IEEE: false where an input is NaN, and -0 equals 0 ----
 *   vm v_gt(vf a, vf b)
 *   vm v_ge(vf a, vf b)
 *   vm v_le(vf a, vf b)
 *   vm v_ordered(vf a, vf b)       neither is NaN.
 *   vm v_ordered3(vf a, vf b, vf c)
 *   vm v_ordered4(vf a, vf b, vf c, vf d)
 *   vm v_lti(vi a, vi b)           a < b, signed.
 *   vm v_eqi(vi a, vi b)
 *   vm v_top(vi a)                 the top bit; only for v_select, v_selecti, v_both and v_either.
 *   vm v_both(vm a, vm b)          a and b.
 *   vm v_either(vm a, vm b)        a or b.
 *   vm v_second(vi a)              the bit below the top bit; only for the same.
 *   bool v_all(vm a)               true if every lane is.
 *   vi v_count(vm a, vm b, vm c)   how many of a, b and c are true; none is of v_top or v_second.
 *   vi v_with_count(vi code, vm a, vm b, vm c, int n)
 *                                  v_count(a, b, c) in bits n and n + 1 of a code that has zeros there.
 *   vf v_select(vm m, vf a, vf b)  m ? a : b, bit for bit.
 *   vi v_selecti(vm m, vi a, vi b)
 *   vf v_keep(vm m, vf a)          m ? a : +0, bit for bit.
 *
 * ---- doubles: results rounded once, to nearest even, never fused; NaN if an input is NaN ----
 *   vd d_set(double a)             a in every lane.
 *   vd d_load(const float *p)      D_LANES floats, exact.
 *   void d_store(float *p, vd a)   rounded to floats. NaNs of different origin differ in their bits between
 *                                  CPUs: 0x7fc00000 is stored for all.
 *   vd d_float(vd a)               rounded to float.
 *   vd d_add(vd a, vd b)
 *   vd d_sub(vd a, vd b)
 *   vd d_mul(vd a, vd b)
 *   vd d_div(vd a, vd b)
 *   vd d_sqrt(vd a)
 *   vd d_abs(vd a)                 the sign bit cleared.
 *   vd d_negated(vd a)             the sign bit flipped.
 *   vd d_flip(vd a, vd b)          a, its sign bit flipped where that of b is set, as it is in -0.
 *   vdm d_gt(vd a, vd b)
 *   vdm d_ge(vd a, vd b)
 *   vdm d_eq(vd a, vd b)
 *   vdm d_top(vd a)                the top bit; only for d_select.
 *   vdm d_both(vdm a, vdm b)
 *   vdm d_either(vdm a, vdm b)
 *   bool d_any(vdm a)              true if any lane is.
 *   vd d_select(vdm m, vd a, vd b) m ? a : b, bit for bit.
 *
 * ---- memory: no alignment is needed; no byte is read or written but those said ----
 * "aos order": the order of lanes that takes the fewest shuffles around 4x4 transposes within 128 bits.
 * Kernels keep quaternions in this order from loading to storing. Only codes are permuted.
 *   vf v_load(const float *p)      V_LANES floats.
 *   void v_store(float *p, vf a)
 *   vq v_load_aos(const float *p)  V_LANES quaternions x, y, z, w, one behind the other; in aos order.
 *   void v_store_aos(float *p, vq q)
 *   vq v_load_strided(const float *p, size_t stride)
 *                                  the same, each quaternion `stride` bytes behind the one before.
 *   void v_store_strided(float *p, size_t stride, vq q)
 *   v3 v_load_aos3(const float *p) V_LANES times three floats, one behind the other; in aos order.
 *   void v_store_aos3(float *p, v3 v)
 *   void v_load_aos8(const float *p, vq q[2])
 *                                  V_LANES times eight floats, four of them to each q; in aos order.
 *   void v_store_aos8(float *p, const vq q[2])
 *   void v_store_aos12(float *p, const vq q[3])
 *   void v_store_aos16(float *p, const vq q[4])
 *   vi v_to_aos_order(vi a)        lanes from the order of the array to aos order.
 *   vi v_from_aos_order(vi a)      lanes back to the order of the array.
 *
 * The next operations load or store V_LANES little-endian words, word i in lane i. The name has the bits of a
 * word. If c has more bits than the word, the upper ones are loaded as 0, and must be 0 when stored.
 *   vcode v_load_u24(const unsigned char *p)
 *   vcode v_load_u32(const unsigned char *p)
 *   vcode v_load_u48(const unsigned char *p)
 *   vcode v_load_u64(const unsigned char *p)
 *   void v_store_u24(unsigned char *p, vcode c)
 *   void v_store_u32(unsigned char *p, vcode c)
 *   void v_store_u48(unsigned char *p, vcode c)
 *   void v_store_u64(unsigned char *p, vcode c)
 *   vcode v_load_pairs(const unsigned char *p)
 *                                  as v_load_u64, but lanes are in an order that v_store_pairs undoes.
 *   void v_store_pairs(unsigned char *p, vcode c)
 *   vi v_gather(const unsigned char *p, size_t stride, size_t last)
 *                                  lane i is the 32-bit word at p + min(i, last) * stride. For arrays shorter
 *                                  than a vector: copying these to memory and loading a vector from there
 *                                  would wait for the copy's stores.
 *
 * Bit-packed arrays, V_GROUP elements of n bits at a time, which are V_GROUP / 8 * n bytes, in V_PARTS =
 * V_GROUP / V_LANES vectors; lane i of part k is element V_LANES k + i. The plan of a width is in bit_plan.h.
 *   void v_load_fields(const unsigned char *p, const bit_plan *plan, vcode f[V_PARTS])
 *                                  f[part].w[0..3] = fields c, b, a, L at the top of 32 bits, junk below.
 *                                  Reads up to V_OVERREAD bytes behind the group.
 *   void v_store_bits(unsigned char *p, const bit_plan *plan, const vcode c[V_PARTS])
 *                                  an element is in c[part].w[0], its low word, and w[1]; bits above n are 0.
 *                                  Writes up to V_OVERREAD bytes more, which the next group overwrites. */
#ifndef QUATSIMD_SIMD_VEC_H
#define QUATSIMD_SIMD_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/arithmetic.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the vector kernels are for little-endian machines; others use the scalar ones"
#endif

#define V_INLINE QUATSIMD_INLINE

enum { V_OVERREAD = 16 };

/* Returns lane i of v_gather. */
V_INLINE int32_t v_gathered(const unsigned char *p, size_t stride, size_t last, size_t i) {
  int32_t word;
  memcpy(&word, p + (i < last ? i : last) * stride, 4);
  return word;
}

/* Each instruction set's header defines these types on top of its own vf and vi. */
#define V_DERIVED_TYPES                                                                                      \
  typedef struct vq { /* quaternions, or any four components */                                              \
    vf x, y, z, w;                                                                                           \
  } vq;                                                                                                      \
  typedef struct v3 {                                                                                        \
    vf x, y, z;                                                                                              \
  } v3;                                                                                                      \
  typedef struct vcode { /* one packed element per lane, low word first; other words are unset */            \
    vi w[4];                                                                                                 \
  } vcode;

#endif
