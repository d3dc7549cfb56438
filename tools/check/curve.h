/* The curves of a source at any time, as clip.h defines them: in double, apart from what the encoder does. */
#ifndef CLIP_CURVE_H
#define CLIP_CURVE_H

#include <stdbool.h>

#include "quatsimd/clip.h"

/* The value of a key, without its tangents. */
const float *curve_key(const quatsimd_curve *curve, int kind, size_t key);

/* The last key that is not after the time; 0 if all are. */
size_t curve_find(const quatsimd_curve *curve, double time);

/* The value at a time between key number `key` and the next; before the first and after the last that key's.
 * Rotations are of any length. */
void curve_value(const quatsimd_curve *curve, int kind, size_t key, double time, double value[4]);

/* A curve at times that rise, each not before that of the last call. Where the curve's own times do not rise
 * it stays at the key before. */
struct curve_walk {
  const quatsimd_curve *curve;
  int kind;
  size_t key;                       /* the last one that is not after the time; 0 if all are */
  bool ready;                       /* has what follows: of rotations */
  double from[4], to[4], middle[4]; /* that key and the next one, and half way; of length 1 */
  double angle, sine;               /* from the one to the other, as quaternions; angle NaN: not known */
  double turn;                      /* the angle between them as rotations; at most 12 % more */
};
void curve_walk_on(struct curve_walk *walk, double time);
/* The value at the time that it went on to: as curve_value, but for the length of rotations. */
void curve_walk_value(struct curve_walk *walk, double time, double value[4]);

/* How much it changes in the next so many seconds, to the next key at most: by which angle a rotation turns,
 * radians; of others, the difference divided by the sum of the longer end and `more`. Never less, and at most
 * 12 % more; of splines up to three times as much. */
double curve_walk_change(struct curve_walk *walk, double seconds, double more);

/* The angle in radians, the length of the difference, the largest difference of a component. NaN if there is
 * none. */
double curve_distance(int kind, const double *p, const double *q);

/* Is it no more than the limit? Cheaper, as angles are not made; false where there is no telling. */
bool curve_is_within(int kind, const double *p, const double *q, double limit);

/* The least distance of q from what the curve is between two times, on both sides of its jumps. */
double curve_distance_within(const quatsimd_curve *curve, int kind, double from, double to, const double *q);

#endif
