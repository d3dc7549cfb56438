/* lattice24, lattice32, lattice48, lattice64, see docs/codec-lattice.md. A point is the index L of the chart
 * and three integers H, all even or all odd. */
#ifndef QUATSIMD_SCALAR_LATTICE_H
#define QUATSIMD_SCALAR_LATTICE_H

#include "scalar/code.h"

typedef struct lattice_point {
  int largest;
  int32_t H[3];
} lattice_point;

static inline float lattice_unwarp(quatsimd_lattice f, float x, float X) {
  const float z = x * x, zz = z * z;
  const float low = z * (QUATSIMD_UNWARP_1 * f.h) + QUATSIMD_UNWARP_0 * f.h;
  const float middle = z * (QUATSIMD_UNWARP_3 * f.h) + QUATSIMD_UNWARP_2 * f.h;
  const float high = z * (QUATSIMD_UNWARP_5 * f.h) + QUATSIMD_UNWARP_4 * f.h;
  const float t = x * (zz * (zz * high + middle) + low);
  if (!f.newton) return t;
  const float w = t * t;
  return t - (t * (f.a + w) - X) / (f.a + 3 * w);
}

/* The best point of one parity: its cost, and the move from the rounded point to it. The move changes at most
 * one of the three H, by 2 or -2 (one quantum). */
typedef struct lattice_candidate {
  float cost;
  int move[3];
} lattice_candidate;

/* For each axis, e: the rounded point's error; half: half a quantum; y: the unit quaternion's component. */
static inline lattice_candidate lattice_try(const float e[3], const float half[3], const float y[3]) {
  const float p = (e[0] * y[0] + e[1] * y[1]) + e[2] * y[2];
  float c[3], d[3], m = 0;
  for (int i = 0; i < 3; i++) {
    c[i] = e[i] - p * y[i];
    d[i] = half[i] * (half[i] * (1 - y[i] * y[i]) - magnitude_of(c[i]));
    if (d[i] < m) m = d[i];
  }
  lattice_candidate best = {(((e[0] * e[0] + e[1] * e[1]) + e[2] * e[2]) - p * p) + 4 * m, {0, 0, 0}};
  for (int i = 0; i < 3; i++)
    if (d[i] <= m) {
      best.move[i] = c[i] >= 0 ? -2 : 2;
      break;
    }
  return best;
}

static inline lattice_point lattice_nearest(quatsimd_lattice f, quat q, float n2) {
  lattice_point point = {largest_component(q), {0, 0, 0}};
  const float r = 1 / q.v[point.largest], to_unit = 1 / quatsimd_sqrtf(n2);
  float y[3], half[3], even_error[3], odd_error[3];
  int32_t even[3];
  for (int i = 0, j = 0; i < 4; i++) {
    if (i == point.largest) continue;
    const float x = q.v[i] * r, X = x * f.c;
    even[j] = round_half_even(lattice_unwarp(f, x, X));
    const float k = (float)even[j], kk = k * k;
    y[j] = q.v[i] * to_unit;
    half[j] = 1.5f * kk + f.a * 0.5f;
    even_error[j] = k * (f.a + kk) - (X - 0x1p-32f);
    odd_error[j] = even_error[j] >= 0 ? even_error[j] - half[j] : even_error[j] + half[j];
    j++;
  }
  const lattice_candidate a = lattice_try(even_error, half, y), b = lattice_try(odd_error, half, y);
  for (int j = 0; j < 3; j++) {
    point.H[j] = 2 * even[j];
    if (b.cost < a.cost) point.H[j] += (even_error[j] >= 0 ? -1 : 1) + b.move[j];
    else point.H[j] += a.move[j];
  }
  return point;
}

static inline quat lattice_direction(quatsimd_lattice f, lattice_point point) {
  float v[3];
  for (int j = 0; j < 3; j++) {
    const float g = (float)point.H[j] * 0.5f;
    v[j] = g * (f.a + g * g);
  }
  const float r = 1 / quatsimd_sqrtf(((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]) + f.c * f.c);
  for (int j = 0; j < 3; j++) v[j] *= r;
  return with_largest(point.largest, f.c * r, v);
}

/* Returns the bit of the word where index j begins. */
static inline int lattice_index_at(quatsimd_lattice f, int j) {
  return j == 0 ? f.first_at : j == 1 ? f.bits : 0;
}

static inline uint64_t lattice_word_of_indices(quatsimd_lattice f, lattice_point point) {
  uint64_t word = (uint64_t)point.largest << f.chart_at | (uint64_t)(point.H[0] & 1) << f.parity_at;
  for (int j = 0; j < 3; j++)
    word |= (uint64_t)((uint32_t)point.H[j] >> 1 & ((1u << f.bits) - 1)) << lattice_index_at(f, j);
  return word;
}

static inline lattice_point lattice_point_of_indices(quatsimd_lattice f, uint64_t word) {
  const int32_t s = word >> f.parity_at & 1;
  lattice_point point = {(int)(word >> f.chart_at & 3), {0, 0, 0}};
  for (int j = 0; j < 3; j++) point.H[j] = 2 * sign_extend(word >> lattice_index_at(f, j), f.bits) + s;
  return point;
}

/* The fields of lattice32 and their widths, from the top: L:2, m:23, s:1, l0:2, l1:2, l2:2. Each H is 8 *
 * digit + 2 * l + s, with l from -2 to 1. m has the digits of the three H, each from -101 to 101. */
static inline uint64_t lattice_word_of_digits(lattice_point point) {
  uint32_t low = (uint32_t)point.H[0] & 1;
  int32_t m = 0;
  for (int j = 0; j < 3; j++) {
    const int32_t digit = (point.H[j] + 4 + 1024) / 8 - 128; /* H is above -1024, so this rounds down */
    low = low << 2 | ((uint32_t)point.H[j] >> 1 & 3);
    m = m * QUATSIMD_LATTICE_RADIX + digit;
  }
  return (uint32_t)point.largest << 30 | ((uint32_t)m & 0x7fffff) << 7 | low;
}

static inline lattice_point lattice_point_of_digits(uint64_t word) {
  const float radix = QUATSIMD_LATTICE_RADIX, m = (float)sign_extend(word >> 7, 23);
  const int32_t upper = round_half_even(m * (1 / radix)), first = round_half_even((float)upper * (1 / radix));
  const int32_t digit[3] = {first, upper - QUATSIMD_LATTICE_RADIX * first,
                            (int32_t)m - QUATSIMD_LATTICE_RADIX * upper};
  lattice_point point = {(int)(word >> 30 & 3), {0, 0, 0}};
  for (int j = 0; j < 3; j++)
    point.H[j] = 8 * digit[j] + 2 * sign_extend(word >> (4 - 2 * j), 2) + (int32_t)(word >> 6 & 1);
  return point;
}

static inline code scalar_pack_lattice(quatsimd_lattice f, quat q, float n2) {
  const lattice_point point = lattice_nearest(f, q, n2);
  return (code){f.bits == 0 ? lattice_word_of_digits(point) : lattice_word_of_indices(f, point), 0};
}

static inline quat scalar_unpack_lattice(quatsimd_lattice f, code c) {
  return lattice_direction(f,
                           f.bits == 0 ? lattice_point_of_digits(c.lo) : lattice_point_of_indices(f, c.lo));
}

#endif
