/* Calls for few elements, as a runtime makes them for one character: quatsimd-bench-few. Each row is a
 * function called for so many elements, which are others each time, and a loop of GLM over as many beside it,
 * measured in turns; the least time of many counts. */
#define _DEFAULT_SOURCE
#include <quatsimd/quatsimd.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "peers.h"

enum { ELEMENTS = 4096, FLOATS = 9 /* of an element, at most */, ROUNDS = 100 };

static struct { float a[FLOATS * ELEMENTS], b[FLOATS * ELEMENTS], t[ELEMENTS], out[FLOATS * ELEMENTS]; } data;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A row's calls: a function of `count` elements for all of the data, and the same call in a function of its
 * own, which gets pointers and makes the views. There gcc 12 -O2 puts loads of 16 bytes behind stores of 8,
 * and the CPU waits for 17 ns; clang and gcc -O1 do not. */
typedef void few_fn(size_t count);
#define CALLS(name, call)                                                                                    \
  static void name##_each(size_t count) {                                                                    \
    const float *a = data.a, *b = data.b, *t = data.t;                                                       \
    float *out = data.out;                                                                                   \
    for (size_t left = ELEMENTS; left >= count; left -= count) {                                             \
      call;                                                                                                  \
      a += count * OF_##name, b += count * OF_##name, t += count, out += count * TO_##name;                  \
    }                                                                                                        \
    (void)b, (void)t;                                                                                        \
  }                                                                                                          \
  static void name(float *out, const float *a, const float *b, const float *t, size_t count) {               \
    (void)b, (void)t;                                                                                        \
    call;                                                                                                    \
  }
enum { /* floats of inputs and outputs */
       OF_multiply = 4,
       TO_multiply = 4,
       OF_nlerp = 4,
       TO_nlerp = 4,
       OF_to_matrix = 4,
       TO_to_matrix = 9,
       OF_compose = 8,
       TO_compose = 8,
       OF_by_one = 3,
       TO_by_one = 3
};
CALLS(multiply, quatsimd_multiply(quatsimd_aos_out(out), quatsimd_aos(a), quatsimd_aos(b), count))
CALLS(nlerp, quatsimd_nlerp(quatsimd_aos_out(out), quatsimd_aos(a), quatsimd_aos(b), quatsimd_aos(t), count))
CALLS(to_matrix, quatsimd_to_matrix3(quatsimd_aos_out(out), quatsimd_aos(a), count))
CALLS(compose, quatsimd_sqt_compose(quatsimd_aos_out(out), quatsimd_aos(a), quatsimd_aos(b), count))
CALLS(by_one, quatsimd_rotate(quatsimd_aos_out(out), quatsimd_one(a), quatsimd_aos(b), count))

#ifdef QUATSIMD_BENCH_PEERS
#define PEER(function) function
static const char glm[] = "a loop";
#else
#define PEER(function) NULL
static const char glm[] = "not found";
#endif

static const struct {
  const char *name;
  few_fn *each;
  peer_fn *call;
  size_t floats, out; /* of an input's element, and of the output's */
  peer_fn *other;     /* null: none */
} functions[] = {
#define ROW(name, public, other)                                                                             \
  { public, name##_each, name, OF_##name, TO_##name, other }
    ROW(multiply, "quatsimd_multiply", PEER(glm_multiply)), ROW(nlerp, "quatsimd_nlerp", PEER(glm_nlerp)),
    ROW(to_matrix, "quatsimd_to_matrix3", NULL), ROW(compose, "quatsimd_sqt_compose", NULL),
    ROW(by_one, "quatsimd_rotate by one", NULL)};

/* Nanoseconds of a call, in a loop of its own or from pointers. */
static double measure_each(few_fn *each, size_t count) {
  const double start = seconds();
  each(count);
  return (seconds() - start) / (double)(ELEMENTS / count) * 1e9;
}
static double measure(peer_fn *call, size_t floats, size_t out, size_t count) {
  const double start = seconds();
  size_t calls = 0;
  for (size_t i = 0; i + count <= ELEMENTS; i += count, calls++)
    call(data.out + out * i, data.a + floats * i, data.b + floats * i, data.t + i, count);
  return (seconds() - start) / (double)calls * 1e9;
}

static void keep_less(double *least, double ns) {
  if (ns < *least) *least = ns;
}

int main(void) {
  static const size_t counts[] = {1, 6, 22}; /* a joint; fewer than AVX2's vectors have; a small skeleton */
  for (size_t i = 0; i < FLOATS * ELEMENTS; i++) data.a[i] = (float)(rand() % 2001 - 1000) / 1000;
  for (size_t i = 0; i < FLOATS * ELEMENTS; i++) data.b[i] = (float)(rand() % 2001 - 1000) / 1000;
  for (size_t i = 0; i < ELEMENTS; i++) data.t[i] = (float)i / ELEMENTS;
  printf("kernels %s, ns a call, in a loop and in a function that makes the views; GLM: %s\n", quatsimd_isa(),
         glm);
  printf("%-22s %8s %8s %8s %8s %6s\n", "", "elements", "in loop", "function", "GLM", "ratio");
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      double least = 1e9, alone = 1e9, other = 1e9;
      for (int round = 0; round < ROUNDS; round++) {
        keep_less(&least, measure_each(functions[f].each, counts[c]));
        keep_less(&alone, measure(functions[f].call, functions[f].floats, functions[f].out, counts[c]));
        if (functions[f].other)
          keep_less(&other, measure(functions[f].other, functions[f].floats, functions[f].out, counts[c]));
      }
      printf("%-22s %8zu %8.1f %8.1f", functions[f].name, counts[c], least, alone);
      if (functions[f].other) printf(" %8.1f %6.2f", other, alone / other);
      printf("\n");
    }
  return 0;
}
