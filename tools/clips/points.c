#include "clips/points.h"

#include <math.h>
#include <string.h>

/* The largest |D p + d| of |p| = distance. It is convex in p, so each step to where its slope points goes up;
 * starts on all axes find the highest top but for freaks. */
double points_apart(const place_both m[12], double distance) {
  double worst = 0, d[12];
  for (int i = 0; i < 12; i++) d[i] = m[i][0] - m[i][1];
  for (int start = 0; start < 6; start++) {
    double p[3] = {0}, last = -1;
    p[start / 2] = start % 2 ? -distance : distance;
    for (int step = 0; step < 200; step++) {
      double e[3], slope[3];
      for (int i = 0; i < 3; i++) e[i] = d[9 + i] + d[i] * p[0] + d[3 + i] * p[1] + d[6 + i] * p[2];
      const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
      if (isnan(length)) return length;
      if (length <= last * (1 + 1e-9)) break;
      last = length;
      if (length > worst) worst = length;
      for (int c = 0; c < 3; c++) slope[c] = d[3 * c] * e[0] + d[3 * c + 1] * e[1] + d[3 * c + 2] * e[2];
      const double steepness = sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
      if (!(steepness > 0)) break;
      for (int c = 0; c < 3; c++) p[c] = slope[c] * distance / steepness;
    }
  }
  return worst;
}

/* No vector of length 1 becomes longer than D's largest singular value, and that is no more than the fourth
 * root of the Frobenius norm of (D^T D)^2: 9 % too much where D is the difference of two rotations. D's own
 * norm is 41 % too much then, but often enough. */
bool points_are_within(const place_both m[12], double distance, double limit) {
  const double more = 1 + 0x1p-40; /* than rounding */
  double d[12], turn = 0, square = 0;
  for (int i = 0; i < 12; i++) d[i] = m[i][0] - m[i][1];
  for (int i = 0; i < 9; i++) turn += d[i] * d[i];
  const double left = limit - more * sqrt(d[9] * d[9] + d[10] * d[10] + d[11] * d[11]);
  if (!(left >= 0)) return false;
  const double most = left * left, far = more * distance * distance; /* distance^2 D^T D against left^2 */
  if (far * turn <= most) return true;
  double b[6] = {0};
  for (int i = 0, n = 0; i < 3; i++)
    for (int j = i; j < 3; j++, n++)
      for (int c = 0; c < 3; c++) b[n] += d[3 * i + c] * d[3 * j + c];
  const double s[6] = {b[0] * b[0] + b[1] * b[1] + b[2] * b[2], b[0] * b[1] + b[1] * b[3] + b[2] * b[4],
                       b[0] * b[2] + b[1] * b[4] + b[2] * b[5], b[1] * b[1] + b[3] * b[3] + b[4] * b[4],
                       b[1] * b[2] + b[3] * b[4] + b[4] * b[5], b[2] * b[2] + b[4] * b[4] + b[5] * b[5]};
  for (int n = 0; n < 6; n++) square += (n == 0 || n == 3 || n == 5 ? 1 : 2) * s[n] * s[n];
  return square > 0x1p-1000 && far * sqrt(sqrt(square)) <= most;
}
