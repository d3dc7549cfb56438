/* Bounds of single joints and tracks of a file: by its mesh, of which no vertex is off by more at any time,
 * and by the rules of a recipe. */
#ifndef MESH_BOUNDS_H
#define MESH_BOUNDS_H

#include "clips/encode.h"
#include "scene/reach.h"

/* Finds what the meshes of a file ask for: of the file that was chosen for the skeleton, else of the file at
 * path. False and a complaint if they cannot be read. */
bool mesh_bounds_find(const struct skeleton_choice *choice, const char *path, const struct skeleton *skeleton,
                      struct reached *reached);

/* Makes the bounds. asked: in place of that of the settings. reached: counts with a bound of the mesh. */
struct joint_bounds mesh_bounds_make(const struct clip_settings *settings, const struct bounds_asked *asked,
                                     const struct skeleton *skeleton, const struct reached *reached);

#endif
