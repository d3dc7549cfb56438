/* Whole animations: the joints of a file and the curves that move them. */
#ifndef SKELETON_H
#define SKELETON_H

#include <stdint.h>

#include "readers/scene.h"

/* A node that an animation of the file moves, or one above it. */
struct skeleton_joint {
  size_t node;    /* of the scene */
  int64_t parent; /* a joint before it; -1: none */
};

struct skeleton {
  struct scene scene; /* its animations move known nodes alone */
  size_t joints;
  struct skeleton_joint *joint;
  size_t *joint_of; /* each node's joint; SCENE_NONE */
};

/* Reads a file as readers.h has it. Returns false and complains if that fails or no node moves in the file.
 * Animations that cannot be read are complained of and counted in scene.unread; there may be none left. */
bool skeleton_read(const char *path, struct skeleton *skeleton);
/* The same, but nothing need move. */
bool skeleton_read_any(const char *path, struct skeleton *skeleton);
void skeleton_free(struct skeleton *skeleton);

/* The curves of an animation: curve[3 * joint + kind], null where the file has none. To be freed. */
const struct scene_curve **skeleton_curves(const struct skeleton *skeleton, size_t animation);

#endif
