/* Measures the errors of an encoded clip at every time, by decoding it. */
#ifndef QUATSIMD_CLIP_MEASURE_H
#define QUATSIMD_CLIP_MEASURE_H

#include "clip/encode/encoder.h"

/* worst[joint] gets the largest error of the kind's curve: at frames and keys, and at the quarter points
 * between them, or at the eighths where a curve is not straight. Errors above a bound are noted by
 * quatsimd_encode_violation. */
quatsimd_status quatsimd_measure(clip_encoder *e, const quatsimd_clip *clip, int kind, double *worst);

#endif
