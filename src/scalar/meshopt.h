/* meshopt: the quaternion filter of EXT_meshopt_compression. Three int16 are the components after the
 * largest, in cyclic order. The fourth is the scale, with the largest's index as its two low bits. */
#ifndef QUATSIMD_SCALAR_MESHOPT_H
#define QUATSIMD_SCALAR_MESHOPT_H

#include "scalar/code.h"

static inline code scalar_pack_meshopt(int bits, quat q, float n2) {
  const int largest = largest_component(q);
  const uint32_t max = (1u << (bits - 1)) - 1;
  float k = ((float)max * QUATSIMD_SQRT2) / quatsimd_sqrtf(n2);
  if (q.v[largest] < 0) k = -k;
  code c = {(uint64_t)((max & ~3u) | (uint32_t)largest) << 48, 0};
  for (int i = 0; i < 3; i++) /* a code is at most max + 0.01 before rounding */
    c.lo |= (uint64_t)((uint32_t)round_half_away(q.v[(largest + 1 + i) & 3] * k) & 0xffffu) << 16 * i;
  return c;
}

/* Needs no number of bits, because the word contains the scale. */
static inline quat scalar_unpack_meshopt(code c) {
  const int largest = (int)(c.lo >> 48 & 3);
  const float quantum = QUATSIMD_SQRT_HALF / (float)sign_extend(c.lo >> 48 | 3, 16);
  float v[3];
  for (int i = 0; i < 3; i++) v[i] = (float)sign_extend(c.lo >> 16 * i, 16) * quantum;
  const float s = (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2];
  if (s > 1) return scalar_identity;
  quat q;
  q.v[largest] = quatsimd_sqrtf(1 - s);
  for (int i = 0; i < 3; i++) q.v[(largest + 1 + i) & 3] = v[i];
  return q;
}

/* Converts a word of meshopt to a word of snorm16x4, the format in which glTF loaders store rotations. */
static inline code meshopt_shorts(code c) {
  const quat q = scalar_unpack_meshopt(c);
  code out = {0, 0};
  for (int i = 0; i < 4; i++)
    out.lo |= (uint64_t)((uint32_t)round_half_away(q.v[i] * 32767) & 0xffffu) << 16 * i;
  return out;
}

#endif
