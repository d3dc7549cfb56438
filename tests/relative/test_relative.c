/* Compares the functions of relative.h with the promises of this header, computed in double. CTest runs this
 * program once for each set of kernels.
 *
 *   test_relative            runs the tests
 *   test_relative --only P   runs the tests whose names match P
 *   test_relative --goldens  prints the table `goldens`
 *   test_relative --table    measures the worst errors for docs/relative.md */
#include "fixture.h"
#include "support/denormals.h"
#include "support/isa.h"

static const float angles[] = {1e-3f, 0.17453292f, 0.785398163f, 1.5f, 3.1415925f, 3.14159265f};
enum { ANGLES = sizeof angles / sizeof angles[0] };

enum { COUNT = 3001 };

static void sizes(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    HOLDS(f, 0, quatsimd_relative_packed_size(f->format, 0) == 0);
    HOLDS(f, 0, quatsimd_relative_packed_size(f->format, 7) == 7 * f->bytes);
    HOLDS(f, 0,
          quatsimd_relative_packed_size(f->format, SIZE_MAX / f->bytes) == SIZE_MAX / f->bytes * f->bytes);
    HOLDS(f, 0, quatsimd_relative_packed_size(f->format, SIZE_MAX / f->bytes + 1) == 0);
  }
  assert_int_equal(quatsimd_relative_packed_size((quatsimd_relative_format)0, 5), 0);
  assert_int_equal(quatsimd_relative_packed_size((quatsimd_relative_format)7, 5), 0);
}

static void no_rotation_is_code_0(void **state) {
  (void)state;
  float *base = random_quats(COUNT, 1), *value = filled(16 * COUNT), *back = filled(16 * COUNT);
  /* each value and its base are the same rotation */
  for (size_t i = 0; i < 4 * COUNT; i++) value[i] = i / 4 % 2 ? base[i] : -base[i];
  FOR_EACH_FORMAT(f) for (int a = 0; a < ANGLES; a++) {
    unsigned char *packed = filled(f->bytes * COUNT), *zero = calloc(f->bytes, COUNT),
                  *beyond = filled((COUNT + 7) / 8);
    HOLDS(f, a, pack(f, angles[a], packed, base, value, COUNT, beyond) == QUATSIMD_OK);
    HOLDS(f, a, zero && memcmp(packed, zero, f->bytes * COUNT) == 0);
    for (size_t i = 0; i < (COUNT + 7) / 8; i++) HOLDS(f, i, beyond[i] == 0);
    HOLDS(f, a, unpack(f, angles[a], back, base, packed, COUNT) == QUATSIMD_OK);
    /* each result is its base, normalised */
    for (size_t i = 0; i < 4 * COUNT; i++) HOLDS(f, i, fabsf(back[i] - base[i]) <= 1.2e-7f);
    free(beyond), free(zero), free(packed);
  }
  free(back), free(value), free(base);

  /* the result is exact if the length of base is exactly 1 */
  const float exact[][4] = {
      {0, 0, 0, 1}, {1, 0, 0, 0}, {0.5f, -0.5f, 0.5f, 0.5f}, {0, 0, -1, 0}, {-0.5f, 0.5f, 0.5f, -0.5f}};
  FOR_EACH_FORMAT(f) for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
    unsigned char packed[6];
    float out[4];
    HOLDS(f, i, pack(f, 1, packed, exact[i], exact[i], 1, NULL) == QUATSIMD_OK);
    HOLDS(f, i, unpack(f, 1, out, exact[i], packed, 1) == QUATSIMD_OK);
    for (int c = 0; c < 4; c++) HOLDS(f, i, out[c] == exact[i][c]);
  }
}

