/* Every kernel against the scalar reference, bit for bit: pack and unpack, all layouts, every format, many inputs, small
 * counts, every misalignment, guard pages before and behind. */
#include "kernels.h"
#include "sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

enum { MANY = (1 << 20) + (1 << 19) + 7 }; /* of the sweep more than 1 Mi are uniformly random directions */
enum { STRIDE = 52 };                      /* not a multiple of 16 */

static const quatsimd_kernels *scalar;
static float *sweep; /* MANY quaternions, aos */
static const char *layout_names[] = {"aos", "soa", "strided"};

/* A buffer of exactly `size` bytes between two pages that must not be touched, at one end or the other. */
typedef struct guarded {
  unsigned char *map, *data;
  size_t map_size;
} guarded;

static guarded guarded_new(size_t size, bool at_end, size_t misalignment) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size + misalignment + page) / page * page;
  guarded g = {NULL, NULL, inner + 2 * page};
  g.map = mmap(NULL, g.map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(g.map != MAP_FAILED);
  assert_int_equal(mprotect(g.map + page, inner, PROT_READ | PROT_WRITE), 0);
  memset(g.map + page, 0xa5, inner);
  g.data = at_end ? g.map + page + inner - size - misalignment : g.map + page + misalignment;
  return g;
}
static void guarded_free(guarded g) { munmap(g.map, g.map_size); }

/* Float arrays in a layout: one block, or four. */
typedef struct floats {
  guarded block[4];
  float *x, *y, *z, *w;
  size_t step, count;
} floats;

static floats floats_new(quatsimd_layout layout, size_t count, bool at_end, size_t misalignment) {
  const bool soa = layout == QUATSIMD_SOA;
  floats f = {.step = soa ? 4 : layout == QUATSIMD_AOS ? 16 : STRIDE, .count = count};
  for (int i = 0; i < 4; i++) /* the last struct of a strided array need not be there behind its quaternion */
    f.block[i] = guarded_new(count == 0 ? 0 : soa ? 4 * count : (count - 1) * f.step + 16, at_end, misalignment);
  f.x = (float *)(void *)f.block[0].data;
  f.y = soa ? (float *)(void *)f.block[1].data : f.x;
  f.z = soa ? (float *)(void *)f.block[2].data : f.x;
  f.w = soa ? (float *)(void *)f.block[3].data : f.x;
  return f;
}

static void floats_free(floats f) {
  for (int i = 0; i < 4; i++) guarded_free(f.block[i]);
}

static void *component(const floats *f, quatsimd_layout layout, size_t i, int c) {
  if (layout == QUATSIMD_SOA) return f->block[c].data + 4 * i;
  return f->block[0].data + i * f->step + 4 * (size_t)c;
}

static void floats_set(floats *f, quatsimd_layout layout, const float *xyzw) {
  for (size_t i = 0; i < f->count; i++)
    for (int c = 0; c < 4; c++) memcpy(component(f, layout, i, c), xyzw + 4 * i + c, 4);
}

static void expect_equal(const void *a, const void *b, size_t size, const quatsimd_kernels *k, const char *format,
                         const char *what, quatsimd_layout layout, size_t count) {
  const unsigned char *p = a, *q = b;
  for (size_t i = 0; i < size; i++)
    if (p[i] != q[i])
      fail_msg("%s %s %s %s, count %zu: byte %zu is %02x, scalar has %02x", k->name, format, what, layout_names[layout],
               count, i, p[i], q[i]);
}

/* Packs and unpacks `count` quaternions with a kernel and with scalar and compares everything, bytes outside the
 * arrays included (they are 0xa5 on both sides). */
static void compare(const quatsimd_kernels *k, quatsimd_format format, quatsimd_layout layout, const float *xyzw,
                    const unsigned char *words, size_t count, bool at_end, size_t float_misalignment,
                    size_t packed_misalignment) {
  const char *name = quatsimd_get_format_info(format)->name;
  const size_t size = quatsimd_packed_size(format, count);
  floats in = floats_new(layout, count, at_end, float_misalignment);
  floats_set(&in, layout, xyzw);
  guarded mine = guarded_new(size, at_end, packed_misalignment), theirs = guarded_new(size, at_end, packed_misalignment);
  const bool valid = run_pack(k, format, layout, mine.data, in.x, in.y, in.z, in.w, in.step, count);
  const bool expected = run_pack(scalar, format, layout, theirs.data, in.x, in.y, in.z, in.w, in.step, count);
  assert_int_equal(valid, expected);
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  expect_equal(mine.map + page, theirs.map + page, mine.map_size - 2 * page, k, name, "pack", layout, count);

  for (int arbitrary = 0; arbitrary < 2; arbitrary++) {
    if (arbitrary) memcpy(mine.data, words, size);
    floats out = floats_new(layout, count, at_end, float_misalignment), out_scalar = floats_new(layout, count, at_end, float_misalignment);
    run_unpack(k, format, layout, out.x, out.y, out.z, out.w, out.step, mine.data, count);
    run_unpack(scalar, format, layout, out_scalar.x, out_scalar.y, out_scalar.z, out_scalar.w, out_scalar.step, mine.data, count);
    for (int i = 0; i < 4; i++)
      expect_equal(out.block[i].map + page, out_scalar.block[i].map + page, out.block[i].map_size - 2 * page, k, name,
                   arbitrary ? "unpack of arbitrary words" : "unpack", layout, count);
    floats_free(out), floats_free(out_scalar);
  }
  guarded_free(mine), guarded_free(theirs), floats_free(in);
}

