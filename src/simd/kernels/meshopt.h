#ifndef QUATSIMD_SIMD_KERNEL_MESHOPT_H
#define QUATSIMD_SIMD_KERNEL_MESHOPT_H

#include "simd/kernels/snorm16x4.h"

/* Selects by the index of the largest component. `upper` and `odd` are the bits of this index. */
V_INLINE vf meshopt_by_index(vm upper, vm odd, vf if_0, vf if_1, vf if_2, vf if_3) {
  return v_select(upper, v_select(odd, if_3, if_2), v_select(odd, if_1, if_0));
}

V_INLINE vcode pack_meshopt(int bits, vq q, vf n2) {
  const vlargest s = v_sort_largest(q);
  const int32_t max = (1 << (bits - 1)) - 1;
  const vf k = v_flip(reciprocal_sqrt((float)max * QUATSIMD_SQRT2, n2), s.largest);
  const vi index = index_of(s), index_at_top = v_shl(index, 30);
  const vm upper = v_top(index_at_top), odd = v_second(index_at_top);
  const vf d0 = meshopt_by_index(upper, odd, q.y, q.z, q.w, q.x),
           d1 = meshopt_by_index(upper, odd, q.z, q.w, q.x, q.y);
  const vf d2 = meshopt_by_index(upper, odd, q.w, q.x, q.y, q.z);
  return code_of_four(v_round_half_away(v_mul(d0, k)), v_round_half_away(v_mul(d1, k)),
                      v_round_half_away(v_mul(d2, k)), v_or(v_seti(max & ~3), index));
}

/* An unpacked code. d0, d1, d2: the components behind the largest one, in cyclic order. s: the sum of their
 * squares. index: that of the largest component, with the scale in higher bits. */
typedef struct meshopt_parts {
  vf d0, d1, d2, s;
  vi index;
} meshopt_parts;

V_INLINE meshopt_parts meshopt_split(vcode c) {
  const vi index = v_sar(c.w[1], 16);
  const vf quantum = v_div(v_set(QUATSIMD_SQRT_HALF), v_float(v_or(index, v_seti(3))));
  const vf d0 = v_mul(v_float(v_sar(v_shl(c.w[0], 16), 16)), quantum),
           d1 = v_mul(v_float(v_sar(c.w[0], 16)), quantum);
  const vf d2 = v_mul(v_float(v_sar(v_shl(c.w[1], 16), 16)), quantum);
  return (meshopt_parts){d0, d1, d2, sum_of_squares(d0, d1, d2), index};
}

V_INLINE vq unpack_meshopt(vcode c) {
  const meshopt_parts p = meshopt_split(c);
  const vi index_at_top = v_shl(p.index, 30);
  const vf one = v_set(1), largest = v_sqrt(v_sub(one, p.s));
  const vm upper = v_top(index_at_top), odd = v_second(index_at_top);
  const vq q = {meshopt_by_index(upper, odd, largest, p.d2, p.d1, p.d0),
                meshopt_by_index(upper, odd, p.d0, largest, p.d2, p.d1),
                meshopt_by_index(upper, odd, p.d1, p.d0, largest, p.d2),
                meshopt_by_index(upper, odd, p.d2, p.d1, p.d0, largest)};
  return identity_if_invalid(v_le(p.s, one), q);
}

V_INLINE vi meshopt_short(vf component) { return v_round_half_away(v_mul(component, v_set(32767))); }

/* Unpacks to the shorts of snorm16x4. It rotates the four numbers d0, d1, d2, largest until the largest one
 * is at its index. */
V_INLINE vcode meshopt_shorts(vcode c) {
  const meshopt_parts p = meshopt_split(c);
  const vi low = v_seti(0xffff);
  const vf one = v_set(1);
  const vm valid = v_le(p.s, one);
  const vi w0 = v_or(v_and(meshopt_short(p.d0), low), v_shl(meshopt_short(p.d1), 16));
  const vi w1 = v_or(v_and(meshopt_short(p.d2), low), v_shl(meshopt_short(v_sqrt(v_sub(one, p.s))), 16));

  /* odd: index 1 or 3; swap: index 1 or 2 */
  const vm odd = v_top(v_shl(p.index, 31)), swap = v_top(v_xor(v_shl(p.index, 31), v_shl(p.index, 30)));
  const vi turned0 = v_selecti(odd, w0, v_or(v_shl(w0, 16), v_shr(w1, 16)));
  const vi turned1 = v_selecti(odd, w1, v_or(v_shl(w1, 16), v_shr(w0, 16)));
  return (vcode){{v_selecti(valid, v_selecti(swap, turned1, turned0), v_seti(0)),
                  v_selecti(valid, v_selecti(swap, turned0, turned1), v_seti(32767 << 16))}};
}

#endif
