/* Tests the sizes of packed arrays, and calls that are refused. */
#include "checks.h"
#include "fixture.h"

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;
#else
typedef uint64_t wide; /* on 32-bit machines it holds a size_t times 128 */
#endif

static void check_size(const listed *f, size_t count) {
  const wide bytes = ((wide)count * f->bits + 7) / 8;
  const size_t expected = bytes > SIZE_MAX ? 0 : (size_t)bytes;
  if (quatsimd_packed_size(f->format, count) != expected)
    fail_msg("%s: packed size of %zu is %zu, not %zu", f->name, count, quatsimd_packed_size(f->format, count),
             expected);
}

void packed_size_is_exact(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    for (size_t count = 0; count <= 100; count++) check_size(f, count);
    /* around every power of two, and around the largest count whose size fits in a size_t */
    for (size_t back = 0; back <= 100; back++) {
      for (size_t power = 128; power != 0; power *= 2)
        check_size(f, power - back), check_size(f, power + back);
      const size_t most = (size_t)((wide)SIZE_MAX * 8 / f->bits);
      check_size(f, most - back), check_size(f, most + back);
    }
    for (size_t part = 1; part <= 256; part++)
      check_size(f, SIZE_MAX / part), check_size(f, SIZE_MAX / part + 1);
    uint64_t random = f->bits;
    for (int i = 0; i < 1000; i++) {
      const uint64_t count = sweep_next(&random);
      check_size(f, (size_t)(count >> (count & 63)));
    }
    HOLDS(f, 0, quatsimd_packed_size(f->format, SIZE_MAX) == 0);
    HOLDS(f, 0, quatsimd_packed_size(f->format, 0) == 0);
  }
  assert_int_equal(quatsimd_packed_size(QUATSIMD_FORMAT_SMALLEST3(9), 3), 11); /* 87 bits */
  assert_int_equal(quatsimd_packed_size(QUATSIMD_FORMAT_FLOAT4, SIZE_MAX / 16), SIZE_MAX / 16 * 16);
  assert_int_equal(quatsimd_packed_size(QUATSIMD_FORMAT_FLOAT4, SIZE_MAX / 16 + 1), 0);
  assert_int_equal(quatsimd_packed_size(QUATSIMD_FORMAT_FLOAT4, SIZE_MAX / 8), 0);
  assert_true(quatsimd_packed_size(QUATSIMD_FORMAT_SMALLEST3(4), SIZE_MAX / 8) > SIZE_MAX / 5);
}

enum { SOME = 21 };

