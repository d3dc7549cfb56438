/* A new .bvh of joints and one animation. */
#ifndef WRITER_BVH_H
#define WRITER_BVH_H

#include "scene/scene.h"

/* Writes the nodes and `rows` rows of their animation, from `start` seconds on, `rate` in a second. Roots,
 * and nodes that move, have positions; all have rotations. Scales are left out, with a message. Returns false
 * and complains if it cannot; then a former file is as it was. */
bool bvh_write(const struct scene *scene, const struct scene_animation *animation, double start, double rate,
               size_t rows, const char *output);

#endif
