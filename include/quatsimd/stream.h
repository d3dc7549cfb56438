/* Streams: the rotations of the same bodies, packet after packet, over a channel that may lose, repeat or
 * damage some.
 *
 * A packet holds the rotations of all bodies at one moment. Every rotation comes out within the bound: the
 * encoder predicts from the rotations that the decoder has, so errors do not add up. The cost of a packet
 * depends on how well a body's motion is predicted: by its last rotation, or by turning on as it did between
 * the last two, whichever the encoder signals. A rotation that jumps is coded by itself. A key packet codes
 * all rotations by themselves, for a decoder that begins there or has lost a packet.
 *
 * A stream is in the caller's memory, at one place. Only encode and decode change it; two threads may use two
 * streams at once. After an error a stream is as it was before, and nothing was written. docs/stream.md has
 * the costs and the meaning of every bit. */
#ifndef QUATSIMD_STREAM_H
#define QUATSIMD_STREAM_H

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One side of a stream, in memory of quatsimd_stream_size bytes. */
typedef struct quatsimd_stream quatsimd_stream;

/* The properties of a stream: filled by quatsimd_stream_options_init, then changed. Both sides must have the
 * same: a packet of another stream is QUATSIMD_ERROR_BAD_PACKET. */
typedef struct quatsimd_stream_options {
  size_t struct_size; /* set by quatsimd_stream_options_init */
  size_t bodies;      /* rotations in a packet, 1 to 2^24; no default */
  float bound;     /* largest error of any rotation, radians, 1e-5 to 1; a quarter of a degree by default */
  int exponential; /* 0, the default: residuals by the Cayley map, 1: by the exponential map; nothing else */
} quatsimd_stream_options;
/* Fill options with the defaults and their size: sizeof *options as the caller knows it. Members behind that
 * size count as their default. A struct of a later version is taken as long as its members that this version
 * does not know are zeros. QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a size that no version has
 * had. */
QUATSIMD_API quatsimd_status quatsimd_stream_options_init(quatsimd_stream_options *options,
                                                          size_t struct_size);

/* Bytes of memory that a stream needs, about 2700 and 58 for each body (in sixteens); 0 if the options are
 * not valid. */
QUATSIMD_API size_t quatsimd_stream_size(const quatsimd_stream_options *options);
/* Bytes of the longest packet that a stream can make; 0 if the options are not valid. */
QUATSIMD_API size_t quatsimd_stream_max_packet(const quatsimd_stream_options *options);

/* Make a stream, to encode with or to decode with and not for both, in memory aligned to 8 bytes. The caller
 * keeps the memory as long as the stream and then frees it or uses it again. Where a sender starts anew,
 * receivers do, too: packets are numbered from 0. Returns QUATSIMD_OK; QUATSIMD_ERROR_SHORT_BUFFER if
 * memory_size is less than quatsimd_stream_size(options); QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer,
 * another alignment or options that are not valid. */
QUATSIMD_API quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                                  const quatsimd_stream_options *options);

/* Encode the bodies' next rotations into a packet, which has room for at least quatsimd_stream_max_packet
 * bytes; *written is how many it took. key not 0 makes a key packet; the first one always is. An invalid
 * rotation is coded as the body's last one (the identity at first), and then the call returns
 * QUATSIMD_WARNING_REPLACED_INVALID. Else it returns QUATSIMD_OK; QUATSIMD_ERROR_SHORT_BUFFER;
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a view that view.h does not allow. */
QUATSIMD_API quatsimd_status quatsimd_stream_encode(quatsimd_stream *stream, void *packet, size_t packet_size,
                                                    size_t *written, quatsimd_in rotations, int key);

/* Decode a packet of exactly packet_size bytes. Only QUATSIMD_OK writes rotations. Returns
 * - QUATSIMD_OK;
 * - QUATSIMD_ERROR_NEED_KEY if a packet before this one is missing or damaged: no rotation is invented, ask
 *   the sender for a key packet;
 * - QUATSIMD_ERROR_OLD_PACKET if this one, or a key packet after it, was decoded before;
 * - QUATSIMD_ERROR_BAD_PACKET if it is damaged or not of such a stream (one whose number is damaged may look
 *   old or ahead);
 * - QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a view that view.h does not allow. */
QUATSIMD_API quatsimd_status quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations,
                                                    const void *packet, size_t packet_size);

/* Read the head of a packet without decoding it: its number modulo 32768, and in *key 1 for a key packet,
 * else 0. Returns QUATSIMD_OK; QUATSIMD_ERROR_BAD_PACKET if there is no head; QUATSIMD_ERROR_BAD_ARGUMENT for
 * a null pointer. */
QUATSIMD_API quatsimd_status quatsimd_stream_peek(unsigned *number, int *key, const void *packet,
                                                  size_t packet_size);

#ifdef __cplusplus
}
#endif

#endif
