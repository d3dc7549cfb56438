/* Runs every operation of rotation.h and relative.h on a fixed sweep. Every kernel must give the bits of the
 * scalar kernels. The scalar kernels must give the hashes in operations.txt. Other tests check that results
 * are right. `test_operations --write` prints operations.txt. */
#include "support/hash.h"
#include "support/kernels.h"
#include "support/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

enum { COUNT = 4096, INPUTS = 17, OUTPUTS = 16 };

typedef struct operation {
  const char *name;
  int outputs, inputs;
  int out_components[4], in_components[6]; /* components of each argument; 0 after the last argument */
} operation;
#define SUM3(a, b, c, ...) ((a) + (b) + (c))
#define SUM5(a, b, c, d, e, ...) ((a) + (b) + (c) + (d) + (e))
#define TOTAL3(...) SUM3(__VA_ARGS__, 0, 0, 0)
#define TOTAL5(...) SUM5(__VA_ARGS__, 0, 0, 0, 0, 0)
#define COMPONENTS(...) __VA_ARGS__
#define OPERATION(name, kernel, part, out, in)                                                               \
  {#name, TOTAL3 out, TOTAL5 in, {COMPONENTS out}, {COMPONENTS in}},
static const operation operations[] = {
#include "rotation/operations.def"
};
#undef SUM3

/* Every four columns hold quaternions of the sweep, some of which are invalid. Columns also serve as scalars
 * and as parts of vectors and matrices. */
static float inputs[INPUTS][COUNT];
static float expected[OUTPUTS][COUNT], got[OUTPUTS][COUNT];

static void fill_inputs(void) {
  static float quats[4 * COUNT * 5];
  sweep_quaternions(quats, COUNT * 5);
  for (size_t c = 0; c < INPUTS; c++)
    for (size_t i = 0; i < COUNT; i++) {
      const float *q = quats + 4 * (c / 4 * COUNT + i),
                  n2 = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
      /* three in four have length 1, as callers' quaternions have */
      const bool unit = i % 4 != 0 && n2 > 1e-12f && n2 < 1e12f;
      inputs[c][i] = unit ? q[c % 4] / __builtin_sqrtf(n2) : q[c % 4];
    }
}

static void run(const quatsimd_kernels *k, size_t op, float out[OUTPUTS][COUNT]) {
  for (size_t i = 0; i < COUNT; i += QUATSIMD_CHUNK) {
    float *to[OUTPUTS];
    const float *from[INPUTS];
    for (int c = 0; c < OUTPUTS; c++) to[c] = out[c] + i;
    for (int c = 0; c < INPUTS; c++) from[c] = inputs[c] + i;
    k->operation[op](to, from, QUATSIMD_CHUNK);
  }
}

static uint64_t hash_of(int outputs) {
  static unsigned char bytes[OUTPUTS * COUNT * 4];
  for (int c = 0; c < outputs; c++) put_floats(bytes + (size_t)c * COUNT * 4, expected[c], COUNT);
  return XXH64(bytes, (size_t)outputs * COUNT * 4, 0);
}

static void as_scalar(void **state) {
  const quatsimd_kernels *k = *state;
  if (!can_run(k)) {
    print_message("SKIP: this CPU cannot run the %s kernels\n", k->name);
    skip();
  }
  unsigned wrong = 0;
  for (size_t op = 0; op < QUATSIMD_OPERATIONS; op++) {
    run(scalar_kernels(), op, expected);
    run(k, op, got);
    for (int c = 0; c < operations[op].outputs; c++)
      for (size_t i = 0; i < COUNT; i++)
        if (memcmp(&expected[c][i], &got[c][i], 4) != 0) {
          print_error("%s kernels, %s: output %d of element %zu is %a, not %a\n", k->name,
                      operations[op].name, c, i, (double)got[c][i], (double)expected[c][i]);
          wrong++, i = COUNT;
        }
  }
  assert_int_equal(wrong, 0);
}

/* Returns 1 if a result for arrays of structs is wrong, else 0. If `one` is true, one element of the first
 * input serves for all results. */
static unsigned wrong_in_aos(const quatsimd_kernels *k, size_t op, bool one) {
  static float in[5][16 * COUNT], out[16 * COUNT];
  const operation *o = &operations[op];
  const float *from[5], *columns[INPUTS];
  size_t stride[5];
  for (int c = 0; c < INPUTS; c++) columns[c] = inputs[c];
  for (int a = 0, c = 0; o->in_components[a]; c += o->in_components[a++]) {
    const size_t n = (size_t)o->in_components[a];
    for (size_t i = 0; i < COUNT; i++)
      for (size_t j = 0; j < n; j++) in[a][n * i + j] = columns[(size_t)c + j][a == 0 && one ? 1 : i];
    from[a] = in[a];
    stride[a] = a == 0 && one ? 0 : n;
  }
  const size_t width = (size_t)o->outputs, count = COUNT - 1;
  memset(out, 0xa5, sizeof out);
  const size_t done = k->aos[op]((float *[]){out}, from, stride, count);
  if (done != count / k->lanes * k->lanes) return 1;
  for (size_t i = 0; i < done; i += QUATSIMD_CHUNK) {
    float *to[OUTPUTS];
    for (int c = 0; c < OUTPUTS; c++) to[c] = expected[c] + i;
    const float *at[INPUTS];
    static float repeated[16][QUATSIMD_CHUNK];
    for (int c = 0; c < INPUTS; c++) {
      at[c] = inputs[c] + i;
      if (!one || c >= o->in_components[0]) continue;
      for (size_t e = 0; e < QUATSIMD_CHUNK; e++) repeated[c][e] = inputs[c][1];
      at[c] = repeated[c];
    }
    scalar_kernels()->operation[op](to, at, QUATSIMD_CHUNK);
  }
  for (size_t i = 0; i < done; i++)
    for (size_t c = 0; c < width; c++)
      if (memcmp(&out[width * i + c], &expected[c][i], 4) != 0) {
        print_error("%s kernels, %s of structs%s: output %zu of element %zu is %a, not %a\n", k->name,
                    o->name, one ? ", one for all" : "", c, i, (double)out[width * i + c],
                    (double)expected[c][i]);
        return 1;
      }
  for (size_t b = width * done * 4; b < sizeof out; b++)
    if (((const unsigned char *)out)[b] != 0xa5) return 1;
  return 0;
}

static void structs_as_scalar(void **state) {
  const quatsimd_kernels *k = *state;
  if (!can_run(k)) {
    print_message("SKIP: this CPU cannot run the %s kernels\n", k->name);
    skip();
  }
  unsigned wrong = 0;
  for (size_t op = 0; op < QUATSIMD_OPERATIONS; op++)
    if (k->aos[op]) wrong += wrong_in_aos(k, op, false) + wrong_in_aos(k, op, true);
  assert_int_equal(wrong, 0);
}

/* Checks the transposes from arrays to components and back. `stride` is in floats. Arrays whose stride is
 * below the width of an element are only read. If `count` is below k->lanes, nothing must be written. */
static void check_transposes(const quatsimd_kernels *k, size_t stride, size_t count) {
  enum { N = 64, MOST_STRIDE = 11 };
  float aos[MOST_STRIDE * N], parts[4][N], back[MOST_STRIDE * N];
  float *const to[] = {parts[0], parts[1], parts[2], parts[3]};
  const float *const from[] = {parts[0], parts[1], parts[2], parts[3]};
  const size_t done = count < k->lanes ? 0 : count, width = stride == 3 ? 3 : 4;
  for (size_t i = 0; i < MOST_STRIDE * N; i++) aos[i] = (float)i, back[i] = -1;
  for (size_t i = 0; i < 4 * N; i++) parts[i / N][i % N] = -1;
  assert_int_equal(width == 4 ? k->split4(to, aos, 4 * stride, count) : k->split3(to, aos, count), done);
  for (size_t i = 0; i < N; i++)
    for (size_t c = 0; c < width; c++) assert_true(parts[c][i] == (i < done ? (float)(stride * i + c) : -1));
  if (stride < width) return;
  assert_int_equal(width == 4 ? k->join4(back, 4 * stride, from, count) : k->join3(back, from, count), done);
  for (size_t i = 0; i < MOST_STRIDE * N; i++)
    assert_true(back[i] == (i / stride < done && i % stride < width ? aos[i] : -1));
}

static void transposes_return(void **state) {
  const quatsimd_kernels *k = *state;
  if (!can_run(k)) {
    print_message("SKIP: this CPU cannot run the %s kernels\n", k->name);
    skip();
  }
  for (size_t stride = 0; stride <= 11; stride++)
    for (size_t count = 0; count <= 61; count++) check_transposes(k, stride, count);
}

static void blocks_return(void **state) {
  const quatsimd_kernels *k = *state;
  if (!can_run(k)) {
    print_message("SKIP: this CPU cannot run the %s kernels\n", k->name);
    skip();
  }
  enum { N = 64 };
  float blocks[4 * N], parts[4][N], back[4 * N];
  for (size_t block = 4; block <= 8; block += 4)
    for (size_t count = 0; count <= N; count += block) {
      for (size_t i = 0; i < 4 * N; i++) blocks[i] = (float)i, back[i] = parts[i / N][i % N] = -1;
      k->split_blocks((float *[]){parts[0], parts[1], parts[2], parts[3]}, blocks, block, count);
      for (size_t c = 0; c < 4; c++)
        for (size_t i = 0; i < N; i++)
          assert_true(parts[c][i] ==
                      (i < count ? (float)(i / block * 4 * block + c * block + i % block) : -1));
      k->join_blocks(back, block, (const float *[]){parts[0], parts[1], parts[2], parts[3]}, count);
      for (size_t i = 0; i < 4 * N; i++) assert_true(back[i] == (i < 4 * count ? blocks[i] : -1));
    }
}

/* Converts every half, every float midway between two halves, the neighbours of such floats, and random
 * floats. Then checks that nothing is written after arrays of every small length. */
static void halves_as_scalar(void **state) {
  const quatsimd_kernels *k = *state;
  if (!can_run(k)) {
    print_message("SKIP: this CPU cannot run the %s kernels\n", k->name);
    skip();
  }
  static uint16_t all[65536], from[4 * 65536], from_scalar[4 * 65536];
  static float floats[65536], floats_scalar[65536], hard[4 * 65536];
  uint64_t random = 1;
  for (uint32_t h = 0; h < 65536; h++) all[h] = (uint16_t)h;
  k->half_to_float(floats, all, 65536), scalar_kernels()->half_to_float(floats_scalar, all, 65536);
  assert_memory_equal(floats, floats_scalar, sizeof floats);
  for (uint32_t h = 0; h < 65536; h++) {
    const bool finite = (h & 0x7c00) != 0x7c00;
    const float next = (h & 0x7fff) == 0x7bff ? (h & 0x8000 ? -65536.f : 65536.f)
                       : finite               ? floats[h + 1]
                                              : 0;
    const float middle = finite ? 0.5f * (floats[h] + next) : floats[h];
    const uint32_t any = (uint32_t)sweep_next(&random);
    hard[4 * h] = middle, hard[4 * h + 1] = __builtin_nextafterf(middle, 1e9f),
             hard[4 * h + 2] = __builtin_nextafterf(middle, -1e9f);
    memcpy(&hard[4 * h + 3], &any, 4);
    if (!finite) continue;
    const uint16_t even = (uint16_t)(h & 1 ? h + 1 : h), outer = (uint16_t)(h + 1), inner = (uint16_t)h;
    uint16_t got_halves[3];
    k->half_from_float(got_halves, &hard[4 * h], 3);
    assert_int_equal(got_halves[0], even);
    assert_int_equal(got_halves[1], h & 0x8000 ? inner : outer);
    assert_int_equal(got_halves[2], h & 0x8000 ? outer : inner);
  }
  k->half_from_float(from, hard, 4 * 65536), scalar_kernels()->half_from_float(from_scalar, hard, 4 * 65536);
  assert_memory_equal(from, from_scalar, sizeof from);
  for (size_t n = 0; n <= 4 * QUATSIMD_MOST_LANES * 2 + 1; n++) {
    uint16_t some[4 * QUATSIMD_MOST_LANES * 2 + 2];
    float back[4 * QUATSIMD_MOST_LANES * 2 + 2];
    memset(some, 0xa5, sizeof some), memset(back, 0xa5, sizeof back);
    k->half_from_float(some, hard + 1000, n), k->half_to_float(back, all + 1000, n);
    assert_memory_equal(some, from + 1000, n * sizeof *some),
        assert_memory_equal(back, floats + 1000, n * sizeof *back);
    assert_int_equal(some[n], 0xa5a5);
    assert_true(memcmp(&back[n], "\xa5\xa5\xa5\xa5", 4) == 0);
  }
}

static void goldens_hold(void **state) {
  (void)state;
  FILE *f = fopen(QUATSIMD_OPERATION_GOLDENS, "r");
  if (!f) fail_msg("cannot open %s", QUATSIMD_OPERATION_GOLDENS);
  unsigned wrong = 0;
  for (size_t op = 0; op < QUATSIMD_OPERATIONS; op++) {
    char name[32] = "";
    unsigned long long hash = 0;
    run(scalar_kernels(), op, expected);
    if (fscanf(f, "%31s %16llx", name, &hash) != 2 || strcmp(name, operations[op].name) != 0 ||
        hash != hash_of(operations[op].outputs))
      print_error("%s: not as in operations.txt\n", operations[op].name), wrong++;
  }
  fclose(f);
  assert_int_equal(wrong, 0);
}

/* Prints the results of an operation, to find where they differ from those of another machine. */
static int dump(const char *name) {
  for (size_t op = 0; op < QUATSIMD_OPERATIONS; op++)
    if (strcmp(operations[op].name, name) == 0) {
      run(scalar_kernels(), op, expected);
      for (size_t i = 0; i < COUNT; i++)
        for (int c = 0; c < operations[op].outputs; c++) printf("%zu %d %a\n", i, c, (double)expected[c][i]);
    }
  return 0;
}

int main(int argc, char **argv) {
  fill_inputs();
  if (argc == 2 && strcmp(argv[1], "--write") == 0) {
    for (size_t op = 0; op < QUATSIMD_OPERATIONS; op++) {
      run(scalar_kernels(), op, expected);
      printf("%-22s %016llx\n", operations[op].name, (unsigned long long)hash_of(operations[op].outputs));
    }
    return 0;
  }
  if (argc == 3 && strcmp(argv[1], "--dump") == 0) return dump(argv[2]);
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = array_kernels(tables);
  static const struct {
    const char *what;
    CMUnitTestFunction run;
  } checks[] = {{"the bits of scalar", as_scalar},
                {"structs", structs_as_scalar},
                {"transposes", transposes_return},
                {"blocks", blocks_return},
                {"halves", halves_as_scalar}};
  enum { CHECKS = sizeof checks / sizeof *checks };
  static struct CMUnitTest tests[CHECKS * MAX_KERNELS + 1];
  static char names[CHECKS * MAX_KERNELS][64];
  for (size_t i = 0; i < CHECKS * n; i++) {
    const quatsimd_kernels *k = tables[i / CHECKS];
    snprintf(names[i], sizeof names[i], "%s: %s", k->name, checks[i % CHECKS].what);
    tests[i] = (struct CMUnitTest){names[i], checks[i % CHECKS].run, NULL, NULL, (void *)(uintptr_t)k};
  }
  tests[CHECKS * n] = (struct CMUnitTest){"goldens", goldens_hold, NULL, NULL, NULL};
  return _cmocka_run_group_tests("operations", tests, CHECKS * n + 1, NULL, NULL);
}
