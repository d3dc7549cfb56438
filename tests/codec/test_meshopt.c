/* Compares the encoder and the decoder of meshopt:K with those of meshoptimizer. */
#include <quatsimd/codec.h>

#include "support/random.h"

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include <meshoptimizer.h>

enum { RANDOM = 1 << 18, SPECIAL = 8 * 8 * 8 * 8, COUNT = RANDOM + SPECIAL };
static float q[4 * COUNT], back[4 * COUNT];
static unsigned char packed[8 * COUNT], shorts[8 * COUNT];
static int16_t ours[4 * COUNT], theirs[4 * COUNT], decoded[4 * COUNT];

/* Makes random rotations, and normalised quaternions of all combinations of the components in `of`. */
static void make_rotations(void) {
  static const double of[8] = {-3, -2, -1, -0.0, 0, 1, 2, 3};
  uint64_t random = 18;
  random_rotations(q, RANDOM, &random);
  for (int n = 0; n < SPECIAL; n++) {
    const double v[4] = {of[n & 7], of[n >> 3 & 7], of[n >> 6 & 7], of[n >> 9]};
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    for (int c = 0; c < 4; c++) q[4 * (RANDOM + n) + c] = (float)(length > 0 ? v[c] / length : c == 3);
  }
}

/* Converts little-endian words to shorts in the machine's order, which meshoptimizer takes. */
static void shorts_of_bytes(int16_t *to, const unsigned char *from) {
  for (size_t i = 0; i < 4 * (size_t)COUNT; i++) {
    const uint16_t u = (uint16_t)(from[2 * i] | from[2 * i + 1] << 8);
    memcpy(to + i, &u, 2);
  }
}

static void bytes_of_shorts(unsigned char *to, const int16_t *from) {
  for (size_t i = 0; i < 4 * (size_t)COUNT; i++)
    to[2 * i] = (unsigned char)from[i], to[2 * i + 1] = (unsigned char)((uint16_t)from[i] >> 8);
}

static void as_meshoptimizer(void **state) {
  const int bits = *(const int *)*state;
  const quatsimd_format format = QUATSIMD_FORMAT_MESHOPT(bits);
  assert_int_equal(quatsimd_packed_size(format, COUNT), sizeof packed);

  /* a component near the border of two codes may get either code, because lengths are not exactly 1 */
  assert_int_equal(quatsimd_pack(format, packed, sizeof packed, quatsimd_aos(q), COUNT), QUATSIMD_OK);
  shorts_of_bytes(ours, packed);
  meshopt_encodeFilterQuat(theirs, COUNT, 8, bits, q);
  size_t different = 0, different_special = 0;
  for (size_t i = 0; i < COUNT; i++) {
    for (size_t c = 4 * i; c < 4 * i + 3; c++) assert_in_range(ours[c] - theirs[c] + 1, 0, 2);
    assert_int_equal(ours[4 * i + 3], theirs[4 * i + 3]);
    if (memcmp(ours + 4 * i, theirs + 4 * i, 8) != 0) different++, different_special += i >= RANDOM;
  }

  /* Compares both decoders on our words. Both decode to shorts. */
  memcpy(decoded, ours, sizeof decoded);
  meshopt_decodeFilterQuat(decoded, COUNT, 8);
  assert_int_equal(quatsimd_meshopt_to_snorm16x4(shorts, sizeof shorts, packed, sizeof packed, COUNT),
                   QUATSIMD_OK);
  shorts_of_bytes(ours, shorts);
  size_t off_by_one = 0;
  for (size_t i = 0; i < 4 * (size_t)COUNT; i++) {
    assert_in_range(ours[i] - decoded[i] + 1, 0, 2);
    off_by_one += ours[i] != decoded[i];
  }

  /* Compares both decoders on meshoptimizer's words. Our decoder is quatsimd_unpack, which gives floats. */
  bytes_of_shorts(packed, theirs);
  assert_int_equal(quatsimd_unpack(format, quatsimd_aos_out(back), packed, sizeof packed, 0, COUNT),
                   QUATSIMD_OK);
  meshopt_decodeFilterQuat(theirs, COUNT, 8);
  double worst = 0;
  for (size_t i = 0; i < 4 * (size_t)COUNT; i++) {
    const double off = fabs(32767.0 * (double)back[i] - theirs[i]);
    assert_true(off <= 1.01);
    worst = fmax(worst, off);
  }

  print_message("%s: %zu of %d words differ from meshoptimizer's, %.4f %%, %zu of them of the %d special "
                "ones; of the decoded shorts %zu; "
                "its shorts are within %.4f units of our floats\n",
                quatsimd_get_format_info(format)->name, different, COUNT, 100.0 * (double)different / COUNT,
                different_special, SPECIAL, off_by_one, worst);
  assert_true((double)different <= 0.003 * COUNT);
}

int main(void) {
  enum { FIRST = 4, LAST = 16 };
  static int bits[LAST - FIRST + 1];
  static struct CMUnitTest tests[LAST - FIRST + 1];
  make_rotations();
  for (int i = 0; i <= LAST - FIRST; i++) {
    bits[i] = FIRST + i;
    tests[i] = (struct CMUnitTest){quatsimd_get_format_info(QUATSIMD_FORMAT_MESHOPT(bits[i]))->name,
                                   as_meshoptimizer, NULL, NULL, &bits[i]};
  }
  return _cmocka_run_group_tests("meshopt", tests, LAST - FIRST + 1, NULL, NULL);
}
