/* Multiplies matrices down the hierarchy, and by inverse bind matrices: see pose/block.h. scalar/place.h does
 * the same. A line of a matrix is a row of a 3x4 one, a column of a 4x4 one. Products of both layouts add the
 * same numbers in the same order. */
#ifndef QUATSIMD_SIMD_KERNEL_PLACE_H
#define QUATSIMD_SIMD_KERNEL_PLACE_H

#include "pose/block.h"
#include "simd/kernels/isa.h"
#include "skeleton/layout.h"

enum { PART_LINES = V_LANES / 4 };

/* A matrix in vectors of PART_LINES lines. If three rows end within a vector, it has the last row twice. */
typedef struct vparts {
  vf part[4 / PART_LINES];
} vparts;

V_INLINE int matrix_parts(quatsimd_matrix_layout layout) {
  return (layout == QUATSIMD_MATRIX_3X4 ? 2 : 3) / PART_LINES + 1;
}
/* True if the matrix ends within part k. */
V_INLINE bool ends_inside(quatsimd_matrix_layout layout, int k) {
  return layout == QUATSIMD_MATRIX_3X4 && PART_LINES * (k + 1) > 3;
}

V_INLINE vparts load_parts(const float *p, quatsimd_matrix_layout layout) {
  vparts m;
  for (int k = 0; k < 4 / PART_LINES; k++)
    m.part[k] = k >= matrix_parts(layout) ? v_set(0)
                : ends_inside(layout, k)  ? v_load_line(p + V_LANES * k)
                                          : v_load(p + V_LANES * k);
  return m;
}

/* True in the first three lanes of each line. */
V_INLINE vm are_three(void) {
  static const float are[] = {1, 1, 1, 0, 1, 1, 1, 0};
  return v_gt(v_load(are), v_set(0));
}

/* Stores a matrix. *ordered becomes false in lanes that have a NaN: see replace_nans. The last numbers
 * of 4x4's columns become 0, 0, 0 and 1. */
V_INLINE void store_parts(float *p, quatsimd_matrix_layout layout, vparts m, vm *ordered) {
  static const float one[] = {0, 0, 0, 0, 0, 0, 0, 1};
  const int parts = matrix_parts(layout);
  for (int k = 0; k < parts; k += 2)
    *ordered = v_both(*ordered, v_ordered(m.part[k], m.part[k + 1 < parts ? k + 1 : k]));
  for (int k = 0; k < parts; k++) {
    vf part = m.part[k];
    if (layout == QUATSIMD_MATRIX_4X4)
      part =
          k + 1 < parts ? v_keep(are_three(), part) : v_select(are_three(), part, v_load(one + 8 - V_LANES));
    if (ends_inside(layout, k)) v_store_line(p + V_LANES * k, part);
    else v_store(p + V_LANES * k, part);
  }
}

/* Replaces each NaN by the one that the library returns on all CPUs. NaNs are rare, and matrices of NaNs give
 * matrices of NaNs. So this is done once, after all matrices are stored. */
static void replace_nans(float *p, size_t floats) {
  for (size_t i = 0; i < floats; i++) p[i] = p[i] == p[i] ? p[i] : float_from_bits(0x7fc00000);
}

/* Returns line 0 times x, plus line 1 times y, plus line 2 times z. Does not use w. */
V_INLINE vf weighed(const vf line[4], vq by) {
  return v_add(v_add(v_mul(line[0], by.x), v_mul(line[1], by.y)), v_mul(line[2], by.z));
}

/* Adds the last column, line[3], to the last column of a part. Adding -0 changes no number. */
V_INLINE vf add_last(vf part, const vf line[4]) {
  static const float is_last[] = {0, 0, 0, 0, 1, 1, 1, 1};
  if (PART_LINES == 1) return v_add(part, line[3]);
  return v_add(part, v_select(v_gt(v_load(is_last + 8 - V_LANES), v_set(0)), line[3], v_set(-0.0f)));
}

V_INLINE void load_lines(vf line[4], const float *p, int lines) {
  for (int i = 0; i < lines; i++) line[i] = v_load_line(p + 4 * i);
}

