/* Samples curves that do not move or have their own keys. */
#ifndef QUATSIMD_CLIP_STILL_H
#define QUATSIMD_CLIP_STILL_H

#include "clip/sample/asked.h"
#include "clip/sample/output.h"
#include "clip/sample/time.h"

static inline void clip_load_value(float value[4], const quatsimd_clip *clip, int kind,
                                   const unsigned char *p) {
  quatsimd_constant_load(value, kind, clip_precision(clip), p, 1);
}

/* Loads key k of a curve with its own keys. */
void quatsimd_clip_load_key(float value[4], const quatsimd_clip *clip, int kind, const clip_keyed *keys,
                            size_t k);
/* Evaluates a curve with its own keys. */
void quatsimd_clip_sample_keys(float value[4], const quatsimd_clip *clip, int kind, const clip_keyed *keys,
                               double time);

/* Sample the curves of a kind that are at rest or absent; that are constant; that have keys. The first
 * `wanted` joints are sampled, and some behind them may be. */
void quatsimd_clip_sample_rest(const quatsimd_clip *clip, int kind, size_t wanted, const clip_output *out);
void quatsimd_clip_sample_constants(const quatsimd_clip *clip, int kind, size_t wanted,
                                    const clip_output *out);
void quatsimd_clip_sample_keyed(const quatsimd_clip *clip, int kind, const clip_position *p, size_t wanted,
                                const clip_output *out);
/* Samples all of these at some frames from `frame` on, to elements from `to` on. */
void quatsimd_clip_decode_still(const quatsimd_clip *clip, int kind, size_t frame, size_t frames,
                                const clip_output *out, size_t to);
/* Samples one joint as element 0. False, and nothing is written, if its curve moves. */
bool quatsimd_clip_sample_one_still(const quatsimd_clip *clip, int kind, const clip_position *p, size_t joint,
                                    const clip_output *out);

/* A walk through the joints of a kind that are asked for: how many curves before it are constant, and how
 * many have keys. */
typedef struct clip_passed {
  size_t joints, constants, keyed, rank;
  const unsigned char *keys; /* the place of the curve with keys that has number `rank` */
} clip_passed;

/* Samples the joints that are asked for, except moving ones. Returns the number of these. */
size_t quatsimd_clip_sample_some_still(const quatsimd_clip *clip, int kind, const clip_position *p,
                                       const clip_asked *asked, clip_passed *passed, const clip_output *out);

#endif
