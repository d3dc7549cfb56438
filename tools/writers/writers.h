/* Files that the command writes in formats of others. */
#ifndef WRITERS_H
#define WRITERS_H

#include "quatsimd/skeleton.h"
#include "readers/arrays/npy.h"
#include "scene/scene.h"

/* Files round times to floats: a frame at a key has its value, although the key may be just behind. */
struct file_frames {
  double rate; /* in a second; 0: the clip's own frames, not of a .bvh */
  size_t count;
};

/* Writes the nodes and frames of their animation, from `start` seconds on, at a rate. Roots, and nodes that
 * move, have positions; all have rotations. Scales are left out, with a message. Returns false and complains
 * if it cannot; then a former file is as it was. */
bool bvh_write(const struct scene *scene, const struct scene_animation *animation, double start,
               const struct file_frames *frames, const char *output);

/* Writes the nodes, as the joints of a skin and with lines between them, so that there is something to see,
 * and all animations. Lengths become metres where the scene knows its unit; then its translations change in
 * place. Returns false and complains if it cannot; then a former file is as it was. */
bool glb_write(struct scene *scene, const char *output);

/* Writes the array; data may be null if count is 0. Returns false and complains if that fails. */
bool npy_write(const char *path, const struct npy *array);

/* Writes frames of a clip into a folder. skeleton: for names; may be null. Returns false and complains if it
 * cannot; then files of the arrays that were not written are as they were. */
bool npy_write_clip(const quatsimd_clip *clip, const quatsimd_skeleton *skeleton,
                    const struct file_frames *frames, const char *directory);

#endif
