/* Compares the worst and the mean error of every format with formats.def. The search for the worst error
 * draws random rotations and climbs from the worst of them. The error found must not exceed the worst error
 * of the table, nor be more than 1 % lower (10 % for errors below 0.001 degrees). The mean error may differ
 * by 1 %. */
#include "support/kernels.h"
#include "support/random.h"

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { RANDOM = 1 << 21, STRUCTURED = 1 << 19, CLIMBERS = 48, TRIES = 64, PATIENCE = 24 };
#define DEGREES 57.29577951308232

static float quats[4 * RANDOM], unpacked[4 * RANDOM];
static unsigned char packed[16 * RANDOM];

/* Returns the angle between the rotations of two quaternions of any length. The chord makes the result
 * accurate for small angles. */
static double rotation_angle(const float *a, const float *b) {
  double na = 0, nb = 0, dot = 0, chord2 = 0;
  for (int i = 0; i < 4; i++)
    na += (double)a[i] * a[i], nb += (double)b[i] * b[i], dot += (double)a[i] * b[i];
  na = sqrt(na), nb = copysign(sqrt(nb), dot);
  for (int i = 0; i < 4; i++) chord2 += (a[i] / na - b[i] / nb) * (a[i] / na - b[i] / nb);
  return 4 * asin(fmin(1, sqrt(chord2) / 2));
}

static void round_trip(quatsimd_format format, const float *in, size_t count) {
  const size_t size = quatsimd_packed_size(format, count);
  assert_int_equal(quatsimd_pack(format, packed, size, quatsimd_aos(in), count), QUATSIMD_OK);
  assert_int_equal(quatsimd_unpack(format, quatsimd_aos_out(unpacked), packed, size, 0, count), QUATSIMD_OK);
}

/* Climbs from a bad rotation to the worst one near it. Each round tries TRIES random moves and continues from
 * the worst rotation found. Stops after PATIENCE rounds without a clearly worse rotation. */
static double climb(quatsimd_format format, const float *start, double worst, uint64_t *random) {
  float best[4], tries[4 * TRIES];
  memcpy(best, start, sizeof best);
  const double cell = 2 * worst;
  for (int idle = 0; idle < PATIENCE; idle++) {
    for (int t = 0; t < TRIES; t++) {
      const double step = cell * pow(1e-8 / cell, random_unit(random));
      for (int c = 0; c < 4; c++)
        tries[4 * t + c] = best[c] == 0 && t % 2 ? 0 : (float)(best[c] + step * random_gauss(random));
    }
    round_trip(format, tries, TRIES);
    for (int t = 0; t < TRIES; t++) {
      const double e = rotation_angle(tries + 4 * t, unpacked + 4 * t);
      if (e > worst)
        idle = e > worst * 1.0001 ? 0 : idle, worst = e, memcpy(best, tries + 4 * t, sizeof best);
    }
  }
  return worst;
}

/* Three quarters of the rotations are within a few cells of ties, chart borders, corners or axes. The others
 * are random, with one or two components of exactly 0. */
static void structured_rotations(float *xyzw, size_t count, double cell, uint64_t *random) {
  for (size_t i = 0; i < count; i++) {
    const uint64_t u = sweep_next(random);
    const double move = cell * (double)(1 + (u >> 8) % 16);
    for (int c = 0; c < 4; c++) {
      const double corner = u >> c & 1 ? (u >> (4 + c) & 1 ? 1 : -1) : 0;
      xyzw[4 * i + (size_t)c] = (float)(corner + move * random_gauss(random));
    }
    if ((u & 15) == 0) xyzw[4 * i + 3] = 1;
    if (i % 4 != 0) continue;
    for (size_t c = 0; c < 4; c++) xyzw[4 * i + c] = (float)random_gauss(random);
    xyzw[4 * i + (u >> 16 & 3)] = xyzw[4 * i + (u >> 18 & 3)] = 0;
  }
}

/* Climbs from the CLIMBERS worst rotations in `quats`. Returns the worst error found. *sum becomes the sum of
 * the errors of all rotations. `unpacked` must hold their round trips. */
static double worst_near(quatsimd_format format, size_t count, double *sum, uint64_t *random) {
  double bad[CLIMBERS] = {0}, worst = 0;
  size_t bad_index[CLIMBERS] = {0};
  *sum = 0;
  for (size_t i = 0; i < count; i++) {
    const double e = rotation_angle(quats + 4 * i, unpacked + 4 * i);
    *sum += e;
    if (e <= bad[0]) continue;
    size_t slot = 0; /* bad[] is in ascending order */
    for (; slot + 1 < CLIMBERS && bad[slot + 1] < e; slot++)
      bad[slot] = bad[slot + 1], bad_index[slot] = bad_index[slot + 1];
    bad[slot] = e, bad_index[slot] = i;
  }
  for (int c = 0; c < CLIMBERS; c++)
    if (bad[c] > 0) worst = fmax(worst, climb(format, quats + 4 * bad_index[c], bad[c], random));
  return worst;
}

static void errors_are_as_listed(void **state) {
  (void)state;
  quatsimd_format format;
  unsigned wrong = 0;
  for (size_t f = 0; quatsimd_format_at(&format, f) == QUATSIMD_OK; f++) {
    const quatsimd_format_info *info = quatsimd_get_format_info(format);
    uint64_t random = 1;
    double sum, ignored;
    random_rotations(quats, RANDOM, &random);
    round_trip(format, quats, RANDOM);
    double worst = worst_near(format, RANDOM, &sum, &random);
    const double mean = sum / RANDOM;
    structured_rotations(quats, STRUCTURED, mean, &random);
    round_trip(format, quats, STRUCTURED);
    worst = fmax(worst, worst_near(format, STRUCTURED, &ignored, &random));
    /* where the last bits of floats matter, the search gets less close to the worst case */
    const double slack = info->worst_error * DEGREES < 1e-3 ? 0.1 : 0.01;
    const bool good = worst <= 1.001 * info->worst_error && worst >= (1 - slack) * info->worst_error &&
                      fabs(mean - info->mean_error) <= 0.01 * info->mean_error;
    print_message("%-13s worst %.4g, mean %.4g degrees; listed %.4g, %.4g%s\n", info->name, worst * DEGREES,
                  mean * DEGREES, info->worst_error * DEGREES, info->mean_error * DEGREES,
                  good ? "" : "   WRONG");
    wrong += !good;
  }
  assert_int_equal(wrong, 0);
}

/* Compares the worst error of cube32 with its published bound. */
static void cube32_stays_above_published_dot(void **state) {
  (void)state;
  uint64_t random = 2;
  double worst = 0;
  for (int round = 0; round < 48; round++) { /* 1e8 rotations */
    random_rotations(quats, RANDOM, &random);
    round_trip(QUATSIMD_FORMAT_CUBE32, quats, RANDOM);
    for (size_t i = 0; i < RANDOM; i++) worst = fmax(worst, rotation_angle(quats + 4 * i, unpacked + 4 * i));
  }
  const double dot = cos(worst / 2);
  print_message("cube32: smallest dot product of 1e8 random rotations %.9f\n", dot);
  assert_true(dot > 0.999993);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(errors_are_as_listed),
                                     cmocka_unit_test(cube32_stays_above_published_dot)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
