/* Rows of formats: every kernel table that this machine can run, for each format, layout, direction and
 * count, and what people use instead. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef QUATSIMD_BENCH_MESHOPT
#include <meshoptimizer.h>
#endif

#include "baselines.h"
#include "bench.h"
#include "core/operand.h"
#include "shim.h"

static const size_t all_counts[] = {1, 4, 24, 64, 1024, 256 * 1024, MOST};
static const size_t quick_counts[] = {24, 256 * 1024};
static const size_t gate_counts[] = {GATE_COUNT};
static const size_t api_counts[] = {1, 4, 24, 64};
/* of parameterised formats, unless --all */
static const int some_widths[] = {4, 9, 10, 12, 15, 16, 19, 20};
static const int gate_widths[] = {10, 16};
/* Quaternions that are measured, at least; smaller counts walk through as many. */
static size_t distinct = ROTATIONS;
/* The layouts that kernels take, and floats from one quaternion to the next. */
enum { LAYOUTS = QUATSIMD_VIEW_STRIDED + 1 };
static const char *const layout_names[LAYOUTS] = {
    [QUATSIMD_VIEW_AOS] = "aos", [QUATSIMD_VIEW_SOA] = "soa", [QUATSIMD_VIEW_STRIDED] = "strided"};
static const size_t layout_floats[LAYOUTS] = {
    [QUATSIMD_VIEW_AOS] = 4, [QUATSIMD_VIEW_SOA] = 1, [QUATSIMD_VIEW_STRIDED] = STRIDE / 4};

/* One way to pack and unpack one format: a kernel table, the public functions, or something to compare
 * with. */
typedef struct codec {
  const char *name, *format_name;
  const quatsimd_format_entry *entry; /* null: a foreign format, and only unpacking is measured */
  int param;
  quatsimd_pack_fn *pack; /* null: not measured */
  quatsimd_unpack_fn *unpack;
  const quatsimd_kernels *table; /* the public functions use; null: those in use */
  struct codec *scalar;          /* the reference kernel of the same format; null: errors are not measured */
  double worst;                  /* 1 - |dot| of a rotation and its round trip; negative: not measured yet */
} codec;

typedef struct bench_case {
  char name[96];
  codec *codec;
  quatsimd_view_layout layout;
  bool packing;
  size_t count;
  size_t calls;           /* that are counted */
  size_t next, next_copy; /* window */
} bench_case;

/* Buffers, all for `quats` quaternions. Every page is written before anything is timed: untouched pages of a
 * source are one and the same page of zeros, which fits any cache. */
static struct {
  size_t quats;
  char *memory;
  float *in[LAYOUTS][4], *out[LAYOUTS][4];
  unsigned char *packed_in, *packed_out, *copy_from, *copy_to;
} buffers;

/* The content of packed_in: so many quaternions of that format, each window packed by itself. */
static const quatsimd_format_entry *packed_entry;
static size_t packed_count;

void free_buffers(void) {
  free(buffers.memory);
  buffers.memory = NULL;
  buffers.quats = 0;
}

static void need_buffers(size_t quats) {
  if (quats <= buffers.quats) return;
  quats = quats <= distinct ? distinct : MOST;
  free(buffers.memory);
  const size_t arrays = 15;
  const size_t total = quats * (16 + 16 + 2 * STRIDE + 16 + 4 * 16) + arrays * APART + 64;
  char *at = buffers.memory = malloc(total);
  if (!at) die("out of memory");
  memset(at, 1, total);
  at += 64 - (uintptr_t)at % 64;
#define TAKE(pointer, bytes) ((pointer) = (void *)at, at += (bytes) + APART)
  TAKE(buffers.in[QUATSIMD_VIEW_AOS][0], quats * 16);
  TAKE(buffers.in[QUATSIMD_VIEW_STRIDED][0], quats * STRIDE);
  TAKE(buffers.out[QUATSIMD_VIEW_STRIDED][0], quats * STRIDE);
  buffers.out[QUATSIMD_VIEW_AOS][0] = buffers.out[QUATSIMD_VIEW_STRIDED][0];
  for (int c = 0; c < 4; c++) {
    TAKE(buffers.in[QUATSIMD_VIEW_SOA][c], quats * 4);
    TAKE(buffers.out[QUATSIMD_VIEW_SOA][c], quats * 4);
    buffers.in[QUATSIMD_VIEW_AOS][c] = buffers.in[QUATSIMD_VIEW_AOS][0];
    buffers.out[QUATSIMD_VIEW_AOS][c] = buffers.out[QUATSIMD_VIEW_AOS][0];
    buffers.in[QUATSIMD_VIEW_STRIDED][c] = buffers.in[QUATSIMD_VIEW_STRIDED][0];
    buffers.out[QUATSIMD_VIEW_STRIDED][c] = buffers.out[QUATSIMD_VIEW_STRIDED][0];
  }
  TAKE(buffers.packed_in, quats * 16);
  TAKE(buffers.packed_out, quats * 16);
  TAKE(buffers.copy_from, quats * 16);
  TAKE(buffers.copy_to, quats * 16);
#undef TAKE
  buffers.quats = quats;
  packed_entry = NULL;
  const float *xyzw = buffers.in[QUATSIMD_VIEW_AOS][0];
  random_rotations(buffers.in[QUATSIMD_VIEW_AOS][0], quats, 1);
  for (size_t i = 0; i < quats; i++) {
    memcpy(buffers.in[QUATSIMD_VIEW_STRIDED][0] + i * layout_floats[QUATSIMD_VIEW_STRIDED], xyzw + 4 * i, 16);
    for (int c = 0; c < 4; c++) buffers.in[QUATSIMD_VIEW_SOA][c][i] = xyzw[4 * i + c];
  }
}

