/* quatsimd_qtangent_align_*: signs of the quaternions of a mesh's vertices, against what qtangent.h says.
 * Arrays are allocated at their exact size: in a sanitizer build one byte too many is an error. `--speed`
 * measures. */
#include "support/random.h"

#include "quatsimd/qtangent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

#define PI 3.141592653589793

enum { FILL = 0xa5 };
static void *filled(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) fail_msg("out of memory");
  return memset(p, FILL, bytes);
}

static void *copied(const void *from, size_t bytes) { return memcpy(filled(bytes), from, bytes); }

static bool untouched(const void *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (((const unsigned char *)p)[i] != FILL) return false;
  return true;
}

/* ---- meshes ---- */

typedef struct mesh {
  size_t count, index_count, room;
  float *q;
  uint32_t *indices;
} mesh;

static mesh make_mesh(size_t count, size_t triangles) {
  return (mesh){count, 0, 3 * triangles, filled(16 * count), filled(12 * triangles)};
}

static void free_mesh(mesh *m) { free(m->q), free(m->indices); }

static void add_triangle(mesh *m, size_t a, size_t b, size_t c) {
  if (m->index_count + 3 > m->room) fail_msg("too many triangles");
  m->indices[m->index_count++] = (uint32_t)a;
  m->indices[m->index_count++] = (uint32_t)b;
  m->indices[m->index_count++] = (uint32_t)c;
}

static void set(float *q, double x, double y, double z, double w) {
  q[0] = (float)x, q[1] = (float)y, q[2] = (float)z, q[3] = (float)w;
}

static double dot(const float *a, const float *b) {
  double sum = 0;
  for (int c = 0; c < 4; c++) sum += (double)a[c] * b[c];
  return sum;
}

static void negate(float *q) {
  for (int c = 0; c < 4; c++) q[c] = -q[c];
}

static void random_signs(mesh *m, uint64_t seed) {
  for (size_t v = 0; v < m->count; v++)
    if (sweep_next(&seed) >> 63) negate(m->q + 4 * v);
}

/* columns times rows vertices, column by column, where the QTangent turns by a little from one to the next:
 * by up to about 3 radians over all of it. */
static mesh make_grid(size_t columns, size_t rows) {
  mesh m = make_mesh(columns * rows, 2 * (columns - 1) * (rows - 1));
  for (size_t x = 0; x < columns; x++)
    for (size_t y = 0; y < rows; y++) {
      const double a = 1.5 * (double)x / (double)columns, b = 1.5 * (double)y / (double)rows;
      set(m.q + 4 * (x * rows + y), sin(a) * cos(b), sin(a) * sin(b), cos(a) * sin(b), cos(a) * cos(b));
      if (x + 1 == columns || y + 1 == rows) continue;
      const size_t v = x * rows + y;
      add_triangle(&m, v, v + rows, v + 1);
      add_triangle(&m, v + 1, v + rows, v + rows + 1);
    }
  return m;
}

/* A closed band, columns around and rows across, whose QTangent turns `turns` times on the way round; its
 * quaternion changes its sign with each turn. With a seam the first column is there again at the end. A
 * twisted one is Moebius's: the last column meets the first upside down. */
static mesh make_band(size_t columns, size_t rows, int turns, bool seam, bool twisted) {
  const size_t all = columns + (seam ? 1 : 0);
  mesh m = make_mesh(all * rows, 2 * columns * (rows - 1));
  for (size_t x = 0; x < all; x++)
    for (size_t y = 0; y < rows; y++) {
      const double a = PI * turns * (double)x / (double)columns;
      set(m.q + 4 * (x * rows + y), 0.6 * sin(a), 0, 0.8 * sin(a), cos(a));
      if (x == columns || y + 1 == rows) continue;
      const bool last = x + 1 == columns && !seam;
      const size_t v = x * rows + y, next = last ? 0 : (x + 1) * rows;
      const size_t low = next + (last && twisted ? rows - 1 - y : y),
                   high = next + (last && twisted ? rows - 2 - y : y + 1);
      add_triangle(&m, v, low, v + 1);
      add_triangle(&m, v + 1, low, high);
    }
  return m;
}

