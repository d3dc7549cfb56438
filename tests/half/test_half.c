/* Compares half.h with the definition of binary16. test_operations shows that all kernels give the same
 * bits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "quatsimd/half.h"

enum { HALVES = 65536, FIRST_NAN = 0x7c01, INFINITE = 0x7c00 };

/* Returns the value of a half without a sign bit. Infinity gives 65536, so that rounding near the largest
 * half can be computed. */
static float value_of(unsigned half) {
  const int exponent = (int)(half >> 10), fraction = (int)(half & 1023);
  return exponent ? ldexpf((float)(1024 + fraction), exponent - 25) : ldexpf((float)fraction, -24);
}

static void every_half_is_exact(void **state) {
  (void)state;
  static uint16_t all[HALVES], back[HALVES];
  static float floats[HALVES];
  for (unsigned h = 0; h < HALVES; h++) all[h] = (uint16_t)h;
  assert_int_equal(quatsimd_half_to_float(floats, all, HALVES), QUATSIMD_OK);
  assert_int_equal(quatsimd_half_from_float(back, floats, HALVES), QUATSIMD_OK);
  for (unsigned h = 0; h < HALVES; h++) {
    const unsigned magnitude = h & 0x7fff;
    uint32_t bits;
    memcpy(&bits, &floats[h], sizeof bits);
    if (magnitude >= FIRST_NAN) {
      assert_int_equal(bits, 0x7fc00000);
      assert_int_equal(back[h], 0x7e00);
      continue;
    }
    assert_int_equal(bits >> 31, h >> 15);
    assert_true(fabsf(floats[h]) == (magnitude == INFINITE ? INFINITY : value_of(magnitude)));
    assert_int_equal(back[h], h);
  }
}

/* Converts the floats midway between two halves, and the neighbours of these floats. */
static void rounds_to_nearest_even(void **state) {
  (void)state;
  for (unsigned h = 0; h < INFINITE; h++) {
    const float middle = 0.5f * value_of(h) + 0.5f * value_of(h + 1);
    const float floats[] = {middle, -middle, nextafterf(middle, 0), nextafterf(middle, INFINITY)};
    const unsigned even = h + (h & 1);
    uint16_t halves[4];
    assert_int_equal(quatsimd_half_from_float(halves, floats, 4), QUATSIMD_OK);
    assert_int_equal(halves[0], even);
    assert_int_equal(halves[1], even | 0x8000);
    assert_int_equal(halves[2], h);
    assert_int_equal(halves[3], h + 1);
  }
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  const float f = 1;
  const uint16_t half = 0x3c00;
  float out = 2;
  uint16_t out_half = 3;
  assert_int_equal(quatsimd_half_from_float(NULL, &f, 1), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_half_from_float(&out_half, NULL, 1), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_half_to_float(NULL, &half, 1), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_half_to_float(&out, NULL, 1), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_true(out == 2 && out_half == 3);
  assert_int_equal(quatsimd_half_from_float(NULL, NULL, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_half_to_float(NULL, NULL, 0), QUATSIMD_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_half_is_exact),
      cmocka_unit_test(rounds_to_nearest_even),
      cmocka_unit_test(wrong_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
