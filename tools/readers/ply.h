/* The rotations of Gaussian splats in a PLY file, as the training programs write them: binary, of either byte
 * order, with the properties rot_0 (w), rot_1 (x), rot_2 (y) and rot_3 (z) in the element `vertex`. */
#ifndef PLY_H
#define PLY_H

#include <stdbool.h>
#include <stddef.h>

/* True if the file begins as PLY files do. Reads, so it is not for pipes. */
bool ply_recognise(const char *path);

/* The rotations as x, y, z, w, not normalised, to be freed; at least one. Returns null and complains of
 * anything else. Memory follows the size of the file, not what its header claims. What lies behind the
 * vertices is not looked at. */
float *ply_read(const char *path, size_t *splats);

#endif
