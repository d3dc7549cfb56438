/* How far points that are fixed to a joint are off: where the skeleton's root is, in double. */
#ifndef CLIP_POINTS_H
#define CLIP_POINTS_H

#include <stdbool.h>

/* The farthest that a and b, four columns of three numbers, take one point at the distance apart. NaN if
 * there is none. */
double points_apart(const double a[12], const double b[12], double distance);

/* Is that no more than the limit? Cheaper; false where there is no telling. */
bool points_are_within(const double a[12], const double b[12], double distance, double limit);

#endif
