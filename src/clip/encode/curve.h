/* Curves at a time, and errors of values: in double and without libm, which differs from machine to
 * machine. */
#ifndef QUATSIMD_CLIP_CURVE_H
#define QUATSIMD_CLIP_CURVE_H

#include <stdbool.h>
#include <string.h>

#include "clip/kernels.h"

enum { CLIP_MOST_COMPONENTS = 4 };
/* Of many frames or keys, in float: it is memory that the encoder is measured by. */
typedef float clip_value[CLIP_MOST_COMPONENTS];
typedef float clip_vector[3];

/* How many curves of a kind a source may have: one for each joint, or the tracks. */
static inline size_t clip_curves(const quatsimd_clip_source *source, int kind) {
  return kind == QUATSIMD_CLIP_TRACK ? source->track_count : source->joint_count;
}
static inline const quatsimd_curve *clip_curve(const quatsimd_clip_source *source, int kind, size_t number) {
  return kind == QUATSIMD_CLIP_TRACK         ? &source->tracks[number].curve
         : kind == QUATSIMD_CLIP_ROTATION    ? &source->joints[number].rotation
         : kind == QUATSIMD_CLIP_TRANSLATION ? &source->joints[number].translation
                                             : &source->joints[number].scale;
}

/* All curves of all kinds, by one number. */
static inline size_t clip_all_curves(const quatsimd_clip_source *source) {
  return QUATSIMD_CLIP_JOINT_KIND_COUNT * source->joint_count + source->track_count;
}
static inline const quatsimd_curve *clip_any_curve(const quatsimd_clip_source *source, size_t i) {
  const size_t of_joints = QUATSIMD_CLIP_JOINT_KIND_COUNT * source->joint_count;
  return i < of_joints ? clip_curve(source, (int)(i % QUATSIMD_CLIP_JOINT_KIND_COUNT),
                                    i / QUATSIMD_CLIP_JOINT_KIND_COUNT)
                       : &source->tracks[i - of_joints].curve;
}

/* Vectors have three axes here; of a track those behind the first are 0. */
static inline void clip_clear_axes(double value[CLIP_MOST_COMPONENTS], int kind) {
  if (kind == QUATSIMD_CLIP_TRACK) value[1] = value[2] = 0;
}
/* What is less counts as 0, and keeps its sign: where the CPU takes denormal numbers for zeros it would be
 * lost anyway, and the bytes of a clip must be the same. Bounds are not less. */
#define CLIP_LEAST 0x1p-90
static inline double clip_kept(double x) { return __builtin_fabs(x) < CLIP_LEAST ? x * 0 : x; }
static inline void clip_widen(double to[CLIP_MOST_COMPONENTS], const float *from, int kind) {
  for (size_t i = 0; i < clip_components(kind); i++) to[i] = from[i];
  clip_clear_axes(to, kind);
}

static inline bool clip_holds(const quatsimd_curve *curve) {
  return curve->interpolation == QUATSIMD_CURVE_HOLD;
}
static inline bool clip_is_cubic(const quatsimd_curve *curve) {
  return curve->interpolation == QUATSIMD_CURVE_CUBIC && curve->key_count > 1;
}
/* A key's values; its tangents, if it has them, are before and behind. */
static inline const float *clip_key(const quatsimd_curve *curve, int kind, size_t k) {
  return curve->values +
         clip_components(kind) * (curve->interpolation == QUATSIMD_CURVE_CUBIC ? 3 * k + 1 : k);
}

/* The last double before this one. Where a truth jumps, its straight curve has a key there and one behind,
 * and no time is between them, but at 0, where it would be a denormal. */
#define CLIP_BEFORE_ZERO -0x1p-1000
static inline double clip_just_before(double time) {
  if (time <= -CLIP_BEFORE_ZERO && time >= CLIP_BEFORE_ZERO) return CLIP_BEFORE_ZERO;
  uint64_t bits;
  memcpy(&bits, &time, sizeof bits);
  bits = time < 0 ? bits + 1 : bits - 1;
  memcpy(&time, &bits, sizeof bits);
  return time;
}

/* Does a curve that goes on from key to key jump to key k, since the key before is at the same time but for
 * rounding? */
static inline bool clip_jumps_to(const quatsimd_curve *curve, size_t k) {
  return k > 0 && !clip_holds(curve) &&
         !(curve->times[k] - curve->times[k - 1] > 4 * 0x1p-53 * __builtin_fabs(curve->times[k]));
}
static inline bool clip_jumps(const quatsimd_curve *curve) {
  size_t k = 1;
  while (k < curve->key_count && !clip_jumps_to(curve, k)) k++;
  return k < curve->key_count;
}

/* Neighbouring rotations whose dot product is less turn by more than 120 degrees: too far to be sampled. */
#define CLIP_WIDE_DOT 0.5

/* The value of a curve that is not there. */
extern const double quatsimd_no_value[QUATSIMD_CLIP_KIND_COUNT][CLIP_MOST_COMPONENTS];

/* Where a walk along a curve is: the last key that is not after the time, and whether it is taken negative,
 * so that rotations go on as they turn, never jump to their negative. Begins as zeros, or as
 * quatsimd_curve_start says. */
typedef struct clip_progress {
  size_t key;
  bool negative;
  bool has_this, has_next; /* values of this key and the next one, kept until the key changes */
  double this_value[CLIP_MOST_COMPONENTS],
      next_value[CLIP_MOST_COMPONENTS]; /* next with the sign that turning to it gives */
} clip_progress;

/* Where a walk to a time and beyond may begin, but for the sign of rotations. */
clip_progress quatsimd_curve_start(const quatsimd_curve *curve, double time);

/* A key; rotations are normalised. */
void quatsimd_curve_key(const quatsimd_curve *curve, int kind, size_t k, double value[CLIP_MOST_COMPONENTS]);

/* The curve at a time not before that of the last call with this place. Rotations are normalised, and go on
 * from the last call's. */
void quatsimd_curve_along(const quatsimd_curve *curve, int kind, double time, clip_progress *place,
                          double value[CLIP_MOST_COMPONENTS]);
/* The same at any time. */
void quatsimd_curve_at(const quatsimd_curve *curve, int kind, double time,
                       double value[CLIP_MOST_COMPONENTS]);

/* From a to b as sources go: slerp of unit quaternions whose signs say the way, at most a half turn apart;
 * linear. */
void quatsimd_value_slerp(int kind, const double *a, const double *b, double t, double *out);
/* From a to b as a clip is sampled: toward slerp, or linear. Rotations turn toward b as it is where their dot
 * product is at least -CLIP_FRAMES_TURN (between frames) or 0 (between keys), else toward its negative. */
#define CLIP_FRAMES_TURN (4 * (double)CLIP_HALF_TURN)
void quatsimd_value_between(int kind, const double *a, const double *b, double t, double least, double *out);

/* The top of the parabola through three errors at times as far apart, or the middle one if it has none there:
 * errors between times that are measured are hardly larger. */
static inline double clip_peak(double a, double b, double c) {
  return b > a && b > c ? b + (a - c) * (a - c) / (8 * ((b - a) + (b - c))) : b;
}

/* Angle between rotations of any sign, distance, or the largest difference of two scales' components. */
double quatsimd_value_error(int kind, const double *a, const double *b);
/* The same in two steps, to find the largest of many: its square, of rotations that of the chord, and the
 * error that this is. */
double quatsimd_value_chord2(int kind, const double *a, const double *b);
double quatsimd_chord2_error(int kind, double chord2);

#endif
