/* Where joints are in the space of the skeleton's root, in double: in two poses at once. */
#ifndef CLIP_PLACE_H
#define CLIP_PLACE_H

#include "scene/skeleton.h"

/* A number in either pose: of a source, and out of a clip. */
typedef double place_both __attribute__((vector_size(2 * sizeof(double)), aligned(8)));
enum { PLACE_ORIGINAL, PLACE_DECODED };

/* A matrix is four columns of three numbers: those of the matrix and the translation. */

/* T R S; q need not be of length 1. */
void place_matrix(place_both m[12], const place_both q[4], const place_both t[3], const place_both s[3]);

/* m becomes parent m. */
void place_under(place_both m[12], const place_both parent[12]);

/* Returns how high the nodes that move are at rest, together; 0 if that is no number. Where a file does
 * not say which axis is up, the largest side of the box around them: a figure is seldom wider than high.
 * Where it does not say its unit either, as BVH, poses without animation differ from file to file of one
 * figure, so the lengths of bones decide. */
double place_height(const struct skeleton *skeleton);

#endif
