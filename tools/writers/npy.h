/* NumPy's array files, and clips as such. */
#ifndef WRITER_NPY_H
#define WRITER_NPY_H

#include "quatsimd/skeleton.h"
#include "readers/arrays/npy.h"

struct output;

/* Writes the array; data may be null if count is 0. Returns false and complains if that fails. */
bool npy_write(const char *path, const struct npy *array);

/* Writes the frames of a clip into a folder. skeleton: for names; may be null. Returns false and complains if
 * it cannot; then files of the arrays that were not written are as they were. */
bool npy_write_clip(const quatsimd_clip *clip, const quatsimd_skeleton *skeleton, const char *directory);

#endif
