/* libFuzzer over clips: what opens must sample to finite numbers and rotations of length 1, and nothing may be read or written outside.
 * If the first byte is odd, size and checksum of the rest are made good before it is opened: hardly anything would get past them. */
#include "clip_bytes.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  uint64_t state = size;
  const char *wrong = NULL;
  unsigned char *copy = malloc(size - 1 ? size - 1 : 1); /* of exactly its size */
  if (!copy) return 0;
  memcpy(copy, data + 1, size - 1);
  if (data[0] % 2) clip_bytes_seal(copy, size - 1);
  clip_bytes_try(copy, size - 1, &state, &wrong);
  if (wrong) {
    fprintf(stderr, "%s\n", wrong);
    abort();
  }
  free(copy);
  return 0;
}
