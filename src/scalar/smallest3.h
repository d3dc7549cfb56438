/* smallest3 and mirage with `bits` bits per component, bit-packed or as words. */
#ifndef QUATSIMD_SCALAR_SMALLEST3_H
#define QUATSIMD_SCALAR_SMALLEST3_H

#include "scalar/code.h"

/* Before rounding, a code is at most m + 0.3 for m = 2^(bits - 1) - 1, so it needs no clamp. */
static inline code scalar_pack_smallest3(int bits, quat q, float n2) {
  const int largest = largest_component(q);
  float k = QUATSIMD_SMALLEST3_QUANTA(bits) / quatsimd_sqrtf(n2);
  if (q.v[largest] < 0) k = -k;
  uint64_t word = (uint64_t)largest;
  for (int i = 0; i < 4; i++)
    if (i != largest) word = word << bits | ((uint32_t)round_half_even(q.v[i] * k) & ((1u << bits) - 1));
  return (code){word, 0};
}

static inline quat scalar_unpack_smallest3(int bits, code c) {
  float v[3];
  for (int i = 0; i < 3; i++)
    v[i] = (float)sign_extend(c.lo >> (2 - i) * bits, bits) * QUATSIMD_SMALLEST3_QUANTUM(bits);
  return with_derived_largest((int)(c.lo >> 3 * bits & 3), v);
}

/* Mirage stores 3 - L in place of the index L of the largest component: L with both bits inverted. */
static inline code scalar_pack_mirage(int bits, quat q, float n2) {
  code c = scalar_pack_smallest3(bits, q, n2);
  c.lo ^= (uint64_t)3 << 3 * bits;
  return c;
}

static inline quat scalar_unpack_mirage(int bits, code c) {
  c.lo ^= (uint64_t)3 << 3 * bits;
  return scalar_unpack_smallest3(bits, c);
}

/* unpack_smallest3_word takes words. So does unpack_smallest3 here, but in simd/kernels/ it takes fields. */
#define scalar_unpack_smallest3_word scalar_unpack_smallest3

#endif
