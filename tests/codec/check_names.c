/* Tests the numbers and names of formats, and the name of the active kernels. */
#include "checks.h"
#include "fixture.h"

#include "core/dispatch.h"

#include <ctype.h>
#include <limits.h>

void formats_come_in_order(void **state) {
  (void)state;
  quatsimd_format format;
  for (size_t i = 0; i < FORMATS; i++) {
    HOLDS(&formats[i], i, quatsimd_format_at(&format, i) == QUATSIMD_OK);
    HOLDS(&formats[i], format, format == formats[i].format);
  }
  format = QUATSIMD_FORMAT_CUBE32;
  assert_int_equal(quatsimd_format_at(&format, FORMATS), QUATSIMD_ERROR_BAD_FORMAT);
  assert_int_equal(quatsimd_format_at(&format, SIZE_MAX), QUATSIMD_ERROR_BAD_FORMAT);
  assert_int_equal(format, QUATSIMD_FORMAT_CUBE32);
  assert_int_equal(quatsimd_format_at(NULL, 0), QUATSIMD_ERROR_BAD_ARGUMENT);
}

void names_round_trip(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    quatsimd_format format = (quatsimd_format)0;
    HOLDS(f, 0, quatsimd_format_from_name(&format, f->name) == QUATSIMD_OK && format == f->format);
    HOLDS(f, 0, strcmp(quatsimd_get_format_info(f->format)->name, f->name) == 0);
  }
}

/* Only this test notices if a line of formats.def has the enum value of another format. */
void numbers_are_of_their_names(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    char id[64] = "QUATSIMD_FORMAT_";
    size_t n = strlen(id);
    for (const char *c = f->name; *c; c++) id[n++] = *c == ':' ? '(' : (char)toupper((unsigned char)*c);
    if (strchr(f->name, ':')) id[n++] = ')';
    id[n] = 0;
    HOLDS(f, 0, strcmp(f->id, id) == 0);
  }
}

void unknown_names_are_refused(void **state) {
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
    if (quatsimd_format_from_name(&format, names[i]) != QUATSIMD_ERROR_BAD_FORMAT)
      fail_msg("\"%s\" is known", names[i]);
    assert_int_equal(format, QUATSIMD_FORMAT_HALF4);
  }
  quatsimd_format format = QUATSIMD_FORMAT_HALF4;
  assert_int_equal(quatsimd_format_from_name(&format, NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_format_from_name(NULL, "cube32"), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_format_from_name(NULL, NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(format, QUATSIMD_FORMAT_HALF4);
}

void format_info_is_complete(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    const quatsimd_format_info *info = quatsimd_get_format_info(f->format);
    HOLDS(f, 0, info != NULL);
    HOLDS(f, info->bits, info->bits == f->bits);
    HOLDS(f, 0, info->origin && info->origin[0] != 0);
    HOLDS(f, info->exact_identity, info->exact_identity == f->exact_identity);
    /* test_error.c compares these errors with measured ones */
    HOLDS(f, 0, info->mean_error >= 0 && info->mean_error < info->worst_error && info->worst_error < 1);
    HOLDS(f, 0, info == quatsimd_get_format_info(f->format)); /* all calls return the same pointer */
  }
  for (unsigned b = 5; b <= 20; b++) {
    const quatsimd_format_info *fewer = quatsimd_get_format_info(QUATSIMD_FORMAT_SMALLEST3(b - 1));
    const quatsimd_format_info *info = quatsimd_get_format_info(QUATSIMD_FORMAT_SMALLEST3(b));
    const quatsimd_format_info *mirage = quatsimd_get_format_info(QUATSIMD_FORMAT_MIRAGE(b));
    assert_true(info->worst_error < fewer->worst_error && info->mean_error < fewer->mean_error);
    assert_true(info->worst_error == mirage->worst_error && info->mean_error == mirage->mean_error);
  }
}

void numbers_are_those_of_the_header(void **state) {
  (void)state;
  assert_int_equal(QUATSIMD_FORMAT_SMALLEST3(4), 0x104);
  assert_int_equal(QUATSIMD_FORMAT_SMALLEST3(20), 0x114);
  assert_int_equal(QUATSIMD_FORMAT_MIRAGE(4), 0x204);
  assert_int_equal(QUATSIMD_FORMAT_MIRAGE(20), 0x214);
  /* the formats of lattices, 10 to 13, come first in the list */
  for (int i = 0; formats[i].format < QUATSIMD_FORMAT_SMALLEST3_ANY; i++)
    assert_int_equal(formats[i].format, i < 4 ? i + 10 : i < 13 ? i - 3 : i + 1);
}

/* Bindings of other languages call functions in place of macros. Both give the same format numbers. */
void functions_give_formats_by_their_bits(void **state) {
  (void)state;
  for (unsigned bits = 0; bits <= 0x204; bits++) {
    const bool three = bits >= 4 && bits <= 20, meshopt = bits >= 4 && bits <= 16;
    assert_int_equal(quatsimd_format_smallest3(bits), three ? 0x100 + bits : 0x100);
    assert_int_equal(quatsimd_format_mirage(bits), three ? 0x200 + bits : 0x200);
    assert_int_equal(quatsimd_format_meshopt(bits), meshopt ? 0x300 + bits : 0x300);
  }
  assert_int_equal(quatsimd_format_smallest3(UINT_MAX), 0x100);
  assert_int_equal(quatsimd_format_mirage(UINT_MAX - 0xff + 9), 0x200);
}

static const long long unknown_formats[] = {0,       31,    32,    33,    0x7f,       0xff,      0x100,
                                            0x103,   0x115, 0x11f, 0x120, 0x1ff,      0x200,     0x204 - 1,
                                            0x215,   0x300, 0x303, 0x311, 0x31f,      0x400,     0x404,
                                            0x10004, -1,    -2,    -252,  0x7fffffff, INT32_MIN, 0x40000009};
enum { UNKNOWN_FORMATS = sizeof unknown_formats / sizeof unknown_formats[0] };

void unknown_formats_are_refused(void **state) {
  (void)state;
  float quats[8 * 4];
  unsigned char packed[8 * 16];
  for (size_t i = 0; i < UNKNOWN_FORMATS; i++) {
    const quatsimd_format format = (quatsimd_format)unknown_formats[i];
    const listed as = {format, "unknown format", 0, 0, NULL};
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

void all_other_small_numbers_are_unknown(void **state) {
  (void)state;
  for (int n = 0; n < 0x1000; n++) {
    bool is_listed = false;
    FOR_EACH_FORMAT(f) is_listed = is_listed || f->format == (quatsimd_format)n;
    if ((quatsimd_get_format_info((quatsimd_format)n) != NULL) != is_listed)
      fail_msg("format number %#x", (unsigned)n);
  }
}

void kernels_have_a_name(void **state) {
  (void)state;
  bool known = false;
  assert_non_null(quatsimd_isa());
  for (const quatsimd_kernels *const *k = quatsimd_kernel_list; *k; k++)
    known = known || strcmp(quatsimd_isa(), (*k)->name) == 0;
  assert_true(known);
  print_message("kernels in use: %s\n", quatsimd_isa());
}
