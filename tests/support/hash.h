/* Includes xxHash, and stores floats as bytes for the hashes of goldens. */
#ifndef QUATSIMD_TESTS_HASH_H
#define QUATSIMD_TESTS_HASH_H

#include <stdint.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Stores floats in little-endian order on any machine. `to` may equal `floats`. */
static inline void put_floats(void *to, const float *floats, size_t count) {
  unsigned char *bytes = (unsigned char *)to;
  for (size_t i = 0; i < count; i++) {
    uint32_t u;
    memcpy(&u, &floats[i], 4);
    for (int b = 0; b < 4; b++) bytes[4 * i + (size_t)b] = (unsigned char)(u >> 8 * b);
  }
}

#endif
