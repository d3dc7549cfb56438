/* Calls for 1 to 22 elements, as a runtime makes them for one character: quatsimd-bench-few. Each row is a
 * function called for so many elements, which are others each time, and a loop of GLM over as many beside
 * it. */
#include <quatsimd/quatsimd.h>

#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "peers.h"

enum { ELEMENTS = 1024, FLOATS = 9 /* of an element, at most */ };

static struct {
  float a[FLOATS * ELEMENTS], b[FLOATS * ELEMENTS], t[ELEMENTS], smallest3[ELEMENTS], lattice[ELEMENTS],
      out[FLOATS * ELEMENTS];
} data;

/* A row's calls: a function of `count` elements for all of the data, and the same call in a function of its
 * own, which gets pointers and makes the views. There gcc 12 -O2 puts loads of 16 bytes behind stores of 8,
 * and the CPU waits for 17 ns; clang and gcc -O1 do not. */
typedef void few_fn(size_t count);
#define CALLS(name, input, call)                                                                             \
  static void name##_each(size_t count) {                                                                    \
    const float *a = data.input, *b = data.b, *t = data.t;                                                   \
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
       OF_pack_smallest3 = 4,
       TO_pack_smallest3 = 1,
       OF_unpack_smallest3 = 1,
       TO_unpack_smallest3 = 4,
       OF_pack_lattice = 4,
       TO_pack_lattice = 1,
       OF_unpack_lattice = 1,
       TO_unpack_lattice = 4,
       OF_multiply = 4,
       TO_multiply = 4,
       OF_nlerp = 4,
       TO_nlerp = 4,
       OF_slerp = 4,
       TO_slerp = 4,
       OF_to_matrix = 4,
       TO_to_matrix = 9,
       OF_compose = 8,
       TO_compose = 8,
       OF_by_one = 3,
       TO_by_one = 3
};
#define PACK(format) quatsimd_pack(format, out, 4 * count, quatsimd_aos(a), count)
#define UNPACK(format) quatsimd_unpack(format, quatsimd_aos_out(out), a, 4 * count, 0, count)
CALLS(pack_smallest3, a, PACK(QUATSIMD_FORMAT_SMALLEST3_32))
CALLS(unpack_smallest3, smallest3, UNPACK(QUATSIMD_FORMAT_SMALLEST3_32))
CALLS(pack_lattice, a, PACK(QUATSIMD_FORMAT_LATTICE32))
CALLS(unpack_lattice, lattice, UNPACK(QUATSIMD_FORMAT_LATTICE32))
CALLS(multiply, a, quatsimd_multiply(quatsimd_aos_out(out), quatsimd_aos(a), quatsimd_aos(b), count))
CALLS(nlerp, a,
      quatsimd_nlerp(quatsimd_aos_out(out), quatsimd_aos(a), quatsimd_aos(b), quatsimd_aos(t), count))
CALLS(slerp, a,
      quatsimd_slerp(quatsimd_aos_out(out), quatsimd_aos(a), quatsimd_aos(b), quatsimd_aos(t), count))
CALLS(to_matrix, a, quatsimd_to_matrix3(quatsimd_aos_out(out), quatsimd_aos(a), count))
CALLS(compose, a, quatsimd_sqt_compose(quatsimd_aos_out(out), quatsimd_aos(a), quatsimd_aos(b), count))
CALLS(by_one, a, quatsimd_rotate(quatsimd_aos_out(out), quatsimd_one(a), quatsimd_aos(b), count))

#ifdef QUATSIMD_BENCH_PEERS
#define PEER(function) function
static const char glm[] = "a loop";
#else
#define PEER(function) NULL
static const char glm[] = "not found";
#endif

typedef struct function {
  const char *name;
  few_fn *each;
  peer_fn *call;
  const float *input;
  size_t floats, out; /* of an input's element, and of the output's */
  peer_fn *other;     /* null: none */
} function;
#define ROW(name, input, public, other)                                                                      \
  { public, name##_each, name, data.input, OF_##name, TO_##name, other }
static const function functions[] = {
    ROW(pack_smallest3, a, "pack smallest3_32", NULL),
    ROW(unpack_smallest3, smallest3, "unpack smallest3_32", NULL),
    ROW(pack_lattice, a, "pack lattice32", NULL),
    ROW(unpack_lattice, lattice, "unpack lattice32", NULL),
    ROW(multiply, a, "multiply", PEER(glm_multiply)),
    ROW(nlerp, a, "nlerp", PEER(glm_nlerp)),
    ROW(slerp, a, "slerp", PEER(glm_slerp)),
    ROW(to_matrix, a, "to_matrix3", NULL),
    ROW(compose, a, "sqt_compose", NULL),
    ROW(by_one, a, "rotate by one", NULL),
};
static const size_t counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 22}; /* a joint to a small skeleton */

/* Walks through all of the data, so many times: in a loop of its own, or from pointers. */
static struct {
  const function *function;
  size_t count;
} row;
static double time_each(void *context, size_t walks) {
  (void)context;
  const double start = seconds();
  for (; walks > 0; walks--) row.function->each(row.count);
  return seconds_since(start);
}
static double walk(peer_fn *call, size_t walks) {
  const function *f = row.function;
  const double start = seconds();
  for (; walks > 0; walks--)
    for (size_t i = 0; i + row.count <= ELEMENTS; i += row.count)
      call(data.out + f->out * i, f->input + f->floats * i, data.b + f->floats * i, data.t + i, row.count);
  return seconds_since(start);
}
static double time_function(void *context, size_t walks) {
  return (void)context, walk(row.function->call, walks);
}
static double time_other(void *context, size_t walks) {
  return (void)context, walk(row.function->other, walks);
}

int main(void) {
  uint64_t state = 1;
  random_rotations(data.a, FLOATS * ELEMENTS / 4, 1), random_rotations(data.b, FLOATS * ELEMENTS / 4, 2);
  for (size_t i = 0; i < ELEMENTS; i++) data.t[i] = (float)(random_bits(&state) >> 40) * 0x1p-24f;
  pack_smallest3(data.smallest3, data.a, NULL, NULL, ELEMENTS);
  pack_lattice(data.lattice, data.a, NULL, NULL, ELEMENTS);
  printf("kernels %s, ns a call, in a loop and in a function that makes the views; GLM: %s; ?: repeats "
         "differ by "
         "more than %.0f %%\n",
         quatsimd_isa(), glm, 100 * NOISE);
  printf("%-22s %8s %8s %8s %8s %6s\n", "", "elements", "in loop", "function", "GLM", "ratio");
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      row.function = &functions[f], row.count = counts[c];
      const double ns = 1e9 / (double)(ELEMENTS / row.count);
      const measurement loop = measure(time_each, NULL, NULL),
                        alone = measure(time_function, row.function->other ? time_other : NULL, NULL);
      printf("%-22s %8zu %8.1f %8.1f", row.function->name, row.count, ns * loop.call.seconds,
             ns * alone.call.seconds);
      if (row.function->other)
        printf(" %8.1f %6.2f", ns * alone.beside.seconds, alone.call.seconds / alone.beside.seconds);
      puts(fmax(loop.call.spread, fmax(alone.call.spread, alone.beside.spread)) > NOISE ? " ?" : "");
    }
  return 0;
}
