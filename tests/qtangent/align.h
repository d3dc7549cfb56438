/* Makes meshes, aligns them in any layout and with any width of indices, and checks alignments. Arrays are
 * allocated at their exact size, so that sanitizers report an access of one byte beyond. */
#ifndef ALIGN_H
#define ALIGN_H

#include "support/random.h"

#include "quatsimd/qtangent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { FILL = 0xa5 };
static inline void *filled(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) fail_msg("out of memory");
  return memset(p, FILL, bytes);
}

static inline void *copied(const void *from, size_t bytes) { return memcpy(filled(bytes), from, bytes); }

static inline bool untouched(const void *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (((const unsigned char *)p)[i] != FILL) return false;
  return true;
}

/* ---- meshes ---- */

typedef struct mesh {
  size_t count, index_count, most_indices;
  float *q;
  uint32_t *indices;
} mesh;

static inline void set(float *q, double x, double y, double z, double w) {
  q[0] = (float)x, q[1] = (float)y, q[2] = (float)z, q[3] = (float)w;
}

static inline double dot(const float *a, const float *b) {
  double sum = 0;
  for (int c = 0; c < 4; c++) sum += (double)a[c] * b[c];
  return sum;
}

static inline void negate(float *q) {
  for (int c = 0; c < 4; c++) q[c] = -q[c];
}

mesh make_mesh(size_t count, size_t triangles);
void free_mesh(mesh *m);
void add_triangle(mesh *m, size_t a, size_t b, size_t c);
void random_signs(mesh *m, uint64_t seed);
void shuffle_vertices(mesh *m, uint64_t seed);
void shuffle_triangles(mesh *m, uint64_t seed);

/* Makes a grid of vertices, column by column. The QTangent turns by up to about 3 radians over the grid. */
mesh make_grid(size_t columns, size_t rows);

/* Makes a closed band. On the way round, the QTangent makes `turns` turns, and each turn changes the sign of
 * the quaternion. `seam` repeats the first column at the end. `twisted` makes a Moebius strip. */
mesh make_band(size_t columns, size_t rows, int turns, bool seam, bool twisted);

/* ---- calls ---- */

enum { AOS, SOA, STRIDED, LAYOUTS };
enum { STRIDE = 28 }; /* stride of a strided target: a quaternion and three other floats */

static inline quatsimd_out target_of(int layout, float *floats, size_t count) {
  if (layout == AOS) return quatsimd_aos_out(floats);
  if (layout == STRIDED) return quatsimd_strided_out(floats, STRIDE);
  return quatsimd_soa_out(floats, floats + count, floats + 2 * count, floats + 3 * count);
}

static inline size_t place_of(int layout, size_t count, size_t v, size_t c) {
  return layout == AOS ? 4 * v + c : layout == STRIDED ? v * (STRIDE / 4) + c : c * count + v;
}

/* Aligns the quaternions of m and returns the number of edges that are not aligned. */
size_t align_as(const mesh *m, int layout, int index_bytes);
size_t align(const mesh *m);

/* ---- the reference, in quadratic time ---- */

/* Compares bits, so that NaN equals itself and -0 differs from 0. */
static inline bool same(const float *a, const float *b) { return memcmp(a, b, 16) == 0; }
static inline bool opposite(const float *a, const float *b) {
  for (int c = 0; c < 4; c++) {
    uint32_t x, y;
    memcpy(&x, a + c, 4), memcpy(&y, b + c, 4);
    if ((x ^ y) != UINT32_C(0x80000000)) return false;
  }
  return true;
}

size_t count_unaligned(const mesh *m);

/* Checks that aligned edges connect all vertices of each part. `before` has the former quaternions. */
void check_aligned(const mesh *m, const float *before, size_t unaligned);

/* ---- tests ---- */

/* check_align_refused.c */
void bad_arguments_are_refused(void **state);
void scratch_never_overflows(void **state);

/* check_align_morph.c */
void morphs_follow_their_base(void **state);
void morphed_grids_are_aligned(void **state);

#endif
