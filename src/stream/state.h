/* One side of a stream: the stream's options, and the states of its last packets. */
#ifndef QUATSIMD_STREAM_STATE_H
#define QUATSIMD_STREAM_STATE_H

#include "core/operand.h"
#include "stream/point.h"
#include "quatsimd/stream.h"

enum {
  HEAD_BYTES = 4,
  NUMBER_BYTES = 4,
  KEY_BYTES = 8,   /* after the head of a key packet: number and time */
  PART_BYTES = 10, /* after the head of a part: number and size of the key packet, which part, of how many */
  /* bytes that encoding may write past the limit: 210 for a body (a head or a track has fewer), 8 for the
   * end, and 4 by store_top */
  SPARE_BYTES = 256,
  MOST_STATES = 256,
  MODEL_SETS = 16, /* sets of models that a stream keeps */
  MOST_ANCHORS = 8,
  SHARES = 4,       /* number of ways to continue a body's motion */
  RESTART_KEYS = 20 /* a receiver that gets as many old key packets in order reports a restart */
};

/* The largest bound of positions and tracks. Times the coarsest step it is still within their range. */
static const float MOST_BOUND = 0x1p30f;

/* The way in which a position was predicted. */
enum { HOLD, LINE, FALL };

/* A body's decisions in a packet. They are contexts of its next decisions. */
typedef struct decisions {
  uint8_t still;         /* as in the anchor */
  uint8_t moves;         /* the rotation was predicted to continue its motion */
  uint8_t zero;          /* the point of the rotation was 0 */
  uint8_t way;           /* the way in which the position was predicted */
  uint8_t position_zero; /* the point of the position was 0 */
} decisions;
static inline uint8_t packed(decisions d) {
  return (uint8_t)(d.still | d.moves << 1 | d.zero << 2 | d.position_zero << 3 | d.way << 4);
}
static inline decisions unpacked(uint8_t p) {
  return (decisions){p & 1, p >> 1 & 1, p >> 2 & 1, p >> 4, p >> 3 & 1};
}

/* Errors of the ways to continue a body's rotation, in quarters of its quantum, over the last packets: bytes
 * of rounded.h. */
typedef struct share_errors {
  uint8_t of[SHARES];
} share_errors;

/* The models of a packet's head. They are small, so each state has its own. */
typedef struct head_models {
  model steady;        /* the time is the expected one */
  model newest_models; /* the models are of the newest state before the baseline that may have some */
  model coarser[2][4]; /* the packet's steps are larger; by the baseline's, and by how much so far */
  model usual_chain;   /* the chain is as old, seen from the baseline, as the baseline from the packet */
  model line[2];       /* the receiver has these states of the line */
  model usual_anchors; /* anchors are as far apart as those of the baseline */
  model anchor;        /* the receiver has the anchor */
} head_models;

typedef struct models {
  model still[8], moves[2][2];
  point_models rotation;
  /* models from here on are only for streams with positions */
  model way[3][2], exact;
  point_models position;
} models;

/* A track's value and the numbers that predict later ones. */
typedef struct track {
  int32_t at;                   /* the value in 16ths of a step, or the bits of a float if it is exact */
  uint8_t scale, error[SHARES]; /* bytes of rounded.h */
  bool zero, exact;             /* zero: it was as predicted */
  uint8_t sign;                 /* last direction: 0 none yet, 1 up, 2 down */
} track;

typedef struct track_models {
  model zero[LEVELS][2][3], exact[2], up[5], more[LEVELS][STEPS];
} track_models;

/* The state after a packet: everything that later packets need if this packet is their baseline. */
typedef struct state {
  bool filled;
  uint8_t coarse, anchors; /* the packet's `coarse`, and the logarithm of the distance between anchors */
  uint32_t number, time;
  uint32_t distance, interval; /* packets and time since the baseline; 0 for a key packet */
  uint32_t hash;
  head_models head;
  float *rotation[4], *position[3];
  share_errors *errors;
  kept_scales *rotation_scale, *position_scale;
  uint8_t *last; /* packed decisions */
  track *tracks;
} state;

/* The states that a packet is coded against. Those that the receiver does not have are NULL. */
typedef struct references {
  const state *base;    /* NULL in key packets */
  const state *chain;   /* a state about as far before the baseline as the baseline is before the packet */
  const state *line[2]; /* with the baseline: the states through which a line is drawn */
  const state *anchor;  /* bodies that rest are as in this state; NULL in key packets */
  const state *models;  /* the packet continues the models of this state; NULL: the first models */
} references;

/* Factors of the predictions of a packet, made of the times of its references. */
typedef struct stream_course {
  float horizon;           /* motion since the chain, times this, is the expected motion */
  const state *through[2]; /* NULL: none */
  float line[2];           /* the expected motion is this times the way to the states `through` */
  float fall[3];           /* the way that gravity adds to the line */
} stream_course;

/* The sender's record of a receiver. */
typedef struct receiver {
  bool joined;
  uint16_t first;                 /* lower bits of the number of the first packet that it decoded */
  uint32_t heard;                 /* the sender's `coming` at the last acknowledgement */
  uint64_t has[MOST_STATES / 64]; /* bit n % states is 1 if the receiver has state n */
} receiver;

