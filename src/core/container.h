/* The head that clips, skeletons and bundles share: three letters and a version, a checksum, the size. */
#ifndef QUATSIMD_CONTAINER_H
#define QUATSIMD_CONTAINER_H

#include "core/bytes.h"
#include "quatsimd/status.h"

#include <stdbool.h>

enum { CONTAINER_AT_CHECKSUM = 4, CONTAINER_AT_SIZE = 8 /* the checksum is that of bytes from here on */ };

/* A kind of container. */
typedef struct container_kind {
  char letters[4];
  unsigned char oldest, newest;     /* versions that are read */
  unsigned char wide;               /* versions from this one on have a size of 8 bytes, not 4; 0: none has */
  unsigned char head;               /* bytes of the head */
  size_t memory_size, alignment;    /* of the opened container */
  quatsimd_status foreign, damaged; /* the errors for other bytes, and for too few */
} container_kind;

/* Checks the first four bytes. */
quatsimd_status quatsimd_container_check(const container_kind *kind, const unsigned char *data, size_t size);
/* The functions quatsimd_*_peek_size. */
quatsimd_status quatsimd_container_peek(const container_kind *kind, size_t *length, const void *data,
                                        size_t size);
/* Checks the arguments of the functions quatsimd_*_open, and the first four bytes. */
quatsimd_status quatsimd_container_begin(const container_kind *kind, const void *opened, const void *memory,
                                         size_t memory_size, const void *data, size_t size);

/* XXH32 with seed 0. */
uint32_t quatsimd_container_hash(const unsigned char *data, size_t size);

/* The checksum that the head of a container has whose checked bytes end at `end`, 8 or more. */
static inline uint32_t container_checksum(const unsigned char *data, size_t end) {
  return quatsimd_container_hash(data + CONTAINER_AT_SIZE, end - CONTAINER_AT_SIZE);
}
static inline bool container_is_whole(const unsigned char *data, size_t end) {
  return load_u32(data + CONTAINER_AT_CHECKSUM) == container_checksum(data, end);
}
/* Writes the checksum, when all the rest is written. */
static inline void container_seal(unsigned char *data, size_t end) {
  store_little(data + CONTAINER_AT_CHECKSUM, container_checksum(data, end), 4);
}

#endif
