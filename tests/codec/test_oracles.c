/* Compares all values of half floats with the compiler's _Float16. Compares words of cube32 and smallest3
 * with their definitions, computed in double. */
#include "quatsimd/codec.h"
#include "support/random.h"

#include <math.h>
#include <stdbool.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { COUNT = 1 << 20 };
static float quats[4 * COUNT];

/* C compilers for x86-64 and AArch64 have _Float16. With -ffp-contract=off, conversions of _Float16 are
 * exactly IEEE's. */
#if defined(__FLT16_MAX__) &&                                                                                \
    !defined(__clang__) /* clang 14 converts _Float16 by a function that Debian's packages lack */
#define HAVE_FLOAT16
__extension__ typedef _Float16 half;
static uint16_t half_bits(float f) {
  const half h = (half)f;
  uint16_t u;
  memcpy(&u, &h, 2);
  return u;
}
static float half_value(uint16_t u) {
  half h;
  memcpy(&h, &u, 2);
  return (float)h;
}
#endif

/* Unpacks every half as each of the four components. Another component is 1, so that the length is valid even
 * if the half is small. */
static void halves_widen(void **state) {
  (void)state;
#ifdef HAVE_FLOAT16
  for (uint32_t u = 0; u < 65536; u++)
    for (int place = 0; place < 4; place++) {
      uint16_t words[4] = {0, 0, 0, 0};
      unsigned char packed[8];
      float got[4];
      words[place] = (uint16_t)u;
      words[(place + 1) % 4] = 0x3c00; /* 1 */
      for (int i = 0; i < 4; i++)
        packed[2 * i] = (unsigned char)words[i], packed[2 * i + 1] = (unsigned char)(words[i] >> 8);
      assert_int_equal(quatsimd_unpack(QUATSIMD_FORMAT_HALF4, quatsimd_aos_out(got), packed, 8, 0, 1),
                       QUATSIMD_OK);
      const float v = half_value((uint16_t)u), r = 1 / sqrtf(v * v + 1);
      float expected[4] = {0, 0, 0, 0};
      if (isfinite(v)) expected[place] = v * r, expected[(place + 1) % 4] = r;
      else expected[3] = 1;
      for (int i = 0; i < 4; i++) assert_true(got[i] == expected[i]);
    }
#else
  print_message("SKIP: this compiler has no _Float16\n");
  skip();
#endif
}

/* Packs quaternions (sin, 0, 0, cos), whose sines have all magnitudes of halves, and random ones. Each
 * component must round as in _Float16. */
