/* Encodes one moving curve block by block: knots, then each block's coefficients or raw residuals. */
#include "clip/encode/chain.h"

#include <float.h>

void quatsimd_encode_units(clip_coded_kind *coded) {
  double most = 0, least = DBL_MAX;
  for (size_t i = 0; i < coded->movings; i++) {
    const double unit = coded->moving[i].unit;
    most = unit > most ? unit : most, least = unit < least ? unit : least;
  }
  /* if all units are nearly equal, all curves get the least unit and store no exponents */
  if (least > most * (double)quatsimd_clip_sixteenth[1]) most = least;
  coded->unit = (float)most;
  if ((double)coded->unit > most) coded->unit = (float)(most * (1 - 0x1p-23));
  for (size_t i = 0; i < coded->movings; i++) {
    clip_moving_curve *curve = &coded->moving[i];
    for (curve->exponent = 0;
         curve->exponent < 255 && (double)clip_unit(coded->unit, curve->exponent) > curve->unit;)
      curve->exponent++;
  }
}

static int32_t raw_of(float residual, double quantum) {
  const double x = (double)residual / quantum;
  return (int32_t)(x < 0 ? x - 0.5 : x + 0.5);
}

/* Returns the bytes of a block's quantised residuals, or SIZE_MAX if a residual is too large. */
static size_t raw_bytes(const quatsimd_clip_problem *p, size_t axes, double quantum) {
  const double most = (1 << (CLIP_RAW_BITS - 1)) - 1;
  size_t bits = 0;
  for (int a = 0; a < CLIP_AXES; a++) {
    float low = 0, high = 0; /* the extremes have the most bits */
    for (size_t t = 0; t < CLIP_INNER; t++) {
      low = p->residual[a][t] < low ? p->residual[a][t] : low;
      high = p->residual[a][t] > high ? p->residual[a][t] : high;
    }
    if (!((double)high / quantum < most && (double)low / quantum > -most)) return SIZE_MAX;
    const unsigned of_low = bits_for(raw_of(low, quantum)), of_high = bits_for(raw_of(high, quantum));
    bits += (of_low > of_high ? of_low : of_high) * p->inner;
  }
  return axes + (bits + 7) / 8;
}

/* Returns the dot product of two rotations, given by their Cayley vectors. */
static double turn_between(const float *v, const float *w) {
  const double m = (double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2],
               n = (double)w[0] * w[0] + (double)w[1] * w[1] + (double)w[2] * w[2],
               dot =
                   4 * ((double)v[0] * w[0] + (double)v[1] * w[1] + (double)v[2] * w[2]) + (1 - m) * (1 - n);
  return dot / ((1 + m) * (1 + n));
}

static double absolute(double x) { return x < 0 ? -x : x; }

/* True if sampling turns from each frame to the next as the source does. If the dot product of the two is
 * negative, the source turns toward the next frame's negative, but sampling does so only if the product is
 * below -CLIP_FRAMES_TURN. Encoded frames err by up to `bound`. */
static bool goes_on(clip_vector *vector, size_t frames, double bound) {
  const double off = 1e-3 + bound;
  for (size_t f = 1; f < frames; f++) {
    const double turn = turn_between(vector[f - 1], vector[f]);
    if (turn < -1e-3 && turn > -CLIP_FRAMES_TURN - off) return false;
  }
  return true;
}

/* Returns the largest error that v[0] may have, as a multiple of the curve's unit. Errors of long vectors
 * turn the rotation less. Where the frames beside v[0] turn far, errors grow between frames. */
static double share_of(clip_vector *v) {
  const double m = (double)v[0][0] * v[0][0] + (double)v[0][1] * v[0][1] + (double)v[0][2] * v[0][2],
               before = absolute(turn_between(v[-1], v[0])), behind = absolute(turn_between(v[0], v[1]));
  return (1 + m) * quatsimd_sqrt((1 + (before < behind ? before : behind)) / 2);
}

