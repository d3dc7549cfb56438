/* Stands in for meshopt.c where there is no C++ compiler for the decoders. */
#include <stdio.h>

#include "readers/gltf/meshopt.h"

unsigned char *meshopt_decode(struct meshopt *m) {
  m->unknown = true;
  snprintf(m->error, sizeof m->error, "this quatsimd was built without meshoptimizer, which decodes it");
  return NULL;
}

const char *meshopt_version(void) { return "no meshoptimizer"; }
