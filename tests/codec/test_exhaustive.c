/* All words of every format of 24 or 32 bits, on every kernel this machine can run: each unpacks to a
 * finite unit quaternion, to the same bits as scalar. Kernels of other machines through SIMDe, which are
 * slow, do every 16th block of 2^14 words. Minutes, on all cores. */
#include "support/kernels.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 14 };

static quatsimd_format format;
static const quatsimd_kernels *tables[MAX_KERNELS], *scalar;
static size_t table_count;
static uint32_t width, blocks; /* bytes of a word; of BLOCK words */
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

/* The promise is 4e-7, of the length. */
static bool is_unit(const float *q) {
  const double x = q[0], y = q[1], z = q[2], w = q[3], n2 = x * x + y * y + z * z + w * w;
  return n2 >= (1 - 4e-7) * (1 - 4e-7) && n2 <= (1 + 4e-7) * (1 + 4e-7); /* false for NaN */
}

static void *work(void *unused) {
  (void)unused;
  static _Thread_local unsigned char words[4 * BLOCK];
  static _Thread_local float expected[4 * BLOCK], got[4 * BLOCK];
  for (uint32_t block; (block = next_block++) < blocks;) {
    for (uint32_t i = 0; i < BLOCK; i++) {
      const uint32_t w = block * BLOCK + i;
      for (uint32_t b = 0; b < width; b++) words[width * i + b] = (unsigned char)(w >> 8 * b);
    }
    run_unpack(scalar, format, QUATSIMD_AOS, expected, expected, expected, expected, 16, words, BLOCK);
    uint32_t units = 0;
    for (uint32_t i = 0; i < BLOCK; i++) units += is_unit(expected + 4 * i);
    for (uint32_t i = 0; units != BLOCK && i < BLOCK; i++)
      if (!is_unit(expected + 4 * i)) fail(scalar, block * BLOCK + i, "not a unit quaternion");
    for (size_t t = 0; t < table_count; t++) {
      if (is_slow(tables[t]) && block % 16 != block / 16 % 16) continue;
      run_unpack(tables[t], format, QUATSIMD_AOS, got, got, got, got, 16, words, BLOCK);
      if (memcmp(got, expected, sizeof got) == 0) continue;
      for (uint32_t i = 0; i < BLOCK; i++)
        if (memcmp(got + 4 * i, expected + 4 * i, 16) != 0)
          fail(tables[t], block * BLOCK + i, "differs from scalar");
    }
  }
  return NULL;
}

int main(void) {
  const quatsimd_kernels *all[MAX_KERNELS];
  scalar = scalar_kernels();
  for (size_t i = 0, n = all_kernels(all); i < n; i++) {
    if (all[i] == scalar) continue;
    if (can_run(all[i])) tables[table_count++] = all[i];
    else printf("SKIP: this CPU cannot run the %s kernels\n", all[i]->name);
  }
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores < 1) cores = 1;
  if (cores > 64) cores = 64;

  unsigned checked = 0;
  for (size_t f = 0; quatsimd_format_at(f, &format) == QUATSIMD_OK; f++) {
    const quatsimd_format_entry *e = quatsimd_format_lookup(format);
    if (e->info.bits != 24 && e->info.bits != 32) continue;
    pthread_t threads[64];
    width = e->info.bits / 8;
    next_block = 0;
    blocks = (uint32_t)1 << (e->info.bits - 14);
    for (long i = 0; i < cores; i++)
      if (pthread_create(&threads[i], NULL, work, NULL) != 0) return perror("pthread_create"), 1;
    for (long i = 0; i < cores; i++) pthread_join(threads[i], NULL);
    printf("%s: 2^%u words on scalar", e->info.name, e->info.bits);
    for (size_t t = 0; t < table_count; t++)
      printf(", %s%s", tables[t]->name, is_slow(tables[t]) ? " (every 16th block)" : "");
    printf(": %llu failures\n", (unsigned long long)failures);
    fflush(stdout);
    checked++;
  }
  return failures == 0 && checked > 0 ? 0 : 1;
}
