#include "stream/predict.h"

#include "scalar/point.h"

#include <math.h>

enum { LONGEST_HORIZON = 64 }; /* the largest factor of a prediction */

/* The shares of the last motion with which a body may go on. */
static const float SHARE[SHARES] = {0, 0x1.555556p-2f, 0x1.555556p-1f, 1};

static float horizon_of(uint32_t past, uint32_t ahead) {
  if (past == 0) return 0;
  const float horizon = (float)ahead / (float)past;
  return horizon < LONGEST_HORIZON ? horizon : LONGEST_HORIZON;
}

/* Draws the line of least squares through the baseline, at time 0, and states that are `ago` before it. */
static void draw_line(stream_course *c, double ahead, const double ago[2], const float gravity[3]) {
  const double n = 1 + (c->through[0] != NULL) + (c->through[1] != NULL), sum = -(ago[0] + ago[1]),
               squares = ago[0] * ago[0] + ago[1] * ago[1], scale = n * squares - sum * sum;
  double bend = ahead * ahead;
  for (int i = 0; i < 2; i++) {
    if (!c->through[i]) continue;
    const double share = ((squares + sum * ago[i]) - (n * ago[i] + sum) * ahead) / scale;
    if (!(share >= -LONGEST_HORIZON && share <= LONGEST_HORIZON)) {
      c->through[0] = c->through[1] = NULL;
      return;
    }
    c->line[i] = share < -0x1p-30 || share > 0x1p-30 ? (float)share : 0; /* products are no denormals */
    bend -= share * (ago[i] * ago[i]);
  }
  for (int i = 0; i < 3; i++) {
    const double fall = (double)gravity[i] * (bend * 0.5);
    c->fall[i] = fall > -0x1p40 && fall < 0x1p40 && (fall < -0x1p-60 || fall > 0x1p-60) ? (float)fall : 0;
  }
}

stream_course quatsimd_stream_course(const quatsimd_stream *s, const references *r) {
  stream_course c = {0};
  const uint32_t ahead = s->next->interval, longest = UINT32_C(1) << 30;
  if (r->chain) c.horizon = horizon_of(r->base->time - r->chain->time, ahead);
  const state *const states[2] = {r->line[0] ? r->line[0] : r->line[1] ? NULL : r->chain, r->line[1]};
  double ago[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    const uint32_t past = states[i] ? r->base->time - states[i]->time : 0;
    if (past == 0 || past >= longest || ahead >= longest || (double)past == ago[0]) continue;
    c.through[i] = states[i], ago[i] = past;
  }
  if (c.through[0] || c.through[1]) draw_line(&c, ahead, ago, s->gravity);
  return c;
}

/* Computes the rotation vectors from one state's rotations to another's. */
static void between(const state *from, const state *to, size_t i, size_t padded,
                    float vector[3][QUATSIMD_CHUNK]) {
  stream_run(QUATSIMD_OPERATION_stream_between, (float *[]){VECTORS_AT(vector, 0)},
             (const float *[]){ROTATIONS_AT(from->rotation, i), ROTATIONS_AT(to->rotation, i)}, padded);
}

static void predict_rotations(const references *r, const stream_course *c, chunk *to) {
  const size_t i = to->i, padded = to->padded;
  float line[3][QUATSIMD_CHUNK];
  memset(to->motion, 0, sizeof to->motion), memset(line, 0, sizeof line);
  if (r->chain) {
    float past[3][QUATSIMD_CHUNK];
    between(r->chain, r->base, i, padded, past);
    for (int w = 0; w < SHARES; w++)
      for (int x = 0; x < 3; x++)
        for (size_t b = 0; b < padded; b++) to->motion[w][x][b] = past[x][b] * (SHARE[w] * c->horizon);
  }
  for (int t = 0; t < 2; t++) {
    if (!c->through[t]) continue;
    float way[3][QUATSIMD_CHUNK];
    between(r->base, c->through[t], i, padded, way);
    for (int x = 0; x < 3; x++)
      for (size_t b = 0; b < padded; b++) line[x][b] += way[x][b] * c->line[t];
  }
  float best[3][QUATSIMD_CHUNK], one[QUATSIMD_CHUNK];
  for (size_t b = 0; b < padded; b++) {
    const uint8_t *const error = r->base->errors[i + b].of;
    int w = 0;
    for (int o = 1; o < SHARES; o++)
      if (error[o] < error[w]) w = o;
    for (int x = 0; x < 3; x++) best[x][b] = to->motion[w][x][b];
    one[b] = 1;
  }
  stream_run(QUATSIMD_OPERATION_stream_turn, (float *[]){ROTATIONS_AT(to->moved, 0)},
             (const float *[]){ROTATIONS_AT(r->base->rotation, i), VECTORS_AT(line, 0), one}, padded);
  stream_run(QUATSIMD_OPERATION_stream_turn, (float *[]){ROTATIONS_AT(to->held, 0)},
             (const float *[]){ROTATIONS_AT(r->base->rotation, i), VECTORS_AT(best, 0), one}, padded);
  for (size_t b = 0; b < padded; b++) {
    bool none = true;
    for (int x = 0; x < 3; x++) none &= best[x][b] == 0;
    to->stays[b] = none;
    for (int x = 0; x < 4 && none; x++) to->held[x][b] = r->base->rotation[x][i + b];
  }
}

