/* Tests sections of later bundles, and sections that are missing, misplaced or damaged. */
#include "build.h"

static const char *const names[] = {"three_frames", "small_uneven", "small", NULL};
#define REQUIRED (1u << 31)

#define OPENS(b) assert_int_equal(build_status(b, true, NULL), QUATSIMD_OK)
#define LATER(b) assert_int_equal(build_status(b, false, NULL), QUATSIMD_ERROR_LATER_VERSION)
#define DAMAGED(b) assert_int_equal(build_status(b, false, NULL), QUATSIMD_ERROR_DAMAGED_BUNDLE)

static void unknown_sections(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  const build good = build_of(&f);
  build b = good;
  OPENS(&b);
  assert_int_equal(good.count, 8);
  build_insert(&b, 8, 9, "later", 5);
  OPENS(&b); /* the section is optional */
  build_insert(&b, 9, 4000, "", 0);
  OPENS(&b);
  b.part[8].type |= REQUIRED;
  LATER(&b);
  /* this version does not know events that are required */
  b = good, b.part[5].type |= REQUIRED;
  LATER(&b);
  b = good, build_remove(&b, 0), build_insert(&b, 7, 77 | REQUIRED, "a skeleton of another kind", 26);
  LATER(&b); /* not DAMAGED, although the skeleton is missing */
  fixture_free(&f);
}

static void missing_sections(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  const build good = build_of(&f);
  for (size_t i = 0; i < good.count; i++) {
    build b = good;
    build_remove(&b, i);
    if (i < 5) DAMAGED(&b);
    else OPENS(&b); /* events, masks and the record of the making are optional */
    b = good, b.part[i].type &= ~REQUIRED;
    /* an optional section does not replace a required one of the same type */
    if (i < 5) DAMAGED(&b);
    b = good, build_insert(&b, i, good.part[i].type, good.part[i].bytes, good.part[i].size);
    DAMAGED(&b); /* the section occurs twice */
  }
  build b = good;
  build_remove(&b, 1), build_insert(&b, 2, good.part[1].type, good.part[1].bytes, good.part[1].size);
  DAMAGED(&b); /* the sections are not in order */
  fixture_free(&f);
}

static void counts(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  const build good = build_of(&f);
  build b = good;
  b.clips = 2;
  DAMAGED(&b);
  b.clips = 4;
  DAMAGED(&b);
  b.clips = QUATSIMD_BUNDLE_MOST + 1;
  DAMAGED(&b);
  for (size_t i = 1; i < 4; i++) /* settings, index and names with one byte too few or too many */
    for (int more = -1; more <= 1; more += 2) {
      char bytes[1000] = {0};
      b = good;
      memcpy(bytes, b.part[i].bytes, b.part[i].size);
      b.part[i].bytes = bytes, b.part[i].size += (size_t)more;
      DAMAGED(&b);
    }
  fixture_free(&f);
}

/* Each section begins at the end of the previous one, rounded up to a multiple of 16. Zeros fill the gap. */
static void places(void **state) {
  (void)state;
  fixture f;
  size_t size;
  fixture_make(&f, names);
  const build b = build_of(&f);
  for (size_t i = 0; i < b.count; i++)
    for (int way = 0; way < 3; way++) {
      unsigned char *bytes = build_bytes(&b, &size),
                    *place = bytes + QSB_HEAD + QSB_ENTRY * i + QSB_ENTRY_PLACE;
      qsb_put(place, qsb_get(place) + (way == 0 ? 16u : way == 1 ? -16u : 0u), 4);
      if (way == 2) place[7] = 0x7f; /* far outside the bundle */
      bundle_bytes_seal(bytes, size);
      assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, bytes, size),
                       QUATSIMD_ERROR_DAMAGED_BUNDLE);
      free(bytes);
    }
  unsigned char *bytes = build_bytes(&b, &size);
  const qsb_part index = qsb_section(bytes, size, QSB_INDEX);
  assert_true(index.size % 16 != 0);
  index.at[index.size] = 1; /* no checksum covers this byte */
  assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, bytes, size), QUATSIMD_OK);
  assert_int_equal(quatsimd_bundle_check(f.bundle, NULL), QUATSIMD_ERROR_DAMAGED_BUNDLE);
  free(bytes);
  fixture_free(&f);
}

