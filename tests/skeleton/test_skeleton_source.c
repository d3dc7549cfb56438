/* Tests the encoder of skeletons: sources that it refuses, its reports, and the memory that it takes. */
#include "fixture.h"

#include "support/counted.h"

typedef struct outcome {
  quatsimd_status status;
  quatsimd_skeleton_report report;
} outcome;

static outcome encode(const quatsimd_skeleton_source *source) {
  outcome o;
  void *data = &o;
  size_t size = 17;
  quatsimd_skeleton_report_init(&o.report, sizeof o.report);
  o.status = quatsimd_skeleton_encode(&data, &size, source, NULL, &o.report);
  assert_true((o.status == QUATSIMD_OK) == (data != &o) && (o.status == QUATSIMD_OK) == (size != 17));
  assert_true((o.status == QUATSIMD_OK) == (o.report.error == NULL));
  if (o.status == QUATSIMD_OK) quatsimd_skeleton_free(NULL, data);
  return o;
}

static void expect(const quatsimd_skeleton_source *source, quatsimd_status status, size_t joint, size_t track,
                   const char *part) {
  const outcome o = encode(source);
  assert_int_equal(o.status, status);
  assert_true(o.report.joint == joint && o.report.track == track);
  if (!strstr(o.report.error, part)) fail_msg("\"%s\" says nothing of %s", o.report.error, part);
}

static void names_that_are_not_utf8(void **state) {
  (void)state;
  static const char *const bad[] = {"\x80",
                                    "a\xbf",
                                    "\xc0\x80",
                                    "\xc1\xbf",
                                    "\xc2",
                                    "\xc2g",
                                    "\xc3\xc0",
                                    "\xe0\x9f\xbf",
                                    "\xe1\x80",
                                    "\xe1\x80g",
                                    "\xed\xa0\x80",
                                    "\xed\xbf\xbf",
                                    "\xf0\x8f\xbf\xbf",
                                    "\xf0\x90\x80",
                                    "\xf1\x80\x80g",
                                    "\xf4\x90\x80\x80",
                                    "\xf5\x80\x80\x80",
                                    "\xfe",
                                    "\xff"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    made_skeleton s;
    made_arm(&s);
    s.joint[1].name = bad[i];
    expect(&s.source, QUATSIMD_ERROR_BAD_JOINT, 1, SIZE_MAX, "UTF-8");
    s.joint[1].name = "", s.track[1] = bad[i];
    expect(&s.source, QUATSIMD_ERROR_BAD_JOINT, SIZE_MAX, 1, "UTF-8");
    made_free(&s);
  }
}

/* The encoder accepts all characters in UTF-8 except surrogates, and refuses other bytes. */
static void all_of_utf8(void **state) {
  (void)state;
  made_skeleton s;
  size_t good = 0;
  char name[5] = {0};
  made_empty(&s, 1, 0, 0);
  s.joint[0].name = name;
  for (unsigned c = 1; c < 0x110000; c += c < 0x3000 || (c > 0xd700 && c < 0xe100) ? 1 : 61) {
    const unsigned bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char mark[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (unsigned i = 0; i < bytes; i++)
      name[bytes - 1 - i] = (char)(i + 1 < bytes ? 0x80 | (c >> 6 * i & 63) : mark[bytes] | c >> 6 * i);
    name[bytes] = 0;
    const bool surrogate = c >= 0xd800 && c < 0xe000;
    assert_int_equal(encode(&s.source).status, surrogate ? QUATSIMD_ERROR_BAD_JOINT : QUATSIMD_OK);
  }
  for (unsigned c = 0; c < 0x10000; c++) { /* e and any two bytes after it */
    name[0] = 'e', name[1] = (char)(c >> 8), name[2] = (char)c, name[3] = 0;
    good += encode(&s.source).status == QUATSIMD_OK;
  }
  /* after e: NUL and any byte; an ASCII character and ASCII or NUL; a character of two bytes */
  assert_int_equal(good, 256 + 127 * 128 + 30 * 64);
  made_free(&s);
}

static void joints_that_are_refused(void **state) {
  (void)state;
  made_skeleton s;
  made_arm(&s);
  const int64_t parents[] = {2, 3, 4, 100, -2, INT64_MIN, INT64_MAX, 65536, 0xffff};
  for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
    s.joint[2].parent = parents[i];
    expect(&s.source, QUATSIMD_ERROR_BAD_JOINT, 2, SIZE_MAX, "parent");
  }
  s.joint[2].parent = 1;
  const float bad[] = {(float)NAN, (float)INFINITY, -(float)INFINITY};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct {
      float *at;
      int count;
      const char *part;
    } where[] = {{s.joint[2].rotation, 4, "rotation has"},
                 {s.joint[2].translation, 3, "translation has"},
                 {s.joint[2].scale, 3, "scale has"},
                 {s.matrix[2], 12, "matrix has"}};
    for (int kind = 0; kind < 4; kind++)
      for (int c = 0; c < where[kind].count; c++) {
        const float kept = where[kind].at[c];
        where[kind].at[c] = bad[i];
        expect(&s.source, QUATSIMD_ERROR_BAD_JOINT, 2, SIZE_MAX, where[kind].part);
        where[kind].at[c] = kept;
      }
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    s.track_rest[1] = bad[i];
    expect(&s.source, QUATSIMD_ERROR_BAD_JOINT, SIZE_MAX, 1, "rest is");
  }
  s.track_rest[1] = 0;
  const float lengths[] = {0, 0x1p-33f, 0x1.fffffep-33f, 0x1.000002p32f, 0x1.8p32f, 3e38f};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    s.joint[2].rotation[3] = lengths[i];
    expect(&s.source, QUATSIMD_ERROR_BAD_JOINT, 2, SIZE_MAX, "length");
  }
  s.joint[2].rotation[3] = 0x1p-32f;
  assert_int_equal(encode(&s.source).status, QUATSIMD_OK);
  s.joint[2].rotation[3] = -0x1p32f;
  assert_int_equal(encode(&s.source).status, QUATSIMD_OK);
  made_free(&s);
}

