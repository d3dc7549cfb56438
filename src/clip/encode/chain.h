/* Divides the bound of points among joints, frame by frame. Parents are encoded first. Each rotation corrects
 * errors of the joints above. Its allowance at a frame is what the joints above leave of the bound. */
#ifndef QUATSIMD_CLIP_CHAIN_H
#define QUATSIMD_CLIP_CHAIN_H

#include "clip/encode/object.h"
#include "core/quat64.h"

/* A joint at a frame, in model space: its rotation in the source (`wanted`), the error of its rotation
 * (`turned`, an axis times radians), and the error of its origin (`off`). */
typedef struct clip_link {
  double wanted[4], turned[3], off[3];
} clip_link;

typedef struct clip_chain_joint {
  bool turns; /* its rotation moves */
  /* carrier: the nearest joint above that turns; first, next: list of carried joints; -1: none */
  int64_t carrier, first, next;
  double away;           /* largest distance of its origin from the carrier */
  double reach;          /* distance from the joint's origin to the farthest point that turns with it */
  double above, below;   /* weight of the joints above; weight of the heaviest line from this joint down */
  double aim, may;       /* bound of its points; bound of its origin */
  double origin;         /* factor of `may`, which is smaller after misses */
  double nominal, finer; /* expected bound of its rotation, in radians; unit of its rotation / `nominal` */
  double worst;          /* largest error of its points near a knot, as a multiple of their bound */
  unsigned exponent;     /* that of its rotation's unit in the attempt before */
  double held;           /* largest error of its points, within their bound, where the clip is `done` */
  bool scarce;           /* its rotation's unit was too coarse for the allowance of a frame */
  int64_t main;          /* the carried joint with the most weight below; arm: the vector to `main` */
  double arm[3];
  uint8_t axes;                /* CHAIN_UNKNOWN, ... */
  clip_tangent_space space[2]; /* those of its rotation, without and with axes */
  /* the state of the current attempt: */
  const clip_moving_curve *slides; /* the joint's moving translation, or null */
  clip_link *link;                 /* one for each frame */
  quatsimd_memory kept;            /* the memory of `link` */
  size_t left;                     /* number of children that are not encoded yet */
} clip_chain_joint;

/* The state of a rotation's principal axes: not decided, absent, present. */
enum { CHAIN_UNKNOWN, CHAIN_WITHOUT, CHAIN_WITH };

typedef struct clip_chain {
  const clip_skeleton *skeleton;
  clip_chain_joint *joint;
  size_t last;
  /* number of attempts, up to this one, that differ from the one before in some frames alone; not 0: all
   * units are those of the attempt before */
  int locals;
  size_t missed; /* number of frames that missed their bound in the last attempt; most: the largest `over` */
  float most;
  uint8_t axes; /* CHAIN_UNKNOWN, ...: one state for all rotations of the clip */
  /* arrays with an element for each frame: */
  bool *knot;
  bool *done;        /* between this frame and the next, the clip was measured, holds its bounds, and stays */
  float *tight;      /* the factor of the joints' bounds at the frame, at most 1 */
  float *over;       /* largest error / bound of a point near the frame; 0: none is above 1 */
  float *strict;     /* `strict` of clip_retry, for the rotation that is encoded now */
  double *allowance; /* the largest angle, in radians, by which this rotation may be off */
  double (*fix)[3];  /* the turn that is added to this rotation, an axis times an angle */
} clip_chain;

/* The largest errors of points in a part of the frames, as multiples of the points' bounds. */
typedef struct clip_chain_notes {
  size_t first, frames; /* the part: `frames` frames from `first` on, and the frame after them */
  float *over;          /* for each frame: as in clip_chain */
  double *worst;        /* for each joint: the largest error of its points near knots */
} clip_chain_notes;

/* Allocates a chain. False if memory runs out. */
bool quatsimd_chain_begin(clip_chain *chain, const clip_skeleton *skeleton, clip_encoder *e);
/* Plans the next attempt. False if no joint turns: bounds for single curves are then enough. */
bool quatsimd_chain_plan(clip_chain *chain, clip_encoder *e);
/* Notes that a joint's points are off by `ratio` times their bound between `frame` and the next one. */
void quatsimd_chain_note(const clip_chain *chain, clip_chain_notes *notes, size_t frame, size_t joint,
                         double ratio);
/* Adds the notes of a part of the frames to the chain. within: each joint's largest error in its bound. */
void quatsimd_chain_take(clip_chain *chain, const clip_chain_notes *notes, const double *within,
                         size_t joints, bool between);
/* Forgets what was measured. */
void quatsimd_chain_forget(clip_chain *chain, const clip_encoder *e);
/* Prepares the next attempt: bounds get tighter where points missed them, later also units finer. */
void quatsimd_chain_retry(clip_chain *chain, clip_encoder *e, int attempt);

/* links.c: open, then enter and leave for each joint, then close. `value` has the source's frames. `curve` is
 * null if the joint does not move. If it moves, enter replaces `value` by the rotations to aim at, and sets
 * `strict` of the joint's retry. enter returns false if memory runs out. */
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
