/* The encoder's inner loop: coefficients of one curve in one block, as few bytes as the bound lets them
 * be. Compiled for each instruction set; vectors of GNU C, eight floats each, in a fixed order, so that
 * all choose the same. */
#ifndef QUATSIMD_CLIP_SEARCH_INC_H
#define QUATSIMD_CLIP_SEARCH_INC_H

#include <float.h>

#include "clip/kernels.h"

enum { SEARCH_LANES = 8, SEARCH_HALVES = CLIP_INNER / SEARCH_LANES };
typedef float search_lanes __attribute__((vector_size(4 * SEARCH_LANES)));
typedef int32_t lane_bits __attribute__((vector_size(4 * SEARCH_LANES)));
typedef union sixteen {
  search_lanes v[SEARCH_HALVES];
  lane_bits bits[SEARCH_HALVES];
  float f[CLIP_INNER];
  int32_t i[CLIP_INNER];
} sixteen;

typedef struct kept_state {
  sixteen x[3 * CLIP_AXES + 1];
} kept_state;

/* The state of a search. worth: |error|^2 * weight of each frame, which is 1 at the bound. */
typedef struct search_state {
  sixteen basis[CLIP_INNER], weight, residual[CLIP_AXES];
  sixteen c[CLIP_AXES]; /* exact coefficients */
  union {
    struct {
      sixteen q[CLIP_AXES],
          residue[CLIP_AXES]; /* rounded coefficients, and the exact ones minus these, in quanta */
      sixteen error[CLIP_AXES], worth;
    };
    kept_state kept;
  };
  float energy; /* the largest sum of |error|^2 within the bound */
} search_state;

/* If the bound is missed, nudges may help: up to this largest worth after rounding, or after clamping, and up
 * to this part of the energy. */
#define WORTH_NUDGING 3.0f
#define WORTH_CLAMPING 2.5f
#define HOPEFUL 0.65f

static inline float largest_of(const sixteen *x) {
  search_lanes m = (search_lanes)(((lane_bits)x->v[0] & (x->v[0] > x->v[1])) |
                                  ((lane_bits)x->v[1] & ~(x->v[0] > x->v[1])));
  float most = m[0];
  for (int i = 1; i < SEARCH_LANES; i++) most = m[i] > most ? m[i] : most;
  return most;
}

static inline float sum_of(const search_lanes *x) {
  const search_lanes m = *x;
  return ((m[0] + m[4]) + (m[2] + m[6])) + ((m[1] + m[5]) + (m[3] + m[7]));
}

static inline float weigh(search_state *s) {
  for (int h = 0; h < SEARCH_HALVES; h++)
    s->worth.v[h] = ((s->error[0].v[h] * s->error[0].v[h] + s->error[1].v[h] * s->error[1].v[h]) +
                     s->error[2].v[h] * s->error[2].v[h]) *
                    s->weight.v[h];
  return largest_of(&s->worth);
}

static void prepare(search_state *s, const quatsimd_clip_problem *p) {
  memcpy(s->basis, p->basis, sizeof s->basis);
  memcpy(&s->weight, p->weight, sizeof s->weight);
  memcpy(s->residual, p->residual, sizeof s->residual);
  for (int a = 0; a < CLIP_AXES; a++) {
    search_lanes sum[SEARCH_HALVES] = {{0}};
    for (int t = 0; t < CLIP_INNER; t++) /* basis[k][t] is basis[t][k] */
      for (int h = 0; h < SEARCH_HALVES; h++) sum[h] += p->residual[a][t] * s->basis[t].v[h];
    for (int h = 0; h < SEARCH_HALVES; h++) s->c[a].v[h] = sum[h];
  }
  s->energy = 0;
  for (size_t t = 0; t < p->inner; t++) s->energy += 1 / p->weight[t];
}

/* Rounds coefficients to multiples of quantum. Returns the sum of |error|^2. */
static inline float round_all(search_state *s, float quantum) {
  const float inverse = 1 / quantum, magic = 0x1.8p+23f;
  search_lanes sum = {0};
  for (int a = 0; a < CLIP_AXES; a++)
    for (int h = 0; h < SEARCH_HALVES; h++) {
      const search_lanes x = s->c[a].v[h] * inverse, q = (x + magic) - magic, residue = x - q;
      s->q[a].v[h] = q;
      s->residue[a].v[h] = residue;
      sum += residue * residue;
    }
  return sum_of(&sum) * (quantum * quantum);
}

