/* The encoder's stages, in the order in which they run, and the state that they share. */
#ifndef QUATSIMD_CLIP_ENCODER_H
#define QUATSIMD_CLIP_ENCODER_H

#include "clip/kernels.h"
#include "clip/encode/append.h"
#include "clip/encode/grid.h"
#include "clip/encode/tangent.h"
#include "clip/encode/truth.h"

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

/* How a curve is stored that has keys of its own. */
enum { CLIP_STORED_FLOATS = 1, CLIP_STORED_MIDDLE = 2 /* as one key, in the middle of all */ };

/* The curves of one kind. */
typedef struct coded_kind {
  int kind;
  /* of each joint; formats: a bit for each that a constant may have; stored: CLIP_STORED_FLOATS, ... */
  uint8_t *state, *formats, *stored;
  double *unit_of; /* of each joint whose curve moves */
  clip_moving_curve *moving, **sorted;
  size_t movings;
  float unit;
  bool units, axes;
} clip_coded_kind;

/* The part of the bound that straight pieces of what is not straight may be off: of frames, and of keys,
 * which are hardly off themselves. */
enum { CLIP_PIECES_PART = 8, CLIP_KEYS_PART = 2 };

/* Lessons about a curve from attempts that did not hold a bound. */
typedef struct clip_retry {
  float *strict; /* what the bounds of frames are divided by; null: 1 */
  float finer;   /* what its unit is multiplied by */
  uint8_t tries; /* attempts at frames that did not hold its bound */
  /* the last one did not; it must not be constant; must have keys of its own; in floats */
  bool missed, moves, keyed, floats;
} clip_retry;

/* How what is not straight is divided into pieces. */
typedef struct clip_strategy {
  int parts;     /* in object space: of the first bounds, how small a part pieces are off */
  bool dense;    /* frames may be as dense as splines need them; else these have keys of their own */
  bool below;    /* in object space: a joint begins with the smallest bound of itself and of all below it */
  bool floats;   /* in object space: nothing is lossy but floats and the number of pieces */
  bool choice;   /* found: there is such a spline */
  bool pieces;   /* found: something is divided */
  double missed; /* found: how many times the bound in object space the error is; 0: the bound was held */
} clip_strategy;

typedef struct encoder {
  const quatsimd_clip_source
      *source; /* what is encoded: straight curves, and relative to the base, settled */
  const quatsimd_clip_options *options;
  quatsimd_clip_report *report;
  const quatsimd_clip_kernels *kernels;
  quatsimd_clip_source straight; /* the same, once it is there */
  const quatsimd_clip_source *original;
  /* of additive clips: the original, of which the first keys count, or another source */
  const quatsimd_clip_source *base;
  /* of each joint or track: the skeleton's rest pose; is the curve absent? null: without a skeleton */
  float *rest[QUATSIMD_CLIP_KIND_COUNT];
  bool *absent[QUATSIMD_CLIP_KIND_COUNT];
  double *bound[QUATSIMD_CLIP_KIND_COUNT];     /* of each joint or track */
  clip_retry *retry[QUATSIMD_CLIP_KIND_COUNT]; /* of each joint or track */
  size_t attempts;                             /* that were made before */
  bool violated;                               /* something, from the last attempt */
  bool floats;                                 /* all that moves has keys of its own, in floats */
  bool failed;                                 /* there was no memory for a retry */
  clip_strategy *strategy;
  /* memory: an attempt's is released after it; lasting: of lessons */
  quatsimd_memory memory, lasting;
  clip_grid grid;
  unsigned precision; /* format of constant rotations */
  clip_coded_kind coded[QUATSIMD_CLIP_KIND_COUNT];
  /* by the intervals of a block: the part that all blocks of that length have in common */
  quatsimd_clip_problem problem[CLIP_INTERVALS + 1];
  quatsimd_clip_limits limits;
  struct clip_chain *chain; /* in object space, or null */
} clip_encoder;

static inline bool clip_in_object_space(const clip_encoder *e) { return e->options->object_bound > 0; }
/* Has each curve of this kind a bound of its own? In object space those of joints are a means. */
static inline bool clip_is_bounded(const clip_encoder *e, int kind) {
  return kind == QUATSIMD_CLIP_TRACK || !clip_in_object_space(e);
}

/* Is the base one that moves, which the caller samples at the time itself? */
static inline bool clip_is_relative(const clip_encoder *e) {
  return e->options->additive == QUATSIMD_CLIP_ADDITIVE_BASE;
}

/* Tasks that need each other's results as little as the order in which they run: on the threads that there
 * are. How many tasks there are depends on the source alone, so that the bytes are the same on all. */
static inline void clip_run(const clip_encoder *e, void (*task)(void *data, size_t i), void *data,
                            size_t count) {
  const quatsimd_runner *runner = e->options->runner;
  if (runner && count > 1) runner->run(runner->context, task, data, count);
  else
    for (size_t i = 0; i < count; i++) task(data, i);
}

