/* The sender's record of the states that receivers have, taken from their acknowledgements. */
#ifndef QUATSIMD_STREAM_RECEIVERS_H
#define QUATSIMD_STREAM_RECEIVERS_H

#include "stream/state.h"

/* Returns the newest state that all receivers have, or NULL. Receivers that have not acknowledged during the
 * last longest_distance(s) packets do not count. */
const state *quatsimd_stream_common(const quatsimd_stream *s);
/* Records that no receiver has the state of the next packet. Call it when that packet is sent. */
void quatsimd_stream_sent(quatsimd_stream *s);

#endif