/* An allocator without its functions is refused before it is used. Freeing nothing with it is no error. */
static void allocators_without_functions(void **state) {
  (void)state;
  made_skeleton s;
  made_arm(&s);
  const quatsimd_allocator none = {NULL, NULL, NULL};
  quatsimd_skeleton_report report;
  void *data = NULL;
  size_t size = 17;
  quatsimd_skeleton_report_init(&report, sizeof report);
  assert_int_equal(quatsimd_skeleton_encode(&data, &size, &s.source, &none, &report),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_string_equal(report.error, "allocate or release of the allocator is null");
  assert_true(!data && size == 17);
  quatsimd_skeleton_free(&none, data);
  made_free(&s);
}

static void arguments_that_are_refused(void **state) {
  (void)state;
  made_skeleton s;
  made_arm(&s);
  s.joint[3].name = NULL;
  expect(&s.source, QUATSIMD_ERROR_BAD_ARGUMENT, 3, SIZE_MAX, "null");
  s.joint[3].name = "", s.track[0] = NULL;
  expect(&s.source, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, 0, "null");
  s.track[0] = "";
  const double metres[] = {-1, -0.0, (double)NAN, (double)INFINITY, -(double)INFINITY};
  for (size_t i = 0; i < sizeof metres / sizeof *metres; i++) {
    s.source.metres = metres[i];
    expect(&s.source, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "metres");
  }
  s.source.metres = 1;
  quatsimd_skeleton_source source = s.source;
  source.joints = NULL;
  expect(&source, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "joints is null");
  source.joint_count = 0;
  assert_int_equal(encode(&source).status, QUATSIMD_OK);
  source.track_names = NULL;
  expect(&source, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "track_names is null");
  source.track_count = 0;
  assert_int_equal(encode(&source).status, QUATSIMD_OK);
  expect(NULL, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "source");
  void *data = NULL;
  size_t size = 17;
  REFUSED(quatsimd_skeleton_encode(NULL, &size, &s.source, NULL, NULL));
  REFUSED(quatsimd_skeleton_encode(&data, NULL, &s.source, NULL, NULL));
  REFUSED(quatsimd_skeleton_encode(&data, &size, NULL, NULL, NULL));
  assert_true(data == NULL && size == 17);
  made_free(&s);
}

static void too_many(void **state) {
  (void)state;
  enum { MOST = QUATSIMD_SKELETON_MOST };
  made_skeleton s;
  made_empty(&s, MOST + 1, MOST + 1, 0);
  expect(&s.source, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "joints");
  s.source.joint_count = MOST;
  expect(&s.source, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "tracks");
  s.source.track_count = MOST;
  assert_int_equal(encode(&s.source).status, QUATSIMD_OK);
  s.source.joint_count = SIZE_MAX;
  expect(&s.source, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "joints");
  made_free(&s);
}

/* All joints share one name, so that this test needs little memory. It takes seconds. */
static void too_large(void **state) {
  (void)state;
  enum { MOST = QUATSIMD_SKELETON_MOST };
  made_skeleton s;
  made_empty(&s, MOST, 0, 0);
  char *name = malloc(65537);
  assert_non_null(name);
  memset(name, 'n', 65536), name[65536] = 0;
  for (size_t j = 0; j < MOST; j++) s.joint[j].name = name;
  expect(&s.source, QUATSIMD_ERROR_BAD_ARGUMENT, 65535, SIZE_MAX, "2^32");
  name[65534] = 0; /* names take 2^32 - 65,536 bytes, which leaves too little for the other parts */
  expect(&s.source, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "2^32");
  free(name);
  made_free(&s);
}

/* ---- memory ---- */

static void memory_of_the_encoder(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "body");
  counted_memory c = {0};
  const quatsimd_allocator allocator = counted_allocator(&c);
  void *data = NULL;
  size_t size = 17;
  assert_int_equal(quatsimd_skeleton_encode(&data, &size, &f.made.source, &allocator, NULL), QUATSIMD_OK);
  assert_true(c.asked == 1 && c.pieces == 1 && c.bytes == size);
  assert_int_equal(size, f.size), assert_memory_equal(data, f.data, size);
  quatsimd_skeleton_free(&allocator, data);
  assert_int_equal(c.pieces, 0);
  quatsimd_skeleton_report report;
  quatsimd_skeleton_report_init(&report, sizeof report);
  c.to = SIZE_MAX, data = NULL, size = 17;
  assert_int_equal(quatsimd_skeleton_encode(&data, &size, &f.made.source, &allocator, &report),
                   QUATSIMD_ERROR_NO_MEMORY);
  assert_true(data == NULL && size == 17 && report.error == NULL);
  fixture_free(&f);
}

