/* Compares every kernel with the scalar reference, bit for bit: packing and unpacking, every layout and
 * format, many inputs, small counts, every misalignment, and guard pages on both sides. */
#include "support/guarded.h"
#include "support/kernels.h"
#include "support/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "support/sanitized.h"
#include "support/skip.h"

enum { MANY = SANITIZED ? (1 << 17) + 7 : (1 << 20) + (1 << 19) + 7 };
enum { STRIDE = 52 }; /* not a multiple of 16 */

static const quatsimd_kernels *scalar;
static float *sweep; /* MANY quaternions, each x, y, z, w */
static const char *const layout_names[] = {
    [QUATSIMD_VIEW_AOS] = "aos", [QUATSIMD_VIEW_SOA] = "soa", [QUATSIMD_VIEW_STRIDED] = "strided"};

enum { FLOATS_IN, FLOATS_OUT = 4, FLOATS_SCALAR = 8, PACKED_OUT = 12, PACKED_SCALAR, ARENAS };
static arena arenas[ARENAS];

/* An array in an arena. The array and the MARGIN bytes on both sides are filled with 0xa5. */
enum { MARGIN = 64 };
typedef struct array {
  unsigned char *data, *around, *around_end;
} array;

static array array_new(int arena_index, size_t size, bool at_end, size_t misalignment) {
  const arena a = arenas[arena_index];
  array r;
  r.data = at_end ? a.end - size - misalignment : a.begin + misalignment;
  r.around = r.data - a.begin < MARGIN ? a.begin : r.data - MARGIN;
  r.around_end = a.end - (r.data + size) < MARGIN ? a.end : r.data + size + MARGIN;
  memset(r.around, 0xa5, (size_t)(r.around_end - r.around));
  return r;
}

/* Quaternions in one of the layouts. A layout needs either one array or four arrays. */
typedef struct floats {
  array arrays[4];
  quatsimd_operand view;
} floats;

static floats floats_new(int first_arena, quatsimd_view_layout layout, size_t count, bool at_end,
                         size_t misalignment) {
  const bool soa = layout == QUATSIMD_VIEW_SOA;
  const size_t stride = soa ? 4 : layout == QUATSIMD_VIEW_AOS ? 16 : STRIDE;
  floats f = {0};
  /* a strided array ends with the last quaternion, without the gap after it */
  for (int i = 0; i < 4; i++)
    f.arrays[i] = array_new(first_arena + i,
                            soa                   ? 4 * count
                            : i > 0 || count == 0 ? 0
                                                  : (count - 1) * stride + 16,
                            at_end, misalignment);
  const float *of[4];
  for (int c = 0; c < 4; c++) of[c] = (const float *)(const void *)f.arrays[c].data;
  f.view = quats_in(layout, of[0], of[1], of[2], of[3], stride);
  return f;
}

static void floats_set(floats *f, quatsimd_view_layout layout, const float *xyzw, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (layout == QUATSIMD_VIEW_SOA)
      for (int c = 0; c < 4; c++) memcpy(f->arrays[c].data + 4 * i, xyzw + 4 * i + c, 4);
    else memcpy(f->arrays[0].data + i * f->view.stride, xyzw + 4 * i, 16);
}

static void expect_equal(array mine, array scalars, const quatsimd_kernels *k, const char *format,
                         const char *what, quatsimd_view_layout layout, size_t count) {
  const size_t size = (size_t)(mine.around_end - mine.around);
  if (memcmp(mine.around, scalars.around, size) == 0) return;
  size_t i = 0;
  while (mine.around[i] == scalars.around[i]) i++;
  fail_msg("%s %s %s %s, count %zu: byte %td is %02x, scalar has %02x", k->name, format, what,
           layout_names[layout], count, mine.around + i - mine.data, mine.around[i], scalars.around[i]);
}

/* Compares packing and unpacking by `kernels` with the scalar reference, and the bytes around the arrays. The
 * last entry of `kernels` is NULL. */
static void compare(const quatsimd_kernels *const *kernels, quatsimd_format format,
                    quatsimd_view_layout layout, const float *xyzw, const unsigned char *words, size_t count,
                    bool at_end, size_t float_misalignment, size_t packed_misalignment) {
  const char *name = quatsimd_get_format_info(format)->name;
  const size_t size = quatsimd_packed_size(format, count);
  floats in = floats_new(FLOATS_IN, layout, count, at_end, float_misalignment);
  floats_set(&in, layout, xyzw, count);
  const array scalars = array_new(PACKED_SCALAR, size, at_end, packed_misalignment);
  const bool expected = run_pack(scalar, format, scalars.data, in.view, count);
  for (const quatsimd_kernels *const *k = kernels; *k; k++) {
    const array mine = array_new(PACKED_OUT, size, at_end, packed_misalignment);
    assert_int_equal(run_pack(*k, format, mine.data, in.view, count), expected);
    expect_equal(mine, scalars, *k, name, "pack", layout, count);
  }

  for (int arbitrary = 0; arbitrary < 2; arbitrary++) {
    if (arbitrary) memcpy(scalars.data, words, size);
    const floats expect = floats_new(FLOATS_SCALAR, layout, count, at_end, float_misalignment);
    run_unpack(scalar, format, expect.view, scalars.data, count);
    for (const quatsimd_kernels *const *k = kernels; *k; k++) {
      const floats out = floats_new(FLOATS_OUT, layout, count, at_end, float_misalignment);
      run_unpack(*k, format, out.view, scalars.data, count);
      for (int i = 0; i < 4; i++)
        expect_equal(out.arrays[i], expect.arrays[i], *k, name,
                     arbitrary ? "unpack of arbitrary words" : "unpack", layout, count);
    }
  }
}

