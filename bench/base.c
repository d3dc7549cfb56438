/* Used by all of the benchmark: the end, the clock, measuring, random numbers. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "core/cpu.h"
#include "core/dispatch.h"

void die(const char *what) {
  fprintf(stderr, "quatsimd-bench: %s\n", what);
  exit(1);
}

bool has_arrays(size_t i) {
  const quatsimd_kernels *k = quatsimd_kernel_list[i], *next = quatsimd_kernel_list[i + 1];
  return quatsimd_cpu_can_run(k->name) && !(next && k->split4 == next->split4);
}

#define CHUNK 20e-6      /* seconds at least */
#define REPEAT_TIME 8e-3 /* seconds of a repeat */
#define LEAST_CHUNKS 4   /* of it, where MOST_TIME is enough for them */
#define MOST_TIME 60e-3
enum { REPEATS = 4 };

double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double seconds_since(double start) {
  const double end = seconds();
  static double reading; /* half a microsecond: this clock is the kernel's */
  if (reading == 0) {
    reading = 1;
    for (int i = 0; i < 1000; i++) {
      const double first = seconds(), second = seconds();
      reading = fmin(reading, second - first);
    }
  }
  return fmax(end - start - reading, 1e-9);
}

/* Twice in a row: the first call takes as long as a chunk where the system maps memory in it. */
static size_t calls_of_a_chunk(chunk_fn *chunk, void *context) {
  size_t calls = 1;
  while (chunk(context, calls) < CHUNK || chunk(context, calls) < CHUNK) calls *= 2;
  return calls;
}

measurement measure(chunk_fn *chunk, chunk_fn *beside, void *context) {
  const size_t calls = calls_of_a_chunk(chunk, context);
  const size_t calls_beside = beside ? calls_of_a_chunk(beside, context) : 1;
  measurement m = {{INFINITY, 0}, {INFINITY, 0}, 0};
  double slowest[2] = {0, 0};
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    double least[2] = {INFINITY, INFINITY}, spent = 0;
    for (int n = 0; spent < (n < LEAST_CHUNKS ? MOST_TIME : REPEAT_TIME); n++) {
      const double time = chunk(context, calls), other = beside ? beside(context, calls_beside) : 0;
      spent += time + other;
      least[0] = fmin(least[0], time / (double)calls);
      least[1] = fmin(least[1], other / (double)calls_beside);
      m.ghz = fmax(m.ghz, clock_ghz(16384)); /* about 4 us */
    }
    timing *const both[2] = {&m.call, &m.beside};
    for (int i = 0; i < 2; i++) {
      both[i]->seconds = fmin(both[i]->seconds, least[i]);
      slowest[i] = fmax(slowest[i], least[i]);
      both[i]->spread = slowest[i] > 0 ? slowest[i] / both[i]->seconds - 1 : 0;
    }
  }
  return m;
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
  return additions / seconds_since(start) * 1e-9;
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
