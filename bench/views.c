/* quatsimd_pack and quatsimd_unpack, called as users call them, in every layout: each row is measured beside
 * the same call on xyzw elements of the same stride, an array of structs instead of blocks: the counter
 * xyzw_ratio. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/dispatch.h"
#include "shim.h"

#define FLOATS_BETWEEN (APART / sizeof(float))

/* cheap and costly kernels, and each way that codes are stored */
static const char *const formats[] = {"unreal32",  "lattice32", "snorm16x3",
                                      "snorm16x4", "float4",    "smallest3:16"};
static const size_t counts[] = {4096, ROTATIONS}; /* in the second cache, in memory */

typedef struct view_layout {
  const char *name;
  unsigned block; /* 0: none */
  size_t stride;  /* bytes, where there are no blocks */
  bool w_first;
} view_layout;
enum { AOS, STRIDED };
static const view_layout layouts[] = {
    [AOS] = {"aos", 0, 16, false}, [STRIDED] = {"strided", 0, STRIDE, false},
    {"wxyz", 0, 16, true},         {"wxyz_strided", 0, STRIDE, true},
    {"blocks4", 4, 0, false},      {"blocks8", 8, 0, false},
    {"wxyz_blocks8", 8, 0, true},
};

typedef struct view_case {
  char name[96];
  const view_layout *layout;
  const quatsimd_format_entry *entry;
  const quatsimd_kernels *table;
  bool packing;
  size_t count;
} view_case;

/* All for ROTATIONS quaternions. The view and the array of structs have memory of their own. */
static struct {
  float *memory, *view, *xyzw;
  unsigned char *packed, *packed_xyzw;
} data;

static float *place(const view_layout *l, float *memory, size_t i, int component) {
  const size_t row = (size_t)(l->w_first ? (component + 1) % 4 : component);
  return l->block ? memory + i / l->block * 4 * l->block + row * l->block + i % l->block
                  : memory + i * (l->stride / sizeof(float)) + row;
}

static quatsimd_in in_of(const view_layout *l, const float *p) {
  const quatsimd_in view = l->block         ? quatsimd_blocks(p, l->block)
                           : l->stride > 16 ? quatsimd_strided(p, l->stride)
                                            : quatsimd_aos(p);
  return l->w_first ? quatsimd_wxyz(view) : view;
}

static quatsimd_out out_of(const view_layout *l, float *p) {
  const quatsimd_out view = l->block         ? quatsimd_blocks_out(p, l->block)
                            : l->stride > 16 ? quatsimd_strided_out(p, l->stride)
                                             : quatsimd_aos_out(p);
  return l->w_first ? quatsimd_wxyz_out(view) : view;
}

/* The same without the order, what users of other layouts would have. */
static const view_layout *peer_of(const view_case *c) {
  return &layouts[c->layout->w_first && c->layout->stride == STRIDE ? STRIDED : AOS];
}

static void prepare(const view_case *c) {
  if (!data.memory) {
    const size_t floats = ROTATIONS * (2 * STRIDE / sizeof(float) + 2 * 4) + 4 * FLOATS_BETWEEN;
    data.memory = malloc(floats * sizeof(float));
    if (!data.memory) die("out of memory");
    memset(data.memory, 1, floats * sizeof(float));
    data.view = data.memory + (64 - (uintptr_t)data.memory % 64) / sizeof(float);
    data.xyzw = data.view + ROTATIONS * (STRIDE / sizeof(float)) + FLOATS_BETWEEN;
    data.packed = (unsigned char *)(data.xyzw + ROTATIONS * (STRIDE / sizeof(float)) + FLOATS_BETWEEN);
    data.packed_xyzw = data.packed + (size_t)16 * ROTATIONS + APART;
  }
  const quatsimd_format format = c->entry->format;
  const size_t size = quatsimd_packed_size(format, c->count);
  random_rotations(data.xyzw, c->count, 1);
  if (quatsimd_pack(format, data.packed, size, quatsimd_aos(data.xyzw), c->count) != QUATSIMD_OK)
    die("a unit quaternion was called invalid");
  memcpy(data.packed_xyzw, data.packed, size);
  for (size_t i = 0; i < c->count; i++)
    for (int k = 0; k < 4; k++) *place(c->layout, data.view, i, k) = data.xyzw[4 * i + (size_t)k];
  for (size_t i = c->count; i-- > 0;) /* from the last one on, since they move up in the same memory */
    memmove(place(peer_of(c), data.xyzw, i, 0), data.xyzw + 4 * i, 16);
}

