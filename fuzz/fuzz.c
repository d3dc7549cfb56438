#include "fuzz.h"

#include "support/denormals.h"

#include <stdarg.h>
#include <stdio.h>

void fuzz_use(const quatsimd_kernels *k) {
  /* kept: to ask the CPU takes long in a virtual machine */
  static const quatsimd_kernels *chosen;
  if (!chosen) chosen = quatsimd_active_kernels();
  quatsimd_use_kernels(k ? k : chosen);
}

size_t fuzz_tables(const quatsimd_kernels *tables[MAX_KERNELS]) {
  static const quatsimd_kernels *found[MAX_KERNELS];
  static size_t n = 0;
  if (n == 0) {
    found[n++] = scalar_kernels();
    for (size_t i = 0; quatsimd_kernel_list[i]; i++)
      if (quatsimd_kernel_list[i] != found[0] && can_run(quatsimd_kernel_list[i]))
        found[n++] = quatsimd_kernel_list[i];
  }
  memcpy(tables, found, sizeof found);
  return n;
}

void fuzz_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("fuzz: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

enum { FILL = 0xa5 };

fuzz_array fuzz_array_new(size_t size, size_t offset) {
  fuzz_array a = {malloc(offset + size), NULL, size, offset};
  if (!a.memory) fuzz_fail("out of memory");
  memset(a.memory, FILL, offset + size);
  a.data = a.memory + offset;
  return a;
}

void fuzz_array_free(fuzz_array *a) {
  for (size_t i = 0; i < a->offset; i++)
    if (a->memory[i] != FILL) fuzz_fail("written %zu bytes before an array", a->offset - i);
  free(a->memory);
}

fuzz_quats fuzz_quats_new(quatsimd_view_layout layout, size_t count, size_t stride, size_t offset) {
  const bool soa = layout == QUATSIMD_VIEW_SOA;
  fuzz_quats q = {.layout = layout,
                  .count = count,
                  .stride = soa                           ? 4
                            : layout == QUATSIMD_VIEW_AOS ? 16
                                                          : stride};
  for (int i = 0; i < 4; i++)
    q.array[i] = fuzz_array_new(soa                   ? 4 * count
                                : i > 0 || count == 0 ? 0
                                                      : (count - 1) * q.stride + 16,
                                4 * offset);
  q.x = (float *)(void *)q.array[0].data;
  q.y = soa ? (float *)(void *)q.array[1].data : q.x;
  q.z = soa ? (float *)(void *)q.array[2].data : q.x;
  q.w = soa ? (float *)(void *)q.array[3].data : q.x;
  return q;
}

static unsigned char *component(const fuzz_quats *q, size_t i, int c) {
  return q->layout == QUATSIMD_VIEW_SOA ? q->array[c].data + 4 * i : q->array[0].data + i * q->stride + 4 * c;
}
quatsimd_operand fuzz_quats_view(const fuzz_quats *q) {
  return quats_in(q->layout, q->x, q->y, q->z, q->w, q->stride);
}
void fuzz_quats_set(fuzz_quats *q, size_t i, const float *xyzw) {
  for (int c = 0; c < 4; c++) memcpy(component(q, i, c), xyzw + c, 4);
}
void fuzz_quats_get(const fuzz_quats *q, size_t i, float *xyzw) {
  for (int c = 0; c < 4; c++) memcpy(xyzw + c, component(q, i, c), 4);
}
bool fuzz_quats_equal(const fuzz_quats *a, const fuzz_quats *b) {
  bool equal = true;
  for (int i = 0; i < 4; i++)
    equal = equal && memcmp(a->array[i].data, b->array[i].data, a->array[i].size) == 0;
  return equal;
}
void fuzz_quats_free(fuzz_quats *q) {
  for (int i = 0; i < 4; i++) fuzz_array_free(&q->array[i]);
}

quatsimd_format fuzz_take_format(fuzz_input *in) {
  size_t formats = 0;
  quatsimd_format format;
  while (quatsimd_format_at(&format, formats) == QUATSIMD_OK) formats++;
  quatsimd_format_at(&format, fuzz_byte(in) % formats);
  return format;
}
