/* The rotations of a file, whatever its kind: what `quatsimd measure` reads. */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "readers/arrays/npy.h"
#include "scene/scene.h"

struct input_animation {
  char *name;    /* empty for arrays and splats */
  size_t curves; /* 1 for arrays and splats */
  size_t keys;
  size_t invalid; /* keys that pack as the identity */
};

struct input {
  const char *path;
  size_t animations; /* those with rotations; an array is one */
  struct input_animation *animation;
  size_t keys;
  float *xyzw;   /* 4 * keys, animation after animation, curve after curve */
  size_t unread; /* animations that could not be read; complained of */
};

/* The meaning of --order (null: it is not given): are rotations of .npy arrays w, x, y, z? False after a
 * complaint (usage_error). Other files say themselves. */
bool input_order(const char *command, const char *order, bool *w_first);

/* Reads a .npy array, a scene of splats or animations. Returns false and complains if that fails or the
 * file has no rotations. */
bool input_read(const char *path, bool w_first, struct input *input);
void input_free(struct input *input);

/* Reads a .npy array, which may be empty, or a scene of splats. Returns the rotations, to be freed, and in
 * *shape their shape (..., 4) and count of floats, without data; null and a complaint if that fails. */
float *input_read_array(const char *path, bool w_first, struct npy *shape);

/* Reads the animations of a regular file. Returns false and complains if that fails or none turns
 * anything. */
bool input_scene(const char *path, struct scene *scene);

/* How many of the quaternions are invalid. */
size_t input_count_invalid(const float *xyzw, size_t keys);

#endif
