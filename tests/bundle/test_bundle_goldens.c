/* Checks that the bundles of support/bundles.h have the same bytes on every machine.
 *
 * Usage: test_bundle_goldens [--small | --write | --files FOLDER]
 * --small leaves out bundles that take minutes in an emulator. --write prints bundles.txt. --files writes
 * files for tests/model/bundle.py. */
#include "fixture.h"

#include "support/denormals.h"

#include <inttypes.h>

static size_t most = SIZE_MAX; /* largest size of a bundle, in bytes */

static void goldens(void **state) {
  (void)state;
  FILE *file = fopen(QUATSIMD_BUNDLE_GOLDENS, "r");
  if (!file) fail_msg("no %s", QUATSIMD_BUNDLE_GOLDENS);
  bundle_maker maker[SCENES];
  const size_t makers = bundle_makers(maker);
  char line[200], name[100];
  size_t found = 0, bad = 0;
  while (fgets(line, sizeof line, file)) {
    size_t clips, size, former_size;
    uint64_t bytes, former;
    fixture f = {.data = NULL};
    if (line[0] == '#') continue;
    assert_int_equal(sscanf(line, "%99s %zu %zu %" SCNx64 " %zu %" SCNx64, name, &clips, &size, &bytes,
                            &former_size, &former),
                     6);
    assert_true(found < makers);
    assert_string_equal(name, maker[found].name); /* the file's lines are in the order of the makers */
    const bundle_maker *of = &maker[found++];
    if (size > most) continue;
    flush_denormals(found % 2);
    bundle_make(&f.made, of);
    fixture_encode(&f);
    flush_denormals(false);
    if (f.size != size || XXH64(f.data, f.size, 0) != bytes || quatsimd_bundle_clip_count(f.bundle) != clips)
      print_error("%s differs from its golden\n", name), bad++;
    fixture_former(&f);
    if (f.size != former_size || XXH64(f.data, f.size, 0) != former)
      print_error("%s in version 1 differs from its golden\n", name), bad++;
    fixture_free(&f);
  }
  fclose(file);
  assert_int_equal(bad, 0);
  assert_int_equal(found, makers);
}

static int write_goldens(void) {
  bundle_maker maker[SCENES];
  const size_t makers = bundle_makers(maker);
  puts("# The bundles of bundles.h: clips; bytes and their XXH64; those of version 1 (see "
       "test_bundle_goldens.c, which prints this with --write).");
  for (size_t i = 0; i < makers; i++) {
    fixture f = {.data = NULL};
    bundle_make(&f.made, &maker[i]);
    fixture_encode(&f);
    printf("%s %zu %zu %016" PRIx64, maker[i].name, quatsimd_bundle_clip_count(f.bundle), f.size,
           XXH64(f.data, f.size, 0));
    fixture_former(&f);
    printf(" %zu %016" PRIx64 "\n", f.size, XXH64(f.data, f.size, 0));
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

/* Writes copies of a bundle to one file. Each copy has one changed byte. Before each copy is a byte: 1 if the
 * check finds no error in it, else 0. */
static int write_changed(const char *folder, const char *name, const char *ending, const fixture *f) {
  FILE *file = file_in(folder, name, ending);
  unsigned char *bytes = malloc(f->size);
  if (!bytes) abort();
  for (size_t i = 8; i < f->size; i++) {
    quatsimd_bundle_storage storage;
    quatsimd_bundle *bundle;
    memcpy(bytes, f->data, f->size);
    bytes[i] ^= (unsigned char)(1 << 5 * i % 8);
    bundle_bytes_seal(bytes, f->size);
    fputc(quatsimd_bundle_open(&bundle, &storage, sizeof storage, bytes, f->size) == QUATSIMD_OK &&
              quatsimd_bundle_check(bundle, NULL) == QUATSIMD_OK,
          file);
    fwrite(bytes, 1, f->size, file);
  }
  free(bytes);
  return fclose(file);
}

static int write_bundle(const char *folder, const char *name, const char *ending, const fixture *f) {
  char changed[20];
  FILE *file = file_in(folder, name, ending);
  fwrite(f->data, 1, f->size, file);
  if (fclose(file) != 0) return 1;
  snprintf(changed, sizeof changed, "%s.changed", ending);
  return f->size < 2500 ? write_changed(folder, name, changed, f) : 0;
}

/* Writes the clips, as they were before bundling, in the order of their names. */
static int write_clips(const char *folder, const char *name, const fixture *f) {
  FILE *file = file_in(folder, name, "clips");
  for (size_t k = 0; k < f->made.source.clip_count; k++)
    for (size_t c = 0; c < f->made.source.clip_count; c++)
      if (quatsimd_bundle_find_clip(f->bundle, f->made.entry[c].name) == (int64_t)k)
        fwrite(f->made.entry[c].data, 1, f->made.entry[c].data_size, file);
  return fclose(file);
}

/* Writes JSON with the events, the masks and the record of the making. */
static int write_marks(const char *folder, const char *name, const made_bundle *m) {
  FILE *file = file_in(folder, name, "json");
  fputs("{\"events\": [", file);
  for (size_t i = 0, count = 0; i < m->source.clip_count; i++)
    for (size_t k = 0; k < m->entry[i].event_count; k++)
      fprintf(file, "%s[\"%s\", %.17g, \"%s\"]", count++ ? ", " : "", m->entry[i].name,
              m->entry[i].events[k].time, m->entry[i].events[k].name);
  fputs("], \"masks\": [", file);
  for (size_t i = 0; i < m->source.mask_count; i++) {
    const quatsimd_bundle_mask_entry *mask = &m->masks[i];
    fprintf(file, "%s[\"%s\"", i ? ", " : "", mask->name);
    for (size_t j = 0; j < m->joints; j++) fprintf(file, ", %.9g", (double)mask->joint_weights[j]);
    for (size_t t = 0; t < m->tracks; t++)
      fprintf(file, ", %.9g", mask->track_weights ? (double)mask->track_weights[t] : 1);
    fputs("]", file);
  }
  fprintf(file, "], \"making\": %s}\n", m->source.making_size ? made_bundle_making : "null");
  return fclose(file);
}

static int write_files(const char *folder) {
  bundle_maker maker[SCENES];
  const size_t makers = bundle_makers(maker);
  for (size_t i = 0; i < makers; i++) {
    const char *name = maker[i].name;
    fixture f = {.data = NULL};
    bundle_make(&f.made, &maker[i]);
    fixture_encode(&f);
    if (write_clips(folder, name, &f) != 0 || write_marks(folder, name, &f.made) != 0 ||
        write_bundle(folder, name, "qsb", &f) != 0)
      return 1;
    bool splines = false;
    for (size_t c = 0; c < f.made.source.clip_count; c++)
      splines = splines || ((const unsigned char *)f.made.entry[c].data)[3] == 3;
    fixture_former(&f);
    if (!splines && write_bundle(folder, name, "qsb1", &f) != 0) return 1; /* version 1 has no splines */
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
