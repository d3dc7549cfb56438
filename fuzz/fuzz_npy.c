/* libFuzzer over .npy: any file is an array that is all there, or is complained of. Memory follows the
 * file, not what its header claims: run.sh sets -malloc_limit_mb. */
#include "readers.h"

#include "readers/readers.h"

static void read_as(const char *path, char kind, size_t size) {
  struct npy array;
  readers_complaints();
  const bool good = npy_read(path, kind, &array);
  if (good == (readers_complaints() > 0))
    fuzz_fail("%s", good ? "complains of what it reads" : "does not say what is wrong");
  if (!good) return;
  size_t count = 1;
  for (unsigned a = 0; a < array.axes; a++) count *= array.shape[a];
  if (count != array.count || array.kind != kind || array.count * array.size > size)
    fuzz_fail("an array of %zu elements", array.count);
  double sum = 0;
  for (size_t i = 0; i < array.count && kind == 'f'; i++) sum += (double)npy_float(&array, i);
  volatile unsigned last =
      array.count ? ((const unsigned char *)array.data)[array.count * array.size - 1] : 0;
  (void)last, (void)sum;
  if (strlen(npy_shape_text(&array)) > 708) fuzz_fail("a long shape");
  npy_free(&array);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *path = readers_file(data, size);
  read_as(path, 'f', size), read_as(path, 'u', size);
  return 0;
}