static void shuffle_vertices(mesh *m, uint64_t seed) {
  uint32_t *to = filled(4 * m->count);
  float *q = filled(16 * m->count);
  for (size_t v = 0; v < m->count; v++) to[v] = (uint32_t)v;
  for (size_t v = m->count; v > 1; v--) {
    const size_t other = (size_t)(sweep_next(&seed) % v);
    const uint32_t t = to[v - 1];
    to[v - 1] = to[other], to[other] = t;
  }
  for (size_t v = 0; v < m->count; v++) memcpy(q + 4 * to[v], m->q + 4 * v, 16);
  for (size_t i = 0; i < m->index_count; i++) m->indices[i] = to[m->indices[i]];
  free(m->q), free(to);
  m->q = q;
}

static void shuffle_triangles(mesh *m, uint64_t seed) {
  for (size_t t = m->index_count / 3; t > 1; t--) {
    uint32_t *const a = m->indices + 3 * (t - 1), *const b = m->indices + 3 * (size_t)(sweep_next(&seed) % t),
                    was[3];
    memcpy(was, a, 12), memmove(a, b, 12), memcpy(b, was, 12);
  }
}

/* ---- calls, in any layout and width ---- */

enum { AOS, SOA, STRIDED, LAYOUTS };
enum { STEP = 28 }; /* of a strided target: a quaternion and three floats of the caller's */

static quatsimd_out target_of(int layout, float *floats, size_t count) {
  if (layout == AOS) return quatsimd_aos_out(floats);
  if (layout == STRIDED) return quatsimd_strided_out(floats, STEP);
  return quatsimd_soa_out(floats, floats + count, floats + 2 * count, floats + 3 * count);
}

static size_t place_of(int layout, size_t count, size_t v, size_t c) {
  return layout == AOS ? 4 * v + c : layout == STRIDED ? v * (STEP / 4) + c : c * count + v;
}

/* The quaternions become aligned ones; returns how many edges are not. */
static size_t align_as(const mesh *m, int layout, int index_bytes) {
  const size_t bytes = layout == STRIDED ? STEP * m->count - (m->count ? STEP - 16 : 0)
                                         : 16 * m->count; /* ends with its last quaternion */
  const size_t scratch_size = quatsimd_qtangent_align_scratch(m->count, m->index_count);
  float *floats = filled(bytes);
  void *scratch = filled(scratch_size);
  /* one more, so that narrow ones can begin at an odd address */
  unsigned char *indices = filled(m->index_count * (size_t)index_bytes + 1), *const odd = indices + 1;
  size_t unaligned = 12345;
  for (size_t i = 0; i < m->index_count; i++) {
    const uint16_t narrow = (uint16_t)m->indices[i];
    if (index_bytes == 2) memcpy(odd + 2 * i, &narrow, 2);
    else memcpy(odd + 4 * i, &m->indices[i], 4);
  }
  unsigned char *before = copied(indices, m->index_count * (size_t)index_bytes + 1);
  for (size_t v = 0; v < m->count; v++)
    for (size_t c = 0; c < 4; c++) floats[place_of(layout, m->count, v, c)] = m->q[4 * v + c];
  assert_int_equal(quatsimd_qtangent_align_mesh(target_of(layout, floats, m->count), m->count, odd,
                                                index_bytes, m->index_count, scratch, scratch_size,
                                                &unaligned),
                   QUATSIMD_OK);
  assert_memory_equal(before, indices, m->index_count * (size_t)index_bytes + 1);
  for (size_t v = 0; v < m->count; v++) {
    for (size_t c = 0; c < 4; c++) memcpy(&m->q[4 * v + c], &floats[place_of(layout, m->count, v, c)], 4);
    if (layout == STRIDED && v + 1 < m->count) assert_true(untouched(floats + v * (STEP / 4) + 4, STEP - 16));
  }
  free(floats), free(scratch), free(indices), free(before);
  return unaligned;
}

static size_t align(const mesh *m) { return align_as(m, AOS, 4); }

/* ---- the reference: what an alignment is, in quadratic time ---- */

