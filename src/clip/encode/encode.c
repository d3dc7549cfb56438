/* The encoder: what moves, and how it is stored. */
#include <stdlib.h>

#include "core/arithmetic.h"
#include "core/dispatch.h"
#include "clip/kernels.h"
#include "clip/encode/measure.h"
#include "clip/encode/object.h"
#include "clip/sample/open.h"
#include "clip/encode/tangent.h"
#include "clip/encode/write.h"

/* What float arithmetic costs when a clip is sampled, taken off the bounds: radians; of lengths, times the
 * largest component. */
#define ROTATION_SLACK 1e-6
#define LENGTH_SLACK (8 * 0x1p-24)

/* clips with fewer frames are encoded with and without principal axes; of others a sample is */
enum { TRY_SEVERAL = 600 };

typedef struct moving_block {
  quatsimd_clip_choice choice;
  int32_t *raw; /* CLIP_AXES * inner, if the code is CLIP_RAW */
} moving_block;

typedef struct moving_curve {
  size_t joint;
  double unit; /* the largest that holds the bound */
  unsigned exponent;
  clip_tangent_space space;
  int32_t (*knot)[CLIP_AXES];
  uint8_t width[CLIP_AXES]; /* of knots */
  moving_block *block;
  size_t bytes; /* of all blocks */
} moving_curve;

/* The curves of one kind. */
typedef struct coded_kind {
  int kind;
  uint8_t *state, *precision; /* of each joint; precision: the coarsest format that a constant may have */
  double *unit_of;            /* of each joint, if its curve moved: 0 if it must have its own keys */
  moving_curve *moving, **sorted;
  size_t movings;
  float unit;
  bool units, axes;
} coded_kind;

typedef struct encoder {
  const quatsimd_clip_source *source;
  const quatsimd_clip_options *options;
  quatsimd_clip_report *report;
  const quatsimd_clip_kernels *kernels;
  quatsimd_clip_source relative; /* what is encoded if the clip is additive, */
  /* and what it is relative to: the original's first keys, or another source */
  const quatsimd_clip_source *base;
  double *bound[QUATSIMD_CLIP_KINDS]; /* of each joint */
  clip_skeleton skeleton;             /* with object_bound alone */
  double tighter;                     /* factor of all units */
  size_t worst_joint;                 /* that an attempt was furthest off its bound at, */
  /* and the kind of the curve; QUATSIMD_CLIP_KINDS: object_bound was it */
  int worst_kind;
  quatsimd_memory memory;
  clip_grid grid;
  unsigned precision; /* format of constant rotations */
  coded_kind coded[QUATSIMD_CLIP_KINDS];
  /* the part of it that is the same for all blocks of a length */
  quatsimd_clip_problem problem[CLIP_INTERVALS + 1];
  quatsimd_clip_rooms rooms;
} encoder;

static const char out_of_reach[] = "object_bound cannot be held, however finely curves are stored: points "
                                   "are too far away for it, or keys too near in time "
                                   "to each other or a frame";
static const char too_large[] = "the clip would take 2^32 bytes or more";

static bool in_object_space(const encoder *e) { return e->options->object_bound > 0; }

/* sin(x), never more, of 0 to 0.25. */
static double sine_below(double x) {
  const double y = x * x;
  return x * (1 - y * (1.0 / 6 - y * (1.0 / 120 - y / 5040)));
}

/* ---- curves that do not move ---- */

static const double none[QUATSIMD_CLIP_KINDS][CLIP_MOST_COMPONENTS] = {{0, 0, 0, 1}, {0}, {1, 1, 1, 0}};

static bool all_within(int kind, double (*value)[CLIP_MOST_COMPONENTS], size_t count, const double *other,
                       double bound) {
  for (size_t f = 0; f < count; f++)
    if (!(quatsimd_value_error(kind, value[f], other) <= bound)) return false;
  return true;
}

/* Stores a value, and what it comes back as. */
static void store_value(unsigned char *bytes, double back[CLIP_MOST_COMPONENTS], int kind, unsigned precision,
                        const double *value) {
  float v[CLIP_MOST_COMPONENTS];
  for (size_t i = 0; i < clip_components(kind); i++) v[i] = (float)value[i];
  quatsimd_constant_store(bytes, kind, precision, v);
  quatsimd_constant_load(v, kind, precision, bytes, 1);
  for (size_t i = 0; i < clip_components(kind); i++) back[i] = v[i];
}

/* The value in the middle of all. */
static void middle_value(double middle[CLIP_MOST_COMPONENTS], double (*value)[CLIP_MOST_COMPONENTS],
                         size_t count, int kind, double (*vector)[3]) {
  clip_tangent_space space;
  quatsimd_tangent_space(&space, vector, value, count, kind, false);
  if (kind == QUATSIMD_CLIP_ROTATION) {
    double low[3], high[3], v[3];
    for (int i = 0; i < 3; i++) {
      low[i] = high[i] = vector[0][i];
      for (size_t f = 1; f < count; f++)
        low[i] = vector[f][i] < low[i] ? vector[f][i] : low[i],
        high[i] = vector[f][i] > high[i] ? vector[f][i] : high[i];
      v[i] = (low[i] + high[i]) / 2;
    }
    quatsimd_tangent_back(middle, &space, v);
  } else {
    for (int i = 0; i < 3; i++) middle[i] = space.middle[i];
  }
}

/* CLIP_NONE, CLIP_CONST with the precision it needs, CLIP_MOVING for all else. */
static unsigned state_of_still(encoder *e, int kind, size_t joint, double (*value)[CLIP_MOST_COMPONENTS],
                               double (*vector)[3], size_t keys) {
  const double bound = e->bound[kind][joint];
  coded_kind *coded = &e->coded[kind];
  if (all_within(kind, value, keys, none[kind], bound)) return CLIP_NONE;
  if (!all_within(kind, value, keys, value[0], 2 * bound)) return CLIP_MOVING;
  double middle[CLIP_MOST_COMPONENTS], back[CLIP_MOST_COMPONENTS];
  unsigned char bytes[12];
  middle_value(middle, value, keys, kind, vector);
  const unsigned coarsest = kind == QUATSIMD_CLIP_ROTATION ? 0 : CLIP_PRECISIONS - 1;
  for (unsigned precision = coarsest; precision < CLIP_PRECISIONS; precision++) {
    store_value(bytes, back, kind, precision, middle);
    if (!all_within(kind, value, keys, back, bound)) continue;
    coded->precision[joint] = (uint8_t)precision;
    return CLIP_CONST;
  }
  return CLIP_MOVING;
}

/* ---- what moves, and how ---- */

/* How far interpolation between frames is from keys that lie between them, as far as it matters: not
 * beyond `most`. */
