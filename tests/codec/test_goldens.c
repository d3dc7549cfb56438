/* Compares packed bytes and unpacked floats of the fixed sweep with the hashes in goldens.txt, for every
 * kernel that this machine can run and in every denormal mode. The model in tests/model/ makes the hashes.
 * They do not change after a release of the format. */
#include "support/denormals.h"
#include "support/hash.h"
#include "support/kernels.h"
#include "support/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static float quats[4 * SWEEP_COUNT], unpacked[4 * SWEEP_COUNT];
static unsigned char packed[16 * SWEEP_COUNT], words[16 * SWEEP_COUNT];

typedef struct goldens {
  uint64_t pack, unpack, words;
} goldens;

static goldens read_goldens(const char *format) {
  FILE *f = fopen(QUATSIMD_GOLDENS, "r");
  if (!f) fail_msg("cannot open %s", QUATSIMD_GOLDENS);
  char line[256], name[32];
  goldens g = {0, 0, 0};
  bool found = false;
  while (!found && fgets(line, sizeof line, f)) {
    unsigned long long a, b, c;
    if (sscanf(line, "%31s %16llx %16llx %16llx", name, &a, &b, &c) == 4 && strcmp(name, format) == 0) {
      g = (goldens){a, b, c};
      found = true;
    }
  }
  fclose(f);
  if (!found) fail_msg("%s has no line for %s", QUATSIMD_GOLDENS, format);
  return g;
}

static uint64_t hash_of_unpacked(void) {
  put_floats(unpacked, unpacked, 4 * SWEEP_COUNT);
  return XXH64(unpacked, sizeof unpacked, 0);
}

static void check(const quatsimd_kernels *k, bool flush) {
  quatsimd_format format;
  unsigned wrong = 0;
  for (size_t i = 0; quatsimd_format_at(&format, i) == QUATSIMD_OK; i++) {
    const char *name = quatsimd_get_format_info(format)->name;
    const size_t size = quatsimd_packed_size(format, SWEEP_COUNT);
    const goldens expected = read_goldens(name);
    goldens got;
    flush_denormals(flush);
    run_pack(k, format, packed, quatsimd_structs(quats, 4), SWEEP_COUNT);
    got.pack = XXH64(packed, size, 0);
    run_unpack(k, format, quatsimd_structs(unpacked, 4), packed, SWEEP_COUNT);
    got.unpack = hash_of_unpacked();
    run_unpack(k, format, quatsimd_structs(unpacked, 4), words, SWEEP_COUNT);
    got.words = hash_of_unpacked();
    flush_denormals(false);
    const char *different = got.pack != expected.pack       ? "packed bytes"
                            : got.unpack != expected.unpack ? "unpacked floats"
                            : got.words != expected.words   ? "floats of arbitrary words"
                                                            : NULL;
    if (different)
      print_error("%s kernels, %s%s: %s differ from goldens.txt\n", k->name, name,
                  flush ? ", denormals flushed" : "", different),
          wrong++;
  }
  assert_int_equal(wrong, 0);
}

static void goldens_hold(void **state) {
  const quatsimd_kernels *k = *state;
  if (!can_run(k)) {
    print_message("SKIP: this CPU cannot run the %s kernels\n", k->name);
    skip();
  }
  check(k, false);
  if (!flush_denormals(false)) print_message("SKIP: no denormal modes on this CPU\n");
  else check(k, true);
}

int main(void) {
  sweep_quaternions(quats, SWEEP_COUNT);
  sweep_words(words, sizeof words);
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = array_kernels(tables);
  static struct CMUnitTest tests[MAX_KERNELS];
  static char names[MAX_KERNELS][64];
  for (size_t i = 0; i < n; i++) {
    snprintf(names[i], sizeof names[i], "%s: goldens", tables[i]->name);
    tests[i] = (struct CMUnitTest){names[i], goldens_hold, NULL, NULL, (void *)(uintptr_t)tables[i]};
  }
  return _cmocka_run_group_tests("goldens", tests, n, NULL, NULL);
}
