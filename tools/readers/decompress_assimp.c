/* What Assimp reads as the .glb it makes of that. */
#include <stdlib.h>

#include "readers/decompress.h"
#include "base/output.h"

bool decompress_assimp(const struct decompressed *d, const char *output) {
  const bool *kinds = d->keys->taken;
  const struct scene_export job = {d->original, d->animation, {kinds[0], kinds[1], kinds[2]}};
  struct output o;
  size_t size;
  unsigned char *file = scene_export_assimp(&job, &size);
  const bool good = file && output_open(&o, output);
  if (good) output_write(&o, file, size);
  free(file);
  return good && output_close(&o);
}
