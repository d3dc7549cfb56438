/* Tests every kernel with inputs for which one bit of an intermediate result decides the output. Random
 * inputs hardly ever have this property. */
#include "support/hash.h"
#include "support/kernels.h"
#include "support/sweep.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "support/skip.h"

static void store_word(unsigned char *to, uint64_t word, int bytes) {
  for (int i = 0; i < 8 && i < bytes; i++) to[i] = (unsigned char)(word >> 8 * i);
}
static int16_t short_of(const unsigned char *p) {
  const int word = p[0] | p[1] << 8;
  return (int16_t)(word < 32768 ? word : word - 65536);
}

/* The last bits of the polynomial that inverts the warp change only a few lattice64 codes in a million. The
 * expected hash comes from tests/model/model.py. */
static void lattice64_codes(void **state) {
  enum { COUNT = 3000000 };
  const quatsimd_kernels *k = kernels_or_skip(state);
  float *quats = malloc(sizeof(float) * 4 * COUNT);
  unsigned char *codes = malloc((size_t)8 * COUNT);
  assert_true(quats && codes);
  sweep_quaternions(quats, COUNT);
  run_pack(k, QUATSIMD_FORMAT_LATTICE64, codes, quatsimd_structs(quats, 4), COUNT);
  assert_true(XXH64(codes, (size_t)8 * COUNT, 0) == UINT64_C(0x1d24e7868eb42d9e));
  free(quats), free(codes);
}

/* The codes are near an integer plus 0.5, with both signs. 0.5 rounds to 1, and the float below it to 0. */
static void halves_away_from_zero(void **state) {
  enum { NEAR = 4, LENGTHS = 64, INTEGERS = 4, COUNT = 2 * NEAR + 1 };
  const quatsimd_kernels *k = kernels_or_skip(state);
  size_t just_below = 0;
  for (int length = 0; length < LENGTHS; length++)
    for (int integer = 0; integer < INTEGERS; integer++)
      for (int sign = -1; sign <= 1; sign += 2) {
        float quats[4 * COUNT] = {0};
        unsigned char codes[8 * COUNT];
        const float w = 1 - (float)length * 0x1p-10f, factor = 32767 / __builtin_sqrtf(w * w);
        float x = ((float)integer + 0.5f) / factor;
        for (int i = 0; i < NEAR; i++) x = nextafterf(x, 0);
        for (int i = 0; i < COUNT; i++, x = nextafterf(x, 1))
          quats[4 * i] = (float)sign * x, quats[4 * i + 3] = w;
        run_pack(k, QUATSIMD_FORMAT_SNORM16X4, codes, quatsimd_structs(quats, 4), COUNT);
        for (int i = 0; i < COUNT; i++) {
          const float scaled = fabsf(quats[4 * i]) * factor;
          just_below += scaled == 0x1.fffffep-2f;
          assert_true(w * w + quats[4 * i] * quats[4 * i] == w * w); /* x^2 is lost, so the length is w */
          assert_int_equal(short_of(codes + 8 * i), sign * (int)floor((double)scaled + 0.5));
        }
      }
  assert_true(just_below > 0);
}

typedef struct edge {
  quatsimd_format format;
  int fields[3];
  uint64_t word;
  float quantum;
} edge;

/* The squares of the stored components add up to 1 in float, so the component that is not stored is 0. */
static void sum_of_exactly_1(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  const float sqrt_half = 0x1.6a09e6p-1f, limit = 1.0f / 1.414214f;
  const edge edges[] = {
#define SMALLEST3(bits, a, b, c)                                                                             \
  {QUATSIMD_FORMAT_SMALLEST3(bits),                                                                          \
   {a, b, c},                                                                                                \
   (uint64_t)(a) << 2 * (bits) | (uint64_t)(b) << (bits) | (c),                                              \
   1 / ((float)((1 << ((bits)-1)) - 1) / limit)}
      SMALLEST3(15, 16383, 16383, 20),
      SMALLEST3(20, 524287, 524287, 690),
#undef SMALLEST3
      {QUATSIMD_FORMAT_SPZ32, {511, 385, 336}, 511u << 20 | 385u << 10 | 336u, sqrt_half / 511},
      {QUATSIMD_FORMAT_MESHOPT(12),
       {472, 453, 307},
       472 | 453 << 16 | UINT64_C(307) << 32 | UINT64_C(511) << 48,
       sqrt_half / 511},
  };
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
    const edge *e = &edges[i];
    const float v[3] = {(float)e->fields[0] * e->quantum, (float)e->fields[1] * e->quantum,
                        (float)e->fields[2] * e->quantum};
    assert_true((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2] == 1);
    const bool meshopt = e->format == QUATSIMD_FORMAT_MESHOPT(12);
    const float wanted[4] = {meshopt ? v[0] : 0, v[meshopt ? 1 : 0], v[meshopt ? 2 : 1], meshopt ? 0 : v[2]};
    const int bits = (int)quatsimd_get_format_info(e->format)->bits;
    unsigned char packed[8 + 8] = {0};
    float got[4];
    store_word(packed, e->word, (bits + 7) / 8);
    run_unpack(k, e->format, quatsimd_structs(got, 4), packed, 1);
    assert_memory_equal(got, wanted, sizeof wanted);
  }
}

/* The original program of smallest three computes a quantum in floats by two divisions. At these widths the
 * result is not the float nearest to the quantum. The last code of each word is 1. */
