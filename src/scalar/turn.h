/* Rotations of clips, one at a time: docs/clip-format.md as code. Sampling one joint uses this code, too. */
#ifndef QUATSIMD_SCALAR_TURN_H
#define QUATSIMD_SCALAR_TURN_H

#include "clip/kernels.h"
#include "scalar/product.h"

/* Returns the quaternion (2 v, 1 - |v|^2) of a base's vector v. Its length is 1 + |v|^2. */
QUATSIMD_INLINE quat base_of(const unsigned char *p) {
  const uint32_t word = load_u32(p);
  float v[CLIP_AXES];
  for (int a = 0; a < CLIP_AXES; a++)
    v[a] = (float)((int32_t)(word >> 10 * a & 1023) - CLIP_BASE_HALF) / CLIP_BASE_HALF;
  return (quat){{2 * v[0], 2 * v[1], 2 * v[2], 1 - ((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2])}};
}

/* Returns the quaternion, of length (1 + m) / 2, of a Cayley vector v. m is the squared length of v. */
QUATSIMD_INLINE quat cayley_key(const float v[CLIP_AXES], float *m) {
  *m = (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2];
  return (quat){{v[0], v[1], v[2], (1 - *m) * 0.5f}};
}

/* Interpolates two keys by the weights that clip_weights explains. */
QUATSIMD_INLINE quat between(quat a, float a_m, quat b, float b_m, quatsimd_clip_weights w) {
  const float d = dot_product(a, b), of_a = w.other * b_m + 1, of_b = 1 + a_m, signed_c = d / (of_b * of_a),
              same_way = signed_c + CLIP_HALF_TURN;
  const float second = clip_second(&w, same_way < 0 ? -signed_c : signed_c);
  return weighted_sum(a, b, same_way, (w.whole - second) * of_a, second * of_b);
}

/* Computes left q right, or q right if left is null, normalised. */
QUATSIMD_INLINE void turn_by_bases(float to[4], quat q, const quat *left, quat right) {
  float_multiply(q.v, q, right);
  if (left) float_multiply(q.v, *left, q);
  q = scaled(q, 1 / quatsimd_sqrtf(norm2(q)));
  for (int c = 0; c < 4; c++) to[c] = q.v[c] + 0.0f; /* turns -0 into 0, as without_minus_zero does */
}

#endif
