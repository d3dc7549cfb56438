/* The functions that all kernels of clips share. */
#ifndef QUATSIMD_SIMD_KERNEL_CLIP_MATH_H
#define QUATSIMD_SIMD_KERNEL_CLIP_MATH_H

#include "clip/kernels.h"
#include "simd/kernels/common.h"

enum { PARTS = CLIP_GROUP / V_LANES };

/* Computes clip_unit for V_LANES curves, from number h on. */
V_INLINE vf units_of(float unit, const unsigned char *exponents, int h) {
  const vi e = v_load_bytes(exponents + h);
  const vf power = v_from_bits(v_shl(v_subi(v_seti(127), v_shr(e, 4)), 23));
  return v_mul(v_mul(v_set(unit), v_look_up(quatsimd_clip_sixteenth, e)), power);
}
V_INLINE vf quanta_of(uint32_t codes, vf units, float norm, int h) {
  return v_mul(v_mul(v_look_up(quatsimd_clip_quantum, v_nibbles(codes, h)), units), v_set(norm));
}
/* Unpacks each base, a vector v, to the quaternion (2 v, 1 - |v|^2). Its length is 1 + |v|^2. */
V_INLINE vq base_of(vi w) {
  const vi half = v_seti(CLIP_BASE_HALF), mask = v_seti(1023);
  const vf quantum = v_set(1.0f / CLIP_BASE_HALF);
  const vf x = v_mul(v_float(v_subi(v_and(w, mask), half)), quantum),
           y = v_mul(v_float(v_subi(v_and(v_shr(w, 10), mask), half)), quantum);
  const vf z = v_mul(v_float(v_subi(v_and(v_shr(w, 20), mask), half)), quantum);
  return (vq){v_add(x, x), v_add(y, y), v_add(z, z),
              v_sub(v_set(1), v_add(v_add(v_mul(x, x), v_mul(y, y)), v_mul(z, z)))};
}

/* Adds `sum` quanta to the line between two knots. */
V_INLINE vf off_line(vf knot, vf next, const quatsimd_clip_row *row, vf knot_quantum, vf quantum, vi sum) {
  const vf line = v_add(v_mul(knot, v_set(row->before)), v_mul(next, v_set(row->after)));
  return v_add(v_mul(line, knot_quantum), v_mul(v_float(sum), quantum));
}

/* The quaternion, of length (1 + m) / 2, of a Cayley vector. m is the squared length of the vector. */
typedef struct vkey {
  vq q;
  vf m;
} vkey;
V_INLINE vkey cayley_key(v3 v) {
  const vf m = v_add(v_add(v_mul(v.x, v.x), v_mul(v.y, v.y)), v_mul(v.z, v.z));
  return (vkey){{v.x, v.y, v.z, v_mul(v_sub(v_set(1), m), v_set(0.5f))}, m};
}
/* Interpolates between two keys, see quatsimd_clip_weights. No value is NaN, so sign bits tell signs. */
V_INLINE vq between(vkey a, vkey b, quatsimd_clip_weights w) {
  const vf d = dot_product(a.q, b.q), of_a = v_add(v_mul(v_set(w.other), b.m), v_set(1)),
           of_b = v_add(v_set(1), a.m), signed_c = v_div(d, v_mul(of_b, of_a));
  const vi sign = v_and(v_bits(v_add(signed_c, v_set(CLIP_HALF_TURN))), v_seti(INT32_MIN));
  const vf c = v_from_bits(v_xor(v_bits(signed_c), sign));
  vf turn = v_set(w.turn[3]);
  for (int i = 2; i >= 0; i--) turn = v_add(v_mul(turn, c), v_set(w.turn[i]));
  const vf second = v_add(v_set(w.t), v_mul(v_sub(v_set(0.25f), c), turn)),
           first = v_mul(v_sub(v_set(w.whole), second), of_a),
           of_next = v_from_bits(v_xor(v_bits(v_mul(second, of_b)), sign));
  return (vq){
      v_add(v_mul(a.q.x, first), v_mul(b.q.x, of_next)), v_add(v_mul(a.q.y, first), v_mul(b.q.y, of_next)),
      v_add(v_mul(a.q.z, first), v_mul(b.q.z, of_next)), v_add(v_mul(a.q.w, first), v_mul(b.q.w, of_next))};
}

/* Turns -0 into 0. Else the sign of a zero could depend on a key whose weight is 0. */
V_INLINE vq without_minus_zero(vq q) {
  const vf none = v_set(0);
  return (vq){v_add(q.x, none), v_add(q.y, none), v_add(q.z, none), v_add(q.w, none)};
}

V_INLINE vq normalised(vq q) { return without_minus_zero(scaled(q, reciprocal_sqrt(1, norm2(q)))); }

#endif
