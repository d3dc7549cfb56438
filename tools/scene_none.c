/* Stands in for scene_assimp.c where Assimp is missing. */
#include "message.h"
#include "scene.h"

bool scene_read_assimp(const char *path, struct scene *scene) {
  *scene = (struct scene){0};
  complain(path, "neither an array nor splats, and this quatsimd was built without Assimp, which reads animation clips");
  return false;
}

const char *scene_reader(void) { return "no Assimp"; }