static void quanta_of_the_originals(void **state) {
  static const struct {
    int bits;
    float quantum;
  } quanta[] = {{4, 0x1.9dc224p-4f}, {14, 0x1.6a153p-14f}, {18, 0x1.6a0a92p-18f}, {20, 0x1.6a0a0ap-20f}};
  const quatsimd_kernels *k = kernels_or_skip(state);
  for (size_t i = 0; i < sizeof quanta / sizeof *quanta; i++)
    for (int mirage = 0; mirage <= 1; mirage++) {
      const int bits = quanta[i].bits;
      unsigned char packed[8 + 8] = {0};
      float got[4];
      store_word(packed, 1 | (mirage ? UINT64_C(3) << 3 * bits : 0), (3 * bits + 9) / 8);
      run_unpack(k, mirage ? QUATSIMD_FORMAT_MIRAGE(bits) : QUATSIMD_FORMAT_SMALLEST3(bits),
                 quatsimd_structs(got, 4), packed, 1);
      assert_true(got[3] == quanta[i].quantum);
    }
}

/* As in Jolt, negating a component that is 0 gives 0, not -0. */
static void zeros_of_jolt(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  for (int largest = 0; largest < 4; largest++) {
    float q[4] = {0}, got[4];
    unsigned char packed[4 + 4];
    q[largest] = -1;
    run_pack(k, QUATSIMD_FORMAT_JOLT32, packed, quatsimd_structs(q, 4), 1);
    run_unpack(k, QUATSIMD_FORMAT_JOLT32, quatsimd_structs(got, 4), packed, 1);
    assert_memory_equal(got, q, sizeof q);
  }
  /* the squares of x, y and z add up to 1, so the largest component, w, is 0 */
  float got[4];
  unsigned char packed[4 + 4];
  store_word(packed, 1u << 31 | 3u << 29 | (255u + 255) << 18 | (255u + 252) << 9 | (255u + 39), 4);
  run_unpack(k, QUATSIMD_FORMAT_JOLT32, quatsimd_structs(got, 4), packed, 1);
  assert_true(got[0] < 0 && got[3] == 0 && !signbit(got[3]));
}

enum { WORD = 8 };
static void store_meshopt(unsigned char *to, const int *fields) {
  for (int c = 0; c < 4; c++) store_word(to + 2 * c, (uint64_t)fields[c] & 0xffff, 2);
}

/* The shorts are those nearest to the unpacked floats. In each word of this test, the squares of the stored
 * components add up to about 1. Encoders write no such words. */
static void shorts_are_of_the_floats(void **state) {
  enum { COUNT = 1 << 16 };
  static unsigned char words[WORD * COUNT], shorts[WORD * COUNT];
  static float floats[4 * COUNT];
  const quatsimd_kernels *k = kernels_or_skip(state);
  uint64_t random = 19;
  store_meshopt(words, (const int[]){901, 1016, 499, 1021}); /* sum of squares: 1 + 2^-23 */
  for (int i = 1; i < COUNT; i++) {
    const uint64_t u = sweep_next(&random);
    const int scale = 3 + 4 * (int)(u % 5791); /* small enough that all fields are shorts */
    const uint64_t span = 2 * (uint64_t)scale + 1;
    const int a = (int)((u >> 13 & 0xffffff) % span) - scale, b = (int)((u >> 37 & 0xffffff) % span) - scale;
    const double third = sqrt(2.0 * scale * scale - (double)a * a - (double)b * b);
    const int c = (int)(u >> 61 & 1 ? ceil(third) : floor(third));
    store_meshopt(words + (ptrdiff_t)WORD * i,
                  (const int[]){a, b, u >> 62 & 1 ? c : -c, (scale & ~3) | (i & 3)});
  }
  run_unpack(k, QUATSIMD_FORMAT_MESHOPT(12), quatsimd_structs(floats, 4), words, COUNT);
  k->meshopt_to_snorm16x4(shorts, words, COUNT);
  size_t identities = 0, nothing_left = 0;
  for (size_t i = 0; i < (size_t)COUNT; i++) {
    const float *q = floats + 4 * i;
    for (size_t c = 0; c < 4; c++) {
      const double t = (double)(q[c] * 32767);
      assert_int_equal(short_of(shorts + WORD * i + 2 * c), (int)copysign(floor(fabs(t) + 0.5), t));
    }
    identities += q[3] == 1;
    nothing_left += q[i & 3] == 0;
  }
  assert_true(floats[3] == 1 && identities > COUNT / 4 && identities < COUNT * 3 / 4 && nothing_left > 0);
}

int main(void) {
  static const struct {
    const char *name;
    CMUnitTestFunction function;
  } each[] = {
      {"codes of lattice64", lattice64_codes}, {"halves away from zero", halves_away_from_zero},
      {"sum of exactly 1", sum_of_exactly_1},  {"quanta of the originals", quanta_of_the_originals},
      {"zeros of Jolt", zeros_of_jolt},        {"shorts are of the floats", shorts_are_of_the_floats}};
  enum { EACH = sizeof each / sizeof *each };
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = array_kernels(tables);
  static struct CMUnitTest tests[EACH * MAX_KERNELS];
  static char names[EACH * MAX_KERNELS][64];
  for (size_t i = 0; i < EACH * n; i++) {
    const quatsimd_kernels *k = tables[i / EACH];
    snprintf(names[i], sizeof names[i], "%s: %s", k->name, each[i % EACH].name);
    tests[i] = (struct CMUnitTest){names[i], each[i % EACH].function, NULL, NULL, (void *)(uintptr_t)k};
  }
  return _cmocka_run_group_tests("edges", tests, EACH * n, NULL, NULL);
}
