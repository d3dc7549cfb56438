/* Tests bytes that are no bundle, and damaged bundles. */
#include "fixture.h"

#include "bundle/layout.h"

static const char *const names[] = {"three_frames", "small_uneven", "small", NULL};
static const char *const face[] = {"small_face", NULL};
static const char *const two_groups[] = {"loop", NULL};

static quatsimd_status open_bytes(const void *data, size_t size) {
  quatsimd_bundle_storage storage;
  quatsimd_bundle *bundle = NULL;
  const quatsimd_status status = quatsimd_bundle_open(&bundle, &storage, sizeof storage, data, size);
  assert_true((bundle != NULL) == (status == QUATSIMD_OK));
  return status;
}

static quatsimd_status check_bytes(const void *data, size_t size) {
  quatsimd_bundle_storage storage;
  quatsimd_bundle *bundle = NULL;
  const quatsimd_status status = quatsimd_bundle_open(&bundle, &storage, sizeof storage, data, size);
  return status == QUATSIMD_OK ? quatsimd_bundle_check(bundle, NULL) : status;
}

/* Returns a copy in exactly `size` bytes, so that sanitizers report reads behind the copy. */
static unsigned char *copy_of(const void *data, size_t size) {
  unsigned char *bytes = malloc(size + !size);
  assert_non_null(bytes);
  return memcpy(bytes, data, size);
}

static void cut_off_at_all(const fixture *f) {
  for (size_t size = 0; size < f->size; size++) {
    unsigned char *bytes = copy_of(f->data, size);
    const quatsimd_status wanted = size < 4 ? QUATSIMD_ERROR_NOT_A_BUNDLE : QUATSIMD_ERROR_DAMAGED_BUNDLE;
    assert_int_equal(open_bytes(bytes, size), wanted);
    bundle_bytes_seal(bytes, size); /* the status is the same with valid checksums */
    assert_int_equal(open_bytes(bytes, size), wanted);
    size_t length = 0;
    assert_int_equal(quatsimd_bundle_peek_size(&length, f->data, size), size < 4 ? QUATSIMD_ERROR_NOT_A_BUNDLE
                                                                        : size < 24
                                                                            ? QUATSIMD_ERROR_DAMAGED_BUNDLE
                                                                            : QUATSIMD_OK);
    assert_int_equal(length, size < 24 ? 0 : f->size);
    free(bytes);
  }
}
static void cut_off(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  cut_off_at_all(&f);
  fixture_former(&f);
  cut_off_at_all(&f);
  fixture_free(&f);
}

static void heads_of(const fixture *f) {
  size_t length = 0;
  unsigned char *bytes = malloc(f->size + 1);
  const bool former = ((unsigned char *)f->data)[3] == 1;
  assert_non_null(bytes);
  memcpy(bytes, f->data, f->size), bytes[f->size] = 0;
  assert_int_equal(open_bytes(bytes, f->size + 1), QUATSIMD_ERROR_DAMAGED_BUNDLE);
  for (size_t i = 0; i < f->size; i++) { /* no checksum is corrected, so each change is found */
    bytes[i] ^= 64;
    assert_true(check_bytes(bytes, f->size) < 0);
    if (former) assert_true(open_bytes(bytes, f->size) < 0);
    bytes[i] ^= 64;
  }
  bytes[3] = 3;
  assert_int_equal(open_bytes(bytes, f->size), QUATSIMD_ERROR_LATER_VERSION);
  assert_int_equal(quatsimd_bundle_peek_size(&length, bytes, f->size), QUATSIMD_ERROR_LATER_VERSION);
  bytes[3] = 0;
  assert_int_equal(open_bytes(bytes, f->size), QUATSIMD_ERROR_NOT_A_BUNDLE);
  REFUSED(quatsimd_bundle_peek_size(NULL, bytes, f->size));
  REFUSED(quatsimd_bundle_peek_size(&length, NULL, f->size));
  free(bytes);
}
static void heads(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  heads_of(&f);
  fixture_former(&f);
  heads_of(&f);
  fixture_free(&f);
}

/* Finds where the skeleton's bytes begin and end. This file leaves these bytes unchanged. */
static void find_skeleton(const fixture *f, size_t *from, size_t *to) {
  unsigned char *data = f->data;
  const qsb_part part = qsb_section(data, f->size, QSB_SKELETON);
  *from = data[3] == 1 ? qsb_get(data + QSB1_SKELETON) : (size_t)(part.at - data);
  *to = data[3] == 1 ? f->size : *from + part.size;
}

