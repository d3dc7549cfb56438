/* Codes the lattice points of residuals. A residual is the rotation vector from the predicted to the actual
 * rotation, or the vector from the predicted to the actual position. It is rounded to a point h * k, where
 * the three integers of k are all even or all odd. No vector is further than h * sqrt(5) / 2 from a point, so
 * the bound determines h. A cubic lattice with the same bound has 1.86 times as many points. */
#ifndef QUATSIMD_STREAM_POINT_H
#define QUATSIMD_STREAM_POINT_H

#include "stream/range_coder.h"
#include "stream/rounded.h"

enum {
  LEVELS = 10,         /* number of levels of scales; each level has its own models */
  FIRST_DIVIDED = 8,   /* from this level on, the low bits of an integer have no models */
  POINT_CONTEXTS = 16, /* number of contexts of a point */
  STEPS = 6,           /* number of steps with their own models; later steps use the last model */
  MOST_STEPS = 20,
  TOO_LARGE = 1 << 20, /* halves of integers of k are below; so are numbers of steps of tracks, less 1 */
  FIRST_SCALE = 32,
  MOST_MAGNITUDE = 4095, /* the largest magnitude that scales take into account */
  MOST_ERROR = 8191      /* the largest error of a prediction that is learnt */
};

/* The scales of a body's three integers: 16 times their mean magnitude over the last packets. */
typedef struct scales {
  uint16_t of[3];
} scales;

/* Scales in a state. */
typedef struct kept_scales {
  uint8_t of[3];
} kept_scales;
static const kept_scales FIRST_SCALES = {{FIRST_SCALE, FIRST_SCALE, FIRST_SCALE}};
static inline scales kept(kept_scales k) {
  scales s;
  for (int i = 0; i < 3; i++) s.of[i] = (uint16_t)unrounded(k.of[i]);
  return s;
}

static inline uint32_t abs_of(int32_t n) { return (uint32_t)(n < 0 ? -n : n); }

typedef struct point_models {
  model zero[LEVELS][POINT_CONTEXTS], odd[LEVELS];
  /* models of the decision that half of an integer, without its low bits, exceeds a step. The indices are
   * surprise, level, parity and step. The surprise of the first integer is 0. */
  model more[3][LEVELS][2][STEPS];
} point_models;

/* Models begin with what is true of most motions. */
static inline void first_point_models(point_models *m) {
  static const uint16_t more[3] = {0xa800, 0x9000, 0xc800}; /* by surprise */
  model *const first = &m->more[0][0][0][0];
  enum { EACH = LEVELS * 2 * STEPS };
  for (int i = 0; i < 3 * EACH; i++) first[i] = (model){(uint16_t)(more[i / EACH] + i % STEPS * 0x600), 4};
  for (int level = 0; level < LEVELS; level++) {
    m->odd[level] = FIRST_MODEL;
    for (int c = 0; c < POINT_CONTEXTS; c++)
      m->zero[level][c] = (model){(uint16_t)(0xf000 >> (level > 3 ? level - 3 : 0)), 1};
  }
}

/* Returns the level of a scale in half octaves. The smallest scale is 7, which has level 0. */
static inline int level_of(uint32_t scale) {
  const int log2 = (int)quatsimd_highest_bit(scale + 4);
  return 2 * log2 + (int)((scale + 4) >> (log2 - 1) & 1) - 6;
}
static inline int level_within(int level) { return level < LEVELS ? level : LEVELS - 1; }
/* Returns the level whose models an integer has, and the number of its low bits, which are coded plain. */
static inline int row_of(int level) { return level < FIRST_DIVIDED ? level : FIRST_DIVIDED + level % 2; }
static inline int low_of(int level) { return level < FIRST_DIVIDED ? 0 : (level - FIRST_DIVIDED) / 2 + 1; }
_Static_assert(FIRST_DIVIDED % 2 == 0 && LEVELS == FIRST_DIVIDED + 2, "row_of() is below LEVELS");

/* Tells how an integer of a certain scale is coded. */
typedef struct number_code {
  model *more; /* STEPS models */
  int low;
} number_code;
static inline number_code number_code_of(point_models *m, uint32_t scale, int surprise, uint32_t odd) {
  const int level = level_of(scale);
  return (number_code){m->more[surprise][row_of(level)][odd], low_of(level)};
}

