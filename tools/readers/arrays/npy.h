/* NumPy's array files, as much of them as rotations need: versions 1.0 to 3.0, C and Fortran order, floats
 * and unsigned integers of either byte order. */
#ifndef NPY_H
#define NPY_H

#include <stdbool.h>
#include <stddef.h>

/* The file begins so. */
#define NPY_MAGIC "\x93NUMPY"
enum { NPY_MAGIC_SIZE = sizeof NPY_MAGIC - 1 };
enum { NPY_AXES_MAX = 32 }; /* NumPy's own limit before version 2 */

struct npy {
  char kind;     /* 'f' or 'u' */
  unsigned size; /* bytes of an element: f 2, 4, 8; u 1, 2, 4, 8 */
  unsigned axes;
  size_t shape[NPY_AXES_MAX];
  size_t count; /* elements; count * size does not overflow */
  void *data;   /* little-endian elements in C order */
};

/* Reads a file whose elements are of that kind. Returns false and complains of anything else: other
 * types, too few or too many bytes, a header that NumPy would not have written. */
bool npy_read(const char *path, char kind, struct npy *array);
/* The same of a file in memory, which it frees, or which becomes the array's; path is for messages. */
bool npy_take_bytes(const char *path, unsigned char *bytes, size_t size, char kind, struct npy *array);
/* True if a file in memory begins as one of floats of shape (..., 4). */
bool npy_has_rotations(const unsigned char *bytes, size_t size);
/* The rotations of an array of floats, to be freed; null and a complaint if its shape is another one. */
float *npy_rotations(const char *path, const struct npy *array);
void npy_free(struct npy *array);

/* The header of an array of so many rotations, without data. */
struct npy npy_shape_of(size_t rotations);

/* Element i of an array of floats. Doubles beyond the range of float become infinite. */
float npy_float(const struct npy *array, size_t i);

/* A float of 2, 4 or 8 bytes as npy stores it; such doubles become infinite here, too. */
float npy_get_float(const void *bytes, unsigned size);

/* The shape as Python writes it, "(3, 4)". The text lives until the next call. */
const char *npy_shape_text(const struct npy *array);

#endif
