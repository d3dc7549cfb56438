/* How far points that are fixed to a joint are off: where the skeleton's root is, in double. */
#ifndef CLIP_POINTS_H
#define CLIP_POINTS_H

#include <stdbool.h>

#include "clips/place.h"

/* The farthest that a joint's two places take one point at the distance apart. NaN if there is none. */
double points_apart(const place_both m[12], double distance);

/* Is that no more than the limit? Cheaper; false where there is no telling. */
bool points_are_within(const place_both m[12], double distance, double limit);

#endif
