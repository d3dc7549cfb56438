/* Bounds of the mesh: no vertex is off by more, at any time. */
#ifndef MESH_BOUNDS_H
#define MESH_BOUNDS_H

#include "clips/encode.h"

/* Adds a bound for each joint that moves vertices, at the distance of the farthest, and for each track that
 * moves some: vertices of the file that was chosen for the skeleton, else of the file at path. False and a
 * complaint if meshes cannot be read. */
bool mesh_bounds_add(struct joint_bounds *bounds, const struct clip_settings *settings, const char *path,
                     const struct skeleton *skeleton);

#endif