static void errors_are_half_a_quantum(void **state) {
  (void)state;
  uint64_t seed = 2;
  float *base = random_quats(COUNT, 3), *value = filled(16 * COUNT), *back = filled(16 * COUNT);
  FOR_EACH_FORMAT(f) for (int a = 0; a < ANGLES; a++) {
    const float largest = angles[a];
    double bound = 0;
    for (int c = 0; c < 3; c++) bound += pow(quantum_of(f, largest, c) / 2, 2);
    /* the rotation's error is at most 1 (rotation vector) or 4 (Cayley vector) times the vector's error */
    bound = sqrt(bound) * (f->exponential ? 1 : 4);
    unsigned char *packed = filled(f->bytes * COUNT), *beyond = filled((COUNT + 7) / 8);
    for (size_t i = 0; i < COUNT; i++) {
      value_within(f, largest, base + 4 * i, value + 4 * i, &seed);
      const float length = i % 3 ? 1 : 1e-3f + 5 * (float)random_unit(&seed); /* pack ignores the length */
      for (int c = 0; c < 4; c++) value[4 * i + c] *= length;
    }
    HOLDS(f, a, pack(f, largest, packed, base, value, COUNT, beyond) == QUATSIMD_OK);
    HOLDS(f, a, unpack(f, largest, back, base, packed, COUNT) == QUATSIMD_OK);
    for (size_t i = 0; i < (COUNT + 7) / 8; i++) HOLDS(f, i, beyond[i] == 0);
    for (size_t i = 0; i < COUNT; i++) {
      HOLDS(f, i, unit(back + 4 * i));
      HOLDS(f, i, within_half_a_quantum(f, largest, base + 4 * i, value + 4 * i, back + 4 * i, 1));
      HOLDS(f, i, angle_of_floats(value + 4 * i, back + 4 * i) <= bound + 3e-7);
    }
    free(beyond), free(packed);
  }
  free(back), free(value), free(base);
}

static void what_is_beyond_is_flagged(void **state) {
  (void)state;
  uint64_t seed = 4;
  float *base = random_quats(COUNT, 5), *value = filled(16 * COUNT), *back = filled(16 * COUNT);
  FOR_EACH_FORMAT(f) for (int a = 0; a < ANGLES; a++) {
    const float largest = angles[a];
    const double range = range_of(f, largest);
    unsigned char *packed = filled(f->bytes * COUNT), *beyond = filled((COUNT + 7) / 8);
    for (size_t i = 0; i < COUNT; i++)
      if (i % 4 == 0) to_floats(value + 4 * i, random_rotation(&seed)); /* any rotation */
      else if (i % 4 == 1) value_within(f, largest, base + 4 * i, value + 4 * i, &seed);
      else
        to_floats(value + 4 * i,
                  product(random_turn(fmin(0.7 * largest, 3), &seed), of_floats(base + 4 * i)));
    const quatsimd_status status = pack(f, largest, packed, base, value, COUNT, beyond);
    HOLDS(f, a, unpack(f, largest, back, base, packed, COUNT) == QUATSIMD_OK);
    size_t outside = 0, near = 0;
    for (size_t i = 0; i < COUNT; i++) {
      const double most = largest_component(f, base + 4 * i, value + 4 * i);
      const bool flagged = beyond[i / 8] >> i % 8 & 1;
      outside += flagged;
      if (fabs(most - range) < 1e-12 + 1e-12 * range) { /* double is too inexact to compare these two */
        near++;
        continue;
      }
      HOLDS(f, i, flagged == (most > range));
      HOLDS(f, i,
            within_half_a_quantum(f, largest, base + 4 * i, value + 4 * i, back + 4 * i,
                                  flagged ? range / most : 1));
    }
    HOLDS(f, a, beyond[COUNT / 8] >> COUNT % 8 == 0); /* the bits after the last element are 0 */
    HOLDS(f, near, near < COUNT / 100);
    HOLDS(f, a, status == (outside ? QUATSIMD_WARNING_SATURATED : QUATSIMD_OK));
    HOLDS(f, a, largest < 3 ? outside > COUNT / 20 : !outside);
    unsigned char *without = filled(f->bytes * COUNT);
    HOLDS(f, a, pack(f, largest, without, base, value, COUNT, NULL) == status);
    HOLDS(f, a, memcmp(packed, without, f->bytes * COUNT) == 0);
    free(without), free(beyond), free(packed);
  }
  free(back), free(value), free(base);
}

