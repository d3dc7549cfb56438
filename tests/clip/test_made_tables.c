/* Checks that the tables that the player computes at its start are those of basis.def and profiles.def. */
#define QUATSIMD_PLAYER
#define quatsimd_clip_rows made_rows
#define quatsimd_clip_bytes made_bytes
#define quatsimd_clip_offsets made_offsets
#define quatsimd_clip_plans made_plans
#define quatsimd_clip_make_tables make_tables
#include "clip/made_tables.c"
#undef quatsimd_clip_rows
#undef quatsimd_clip_bytes
#undef quatsimd_clip_offsets
#undef quatsimd_clip_plans
#undef quatsimd_clip_make_tables

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

extern const int16_t quatsimd_clip_rows[CLIP_ROWS][CLIP_INNER];
extern const quatsimd_clip_plan quatsimd_clip_plans[CLIP_PROFILES];
extern const uint8_t quatsimd_clip_bytes[CLIP_PROFILES], quatsimd_clip_offsets[CLIP_PROFILES][CLIP_INNER];

static void tables_are_the_same(void **state) {
  (void)state;
  assert_memory_equal(made_rows, quatsimd_clip_rows, sizeof made_rows);
  assert_memory_equal(made_bytes, quatsimd_clip_bytes, sizeof made_bytes);
#ifdef QUATSIMD_HAS_VECTORS
  assert_memory_equal(made_plans, quatsimd_clip_plans, sizeof made_plans);
#endif
  for (int p = 0; p < CLIP_PROFILES; p++)
    for (int k = 0; k < CLIP_INNER; k++) /* a field of width 0 may have any offset */
      if (quatsimd_clip_widths[p][k] > 0) assert_int_equal(made_offsets[p][k], quatsimd_clip_offsets[p][k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_are_the_same)};
  return cmocka_run_group_tests_name("tables made at start", tests, NULL, NULL);
}
