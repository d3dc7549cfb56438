/* Checks that clips stay small. If a sum changes by 1 % or more, record it and say why in the commit. */
#include "fixture.h"

/* Sums of the sizes of the clips of support/clips.h, in bytes. The clip of an hour outweighs all others. */
enum { OF_HOUR = 1056334, OF_OTHERS = 359075 };

static size_t sum_of(bool hour) {
  size_t sum = 0;
  for (size_t i = 0; i < SCENES; i++) {
    if ((strcmp(scenes[i].name, "hour") == 0) != hour) continue;
    fixture f;
    encode(&f, &scenes[i]);
    sum += f.size;
    done(&f);
  }
  return sum;
}

static void is_near(size_t sum, const char *name, size_t recorded) {
  const double change = 100 * ((double)sum / (double)recorded - 1);
  if (fabs(change) >= 1)
    fail_msg("%zu bytes, %+.2f %%: if that is meant, record %s = %zu", sum, change, name, sum);
}

static void the_longest(void **state) {
  (void)state;
  is_near(sum_of(true), "OF_HOUR", OF_HOUR);
}

static void all_others(void **state) {
  (void)state;
  is_near(sum_of(false), "OF_OTHERS", OF_OTHERS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_longest), cmocka_unit_test(all_others)};
  return cmocka_run_group_tests_name("sizes of clips", tests, NULL, NULL);
}