static inline float clip_unit_in_use(const clip_coded_kind *coded, const clip_moving_curve *curve) {
  return coded->units ? clip_unit(coded->unit, curve->exponent) : coded->unit;
}

/* Parts of the frames, for tasks. */
enum { CLIP_PART = 256 };
static inline size_t clip_parts(const clip_encoder *e) { return (e->grid.frames - 1) / CLIP_PART + 1; }
static inline size_t clip_part_end(const clip_encoder *e, size_t part) {
  return e->grid.frames < CLIP_PART * (part + 1) ? e->grid.frames : CLIP_PART * (part + 1);
}

/* rest.c: curves that are not there become their skeleton's rest pose. */
quatsimd_status quatsimd_encode_rest(clip_encoder *e);

static inline bool clip_is_absent(const clip_encoder *e, int kind, size_t joint) {
  return e->absent[kind] && e->absent[kind][joint];
}
/* The value of curves that are at rest, and of those that are absent. */
static inline void clip_rest_value(double to[CLIP_MOST_COMPONENTS], const clip_encoder *e, int kind,
                                   size_t joint) {
  if (e->rest[kind] && !e->base) clip_widen(to, e->rest[kind] + clip_components(kind) * joint, kind);
  else memcpy(to, quatsimd_no_value[kind], sizeof quatsimd_no_value[kind]);
}

/* retry.c: the truth of a joint's curve, and what is done where its bound was not held. */
static inline clip_truth quatsimd_encode_truth(const clip_encoder *e, int kind, size_t joint) {
  clip_truth truth =
      clip_truth_of(e->original, e->base, e->options->additive == QUATSIMD_CLIP_ADDITIVE_FIRST, kind, joint);
  const quatsimd_curve *settled = clip_curve(e->source, kind, joint);
  if (!clip_is_relative(e) && !clip_is_cubic(&truth.curve) && settled->key_count == truth.curve.key_count)
    truth.curve.times = settled->times;
  return truth;
}
/* The error is `ratio` times the bound. Of moving curves: at `frames` frames from `first` on; 2 is between
 * these. */
void quatsimd_encode_violation(clip_encoder *e, int kind, size_t joint, size_t first, size_t frames,
                               double ratio);
/* After all faults of an attempt. */
void quatsimd_encode_retry(clip_encoder *e);

/* check.c: the options and the joints' bounds. */
quatsimd_status quatsimd_encode_check(const quatsimd_clip_source *source,
                                      const quatsimd_clip_options *options, quatsimd_clip_report *report);

/* classify.c: which of a kind's curves are absent, at rest, constant, moving or keyed. */
quatsimd_status quatsimd_encode_classify(clip_encoder *e, int kind);
/* One format for all constant rotations: the one that costs least, with what it does not hold in floats. It
 * must be good enough for the keys of curves that have their own. */
void quatsimd_encode_precision(clip_encoder *e);
/* A curve that was to move gets keys of its own. */
void quatsimd_encode_keyed(clip_encoder *e, int kind, size_t joint);
void quatsimd_encode_keys(const quatsimd_curve *curve, int kind, clip_value *value);
/* Stores a value, and what it comes back as. */
void quatsimd_encode_value(unsigned char *bytes, float back[CLIP_MOST_COMPONENTS], int kind,
                           unsigned precision, const float *value);
/* The value in the middle of all; vector has room for as many. */
void quatsimd_encode_middle(clip_value middle, clip_value *value, size_t count, int kind,
                            clip_vector *vector);

/* blocks.c: one moving curve, block by block. */
void quatsimd_encode_tables(clip_encoder *e);
/* One unit for all curves of a kind, and where curves need less, how much less. */
void quatsimd_encode_units(clip_coded_kind *coded);
/* Encodes one curve's vectors; for an estimate, the first of every so many blocks alone. Does not fit:
 * CLIP_RAW_BITS or CLIP_KNOT_BITS are too few for it. */
quatsimd_status quatsimd_encode_curve(clip_encoder *e, const clip_coded_kind *coded, clip_moving_curve *curve,
                                      clip_vector *vector, size_t every, bool *fits);

/* moving.c: all moving curves of a kind, with and without principal axes, in the order of their groups. */
quatsimd_status quatsimd_encode_kind(clip_encoder *e, int kind);

/* order.c: the width of the knots of the group that begins with the sorted curve `first`. */
void quatsimd_encode_widths(uint8_t width[CLIP_AXES], const clip_coded_kind *coded, size_t first);
/* Sorts moving curves into groups: those with wide knots come first. Returns the bytes of all that moves. */
size_t quatsimd_encode_order(const clip_encoder *e, clip_coded_kind *coded);

/* write.c: the whole clip. After an error the bytes are not whole, and the caller frees them. */
quatsimd_status quatsimd_encode_write(clip_bytes *bytes, clip_encoder *e);

#endif
