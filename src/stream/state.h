/* One side of a stream: the stream's options, and the states of its last packets. */
#ifndef QUATSIMD_STREAM_STATE_H
#define QUATSIMD_STREAM_STATE_H

#include "core/operand.h"
#include "stream/point.h"
#include "quatsimd/stream.h"

enum {
  HEAD_BYTES = 4,
  KEY_BYTES = 8, /* after the head of a key packet: number and time */
  /* bytes that encoding may write past whole_bytes: 93 for a body, 8 for the end, and 4 by store_top */
  SPARE_BYTES = 128,
  MOST_STATES = 256,
  RESTART_KEYS = 20 /* a receiver that gets as many old key packets in order reports a restart */
};

/* The state after a packet: everything that later packets need if this packet is their baseline. */
typedef struct state {
  bool filled;
  uint32_t number, time;
  uint32_t distance, interval; /* packets and time since the baseline; 0 for a key packet */
  uint32_t hash;
  model steady; /* model of the decision that the time is the expected one */
  model whole;  /* model of the decision that all points are coded whole */
  point_models models;
  scales *scale;
  float *rotation[4];
  float *moved[3]; /* rotation vector of the motion since the baseline, in the body's coordinates */
  float *error[4]; /* errors of four ways to predict, over the last packets */
} state;

/* The sender's record of a receiver. */
typedef struct receiver {
  bool joined;
  uint16_t first;                 /* lower bits of the number of the first packet that it decoded */
  uint32_t heard;                 /* the sender's `coming` at the last acknowledgement */
  uint64_t has[MOST_STATES / 64]; /* bit n % states is 1 if the receiver has state n */
} receiver;

enum { NO_SIDE_YET, SENDER, RECEIVER };

struct quatsimd_stream {
  /* Receivers follow the struct in memory. Without _Alignas they could be misaligned on 32-bit machines. */
  _Alignas(receiver) size_t bodies;
  size_t padded; /* number of bodies, rounded up to complete blocks of the operations */
  /* quantum: h of point.h. none2: residuals of a smaller squared length are coded as 0 */
  float quantum[QUATSIMD_CHUNK], per_quantum[QUATSIMD_CHUNK], none2[QUATSIMD_CHUNK];
  float horizon[QUATSIMD_CHUNK]; /* next->interval / the baseline's interval */
  int width;                     /* `width` of put_whole */
  int side;
  bool reliable;
  uint8_t old_keys;  /* receiver: old key packets in order since it last decoded one, at most RESTART_KEYS */
  uint16_t first;    /* receiver: lower bits of the number of the first packet that it decoded */
  uint32_t seed;     /* seed of hashes, made from the options */
  uint32_t coming;   /* sender: number of its next packet */
  uint32_t newest;   /* receiver: number of the newest packet that it decoded */
  uint32_t last_old; /* receiver: number of the last packet that old_keys counts */
  uint32_t states, receivers;
  state *state[MOST_STATES], *next; /* state n is at state[n % states]; next is being coded */
  receiver *receiver;
  float *held[4]; /* sender: last valid rotation of each body */
};

/* Returns the largest distance of a packet from its baseline. A quarter of the states is for late packets. */
static inline uint32_t longest_distance(const quatsimd_stream *s) { return s->states - s->states / 4; }

static inline size_t whole_bytes(const quatsimd_stream *s) {
  return HEAD_BYTES + KEY_BYTES + (s->bodies * (size_t)(1 + 3 * s->width) + 7) / 8;
}

static inline const state *state_of(const quatsimd_stream *s, uint32_t number) {
  const state *found = s->state[number % s->states];
  return found->filled && found->number == number ? found : NULL;
}

/* ---- steps that encoding and decoding share ---- */

/* Begins the next state with the models of `base`, or with the first models if `base` is NULL. */
void quatsimd_stream_begin(quatsimd_stream *s, const state *base, uint32_t number);
void quatsimd_stream_set_time(quatsimd_stream *s, const state *base, uint32_t time);
/* Returns the time that is expected `distance` packets after `base`. */
uint32_t quatsimd_stream_expected(const state *base, uint32_t distance);
/* Moves the next state, now complete, to state[next->number % states]. */
void quatsimd_stream_keep(quatsimd_stream *s, uint32_t hash);

/* Runs one of the stream_* operations of operations.def. */
static inline void stream_run(quatsimd_operation operation, float *const *out, const float *const *in,
                              size_t padded) {
  quatsimd_active_kernels()->operation[operation](out, in, padded);
}

typedef float components[4][QUATSIMD_CHUNK];
typedef int32_t points[QUATSIMD_CHUNK][3];

#define ROTATIONS_AT(v, i) (v)[0] + (i), (v)[1] + (i), (v)[2] + (i), (v)[3] + (i)
#define VECTORS_AT(v, i) (v)[0] + (i), (v)[1] + (i), (v)[2] + (i)

/* Predicts the rotations of the bodies from the i-th on. In a key packet each prediction is the identity. */
void quatsimd_stream_predict(const quatsimd_stream *s, const state *base, size_t i, size_t padded,
                             components predicted);
/* Computes the next state of n bodies from the i-th on. Elements of k after the n-th are not read. */
void quatsimd_stream_advance(quatsimd_stream *s, const state *base, size_t i, size_t n, size_t padded,
                             components predicted, points k);

#endif
