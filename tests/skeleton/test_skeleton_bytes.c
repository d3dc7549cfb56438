/* Tests bytes that are no skeleton, damaged skeletons, and hostile ones. */
#include "fixture.h"

#include "support/guarded.h"
#include "support/random.h"

#include "skeleton/name.h"

static quatsimd_status try_open(const void *bytes, size_t size) {
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *s = NULL;
  memset(&storage, FILL, sizeof storage);
  const quatsimd_status status = quatsimd_skeleton_open(&s, &storage, sizeof storage, bytes, size);
  assert_true((status == QUATSIMD_OK) == (s != NULL));
  if (status != QUATSIMD_OK) assert_true(filled(&storage, sizeof storage));
  return status;
}

static void not_a_skeleton(void **state) {
  (void)state;
  enum { OWN = 1 };
  fixture f;
  fixture_make(&f, "arm");
  unsigned char *bytes = f.data;
  assert_int_equal(try_open(NULL, 0), QUATSIMD_ERROR_NOT_A_SKELETON);
  for (int version = 0; version < 256; version++) {
    bytes[3] = (unsigned char)version;
    const quatsimd_status expected = version < OWN    ? QUATSIMD_ERROR_NOT_A_SKELETON
                                     : version == OWN ? QUATSIMD_OK
                                                      : QUATSIMD_ERROR_LATER_VERSION;
    assert_int_equal(try_open(bytes, f.size), expected);
    /* if the version is later, only the first four bytes are read */
    assert_int_equal(try_open(bytes, 4), version == OWN ? QUATSIMD_ERROR_DAMAGED_SKELETON : expected);
  }
  const char *other[] = {"QSK", "qsk\1", "QSC\1", "RIFF", "glTF\2\0\0\0"};
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    assert_int_equal(try_open(other[i], i == 0 ? 3 : 4), QUATSIMD_ERROR_NOT_A_SKELETON);
  fixture_free(&f);
}

/* Opening refuses skeletons that are a byte too long or cut off. It reads nothing behind them. */
static void cut_off(void **state) {
  (void)state;
  for (size_t i = 0; i + 1 < SKELETONS; i++) {
    fixture f;
    fixture_make(&f, skeletons[i].name);
    const arena a = arena_new(f.size + 1);
    const size_t step = f.size > 20000 ? 97 : 1;
    for (size_t size = 0; size < f.size; size += size < 2000 ? 1 : step)
      for (int seal = 0; seal < 2; seal++) {
        unsigned char *at = a.end - size;
        memcpy(at, f.data, size);
        if (seal) skeleton_bytes_seal(at, size);
        assert_int_equal(try_open(at, size),
                         size < 4 ? QUATSIMD_ERROR_NOT_A_SKELETON : QUATSIMD_ERROR_DAMAGED_SKELETON);
      }
    for (int seal = 0; seal < 2; seal++) {
      memcpy(a.begin, f.data, f.size), a.begin[f.size] = 0;
      if (seal) skeleton_bytes_seal(a.begin, f.size + 1);
      assert_int_equal(try_open(a.begin, f.size + 1), QUATSIMD_ERROR_DAMAGED_SKELETON);
    }
    fixture_free(&f);
  }
}

/* The checksum finds a changed byte. With a corrected checksum the skeleton is refused, or opens as another
 * valid skeleton. */
static void flipped(void **state) {
  (void)state;
  for (size_t i = 0; i + 1 < SKELETONS; i++) {
    fixture f;
    fixture_make(&f, skeletons[i].name);
    const arena a = arena_new(f.size);
    unsigned char *at = a.end - f.size;
    uint64_t random = i;
    size_t opened = 0;
    memcpy(at, f.data, f.size);
    for (size_t k = 4; k<f.size; k += f.size> 20000 ? 101 : 1) {
      const unsigned char kept = at[k];
      for (int bit = 0; bit<9; bit += f.size> 2000 ? 4 : 1) {
        const char *wrong = NULL;
        at[k] = bit < 8 ? kept ^ (unsigned char)(1 << bit) : kept ^ (unsigned char)(sweep_next(&random) | 1);
        assert_int_equal(try_open(at, f.size), QUATSIMD_ERROR_DAMAGED_SKELETON);
        skeleton_bytes_seal(at, f.size);
        opened += skeleton_bytes_try(at, f.size, &wrong);
        if (wrong) fail_msg("%s, byte %zu, bit %d: %s", f.name, k, bit, wrong);
        memcpy(at, f.data, QSK_HEAD), at[k] = kept;
      }
    }
    if (f.made.source.joint_count) assert_true(opened > 0); /* some changes of floats are valid */
    fixture_free(&f);
  }
}