/* Returns a times b of three rows. */
V_INLINE vparts multiply_rows(const vparts *a, const float *b) {
  vf line[4];
  vparts c = *a;
  load_lines(line, b, 3);
  for (int k = 0; k < matrix_parts(QUATSIMD_MATRIX_3X4); k++)
    c.part[k] = v_add(weighed(line, v_each(a->part[k])), v_select(are_three(), v_set(-0.0f), a->part[k]));
  return c;
}
/* Returns a times b of four columns. */
V_INLINE vparts multiply_columns(const float *a, const vparts *b) {
  const int parts = matrix_parts(QUATSIMD_MATRIX_4X4);
  vf line[4];
  vparts c;
  load_lines(line, a, 4);
  for (int k = 0; k < parts; k++) c.part[k] = weighed(line, v_each(b->part[k]));
  c.part[parts - 1] = add_last(c.part[parts - 1], line);
  return c;
}
/* Returns `a`, which has four columns, times b, which has three rows. */
V_INLINE vparts multiply_by_rows(const float *a, const float *b) {
  const int parts = matrix_parts(QUATSIMD_MATRIX_4X4);
  vf line[4], row[4];
  vparts c;
  load_lines(line, a, 4), load_lines(row, b, 3);
  for (int k = 0; k < parts; k++) {
    const int i = PART_LINES * k;
    const vf x = v_each_from(row[0], i), y = v_each_from(row[1], i), z = v_each_from(row[2], i);
    c.part[k] = weighed(line, (vq){x, y, z, z});
  }
  c.part[parts - 1] = add_last(c.part[parts - 1], line);
  return c;
}

/* `layout` is known at compile time. With 3x4, the product of the joint before stays in registers for its
 * child: else a chain of joints would wait for memory at each joint. A column of 4x4 is needed in each line,
 * so it is loaded from memory. */
V_INLINE void place_all(const pose_places *given, quatsimd_matrix_layout layout) {
  const pose_places p = *given; /* stores could change *given, for all that compilers know */
  const bool rows = layout == QUATSIMD_MATRIX_3X4;
  float root[QUATSIMD_MATRIX_4X4], unkept[QUATSIMD_MATRIX_4X4];
  const float *local = p.local, *last = NULL;
  const unsigned char *inverse_bind = p.inverse_binds;
  vm ordered = v_ordered(v_set(0), v_set(0));
  vparts product;
  if (p.root) store_parts(root, layout, load_parts(p.root, layout), &ordered);
  for (size_t j = p.first; j < p.end; j++, local += layout) {
    const unsigned parent = p.parents ? load_u16(p.parents + 2 * j) : SKELETON_NO_PARENT;
    const float *const from = parent != SKELETON_NO_PARENT ? p.model + (size_t)parent * layout
                              : p.root                     ? root
                                                           : NULL;
    float *const to = p.model ? p.model + j * layout : unkept;
    if (!from || !rows) product = load_parts(local, layout);
    else if (from != last) product = load_parts(from, layout);
    if (from) product = rows ? multiply_rows(&product, local) : multiply_columns(from, &product);
    store_parts(to, layout, product, &ordered);
    last = to;
    if (!p.skinning) continue;
    vparts skinned = product;
    if (skeleton_is_in(p.binds, j)) {
      const float *const b = (const void *)inverse_bind;
      skinned = rows ? multiply_rows(&product, b) : multiply_by_rows(to, b);
      inverse_bind += 4 * SKELETON_MATRIX;
    }
    store_parts(p.skinning + j * layout, layout, skinned, &ordered);
  }
  if (QUATSIMD_LIKELY(v_all(ordered))) return;
  const size_t at = p.first * layout, floats = (p.end - p.first) * layout;
  if (p.model) replace_nans(p.model + at, floats);
  if (p.skinning) replace_nans(p.skinning + at, floats);
}

#define PLACE_NAME(isa) quatsimd_pose_place_##isa
#define PLACE(isa) PLACE_NAME(isa)
extern void PLACE(QUATSIMD_ISA)(const pose_places *places);
void PLACE(QUATSIMD_ISA)(const pose_places *places) {
  if (places->layout == QUATSIMD_MATRIX_3X4) place_all(places, QUATSIMD_MATRIX_3X4);
  else place_all(places, QUATSIMD_MATRIX_4X4);
}

#endif
