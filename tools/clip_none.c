/* Stands in for clip_assimp.c where Assimp is missing. */
#include "clip.h"
#include "message.h"

bool clip_read(const char *path, struct clip *clip) {
  *clip = (struct clip){0};
  complain(path, "neither an array nor splats, and this quatsimd was built without Assimp, which reads animation clips");
  return false;
}

const char *clip_reader(void) { return "no Assimp"; }
