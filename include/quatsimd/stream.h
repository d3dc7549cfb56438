/* Streams: rotations and positions of a fixed set of bodies, sent in packets over a network that may lose,
 * delay, repeat, reorder or damage packets. docs/stream.md: how to use one, errors, costs, packet format.
 *
 * A packet holds the rotations of all bodies, and the positions of the first ones, at one moment, each within
 * its bound. Each packet leaves a state on both sides: its rotations, and the data that predict later ones.
 * Both sides keep the most recent states. A packet is coded against a baseline, a state that the receiver has
 * acknowledged. So a packet that arrives can be decoded, whichever others were lost. A key packet has no
 * baseline; it is for a receiver that has no state.
 *
 *     the sender                                      a receiver
 *
 *     quatsimd_stream_encode       --- packet --->    quatsimd_stream_decode
 *     quatsimd_stream_acknowledged <-- 12 bytes ---   quatsimd_stream_acknowledge
 *
 * The caller transports the bytes both ways. Streams, packets and rotations must not overlap in memory. A
 * function that returns an error has written nothing and leaves the stream unchanged, but for what
 * quatsimd_stream_decode says. Different threads may use different streams at the same time. */
#ifndef QUATSIMD_STREAM_H
#define QUATSIMD_STREAM_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One side of a stream: a sender or a receiver, in the caller's memory of quatsimd_stream_memory_size
 * bytes. The memory must not be moved or copied to another place. */
typedef struct quatsimd_stream quatsimd_stream;

/* The properties of a stream. quatsimd_stream_options_init fills them, then the caller changes some. Both
 * sides must have the same options, except those that are for the sender only; otherwise packets are refused
 * as damaged. */
typedef struct quatsimd_stream_options {
  /* set by quatsimd_stream_options_init */
  size_t struct_size;
  /* rotations in a packet, 1 to 2^24; no default */
  size_t body_count;
  /* the largest error of any rotation, in radians, 1e-5 to 1; default 0.00436, a quarter of a degree */
  float bound;
  /* states that each side keeps: 16, 32, 64, 128 or 256; default 64. A baseline is at most 3/4 * state_count
   * packets old. A sender that makes more packets than that in a round trip sends only key packets. Bodies
   * rest bit by bit if it makes at most 3/8 * state_count */
  int state_count;
  /* sender only: the number of receivers that may acknowledge, 1 to 65536; default 1 */
  int receiver_count;
  /* sender only: 1 if no packet is ever lost, as in a file or over TCP. Each packet is then coded against
   * the one before it, and receivers need not acknowledge. 0 otherwise; default 0 */
  int reliable;
  /* tells streams apart. Two streams whose packets can reach the same receiver need different values, such as
   * the number of a connection or of an object, or a random number. A sender that starts again needs a new
   * value: with the old one its receivers would get key packets alone, and refuse them. Default 0 */
  uint64_t session;
  /* the number of bodies that also have a position: the first ones. Default 0 */
  size_t position_count;
  /* the largest distance of any position from its source, in the unit of positions, 2^-40 to 2^30 */
  float position_bound;
  /* the acceleration of bodies in free fall: x, y and z, in units per square of the unit of `time`. Null:
   * none, the default. Only the prediction of motion depends on it */
  const float *gravity;
  /* a bound for each body in place of `bound`, 0 or 1e-5 to 1. A body with bound 0 never turns: it keeps the
   * rotation that it has in key packets, and costs nothing in others. Null: `bound`, the default */
  const float *bounds;
  /* sender only: the largest number of bytes of a packet, or 0 for no limit, the default. If a packet would
   * be longer, all its bounds are multiplied by the least power of the square root of 2 with which it is not,
   * at most 2^10. Bodies that rest stay as they are, and later packets are within the bounds again. If that
   * does not suffice, the packet is a key packet. A longer key packet comes in parts, one in each packet. The
   * least limit is 14 + 8 * (the longest packet without a limit - 8) / (3 * state_count), rounded up */
  size_t limit;
  /* the number of tracks, up to 2^24: weights of morph targets, or any numbers. Default 0 */
  size_t track_count;
  /* the largest error of any track, 2^-40 to 2^30 */
  float track_bound;
  /* sender only: the figure whose joints the bodies are, which has as many joints and the same scale along x,
   * y and z; null, the default: none. Then no point that is fixed to a joint, at object_distance in the
   * joint's own coordinates, is off by more than object_bound in model space, in poses whose other
   * translations and scales are those of the skeleton. Both are in the unit of translations. `bounds` and
   * `position_bound` are those of quatsimd_stream_bounds, or smaller. A rotation may then differ from its
   * joint's own by more than its bound, to make up for errors of the joint's parents. Functions with
   * options read the skeleton; the stream does not keep it */
  const quatsimd_skeleton *skeleton;
  /* sender only, with a skeleton: how far points may be off in model space */
  float object_bound;
  /* sender only, with a skeleton: how far these points are from their joints */
  float object_distance;
  /* the rotations x, y, z, w of bodies that never turn, which both sides know, such as those of a skeleton at
   * rest; 4 floats for each body, of any length as in quatsimd_stream_encode. Those of other bodies are not
   * read. Bodies with bound 0 then have these rotations, and are in no packet. Null, the default: they are in
   * key packets. The hash that both sides compare covers their bits */
  const float *rest;
} quatsimd_stream_options;
/* Fills options with the defaults and with struct_size, which is sizeof *options in the caller's program.
 * struct_size is at most 4096, and at least the size of the struct in the first version. Members that the
 * caller's struct lacks count as their default. Members that this version does not know must stay zero.
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a size out of range. */
QUATSIMD_API quatsimd_status quatsimd_stream_options_init(quatsimd_stream_options *options,
                                                          size_t struct_size);

