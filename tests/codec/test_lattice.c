/* Tests the lattice formats. The lattice is computed in double from its definition in docs/codec.md. */
#include "support/kernels.h"
#include "support/random.h"

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

#define DEGREES 57.29577951308232
static const double warp = 0.269;

typedef struct lattice_format {
  quatsimd_format format;
  int h;
  double worst; /* largest distance of a rotation from the nearest point, in degrees */
  int tried;    /* number of random rotations */
} lattice_format;
static const lattice_format formats[] = {
    {QUATSIMD_FORMAT_LATTICE24, 63, 0.7553, 200000},
    {QUATSIMD_FORMAT_LATTICE32, 405, 0.1175, 1000000},
    {QUATSIMD_FORMAT_LATTICE48, 16383, 0.00291, 200000},
    /* rounding of floats matters in this format, so the encoder may miss the nearest point */
    {QUATSIMD_FORMAT_LATTICE64, 524287, 0.000107, 0}};

enum { FORMATS = sizeof formats / sizeof formats[0] };

static double warped(double u) { return u * ((1 - warp) + warp * u * u); }

static double unwarped(double x) {
  double u = x;
  for (int i = 0; i < 8; i++) u -= (warped(u) - x) / ((1 - warp) + 3 * warp * u * u);
  return u;
}

/* Returns the squared sine of half the angle between the rotations of two unit quaternions. */
static double distance2(const double a[4], const double b[4]) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    for (int j = i + 1; j < 4; j++) {
      const double m = a[i] * (b[j] - a[j]) - a[j] * (b[i] - a[i]);
      sum += m * m;
    }
  return sum;
}

/* Returns distance2 of q and the nearest point in the chart of L, from -reach to reach on each axis. */
static double nearest_in_chart(int h, double reach, const double q[4], int L) {
  /* components of points around q, by axis, parity and step; step 1 gives the point nearest to q */
  double table[3][2][3], best = 1;
  for (int axis = 0, i = 0; i < 4; i++) {
    if (i == L) continue;
    const double g = unwarped(fmax(-1.001, fmin(1.001, q[i] / q[L]))) * h;
    for (int s = 0; s < 2; s++)
      for (int step = 0; step < 3; step++) {
        const double point = floor(g - 0.5 * s + 0.5) + 0.5 * s + step - 1;
        table[axis][s][step] = fabs(point) <= reach ? warped(point / h) : NAN;
      }
    axis++;
  }
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 27; k++) {
      const double v[3] = {table[0][s][k % 3], table[1][s][k / 3 % 3], table[2][s][k / 9]};
      const double r = 1 / sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + 1);
      double p[4];
      for (int i = 0, axis = 0; i < 4; i++) p[i] = i == L ? r : v[axis++] * r;
      if (q[L] < 0)
        for (int i = 0; i < 4; i++) p[i] = -p[i];
      const double d = distance2(q, p);
      if (d < best) best = d; /* false for NaN: p is beyond the end of the chart */
    }
  return best;
}

static double degrees_of(double distance2) { return 2 * asin(sqrt(distance2)) * DEGREES; }

static void the_nearest_point_is_found(void **state) {
  const lattice_format *f = *state;
  const size_t count = (size_t)f->tried, size = quatsimd_packed_size(f->format, count);
  float *q = malloc(16 * count), *back = malloc(16 * count);
  unsigned char *packed = malloc(size);
  assert_true(q && back && packed);
  uint64_t random = 7;
  random_rotations(q, count, &random);
  assert_int_equal(quatsimd_pack(f->format, packed, size, quatsimd_aos(q), count), QUATSIMD_OK);
  assert_int_equal(quatsimd_unpack(f->format, quatsimd_aos_out(back), packed, size, 0, count), QUATSIMD_OK);
  double worst = 0, worst_nearest = 0;
  size_t missed = 0, missed_all = 0;
  for (size_t i = 0; i < count; i++) {
    double a[4], b[4], na = 0, nb = 0, dot = 0;
    for (int c = 0; c < 4; c++)
      a[c] = q[4 * i + (size_t)c], b[c] = back[4 * i + (size_t)c], na += a[c] * a[c], nb += b[c] * b[c],
      dot += a[c] * b[c];
    for (int c = 0; c < 4; c++) a[c] /= sqrt(na), b[c] /= copysign(sqrt(nb), dot);
    int L = 0;
    for (int c = 1; c < 4; c++)
      if (fabs(a[c]) > fabs(a[L])) L = c;
    /* The encoder uses points up to half a quantum beyond the border of a chart only in the chart of L.
     * best_of_all also has such points of other charts. */
    double best = nearest_in_chart(f->h, f->h + 0.5, a, L), best_of_all = best;
    for (int c = 0; c < 4; c++) {
      if (c == L || fabs(a[c]) < fabs(a[L]) * (1 - 4.0 / f->h)) continue;
      best = fmin(best, nearest_in_chart(f->h, f->h, a, c));
      best_of_all = fmin(best_of_all, nearest_in_chart(f->h, f->h + 0.5, a, c));
    }
    const double mine = degrees_of(distance2(a, b)), nearest = degrees_of(best);
    worst = fmax(worst, mine), worst_nearest = fmax(worst_nearest, nearest);
    missed += mine > nearest + 0.01 * f->worst;
    missed_all += mine > degrees_of(best_of_all) + 0.01 * f->worst;
  }
  print_message("%s: of %zu random rotations %zu are not within 1 %% of the nearest point, %zu if points "
                "behind the borders of other "
                "charts count; worst %.6f, the nearest points' %.6f degrees\n",
                quatsimd_get_format_info(f->format)->name, count, missed, missed_all, worst, worst_nearest);
  assert_true(missed * 1000 < count);
  assert_true(worst <= 1.01 * worst_nearest);
  free(packed), free(back), free(q);
}

