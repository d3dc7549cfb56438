/* Every public function against what codec.h promises, through the kernels in use (CTest runs this for
 * each of them, see packaging.cmake). Arrays are allocated at their exact size: in a sanitizer build one
 * byte too many is an error. */
#include "support/isa.h"
#include "support/random.h"

#include "core/dispatch.h"
#include "quatsimd/quatsimd.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* The columns of formats.def that callers see. tests/model/model.py holds that table to what it knows by itself. */
typedef struct listed {
  quatsimd_format format;
  const char *name;
  unsigned bits;
  int exact_identity;
} listed;
static const listed formats[] = {
#define VARIANT FORMAT
#define FORMAT(codec, id, param, name, storage, blocks, bits, exact, ...) {id, name, bits, exact},
#include "codec/formats.def"
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static const long long unknown_formats[] = {0,       31,    32,    33,    0x7f,       0xff,      0x100,
                                            0x103,   0x115, 0x11f, 0x120, 0x1ff,      0x200,     0x204 - 1,
                                            0x215,   0x300, 0x303, 0x311, 0x31f,      0x400,     0x404,
                                            0x10004, -1,    -2,    -252,  0x7fffffff, INT32_MIN, 0x40000009};
enum { UNKNOWN_FORMATS = sizeof unknown_formats / sizeof unknown_formats[0] };

#define FOR_EACH_FORMAT(f) for (const listed *f = formats; f < formats + FORMATS; f++)
#define FOR_EACH_LAYOUT(l) for (int l = 0; l < LAYOUTS; l++)

/* An assertion that says of which format and at which number it fails. */
#define HOLDS(f, at, condition)                                                                              \
  do {                                                                                                       \
    if (!(condition)) fail_msg("%s, at %lld: not true: %s", (f)->name, (long long)(at), #condition);         \
  } while (0)

enum { AOS, SOA, STRIDED, LAYOUTS };

/* The k-th of the four arrays of n floats that a SoA call gets. */
static const float *array_in(const float *floats, size_t n, size_t k) {
  return floats ? floats + k * n : NULL;
}
static float *array_out(float *floats, size_t n, size_t k) { return floats ? floats + k * n : NULL; }

/* Any layout by number, in 4 * count floats: strided without gaps, SoA with one array behind the other. */
static quatsimd_status pack(int layout, quatsimd_format format, void *packed, size_t size, const float *in,
                            size_t count) {
  if (layout == AOS) return quatsimd_pack(format, packed, size, quatsimd_aos(in), count);
  if (layout == STRIDED) return quatsimd_pack(format, packed, size, quatsimd_strided(in, 16), count);
  return quatsimd_pack(format, packed, size,
                       quatsimd_soa(array_in(in, count, 0), array_in(in, count, 1), array_in(in, count, 2),
                                    array_in(in, count, 3)),
                       count);
}

static quatsimd_status unpack(int layout, quatsimd_format format, float *out, const void *packed, size_t size,
                              size_t count) {
  if (layout == AOS) return quatsimd_unpack(format, quatsimd_aos_out(out), packed, size, 0, count);
  if (layout == STRIDED)
    return quatsimd_unpack(format, quatsimd_strided_out(out, 16), packed, size, 0, count);
  return quatsimd_unpack(format,
                         quatsimd_soa_out(array_out(out, count, 0), array_out(out, count, 1),
                                          array_out(out, count, 2), array_out(out, count, 3)),
                         packed, size, 0, count);
}

/* Exactly that many bytes, filled with a pattern that no test expects as a result. */
enum { FILL = 0xa5 };
static void *filled(size_t bytes) {
  void *p = malloc(bytes);
  if (!p) fail_msg("out of memory");
  return memset(p, FILL, bytes);
}

static bool untouched(const void *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (((const unsigned char *)p)[i] != FILL) return false;
  return true;
}

static float *random_quats(size_t count, uint64_t seed) {
  float *q = filled(16 * count);
  random_rotations(q, count, &seed);
  return q;
}

static unsigned char *random_bytes(size_t bytes) {
  unsigned char *p = filled(bytes);
  sweep_words(p, bytes);
  return p;
}

/* bits: -0 is not 0 */
static bool same_quat(const float *a, const float *b) { return memcmp(a, b, 16) == 0; }

static const float identity[4] = {0, 0, 0, 1};

/* One quaternion through a format. */
typedef struct word {
  unsigned char bytes[16];
} word;

static quatsimd_status pack_one(const listed *f, word *to, float x, float y, float z, float w) {
  const float q[4] = {x, y, z, w};
  memset(to, 0, sizeof *to);
  return quatsimd_pack(f->format, to->bytes, (f->bits + 7) / 8, quatsimd_aos(q), 1);
}

static const listed *listed_as(quatsimd_format format) {
  FOR_EACH_FORMAT(f) if (f->format == format) return f;
  fail_msg("not listed: %#x", (unsigned)format);
  return NULL;
}

/* ---- formats and names ---- */

static void formats_come_in_order(void **state) {
  (void)state;
  quatsimd_format format;
  for (size_t i = 0; i < FORMATS; i++) {
    HOLDS(&formats[i], i, quatsimd_format_at(i, &format) == QUATSIMD_OK);
    HOLDS(&formats[i], format, format == formats[i].format);
  }
  format = QUATSIMD_FORMAT_CUBE32;
  assert_int_equal(quatsimd_format_at(FORMATS, &format), QUATSIMD_ERROR_BAD_FORMAT);
  assert_int_equal(quatsimd_format_at(SIZE_MAX, &format), QUATSIMD_ERROR_BAD_FORMAT);
  assert_int_equal(format, QUATSIMD_FORMAT_CUBE32);
  assert_int_equal(quatsimd_format_at(0, NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
}

static void names_round_trip(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    quatsimd_format format = (quatsimd_format)0;
    HOLDS(f, 0, quatsimd_format_from_name(f->name, &format) == QUATSIMD_OK && format == f->format);
    HOLDS(f, 0, strcmp(quatsimd_get_format_info(f->format)->name, f->name) == 0);
  }
}

static void unknown_names_are_refused(void **state) {
  (void)state;
  static const char *const names[] = {"",
                                      "smallest3",
                                      "smallest3:",
                                      "smallest3:3",
                                      "smallest3:21",
                                      "smallest3:09",
                                      "SMALLEST3:9",
                                      "smallest3:9 ",
                                      " smallest3:9",
                                      "smallest3:+9",
                                      "smallest3:9x",
                                      "smallest3:265",
                                      "smallest3:-1",
                                      "mirage",
                                      "mirage:3",
                                      "mirage:21",
                                      "Mirage:9",
                                      "cube3",
                                      "cube32d",
                                      "cube32 ",
                                      "smallest3_16",
                                      "float4\n",
                                      "5",
                                      "0x109",
                                      "%s"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    quatsimd_format format = QUATSIMD_FORMAT_HALF4;
    if (quatsimd_format_from_name(names[i], &format) != QUATSIMD_ERROR_BAD_FORMAT)
      fail_msg("\"%s\" is known", names[i]);
    assert_int_equal(format, QUATSIMD_FORMAT_HALF4);
  }
  quatsimd_format format = QUATSIMD_FORMAT_HALF4;
  assert_int_equal(quatsimd_format_from_name(NULL, &format), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_format_from_name("cube32", NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_format_from_name(NULL, NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(format, QUATSIMD_FORMAT_HALF4);
}

static void format_info_is_complete(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    const quatsimd_format_info *info = quatsimd_get_format_info(f->format);
    HOLDS(f, 0, info != NULL);
    HOLDS(f, info->bits, info->bits == f->bits);
    HOLDS(f, 0, info->origin && info->origin[0] != 0);
    HOLDS(f, info->exact_identity, info->exact_identity == f->exact_identity);
    /* test_error.c holds the numbers to what it measures */
    HOLDS(f, 0, info->mean_error >= 0 && info->mean_error < info->worst_error && info->worst_error < 1);
    HOLDS(f, 0, info == quatsimd_get_format_info(f->format)); /* static */
  }
  for (unsigned b = 5; b <= 20; b++) {
    const quatsimd_format_info *fewer = quatsimd_get_format_info(QUATSIMD_FORMAT_SMALLEST3(b - 1));
    const quatsimd_format_info *info = quatsimd_get_format_info(QUATSIMD_FORMAT_SMALLEST3(b));
    const quatsimd_format_info *mirage = quatsimd_get_format_info(QUATSIMD_FORMAT_MIRAGE(b));
    assert_true(info->worst_error < fewer->worst_error && info->mean_error < fewer->mean_error);
    assert_true(info->worst_error == mirage->worst_error && info->mean_error == mirage->mean_error);
  }
}

static void numbers_are_those_of_the_header(void **state) {
  (void)state;
  assert_int_equal(QUATSIMD_FORMAT_SMALLEST3(4), 0x104);
  assert_int_equal(QUATSIMD_FORMAT_SMALLEST3(20), 0x114);
  assert_int_equal(QUATSIMD_FORMAT_MIRAGE(4), 0x204);
  assert_int_equal(QUATSIMD_FORMAT_MIRAGE(20), 0x214);
  /* the lattices come first */
  for (int i = 0; formats[i].format < QUATSIMD_FORMAT_SMALLEST3_ANY; i++)
    assert_int_equal(formats[i].format, i < 4 ? i + 10 : i < 13 ? i - 3 : i + 1);
}

static void unknown_formats_are_refused(void **state) {
  (void)state;
  float quats[8 * 4];
  unsigned char packed[8 * 16];
  for (size_t i = 0; i < UNKNOWN_FORMATS; i++) {
    const quatsimd_format format = (quatsimd_format)unknown_formats[i];
    const listed as = {format, "unknown format", 0, 0};
    const long long n = unknown_formats[i];
    memset(quats, FILL, sizeof quats);
    memset(packed, FILL, sizeof packed);
    for (size_t count = 0; count <= 8; count += 8) {
      FOR_EACH_LAYOUT(l) {
        HOLDS(&as, n, pack(l, format, packed, sizeof packed, quats, count) == QUATSIMD_ERROR_BAD_FORMAT);
        HOLDS(&as, n, unpack(l, format, quats, packed, sizeof packed, count) == QUATSIMD_ERROR_BAD_FORMAT);
      }
      HOLDS(&as, n,
            quatsimd_unpack(format, quatsimd_aos_out(quats), packed, sizeof packed, 0, count) ==
                QUATSIMD_ERROR_BAD_FORMAT);
    }
    HOLDS(&as, n, untouched(packed, sizeof packed) && untouched(quats, sizeof quats));
    HOLDS(&as, n, quatsimd_packed_size(format, 0) == 0 && quatsimd_packed_size(format, 8) == 0);
    HOLDS(&as, n, quatsimd_get_format_info(format) == NULL);
  }
}

/* The number of every format is known and no other one of these is: the gaps are where the header says. */
static void all_other_small_numbers_are_unknown(void **state) {
  (void)state;
  for (int n = 0; n < 0x1000; n++) {
    bool is_listed = false;
    FOR_EACH_FORMAT(f) is_listed = is_listed || f->format == (quatsimd_format)n;
    if ((quatsimd_get_format_info((quatsimd_format)n) != NULL) != is_listed)
      fail_msg("format number %#x", (unsigned)n);
  }
}

static void texts_are_there(void **state) {
  (void)state;
  static const quatsimd_status statuses[] = {QUATSIMD_OK, QUATSIMD_WARNING_REPLACED_INVALID,
                                             QUATSIMD_ERROR_BAD_FORMAT, QUATSIMD_ERROR_SHORT_BUFFER,
                                             QUATSIMD_ERROR_BAD_ARGUMENT};
  enum { STATUSES = sizeof statuses / sizeof statuses[0] };
  for (size_t i = 0; i < STATUSES; i++) {
    assert_non_null(quatsimd_status_string(statuses[i]));
    assert_true(strlen(quatsimd_status_string(statuses[i])) > 0);
    for (size_t j = 0; j < i; j++)
      assert_string_not_equal(quatsimd_status_string(statuses[i]), quatsimd_status_string(statuses[j]));
    for (int unknown = -100; unknown <= 100; unknown++)
      if (unknown < -3 || unknown > 1)
        assert_string_not_equal(quatsimd_status_string((quatsimd_status)unknown),
                                quatsimd_status_string(statuses[i]));
  }
  assert_int_equal(QUATSIMD_OK, 0);
  assert_true(QUATSIMD_ERROR_BAD_FORMAT < 0 && QUATSIMD_ERROR_SHORT_BUFFER < 0 &&
              QUATSIMD_ERROR_BAD_ARGUMENT < 0);
  assert_true(QUATSIMD_WARNING_REPLACED_INVALID > 0 && QUATSIMD_WARNING_SATURATED > 0);
  for (size_t i = 0; i < STATUSES; i++)
    assert_int_equal(quatsimd_failed(statuses[i]),
                     statuses[i] != QUATSIMD_OK && statuses[i] != QUATSIMD_WARNING_REPLACED_INVALID);
  assert_false(quatsimd_failed(QUATSIMD_WARNING_SATURATED));

  char version[64];
  snprintf(version, sizeof version, "%d.%d.%d", QUATSIMD_VERSION_MAJOR, QUATSIMD_VERSION_MINOR,
           QUATSIMD_VERSION_PATCH);
  assert_string_equal(version, QUATSIMD_VERSION_STRING);
  assert_string_equal(quatsimd_version(), QUATSIMD_VERSION_STRING);
  assert_int_equal(quatsimd_version_number(), QUATSIMD_VERSION);
  snprintf(version, sizeof version, "%d.%d.%d", QUATSIMD_VERSION / 10000, QUATSIMD_VERSION / 100 % 100,
           QUATSIMD_VERSION % 100);
  assert_string_equal(version, QUATSIMD_VERSION_STRING);

  bool known = false;
  assert_non_null(quatsimd_isa());
  for (const quatsimd_kernels *const *k = quatsimd_kernel_list; *k; k++)
    known = known || strcmp(quatsimd_isa(), (*k)->name) == 0;
  assert_true(known);
  print_message("kernels in use: %s\n", quatsimd_isa());
}

/* ---- sizes ---- */

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;
#else
typedef uint64_t wide; /* on 32-bit machines: a size_t times 128 fits */
#endif

static void check_size(const listed *f, size_t count) {
  const wide bytes = ((wide)count * f->bits + 7) / 8;
  const size_t expected = bytes > SIZE_MAX ? 0 : (size_t)bytes;
  if (quatsimd_packed_size(f->format, count) != expected)
    fail_msg("%s: packed size of %zu is %zu, not %zu", f->name, count, quatsimd_packed_size(f->format, count),
             expected);
}

static void packed_size_is_exact(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    for (size_t count = 0; count <= 100; count++) check_size(f, count);
    /* around every power of two and around the largest that fits */
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

/* ---- arguments ---- */

enum { SOME = 21 };

static void null_pointers_are_refused(void **state) {
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

static void bad_strides_are_refused(void **state) {
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

static void nothing_is_fine(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    FOR_EACH_LAYOUT(l) {
      HOLDS(f, l, pack(l, f->format, NULL, 0, NULL, 0) == QUATSIMD_OK);
      HOLDS(f, l, unpack(l, f->format, NULL, NULL, 0, 0) == QUATSIMD_OK);
    }
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(NULL), NULL, 0, 0, 0) == QUATSIMD_OK);
    /* and does nothing where there are buffers */
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

static void short_buffers_are_refused(void **state) {
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
    for (size_t first = 0; first < n; first++) /* the last of n elements is what does not fit */
      HOLDS(f, n,
            quatsimd_unpack(f->format, quatsimd_aos_out(out), packed, size - 1, first, n - first) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
    HOLDS(f, n, untouched(out, 16 * n));
    free(quats), free(out), free(packed);
  }
}

/* A size that does not fit a size_t fits no buffer, whatever its size is said to be. */
static void impossible_counts_are_refused(void **state) {
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
            quatsimd_unpack(f->format, quatsimd_soa_out(quats, quats, quats, quats), packed, SIZE_MAX, 0,
                            counts[i]) == QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_unpack(f->format, quatsimd_strided_out(quats, 16), packed, SIZE_MAX, 0, counts[i]) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, SIZE_MAX, 0, counts[i]) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(f, i,
            quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, SIZE_MAX, counts[i], 1) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      /* first + count runs over: by one, and to a small number that would fit */
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

/* Several mistakes at once: format before arguments before buffer, in every function. */
static void first_error_wins(void **state) {
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

/* ---- buffers ---- */

static void nothing_behind_is_touched(void **state) {
  (void)state;
  enum { GUARD = 96 };
  FOR_EACH_FORMAT(f) for (size_t n = 1; n <= 70; n++) {
    const size_t size = quatsimd_packed_size(f->format, n), used_bits = n * f->bits % 8;
    float *quats = random_quats(n, n), *unpacked = filled(16 * n + GUARD);
    unsigned char *packed = filled(size + GUARD), *exact = filled(size);
    FOR_EACH_LAYOUT(l) {
      memset(packed, 0xff, size); /* so that a bit that is left alone is seen */
      HOLDS(f, n, pack(l, f->format, packed, size + GUARD, quats, n) == QUATSIMD_OK);
      HOLDS(f, n, untouched(packed + size, GUARD));
      HOLDS(f, n, used_bits == 0 || packed[size - 1] >> used_bits == 0);
      HOLDS(f, n, pack(l, f->format, exact, size, quats, n) == QUATSIMD_OK);
      HOLDS(f, n, memcmp(exact, packed, size) == 0);
      HOLDS(f, n, pack(l, f->format, packed, SIZE_MAX, quats, n) == QUATSIMD_OK);
      HOLDS(f, n, memcmp(exact, packed, size) == 0 && untouched(packed + size, GUARD));

      HOLDS(f, n, unpack(l, f->format, unpacked, packed, size + GUARD, n) == QUATSIMD_OK);
      HOLDS(f, n, untouched(unpacked + 4 * n, GUARD));
      float *again = filled(16 * n);
      HOLDS(f, n, unpack(l, f->format, again, exact, size, n) == QUATSIMD_OK);
      HOLDS(f, n, memcmp(again, unpacked, 16 * n) == 0);
      free(again);
    }
    free(quats), free(unpacked), free(packed), free(exact);
  }
}

static void packed_data_needs_no_alignment(void **state) {
  (void)state;
  enum { N = 45 };
  float *quats = random_quats(N, 3), *expected = filled(16 * N), *got = filled(16 * N);
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, N);
    unsigned char *aligned = filled(size);
    HOLDS(f, 0, quatsimd_pack(f->format, aligned, size, quatsimd_aos(quats), N) == QUATSIMD_OK);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(expected), aligned, size, 0, N) == QUATSIMD_OK);
    for (size_t off = 1; off < 16; off++) {
      unsigned char *packed = filled(size + off);
      HOLDS(f, off, quatsimd_pack(f->format, packed + off, size, quatsimd_aos(quats), N) == QUATSIMD_OK);
      HOLDS(f, off, memcmp(packed + off, aligned, size) == 0 && untouched(packed, off));
      HOLDS(f, off,
            quatsimd_unpack(f->format, quatsimd_aos_out(got), packed + off, size, 0, N) == QUATSIMD_OK);
      HOLDS(f, off, memcmp(got, expected, 16 * N) == 0);
      free(packed);
    }
    free(aligned);
  }
  free(quats), free(expected), free(got);
}

static void soa_is_aos(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) for (size_t n = 1; n <= 67; n++) {
    const size_t size = quatsimd_packed_size(f->format, n);
    float *aos = random_quats(n, n), *in[4], *out[4];
    for (size_t c = 0; c < 4; c++) {
      in[c] = filled(4 * n), out[c] = filled(4 * n);
      for (size_t i = 0; i < n; i++) in[c][i] = aos[4 * i + c];
    }
    unsigned char *expected = filled(size), *got = filled(size);
    HOLDS(f, n, quatsimd_pack(f->format, expected, size, quatsimd_aos(aos), n) == QUATSIMD_OK);
    HOLDS(f, n,
          quatsimd_pack(f->format, got, size, quatsimd_soa(in[0], in[1], in[2], in[3]), n) == QUATSIMD_OK);
    HOLDS(f, n, memcmp(got, expected, size) == 0);
    HOLDS(f, n, quatsimd_unpack(f->format, quatsimd_aos_out(aos), expected, size, 0, n) == QUATSIMD_OK);
    HOLDS(f, n,
          quatsimd_unpack(f->format, quatsimd_soa_out(out[0], out[1], out[2], out[3]), expected, size, 0,
                          n) == QUATSIMD_OK);
    for (size_t i = 0; i < 4 * n; i++) HOLDS(f, i, memcmp(&out[i % 4][i / 4], &aos[i], 4) == 0);
    for (size_t c = 0; c < 4; c++) free(in[c]), free(out[c]);
    free(aos), free(expected), free(got);
  }
}

/* Gaps hold NaN on the way in, and whatever they hold on the way out they keep. There is none behind the
 * last. */
static void strided_is_aos_and_leaves_the_gaps_alone(void **state) {
  (void)state;
  static const size_t strides[] = {16, 20, 24, 28, 32, 36, 48, 52, 64, 80, 100, 4096 + 4};
  FOR_EACH_FORMAT(f)
  for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++)
    for (size_t n = 1; n <= 40; n++) {
      const size_t size = quatsimd_packed_size(f->format, n), stride = strides[s],
                   bytes = (n - 1) * stride + 16;
      float *aos = random_quats(n, n), *unpacked = filled(16 * n);
      unsigned char *expected = filled(size), *got = filled(size), *structs = filled(bytes);
      memset(structs, 0xff, bytes); /* NaN */
      for (size_t i = 0; i < n; i++) memcpy(structs + i * stride, aos + 4 * i, 16);
      HOLDS(f, stride, quatsimd_pack(f->format, expected, size, quatsimd_aos(aos), n) == QUATSIMD_OK);
      HOLDS(f, stride,
            quatsimd_pack(f->format, got, size, quatsimd_strided((float *)(void *)structs, stride), n) ==
                QUATSIMD_OK);
      HOLDS(f, stride, memcmp(got, expected, size) == 0);

      memset(structs, FILL, bytes);
      HOLDS(f, stride,
            quatsimd_unpack(f->format, quatsimd_aos_out(unpacked), expected, size, 0, n) == QUATSIMD_OK);
      HOLDS(f, stride,
            quatsimd_unpack(f->format, quatsimd_strided_out((float *)(void *)structs, stride), expected, size,
                            0, n) == QUATSIMD_OK);
      for (size_t i = 0; i < n; i++) {
        HOLDS(f, stride, memcmp(structs + i * stride, unpacked + 4 * i, 16) == 0);
        HOLDS(f, stride, i + 1 == n || untouched(structs + i * stride + 16, stride - 16));
      }
      free(aos), free(unpacked), free(expected), free(got), free(structs);
    }
}

/* Random bytes: all patterns of bits, not only those that packing writes. */
static void unpack_at_is_a_slice(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) for (size_t first = 0; first <= 20; first++) for (size_t n = 0; n <= 20; n++) {
    const size_t all = first + n, size = quatsimd_packed_size(f->format, all);
    unsigned char *packed = random_bytes(size);
    float *full = filled(16 * all), *slice = filled(16 * n);
    HOLDS(f, all, quatsimd_unpack(f->format, quatsimd_aos_out(full), packed, size, 0, all) == QUATSIMD_OK);
    HOLDS(f, first,
          quatsimd_unpack(f->format, quatsimd_aos_out(slice), packed, size, first, n) == QUATSIMD_OK);
    HOLDS(f, first, memcmp(slice, full + 4 * first, 16 * n) == 0);
    free(packed), free(full), free(slice);
  }
}

static void unpack_at_reaches_far(void **state) {
  (void)state;
  enum { FAR = 100003, N = 50 };
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, FAR + N);
    unsigned char *packed = random_bytes(size);
    float *full = filled(16 * (FAR + N)), *slice = filled(16 * N);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(full), packed, size, 0, FAR + N) == QUATSIMD_OK);
    for (size_t first = FAR - 20; first <= FAR; first++)
      for (size_t n = 0; n <= N; n++) {
        memset(slice, FILL, 16 * N);
        HOLDS(f, first,
              quatsimd_unpack(f->format, quatsimd_aos_out(slice), packed, size, first, n) == QUATSIMD_OK);
        HOLDS(f, first, memcmp(slice, full + 4 * first, 16 * n) == 0);
        HOLDS(f, first, untouched(slice + 4 * n, 16 * (N - n)));
      }
    free(packed), free(full), free(slice);
  }
}

