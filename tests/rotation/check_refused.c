/* Checks that bad arguments return an error and write nothing. */
#include "rotation/checks.h"
#include "rotation/draw.h"
#include "rotation/place.h"

/* Returns true if all bytes are FILL. */
static bool untouched(const void *p, size_t bytes) {
  return *(const unsigned char *)p == FILL && memcmp(p, (const unsigned char *)p + 1, bytes - 1) == 0;
}

#define REFUSED(...)                                                                                         \
  do {                                                                                                       \
    if ((__VA_ARGS__) != QUATSIMD_ERROR_BAD_ARGUMENT)                                                        \
      fail_msg("%s: not refused: %s", f->name, #__VA_ARGS__);                                                \
    if (!untouched(b.out, sizeof b.out))                                                                     \
      fail_msg("%s: wrote, though it refused: %s", f->name, #__VA_ARGS__);                                   \
  } while (0)

/* Strides in bytes that are multiples of 4 and exceed the size of every array. */
static const size_t far_strides[] = {(size_t)PTRDIFF_MAX + 1, (size_t)PTRDIFF_MAX + 17, SIZE_MAX - 15,
                                     SIZE_MAX - 3};
enum { FAR_STRIDES = sizeof far_strides / sizeof far_strides[0] };

static block b;
static const quatsimd_euler_order order = QUATSIMD_INTRINSIC_XYZ;

static void bad_source_is_refused(const function *f, const quatsimd_out *out, quatsimd_in *in, int a) {
  const quatsimd_in good = in[a];
  const int w = widths[f->in[a]];
  float *const x = b.in[a];
  in[a] = quatsimd_aos(NULL);
  REFUSED(f->call(out, in, order, 8));
  in[a] = quatsimd_one(NULL);
  REFUSED(f->call(out, in, order, 8));
  in[a] = quatsimd_strided(NULL, 64);
  REFUSED(f->call(out, in, order, 8));
  for (size_t step = 1; step < 100; step++) {
    if (step % 4 == 0) continue;
    in[a] = quatsimd_strided(x, step);
    REFUSED(f->call(out, in, order, 8));
  }
  for (int null = 0; null < w && w <= 4; null++) {
    in[a] = quatsimd_soa(null == 0 ? NULL : x, null == 1 || w < 2 ? NULL : x + 8,
                         null == 2 || w < 3 ? NULL : x + 16, null == 3 || w < 4 ? NULL : x + 24);
    REFUSED(f->call(out, in, order, 8));
  }
  if (w > 4) in[a] = quatsimd_soa(x, x + 8, x + 16, x + 24);
  if (w > 4) REFUSED(f->call(out, in, order, 8));
  for (size_t k = 0; k < FAR_STRIDES; k++) {
    in[a] = quatsimd_strided(x, far_strides[k]);
    REFUSED(f->call(out, in, order, 1));
  }
  for (unsigned lanes = 0; lanes <= 16; lanes++) {
    in[a] = quatsimd_blocks(lanes == 4 || lanes == 8 ? NULL : x, lanes);
    REFUSED(f->call(out, in, order, 8));
  }
  in[a] = w == 4 ? quatsimd_wxyz(quatsimd_soa(x, x + 8, x + 16, x + 24)) : quatsimd_wxyz(quatsimd_aos(x));
  REFUSED(f->call(out, in, order, 8));
  in[a] = good, in[a].order = (quatsimd_view_order)2;
  REFUSED(f->call(out, in, order, 8));
  in[a] = good, in[a].layout = (quatsimd_view_layout)5;
  REFUSED(f->call(out, in, order, 8));
  in[a] = (quatsimd_in){0};
  REFUSED(f->call(out, in, order, 8));
  in[a] = good;
}

static void bad_target_is_refused(const function *f, quatsimd_out *out, const quatsimd_in *in, int a) {
  const quatsimd_out good = out[a];
  const int w = f->out_width[a];
  float *const x = b.out[a];
  out[a] = quatsimd_aos_out(NULL);
  REFUSED(f->call(out, in, order, 8));
  out[a] = quatsimd_strided_out(NULL, 64);
  REFUSED(f->call(out, in, order, 8));
  for (size_t step = 0; step < 100; step++) {
    if (step % 4 == 0 && step >= sizeof(float) * (size_t)w) continue;
    out[a] = quatsimd_strided_out(x, step);
    REFUSED(f->call(out, in, order, 8));
  }
  for (int null = 0; null < w && w <= 4; null++) {
    out[a] = quatsimd_soa_out(null == 0 ? NULL : x, null == 1 || w < 2 ? NULL : x + 8,
                              null == 2 || w < 3 ? NULL : x + 16, null == 3 || w < 4 ? NULL : x + 24);
    REFUSED(f->call(out, in, order, 8));
  }
  if (w > 4) out[a] = quatsimd_soa_out(x, x + 8, x + 16, x + 24);
  if (w > 4) REFUSED(f->call(out, in, order, 8));
  for (size_t k = 0; k < FAR_STRIDES; k++) {
    out[a] = quatsimd_strided_out(x, far_strides[k]);
    REFUSED(f->call(out, in, order, 1));
  }
  for (unsigned lanes = 0; lanes <= 16; lanes++) {
    out[a] = quatsimd_blocks_out(lanes == 4 || lanes == 8 ? NULL : x, lanes);
    REFUSED(f->call(out, in, order, 8));
  }
  out[a] = quatsimd_wxyz_out(w == 4 ? quatsimd_soa_out(x, x + 8, x + 16, x + 24) : quatsimd_aos_out(x));
  REFUSED(f->call(out, in, order, 8));
  out[a] = (quatsimd_out){0};
  REFUSED(f->call(out, in, order, 8));
  out[a] = good;
}

static void nothing_is_fine(const function *f, quatsimd_out *out, quatsimd_in *in) {
  for (int a = 0; a < f->ins; a++) in[a] = quatsimd_aos(NULL);
  for (int a = 0; a < f->outs; a++) out[a] = quatsimd_aos_out(NULL);
  assert_int_equal(f->call(out, in, order, 0), QUATSIMD_OK);
  for (int a = 0; a < f->ins; a++)
    in[a] = widths[f->in[a]] > 4 ? quatsimd_aos(NULL) : quatsimd_soa(NULL, NULL, NULL, NULL);
  for (int a = 0; a < f->outs; a++)
    out[a] = f->out_width[a] > 4 ? quatsimd_aos_out(NULL) : quatsimd_soa_out(NULL, NULL, NULL, NULL);
  assert_int_equal(f->call(out, in, order, 0), QUATSIMD_OK);
}

void bad_arguments_are_refused(void **state) {
  (void)state;
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 16;
    draw(f, &b, 8, &random, false);
    memset(b.out, FILL, sizeof b.out);
    quatsimd_in in[MOST_IN];
    quatsimd_out out[MOST_OUT];
    for (int a = 0; a < f->ins; a++) in[a] = quatsimd_aos(b.in[a]);
    for (int a = 0; a < f->outs; a++) out[a] = quatsimd_aos_out(b.out[a]);
    for (int a = 0; a < f->ins; a++) bad_source_is_refused(f, out, in, a);
    for (int a = 0; a < f->outs; a++) bad_target_is_refused(f, out, in, a);
    static const int unknown[] = {-1, 24, 25, 32, 255, 256, 1 << 16, INT32_MAX, INT32_MIN};
    for (size_t k = 0; f->ordered && k < sizeof unknown / sizeof unknown[0]; k++)
      REFUSED(f->call(out, in, (quatsimd_euler_order)unknown[k], 8));
    nothing_is_fine(f, out, in);
  }
  assert_true(QUATSIMD_ROLL_PITCH_YAW == QUATSIMD_EXTRINSIC_XYZ && QUATSIMD_EXTRINSIC_ZYZ == 23);
}

void bad_curves_are_refused(void **state) {
  (void)state;
  float q[16], mean[4], weight[4] = {1, 1, 1, 1};
  for (size_t i = 0; i < 16; i++) q[i] = i < 8 ? 1 : -1;
  float before[16];
  memcpy(before, q, sizeof q);
  memset(mean, FILL, sizeof mean);
  static const size_t steps[] = {0, 4, 8, 12, 15, 17, 18};
  for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
    assert_int_equal(quatsimd_make_continuous(quatsimd_strided_out(q, steps[k]), 4),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_make_continuous(quatsimd_aos_out(NULL), 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_make_continuous(quatsimd_soa_out(q, q + 4, NULL, q + 12), 4),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_make_continuous(quatsimd_aos_out(NULL), 0), QUATSIMD_OK);
  assert_memory_equal(q, before, sizeof q);
  const quatsimd_in good = quatsimd_aos(weight), null = quatsimd_aos(NULL), odd = quatsimd_strided(weight, 6);
  assert_int_equal(quatsimd_mean(NULL, quatsimd_aos(q), NULL, 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_mean(mean, quatsimd_aos(NULL), &good, 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_mean(mean, quatsimd_strided(q, 18), &good, 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_mean(mean, quatsimd_aos(q), &null, 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_mean(mean, quatsimd_aos(q), &odd, 4), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_true(untouched(mean, sizeof mean));
}
