/* Sampling without checks, for callers that have resolved all views. */
#ifndef QUATSIMD_CLIP_SAMPLE_H
#define QUATSIMD_CLIP_SAMPLE_H

#include "clip/sample/output.h"
#include "clip/sample/time.h"

/* Samples the first `joints` joints, and all tracks, at a position. `out` must have elements for all joints,
 * because values of later joints may be written, too. */
void quatsimd_clip_sample_to(const quatsimd_clip *clip, const clip_output out[QUATSIMD_CLIP_KIND_COUNT],
                             size_t joints, const clip_position *p);

#endif