/* ---- invalid quaternions ---- */

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

/* What packing must do to the array in `invalid_too`: what it does to this one. */
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

static void invalid_ones_are_replaced(void **state) {
  (void)state;
  enum { N = 43 };
  FOR_EACH_FORMAT(f) {
    bool is_invalid[N] = {false};
    float *quats = random_quats(N, 7);
    check_replaced(f, quats, N, is_invalid, false);
    for (size_t at = 0; at < N; at++) { /* one, at every place */
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

/* Valid ones do not look like the identity after packing, so that the test above tells them apart. */
static void every_kind_of_invalid_is_invalid(void **state) {
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

static void lengths_are_valid_up_to_the_borders(void **state) {
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

static bool plainly_valid(const float *q) { /* for lengths that are not near a border */
  const double n2 = ((double)q[0] * q[0] + (double)q[1] * q[1]) + ((double)q[2] * q[2] + (double)q[3] * q[3]);
  return n2 >= 0x1p-64 && n2 <= 0x1p64;
}

static size_t plain_find_invalid(const float *q, size_t count, size_t from) {
  for (; from < count; from++)
    if (!plainly_valid(q + 4 * from)) return from;
  return count;
}

static void find_invalid_finds_the_first(void **state) {
  (void)state;
  static const listed as = {(quatsimd_format)0, "find_invalid", 0, 0};
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
  /* every kind in every lane */
  for (size_t kind = 0; kind < INVALID; kind++)
    for (size_t at = 0; at < 40; at++) {
      float *quats = random_quats(40, kind);
      memcpy(quats + 4 * at, invalid[kind], 16);
      for (size_t from = 0; from <= 40; from++)
        HOLDS(&as, at, quatsimd_find_invalid(quatsimd_aos(quats), 40, from) == (from <= at ? at : 40));
      free(quats);
    }
}

/* The documentation's loop over all invalid ones finds as many as there are. */
static void find_invalid_counts_all(void **state) {
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

/* ---- values ---- */

static void length_does_not_count(void **state) {
  (void)state;
  enum { N = 40 };
  float *quats = random_quats(N, 13), *longer = filled(16 * N), *a = filled(16 * N), *b = filled(16 * N);
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, N);
    unsigned char *expected = filled(size), *got = filled(size);
    HOLDS(f, 0, quatsimd_pack(f->format, expected, size, quatsimd_aos(quats), N) == QUATSIMD_OK);
    for (int e = -31; e <= 31; e++) { /* powers of two scale every step of the arithmetic exactly */
      for (size_t i = 0; i < 4 * N; i++) longer[i] = ldexpf(quats[i], e);
      HOLDS(f, e, quatsimd_pack(f->format, got, size, quatsimd_aos(longer), N) == QUATSIMD_OK);
      /* which copies unit quaternions and normalises the others */
      if (f->format != QUATSIMD_FORMAT_FLOAT4) {
        HOLDS(f, e, memcmp(got, expected, size) == 0);
        continue;
      }
      HOLDS(f, e, quatsimd_unpack(f->format, quatsimd_aos_out(a), expected, size, 0, N) == QUATSIMD_OK);
      HOLDS(f, e, quatsimd_unpack(f->format, quatsimd_aos_out(b), got, size, 0, N) == QUATSIMD_OK);
      for (size_t i = 0; i < 4 * N; i++) HOLDS(f, e, fabsf(a[i] - b[i]) <= 3e-7f);
    }
    free(expected), free(got);
  }
  free(quats), free(longer), free(a), free(b);
}

/* q and -q are one rotation: most formats pack them to one word, the others keep the sign. Which are the others,
 * tests/model/model.py knows. */
static void sign_does_not_count(void **state) {
  (void)state;
  enum { N = 40 };
  float *quats = random_quats(N, 17), *negated = filled(16 * N), *a = filled(16 * N), *b = filled(16 * N);
  for (size_t i = 0; i < 4 * N; i++) negated[i] = -quats[i];
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, N);
    unsigned char *of_quats = filled(size), *of_negated = filled(size);
    HOLDS(f, 0, quatsimd_pack(f->format, of_quats, size, quatsimd_aos(quats), N) == QUATSIMD_OK);
    HOLDS(f, 0, quatsimd_pack(f->format, of_negated, size, quatsimd_aos(negated), N) == QUATSIMD_OK);
    word turned;
    HOLDS(f, 0, pack_one(f, &turned, 0, 0, 0, -1) == QUATSIMD_OK);
    HOLDS(f, 0,
          quatsimd_unpack(f->format, quatsimd_aos_out(a), turned.bytes, sizeof turned.bytes, 0, 1) ==
              QUATSIMD_OK);
    const bool keeps_sign = a[3] < 0;
    HOLDS(f, 0, (memcmp(of_quats, of_negated, size) != 0) == keeps_sign);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(a), of_quats, size, 0, N) == QUATSIMD_OK);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(b), of_negated, size, 0, N) == QUATSIMD_OK);
    for (size_t i = 0; i < N; i++) {
      double dot = 0, same = 0;
      for (size_t c = 4 * i; c < 4 * i + 4; c++) dot += (double)a[c] * b[c], same += (double)a[c] * quats[c];
      HOLDS(f, i, keeps_sign ? dot < -0.99 && same > 0.99 : dot > 0.999999 && fabs(same) > 0.97);
    }
    free(of_quats), free(of_negated);
  }
  free(quats), free(negated), free(a), free(b);
}