/* A key packet that is sent, or arrives, in parts. */
typedef struct key_parts {
  unsigned char *bytes; /* the packet behind its head */
  uint32_t number;
  size_t size;
  unsigned count, next, rounds; /* count: 0 if there is none. next, rounds: of the sender */
  uint64_t arrived[2];          /* receiver: bit i is 1 if part i is in `bytes` */
} key_parts;

enum { NO_SIDE_YET, SENDER, RECEIVER };

struct quatsimd_stream {
  size_t bodies, positions, tracks;
  size_t padded; /* number of bodies, rounded up to complete blocks of the operations */
  /* For each body. quantum: h of point.h. none2: residuals of a smaller squared length are coded as 0; 0: the
   * body never turns */
  float *quantum, *per_quantum, *none2;
  uint8_t *width; /* `width` of put_whole */
  size_t whole_bits;
  float position_quantum, position_bound;
  float gravity[3];
  double track_unit; /* a 16th of a step */
  int32_t track_one; /* 1 in units */
  float track_bound;
  int side;
  bool reliable, has_rest;
  uint8_t old_keys;  /* receiver: old key packets in order since it last decoded one, at most RESTART_KEYS */
  uint16_t first;    /* receiver: lower bits of the number of the first packet that it decoded */
  uint32_t seed;     /* seed of hashes, made from the options */
  uint32_t coming;   /* sender: number of its next packet */
  uint32_t newest;   /* receiver: number of the newest packet that it decoded */
  uint32_t last_old; /* receiver: number of the last packet that old_keys counts */
  uint32_t reach;    /* sender: 256 times the largest distance from a baseline lately */
  uint32_t states, receivers;
  state *state[MOST_STATES], *next; /* state n is at state[n % states]; next is being coded */
  models *sets[MODEL_SETS];         /* the models of state n are at n / models_apart % MODEL_SETS */
  models *models;                   /* those of the packet that is being coded */
  size_t model_bytes, track_models_at;
  size_t limit; /* sender: the largest number of bytes of a packet */
  key_parts parts;
  receiver *receiver;
  float *held[4], *held_position[3]; /* sender: last valid rotation and position of each body */
  bool *unturned;                    /* sender: the rotation is that of the packet before */
  float *rest[4];    /* rotations of bodies that never turn, if they are in no packet, else NULL */
  float *held_track; /* sender: last valid value of each track */
  size_t joints;     /* sender: the number of joints of a figure; 0: none */
  struct figure_joint *joint;
  double points_bound; /* how far points of a figure may be off, less errors of arithmetic */
};

/* Returns the largest distance of a packet from its baseline. A quarter of the states is for late packets. */
static inline uint32_t longest_distance(const quatsimd_stream *s) { return s->states - s->states / 4; }

/* Returns the number of bytes of a key packet. */
static inline size_t key_bytes(const quatsimd_stream *s) {
  return HEAD_BYTES + KEY_BYTES + (s->whole_bits + 7) / 8;
}

/* Returns the largest number of parts of a key packet: all must arrive while it can be a baseline. */
static inline unsigned most_parts(const quatsimd_stream *s) { return s->states * 3 / 8; }
/* Returns the number of parts of a key packet with `size` bytes behind its head. */
static inline unsigned parts_of(size_t size, size_t limit) {
  const size_t each = limit - HEAD_BYTES - PART_BYTES;
  return (unsigned)((size - NUMBER_BYTES + each - 1) / each);
}

/* Returns true if the rotation of body i is in key packets. */
static inline bool is_in_keys(const quatsimd_stream *s, size_t i) { return !s->rest[0] || s->none2[i] > 0; }

static inline const state *state_of(const quatsimd_stream *s, uint32_t number) {
  const state *found = s->state[number % s->states];
  return found->filled && found->number == number ? found : NULL;
}

/* ---- steps that encoding and decoding share ---- */

/* Only states whose numbers are multiples of this have models. The sets of the last `states` packets remain,
 * as do the states, whatever the order in which packets arrive. */
static inline uint32_t models_apart(const quatsimd_stream *s) { return s->states / MODEL_SETS; }
/* Returns the number of the newest state, not after the baseline, that may have models. */
static inline uint32_t newest_models(const quatsimd_stream *s, const state *base) {
  return base->number & (0 - models_apart(s));
}

/* Begins the next state. Its head has the models of `base`, or the first models if `base` is NULL. */
void quatsimd_stream_begin(quatsimd_stream *s, const state *base, uint32_t number);
void quatsimd_stream_set_time(quatsimd_stream *s, const state *base, uint32_t time);
/* Returns the time that is expected `distance` packets after `base`. */
uint32_t quatsimd_stream_expected(const state *base, uint32_t distance);
/* Begins s->models with those that `r` names. */
void quatsimd_stream_begin_models(quatsimd_stream *s, const references *r);
/* Moves the next state, now complete, to state[next->number % states]. */
void quatsimd_stream_keep(quatsimd_stream *s, uint32_t hash);

#endif
