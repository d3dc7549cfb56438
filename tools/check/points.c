#include "check/points.h"

#include <math.h>
#include <string.h>

/* The largest |D p + d| of |p| = distance. It is convex in p, so each step to where its slope points goes up;
 * starts on all axes, on the higher side, find the highest top but for freaks. */
double points_apart(const place_both m[12], double distance) {
  double worst = 0, d[12];
  for (int i = 0; i < 12; i++) d[i] = m[i][PLACE_ORIGINAL] - m[i][PLACE_DECODED];
  for (int axis = 0; axis < 3; axis++) {
    const double along = d[3 * axis] * d[9] + d[3 * axis + 1] * d[10] + d[3 * axis + 2] * d[11];
    double p[3] = {0}, last = -1;
    p[axis] = along < 0 ? -distance : distance;
    for (int step = 0; step < 200; step++) {
      double e[3], slope[3];
      for (int i = 0; i < 3; i++) e[i] = d[9 + i] + d[i] * p[0] + d[3 + i] * p[1] + d[6 + i] * p[2];
      const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
      if (isnan(square)) return square;
      if (square <= last * (1 + 1e-9)) break;
      last = square;
      if (square > worst) worst = square;
      for (int c = 0; c < 3; c++) slope[c] = d[3 * c] * e[0] + d[3 * c + 1] * e[1] + d[3 * c + 2] * e[2];
      const double steepness = sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
      if (!(steepness > 0)) break;
      const double longer = distance / steepness;
      for (int c = 0; c < 3; c++) p[c] = slope[c] * longer;
    }
  }
  return sqrt(worst);
}

/* |D p + d|^2 = |D p|^2 + 2 p (D^T d) + |d|^2. |D p| is at most D's norm times |p|. Where that does not tell,
 * the square of D's largest singular value is at most the square root of the norm of (D^T D)^2: where D is
 * the difference of two rotations |D p| is 9 % too much with this, and 41 % with D's own norm. */
bool points_are_within(const place_both m[12], double distance, double limit) {
  const double more = 1 + 0x1p-40 /* than rounding */, r2 = distance * distance;
  double d[12], turn = 0, pull = 0, b[6] = {0}, square = 0;
  for (int i = 0; i < 12; i++) d[i] = m[i][PLACE_ORIGINAL] - m[i][PLACE_DECODED];
  for (int i = 0; i < 9; i++) turn += d[i] * d[i];
  for (int c = 0; c < 3; c++) {
    const double along = d[3 * c] * d[9] + d[3 * c + 1] * d[10] + d[3 * c + 2] * d[11];
    pull += along * along;
  }
  const double left =
      limit * limit - more * (d[9] * d[9] + d[10] * d[10] + d[11] * d[11] + 2 * distance * sqrt(pull));
  if (more * r2 * turn <= left) return true;
  for (int i = 0, n = 0; i < 3; i++)
    for (int j = i; j < 3; j++, n++)
      for (int c = 0; c < 3; c++) b[n] += d[3 * i + c] * d[3 * j + c];
  const double s[6] = {b[0] * b[0] + b[1] * b[1] + b[2] * b[2], b[0] * b[1] + b[1] * b[3] + b[2] * b[4],
                       b[0] * b[2] + b[1] * b[4] + b[2] * b[5], b[1] * b[1] + b[3] * b[3] + b[4] * b[4],
                       b[1] * b[2] + b[3] * b[4] + b[4] * b[5], b[2] * b[2] + b[4] * b[4] + b[5] * b[5]};
  for (int n = 0; n < 6; n++) square += (n == 0 || n == 3 || n == 5 ? 1 : 2) * s[n] * s[n];
  /* where squares are no denormals */
  return square > 0x1p-1000 && more * r2 * sqrt(sqrt(square)) <= left;
}