static void reports_may_grow(void **state) {
  (void)state;
  struct {
    quatsimd_skeleton_report known;
    double more[4];
  } later;
  const size_t sizes[] = {0, 1, sizeof later.known - 1, 4097, SIZE_MAX};
  void *data = NULL;
  size_t size;
  made_skeleton s;
  made_arm(&s);
  REFUSED(quatsimd_skeleton_report_init(NULL, sizeof later.known));
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    memset(&later, FILL, sizeof later);
    REFUSED(quatsimd_skeleton_report_init(&later.known, sizes[i]));
    assert_true(filled(&later, sizeof later));
    later.known.struct_size = sizes[i];
    REFUSED(quatsimd_skeleton_encode(&data, &size, &s.source, NULL, &later.known));
    assert_true(filled(&later.known.joint, sizeof later - sizeof(size_t)) && data == NULL);
  }
  assert_int_equal(quatsimd_skeleton_report_init(&later.known, sizeof later), QUATSIMD_OK);
  later.more[3] = 1;
  s.joint[1].parent = 1;
  assert_int_equal(quatsimd_skeleton_encode(&data, &size, &s.source, NULL, &later.known),
                   QUATSIMD_ERROR_BAD_JOINT);
  assert_true(later.known.joint == 1 && later.known.struct_size == sizeof later && later.more[3] == 1);
  made_free(&s);
}

/* ---- the hash ---- */

static uint64_t hash_of(const made_skeleton *s) {
  fixture f = {.name = "hash", .made = *s};
  fixture_encode(&f);
  const uint64_t hash = quatsimd_skeleton_hash(f.skeleton);
  quatsimd_skeleton_free(NULL, f.data);
  return hash;
}

static void names_and_parents_alone_make_the_hash(void **state) {
  (void)state;
  made_skeleton s;
  made_arm(&s);
  const uint64_t hash = hash_of(&s);
  s.joint[1].translation[0] = 9, s.joint[2].rotation[0] = 1, s.joint[3].scale[1] = 0;
  s.joint[0].inverse_bind = s.matrix[0], s.joint[2].inverse_bind = NULL;
  s.source.metres = 0;
  assert_int_equal(hash_of(&s), hash);
  s.joint[3].parent = 1;
  assert_int_not_equal(hash_of(&s), hash);
  s.joint[3].parent = 2, s.joint[0].name = "Shoulder";
  assert_int_not_equal(hash_of(&s), hash);
  s.joint[0].name = "shoulder", s.track[0] = "frown";
  assert_int_not_equal(hash_of(&s), hash);
  s.track[0] = "smile";
  assert_int_equal(hash_of(&s), hash);
  s.source.track_count = 1;
  assert_int_not_equal(hash_of(&s), hash);
  made_free(&s);
}

int main(int argc, char **argv) {
  const struct CMUnitTest large[] = {cmocka_unit_test(too_large)};
  if (argc == 2 && strcmp(argv[1], "--large") == 0)
    return cmocka_run_group_tests_name("large skeletons", large, NULL, NULL);
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_that_are_not_utf8),
                                     cmocka_unit_test(all_of_utf8),
                                     cmocka_unit_test(joints_that_are_refused),
                                     cmocka_unit_test(arguments_that_are_refused),
                                     cmocka_unit_test(allocators_without_functions),
                                     cmocka_unit_test(too_many),
                                     cmocka_unit_test(memory_of_the_encoder),
                                     cmocka_unit_test(reports_may_grow),
                                     cmocka_unit_test(names_and_parents_alone_make_the_hash)};
  return cmocka_run_group_tests_name("skeleton sources", tests, NULL, NULL);
}
