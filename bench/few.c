/* Calls for few elements, as a runtime makes them for one character: quatsimd-bench-few. Each row is a
 * function called for so many elements, which are others each time, and a loop of GLM over as many beside it,
 * measured in turns; the least time of many counts. */
#define _DEFAULT_SOURCE
#include <quatsimd/quatsimd.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "peers.h"

enum { ELEMENTS = 4096, FLOATS = 9 /* of an element, at most */, ROUNDS = 25 };

static struct { float a[FLOATS * ELEMENTS], b[FLOATS * ELEMENTS], t[ELEMENTS], out[FLOATS * ELEMENTS]; } data;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void multiply(float *out, const float *a, const float *b, const float *t, size_t count) {
  (void)t;
  quatsimd_multiply(quatsimd_aos_out(out), quatsimd_aos(a), quatsimd_aos(b), count);
}
static void nlerp(float *out, const float *a, const float *b, const float *t, size_t count) {
  quatsimd_nlerp(quatsimd_aos_out(out), quatsimd_aos(a), quatsimd_aos(b), quatsimd_aos(t), count);
}
static void to_matrix(float *out, const float *a, const float *b, const float *t, size_t count) {
  (void)b, (void)t;
  quatsimd_to_matrix3(quatsimd_aos_out(out), quatsimd_aos(a), count);
}
static void compose(float *out, const float *a, const float *b, const float *t, size_t count) {
  (void)t;
  quatsimd_sqt_compose(quatsimd_aos_out(out), quatsimd_aos(a), quatsimd_aos(b), count);
}

#ifdef QUATSIMD_BENCH_PEERS
#define PEER(function) function
static const char glm[] = "a loop";
#else
#define PEER(function) NULL
static const char glm[] = "not found";
#endif

static const struct {
  const char *name;
  peer_fn *call;
  size_t floats, out; /* of an input's element, and of the output's */
  peer_fn *other;     /* null: none */
} functions[] = {{"quatsimd_multiply", multiply, 4, 4, PEER(glm_multiply)},
                 {"quatsimd_nlerp", nlerp, 4, 4, PEER(glm_nlerp)},
                 {"quatsimd_to_matrix3", to_matrix, 4, 9, NULL},
                 {"quatsimd_sqt_compose", compose, 8, 8, NULL}};

/* Nanoseconds of a call. */
static double measure(peer_fn *call, size_t floats, size_t out, size_t count) {
  const double start = seconds();
  size_t calls = 0;
  for (size_t i = 0; i + count <= ELEMENTS; i += count, calls++)
    call(data.out + out * i, data.a + floats * i, data.b + floats * i, data.t + i, count);
  return (seconds() - start) / (double)calls * 1e9;
}

int main(void) {
  static const size_t counts[] = {1, 22}; /* a joint; the joints of a small skeleton */
  for (size_t i = 0; i < FLOATS * ELEMENTS; i++) data.a[i] = (float)(rand() % 2001 - 1000) / 1000;
  for (size_t i = 0; i < FLOATS * ELEMENTS; i++) data.b[i] = (float)(rand() % 2001 - 1000) / 1000;
  for (size_t i = 0; i < ELEMENTS; i++) data.t[i] = (float)i / ELEMENTS;
  printf("kernels %s, ns a call; GLM: %s\n", quatsimd_isa(), glm);
  printf("%-22s %8s %8s %8s %6s\n", "", "elements", "ns", "GLM", "ratio");
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      double least = 1e9, other = 1e9;
      for (int round = 0; round < ROUNDS; round++) {
        const double mine = measure(functions[f].call, functions[f].floats, functions[f].out, counts[c]);
        if (mine < least) least = mine;
        if (!functions[f].other) continue;
        const double theirs = measure(functions[f].other, functions[f].floats, functions[f].out, counts[c]);
        if (theirs < other) other = theirs;
      }
      printf("%-22s %8zu %8.1f", functions[f].name, counts[c], least);
      if (functions[f].other) printf(" %8.1f %6.2f", other, least / other);
      printf("\n");
    }
  return 0;
}
