/* Writes bundles of those of the tests' clips that are small, a file each in versions 1 and 2, as seeds of
 * fuzz_bundle: before each the byte that asks for a checksum. Usage: make_bundles FOLDER */
#include "support/bundle_bytes.h"
#include "support/bundles.h"

enum { LARGEST = 8000 }; /* bytes */

static int write_seed(const char *folder, const char *name, const char *ending, const void *data,
                      size_t size) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
  FILE *file = size <= LARGEST ? fopen(path, "wb") : NULL;
  int status = size <= LARGEST && !file;
  if (file) status = fputc(1, file) == EOF || fwrite(data, 1, size, file) != size;
  if (file && fclose(file) != 0) status = 1;
  if (status) perror(path);
  return status;
}

static int write_bundle(const char *folder, const char *name, const made_bundle *made) {
  void *data;
  size_t size, former_size;
  if (quatsimd_bundle_encode(&data, &size, &made->source, NULL, NULL) != QUATSIMD_OK)
    return fprintf(stderr, "%s: not encoded\n", name), 1;
  unsigned char *former = bundle_bytes_former(data, size, &former_size);
  const int status =
      write_seed(folder, name, "", data, size) || write_seed(folder, name, "-version1", former, former_size);
  free(former);
  quatsimd_bundle_free(NULL, data);
  return status;
}

int main(int argc, char **argv) {
  bundle_maker maker[SCENES];
  int status = argc == 2 ? 0 : 2;
  const size_t makers = bundle_makers(maker);
  for (size_t i = 0; i < makers && !status; i++) {
    made_bundle made;
    if (maker[i].joints > 1000) continue; /* takes its time */
    bundle_make(&made, &maker[i]);
    status = write_bundle(argv[1], maker[i].name, &made);
    made_bundle_free(&made);
  }
  return status;
}
