/* Streams: the rotations of the same bodies, packet after packet, over a channel that may lose, delay,
 * repeat, reorder or damage some.
 *
 * A packet holds the rotations of all bodies at one moment, each within the bound. It leaves a state on both
 * sides. The next packets are coded against a baseline, which is a state that the receiver has acknowledged.
 * So each packet that arrives is decoded, whatever was lost between. Both sides keep the last states; a
 * packet names its baseline. The better a body's motion until the baseline foretells where it is now, the
 * fewer bits it takes. A key packet has no baseline: it is for a receiver that has no state.
 *
 *     the sender                                      a receiver
 *
 *     quatsimd_stream_encode       --- packet --->    quatsimd_stream_decode
 *     quatsimd_stream_acknowledged <-- 12 bytes ---   quatsimd_stream_acknowledge
 *
 * The caller carries both ways. One sender serves many receivers with the same packets: each is coded
 * against the newest state that all of them have.
 *
 * A stream is in the caller's memory, at one place. Streams, packets and rotations must not overlap; a
 * packet is refused where it begins at one address with rotations. Two threads may use two streams at
 * once. After an error a stream is as it was before, and nothing was written. docs/stream.md has the
 * costs and the meaning of every bit. */
#ifndef QUATSIMD_STREAM_H
#define QUATSIMD_STREAM_H

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One side of a stream, in memory of quatsimd_stream_size bytes: a sender or a receiver. */
typedef struct quatsimd_stream quatsimd_stream;

/* The properties of a stream: filled by quatsimd_stream_options_init, then changed by the caller. Both sides
 * must have the same bodies, bound, states and session, or packets are refused. */
typedef struct quatsimd_stream_options {
  /* set by quatsimd_stream_options_init */
  size_t struct_size;
  /* rotations in a packet, 1 to 2^24; no default */
  size_t bodies;
  /* the largest error of any rotation in radians, 1e-5 to 1; by default 0.00436, a quarter of a degree */
  float bound;
  /* states that both sides keep: 16, 32, 64, 128 or 256; by default 64. A baseline is at most three quarters
   * of them old: the sender must make fewer packets than that in a round trip */
  int states;
  /* of the sender: how many may acknowledge, 1 to 65536; by default 1 */
  int receivers;
  /* of the sender: 1 if no packet is ever lost, as in a file or over TCP. Then each is coded against the one
   * before, and nobody needs to acknowledge. By default 0 */
  int reliable;
  /* tells streams apart: any two whose packets can reach one receiver have different ones. The number of a
   * connection, of an object, a random one; a sender that begins anew takes another. By default 0 */
  uint64_t session;
} quatsimd_stream_options;
/* Fills options with the defaults and their size. struct_size is sizeof *options as the caller knows it, at
 * least its size in the first version and at most 4096. Members behind that size count as their default. A
 * struct of a later version is taken as long as its members that this version does not know are zeros.
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or another size. */
QUATSIMD_API quatsimd_status quatsimd_stream_options_init(quatsimd_stream_options *options,
                                                          size_t struct_size);

/* Bytes of memory that a stream needs: (states + 1) (2,100 + 50 bodies, in sixteens) + 40 receivers +
 * 4,000, about. 0 if the options are not valid. */
QUATSIMD_API size_t quatsimd_stream_size(const quatsimd_stream_options *options);
/* Bytes of room that quatsimd_stream_encode needs: about 120 more than the longest packet has. 0 if the
 * options are not valid. */
QUATSIMD_API size_t quatsimd_stream_max_packet(const quatsimd_stream_options *options);

/* Makes a stream in memory_size bytes of memory, aligned to 8 bytes. *stream is in the memory, which the
 * caller keeps as long as the stream is in use. Nothing needs to be closed. The first packet makes it a
 * sender or a receiver; then the functions of the other side return QUATSIMD_ERROR_BAD_ARGUMENT. Packets are
 * numbered from 0: where the sender makes its stream anew, its receivers must, too. Returns QUATSIMD_OK;
 * QUATSIMD_ERROR_SHORT_BUFFER if memory_size is less than quatsimd_stream_size(options);
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, another alignment or options that are not valid. */
QUATSIMD_API quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                                  const quatsimd_stream_options *options);

