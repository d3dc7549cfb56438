/* Curves that do not move, or have keys of their own. */
#ifndef QUATSIMD_CLIP_STILL_H
#define QUATSIMD_CLIP_STILL_H

#include "clip/sample/output.h"

/* The value of a curve that is not there. */
extern const float quatsimd_clip_none[QUATSIMD_CLIP_KINDS][4];

static inline void clip_load_value(float value[4], const quatsimd_clip *clip, int kind,
                                   const unsigned char *p) {
  quatsimd_constant_load(value, kind, clip_precision(clip), p, 1);
}

/* All curves of a kind but the moving ones, at a time. */
void quatsimd_clip_sample_still(const quatsimd_clip *clip, int kind, double time, const clip_output *out);
/* The same at some frames from `frame` on, whose joints are elements from `to` on. */
void quatsimd_clip_decode_still(const quatsimd_clip *clip, int kind, size_t frame, size_t frames,
                                const clip_output *out, size_t to);
/* One joint's, which is in this state. */
void quatsimd_clip_sample_one_still(const quatsimd_clip *clip, int kind, unsigned state, size_t joint,
                                    double time, float value[4]);

#endif