static double between_error(const quatsimd_curve *curve, int kind, const clip_grid *grid, double most) {
  double worst = 0;
  for (size_t k = 0; k < curve->keys; k++) {
    const double p = (curve->times[k] - grid->start) * grid->rate, frame = (double)(int64_t)(p > 0 ? p : 0),
                 t = p - frame;
    double a[CLIP_MOST_COMPONENTS], b[CLIP_MOST_COMPONENTS], key[CLIP_MOST_COMPONENTS];
    quatsimd_curve_at(curve, kind, grid->start + frame / grid->rate, 0, a);
    quatsimd_curve_at(curve, kind, grid->start + (frame + 1) / grid->rate, 0, b);
    quatsimd_curve_at(curve, kind, curve->times[k], 0, key);
    quatsimd_value_between(kind, a, b, t, a);
    const double error = quatsimd_value_error(kind, a, key);
    if (!(error <= worst)) worst = error;
    if (!(worst <= most)) break;
  }
  return worst;
}

/* The unit of a moving curve; 0 if it must have its own keys. */
static double unit_of(const encoder *e, int kind, size_t joint, double (*value)[CLIP_MOST_COMPONENTS],
                      size_t keys) {
  const quatsimd_curve *curve = clip_curve(&e->source->joint[joint], kind);
  double bound = e->bound[kind][joint];
  if (curve->step || e->grid.frames < 2) return 0;
  if (!quatsimd_curve_fits(curve, &e->grid, true)) {
    const double off = between_error(curve, kind, &e->grid, bound / 4);
    if (!(off <= bound / 4)) return 0;
    bound -= off;
  }
  if (e->options->loop) bound -= quatsimd_value_error(kind, value[0], value[keys - 1]);
  if (kind == QUATSIMD_CLIP_ROTATION) {
    const double u = sine_below((bound - ROTATION_SLACK) / 4) * e->tighter;
    return u > 0 ? u * (1 - u) : 0;
  }
  double largest = 0;
  for (size_t k = 0; k < keys; k++)
    for (int i = 0; i < 3; i++) {
      if (value[k][i] > largest) largest = value[k][i];
      if (-value[k][i] > largest) largest = -value[k][i];
    }
  const double rest = bound - LENGTH_SLACK * largest;
  /* less, and 1 / its square is no float */
  return rest > bound / 2 && rest >= 0x1p-60 ? rest * e->tighter : 0;
}

static void load_keys(const quatsimd_curve *curve, int kind, double (*value)[CLIP_MOST_COMPONENTS]) {
  for (size_t k = 0; k < curve->keys; k++) quatsimd_curve_key(curve, kind, k, value[k]);
}

/* Units are of one for all and 2^-16 of that at least: what needs a finer one has its own keys. */
static void key_finest(coded_kind *coded, size_t joints) {
  double most = 0;
  for (size_t j = 0; j < joints; j++)
    if (coded->state[j] == CLIP_MOVING && coded->unit_of[j] > most) most = coded->unit_of[j];
  for (size_t j = 0; j < joints; j++) {
    if (coded->unit_of[j] >= most * 0x1p-15) continue;
    coded->unit_of[j] = 0;
    if (coded->state[j] == CLIP_MOVING) coded->state[j] = CLIP_KEYED;
  }
}

/* Sorts a kind's curves out. */
static quatsimd_status sort_out(encoder *e, int kind) {
  coded_kind *coded = &e->coded[kind];
  const size_t joints = e->source->joints;
  size_t most = 1;
  for (size_t j = 0; j < joints; j++)
    if (clip_curve(&e->source->joint[j], kind)->keys > most)
      most = clip_curve(&e->source->joint[j], kind)->keys;
  coded->kind = kind;
  coded->state = quatsimd_take(&e->memory, joints + 1, 1);
  coded->precision = quatsimd_take(&e->memory, joints + 1, 1);
  coded->unit_of = quatsimd_take(&e->memory, joints + 1, sizeof *coded->unit_of);
  coded->moving = quatsimd_take(&e->memory, joints + 1, sizeof *coded->moving);
  coded->sorted = quatsimd_take(&e->memory, joints + 1, sizeof(void *));
  struct piece *mark = e->memory.last;
  double(*value)[CLIP_MOST_COMPONENTS] = quatsimd_take(&e->memory, most, sizeof *value),
  (*vector)[3] = quatsimd_take(&e->memory, most, sizeof *vector);
  if (!coded->state || !coded->precision || !coded->unit_of || !coded->moving || !coded->sorted || !value ||
      !vector)
    return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t j = 0; j < joints; j++) {
    const quatsimd_curve *curve = clip_curve(&e->source->joint[j], kind);
    if (curve->keys == 0) continue;
    /* in object space it became 0: divided by lengths that overflowed, or tightened to that */
    if (!(e->bound[kind][j] > 0))
      return clip_refuse(e->report, j, kind, CLIP_NOWHERE,
                         in_object_space(e)
                             ? out_of_reach
                             : "there is no bound for this curve, neither the joint's nor the options'");
    load_keys(curve, kind, value);
    if (e->options->loop && curve->keys > 1 &&
        !(quatsimd_value_error(kind, value[0], value[curve->keys - 1]) <= e->bound[kind][j] / 4)) {
      clip_refuse(
          e->report, j, kind, curve->keys - 1,
          "the loop does not close: the last key differs from the first by more than a quarter of the bound");
      return QUATSIMD_ERROR_BAD_KEY;
    }
    coded->state[j] = (uint8_t)state_of_still(e, kind, j, value, vector, curve->keys);
    coded->unit_of[j] = coded->state[j] == CLIP_NONE ? 0 : unit_of(e, kind, j, value, curve->keys);
    if (coded->state[j] == CLIP_MOVING && !(coded->unit_of[j] > 0)) coded->state[j] = CLIP_KEYED;
  }
  quatsimd_release(&e->memory, mark);
  key_finest(coded, joints);
  return QUATSIMD_OK;
}

/* One format for all constant rotations: the one that costs least, with what cannot be constant in it
 * moving. It must be good enough for the keys of curves that have their own. */
static void choose_precision(encoder *e) {
  const coded_kind *coded = &e->coded[QUATSIMD_CLIP_ROTATION];
  size_t least = SIZE_MAX;
  unsigned needed = 0;
  for (size_t j = 0; j < e->source->joints; j++) {
    if (coded->state[j] == CLIP_CONST && !(coded->unit_of[j] > 0) && coded->precision[j] > needed)
      needed = coded->precision[j];
    while (coded->state[j] == CLIP_KEYED && needed < CLIP_PRECISIONS - 1 &&
           quatsimd_clip_precision_error[needed] > e->bound[QUATSIMD_CLIP_ROTATION][j])
      needed++;
  }
  for (unsigned p = needed; p < CLIP_PRECISIONS; p++) {
    size_t cost = 0;
    for (size_t j = 0; j < e->source->joints; j++)
      if (coded->state[j] == CLIP_CONST)
        cost += coded->precision[j] <= p ? clip_constant_bytes(QUATSIMD_CLIP_ROTATION, p)
                                         : 16 + 6 * clip_blocks(e->grid.frames);
    if (cost < least) least = cost, e->precision = p;
  }
}

