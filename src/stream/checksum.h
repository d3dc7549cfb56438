/* The checksum of a packet: of its bytes, the options and, unless it is a key packet, the packet before. */
#ifndef QUATSIMD_STREAM_CHECKSUM_H
#define QUATSIMD_STREAM_CHECKSUM_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "stream/state.h"

/* Of a packet of `size` bytes, HEAD_BYTES or more, with this head. */
static inline uint16_t stream_checksum(const quatsimd_stream *s, unsigned head, const unsigned char *packet,
                                       size_t size) {
  const uint32_t before = head & 1 ? 0 : s->check;
  const uint32_t h = XXH32(packet + HEAD_BYTES, size - HEAD_BYTES, s->seed ^ (head | before << 16));
  return (uint16_t)(h ^ h >> 16);
}

#endif