/* ---- wrong fields, with a valid checksum ---- */

typedef struct place {
  size_t parents, names, offsets, order, track_order, rotations, translations, scales, tracks, binds,
      matrices;
} place;

/* Returns the offsets of a skeleton's fields. All names together must have at most 65,536 bytes. */
static place places(const unsigned char *bytes) {
  const size_t joints = (size_t)qsk_get(bytes + QSK_JOINTS, 4),
               tracks = (size_t)qsk_get(bytes + QSK_TRACKS, 4);
  place p = {.parents = QSK_HEAD, .names = QSK_HEAD + 2 * joints};
  p.offsets = p.names + (size_t)qsk_get(bytes + QSK_NAMES, 4);
  p.order = p.offsets + 2 * (joints + tracks), p.track_order = p.order + 2 * joints;
  p.rotations = p.track_order + 2 * tracks, p.translations = p.rotations + 16 * joints;
  p.scales = p.translations + 12 * joints, p.tracks = p.scales + 12 * joints;
  p.binds = p.tracks + 4 * tracks;
  p.matrices = p.binds + (qsk_get(bytes + QSK_MATRICES, 4) ? (joints + 7) / 8 * 3 : 0);
  return p;
}

/* Writes `value` in `bytes` bytes at offset `at` of a copy. The copy must open only if `good` is true. */
static void expect_with(const fixture *f, size_t at, uint64_t value, size_t bytes, bool good) {
  static arena a;
  if (!a.end) a = arena_new(65536);
  unsigned char *data = a.end - f->size;
  assert_in_range(f->size, QSK_HEAD, 65536);
  const char *wrong = NULL;
  memcpy(data, f->data, f->size);
  qsk_put(data + at, value, bytes);
  const bool is_size = at >= QSK_SIZE && at < QSK_NAMES, is_hash = at >= QSK_HASH && at < QSK_JOINTS;
  const uint64_t size = qsk_get(data + QSK_SIZE, 4), hash = qsk_get(data + QSK_HASH, 8);
  skeleton_bytes_seal(data, f->size);
  if (is_size) qsk_put(data + QSK_SIZE, size, 4);
  if (is_hash) qsk_put(data + QSK_HASH, hash, 8);
  qsk_put(data + QSK_CHECKSUM, XXH32(data + QSK_SIZE, f->size - QSK_SIZE, 0), 4);
  const bool opened = skeleton_bytes_try(data, f->size, &wrong);
  if (wrong) fail_msg("%llx at %zu: %s", (unsigned long long)value, at, wrong);
  if (opened != good)
    fail_msg("%llx at %zu: %s", (unsigned long long)value, at, opened ? "opened" : "refused");
}

static void wrong_heads(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "arm");
  static const int fields[] = {QSK_SIZE, QSK_NAMES, QSK_MATRICES, QSK_JOINTS, QSK_TRACKS};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const uint64_t own = qsk_get((unsigned char *)f.data + fields[i], 4),
                   other[] = {0, own - 1, own + 1, 65536, 65537, 0x7fffffff, 0x80000000, 0xffffffff};
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
      if (other[k] != own) expect_with(&f, (size_t)fields[i], other[k], 4, false);
  }
  expect_with(&f, QSK_HASH, 0, 8, false);
  expect_with(&f, QSK_HASH, quatsimd_skeleton_hash(f.skeleton), 8, true);
  expect_with(&f, QSK_HASH, quatsimd_skeleton_hash(f.skeleton) ^ (uint64_t)1 << 63, 8, false);
  static const struct {
    uint64_t bits;
    bool good;
  } metres[] = {{0, true},
                {1, true},
                {0x3ff0000000000000, true},
                {0x7fefffffffffffff, true},
                {0x7ff0000000000000, false},
                {0x7ff8000000000000, false},
                {0x7ff0000000000001, false},
                {0x8000000000000000, false},
                {0xbff0000000000000, false},
                {0xffffffffffffffff, false}};
  for (size_t i = 0; i < sizeof metres / sizeof *metres; i++)
    expect_with(&f, QSK_METRES, metres[i].bits, 8, metres[i].good);
  fixture_free(&f);
}

/* Tests parents that come after their child, are the child, or do not exist, and a circle of two joints. */
static void wrong_parents(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "arm");
  const place p = places(f.data);
  for (size_t joint = 0; joint < 4; joint++)
    for (uint64_t parent = 0; parent < 65536; parent += parent < 10 || parent > 65500 ? 1 : 4099)
      expect_with(&f, p.parents + 2 * joint, parent, 2, parent < joint || parent == 65535);
  expect_with(&f, p.parents + 2, 2 | 1 << 16, 4, false);
  fixture_free(&f);
}