/* A call works on a window of `count` quaternions; windows follow each other through ROTATIONS of them, more
 * than branch predictors remember (8 Ki are remembered: the textbook loop gets four times as fast). */
static size_t windows(size_t count) { return count < distinct ? distinct / count : 1; }

static size_t packed_bytes(const codec *c, size_t count) {
  return c->entry ? quatsimd_packed_size(c->entry->format, count) : 8 * count;
}

/* Bytes read and written by a call. A foreign format unpacks to 8 bytes in place. */
static size_t bytes_moved(const codec *c, size_t count) {
  return packed_bytes(c, count) + (c->entry ? 16 : 8) * count;
}

static void need_packed(codec *c, size_t count) {
  if (packed_entry == c->entry && packed_count == count) return;
  const size_t bytes = packed_bytes(c->scalar, count);
  for (size_t i = 0; i < windows(count); i++) {
    const float *from = buffers.in[QUATSIMD_VIEW_AOS][0] + i * count * 4;
    unsigned char *to = buffers.packed_in + i * bytes;
    if (!c->scalar->pack(c->scalar->param, to, (quatsimd_operand[]){quatsimd_structs(from, 4)}, count))
      die("a unit quaternion was called invalid");
  }
  packed_entry = c->entry;
  packed_count = count;
}

/* Worst 1 - |dot| over all these random rotations, in double and from the chord, half its square: 1 - |dot|
 * itself would lose all digits below 1e-16. */
static double worst_error(codec *c) {
  if (c->worst >= 0) return c->worst;
  const float *q = buffers.in[QUATSIMD_VIEW_AOS][0];
  float *r = buffers.out[QUATSIMD_VIEW_AOS][0];
  c->pack(c->param, buffers.packed_out, (quatsimd_operand[]){quatsimd_structs(q, 4)}, distinct);
  c->unpack(c->param, (quatsimd_operand[]){quatsimd_structs(r, 4)}, buffers.packed_out, distinct);
  for (size_t i = 0; i < distinct; i++, q += 4, r += 4) {
    double q2 = 0, r2 = 0, minus = 0, plus = 0;
    for (int k = 0; k < 4; k++) q2 += (double)q[k] * q[k], r2 += (double)r[k] * r[k];
    for (int k = 0; k < 4; k++) {
      double a = q[k] / sqrt(q2), b = r[k] / sqrt(r2);
      minus += (a - b) * (a - b), plus += (a + b) * (a + b);
    }
    double error = (minus < plus ? minus : plus) / 2;
    if (!(error <= c->worst)) /* a NaN gets in and stays */
      c->worst = error;
  }
  return c->worst;
}

static quatsimd_operand operand_of(quatsimd_view_layout layout, float *const at[4]) {
  if (layout == QUATSIMD_VIEW_SOA) return quatsimd_arrays(at[0], at[1], at[2], at[3]);
  quatsimd_operand o = quatsimd_structs(at[0], 4);
  o.layout = layout, o.stride = sizeof(float) * layout_floats[layout];
  return o;
}

