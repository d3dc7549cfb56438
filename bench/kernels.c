/* The kernels of all operations of operations.def, to be counted: on components, 64 and 128 elements. What
 * they are given is not always a rotation, but within the range of one: kernels take no other way for
 * that. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "core/dispatch.h"

#define MOST_COMPONENTS 32
#define COUNT (QUATSIMD_CHUNK / 2)

static const struct {
  const char *name;
  int out, in; /* components */
} operations[] = {
#define SUM(...) SUM_OF(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define SUM_OF(a, b, c, d, e, f, ...) ((a) + (b) + (c) + (d) + (e) + (f))
#define OPERATION(name, kernel, part, out, in) {#name, SUM out, SUM in},
#include "rotation/operations.def"
};

typedef struct kernel_case {
  char name[96];
  quatsimd_operation_fn *kernel;
  size_t count;
} kernel_case;

static float in_data[MOST_COMPONENTS][QUATSIMD_CHUNK], out_data[MOST_COMPONENTS][QUATSIMD_CHUNK];

static size_t prepare(void *context, size_t times) {
  kernel_case *c = context;
  uint64_t state = 1;
  for (int k = 0; k < MOST_COMPONENTS; k++)
    for (int i = 0; i < QUATSIMD_CHUNK; i++)
      in_data[k][i] = (float)(random_bits(&state) >> 40) * 0x1p-24f - 0.5f;
  return c->count = times * COUNT;
}

static void call(void *context) {
  const kernel_case *c = context;
  float *out[MOST_COMPONENTS];
  const float *in[MOST_COMPONENTS];
  for (int k = 0; k < MOST_COMPONENTS; k++) out[k] = out_data[k], in[k] = in_data[k];
  c->kernel(out, in, c->count);
}

void add_kernels(void) {
  for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
    for (size_t k = 0; quatsimd_kernel_list[k]; k++) {
      const quatsimd_kernels *table = quatsimd_kernel_list[k];
      if (!has_arrays(k)) continue;
      if (operations[o].in > MOST_COMPONENTS || operations[o].out > MOST_COMPONENTS)
        die("an operation has more components than there is room for");
      kernel_case *c = calloc(1, sizeof *c);
      if (!c) die("out of memory");
      snprintf(c->name, sizeof c->name, "kernel/%s/%s/soa/%d", table->name, operations[o].name, COUNT);
      c->kernel = table->operation[o];
      count_row(c->name, prepare, call, c);
    }
}