static void zeros_of_both_signs(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    word plus, minus;
    float q[4];
    HOLDS(f, 0, pack_one(f, &plus, 0, 0, 0, 1) == QUATSIMD_OK);
    HOLDS(f, 0, pack_one(f, &minus, -0.f, -0.f, -0.f, 1) == QUATSIMD_OK);
    if (f->format != QUATSIMD_FORMAT_FLOAT4 && f->format != QUATSIMD_FORMAT_HALF4) {
      HOLDS(f, 0, memcmp(&plus, &minus, sizeof plus) == 0);
      continue;
    }
    HOLDS(f, 0,
          quatsimd_unpack(f->format, quatsimd_aos_out(q), minus.bytes, f->bits / 8, 0, 1) == QUATSIMD_OK);
    const float expected[4] = {-0.f, -0.f, -0.f, 1};
    HOLDS(f, 0, same_quat(q, expected));
  }
  /* -0 is not negative, a denormal number below zero is */
  const listed *snorm = listed_as(QUATSIMD_FORMAT_SNORM16X3);
  /* 19660, 26214 */
  const unsigned char positive[6] = {0xcc, 0x4c, 0x66, 0x66, 0, 0},
                      negative[6] = {0x34, 0xb3, 0x9a, 0x99, 0, 0};
  static const struct {
    float w;
    bool negative;
  } cases[] = {{0, false},         {-0.f, false},      {0x1p-140f, false},
               {-0x1p-140f, true}, {-0x1p-149f, true}, {-0x1p-30f, true}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    word got;
    HOLDS(snorm, i, pack_one(snorm, &got, 0.6f, 0.8f, 0, cases[i].w) == QUATSIMD_OK);
    HOLDS(snorm, i, memcmp(got.bytes, cases[i].negative ? negative : positive, 6) == 0);
  }
}

