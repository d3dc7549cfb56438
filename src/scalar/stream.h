/* One element at a time: see simd/kernels/stream.h. */
#ifndef QUATSIMD_SCALAR_STREAM_H
#define QUATSIMD_SCALAR_STREAM_H

#include "scalar/algebra.h"

static quat product(quat a, quat b) {
  quat q = scalar_identity;
  float_multiply(q.v, a, b);
  return q;
}
static quat conjugated(quat q) { return (quat){{-q.v[0], -q.v[1], -q.v[2], q.v[3]}}; }

static bool stream_unit(float out[4], quat q, quat other) {
  const bool valid = valid_norm2(norm2(q));
  if (valid) other = scaled(q, 1 / quatsimd_sqrtf(norm2(q)));
  memcpy(out, other.v, sizeof other.v);
  return valid;
}

static void stream_predict(float out[4], quat before, quat last) {
  const quat q = product(product(last, conjugated(before)), last);
  const float factor = 1.5f - 0.5f * norm2(q);
  for (int i = 0; i < 4; i++) out[i] = q.v[i] * factor;
}

static float arc_of(float w) {
  float r = STREAM_ARC[STREAM_ARC_TERMS - 1];
  for (int i = STREAM_ARC_TERMS - 2; i >= 0; i--) r = r * w + STREAM_ARC[i];
  return r;
}

static float nearest_of(float r, float parity) {
  return 2 * (((r - parity) * 0.5f + 0x1.8p23f) - 0x1.8p23f) + parity;
}
static float length2(const float v[3]) { return (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]; }

static void stream_residual(float out[4], bool rotation_vector, quat predicted, quat value, float per_quantum,
                            float none2) {
  const quat q = product(value, conjugated(predicted));
  const float w = magnitude_of(q.v[3]), positive = rotation_vector ? arc_of(w) : 1 / (1 + w);
  const float factor = is_negative(q.v[3]) ? -positive : positive;
  float residual[3], even[3], odd[3], to_even[3], to_odd[3];
  for (int i = 0; i < 3; i++) {
    residual[i] = q.v[i] * factor;
    const float r = residual[i] * per_quantum;
    even[i] = nearest_of(r, 0), odd[i] = nearest_of(r, 1);
    to_even[i] = r - even[i], to_odd[i] = r - odd[i];
  }
  const bool use_odd = length2(to_even) > length2(to_odd), some = length2(residual) > none2;
  for (int i = 0; i < 3; i++) out[i] = !some ? 0 : use_odd ? odd[i] : even[i];
  out[3] = (magnitude_of(out[0]) + magnitude_of(out[1])) + magnitude_of(out[2]);
}

static void stream_turn(float out[4], bool rotation_vector, quat predicted, const float point[3],
                        float quantum) {
  const float v[3] = {point[0] * quantum, point[1] * quantum, point[2] * quantum}, v2 = length2(v);
  float factor = 2, w = 1 - v2;
  if (rotation_vector) {
    const float x = v2 * 0.25f < STREAM_LONGEST ? v2 * 0.25f : STREAM_LONGEST;
    factor = polynomial5(ROTATION_HALF_SIN, x) * 0.5f, w = half_cosine(x);
  }
  quat q = product((quat){{v[0] * factor, v[1] * factor, v[2] * factor, w}}, predicted);
  q = scaled(q, 1 / quatsimd_sqrtf(norm2(q)));
  memcpy(out, q.v, sizeof q.v);
}

#endif
