/* Where joints are in the space of the skeleton's root, in double. */
#ifndef CLIP_PLACE_H
#define CLIP_PLACE_H

#include "readers/skeleton.h"

/* A matrix is four columns of three numbers: those of the matrix and the translation. */

/* T R S; q need not be of length 1. */
void place_matrix(double m[12], const double q[4], const double t[3], const double s[3]);

/* m becomes parent m. */
void place_under(double m[12], const double parent[12]);

/* How high the nodes that move are at rest, together; 0 if that is no number. Where a file does not say which
 * axis is up, the largest side of the box around them: a figure is seldom wider than high. */
double place_height(const struct skeleton *skeleton);

#endif