/* Changes each byte outside the skeleton in many ways and corrects the checksums. Opening or the check must
 * refuse more than `least_refused` of the changed bundles. Samples the bundles that are not refused. */
static void change_all(fixture *f, size_t least_refused) {
  size_t from, to;
  unsigned char *bytes = malloc(f->size);
  uint64_t seed = 1;
  size_t refused = 0, taken = 0;
  assert_non_null(bytes);
  find_skeleton(f, &from, &to);
  for (size_t i = 4; i < f->size; i++)
    for (int way = 0; way < 10 && (i < from || i >= to); way++) {
      const char *wrong = NULL;
      memcpy(bytes, f->data, f->size);
      bytes[i] = way < 8 ? bytes[i] ^ (unsigned char)(1 << way) : (unsigned char)(way == 8 ? 0 : 255);
      bundle_bytes_seal(bytes, f->size);
      if (bundle_bytes_try(bytes, f->size, &seed, &wrong)) taken++;
      else refused++;
      if (wrong) fail_msg("byte %zu, way %d: %s", i, way, wrong);
    }
  print_message("%zu refused, %zu taken\n", refused, taken);
  assert_true(refused > least_refused && taken > 500);
  free(bytes);
}
static void change_both(const char *const *of, size_t least, size_t least_former) {
  fixture f;
  fixture_make(&f, of);
  change_all(&f, least);
  fixture_former(&f);
  change_all(&f, least_former);
  fixture_free(&f);
}
static void changed(void **state) {
  (void)state;
  change_both(names, 1500, 1500);
}
static void changed_tracks(void **state) {
  (void)state;
  change_both(face, 1200, 1200);
}

static void changed_groups(void **state) {
  (void)state;
  change_both(two_groups, 1000, 1000);
}

/* Makes a bundle of one clip with one curve. Its knots have almost CLIP_KNOT_BITS bits. */
static void make_wide(fixture *f) {
  enum { KEYS = 30 };
  static double times[KEYS];
  static float values[3 * KEYS];
  for (int i = 0; i < KEYS; i++) times[i] = i, values[3 * i] = (float)(i * i) / 8, values[3 * i + 1] = 1;
  *f = (fixture){.data = NULL};
  made_bundle_of(&f->made, 1, 0);
  const quatsimd_clip_joint joint = {.parent = -1, .translation = {KEYS, times, values, 0}};
  const quatsimd_clip_source source = {1, &joint, 0, NULL};
  quatsimd_skeleton_storage storage;
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.translation_bound = 4e-4f, options.bundled = 1;
  assert_int_equal(quatsimd_skeleton_open((quatsimd_skeleton **)(uintptr_t)&options.skeleton, &storage,
                                          sizeof storage, f->made.skeleton, f->made.source.skeleton_size),
                   QUATSIMD_OK);
  void *data;
  assert_int_equal(quatsimd_clip_encode(&data, &f->made.entry[0].data_size, &source, &options, NULL),
                   QUATSIMD_OK);
  f->made.entry[0].name = "wide", f->made.entry[0].data = data, f->made.source.clip_count = 1;
  fixture_encode(f);
}

/* Sets each byte of the clips' section to every value. The bundle always opens, its clip only sometimes. The
 * widest knots of a clip that opens have exactly CLIP_KNOT_BITS bits. */
static void widths(void **state) {
  (void)state;
  fixture f;
  make_wide(&f);
  const qsb_part clips = qsb_section(f.data, f.size, QSB_RECORDS);
  const size_t from = (size_t)(clips.at - (unsigned char *)f.data);
  unsigned char *bytes = malloc(f.size);
  unsigned most = 0;
  assert_non_null(bytes);
  for (size_t i = from; i < from + clips.size; i++)
    for (int value = 0; value < 256; value++) {
      quatsimd_clip *clip;
      memcpy(bytes, f.data, f.size), bytes[i] = (unsigned char)value;
      bundle_bytes_seal(bytes, f.size);
      assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, bytes, f.size),
                       QUATSIMD_OK);
      if (quatsimd_bundle_clip_memory_size(f.bundle, 0) == 0) continue;
      clip = fixture_clip(&f, quatsimd_bundle_clip_name(f.bundle, 0));
      const quatsimd_clip_part part = clip_part_of(clip, QUATSIMD_CLIP_TRANSLATION);
      for (int a = 0; part.moving && a < 3; a++) most = part.widths[a] > most ? part.widths[a] : most;
      free(clip);
    }
  assert_int_equal(most, CLIP_KNOT_BITS);
  free(bytes);
  fixture_free(&f);
}

