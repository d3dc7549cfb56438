/* Which curves are absent, constant, moving, or keyed. */
#include "core/arithmetic.h"
#include "clip/constant.h"
#include "clip/encode/encoder.h"

/* What float arithmetic costs when a clip is sampled, taken off the bounds: radians; of lengths, times the
 * largest component. */
#define ROTATION_SLACK 1e-6
#define LENGTH_SLACK (8 * 0x1p-24)

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

void quatsimd_encode_value(unsigned char *bytes, double back[CLIP_MOST_COMPONENTS], int kind,
                           unsigned precision, const double *value) {
  float v[CLIP_MOST_COMPONENTS];
  for (size_t i = 0; i < clip_components(kind); i++) v[i] = (float)value[i];
  quatsimd_constant_store(bytes, kind, precision, v);
  quatsimd_constant_load(v, kind, precision, bytes, 1);
  for (size_t i = 0; i < clip_components(kind); i++) back[i] = v[i];
}

void quatsimd_encode_middle(double middle[CLIP_MOST_COMPONENTS], double (*value)[CLIP_MOST_COMPONENTS],
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

/* CLIP_ABSENT, CLIP_CONSTANT with the precision it needs, CLIP_MOVING for all else. */
static unsigned state_of_still(clip_encoder *e, int kind, size_t joint, double (*value)[CLIP_MOST_COMPONENTS],
                               double (*vector)[3], size_t keys) {
  const double bound = e->bound[kind][joint];
  clip_coded_kind *coded = &e->coded[kind];
  if (all_within(kind, value, keys, none[kind], bound)) return CLIP_ABSENT;
  if (!all_within(kind, value, keys, value[0], 2 * bound)) return CLIP_MOVING;
  double middle[CLIP_MOST_COMPONENTS], back[CLIP_MOST_COMPONENTS];
  unsigned char bytes[12];
  quatsimd_encode_middle(middle, value, keys, kind, vector);
  const unsigned coarsest = kind == QUATSIMD_CLIP_ROTATION ? 0 : CLIP_PRECISIONS - 1;
  for (unsigned precision = coarsest; precision < CLIP_PRECISIONS; precision++) {
    quatsimd_encode_value(bytes, back, kind, precision, middle);
    if (!all_within(kind, value, keys, back, bound)) continue;
    coded->precision[joint] = (uint8_t)precision;
    return CLIP_CONSTANT;
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
static double unit_of(const clip_encoder *e, int kind, size_t joint, double (*value)[CLIP_MOST_COMPONENTS],
                      size_t keys) {
  const quatsimd_curve *curve = clip_curve(&e->source->joint[joint], kind);
  double bound = e->bound[kind][joint];
  if (clip_holds(curve) || e->grid.frames < 2) return 0;
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

void quatsimd_encode_keys(const quatsimd_curve *curve, int kind, double (*value)[CLIP_MOST_COMPONENTS]) {
  for (size_t k = 0; k < curve->keys; k++) quatsimd_curve_key(curve, kind, k, value[k]);
}

/* Units are of one for all and 2^-16 of that at least: what needs a finer one has its own keys. */
static void key_finest(clip_coded_kind *coded, size_t joints) {
  double most = 0;
  for (size_t j = 0; j < joints; j++)
    if (coded->state[j] == CLIP_MOVING && coded->unit_of[j] > most) most = coded->unit_of[j];
  for (size_t j = 0; j < joints; j++) {
    if (coded->unit_of[j] >= most * 0x1p-15) continue;
    coded->unit_of[j] = 0;
    if (coded->state[j] == CLIP_MOVING) coded->state[j] = CLIP_KEYED;
  }
}

quatsimd_status quatsimd_encode_classify(clip_encoder *e, int kind) {
  clip_coded_kind *coded = &e->coded[kind];
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
                         clip_in_object_space(e)
                             ? quatsimd_out_of_reach
                             : "there is no bound for this curve, neither the joint's nor the options'");
    quatsimd_encode_keys(curve, kind, value);
    if (e->options->loop && curve->keys > 1 &&
        !(quatsimd_value_error(kind, value[0], value[curve->keys - 1]) <= e->bound[kind][j] / 4)) {
      clip_refuse(
          e->report, j, kind, curve->keys - 1,
          "the loop does not close: the last key differs from the first by more than a quarter of the bound");
      return QUATSIMD_ERROR_BAD_KEY;
    }
    coded->state[j] = (uint8_t)state_of_still(e, kind, j, value, vector, curve->keys);
    coded->unit_of[j] = coded->state[j] == CLIP_ABSENT ? 0 : unit_of(e, kind, j, value, curve->keys);
    if (coded->state[j] == CLIP_MOVING && !(coded->unit_of[j] > 0)) coded->state[j] = CLIP_KEYED;
  }
  quatsimd_release(&e->memory, mark);
  key_finest(coded, joints);
  return QUATSIMD_OK;
}

void quatsimd_encode_precision(clip_encoder *e) {
  const clip_coded_kind *coded = &e->coded[QUATSIMD_CLIP_ROTATION];
  size_t least = SIZE_MAX;
  unsigned needed = 0;
  for (size_t j = 0; j < e->source->joints; j++) {
    if (coded->state[j] == CLIP_CONSTANT && !(coded->unit_of[j] > 0) && coded->precision[j] > needed)
      needed = coded->precision[j];
    while (coded->state[j] == CLIP_KEYED && needed < CLIP_PRECISIONS - 1 &&
           quatsimd_clip_precision_error[needed] > e->bound[QUATSIMD_CLIP_ROTATION][j])
      needed++;
  }
  for (unsigned p = needed; p < CLIP_PRECISIONS; p++) {
    size_t cost = 0;
    for (size_t j = 0; j < e->source->joints; j++)
      if (coded->state[j] == CLIP_CONSTANT)
        cost += coded->precision[j] <= p ? clip_constant_bytes(QUATSIMD_CLIP_ROTATION, p)
                                         : 16 + 6 * clip_blocks(e->grid.frames);
    if (cost < least) least = cost, e->precision = p;
  }
}