/* ---- moving curves ---- */

static double unit_in_use(const coded_kind *coded, const moving_curve *curve) {
  return (double)(coded->units ? clip_unit(coded->unit, curve->exponent) : coded->unit);
}

/* One unit for all, and where curves need less, how much less. */
static void choose_units(coded_kind *coded) {
  double most = 0, least = DBL_MAX;
  for (size_t i = 0; i < coded->movings; i++) {
    if (coded->moving[i].unit > most) most = coded->moving[i].unit;
    if (coded->moving[i].unit < least) least = coded->moving[i].unit;
  }
  if (most > least * 0x1p15) most = least * 0x1p15; /* exponents reach no farther */
  coded->unit = (float)most;
  if ((double)coded->unit > most) coded->unit = (float)(most * (1 - 0x1p-23));
  coded->units = false;
  for (size_t i = 0; i < coded->movings; i++) {
    moving_curve *curve = &coded->moving[i];
    for (curve->exponent = 0;
         curve->exponent < 255 && (double)clip_unit(coded->unit, curve->exponent) > curve->unit;)
      curve->exponent++;
    if (curve->unit < (double)coded->unit) coded->units = true;
  }
}

/* Frames one by one; the bytes they take, or SIZE_MAX if they do not fit. */
static size_t choose_raw(int32_t *raw, const quatsimd_clip_problem *p, double step) {
  size_t bits = 0;
  for (int a = 0; a < CLIP_AXES; a++) {
    unsigned width = 0;
    for (size_t t = 0; t < p->inner; t++) {
      const double x = (double)p->residual[a][t] / step;
      if (!(x < (1 << (CLIP_RAW_BITS - 1)) - 1 && x > -(1 << (CLIP_RAW_BITS - 1)) + 1)) return SIZE_MAX;
      raw[p->inner * (size_t)a + t] = (int32_t)(x < 0 ? x - 0.5 : x + 0.5);
      const unsigned w = clip_width(raw[p->inner * (size_t)a + t]);
      if (w > width) width = w;
    }
    bits += width * p->inner;
  }
  return CLIP_AXES + (bits + 7) / 8;
}

/* Encodes one curve's vectors; for an estimate, the first of every so many blocks alone. Does not fit:
 * CLIP_RAW_BITS or CLIP_KNOT_BITS are too few for it. */
static quatsimd_status encode_curve(encoder *e, const coded_kind *coded, moving_curve *curve,
                                    double (*vector)[3], size_t every, bool *fits) {
  const size_t frames = e->grid.frames, blocks = clip_blocks(frames);
  const double unit = unit_in_use(coded, curve), step = (double)((float)unit * CLIP_KNOT_STEP);
  curve->knot = quatsimd_take(&e->memory, blocks + 1, sizeof *curve->knot);
  curve->block = quatsimd_take(&e->memory, blocks, sizeof *curve->block);
  if (!curve->knot || !curve->block) return QUATSIMD_ERROR_NO_MEMORY;
  *fits = true;
  curve->bytes = 0;
  memset(curve->width, 0, sizeof curve->width);
  for (size_t b = 0; b <= blocks; b++)
    for (int a = 0; a < CLIP_AXES; a++) {
      const double x = vector[clip_block_start(b, frames)][a] / step;
      if (!(x < (1 << (CLIP_KNOT_BITS - 1)) - 1 && x > -(1 << (CLIP_KNOT_BITS - 1)) + 1))
        return *fits = false, QUATSIMD_OK;
      curve->knot[b][a] = (int32_t)(x < 0 ? x - 0.5 : x + 0.5);
      const unsigned width = clip_width(curve->knot[b][a]);
      if (width > curve->width[a]) curve->width[a] = (uint8_t)width;
    }
  for (size_t b = 0; b < blocks; b += every) {
    const size_t first = clip_block_start(b, frames), intervals = clip_block_start(b + 1, frames) - first;
    quatsimd_clip_problem *p = &e->problem[intervals];
    moving_block *block = &curve->block[b];
    int32_t raw[CLIP_AXES * CLIP_INNER];
    p->unit = (float)unit;
    for (size_t t = 1; t < intervals; t++) {
      const double *v = vector[first + t], m = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      const double bound = coded->kind == QUATSIMD_CLIP_ROTATION ? unit * (1 + m) : unit;
      p->weight[t - 1] = (float)(1 / (bound * bound));
      for (int a = 0; a < CLIP_AXES; a++)
        p->residual[a][t - 1] = (float)(v[a] - step *
                                                   ((double)curve->knot[b][a] * (double)(intervals - t) +
                                                    (double)curve->knot[b + 1][a] * (double)t) /
                                                   (double)intervals);
    }
    e->kernels->search(&block->choice, p);
    const size_t raw_bytes = choose_raw(raw, p, step);
    if (raw_bytes < block->choice.bytes) {
      block->choice.code = CLIP_RAW;
      block->choice.bytes = (uint16_t)raw_bytes;
      memset(block->choice.profile, 0, sizeof block->choice.profile);
      block->raw = quatsimd_take(&e->memory, CLIP_AXES * p->inner, sizeof *block->raw);
      if (!block->raw) return QUATSIMD_ERROR_NO_MEMORY;
      memcpy(block->raw, raw, CLIP_AXES * p->inner * sizeof *raw);
    } else if (block->choice.code == CLIP_RAW) return *fits = false, QUATSIMD_OK;
    curve->bytes += block->choice.bytes;
  }
  return QUATSIMD_OK;
}

static int compare_curves(const void *a, const void *b) {
  const moving_curve *p = *(moving_curve *const *)a, *q = *(moving_curve *const *)b;
  const int wide_p = p->width[0] + p->width[1] + p->width[2],
            wide_q = q->width[0] + q->width[1] + q->width[2];
  if (wide_p != wide_q) return wide_p > wide_q ? -1 : 1;
  return p->joint < q->joint ? -1 : 1;
}

static void widest_of_group(uint8_t width[CLIP_AXES], const coded_kind *coded, size_t first) {
  memset(width, 0, CLIP_AXES);
  for (size_t i = first; i < coded->movings && i < first + CLIP_GROUP; i++)
    for (int a = 0; a < CLIP_AXES; a++)
      if (coded->sorted[i]->width[a] > width[a]) width[a] = coded->sorted[i]->width[a];
}

