/* Sampling for those who have checked where values go. */
#ifndef QUATSIMD_CLIP_SAMPLE_H
#define QUATSIMD_CLIP_SAMPLE_H

#include "clip/sample/output.h"
#include "clip/sample/time.h"

/* As quatsimd_clip_sample at a position, with the places of all joints and tracks, and the rest pose, in
 * `out`. Of less than all joints the first ones are sampled, and some behind them may be. */
void quatsimd_clip_sample_to(const quatsimd_clip *clip, const clip_output out[QUATSIMD_CLIP_KIND_COUNT],
                             size_t joints, const clip_position *p);

#endif
