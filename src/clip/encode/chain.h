/* The bound of points shared out along a skeleton, frame by frame. Rotations are encoded parents first, and
 * each one makes good what those above it turned out to be off: it aims at where its own points and its
 * children should be, not at its own curve, and has as much room as is left at each frame. */
#ifndef QUATSIMD_CLIP_CHAIN_H
#define QUATSIMD_CLIP_CHAIN_H

#include "clip/encode/object.h"
#include "core/quat64.h"

/* A joint at a frame, in object space: its rotation as it should be, how much farther it is turned, as an
 * axis times an angle, and how far its origin is off. */
typedef struct clip_link {
  double wanted[4], turned[3], off[3];
} clip_link;

/* The data of a joint. */
typedef struct clip_chain_joint {
  bool turns; /* its rotation moves; others are fixed to the joint above, or nearly */
  /* the next joint above that turns, or -1, and how far that is at most; the first joint that this one is
   * above of in this way, and the next one of the same, or -1 */
  int64_t carrier, first, next;
  double away;
  double reach;          /* how far the farthest point is that is turned with it */
  double above, below;   /* how many turn above it; it and below it, the most in a line */
  double aim, may;       /* how far its points may be off; its origin */
  double nominal, finer; /* how much its rotation may be off if all is as expected; its unit's part of that */
  double worst;          /* of errors near knots, of 1 */
  bool scarce;           /* it had less room than its unit is good for */
  int64_t main;          /* that of the joints it turns which has most below it, and where that is */
  double arm[3];
  uint8_t axes; /* CHAIN_UNKNOWN, ... */
  clip_tangent_space space;
  /* in an attempt */
  const clip_moving_curve *slides; /* its translation, if that moves */
  clip_link *link;                 /* at all frames */
  quatsimd_memory held;            /* of those */
  size_t left;                     /* children that are not encoded */
} clip_chain_joint;

/* Is it known whether curves have principal axes? */
enum { CHAIN_UNKNOWN, CHAIN_WITHOUT, CHAIN_WITH };

typedef struct clip_chain {
  const clip_skeleton *skeleton;
  clip_chain_joint *joint;
  size_t last;   /* frame */
  uint8_t axes;  /* has any curve? */
  bool *knot;    /* of each frame: it is one */
  float *tight;  /* of each frame: what bounds are multiplied by */
  float *over;   /* of each frame: the largest error there or up to the next one, if beyond its bound of 1 */
  float *strict; /* of one curve: clip_retry's */
  double *allowance; /* of one curve: how much it may be off */
  double (*fix)[3];  /* of one curve: how much farther than wanted it should be turned */
} clip_chain;

/* The largest error that was noted from frame `first` on, as a share of the bound. */
typedef struct clip_chain_notes {
  size_t first, frames; /* so many frames, and the one behind */
  float *over;          /* of each of these: errors there or up to the next one */
  double *worst;        /* of each joint: of errors near knots */
} clip_chain_notes;

/* Room for it. False: there is no memory. */
bool quatsimd_chain_begin(clip_chain *chain, const clip_skeleton *skeleton, clip_encoder *e);
/* Is it of use? Else bounds of curves are enough. */
bool quatsimd_chain_plan(clip_chain *chain, clip_encoder *e);
/* An error at a joint, of 1: at a frame or up to the next one. */
void quatsimd_chain_note(const clip_chain *chain, clip_chain_notes *notes, size_t frame, size_t joint,
                         double ratio);
/* Takes the notes to those that there are. */
void quatsimd_chain_take(clip_chain *chain, const clip_chain_notes *notes, size_t joints);
/* After an attempt that did not hold a bound. */
void quatsimd_chain_retry(clip_chain *chain, clip_encoder *e, int attempt);

/* links.c: before the first joint; before one, whose frames `value` are: if it moves they become what it
 * aims at, and its retry gets strictness (false: no memory); after it, `value` being what it was before;
 * after the last one. A curve that does not move is null. */
void quatsimd_chain_open(clip_chain *chain, clip_encoder *e);
bool quatsimd_chain_enter(clip_chain *chain, clip_encoder *e, size_t joint, clip_value *value,
                          clip_moving_curve *curve);
void quatsimd_chain_leave(clip_chain *chain, clip_encoder *e, size_t joint, clip_value *value,
                          const clip_moving_curve *curve);
void quatsimd_chain_close(clip_chain *chain, const clip_encoder *e);

static inline double chain_length(const double *v) {
  return quatsimd_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

#endif
