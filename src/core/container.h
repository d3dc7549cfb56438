/* The head of clips, skeletons and bundles: three letters, a version, a checksum, the size of the whole. */
#ifndef QUATSIMD_CONTAINER_H
#define QUATSIMD_CONTAINER_H

#include "core/bytes.h"
#include "quatsimd/status.h"

#include <stdbool.h>

enum { CONTAINER_AT_CHECKSUM = 4, CONTAINER_AT_SIZE = 8 /* the checksum covers all bytes from 8 on */ };

typedef struct container_kind {
  char letters[4];
  unsigned char oldest, newest;     /* the range of versions that the library reads */
  unsigned char wide;               /* the first version whose size has 8 bytes, not 4; 0 if none has */
  unsigned char head;               /* size of the head in bytes */
  size_t memory_size, alignment;    /* those of the opened container */
  quatsimd_status foreign, damaged; /* foreign: another kind of data; damaged: a short head or a wrong size */
} container_kind;

/* Checks the first four bytes: the letters and the version. */
quatsimd_status quatsimd_container_check(const container_kind *kind, const unsigned char *data, size_t size);
/* Reads the container's size from its head. */
quatsimd_status quatsimd_container_peek(const container_kind *kind, size_t *length, const void *data,
                                        size_t size);
/* Checks the arguments of the functions quatsimd_*_open, and the first four bytes of data. */
quatsimd_status quatsimd_container_begin(const container_kind *kind, const void *opened, const void *memory,
                                         size_t memory_size, const void *data, size_t size);

/* Returns the XXH32 of the bytes, with seed 0. */
uint32_t quatsimd_container_hash(const unsigned char *data, size_t size);

/* end: the size of the container in bytes, at least 8 */
static inline uint32_t container_checksum(const unsigned char *data, size_t end) {
  return quatsimd_container_hash(data + CONTAINER_AT_SIZE, end - CONTAINER_AT_SIZE);
}
static inline bool container_is_whole(const unsigned char *data, size_t end) {
  return load_u32(data + CONTAINER_AT_CHECKSUM) == container_checksum(data, end);
}
/* All bytes that the checksum covers must be written before. */
static inline void container_seal(unsigned char *data, size_t end) {
  store_little(data + CONTAINER_AT_CHECKSUM, container_checksum(data, end), 4);
}

#endif
