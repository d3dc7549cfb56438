/* Computes matrices in long double, as docs/pose.md defines them. */
#ifndef TESTS_MATRICES_H
#define TESTS_MATRICES_H

#include "poses.h"

static const quatsimd_matrix_layout layouts[] = {QUATSIMD_MATRIX_3X4, QUATSIMD_MATRIX_4X4};

typedef struct matrix {
  long double m[3][4];
} matrix;

static inline matrix multiply(const matrix *a, const matrix *b) {
  matrix c = {{{0}}};
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) {
      c.m[row][column] = column == 3 ? a->m[row][3] : 0;
      for (int k = 0; k < 3; k++) c.m[row][column] += a->m[row][k] * b->m[k][column];
    }
  return c;
}

/* Returns translation * rotation * scale. q may have any length. If q is 0, the rotation is the identity. */
static inline matrix local(const float *q, const float *t, const float *s) {
  long double u[4], n2 = 0;
  for (int c = 0; c < 4; c++) n2 += (long double)q[c] * q[c];
  for (int c = 0; c < 4; c++) u[c] = n2 > 0 ? q[c] / sqrtl(n2) : c == 3;
  const long double cross[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}},
                    d = u[3] * u[3] - (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  matrix m;
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++)
      m.m[row][column] =
          (2 * (u[row] * u[column] + u[3] * cross[row][column]) + (row == column ? d : 0)) * s[column];
    m.m[row][3] = t[row];
  }
  return m;
}

static inline matrix of_floats(const float *p, quatsimd_matrix_layout layout) {
  matrix a;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      a.m[row][column] = layout == QUATSIMD_MATRIX_3X4 ? p[4 * row + column] : p[4 * column + row];
  if (layout == QUATSIMD_MATRIX_4X4) assert_true(p[3] == 0 && p[7] == 0 && p[11] == 0 && p[15] == 1);
  return a;
}

static inline long double largest_of(const matrix *a) {
  long double largest = 0;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) largest = fmaxl(largest, fabsl(a->m[row][column]));
  return largest;
}

static inline void expect_near(const float *p, quatsimd_matrix_layout layout, const matrix *wanted,
                               long double limit) {
  const matrix got = of_floats(p, layout);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      if (!(fabsl(got.m[row][column] - wanted->m[row][column]) <= limit))
        fail_msg("row %d, column %d is %Lg, not %Lg", row, column, got.m[row][column],
                 wanted->m[row][column]);
}

#endif