/* edges: a byte for each pair of vertices. */
static unsigned char *edges_of(const mesh *m) {
  unsigned char *edges = filled(m->count * m->count);
  memset(edges, 0, m->count * m->count);
  for (size_t i = 0; i < m->index_count; i += 3)
    for (size_t j = 0; j < 3; j++) {
      const size_t a = m->indices[i + j], b = m->indices[i + (j + 1) % 3];
      if (a != b) edges[a * m->count + b] = edges[b * m->count + a] = 1;
    }
  return edges;
}

static size_t count_unaligned(const mesh *m) {
  unsigned char *edges = edges_of(m);
  size_t n = 0;
  for (size_t a = 0; a < m->count; a++)
    for (size_t b = 0; b < a; b++) n += edges[a * m->count + b] && dot(m->q + 4 * a, m->q + 4 * b) < 0;
  free(edges);
  return n;
}

/* The first vertex of each vertex's part, where parts are connected by edges with dot products that are
 * positive, or negative if `any`. */
static size_t *parts_of(const mesh *m, bool any) {
  unsigned char *edges = edges_of(m);
  size_t *part = filled(sizeof *part * m->count);
  for (size_t v = 0; v < m->count; v++) part[v] = v;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t a = 0; a < m->count; a++)
      for (size_t b = 0; b < m->count; b++) {
        const double d = dot(m->q + 4 * a, m->q + 4 * b);
        if (edges[a * m->count + b] && (d > 0 || (any && d < 0)) && part[b] < part[a])
          part[a] = part[b], changed = true;
      }
  }
  free(edges);
  return part;
}

/* bits: of NaN and -0 too */
static bool same(const float *a, const float *b) { return memcmp(a, b, 16) == 0; }
static bool opposite(const float *a, const float *b) {
  for (int c = 0; c < 4; c++) {
    uint32_t x, y;
    memcpy(&x, a + c, 4), memcpy(&y, b + c, 4);
    if ((x ^ y) != UINT32_C(0x80000000)) return false;
  }
  return true;
}

/* An alignment of m is any choice of signs whose aligned edges connect each part; nothing is said about
 * the tree. */
static void check_aligned(const mesh *m, const float *before, size_t unaligned) {
  assert_int_equal(unaligned, count_unaligned(m));
  size_t *parts = parts_of(m, true), *aligned = parts_of(m, false);
  for (size_t v = 0; v < m->count; v++) {
    assert_int_equal(parts[v], aligned[v]);
    assert_true(same(m->q + 4 * v, before + 4 * v) ||
                (parts[v] != v && opposite(m->q + 4 * v, before + 4 * v)));
  }
  free(parts), free(aligned);
}

/* ---- tests ---- */

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

/* Around a band each row closes, on Moebius's the middle row alone and the others after two rounds; a
 * closed line along which the quaternion changes its sign has at least one edge that is not aligned, an
 * odd number of them. */
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
        /* signs meet on one line across: in each row an edge along it, between rows a diagonal, and where
         * the line is oblique edges between rows */
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

/* Grids, one of them in the middle of the other, among vertices that no triangle uses, with numbers mixed. */
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

/* Anything: degenerate triangles, the same one twice, edges of many triangles, quaternions at right
 * angles, zero, infinite, NaN. */
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
      if (kind == 1 || (kind == 2 && u % 8 < 4)) { /* along an axis, or between two */
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
    assert_int_equal(align(&m), unaligned); /* and once more, which changes nothing */
    assert_memory_equal(m.q, after, 16 * count);
    free(before), free(after);
    free_mesh(&m);
  }
  assert_true(some > 5000 && some < 19000);
}

