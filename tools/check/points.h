/* How far points that are fixed to a joint are off: where the skeleton's root is, in double. */
#ifndef CLIP_POINTS_H
#define CLIP_POINTS_H

#include <stdbool.h>

#include "check/place.h"

/* How far apart a joint's two places take one point at the distance from it, at most. NaN if there is no
 * telling. */
double points_apart(const place_both m[12], double distance);

/* Is that no more than the limit? Cheaper; may be false though it is. */
bool points_are_within(const place_both m[12], double distance, double limit);

#endif
