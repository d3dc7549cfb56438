/* The frames of a clip as .npy. */
#ifndef CLIP_ARRAYS_H
#define CLIP_ARRAYS_H

#include <stdbool.h>

#include "quatsimd/skeleton.h"

/* skeleton: for names; may be null. Returns false and complains if it cannot; then files of the arrays
 * that were not written are as they were. */
bool clip_arrays_write(const quatsimd_clip *clip, const quatsimd_skeleton *skeleton, const char *directory);

#endif
