/* Measures the errors of an encoded clip at every time, by decoding it. */
#ifndef QUATSIMD_CLIP_MEASURE_H
#define QUATSIMD_CLIP_MEASURE_H

#include "clip/encode/encoder.h"

/* The largest error of a curve, and its time. */
typedef struct clip_worst {
  double error, time;
} clip_worst;

/* worst[joint] gets the largest error of the joint's curve, measured at frames, at keys, and at points
 * between these. quatsimd_encode_violation notes errors above a bound. */
quatsimd_status quatsimd_measure(clip_encoder *e, const quatsimd_clip *clip, int kind, clip_worst *worst);

#endif
