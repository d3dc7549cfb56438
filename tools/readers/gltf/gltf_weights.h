/* Morph targets of glTF, whose weights are tracks. */
#ifndef GLTF_WEIGHTS_H
#define GLTF_WEIGHTS_H

#include "readers/gltf/gltf.h"

/* The morph targets of all nodes become tracks of the scene, whether or not an animation moves them. place:
 * of each node of the file, where the scene has it. False and a complaint if that takes too much memory. */
bool gltf_take_tracks(struct gltf *gltf, const struct gltf_list *nodes, const size_t *place,
                      struct scene *scene);

/* The first track of a node of the scene, and how many it has. */
size_t gltf_tracks_of(const struct scene *scene, size_t node, size_t *count);

#endif