/* True if a coefficient, or one nudged further, has more bits than any profile. */
static bool too_large(const search_state *s) {
  for (int a = 0; a < CLIP_AXES; a++) {
    sixteen magnitude;
    for (int h = 0; h < SEARCH_HALVES; h++) magnitude.bits[h] = s->q[a].bits[h] & 0x7fffffff;
    if (largest_of(&magnitude) > 16383 - 8) return true;
    const search_lanes both = magnitude.v[0] + magnitude.v[1];
    if (sum_of(&both) > CLIP_MOST_SUM) return true;
  }
  return false;
}

/* Computes the errors after rounding. Returns the largest worth, as defined above. */
static inline float find_errors(search_state *s, float quantum) {
  for (int a = 0; a < CLIP_AXES; a++) {
    search_lanes sum[SEARCH_HALVES];
    for (int h = 0; h < SEARCH_HALVES; h++) sum[h] = -s->residual[a].v[h];
    for (int k = 0; k < CLIP_INNER; k++) {
      const float d = s->q[a].f[k] * quantum;
      for (int h = 0; h < SEARCH_HALVES; h++) sum[h] += d * s->basis[k].v[h];
    }
    for (int h = 0; h < SEARCH_HALVES; h++) s->error[a].v[h] = sum[h];
  }
  return weigh(s);
}

/* Moves coefficients by 1, one at a time, to the other side of their exact value: each time the one that
 * reduces the sum of errors^16 most. With limits, coefficients stay within those of a profile. True once all
 * errors are within the bound. */
static bool nudge(search_state *s, float quantum, const float *const low[CLIP_AXES]) {
  enum { NUDGES = 5 };
  const float double_quantum = 2 * quantum, square_quantum = quantum * quantum;
  search_lanes powers = {0};
  for (int h = 0; h < SEARCH_HALVES; h++) {
    const search_lanes w2 = s->worth.v[h] * s->worth.v[h], w4 = w2 * w2;
    powers += w4 * w4;
  }
  float best = sum_of(&powers);
  for (int n = 0; n < NUDGES; n++) {
    sixteen total[CLIP_AXES], square, least;
    for (int h = 0; h < SEARCH_HALVES; h++) square.v[h] = square_quantum * s->weight.v[h];
    for (int a = 0; a < CLIP_AXES; a++) {
      sixteen linear;
      search_lanes sum[SEARCH_HALVES] = {{0}};
      lane_bits sign[SEARCH_HALVES];
      for (int h = 0; h < SEARCH_HALVES; h++)
        linear.v[h] = double_quantum * s->weight.v[h] * s->error[a].v[h];
      for (int h = 0; h < SEARCH_HALVES; h++) sign[h] = (lane_bits)(s->residue[a].v[h] < 0) & INT32_MIN;
      for (int t = 0; t < CLIP_INNER; t++)
        for (int h = 0; h < SEARCH_HALVES; h++) {
          const search_lanes b = (search_lanes)(s->basis[t].bits[h] ^ sign[h]),
                             w = s->worth.f[t] + (linear.f[t] + square.f[t] * b) * b, w2 = w * w,
                             w4 = w2 * w2;
          sum[h] += w4 * w4;
        }
      for (int h = 0; h < SEARCH_HALVES; h++) {
        total[a].v[h] = sum[h];
        if (!low) continue;
        search_lanes l;
        memcpy(&l, low[a] + SEARCH_LANES * h, sizeof l);
        const search_lanes q = s->q[a].v[h];
        /* a value above all others */
        const lane_bits out = ((sign[h] < 0) & (q <= l)) | ((sign[h] >= 0) & (q >= -l - 1));
        total[a].bits[h] = (out & 0x7f000000) | (~out & total[a].bits[h]);
      }
    }
    for (int h = 0; h < SEARCH_HALVES; h++) {
      const lane_bits lower = total[1].v[h] < total[0].v[h];
      const search_lanes m = (search_lanes)((lower & total[1].bits[h]) | (~lower & total[0].bits[h]));
      const lane_bits lowest = total[2].v[h] < m;
      least.v[h] = -(search_lanes)((lowest & total[2].bits[h]) | (~lowest & (lane_bits)m));
    }
    const float found = -largest_of(&least);
    if (!(found < best)) return false;
    best = found;
    int i = 0;
    while (total[i / CLIP_INNER].f[i % CLIP_INNER] != found) i++;
    const int a = i / CLIP_INNER, k = i % CLIP_INNER;
    const float sign = s->residue[a].f[k] < 0 ? -1.0f : 1.0f, d = sign * quantum;
    s->q[a].f[k] += sign;
    s->residue[a].f[k] -= sign;
    for (int h = 0; h < SEARCH_HALVES; h++) s->error[a].v[h] += d * s->basis[k].v[h];
    if (weigh(s) <= 1) return true;
  }
  return false;
}

