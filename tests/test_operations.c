/* Every operation of rotation.h and relative.h on a fixed sweep of inputs, the same bits as the scalar reference on every kernel
 * this machine can run, and the hashes in operations.txt, which hold on every machine. What the numbers should be, other
 * tests say. `test_operations --write` prints the file. */
#include "kernels.h"
#include "sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { COUNT = 4096, INPUTS = 17, OUTPUTS = 16 };

typedef struct operation {
  const char *name;
  int outputs, inputs;
} operation;
#define SUM2(a, b, ...) ((a) + (b))
#define SUM5(a, b, c, d, e, ...) ((a) + (b) + (c) + (d) + (e))
#define TOTAL2(...) SUM2(__VA_ARGS__, 0, 0)
#define TOTAL5(...) SUM5(__VA_ARGS__, 0, 0, 0, 0, 0)
#define OPERATION(name, out, in) {#name, TOTAL2 out, TOTAL5 in},
static const operation operations[] = {
#include "operations.def"
};
#undef SUM2

/* Quaternions of the sweep, invalid ones among them, in four columns each; every column is also a scalar or part of a
 * vector or matrix. */
static float inputs[INPUTS][COUNT];
static float expected[OUTPUTS][COUNT], got[OUTPUTS][COUNT];

static void fill_inputs(void) {
  static float quats[4 * COUNT * 5];
  sweep_quaternions(quats, COUNT * 5);
  for (size_t c = 0; c < INPUTS; c++)
    for (size_t i = 0; i < COUNT; i++) {
      const float *q = quats + 4 * (c / 4 * COUNT + i), n2 = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
      const bool unit = i % 4 != 0 && n2 > 1e-12f && n2 < 1e12f; /* three in four as callers have them */
      inputs[c][i] = unit ? q[c % 4] / __builtin_sqrtf(n2) : q[c % 4];
    }
}

/* Orders of Euler angles are eight operations. */
static int params_of(size_t op) { return op == QUATSIMD_OPERATION_from_euler || op == QUATSIMD_OPERATION_to_euler ? 8 : 1; }

static void run(const quatsimd_kernels *k, size_t op, int param, float out[OUTPUTS][COUNT]) {
  for (size_t i = 0; i < COUNT; i += QUATSIMD_CHUNK) {
    float *to[OUTPUTS];
    const float *from[INPUTS];
    for (int c = 0; c < OUTPUTS; c++) to[c] = out[c] + i;
    for (int c = 0; c < INPUTS; c++) from[c] = inputs[c] + i;
    k->operation[op](param, to, from, QUATSIMD_CHUNK);
  }
}

static uint64_t hash_of(int outputs) {
  static unsigned char bytes[OUTPUTS * COUNT * 4];
  unsigned char *to = bytes;
  for (int c = 0; c < outputs; c++)
    for (size_t i = 0; i < COUNT; i++) { /* little-endian, on any machine */
      uint32_t u;
      memcpy(&u, &expected[c][i], 4);
      for (int b = 0; b < 4; b++) *to++ = (unsigned char)(u >> 8 * b);
    }
  return XXH64(bytes, (size_t)(to - bytes), 0);
}

static void as_scalar(void **state) {
  const quatsimd_kernels *k = *state;
  if (!can_run(k)) {
    print_message("SKIP: this CPU cannot run the %s kernels\n", k->name);
    skip();
  }
  unsigned wrong = 0;
  for (size_t op = 0; op < QUATSIMD_OPERATIONS; op++) {
    for (int p = 0; p < params_of(op); p++) {
      run(scalar_kernels(), op, p, expected);
      run(k, op, p, got);
      for (int c = 0; c < operations[op].outputs; c++)
        for (size_t i = 0; i < COUNT; i++)
          if (memcmp(&expected[c][i], &got[c][i], 4) != 0) {
            print_error("%s kernels, %s: output %d of element %zu is %a, not %a\n", k->name, operations[op].name, c, i,
                        (double)got[c][i], (double)expected[c][i]);
            wrong++, i = COUNT;
          }
    }
  }
  assert_int_equal(wrong, 0);
}

static void goldens_hold(void **state) {
  (void)state;
  FILE *f = fopen(QUATSIMD_OPERATION_GOLDENS, "r");
  if (!f) fail_msg("cannot open %s", QUATSIMD_OPERATION_GOLDENS);
  unsigned wrong = 0;
  for (size_t op = 0; op < QUATSIMD_OPERATIONS; op++) {
    for (int p = 0; p < params_of(op); p++) {
      char name[32] = "";
      int param = 0;
      unsigned long long hash = 0;
      run(scalar_kernels(), op, p, expected);
      if (fscanf(f, "%31s %d %16llx", name, &param, &hash) != 3 || strcmp(name, operations[op].name) != 0 || param != p ||
          hash != hash_of(operations[op].outputs))
        print_error("%s %d: not as in operations.txt\n", operations[op].name, p), wrong++;
    }
  }
  fclose(f);
  assert_int_equal(wrong, 0);
}

int main(int argc, char **argv) {
  fill_inputs();
  if (argc == 2 && strcmp(argv[1], "--write") == 0) {
    for (size_t op = 0; op < QUATSIMD_OPERATIONS; op++) {
      for (int p = 0; p < params_of(op); p++) {
        run(scalar_kernels(), op, p, expected);
        printf("%-18s %2d %016llx\n", operations[op].name, p, (unsigned long long)hash_of(operations[op].outputs));
      }
    }
    return 0;
  }
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = all_kernels(tables);
  static struct CMUnitTest tests[MAX_KERNELS + 1];
  static char names[MAX_KERNELS][64];
  for (size_t i = 0; i < n; i++) {
    snprintf(names[i], sizeof names[i], "%s: the bits of scalar", tables[i]->name);
    tests[i] = (struct CMUnitTest){names[i], as_scalar, NULL, NULL, (void *)(uintptr_t)tables[i]};
  }
  tests[n] = (struct CMUnitTest){"goldens", goldens_hold, NULL, NULL, NULL};
  return _cmocka_run_group_tests("operations", tests, n + 1, NULL, NULL);
}
