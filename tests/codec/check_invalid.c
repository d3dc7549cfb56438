/* Tests that packing replaces invalid quaternions, and that quatsimd_find_invalid finds them. */
#include "checks.h"
#include "fixture.h"

static const float invalid[][4] = {{NAN, 0, 0, 1},
                                   {0, NAN, 0, 1},
                                   {0, 0, NAN, 1},
                                   {1, 0, 0, NAN},
                                   {NAN, NAN, NAN, NAN},
                                   {INFINITY, 0, 0, 1},
                                   {0, -INFINITY, 0, 1},
                                   {0, 0, INFINITY, 1},
                                   {1, 0, 0, -INFINITY},
                                   {INFINITY, NAN, 0, -INFINITY},
                                   {0, 0, 0, 0},
                                   {-0.f, -0.f, -0.f, -0.f},
                                   {0x1p-40f, 0, 0, 0},
                                   {0x1p-140f, 0x1p-149f, 0, 0},
                                   {0, 0x1p-33f, 0, 0},
                                   {0x1p33f, 0, 0, 0},
                                   {0, 0, FLT_MAX, 0},
                                   {FLT_MAX, -FLT_MAX, FLT_MAX, -FLT_MAX},
                                   {0x1p32f, 0x1p32f, 0, 0},
                                   {0x1p-34f, 0x1p-34f, 0x1p-34f, 0x1p-34f}};
enum { INVALID = sizeof invalid / sizeof invalid[0] };

/* Replaces invalid quaternions by the identity, as packing must. */
static void replace_invalid(float *q, size_t n, const bool *is_invalid) {
  for (size_t i = 0; i < n; i++)
    if (is_invalid[i]) memcpy(q + 4 * i, identity, 16);
}

static void check_replaced(const listed *f, const float *quats, size_t n, const bool *is_invalid, bool any) {
  const size_t size = quatsimd_packed_size(f->format, n);
  float *replaced = filled(16 * n), *soa = filled(16 * n);
  memcpy(replaced, quats, 16 * n);
  replace_invalid(replaced, n, is_invalid);
  unsigned char *expected = filled(size), *got = filled(size);
  HOLDS(f, n, quatsimd_pack(f->format, expected, size, quatsimd_aos(replaced), n) == QUATSIMD_OK);
  const quatsimd_status status = any ? QUATSIMD_WARNING_REPLACED_INVALID : QUATSIMD_OK;
  for (size_t i = 0; i < 4 * n; i++) soa[i % 4 * n + i / 4] = quats[i];
  FOR_EACH_LAYOUT(l) {
    memset(got, FILL, size);
    HOLDS(f, l, pack(l, f->format, got, size, l == SOA ? soa : quats, n) == status);
    HOLDS(f, l, memcmp(got, expected, size) == 0);
  }
  free(replaced), free(soa), free(expected), free(got);
}

void invalid_ones_are_replaced(void **state) {
  (void)state;
  enum { N = 43 };
  FOR_EACH_FORMAT(f) {
    bool is_invalid[N] = {false};
    float *quats = random_quats(N, 7);
    check_replaced(f, quats, N, is_invalid, false);
    for (size_t at = 0; at < N; at++) { /* one invalid quaternion at each place in turn */
      float saved[4];
      memcpy(saved, quats + 4 * at, 16);
      for (size_t kind = at % 3; kind < INVALID; kind += 3) {
        memcpy(quats + 4 * at, invalid[kind], 16);
        is_invalid[at] = true;
        check_replaced(f, quats, N, is_invalid, true);
        check_replaced(f, quats + 4 * at, N - at, is_invalid + at, true);
        if (at > 0) check_replaced(f, quats, at, is_invalid, false);
      }
      memcpy(quats + 4 * at, saved, 16);
      is_invalid[at] = false;
    }
    for (size_t i = 0; i < N; i += 2) memcpy(quats + 4 * i, invalid[i % INVALID], 16), is_invalid[i] = true;
    check_replaced(f, quats, N, is_invalid, true);
    for (size_t i = 0; i < N; i++) memcpy(quats + 4 * i, invalid[i % INVALID], 16), is_invalid[i] = true;
    check_replaced(f, quats, N, is_invalid, true);
    free(quats);
  }
}