/* Opening refuses a bundle with additional zeros before a section or after the last section. */
static void no_gaps(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  const build b = build_of(&f);
  for (size_t i = 0; i <= b.count; i++)
    for (size_t gap = 1; gap <= 16; gap += 15) {
      size_t size;
      unsigned char *bytes = build_bytes(&b, &size), *more = calloc(size + gap, 1);
      assert_non_null(more);
      const size_t at = i < b.count ? qsb_get(bytes + QSB_HEAD + QSB_ENTRY * i + QSB_ENTRY_PLACE) : size;
      memcpy(more, bytes, at), memcpy(more + at + gap, bytes + at, size - at);
      for (size_t k = i; k < b.count; k++) {
        unsigned char *place = more + QSB_HEAD + QSB_ENTRY * k + QSB_ENTRY_PLACE;
        qsb_put(place, qsb_get(place) + gap, 4);
      }
      bundle_bytes_seal(more, size + gap);
      assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, more, size + gap),
                       QUATSIMD_ERROR_DAMAGED_BUNDLE);
      free(bytes), free(more);
    }
  fixture_free(&f);
}

/* Each record has at least one byte and begins after the previous record. */
static void records_in_order(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  build b = build_of(&f);
  unsigned char index[3 * 12];
  const uint32_t second = qsb_get((const unsigned char *)b.part[2].bytes + 12 + 4),
                 third = qsb_get((const unsigned char *)b.part[2].bytes + 24 + 4);
  const uint32_t places[][3] = {{0, third, third},
                                {0, 0, third},
                                {0, third, second},
                                {1, second, third},
                                {0, second, 0xffffffff},
                                {0, third + 1, third},
                                {0, second, second + third + 100000}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    memcpy(index, b.part[2].bytes, sizeof index);
    for (size_t k = 0; k < 3; k++) qsb_put(index + 12 * k + 4, places[i][k], 4);
    build changed = b;
    changed.part[2].bytes = index;
    DAMAGED(&changed);
  }
  OPENS(&b);
  fixture_free(&f);
}

/* ---- clips ---- */

/* Changes the byte at offset `at` of a clip's record. Corrects the checksums if `sealed` is true. */
static void change_clip(fixture *f, size_t number, size_t at, unsigned char value, bool sealed) {
  const qsb_part clips = qsb_section(f->data, f->size, QSB_RECORDS),
                 index = qsb_section(f->data, f->size, QSB_INDEX);
  clips.at[qsb_get(index.at + 12 * number + 4) + at] = value;
  if (sealed) bundle_bytes_seal(f->data, f->size);
}

static quatsimd_status open_clip(const fixture *f, size_t number) {
  static _Alignas(8) unsigned char memory[100000];
  quatsimd_clip *clip = NULL;
  return quatsimd_bundle_open_clip(f->bundle, number, &clip, memory, sizeof memory);
}

static void later_clips(void **state) {
  (void)state;
  fixture f;
  quatsimd_bundle_report report;
  fixture_make(&f, names);
  quatsimd_bundle_report_init(&report, sizeof report);
  change_clip(&f, 1, 0, 2, true);
  assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, f.data, f.size),
                   QUATSIMD_OK);
  assert_int_equal(open_clip(&f, 0), QUATSIMD_OK);
  assert_int_equal(open_clip(&f, 1), QUATSIMD_ERROR_LATER_VERSION);
  assert_int_equal(open_clip(&f, 2), QUATSIMD_OK);
  assert_int_equal(quatsimd_bundle_clip_memory_size(f.bundle, 1), 0);
  assert_int_equal(quatsimd_bundle_check(f.bundle, &report), QUATSIMD_ERROR_LATER_VERSION);
  assert_int_equal(report.clip, 1);
  assert_string_equal(report.error, "the clip is of a later version");
  change_clip(&f, 2, 0, 0, true);
  assert_int_equal(open_clip(&f, 2), QUATSIMD_ERROR_DAMAGED_CLIP);
  assert_int_equal(quatsimd_bundle_check(f.bundle, &report), QUATSIMD_ERROR_DAMAGED_CLIP);
  assert_int_equal(report.clip, 2);
  assert_string_equal(report.error, "the clip is damaged");
  fixture_free(&f);
}

