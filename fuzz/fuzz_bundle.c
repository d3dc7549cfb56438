/* libFuzzer over bundles: what opens must have its skeleton, its clips found by name, and those that open
 * must sample to finite numbers and rotations of length 1, with and without their checksums; if the check
 * of the whole finds nothing, all clips must open; and nothing may be read or written outside. If the
 * first byte is odd, size and checksums of the rest are made good before it is opened: hardly anything
 * would get past them. */
#include "fuzz.h"

#include "support/bundle_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const char *wrong = NULL;
  uint64_t state = size;
  size_t length;
  fuzz_array copy = fuzz_array_new(size - 1, data[0] / 2 % 16);
  if (size > 1) memcpy(copy.data, data + 1, size - 1);
  if (data[0] % 2) bundle_bytes_seal(copy.data, copy.size);
  const quatsimd_status peeked = quatsimd_bundle_peek_size(&length, copy.data, copy.size);
  if (bundle_bytes_try(copy.data, copy.size, &state, &wrong) &&
      (peeked != QUATSIMD_OK || length != copy.size))
    fuzz_fail("peek does not give its length");
  if (wrong) fuzz_fail("%s", wrong);
  fuzz_array_free(&copy);
  return 0;
}
