/* The kernels that a test program can compare with the scalar reference. */
#ifndef QUATSIMD_TESTS_KERNELS_H
#define QUATSIMD_TESTS_KERNELS_H

#include "core/cpu.h"
#include "core/operand.h"

#include <string.h>

enum { MAX_KERNELS = 16 };

/* Lists the library's tables of kernels, even if this CPU cannot run them, and those made with SIMDe. */
static inline size_t all_kernels(const quatsimd_kernels *tables[MAX_KERNELS]) {
  size_t n = 0;
  for (; quatsimd_kernel_list[n]; n++) tables[n] = quatsimd_kernel_list[n];
#define KERNEL(isa)                                                                                          \
  {                                                                                                          \
    extern const quatsimd_kernels quatsimd_kernels_##isa;                                                    \
    tables[n++] = &quatsimd_kernels_##isa;                                                                   \
  }
  QUATSIMD_TEST_KERNELS
#undef KERNEL
  return n;
}

/* As all_kernels, without tables whose kernels for arrays are those of another. */
static inline size_t array_kernels(const quatsimd_kernels *tables[MAX_KERNELS]) {
  size_t n = 0;
  for (size_t i = 0, all = all_kernels(tables); i < all; i++)
    if (strcmp(tables[i]->name, "sse41") != 0 && strncmp(tables[i]->name, "avx512vbmi", 10) != 0)
      tables[n++] = tables[i];
  return n;
}

static inline bool can_run(const quatsimd_kernels *k) {
  for (size_t i = 0; quatsimd_kernel_list[i]; i++)
    if (quatsimd_kernel_list[i] == k) return quatsimd_cpu_can_run(k->name);
  /* tables made with SIMDe need what they are compiled for: AVX2 or x86-64-v2 */
  if (strncmp(k->name, "avx512", 6) == 0) return quatsimd_cpu_can_run("avx2");
  return strcmp(k->name, "neon_simde") != 0 || quatsimd_cpu_can_run("sse41");
}

static inline const quatsimd_kernels *scalar_kernels(void) {
  size_t n = 0;
  while (quatsimd_kernel_list[n + 1]) n++;
  return quatsimd_kernel_list[n];
}

/* Returns a view of quaternions. x is the first float. Only QUATSIMD_VIEW_SOA uses y, z and w. */
static inline quatsimd_operand quats_in(quatsimd_view_layout layout, const float *x, const float *y,
                                        const float *z, const float *w, size_t stride) {
  quatsimd_operand o = layout == QUATSIMD_VIEW_SOA ? quatsimd_arrays(x, y, z, w) : quatsimd_structs(x, 4);
  o.layout = layout, o.stride = stride;
  return o;
}

/* Packs with the kernels of a table, as codec.c does. */
static inline bool run_pack(const quatsimd_kernels *k, quatsimd_format format, unsigned char *packed,
                            quatsimd_operand from, size_t count) {
  const quatsimd_format_entry *e = quatsimd_format_lookup(format);
  return k->codec[e->codec].pack(e->width, packed, &from, count);
}
static inline void run_unpack(const quatsimd_kernels *k, quatsimd_format format, quatsimd_operand to,
                              const unsigned char *packed, size_t count) {
  const quatsimd_format_entry *e = quatsimd_format_lookup(format);
  k->codec[e->codec].unpack(e->width, &to, packed, count);
}

#endif
