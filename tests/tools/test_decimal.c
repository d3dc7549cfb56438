/* Checks that decimal_read gives the same bits as strtod, or leaves the number to strtod, and that bounds in
 * the command's options are rounded down to float. */
#include "base/decimal.h"
#include "base/quantity.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <float.h>
#include <stdbool.h>
#include <cmocka.h>

static char *append_digits(char *s, uint64_t *random, int most) {
  for (int n = (int)(random_unit(random) * (most + 1)); n > 0; n--)
    *s++ = (char)('0' + (int)(random_unit(random) * 10));
  return s;
}

/* Compares decimal_read with strtod. Returns true if decimal_read read the number. */
static bool expect_same(char *text) {
  char *end, *mine;
  double value = -1;
  const double wanted = strtod(text, &end);
  mine = decimal_read(text, &value);
  if (!mine) return false;
  if (mine != end || memcmp(&value, &wanted, sizeof value) != 0)
    fail_msg("\"%s\" is %.17g, not %.17g, and ends at \"%s\"", text, wanted, value, mine);
  return true;
}

static void random_numbers_are_strtods(void **state) {
  uint64_t random = 1;
  size_t read = 0, few = 0, few_read = 0;
  (void)state;
  for (int i = 0; i < 1000000; i++) {
    char text[80], *s = text;
    if (random_unit(&random) < 0.5) *s++ = random_unit(&random) < 0.7 ? '-' : '+';
    char *const first = s;
    s = append_digits(s, &random, i % 3 ? 4 : 20);
    const bool is_point = random_unit(&random) < 0.8, is_power = random_unit(&random) < 0.4;
    if (is_point) *s++ = '.', s = append_digits(s, &random, i % 3 ? 9 : 20);
    const bool is_few = s - first - is_point > 0 && s - first - is_point <= 15 && !is_power;
    if (is_power) s += sprintf(s, "%c%.0f", i % 2 ? 'e' : 'E', 60 * random_unit(&random) - 30);
    *s = '\0';
    const bool is_read = expect_same(text);
    read += is_read, few += is_few, few_read += is_few && is_read;
  }
  assert_true(read > 400000 && read < 900000);
#if FLT_EVAL_METHOD == 0
  assert_int_equal(few_read, few);
#endif
}

/* `length` is that of the number at the start of `text`, or 0 if the number is left to strtod. */
static void edges(void **state) {
  static const struct {
    const char *text;
    int length;
  } of[] = {{"", 0},
            {"-", 0},
            {".", 0},
            {"+.e1", 0},
            {"0", 1},
            {"-0", 2},
            {"1.", 2},
            {".5", 2},
            {"1e5", 3},
            {"1e", 0},
            {"1e+", 0},
            {"1e22", 4},
            {"1e23", 0},
            {"1e-22", 5},
            {"1e0022", 0},
            {"1e022", 5},
            {"nan", 0},
            {"inf", 0},
            {"0x10", 1},
            {"1 2", 1},
            {"1,5", 1},
            {"--1", 0},
            {"1-", 1},
            {"1..2", 2},
            {"999999999999999", 15},
            {"1000000000000000", 0},
            {"9.99999999999999e22", 19},
            {"123456789012345e22", 18},
            {"0.000000000000001", 0},
            {"1e99999999999999999999", 0}};
  (void)state;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    char text[40];
    double value = 7;
    strcpy(text, of[i].text);
    const char *end = decimal_read(text, &value);
    assert_int_equal(end ? (int)(end - text) : 0, of[i].length);
    if (end && strcmp(of[i].text, "0x10") != 0) expect_same(text);
    if (!end) assert_true(value == 7);
  }
}

static void bounds_are_rounded_down(void **state) {
  size_t up = 0;
  (void)state;
  for (int i = 1; i < 1000; i++) {
    const double x = 0.001 * i;
    const float bound = quantity_bound(x);
    assert_true((double)bound <= x && (double)nextafterf(bound, INFINITY) > x);
    up += (double)(float)x > x;
  }
  assert_true(up > 300); /* for many bounds the nearest float is larger than the bound */
  assert_true(quantity_bound(0.5) == 0.5f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_numbers_are_strtods), cmocka_unit_test(edges),
                                     cmocka_unit_test(bounds_are_rounded_down)};
  return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
