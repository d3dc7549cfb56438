#include "check/points.h"

#include <math.h>
#include <string.h>

enum { STARTS = 3 };

/* Where each start has come to; its components stand apart, so that starts are computed side by side. */
struct climb {
  double p[3][STARTS], square[STARTS], slope[3][STARTS], steepness[STARTS];
};

/* The square of |D p + d| of each start, and its slope. */
static void look_around(struct climb *s, const double d[12]) {
  for (int n = 0; n < STARTS; n++) {
    double e[3];
    for (int i = 0; i < 3; i++)
      e[i] = d[9 + i] + d[i] * s->p[0][n] + d[3 + i] * s->p[1][n] + d[6 + i] * s->p[2][n];
    s->square[n] = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    for (int c = 0; c < 3; c++) s->slope[c][n] = d[3 * c] * e[0] + d[3 * c + 1] * e[1] + d[3 * c + 2] * e[2];
    s->steepness[n] = sqrt(s->slope[0][n] * s->slope[0][n] + s->slope[1][n] * s->slope[1][n] +
                           s->slope[2][n] * s->slope[2][n]);
  }
}

/* The largest |D p + d| of |p| = distance. It is convex in p, so each step to where its slope points goes up;
 * starts on all axes, on the higher side, find the highest top but for freaks. */
double points_apart(const place_both m[12], double distance) {
  double worst = 0, d[12], last[STARTS];
  bool climbs[STARTS], any = true;
  struct climb s = {.p = {{0}}};
  for (int i = 0; i < 12; i++) d[i] = m[i][PLACE_ORIGINAL] - m[i][PLACE_DECODED];
  for (int n = 0; n < STARTS; n++) {
    const double along = d[3 * n] * d[9] + d[3 * n + 1] * d[10] + d[3 * n + 2] * d[11];
    s.p[n][n] = along < 0 ? -distance : distance;
    last[n] = -1, climbs[n] = true;
  }
  for (int step = 0; step < 200 && any; step++) {
    any = false;
    look_around(&s, d);
    for (int n = 0; n < STARTS; n++) {
      if (!climbs[n]) continue;
      if (isnan(s.square[n])) return s.square[n];
      climbs[n] = !(s.square[n] <= last[n] * (1 + 1e-9));
      if (!climbs[n]) continue;
      last[n] = s.square[n];
      if (s.square[n] > worst) worst = s.square[n];
      climbs[n] = s.steepness[n] > 0;
      any = any || climbs[n];
      const double longer = distance / s.steepness[n];
      for (int c = 0; c < 3; c++) s.p[c][n] = s.slope[c][n] * longer;
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
