/* Eigenvectors of small symmetric matrices by Jacobi's method. It converges quadratically, so a few sweeps
 * remove everything off the diagonal. */
#ifndef QUATSIMD_EIGEN_H
#define QUATSIMD_EIGEN_H

#include "core/arithmetic.h"

/* Diagonalises the first n rows and columns of a. The diagonal of a becomes the eigenvalues, and the columns
 * of v become the eigenvectors. Off the diagonal, magnitudes up to `negligible` count as 0. */
static inline void quatsimd_diagonalize(double (*a)[4], double (*v)[4], int n, int sweeps,
                                        double negligible) {
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) v[r][c] = r == c;
  for (int sweep = 0; sweep < sweeps; sweep++)
    for (int p = 0; p < n - 1; p++)
      for (int q = p + 1; q < n; q++) {
        if (a[p][q] <= negligible && a[p][q] >= -negligible) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]), magnitude = theta < 0 ? -theta : theta;
        const double t = (theta < 0 ? -1 : 1) / (magnitude + quatsimd_sqrt(theta * theta + 1));
        const double c = 1 / quatsimd_sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < n; k++) {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < n; k++) {
          const double pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
        }
        for (int k = 0; k < n; k++) {
          const double kp = v[k][p], kq = v[k][q];
          v[k][p] = c * kp - s * kq, v[k][q] = s * kp + c * kq;
        }
      }
}

#endif