static void layouts_and_widths_agree(void **state) {
  (void)state;
  mesh m = make_grid(256, 256); /* all that 16 bits can number */
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

/* A vertex with NaN or zeros: those around it are aligned with each other, it keeps its bits. */
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

/* Dot products that are 0 in float: -2^-28 and 2^-28. */
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

/* What a call is handed; it differs in one thing from a good one, and then nothing is written. */
enum { COUNT = 12, INDICES = 36 };
typedef struct call {
  float q[4 * COUNT];
  uint32_t indices[INDICES], scratch[3 * COUNT + 2 + INDICES + 1];
  size_t unaligned;
} call;

#define STATUS(wanted, target, n, index_pointer, bytes, index_n, scratch_pointer, size)                      \
  do {                                                                                                       \
    call *const was = copied(&c, sizeof c);                                                                  \
    assert_int_equal(quatsimd_qtangent_align_mesh(target, n, index_pointer, bytes, index_n, scratch_pointer, \
                                                  size, &c.unaligned),                                       \
                     wanted);                                                                                \
    if ((wanted) != QUATSIMD_OK) assert_memory_equal(was, &c, sizeof c);                                     \
    memcpy(&c, was, sizeof c);                                                                               \
    free(was);                                                                                               \
  } while (0)

static void bad_arguments_are_refused(void **state) {
  (void)state;
  mesh m = make_grid(3, 4);
  static call c;
  memset(&c, FILL, sizeof c);
  random_signs(&m, 2);
  assert_int_equal(m.count, COUNT);
  assert_int_equal(m.index_count, INDICES);
  memcpy(c.q, m.q, sizeof c.q), memcpy(c.indices, m.indices, sizeof c.indices);
  const quatsimd_out q = quatsimd_aos_out(c.q);
  const size_t size = quatsimd_qtangent_align_scratch(COUNT, INDICES);
  assert_true(size <= sizeof c.scratch - 4);
  const quatsimd_status bad = QUATSIMD_ERROR_BAD_ARGUMENT, ok = QUATSIMD_OK;

  STATUS(ok, q, COUNT, c.indices, 4, INDICES, c.scratch, size);
  STATUS(bad, quatsimd_aos_out(NULL), COUNT, c.indices, 4, INDICES, c.scratch, size);
  STATUS(bad, quatsimd_soa_out(c.q, c.q + COUNT, c.q + 2 * COUNT, NULL), COUNT, c.indices, 4, INDICES,
         c.scratch, size);
  STATUS(bad, quatsimd_strided_out(c.q, 12), COUNT, c.indices, 4, INDICES, c.scratch, size);
  STATUS(bad, quatsimd_strided_out(c.q, 17), COUNT, c.indices, 4, INDICES, c.scratch, size);
  STATUS(bad, q, COUNT, NULL, 4, INDICES, c.scratch, size);
  STATUS(bad, q, COUNT, c.indices, 4, INDICES, NULL, size);
  for (size_t by = 1; by < 4; by++)
    STATUS(bad, q, COUNT, c.indices, 4, INDICES, (char *)c.scratch + by, size);
  for (size_t less = 1; less <= size; less++)
    STATUS(QUATSIMD_ERROR_SHORT_BUFFER, q, COUNT, c.indices, 4, INDICES, c.scratch, size - less);
  for (int bytes = -4; bytes < 10; bytes++)
    if (bytes != 2 && bytes != 4) STATUS(bad, q, COUNT, c.indices, bytes, 3, c.scratch, size);
  for (size_t n = 1; n < INDICES; n++) STATUS(n % 3 ? bad : ok, q, COUNT, c.indices, 4, n, c.scratch, size);

  static const uint32_t wrong[] = {COUNT, COUNT + 1, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff};
  for (size_t i = 0; i < INDICES; i++)
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
      c.indices[i] = wrong[w];
      STATUS(bad, q, COUNT, c.indices, 4, INDICES, c.scratch, size);
      STATUS(i < 3 ? bad : ok, q, COUNT, c.indices, 4, i < 3 ? INDICES : i / 3 * 3, c.scratch, size);
      c.indices[i] = m.indices[i];
      uint16_t narrow[INDICES];
      for (size_t k = 0; k < INDICES; k++) narrow[k] = (uint16_t)m.indices[k];
      STATUS(ok, q, COUNT, narrow, 2, INDICES, c.scratch, size);
      narrow[i] = (uint16_t)wrong[w];
      STATUS(narrow[i] < COUNT ? ok : bad, q, COUNT, narrow, 2, INDICES, c.scratch, size);
    }
  STATUS(bad, q, COUNT - 1, c.indices, 4, INDICES, c.scratch, size);

  /* nothing to do */
  STATUS(ok, q, COUNT, NULL, 4, 0, NULL, 0);
  STATUS(ok, quatsimd_aos_out(NULL), 0, NULL, 2, 0, NULL, 0);
  STATUS(bad, quatsimd_aos_out(NULL), COUNT, NULL, 4, 0, NULL, 0);
  STATUS(bad, quatsimd_aos_out(NULL), 0, NULL, 3, 0, NULL, 0);
  STATUS(bad, q, 0, c.indices, 4, INDICES, c.scratch, size);
  c.unaligned = 5;
  assert_int_equal(quatsimd_qtangent_align_mesh(q, COUNT, NULL, 4, 0, NULL, 0, &c.unaligned), QUATSIMD_OK);
  assert_int_equal(c.unaligned, 0);
  assert_memory_equal(c.q, m.q, sizeof c.q);

  /* without the number, and just the memory that is asked for */
  assert_int_equal(quatsimd_qtangent_align_mesh(q, COUNT, c.indices, 4, INDICES, c.scratch, size, NULL),
                   QUATSIMD_OK);
  assert_int_equal(align(&m), 0);
  assert_memory_equal(c.q, m.q, sizeof c.q);
  assert_memory_equal(c.indices, m.indices, sizeof c.indices);
  assert_true(untouched(c.scratch + size / 4, sizeof c.scratch - size));
  free_mesh(&m);
}