#define FOR_EACH_FORMAT(format)                                                                              \
  for (size_t format##_i = 0; quatsimd_format_at(&format, format##_i) == QUATSIMD_OK; format##_i++)
#define FOR_EACH_LAYOUT(layout)                                                                              \
  for (quatsimd_view_layout layout = QUATSIMD_VIEW_AOS; layout <= QUATSIMD_VIEW_STRIDED; layout++)

/* If a table of kernels had the functions of another, all comparisons would pass. */
static void own_code(void **state) {
  const quatsimd_kernels *k = *state, *tables[MAX_KERNELS];
  for (size_t i = 0, n = array_kernels(tables); i < n; i++) {
    if (tables[i] == k) continue;
    assert_true(k->find_invalid != tables[i]->find_invalid);
    for (int codec = 0; codec < QUATSIMD_CODECS; codec++) {
      assert_true(k->codec[codec].pack && k->codec[codec].pack != tables[i]->codec[codec].pack);
      assert_true(k->codec[codec].unpack && k->codec[codec].unpack != tables[i]->codec[codec].unpack);
    }
  }
}

/* Compares all kernels in one test, so that the scalar reference, which takes longest, runs only once. */
static void many_inputs(void **state) {
  (void)state;
  const quatsimd_kernels *tables[MAX_KERNELS], *kernels[MAX_KERNELS + 1] = {NULL};
  size_t found = 0;
  for (size_t i = 0, n = array_kernels(tables); i < n; i++)
    if (tables[i] != scalar && can_run(tables[i])) kernels[found++] = tables[i];
  unsigned char *words = malloc((size_t)MANY * 16);
  assert_non_null(words);
  sweep_words(words, (size_t)MANY * 16);
  quatsimd_format format;
  FOR_EACH_FORMAT(format)
  FOR_EACH_LAYOUT(layout) {
    /* only one layout gets all inputs, because the layouts share the arithmetic */
    const size_t count = layout == QUATSIMD_VIEW_AOS ? MANY : MANY / 16;
    compare(kernels, format, layout, sweep, words, count, true, 0, 0);
  }
  free(words);
}

static void small_counts(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state), *const kernels[] = {k, NULL};
  unsigned char words[1 << 12];
  sweep_words(words, sizeof words);
  quatsimd_format format;
  FOR_EACH_FORMAT(format)
  FOR_EACH_LAYOUT(layout)
  for (size_t count = 0; count <= 4 * (size_t)k->lanes + 1; count++)
    for (int at_end = 0; at_end < 2; at_end++)
      compare(kernels, format, layout, sweep + 4 * 1000 * count, words + count, count, at_end, 0, 0);
}

static void misalignments(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state), *const kernels[] = {k, NULL};
  unsigned char words[1 << 12];
  sweep_words(words, sizeof words);
  const size_t count = 2 * (size_t)k->lanes + 3;
  quatsimd_format format;
  FOR_EACH_FORMAT(format)
  FOR_EACH_LAYOUT(layout)
  for (size_t offset = 0; offset < 64; offset++)
    compare(kernels, format, layout, sweep, words, count, false, offset / 4 * 4, offset);
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
  assert_true(found > count / 100); /* the sweep has enough invalid quaternions */
  for (size_t n = 0; n < 100; n++)
    assert_int_equal(k->find_invalid(sweep, n, n / 3), scalar->find_invalid(sweep, n, n / 3));
}

/* Compares meshopt_to_snorm16x4, which belongs to no codec, so `compare` does not call it. */
static void meshopt_shorts(void **state) {
  const quatsimd_kernels *k = *state;
  if (!can_run(k)) skip();
  enum { COUNT = 100003 };
  const size_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 67, COUNT};
  unsigned char *words = malloc(8 * COUNT), *mine = malloc(8 * COUNT + 1), *scalars = malloc(8 * COUNT + 1);
  assert_true(words && mine && scalars);
  run_pack(scalar, QUATSIMD_FORMAT_MESHOPT(12), words, quatsimd_structs(sweep, 4), COUNT);
  for (int random = 0; random < 2; random++) {
    if (random) sweep_words(words, 8 * COUNT);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
      memset(mine, 0xa5, 8 * COUNT + 1), memset(scalars, 0xa5, 8 * COUNT + 1);
      k->meshopt_to_snorm16x4(mine, words, counts[i]);
      scalar->meshopt_to_snorm16x4(scalars, words, counts[i]);
      assert_memory_equal(mine, scalars, 8 * COUNT + 1);
    }
  }
  free(words), free(mine), free(scalars);
}

int main(void) {
  scalar = scalar_kernels();
  sweep = malloc((size_t)MANY * 16);
  if (!sweep) return 1;
  sweep_quaternions(sweep, MANY);
  for (int i = 0; i < ARENAS; i++) arenas[i] = arena_new((size_t)MANY * 16);

  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = array_kernels(tables);
  static const struct {
    const char *name;
    CMUnitTestFunction run;
  } cases[] = {{"own code", own_code},
               {"small counts", small_counts},
               {"misalignments", misalignments},
               {"find_invalid", find_invalid},
               {"meshopt to shorts", meshopt_shorts}};
  enum { CASES = sizeof cases / sizeof cases[0] };
  static struct CMUnitTest tests[MAX_KERNELS * CASES + 1] = {cmocka_unit_test(many_inputs)};
  static char names[MAX_KERNELS * CASES + 1][64];
  size_t t = 1;
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