/* Reads bytes as a clip's record with few checks, and then with all checks. Neither may read behind the
 * record. Samples the clip if it passes all checks. */
static void try_record(const fixture *f, const unsigned char *bytes, size_t size, uint64_t *seed,
                       size_t *good) {
  enum { BEHIND = 64 };
  unsigned char *exact = malloc(size), *longer = calloc(1, size + BEHIND);
  bundle_reading loose, strict;
  assert_true(exact && longer);
  memcpy(exact, bytes, size), memcpy(longer, bytes, size);
  const bool is_loose = quatsimd_bundle_read_record(&loose, f->bundle, exact, size, false),
             is_strict = quatsimd_bundle_read_record(&strict, f->bundle, exact, size, true);
  assert_true(is_loose || !is_strict);
  if (is_strict) {
    assert_int_equal(loose.memory_size, strict.memory_size);
    assert_true(quatsimd_bundle_read_record(&strict, f->bundle, longer, size, true));
    quatsimd_clip *clip = malloc(strict.memory_size);
    assert_non_null(clip);
    quatsimd_bundle_unpack_record(clip, &strict);
    assert_null(bundle_bytes_sample(clip, seed));
    free(clip), ++*good;
  }
  free(exact), free(longer);
}

static void records(void **state) {
  (void)state;
  static const char *const *const all[] = {names, face, two_groups};
  for (size_t k = 0; k < 3; k++) {
    fixture f;
    fixture_make(&f, all[k]);
    uint64_t seed = 1;
    size_t good = 0, tries = 0;
    for (size_t i = 0; i < quatsimd_bundle_clip_count(f.bundle); i++) {
      const size_t from = bundle_record_at(f.bundle, i) + 1, size = bundle_record_at(f.bundle, i + 1) - from;
      const unsigned char *record = f.bundle->records + from;
      unsigned char *bytes = malloc(size);
      assert_non_null(bytes);
      for (size_t at = 0; at <= size; at++)
        for (int way = 0; way < 10; way++, tries++) {
          memcpy(bytes, record, size);
          if (at < size)
            bytes[at] = way < 8 ? bytes[at] ^ (unsigned char)(1 << way) : (unsigned char)(way == 8 ? 0 : 255);
          try_record(&f, bytes, at == size ? size - (size_t)way : size, &seed, &good);
          try_record(&f, bytes, at, &seed, &good);
        }
      free(bytes);
    }
    assert_true(good > tries / 50 && good < tries);
    fixture_free(&f);
  }
}

/* Changes up to four random bytes of a bundle at once, except bytes of the skeleton. */
static void noise_in(const fixture *f) {
  size_t from, to;
  unsigned char *bytes = malloc(f->size);
  uint64_t seed = 1;
  assert_non_null(bytes);
  find_skeleton(f, &from, &to);
  for (int i = 0; i < 20000; i++) {
    const char *wrong = NULL;
    memcpy(bytes, f->data, f->size);
    for (uint64_t n = sweep_next(&seed) % 4 + 1; n > 0; n--) {
      const size_t at = 8 + sweep_next(&seed) % (f->size - 8);
      if (at < from || at >= to) bytes[at] = (unsigned char)sweep_next(&seed);
    }
    bundle_bytes_seal(bytes, f->size);
    bundle_bytes_try(bytes, f->size, &seed, &wrong);
    if (wrong) fail_msg("%d: %s", i, wrong);
  }
  free(bytes);
}
static void noise(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  noise_in(&f);
  fixture_former(&f);
  noise_in(&f);
  fixture_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cut_off),        cmocka_unit_test(heads),
                                     cmocka_unit_test(changed),        cmocka_unit_test(changed_tracks),
                                     cmocka_unit_test(changed_groups), cmocka_unit_test(widths),
                                     cmocka_unit_test(records),        cmocka_unit_test(noise)};
  return cmocka_run_group_tests_name("bytes of bundles", tests, NULL, NULL);
}
