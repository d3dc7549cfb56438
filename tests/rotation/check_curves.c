/* Tests the functions on a whole curve: make_continuous and mean. */
#include "rotation/checks.h"
#include "rotation/draw.h"
#include "rotation/place.h"

#include "quatsimd/codec.h"

static bool is_valid(const float *q) { return quatsimd_find_invalid(quatsimd_aos(q), 1, 0) == 1; }

void curves_become_continuous(void **state) {
  (void)state;
  static float q[4 * MOST];
  for (size_t count = 0; count <= MOST; count++) {
    uint64_t random = 14 + count;
    for (size_t i = 0; i < count; i++) {
      draw_quaternion(q + 4 * i, count % 2 ? VALID : UNIT, i && i % 3 ? q + 4 * (i - 1) : NULL, &random,
                      count % 4 > 1);
      if (count % 3 == 0 && (pick(&random, 5) == 0 || (i < 3 && count % 2))) {
        static const float bad[][4] = {{NAN, 0, 0, 1},
                                       {0, 0, 0, 0},
                                       {-1, INFINITY, 0, 0},
                                       {0x1p-40f, 0, -0x1p-40f, 0},
                                       {0x1p40f, 0, 0, -1}};
        memcpy(q + 4 * i, ONE_OF(bad, &random), 16);
      }
    }
    float first[4 * MOST];
    for (layout l = 0; l < ONE; l++) {
      placed p = place_width(0, l, 4, count, true);
      fill_with(&p, q, count);
      assert_int_equal(quatsimd_make_continuous(target_of(&p), count), QUATSIMD_OK);
      float got[4 * MOST];
      for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 4; c++) got[4 * i + (size_t)c] = *component(&p, i, c);
      if (l == AOS) memcpy(first, got, sizeof first);
      if (memcmp(first, got, 16 * count) != 0 || !holds(&p, got, count, true))
        fail_msg("make_continuous as %s, count %zu", layout_names[l], count);
    }
    const float *last = NULL;
    for (size_t i = 0; i < count; i++) {
      const float *was = q + 4 * i, *is = first + 4 * i;
      bool same = true, opposite = true;
      for (int c = 0; c < 4; c++)
        same = same && bits_of(was[c]) == bits_of(is[c]),
        opposite = opposite && bits_of(was[c]) == (bits_of(is[c]) ^ UINT32_C(0x80000000));
      if (!(same || (opposite && last && is_valid(was))))
        fail_msg("make_continuous: key %zu of %zu", i, count);
      if (!is_valid(was)) continue;
      if (last) {
        real a[4], b[4];
        for (int c = 0; c < 4; c++) a[c] = last[c], b[c] = is[c];
        if (!(ref_dot(a, b, 4) >= -1e-15L * ref_length(a, 4) * ref_length(b, 4)))
          fail_msg("make_continuous: jumps at key %zu of %zu", i, count);
      }
      last = is;
    }
  }
}

double worst_mean(size_t sets, uint64_t *random) {
  enum { LARGEST = 64 };
  real worst = 0;
  for (size_t set = 0; set < sets; set++) {
    float q[4 * LARGEST], weights[LARGEST], got[4], base[4];
    const size_t count = 1 + pick(random, LARGEST);
    const bool weighted = pick(random, 2), hard = pick(random, 2);
    const double spread = ONE_OF(((const double[]){1e-6, 1e-3, 0.1, 0.5, 10}), random);
    const float scale = (float)exp2((double)pick(random, 80) - 40);
    real m[4][4] = {{0}}, exact[4];
    bool left_out = false;
    draw_argument(base, UNIT, NULL, random, true);
    for (size_t i = 0; i < count; i++) {
      double v[4];
      for (int c = 0; c < 4; c++)
        v[c] = (base[c] + spread * random_gauss(random)) * (pick(random, 2) ? 1 : 1);
      round_quaternion(q + 4 * i, v,
                       (pick(random, 2) ? 1 : -1) * (hard ? exp2(60 * random_unit(random) - 30) : 1));
      weights[i] = (float)(random_unit(random) + 0.1) * scale;
      bool counts = true;
      if (hard && pick(random, 8) == 0)
        q[4 * i + pick(random, 4)] = ONE_OF(((const float[]){NAN, INFINITY, -INFINITY, 1e30f}), random),
                               counts = false;
      if (hard && weighted && pick(random, 8) == 0)
        weights[i] = ONE_OF(((const float[]){0, -0.f, -1, NAN, INFINITY}), random), counts = false;
      if (!counts) left_out = true;
      else {
        real r[4];
        for (int c = 0; c < 4; c++) r[c] = q[4 * i + (size_t)c];
        ref_unit(r, r, 4);
        for (int k = 0; k < 4; k++)
          for (int c = 0; c < 4; c++) m[k][c] += (weighted ? (real)weights[i] : 1) * r[k] * r[c];
      }
    }
    const quatsimd_in w = quatsimd_aos(weights);
    assert_int_equal(quatsimd_mean(got, quatsimd_aos(q), weighted ? &w : NULL, count),
                     left_out ? QUATSIMD_WARNING_REPLACED_INVALID : QUATSIMD_OK);
    if (m[0][0] + m[1][1] + m[2][2] + m[3][3] == 0) {
      assert_memory_equal(got, identity, sizeof identity);
      continue;
    }
    const real gap = ref_largest_eigenvector(exact, m);
    const real error = angle_from(got, exact);
    if (!largest_is_positive(got)) fail_msg("mean: its largest component is negative");
    if (gap > 1e-4L) worst = fmaxl(worst, error); /* else the exact mean is not defined */
    else assert_true(isfinite((double)angle_from(got, got[0] != got[0] ? exact : exact)));
  }
  return (double)worst;
}