static void half_turns(void **state) {
  (void)state;
  uint64_t seed = 6;
  FOR_EACH_FORMAT(f) for (int i = 0; i < 500; i++) {
    float base[4], value[4], back[4];
    unsigned char packed[6];
    quat axis = random_rotation(&seed);
    axis.v[3] = 0;
    if (i < 3) axis = (quat){{i == 0, i == 1, i == 2, 0}};
    to_floats(base, i < 6 ? (quat){{0, 0, 0, 1}} : random_rotation(&seed));
    to_floats(value, product(normalised(axis), of_floats(base)));
    const quatsimd_status status = pack(f, 3.14159265f, packed, base, value, 1, NULL);
    HOLDS(f, i, status == QUATSIMD_OK);
    HOLDS(f, i, unpack(f, 3.14159265f, back, base, packed, 1) == QUATSIMD_OK);
    double bound = 0;
    for (int c = 0; c < 3; c++) bound += pow(quantum_of(f, 3.14159265f, c) / 2, 2);
    HOLDS(f, i, angle_of_floats(value, back) <= sqrt(bound) * (f->exponential ? 1 : 4) + 3e-7);
  }
}

static void invalid_ones_are_no_rotation(void **state) {
  (void)state;
  float *base = random_quats(COUNT, 7), *value = random_quats(COUNT, 8), *back = filled(16 * COUNT);
  for (size_t i = 0; i < COUNT; i++) {
    if (i % 5 == 1) make_invalid(base + 4 * i, i / 5);
    if (i % 7 == 2) make_invalid(value + 4 * i, i / 7);
  }
  FOR_EACH_FORMAT(f) {
    unsigned char *packed = filled(f->bytes * COUNT), *beyond = filled((COUNT + 7) / 8);
    HOLDS(f, 0,
          pack(f, 3.14159265f, packed, base, value, COUNT, beyond) == QUATSIMD_WARNING_REPLACED_INVALID);
    for (size_t i = 0; i < COUNT; i++) {
      const bool invalid = i % 5 == 1 || i % 7 == 2;
      HOLDS(f, i, (beyond[i / 8] >> i % 8 & 1) == invalid);
      for (size_t b = 0; invalid && b < f->bytes; b++) HOLDS(f, i, packed[f->bytes * i + b] == 0);
    }
    /* the status reports invalid quaternions, although most rotations are also beyond the range */
    HOLDS(f, 0, pack(f, 0.1f, packed, base, value, COUNT, beyond) == QUATSIMD_WARNING_REPLACED_INVALID);
    HOLDS(f, 0, unpack(f, 0.1f, back, base, packed, COUNT) == QUATSIMD_OK);
    HOLDS(f, 0, all_unit(back, COUNT));
    /* an invalid base counts as the identity */
    float *identity = filled(16 * COUNT), *expected = filled(16 * COUNT);
    for (size_t i = 0; i < 4 * COUNT; i++) identity[i] = i / 4 % 5 == 1 ? (float)(i % 4 == 3) : base[i];
    unsigned char *bytes = random_bytes(f->bytes * COUNT, 9);
    HOLDS(f, 0, unpack(f, 1, back, base, bytes, COUNT) == QUATSIMD_OK);
    HOLDS(f, 0, unpack(f, 1, expected, identity, bytes, COUNT) == QUATSIMD_OK);
    HOLDS(f, 0, memcmp(back, expected, 16 * COUNT) == 0);
    free(bytes), free(expected), free(identity), free(beyond), free(packed);
  }
  free(back), free(value), free(base);
}

static void any_bytes_are_rotations(void **state) {
  (void)state;
  static const float more_angles[] = {1e-6f, 1e-3f, 0.1f, 1, 2, 3, 3.14159265f};
  float *base = random_quats(COUNT, 10), *back = filled(16 * COUNT);
  for (size_t i = 0; i < 16; i++) make_invalid(base + 4 * i, i);
  FOR_EACH_FORMAT(f) for (size_t a = 0; a < sizeof more_angles / sizeof more_angles[0]; a++) {
    unsigned char *bytes = random_bytes(f->bytes * COUNT, 11 + a);
    memset(bytes, 0x80, 6), memset(bytes + 6, 0xff, 6), memset(bytes + 12, 0, 6);
    HOLDS(f, a, unpack(f, more_angles[a], back, base, bytes, COUNT) == QUATSIMD_OK);
    HOLDS(f, a, all_unit(back, COUNT));
    const quatsimd_status status = pack(f, more_angles[a], bytes, base, back, COUNT, NULL);
    HOLDS(f, a, status == QUATSIMD_WARNING_REPLACED_INVALID);
    free(bytes);
  }
  free(back), free(base);
}

