/* libFuzzer over skeletons: what opens must be readable, its names found, and encoded again it must be the
 * same bytes. If the first byte is odd, size, hash and checksum of the rest are made good before it is
 * opened: hardly anything would get past them. */
#include "fuzz.h"

#include "support/skeleton_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const char *wrong = NULL;
  size_t length;
  fuzz_array copy = fuzz_array_new(size - 1, data[0] / 2 % 16);
  if (size > 1) memcpy(copy.data, data + 1, size - 1);
  if (data[0] % 2) skeleton_bytes_seal(copy.data, copy.size);
  const quatsimd_status peeked = quatsimd_skeleton_peek_size(&length, copy.data, copy.size);
  if (skeleton_bytes_try(copy.data, copy.size, &wrong) && (peeked != QUATSIMD_OK || length != copy.size))
    fuzz_fail("peek does not give its length");
  if (wrong) fuzz_fail("%s", wrong);
  fuzz_array_free(&copy);
  return 0;
}