/* ---- the sender ---- */

/* Encodes the next rotation of each body into a packet, for all receivers. An element of rotations is a
 * quaternion x, y, z, w of any length from 2^-32 to 2^32. time is the moment that they are of, in any
 * unit, modulo 2^32: milliseconds, or the number of the frame; motion is foretold by it. packet_size is
 * the room at `packet`, at least quatsimd_stream_max_packet bytes, and *written gets the bytes that the
 * packet has. A key that is not 0 makes a key packet. Without it a packet is a key packet where the receivers
 * have no state in common that is new enough; one that was not heard of for three quarters of the states does
 * not count. An invalid rotation is coded as the body's last valid one (the identity at first), and then the
 * call returns QUATSIMD_WARNING_REPLACED_INVALID, else QUATSIMD_OK. It returns QUATSIMD_ERROR_SHORT_BUFFER
 * for too little room, and QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a receiver's stream, a view that
 * breaks a rule of view.h or overlap as above. Then stream, packet and *written are as before. */
QUATSIMD_API quatsimd_status quatsimd_stream_encode(quatsimd_stream *stream, void *packet, size_t packet_size,
                                                    size_t *written, quatsimd_in rotations, uint32_t time,
                                                    int key);

/* Reads an acknowledgement of `size` bytes by a receiver, 0 to receivers - 1, which joins by its first
 * one. They may come twice and in any order; one from before the receiver began, or began anew, may cost
 * packets until its next one comes. One that says that the receiver has nothing brings key packets until one
 * comes that says what it has. Returns QUATSIMD_OK; QUATSIMD_ERROR_BAD_PACKET if it is damaged, of another
 * stream or of packets that were not sent; QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a receiver's
 * stream or another receiver. */
QUATSIMD_API quatsimd_status quatsimd_stream_acknowledged(quatsimd_stream *stream, size_t receiver,
                                                          const void *acknowledgement, size_t size);

/* A receiver leaves: packets are made without regard to it. It joins again by the next acknowledgement, so
 * pass on none that was still under way. One that is silent for three quarters of the states leaves by
 * itself. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a receiver's stream or
 * another receiver. */
QUATSIMD_API quatsimd_status quatsimd_stream_leave(quatsimd_stream *stream, size_t receiver);

/* ---- a receiver ---- */

/* Decodes a packet of exactly packet_size bytes to the rotation of each body, a unit quaternion x, y, z, w,
 * and *time. Packets may come in any order: by the time the caller sees whether it has shown a later one.
 * Only QUATSIMD_OK changes the stream and writes rotations. Returns
 * - QUATSIMD_OK;
 * - QUATSIMD_ERROR_NEED_KEY if the baseline is not there: the receiver has just begun, or the packet is
 *   late by a quarter of the states or more. Acknowledge, and the sender makes packets that can be decoded;
 * - QUATSIMD_ERROR_OLD_PACKET if it was decoded before, or is older than all states;
 * - QUATSIMD_ERROR_BAD_PACKET if it is damaged or of another stream. One of another stream, or whose first
 *   bytes are damaged, may look old or without a baseline, and one that is late by more than 2^14 packets
 *   like any of these;
 * - QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a sender's stream, a view that breaks a rule of view.h or
 *   overlap as above. */
QUATSIMD_API quatsimd_status quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations,
                                                    uint32_t *time, const void *packet, size_t packet_size);

/* How long acknowledgements are. */
enum {
  QUATSIMD_STREAM_ACKNOWLEDGEMENT = 12 /* bytes */
};

/* Writes what the receiver has, for the sender. Send one after each packet that came, whatever decode said of
 * it, and at the same rate while none come; the last one says all. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a sender's stream. */
QUATSIMD_API quatsimd_status quatsimd_stream_acknowledge(const quatsimd_stream *stream,
                                                         void *acknowledgement);

#ifdef __cplusplus
}
#endif

#endif
