/* The errors of an encoded clip, found by decoding it, at every time. */
#ifndef QUATSIMD_CLIP_MEASURE_H
#define QUATSIMD_CLIP_MEASURE_H

#include "clip/encode/encoder.h"

/* worst[joint]: the largest error of the kind's curve at any frame or key and at the quarter points of the
 * intervals between them, at eighths of what is not straight. Tells quatsimd_encode_violation where bounds are
 * not held. */
quatsimd_status quatsimd_measure(clip_encoder *e, const quatsimd_clip *clip, int kind, double *worst);

#endif
