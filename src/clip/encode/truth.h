/* The value that a clip must give at each time: that of a curve of the source, or relative to a base. */
#ifndef QUATSIMD_CLIP_TRUTH_H
#define QUATSIMD_CLIP_TRUTH_H

#include "clip/encode/memory.h"
#include "clip/encode/source.h"

typedef struct clip_truth {
  quatsimd_curve curve, base;
  bool additive; /* else there is no base */
} clip_truth;

typedef struct clip_truth_progress {
  clip_progress curve, base;
} clip_truth_progress;

/* Of a curve. base: null, or of an additive clip; first_keys: of the base only these. */
static inline clip_truth clip_truth_of(const quatsimd_clip_source *source, const quatsimd_clip_source *base,
                                       bool first_keys, int kind, size_t number) {
  clip_truth truth = {.curve = *clip_curve(source, kind, number), .additive = base != NULL};
  if (base) truth.base = *clip_curve(base, kind, number);
  if (first_keys && truth.base.key_count > 1) truth.base.key_count = 1;
  return truth;
}

/* The value at a time not before that of the last call with this place, which begins as zeros; as
 * quatsimd_curve_along. False, and no value, where the base's scale is 0 or the value is larger than 2^60. */
bool quatsimd_truth_along(const clip_truth *truth, int kind, double time, clip_truth_progress *place,
                          double value[CLIP_MOST_COMPONENTS]);

/* The time of the next key of either curve after `from`, where the place is. False if there is none. */
bool quatsimd_truth_next(const clip_truth *truth, const clip_truth_progress *place, double from,
                         double *time);

/* Does it stay as it is from key to key? Does it jump, and moves in between? */
static inline bool clip_only_holds(const clip_truth *truth) {
  return (truth->curve.key_count < 2 || clip_holds(&truth->curve)) &&
         (truth->base.key_count < 2 || clip_holds(&truth->base));
}
static inline bool clip_is_torn(const clip_truth *truth) {
  return truth->base.key_count > 1 && !clip_only_holds(truth) &&
         (clip_holds(&truth->base) || (clip_holds(&truth->curve) && truth->curve.key_count > 1));
}

/* Does it go from key to key as a clip does? */
static inline bool clip_is_straight(const clip_truth *truth) {
  return !clip_is_cubic(&truth->curve) && truth->base.key_count < 2;
}

/* The truth as a curve that is linear or holds, in `memory`, unless it is one: with so many keys between its
 * own that no value is off by more than `error`, as far as 1024 for each do, and two where it jumps. keyed:
 * wherever keys are needed; else at even times, for frames. *full: these were 1024, which may be too few.
 * QUATSIMD_ERROR_BAD_KEY or QUATSIMD_ERROR_BAD_ARGUMENT, and the report filled in but for the joint, if there
 * is no such curve. */
quatsimd_status quatsimd_straighten(quatsimd_memory *memory, quatsimd_curve *curve, const clip_truth *truth,
                                    int kind, double error, bool keyed, bool *full,
                                    quatsimd_clip_report *report);

/* A walk along a curve's keys, and, of rotations, one more in the middle of each turn that is too wide to be
 * sampled. Begins with the curve and its kind; each call goes on. False at the end. */
typedef struct clip_narrowed {
  const quatsimd_curve *curve;
  int kind;
  double time, value[CLIP_MOST_COMPONENTS];
  size_t key; /* the next one of the curve */
  clip_progress place;
  bool halved;
} clip_narrowed;
bool quatsimd_narrow(clip_narrowed *n);

#endif
