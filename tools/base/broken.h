/* Complaints of files of ours that cannot be opened. */
#ifndef BROKEN_H
#define BROKEN_H

#include <stddef.h>
#include <stdint.h>

#include "quatsimd/status.h"

/* The place and the fault of such a file. */
struct broken {
  const char *kind, *magic; /* "skeleton", and how these begin */
  quatsimd_status other;    /* what opening says of other bytes */
  size_t size, length;      /* of the file; as its head says, 0 if it has none */
  unsigned version;
  uint32_t checksum, said; /* of its bytes; as its head says */
};

/* Complains of a file for which opening returned that. */
void broken_complain(const char *path, const struct broken *file, quatsimd_status status);

#endif
