/* Streams, one element at a time: see simd/kernels/stream.h. */
#ifndef QUATSIMD_SCALAR_STREAM_H
#define QUATSIMD_SCALAR_STREAM_H

#include "scalar/algebra.h"
#include "scalar/point.h"

static float never_tiny(float x) { return magnitude_of(x) > STREAM_LEAST ? x : 0; }

static bool stream_unit(float out[4], quat q, quat other) {
  const bool valid = valid_norm2(norm2(q));
  if (valid) other = scaled(q, 1 / quatsimd_sqrtf(norm2(q)));
  for (int i = 0; i < 4; i++) out[i] = valid ? never_tiny(other.v[i]) : other.v[i];
  return valid;
}

static float arc_of(float w) {
  float r = STREAM_ARC[STREAM_ARC_TERMS - 1];
  for (int i = STREAM_ARC_TERMS - 2; i >= 0; i--) r = r * w + STREAM_ARC[i];
  return r;
}
static void vector_between(float v[3], quat from, quat to) {
  quat q = scalar_identity;
  float_multiply(q.v, (quat){{-from.v[0], -from.v[1], -from.v[2], from.v[3]}}, to);
  const float arc = arc_of(magnitude_of(q.v[3])), factor = is_negative(q.v[3]) ? -arc : arc;
  for (int i = 0; i < 3; i++) v[i] = q.v[i] * factor;
}
static void stream_between(float out[3], quat from, quat to) {
  vector_between(out, from, to);
  for (int i = 0; i < 3; i++) out[i] = never_tiny(out[i]);
}

static void stream_turn(float out[4], quat q, const float of[3], float factor) {
  const float v[3] = {of[0] * factor, of[1] * factor, of[2] * factor}, quarter = length2(v) * 0.25f,
              x = quarter < STREAM_LONGEST ? quarter : STREAM_LONGEST,
              half = polynomial5(ROTATION_HALF_SIN, x) * 0.5f;
  quat r = scalar_identity;
  float_multiply(r.v, q, (quat){{v[0] * half, v[1] * half, v[2] * half, half_cosine(x)}});
  r = scaled(r, 1 / quatsimd_sqrtf(norm2(r)));
  for (int i = 0; i < 4; i++) out[i] = never_tiny(r.v[i]);
}

static void stream_residual(float out[3], quat predicted, quat value, float per_quantum, float none2) {
  float residual[3], r[3];
  vector_between(residual, predicted, value);
  for (int i = 0; i < 3; i++) r[i] = residual[i] * per_quantum;
  point_near(out, r, length2(residual) > none2);
}

#endif
