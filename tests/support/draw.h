/* Draws random vectors for tests that compare with long double. Each program has one random sequence. */
#ifndef QUATSIMD_TESTS_DRAW_H
#define QUATSIMD_TESTS_DRAW_H

#include <stdbool.h>
#include "support/random.h"
#include "rotation/rotation_reference.h"

static uint64_t random_state = 1;
static inline double uniform(double low, double high) {
  return low + (high - low) * random_unit(&random_state);
}

static inline void draw_vector(float *v, double length) {
  real unit[3], gauss[3];
  for (int c = 0; c < 3; c++) gauss[c] = random_gauss(&random_state);
  ref_unit(unit, gauss, 3);
  for (int c = 0; c < 3; c++) v[c] = (float)(unit[c] * length);
}

static inline bool is_unit(const float *v, int n, real within) {
  real wide[4];
  ref_widen(wide, v, n);
  return fabsl(ref_length(wide, n) - 1) <= within;
}

#endif
