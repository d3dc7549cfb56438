/* The contract of the vector layer. Each vec_<isa>.h implements what is listed here and nothing else, as
 * static inline functions with the same bits for the same input; kernels are written against this list alone.
 *
 * Types      vf: V_LANES floats, vi: V_LANES 32-bit integers, vm: one truth value per lane.
 * Exactness  v_add v_sub v_mul v_div v_sqrt: IEEE, round to nearest even, never fused.
 * Comparison v_gt v_ge v_le: false if a lane is NaN. v_lti: signed. v_eqi.
 * v_both v_either  and, or of truth values.
 * v_max      a > b ? a : b (so b for NaN); v_min a < b ? a : b.
 * v_select(m, a, b) m ? a : b, bit for bit; v_selecti the same for integers. v_all(m): every lane true.
 * v_keep(m, a)      m ? a : +0
 * v_top(a)   lanes whose top bit is set; good for v_select, v_selecti, v_both and v_either alone.
 * v_round    nearest integer, halves to even; v_trunc toward zero; |argument| < 2^31.
 * v_rint     the nearest integer as a float, halves to even, |argument| < 2^31; the sign of zero is not
 *            given.
 * v_float    exact for |integer| <= 2^24.
 * v_quarters(a, n)  the two bits n and n + 1 of a, as a signed number, times 1/4.
 * v_shl v_shr v_sar by a count common to all lanes; v_shl and v_shr give 0 for counts of 32 and more.
 * v_bits v_from_bits  reinterpret.
 * v_half, v_from_half IEEE binary16 in the low 16 bits (upper bits 0), halves to even; v_half for |x| <
 * 65504, bits
 *            independent of denormal modes; v_from_half exact, NaN stays some NaN.
 *
 * Memory. No alignment is needed; nothing outside the described bytes is touched, but where it says so.
 * v_load / v_store             V_LANES floats.
 * v_load_aos / v_store_aos     V_LANES quaternions to or from x, y, z, w vectors, whose lanes are in "aos
 *                              order";
 * v_load_strided / v_store_strided   the same with a step in bytes.
 * v_load_aos3 / v_store_aos3   V_LANES vectors of three floats, in aos order too.
 * v_to_aos_order / v_from_aos_order  permute integer lanes from and to the order of the array. The order is
 *                                    the
 *            one that needs the fewest shuffles around a 4x4 transpose within 128 bits; only codes are
 *            permuted.
 * v_load_u24 v_load_u32 v_load_u48 v_load_u64 and v_store_...: V_LANES little-endian words <-> code.
 * v_load_pairs v_store_pairs    the same as v_load_u64 and v_store_u64, but in any order, if it is the same
 *                               for both.
 * v_gather(p, step, last)      lane i is the 32-bit word at p + min(i, last) * step: for arrays shorter than
 *                              a vector,
 *            without a detour through memory that would stall on the stores before it.
 *
 * Bit-packed arrays go in groups of V_GROUP = max(8, V_LANES) elements, a group of n-bit elements being
 * V_GROUP / 8 * n bytes; V_PARTS = V_GROUP / V_LANES vectors. See bits.h for the plan.
 * v_load_fields(p, plan, f)    f[part].w[0..3] = fields c, b, a, L justified to the top of 32 bits, junk
 *                              below. Reads up
 *            to V_OVERREAD bytes behind the group.
 * v_store_bits(p, plan, c)     elements from c[part].w[0] (low) and w[1] (high). Writes up to V_OVERREAD
 *                              bytes behind the
 *            group, to be overwritten by the next. */
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

#if defined(__GNUC__)
#define V_INLINE static inline __attribute__((always_inline))
#else
#define V_INLINE static __forceinline
#endif

enum { V_OVERREAD = 16 };

/* Lane i of v_gather. */
V_INLINE int32_t v_gathered(const unsigned char *p, size_t step, size_t last, size_t i) {
  int32_t word;
  memcpy(&word, p + (i < last ? i : last) * step, 4);
  return word;
}

/* offset bytes behind p. */
V_INLINE float *v_at(char *p, size_t offset) { return (float *)(void *)(p + offset); }

/* What an instruction set's header defines on top of its types: these two are made of them. */
#define V_DERIVED_TYPES                                                                                      \
  typedef struct vq { /* quaternions, or any four components */                                              \
    vf x, y, z, w;                                                                                           \
  } vq;                                                                                                      \
  typedef struct v3 {                                                                                        \
    vf x, y, z;                                                                                              \
  } v3;                                                                                                      \
  typedef struct vcode { /* one packed element per lane, low word first; only as many words as it has */     \
    vi w[4];                                                                                                 \
  } vcode;

#endif
