/* Tables that the player makes when it is loaded. In WebAssembly they would take a third of its bytes. */
#include "clip/layout.h"
#include "clip/profile_fields.h"
#include "core/atomic.h"
#include "core/isas.h"

#ifdef QUATSIMD_PLAYER
int16_t quatsimd_clip_rows[CLIP_ROWS][CLIP_INNER];
uint8_t quatsimd_clip_bytes[CLIP_PROFILES], quatsimd_clip_offsets[CLIP_PROFILES][CLIP_INNER];
#ifdef QUATSIMD_HAS_VECTORS
quatsimd_clip_plan quatsimd_clip_plans[CLIP_PROFILES];
#endif

/* 32767 sin(pi / intervals), for intervals from 2 on. */
static const double first_sine[CLIP_INTERVALS - 1] = {32767.0,
                                                      28377.0544058047,
                                                      23169.767899139602,
                                                      19259.959361867466,
                                                      16383.5,
                                                      14217.068479665028,
                                                      12539.388028306896,
                                                      11206.974036352187,
                                                      10125.559854683903,
                                                      9231.530690023126,
                                                      8480.723650874297,
                                                      7841.656371710405,
                                                      7291.343442946554,
                                                      6812.64237302552,
                                                      6392.524581502475,
                                                      6020.92045029556};

/* Computes 32767 sin(pi i / intervals) by sin(a + b) = 2 cos(b) sin(a) - sin(a - b). Only 16383.5 is near the
 * middle between two integers. As in basis.def, it is rounded down for 30 degrees and up for 150. */
static void make_rows(void) {
  for (int intervals = 2; intervals <= CLIP_INTERVALS; intervals++) {
    const double one = first_sine[intervals - 2], share = one / 32767,
                 twice = 2 * quatsimd_sqrt(1 - share * share);
    double sine[CLIP_INTERVALS] = {0, one};
    for (int i = 2; i < intervals; i++) sine[i] = twice * sine[i - 1] - sine[i - 2];
    for (int frame = 1; frame < intervals; frame++)
      for (int k = 0; k + 1 < intervals; k++) {
        const int i = (k + 1) * frame % (2 * intervals);
        const int entry = (int)(sine[i % intervals] + (i % intervals * 2 < intervals ? 0.4999 : 0.5001));
        quatsimd_clip_rows[(intervals - 1) * (intervals + 2) / 2 + frame][k] =
            (int16_t)(i < intervals ? entry : -entry);
      }
  }
}

/* As tables.c: a field of `width` bits begins at bit `at` of its half's 16 bytes. */
static void plan_field(quatsimd_clip_plan *plan, int k, int width, int at) {
  if (width == 0) {
    plan->shuffle[2 * k] = plan->shuffle[2 * k + 1] = -128;
    return;
  }
  plan->shuffle[2 * k] = (int8_t)(at / 8);
  plan->shuffle[2 * k + 1] = (int8_t)(at % 8 + width <= 8 ? -128 : at / 8 + 1);
  plan->up[k] = (int16_t)(65536 >> (at % 8 + width));
  plan->keep[k] = (int16_t) - (65536 >> width);
  plan->down[k] = (int16_t)(1 << (width - 1));
}

static void make_profiles(void) {
  for (int p = 0; p < CLIP_PROFILES; p++) {
    int offset[CLIP_INNER];
    quatsimd_clip_bytes[p] = (uint8_t)clip_lay_out(quatsimd_clip_widths[p], offset);
    for (int k = 0; k < CLIP_INNER; k++) {
      quatsimd_clip_offsets[p][k] = (uint8_t)offset[k];
#ifdef QUATSIMD_HAS_VECTORS
      plan_field(&quatsimd_clip_plans[p], k, quatsimd_clip_widths[p][k],
                 offset[k] - (k < CLIP_HALF ? 0 : 8 * quatsimd_clip_second[p]));
#endif
    }
  }
}

/* Threads may make the tables at the same time without a lock, because they store the same values. */
void quatsimd_clip_make_tables(void) {
  static shared_flag made;
  if (shared_flag_is_set(&made)) return;
  make_rows(), make_profiles();
  shared_flag_set(&made);
}
QUATSIMD_AT_LOAD(quatsimd_clip_make_tables)
#endif
