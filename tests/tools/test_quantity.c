/* Checks that bounds in the command's options are rounded down to float. */
#include "base/quantity.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

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
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_are_rounded_down)};
  return cmocka_run_group_tests_name("quantity", tests, NULL, NULL);
}
