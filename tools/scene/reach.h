/* How far from joints the vertices are that they move: what a bound of the mesh needs. */
#ifndef REACH_H
#define REACH_H

#include "scene/skeleton.h"

/* Vertices that a node has, and how far targets of its mesh move each of them at a weight of 1. */
struct reach_mesh {
  size_t node, count, targets;
  float *position, **moved; /* 3 * count each; of a target null: it moves none */
};
void reach_mesh_free(struct reach_mesh *mesh);

struct reach {
  const struct scene *scene;
  size_t *holder; /* of each node: the first joint at or above it, as a node; SCENE_NONE */
  double *weight; /* the largest weight of each of the scene's tracks, at rest or in an animation */
  double *of;     /* each node's: the largest distance of a vertex that it moves, in its own space; 0: none */
};

/* Adds a vertex that a node of a skin moves, by rows of the matrix that takes it to the node's space. */
void reach_take(struct reach *reach, size_t node, const double matrix[12], const struct reach_mesh *mesh,
                size_t vertex);
/* Adds all vertices of a mesh that is not skinned. matrix: takes them to the space of the mesh's node. */
void reach_take_all(struct reach *reach, const double matrix[12], const struct reach_mesh *mesh);

/* Returns the distance of each joint, to be freed: 0 for joints that move no vertex. Null and a complaint if
 * the file's meshes cannot be read. */
double *reach_of(const char *path, const struct skeleton *skeleton);

#endif
