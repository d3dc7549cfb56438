#include "align.h"

#define PI 3.141592653589793

mesh make_mesh(size_t count, size_t triangles) {
  return (mesh){count, 0, 3 * triangles, filled(16 * count), filled(12 * triangles)};
}

void free_mesh(mesh *m) { free(m->q), free(m->indices); }

void add_triangle(mesh *m, size_t a, size_t b, size_t c) {
  if (m->index_count + 3 > m->most_indices) fail_msg("too many triangles");
  m->indices[m->index_count++] = (uint32_t)a;
  m->indices[m->index_count++] = (uint32_t)b;
  m->indices[m->index_count++] = (uint32_t)c;
}

void random_signs(mesh *m, uint64_t seed) {
  for (size_t v = 0; v < m->count; v++)
    if (sweep_next(&seed) >> 63) negate(m->q + 4 * v);
}

mesh make_grid(size_t columns, size_t rows) {
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

mesh make_band(size_t columns, size_t rows, int turns, bool seam, bool twisted) {
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

void shuffle_vertices(mesh *m, uint64_t seed) {
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

void shuffle_triangles(mesh *m, uint64_t seed) {
  for (size_t t = m->index_count / 3; t > 1; t--) {
    uint32_t *const a = m->indices + 3 * (t - 1), *const b = m->indices + 3 * (size_t)(sweep_next(&seed) % t),
                    was[3];
    memcpy(was, a, 12), memmove(a, b, 12), memcpy(b, was, 12);
  }
}

size_t align_as(const mesh *m, int layout, int index_bytes) {
  const size_t bytes = layout == STRIDED ? STRIDE * m->count - (m->count ? STRIDE - 16 : 0)
                                         : 16 * m->count; /* the array ends with its last quaternion */
  const size_t scratch_size = quatsimd_qtangent_align_scratch_size(m->count, m->index_count);
  float *floats = filled(bytes);
  void *scratch = filled(scratch_size);
  /* one byte more than the indices take, so that they can begin at an odd address */
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
    if (layout == STRIDED && v + 1 < m->count)
      assert_true(untouched(floats + v * (STRIDE / 4) + 4, STRIDE - 16));
  }
  free(floats), free(scratch), free(indices), free(before);
  return unaligned;
}

size_t align(const mesh *m) { return align_as(m, AOS, 4); }

/* Returns a byte for each pair of vertices: 1 if an edge connects them. */
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

size_t count_unaligned(const mesh *m) {
  unsigned char *edges = edges_of(m);
  size_t n = 0;
  for (size_t a = 0; a < m->count; a++)
    for (size_t b = 0; b < a; b++) n += edges[a * m->count + b] && dot(m->q + 4 * a, m->q + 4 * b) < 0;
  free(edges);
  return n;
}

/* Returns for each vertex the first vertex of its part. A part is connected by edges with positive dot
 * products and, if `any` is true, by those with negative ones. */
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

void check_aligned(const mesh *m, const float *before, size_t unaligned) {
  assert_int_equal(unaligned, count_unaligned(m));
  size_t *parts = parts_of(m, true), *aligned = parts_of(m, false);
  for (size_t v = 0; v < m->count; v++) {
    assert_int_equal(parts[v], aligned[v]);
    assert_true(same(m->q + 4 * v, before + 4 * v) ||
                (parts[v] != v && opposite(m->q + 4 * v, before + 4 * v)));
  }
  free(parts), free(aligned);
}
