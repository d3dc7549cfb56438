/* Bounds of the mesh: no vertex is off by more, at any time. */
#ifndef MESH_BOUNDS_H
#define MESH_BOUNDS_H

#include "clips/joint_bounds.h"

/* Adds a bound for each joint that moves vertices, at the distance of the farthest. False and a complaint if
 * meshes cannot be read. path: of the skeleton's file. */
bool mesh_bounds_add(struct joint_bounds *bounds, const struct bounds_asked *asked, const char *path,
                     const struct skeleton *skeleton);

#endif
