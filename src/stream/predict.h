/* Predicts bodies from the states that both sides have, and makes the state that a packet leaves. */
#ifndef QUATSIMD_STREAM_PREDICT_H
#define QUATSIMD_STREAM_PREDICT_H

#include "stream/state.h"

typedef float components[4][QUATSIMD_CHUNK];
typedef int32_t points[QUATSIMD_CHUNK][3];

#define ROTATIONS_AT(v, i) (v)[0] + (i), (v)[1] + (i), (v)[2] + (i), (v)[3] + (i)
#define VECTORS_AT(v, i) (v)[0] + (i), (v)[1] + (i), (v)[2] + (i)

enum { MOST_WIDTH = 20 }; /* the largest width of positions and tracks in key packets */

/* Up to QUATSIMD_CHUNK bodies while a packet is coded. */
typedef struct chunk {
  size_t i, n, padded;                     /* the first body, the number of bodies, and with padding */
  float quantum[QUATSIMD_CHUNK];           /* h of point.h in this packet */
  float step;                              /* the same of positions */
  float motion[SHARES][3][QUATSIMD_CHUNK]; /* rotation vectors of the ways to continue */
  components held, moved;                  /* the rotations of the baseline, and with its motion */
  components from;                         /* the prediction that was chosen */
  float position[3][3][QUATSIMD_CHUNK];    /* by way and component */
  points k, position_k;
  bool stays[QUATSIMD_CHUNK];
  bool exact[QUATSIMD_CHUNK]; /* the position was coded exactly, and is in the next state */
} chunk;

/* Begins a body that has a baseline: nothing is coded of it yet, so its points are 0. */
static inline decisions begin_body(chunk *c, size_t b) {
  memset(c->k[b], 0, sizeof c->k[b]), memset(c->position_k[b], 0, sizeof c->position_k[b]);
  c->exact[b] = false;
  return (decisions){.zero = 1, .position_zero = 1};
}

/* Runs one of the stream_* operations of operations.def. */
static inline void stream_run(quatsimd_operation operation, float *const *out, const float *const *in,
                              size_t padded) {
  quatsimd_active_kernels()->operation[operation](out, in, padded);
}

/* Returns the factor by which the steps of a packet are larger: 2^(coarse / 2). */
static inline float coarseness(unsigned coarse) {
  return (float)(1u << coarse / 2) * (coarse % 2 ? 0x1.6a09e6p+0f : 1);
}
/* Returns a component of the position that body b of a chunk has by its way and point. */
static inline float position_by_point(const chunk *c, size_t b, int way, int x) {
  return c->position[way][x][b] + (float)c->position_k[b][x] * c->step;
}
/* Returns the scales for the packet's larger steps. */
static inline scales coarse_scales(kept_scales fine, unsigned coarse) {
  scales s = kept(fine);
  for (int i = 0; i < 3; i++) {
    const uint32_t of = (coarse % 2 ? s.of[i] * 181u >> 8 : s.of[i]) >> coarse / 2;
    s.of[i] = (uint16_t)(of < 7 ? 7 : of);
  }
  return s;
}
/* Adds integers of points to scales: `count` bytes of both. The products are exact. */
static inline void learn_scales(uint8_t *to, const uint8_t *from, const int32_t *k, size_t count,
                                unsigned coarse) {
  const float larger = (float)(1u << coarse / 2) * (coarse % 2 ? 362.0f / 256 : 1);
  for (size_t j = 0; j < count; j++) {
    const int32_t size = smaller_of(k[j] < 0 ? -k[j] : k[j], MOST_MAGNITUDE),
                  fine = (int32_t)((float)size * larger);
    to[j] = faded_sum(from[j], 2 * (uint32_t)smaller_of(fine, MOST_MAGNITUDE));
  }
}

/* Makes the factors of a packet's predictions. The time of the next state must be known. */
stream_course quatsimd_stream_course(const quatsimd_stream *s, const references *r);

/* Prepares the bodies from the i-th on. */
void quatsimd_stream_predict(const quatsimd_stream *s, const references *r, const stream_course *c, size_t i,
                             chunk *to);
/* Computes the next state of these bodies from points and decisions, which are in next->last. */
void quatsimd_stream_advance(quatsimd_stream *s, const references *r, chunk *of);

/* ---- contexts ---- */

static inline int still_context(decisions d) {
  return 4 * (d.zero && d.position_zero) + 2 * (d.way == HOLD && !d.moves) + d.still;
}
/* A way other than the last one is the higher or the lower one of the two that are left. */
static inline int higher_way(int last) { return last == FALL ? LINE : FALL; }
static inline int lower_way(int last) { return last == HOLD ? LINE : HOLD; }
static inline int position_context(decisions d) { return 2 * d.position_zero + d.zero; }
/* The context depends on the size of the position's point. For a body without a position it depends on the
 * prediction: along the line, else at the baseline or not. */
static inline int rotation_context(const quatsimd_stream *s, const chunk *c, size_t b, decisions d,
                                   bool line) {
  if (c->i + b >= s->positions) return 2 * (line ? 2 : c->stays[b]) + d.zero;
  const int32_t *const k = c->position_k[b];
  uint32_t size = 0;
  for (int i = 0; i < 3; i++) size += abs_of(k[i]);
  return 4 * (size == 0 ? 0 : size < 3 ? 1 : size < 9 ? 2 : 3) + 2 * d.zero + d.position_zero;
}

#endif