typedef struct curve_blocks {
  const clip_encoder *e;
  const clip_coded_kind *coded;
  const clip_moving_curve *curve;
  clip_vector *vector;
  double unit, quantum;
  size_t every;
} curve_blocks;

/* Makes *p the problem of block b. *p is a template or the problem of another block. */
static void load_block(quatsimd_clip_problem *p, const curve_blocks *w, size_t b) {
  const clip_encoder *e = w->e;
  const size_t frames = e->grid.frames, first = clip_block_start(b, frames),
               intervals = clip_block_start(b + 1, frames) - first;
  const float *strict = e->retry[w->coded->kind][w->curve->joint].strict;
  const int32_t(*knot)[CLIP_AXES] = (const int32_t(*)[CLIP_AXES])w->curve->knot + b;
  if (p->inner + 1 != intervals) *p = e->problem[intervals];
  p->unit = (float)w->unit;
  for (size_t t = 1; t < intervals; t++) {
    const float *v = w->vector[first + t];
    const double share = w->coded->kind == QUATSIMD_CLIP_ROTATION ? share_of(&w->vector[first + t]) : 1,
                 bound = w->unit * share / (strict ? (double)strict[first + t] : 1);
    p->weight[t - 1] = (float)(1 / (bound * bound));
    for (int a = 0; a < CLIP_AXES; a++)
      p->residual[a][t - 1] = (float)((double)v[a] - w->quantum *
                                                         ((double)knot[0][a] * (double)(intervals - t) +
                                                          (double)knot[1][a] * (double)t) /
                                                         (double)intervals);
  }
}

enum {
  SEARCHED = 32 /* number of blocks of a task */,
  UNFIT = UINT16_MAX /* `bytes` of a choice if no code can store the block */
};

static void search_blocks(void *data, size_t part) {
  const curve_blocks *w = data;
  const size_t blocks = clip_blocks(w->e->grid.frames), of_task = SEARCHED * w->every,
               end = blocks < (part + 1) * of_task ? blocks : (part + 1) * of_task;
  quatsimd_clip_problem p = w->e->problem[1];
  for (size_t b = part * of_task; b < end; b += w->every) {
    quatsimd_clip_choice *choice = &w->curve->block[b].choice;
    load_block(&p, w, b);
    w->e->kernels->search(choice, &p);
    const size_t bytes = raw_bytes(&p, clip_axes(w->coded->kind), w->quantum);
    if (bytes >= choice->bytes) continue;
    *choice = (quatsimd_clip_choice){.code = CLIP_RAW, .bytes = (uint16_t)bytes};
  }
}

/* Stores the residuals of a CLIP_RAW block. False if memory runs out. */
static bool keep_raw(quatsimd_memory *memory, const curve_blocks *w, size_t b) {
  quatsimd_clip_problem p = w->e->problem[1];
  load_block(&p, w, b);
  int32_t *const raw = quatsimd_take(memory, CLIP_AXES * p.inner, sizeof *raw);
  for (size_t i = 0; raw && i < CLIP_AXES * p.inner; i++)
    raw[i] = raw_of(p.residual[i / p.inner][i % p.inner], w->quantum);
  w->curve->block[b].raw = raw;
  return raw != NULL;
}

/* Makes the unit of a curve finer, and its errors smaller, until sampling turns as the source does. False if
 * that does not help. */
static bool turn_as_source(clip_moving_curve *curve, clip_vector *vector, size_t frames, double bound) {
  enum { HALF = 16, MOST = 6 * HALF };
  curve->exponent -= curve->finer, curve->finer = 0;
  while (!goes_on(vector, frames, bound)) {
    if (curve->finer == MOST || curve->exponent + HALF > 255) return false;
    bound /= 2, curve->exponent += HALF, curve->finer += HALF;
  }
  return true;
}

