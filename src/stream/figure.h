/* Figures: the sender codes each joint so that its rotation in model space is right, given what the receiver
 * has for its parent. A point at the options' distance from a joint is then within object_bound. */
#ifndef QUATSIMD_STREAM_FIGURE_H
#define QUATSIMD_STREAM_FIGURE_H

#include "stream/predict.h"

/* A joint carries what turns with it: the joints below it, up to and with the next ones that turn. They are
 * its parts. */
typedef struct figure_joint {
  int64_t parent; /* -1: none */
  bool turns;
  bool rests;                /* the caller's rotation is that of the packet before */
  uint32_t part, next_part;  /* its first part; the next part of the joint that carries it; 0: none */
  float held[4];             /* the caller's rotation */
  double bone[3], scale;     /* from the parent, in model space; the scale that the parents give it */
  double distance;           /* from it to the points that are bounded, in model space */
  double most;               /* how far its place may be off */
  double before;             /* the same, less what positions on the way from its carrier add */
  double source[4], from[3]; /* rotation and place in model space: the caller's, */
  double model[4], at[3];    /* and the receiver's */
} figure_joint;

/* How a rotation is coded: always as a point from the prediction that continues the motion. */
typedef struct figure_choice {
  int32_t k[3];
  float rotation[4];
  uint32_t cost; /* 256ths of a bit */
} figure_choice;

/* Returns true if the stream sends a figure. QUATSIMD_NO_FIGURES leaves out the code of such senders, with
 * figure.c and shares.c, and refuses skeletons. */
static inline bool is_figure(const quatsimd_stream *s) {
#ifdef QUATSIMD_NO_FIGURES
  return (void)s, false;
#else
  return s->joints > 0;
#endif
}

#ifdef QUATSIMD_NO_FIGURES
static inline bool quatsimd_figure_holds(const quatsimd_stream_options *o) { return !o->skeleton; }
#else
/* shares.c: Returns true if the skeleton, the bounds and the positions' bound of the options hold
 * object_bound. Options without skeleton hold it. */
bool quatsimd_figure_holds(const quatsimd_stream_options *o);
#endif
/* Returns how far points may be off if float arithmetic and joints that never turn have no errors. */
double quatsimd_figure_budget(const quatsimd_stream_options *o);

/* figure.c: */
/* Fills s->joint. */
void quatsimd_figure_init(quatsimd_stream *s, const quatsimd_stream_options *o);
/* Computes the caller's joints in model space, from s->held. */
void quatsimd_figure_source(quatsimd_stream *s);
/* Sets the receiver's place of joint i, which has this position (NULL: that of the skeleton), and then its
 * rotation. Joints are set in order. */
void quatsimd_figure_place(quatsimd_stream *s, size_t i, const float position[3]);
void quatsimd_figure_turn(quatsimd_stream *s, size_t i, const float rotation[4]);
/* Returns true if joint i, at its place, may have this rotation. */
bool quatsimd_figure_may_be(const quatsimd_stream *s, size_t i, const float rotation[4]);
/* Finds how to code body b of the chunk, a joint at its place, in the fewest bits. `of` and `context` are
 * those of its point. */
figure_choice quatsimd_figure_choose(quatsimd_stream *s, const chunk *c, size_t b, const scales *of,
                                     int context);
/* The same in a key packet: the nearest point. */
figure_choice quatsimd_figure_choose_whole(const quatsimd_stream *s, const chunk *c, size_t b);

#endif
