/* The encoder's stages, in the order in which they run, and the state that they share. */
#ifndef QUATSIMD_CLIP_ENCODER_H
#define QUATSIMD_CLIP_ENCODER_H

#include "clip/kernels.h"
#include "clip/encode/append.h"
#include "clip/encode/grid.h"
#include "clip/encode/spline.h"
#include "clip/encode/tangent.h"
#include "clip/encode/truth.h"

typedef struct moving_block {
  quatsimd_clip_choice choice;
  int32_t *raw; /* the block's CLIP_AXES * inner quantised residuals if its code is CLIP_RAW */
} clip_moving_block;

typedef struct moving_curve {
  size_t joint;
  double unit;       /* the largest unit with which the curve holds its bound */
  unsigned exponent; /* makes the unit finer */
  unsigned finer;    /* the part of the exponent with which sampling turns as the source does */
  clip_tangent_space space;
  int32_t (*knot)[CLIP_AXES];
  uint8_t width[CLIP_AXES]; /* bits of the curve's widest knot, for each axis */
  clip_moving_block *block;
  size_t bytes; /* number of bytes of the curve's blocks */
} clip_moving_curve;

/* Flags of a curve with its own keys. */
enum {
  CLIP_STORED_FLOATS = 1,
  CLIP_STORED_MIDDLE = 2, /* one key: the middle of the curve's values */
  CLIP_STORED_SPLINE = 4  /* the clip_spline of the curve */
};

typedef struct coded_kind {
  int kind;
  /* for each joint: its curve's state, a bit for each format that holds its bound, and CLIP_STORED_ flags */
  uint8_t *state, *formats, *stored;
  double *unit_of; /* for each joint whose curve moves: the largest unit that can hold its bound */
  clip_moving_curve *moving, **sorted;
  size_t movings;
  float unit;
  bool units, axes;
} clip_coded_kind;

/* Linear pieces of a spline are off by at most the curve's bound / CLIP_PIECES_PART, or / CLIP_KEYS_PART if
 * the curve has its own keys. Keys add less error than frames. */
enum { CLIP_PIECES_PART = 8, CLIP_KEYS_PART = 2 };

/* Settings of a curve. After an attempt in which the curve misses its bound, they become finer. */
typedef struct clip_retry {
  float *strict; /* for each frame: the divisor of the curve's bound; null: all divisors are 1 */
  float finer;   /* factor of the curve's unit */
  uint8_t tries; /* number of attempts in which the curve's frames missed the bound */
  /* missed: the curve's frames missed the bound in the last attempt; moves: the curve must not be constant;
   * keyed: the curve must have its own keys; floats: its value or keys must be floats */
  bool missed, moves, keyed, floats;
} clip_retry;

/* How curves are divided into linear pieces. */
typedef struct clip_strategy {
  bool frames;    /* splines for which it is not plain which is shorter have frames, not keys of their own */
  bool own;       /* all curves have their own keys */
  bool round;     /* times of keys become floats, except of curves that hold */
  int parts;      /* in model space: a piece of a curve is off by at most the joint's first bound / parts */
  bool dense;     /* frames may be as dense as splines need; false: splines with many pieces have own keys */
  bool floats;    /* in model space: all curves have their own keys in floats */
  bool doubles;   /* a list of frames' times is not rounded to floats */
  size_t most;    /* the strategy is given up if its first attempt takes more bytes; 0: it is not */
  bool rounded;   /* result: it was rounded */
  bool in_floats; /* result: no other clip held the bound in model space */
  bool choice;    /* result: for some spline, `dense` makes a difference */
  bool pieces;    /* result: some curve is divided into pieces */
  double splines; /* result: bytes of the splines for which `frames` makes a difference */
  double missed; /* result: the largest error in model space as a multiple of its bound; 0: the bound holds */
} clip_strategy;