/* Each kind of invalid quaternion must pack to the word of the identity, in every format. */
void every_kind_of_invalid_is_invalid(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) for (size_t kind = 0; kind < INVALID; kind++) {
    word of_identity, of_other, got;
    const float *q = invalid[kind];
    HOLDS(f, kind, pack_one(f, &of_identity, 0, 0, 0, 1) == QUATSIMD_OK);
    HOLDS(f, kind, pack_one(f, &of_other, 0.5f, 0.5f, -0.5f, 0.5f) == QUATSIMD_OK);
    HOLDS(f, kind, pack_one(f, &got, q[0], q[1], q[2], q[3]) == QUATSIMD_WARNING_REPLACED_INVALID);
    HOLDS(f, kind, memcmp(&got, &of_identity, sizeof got) == 0);
    HOLDS(f, kind, memcmp(&got, &of_other, sizeof got) != 0);
  }
}

void lengths_are_valid_up_to_the_borders(void **state) {
  (void)state;
  static const struct {
    float length;
    bool valid;
  } cases[] = {{0x1p-32f, true},       {0x1p32f, true},          {0x1.000002p-32f, true},
               {0x1.fffffep31f, true}, {0x1.fffffep-33f, false}, {0x1.000002p32f, false}};
  assert_true(cases[4].length == nextafterf(0x1p-32f, 0) && cases[5].length == nextafterf(0x1p32f, INFINITY));
  FOR_EACH_FORMAT(f)
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int axis = 0; axis < 4; axis++)
      for (int sign = -1; sign <= 1; sign += 2) {
        float q[4] = {0, 0, 0, 0}, unit[4] = {0, 0, 0, 0};
        q[axis] = (float)sign * cases[i].length;
        unit[axis] = (float)sign;
        word got, expected;
        const float *as = cases[i].valid ? unit : identity;
        HOLDS(f, i, pack_one(f, &expected, as[0], as[1], as[2], as[3]) == QUATSIMD_OK);
        HOLDS(f, i,
              pack_one(f, &got, q[0], q[1], q[2], q[3]) ==
                  (cases[i].valid ? QUATSIMD_OK : QUATSIMD_WARNING_REPLACED_INVALID));
        HOLDS(f, i, memcmp(&got, &expected, sizeof got) == 0);
        HOLDS(f, i, quatsimd_find_invalid(quatsimd_aos(q), 1, 0) == (cases[i].valid ? 1u : 0u));
      }
}

static bool plainly_valid(const float *q) { /* may be wrong for lengths near the limits */
  const double n2 = ((double)q[0] * q[0] + (double)q[1] * q[1]) + ((double)q[2] * q[2] + (double)q[3] * q[3]);
  return n2 >= 0x1p-64 && n2 <= 0x1p64;
}

static size_t plain_find_invalid(const float *q, size_t count, size_t from) {
  for (; from < count; from++)
    if (!plainly_valid(q + 4 * from)) return from;
  return count;
}

void find_invalid_finds_the_first(void **state) {
  (void)state;
  static const listed as = {(quatsimd_format)0, "find_invalid", 0, 0, NULL};
  uint64_t random = 11;
  for (size_t n = 0; n <= 60; n++)
    for (unsigned one_in = 1; one_in <= 64; one_in *= 4) {
      float *quats = random_quats(n, n);
      for (size_t i = 0; i < n; i++) {
        const uint64_t u = sweep_next(&random);
        if (u % one_in == 0 && one_in < 64) memcpy(quats + 4 * i, invalid[(u >> 8) % INVALID], 16);
      }
      for (size_t from = 0; from <= n + 3; from++)
        HOLDS(&as, from,
              quatsimd_find_invalid(quatsimd_aos(quats), n, from) == plain_find_invalid(quats, n, from));
      assert_int_equal(quatsimd_find_invalid(quatsimd_aos(quats), n, SIZE_MAX), n);
      assert_int_equal(quatsimd_find_invalid(quatsimd_aos(NULL), n, 0), n);
      free(quats);
    }
  for (size_t kind = 0; kind < INVALID; kind++)
    for (size_t at = 0; at < 40; at++) {
      float *quats = random_quats(40, kind);
      memcpy(quats + 4 * at, invalid[kind], 16);
      for (size_t from = 0; from <= 40; from++)
        HOLDS(&as, at, quatsimd_find_invalid(quatsimd_aos(quats), 40, from) == (from <= at ? at : 40));
      free(quats);
    }
}

/* The loop in the documentation of quatsimd_find_invalid finds all invalid quaternions. */
void find_invalid_counts_all(void **state) {
  (void)state;
  enum { N = 1000 };
  float *quats = random_quats(N, 5);
  size_t expected = 0, found = 0;
  for (size_t i = 0; i < N; i += 7, expected++) memcpy(quats + 4 * i, invalid[i % INVALID], 16);
  for (size_t i = quatsimd_find_invalid(quatsimd_aos(quats), N, 0); i < N;
       i = quatsimd_find_invalid(quatsimd_aos(quats), N, i + 1))
    found++;
  assert_int_equal(found, expected);
  free(quats);
}
