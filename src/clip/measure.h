/* The errors of an encoded clip, found by sampling it. */
#ifndef QUATSIMD_CLIP_MEASURE_H
#define QUATSIMD_CLIP_MEASURE_H

#include "source.h"

/* worst[kind][joint]: the largest error at any key of the source and any frame. */
quatsimd_status quatsimd_measure(quatsimd_memory *memory, const quatsimd_clip *clip, const quatsimd_clip_source *source,
                                 double *const worst[QUATSIMD_CLIP_KINDS]);

#endif
