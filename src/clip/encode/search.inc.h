/* The encoder's inner loop. It finds coefficients of few bytes for one block of a curve. Each instruction set
 * compiles this file. Sums have eight lanes in a fixed order, so that all choose the same coefficients. */
#ifndef QUATSIMD_CLIP_SEARCH_INC_H
#define QUATSIMD_CLIP_SEARCH_INC_H

#include <float.h>

#include "clip/kernels.h"

/* Sixteen floats take PARTS_OF_16 vectors; a sum has eight floats, in PARTS_OF_8 vectors. */
_Static_assert(V_LANES <= 8, "sums are of eight lanes");
enum { SEARCH_LANES = 8, PARTS_OF_8 = SEARCH_LANES / V_LANES, PARTS_OF_16 = CLIP_INNER / V_LANES };
typedef union eight {
  vf v[PARTS_OF_8];
  float f[SEARCH_LANES];
} eight;
typedef union sixteen {
  vf v[PARTS_OF_16];
  float f[CLIP_INNER];
} sixteen;

typedef struct kept_state {
  sixteen x[3 * CLIP_AXES + 1];
} kept_state;

/* The state of a search. worth: the squared error / the squared bound of each frame. */
typedef struct search_state {
  sixteen weight, residual[CLIP_AXES];
  sixteen c[CLIP_AXES]; /* exact coefficients */
  union {
    struct {
      sixteen q[CLIP_AXES],
          residue[CLIP_AXES]; /* in quanta: the rounded coefficients, and the exact ones minus these */
      sixteen error[CLIP_AXES], worth;
    };
    kept_state kept;
  };
  const float (*basis)[CLIP_INNER]; /* basis[k][t] is basis[t][k] */
  size_t inner;                     /* other frames and coefficients are 0 */
  float energy;                     /* the sum of the frames' squared bounds */
} search_state;

#define WORTH_NUDGING 3.0f  /* coefficients are nudged only up to this worth of a frame */
#define WORTH_CLAMPING 2.5f /* the same after clamping */
#define HOPEFUL 0.65f       /* quanta and profiles with a larger sum of squared errors / energy are skipped */

static inline eight no_sum(void) {
  eight sum;
  for (int h = 0; h < PARTS_OF_8; h++) sum.v[h] = v_set(0);
  return sum;
}

/* Adds part h of sixteen numbers to eight sums: numbers i and i + 8 go to the same sum. */
static inline void add_to(eight *sum, int h, vf x) {
  sum->v[h % PARTS_OF_8] = v_add(sum->v[h % PARTS_OF_8], x);
}

static inline float largest_of(const sixteen *x) {
  eight m;
  for (int h = 0; h < PARTS_OF_8; h++) m.v[h] = v_max(x->v[h], x->v[PARTS_OF_8 + h]);
  float most = m.f[0];
  for (int i = 1; i < SEARCH_LANES; i++) most = m.f[i] > most ? m.f[i] : most;
  return most;
}

static inline float sum_of(const eight *x) {
  float half[4];
  for (int i = 0; i < 4; i++) half[i] = x->f[i] + x->f[i + 4];
  return (half[0] + half[2]) + (half[1] + half[3]);
}

static inline vf negative(vf x) { return v_from_bits(v_xor(v_bits(x), v_seti(INT32_MIN))); }

static inline vf power4(vf x) {
  const vf square = v_mul(x, x);
  return v_mul(square, square);
}

/* Returns part h of row k of the basis. */
static inline vf basis_of(const search_state *s, size_t k, int h) {
  return v_load(s->basis[k] + V_LANES * h);
}

static inline float weigh(search_state *s) {
  for (int h = 0; h < PARTS_OF_16; h++) {
    const vf x = s->error[0].v[h], y = s->error[1].v[h], z = s->error[2].v[h];
    s->worth.v[h] = v_mul(v_add(v_add(v_mul(x, x), v_mul(y, y)), v_mul(z, z)), s->weight.v[h]);
  }
  return largest_of(&s->worth);
}

static void prepare(search_state *s, const quatsimd_clip_problem *p) {
  s->basis = p->basis, s->inner = p->inner;
  memcpy(&s->weight, p->weight, sizeof s->weight);
  memcpy(s->residual, p->residual, sizeof s->residual);
  for (int a = 0; a < CLIP_AXES; a++) {
    sixteen sum;
    for (int h = 0; h < PARTS_OF_16; h++) sum.v[h] = v_set(0);
    for (size_t t = 0; t < s->inner; t++)
      for (int h = 0; h < PARTS_OF_16; h++)
        sum.v[h] = v_add(sum.v[h], v_mul(v_set(p->residual[a][t]), basis_of(s, t, h)));
    s->c[a] = sum;
  }
  s->energy = 0;
  for (size_t t = 0; t < p->inner; t++) s->energy += 1 / p->weight[t];
}