static void halves_round(void **state) {
  (void)state;
#ifdef HAVE_FLOAT16
  uint64_t random = 3;
  random_rotations(quats, COUNT, &random);
  for (size_t i = 0; i < COUNT; i += 2) { /* every other one gets a small x, down to the smallest half */
    const double x = ldexp(random_unit(&random), -(int)(i / 2 % 28));
    quats[4 * i] = (float)x, quats[4 * i + 1] = quats[4 * i + 2] = 0,
              quats[4 * i + 3] = (float)sqrt(1 - x * x);
  }
  unsigned char *packed = malloc((size_t)COUNT * 8);
  assert_non_null(packed);
  assert_int_equal(
      quatsimd_pack(QUATSIMD_FORMAT_HALF4, packed, (size_t)COUNT * 8, quatsimd_aos(quats), COUNT),
      QUATSIMD_OK);
  for (size_t i = 0; i < COUNT; i++) {
    const float *q = quats + 4 * i, r = 1 / sqrtf((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    for (size_t c = 0; c < 4; c++)
      assert_int_equal(packed[8 * i + 2 * c] | packed[8 * i + 2 * c + 1] << 8, half_bits(q[c] * r));
  }
  free(packed);
#else
  print_message("SKIP: this compiler has no _Float16\n");
  skip();
#endif
}

/* The parts of a word by its definition, in double. `exact` has the codes before rounding. */
typedef struct word {
  int largest, code[3];
  double exact[3];
} word;

static word in_double(const float *q, int bits /* 0: cube32 */) {
  word w = {.largest = 0};
  double n2 = 0;
  for (int i = 0; i < 4; i++) n2 += (double)q[i] * q[i];
  for (int i = 1; i < 4; i++)
    if (fabsf(q[i]) > fabsf(q[w.largest])) w.largest = i;
  const double m = bits > 0 ? (1 << (bits - 1)) - 1 : 0;
  for (int i = 0, k = 0; i < 4; i++) {
    if (i == w.largest) continue;
    if (bits > 0) {
      w.exact[k] = q[i] / sqrt(n2) * (q[w.largest] < 0 ? -1 : 1) * m * 1.414214;
      w.code[k] = (int)rint(w.exact[k]);
    } else {
      w.exact[k] = 0.5 * ((double)q[i] / q[w.largest] + 1) * 1023 + 0.5;
      w.code[k] = (int)floor(w.exact[k]);
    }
    k++;
  }
  return w;
}

static uint64_t bits_at(const unsigned char *p, size_t bit, int n) {
  uint64_t v = 0;
  for (int i = 0; i < n; i++, bit++) v |= (uint64_t)(p[bit / 8] >> bit % 8 & 1) << i;
  return v;
}

/* A code may differ by 1 if its exact value is within float rounding of a border. `most` is the allowed
 * number of words per million in which a code differs. */
static void compare_words(quatsimd_format format, int bits, double most) {
  const size_t size = quatsimd_packed_size(format, COUNT);
  const int width = bits > 0 ? bits : 10, n = 2 + 3 * width;
  unsigned char *packed = malloc(size);
  assert_non_null(packed);
  assert_int_equal(quatsimd_pack(format, packed, size, quatsimd_aos(quats), COUNT), QUATSIMD_OK);
  size_t different = 0;
  for (size_t i = 0; i < COUNT; i++) {
    const word w = in_double(quats + 4 * i, bits);
    assert_int_equal(bits_at(packed, i * (size_t)n + 3 * (size_t)width, 2), w.largest);
    bool same = true;
    for (int k = 0; k < 3; k++) {
      int code = (int)bits_at(packed, i * (size_t)n + (size_t)((2 - k) * width), width);
      if (bits > 0 && code >> (width - 1)) code -= 1 << width;
      if (code == w.code[k]) continue;
      same = false;
      assert_true(abs(code - w.code[k]) == 1);
      const double fraction = w.exact[k] - floor(w.exact[k]), border = bits > 0         ? 0.5
                                                                       : fraction < 0.5 ? 0
                                                                                        : 1;
      assert_true(fabs(fraction - border) <= 7.5 * 0x1p-24 * (bits > 0 ? ldexp(1, bits - 1) : 512));
    }
    different += !same;
  }
  free(packed);
  const double share = 1e6 * (double)different / COUNT;
  print_message("%-12s %8.1f words per million differ from double precision\n",
                quatsimd_get_format_info(format)->name, share);
  assert_true(share <= most);
}

static void words_match_double(void **state) {
  (void)state;
  /* words per million in which a code differs, for smallest3 with 4 to 20 bits, by model.py --share */
  static const double measured[] = {0,   1,   1,    4,    5,    17,    45,    72,   211,
                                    298, 559, 1053, 2045, 4141, 11612, 18441, 52083};
  uint64_t random = 4;
  random_rotations(quats, COUNT, &random);
  compare_words(QUATSIMD_FORMAT_CUBE32, 0, 100);
  for (int bits = 4; bits <= 20; bits++)
    compare_words(QUATSIMD_FORMAT_SMALLEST3(bits), bits, 1.1 * measured[bits - 4] + 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(halves_widen), cmocka_unit_test(halves_round),
                                     cmocka_unit_test(words_match_double)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
