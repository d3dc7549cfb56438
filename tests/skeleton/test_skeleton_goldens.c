/* Checks that the skeletons of support/skeletons.h have the same bytes on every machine.
 *
 * Usage: test_skeleton_goldens [--write | --files FOLDER]. --write prints skeletons.txt. --files writes files
 * for tests/model/skeleton.py: skeletons, texts with values that the library reads, and changed copies. */
#include "fixture.h"

#include "support/denormals.h"

#include <inttypes.h>

static void goldens(void **state) {
  (void)state;
  FILE *file = fopen(QUATSIMD_SKELETON_GOLDENS, "r");
  if (!file) fail_msg("no %s", QUATSIMD_SKELETON_GOLDENS);
  char line[200], name[100];
  size_t found = 0, bad = 0;
  while (fgets(line, sizeof line, file)) {
    size_t size;
    uint64_t bytes, hash;
    if (line[0] == '#') continue;
    assert_int_equal(sscanf(line, "%99s %zu %" SCNx64 " %" SCNx64, name, &size, &bytes, &hash), 4);
    assert_true(found < SKELETONS);
    assert_string_equal(name, skeletons[found++].name); /* the file's lines are in the order of skeletons[] */
    for (int flush = 0; flush < (flush_denormals(false) ? 2 : 1); flush++) {
      fixture f = {.name = name};
      skeletons[found - 1].make(&f.made);
      flush_denormals(flush);
      fixture_encode(&f);
      flush_denormals(false);
      if (f.size != size || XXH64(f.data, f.size, 0) != bytes || quatsimd_skeleton_hash(f.skeleton) != hash) {
        print_error("%s%s differs from its golden\n", name, flush ? ", denormals flushed," : "");
        bad++;
      }
      fixture_free(&f);
    }
  }
  fclose(file);
  assert_int_equal(bad, 0);
  assert_int_equal(found, SKELETONS);
}

static int write_goldens(void) {
  puts("# The skeletons of skeletons.h: bytes, XXH64 of these, the hash of names and hierarchy (see "
       "test_skeleton_goldens.c, which prints this with --write).");
  for (size_t i = 0; i < SKELETONS; i++) {
    fixture f;
    fixture_make(&f, skeletons[i].name);
    printf("%s %zu %016" PRIx64 " %016" PRIx64 "\n", f.name, f.size, XXH64(f.data, f.size, 0),
           quatsimd_skeleton_hash(f.skeleton));
    fixture_free(&f);
  }
  return 0;
}

static void print_floats(FILE *file, const float *floats, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &floats[i], 4);
    fprintf(file, " %08" PRIx32, bits);
  }
}

/* Prints the letter n, then the name in hexadecimal. The letter is needed because the name may be empty. */
static void print_name(FILE *file, const char *name) {
  fputs(" n", file);
  for (; *name; name++) fprintf(file, "%02x", (unsigned)(unsigned char)*name);
}

static void print_text(FILE *file, const quatsimd_skeleton *s, const quatsimd_skeleton_source *read) {
  uint64_t metres;
  memcpy(&metres, &read->metres, 8);
  fprintf(file, "%zu %zu %016" PRIx64 " %016" PRIx64 "\n", read->joint_count, read->track_count, metres,
          quatsimd_skeleton_hash(s));
  for (size_t j = 0; j < read->joint_count; j++) {
    const quatsimd_skeleton_joint *joint = &read->joints[j];
    fprintf(file, "%d %d", (int)joint->parent, (int)quatsimd_skeleton_find_joint(s, joint->name));
    print_name(file, joint->name);
    print_floats(file, joint->rotation, 4);
    print_floats(file, joint->translation, 3);
    print_floats(file, joint->scale, 3);
    if (joint->inverse_bind) print_floats(file, joint->inverse_bind, 12);
    fputc('\n', file);
  }
  for (size_t t = 0; t < read->track_count; t++) {
    fprintf(file, "%d", (int)quatsimd_skeleton_find_track(s, read->track_names[t]));
    print_name(file, read->track_names[t]);
    print_floats(file, &read->track_rest[t], 1);
    fputc('\n', file);
  }
}

/* Writes copies of the skeleton, each with one changed byte, to one file. Before each copy is a byte: 1 if
 * the copy opens, else 0. */
static int write_changed(const char *folder, const fixture *f) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.changed", folder, f->name);
  FILE *file = fopen(path, "wb");
  unsigned char *bytes = made_memory(f->size, 1);
  for (size_t k = 0; file && k < f->size; k++)
    for (int way = 0; way < 10; way++) {
      quatsimd_skeleton_storage storage;
      quatsimd_skeleton *s;
      memcpy(bytes, f->data, f->size);
      bytes[k] =
          way < 8 ? bytes[k] ^ (unsigned char)(1 << way) : (unsigned char)(way == 8 ? 0 : bytes[k] + 1);
      skeleton_bytes_seal(bytes, f->size);
      const bool opens = quatsimd_skeleton_open(&s, &storage, sizeof storage, bytes, f->size) == QUATSIMD_OK;
      fputc(opens, file);
      fwrite(bytes, 1, f->size, file);
    }
  free(bytes);
  return !file || fclose(file) != 0 ? perror(path), 1 : 0;
}

static int write_files(const char *folder) {
  for (size_t i = 0; i < SKELETONS; i++) {
    fixture f;
    char path[1000];
    quatsimd_skeleton_source read;
    fixture_make(&f, skeletons[i].name);
    snprintf(path, sizeof path, "%s/%s.qsk", folder, f.name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(f.data, 1, f.size, file) != f.size || fclose(file) != 0) return perror(path), 1;
    snprintf(path, sizeof path, "%s/%s.txt", folder, f.name);
    file = fopen(path, "wb");
    if (!file || skeleton_bytes_read(f.skeleton, &read)) return perror(path), 1;
    print_text(file, f.skeleton, &read);
    if (fclose(file) != 0) return perror(path), 1;
    if (f.size < 1000 && write_changed(folder, &f)) return 1;
    skeleton_bytes_free(&read);
    fixture_free(&f);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--write") == 0) return write_goldens();
  if (argc == 3 && strcmp(argv[1], "--files") == 0) return write_files(argv[2]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(goldens)};
  return cmocka_run_group_tests_name("skeleton goldens", tests, NULL, NULL);
}