/* Shares the bound of the points of a figure among its joints: see `skeleton` in the options. `bounds` has a
 * float for each joint. On entry it is 0 for joints that never turn, which keep 0, and any other number for
 * the others, which get their bounds. *position_bound gets the bound of the first position_count joints'
 * positions; it may be null if there are none. Both sides need the same bounds: make them once and ship them,
 * since they may differ between machines in their last bits. The time grows with the square of the number of
 * joints. A position of a joint must not be longer than the joint's translation in the skeleton if a joint
 * above it turns. If only joints that never turn are above it, each of them moves it by 1e-5 of what it is
 * longer, or by 3e-7 of that if `rest` has their rotations, and points are off by as much more.
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a count or number out of range,
 * scales that are not the same along x, y and z, or if a joint would need a bound below 1e-5; in this case
 * bounds and *position_bound may have any values. */
QUATSIMD_API quatsimd_status quatsimd_stream_bounds(float *bounds, float *position_bound,
                                                    const quatsimd_skeleton *skeleton, size_t position_count,
                                                    float object_bound, float object_distance);

/* Returns the number of bytes of memory that a stream needs, or 0 if the options are not valid. It is
 * about (state_count + 1) * (190 + 24 * body_count + 15 * position_count + 12 * track_count) + 40 *
 * body_count + 40 * receiver_count + 40,000, with body_count rounded up to a multiple of 16; 38,000 more with
 * positions, and 9,000 more with tracks. A skeleton adds 208 for each joint, and `rest` 16 for each body. */
QUATSIMD_API size_t quatsimd_stream_memory_size(const quatsimd_stream_options *options);
/* Returns the number of bytes of room that quatsimd_stream_encode needs for a packet, or 0 if the options are
 * not valid. It is 256 bytes more than the longest packet. */
QUATSIMD_API size_t quatsimd_stream_max_packet_size(const quatsimd_stream_options *options);