typedef struct encoder {
  /* the curves to encode: `original` at first, later `straight` */
  const quatsimd_clip_source *source;
  const quatsimd_clip_options *options;
  quatsimd_clip_options closed; /* with close_loop: the options of the closed source */
  quatsimd_clip_report *report;
  const quatsimd_clip_kernels *kernels;
  quatsimd_clip_source straight; /* linear and holding curves, relative to the base if the clip is additive */
  const quatsimd_clip_source *original;
  /* the base of an additive clip, or null; if it is `original`, only the first key of a curve counts */
  const quatsimd_clip_source *base;
  /* arrays with an element for each joint or track; without a skeleton, `rest` and `absent` are null */
  float *rest[QUATSIMD_CLIP_KIND_COUNT];
  bool *absent[QUATSIMD_CLIP_KIND_COUNT];
  double *bound[QUATSIMD_CLIP_KIND_COUNT];
  clip_retry *retry[QUATSIMD_CLIP_KIND_COUNT];
  clip_spline *spline[QUATSIMD_CLIP_KIND_COUNT]; /* null if no curve is a spline or a pair */
  size_t attempts;
  bool violated;    /* the last attempt missed a bound, and something finer is left to try */
  bool floats;      /* all moving curves have their own keys in floats */
  bool floats_miss; /* in model space: a clip in floats misses bounds */
  bool *exact;      /* in model space: for each joint, if this is so for its curves; null: for none */
  bool newer;       /* the clip has version 3 */
  bool failed;      /* memory ran out in a function that returns no status */
  clip_strategy *strategy;
  /* memory: an attempt releases what it took; lasting: all is kept until the clip is encoded */
  quatsimd_memory memory, lasting;
  clip_grid grid;
  unsigned precision; /* the format of constant and keyed rotations that are not in floats */
  clip_coded_kind coded[QUATSIMD_CLIP_KIND_COUNT];
  quatsimd_clip_problem problem[CLIP_INTERVALS + 1]; /* a template for each length of a block */
  quatsimd_clip_limits limits;
  struct clip_chain *chain; /* null unless rotations are encoded in a chain */
} clip_encoder;

/* True if a number is 0. Tests bits, since some CPUs take a denormal for 0. */
static inline bool clip_is_zero(float x) { return (float_bits(x) & 0x7fffffff) == 0; }
/* Returns a number that is not 0, but at least CLIP_LEAST. */
static inline float clip_least_bound(float x) { return x > (float)CLIP_LEAST ? x : (float)CLIP_LEAST; }

static inline bool clip_in_object_space(const clip_encoder *e) { return e->options->object_bound > 0; }
/* True if each curve of this kind must hold a bound of its own. */
static inline bool clip_is_bounded(const clip_encoder *e, int kind) {
  return kind == QUATSIMD_CLIP_TRACK || !clip_in_object_space(e);
}

/* True if a curve, if it moves, has its own keys in floats whatever its bound is. */
static inline bool clip_is_exact(const clip_encoder *e, int kind, size_t joint) {
  return e->floats || (e->exact && kind != QUATSIMD_CLIP_TRACK && e->exact[joint]);
}

/* True if the base is a source of its own, which is sampled at the same time as the clip. */
static inline bool clip_is_relative(const clip_encoder *e) {
  return e->options->additive == QUATSIMD_CLIP_ADDITIVE_BASE;
}

/* Runs independent tasks, on threads if the options have a runner. `count` must not depend on the number of
 * threads: clips do not, either. */
static inline void clip_run(const clip_encoder *e, void (*task)(void *data, size_t i), void *data,
                            size_t count) {
  const quatsimd_runner *runner = e->options->runner;
  if (runner && count > 1) runner->run(runner->context, task, data, count);
  else
    for (size_t i = 0; i < count; i++) task(data, i);
}

static inline float clip_unit_in_use(const clip_coded_kind *coded, const clip_moving_curve *curve) {
  return clip_unit(coded->unit, curve->exponent);
}

