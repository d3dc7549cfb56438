/* Compares the signs that quatsimd_qtangent_align_* chooses with the promises of qtangent.h. `--speed`
 * measures the time. */
#include "align.h"

#include <time.h>

static void grids_are_aligned(void **state) {
  (void)state;
  static const size_t sizes[][2] = {{2, 2}, {2, 3}, {3, 2}, {7, 5}, {40, 1 + 30}, {2, 500}, {200, 300}};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
    for (uint64_t seed = 1; seed <= 6; seed++) {
      mesh m = make_grid(sizes[s][0], sizes[s][1]);
      if (seed > 2) shuffle_vertices(&m, seed);
      if (seed > 4) shuffle_triangles(&m, seed);
      float *smooth = copied(m.q, 16 * m.count);
      random_signs(&m, seed);
      const bool turned = !same(m.q, smooth);
      assert_int_equal(align(&m), 0);
      for (size_t v = 0; v < m.count; v++)
        assert_true(turned ? opposite(m.q + 4 * v, smooth + 4 * v) : same(m.q + 4 * v, smooth + 4 * v));
      free(smooth);
      free_mesh(&m);
    }
}

/* If the quaternion changes its sign along a closed row, at least one edge of the row stays unaligned. On a
 * Moebius strip, only the middle row closes after one round. The others close after two. */
static void bands_need_a_seam(void **state) {
  (void)state;
  enum { COLUMNS = 24, ROWS = 5 };
  for (int turns = 0; turns <= 3; turns++)
    for (int twisted = 0; twisted < 2; twisted++)
      for (uint64_t seed = 1; seed <= 20; seed++) {
        mesh m = make_band(COLUMNS, ROWS, turns, false, twisted);
        random_signs(&m, seed);
        float *before = copied(m.q, 16 * m.count);
        const size_t unaligned = align(&m);
        check_aligned(&m, before, unaligned);
        for (size_t y = 0; y < ROWS; y++) {
          if (twisted && y != ROWS / 2) continue;
          int negative = 0;
          for (size_t x = 0; x < COLUMNS; x++)
            negative += dot(m.q + 4 * (x * ROWS + y), m.q + 4 * ((x + 1) % COLUMNS * ROWS + y)) < 0;
          assert_int_equal(negative % 2, turns % 2);
        }
        /* If `turns` is odd, a line across the band separates opposite signs. This line crosses an edge in
         * each row, and edges between rows. */
        assert_true(turns % 2 ? unaligned >= ROWS && unaligned <= 3 * ROWS : unaligned == 0);
        free(before);
        if (seed % 2 == 0) {
          shuffle_vertices(&m, seed);
          assert_true((align(&m) > 0) == (turns % 2 != 0));
        }
        free_mesh(&m);

        m = make_band(COLUMNS, ROWS, turns, true, twisted);
        random_signs(&m, seed);
        shuffle_vertices(&m, seed);
        assert_int_equal(align(&m), 0);
        free_mesh(&m);
      }
}

/* The mesh has several grids and vertices that no triangle uses, all in random order. */
static void parts_keep_their_first_sign(void **state) {
  (void)state;
  enum { PARTS = 4, ROWS = 6, SIZE = ROWS * ROWS, COUNT = PARTS * SIZE + 30 };
  mesh grid = make_grid(ROWS, ROWS), m = make_mesh(COUNT, PARTS * grid.index_count / 3);
  for (uint64_t seed = 1; seed <= 50; seed++) {
    uint64_t random = seed;
    uint32_t to[COUNT];
    int part[COUNT];
    for (size_t v = 0; v < COUNT; v++) to[v] = (uint32_t)v;
    for (size_t v = COUNT; v > 1; v--) {
      const size_t other = (size_t)(sweep_next(&random) % v);
      const uint32_t t = to[v - 1];
      to[v - 1] = to[other], to[other] = t;
    }
    memset(m.q, FILL, 16 * m.count);
    m.index_count = 0;
    for (size_t v = 0; v < COUNT; v++) {
      part[to[v]] = v < PARTS * SIZE ? (int)(v / SIZE) : -1;
      if (v < PARTS * SIZE) memcpy(m.q + 4 * to[v], grid.q + 4 * (v % SIZE), 16);
    }
    for (size_t i = 0; i < grid.index_count; i += 3)
      for (size_t p = 0; p < PARTS; p++)
        add_triangle(&m, to[p * SIZE + grid.indices[i]], to[p * SIZE + grid.indices[i + 1]],
                     to[p * SIZE + grid.indices[i + 2]]);
    random_signs(&m, seed);
    float *before = copied(m.q, 16 * m.count);
    assert_int_equal(align(&m), 0);
    bool begun[PARTS] = {false};
    for (size_t v = 0; v < COUNT; v++) {
      if (part[v] < 0 || !begun[part[v]]) assert_true(same(m.q + 4 * v, before + 4 * v));
      if (part[v] >= 0) begun[part[v]] = true;
    }
    check_aligned(&m, before, 0);
    free(before);
  }
  free_mesh(&m), free_mesh(&grid);
}

