/* One side of a stream: its options, and the states of the last packets. */
#ifndef QUATSIMD_STREAM_STATE_H
#define QUATSIMD_STREAM_STATE_H

#include "core/operand.h"
#include "stream/point.h"
#include "quatsimd/stream.h"

enum {
  HEAD_BYTES = 4,
  KEY_BYTES = 8, /* behind the head: number and time */
  SPARE_BYTES =
      128, /* of room: a body takes at most 93, the end of a packet 8 more, and four are stored at once */
  MOST_STATES = 256
};

/* The state after a packet: all that packets are coded against. */
typedef struct state {
  bool filled;
  uint32_t number, time;
  uint32_t distance, interval; /* packets and time from its baseline; 0 of a key packet */
  uint32_t hash;               /* of its packet */
  model steady;                /* whether time goes on as it did, */
  model whole;                 /* and whether points are coded whole */
  point_models models;
  scales *scale;
  float *rotation[4];
  float *moved[3]; /* the rotation vector from the baseline, seen by the body */
  float *error[4]; /* of the predictions, over the last packets */
} state;

/* The sender's knowledge of a receiver. */
typedef struct receiver {
  bool joined;
  uint16_t first;                 /* what its acknowledgements say of the first packet that it decoded */
  uint32_t heard;                 /* the number of the next packet when it acknowledged last */
  uint64_t has[MOST_STATES / 64]; /* of the last states: bit number % states */
} receiver;

enum { NO_SIDE_YET, SENDER, RECEIVER };

struct quatsimd_stream {
  _Alignas(receiver) size_t bodies; /* receivers are behind the stream, also where pointers have 32 bits */
  size_t room;
  /* h, 1 / h, the usable bound squared: a residual up to it is coded as 0 */
  float quantum[QUATSIMD_CHUNK], per_quantum[QUATSIMD_CHUNK], none2[QUATSIMD_CHUNK];
  float horizon[QUATSIMD_CHUNK]; /* of the packet: how many times as far ahead as its baseline was */
  int width;                     /* bits of a number of a point coded whole */
  int side;
  bool reliable;
  uint32_t seed;   /* of checksums: the options */
  uint32_t coming; /* of a sender: the number of its next packet */
  uint32_t newest; /* of a receiver: the number of the newest packet that it decoded, */
  uint16_t first;  /* and the lower bits of that of the first */
  uint32_t states, receivers;
  state *state[MOST_STATES], *next; /* by number % states; room for the one that comes */
  receiver *receiver;
  float *held[4]; /* the last valid rotation of each body, to encode */
};

/* Packets against older states are not made: what comes late by less than a quarter of the states still
 * finds its baseline. */
static inline uint32_t longest_distance(const quatsimd_stream *s) { return s->states - s->states / 4; }

static inline size_t whole_bytes(const quatsimd_stream *s) {
  return HEAD_BYTES + KEY_BYTES + (s->bodies * (size_t)(1 + 3 * s->width) + 7) / 8;
}

static inline const state *state_of(const quatsimd_stream *s, uint32_t number) {
  const state *found = s->state[number % s->states];
  return found->filled && found->number == number ? found : NULL;
}

/* ---- packets: what encoding and decoding have in common ---- */

/* The next state begins: as its baseline left it, or of a key packet anew. Its time is set behind that. */
void quatsimd_stream_begin(quatsimd_stream *s, const state *base, uint32_t number);
void quatsimd_stream_set_time(quatsimd_stream *s, const state *base, uint32_t time);
/* When a packet is expected, by the time of its baseline. */
uint32_t quatsimd_stream_expected(const state *base, uint32_t distance);
/* The next state becomes that of its number. */
void quatsimd_stream_keep(quatsimd_stream *s, uint32_t hash);

/* One of the stream_* operations of operations.def. */
static inline void stream_run(quatsimd_operation operation, float *const *out, const float *const *in,
                              size_t room) {
  quatsimd_active_kernels()->operation[operation](0, out, in, room);
}

typedef float components[4][QUATSIMD_CHUNK];
typedef int32_t points[QUATSIMD_CHUNK][3];

#define ROTATIONS_AT(v, i) (v)[0] + (i), (v)[1] + (i), (v)[2] + (i), (v)[3] + (i)
#define VECTORS_AT(v, i) (v)[0] + (i), (v)[1] + (i), (v)[2] + (i)

/* Where the bodies from the i-th on are expected; the identity in a key packet. */
void quatsimd_stream_predict(const quatsimd_stream *s, const state *base, size_t i, size_t room,
                             components predicted);
/* Their rotations in the next state, and what follows from them. Behind the n-th nothing moves. */
void quatsimd_stream_advance(quatsimd_stream *s, const state *base, size_t i, size_t n, size_t room,
                             components predicted, points k);

#endif