static double time_calls(void *context, size_t calls) {
  static volatile bool sink;
  bench_case *b = context;
  const codec *c = b->codec;
  const size_t all = windows(b->count), packed_step = packed_bytes(c, b->count);
  const size_t step = sizeof(float) * b->count * (c->entry ? layout_floats[b->layout] : 2);
  float *const *base = b->packing ? buffers.in[b->layout] : buffers.out[b->layout];
  const quatsimd_operand first = operand_of(b->layout, base);
  quatsimd_operand view = first;
  size_t at = b->next;
  double start;
  if (b->packing) {
    quatsimd_pack_fn *pack = c->pack;
    bool valid = true;
    start = seconds();
    for (; calls > 0; calls--) {
      unsigned char *to = buffers.packed_out + at * packed_step;
      for (int k = 0; k < 4; k++) view.component[k] = first.component[k] + at * step;
      valid &= pack(c->param, to, &view, b->count);
      at = at + 1 < all ? at + 1 : 0;
    }
    start = seconds_since(start);
    sink = valid;
    (void)sink;
  } else {
    quatsimd_unpack_fn *unpack = c->unpack;
    start = seconds();
    for (; calls > 0; calls--) {
      for (int k = 0; k < 4; k++) view.component[k] = first.component[k] + at * step;
      unpack(c->param, &view, buffers.packed_in + at * packed_step, b->count);
      at = at + 1 < all ? at + 1 : 0;
    }
    start = seconds_since(start);
  }
  b->next = at;
  return start;
}

/* memcpy of half the bytes a call moves, which moves as many: it reads and writes each. */
static double time_copies(void *context, size_t calls) {
  bench_case *b = context;
  const size_t all = windows(b->count), bytes = (bytes_moved(b->codec, b->count) + 1) / 2;
  size_t at = b->next_copy;
  double start = seconds();
  for (; calls > 0; calls--) {
    memcpy(buffers.copy_to + at * bytes, buffers.copy_from + at * bytes, bytes);
    at = at + 1 < all ? at + 1 : 0;
  }
  b->next_copy = at;
  return seconds_since(start);
}

static void run(void *context, bench_state *state) {
  bench_case *b = context;
  codec *c = b->codec;
  need_buffers(b->count);
  if (c->entry && !b->packing) need_packed(c, b->count);
  /* kernel and memcpy take turns: both find the caches as the other left them */
  const measurement m = measure(time_calls, time_copies, b);
  const double count = (double)b->count;
  bench_set_time(state, m.call);
  bench_set_counter(state, "ns_per_quat", m.call.seconds / count * 1e9);
  bench_set_counter(state, "ns_per_call", m.call.seconds * 1e9);
  bench_set_counter(state, "memcpy_ns_per_quat", m.beside.seconds / count * 1e9);
  bench_set_counter(state, "memcpy_ratio", m.call.seconds / m.beside.seconds);
  bench_set_counter(state, "bytes_per_second", (double)bytes_moved(c, b->count) / m.call.seconds);
  bench_set_counter(state, "ghz", m.ghz);
  if (c->scalar) {
    bench_set_counter(state, "worst", worst_error(c));
    bench_set_counter(state, "worst_scalar", worst_error(c->scalar));
  }
}

/* For --count. */
static size_t prepare_call(void *context, size_t times) {
  bench_case *b = context;
  b->calls = b->count == 1 ? times * GATE_CALLS : 1;
  if (b->count > 1) b->count = times * GATE_COUNT;
  b->next = 0;
  need_buffers(b->count);
  if (!b->packing) need_packed(b->codec, b->count);
  return b->count * b->calls;
}

static void call_once(void *context) {
  const bench_case *b = context;
  quatsimd_use_kernels(b->codec->table);
  time_calls(context, b->calls);
  quatsimd_use_kernels(NULL);
}

/* The public functions: the format in param's place, and a size that is enough for any format. */
static bool api_pack(int format, unsigned char *packed, const quatsimd_operand *from, size_t count) {
  return quatsimd_pack((quatsimd_format)format, packed, 16 * count,
                       quatsimd_aos(quatsimd_floats(from->component[0])), count) == QUATSIMD_OK;
}

static void api_unpack(int format, const quatsimd_operand *to, const unsigned char *packed, size_t count) {
  quatsimd_unpack((quatsimd_format)format, quatsimd_aos_out(quatsimd_floats(to->component[0])), packed,
                  16 * count, 0, count);
}

static void add_case(codec *c, quatsimd_view_layout layout, bool packing, size_t count) {
  bench_case *b = calloc(1, sizeof *b);
  if (!b) die("out of memory");
  b->codec = c;
  b->layout = layout;
  b->packing = packing;
  b->count = count;
  snprintf(b->name, sizeof b->name, "%s%s/%s/%s/%s/%zu", c->table && c->pack == api_pack ? "call_" : "",
           packing ? "pack" : "unpack", c->name, c->format_name, layout_names[layout], count);
  add_row(b->name, run, prepare_call, call_once, b);
}