/* Compares random small meshes with the reference. The meshes have degenerate and repeated triangles, edges
 * of many triangles, and quaternions that are at right angles, zero, infinite or NaN. */
static void small_meshes_are_as_the_reference(void **state) {
  (void)state;
  uint64_t random = 1;
  size_t some = 0;
  for (int n = 0; n < 20000; n++) {
    const size_t count = 1 + (size_t)(sweep_next(&random) % 12),
                 triangles = (size_t)(sweep_next(&random) % 16);
    const unsigned kind = (unsigned)(sweep_next(&random) % 4);
    mesh m = make_mesh(count, triangles);
    random_rotations(m.q, count, &random);
    for (size_t v = 0; v < count; v++) {
      const uint64_t u = sweep_next(&random);
      float *const q = m.q + 4 * v;
      if (kind == 1 || (kind == 2 && u % 8 < 4)) { /* along an axis, or between two axes */
        memset(q, 0, 16);
        q[u >> 8 & 3] = 0.75f;
        q[u >> 16 & 3] = u >> 24 & 1 ? 0.75f : -0.75f;
      }
      if (kind == 2 && u % 8 == 0) memset(q, 0, 16);
      if (kind == 2 && u % 8 == 1) q[u >> 8 & 3] = u >> 16 & 1 ? INFINITY : -INFINITY;
      if (kind == 2 && u % 8 >= 6)
        sweep_set_bits(&q[u >> 8 & 3], u >> 16 & 1 ? UINT32_C(0x7fc01234) : UINT32_C(0xffc00000));
    }
    for (size_t t = 0; t < triangles; t++)
      add_triangle(&m, (size_t)(sweep_next(&random) % count), (size_t)(sweep_next(&random) % count),
                   (size_t)(sweep_next(&random) % count));
    float *before = copied(m.q, 16 * count);
    const size_t unaligned = align(&m);
    check_aligned(&m, before, unaligned);
    some += unaligned > 0;
    float *after = copied(m.q, 16 * count);
    for (int layout = 0; layout < LAYOUTS; layout++)
      for (int index_bytes = 2; index_bytes <= 4; index_bytes += 2) {
        memcpy(m.q, before, 16 * count);
        assert_int_equal(align_as(&m, layout, index_bytes), unaligned);
        assert_memory_equal(m.q, after, 16 * count);
      }
    assert_int_equal(align(&m), unaligned); /* aligning again changes nothing */
    assert_memory_equal(m.q, after, 16 * count);
    free(before), free(after);
    free_mesh(&m);
  }
  assert_true(some > 5000 && some < 19000);
}

static void layouts_and_widths_agree(void **state) {
  (void)state;
  mesh m = make_grid(256, 256); /* indices of 16 bits can number exactly so many vertices */
  random_rotations(m.q, m.count, &(uint64_t){7});
  shuffle_vertices(&m, 3), shuffle_triangles(&m, 4);
  float *before = copied(m.q, 16 * m.count);
  const size_t unaligned = align(&m);
  assert_true(unaligned > 1000);
  float *after = copied(m.q, 16 * m.count);
  for (int layout = 0; layout < LAYOUTS; layout++)
    for (int index_bytes = 2; index_bytes <= 4; index_bytes += 2) {
      memcpy(m.q, before, 16 * m.count);
      assert_int_equal(align_as(&m, layout, index_bytes), unaligned);
      assert_memory_equal(m.q, after, 16 * m.count);
    }
  free(before), free(after);
  free_mesh(&m);
}

/* A vertex with NaN or zeros keeps its bits, and the vertices around it are aligned with each other. */
static void invalid_vertices_are_passed_over(void **state) {
  (void)state;
  for (size_t hole = 0; hole < 25; hole++)
    for (int nan = 0; nan < 2; nan++) {
      mesh m = make_grid(5, 5);
      random_signs(&m, hole + 1);
      sweep_set_bits(&m.q[4 * hole], UINT32_C(0xffc00001));
      if (!nan) memset(m.q + 4 * hole, 0, 16);
      float *before = copied(m.q, 16 * m.count);
      assert_int_equal(align(&m), 0);
      check_aligned(&m, before, 0);
      assert_true(same(m.q + 4 * hole, before + 4 * hole));
      free(before);
      free_mesh(&m);
    }
}

