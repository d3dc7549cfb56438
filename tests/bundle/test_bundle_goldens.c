/* The bundles of support/bundles.h have the same bytes on every machine.
 * Usage: test_bundle_goldens [--small | --write | --files FOLDER]
 * --small leaves out those that take minutes under an emulator.
 * --write prints bundles.txt. --files writes each bundle, and its clips by themselves, one behind the other
 * in the order of their names, for tests/model/bundle.py. Of small ones it writes changed files, too, and
 * which of them open. */
#include "fixture.h"

#include "support/denormals.h"

#include <inttypes.h>

static size_t most = SIZE_MAX; /* bytes of a bundle */

static void goldens(void **state) {
  (void)state;
  FILE *file = fopen(QUATSIMD_BUNDLE_GOLDENS, "r");
  if (!file) fail_msg("no %s", QUATSIMD_BUNDLE_GOLDENS);
  bundle_maker maker[SCENES];
  const size_t makers = bundle_makers(maker);
  char line[200], name[100];
  size_t found = 0, bad = 0;
  while (fgets(line, sizeof line, file)) {
    size_t clips, size;
    uint64_t bytes;
    fixture f = {.data = NULL};
    if (line[0] == '#') continue;
    assert_int_equal(sscanf(line, "%99s %zu %zu %" SCNx64, name, &clips, &size, &bytes), 4);
    assert_true(found < makers);
    assert_string_equal(name, maker[found].name); /* in the same order */
    const bundle_maker *of = &maker[found++];
    if (size > most) continue;
    flush_denormals(found % 2);
    bundle_make(&f.made, of);
    fixture_encode(&f);
    flush_denormals(false);
    if (f.size != size || XXH64(f.data, f.size, 0) != bytes || quatsimd_bundle_clip_count(f.bundle) != clips)
      print_error("%s differs from its golden\n", name), bad++;
    fixture_free(&f);
  }
  fclose(file);
  assert_int_equal(bad, 0);
  assert_int_equal(found, makers);
}

static int write_goldens(void) {
  bundle_maker maker[SCENES];
  const size_t makers = bundle_makers(maker);
  puts("# The bundles of bundles.h: clips, bytes, XXH64 of these (see test_bundle_goldens.c, which prints "
       "this "
       "with --write).");
  for (size_t i = 0; i < makers; i++) {
    fixture f = {.data = NULL};
    bundle_make(&f.made, &maker[i]);
    fixture_encode(&f);
    printf("%s %zu %zu %016" PRIx64 "\n", maker[i].name, quatsimd_bundle_clip_count(f.bundle), f.size,
           XXH64(f.data, f.size, 0));
    fixture_free(&f);
  }
  return 0;
}

static FILE *file_in(const char *folder, const char *name, const char *ending) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
  FILE *file = fopen(path, "wb");
  if (!file) perror(path), exit(1);
  return file;
}

/* The bundle with each byte before the skeleton changed, and its checksum made good: before each of them a 1
 * if it is one that opens, else a 0. */
static int write_changed(const char *folder, const char *name, const fixture *f) {
  FILE *file = file_in(folder, name, "changed");
  unsigned char *bytes = malloc(f->size);
  if (!bytes) abort();
  for (size_t i = 8; i < qsb_get((unsigned char *)f->data + QSB_SKELETON); i++) {
    quatsimd_bundle_storage storage;
    quatsimd_bundle *bundle;
    memcpy(bytes, f->data, f->size);
    bytes[i] ^= (unsigned char)(1 << 5 * i % 8);
    bundle_bytes_seal(bytes, f->size);
    fputc(quatsimd_bundle_open(&bundle, &storage, sizeof storage, bytes, f->size) == QUATSIMD_OK, file);
    fwrite(bytes, 1, f->size, file);
  }
  free(bytes);
  return fclose(file);
}

static int write_files(const char *folder) {
  bundle_maker maker[SCENES];
  const size_t makers = bundle_makers(maker);
  for (size_t i = 0; i < makers; i++) {
    fixture f = {.data = NULL};
    bundle_make(&f.made, &maker[i]);
    fixture_encode(&f);
    FILE *file = file_in(folder, maker[i].name, "qsb");
    fwrite(f.data, 1, f.size, file);
    if (fclose(file) != 0) return 1;
    file = file_in(folder, maker[i].name, "clips");
    for (size_t k = 0; k < f.made.source.clips; k++)
      for (size_t c = 0; c < f.made.source.clips; c++)
        if (quatsimd_bundle_find_clip(f.bundle, f.made.entry[c].name) == (int64_t)k)
          fwrite(f.made.entry[c].data, 1, f.made.entry[c].size, file);
    if (fclose(file) != 0 || (f.size < 2000 && write_changed(folder, maker[i].name, &f) != 0)) return 1;
    fixture_free(&f);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--write") == 0) return write_goldens();
  if (argc == 3 && strcmp(argv[1], "--files") == 0) return write_files(argv[2]);
  if (argc == 2 && strcmp(argv[1], "--small") == 0) most = 20000;
  const struct CMUnitTest tests[] = {cmocka_unit_test(goldens)};
  return cmocka_run_group_tests_name("bundles' goldens", tests, NULL, NULL);
}