/* Rounds the coefficients to multiples of quantum. Returns the sum of the squared errors. */
static inline float round_all(search_state *s, float quantum) {
  const vf inverse = v_set(1 / quantum), magic = v_set(0x1.8p+23f);
  eight sum = no_sum();
  for (int a = 0; a < CLIP_AXES; a++)
    for (int h = 0; h < PARTS_OF_16; h++) {
      const vf x = v_mul(s->c[a].v[h], inverse), q = v_sub(v_add(x, magic), magic), residue = v_sub(x, q);
      s->q[a].v[h] = q;
      s->residue[a].v[h] = residue;
      add_to(&sum, h, v_mul(residue, residue));
    }
  return sum_of(&sum) * (quantum * quantum);
}

/* True if a nudged coefficient could have too many bits, or if a channel's sum is above CLIP_MOST_SUM. */
static bool too_large(const search_state *s) {
  for (int a = 0; a < CLIP_AXES; a++) {
    sixteen magnitude;
    eight both;
    for (int h = 0; h < PARTS_OF_16; h++) magnitude.v[h] = v_abs(s->q[a].v[h]);
    if (largest_of(&magnitude) > 16383 - 8) return true;
    for (int h = 0; h < PARTS_OF_8; h++) both.v[h] = v_add(magnitude.v[h], magnitude.v[PARTS_OF_8 + h]);
    if (sum_of(&both) > CLIP_MOST_SUM) return true;
  }
  return false;
}

/* Computes the frames' errors after rounding of the coefficients. Returns the largest worth of a frame. */
static inline float find_errors(search_state *s, float quantum) {
  for (int a = 0; a < CLIP_AXES; a++) {
    sixteen sum;
    for (int h = 0; h < PARTS_OF_16; h++) sum.v[h] = negative(s->residual[a].v[h]);
    for (size_t k = 0; k < s->inner; k++) {
      const vf d = v_set(s->q[a].f[k] * quantum);
      for (int h = 0; h < PARTS_OF_16; h++) sum.v[h] = v_add(sum.v[h], v_mul(d, basis_of(s, k, h)));
    }
    s->error[a] = sum;
  }
  return weigh(s);
}

/* Adds d times basis function k to the errors of channel a. */
static inline void change(search_state *s, int a, int k, float d) {
  for (int h = 0; h < PARTS_OF_16; h++)
    s->error[a].v[h] = v_add(s->error[a].v[h], v_mul(v_set(d), basis_of(s, (size_t)k, h)));
}

/* Moves up to NUDGES coefficients by 1, to the other side of their exact value. Each move is the one that
 * reduces the sum of worth^8 most. `low`: null, or lower limits of profiles that the coefficients must fit.
 * True once all frames hold their bounds. */
static bool nudge(search_state *s, float quantum, const float *const low[CLIP_AXES]) {
  enum { NUDGES = 5 };
  const float double_quantum = 2 * quantum, square_quantum = quantum * quantum;
  eight powers = no_sum();
  for (int h = 0; h < PARTS_OF_16; h++) add_to(&powers, h, power4(v_mul(s->worth.v[h], s->worth.v[h])));
  float best = sum_of(&powers);
  for (int n = 0; n < NUDGES; n++) {
    sixteen total[CLIP_AXES], square, least;
    for (int h = 0; h < PARTS_OF_16; h++) square.v[h] = v_mul(v_set(square_quantum), s->weight.v[h]);
    for (int a = 0; a < CLIP_AXES; a++) {
      sixteen linear, sum, sign;
      for (int h = 0; h < PARTS_OF_16; h++) {
        linear.v[h] = v_mul(v_mul(v_set(double_quantum), s->weight.v[h]), s->error[a].v[h]);
        sign.v[h] = v_keep(v_gt(v_set(0), s->residue[a].v[h]), v_set(-0.0f));
        sum.v[h] = v_set(0);
      }
      for (size_t t = 0; t < s->inner; t++) {
        const vf worth = v_set(s->worth.f[t]), once = v_set(linear.f[t]), twice = v_set(square.f[t]);
        for (int h = 0; h < PARTS_OF_16; h++) {
          const vf b = v_from_bits(v_xor(v_bits(basis_of(s, t, h)), v_bits(sign.v[h]))),
                   w = v_add(worth, v_mul(v_add(once, v_mul(twice, b)), b));
          sum.v[h] = v_add(sum.v[h], power4(v_mul(w, w)));
        }
      }
      total[a] = sum;
      if (low)
        for (int h = 0; h < PARTS_OF_16; h++) {
          /* a move out of the range, `low` to -1 - `low`, gets a huge sum, so that it is not chosen */
          const vf q = s->q[a].v[h], opposite = v_sub(v_set(-1), q),
                   toward = v_select(v_gt(v_set(0), s->residue[a].v[h]), q, opposite);
          total[a].v[h] = v_select(v_le(toward, v_load(low[a] + V_LANES * h)), v_set(0x1p127f), sum.v[h]);
        }
    }
    for (int h = 0; h < PARTS_OF_16; h++)
      least.v[h] = negative(v_min(total[2].v[h], v_min(total[1].v[h], total[0].v[h])));
    const float found = -largest_of(&least);
    if (!(found < best)) return false;
    best = found;
    int i = 0;
    while (total[i / CLIP_INNER].f[i % CLIP_INNER] != found) i++;
    const int a = i / CLIP_INNER, k = i % CLIP_INNER;
    const float sign = s->residue[a].f[k] < 0 ? -1.0f : 1.0f;
    s->q[a].f[k] += sign;
    s->residue[a].f[k] -= sign;
    change(s, a, k, sign * quantum);
    if (weigh(s) <= 1) return true;
  }
  return false;
}