quatsimd_status quatsimd_encode_curve(clip_encoder *e, const clip_coded_kind *coded, clip_moving_curve *curve,
                                      clip_vector *vector, size_t every, bool *fits) {
  const size_t frames = e->grid.frames, blocks = clip_blocks(frames);
  *fits = coded->kind != QUATSIMD_CLIP_ROTATION || every > 1 ||
          turn_as_source(curve, vector, frames, e->bound[coded->kind][curve->joint]);
  const double unit = (double)clip_unit_in_use(coded, curve),
               quantum = (double)((float)unit * CLIP_KNOT_QUANTUM);
  curve->knot = quatsimd_take(&e->memory, blocks + 1, sizeof *curve->knot);
  curve->block = quatsimd_take(&e->memory, blocks, sizeof *curve->block);
  if (!curve->knot || !curve->block) return QUATSIMD_ERROR_NO_MEMORY;
  if (!*fits) return QUATSIMD_OK;
  curve->bytes = 0;
  memset(curve->width, 0, sizeof curve->width);
  for (size_t b = 0; b <= blocks; b++)
    for (int a = 0; a < CLIP_AXES; a++) {
      const double x = (double)vector[clip_block_start(b, frames)][a] / quantum;
      if (!(x < (1 << (CLIP_KNOT_BITS - 1)) - 1 && x > -(1 << (CLIP_KNOT_BITS - 1)) + 1))
        return *fits = false, QUATSIMD_OK;
      curve->knot[b][a] = (int32_t)(x < 0 ? x - 0.5 : x + 0.5);
      const unsigned width = bits_for(curve->knot[b][a]);
      if (width > curve->width[a]) curve->width[a] = (uint8_t)width;
    }
  curve_blocks w = {e, coded, curve, vector, unit, quantum, every};
  clip_run(e, search_blocks, &w, (blocks - 1) / (SEARCHED * every) + 1);
  for (size_t b = 0; b < blocks; b += every) {
    const quatsimd_clip_choice *choice = &curve->block[b].choice;
    if (choice->code == CLIP_RAW && choice->bytes == UNFIT) return *fits = false, QUATSIMD_OK;
    if (choice->code == CLIP_RAW && !keep_raw(&e->memory, &w, b)) return QUATSIMD_ERROR_NO_MEMORY;
    curve->bytes += choice->bytes;
  }
  return QUATSIMD_OK;
}

static void load_limits(quatsimd_clip_limits *limits) {
  for (size_t i = 1; i < CLIP_PROFILES; i++)
    limits->shorter[i] =
        quatsimd_clip_bytes[i] == quatsimd_clip_bytes[i - 1] ? limits->shorter[i - 1] : (uint8_t)i;
  for (size_t k = 0; k < CLIP_INNER; k++) {
    for (size_t i = 0; i < CLIP_PROFILES; i++) {
      const unsigned width = quatsimd_clip_widths[i][k];
      limits->low[i][k] = (float)-(1 << width >> 1);
      limits->high[i][k] = width > 0 ? -1 - limits->low[i][k] : 0;
      limits->wide[k][width][i / 64] |= (uint64_t)1 << i % 64;
    }
    for (size_t width = CLIP_INNER - 1; width-- > 0;)
      for (size_t i = 0; i < CLIP_PROFILES / 64; i++)
        limits->wide[k][width][i] |= limits->wide[k][width + 1][i];
  }
}

static void load_basis(clip_encoder *e) {
  for (size_t intervals = 1; intervals <= CLIP_INTERVALS; intervals++) {
    quatsimd_clip_problem *p = &e->problem[intervals];
    p->inner = intervals - 1;
    p->limits = &e->limits;
    for (size_t k = 0; k < p->inner; k++) /* the search needs basis[k][t] = basis[t][k] */
      for (size_t t = 0; t < p->inner; t++)
        p->basis[k][t] = (float)clip_basis_row(intervals, k + 1)[t] * quatsimd_clip_norm[intervals];
  }
}

void quatsimd_encode_tables(clip_encoder *e) {
  quatsimd_clip_make_tables();
  load_limits(&e->limits);
  load_basis(e);
}