static void wrong_names(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "arm"); /* joints: shoulder, elbow, hand, thumb; tracks: smile, blink.L */
  const place p = places(f.data);
  for (size_t item = 0; item < 6; item++) {
    const uint64_t own = qsk_get((unsigned char *)f.data + p.offsets + 2 * item, 2);
    for (uint64_t offset = 0; offset < 65536; offset += offset < 60 ? 1 : 1009)
      expect_with(&f, p.offsets + 2 * item, offset, 2, offset == own);
  }
  const size_t names = p.offsets - p.names;
  for (size_t k = 0; k < names; k++) {
    const bool end = ((unsigned char *)f.data)[p.names + k] == 0;
    if (end) expect_with(&f, p.names + k, 'a', 1, false); /* the name has no end */
    else expect_with(&f, p.names + k, 0, 1, false);       /* the name ends too early */
    for (uint64_t c = 0x80; c < 256; c++) expect_with(&f, p.names + k, c, 1, false);
  }
  /* a valid character, but the names are not in order */
  expect_with(&f, p.names, 0xa9c3, 2, false);
  expect_with(&f, p.names + 1, 0xa9c3, 2, true);
  expect_with(&f, p.names + 1, 0x80c0, 2, false);     /* an encoding that is longer than necessary */
  expect_with(&f, p.names + 1, 0x80a0ed, 3, false);   /* a surrogate */
  expect_with(&f, p.names + 1, 0x80809ff0, 4, true);  /* U+1F000 */
  expect_with(&f, p.names + 1, 0x808090f4, 4, false); /* above U+10FFFF */
  fixture_free(&f);
}

/* Tests names without an end, and incomplete characters, just before memory that must not be read. */
static void names_end_in_time(void **state) {
  (void)state;
  static const char *const open[] = {"",     "a",        "ab",           "\xc3",     "\xe0\xa0",
                                     "\xf0", "\xf0\x90", "\xf0\x90\x80", "a\xc3\xa9"};
  const arena a = arena_new(64);
  for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
    const size_t bytes = strlen(open[i]);
    unsigned char *at = a.end - bytes;
    memcpy(at, open[i], bytes);
    assert_int_equal(quatsimd_name_bytes(at, bytes), 0);
  }
  a.end[-1] = 0;
  assert_int_equal(quatsimd_name_bytes(a.end - 1, 1), 1);
  assert_int_equal(quatsimd_name_bytes(a.end - 1, SIZE_MAX), 1);
}

static void wrong_order(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "arm");
  const place p = places(f.data);
  /* the order of the names is elbow, hand, shoulder, thumb */
  assert_int_equal(qsk_get((unsigned char *)f.data + p.order, 8), 0x0003000000020001);
  assert_int_equal(qsk_get((unsigned char *)f.data + p.track_order, 4), 1); /* blink.L, smile */
  for (unsigned code = 0; code < 625; code++) {
    uint64_t order = 0;
    for (unsigned i = 0, left = code; i < 4; i++, left /= 5) order |= (uint64_t)(left % 5) << 16 * i;
    expect_with(&f, p.order, order, 8, order == 0x0003000000020001);
  }
  expect_with(&f, p.order + 6, 0xffff, 2, false);
  for (uint64_t i = 0; i < 9; i++) expect_with(&f, p.track_order, i % 3 | i / 3 << 16, 4, i == 1);
  fixture_free(&f);
  f = (fixture){.name = "equal names"}; /* joints with equal names are in the order of their numbers */
  made_empty(&f.made, 3, 2, 0);
  fixture_encode(&f);
  const place q = places(f.data);
  for (uint64_t i = 0; i < 27; i++)
    expect_with(&f, q.order, i % 3 | (i / 3 % 3) << 16 | i / 9 << 32, 6, i == 0 + 3 * 1 + 9 * 2);
  for (uint64_t i = 0; i < 4; i++) expect_with(&f, q.track_order, i % 2 | i / 2 << 16, 4, i == 2);
  fixture_free(&f);
}