/* CPU modes that flush denormals to 0 change no bit, even if w or a component of a base is tiny. */
static void denormals_may_be_flushed(void **state) {
  (void)state;
  static const float tiny[] = {-1e-39f, 1e-39f, -1e-45f, -0x1p-126f, -0x1p-55f, -0.0f};
  enum { TINY = sizeof tiny / sizeof *tiny, PAIRS = 2 * TINY + 1 };
  float base[4 * PAIRS] = {0}, value[4 * PAIRS] = {0}, back[2][4 * PAIRS];
  for (int i = 0; i < 2 * TINY; i++) { /* lengths are 1 or the smallest valid length */
    base[4 * i + 3] = value[4 * i] = i % 2 ? 0x1p-32f : 1;
    base[4 * i + 1] = value[4 * i + 3] = tiny[i / 2];
  }
  /* without never_tiny, w of this pair would be the denormal 2^-143, a difference of normal products */
  float *const a = base + 8 * TINY, *const b = value + 8 * TINY;
  a[0] = 0x1.000002p-60f, a[1] = 1, a[3] = -0x1p-60f, b[0] = 0x1p-60f, b[2] = 1, b[3] = 0x1.000004p-60f;
  FOR_EACH_FORMAT(f) {
    unsigned char packed[2][6 * PAIRS] = {{0}}, beyond[2][(PAIRS + 7) / 8];
    quatsimd_status status[2];
    for (int flush = 0; flush < 2; flush++) {
      if (!flush_denormals(flush)) print_message("SKIP: no denormal modes on this CPU\n");
      status[flush] = pack(f, 3.14159265f, packed[flush], base, value, PAIRS, beyond[flush]);
      if (status[flush] >= 0) unpack(f, 3.14159265f, back[flush], base, packed[0], PAIRS);
      flush_denormals(false);
    }
    HOLDS(f, 0, status[0] == QUATSIMD_OK && status[1] == QUATSIMD_OK);
    for (int i = 0; i < PAIRS; i++) {
      HOLDS(f, i, memcmp(packed[0] + f->bytes * i, packed[1] + f->bytes * i, f->bytes) == 0);
      HOLDS(f, i, memcmp(back[0] + 4 * i, back[1] + 4 * i, 16) == 0);
    }
    HOLDS(f, 0, memcmp(beyond[0], beyond[1], sizeof beyond[0]) == 0);
  }
}

/* ---- goldens: the same on every kernel and CPU ---- */

/* test_relative --goldens prints these hashes. They do not change after a release. */
static const uint64_t goldens[FORMATS] = {
    UINT64_C(0x63f4889952a30f99), /* cayley24 */
    UINT64_C(0xe6e24e977d4bdf4b), /* cayley32 */
    UINT64_C(0x35a6d26e3c13b2de), /* cayley48 */
    UINT64_C(0x59efacc52ea7ef0f), /* expmap24 */
    UINT64_C(0x1b9dd9ded45feca0), /* expmap32 */
    UINT64_C(0x70a8aafc6a2af86b), /* expmap48 */
};

