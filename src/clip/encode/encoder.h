/* The encoder's stages, in the order in which they run, and the state that they share. */
#ifndef QUATSIMD_CLIP_ENCODER_H
#define QUATSIMD_CLIP_ENCODER_H

#include "clip/kernels.h"
#include "clip/encode/append.h"
#include "clip/encode/object.h"
#include "clip/encode/tangent.h"

typedef struct moving_block {
  quatsimd_clip_choice choice;
  int32_t *raw; /* CLIP_AXES * inner, if the code is CLIP_RAW */
} clip_moving_block;

typedef struct moving_curve {
  size_t joint;
  double unit; /* the largest that holds the bound */
  unsigned exponent;
  clip_tangent_space space;
  int32_t (*knot)[CLIP_AXES];
  uint8_t width[CLIP_AXES]; /* of knots */
  clip_moving_block *block;
  size_t bytes; /* of all blocks */
} clip_moving_curve;

/* The curves of one kind. */
typedef struct coded_kind {
  int kind;
  uint8_t *state, *precision; /* of each joint; precision: the coarsest format that a constant may have */
  double *unit_of;            /* of each joint, if its curve moved: 0 if it must have its own keys */
  clip_moving_curve *moving, **sorted;
  size_t movings;
  float unit;
  bool units, axes;
} clip_coded_kind;

typedef struct encoder {
  const quatsimd_clip_source *source;
  const quatsimd_clip_options *options;
  quatsimd_clip_report *report;
  const quatsimd_clip_kernels *kernels;
  quatsimd_clip_source relative; /* what is encoded if the clip is additive */
  /* what that is relative to: the original, of which the first keys count, or another source */
  const quatsimd_clip_source *base;
  double *bound[QUATSIMD_CLIP_KINDS]; /* of each joint */
  clip_skeleton skeleton;             /* with object_bound alone */
  double tighter;                     /* factor of all units */
  /* where an attempt was furthest off its bound: the joint, and the kind of the curve, which is
   * QUATSIMD_CLIP_KINDS for object_bound */
  size_t worst_joint;
  int worst_kind;
  quatsimd_memory memory;
  clip_grid grid;
  unsigned precision; /* format of constant rotations */
  clip_coded_kind coded[QUATSIMD_CLIP_KINDS];
  /* by the intervals of a block: the part that all blocks of that length have in common */
  quatsimd_clip_problem problem[CLIP_INTERVALS + 1];
  quatsimd_clip_rooms rooms;
} clip_encoder;

static inline bool clip_in_object_space(const clip_encoder *e) { return e->options->object_bound > 0; }
extern const char quatsimd_out_of_reach[];

/* check.c: the options and the joints' bounds. */
quatsimd_status quatsimd_encode_check(const quatsimd_clip_source *source,
                                      const quatsimd_clip_options *options, quatsimd_clip_report *report);

/* classify.c: which of a kind's curves are absent, constant, moving or keyed. */
quatsimd_status quatsimd_encode_classify(clip_encoder *e, int kind);
/* One format for all constant rotations: the one that costs least, with what cannot be constant in it
 * moving. It must be good enough for the keys of curves that have their own. */
void quatsimd_encode_precision(clip_encoder *e);
void quatsimd_encode_keys(const quatsimd_curve *curve, int kind, double (*value)[CLIP_MOST_COMPONENTS]);
/* Stores a value, and what it comes back as. */
void quatsimd_encode_value(unsigned char *bytes, double back[CLIP_MOST_COMPONENTS], int kind,
                           unsigned precision, const double *value);
/* The value in the middle of all; vector has room for as many. */
void quatsimd_encode_middle(double middle[CLIP_MOST_COMPONENTS], double (*value)[CLIP_MOST_COMPONENTS],
                            size_t count, int kind, double (*vector)[3]);

/* blocks.c: one moving curve, block by block. */
void quatsimd_encode_tables(clip_encoder *e);
/* One unit for all curves of a kind, and where curves need less, how much less. */
void quatsimd_encode_units(clip_coded_kind *coded);
/* Encodes one curve's vectors; for an estimate, the first of every so many blocks alone. Does not fit:
 * CLIP_RAW_BITS or CLIP_KNOT_BITS are too few for it. */
quatsimd_status quatsimd_encode_curve(clip_encoder *e, const clip_coded_kind *coded, clip_moving_curve *curve,
                                      double (*vector)[3], size_t every, bool *fits);

/* moving.c: all moving curves of a kind, with and without principal axes, in the order of their groups. */
quatsimd_status quatsimd_encode_kind(clip_encoder *e, int kind);
void quatsimd_encode_widths(uint8_t width[CLIP_AXES], const clip_coded_kind *coded, size_t first);

/* write.c: the whole clip; QUATSIMD_ERROR_NO_MEMORY leaves nothing. */
quatsimd_status quatsimd_encode_write(clip_bytes *bytes, clip_encoder *e);

#endif
