/* The packets that receivers have, as their acknowledgements say. */
#ifndef QUATSIMD_STREAM_RECEIVERS_H
#define QUATSIMD_STREAM_RECEIVERS_H

#include "stream/state.h"

/* The newest state that all receivers have that were heard of late, or NULL. */
const state *quatsimd_stream_common(const quatsimd_stream *s);
/* The next packet goes out: no receiver has its state yet. */
void quatsimd_stream_sent(quatsimd_stream *s);

#endif
