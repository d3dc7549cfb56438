/* Rotations relative to others that both sides know: small in most cases, so fewer bits say them.
 *
 * Two ways. Arrays of fixed-width codes, where the caller has the bases; and a stream, where the library keeps them: an
 * encoder and a decoder in lock-step that predict every body's rotation from the frames before.
 *
 * Arrays, buffers, bits, threads as in rotation.h and codec.h, and quaternions of any length as in the latter: the same bytes
 * on every CPU. docs/relative.md has the exact formats and what they cost. Each function names its errors; where one is
 * returned nothing was written.
 *
 * R = value base^-1 is coded by its Cayley vector, axis * tan(angle / 4), or by its rotation vector, axis * angle (the
 * exponential map). Near no rotation they are the same but for a factor of 4.
 *
 * Sources. Cayley vectors are also known as modified Rodrigues parameters (Wiener 1962); the codes and the stream are our own, and
 * docs/relative.md defines them. */
#ifndef QUATSIMD_RELATIVE_H
#define QUATSIMD_RELATIVE_H

#include "codec.h"
#include "rotation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arrays ---- */

/* Formats of codes: bits of the components x, y, z behind each. Values are never renumbered. */
typedef enum quatsimd_relative_format {
  QUATSIMD_CAYLEY24 = 1, /* 8, 8, 8 */
  QUATSIMD_CAYLEY32 = 2, /* 11, 11, 10 */
  QUATSIMD_CAYLEY48 = 3, /* 16, 16, 16 */
  QUATSIMD_EXPMAP24 = 4, /* 8, 8, 8, by the exponential map */
  QUATSIMD_EXPMAP32 = 5, /* 11, 11, 10, likewise */
  QUATSIMD_EXPMAP48 = 6  /* 16, 16, 16, likewise */
} quatsimd_relative_format;

/* Bytes of count codes: 3, 4 or 6 each; 0 if the format is unknown or the size does not fit a size_t. */
QUATSIMD_API size_t quatsimd_relative_size(quatsimd_relative_format format, size_t count);

/* Pack value relative to base. largest_angle, radians, from 1e-6 to pi, is the range: components reach from -tan(largest_angle /
 * 4) to +tan(largest_angle / 4), or from -largest_angle to +largest_angle. No rotation is exactly code 0, and comes back as
 * base, normalised. The worst error of one within the range is half a step in each component: docs/relative.md.
 *
 * A single component may be as large as the range, so that about a diagonal axis larger angles fit, up to sqrt(3) times as much.
 * A rotation with a component beyond the range is packed with its axis and as much of its angle as fits; where base or value is
 * invalid (see codec.h) no rotation is packed. beyond, which may be null, gets (count + 7) / 8 bytes with bit i % 8 of byte i /
 * 8 set for each such element, the others 0: send those in an absolute format.
 *
 * Returns QUATSIMD_OK; QUATSIMD_REPLACED_INVALID if some were invalid, else QUATSIMD_SATURATED if some were beyond the range;
 * QUATSIMD_BAD_FORMAT, QUATSIMD_BAD_ARGUMENT or QUATSIMD_SHORT_BUFFER. */
QUATSIMD_API quatsimd_status quatsimd_relative_pack(quatsimd_relative_format format, float largest_angle, void *packed,
                                                    size_t packed_size, quatsimd_source base, quatsimd_source value,
                                                    size_t count, unsigned char *beyond);
/* Unpack: out = R base, of length 1. Any bytes give a rotation; where base is invalid it counts as the identity. Returns
 * QUATSIMD_OK; QUATSIMD_BAD_FORMAT, QUATSIMD_BAD_ARGUMENT or QUATSIMD_SHORT_BUFFER. */
QUATSIMD_API quatsimd_status quatsimd_relative_unpack(quatsimd_relative_format format, float largest_angle,
                                                      quatsimd_target out, quatsimd_source base, const void *packed,
                                                      size_t packed_size, size_t count);

/* quatsimd_relative_pack of arrays x y z w x y z w ... */
static inline quatsimd_status quatsimd_relative_pack_aos(quatsimd_relative_format format, float largest_angle, void *packed,
                                                         size_t packed_size, const float *base, const float *value,
                                                         size_t count, unsigned char *beyond) {
  return quatsimd_relative_pack(format, largest_angle, packed, packed_size, quatsimd_aos(base), quatsimd_aos(value), count,
                                beyond);
}
/* quatsimd_relative_unpack of arrays x y z w x y z w ... */
static inline quatsimd_status quatsimd_relative_unpack_aos(quatsimd_relative_format format, float largest_angle, float *out,
                                                           const float *base, const void *packed, size_t packed_size,
                                                           size_t count) {
  return quatsimd_relative_unpack(format, largest_angle, quatsimd_aos_out(out), quatsimd_aos(base), packed, packed_size,
                                  count);
}
/* quatsimd_relative_pack of arrays of components: base[0] is that of x, base[1] of y, and so on. */
static inline quatsimd_status quatsimd_relative_pack_soa(quatsimd_relative_format format, float largest_angle, void *packed,
                                                         size_t packed_size, const float *const base[4],
                                                         const float *const value[4], size_t count, unsigned char *beyond) {
  return quatsimd_relative_pack(format, largest_angle, packed, packed_size, quatsimd_soa(base[0], base[1], base[2], base[3]),
                                quatsimd_soa(value[0], value[1], value[2], value[3]), count, beyond);
}
/* quatsimd_relative_unpack of arrays of components: base[0] is that of x, base[1] of y, and so on. */
static inline quatsimd_status quatsimd_relative_unpack_soa(quatsimd_relative_format format, float largest_angle,
                                                           float *const out[4], const float *const base[4],
                                                           const void *packed, size_t packed_size, size_t count) {
  return quatsimd_relative_unpack(format, largest_angle, quatsimd_soa_out(out[0], out[1], out[2], out[3]),
                                  quatsimd_soa(base[0], base[1], base[2], base[3]), packed, packed_size, count);
}

