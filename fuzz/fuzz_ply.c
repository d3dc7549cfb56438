/* libFuzzer over PLY: any file is splats that are all there, or is complained of. */
#include "readers.h"

#include "readers/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *path = readers_file(data, size);
  struct npy shape = {0};
  readers_complaints();
  float *xyzw = reader_ply.rotations(path, &shape);
  const size_t splats = shape.shape[0];
  if (!xyzw != (readers_complaints() > 0))
    fuzz_fail("%s", xyzw ? "complains of what it reads" : "does not say what is wrong");
  if (xyzw && (splats == 0 || splats > size / 16)) fuzz_fail("%zu splats in %zu bytes", splats, size);
  for (size_t i = 0; xyzw && i < 4 * splats; i++)
    if (isnan(xyzw[i]) && isinf(xyzw[i])) fuzz_fail("not a number and infinite"); /* reads them all */
  free(xyzw);
  return 0;
}
