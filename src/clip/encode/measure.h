/* Measures the errors of an encoded clip at every time, by decoding it. */
#ifndef QUATSIMD_CLIP_MEASURE_H
#define QUATSIMD_CLIP_MEASURE_H

#include "clip/encode/encoder.h"

/* worst[joint] gets the largest error of the joint's curve of this kind: at frames and keys, and between them
 * where an error can be larger: at quarter points, sixteenths of wide turns, or eighths where the truth is
 * not clip_is_straight. quatsimd_encode_violation notes errors above a bound. */
quatsimd_status quatsimd_measure(clip_encoder *e, const quatsimd_clip *clip, int kind, double *worst);

#endif