static const quatsimd_kernels *kernels_or_skip(void **state) {
  const quatsimd_kernels *k = *state;
  if (!can_run(k)) {
    print_message("SKIP: this CPU cannot run the %s kernels\n", k->name);
    skip();
  }
  return k;
}

#define FOR_EACH_FORMAT(format) \
  for (size_t format##_i = 0; quatsimd_format_at(format##_i, &format) == QUATSIMD_OK; format##_i++)
#define FOR_EACH_LAYOUT(layout) for (quatsimd_layout layout = 0; layout < QUATSIMD_LAYOUTS; layout++)

static void many_inputs(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  unsigned char *words = malloc((size_t)MANY * 16);
  assert_non_null(words);
  sweep_words(words, (size_t)MANY * 16);
  quatsimd_format format;
  FOR_EACH_FORMAT(format)
    FOR_EACH_LAYOUT(layout) {
      /* all of it in one layout; the layouts share the arithmetic */
      const size_t count = layout == QUATSIMD_AOS ? MANY : MANY / 16;
      compare(k, format, layout, sweep, words, count, true, 0, 0);
    }
  free(words);
}

static void small_counts(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  unsigned char words[1 << 12];
  sweep_words(words, sizeof words);
  quatsimd_format format;
  FOR_EACH_FORMAT(format)
    FOR_EACH_LAYOUT(layout)
      for (size_t count = 0; count <= 4 * (size_t)k->lanes + 1; count++)
        for (int at_end = 0; at_end < 2; at_end++)
          compare(k, format, layout, sweep + 4 * 1000 * count, words + count, count, at_end, 0, 0);
}

static void misalignments(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  unsigned char words[1 << 12];
  sweep_words(words, sizeof words);
  const size_t count = 2 * (size_t)k->lanes + 3;
  quatsimd_format format;
  FOR_EACH_FORMAT(format)
    FOR_EACH_LAYOUT(layout)
      for (size_t offset = 0; offset < 64; offset++) compare(k, format, layout, sweep, words, count, false, offset / 4 * 4, offset);
}

static void find_invalid(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  const size_t count = 1 << 16;
  size_t found = 0;
  for (size_t i = k->find_invalid(sweep, count, 0), j = scalar->find_invalid(sweep, count, 0);; found++) {
    assert_int_equal(i, j);
    if (i == count) break;
    i = k->find_invalid(sweep, count, i + 1), j = scalar->find_invalid(sweep, count, j + 1);
  }
  assert_true(found > count / 100); /* the sweep has them */
  for (size_t n = 0; n < 100; n++) assert_int_equal(k->find_invalid(sweep, n, n / 3), scalar->find_invalid(sweep, n, n / 3));
}

int main(void) {
  scalar = scalar_kernels();
  sweep = malloc((size_t)MANY * 16);
  if (!sweep) return 1;
  sweep_quaternions(sweep, MANY);

  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = all_kernels(tables);
  static const struct {
    const char *name;
    CMUnitTestFunction run;
  } cases[] = {{"many inputs", many_inputs}, {"small counts", small_counts}, {"misalignments", misalignments}, {"find_invalid", find_invalid}};
  enum { CASES = sizeof cases / sizeof cases[0] };
  static struct CMUnitTest tests[MAX_KERNELS * CASES];
  static char names[MAX_KERNELS * CASES][64];
  size_t t = 0;
  for (size_t i = 0; i < n; i++) {
    if (tables[i] == scalar) continue;
    for (size_t c = 0; c < CASES; c++, t++) {
      snprintf(names[t], sizeof names[t], "%s: %s", tables[i]->name, cases[c].name);
      tests[t] = (struct CMUnitTest){names[t], cases[c].run, NULL, NULL, (void *)(uintptr_t)tables[i]};
    }
  }
  const int failed = _cmocka_run_group_tests("kernels", tests, t, NULL, NULL);
  free(sweep);
  return failed;
}
