/* The values of a source at any time, in long double, as clip.h and the specification of glTF define them. */
#ifndef COMBINATIONS_TRUTH_H
#define COMBINATIONS_TRUTH_H

#include "scene.h"

typedef long double real;

/* A joint's transform: rotation of length 1, translation, scale. */
typedef struct placed {
  real part[3][4]; /* by kind */
} placed;

/* A pose of all joints, and the tracks. */
typedef struct truth_pose {
  placed *joints;
  real *tracks;
} truth_pose;

truth_pose truth_memory(scene *s);

/* The value of a curve at a time. `rest` stands in for a curve without keys. */
void truth_of_curve(real *out, const quatsimd_curve *curve, int kind, const float *rest, real time);
/* The value of the first key, or `rest`. */
void truth_first(real *out, const quatsimd_curve *curve, int kind, const float *rest);
/* The source's pose. Curves that hold may be at another time, since each curve rounds its own times. */
void truth_at(truth_pose *out, const scene *s, real time, real of_holds);
/* The pose that the clip is added to: of the base, or of first keys. Identities if it is not additive. */
void truth_base(truth_pose *out, const scene *s, real time);
/* Adds a pose sampled from the clip to a base. */
void truth_add(truth_pose *out, const scene *s, const truth_pose *base, const float_pose *sampled);

/* Moves joints with their parents: x to a x + b. */
typedef struct affine {
  real a[3][3], b[3];
} affine;
/* A joint's own matrix, and those of model space. */
void truth_model(affine *out, const scene *s, const truth_pose *pose);

/* The difference of two values, in the unit of the kind's bound. */
real truth_difference(int kind, const real *a, const real *b);
/* How far apart two affine maps put any point at a distance from the origin, at most. Exact if it is above
 * `enough`, else it may be too large, but not above `enough`. */
real truth_apart(const affine *a, const affine *b, real distance, real enough);

#endif
