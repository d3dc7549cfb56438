/* Animations of glTF 2.0 files, read from the file itself: of these Assimp 5.2 loses whether keys are
 * steps, rounds their times, makes up keys, takes normalized integers for floats and cannot tell nodes of
 * one name apart. */
#ifndef SCENE_GLTF_H
#define SCENE_GLTF_H

#include "readers/scene.h"

/* As scene_read_assimp. What is not of nodes (morph weights, targets without a node) is left out. An
 * animation with something that is broken, or a CUBICSPLINE curve, is complained of and counted in
 * scene->unread. */
bool scene_read_gltf(const char *path, struct scene *scene);

#endif
