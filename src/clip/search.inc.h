/* The encoder's inner loop: coefficients of one curve in one block, as few bytes as the bound lets them be. Compiled for each instruction
 * set; vectors of GNU C, eight floats each, in a fixed order, so that all choose the same. */
#ifndef QUATSIMD_CLIP_SEARCH_INC_H
#define QUATSIMD_CLIP_SEARCH_INC_H

#include "kernels.h"
#include "write.h"

enum { SEARCH_LANES = 8, SEARCH_HALVES = CLIP_INNER / SEARCH_LANES };
typedef float lanes __attribute__((vector_size(4 * SEARCH_LANES)));
typedef int32_t lane_bits __attribute__((vector_size(4 * SEARCH_LANES)));
typedef union sixteen {
  lanes v[SEARCH_HALVES];
  lane_bits bits[SEARCH_HALVES];
  float f[CLIP_INNER];
} sixteen;

/* Errors of the frames between the knots, and what each is worth: |error|^2 * weight is 1 at the bound. */
typedef struct search_state {
  sixteen basis[CLIP_INNER], weight, residual[CLIP_AXES];
  sixteen c[CLIP_AXES];                  /* coefficients, exact */
  sixteen q[CLIP_AXES], rest[CLIP_AXES]; /* rounded, and what rounding left of them, in steps */
  sixteen error[CLIP_AXES], worth;
  float energy; /* the largest sum of |error|^2 within the bound */
} search_state;

#define EACH_HALF for (int h = 0; h < SEARCH_HALVES; h++)

static inline float largest_of(const sixteen *x) {
  lanes m = (lanes)(((lane_bits)x->v[0] & (x->v[0] > x->v[1])) | ((lane_bits)x->v[1] & ~(x->v[0] > x->v[1])));
  float most = m[0];
  for (int i = 1; i < SEARCH_LANES; i++) most = m[i] > most ? m[i] : most;
  return most;
}

static inline float sum_of(const lanes *x) {
  const lanes m = *x;
  return ((m[0] + m[4]) + (m[2] + m[6])) + ((m[1] + m[5]) + (m[3] + m[7]));
}

static inline float weigh(search_state *s) {
  EACH_HALF s->worth.v[h] = ((s->error[0].v[h] * s->error[0].v[h] + s->error[1].v[h] * s->error[1].v[h]) + s->error[2].v[h] * s->error[2].v[h]) * s->weight.v[h];
  return largest_of(&s->worth);
}

static void prepare(search_state *s, const quatsimd_clip_problem *p) {
  memcpy(s->basis, p->basis, sizeof s->basis);
  memcpy(&s->weight, p->weight, sizeof s->weight);
  memcpy(s->residual, p->residual, sizeof s->residual);
  for (int a = 0; a < CLIP_AXES; a++) {
    lanes sum[SEARCH_HALVES] = {{0}};
    for (int t = 0; t < CLIP_INNER; t++) /* basis[k][t] is basis[t][k] */
      EACH_HALF sum[h] += p->residual[a][t] * s->basis[t].v[h];
    EACH_HALF s->c[a].v[h] = sum[h];
  }
  s->energy = 0;
  for (size_t t = 0; t < p->inner; t++) s->energy += 1 / p->weight[t];
}

/* Rounds to multiples of step. The sum of |error|^2. */
static inline float round_all(search_state *s, float step) {
  const float inverse = 1 / step, magic = 0x1.8p+23f;
  lanes sum = {0};
  for (int a = 0; a < CLIP_AXES; a++)
    EACH_HALF {
      const lanes x = s->c[a].v[h] * inverse, q = (x + magic) - magic, rest = x - q;
      s->q[a].v[h] = q;
      s->rest[a].v[h] = rest;
      sum += rest * rest;
    }
  return sum_of(&sum) * (step * step);
}

static bool too_large(const search_state *s) {
  for (int a = 0; a < CLIP_AXES; a++) {
    sixteen magnitude;
    EACH_HALF magnitude.bits[h] = s->q[a].bits[h] & 0x7fffffff;
    if (largest_of(&magnitude) > 16383) return true;
    const lanes both = magnitude.v[0] + magnitude.v[1];
    if (sum_of(&both) > CLIP_MOST_SUM) return true;
  }
  return false;
}

/* The errors after rounding; the largest worth. */
static inline float find_errors(search_state *s, float step) {
  for (int a = 0; a < CLIP_AXES; a++) {
    lanes sum[SEARCH_HALVES];
    EACH_HALF sum[h] = -s->residual[a].v[h];
    for (int k = 0; k < CLIP_INNER; k++) {
      const float d = s->q[a].f[k] * step;
      EACH_HALF sum[h] += d * s->basis[k].v[h];
    }
    EACH_HALF s->error[a].v[h] = sum[h];
  }
  return weigh(s);
}

/* Moves one coefficient after the other by 1, to the other side of what it was rounded from, each time the one that brings down the sum of
 * errors^8 most. True once all errors are within the bound. */
