/* Shared by the fuzzers of the command's readers. Readers take paths, so the input is a file in memory. */
#ifndef QUATSIMD_FUZZ_READERS_H
#define QUATSIMD_FUZZ_READERS_H

#include "fuzz.h"

/* The path of a file with these bytes; the next call changes it. */
const char *readers_file(const uint8_t *data, size_t size);

/* A path that can be written to, with this ending. */
const char *readers_kept(const char *ending);

/* Complaints since this was called last. A reader that fails says why. */
unsigned readers_complaints(void);

#endif
