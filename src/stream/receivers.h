/* The sender's record of the states that receivers have, taken from their acknowledgements. */
#ifndef QUATSIMD_STREAM_RECEIVERS_H
#define QUATSIMD_STREAM_RECEIVERS_H

#include "stream/state.h"

/* Bit n % states is 1 if all receivers have state n. */
typedef struct common {
  uint64_t has[MOST_STATES / 64];
} common;
/* Returns what all receivers have. Receivers that have not acknowledged during the last longest_distance(s)
 * packets do not count. In a reliable stream that is all states. */
common quatsimd_stream_common(const quatsimd_stream *s);
/* Returns the state of a number if all receivers have it and the next packet may be coded against it. */
const state *quatsimd_stream_known(const quatsimd_stream *s, const common *all, uint32_t number);
/* Records that no receiver has the state of the next packet. Call it when that packet is sent. */
void quatsimd_stream_sent(quatsimd_stream *s);

#endif