void null_pointers_are_refused(void **state) {
  (void)state;
  float a[SOME * 4], b[SOME * 4], c[SOME * 4], d[SOME * 4];
  unsigned char packed[SOME * 16];
  FOR_EACH_FORMAT(f) for (size_t n = 1; n <= SOME; n += SOME - 1) {
    const quatsimd_format format = f->format;
    const size_t size = sizeof packed;
    memset(packed, FILL, sizeof packed);
    memset(a, FILL, sizeof a), memset(b, FILL, sizeof b), memset(c, FILL, sizeof c),
        memset(d, FILL, sizeof d);
    FOR_EACH_LAYOUT(l) {
      HOLDS(f, l, pack(l, format, NULL, size, a, n) == QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(f, l, pack(l, format, packed, size, NULL, n) == QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(f, l, unpack(l, format, NULL, packed, size, n) == QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(f, l, unpack(l, format, a, NULL, size, n) == QUATSIMD_ERROR_BAD_ARGUMENT);
    }
    for (int null = 0; null < 4; null++) {
      float *x = null == 0 ? NULL : a, *y = null == 1 ? NULL : b, *z = null == 2 ? NULL : c,
            *w = null == 3 ? NULL : d;
      HOLDS(f, null,
            quatsimd_pack(format, packed, size, quatsimd_soa(x, y, z, w), n) == QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(f, null,
            quatsimd_unpack(format, quatsimd_soa_out(x, y, z, w), packed, size, 0, n) ==
                QUATSIMD_ERROR_BAD_ARGUMENT);
    }
    HOLDS(f, 0,
          quatsimd_unpack(format, quatsimd_aos_out(NULL), packed, size, 0, n) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0,
          quatsimd_unpack(format, quatsimd_aos_out(a), NULL, size, 0, n) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0, untouched(packed, sizeof packed) && untouched(a, sizeof a) && untouched(b, sizeof b));
    HOLDS(f, 0, untouched(c, sizeof c) && untouched(d, sizeof d));
  }
}

void bad_strides_are_refused(void **state) {
  (void)state;
  static const size_t bad[] = {1,
                               2,
                               3,
                               13,
                               14,
                               15,
                               17,
                               18,
                               19,
                               21,
                               30,
                               33,
                               (size_t)PTRDIFF_MAX + 1,
                               (size_t)PTRDIFF_MAX + 17,
                               0x1002,
                               SIZE_MAX,
                               SIZE_MAX - 1,
                               SIZE_MAX - 2,
                               SIZE_MAX - 3,
                               SIZE_MAX - 15};
  static const size_t bad_to_write[] = {0, 4, 8, 12};
  float quats[SOME * 4];
  unsigned char packed[SOME * 16];
  memset(quats, FILL, sizeof quats);
  memset(packed, FILL, sizeof packed);
  FOR_EACH_FORMAT(f) for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) for (size_t n = 1; n <= 2; n++) {
    HOLDS(f, bad[i],
          quatsimd_pack(f->format, packed, sizeof packed, quatsimd_strided(quats, bad[i]), n) ==
              QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, bad[i],
          quatsimd_unpack(f->format, quatsimd_strided_out(quats, bad[i]), packed, sizeof packed, 0, n) ==
              QUATSIMD_ERROR_BAD_ARGUMENT);
  }
  FOR_EACH_FORMAT(f)
  for (size_t i = 0; i < sizeof bad_to_write / sizeof bad_to_write[0]; i++)
    HOLDS(f, bad_to_write[i],
          quatsimd_unpack(f->format, quatsimd_strided_out(quats, bad_to_write[i]), packed, sizeof packed, 0,
                          1) == QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_true(untouched(packed, sizeof packed) && untouched(quats, sizeof quats));
}

void nothing_is_fine(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    FOR_EACH_LAYOUT(l) {
      HOLDS(f, l, pack(l, f->format, NULL, 0, NULL, 0) == QUATSIMD_OK);
      HOLDS(f, l, unpack(l, f->format, NULL, NULL, 0, 0) == QUATSIMD_OK);
    }
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(NULL), NULL, 0, 0, 0) == QUATSIMD_OK);
    /* calls for no quaternions write nothing, even if they have buffers */
    float quats[4];
    unsigned char packed[16];
    memset(quats, FILL, sizeof quats);
    memset(packed, FILL, sizeof packed);
    FOR_EACH_LAYOUT(l) {
      HOLDS(f, l, pack(l, f->format, packed, sizeof packed, quats, 0) == QUATSIMD_OK);
      HOLDS(f, l, unpack(l, f->format, quats, packed, sizeof packed, 0) == QUATSIMD_OK);
    }
    HOLDS(f, 0,
          quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, sizeof packed, 0, 0) == QUATSIMD_OK);
    HOLDS(f, 0, untouched(quats, sizeof quats) && untouched(packed, sizeof packed));
  }
  assert_int_equal(quatsimd_find_invalid(quatsimd_aos(NULL), 0, 0), 0);
}

void short_buffers_are_refused(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) for (size_t n = 1; n <= 34; n++) {
    const size_t size = quatsimd_packed_size(f->format, n);
    float *quats = random_quats(n, n), *out = filled(16 * n);
    unsigned char *packed = filled(size);
    FOR_EACH_LAYOUT(l) {
      HOLDS(f, n, pack(l, f->format, packed, size - 1, quats, n) == QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, n, pack(l, f->format, packed, 0, quats, n) == QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, n, untouched(packed, size));
      HOLDS(f, n, unpack(l, f->format, out, packed, size - 1, n) == QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, n, unpack(l, f->format, out, packed, 0, n) == QUATSIMD_ERROR_SHORT_BUFFER);
    }
    for (size_t first = 0; first < n; first++) /* only the last of n elements does not fit */
      HOLDS(f, n,
            quatsimd_unpack(f->format, quatsimd_aos_out(out), packed, size - 1, first, n - first) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
    HOLDS(f, n, untouched(out, 16 * n));
    free(quats), free(out), free(packed);
  }
}