static codec *new_codec(const char *name, const quatsimd_format_entry *entry) {
  codec *c = calloc(1, sizeof *c);
  if (!c) die("out of memory");
  c->name = name;
  c->entry = entry;
  c->format_name = entry ? entry->info.name : NULL;
  c->param = entry ? entry->width : 0;
  c->worst = -1;
  return c;
}

static codec *new_api(const char *name, const quatsimd_format_entry *entry, const quatsimd_kernels *table,
                      codec *scalar) {
  codec *api = new_codec(name, entry);
  api->param = entry->format;
  api->pack = api_pack;
  api->unpack = api_unpack;
  api->table = table;
  api->scalar = scalar;
  return api;
}

/* The loops of baselines.h and the decoder of meshoptimizer as if they were kernels. */
#define BASELINE_PACK(function)                                                                              \
  static bool call_##function(int param, unsigned char *packed, const quatsimd_operand *from,                \
                              size_t count) {                                                                \
    (void)param;                                                                                             \
    function((uint32_t *)(void *)packed, quatsimd_floats(from->component[0]), count);                        \
    return true;                                                                                             \
  }
#define BASELINE_UNPACK(function)                                                                            \
  static void call_##function(int param, const quatsimd_operand *to, const unsigned char *packed,            \
                              size_t count) {                                                                \
    (void)param;                                                                                             \
    function(quatsimd_floats(to->component[0]), (const uint32_t *)(const void *)packed, count);              \
  }
