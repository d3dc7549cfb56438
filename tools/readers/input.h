/* The rotations of a file, whatever its kind: what `quatsimd measure` reads. */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "readers/npy.h"

struct input_clip {
  char *name;    /* of the animation; empty for arrays and splats */
  size_t tracks; /* 1 for arrays and splats */
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

enum input_kind { INPUT_ARRAY, INPUT_PLY, INPUT_SPLAT, INPUT_CLIP };

/* What kind of file it is. False and a complaint if there is no such file. */
bool input_recognise(const char *path, enum input_kind *kind);

/* Reads a .npy array, a splat scene or a clip. Returns false and complains if that fails or the file has no
 * rotations. */
bool input_read(const char *path, struct input *input);
void input_free(struct input *input);

/* Reads a .npy array, which may be empty, or a splat scene. Returns the rotations, to be freed, and in
 * *array their shape (..., 4) and count of floats, without data; null and a complaint if that fails. */
float *input_read_array(const char *path, struct npy *array);

/* How many of the quaternions are invalid. */
size_t input_count_invalid(const float *xyzw, size_t keys);

#endif
