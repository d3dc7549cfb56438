/* Shares the bound of points out along a skeleton, frame by frame. Rotations are encoded parents first. Each
 * rotation corrects the errors of those above it: it aims at where its points and its children should be, not
 * at its own curve. Its allowance at a frame is what the joints above have left of the bound. */
#ifndef QUATSIMD_CLIP_CHAIN_H
#define QUATSIMD_CLIP_CHAIN_H

#include "clip/encode/object.h"
#include "core/quat64.h"

/* A joint at a frame, in object space: the rotation that the source has, the error of the clip's rotation as
 * an axis times an angle, and the error of its origin. */
typedef struct clip_link {
  double wanted[4], turned[3], off[3];
} clip_link;

/* The data of a joint. */
typedef struct clip_chain_joint {
  bool turns; /* its rotation moves; other joints are nearly fixed to the joint above */
  /* carrier: the nearest joint above that turns; away: the largest distance from it. first, next: a list of
   * the joints that this one carries. -1: none */
  int64_t carrier, first, next;
  double away;
  double reach;          /* distance of the farthest point that turns with it */
  double above, below;   /* weight of the joints above; of the heaviest line from it down */
  double aim, may;       /* bound of its points; of its origin */
  double nominal, finer; /* expected bound of its rotation; its unit, as a part of that */
  double worst;          /* largest error near a knot, as a multiple of its bound */
  bool scarce;           /* its allowance was less than its unit can hold */
  int64_t main;          /* the carried joint with the most weight below; the vector to it */
  double arm[3];
  uint8_t axes; /* CHAIN_UNKNOWN, ... */
  clip_tangent_space space;
  /* state of an attempt: */
  const clip_moving_curve *slides; /* its translation, if that moves */
  clip_link *link;                 /* at all frames */
  quatsimd_memory held;            /* memory of `link` */
  size_t left;                     /* children that are not encoded */
} clip_chain_joint;

/* Whether curves have principal axes. */
enum { CHAIN_UNKNOWN, CHAIN_WITHOUT, CHAIN_WITH };

typedef struct clip_chain {
  const clip_skeleton *skeleton;
  clip_chain_joint *joint;
  size_t last;       /* the last frame */
  uint8_t axes;      /* CHAIN_UNKNOWN, ...: of all curves */
  bool *knot;        /* of each frame: true if it is a knot */
  float *tight;      /* of each frame: the factor of bounds */
  float *over;       /* of each frame: the largest error from it to the next one, if above its bound of 1 */
  float *strict;     /* of each frame: `strict` of clip_retry, for one curve */
  double *allowance; /* of each frame: how far one curve may be off */
  double (*fix)[3];  /* of each frame: the additional turn that one curve should have */
} clip_chain;

/* The largest errors of a part of the frames, as multiples of the bound. */
typedef struct clip_chain_notes {
  size_t first, frames; /* the part: so many frames from `first` on, and the one behind them */
  float *over;          /* of each frame: the largest error from it to the next one */
  double *worst;        /* of each joint: the largest error near knots */
} clip_chain_notes;

/* Allocates a chain. False if memory runs out. */
bool quatsimd_chain_begin(clip_chain *chain, const clip_skeleton *skeleton, clip_encoder *e);
/* Plans the next attempt. False if no joint turns: bounds of curves are then enough. */
bool quatsimd_chain_plan(clip_chain *chain, clip_encoder *e);
/* Notes an error of a joint, as a multiple of its bound, between a frame and the next one. */
void quatsimd_chain_note(const clip_chain *chain, clip_chain_notes *notes, size_t frame, size_t joint,
                         double ratio);
/* Adds the notes of a part to the chain. */
void quatsimd_chain_take(clip_chain *chain, const clip_chain_notes *notes, size_t joints);
/* Prepares another attempt after one that missed a bound. */
void quatsimd_chain_retry(clip_chain *chain, clip_encoder *e, int attempt);

/* links.c. open: before the first joint. enter: before a joint, whose frames are `value`; if the joint moves,
 * these become what it aims at, and its retry gets strictness. False if memory runs out. leave: after a
 * joint, with `value` as it was before enter. close: after the last joint. `curve` is null if the joint does
 * not move. */
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
