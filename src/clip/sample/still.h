/* Samples still curves: those at rest, absent, constant or with their own keys. */
#ifndef QUATSIMD_CLIP_STILL_H
#define QUATSIMD_CLIP_STILL_H

#include "clip/sample/asked.h"
#include "clip/sample/output.h"
#include "clip/spline.h"
#include "clip/sample/time.h"

static inline void clip_load_value(float value[4], const quatsimd_clip *clip, int kind,
                                   const unsigned char *p) {
  quatsimd_constant_load(value, kind, clip_precision(clip), p, 1);
}

/* Loads numbers of a spline from the value of key k on: this value or, if `between`, all of spline.h. */
void quatsimd_clip_load_numbers(double number[SPLINE_NUMBERS][4], const clip_keyed *keys, size_t k,
                                bool between);
void quatsimd_clip_load_key(float value[4], const clip_keyed *keys, size_t k);
void quatsimd_clip_sample_keys(float value[4], const clip_keyed *keys, double time);
/* Returns the last key that is not after `time`, or key 0. */
size_t quatsimd_clip_key_at(const clip_keyed *keys, double time);
/* Evaluates a part of a pair in double, as the quotient of scales needs. */
void quatsimd_clip_sample_part(double at[4], const clip_keyed *keys, double time);
/* Returns the dot product of two keys that are rotations. If it is below 0, the second counts as negated. */
static inline float clip_key_dot(const float a[4], const float b[4]) {
  return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

/* Each samples the first `wanted` joints, and maybe later ones. The first also samples absent curves. */
void quatsimd_clip_sample_rest(const quatsimd_clip *clip, int kind, size_t wanted, const clip_output *out);
void quatsimd_clip_sample_constants(const quatsimd_clip *clip, int kind, size_t wanted,
                                    const clip_output *out);
void quatsimd_clip_sample_keyed(const quatsimd_clip *clip, int kind, const clip_position *p, size_t wanted,
                                const clip_output *out);
/* Samples all still curves of a kind at `frames` frames from `frame` on, to elements from `to` on. */
void quatsimd_clip_decode_still(const quatsimd_clip *clip, int kind, size_t frame, size_t frames,
                                const clip_output *out, size_t to);
/* Samples a joint's curve of a kind as element 0. If the curve moves, returns false and writes nothing. */
bool quatsimd_clip_sample_one_still(const quatsimd_clip *clip, int kind, const clip_position *p, size_t joint,
                                    const clip_output *out);

/* A walk through the joints of a kind. joints, constants, keyed: how many joints, constant curves and keyed
 * curves it has passed. keys: the bytes of number `rank` of the keyed curves. */
typedef struct clip_passed {
  size_t joints, constants, keyed, rank;
  const unsigned char *keys;
} clip_passed;

/* Samples the still curves of the joints asked for. Returns the number of moving curves of these joints. */
size_t quatsimd_clip_sample_some_still(const quatsimd_clip *clip, int kind, const clip_position *p,
                                       const clip_asked *asked, clip_passed *passed, const clip_output *out);

#endif