/* Makes a stream in memory_size bytes of memory, aligned to 8 bytes. *stream points into the memory, which
 * must stay in place as long as the stream is in use. A stream need not be closed. The first packet makes the
 * stream a sender or a receiver. From then on the functions of the other side return
 * QUATSIMD_ERROR_BAD_ARGUMENT. Packets are numbered from 0, so if the sender makes its stream again, its
 * receivers must make theirs again.
 * Returns QUATSIMD_OK. Errors, of which the first that applies is returned:
 * - QUATSIMD_ERROR_BAD_ARGUMENT: a null pointer, memory that is not aligned, or options that are not valid;
 * - QUATSIMD_ERROR_SHORT_BUFFER: memory_size is less than quatsimd_stream_memory_size(options). */
QUATSIMD_API quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                                  const quatsimd_stream_options *options);

/* ---- the sender ---- */

/* Encodes the current rotation of each body into one packet for all receivers. An element of rotations is
 * a quaternion x, y, z, w of any length from 2^-32 to 2^32. An invalid quaternion is coded as the body's
 * last valid one, or as the identity if there was none.
 * `time` is the moment of these rotations, in any unit, modulo 2^32: milliseconds, or a frame number. The
 * prediction of motion depends on it.
 * packet_size is the number of bytes available at `packet`. *written gets the number of bytes of the packet.
 * A key other than 0 makes a key packet. If key packets are longer than options.limit, it makes the next part
 * of one, or begins another: pass it once. Parts of a key packet that has begun come first. They carry the
 * pose and the time of the call that began it; later poses wait. Otherwise the baseline is the newest state
 * that all receivers have (if options.reliable is 1: the state of the packet before). If there is none among
 * the last 3/4 * state_count packets, the packet is a key packet. A receiver that has not acknowledged during
 * that many packets does not count.
 * Returns QUATSIMD_OK, or QUATSIMD_WARNING_REPLACED_INVALID if a quaternion was invalid. Errors, of which
 * the first that applies is returned:
 * - QUATSIMD_ERROR_BAD_ARGUMENT: a null pointer, a receiver's stream, a view that breaks a rule of view.h,
 *   or `packet` and rotations begin at the same address;
 * - QUATSIMD_ERROR_SHORT_BUFFER: packet_size is less than quatsimd_stream_max_packet_size(options). */
QUATSIMD_API quatsimd_status quatsimd_stream_encode(quatsimd_stream *stream, void *packet, size_t packet_size,
                                                    size_t *written, quatsimd_in rotations, uint32_t time,
                                                    int key);

/* Encodes rotations and positions. pose->rotations has an element for each body. pose->translations has one
 * for each of the first position_count bodies, x, y, z; a view of all zeros stands for positions 0.
 * Scales are not read. A component of a position that is NaN or beyond 2^40 in magnitude is invalid; the
 * position is then coded as the body's last valid one, or as 0. Components up to 2^-60 count as 0. Both views
 * must not begin at `packet`. Otherwise as quatsimd_stream_encode, which is this function without
 * translations. pose->tracks has track_count floats, or is null for tracks of 0. NaN and values beyond 2^40
 * are invalid as in positions. Tracks must not begin at `packet`. */
QUATSIMD_API quatsimd_status quatsimd_stream_encode_pose(quatsimd_stream *stream, void *packet,
                                                         size_t packet_size, size_t *written,
                                                         const quatsimd_pose_in *pose, uint32_t time,
                                                         int key);

/* Reads an acknowledgement of `size` bytes from a receiver, which is numbered 0 to receiver_count - 1. A
 * receiver joins with its first acknowledgement. Acknowledgements may arrive repeatedly and in any order.
 * An acknowledgement from before the receiver started, or started again, may make packets undecodable
 * until the next acknowledgement arrives. If an acknowledgement reports no states, all packets are key
 * packets until a later one reports a state.
 * Returns QUATSIMD_OK. Errors, of which the first that applies is returned:
 * - QUATSIMD_ERROR_BAD_ARGUMENT: a null pointer, a receiver's stream, or a receiver out of range;
 * - QUATSIMD_ERROR_BAD_PACKET: the bytes are damaged, of another stream, or of packets that were not sent. */
