/* smallest3 and mirage, with `bits` bits per component, bit-packed or in words. */
#ifndef QUATSIMD_SIMD_KERNEL_SMALLEST3_H
#define QUATSIMD_SIMD_KERNEL_SMALLEST3_H

#include "simd/kernels/common.h"

V_INLINE vcode smallest3_pack(int bits, int index_flip, vq q, vf n2) {
  const vlargest s = v_sort_largest(q);
  const vf k = v_flip(reciprocal_sqrt(QUATSIMD_SMALLEST3_QUANTA(bits), n2), s.largest);
  const vi mask = v_seti((1 << bits) - 1);
  const vi a = v_and(v_round(v_mul(s.a, k)), mask), b = v_and(v_round(v_mul(s.b, k)), mask);
  const vi index_a = v_xor(with_index(a, s, bits), v_seti(index_flip << bits));
  return code_of_fields(bits, index_a, b, v_round(v_mul(s.c, k)));
}

/* Unpacks fields that are at the top of their lanes. The bits below them may be anything, and are cleared.
 * Fields are then integers times a power of two, which changes no rounding. */
V_INLINE vq smallest3_unpack(int bits, vi a_top, vi b_top, vi c_top, vi index_top) {
  const int32_t unit = (int32_t)(1u << (32 - bits));
  const vf quantum = v_set(QUATSIMD_SMALLEST3_QUANTUM(bits) / (float)unit);
  const vi field = v_seti(-unit);
  const vf a = v_mul(v_float(v_and(a_top, field)), quantum), b = v_mul(v_float(v_and(b_top, field)), quantum);
  const vf c = v_mul(v_float(v_and(c_top, field)), quantum);
  return derive_largest(index_top, a, b, c);
}

V_INLINE vq unpack_smallest3_word(int bits, vcode code) {
  return smallest3_unpack(bits, field_of_word(code, 2 * bits, bits), field_of_word(code, bits, bits),
                          field_of_word(code, 0, bits), field_of_word(code, 3 * bits, 2));
}

/* f: the fields c, b, a and L as v_load_fields returns them. */
V_INLINE vcode pack_smallest3(int bits, vq q, vf n2) { return smallest3_pack(bits, 0, q, n2); }
V_INLINE vq unpack_smallest3(int bits, vcode f) {
  return smallest3_unpack(bits, f.w[2], f.w[1], f.w[0], f.w[3]);
}

/* Mirage stores 3 - L in place of the index L: L with both bits inverted. */
V_INLINE vcode pack_mirage(int bits, vq q, vf n2) { return smallest3_pack(bits, 3, q, n2); }
V_INLINE vq unpack_mirage(int bits, vcode f) {
  return smallest3_unpack(bits, f.w[2], f.w[1], f.w[0], v_xor(f.w[3], v_seti((int32_t)0xc0000000)));
}

#endif