/* Those that move much, and so have wide knots, first. Returns the bytes of all that moves. */
static size_t sort_curves(const encoder *e, coded_kind *coded) {
  for (size_t i = 0; i < coded->movings; i++) coded->sorted[i] = &coded->moving[i];
  qsort(coded->sorted, coded->movings, sizeof(void *), compare_curves);
  size_t row = 0, payload = 0;
  for (size_t first = 0; first < coded->movings; first += CLIP_GROUP) {
    uint8_t width[CLIP_AXES];
    widest_of_group(width, coded, first);
    row += clip_row_bytes(width, clip_curves(coded->movings, first / CLIP_GROUP));
  }
  for (size_t i = 0; i < coded->movings; i++) payload += coded->moving[i].bytes;
  return payload + row * (clip_blocks(e->grid.frames) + 1) + coded->movings * (coded->axes ? 8 : 4);
}

/* What a curve costs by itself: eighths of a byte. */
static size_t cost_of(const moving_curve *curve, size_t blocks) {
  return 8 * curve->bytes + ((size_t)curve->width[0] + curve->width[1] + curve->width[2]) * (blocks + 1);
}

/* Does a curve cost less without principal axes? By a sample of its blocks. */
static quatsimd_status less_without(encoder *e, const coded_kind *coded, moving_curve with,
                                    double (*vector)[3], moving_curve other, double (*other_vector)[3],
                                    bool *less) {
  enum { EVERY = 8 };
  const size_t blocks = clip_blocks(e->grid.frames) / EVERY;
  struct piece *mark = e->memory.last;
  bool fits = false, other_fits = false;
  quatsimd_status status = encode_curve(e, coded, &with, vector, EVERY, &fits);
  if (status == QUATSIMD_OK) status = encode_curve(e, coded, &other, other_vector, EVERY, &other_fits);
  *less = other_fits && (!fits || cost_of(&other, blocks) < cost_of(&with, blocks));
  quatsimd_release(&e->memory, mark);
  return status;
}

/* Encodes all that moves; rotations with principal axes where these pay. If they are given, all have them,
 * `without` gets what the curves are without, and `mixed` the shorter ones of both. */
static quatsimd_status encode_moving(encoder *e, coded_kind *coded, moving_curve *without,
                                     moving_curve *mixed) {
  const size_t frames = e->grid.frames, blocks = clip_blocks(frames);
  const bool rotation = coded->kind == QUATSIMD_CLIP_ROTATION;
  double(*value)[CLIP_MOST_COMPONENTS] = quatsimd_take(&e->memory, frames, sizeof *value);
  double(*vector)[3] = quatsimd_take(&e->memory, frames, sizeof *vector),
  (*other_vector)[3] = quatsimd_take(&e->memory, frames, sizeof *vector);
  if (!value || !vector || !other_vector) return QUATSIMD_ERROR_NO_MEMORY;
  size_t kept = 0;
  for (size_t i = 0; i < coded->movings; i++) {
    moving_curve with = coded->moving[i], other = with;
    bool fits, other_fits = true, less = false;
    quatsimd_curve_frames(clip_curve(&e->source->joint[with.joint], coded->kind), coded->kind, &e->grid,
                          value);
    if (e->options->loop) quatsimd_close_loop(coded->kind, value, frames);
    quatsimd_tangent_space(&with.space, vector, value, frames, coded->kind, rotation);
    if (rotation) quatsimd_tangent_space(&other.space, other_vector, value, frames, coded->kind, false);
    quatsimd_status status = QUATSIMD_OK;
    if (rotation && !without) status = less_without(e, coded, with, vector, other, other_vector, &less);
    if (less) with = other;
    if (status == QUATSIMD_OK) status = encode_curve(e, coded, &with, less ? other_vector : vector, 1, &fits);
    if (status == QUATSIMD_OK && without)
      status = encode_curve(e, coded, &other, other_vector, 1, &other_fits);
    if (status != QUATSIMD_OK) return status;
    if (!fits || !other_fits) {
      coded->state[with.joint] = CLIP_KEYED;
      continue;
    }
    if (without)
      without[kept] = other, mixed[kept] = cost_of(&other, blocks) < cost_of(&with, blocks) ? other : with;
    coded->moving[kept++] = with;
  }
  coded->movings = kept;
  return QUATSIMD_OK;
}

static quatsimd_status encode_kind(encoder *e, int kind) {
  coded_kind *coded = &e->coded[kind];
  const bool rotation = kind == QUATSIMD_CLIP_ROTATION, several = rotation && e->grid.frames < TRY_SEVERAL;
  for (size_t j = 0; j < e->source->joints; j++) {
    if (rotation && coded->state[j] == CLIP_CONST && coded->precision[j] > e->precision)
      coded->state[j] = CLIP_MOVING;
    if (coded->state[j] == CLIP_MOVING)
      coded->moving[coded->movings++] = (moving_curve){.joint = j, .unit = coded->unit_of[j]};
  }
  choose_units(coded);
  moving_curve *way[3] = {coded->moving, NULL, NULL}; /* with principal axes, without them, with some */
  for (int i = 1; several && i < 3; i++)
    if (!(way[i] = quatsimd_take(&e->memory, coded->movings + 1, sizeof *coded->moving)))
      return QUATSIMD_ERROR_NO_MEMORY;
  const quatsimd_status status = encode_moving(e, coded, way[1], way[2]);
  if (status != QUATSIMD_OK) return status;
  size_t least = SIZE_MAX;
  int best = 0;
  for (int i = 0; i < (several ? 3 : 1); i++) {
    coded->moving = way[i], coded->axes = rotation && i != 1;
    const size_t bytes = sort_curves(e, coded);
    if (bytes < least) least = bytes, best = i;
  }
  coded->moving = way[best], coded->axes = rotation && best != 1;
  sort_curves(e, coded);
  return QUATSIMD_OK;
}

/* ---- bytes ---- */

static void put_values(clip_bytes *bytes, const encoder *e, int kind, double (*value)[CLIP_MOST_COMPONENTS],
                       size_t keys) {
  const size_t size = clip_constant_bytes(kind, e->precision);
  for (size_t k = 0; k < keys; k++) {
    double back[CLIP_MOST_COMPONENTS];
    unsigned char *p = quatsimd_clip_append(bytes, size);
    if (p) store_value(p, back, kind, e->precision, value[k]);
  }
}

static void write_masks(clip_bytes *bytes, const encoder *e, const coded_kind *coded) {
  unsigned char *masks = quatsimd_clip_append(bytes, (e->source->joints + 3) / 4);
  for (size_t j = 0; masks && j < e->source->joints; j++)
    masks[j / 4] |= (unsigned char)(coded->state[j] << j % 4 * 2);
}

