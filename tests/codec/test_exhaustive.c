/* Unpacks all words of every format of 24 or 32 bits with every kernel that this machine can run. Each word
 * must give a unit quaternion, and the same bits on all kernels. `test_exhaustive N` unpacks every Nth block
 * of 2^12 words. Kernels that run through SIMDe are slow, so they unpack a sixteenth of the words. */
#include "support/kernels.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 12, SLOW = 16 };

static quatsimd_format format;
static const quatsimd_kernels *tables[MAX_KERNELS]; /* all other tables are compared with the first */
static size_t table_count;
static uint32_t width, blocks, every = 1; /* width: bytes of a word */
static _Atomic uint32_t next_block;
static _Atomic uint64_t failures;

static void fail(const quatsimd_kernels *k, uint32_t word, const char *what) {
  if (failures++ < 10)
    fprintf(stderr, "%s kernels, %s, word %08x: %s\n", k->name, quatsimd_get_format_info(format)->name, word,
            what);
}

static bool is_slow(const quatsimd_kernels *k) {
  return strcmp(k->name, "avx512_simde") == 0 || strcmp(k->name, "neon_simde") == 0 ||
         strcmp(k->name, "simd128") == 0;
}

/* Returns true for one of each n consecutive numbers. The position of this number varies, so that no bit of
 * the chosen numbers is constant. */
static bool turn(uint32_t number, uint32_t n) { return number % n == number / n % n; }

/* Returns true if the length of q is within 4e-7 of 1, as codec.h promises. */
static bool is_unit(const float *q) {
  const double x = q[0], y = q[1], z = q[2], w = q[3], n2 = x * x + y * y + z * z + w * w;
  return n2 >= (1 - 4e-7) * (1 - 4e-7) && n2 <= (1 + 4e-7) * (1 + 4e-7); /* false for NaN */
}

static inline void fill(unsigned char *words, uint32_t first, uint32_t bytes) {
  for (uint32_t i = 0; i < BLOCK; i++)
    for (uint32_t b = 0; b < bytes; b++) words[bytes * i + b] = (unsigned char)((first + i) >> 8 * b);
}

static void test_block(uint32_t block) {
  static _Thread_local unsigned char words[4 * BLOCK];
  static _Thread_local float expected[4 * BLOCK], got[4 * BLOCK];
  const uint32_t first = block * BLOCK;
  if (width == 4) fill(words, first, 4); /* constant widths make `fill` faster */
  else fill(words, first, 3);
  run_unpack(tables[0], format, quatsimd_structs(expected, 4), words, BLOCK);
  uint32_t units = 0;
  for (uint32_t i = 0; i < BLOCK; i++) units += is_unit(expected + 4 * i);
  for (uint32_t i = 0; units != BLOCK && i < BLOCK; i++)
    if (!is_unit(expected + 4 * i)) fail(tables[0], first + i, "not a unit quaternion");
  for (size_t t = 1; t < table_count; t++) {
    if (is_slow(tables[t]) && !turn(block / every, SLOW)) continue;
    run_unpack(tables[t], format, quatsimd_structs(got, 4), words, BLOCK);
    if (memcmp(got, expected, sizeof got) == 0) continue;
    for (uint32_t i = 0; i < BLOCK; i++)
      if (memcmp(got + 4 * i, expected + 4 * i, 16) != 0) fail(tables[t], first + i, "differs from scalar");
  }
}

static void *work(void *unused) {
  (void)unused;
  for (uint32_t block; (block = next_block++) < blocks;)
    if (turn(block, every)) test_block(block);
  return NULL;
}

static void list_tables(void) {
  const quatsimd_kernels *all[MAX_KERNELS];
  tables[table_count++] = scalar_kernels();
  for (size_t i = 0, n = array_kernels(all); i < n; i++) {
    if (all[i] == tables[0]) continue;
    if (can_run(all[i])) tables[table_count++] = all[i];
    else printf("SKIP: this CPU cannot run the %s kernels\n", all[i]->name);
  }
}

int main(int argc, char **argv) {
  if (argc == 2) every = (uint32_t)strtoul(argv[1], NULL, 10);
  if (argc > 2 || every < 1 || every > 1024)
    return fputs("usage: test_exhaustive [N], N to 1024\n", stderr), 2;
  list_tables();
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores < 1) cores = 1;
  if (cores > 64) cores = 64;

  unsigned checked = 0;
  for (size_t f = 0; quatsimd_format_at(&format, f) == QUATSIMD_OK; f++) {
    const quatsimd_format_entry *e = quatsimd_format_lookup(format);
    if (e->info.bits != 24 && e->info.bits != 32) continue;
    pthread_t threads[64];
    width = e->info.bits / 8;
    next_block = 0;
    blocks = (uint32_t)1 << (e->info.bits - 12);
    for (long i = 0; i < cores; i++)
      if (pthread_create(&threads[i], NULL, work, NULL) != 0) return perror("pthread_create"), 1;
    for (long i = 0; i < cores; i++) pthread_join(threads[i], NULL);
    printf("%s: every %u. block of 2^%u words:", e->info.name, every, e->info.bits);
    for (size_t t = 0; t < table_count; t++)
      printf(" %s%s", tables[t]->name, is_slow(tables[t]) ? " (a sixteenth)" : "");
    printf(": %llu failures\n", (unsigned long long)failures);
    fflush(stdout);
    checked++;
  }
  return failures == 0 && checked > 0 ? 0 : 1;
}