static bool nudge(search_state *s, float step) {
  enum { NUDGES = 5 };
  const float double_step = 2 * step, square_step = step * step;
  lanes eighth = {0};
  EACH_HALF {
    const lanes w2 = s->worth.v[h] * s->worth.v[h];
    eighth += w2 * w2;
  }
  float best = sum_of(&eighth);
  for (int n = 0; n < NUDGES; n++) {
    sixteen total[CLIP_AXES], square, least;
    EACH_HALF square.v[h] = square_step * s->weight.v[h];
    for (int a = 0; a < CLIP_AXES; a++) {
      sixteen linear;
      lanes sum[SEARCH_HALVES] = {{0}};
      lane_bits sign[SEARCH_HALVES];
      EACH_HALF linear.v[h] = double_step * s->weight.v[h] * s->error[a].v[h];
      EACH_HALF sign[h] = (lane_bits)(s->rest[a].v[h] < 0) & INT32_MIN;
      for (int t = 0; t < CLIP_INNER; t++)
        EACH_HALF {
          const lanes b = (lanes)(s->basis[t].bits[h] ^ sign[h]), w = s->worth.f[t] + (linear.f[t] + square.f[t] * b) * b, w2 = w * w;
          sum[h] += w2 * w2;
        }
      EACH_HALF total[a].v[h] = sum[h];
    }
    EACH_HALF {
      const lane_bits lower = total[1].v[h] < total[0].v[h];
      const lanes m = (lanes)((lower & total[1].bits[h]) | (~lower & total[0].bits[h]));
      const lane_bits lowest = total[2].v[h] < m;
      least.v[h] = -(lanes)((lowest & total[2].bits[h]) | (~lowest & (lane_bits)m));
    }
    const float found = -largest_of(&least);
    if (!(found < best)) return false;
    best = found;
    int i = 0;
    while (total[i / CLIP_INNER].f[i % CLIP_INNER] != found) i++;
    const int a = i / CLIP_INNER, k = i % CLIP_INNER;
    const float sign = s->rest[a].f[k] < 0 ? -1.0f : 1.0f, d = sign * step;
    s->q[a].f[k] += sign;
    s->rest[a].f[k] -= sign;
    EACH_HALF s->error[a].v[h] += d * s->basis[k].v[h];
    if (weigh(s) <= 1) return true;
  }
  return false;
}

/* ---- profiles ---- */

typedef struct profile_set {
  uint64_t w[CLIP_PROFILES / 64];
} profile_set;

static inline unsigned first_of(const profile_set *set) {
  for (unsigned i = 0; i < CLIP_PROFILES / 64; i++)
    if (set->w[i]) return 64 * i + (unsigned)__builtin_ctzll(set->w[i]);
  return CLIP_PROFILES - 1;
}

static inline profile_set common(const profile_set *a, const profile_set *b) {
  profile_set c;
  for (int i = 0; i < CLIP_PROFILES / 64; i++) c.w[i] = a->w[i] & b->w[i];
  return c;
}

/* Takes 1 off coefficients that need a bit more for it, where that makes the channel shorter and the bound still holds. The profile. */
static unsigned shorten(search_state *s, const quatsimd_clip_problem *p, int a, float step) {
  uint8_t width[CLIP_INNER];
  profile_set before[CLIP_INNER + 1], behind; /* good for the coefficients before this one, and for those behind it */
  memset(&before[0], -1, sizeof before[0]);
  behind = before[0];
  for (int k = 0; k < CLIP_INNER; k++) {
    width[k] = (uint8_t)clip_width((int32_t)s->q[a].f[k]);
    before[k + 1] = common(&before[k], (const profile_set *)p->room[k][width[k]]);
  }
  unsigned profile = first_of(&before[CLIP_INNER]);
  for (size_t k = CLIP_INNER; k-- > 0 && quatsimd_clip_bytes[profile] > 0;) {
    const float towards = s->q[a].f[k] > 0 ? -1.0f : 1.0f;
    const unsigned narrower = width[k] ? clip_width((int32_t)(s->q[a].f[k] + towards)) : 0;
    if (narrower != width[k]) {
      const profile_set others = common(&before[k], &behind), all = common(&others, (const profile_set *)p->room[k][narrower]);
      const unsigned shorter = first_of(&all);
      if (quatsimd_clip_bytes[shorter] < quatsimd_clip_bytes[profile]) {
        sixteen error, worth;
        const float d = towards * step;
        EACH_HALF {
          error.v[h] = s->error[a].v[h] + d * s->basis[k].v[h];
          worth.v[h] = s->worth.v[h] + (error.v[h] * error.v[h] - s->error[a].v[h] * s->error[a].v[h]) * s->weight.v[h];
        }
        if (largest_of(&worth) <= 1) {
          profile = shorter;
          width[k] = (uint8_t)narrower;
          s->q[a].f[k] += towards;
          s->error[a] = error;
          s->worth = worth;
        }
      }
    }
    behind = common(&behind, (const profile_set *)p->room[k][width[k]]);
  }
  return profile;
}

/* ---- */

static void clip_search(quatsimd_clip_choice *choice, const quatsimd_clip_problem *p) {
  enum { MORE = 1 }; /* steps tried beyond the first that holds the bound: a smaller one is shorter at times */
  const float worth_a_try = 2.0f;
  search_state s;
  prepare(&s, p);
  choice->code = CLIP_RAW;
  choice->bytes = UINT16_MAX;
  for (int at = CLIP_RAW - 1, left = CLIP_RAW; at >= 0 && left > 0; at--, left--) {
    const float step = p->unit * quatsimd_clip_step[at];
    if (round_all(&s, step) > s.energy || too_large(&s)) continue;
    const float most = find_errors(&s, step);
    if (most > 1 && (most > worth_a_try || !nudge(&s, step))) continue;
    uint8_t profile[CLIP_AXES];
    unsigned bytes = 0;
    for (int a = 0; a < CLIP_AXES; a++) {
      profile[a] = (uint8_t)shorten(&s, p, a, step);
      bytes += quatsimd_clip_bytes[profile[a]];
    }
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

#undef EACH_HALF

#endif
