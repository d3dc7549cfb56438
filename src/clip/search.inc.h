/* The encoder's inner loop: coefficients of one curve in one block, as few bytes as the bound lets them be. Compiled for each instruction
 * set; plain C in a fixed order, so that all choose the same. Sums go over four partial ones for the compiler to have lanes. */
#ifndef QUATSIMD_CLIP_SEARCH_INC_H
#define QUATSIMD_CLIP_SEARCH_INC_H

#include "kernels.h"
#include "write.h"

/* Errors of the frames between the knots, and what each is worth: |error|^2 * weight is 1 at the bound. */
typedef struct clip_state_of_search {
  float error[CLIP_AXES][CLIP_INNER], worth[CLIP_INNER];
  float q[CLIP_AXES][CLIP_INNER], rest[CLIP_AXES][CLIP_INNER]; /* coefficients, whole; what rounding left of them */
} search_state;

static float most_of(const float worth[CLIP_INNER]) {
  float m[4] = {0};
  for (int t = 0; t < CLIP_INNER; t += 4)
    for (int i = 0; i < 4; i++) m[i] = worth[t + i] > m[i] ? worth[t + i] : m[i];
  const float a = m[0] > m[1] ? m[0] : m[1], b = m[2] > m[3] ? m[2] : m[3];
  return a > b ? a : b;
}

static float weigh(search_state *s, const float *weight) {
  for (int t = 0; t < CLIP_INNER; t++)
    s->worth[t] = (s->error[0][t] * s->error[0][t] + s->error[1][t] * s->error[1][t] + s->error[2][t] * s->error[2][t]) * weight[t];
  return most_of(s->worth);
}

/* Rounds to multiples of step; the largest worth, or 4 if a coefficient is too large. */
static float round_all(search_state *s, const quatsimd_clip_problem *p, float c[CLIP_AXES][CLIP_INNER], float step) {
  const float inverse = 1 / step, magic = 0x1.8p+23f;
  for (int a = 0; a < CLIP_AXES; a++) {
    float sum = 0;
    for (int k = 0; k < CLIP_INNER; k++) {
      const float x = c[a][k] * inverse, bounded = x > 20000 ? 20000 : x < -20000 ? -20000 : x;
      s->q[a][k] = (bounded + magic) - magic;
      s->rest[a][k] = x - s->q[a][k];
    }
    for (int k = 0; k < CLIP_INNER; k++) sum += s->q[a][k] < 0 ? -s->q[a][k] : s->q[a][k];
    for (int k = 0; k < CLIP_INNER; k++)
      if (s->q[a][k] > 16383 || s->q[a][k] < -16384 || sum > CLIP_MOST_SUM) return 4;
    for (int t = 0; t < CLIP_INNER; t++) s->error[a][t] = -p->residual[a][t];
    for (size_t k = 0; k < p->inner; k++) {
      const float d = s->q[a][k] * step;
      if (d != 0)
        for (int t = 0; t < CLIP_INNER; t++) s->error[a][t] += d * p->basis[k][t];
    }
  }
  return weigh(s, p->weight);
}

/* Moves one coefficient after the other by 1, to the other side of what it was rounded from, each time the one that brings down the sum of
 * errors^8 most. True once all errors are within the bound. */
static bool nudge(search_state *s, const quatsimd_clip_problem *p, float step) {
  enum { NUDGES = 5 };
  float best = 0;
  for (int t = 0; t < CLIP_INNER; t++) best += s->worth[t] * s->worth[t] * (s->worth[t] * s->worth[t]);
  for (int n = 0; n < NUDGES; n++) {
    int axis = -1;
    size_t at = 0;
    for (int a = 0; a < CLIP_AXES; a++) {
      float linear[CLIP_INNER], square[CLIP_INNER];
      for (int t = 0; t < CLIP_INNER; t++) {
        square[t] = step * step * p->weight[t];
        linear[t] = 2 * step * p->weight[t] * s->error[a][t];
      }
      for (size_t k = 0; k < p->inner; k++) {
        const float sign = s->rest[a][k] >= 0 ? 1.0f : -1.0f;
        float sum[8] = {0};
        for (int t = 0; t < CLIP_INNER; t += 8)
          for (int i = 0; i < 8; i++) {
            const float b = p->basis[k][t + i] * sign, w = s->worth[t + i] + (linear[t + i] + square[t + i] * b) * b, w2 = w * w;
            sum[i] += w2 * w2;
          }
        const float total = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
        if (total < best) best = total, axis = a, at = k;
      }
    }
    if (axis < 0) return false;
    const float sign = s->rest[axis][at] >= 0 ? 1.0f : -1.0f;
    s->q[axis][at] += sign;
    s->rest[axis][at] -= sign;
    for (int t = 0; t < CLIP_INNER; t++) s->error[axis][t] += sign * step * p->basis[at][t];
    if (weigh(s, p->weight) <= 1) return true;
  }
  return false;
}

