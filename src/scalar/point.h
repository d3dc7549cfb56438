/* The lattice points of streams: see simd/kernels/stream.h. */
#ifndef QUATSIMD_SCALAR_POINT_H
#define QUATSIMD_SCALAR_POINT_H

#include "simd/vec/one.h"
#include "scalar/code.h"
#include "simd/kernels/rotation.h"

static inline float length2(const float v[3]) { return (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]; }

static inline float nearest_of(float r, float parity) {
  return 2 * (((r - parity) * 0.5f + 0x1.8p23f) - 0x1.8p23f) + parity;
}

/* Finds the lattice point k for r among those of one parity. Returns the point's cost. */
static inline float point_of(float k[3], const float r[3], float parity) {
  float d[3];
  for (int i = 0; i < 3; i++) k[i] = nearest_of(r[i], parity), d[i] = r[i] - k[i];
  float distance2 = length2(d);
  for (int i = 0; i < 3; i++) {
    const float closer = k[i] - (is_negative(k[i]) ? -2.0f : 2.0f), e = r[i] - closer,
                then = distance2 - d[i] * d[i] + e * e;
    if (magnitude_of(k[i]) > 1.5f && then <= STREAM_BOUND2) k[i] = closer, distance2 = then;
  }
  const float size = (magnitude_of(k[0]) + magnitude_of(k[1])) + magnitude_of(k[2]);
  return distance2 <= STREAM_BOUND2 ? size + distance2 * 0.0625f : distance2 * 0x1p25f;
}

/* Finds the lattice point k of a vector of r quanta. It is 0 unless `some`: 0 is beyond the bound. */
static inline void point_near(float k[3], const float r[3], bool some) {
  float even[3], odd[3];
  if (!some) {
    k[0] = k[1] = k[2] = 0;
    return;
  }
  const float even_cost = point_of(even, r, 0), odd_cost = point_of(odd, r, 1);
  for (int i = 0; i < 3; i++) k[i] = even_cost > odd_cost ? odd[i] : even[i];
}

#endif
