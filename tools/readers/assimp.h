/* Files that only Assimp reads; assimp_none.c stands in where it is
 * missing. */
#ifndef ASSIMP_H
#define ASSIMP_H

#include "readers/readers.h"

/* Of files with animations; Assimp reads others, too. */
#define ASSIMP_ENDINGS ".fbx", ".dae", ".x", ".b3d", ".ms3d", ".smd", ".md5anim", ".iqm", ".ogex"

bool assimp_scene(const char *path, struct scene *scene);

/* Writes what Assimp makes of the file as a .glb. */
bool assimp_replace_keys(const struct replacement *r, const char *output);

/* "Assimp 5.2", or "no Assimp". */
const char *assimp_version(void);

#endif
