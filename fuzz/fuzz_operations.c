/* libFuzzer over the operations of rotation.h, qtangent.h, relative.h and streams, and the halves: any
 * floats, whatever sense they make. All kernels give scalar's bits, on arrays of components and on
 * structs. */
#include "fuzz.h"

enum { INPUTS = 17, OUTPUTS = 16, ARGUMENTS = 6 };

typedef struct operation {
  const char *name;
  int out_components[4], in_components[ARGUMENTS]; /* of each argument, 0 behind the last */
} operation;
#define COMPONENTS(...) __VA_ARGS__
#define OPERATION(name, kernel, part, out, in) {#name, {COMPONENTS out}, {COMPONENTS in}},
static const operation operations[] = {
#include "rotation/operations.def"
};

static int total(const int *components) {
  int sum = 0;
  while (*components) sum += *components++;
  return sum;
}

/* Element i's component c, wherever that is; shorter inputs are repeated, a little changed by where they
 * are used. */
static void fill(float *to, size_t count, const uint8_t *data, size_t size, size_t component) {
  for (size_t i = 0; i < count; i++) {
    const size_t floats = size / 4;
    memset(to + i, 0, 4);
    if (floats) memcpy(to + i, data + 4 * ((i * 7 + component) % floats), 4);
  }
}

typedef struct columns {
  fuzz_array array[INPUTS];
  float *column[INPUTS];
} columns;
static columns columns_new(int n, size_t count) {
  columns c;
  for (int i = 0; i < n; i++)
    c.array[i] = fuzz_array_new(4 * count, 0), c.column[i] = (float *)(void *)c.array[i].data;
  return c;
}
static void columns_free(columns *c, int n) {
  for (int i = 0; i < n; i++) fuzz_array_free(&c->array[i]);
}

/* Tight structs, element by element. */
static void check_structs(const quatsimd_kernels *k, size_t op, const columns *in, const columns *wanted,
                          size_t count, bool repeat) {
  const operation *o = &operations[op];
  const int inputs = total(o->in_components), width = total(o->out_components);
  fuzz_array array[ARGUMENTS];
  const float *from[ARGUMENTS];
  size_t stride[ARGUMENTS], arguments = 0;
  for (int c = 0; c < inputs; c += o->in_components[arguments++]) {
    const size_t n = (size_t)o->in_components[arguments];
    const bool repeated = repeat && arguments == 0; /* then it holds a whole vector of what is the same */
    const size_t elements = repeated ? QUATSIMD_MOST_LANES : count;
    array[arguments] = fuzz_array_new(4 * n * elements, 0);
    from[arguments] = (const float *)(const void *)array[arguments].data;
    stride[arguments] = repeated ? 0 : n;
    for (size_t i = 0; i < elements; i++)
      for (size_t j = 0; j < n; j++)
        memcpy(array[arguments].data + 4 * (n * i + j), in->column[(size_t)c + j] + i, 4);
  }
  fuzz_array to = fuzz_array_new(4 * (size_t)width * count, 0);
  const size_t done = k->aos[op]((float *[]){(float *)(void *)to.data}, from, stride, count);
  if (done > count) fuzz_fail("%s, %s of structs: more than there are", k->name, o->name);
  for (size_t i = 0; i < done; i++)
    for (size_t c = 0; c < (size_t)width; c++)
      if (memcmp(to.data + 4 * ((size_t)width * i + c), wanted->column[c] + i, 4) != 0)
        fuzz_fail("%s, %s of structs: not scalar's", k->name, o->name);
  fuzz_array_free(&to);
  for (size_t a = 0; a < arguments; a++) fuzz_array_free(&array[a]);
}

static void check_operation(const quatsimd_kernels *const *tables, size_t n, size_t op, size_t count,
                            const uint8_t *data, size_t size) {
  const operation *o = &operations[op];
  const int inputs = total(o->in_components), outputs = total(o->out_components);
  for (int repeat = 0; repeat < 2; repeat++) {
    columns in = columns_new(inputs, count), wanted = columns_new(outputs, count);
    for (int c = 0; c < inputs; c++) {
      fill(in.column[c], count, data, size, (size_t)c);
      for (size_t i = 1; i < count && repeat && c < o->in_components[0]; i++)
        in.column[c][i] = in.column[c][0];
    }
    tables[0]->operation[op](wanted.column, (const float *const *)in.column, count);
    for (size_t t = 1; t < n; t++) {
      columns got = columns_new(outputs, count);
      tables[t]->operation[op](got.column, (const float *const *)in.column, count);
      for (int c = 0; c < outputs; c++)
        if (memcmp(got.column[c], wanted.column[c], 4 * count) != 0)
          fuzz_fail("%s, %s: output %d is not scalar's", tables[t]->name, o->name, c);
      columns_free(&got, outputs);
      /* of fewer than these, too: what does not fill a vector is left */
      if (tables[t]->aos[op])
        check_structs(tables[t], op, &in, &wanted, size % 3 ? count : count - 1, repeat);
    }
    columns_free(&in, inputs), columns_free(&wanted, outputs);
  }
}

static void check_halves(const quatsimd_kernels *const *tables, size_t n, const uint8_t *data, size_t size) {
  const size_t count = size / 4;
  fuzz_array floats = fuzz_array_new(4 * count, 0), some = fuzz_array_new(2 * count, 0),
             wanted = fuzz_array_new(2 * count, 0);
  fuzz_array wide = fuzz_array_new(4 * count, 0), wanted_wide = fuzz_array_new(4 * count, 0);
  if (count) memcpy(floats.data, data, 4 * count);
  for (size_t t = 0; t < n; t++) {
    const fuzz_array to = t ? some : wanted, to_wide = t ? wide : wanted_wide;
    tables[t]->half_from_float((uint16_t *)(void *)to.data, (const float *)(const void *)floats.data, count);
    tables[t]->half_to_float((float *)(void *)to_wide.data, (const uint16_t *)(const void *)floats.data,
                             count);
    if (t && (memcmp(to.data, wanted.data, 2 * count) != 0 ||
              memcmp(to_wide.data, wanted_wide.data, 4 * count) != 0))
      fuzz_fail("%s: halves are not scalar's", tables[t]->name);
  }
  fuzz_array_free(&floats), fuzz_array_free(&some), fuzz_array_free(&wanted), fuzz_array_free(&wide),
      fuzz_array_free(&wanted_wide);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = fuzz_tables(tables);
  fuzz_input in = {data, size};
  const size_t op = fuzz_byte(&in) % (QUATSIMD_OPERATIONS + 1);
  const unsigned how = fuzz_byte(&in);
  const size_t count = QUATSIMD_OPERATION_BLOCK * (how / 8 % (QUATSIMD_CHUNK / QUATSIMD_OPERATION_BLOCK) + 1);
  if (op == QUATSIMD_OPERATIONS) check_halves(tables, n, in.at, in.left);
  else check_operation(tables, n, op, count, in.at, in.left);
  return 0;
}