/* If the packed size exceeds SIZE_MAX, every buffer is too short. */
void impossible_counts_are_refused(void **state) {
  (void)state;
  float quats[4];
  unsigned char packed[16];
  memset(quats, FILL, sizeof quats);
  memset(packed, FILL, sizeof packed);
  FOR_EACH_FORMAT(f) {
    const size_t most = (size_t)((wide)SIZE_MAX * 8 / f->bits);
    const size_t counts[] = {most + 1, SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 7};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
      HOLDS(f, i,
            quatsimd_pack(f->format, packed, SIZE_MAX, quatsimd_aos(quats), counts[i]) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_pack(f->format, packed, SIZE_MAX, quatsimd_soa(quats, quats, quats, quats), counts[i]) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_pack(f->format, packed, SIZE_MAX, quatsimd_strided(quats, 16), counts[i]) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, SIZE_MAX, 0, counts[i]) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_unpack(f->format, quatsimd_soa_out(quats, quats + 1, quats + 2, quats + 3), packed,
                            SIZE_MAX, 0, counts[i]) == QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_unpack(f->format, quatsimd_strided_out(quats, 16), packed, SIZE_MAX, 0, counts[i]) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, SIZE_MAX, 0, counts[i]) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, SIZE_MAX, counts[i], 1) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      /* first + count overflows to 0 in this call, and to 1 in the next two */
      HOLDS(f, i,
            quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, SIZE_MAX, counts[i],
                            SIZE_MAX - counts[i] + 1) == QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, sizeof packed, SIZE_MAX, 2) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, sizeof packed, 2, SIZE_MAX) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
    }
  }
  assert_true(untouched(quats, sizeof quats) && untouched(packed, sizeof packed));
}

/* A bad format is reported before a bad argument, and a bad argument before a short buffer. */
void first_error_wins(void **state) {
  (void)state;
  const quatsimd_format unknown = (quatsimd_format)0x103;
  float q[4] = {0, 0, 0, 1};
  unsigned char packed[16];
  FOR_EACH_LAYOUT(l) {
    assert_int_equal(pack(l, unknown, NULL, 0, NULL, 1), QUATSIMD_ERROR_BAD_FORMAT);
    assert_int_equal(unpack(l, unknown, NULL, NULL, 0, 1), QUATSIMD_ERROR_BAD_FORMAT);
    assert_int_equal(pack(l, unknown, NULL, 0, NULL, 0), QUATSIMD_ERROR_BAD_FORMAT);
    assert_int_equal(unpack(l, unknown, NULL, NULL, 0, 0), QUATSIMD_ERROR_BAD_FORMAT);
  }
  assert_int_equal(quatsimd_unpack(unknown, quatsimd_aos_out(NULL), NULL, 0, 0, 1),
                   QUATSIMD_ERROR_BAD_FORMAT);
  assert_int_equal(quatsimd_unpack(unknown, quatsimd_aos_out(NULL), NULL, 0, 0, 0),
                   QUATSIMD_ERROR_BAD_FORMAT);
  assert_int_equal(quatsimd_pack(unknown, packed, 16, quatsimd_strided(q, 15), 1), QUATSIMD_ERROR_BAD_FORMAT);
  assert_int_equal(quatsimd_unpack(unknown, quatsimd_strided_out(q, 15), packed, 16, 0, 1),
                   QUATSIMD_ERROR_BAD_FORMAT);
  FOR_EACH_FORMAT(f) {
    FOR_EACH_LAYOUT(l) {
      HOLDS(f, l, pack(l, f->format, NULL, 0, q, 1) == QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(f, l, pack(l, f->format, packed, 0, NULL, 1) == QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(f, l, unpack(l, f->format, NULL, packed, 0, 1) == QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(f, l, unpack(l, f->format, q, NULL, 0, 1) == QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(f, l, unpack(l, f->format, NULL, NULL, 0, SIZE_MAX) == QUATSIMD_ERROR_BAD_ARGUMENT);
    }
    HOLDS(f, 0,
          quatsimd_pack(f->format, packed, 0, quatsimd_strided(q, 20 + 1), 1) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0,
          quatsimd_unpack(f->format, quatsimd_strided_out(q, 20 + 1), packed, 0, 0, 1) ==
              QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0, quatsimd_pack(f->format, NULL, 0, quatsimd_strided(NULL, 13), 0) == QUATSIMD_OK);
    HOLDS(f, 0,
          quatsimd_unpack(f->format, quatsimd_aos_out(NULL), packed, 0, 0, 1) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0,
          quatsimd_unpack(f->format, quatsimd_aos_out(q), NULL, 0, SIZE_MAX, SIZE_MAX) ==
              QUATSIMD_ERROR_BAD_ARGUMENT);
  }
}
