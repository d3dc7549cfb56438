/* Sends a key packet that is longer than the limit in parts. Its state has a number of its own, and the
 * packets after it are the parts, in rounds. A receiver collects them in any order. */
#ifndef QUATSIMD_STREAM_PARTS_H
#define QUATSIMD_STREAM_PARTS_H

#include "stream/state.h"

/* ---- the sender ---- */

/* Begins the parts of the key packet `number`, whose bytes behind the head are in s->parts.bytes. */
void quatsimd_stream_begin_parts(quatsimd_stream *s, uint32_t number, size_t size);
/* Says what the next packet is: one without a part, a part, or the first part of a new key packet. `enough`:
 * receivers have what the sender needs, so only a first round goes on. */
typedef enum next_part { NO_PART, PART, NEW_KEY } next_part;
next_part quatsimd_stream_next_part(quatsimd_stream *s, bool enough);
/* Writes the next part. Returns the size of the packet. */
size_t quatsimd_stream_put_part(quatsimd_stream *s, unsigned char *packet);

/* ---- a receiver ---- */

/* Takes a part, whose `size` bytes are behind the head. Returns QUATSIMD_OK if all parts are in
 * s->parts.bytes, QUATSIMD_ERROR_NEED_KEY if some are missing, or QUATSIMD_ERROR_BAD_PACKET. */
quatsimd_status quatsimd_stream_take_part(quatsimd_stream *s, const unsigned char *bytes, size_t size);

#endif
