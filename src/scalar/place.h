/* Multiplies matrices down the hierarchy, one by one: see pose/block.h. */
#ifndef QUATSIMD_SCALAR_PLACE_H
#define QUATSIMD_SCALAR_PLACE_H

#include "pose/block.h"
#include "scalar/algebra.h"
#include "skeleton/layout.h"

/* Three rows of four; the last number of a row is a component of the translation. */
typedef struct affine {
  float at[3][4];
} affine;

static size_t index_of(quatsimd_matrix_layout layout, int row, int column) {
  return (size_t)(layout == QUATSIMD_MATRIX_3X4 ? 4 * row + column : 4 * column + row);
}

static affine load_affine(const float *p, quatsimd_matrix_layout layout) {
  affine m;
  for (int i = 0; i < 12; i++) m.at[i / 4][i % 4] = p[index_of(layout, i / 4, i % 4)];
  return m;
}

static void store_affine(float *p, quatsimd_matrix_layout layout, const affine *m) {
  for (int i = 0; i < 12; i++) p[index_of(layout, i / 4, i % 4)] = number(m->at[i / 4][i % 4]);
  for (int c = 0; c < 4 && layout == QUATSIMD_MATRIX_4X4; c++) p[index_of(layout, 3, c)] = c == 3;
}

static affine multiply_affine(const affine *a, const affine *b) {
  affine m;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) {
      const float sum = (a->at[r][0] * b->at[0][c] + a->at[r][1] * b->at[1][c]) + a->at[r][2] * b->at[2][c];
      m.at[r][c] = c < 3 ? sum : sum + a->at[r][3];
    }
  return m;
}

static void place_loop(const pose_places *p) {
  const unsigned char *inverse_bind = p->inverse_binds;
  for (size_t j = p->first; j < p->end; j++) {
    const unsigned parent = p->parents ? load_u16(p->parents + 2 * j) : SKELETON_NO_PARENT;
    const float *const above = parent != SKELETON_NO_PARENT ? p->model + parent * p->layout : p->root;
    affine m = load_affine(p->local + (j - p->first) * p->layout, p->layout);
    if (above) {
      const affine a = load_affine(above, p->layout);
      m = multiply_affine(&a, &m);
    }
    if (p->model) store_affine(p->model + j * p->layout, p->layout, &m);
    if (!p->skinning) continue;
    if (skeleton_is_in(p->binds, j)) {
      affine b;
      load_floats(b.at[0], inverse_bind, SKELETON_MATRIX);
      inverse_bind += 4 * SKELETON_MATRIX;
      m = multiply_affine(&m, &b);
    }
    store_affine(p->skinning + j * p->layout, p->layout, &m);
  }
}
#define PLACE_KERNEL place_loop

#endif