/* Opening refuses a clip whose setting has a flag of a later version. The other clips open. */
static void later_settings(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  const qsb_part settings = qsb_section(f.data, f.size, QSB_SETTINGS);
  assert_true(qsb_get(settings.at) > 1);
  settings.at[4 + 3] |= 0x80; /* the first clip uses this setting */
  bundle_bytes_seal(f.data, f.size);
  assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, f.data, f.size),
                   QUATSIMD_OK);
  assert_int_equal(open_clip(&f, 0), QUATSIMD_ERROR_DAMAGED_CLIP);
  assert_int_equal(open_clip(&f, 1), QUATSIMD_OK);
  fixture_free(&f);
}

/* A record's setting must exist, and a record must end where its clip ends. */
static void ends_of_records(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  const uint32_t settings = qsb_get(qsb_section(f.data, f.size, QSB_SETTINGS).at);
  change_clip(&f, 0, 1, (unsigned char)settings, true);
  assert_int_equal(open_clip(&f, 0), QUATSIMD_ERROR_DAMAGED_CLIP);
  assert_int_equal(open_clip(&f, 2), QUATSIMD_OK);
  build b = build_of(&f);
  unsigned char *longer = calloc(b.part[4].size + 1, 1);
  assert_non_null(longer);
  memcpy(longer, b.part[4].bytes, b.part[4].size);
  b.part[4].bytes = longer, b.part[4].size++; /* one more byte in the last record */
  void *const before = f.data;
  f.data = build_bytes(&b, &f.size);
  assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, f.data, f.size),
                   QUATSIMD_OK);
  assert_int_equal(open_clip(&f, 1), QUATSIMD_OK);
  assert_int_equal(open_clip(&f, 2), QUATSIMD_ERROR_DAMAGED_CLIP);
  free(f.data), free(longer);
  f.data = before;
  fixture_free(&f);
}

static void more_settings_than_clips(void **state) {
  (void)state;
  enum { SETTING = 28 };
  unsigned char bytes[1000];
  fixture f;
  fixture_make(&f, names);
  build b = build_of(&f);
  const unsigned char *const of = b.part[1].bytes;
  const size_t end = 4 + SETTING * (size_t)qsb_get(of), size = b.part[1].size;
  for (size_t settings = qsb_get(of); settings <= 4; settings++) { /* repeats the last setting */
    const size_t more = 4 + SETTING * settings - end;
    assert_true(size + more <= sizeof bytes);
    memcpy(bytes, of, end), memcpy(bytes + end + more, of + end, size - end);
    for (size_t at = end; at < end + more; at++) bytes[at] = bytes[at - SETTING];
    qsb_put(bytes, settings, 4);
    b.part[1].bytes = bytes, b.part[1].size = size + more;
    if (settings <= 3) OPENS(&b);
    else DAMAGED(&b);
  }
  fixture_free(&f);
}

static void checksums_of_clips(void **state) {
  (void)state;
  fixture f;
  quatsimd_bundle_report report;
  fixture_make(&f, names);
  quatsimd_bundle_report_init(&report, sizeof report);
  const qsb_part clips = qsb_section(f.data, f.size, QSB_RECORDS);
  unsigned char *last =
      clips.at + clips.size - QSB_TAIL - 1; /* a byte of the third clip that may have any value */
  *last ^= 1;
  assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, f.data, f.size),
                   QUATSIMD_OK);
  assert_int_equal(open_clip(&f, 0), QUATSIMD_OK);
  assert_int_equal(open_clip(&f, 2), QUATSIMD_ERROR_DAMAGED_CLIP);
  assert_int_equal(quatsimd_bundle_clip_memory_size(f.bundle, 2), 0);
  assert_int_equal(quatsimd_bundle_check(f.bundle, &report), QUATSIMD_ERROR_DAMAGED_CLIP);
  assert_int_equal(report.clip, 2);
  quatsimd_bundle_trust(f.bundle);
  assert_int_equal(open_clip(&f, 2), QUATSIMD_OK);
  assert_true(quatsimd_bundle_clip_memory_size(f.bundle, 2) > 0);
  assert_int_equal(quatsimd_bundle_check(f.bundle, &report), QUATSIMD_ERROR_DAMAGED_CLIP);
  /* even a trusted bundle refuses a clip whose setting does not exist */
  change_clip(&f, 0, 1, 255, false);
  assert_int_equal(open_clip(&f, 0), QUATSIMD_ERROR_DAMAGED_CLIP);
  fixture_free(&f);
}

