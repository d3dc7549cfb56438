/* Tests status.h and version.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "quatsimd/status.h"

enum { FIRST = QUATSIMD_ERROR_RESTARTED, LAST = QUATSIMD_WARNING_SATURATED };
static const char *text_of(int status) { return quatsimd_status_string((quatsimd_status)status); }

static void each_status_has_a_text(void **state) {
  (void)state;
  for (int status = FIRST; status <= LAST; status++) {
    assert_non_null(text_of(status));
    assert_true(strlen(text_of(status)) > 0);
    for (int other = FIRST - 100; other <= LAST + 100; other++)
      if (other != status) assert_string_not_equal(text_of(other), text_of(status));
  }
  assert_string_equal(text_of(LAST + 1), text_of(FIRST - 1));
}

static void errors_alone_have_failed(void **state) {
  (void)state;
  assert_int_equal(QUATSIMD_OK, 0);
  assert_true(QUATSIMD_WARNING_REPLACED_INVALID > 0 && QUATSIMD_ERROR_BAD_FORMAT < 0);
  for (int status = FIRST; status <= LAST; status++) {
    assert_int_equal(quatsimd_failed((quatsimd_status)status), status < 0);
    assert_int_equal(quatsimd_status_failed((quatsimd_status)status), status < 0);
  }
}

static void the_version_is_that_of_the_header(void **state) {
  (void)state;
  char version[64];
  snprintf(version, sizeof version, "%d.%d.%d", QUATSIMD_VERSION_MAJOR, QUATSIMD_VERSION_MINOR,
           QUATSIMD_VERSION_PATCH);
  assert_string_equal(version, QUATSIMD_VERSION_STRING);
  assert_string_equal(quatsimd_version(), QUATSIMD_VERSION_STRING);
  assert_int_equal(quatsimd_version_number(), QUATSIMD_VERSION);
  snprintf(version, sizeof version, "%d.%d.%d", QUATSIMD_VERSION / 10000, QUATSIMD_VERSION / 100 % 100,
           QUATSIMD_VERSION % 100);
  assert_string_equal(version, QUATSIMD_VERSION_STRING);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_status_has_a_text),
                                     cmocka_unit_test(errors_alone_have_failed),
                                     cmocka_unit_test(the_version_is_that_of_the_header)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
