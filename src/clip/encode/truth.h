/* The truth is the value that a clip must give at a time: the source's value or, if the clip is additive, the
 * source's value relative to the base's. */
#ifndef QUATSIMD_CLIP_TRUTH_H
#define QUATSIMD_CLIP_TRUTH_H

#include "clip/encode/memory.h"
#include "clip/encode/source.h"

typedef struct clip_truth {
  quatsimd_curve curve, base;
  bool additive; /* false: there is no base */
} clip_truth;

typedef struct clip_truth_progress {
  clip_progress curve, base;
} clip_truth_progress;

/* Makes the truth of a curve. base: null unless additive. first_keys: only the base's first key counts. */
static inline clip_truth clip_truth_of(const quatsimd_clip_source *source, const quatsimd_clip_source *base,
                                       bool first_keys, int kind, size_t number) {
  clip_truth truth = {.curve = *clip_curve(source, kind, number), .additive = base != NULL};
  if (base) truth.base = *clip_curve(base, kind, number);
  if (first_keys && truth.base.key_count > 1) truth.base.key_count = 1;
  return truth;
}

/* Evaluates the truth. `time` is not before the time of the last call with the same `place`, which begins as
 * zeros. False if the truth has no value: the base's scale is 0, or the value would be larger than 2^60. */
bool quatsimd_truth_along(const clip_truth *truth, int kind, double time, clip_truth_progress *place,
                          double value[CLIP_MOST_COMPONENTS]);

/* Finds the truth's next key time after `from`, which is the time of `place`. False if there is none. */
bool quatsimd_truth_next(const clip_truth *truth, const clip_truth_progress *place, double from,
                         double *time);

/* clip_only_holds: true if the truth is constant from key to key. clip_is_torn: true if the truth jumps at
 * some keys and moves between keys. */
static inline bool clip_only_holds(const clip_truth *truth) {
  return (truth->curve.key_count < 2 || clip_holds(&truth->curve)) &&
         (truth->base.key_count < 2 || clip_holds(&truth->base));
}
static inline bool clip_is_torn(const clip_truth *truth) {
  return truth->base.key_count > 1 && !clip_only_holds(truth) &&
         (clip_holds(&truth->base) || (clip_holds(&truth->curve) && truth->curve.key_count > 1));
}

/* True if the truth interpolates from key to key as clips do. */
static inline bool clip_is_straight(const clip_truth *truth) {
  return !clip_is_cubic(&truth->curve) && truth->base.key_count < 2;
}

/* Makes a linear or holding curve of the truth, in `memory` unless it is the source's. Up to 1024 pieces
 * between two keys hold `error`. If `keyed`, they are shorter where the truth bends more, otherwise even, so
 * that frames fit them. *full gets true if so many pieces may be too few. Returns QUATSIMD_ERROR_BAD_KEY or
 * QUATSIMD_ERROR_BAD_ARGUMENT and fills the report, except for the joint, if there is no such curve. */
quatsimd_status quatsimd_straighten(quatsimd_memory *memory, quatsimd_curve *curve, const clip_truth *truth,
                                    int kind, double error, bool keyed, bool *full,
                                    quatsimd_clip_report *report);

/* The state of quatsimd_narrow, which visits a curve's keys and adds keys in wide turns. The caller sets
 * `curve` and `kind`. Each call moves to the next key, or returns false after the last. */
typedef struct clip_narrowed {
  const quatsimd_curve *curve;
  int kind;
  double time, value[CLIP_MOST_COMPONENTS];
  size_t key; /* the curve's next key */
  clip_progress place;
  bool halved;
} clip_narrowed;
bool quatsimd_narrow(clip_narrowed *n);

#endif
