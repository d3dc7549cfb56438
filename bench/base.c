/* Used by all of the benchmark: the end, the clock, random numbers. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"

void die(const char *what) {
  fprintf(stderr, "quatsimd-bench: %s\n", what);
  exit(1);
}

double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The clock rate now, from a chain of additions, one cycle each. Both operands are registers: some CPUs add
 * constants while renaming, in no time. */
double clock_ghz(unsigned additions) {
  uint64_t sum = 0, step = 1;
  __asm__ volatile("" : "+r"(step));
  double start = seconds();
  for (unsigned i = 0; i < additions; i += 8) {
#define ADD                                                                                                  \
  sum += step;                                                                                               \
  __asm__ volatile("" : "+r"(sum));
    ADD ADD ADD ADD ADD ADD ADD ADD
#undef ADD
  }
  return additions / (seconds() - start) * 1e-9;
}

uint64_t random_bits(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* Uniformly distributed rotations, lengths 1 within rounding: points of the ball, projected. */
void random_rotations(float *xyzw, size_t count, uint64_t seed) {
  uint64_t state = seed;
  for (size_t i = 0; i < count; i++) {
    double v[4], n2;
    do {
      uint64_t r0 = random_bits(&state), r1 = random_bits(&state);
      v[0] = (double)(int32_t)r0, v[1] = (double)(int32_t)(r0 >> 32);
      v[2] = (double)(int32_t)r1, v[3] = (double)(int32_t)(r1 >> 32);
      n2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3];
    } while (n2 > 0x1p62 || n2 < 0x1p50);
    for (int c = 0; c < 4; c++) xyzw[4 * i + c] = (float)(v[c] / sqrt(n2));
  }
}
