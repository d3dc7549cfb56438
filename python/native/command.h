/* Private: the command, and the files that it reads, for the Python package. One call at a time in a
 * process. */
#ifndef QUATSIMD_PYTHON_COMMAND_H
#define QUATSIMD_PYTHON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "quatsimd/version.h"

/* Runs the command as its program does, on this process's standard streams, and returns the exit status.
 * Arguments are UTF-8 where files have such names. argv has a null behind its last argument. Called from the
 * main thread: an interrupt ends the process, after a file that is not complete is removed. share: the files
 * of a recipe are a share of those that it is for. */
QUATSIMD_API int quatsimd_python_run(int argc, char **argv, bool share);

/* The keys of a curve. */
typedef struct quatsimd_python_curve {
  size_t keys;       /* 0: there is none */
  int interpolation; /* as in quatsimd_curve */
  const float *values;
  const double *seconds;
} quatsimd_python_curve;

typedef struct quatsimd_python_animation {
  const char *name;
  const quatsimd_python_curve *curve; /* rotation, translation and scale of each joint, then of each track */
} quatsimd_python_animation;

/* Limits of reading, as options of the command. */
typedef struct quatsimd_python_limits {
  double reader_memory, reader_seconds; /* 0: any */
  bool allow_outside;
} quatsimd_python_limits;

/* A file that was read. */
typedef struct quatsimd_python_file {
  char *messages;        /* lines of text; null: none */
  const float *rotation; /* of a file that is an array: x, y, z, w; else null */
  size_t axes;           /* without the last one */
  const size_t *shape;
  const void *skeleton; /* of a file of animations: a .qsk */
  size_t skeleton_size, joints, tracks, animations;
  const quatsimd_python_animation *animation;
  void *memory;
} quatsimd_python_file;

/* Reads a file with the command's readers. w_first: rotations of an array are w, x, y, z. Returns 1; 0 if it
 * fails, and the messages say why; -1 if there is not enough memory, and then what was allocated stays so.
 * After 1 and 0 quatsimd_python_free is called. */
QUATSIMD_API int quatsimd_python_load(quatsimd_python_file *file, const char *path, bool w_first,
                                      const quatsimd_python_limits *limits);
QUATSIMD_API void quatsimd_python_free(quatsimd_python_file *file);

#endif