static uint64_t hash_of_format(int format_number) {
  enum { N = 8191 };
  const format *f = &formats[format_number];
  XXH64_state_t hash;
  XXH64_reset(&hash, 0);
  uint64_t seed = 60;
  float *base = filled(16 * N), *value = filled(16 * N), *out = filled(16 * N);
  unsigned char *packed = filled(f->bytes * N), *words = random_bytes(f->bytes * N, 61),
                *beyond = filled((N + 7) / 8);
  sweep_quaternions(base, N);
  for (size_t i = 0; i < 4 * N; i++) {
    const float noise =
        (float)((int32_t)(sweep_next(&seed) >> 40) - (1 << 23)) * (i / 4 % 8 == 0 ? 1 : 0x1p-27f);
    value[i] = base[i] + noise;
  }
  static const float golden_angles[] = {0.01f, 0.5f, 3.14159265f};
  for (int a = 0; a < 3; a++) {
    pack(f, golden_angles[a], packed, base, value, N, beyond);
    XXH64_update(&hash, packed, f->bytes * N);
    XXH64_update(&hash, beyond, (N + 7) / 8);
    unpack(f, golden_angles[a], out, base, packed, N);
    add_floats(&hash, out, 4 * N);
    unpack(f, golden_angles[a], out, base, words, N);
    add_floats(&hash, out, 4 * N);
  }
  free(beyond), free(words), free(packed), free(out), free(value), free(base);
  return XXH64_digest(&hash);
}

static void goldens_hold(void **state) {
  (void)state;
  check_goldens(goldens, FORMATS, hash_of_format);
}

static void print_goldens(void) {
  for (int i = 0; i < FORMATS; i++)
    printf("    UINT64_C(0x%016llx), /* %s */\n", (unsigned long long)hash_of_format(i), formats[i].name);
}

/* ---- the table of docs/relative.md ---- */

/* Returns the worst error in degrees. Rotations are random, near the identity, or halfway between codes. */
static double worst_error(const format *f, float largest) {
  enum { N = 200000 };
  uint64_t seed = 70;
  double worst = 0;
  float *base = random_quats(N, 71), *value = filled(16 * N), *back = filled(16 * N);
  unsigned char *packed = filled(f->bytes * N);
  for (size_t i = 0; i < N; i++) {
    double v[3];
    for (int c = 0; c < 3; c++) { /* nearly halfway between two codes */
      const double codes = (1 << (f->bits[c] - 1)) - 1,
                   code = floor(random_unit(&seed) * (i % 4 ? 2 : codes));
      v[c] = (code + 0.4999) * quantum_of(f, largest, c) * (sweep_next(&seed) & 1 ? 1 : -1);
    }
    if (i % 3 == 0) value_within(f, largest, base + 4 * i, value + 4 * i, &seed);
    else if (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < (f->exponential ? pi * pi : 1))
      to_floats(value + 4 * i, product(rotation_of(f, v), of_floats(base + 4 * i)));
    else memcpy(value + 4 * i, base + 4 * i, 16);
  }
  if (pack(f, largest, packed, base, value, N, NULL) < 0 || unpack(f, largest, back, base, packed, N) < 0)
    exit(1);
  for (size_t i = 0; i < N; i++) worst = fmax(worst, angle_of_floats(value + 4 * i, back + 4 * i));
  free(packed), free(back), free(value), free(base);
  return worst * degrees;
}

static void print_table(void) {
  printf("| largest angle | `cayley24` | `expmap24` | `cayley32` | `expmap32` | `cayley48` | `expmap48` "
         "|\n|---|---|---|---|---|---|---|\n");
  for (int a = 0; a < 3; a++) {
    const float largest = a == 0 ? 10.0f : a == 1 ? 45.0f : 180.0f;
    printf("| %g", (double)largest);
    for (int i = 0; i < FORMATS; i++)
      printf(" | %.3g", worst_error(&formats[i / 2 + i % 2 * 3], (float)(largest / degrees)));
    printf(" |\n");
  }
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 2 && strcmp(argv[1], "--goldens") == 0) return print_goldens(), 0;
  if (argc == 2 && strcmp(argv[1], "--table") == 0) return print_table(), 0;
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes),
      cmocka_unit_test(no_rotation_is_code_0),
      cmocka_unit_test(errors_are_half_a_quantum),
      cmocka_unit_test(what_is_beyond_is_flagged),
      cmocka_unit_test(half_turns),
      cmocka_unit_test(invalid_ones_are_no_rotation),
      cmocka_unit_test(any_bytes_are_rotations),
      cmocka_unit_test(denormals_may_be_flushed),
      cmocka_unit_test(layouts_agree),
      cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(goldens_hold),
  };
  return cmocka_run_group_tests_name("relative", tests, NULL, NULL);
}