static size_t block_bytes(const coded_kind *coded, size_t b) {
  size_t size = (coded->movings + 1) / 2 + CLIP_AXES * coded->movings;
  for (size_t i = 0; i < coded->movings; i++) size += coded->moving[i].block[b].choice.bytes;
  return size;
}

static void write_plan(clip_bytes *bytes, const encoder *e, const coded_kind *coded, bool wide) {
  const size_t groups = (coded->movings + CLIP_GROUP - 1) / CLIP_GROUP, blocks = clip_blocks(e->grid.frames),
               end_bytes = wide ? 4 : 2;
  unsigned char *p = quatsimd_clip_append(bytes, 4 + CLIP_AXES * groups + end_bytes * blocks +
                                                     (coded->units ? coded->movings : 0));
  if (!p) return;
  clip_put_float(p, coded->unit);
  p += 4;
  for (size_t g = 0; g < groups; g++, p += CLIP_AXES) widest_of_group(p, coded, CLIP_GROUP * g);
  size_t end = 0;
  for (size_t b = 0; b < blocks; b++, p += end_bytes) clip_put(p, end += block_bytes(coded, b), end_bytes);
  for (size_t i = 0; coded->units && i < coded->movings; i++)
    *p++ = (unsigned char)coded->sorted[i]->exponent;
}

static unsigned char *write_channel(unsigned char *p, unsigned profile, const int16_t *q) {
  for (int k = 0; k < CLIP_INNER; k++)
    clip_put_bits(p, quatsimd_clip_offsets[profile][k], quatsimd_clip_widths[profile][k], q[k]);
  return p + quatsimd_clip_bytes[profile];
}

static unsigned char *write_raw(unsigned char *p, const int32_t *raw, size_t inner, size_t bytes) {
  size_t at = 8 * CLIP_AXES;
  for (size_t a = 0; a < CLIP_AXES; a++, raw += inner) {
    unsigned width = 0;
    for (size_t t = 0; t < inner; t++) width = clip_width(raw[t]) > width ? clip_width(raw[t]) : width;
    p[a] = (unsigned char)width;
    for (size_t t = 0; t < inner; t++, at += width) clip_put_bits(p, at, width, raw[t]);
  }
  return p + bytes;
}

static void write_block(clip_bytes *bytes, const encoder *e, const coded_kind *coded, size_t b) {
  const size_t inner = clip_block_start(b + 1, e->grid.frames) - clip_block_start(b, e->grid.frames) - 1,
               movings = coded->movings;
  unsigned char *codes = quatsimd_clip_append(bytes, block_bytes(coded, b)),
                *profiles = codes ? codes + (movings + 1) / 2 : NULL;
  unsigned char *p = codes ? profiles + CLIP_AXES * movings : NULL;
  for (size_t first = 0; codes && first < movings; first += CLIP_GROUP) {
    const size_t curves = clip_curves(movings, first / CLIP_GROUP);
    for (size_t a = 0; a < CLIP_AXES; a++)
      for (size_t i = first; i < first + curves; i++) {
        const quatsimd_clip_choice *choice = &coded->sorted[i]->block[b].choice;
        *profiles++ = choice->profile[a];
        if (choice->code != CLIP_RAW) p = write_channel(p, choice->profile[a], choice->q[a]);
      }
    for (size_t i = first; i < first + curves; i++) {
      const moving_block *block = &coded->sorted[i]->block[b];
      codes[i / 2] |= (unsigned char)(block->choice.code << i % 2 * 4);
      if (block->choice.code == CLIP_RAW) p = write_raw(p, block->raw, inner, block->choice.bytes);
    }
  }
}

static void write_blocks(clip_bytes *bytes, const encoder *e, const coded_kind *coded) {
  for (size_t b = 0; coded->movings && b < clip_blocks(e->grid.frames); b++) write_block(bytes, e, coded, b);
}

static void write_knots(clip_bytes *bytes, const encoder *e, const coded_kind *coded) {
  for (size_t b = 0; coded->movings && b <= clip_blocks(e->grid.frames); b++)
    for (size_t first = 0; first < coded->movings; first += CLIP_GROUP) {
      const size_t curves = clip_curves(coded->movings, first / CLIP_GROUP);
      uint8_t width[CLIP_AXES];
      widest_of_group(width, coded, first);
      unsigned char *p = quatsimd_clip_append(bytes, clip_row_bytes(width, curves));
      for (int a = 0; p && a < CLIP_AXES; a++) {
        for (size_t i = 0; i < curves; i++)
          clip_put_bits(p, i * width[a], width[a], coded->sorted[first + i]->knot[b][a]);
        p += (width[a] * curves + 7) / 8;
      }
    }
}

static void write_bases(clip_bytes *bytes, const encoder *e, const coded_kind *coded) {
  for (size_t i = 0; i < coded->movings; i++) {
    unsigned char *p = quatsimd_clip_append(bytes, coded->kind == QUATSIMD_CLIP_ROTATION ? 4 : 12);
    if (p && coded->kind == QUATSIMD_CLIP_ROTATION) clip_put(p, coded->sorted[i]->space.right, 4);
    else
      for (int a = 0; p && a < CLIP_AXES; a++) clip_put_float(p + 4 * a, coded->sorted[i]->space.middle[a]);
  }
  for (size_t i = 0; coded->axes && i < coded->movings; i++) {
    unsigned char *p = quatsimd_clip_append(bytes, 4);
    if (p) clip_put(p, coded->sorted[i]->space.left, 4);
  }
  const size_t slot_bytes = clip_slot_bytes(e->source->joints);
  for (size_t i = 0; i < coded->movings; i++) {
    unsigned char *p = quatsimd_clip_append(bytes, slot_bytes);
    if (p) clip_put(p, coded->sorted[i]->joint, slot_bytes);
  }
}

/* A single key, which may have none, has a time that does not matter. */
static double time_of_key(const encoder *e, const quatsimd_curve *curve, size_t k) {
  return curve->keys > 1 ? curve->times[k] : e->grid.start;
}

