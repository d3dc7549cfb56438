/* Sampling without checks, for callers that have resolved all views. */
#ifndef QUATSIMD_CLIP_SAMPLE_H
#define QUATSIMD_CLIP_SAMPLE_H

#include "clip/sample/output.h"
#include "clip/sample/time.h"

/* Samples at a position, as quatsimd_clip_sample. `out` has the places of all joints and tracks, and the rest
 * pose. If fewer joints are wanted, these are the first ones, and some behind them may be written. */
void quatsimd_clip_sample_to(const quatsimd_clip *clip, const clip_output out[QUATSIMD_CLIP_KIND_COUNT],
                             size_t joints, const clip_position *p);

#endif