/* ---- profiles ---- */

/* The first profile, so one of the shortest, that has room for all widths. */
static unsigned profile_for(const uint8_t width[CLIP_INNER]) {
  const uint64_t top = 0x8080808080808080u;
  uint64_t low, high;
  unsigned sum = 0;
  memcpy(&low, width, 8), memcpy(&high, width + 8, 8);
  for (int k = 0; k < CLIP_INNER; k++) sum += width[k];
  unsigned profile = quatsimd_clip_first[(sum + 7) / 8];
  for (;; profile++) { /* the last one has room for all */
    uint64_t l, h;
    memcpy(&l, quatsimd_clip_widths[profile], 8), memcpy(&h, quatsimd_clip_widths[profile] + 8, 8);
    if (((((l | top) - low) & ((h | top) - high)) & top) == top) return profile;
  }
}

static void widths_of(uint8_t width[CLIP_INNER], const float q[CLIP_INNER]) {
  for (int k = 0; k < CLIP_INNER; k++) width[k] = (uint8_t)clip_width((int32_t)q[k]);
}

/* Takes 1 off coefficients that need a bit more for it, where that makes the channel shorter and the bound still holds. */
static unsigned shorten(search_state *s, const quatsimd_clip_problem *p, int a, float step) {
  uint8_t width[CLIP_INNER];
  widths_of(width, s->q[a]);
  unsigned profile = profile_for(width);
  for (size_t k = p->inner; k-- > 0 && quatsimd_clip_bytes[profile] > 0;) {
    if (width[k] == 0) continue;
    const float towards = s->q[a][k] > 0 ? -1.0f : 1.0f;
    const unsigned narrower = clip_width((int32_t)(s->q[a][k] + towards));
    if (narrower == width[k]) continue;
    float error[CLIP_INNER], worth[CLIP_INNER];
    for (int t = 0; t < CLIP_INNER; t++) {
      error[t] = s->error[a][t] + towards * step * p->basis[k][t];
      worth[t] = s->worth[t] + (error[t] * error[t] - s->error[a][t] * s->error[a][t]) * p->weight[t];
    }
    if (most_of(worth) > 1) continue;
    const uint8_t before = width[k];
    width[k] = (uint8_t)narrower;
    const unsigned shorter = profile_for(width);
    if (quatsimd_clip_bytes[shorter] >= quatsimd_clip_bytes[profile]) {
      width[k] = before;
      continue;
    }
    profile = shorter;
    s->q[a][k] += towards;
    memcpy(s->error[a], error, sizeof error);
    memcpy(s->worth, worth, sizeof worth);
  }
  return profile;
}

/* ---- */

static void clip_search(quatsimd_clip_choice *choice, const quatsimd_clip_problem *p) {
  enum { MORE = 1 }; /* steps tried beyond the first that holds the bound: a smaller one is shorter at times */
  const float worth_a_try = 2.0f;
  search_state s;
  float c[CLIP_AXES][CLIP_INNER] = {{0}};
  for (int a = 0; a < CLIP_AXES; a++)
    for (size_t t = 0; t < p->inner; t++) /* basis[k][t] is basis[t][k] */
      for (int k = 0; k < CLIP_INNER; k++) c[a][k] += p->residual[a][t] * p->basis[t][k];
  choice->code = CLIP_RAW;
  choice->bytes = UINT16_MAX;
  for (int at = CLIP_RAW - 1, left = CLIP_RAW; at >= 0 && left > 0; at--, left--) {
    const float step = p->unit * quatsimd_clip_step[at], most = round_all(&s, p, c, step);
    if (most > 1 && (most > worth_a_try || !nudge(&s, p, step))) continue;
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
        for (int k = 0; k < CLIP_INNER; k++) choice->q[a][k] = (int16_t)s.q[a][k];
    }
    if (bytes == 0) break;
    if (left > MORE + 1) left = MORE + 1;
  }
}

#endif