/* ---- events and masks ---- */

/* Returns the status of opening a bundle in which other bytes replace section `at`. */
static quatsimd_status with_section(const fixture *f, size_t at, const void *bytes, size_t size) {
  build b = build_of(f);
  b.part[at].bytes = bytes, b.part[at].size = size;
  return build_status(&b, false, NULL);
}
#define REFUSED_WITH(at, bytes, size)                                                                        \
  assert_int_equal(with_section(&f, at, bytes, size), QUATSIMD_ERROR_DAMAGED_BUNDLE)

/* Writes `value` in `bytes` bytes at offset `place` of section `at`. Opening must refuse the bundle. */
static void is_found(const fixture *f, size_t at, unsigned type, size_t place, uint64_t value, size_t bytes) {
  const build b = build_of(f);
  assert_int_equal(b.part[at].type, type);
  unsigned char *changed = malloc(b.part[at].size);
  assert_non_null(changed);
  memcpy(changed, b.part[at].bytes, b.part[at].size);
  qsb_put(changed + place, value, bytes);
  assert_int_equal(with_section(f, at, changed, b.part[at].size), QUATSIMD_ERROR_DAMAGED_BUNDLE);
  free(changed);
}

/* Each change violates a single rule of events or masks. */
static void what_one_check_alone_finds(void **state) {
  (void)state;
  static const double infinite = 1e308 * 10;
  unsigned char bytes[1000];
  fixture f;
  fixture_make(&f, names); /* the clips have 2, 1 and 0 events */
  const build b = build_of(&f);
  const size_t ends = 4, first = ends + 3 * 4, second = first + 12, events = b.part[5].size,
               masks = b.part[6].size;
  assert_true(events < sizeof bytes && masks + 3 < sizeof bytes);
  memcpy(bytes, b.part[5].bytes, events);
  memcpy(bytes + second, &infinite, 8); /* the times increase, but the second one is infinite */
  REFUSED_WITH(5, bytes, events);
  memcpy(bytes, b.part[5].bytes, events);
  qsb_put(bytes + ends + 4, 2, 4), qsb_put(bytes + ends + 8, 2, 4); /* the last event belongs to no clip */
  REFUSED_WITH(5, bytes, events);
  for (int order = 0; order < 2; order++) { /* two events at the same time must be in the order of names */
    const uint32_t place[] = {qsb_get(bytes + first + 8), qsb_get(bytes + second + 8)};
    const bool rises = place[0] < place[1];
    assert_true(place[0] != place[1]);
    memcpy(bytes, b.part[5].bytes, events);
    memcpy(bytes + second, bytes + first, 8);
    qsb_put(bytes + first + 8, place[rises == (order == 0)], 4);
    qsb_put(bytes + second + 8, place[rises != (order == 0)], 4);
    build changed = b;
    changed.part[5].bytes = bytes;
    if (order == 0) REFUSED_WITH(5, bytes, events);
    else OPENS(&changed);
  }
  for (int order = 0; order < 2; order++) { /* -0 comes before 0 */
    static const double zeros[] = {0.0, -0.0};
    memcpy(bytes, b.part[5].bytes, events);
    memcpy(bytes + first, &zeros[order], 8), memcpy(bytes + second, &zeros[1 - order], 8);
    assert_int_equal(with_section(&f, 5, bytes, events),
                     order == 0 ? QUATSIMD_ERROR_DAMAGED_BUNDLE : QUATSIMD_OK);
  }
  memcpy(bytes, b.part[6].bytes, masks), memcpy(bytes + masks, "zz", 3); /* no mask has this name */
  REFUSED_WITH(6, bytes, masks + 3);
  fixture_free(&f);
}

