/* How fast clips are sampled. */
#ifndef CLIP_SPEED_H
#define CLIP_SPEED_H

#include "clips/encode.h"

enum { CLIP_RANDOM, CLIP_PLAYBACK, CLIP_DECODE, CLIP_WAYS };

struct clip_speed {
  /* Nanoseconds: for each rotation that moves, where rotations alone are wanted; for each curve that
   * moves, where all are. 0: there are none. */
  double rotation[CLIP_WAYS], curve[CLIP_WAYS];
};

/* Takes the best pass over all the clips, of those that `seconds` give time for, for each figure. Returns
 * false and complains if a clip cannot be sampled. */
bool clip_speed_measure(const struct clip_result *results, size_t count, double seconds,
                        struct clip_speed *speed);

#endif