static quatsimd_status write_still(clip_bytes *bytes, encoder *e, const coded_kind *coded) {
  struct piece *mark = e->memory.last;
  for (unsigned state = CLIP_CONST; state <= CLIP_KEYED; state += CLIP_KEYED - CLIP_CONST)
    for (size_t j = 0; j < e->source->joints; j++) {
      if (coded->state[j] != state) continue;
      const quatsimd_curve *curve = clip_curve(&e->source->joint[j], coded->kind);
      double(*value)[CLIP_MOST_COMPONENTS] = quatsimd_take(&e->memory, curve->keys, sizeof *value);
      double(*vector)[3] =
          state == CLIP_CONST ? quatsimd_take(&e->memory, curve->keys, sizeof *vector) : NULL;
      if (!value || (state == CLIP_CONST && !vector)) return QUATSIMD_ERROR_NO_MEMORY;
      load_keys(curve, coded->kind, value);
      if (state == CLIP_CONST) {
        double middle[CLIP_MOST_COMPONENTS];
        middle_value(middle, value, curve->keys, coded->kind, vector);
        put_values(bytes, e, coded->kind, &middle, 1);
      } else {
        bool in_float = true;
        for (size_t k = 0; k < curve->keys; k++)
          in_float = in_float && (double)(float)time_of_key(e, curve, k) == time_of_key(e, curve, k);
        const size_t time_bytes = in_float ? 4 : 8;
        unsigned char *p = quatsimd_clip_append(bytes, 4 + time_bytes * curve->keys);
        if (p)
          clip_put(p, curve->keys | (curve->step ? CLIP_KEYED_STEP : 0) | (in_float ? 0 : CLIP_KEYED_DOUBLE),
                   4);
        for (size_t k = 0; p && k < curve->keys; k++) {
          if (in_float) clip_put_float(p + 4 + 4 * k, (float)time_of_key(e, curve, k));
          else clip_put_double(p + 4 + 8 * k, time_of_key(e, curve, k));
        }
        put_values(bytes, e, coded->kind, value, curve->keys);
      }
      quatsimd_release(&e->memory, mark);
    }
  return QUATSIMD_OK;
}

/* The whole clip; QUATSIMD_ERROR_NO_MEMORY leaves nothing. */
static quatsimd_status write_clip(clip_bytes *bytes, encoder *e) {
  const coded_kind *rotation = &e->coded[QUATSIMD_CLIP_ROTATION];
  unsigned flags = (e->options->loop ? CLIP_LOOPS : 0) | (unsigned)e->options->additive * CLIP_ADDITIVE |
                   (e->grid.start != 0 && !e->grid.times ? CLIP_HAS_START : 0) |
                   (rotation->axes && rotation->movings ? CLIP_HAS_AXES : 0) | e->precision * CLIP_CONSTANT;
  bool wide[QUATSIMD_CLIP_KINDS] = {false}, there[QUATSIMD_CLIP_KINDS] = {false};
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    const coded_kind *coded = &e->coded[kind];
    size_t size = 0;
    for (size_t b = 0; coded->movings && b < clip_blocks(e->grid.frames); b++) size += block_bytes(coded, b);
    wide[kind] = size > UINT16_MAX;
    if (size > UINT32_MAX) return clip_refuse_all(e->report, too_large);
    for (size_t j = 0; j < e->source->joints; j++) there[kind] = there[kind] || coded->state[j] != CLIP_NONE;
    if (there[kind]) flags |= CLIP_HAS_KIND << kind;
    if (coded->units && coded->movings) flags |= CLIP_HAS_UNITS << kind;
    if (wide[kind]) flags |= CLIP_WIDE << kind;
  }
  const bool started = (flags & CLIP_HAS_START) != 0;
  unsigned char *head = quatsimd_clip_append(bytes, CLIP_HEAD + (started ? 8 : 0));
  if (head) {
    clip_put(head + CLIP_AT_MAGIC, CLIP_MAGIC, 4);
    clip_put(head + CLIP_AT_JOINTS, e->source->joints, 4);
    clip_put(head + CLIP_AT_FRAMES, e->grid.frames, 4);
    clip_put_double(head + CLIP_AT_RATE, e->grid.rate);
    clip_put(head + CLIP_AT_FLAGS, flags, 2);
    if (started) clip_put_double(head + CLIP_HEAD, e->grid.start);
  }
  unsigned char *times = e->grid.times ? quatsimd_clip_append(bytes, 4 * e->grid.frames) : NULL;
  for (size_t f = 0; times && f < e->grid.frames; f++) clip_put_float(times + 4 * f, e->grid.times[f]);
#define EACH_KIND                                                                                            \
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)                                                     \
    if (there[kind])
  EACH_KIND write_masks(bytes, e, &e->coded[kind]);
  EACH_KIND if (e->coded[kind].movings) write_plan(bytes, e, &e->coded[kind], wide[kind]);
  EACH_KIND write_blocks(bytes, e, &e->coded[kind]);
  EACH_KIND write_knots(bytes, e, &e->coded[kind]);
  const size_t knots_end = bytes->size;
  quatsimd_status status = QUATSIMD_OK;
  EACH_KIND {
    write_bases(bytes, e, &e->coded[kind]);
    if (status == QUATSIMD_OK) status = write_still(bytes, e, &e->coded[kind]);
  }
#undef EACH_KIND
  bool moving = false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) moving = moving || e->coded[kind].movings > 0;
  if (moving && bytes->size < knots_end + CLIP_OVERREAD)
    quatsimd_clip_append(bytes, knots_end + CLIP_OVERREAD - bytes->size);
  if (bytes->failed || status != QUATSIMD_OK) return QUATSIMD_ERROR_NO_MEMORY;
  if (bytes->size > UINT32_MAX) return clip_refuse_all(e->report, too_large);
  clip_put(bytes->data + CLIP_AT_SIZE, bytes->size, 4);
  clip_put(bytes->data + CLIP_AT_CHECKSUM, quatsimd_clip_checksum(bytes->data, bytes->size), 4);
  return QUATSIMD_OK;
}

/* ---- the whole ---- */

static void load_rooms(quatsimd_clip_rooms *rooms) {
  for (size_t i = 1; i < CLIP_PROFILES; i++)
    rooms->shorter[i] =
        quatsimd_clip_bytes[i] == quatsimd_clip_bytes[i - 1] ? rooms->shorter[i - 1] : (uint8_t)i;
  for (size_t k = 0; k < CLIP_INNER; k++) {
    for (size_t i = 0; i < CLIP_PROFILES; i++) {
      const unsigned width = quatsimd_clip_widths[i][k];
      rooms->low[i][k] = (float)-(1 << width >> 1);
      rooms->wide[k][width][i / 64] |= (uint64_t)1 << i % 64;
    }
    for (size_t width = CLIP_INNER - 1; width-- > 0;)
      for (size_t i = 0; i < CLIP_PROFILES / 64; i++)
        rooms->wide[k][width][i] |= rooms->wide[k][width + 1][i];
  }
}

static void load_basis(encoder *e) {
  for (size_t intervals = 1; intervals <= CLIP_INTERVALS; intervals++) {
    quatsimd_clip_problem *p = &e->problem[intervals];
    p->inner = intervals - 1;
    p->rooms = &e->rooms;
    for (size_t k = 0; k < p->inner; k++) /* the transform is its own transpose */
      for (size_t t = 0; t < p->inner; t++)
        p->basis[k][t] = (float)quatsimd_clip_row_of(intervals, k + 1)[t] * quatsimd_clip_norm[intervals];
  }
}

