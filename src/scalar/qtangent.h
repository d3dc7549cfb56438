/* QTangents, one element at a time: see simd/kernels/qtangent.h. */
#ifndef QUATSIMD_SCALAR_QTANGENT_H
#define QUATSIMD_SCALAR_QTANGENT_H

#include "scalar/algebra.h"

typedef struct vector {
  float v[3];
} vector;

static float inner_product(vector a, vector b) {
  return (a.v[0] * b.v[0] + a.v[1] * b.v[1]) + a.v[2] * b.v[2];
}
static vector scaled_vector(vector a, float s) { return (vector){{a.v[0] * s, a.v[1] * s, a.v[2] * s}}; }
static vector outer(vector a, vector b) {
  return (vector){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                   a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}
static vector across(vector a, vector n) {
  const float along = inner_product(a, n);
  for (int i = 0; i < 3; i++) a.v[i] -= n.v[i] * along;
  return a;
}

/* Computes a matrix's columns: tangent, bitangent, normal. Returns false if it replaced an input. */
static bool tangent_axes(vector m[3], vector n, vector t) {
  const float n2 = inner_product(n, n), t2 = inner_product(t, t);
  const bool n_ok = valid_norm2(n2);
  n = n_ok ? scaled_vector(n, 1 / quatsimd_sqrtf(n2)) : (vector){{0, 0, 1}};
  vector u = across(t, n);
  const bool u_ok = valid_norm2(t2) && inner_product(u, u) >= t2 * QUATSIMD_PARALLEL2;
  if (!u_ok)
    u = magnitude_of(n.v[0]) > magnitude_of(n.v[2]) ? (vector){{-n.v[1], n.v[0], 0}}
                                                    : (vector){{0, -n.v[2], n.v[1]}};
  u = across(scaled_vector(u, 1 / quatsimd_sqrtf(inner_product(u, u))), n);
  m[0] = u, m[1] = outer(n, u), m[2] = n;
  return n_ok && u_ok;
}

static void quaternion_of_axes(float out[4], const vector m[3]) {
  float rows[3][3];
  for (int i = 0; i < 9; i++) rows[i / 3][i % 3] = m[i % 3].v[i / 3];
  memcpy(out, float_from_rows(rows).v, sizeof(quat));
}

/* Returns false if the bitangent gives no handedness; *handedness is then 1. */
static bool axes_handedness(float *handedness, const vector m[3], vector bitangent) {
  const float b2 = inner_product(bitangent, bitangent), along = inner_product(bitangent, m[1]);
  const bool ok = valid_norm2(b2) && along * along >= b2 * QUATSIMD_PARALLEL2;
  *handedness = ok && along < 0 ? -1 : 1;
  return ok;
}

#endif
