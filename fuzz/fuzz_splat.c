/* libFuzzer over .splat: any whole number of records is splats, of components from -1 to 1. */
#include "readers.h"

#include "readers/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct npy shape = {0};
  readers_complaints();
  float *xyzw = reader_splat.rotations(readers_file(data, size), &shape);
  if (!xyzw != (readers_complaints() > 0))
    fuzz_fail("%s", xyzw ? "complains of what it reads" : "does not say what is wrong");
  if (!xyzw != (size == 0 || size % 32 != 0))
    fuzz_fail("%zu bytes are %s", size, xyzw ? "splats" : "no splats");
  for (size_t i = 0; xyzw && i < 4 * shape.shape[0]; i++)
    if (!(xyzw[i] >= -1 && xyzw[i] < 1)) fuzz_fail("component %zu is %g", i, (double)xyzw[i]);
  free(xyzw);
  return 0;
}