static void scratch_never_overflows(void **state) {
  (void)state;
  const size_t most = (size_t)1 << 31;
  assert_true(quatsimd_qtangent_align_scratch(0, 0) > 0 && quatsimd_qtangent_align_scratch(1, 3) > 0);
  for (size_t more = 1; more != 0; more *= 2) {
    assert_int_equal(quatsimd_qtangent_align_scratch(most + more, 3), 0);
    assert_int_equal(quatsimd_qtangent_align_scratch(3, most + more), 0);
    if (more > SIZE_MAX / 4) break; /* most + more could be small again */
  }
  assert_int_equal(quatsimd_qtangent_align_scratch(SIZE_MAX, SIZE_MAX), 0);
  for (unsigned a = 0; a <= 31; a++)
    for (unsigned b = 0; b <= 31; b++) {
      const size_t count = (size_t)1 << a, index_count = (size_t)1 << b;
      const uint64_t least = 4 * ((uint64_t)count + index_count),
                     size = quatsimd_qtangent_align_scratch(count, index_count);
      if (size == 0) assert_true(4 * least > SIZE_MAX);
      else assert_true(size > least && size <= 4 * least);
    }
  float q[4] = {0, 0, 0, 1};
  uint32_t scratch[64], index[3] = {0, 0, 0};
  size_t unaligned = 77;
  assert_int_equal(
      quatsimd_qtangent_align_mesh(quatsimd_aos_out(q), most + 1, index, 4, 3, scratch, SIZE_MAX, &unaligned),
      QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(
      quatsimd_qtangent_align_mesh(quatsimd_aos_out(q), 1, index, 4, most + 1, scratch, SIZE_MAX, &unaligned),
      QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(unaligned, 77);
}

/* A strip as long as memory allows, of up to ten million vertices: the way to the last vertex is half as
 * long. */
static void long_strips_need_no_stack(void **state) {
  (void)state;
  const size_t count = sizeof(void *) < 8 ? 1000000 : 10000000, index_count = 3 * (count - 2);
  const size_t size = quatsimd_qtangent_align_scratch(count, index_count);
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

static void morphs_follow_their_base(void **state) {
  (void)state;
  enum { N = 1000 };
  static float base[4 * N], q[4 * N], wanted[4 * N];
  uint64_t random = 5;
  random_rotations(base, N, &random), random_rotations(q, N, &random);
  for (size_t c = 0; c < 4; c++) { /* a NaN in either, a right angle, zeros */
    sweep_set_bits(&base[4 * c + c], UINT32_C(0xffc00001));
    sweep_set_bits(&q[16 + 4 * c + c], UINT32_C(0x7fc00001));
    q[32 + c] = c == 2 ? -1.0f : 0, base[32 + c] = c == 1 ? -1.0f : 0;
    q[36 + c] = -0.0f;
  }
  size_t negative = 0;
  memcpy(wanted, q, sizeof q);
  for (size_t v = 0; v < N; v++)
    if (dot(q + 4 * v, base + 4 * v) < 0) negate(wanted + 4 * v), negative++;
  assert_true(negative > N / 3 && negative < N - N / 3);
  for (int layout = 0; layout < LAYOUTS; layout++)
    for (int base_layout = 0; base_layout < LAYOUTS; base_layout++)
      for (size_t n = 1; n <= N; n += n < 20 ? 1 : 490) {
        float *to = filled(STEP * n), *from = filled(STEP * n);
        for (size_t v = 0; v < n; v++)
          for (size_t c = 0; c < 4; c++) {
            to[place_of(layout, n, v, c)] = q[4 * v + c];
            from[place_of(base_layout, n, v, c)] = base[4 * v + c];
          }
        float *expected = copied(to, STEP * n), *as_before = copied(from, STEP * n);
        for (size_t v = 0; v < n; v++)
          for (size_t c = 0; c < 4; c++) expected[place_of(layout, n, v, c)] = wanted[4 * v + c];
        const quatsimd_in source = base_layout == AOS ? quatsimd_aos(from)
                                   : base_layout == SOA
                                       ? quatsimd_soa(from, from + n, from + 2 * n, from + 3 * n)
                                       : quatsimd_strided(from, STEP);
        assert_int_equal(quatsimd_qtangent_align_morph(target_of(layout, to, n), source, n), QUATSIMD_OK);
        assert_memory_equal(to, expected, STEP * n);
        assert_memory_equal(from, as_before, STEP * n);
        free(to), free(from), free(expected), free(as_before);
      }

  /* one base for all, the base itself, nothing, nonsense */
  float was[4 * N];
  memcpy(was, q, sizeof q);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(q), quatsimd_one(base + 100), N),
                   QUATSIMD_OK);
  for (size_t v = 0; v < N; v++)
    assert_true(!(dot(q + 4 * v, base + 100) < 0) &&
                (same(q + 4 * v, was + 4 * v) || opposite(q + 4 * v, was + 4 * v)));
  memcpy(was, q, sizeof q);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(q), quatsimd_aos(q), N), QUATSIMD_OK);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(NULL), quatsimd_aos(NULL), 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(NULL), quatsimd_aos(base), N),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(q), quatsimd_aos(NULL), N),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_strided_out(q, 12), quatsimd_aos(base), N),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(q), quatsimd_strided(base, 6), N),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_memory_equal(q, was, sizeof q);
}