/* The dot product of the two vertices' quaternions is sign * 2^-28. Computed in float, it would be 0. */
static void almost_right_angles_have_a_sign(void **state) {
  (void)state;
  for (int sign = -1; sign <= 1; sign += 2)
    for (size_t c = 0; c < 4; c++)
      for (size_t other = 0; other < 4; other++) {
        if (c == other) continue;
        const float e = 0x1p-13f;
        mesh m = make_mesh(2, 1);
        memset(m.q, 0, 32);
        m.q[c] = 0.5f * (1 + e), m.q[other] = 0.5f;
        m.q[4 + c] = 0.5f * (1 - e) * (float)-sign, m.q[4 + other] = 0.5f * (float)sign;
        add_triangle(&m, 0, 1, 1);
        float *before = copied(m.q, 32), morph[4];
        memcpy(morph, m.q + 4, 16);
        assert_true(dot(before, before + 4) == sign * 0x1p-28);
        assert_int_equal(align(&m), 0);
        assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(morph), quatsimd_aos(before), 1),
                         QUATSIMD_OK);
        if (sign < 0) negate(before + 4);
        for (int i = 0; i < 8; i++) assert_true(m.q[i] == before[i] && (i < 4 || morph[i - 4] == before[i]));
        free(before);
        free_mesh(&m);
      }
}

/* The paths in this strip are so long that recursion would overflow the stack. */
static void long_strips_need_no_stack(void **state) {
  (void)state;
  const size_t count = sizeof(void *) < 8 ? 1000000 : 10000000, index_count = 3 * (count - 2);
  const size_t size = quatsimd_qtangent_align_scratch_size(count, index_count);
  float *q = malloc(16 * count);
  uint32_t *indices = malloc(4 * index_count), *scratch = malloc(size);
  if (!q || !indices || !scratch) {
    free(q), free(indices), free(scratch);
    skip();
  }
  uint64_t random = 1;
  for (size_t v = 0; v < count; v++) {
    const float sign = sweep_next(&random) >> 63 ? -1.0f : 1.0f;
    q[4 * v] = q[4 * v + 1] = q[4 * v + 2] = q[4 * v + 3] = 0.5f * sign;
  }
  for (size_t i = 0; i < index_count; i++) indices[i] = (uint32_t)(i / 3 + i % 3);
  size_t unaligned = 1, wrong = 0;
  const float first = q[0];
  assert_int_equal(quatsimd_qtangent_align_mesh(quatsimd_aos_out(q), count, indices, 4, index_count, scratch,
                                                size, &unaligned),
                   QUATSIMD_OK);
  assert_int_equal(unaligned, 0);
  for (size_t i = 0; i < 4 * count; i++) wrong += q[i] != first;
  assert_int_equal(wrong, 0);
  free(q), free(indices), free(scratch);
}

/* ---- speed: the least time of several runs of the call alone ---- */

static double milliseconds(void) { return 1e3 * (double)clock() / CLOCKS_PER_SEC; }

static void measure(const char *name, mesh *m, int layout) {
  const size_t size = quatsimd_qtangent_align_scratch_size(m->count, m->index_count);
  void *scratch = filled(size);
  float *q = filled(STRIDE * m->count);
  double least = 1e9;
  size_t unaligned = 0;
  for (uint64_t run = 1; run <= 9; run++) {
    random_signs(m, run);
    for (size_t v = 0; v < m->count; v++)
      for (size_t c = 0; c < 4; c++) q[place_of(layout, m->count, v, c)] = m->q[4 * v + c];
    const double begin = milliseconds();
    if (quatsimd_qtangent_align_mesh(target_of(layout, q, m->count), m->count, m->indices, 4, m->index_count,
                                     scratch, size, &unaligned) != QUATSIMD_OK)
      exit(1);
    const double taken = milliseconds() - begin;
    if (taken < least) least = taken;
  }
  printf("%-30s %-8s %8zu vertices %8zu triangles %9zu bytes of scratch %7.1f ms, %zu not aligned\n", name,
         layout == AOS   ? "aos"
         : layout == SOA ? "soa"
                         : "strided",
         m->count, m->index_count / 3, size, least, unaligned);
  free(scratch), free(q);
}

static int speed(void) {
  mesh m = make_grid(709, 708);
  for (int layout = 0; layout < LAYOUTS; layout++) measure("grid", &m, layout);
  shuffle_vertices(&m, 1);
  for (int layout = 0; layout < LAYOUTS; layout++) measure("vertices shuffled", &m, layout);
  shuffle_triangles(&m, 2);
  for (int layout = 0; layout < LAYOUTS; layout++) measure("vertices, triangles shuffled", &m, layout);
  free_mesh(&m);
  m = make_band(1000, 501, 1, false, false);
  measure("closed band", &m, AOS);
  free_mesh(&m);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--speed") == 0) return speed();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grids_are_aligned),
      cmocka_unit_test(bands_need_a_seam),
      cmocka_unit_test(parts_keep_their_first_sign),
      cmocka_unit_test(small_meshes_are_as_the_reference),
      cmocka_unit_test(layouts_and_widths_agree),
      cmocka_unit_test(invalid_vertices_are_passed_over),
      cmocka_unit_test(almost_right_angles_have_a_sign),
      cmocka_unit_test(bad_arguments_are_refused),
      cmocka_unit_test(scratch_never_overflows),
      cmocka_unit_test(long_strips_need_no_stack),
      cmocka_unit_test(morphs_follow_their_base),
      cmocka_unit_test(morphed_grids_are_aligned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