static double time_layout(const view_case *c, const view_layout *layout, float *floats, unsigned char *packed,
                          size_t calls) {
  const size_t size = quatsimd_packed_size(c->entry->format, c->count);
  quatsimd_use_kernels(c->table);
  const double start = seconds();
  for (; calls > 0; calls--)
    if (c->packing) quatsimd_pack(c->entry->format, packed, size, in_of(layout, floats), c->count);
    else quatsimd_unpack(c->entry->format, out_of(layout, floats), packed, size, 0, c->count);
  return seconds_since(start);
}
static double time_view(void *context, size_t calls) {
  const view_case *c = context;
  return time_layout(c, c->layout, data.view, data.packed, calls);
}
static double time_xyzw(void *context, size_t calls) {
  const view_case *c = context;
  return time_layout(c, peer_of(c), data.xyzw, data.packed_xyzw, calls);
}

static void run(void *context, bench_state *state) {
  view_case *c = context;
  prepare(c);
  const measurement m = measure(time_view, time_xyzw, c);
  quatsimd_use_kernels(NULL);
  bench_set_time(state, m.call);
  bench_set_counter(state, "ns_per_quat", m.call.seconds / (double)c->count * 1e9);
  bench_set_counter(state, "xyzw_ratio", m.call.seconds / m.beside.seconds);
}

/* For --count. */
static size_t prepare_call(void *context, size_t times) {
  view_case *c = context;
  c->count = times * GATE_COUNT;
  prepare(c);
  return c->count;
}

static void call_once(void *context) {
  time_view(context, 1);
  quatsimd_use_kernels(NULL);
}

static void add(const quatsimd_format_entry *entry, const view_layout *layout, const quatsimd_kernels *table,
                bool packing, size_t count) {
  view_case *c = calloc(1, sizeof *c);
  if (!c) die("out of memory");
  *c = (view_case){.layout = layout, .entry = entry, .table = table, .packing = packing, .count = count};
  snprintf(c->name, sizeof c->name, "view_%s/%s/%s/%s/%zu", packing ? "pack" : "unpack", table->name,
           entry->info.name, layout->name, count);
  add_row(c->name, run, prepare_call, call_once, c);
}

static bool chosen(const quatsimd_format_entry *entry) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (!strcmp(formats[i], entry->info.name)) return true;
  return false;
}

void add_views(bench_extent extent) {
  if (extent == QUICK) return;
  const size_t gate_count = GATE_COUNT, *const sizes = extent == GATE ? &gate_count : counts;
  const size_t size_count = extent == GATE ? 1 : sizeof counts / sizeof *counts;
  quatsimd_format format;
  for (size_t i = 0; quatsimd_format_at(&format, i) == QUATSIMD_OK; i++) {
    const quatsimd_format_entry *entry = quatsimd_format_lookup(format);
    if (!entry || !chosen(entry)) continue;
    for (size_t n = 0; n < size_count; n++)
      for (int packing = 0; packing < 2; packing++)
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
          for (size_t k = 0; quatsimd_kernel_list[k + 1]; k++) /* but scalar */
            if (has_arrays(k)) add(entry, &layouts[l], quatsimd_kernel_list[k], packing, sizes[n]);
  }
}
