/* Converts frames to vectors. Rotations become their Cayley vectors relative to a base. The middle of a curve
 * of another kind is subtracted from its values. */
#ifndef QUATSIMD_CLIP_TANGENT_H
#define QUATSIMD_CLIP_TANGENT_H

#include "clip/encode/curve.h"

typedef struct clip_tangent_space {
  uint32_t left, right; /* bases of a rotation as clips store them, ten bits a component */
  float middle[3];      /* the middle of a curve of another kind */
} clip_tangent_space;

/* Options of a curve's base. `knots` saves bits in bundles, whose clips have few knots. */
typedef struct clip_bases {
  bool axes;                /* true if rotations have principal axes */
  bool knots;               /* the base is in the middle of the knots' values, not of all values */
  bool coarse, coarse_axes; /* the base, or the axes, have few bits */
} clip_bases;

void quatsimd_tangent_space(clip_tangent_space *space, clip_vector *vector, clip_value *value, size_t frames,
                            int kind, clip_bases bases);

/* Loads the vectors that rotations have in a given space. */
void quatsimd_tangent_vectors(const clip_tangent_space *space, clip_vector *vector, clip_value *value,
                              size_t frames);

/* Converts a vector in `space` back to a rotation. `sides` are those of the space. */
typedef struct clip_sides {
  double left[4], right[4];
} clip_sides;
clip_sides quatsimd_tangent_sides(const clip_tangent_space *space);
void quatsimd_tangent_back(double value[CLIP_MOST_COMPONENTS], const clip_sides *sides,
                           const double vector[3]);

#endif
