/* Streams: the rotations of the same bodies, frame after frame, over a channel that may lose, repeat or
 * damage some.
 *
 * Every rotation of every frame comes out within the bound: the encoder predicts from what the decoder has,
 * so errors do not add up. What a frame costs depends on how well a body's motion is predicted: by its last
 * rotation, or by turning on as it did between the last two, whichever the encoder signals; one that jumps is
 * coded by itself. A key frame codes all by themselves, for a decoder that begins there or has lost a frame.
 *
 * State is in the caller's memory, at one place, and is changed by encode and decode alone; two streams
 * may be used by two threads. After an error it is what it was before, and nothing was written. */
#ifndef QUATSIMD_STREAM_H
#define QUATSIMD_STREAM_H

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One side of a stream, in memory of quatsimd_stream_size bytes. */
typedef struct quatsimd_stream quatsimd_stream;

/* What quatsimd_stream_init makes. Both sides must have the same bodies, bound and exponential: another's
 * are QUATSIMD_ERROR_BAD_PACKET. */
typedef struct quatsimd_stream_options {
  size_t bodies;   /* rotations in a frame, 1 to 2^24 */
  float bound;     /* largest error of any rotation, radians, 1e-5 to 1 */
  int exponential; /* 0: residuals by the Cayley map, 1: by the exponential map; nothing else */
  /* 0, QUATSIMD_PREDICT_BOTH; the others are for comparison (the encoder's business alone) */
  int predictors;
} quatsimd_stream_options;
/* What a rotation is predicted from. */
enum {
  QUATSIMD_PREDICT_BOTH = 0, /* whichever of the next two is nearer */
  QUATSIMD_PREDICT_LAST = 1, /* the body stays where it was */
  QUATSIMD_PREDICT_FREE = 2, /* it turns on as it did between the last two frames */
  QUATSIMD_PREDICT_NONE = 3  /* nothing */
};

/* Bytes of memory that a stream needs, about 2700 and 58 for each body (in sixteens); 0 if the options are
 * not valid. */
QUATSIMD_API size_t quatsimd_stream_size(const quatsimd_stream_options *options);
/* Bytes of the longest frame that a stream can make; 0 if the options are not valid. */
QUATSIMD_API size_t quatsimd_stream_max_packet(const quatsimd_stream_options *options);

/* Makes a stream, to encode with or to decode with and not for both, in memory aligned to 8 bytes, which
 * the caller keeps as long as the stream and then frees or uses again. Where a sender starts anew,
 * receivers do, too: frames are numbered from 0. Returns QUATSIMD_OK, QUATSIMD_ERROR_BAD_ARGUMENT or
 * QUATSIMD_ERROR_SHORT_BUFFER. */
QUATSIMD_API quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                                  const quatsimd_stream_options *options);

/* Encodes the next frame into at least quatsimd_stream_max_packet bytes; *written is how many it took.
 * key_frame not 0 makes a key frame, as the first one always is. An invalid rotation is coded as the
 * body's last one (the identity at first), and then the call returns QUATSIMD_WARNING_REPLACED_INVALID.
 * Else QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT or QUATSIMD_ERROR_SHORT_BUFFER. */
QUATSIMD_API quatsimd_status quatsimd_stream_encode(quatsimd_stream *stream, int key_frame,
                                                    quatsimd_in rotations, void *frame, size_t frame_size,
                                                    size_t *written);

/* Decodes a frame of exactly frame_size bytes. Returns QUATSIMD_OK; QUATSIMD_ERROR_NEED_KEY if a frame
 * before this one is missing or damaged: no rotation is invented, ask the sender for a key frame;
 * QUATSIMD_ERROR_OLD_PACKET if this one, or a key frame after it, was decoded before;
 * QUATSIMD_ERROR_BAD_PACKET if it is damaged or not of such a stream (one whose number is damaged may look
 * old or ahead); QUATSIMD_ERROR_BAD_ARGUMENT. Only QUATSIMD_OK writes rotations. */
QUATSIMD_API quatsimd_status quatsimd_stream_decode(quatsimd_stream *stream, const void *frame,
                                                    size_t frame_size, quatsimd_out rotations);

/* What the head of a frame says, before it is decoded: its number modulo 32768, and whether it is a key
 * frame. Returns QUATSIMD_OK; QUATSIMD_ERROR_BAD_PACKET if there is no head; QUATSIMD_ERROR_BAD_ARGUMENT
 * for a null pointer. */
QUATSIMD_API quatsimd_status quatsimd_stream_peek(const void *frame, size_t frame_size, unsigned *number,
                                                  int *key_frame);

#ifdef __cplusplus
}
#endif

#endif
