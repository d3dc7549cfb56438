/* Stores the values of constant curves and of keys. All rotations of a clip have one format. */
#ifndef QUATSIMD_CLIP_CONSTANT_H
#define QUATSIMD_CLIP_CONSTANT_H

#include "clip/layout.h"

/* The formats of rotations: lattice32, cayley40, lattice48, lattice64. See docs/clip-format.md. */
enum { CLIP_PRECISIONS = 4 };
/* The largest error of each format in radians, rounded up. */
extern const double quatsimd_clip_precision_error[CLIP_PRECISIONS];

static inline size_t clip_constant_bytes(int kind, unsigned precision) {
  static const unsigned char bytes[CLIP_PRECISIONS] = {4, 5, 6, 8};
  return kind == 0 ? bytes[precision] : 4 * clip_axes(kind);
}

/* Stores `value`, which has four floats for a rotation, one for a track and three for other kinds. */
void quatsimd_constant_store(unsigned char *to, int kind, unsigned precision, const float *value);
/* Loads `count` values. Rotations have length 1, whatever the bytes are. */
void quatsimd_constant_load(float *value, int kind, unsigned precision, const unsigned char *from,
                            size_t count);

#endif