/* ---- profiles ---- */

/* Returns the first profile whose bits hold a channel. It is one of the shortest. */
static unsigned profile_of(const search_state *s, const quatsimd_clip_limits *limits, int a) {
  enum { WORDS = CLIP_PROFILES / 64 };
  uint64_t fits[WORDS];
  memset(fits, -1, sizeof fits);
  sixteen width; /* as bits_for returns them: from the exponent of q, or of -1 - q if q is negative */
  for (int h = 0; h < SEARCH_HALVES; h++) {
    const search_lanes q = s->q[a].v[h], m = (search_lanes)((lane_bits)(q + 0.5f) & INT32_MAX) - 0.5f;
    width.bits[h] = ((m >= 1) & (((lane_bits)m >> 23) - 125)) | ((m < 1) & (q < 0) & 1);
  }
  for (int k = 0; k < CLIP_INNER; k++) {
    const uint64_t *wide = limits->wide[k][width.i[k]];
    for (int i = 0; i < WORDS; i++) fits[i] &= wide[i];
  }
  for (unsigned i = 0; i < WORDS; i++)
    if (fits[i]) return 64 * i + quatsimd_lowest_bit(fits[i]);
  return CLIP_PROFILES - 1; /* its bits hold every channel */
}

/* Finds the profile of the next smaller size that is nearest to a channel. Returns the sum of squares of what
 * clamping to it leaves, in quanta. */
static float nearest_profile(const search_state *s, const quatsimd_clip_limits *limits, int a,
                             unsigned profile, unsigned *nearest) {
  const unsigned end = limits->shorter[profile];
  float least = FLT_MAX;
  for (unsigned i = end ? limits->shorter[end - 1] : 0; i < end; i++) {
    search_lanes sum = {0};
    for (int h = 0; h < SEARCH_HALVES; h++) {
      const search_lanes q = s->q[a].v[h];
      search_lanes low, high, to;
      memcpy(&low, limits->low[i] + SEARCH_LANES * h, sizeof low);
      high = -low - 1;
      high = (search_lanes)((lane_bits)high & (high > 0));
      to = (search_lanes)(((q > high) & (lane_bits)high) | (~(q > high) & (lane_bits)q));
      to = (search_lanes)(((q < low) & (lane_bits)low) | (~(q < low) & (lane_bits)to));
      const search_lanes residue = s->residue[a].v[h] + (q - to);
      sum += residue * residue;
    }
    const float found = sum_of(&sum);
    if (found < least) least = found, *nearest = i;
  }
  return least;
}

/* Clamps a channel to the limits of a profile. */
static void clamp_channel(search_state *s, const float *low, int a, float quantum) {
  for (int k = 0; k < CLIP_INNER; k++) {
    const float q = s->q[a].f[k], high = -low[k] - 1 > 0 ? -low[k] - 1 : 0,
                to = q > high     ? high
                     : q < low[k] ? low[k]
                                  : q,
                d = (to - q) * quantum;
    if (to == q) continue;
    s->residue[a].f[k] += q - to;
    s->q[a].f[k] = to;
    for (int h = 0; h < SEARCH_HALVES; h++) s->error[a].v[h] += d * s->basis[k].v[h];
  }
}