QUATSIMD_API quatsimd_status quatsimd_stream_acknowledged(quatsimd_stream *stream, size_t receiver,
                                                          const void *acknowledgement, size_t size);

/* Removes a receiver, so that it stops affecting baselines. Its next acknowledgement makes it join
 * again, so drop acknowledgements that were still in transit. A receiver that has not acknowledged during
 * 3/4 * state_count packets is ignored without this call. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a receiver's stream or a receiver out of range. */
QUATSIMD_API quatsimd_status quatsimd_stream_leave(quatsimd_stream *stream, size_t receiver);

/* ---- a receiver ---- */

/* Decodes a packet of exactly packet_size bytes. It writes the rotation of each body, a unit quaternion x,
 * y, z, w, and to *time the time that the sender passed to quatsimd_stream_encode. Packets may arrive in
 * any order: compare *time with that of the rotations shown last. Only a call that returns QUATSIMD_OK
 * writes rotations and *time and changes what the stream can decode. Other calls change at most a count of
 * old key packets, for QUATSIMD_ERROR_RESTARTED, and the parts of a key packet that have arrived. Returns
 * - QUATSIMD_OK;
 * - QUATSIMD_ERROR_NEED_KEY if the receiver does not have the baseline: it has just started, or the packet
 *   is late by state_count / 4 packets or more; or if the packet is a part of a key packet and other parts
 *   are missing. The receiver acknowledges, and the sender then makes packets that the receiver can decode;
 * - QUATSIMD_ERROR_OLD_PACKET if the packet was decoded before, or is older than all states;
 * - QUATSIMD_ERROR_RESTARTED in place of QUATSIMD_ERROR_OLD_PACKET for the 20th old key packet in order and
 *   for each further one: the sender has probably begun again with the same session. Each of these packets
 *   has a higher number than the one before it. Between them no packet was decoded; repeated and damaged
 *   packets, and packets that are no key packets, do not matter. A lower number begins a new count. Make
 *   the stream again (quatsimd_stream_init) and give it this packet again;
 * - QUATSIMD_ERROR_BAD_PACKET if the packet is damaged or of another stream. Such a packet may also give
 *   QUATSIMD_ERROR_NEED_KEY or QUATSIMD_ERROR_OLD_PACKET. A packet that is late by more than 2^14 packets may
 *   give any of the three;
 * - QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a sender's stream, a view that breaks a rule of
 *   view.h, or if `packet` and rotations begin at the same address. */
QUATSIMD_API quatsimd_status quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations,
                                                    uint32_t *time, const void *packet, size_t packet_size);

/* Decodes rotations and positions. pose->translations gets the positions of the first position_count bodies,
 * and pose->tracks the values of all tracks. A view of all zeros or a null pointer means
 * that this kind is not wanted. Scales are not written. No two kinds may begin at the same address. Otherwise
 * as quatsimd_stream_decode. */
QUATSIMD_API quatsimd_status quatsimd_stream_decode_pose(quatsimd_stream *stream, quatsimd_pose_out *pose,
                                                         uint32_t *time, const void *packet,
                                                         size_t packet_size);

/* The size of an acknowledgement, in bytes. */
#define QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE 12

/* Writes an acknowledgement of QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE bytes. It tells the sender which of
 * the last 32 states the receiver has. Send one after each packet that arrives, whatever
 * quatsimd_stream_decode returned, and at the same rate while no packets arrive. The newest one suffices:
 * a lost one need not be sent again. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null
 * pointer or a sender's stream. */
QUATSIMD_API quatsimd_status quatsimd_stream_acknowledge(const quatsimd_stream *stream,
                                                         void *acknowledgement);

#ifdef __cplusplus
}
#endif

#endif