/* Each task handles CLIP_PART frames; the last one may handle fewer. */
enum { CLIP_PART = 256 };
static inline size_t clip_parts(const clip_encoder *e) { return (e->grid.frames - 1) / CLIP_PART + 1; }
static inline size_t clip_part_end(const clip_encoder *e, size_t part) {
  return e->grid.frames < CLIP_PART * (part + 1) ? e->grid.frames : CLIP_PART * (part + 1);
}

static inline bool clip_is_spline(const clip_encoder *e, int kind, size_t joint) {
  return e->spline[kind] && e->spline[kind][joint].chosen;
}

static inline bool clip_is_absent(const clip_encoder *e, int kind, size_t joint) {
  return e->absent[kind] && e->absent[kind][joint];
}
/* Loads the value of a curve that is at rest or absent. */
static inline void clip_rest_value(double to[CLIP_MOST_COMPONENTS], const clip_encoder *e, int kind,
                                   size_t joint) {
  if (e->rest[kind] && !e->base) clip_widen(to, e->rest[kind] + clip_components(kind) * joint, kind);
  else memcpy(to, quatsimd_no_value[kind], sizeof quatsimd_no_value[kind]);
}

/* Returns the curve that has a joint's value at frames. */
static inline const quatsimd_curve *clip_shape(const clip_encoder *e, int kind, size_t joint) {
  return clip_is_spline(e, kind, joint) && !clip_is_pair(&e->spline[kind][joint])
             ? &e->spline[kind][joint].curve
             : clip_curve(e->source, kind, joint);
}

/* Returns the truth of a joint's curve, with the key times that quatsimd_grid_settle set. */
static inline clip_truth quatsimd_encode_truth(const clip_encoder *e, int kind, size_t joint) {
  clip_truth truth =
      clip_truth_of(e->original, e->base, e->options->additive == QUATSIMD_CLIP_ADDITIVE_FIRST, kind, joint);
  const quatsimd_curve *settled = clip_curve(e->source, kind, joint);
  if (!clip_is_relative(e) && !clip_is_cubic(&truth.curve) && settled->key_count == truth.curve.key_count)
    truth.curve.times = settled->times;
  return truth;
}
/* check.c: checks the options and the joints' bounds. */
quatsimd_status quatsimd_encode_check(const quatsimd_clip_source *source,
                                      const quatsimd_clip_options *options, quatsimd_clip_report *report);

/* strategies.c: encodes a source in several ways and keeps the best clip. Splines have frames, frames are
 * dense, pieces are finer if a bound in model space was missed, and at last all curves have their own keys if
 * the clip is too large. */
quatsimd_status quatsimd_encode_strategies(const quatsimd_clip_source *source,
                                           const quatsimd_clip_options *options, clip_bytes *bytes,
                                           quatsimd_clip_report *report);
/* close.c: closes loops whose last key was left out. Replaces a source and, if not null, its base by copies
 * in `memory` that have one frame more, at whose end each curve has its first value again. Fills the report's
 * gap and ends. Returns QUATSIMD_ERROR_NO_MEMORY, or QUATSIMD_ERROR_BAD_KEY or QUATSIMD_ERROR_BAD_ARGUMENT if
 * there can be no such frame. */
quatsimd_status quatsimd_close_loop(quatsimd_memory *memory, const quatsimd_clip_source **source,
                                    const quatsimd_clip_source **base, const quatsimd_clip_options *options,
                                    quatsimd_clip_report *report);

/* rest.c: replaces absent curves by the skeleton's rest pose. */
quatsimd_status quatsimd_encode_rest(clip_encoder *e);

/* bounds.c: sets e->bound and e->retry. Returns QUATSIMD_ERROR_BAD_ARGUMENT and fills the report if a curve
 * has no bound. */
quatsimd_status quatsimd_encode_bounds(clip_encoder *e);
/* Returns the factor by which errors of scales grow when an additive clip is added to its base, or 1. */
double quatsimd_error_factor(const clip_encoder *e, int kind, size_t joint);

/* forms.c: makes e->straight, which becomes e->source, e->spline and e->grid. likely: as in
 * quatsimd_source_grid. */