/* Codes an integer: what is above its low bits in steps, each a decision, from `first` up to `most`, and
 * beyond as a number. */
static inline void put_integer(range_encoder *e, const number_code *c, uint32_t n, uint32_t first,
                               uint32_t most) {
  const uint32_t steps = n >> c->low;
  for (uint32_t step = first; step < most; step++) {
    const bool more = steps > step;
    put_bit(e, &c->more[step < STEPS ? step : STEPS - 1], more);
    if (!more) break;
  }
  if (steps >= most) put_number(e, steps - most + 1);
  if (c->low) put_plain(e, n & ((1u << c->low) - 1), c->low);
}
/* Returns an integer; it is TOO_LARGE or more if no encoder writes it. */
static inline uint32_t take_integer(range_decoder *d, const number_code *c, uint32_t first, uint32_t most) {
  uint32_t steps = first;
  while (steps < most && take_bit(d, &c->more[steps < STEPS ? steps : STEPS - 1])) steps++;
  if (steps == most) {
    const uint32_t beyond = take_number(d);
    if (beyond == 0 || beyond >= TOO_LARGE) return TOO_LARGE;
    steps += beyond - 1;
  }
  return steps << c->low | (c->low ? take_plain(d, c->low) : 0);
}

/* Returns the surprise of the second or third integer: 2 if earlier integers exceed their scales, else 1.
 * `sixteenths` is the sum of 16 * magnitude - scale of the earlier integers. */
static inline int surprise_of(int32_t sixteenths) { return sixteenths > 0 ? 2 : 1; }

static inline bool is_zero(const int32_t k[3]) { return (k[0] | k[1] | k[2]) == 0; }

static inline void put_point(range_encoder *e, point_models *m, int context, const scales *s,
                             const int32_t k[3]) {
  const int level = level_within(level_of((uint32_t)s->of[0] + s->of[1] + s->of[2]));
  const bool zero = is_zero(k);
  put_bit(e, &m->zero[level][context], zero);
  if (zero) return;
  const uint32_t odd = (uint32_t)k[0] & 1;
  put_bit(e, &m->odd[level], odd);
  uint32_t any = odd, signs = 0;
  int sign_bits = 0, surprise = 0;
  int32_t excess = 0;
  for (int i = 0; i < 3; i++) {
    const uint32_t magnitude = abs_of(k[i]), half = magnitude >> 1;
    const number_code c = number_code_of(m, s->of[i], surprise, odd);
    /* if the first two integers of an even point are 0, the third is not, so it has no decision at step 0 */
    put_integer(e, &c, half, i == 2 && any == 0 && c.low == 0, MOST_STEPS);
    any |= half;
    if (magnitude) signs |= (uint32_t)(k[i] < 0) << sign_bits++;
    excess += 16 * (int32_t)magnitude - s->of[i];
    surprise = surprise_of(excess);
  }
  put_plain(e, signs, sign_bits);
}

/* Returns the cost of a decision in 256ths of a bit. */
static inline uint32_t bit_cost(const model *m, bool bit) {
  const uint32_t p = bit ? m->p : 65536u - m->p;
  const int log2 = (int)quatsimd_highest_bit(p);
  /* between powers of 2, log2(1 + x) is about x (4 - x) / 3 */
  const uint32_t x = (p << (16 - log2) & 0xffff) >> 8;
  return (uint32_t)(16 - log2) * 256 - (x * (1024 - x) / 768);
}
static inline uint32_t number_cost(uint32_t n) { return 256 * (2 * quatsimd_highest_bit(n) + 1); }
static inline uint32_t integer_cost(const number_code *c, uint32_t n, uint32_t first, uint32_t most) {
  const uint32_t steps = n >> c->low;
  uint32_t cost = 256 * (uint32_t)c->low;
  for (uint32_t step = first; step < most; step++) {
    cost += bit_cost(&c->more[step < STEPS ? step : STEPS - 1], steps > step);
    if (steps <= step) break;
  }
  return steps >= most ? cost + number_cost(steps - most + 1) : cost;
}