/* ---- stream ----
 *
 * Frames of the rotations of the same bodies, one after the other, over a channel that may lose, repeat or damage some. Every
 * rotation of every frame comes out within the bound: the encoder predicts from what the decoder has, so errors do not
 * add up. What a frame costs depends on how well a body's motion is predicted: by its last rotation, or by turning on as
 * it did between the last two, whichever the encoder signals; one that jumps is coded by itself. A key frame codes all by
 * themselves, for a decoder that begins there or has lost a frame.
 *
 * State is in the caller's memory, at one place, and is changed by encode and decode alone; two streams may be used by two
 * threads. After an error it is what it was before, and nothing was written. */

/* One side of a stream, in memory of quatsimd_stream_size bytes. */
typedef struct quatsimd_stream quatsimd_stream;

/* What quatsimd_stream_init makes. Both sides must have the same bodies, bound and exponential: another's frames are BAD_FRAME. */
typedef struct quatsimd_stream_options {
  size_t bodies;   /* rotations in a frame, 1 to 2^24 */
  float bound;     /* largest error of any rotation, radians, 1e-5 to 1 */
  int exponential; /* 0: residuals by the Cayley map, 1: by the exponential map; nothing else */
  int predictors;  /* 0, QUATSIMD_PREDICT_BOTH; the others are for comparison (the encoder's business alone) */
} quatsimd_stream_options;
/* What a rotation is predicted from. */
enum {
  QUATSIMD_PREDICT_BOTH = 0, /* whichever of the next two is nearer */
  QUATSIMD_PREDICT_LAST = 1, /* the body stays where it was */
  QUATSIMD_PREDICT_FREE = 2, /* it turns on as it did between the last two frames */
  QUATSIMD_PREDICT_NONE = 3  /* nothing */
};

/* Bytes of memory that a stream needs, about 2700 and 58 for each body (in sixteens); 0 if the options are not valid. */
QUATSIMD_API size_t quatsimd_stream_size(const quatsimd_stream_options *options);
/* Bytes of the longest frame that a stream can make; 0 if the options are not valid. */
QUATSIMD_API size_t quatsimd_stream_max_frame(const quatsimd_stream_options *options);

/* Makes a stream, to encode with or to decode with and not for both, in memory aligned to 8 bytes, which the caller keeps as
 * long as the stream and then frees or uses again. Where a sender starts anew, receivers do, too: frames are numbered from 0.
 * Returns QUATSIMD_OK, QUATSIMD_BAD_ARGUMENT or QUATSIMD_SHORT_BUFFER. */
QUATSIMD_API quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                                  const quatsimd_stream_options *options);

/* Encodes the next frame into at least quatsimd_stream_max_frame bytes; *written is how many it took. key_frame not 0 makes a
 * key frame, as the first one always is. An invalid rotation is coded as the body's last one (the identity at first), and
 * then the call returns QUATSIMD_REPLACED_INVALID. Else QUATSIMD_OK, or QUATSIMD_BAD_ARGUMENT or QUATSIMD_SHORT_BUFFER. */
QUATSIMD_API quatsimd_status quatsimd_stream_encode(quatsimd_stream *stream, int key_frame, quatsimd_source rotations,
                                                    void *frame, size_t frame_size, size_t *written);

/* Decodes a frame of exactly frame_size bytes. Returns QUATSIMD_OK; QUATSIMD_NEED_KEY if a frame before this one is missing
 * or damaged: no rotation is invented, ask the sender for a key frame; QUATSIMD_OLD_FRAME if this one, or a
 * key frame after it, was decoded before; QUATSIMD_BAD_FRAME if it is damaged or not of such a stream (one whose number is
 * damaged may look old or ahead); QUATSIMD_BAD_ARGUMENT. Only QUATSIMD_OK
 * writes rotations. */
QUATSIMD_API quatsimd_status quatsimd_stream_decode(quatsimd_stream *stream, const void *frame, size_t frame_size,
                                                    quatsimd_target rotations);

/* What the head of a frame says, before it is decoded: its number modulo 32768, and whether it is a key frame. Returns
 * QUATSIMD_OK; QUATSIMD_BAD_FRAME if there is no head; QUATSIMD_BAD_ARGUMENT for a null pointer. */
QUATSIMD_API quatsimd_status quatsimd_stream_peek(const void *frame, size_t frame_size, unsigned *number, int *key_frame);

#ifdef __cplusplus
}
#endif

#endif