void the_mean_is_the_mean(void **state) {
  (void)state;
  uint64_t random = 15;
  const double worst = worst_mean(INPUTS / 4, &random);
  print_message("%-17s %9.3g  %-8s  %d%s\n", "mean", worst, "radians", INPUTS / 4,
                worst <= ROTATIONS ? "" : "   WRONG");
  assert_true(worst <= ROTATIONS);

  float q[4 * 8], got[4], weights[8];
  /* quaternions that are equal except for their signs and lengths */
  for (int set = 0; set < 200; set++) {
    draw_argument(q, UNIT, NULL, &random, true);
    for (size_t i = 1; i < 8; i++)
      for (size_t c = 0; c < 4; c++) q[4 * i + c] = (i % 2 ? -1 : 1) * ldexpf(q[c], 7 * (int)i - 30);
    real exact[4];
    for (int c = 0; c < 4; c++) exact[c] = q[c];
    for (size_t count = 1; count <= 8; count++) {
      assert_int_equal(quatsimd_mean(got, quatsimd_aos(q), NULL, count), QUATSIMD_OK);
      assert_true(angle_from(got, exact) <= ROTATIONS);
    }
    assert_int_equal(quatsimd_mean(got, quatsimd_one(q), NULL, 100), QUATSIMD_OK);
    assert_true(angle_from(got, exact) <= ROTATIONS);
  }
  /* One weight exceeds the sum of all others. All layouts give the same bits. */
  random_rotations(q, 8, &random);
  for (int i = 0; i < 8; i++) weights[i] = i == 5 ? 1e9f : 0.1f;
  real exact[4];
  for (int c = 0; c < 4; c++) exact[c] = q[20 + c];
  for (layout l = 0; l < ONE; l++) {
    placed p = place_width(0, l, 4, 8, true), w = place_width(4, allowed(l, 1), 1, 8, true);
    fill_with(&p, q, 8), fill_with(&w, weights, 8);
    const quatsimd_in ws = source_of(&w);
    float again[4];
    assert_int_equal(quatsimd_mean(again, source_of(&p), &ws, 8), QUATSIMD_OK);
    assert_true(angle_from(again, exact) <= ROTATIONS);
    if (l == AOS) memcpy(got, again, sizeof got);
    assert_memory_equal(got, again, sizeof got);
  }
  /* the mean of no quaternions, or of no valid ones, is the identity */
  memset(got, FILL, sizeof got);
  assert_int_equal(quatsimd_mean(got, quatsimd_aos(NULL), NULL, 0), QUATSIMD_OK);
  assert_memory_equal(got, identity, sizeof identity);
  for (size_t i = 0; i < 32; i++) q[i] = i % 4 ? NAN : 1;
  assert_int_equal(quatsimd_mean(got, quatsimd_aos(q), NULL, 8), QUATSIMD_WARNING_REPLACED_INVALID);
  assert_memory_equal(got, identity, sizeof identity);
  /* weights as far apart as floats can be */
  random_rotations(q, 8, &random);
  for (int i = 0; i < 8; i++) weights[i] = i == 3 ? FLT_MAX : FLT_MIN;
  for (int c = 0; c < 4; c++) exact[c] = q[12 + c];
  const quatsimd_in ws = quatsimd_aos(weights);
  assert_int_equal(quatsimd_mean(got, quatsimd_aos(q), &ws, 8), QUATSIMD_OK);
  assert_true(angle_from(got, exact) <= ROTATIONS);
  for (int i = 0; i < 8; i++) weights[i] = FLT_MIN;
  assert_int_equal(quatsimd_mean(got, quatsimd_aos(q), &ws, 1), QUATSIMD_OK);
  for (int c = 0; c < 4; c++) exact[c] = q[c];
  assert_true(angle_from(got, exact) <= ROTATIONS);
}
