/* Arrays that are compressed as EXT_meshopt_compression defines it, by the decoders of meshoptimizer;
 * meshopt_none.c stands in where there is no C++ compiler for these. */
#ifndef MESHOPT_H
#define MESHOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Elements take at most so many times the bytes that hold them: ATTRIBUTES, which compress best, have 2 bits
 * for one byte of each of 16 elements, where that byte does not change. So memory is asked for only where
 * the file is large, too. */
enum { MESHOPT_MOST = 64 };

struct meshopt {
  const char *mode, *filter; /* by their names in glTF */
  size_t count, stride;      /* of the elements: no more than 2^53 of them, no more than 2^53 bytes each */
  const unsigned char *bytes;
  size_t size;
  uint64_t room; /* for the elements: bytes */
  /* where decoding fails: why, and whether later decoders may know it */
  char error[120];
  bool unknown;
};

/* The elements, count * stride bytes to be freed, whose numbers are little-endian. Null and m->error if that
 * fails. */
unsigned char *meshopt_decode(struct meshopt *m);

/* "meshoptimizer 0.18", or "no meshoptimizer". */
const char *meshopt_version(void);

#endif
