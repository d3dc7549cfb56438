/* Evaluates curves and errors in double, without libm, whose results differ between machines. */
#ifndef QUATSIMD_CLIP_CURVE_H
#define QUATSIMD_CLIP_CURVE_H

#include <stdbool.h>
#include <string.h>

#include "clip/kernels.h"
#include "clip/spline.h"

enum { CLIP_MOST_COMPONENTS = 4 };
/* A value of a frame or key. It is in floats because such values take most of the encoder's memory. */
typedef float clip_value[CLIP_MOST_COMPONENTS];
typedef float clip_vector[3];

static inline size_t clip_curves(const quatsimd_clip_source *source, int kind) {
  return kind == QUATSIMD_CLIP_TRACK ? source->track_count : source->joint_count;
}
static inline const quatsimd_curve *clip_curve(const quatsimd_clip_source *source, int kind, size_t number) {
  return kind == QUATSIMD_CLIP_TRACK         ? &source->tracks[number].curve
         : kind == QUATSIMD_CLIP_ROTATION    ? &source->joints[number].rotation
         : kind == QUATSIMD_CLIP_TRANSLATION ? &source->joints[number].translation
                                             : &source->joints[number].scale;
}

static inline size_t clip_all_curves(const quatsimd_clip_source *source) {
  return QUATSIMD_CLIP_JOINT_KIND_COUNT * source->joint_count + source->track_count;
}
static inline const quatsimd_curve *clip_any_curve(const quatsimd_clip_source *source, size_t i) {
  const size_t of_joints = QUATSIMD_CLIP_JOINT_KIND_COUNT * source->joint_count;
  return i < of_joints ? clip_curve(source, (int)(i % QUATSIMD_CLIP_JOINT_KIND_COUNT),
                                    i / QUATSIMD_CLIP_JOINT_KIND_COUNT)
                       : &source->tracks[i - of_joints].curve;
}

/* A track uses only the first component. */
static inline void clip_clear_axes(double value[CLIP_MOST_COMPONENTS], int kind) {
  if (kind == QUATSIMD_CLIP_TRACK) value[1] = value[2] = 0;
}
/* Magnitudes below CLIP_LEAST count as 0, since some CPUs flush denormals. No bound is below CLIP_LEAST. */
#define CLIP_LEAST SPLINE_LEAST
static inline double clip_kept(double x) { return fabs(x) < CLIP_LEAST ? x * 0 : x; }
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
/* Returns the components of a key's value. A cubic curve stores them between the key's two tangents. */
static inline const float *clip_key(const quatsimd_curve *curve, int kind, size_t k) {
  return curve->values +
         clip_components(kind) * (curve->interpolation == QUATSIMD_CURVE_CUBIC ? 3 * k + 1 : k);
}

/* Returns the largest double below `time`, or CLIP_BEFORE_ZERO near 0, where a denormal would be flushed. A
 * linear curve jumps from a key at the returned time to a key at `time`. */
#define CLIP_BEFORE_ZERO (-0x1p-1000)
static inline double clip_just_before(double time) {
  if (time <= -CLIP_BEFORE_ZERO && time >= CLIP_BEFORE_ZERO) return CLIP_BEFORE_ZERO;
  uint64_t bits;
  memcpy(&bits, &time, sizeof bits);
  bits = time < 0 ? bits + 1 : bits - 1;
  memcpy(&time, &bits, sizeof bits);
  return time;
}

/* True if a linear curve jumps to key k: key k - 1 is at the same time, within rounding. */
static inline bool clip_jumps_to(const quatsimd_curve *curve, size_t k) {
  return k > 0 && !clip_holds(curve) &&
         !(curve->times[k] - curve->times[k - 1] > 4 * 0x1p-53 * fabs(curve->times[k]));
}
static inline bool clip_jumps(const quatsimd_curve *curve) {
  size_t k = 1;
  while (k < curve->key_count && !clip_jumps_to(curve, k)) k++;
  return k < curve->key_count;
}

/* Two rotations with a smaller dot product are more than 120 degrees apart: too far to sample between. */
#define CLIP_WIDE_DOT 0.5

/* The value of an absent curve. */
extern const double quatsimd_no_value[QUATSIMD_CLIP_KIND_COUNT][CLIP_MOST_COMPONENTS];

/* The state of evaluating a curve at ascending times. Begins as zeros or from quatsimd_curve_start. */
typedef struct clip_progress {
  size_t key;              /* the last key that is not after the time */
  bool negative;           /* rotations are negated from this key on, so that their signs do not jump */
  bool has_this, has_next; /* this_value, next_value are loaded for `key` */
  bool over;               /* next_value is the negative of the next key */
  double this_value[CLIP_MOST_COMPONENTS],
      next_value[CLIP_MOST_COMPONENTS]; /* has the sign toward which the source turns */
} clip_progress;

/* Returns the state for a first evaluation at `time`. From this state, rotations may be negated. */
clip_progress quatsimd_curve_start(const quatsimd_curve *curve, double time);

/* Loads the value of a key. Rotations are normalised. */
void quatsimd_curve_key(const quatsimd_curve *curve, int kind, size_t k, double value[CLIP_MOST_COMPONENTS]);

/* Loads the numbers of a cubic curve from key k to the next key. */
void quatsimd_curve_numbers(const quatsimd_curve *curve, int kind, size_t k,
                            double number[SPLINE_NUMBERS][4]);

/* Evaluates a curve. `time` is not before the time of the last call with the same `place`. Rotations are
 * normalised and do not change their sign from call to call. */
void quatsimd_curve_along(const quatsimd_curve *curve, int kind, double time, clip_progress *place,
                          double value[CLIP_MOST_COMPONENTS]);
/* Evaluates a curve at any time. */
void quatsimd_curve_at(const quatsimd_curve *curve, int kind, double time,
                       double value[CLIP_MOST_COMPONENTS]);

/* Interpolates from a to b as linear sources do: rotations by slerp, others linearly. Rotations are unit
 * quaternions at most half a turn apart; the signs of a and b give the direction. */
void quatsimd_value_slerp(int kind, const double *a, const double *b, double t, double *out);
/* Interpolates from a to b as sampling does. Rotations turn toward b if the dot product is at least `least`,
 * else toward -b. `least` is -CLIP_FRAMES_TURN between frames and 0 between keys. */
#define CLIP_FRAMES_TURN (4 * (double)CLIP_HALF_TURN)
void quatsimd_value_between(int kind, const double *a, const double *b, double t, double least, double *out);

/* Returns the peak of a parabola through the errors a, b, c at even times, or b if b is not the largest. */
static inline double clip_peak(double a, double b, double c) {
  return b > a && b > c ? b + (a - c) * (a - c) / (8 * ((b - a) + (b - c))) : b;
}

/* Returns the error between two values. Rotations: the angle between them, whatever their signs. Scales: the
 * largest difference of a component. Others: the distance. */
double quatsimd_value_error(int kind, const double *a, const double *b);
/* quatsimd_value_error in two steps, since squares are cheaper to compare. chord2 is the squared error or,
 * for rotations, the smaller of |a - b|^2 and |a + b|^2. */
double quatsimd_value_chord2(int kind, const double *a, const double *b);
double quatsimd_chord2_error(int kind, double chord2);

#endif