static float squares_of(const sixteen *x) {
  const search_lanes sum = x->v[0] * x->v[0] + x->v[1] * x->v[1];
  return sum_of(&sum);
}

/* Makes channels shorter while the bound holds, by a profile of the next smaller size at a time: first the
 * channel to whose errors that adds least. */
static unsigned squeeze(search_state *s, const quatsimd_clip_limits *limits, uint8_t profile[CLIP_AXES],
                        unsigned bytes, float quantum) {
  /* sums of squares of residues: as rounded; with the nearest profile, where FLT_MAX is none and -1
   * unknown */
  float squares[CLIP_AXES], after[CLIP_AXES] = {-1, -1, -1};
  unsigned nearest[CLIP_AXES] = {0};
  for (;;) {
    int axis = -1;
    float least = HOPEFUL * s->energy / (quantum * quantum);
    for (int a = 0; a < CLIP_AXES; a++)
      if (after[a] < 0)
        squares[a] = squares_of(&s->residue[a]),
        after[a] = nearest_profile(s, limits, a, profile[a], &nearest[a]);
    for (int a = 0; a < CLIP_AXES; a++) {
      const float all = squares[0] + squares[1] + squares[2] - squares[a] + after[a];
      if (all < least) least = all, axis = a;
    }
    if (axis < 0) return bytes;
    const kept_state kept = s->kept;
    const unsigned shorter = nearest[axis];
    clamp_channel(s, limits->low[shorter], axis, quantum);
    const float *low[CLIP_AXES];
    for (int a = 0; a < CLIP_AXES; a++) low[a] = limits->low[a == axis ? shorter : profile[a]];
    const float most = weigh(s);
    if (!(most <= 1) && (!(most <= WORTH_CLAMPING) || !nudge(s, quantum, low))) {
      s->kept = kept;
      after[axis] = FLT_MAX;
      continue;
    }
    bytes -= quatsimd_clip_bytes[profile[axis]] - quatsimd_clip_bytes[shorter];
    profile[axis] = (uint8_t)shorter;
    for (int a = 0; a < CLIP_AXES; a++) /* a channel that failed before is not tried again */
      if (a == axis ||
          (after[a] < FLT_MAX && memcmp(&kept.x[CLIP_AXES + a], &s->residue[a], sizeof s->residue[a]) != 0))
        after[a] = -1;
  }
}

/* ---- */

static void clip_search(quatsimd_clip_choice *choice, const quatsimd_clip_problem *p) {
  /* Smaller quanta are tried after the first that holds the bound, since one of them may be shorter. That
   * hardly ever happens if it starts with so many more bytes. */
  enum { MORE = 3, LONGER = 4 };
  search_state s;
  prepare(&s, p);
  choice->code = CLIP_RAW;
  choice->bytes = UINT16_MAX;
  for (int at = CLIP_RAW - 1, left = CLIP_RAW; at >= 0 && left > 0; at--, left--) {
    const float quantum = p->unit * quatsimd_clip_quantum[at];
    if (!(round_all(&s, quantum) <= HOPEFUL * s.energy) || too_large(&s)) continue;
    const float most = find_errors(&s, quantum);
    if (!(most <= 1) && (!(most <= WORTH_NUDGING) || !nudge(&s, quantum, NULL))) continue;
    uint8_t profile[CLIP_AXES];
    unsigned bytes = 0;
    for (int a = 0; a < CLIP_AXES; a++)
      profile[a] = (uint8_t)profile_of(&s, p->limits, a), bytes += quatsimd_clip_bytes[profile[a]];
    if (bytes < choice->bytes + (unsigned)LONGER) bytes = squeeze(&s, p->limits, profile, bytes, quantum);
    if (bytes < choice->bytes) {
      choice->code = (uint8_t)at;
      choice->bytes = (uint16_t)bytes;
      memcpy(choice->profile, profile, sizeof profile);
      for (int a = 0; a < CLIP_AXES; a++)
        for (int k = 0; k < CLIP_INNER; k++) choice->q[a][k] = (int16_t)s.q[a].f[k];
    }
    if (bytes == 0) break;
    if (left > MORE + 1) left = MORE + 1;
  }
}

#undef WORTH_NUDGING
#undef WORTH_CLAMPING
#undef HOPEFUL

#endif
