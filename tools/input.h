/* The rotations of a file, whatever its kind: what `quatsimd measure` reads. */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "npy.h"

struct input_clip {
  char *name;    /* of the animation; empty for arrays */
  size_t tracks; /* 1 for arrays */
  size_t keys;
  size_t invalid; /* keys that pack as the identity */
};

struct input {
  const char *path;
  size_t clips;
  struct input_clip *clip;
  size_t keys;
  float *xyzw; /* 4 * keys, clip after clip, track after track */
};

/* Reads a .npy array or a clip. Returns false and complains if that fails or the file has no rotations. */
bool input_read(const char *path, struct input *input);
void input_free(struct input *input);

/* An array of shape (..., 4) as floats, 4 * (array->count / 4) of them, to be freed; null and a complaint if
 * the shape is another. */
float *input_rotations(const char *path, const struct npy *array);

/* How many of the quaternions are invalid. */
size_t input_count_invalid(const float *xyzw, size_t keys);

#endif