/* ---- profiles ---- */

/* Returns the profile of fewest bytes that has enough bits for each coefficient of a channel. */
static unsigned profile_of(const search_state *s, const quatsimd_clip_limits *limits, int a) {
  enum { WORDS = CLIP_PROFILES / 64 };
  uint64_t fits[WORDS];
  memset(fits, -1, sizeof fits);
  union {
    vi v[PARTS_OF_16];
    int32_t i[CLIP_INNER];
  } width; /* bits_for(q), from the exponent of q, or of -1 - q if q is negative */
  for (int h = 0; h < PARTS_OF_16; h++) {
    const vf q = s->q[a].v[h], m = v_sub(v_abs(v_add(q, v_set(0.5f))), v_set(0.5f));
    width.v[h] = v_selecti(v_ge(m, v_set(1)), v_subi(v_shr(v_bits(m), 23), v_seti(125)),
                           v_selecti(v_gt(v_set(0), q), v_seti(1), v_seti(0)));
  }
  for (int k = 0; k < CLIP_INNER; k++) {
    const uint64_t *wide = limits->wide[k][width.i[k]];
    for (int i = 0; i < WORDS; i++) fits[i] &= wide[i];
  }
  for (unsigned i = 0; i < WORDS; i++)
    if (fits[i]) return 64 * i + quatsimd_lowest_bit(fits[i]);
  return CLIP_PROFILES - 1; /* not reached: this profile has enough bits for every channel */
}

/* Finds the best profile of the next smaller size for channel a. Returns the sum of its squared residues, or
 * FLT_MAX if no profile is smaller. */
static float nearest_profile(const search_state *s, const quatsimd_clip_limits *limits, int a,
                             unsigned profile, unsigned *nearest) {
  const unsigned end = limits->shorter[profile], first = end ? limits->shorter[end - 1] : 0;
  float least = FLT_MAX;
  eight sums[CLIP_PROFILES];
  for (unsigned i = first; i < end; i++) {
    eight sum = no_sum();
    for (int h = 0; h < PARTS_OF_16; h++) {
      const vf q = s->q[a].v[h], low = v_load(limits->low[i] + V_LANES * h),
               high = v_load(limits->high[i] + V_LANES * h), to = v_max(low, v_min(high, q)),
               residue = v_add(s->residue[a].v[h], v_sub(q, to));
      add_to(&sum, h, v_mul(residue, residue));
    }
    sums[i - first] = sum;
  }
  for (unsigned i = first; i < end; i++) {
    const float found = sum_of(&sums[i - first]);
    if (found < least) least = found, *nearest = i;
  }
  return least;
}

/* Clamps channel a to the limits of a profile. */
static void clamp_channel(search_state *s, const quatsimd_clip_limits *limits, unsigned profile, int a,
                          float quantum) {
  for (int k = 0; k < CLIP_INNER; k++) {
    const float q = s->q[a].f[k], low = limits->low[profile][k], high = limits->high[profile][k],
                to = q > high  ? high
                     : q < low ? low
                               : q,
                d = (to - q) * quantum;
    if (to == q) continue;
    s->residue[a].f[k] += q - to;
    s->q[a].f[k] = to;
    change(s, a, k, d);
  }
}

static float squares_of(const sixteen *x) {
  eight sum = no_sum();
  for (int h = 0; h < PARTS_OF_16; h++) add_to(&sum, h, v_mul(x->v[h], x->v[h]));
  return sum_of(&sum);
}

/* Makes profiles smaller, where residues grow least, while frames hold their bounds. Returns the bytes. */
static unsigned squeeze(search_state *s, const quatsimd_clip_limits *limits, uint8_t profile[CLIP_AXES],
                        unsigned bytes, float quantum) {
  /* sums of a channel's squared residues: `squares` now, `after` with profile nearest[a]; -1: not computed */
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
    clamp_channel(s, limits, shorter, axis, quantum);
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
    /* FLT_MAX stays in `after`: a channel whose clamping missed the bound is not tried again */
    for (int a = 0; a < CLIP_AXES; a++)
      if (a == axis ||
          (after[a] < FLT_MAX && memcmp(&kept.x[CLIP_AXES + a], &s->residue[a], sizeof s->residue[a]) != 0))
        after[a] = -1;
  }
}

/* ---- the search ---- */

static void clip_search(quatsimd_clip_choice *choice, const quatsimd_clip_problem *p) {
  /* MORE: smaller quanta to try after the first that holds the bounds. LONGER: a quantum that takes so many
   * bytes more than the best one is not squeezed. */
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