static void identity_is_exact_where_promised(void **state) {
  (void)state;
  enum { N = 37 };
  FOR_EACH_FORMAT(f) for (size_t n = 1; n <= N; n += N - 1) {
    const size_t size = quatsimd_packed_size(f->format, n);
    float *quats = filled(16 * n);
    unsigned char *packed = filled(size);
    for (size_t i = 0; i < n; i++) memcpy(quats + 4 * i, identity, 16);
    HOLDS(f, n, quatsimd_pack(f->format, packed, size, quatsimd_aos(quats), n) == QUATSIMD_OK);
    memset(quats, FILL, 16 * n);
    HOLDS(f, n, quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, size, 0, n) == QUATSIMD_OK);
    for (size_t i = 0; i < n; i++) {
      HOLDS(f, i,
            same_quat(quats + 4 * i, identity) == (quatsimd_get_format_info(f->format)->exact_identity == 1));
      HOLDS(f, i, quats[4 * i + 3] > 0.99f);
    }
    free(quats), free(packed);
  }
}

static void known_answers(void **state) {
  (void)state;
  word got;
  /* just below a half before rounding: adding 0.5 in float would round it up */
  assert_int_equal(pack_one(listed_as(QUATSIMD_FORMAT_SNORM16X3), &got, 0x1.8003p-17f, 0, 0, 0.75f),
                   QUATSIMD_OK);
  assert_true(got.bytes[0] == 0 && got.bytes[1] == 0);
  assert_int_equal(pack_one(listed_as(QUATSIMD_FORMAT_VERTEX32), &got, 0x1.02048ap-8f, 0, 0, 1), QUATSIMD_OK);
  assert_memory_equal(got.bytes, ((const unsigned char[]){0, 0, 0, 0x7f}), 4);

  /* w depends on the order of the sum and on nothing being fused */
  const uint64_t code = UINT64_C(0x309828c2af41);
  const float expected[4] = {-0x1.5c9ff2p-1f, 0, -0x1.06f2fep-1f, 0x1.0b531ep-1f};
  unsigned char packed[6];
  for (int i = 0; i < 6; i++) packed[i] = (unsigned char)(code >> 8 * i);
  float q[4];
  assert_int_equal(quatsimd_unpack(QUATSIMD_FORMAT_SMALLEST3_48, quatsimd_aos_out(q), packed, 6, 0, 1),
                   QUATSIMD_OK);
  assert_true(same_quat(q, expected));
  assert_int_equal(quatsimd_unpack(QUATSIMD_FORMAT_SMALLEST3(15), quatsimd_aos_out(q), packed, 6, 0, 1),
                   QUATSIMD_OK);
  assert_true(same_quat(q, expected));
}

