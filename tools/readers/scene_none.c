/* Stands in for scene_assimp.c where Assimp is missing. */
#include <stddef.h>

#include "base/message.h"
#include "readers/scene.h"

bool scene_read_assimp(const char *path, struct scene *scene) {
  *scene = (struct scene){0};
  complain(
      path,
      "neither an array nor splats, and this quatsimd was built without Assimp, which reads animation clips");
  return false;
}

unsigned char *scene_export_assimp(const struct scene_export *job, size_t *size) {
  (void)size;
  complain(job->path, "this quatsimd was built without Assimp");
  return NULL;
}

const char *scene_reader(void) { return "no Assimp"; }
