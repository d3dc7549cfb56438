/* Streams: the rotations of the same bodies, packet after packet, over a channel that may lose, repeat or
 * damage some.
 *
 * A packet holds the rotations of all bodies at one moment. Every rotation comes out within the bound: the
 * encoder predicts from the rotations that the decoder has, so errors do not add up. The cost of a packet
 * depends on how well a body's motion is predicted: by its last rotation, or by turning on as it did between
 * the last two, whichever the encoder signals. A rotation that jumps is coded by itself. A key packet codes
 * all rotations by themselves, for a decoder that begins there or has lost a packet. Where a packet is lost,
 * those behind it are refused as QUATSIMD_ERROR_NEED_KEY until a key packet comes, and the rotations of the
 * last packet that was decoded are the newest ones.
 *
 * A stream is in the caller's memory, at one place. Streams, packets and rotations must not overlap; a
 * packet is refused where it begins at one address with rotations. Only encode and decode change a stream;
 * two threads may use two streams at once. After an error a stream is as it was before, and nothing was
 * written. docs/stream.md has the costs and the meaning of every bit. */
#ifndef QUATSIMD_STREAM_H
#define QUATSIMD_STREAM_H

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One side of a stream, in memory of quatsimd_stream_size bytes. */
typedef struct quatsimd_stream quatsimd_stream;

/* The properties of a stream: filled by quatsimd_stream_options_init, then changed by the caller. Both sides
 * must have the same properties, or packets are refused as QUATSIMD_ERROR_BAD_PACKET. */
typedef struct quatsimd_stream_options {
  size_t struct_size; /* set by quatsimd_stream_options_init */
  size_t bodies;      /* rotations in a packet, 1 to 2^24; no default */
  float bound;     /* largest error of any rotation, radians, 1e-5 to 1; a quarter of a degree by default */
  int exponential; /* 0, the default: residuals by the Cayley map, 1: by the exponential map; nothing else */
} quatsimd_stream_options;
/* Fills options with the defaults and their size. struct_size is sizeof *options as the caller knows it, at
 * least its size in the first version and at most 4096. Members behind that size count as their default. A
 * struct of a later version is taken as long as its members that this version does not know are zeros.
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or another size. */
QUATSIMD_API quatsimd_status quatsimd_stream_options_init(quatsimd_stream_options *options,
                                                          size_t struct_size);

/* Bytes of memory that a stream needs: about 2700, and 58 for each body (in sixteens). 0 if the options are
 * not valid. */
QUATSIMD_API size_t quatsimd_stream_size(const quatsimd_stream_options *options);
/* Bytes of room that quatsimd_stream_encode asks for; no packet is as long. 0 if the options are not
 * valid. */
QUATSIMD_API size_t quatsimd_stream_max_packet(const quatsimd_stream_options *options);

/* Makes a stream in memory_size bytes of memory, aligned to 8 bytes. It is for encoding or for decoding,
 * not for both. *stream is in the memory, which the caller keeps as long as the stream is in use. Nothing
 * needs to be closed. Packets are numbered from 0, so that receivers must make their streams anew where the
 * sender does. Returns QUATSIMD_OK; QUATSIMD_ERROR_SHORT_BUFFER if memory_size is less than
 * quatsimd_stream_size(options); QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, another alignment or
 * options that are not valid. */
QUATSIMD_API quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                                  const quatsimd_stream_options *options);

/* Encodes the next rotation of each body into a packet. An element of rotations is a quaternion x, y, z, w
 * of any length from 2^-32 to 2^32. packet_size is the room at `packet`, at least
 * quatsimd_stream_max_packet bytes, and *written gets the bytes that the packet has. A key that is not 0
 * makes a key packet; the first packet always is one. An invalid rotation is coded as the body's last one
 * (the identity at first), and then the call returns QUATSIMD_WARNING_REPLACED_INVALID, else QUATSIMD_OK.
 * It returns QUATSIMD_ERROR_SHORT_BUFFER for too little room, and QUATSIMD_ERROR_BAD_ARGUMENT for a null
 * pointer, a view that breaks a rule of view.h or overlap as above. Then stream, packet and *written are as
 * before. */
QUATSIMD_API quatsimd_status quatsimd_stream_encode(quatsimd_stream *stream, void *packet, size_t packet_size,
                                                    size_t *written, quatsimd_in rotations, int key);

/* Decodes a packet of exactly packet_size bytes to the rotation of each body, a unit quaternion x, y, z, w.
 * Only QUATSIMD_OK changes the stream and writes rotations. Returns
 * - QUATSIMD_OK;
 * - QUATSIMD_ERROR_NEED_KEY if a packet before this one is missing or damaged; ask the sender for a key
 *   packet;
 * - QUATSIMD_ERROR_OLD_PACKET if this one, or a key packet after it, was decoded before;
 * - QUATSIMD_ERROR_BAD_PACKET if it is damaged or of another stream (a packet whose number is damaged may
 *   look old or ahead);
 * - QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that breaks a rule of view.h or overlap as
 *   above. */
QUATSIMD_API quatsimd_status quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations,
                                                    const void *packet, size_t packet_size);

/* Reads the head of a packet without decoding it: *number gets the packet's number modulo 32768, and *key
 * gets 1 for a key packet, else 0. No stream is needed. Returns QUATSIMD_OK; QUATSIMD_ERROR_BAD_PACKET if
 * packet_size is too small for a head; QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer. */
QUATSIMD_API quatsimd_status quatsimd_stream_peek(unsigned *number, int *key, const void *packet,
                                                  size_t packet_size);

#ifdef __cplusplus
}
#endif

#endif