static int32_t ulps(float a, float b) { /* a and b have the same sign, or are zero */
  int32_t i, j;
  a = fabsf(a), b = fabsf(b);
  memcpy(&i, &a, 4), memcpy(&j, &b, 4);
  return abs(i - j);
}

/* The identity and half turns about the axes survive packing exactly. In the other 20 rotations of the cube,
 * components may change by a unit in the last place. */
static void turns_survive(void **state) {
  (void)state;
  static const quatsimd_format all[] = {QUATSIMD_FORMAT_LATTICE24, QUATSIMD_FORMAT_LATTICE32,
                                        QUATSIMD_FORMAT_LATTICE48, QUATSIMD_FORMAT_LATTICE64};
  unsigned tried = 0;
  for (int n = 0; n < 81; n++) {
    const float q[4] = {(float)(n % 3 - 1), (float)(n / 3 % 3 - 1), (float)(n / 9 % 3 - 1),
                        (float)(n / 27 - 1)};
    const int length2 = (int)(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    /* squared length 3 belongs to rotations about diagonals that are not rotations of the cube */
    if (length2 == 0 || length2 == 3) continue;
    const float unit = length2 == 1 ? 1 : length2 == 2 ? 0.70710678f : 0.5f;
    for (int f = 0; f < 4; f++) {
      unsigned char packed[8];
      float back[4];
      assert_int_equal(quatsimd_pack(all[f], packed, sizeof packed, quatsimd_aos(q), 1), QUATSIMD_OK);
      assert_int_equal(quatsimd_unpack(all[f], quatsimd_aos_out(back), packed, sizeof packed, 0, 1),
                       QUATSIMD_OK);
      for (int c = 0; c < 4; c++) assert_true(ulps(back[c], q[c] * unit) <= (length2 == 1 ? 0 : 1));
      tried++;
    }
  }
  assert_int_equal(tried, 4 * 2 * (4 + 12 + 8)); /* each quaternion with both signs */
}

/* At the border of a chart an index has an extreme value. If the index carried into the next field, the
 * rotation would be far off. */
static void borders_stay_in_their_fields(void **state) {
  (void)state;
  enum { COUNT = 1 << 20 };
  static float q[4 * COUNT], back[4 * COUNT];
  static unsigned char packed[8 * COUNT];
  uint64_t random = 3;
  for (size_t f = 0; f < FORMATS; f++) {
    for (size_t i = 0; i < COUNT; i++) {
      const uint64_t u = sweep_next(&random);
      for (int c = 0; c < 4; c++)
        q[4 * i + (size_t)c] =
            (float)(u >> c & 1 ? (u >> (4 + c) & 1 ? 1 : -1) *
                                     (1 + (u >> 8 & 3) * 0.25 / formats[f].h * random_gauss(&random))
                               : random_unit(&random) * 2 - 1);
    }
    assert_int_equal(quatsimd_pack(formats[f].format, packed, sizeof packed, quatsimd_aos(q), COUNT),
                     QUATSIMD_OK);
    assert_int_equal(
        quatsimd_unpack(formats[f].format, quatsimd_aos_out(back), packed, sizeof packed, 0, COUNT),
        QUATSIMD_OK);
    for (size_t i = 0; i < COUNT; i++) {
      double n2 = 0, dot = 0;
      for (size_t c = 4 * i; c < 4 * i + 4; c++) n2 += (double)q[c] * q[c], dot += (double)q[c] * back[c];
      double a[4], b[4];
      for (size_t c = 0; c < 4; c++)
        a[c] = q[4 * i + c] / sqrt(n2), b[c] = copysign(1, dot) * back[4 * i + c];
      if (n2 > 0.01) assert_true(degrees_of(distance2(a, b)) < 1.02 * formats[f].worst);
    }
  }
}

int main(void) {
  static struct CMUnitTest tests[5];
  for (int f = 0; f < 3; f++)
    tests[f] = (struct CMUnitTest){quatsimd_get_format_info(formats[f].format)->name,
                                   the_nearest_point_is_found, NULL, NULL, (void *)(uintptr_t)&formats[f]};
  tests[3] = (struct CMUnitTest){"turns survive", turns_survive, NULL, NULL, NULL};
  tests[4] = (struct CMUnitTest){"borders", borders_stay_in_their_fields, NULL, NULL, NULL};
  return _cmocka_run_group_tests("lattice", tests, 5, NULL, NULL);
}
