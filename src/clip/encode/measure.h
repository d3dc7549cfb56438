/* The errors of an encoded clip, found by sampling it. */
#ifndef QUATSIMD_CLIP_MEASURE_H
#define QUATSIMD_CLIP_MEASURE_H

#include "clip/encode/source.h"

/* worst[kind][joint]: the largest error at any key of the source and any frame. */
quatsimd_status quatsimd_measure(quatsimd_memory *memory, const quatsimd_clip *clip,
                                 const quatsimd_clip_source *source,
                                 double *const worst[QUATSIMD_CLIP_KINDS]);

/* The errors of a curve at its keys, in what sampling gives at their times. Raises *worst; returns the key
 * that it is from. */
size_t quatsimd_measure_keys(const quatsimd_clip *clip, int kind, size_t joint, const quatsimd_curve *curve,
                             double *worst);

#endif
