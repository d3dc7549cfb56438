/* One side of a stream: its options, and what the next packet is coded against. */
#ifndef QUATSIMD_STREAM_STATE_H
#define QUATSIMD_STREAM_STATE_H

#include <stdbool.h>

#include "core/operand.h"
#include "stream/point.h"
#include "stream/predictors.h"
#include "quatsimd/stream.h"

enum {
  HEAD_BYTES = 4,
  WRITER_SPARE = 8,
  MAX_BODY_BYTES = 21,  /* escape 36 bits, switch 1, a point 4 + 3 * (32 + 10) */
  MAX_MAGNITUDE = 4095, /* of the sum that the scale follows */
  FIRST_SCALE = 32
};

enum { LAST, FREE, WHOLE }; /* what a rotation is coded relative to: a prediction, or none */

/* What the code of a body's next rotation depends on, beside its last two rotations. */
typedef struct body {
  uint16_t scale;     /* mean of |k0| + |k1| + |k2| over the last packets, times 16 */
  uint16_t predicted; /* prediction in use */
} body;

/* A component each of all bodies' rotations. */
typedef struct orientations {
  float *component[4];
} orientations;

struct quatsimd_stream {
  size_t bodies, room;
  /* h, 1 / h, squared length of a residual as good as none */
  float quantum[QUATSIMD_CHUNK], per_quantum[QUATSIMD_CHUNK], none2[QUATSIMD_CHUNK];
  int width; /* bits of a component of a rotation coded by itself */
  int predictors;
  int rotation_vectors; /* else Cayley vectors */
  float zeros[QUATSIMD_CHUNK], ones[QUATSIMD_CHUNK];
  uint32_t seed;   /* of the checksum: the options */
  uint32_t number; /* of the next packet */
  uint16_t check;  /* checksum of the last packet */
  bool started;
  orientations last, before, next;
  body *body, *next_body; /* room for each */
  int16_t *advantage;     /* bits that the other prediction would have saved, of late: the encoder's alone */
};

static inline size_t max_packet(size_t bodies) { return HEAD_BYTES + bodies * MAX_BODY_BYTES + WRITER_SPARE; }

/* ---- bodies ---- */

static const body new_body = {FIRST_SCALE, FREE}; /* of a key packet */

/* A residual was too long for the scale, so that it grows: noise as large as that is coded after a few
 * packets. */
static inline body after_whole(body b) {
  b.scale = b.scale < 16384 ? (uint16_t)(4 * b.scale) : 65535;
  return b;
}

static inline body after_point(body b, uint32_t used, int32_t size) {
  const int32_t magnitude = size < MAX_MAGNITUDE ? size : MAX_MAGNITUDE;
  return (body){(uint16_t)(b.scale - (b.scale >> 2) + 4 * magnitude), (uint16_t)used};
}

/* ---- packets: what encoding and decoding have in common ---- */

typedef float components[4][QUATSIMD_CHUNK];

/* One of the stream_* operations of operations.def, by the stream's map. */
void quatsimd_stream_run(const quatsimd_stream *s, quatsimd_operation operation, float *const *out,
                         const float *const *in, size_t room);
#define ROTATIONS_AT(v, i) (v)[0] + (i), (v)[1] + (i), (v)[2] + (i), (v)[3] + (i)

/* Where the bodies from the i-th on would be now if they turned on as they did. */
void quatsimd_stream_predict(const quatsimd_stream *s, size_t i, size_t room, components free);
/* The next rotations: h * k from the predictions used. Behind the last body nothing moves. */
void quatsimd_stream_turn(quatsimd_stream *s, size_t i, size_t n, size_t room, uint32_t used[QUATSIMD_CHUNK],
                          points *p, components free);
/* The packet that was made or read becomes the last one. */
void quatsimd_stream_advance(quatsimd_stream *s, bool key, uint32_t number, uint16_t check);

#endif
