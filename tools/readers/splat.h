/* The rotations of Gaussian splats in a .splat file: nothing but records of 32 bytes, of which the last four
 * are the rotation's w, x, y, z. */
#ifndef SPLAT_H
#define SPLAT_H

#include <stdbool.h>
#include <stddef.h>

/* True if the name ends in .splat: the content has no mark. */
bool splat_recognise(const char *path);

/* The rotations as x, y, z, w, not normalised, to be freed; at least one. Returns null and complains if
 * the file is no whole number of records. */
float *splat_read(const char *path, size_t *splats);

#endif