quatsimd_status quatsimd_choose_forms(clip_encoder *e, double likely);

/* True if frames would take more bytes than the splines that they replace. */
bool quatsimd_frames_are_dear(const clip_encoder *e);

/* Moves keys of curves that hold or jump to the times of frames that are the same but for rounding. */
quatsimd_status quatsimd_settle(clip_encoder *e);

/* attempts.c: makes attempts until all bounds of curves hold or no finer setting is left to try. */
quatsimd_status quatsimd_encode_joints(clip_encoder *e, clip_bytes *bytes);

/* retry.c: notes that a curve's error is `ratio` times its bound. For a moving curve, the error is at frame
 * `first` or, if `frames` is 2, between this frame and the next. */
void quatsimd_encode_violation(clip_encoder *e, int kind, size_t joint, size_t first, size_t frames,
                               double ratio);
/* Prepares the next attempt after all violations of an attempt are noted. */
void quatsimd_encode_retry(clip_encoder *e);

/* classify.c: decides which of a kind's curves are absent, at rest, constant, moving or keyed. */
quatsimd_status quatsimd_encode_classify(clip_encoder *e, int kind);
/* Chooses e->precision: the format of fewest bytes in which keyed rotations hold their bounds. Constants that
 * miss theirs become floats. */
void quatsimd_encode_precision(clip_encoder *e);
/* Gives a moving curve its own keys. */
void quatsimd_encode_keyed(clip_encoder *e, int kind, size_t joint);
void quatsimd_encode_keys(const quatsimd_curve *curve, int kind, clip_value *value);
/* Stores a value as a constant. `back` gets the value that the clip returns for it. */
void quatsimd_encode_value(unsigned char *bytes, float back[CLIP_MOST_COMPONENTS], int kind,
                           unsigned precision, const float *value);
/* Finds the value in the middle of `count` values. `vector` is a buffer of `count` vectors. */
void quatsimd_encode_middle(clip_value middle, clip_value *value, size_t count, int kind,
                            clip_vector *vector);

/* blocks.c: makes the tables of the search. */
void quatsimd_encode_tables(clip_encoder *e);
/* Finds one unit for all moving curves of a kind, and the exponents of those that need finer units. */
void quatsimd_encode_units(clip_coded_kind *coded);
/* Encodes every `every`-th block of a curve. *fits gets false if the curve needs too many bits or, if `every`
 * is 1, if sampling could turn in another direction than the source. */
quatsimd_status quatsimd_encode_curve(clip_encoder *e, const clip_coded_kind *coded, clip_moving_curve *curve,
                                      clip_vector *vector, size_t every, bool *fits);

/* moving.c: encodes all moving curves of a kind. */
quatsimd_status quatsimd_encode_kind(clip_encoder *e, int kind);

/* order.c: finds the widths of the knots in the group that begins with curve `first` of coded->sorted. */
void quatsimd_encode_widths(uint8_t width[CLIP_AXES], const clip_coded_kind *coded, size_t first);
/* The bytes of a rotation's bases */
enum { CLIP_BYTES_WITHOUT_AXES = 4, CLIP_BYTES_WITH_AXES = 8 };
/* Sorts a kind's moving curves into groups, those with wide knots first. Returns the curves' bytes. */
size_t quatsimd_encode_order(const clip_encoder *e, clip_coded_kind *coded);

/* write.c: writes the clip. After an error `bytes` is incomplete; the caller frees it. */
quatsimd_status quatsimd_encode_write(clip_bytes *bytes, clip_encoder *e);

/* The largest error of a curve, and its time. */
typedef struct clip_worst {
  double error, time;
} clip_worst;

/* measure.c: worst[joint] gets the largest error of the joint's curve, measured at frames, at keys, and at
 * points between these. quatsimd_encode_violation notes errors above a bound. */
quatsimd_status quatsimd_measure(clip_encoder *e, const quatsimd_clip *clip, int kind, clip_worst *worst);

#endif