static float bound_of(const quatsimd_clip_options *options, const quatsimd_clip_joint *joint, int kind) {
  const float own[] = {joint->rotation_bound, joint->translation_bound, joint->scale_bound};
  const float all[] = {options->rotation_bound, options->translation_bound, options->scale_bound};
  return own[kind] > 0 ? own[kind] : all[kind];
}

/* Additive clips: the source becomes relative to its base. */
static quatsimd_status make_relative(encoder *e) {
  const quatsimd_clip_source *base =
      e->options->additive == QUATSIMD_CLIP_ADDITIVE_BASE ? e->options->base : NULL;
  if (base && base->joints != e->source->joints)
    return clip_refuse_all(e->report, "the base has more or fewer joints");
  const quatsimd_status status = base ? quatsimd_source_check(base, e->report) : QUATSIMD_OK;
  if (status != QUATSIMD_OK) return status;
  const quatsimd_clip_joint *joint = quatsimd_source_relative(&e->memory, e->source, base, e->report);
  if (!joint) return e->report->error ? QUATSIMD_ERROR_BAD_KEY : QUATSIMD_ERROR_NO_MEMORY;
  e->base = base ? base : e->source;
  e->relative = (quatsimd_clip_source){e->source->joints, joint};
  e->source = &e->relative;
  return QUATSIMD_OK;
}

/* What an error of an additive clip is multiplied by once it is put on its base: of scales, the largest
 * one of the base. */
static double error_factor(const encoder *e, int kind, size_t joint) {
  if (!e->base || kind != QUATSIMD_CLIP_SCALE) return 1;
  const quatsimd_curve *curve = &e->base->joint[joint].scale;
  const size_t keys =
      e->options->additive == QUATSIMD_CLIP_ADDITIVE_FIRST && curve->keys > 1 ? 1 : curve->keys;
  double most = keys ? 0 : 1;
  for (size_t i = 0; i < 3 * keys; i++) {
    const double scale = (double)curve->values[i], size = scale < 0 ? -scale : scale;
    if (size > most) most = size;
  }
  return most;
}

static bool load_bounds(encoder *e) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    double *bound = quatsimd_take(&e->memory, e->source->joints + 1, sizeof *bound);
    for (size_t j = 0; bound && j < e->source->joints; j++)
      bound[j] = (double)bound_of(e->options, &e->source->joint[j], kind) / error_factor(e, kind, j);
    e->bound[kind] = bound;
    if (!bound) return false;
  }
  return true;
}

static quatsimd_status encode_once(encoder *e, clip_bytes *bytes) {
  quatsimd_status status = QUATSIMD_OK;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS && status == QUATSIMD_OK; kind++) {
    e->coded[kind] = (coded_kind){0};
    status = sort_out(e, kind);
  }
  if (status == QUATSIMD_OK) choose_precision(e);
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS && status == QUATSIMD_OK; kind++)
    status = encode_kind(e, kind);
  return status == QUATSIMD_OK ? write_clip(bytes, e) : status;
}

/* The worst ratio of an object error to its bound; bounds get tighter where it is above 1. */
static quatsimd_status measure_object(encoder *e, const quatsimd_clip *clip, double *ratio) {
  double *worst = quatsimd_take(&e->memory, e->source->joints + 1, sizeof *worst);
  const quatsimd_status status =
      worst ? quatsimd_object_errors(&e->skeleton, &e->memory, clip, worst) : QUATSIMD_ERROR_NO_MEMORY;
  if (status != QUATSIMD_OK) return status;
  *ratio = 0;
  e->report->worst_object = 0;
  for (size_t j = 0; j < e->source->joints; j++) {
    if ((float)worst[j] > e->report->worst_object) e->report->worst_object = (float)worst[j];
    if (worst[j] > *ratio * (double)e->skeleton.bound[j])
      *ratio = worst[j] / (double)e->skeleton.bound[j], e->worst_joint = j,
      e->worst_kind = QUATSIMD_CLIP_KINDS;
  }
  if (*ratio > 1) quatsimd_object_tighten(&e->skeleton, worst, e->bound);
  return QUATSIMD_OK;
}

/* Encodes and measures; the worst ratio of an error to its bound. */
static quatsimd_status attempt(encoder *e, clip_bytes *bytes, double *ratio) {
  struct piece *mark = e->memory.last;
  quatsimd_clip clip;
  double *worst[QUATSIMD_CLIP_KINDS] = {NULL};
  bytes->size = 0;
  quatsimd_status status = encode_once(e, bytes);
  if (status == QUATSIMD_OK && (status = quatsimd_clip_open(&clip, bytes->data, bytes->size)) != QUATSIMD_OK)
    clip_refuse_all(e->report, "what was made of it is no clip, which should not be; please report it");
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS && status == QUATSIMD_OK; kind++) {
    worst[kind] = quatsimd_take(&e->memory, e->source->joints + 1, sizeof *worst[kind]);
    if (!worst[kind]) status = QUATSIMD_ERROR_NO_MEMORY;
  }
  if (status == QUATSIMD_OK) status = quatsimd_measure(&e->memory, &clip, e->source, worst);
  *ratio = 0;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS && status == QUATSIMD_OK; kind++) {
    e->report->constant[kind] = clip.part[kind].constants, e->report->moving[kind] = clip.part[kind].moving;
    e->report->keyed[kind] = clip.part[kind].keyed, e->report->worst[kind] = 0;
    for (size_t j = 0; j < e->source->joints; j++) {
      const float found = (float)(worst[kind][j] * error_factor(e, kind, j));
      if (found > e->report->worst[kind]) e->report->worst[kind] = found;
      if (worst[kind][j] > *ratio * e->bound[kind][j])
        *ratio = worst[kind][j] / e->bound[kind][j], e->worst_joint = j, e->worst_kind = kind;
    }
  }
  if (status == QUATSIMD_OK && in_object_space(e)) status = measure_object(e, &clip, ratio);
  quatsimd_release(&e->memory, mark);
  return status;
}

static quatsimd_status start_object_space(encoder *e) {
  e->skeleton = (clip_skeleton){.source = e->source,
                                .base = e->base,
                                .first_keys = e->options->additive == QUATSIMD_CLIP_ADDITIVE_FIRST};
  const quatsimd_status status = quatsimd_skeleton(&e->skeleton, &e->memory, e->options, e->report);
  if (status == QUATSIMD_OK) quatsimd_object_bounds(&e->skeleton, e->bound);
  return status;
}

/* No attempt held the bounds: says where the last one was furthest off. In object space that are points,
 * which all curves above move; else it is a curve with keys of its own, as those at frames get finer with
 * each attempt, and its values are fine enough at once. */
