/* A new .bvh of joints and one animation. */
#ifndef WRITER_BVH_H
#define WRITER_BVH_H

#include "scene/scene.h"

/* The times of the rows. */
struct bvh_rows {
  double start, rate; /* seconds; rows per second */
  size_t count;
};

/* Writes the nodes and their animation. Roots, and nodes that move, have positions; all have rotations.
 * Scales are left out, with a message. Returns false and complains if it cannot; then a former file is as it
 * was. */
bool bvh_write(const struct scene *scene, const struct scene_animation *animation,
               const struct bvh_rows *rows, const char *output);

#endif