static void wrong_numbers(void **state) {
  (void)state;
  static const uint32_t bad[] = {0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffffffff};
  fixture f;
  fixture_make(&f, "arm");
  const place p = places(f.data);
  assert_int_equal(f.size, p.matrices + 48);
  for (size_t at = p.rotations; at < f.size; at += at + 4 == p.binds ? 4 + p.matrices - p.binds : 4)
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_with(&f, at, bad[i], 4, false);
  for (size_t at = p.translations; at < p.binds; at += 4) {
    expect_with(&f, at, 0x7f7fffff, 4, true);
    expect_with(&f, at, 0x80000000, 4, true);
    expect_with(&f, at, 1, 4, true);
  }
  /* w of a rotation 0 0 0 w; its square must be within 2^-20 of 1 */
  static const struct {
    uint32_t bits;
    bool good;
  } lengths[] = {{0x3f800000, true},  {0xbf800000, true},  {0x3f800003, true},  {0x3f800004, false},
                 {0x3f7ffff9, true},  {0x3f7ffff8, true},  {0x3f7ffff7, false}, {0, false},
                 {0x3f000000, false}, {0x40000000, false}, {0x7f7fffff, false}};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    expect_with(&f, p.rotations + 12, lengths[i].bits, 4, lengths[i].good);
  fixture_free(&f);
}

static void wrong_binds(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "arm");
  const place p = places(f.data);
  for (uint64_t mask = 0; mask < 256; mask++)
    expect_with(&f, p.binds, mask, 1, mask == 1 || mask == 2 || mask == 4 || mask == 8);
  for (uint64_t before = 1; before < 65536; before += 1021) expect_with(&f, p.binds + 1, before, 2, false);
  fixture_free(&f);
  fixture_make(&f, "body");
  const place q = places(f.data);
  for (size_t b = 0; b < 8; b++) {
    const uint64_t own = qsk_get((unsigned char *)f.data + q.binds + 3 * b + 1, 2);
    for (uint64_t before = 0; before < 70; before++)
      expect_with(&f, q.binds + 3 * b + 1, before, 2, before == own);
  }
  fixture_free(&f);
}

/* ---- peek ---- */

static void peeks(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "arm");
  size_t length = 17;
  const arena a = arena_new(f.size);
  for (size_t size = 0; size < QSK_HEAD; size++) {
    memcpy(a.end - size, f.data, size);
    assert_int_equal(quatsimd_skeleton_peek_size(&length, a.end - size, size),
                     size < 4 ? QUATSIMD_ERROR_NOT_A_SKELETON : QUATSIMD_ERROR_DAMAGED_SKELETON);
  }
  unsigned char head[QSK_HEAD];
  memcpy(head, f.data, QSK_HEAD);
  head[3]++;
  assert_int_equal(quatsimd_skeleton_peek_size(&length, head, QSK_HEAD), QUATSIMD_ERROR_LATER_VERSION);
  head[3]--, head[0]++;
  assert_int_equal(quatsimd_skeleton_peek_size(&length, head, QSK_HEAD), QUATSIMD_ERROR_NOT_A_SKELETON);
  head[0]--, qsk_put(head + QSK_SIZE, QSK_HEAD - 1, 4);
  assert_int_equal(quatsimd_skeleton_peek_size(&length, head, QSK_HEAD), QUATSIMD_ERROR_DAMAGED_SKELETON);
  REFUSED(quatsimd_skeleton_peek_size(&length, NULL, QSK_HEAD));
  REFUSED(quatsimd_skeleton_peek_size(NULL, head, QSK_HEAD));
  assert_int_equal(quatsimd_skeleton_peek_size(&length, NULL, 0), QUATSIMD_ERROR_NOT_A_SKELETON);
  assert_int_equal(length, 17);
  qsk_put(head + QSK_SIZE, UINT32_MAX, 4);
  assert_int_equal(quatsimd_skeleton_peek_size(&length, head, QSK_HEAD), QUATSIMD_OK);
  assert_int_equal(length, UINT32_MAX);
  for (size_t size = QSK_HEAD; size <= f.size; size += f.size - QSK_HEAD) {
    assert_int_equal(quatsimd_skeleton_peek_size(&length, f.data, size), QUATSIMD_OK);
    assert_int_equal(length, f.size);
  }
  fixture_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(not_a_skeleton), cmocka_unit_test(cut_off),          cmocka_unit_test(flipped),
      cmocka_unit_test(wrong_heads),    cmocka_unit_test(wrong_parents),    cmocka_unit_test(wrong_names),
      cmocka_unit_test(wrong_order),    cmocka_unit_test(wrong_numbers),    cmocka_unit_test(wrong_binds),
      cmocka_unit_test(peeks),          cmocka_unit_test(names_end_in_time)};
  return cmocka_run_group_tests_name("bytes of skeletons", tests, NULL, NULL);
}
