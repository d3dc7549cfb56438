/* Rotations that change together, frame after frame: what a stream carries. */
#ifndef MOTION_H
#define MOTION_H

#include <stdbool.h>
#include <stddef.h>

struct motion {
  char *name; /* of the animation; empty for arrays */
  size_t bodies, frames;
  float *xyzw;     /* 4 * bodies * frames, frame after frame */
  double *seconds; /* of each frame; they never fall, and some rise */
  bool even;       /* frames are evenly apart */
};

/* Frames a second, on average. */
double motion_rate(const struct motion *motion);

struct motions {
  const char *path;
  size_t count;
  struct motion *motion;
  size_t left_out; /* curves of one key, which are no motion */
  size_t unread;   /* animations that could not be read; complained of */
};

/* Reads animations or a .npy array of shape (frames, ..., 4), which may be of w, x, y, z. Of each animation,
 * curves with the same key times are the bodies of one motion. rate: frames a second of what has no times, as
 * arrays, or none that make sense. Returns false and complains if that fails or nothing moves in the file. */
bool motions_read(const char *path, bool w_first, double rate, struct motions *motions);
void motions_free(struct motions *motions);

#endif
