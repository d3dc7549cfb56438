/* Codes the head of a packet's code: the states that the packet is coded against, and its time. */
#ifndef QUATSIMD_STREAM_HEAD_H
#define QUATSIMD_STREAM_HEAD_H

#include "stream/checksum.h"

enum { MOST_COARSE = 20 };

/* Returns how far apart the states of the line are. A long way ahead needs a long line. */
static inline uint32_t line_spacing(const state *next) {
  const uint32_t spacing = next->distance >> (next->coarse ? 1 : 2);
  return spacing ? spacing : 1;
}
/* Returns the number of the newest anchor that is not after the baseline. */
static inline uint32_t anchor_before(const state *base, unsigned anchors) {
  return base->number >> anchors << anchors;
}

/* Reads the head of packet `number`, which has a baseline. Begins the next state and finds the states that
 * the packet is coded against. Changes nothing else. Returns QUATSIMD_OK, QUATSIMD_ERROR_NEED_KEY if a state
 * is missing, or QUATSIMD_ERROR_BAD_PACKET for a head that no encoder writes. */
quatsimd_status quatsimd_stream_take_head(quatsimd_stream *s, range_decoder *d, uint32_t number,
                                          references *r);

#endif