static void any_bytes_are_unit_quaternions(void **state) {
  (void)state;
  enum { N = 20011 };
  float *quats = filled(16 * N);
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, N);
    unsigned char *packed = random_bytes(size);
    memset(packed, 0, 64), memset(packed + 64, 0xff, 64);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, size, 0, N) == QUATSIMD_OK);
    for (size_t i = 0; i < N; i++) {
      double n2 = 0;
      for (size_t c = 4 * i; c < 4 * i + 4; c++) n2 += (double)quats[c] * quats[c];
      HOLDS(f, i, fabs(sqrt(n2) - 1) <= 4e-7); /* false for NaN */
    }
    free(packed);
  }
  free(quats);
}

/* The worst error that the info gives bounds what comes back. */
static void round_trips_are_as_good_as_said(void **state) {
  (void)state;
  enum { N = 1000 };
  float *quats = random_quats(N, 23), *back = filled(16 * N);
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, N);
    unsigned char *packed = filled(size);
    HOLDS(f, 0, quatsimd_pack(f->format, packed, size, quatsimd_aos(quats), N) == QUATSIMD_OK);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(back), packed, size, 0, N) == QUATSIMD_OK);
    for (size_t i = 0; i < N; i++) {
      double dot = 0, chord2 = 0;
      for (size_t c = 4 * i; c < 4 * i + 4; c++) dot += (double)quats[c] * back[c];
      for (size_t c = 4 * i; c < 4 * i + 4; c++) {
        const double d = (double)quats[c] - (dot < 0 ? -(double)back[c] : (double)back[c]);
        chord2 += d * d;
      }
      HOLDS(f, i, 4 * asin(sqrt(chord2) / 2) <= quatsimd_get_format_info(f->format)->worst_error + 1e-6);
    }
    free(packed);
  }
  free(quats), free(back);
}

