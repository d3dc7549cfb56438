/* Draws random numbers and rotations. No golden depends on random_gauss or random_rotations. */
#ifndef QUATSIMD_TESTS_RANDOM_H
#define QUATSIMD_TESTS_RANDOM_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "support/sweep.h"

static inline double random_unit(uint64_t *state) {
  return ((double)(sweep_next(state) >> 11) + 0.5) * 0x1p-53;
}

static inline double random_gauss(uint64_t *state) { /* Box-Muller's method */
  const double radius = sqrt(-2 * log(random_unit(state)));
  return radius * cos(6.283185307179586 * random_unit(state));
}

/* Draws uniformly distributed rotations by the method of Shoemake (1992). */
static inline void random_rotations(float *xyzw, size_t count, uint64_t *state) {
  for (size_t i = 0; i < count; i++) {
    const double u = random_unit(state), a = 6.283185307179586 * random_unit(state),
                 b = 6.283185307179586 * random_unit(state);
    xyzw[4 * i] = (float)(sqrt(1 - u) * sin(a));
    xyzw[4 * i + 1] = (float)(sqrt(1 - u) * cos(a));
    xyzw[4 * i + 2] = (float)(sqrt(u) * sin(b));
    xyzw[4 * i + 3] = (float)(sqrt(u) * cos(b));
  }
}

#endif