#define BASELINE_LOOPS(prefix)                                                                               \
  BASELINE_PACK(prefix##_select_pack)                                                                        \
  BASELINE_PACK(prefix##_select_pack_any)                                                                    \
  BASELINE_UNPACK(prefix##_select_unpack)
BASELINE_LOOPS(baseline)
BASELINE_PACK(baseline_textbook_pack)
BASELINE_UNPACK(baseline_textbook_unpack)
#ifdef QUATSIMD_BENCH_NATIVE
BASELINE_LOOPS(native)
#endif
#ifdef QUATSIMD_BENCH_CLANG
BASELINE_LOOPS(clang)
#endif

#ifdef QUATSIMD_BENCH_MESHOPT
/* Decodes in place, so from the second time on it decodes what it decoded before. No branch depends on it. */
static void call_meshopt(int param, const quatsimd_operand *to, const unsigned char *packed, size_t count) {
  (void)param, (void)packed;
  meshopt_decodeFilterQuat(quatsimd_floats(to->component[0]), count, 8);
}

static bool call_meshopt_encode(int param, unsigned char *packed, const quatsimd_operand *from,
                                size_t count) {
  (void)param;
  meshopt_encodeFilterQuat(packed, count, 8, 16, quatsimd_floats(from->component[0]));
  return true;
}
#endif

/* As meshopt_decodeFilterQuat, but to another array. */
static void call_meshopt_to_snorm16x4(int param, const quatsimd_operand *to, const unsigned char *packed,
                                      size_t count) {
  (void)param;
  quatsimd_meshopt_to_snorm16x4(quatsimd_floats(to->component[0]), 8 * count, packed, 8 * count, count);
}

static bool selected(const quatsimd_format_entry *entry, bench_extent extent) {
  if (extent == EVERYTHING || entry->format < QUATSIMD_FORMAT_SMALLEST3_ANY) return true;
  const int *widths = extent == GATE ? gate_widths : some_widths;
  const size_t count =
      extent == GATE ? sizeof gate_widths / sizeof *widths : sizeof some_widths / sizeof *widths;
  for (size_t i = 0; i < count; i++)
    if (entry->width == widths[i]) return true;
  return false;
}

/* smallest3_32 as plain C. Loops that take any length have no scalar kernel to be compared with. */
static const struct {
  const char *name;
  quatsimd_pack_fn *pack;
  quatsimd_unpack_fn *unpack;
  bool any;
} loops[] = {
#define ROWS(name, prefix)                                                                                   \
  {name, call_##prefix##_select_pack, call_##prefix##_select_unpack, false},                                 \
      {name "-any", call_##prefix##_select_pack_any, NULL, true},
    ROWS("c-select", baseline)
#ifdef QUATSIMD_BENCH_NATIVE
        ROWS("c-native", native)
#endif
#ifdef QUATSIMD_BENCH_CLANG
            ROWS("c-clang", clang)
#endif
                {"c-textbook", call_baseline_textbook_pack, call_baseline_textbook_unpack, false},
};
enum { PLAIN_LOOPS = sizeof loops / sizeof *loops };
static size_t new_plain_loops(codec *plain[PLAIN_LOOPS], const quatsimd_format_entry *entry, codec *scalar) {
  for (size_t i = 0; i < PLAIN_LOOPS; i++) {
    codec *c = plain[i] = new_codec(loops[i].name, entry);
    c->pack = loops[i].pack;
    c->unpack = loops[i].unpack;
    c->scalar = loops[i].any ? NULL : scalar;
  }
  return PLAIN_LOOPS;
}

/* glTF's shorts, by us and by meshoptimizer. */
static void add_meshopt(size_t count) {
  codec *transcode = new_codec("transcode", NULL);
  transcode->format_name = "quat16";
  transcode->unpack = call_meshopt_to_snorm16x4;
  add_case(transcode, QUATSIMD_VIEW_AOS, false, count);
#ifdef QUATSIMD_BENCH_MESHOPT
  codec *c = new_codec("meshopt", NULL);
  c->format_name = "quat16";
  c->unpack = call_meshopt;
  c->pack = call_meshopt_encode;
  add_case(c, QUATSIMD_VIEW_AOS, false, count);
  add_case(c, QUATSIMD_VIEW_AOS, true, count);
#endif
}

/* Formats outside, kernels inside: what gets compared runs within the same second. */
static void add_format(const quatsimd_format_entry *entry, bench_extent extent, const size_t *counts,
                       size_t number_of_counts) {
  codec *codecs[16], *plain[PLAIN_LOOPS];
  size_t kernels = 0, plains = 0;
  for (size_t i = 0; quatsimd_kernel_list[i]; i++) {
    const quatsimd_kernels *table = quatsimd_kernel_list[i];
    if (!has_arrays(i)) continue;
    if (kernels == sizeof codecs / sizeof *codecs) die("more kernel tables than there is room for");
    codec *c = codecs[kernels++] = new_codec(table->name, entry);
    c->pack = table->codec[entry->codec].pack;
    c->unpack = table->codec[entry->codec].unpack;
    c->table = table;
  }
  codec *scalar = codecs[kernels - 1];
  for (size_t i = 0; i < kernels; i++) {
    codecs[i]->scalar = scalar;
    for (int packing = 0; packing < 2 && extent == GATE; packing++)
      add_case(new_api(codecs[i]->name, entry, codecs[i]->table, scalar), QUATSIMD_VIEW_AOS, packing, 1);
  }
  if (entry->format == QUATSIMD_FORMAT_SMALLEST3_32 && extent != GATE)
    plains = new_plain_loops(plain, entry, scalar);
  codec *api = new_api("api", entry, NULL, scalar);
  for (size_t n = 0; n < number_of_counts; n++) {
    for (int layout = QUATSIMD_VIEW_AOS; layout < LAYOUTS; layout++)
      for (int packing = 0; packing < 2; packing++)
        for (size_t i = 0; i < kernels + (layout == QUATSIMD_VIEW_AOS ? plains : 0); i++) {
          codec *c = i < kernels ? codecs[i] : plain[i - kernels];
          if (packing ? c->pack != NULL : c->unpack != NULL)
            add_case(c, (quatsimd_view_layout)layout, packing, counts[n]);
        }
    for (size_t i = 0; i < sizeof api_counts / sizeof *api_counts; i++)
      if (counts[n] == api_counts[i])
        for (int packing = 0; packing < 2; packing++) add_case(api, QUATSIMD_VIEW_AOS, packing, counts[n]);
    if (entry->format == QUATSIMD_FORMAT_MESHOPT(16) && extent != GATE) add_meshopt(counts[n]);
  }
}

void add_formats(bench_extent extent) {
  quatsimd_format format;
  if (extent == GATE) distinct = 8 * GATE_COUNT; /* windows that do not come round */
  for (size_t i = 0; quatsimd_format_at(&format, i) == QUATSIMD_OK; i++) {
    const quatsimd_format_entry *entry = quatsimd_format_lookup(format);
    if (!entry || !selected(entry, extent)) continue;
    if (extent == GATE) add_format(entry, extent, gate_counts, sizeof gate_counts / sizeof *gate_counts);
    else if (extent == QUICK)
      add_format(entry, extent, quick_counts, sizeof quick_counts / sizeof *quick_counts);
    else add_format(entry, extent, all_counts, sizeof all_counts / sizeof *all_counts);
  }
}
