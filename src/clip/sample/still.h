/* Curves that do not move, or have keys of their own. */
#ifndef QUATSIMD_CLIP_STILL_H
#define QUATSIMD_CLIP_STILL_H

#include "clip/sample/asked.h"
#include "clip/sample/output.h"
#include "clip/sample/time.h"

static inline void clip_load_value(float value[4], const quatsimd_clip *clip, int kind,
                                   const unsigned char *p) {
  quatsimd_constant_load(value, kind, clip_precision(clip), p, 1);
}

/* The value of key k of a curve with keys of its own. */
void quatsimd_clip_load_key(float value[4], const quatsimd_clip *clip, int kind, const clip_keyed *keys,
                            size_t k);
/* The value of a curve with keys of its own. */
void quatsimd_clip_sample_keys(float value[4], const quatsimd_clip *clip, int kind, const clip_keyed *keys,
                               double time);

/* Curves of a kind that are at rest, and absent ones; constant ones; those with keys, at a time. The first
 * `wanted` joints; of those behind them some may be sampled, too. */
void quatsimd_clip_sample_rest(const quatsimd_clip *clip, int kind, size_t wanted, const clip_output *out);
void quatsimd_clip_sample_constants(const quatsimd_clip *clip, int kind, size_t wanted,
                                    const clip_output *out);
void quatsimd_clip_sample_keyed(const quatsimd_clip *clip, int kind, const clip_position *p, size_t wanted,
                                const clip_output *out);
/* All of these at some frames from `frame` on, whose joints are elements from `to` on. */
void quatsimd_clip_decode_still(const quatsimd_clip *clip, int kind, size_t frame, size_t frames,
                                const clip_output *out, size_t to);
/* One joint, as element 0; false if it moves: it is not sampled then. */
bool quatsimd_clip_sample_one_still(const quatsimd_clip *clip, int kind, const clip_position *p, size_t joint,
                                    const clip_output *out);

/* The joints of a kind up to which joints that are asked for were visited, and how many curves that are
 * constant or have keys are among them. */
typedef struct clip_passed {
  size_t joints, constants, keyed, rank;
  const unsigned char *keys; /* of curve number `rank` of those with keys */
} clip_passed;

/* Those that are asked for, but for the moving ones, whose number it returns. */
size_t quatsimd_clip_sample_some_still(const quatsimd_clip *clip, int kind, const clip_position *p,
                                       const clip_asked *asked, clip_passed *passed, const clip_output *out);

#endif