/* A morph target's triangles are as aligned as the base's where it turns QTangents by less than half a turn. */
static void morphed_grids_are_aligned(void **state) {
  (void)state;
  mesh m = make_grid(20, 30);
  random_signs(&m, 9);
  assert_int_equal(align(&m), 0);
  float *base = copied(m.q, 16 * m.count);
  for (size_t v = 0; v < m.count; v++) { /* by two radians about x */
    const float *const b = base + 4 * v;
    const double s = sin(1.0), c = cos(1.0);
    set(m.q + 4 * v, c * b[0] + s * b[3], c * b[1] - s * b[2], c * b[2] + s * b[1], c * b[3] - s * b[0]);
  }
  random_signs(&m, 10);
  assert_true(count_unaligned(&m) > 0);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(m.q), quatsimd_aos(base), m.count),
                   QUATSIMD_OK);
  assert_int_equal(count_unaligned(&m), 0);
  free(base);
  free_mesh(&m);
}

/* ---- speed: least time of some runs, of the call alone ---- */

static double milliseconds(void) { return 1e3 * (double)clock() / CLOCKS_PER_SEC; }

static void measure(const char *name, mesh *m, int layout) {
  const size_t size = quatsimd_qtangent_align_scratch(m->count, m->index_count);
  void *scratch = filled(size);
  float *q = filled(STEP * m->count);
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