static quatsimd_status give_up(const encoder *e, const clip_bytes *bytes) {
  const size_t joint = e->worst_joint;
  const int kind = e->worst_kind;
  quatsimd_clip clip;
  double worst = 0;
  if (kind == QUATSIMD_CLIP_KINDS) return clip_refuse(e->report, joint, kind, CLIP_NOWHERE, out_of_reach);
  const quatsimd_status status = quatsimd_clip_open(&clip, bytes->data, bytes->size);
  if (status != QUATSIMD_OK) return status;
  const size_t key =
      quatsimd_measure_keys(&clip, kind, joint, clip_curve(&e->source->joint[joint], kind), &worst);
  /* with the base's keys: numbers are not the source's */
  const bool merged = e->options->additive == QUATSIMD_CLIP_ADDITIVE_BASE;
  return clip_refuse(e->report, joint, kind, merged ? CLIP_NOWHERE : key,
                     "sampling at the key's time is off by more than the bound: another key or a frame is "
                     "too near in time to be told from it");
}

static quatsimd_status encode(encoder *e, clip_bytes *bytes) {
  enum { ATTEMPTS = 8, OBJECT_ATTEMPTS = 32 };
  quatsimd_status status = quatsimd_source_check(e->source, e->report);
  if (status == QUATSIMD_OK && e->options->additive) status = make_relative(e);
  if (status != QUATSIMD_OK) return status;
  clip_grid *grid = &e->grid;
  status = quatsimd_source_grid(&e->memory, e->source, e->options->rate, grid, e->report);
  if (status != QUATSIMD_OK) return status;
  if (grid->rate > 0x1p+100)
    return clip_refuse_all(e->report,
                           "the animation is so short that frames would be less than 2^-100 seconds apart");
  e->report->rate = grid->rate, e->report->frames = grid->frames;
  if (!load_bounds(e)) return QUATSIMD_ERROR_NO_MEMORY;
  load_rooms(&e->rooms);
  load_basis(e);
  if (in_object_space(e)) status = start_object_space(e);
  if (status != QUATSIMD_OK) return status;
  for (int i = 0; i < (in_object_space(e) ? OBJECT_ATTEMPTS : ATTEMPTS); i++) {
    /* rounding was worse than the slack for it: hardly ever */
    if (i > 0 && !in_object_space(e)) e->tighter *= 0.98;
    double ratio;
    status = attempt(e, bytes, &ratio);
    if (status != QUATSIMD_OK || ratio <= 1) return status;
  }
  return give_up(e, bytes);
}

static bool good_bound(float bound, float most) { return bound == 0 || (bound > 0 && bound <= most); }

/* What is wrong with bounds, of the options or a joint, and of which kind. */
static const char *bounds_error(float rotation, float translation, float scale, float object, float distance,
                                int *kind) {
  *kind = QUATSIMD_CLIP_ROTATION;
  if (!good_bound(rotation, 1) || (rotation > 0 && rotation < 1e-5f))
    return "rotation_bound is not 0 or from 1e-5 to 1";
  *kind = QUATSIMD_CLIP_TRANSLATION;
  if (!good_bound(translation, 0x1p+60f)) return "translation_bound is not from 0 to 2^60";
  *kind = QUATSIMD_CLIP_SCALE;
  if (!good_bound(scale, 0x1p+60f)) return "scale_bound is not from 0 to 2^60";
  *kind = QUATSIMD_CLIP_KINDS;
  if (!good_bound(object, 0x1p+60f)) return "object_bound is not from 0 to 2^60";
  return good_bound(distance, 0x1p+60f) ? NULL : "object_distance is not from 0 to 2^60";
}

static const char *options_error(const quatsimd_clip_options *o, int *kind) {
  const char *error = bounds_error(o->rotation_bound, o->translation_bound, o->scale_bound, o->object_bound,
                                   o->object_distance, kind);
  if (error) return error;
  if (o->rate != 0 && !(o->rate >= 0x1p-100 && o->rate <= 0x1p+60))
    return "rate is not 0 or from 2^-100 to 2^60";
  if (o->loop != 0 && o->loop != 1) return "loop is not 0 or 1";
  if (o->additive < QUATSIMD_CLIP_ADDITIVE_NONE || o->additive > QUATSIMD_CLIP_ADDITIVE_BASE)
    return "additive is not from 0 to 2";
  return o->additive == QUATSIMD_CLIP_ADDITIVE_BASE && !o->base ? "base is null" : NULL;
}

static quatsimd_status check_arguments(const quatsimd_clip_source *source,
                                       const quatsimd_clip_options *options, quatsimd_clip_report *report) {
  int kind;
  const char *error = options_error(options, &kind);
  if (error) return clip_refuse(report, CLIP_NOWHERE, kind, CLIP_NOWHERE, error);
  for (size_t j = 0; source->joint && source->joints <= CLIP_MOST_JOINTS && j < source->joints; j++) {
    const quatsimd_clip_joint *joint = &source->joint[j];
    error = bounds_error(joint->rotation_bound, joint->translation_bound, joint->scale_bound,
                         joint->object_bound, joint->object_distance, &kind);
    if (error) return clip_refuse(report, j, kind, CLIP_NOWHERE, error);
  }
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_clip_encode(const quatsimd_clip_source *source, const quatsimd_clip_options *options,
                                     void **data, size_t *size, quatsimd_clip_report *report) {
  quatsimd_clip_report unwanted;
  if (!report) report = &unwanted;
  *report = (quatsimd_clip_report){0};
  if (!source || !options || !data || !size)
    return clip_refuse_all(report, "source, options, data or size is null");
  quatsimd_status status = check_arguments(source, options, report);
  if (status != QUATSIMD_OK) return status;
  const quatsimd_allocator *allocator = options->allocator;
  encoder *e = quatsimd_allocate(allocator, sizeof *e);
  if (!e) return QUATSIMD_ERROR_NO_MEMORY;
  memset(e, 0, sizeof *e);
  e->source = source, e->options = options, e->report = report, e->kernels = quatsimd_active_kernels()->clip,
  e->tighter = 1;
  e->memory.allocator = allocator;
  clip_bytes bytes = {.allocator = allocator};
  status = encode(e, &bytes);
  quatsimd_release(&e->memory, NULL);
  quatsimd_clip_free(allocator, e);
  void *const fitting = status == QUATSIMD_OK ? quatsimd_allocate(allocator, bytes.size) : NULL;
  if (fitting) *data = memcpy(fitting, bytes.data, bytes.size), *size = bytes.size;
  else if (status == QUATSIMD_OK) status = QUATSIMD_ERROR_NO_MEMORY;
  quatsimd_clip_free(allocator, bytes.data);
  return status;
}