/* Returns the cost of put_point in 256ths of a bit, or a number above `most` if the cost is above it. */
static inline uint32_t point_cost(point_models *m, int context, const scales *s, const int32_t k[3],
                                  uint32_t most) {
  const int level = level_within(level_of((uint32_t)s->of[0] + s->of[1] + s->of[2]));
  const bool zero = is_zero(k);
  uint32_t cost = bit_cost(&m->zero[level][context], zero);
  if (zero) return cost;
  const uint32_t odd = (uint32_t)k[0] & 1;
  cost += bit_cost(&m->odd[level], odd);
  uint32_t any = odd;
  int surprise = 0;
  int32_t excess = 0;
  for (int i = 0; i < 3 && cost <= most; i++) {
    const uint32_t magnitude = abs_of(k[i]), half = magnitude >> 1;
    const number_code c = number_code_of(m, s->of[i], surprise, odd);
    cost += integer_cost(&c, half, i == 2 && any == 0 && c.low == 0, MOST_STEPS);
    cost += magnitude ? 256 : 0; /* the sign */
    any |= half;
    excess += 16 * (int32_t)magnitude - s->of[i];
    surprise = surprise_of(excess);
  }
  return cost;
}

/* Decodes a point. Returns false for a point that no encoder writes. */
static inline bool take_point(range_decoder *d, point_models *m, int context, const scales *s, int32_t k[3]) {
  const int level = level_within(level_of((uint32_t)s->of[0] + s->of[1] + s->of[2]));
  k[0] = k[1] = k[2] = 0;
  if (take_bit(d, &m->zero[level][context])) return true;
  const uint32_t odd = take_bit(d, &m->odd[level]);
  uint32_t any = odd;
  int sign_bits = 0, surprise = 0;
  int32_t excess = 0;
  for (int i = 0; i < 3; i++) {
    const number_code c = number_code_of(m, s->of[i], surprise, odd);
    const uint32_t half = take_integer(d, &c, i == 2 && any == 0 && c.low == 0, MOST_STEPS);
    if (half >= TOO_LARGE) return false;
    any |= half;
    k[i] = (int32_t)(2 * half + odd);
    sign_bits += k[i] != 0;
    excess += 16 * k[i] - s->of[i];
    surprise = surprise_of(excess);
  }
  const uint32_t signs = take_plain(d, sign_bits);
  for (int i = 0, bit = 0; i < 3; i++)
    if (k[i] != 0 && signs >> bit++ & 1) k[i] = -k[i];
  return any != 0;
}

/* Codes a number of up to 32 plain bits. */
static inline void put_wide(range_encoder *e, uint32_t n, int width) {
  put_plain(e, n >> width / 2, width - width / 2), put_plain(e, n & ((1u << width / 2) - 1), width / 2);
}
static inline uint32_t take_wide(range_decoder *d, int width) {
  const uint32_t high = take_plain(d, width - width / 2);
  return high << width / 2 | take_plain(d, width / 2);
}

/* Components of positions, and tracks: the valid ones, and those that count as 0. */
static inline bool is_valid_number(float f) { return f >= -0x1p40f && f <= 0x1p40f; }
static inline float not_tiny(float f) { return f < -0x1p-60f || f > 0x1p-60f ? f : 0; }
/* Returns true if one may be coded exactly by these bits of a float. */
static inline bool is_exact(uint32_t bits) {
  const float f = float_from_bits(bits);
  return bits == 0 || (is_valid_number(f) && not_tiny(f) != 0);
}

/* Codes a point whole: its parity, and half of each integer in `width` bits. width is at most 20. */
static inline void put_whole(range_encoder *e, int width, const int32_t k[3]) {
  const int32_t odd = k[0] & 1;
  put_plain(e, (uint32_t)odd, 1);
  for (int i = 0; i < 3; i++) put_wide(e, (uint32_t)((k[i] - odd) / 2 + (1 << (width - 1))), width);
}
static inline void take_whole(range_decoder *d, int width, int32_t k[3]) {
  const int32_t odd = (int32_t)take_plain(d, 1);
  for (int i = 0; i < 3; i++) k[i] = 2 * ((int32_t)take_wide(d, width) - (1 << (width - 1))) + odd;
}

#endif