/* Every format to every other: what unpacking and packing give, and errors before anything is written. */
static void transcode_is_unpack_and_pack(void **state) {
  (void)state;
  enum { N = 2 * 256 + 13 };
  float *quats = random_quats(N, 29), *floats = filled(16 * N);
  unsigned char *from = filled(16 * N), *expected = filled(16 * N), *to = filled(16 * N + 1);
  FOR_EACH_FORMAT(f) {
    const size_t from_size = quatsimd_packed_size(f->format, N);
    HOLDS(f, 0, quatsimd_pack(f->format, from, from_size, quatsimd_aos(quats), N) == QUATSIMD_OK);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(floats), from, from_size, 0, N) == QUATSIMD_OK);
    for (const listed *t = formats; t < formats + FORMATS; t++) {
      const size_t size = quatsimd_packed_size(t->format, N);
      HOLDS(t, 0, quatsimd_pack(t->format, expected, size, quatsimd_aos(floats), N) == QUATSIMD_OK);
      memset(to, 0xa5, 16 * N + 1);
      HOLDS(t, 1,
            quatsimd_transcode(t->format, to, size - 1, f->format, from, from_size, N) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(t, 2,
            quatsimd_transcode(t->format, to, size, f->format, from, from_size - 1, N) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(t, 3,
            quatsimd_transcode(t->format, NULL, size, f->format, from, from_size, N) ==
                QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(t, 4,
            quatsimd_transcode(t->format, to, size, f->format, NULL, from_size, N) ==
                QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(t, 5,
            quatsimd_transcode((quatsimd_format)0, to, size, f->format, from, from_size, N) ==
                QUATSIMD_ERROR_BAD_FORMAT);
      HOLDS(t, 6,
            quatsimd_transcode(t->format, to, size, (quatsimd_format)0, from, from_size, N) ==
                QUATSIMD_ERROR_BAD_FORMAT);
      HOLDS(t, 7, quatsimd_transcode(t->format, NULL, 0, f->format, NULL, 0, 0) == QUATSIMD_OK);
      HOLDS(t, 8, to[0] == 0xa5 && memcmp(to, to + 1, 16 * N) == 0);
      HOLDS(t, 9, quatsimd_transcode(t->format, to, size, f->format, from, from_size, N) == QUATSIMD_OK);
      HOLDS(t, 10, to[size] == 0xa5);
      HOLDS(t, 11, memcmp(to, expected, size) == 0);
    }
  }
  free(quats), free(floats), free(from), free(expected), free(to);
}

/* Straight to shorts: within 1 of unpacking and packing, and errors before anything is written. */
static void meshopt_goes_to_shorts(void **state) {
  (void)state;
  enum { N = 2 * 256 + 13, SIZE = 8 * N };
  float *quats = random_quats(N, 31);
  unsigned char *from = filled(SIZE), *expected = filled(SIZE), *to = filled(SIZE + 1);
  size_t different = 0;
  for (int bits = 4; bits <= 16; bits++) {
    const listed *f = listed_as(QUATSIMD_FORMAT_MESHOPT(bits));
    HOLDS(f, 0, quatsimd_pack(f->format, from, SIZE, quatsimd_aos(quats), N) == QUATSIMD_OK);
    HOLDS(f, 1,
          quatsimd_transcode(QUATSIMD_FORMAT_SNORM16X4, expected, SIZE, f->format, from, SIZE, N) ==
              QUATSIMD_OK);
    memset(to, FILL, SIZE + 1);
    HOLDS(f, 2, quatsimd_meshopt_to_snorm16x4(to, SIZE - 1, from, SIZE, N) == QUATSIMD_ERROR_SHORT_BUFFER);
    HOLDS(f, 3, quatsimd_meshopt_to_snorm16x4(to, SIZE, from, SIZE - 1, N) == QUATSIMD_ERROR_SHORT_BUFFER);
    HOLDS(f, 4,
          quatsimd_meshopt_to_snorm16x4(to, SIZE_MAX, from, SIZE_MAX, SIZE_MAX / 8 + 1) ==
              QUATSIMD_ERROR_SHORT_BUFFER);
    HOLDS(f, 5, quatsimd_meshopt_to_snorm16x4(NULL, SIZE, from, SIZE, N) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 6, quatsimd_meshopt_to_snorm16x4(to, SIZE, NULL, SIZE, N) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 7, quatsimd_meshopt_to_snorm16x4(NULL, 0, NULL, 0, 0) == QUATSIMD_OK);
    HOLDS(f, 8, untouched(to, SIZE + 1));
    HOLDS(f, 9, quatsimd_meshopt_to_snorm16x4(to, SIZE, from, SIZE, N) == QUATSIMD_OK);
    HOLDS(f, 10, untouched(to + SIZE, 1));
    for (size_t i = 0; i < 4 * N; i++) {
      int16_t a, b;
      memcpy(&a, to + 2 * i, 2), memcpy(&b, expected + 2 * i, 2);
      HOLDS(f, i, abs(a - b) <= 1);
      different += a != b;
    }
    unsigned char *some = filled(SIZE);
    for (size_t n = 0; n <= 40; n++) {
      HOLDS(f, n, quatsimd_meshopt_to_snorm16x4(some, 8 * n, from, 8 * n, n) == QUATSIMD_OK);
      HOLDS(f, n, memcmp(some, to, 8 * n) == 0 && untouched(some + 8 * n, 8));
    }
    free(some);
  }
  assert_true(different > 0);
  free(quats), free(from), free(expected), free(to);
}

int main(void) {
  skip_other_kernels();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formats_come_in_order),
      cmocka_unit_test(names_round_trip),
      cmocka_unit_test(unknown_names_are_refused),
      cmocka_unit_test(format_info_is_complete),
      cmocka_unit_test(numbers_are_those_of_the_header),
      cmocka_unit_test(unknown_formats_are_refused),
      cmocka_unit_test(all_other_small_numbers_are_unknown),
      cmocka_unit_test(texts_are_there),
      cmocka_unit_test(packed_size_is_exact),
      cmocka_unit_test(null_pointers_are_refused),
      cmocka_unit_test(bad_strides_are_refused),
      cmocka_unit_test(nothing_is_fine),
      cmocka_unit_test(short_buffers_are_refused),
      cmocka_unit_test(impossible_counts_are_refused),
      cmocka_unit_test(first_error_wins),
      cmocka_unit_test(nothing_behind_is_touched),
      cmocka_unit_test(packed_data_needs_no_alignment),
      cmocka_unit_test(soa_is_aos),
      cmocka_unit_test(strided_is_aos_and_leaves_the_gaps_alone),
      cmocka_unit_test(unpack_at_is_a_slice),
      cmocka_unit_test(unpack_at_reaches_far),
      cmocka_unit_test(invalid_ones_are_replaced),
      cmocka_unit_test(every_kind_of_invalid_is_invalid),
      cmocka_unit_test(lengths_are_valid_up_to_the_borders),
      cmocka_unit_test(find_invalid_finds_the_first),
      cmocka_unit_test(find_invalid_counts_all),
      cmocka_unit_test(length_does_not_count),
      cmocka_unit_test(sign_does_not_count),
      cmocka_unit_test(zeros_of_both_signs),
      cmocka_unit_test(identity_is_exact_where_promised),
      cmocka_unit_test(known_answers),
      cmocka_unit_test(any_bytes_are_unit_quaternions),
      cmocka_unit_test(round_trips_are_as_good_as_said),
      cmocka_unit_test(transcode_is_unpack_and_pack),
      cmocka_unit_test(meshopt_goes_to_shorts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