static void events_and_masks(void **state) {
  (void)state;
  static const double infinite = 1e308 * 10;
  uint64_t bits;
  fixture f;
  fixture_make(&f, names); /* the clips have 2, 1 and 0 events */
  const qsb_part of = qsb_section(f.data, f.size, QSB_EVENTS);
  assert_int_equal(qsb_get(of.at), 3);
  const size_t first = 4 + 3 * 4;
  memcpy(&bits, &infinite, sizeof bits);
  is_found(&f, 5, QSB_EVENTS, 0, 4, 4);         /* more events than the section has */
  is_found(&f, 5, QSB_EVENTS, 4, 4, 4);         /* the ends of the clips' events decrease */
  is_found(&f, 5, QSB_EVENTS, 12, 2, 4);        /* the last event belongs to no clip */
  is_found(&f, 5, QSB_EVENTS, first, bits, 8);  /* an infinite time */
  is_found(&f, 5, QSB_EVENTS, first + 8, 2, 4); /* no name begins at this offset */
  is_found(&f, 5, QSB_EVENTS, first + 8, 999, 4);
  is_found(&f, 5, QSB_EVENTS, of.size - 1, 'x', 1); /* a name has no end */
  memcpy(&bits, of.at + first + 12, 8);
  /* the time is after that of the next event */
  is_found(&f, 5, QSB_EVENTS, first, bits + (1u << 20), 8);
  is_found(&f, 6, QSB_MASKS, 0, 3, 4);
  is_found(&f, 6, QSB_MASKS, 8, 5, 4);
  is_found(&f, 6, QSB_MASKS, 12, 0x7f800000, 4);
  is_found(&f, 6, QSB_MASKS, 12 + 2 * 4 * 4 - 4, 0x7fc00000, 4); /* the last weight */
  /* the first mask's name now comes after the second mask's name */
  is_found(&f, 6, QSB_MASKS, 12 + 2 * 4 * 4, 'v', 1);
  is_found(&f, 6, QSB_MASKS, 4, 1, 4); /* the text begins with the first mask's name */
  fixture_free(&f);
}

/* Opening computes the checksums of events and masks. */
static void checksums_of_marks(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  for (unsigned type = QSB_EVENTS; type <= QSB_MASKS; type++) {
    unsigned char *byte = qsb_section(f.data, f.size, type).at + (type == QSB_EVENTS ? 16 : 12);
    *byte ^= 1; /* the lowest bit of a time, or of a weight */
    assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, f.data, f.size),
                     QUATSIMD_ERROR_DAMAGED_BUNDLE);
    bundle_bytes_seal(f.data, f.size);
    assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, f.data, f.size),
                     QUATSIMD_OK);
    *byte ^= 1;
    bundle_bytes_seal(f.data, f.size);
  }
  fixture_free(&f);
}

static void bytes_behind_the_last_clip(void **state) {
  (void)state;
  fixture f;
  quatsimd_bundle_report report;
  fixture_make(&f, names);
  quatsimd_bundle_report_init(&report, sizeof report);
  const qsb_part records = qsb_section(f.data, f.size, QSB_RECORDS);
  records.at[records.size - 1] = 1;
  bundle_bytes_seal(f.data, f.size);
  assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, f.data, f.size),
                   QUATSIMD_OK);
  assert_int_equal(quatsimd_bundle_check(f.bundle, &report), QUATSIMD_ERROR_DAMAGED_BUNDLE);
  assert_string_equal(report.error, "there are bytes behind the last clip");
  assert_true(report.clip == SIZE_MAX);
  fixture_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(unknown_sections),
                                     cmocka_unit_test(missing_sections),
                                     cmocka_unit_test(counts),
                                     cmocka_unit_test(places),
                                     cmocka_unit_test(no_gaps),
                                     cmocka_unit_test(records_in_order),
                                     cmocka_unit_test(later_clips),
                                     cmocka_unit_test(later_settings),
                                     cmocka_unit_test(checksums_of_clips),
                                     cmocka_unit_test(events_and_masks),
                                     cmocka_unit_test(what_one_check_alone_finds),
                                     cmocka_unit_test(checksums_of_marks),
                                     cmocka_unit_test(bytes_behind_the_last_clip),
                                     cmocka_unit_test(ends_of_records),
                                     cmocka_unit_test(more_settings_than_clips)};
  return cmocka_run_group_tests_name("sections of bundles", tests, NULL, NULL);
}
