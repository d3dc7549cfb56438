/* An encoder's predictions, chosen: to compare them, in the command and in tests. */
#ifndef QUATSIMD_STREAM_PREDICTORS_H
#define QUATSIMD_STREAM_PREDICTORS_H

#include "quatsimd/stream.h"

enum {
  QUATSIMD_PREDICT_BOTH = 0, /* whichever of the next two is nearer: what streams do */
  QUATSIMD_PREDICT_LAST = 1, /* the body stays where it was */
  QUATSIMD_PREDICT_FREE = 2, /* it turns on as it did between the last two packets */
  QUATSIMD_PREDICT_NONE = 3  /* nothing: key packets alone */
};

/* Before the first packet. Decoders take packets of all of them. */
void quatsimd_stream_use_predictors(quatsimd_stream *stream, int predictors);

#endif
