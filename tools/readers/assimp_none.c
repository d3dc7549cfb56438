/* Stands in for assimp.c where Assimp is missing. */
#include "base/message.h"
#include "readers/assimp.h"
#include "readers/child.h"

struct child_limits child_limits; /* of no child */

bool assimp_scene(const char *path, struct scene *scene) {
  *scene = (struct scene){0};
  complain(path,
           "has a format that quatsimd does not read itself, and this quatsimd is built without Assimp");
  return false;
}

bool assimp_replace_keys(const struct replacement *r, const char *output) {
  (void)output;
  complain(r->original, "cannot be written as .glb: this quatsimd is built without Assimp");
  return false;
}

const char *assimp_version(void) { return "no Assimp"; }

const struct reader reader_assimp = {.name = "a file for Assimp",
                                     .endings = {ASSIMP_ENDINGS},
                                     .copies = {".glb"},
                                     .scene = assimp_scene,
                                     .replace_keys = assimp_replace_keys};