static void predict_positions(const quatsimd_stream *s, const references *r, const stream_course *c,
                              chunk *to) {
  for (size_t b = 0; b < to->n && to->i + b < s->positions; b++)
    for (int x = 0; x < 3; x++) {
      const float at = r->base->position[x][to->i + b];
      float ahead = 0;
      for (int t = 0; t < 2; t++)
        if (c->through[t]) ahead += (c->through[t]->position[x][to->i + b] - at) * c->line[t];
      to->position[HOLD][x][b] = at;
      to->position[LINE][x][b] = at + ahead, to->position[FALL][x][b] = (at + ahead) + c->fall[x];
    }
}

void quatsimd_stream_predict(const quatsimd_stream *s, const references *r, const stream_course *c, size_t i,
                             chunk *to) {
  to->i = i, to->n = quatsimd_chunk(i, s->bodies), to->padded = quatsimd_padded(to->n);
  const float larger = coarseness(s->next->coarse);
  to->step = s->position_quantum * larger;
  for (size_t b = 0; b < to->padded; b++) to->quantum[b] = s->quantum[i + b] * larger;
  if (r->base) {
    predict_rotations(r, c, to);
    predict_positions(s, r, c, to);
    return;
  }
  for (int x = 0; x < 4; x++)
    for (size_t b = 0; b < to->padded; b++) to->held[x][b] = s->rest[0] ? s->rest[x][i + b] : x == 3;
  memset(to->position, 0, sizeof to->position);
}

static void learn(const quatsimd_stream *s, const references *r, chunk *of) {
  state *const next = s->next;
  const size_t i = of->i, n = of->n;
  float went[3][QUATSIMD_CHUNK];
  int32_t missed[SHARES * QUATSIMD_CHUNK];
  between(r->base, next, i, of->padded, went);
  for (size_t w = 0; w < SHARES; w++)
    for (size_t b = 0; b < n; b++) {
      float off = 0;
      for (int x = 0; x < 3; x++) off += fabsf(went[x][b] - of->motion[w][x][b]);
      const int32_t bits =
                        (int32_t)float_bits(off * s->per_quantum[i + b] * 4), /* no NaN: motions are finite */
          less = smaller_of(bits, (int32_t)float_bits(MOST_ERROR));
      missed[SHARES * b + w] = (int32_t)float_from_bits((uint32_t)less);
    }
  uint8_t *const errors = (uint8_t *)(next->errors + i);
  const uint8_t *const before = (const uint8_t *)(r->base->errors + i);
  for (size_t j = 0; j < SHARES * n; j++) errors[j] = faded_sum(before[j], (uint32_t)missed[j]);
  learn_scales((uint8_t *)(next->rotation_scale + i), (const uint8_t *)(r->base->rotation_scale + i),
               (const int32_t *)of->k, 3 * n, next->coarse);
  const size_t positions = i < s->positions ? quatsimd_chunk(i, s->positions) : 0;
  learn_scales((uint8_t *)(next->position_scale + i), (const uint8_t *)(r->base->position_scale + i),
               (const int32_t *)of->position_k, 3 * positions, next->coarse);
}

/* A key packet leaves nothing learnt. */
static void learn_nothing(const quatsimd_stream *s, const chunk *of) {
  state *const next = s->next;
  memset(next->errors + of->i, 0, of->n * sizeof *next->errors);
  for (size_t i = of->i; i < of->i + of->n; i++) {
    next->rotation_scale[i] = FIRST_SCALES;
    if (i < s->positions) next->position_scale[i] = FIRST_SCALES;
  }
}

static void advance_position(quatsimd_stream *s, const references *r, chunk *of, size_t b) {
  const size_t i = of->i + b;
  state *const next = s->next;
  const decisions d = unpacked(next->last[i]);
  const state *const as = d.still ? r->anchor : NULL;
  for (int x = 0; x < 3; x++) {
    if (as) next->position[x][i] = as->position[x][i];
    else if (!of->exact[b]) next->position[x][i] = not_tiny(position_by_point(of, b, d.way, x));
  }
}

void quatsimd_stream_advance(quatsimd_stream *s, const references *r, chunk *of) {
  state *const next = s->next;
  float number[3][QUATSIMD_CHUNK];
  for (size_t b = 0; b < of->padded; b++) {
    const bool any = b < of->n;
    const bool moves = r->base && any && unpacked(next->last[of->i + b]).moves;
    for (int x = 0; x < 4; x++) of->from[x][b] = moves ? of->moved[x][b] : of->held[x][b];
    for (int x = 0; x < 3; x++) number[x][b] = any ? (float)of->k[b][x] : 0;
  }
  stream_run(QUATSIMD_OPERATION_stream_turn, (float *[]){ROTATIONS_AT(next->rotation, of->i)},
             (const float *[]){ROTATIONS_AT(of->from, 0), VECTORS_AT(number, 0), of->quantum}, of->padded);
  for (size_t b = 0; b < of->n; b++) {
    const size_t i = of->i + b;
    const decisions d = unpacked(next->last[i]);
    /* turning by 0 could change the last bits of what rests */
    const state *const as = !r->base                             ? NULL
                            : d.still                            ? r->anchor
                            : d.zero && !d.moves && of->stays[b] ? r->base
                                                                 : NULL;
    for (int x = 0; x < 4 && as; x++) next->rotation[x][i] = as->rotation[x][i];
    if (i < s->positions) advance_position(s, r, of, b);
  }
  if (r->base) learn(s, r, of);
  else learn_nothing(s, of);
}
