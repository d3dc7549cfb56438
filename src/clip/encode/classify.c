/* Decides which curves are absent, at rest, constant, moving or keyed. */
#include "clip/constant.h"
#include "clip/encode/encoder.h"

/* The errors of sampling in float arithmetic, by which bounds are reduced. */
#define ROTATION_SLACK 1e-6        /* radians */
#define LENGTH_SLACK (8 * 0x1p-24) /* times the curve's largest component */
/* A rotation's own keys may use this part of its bound: between keys, errors grow by up to its reciprocal. */
#define KEYED_SHARE 0.86

/* Returns a number slightly below sin(x), for x from 0 to 0.25. */
static double sine_below(double x) {
  const double y = x * x;
  return x * (1 - y * (1.0 / 6 - y * (1.0 / 120 - y / 5040)));
}

/* ---- curves that do not move ---- */

static bool all_within(int kind, clip_value *value, size_t count, const double *other, double bound) {
  for (size_t f = 0; f < count; f++) {
    double v[CLIP_MOST_COMPONENTS];
    clip_widen(v, value[f], kind);
    if (!(quatsimd_value_error(kind, v, other) <= bound)) return false;
  }
  return true;
}

void quatsimd_encode_value(unsigned char *bytes, float back[CLIP_MOST_COMPONENTS], int kind,
                           unsigned precision, const float *value) {
  quatsimd_constant_store(bytes, kind, precision, value);
  quatsimd_constant_load(back, kind, precision, bytes, 1);
}

void quatsimd_encode_middle(clip_value middle, clip_value *value, size_t count, int kind,
                            clip_vector *vector) {
  clip_tangent_space space;
  memcpy(middle, value[0], sizeof(clip_value));
  if (count == 1) return;
  quatsimd_tangent_space(&space, vector, value, count, kind, (clip_bases){0});
  if (kind == QUATSIMD_CLIP_ROTATION) {
    double v[3], q[CLIP_MOST_COMPONENTS];
    for (int i = 0; i < 3; i++) {
      double low = vector[0][i], high = low;
      for (size_t f = 1; f < count; f++)
        low = vector[f][i] < low ? vector[f][i] : low, high = vector[f][i] > high ? vector[f][i] : high;
      v[i] = (low + high) / 2;
    }
    const clip_sides sides = quatsimd_tangent_sides(&space);
    quatsimd_tangent_back(q, &sides, v);
    for (int i = 0; i < 4; i++) middle[i] = (float)clip_kept(q[i]);
  } else {
    for (int i = 0; i < 3; i++) middle[i] = space.middle[i];
  }
}

/* Returns the state of a curve: moving unless one value holds the bound at all keys. Notes the formats in
 * which it does. If only floats do, the curve is keyed, with one key. */
static unsigned state_of_still(clip_encoder *e, int kind, size_t joint, clip_value *value,
                               clip_vector *vector, size_t keys) {
  /* rotations in floats are off by up to 3e-7 radians */
  const double bound = e->bound[kind][joint] - (kind == QUATSIMD_CLIP_ROTATION ? 3e-7 : 0);
  clip_coded_kind *coded = &e->coded[kind];
  double other[CLIP_MOST_COMPONENTS];
  const bool exact = clip_is_exact(e, kind, joint), floats = exact || e->retry[kind][joint].floats;
  if (e->retry[kind][joint].moves || (exact && keys > 1)) return QUATSIMD_CLIP_MOVING;
  clip_rest_value(other, e, kind, joint);
  if (!floats && all_within(kind, value, keys, other, bound)) return QUATSIMD_CLIP_REST;
  clip_widen(other, value[0], kind);
  if (keys > 1 && !all_within(kind, value, keys, other, 2 * bound)) return QUATSIMD_CLIP_MOVING;
  float middle[CLIP_MOST_COMPONENTS], back[CLIP_MOST_COMPONENTS];
  unsigned char bytes[12];
  quatsimd_encode_middle(middle, value, keys, kind, vector);
  for (unsigned p = 0; !floats && p < (kind == QUATSIMD_CLIP_ROTATION ? CLIP_PRECISIONS : 1); p++) {
    quatsimd_encode_value(bytes, back, kind, p, middle);
    clip_widen(other, back, kind);
    if (all_within(kind, value, keys, other, bound)) coded->formats[joint] |= (uint8_t)(1u << p);
  }
  if (coded->formats[joint]) return QUATSIMD_CLIP_CONSTANT;
  clip_widen(other, middle, kind);
  if (keys > 1 && !all_within(kind, value, keys, other, bound)) return QUATSIMD_CLIP_MOVING;
  coded->stored[joint] = CLIP_STORED_FLOATS | CLIP_STORED_MIDDLE;
  return QUATSIMD_CLIP_KEYED;
}

/* ---- curves that move ---- */

/* Returns the largest error at keys when frames are interpolated, or the first error above `most`. */
static double between_error(const quatsimd_curve *curve, int kind, const clip_grid *grid, double most) {
  double worst = 0;
  for (size_t k = 0; k < curve->key_count; k++) {
    const double time = curve->times[k];
    const size_t frame = quatsimd_grid_frame(grid, time);
    const size_t next = frame + 1 < grid->frames ? frame + 1 : frame;
    const double from = clip_grid_time(grid, frame), to = clip_grid_time(grid, next);
    double a[CLIP_MOST_COMPONENTS], b[CLIP_MOST_COMPONENTS], key[CLIP_MOST_COMPONENTS];
    quatsimd_curve_at(curve, kind, from, a);
    quatsimd_curve_at(curve, kind, to, b);
    quatsimd_curve_key(curve, kind, k, key);
    quatsimd_value_between(kind, a, b, time > from && to > from ? (time - from) / (to - from) : 0, 0, a);
    const double error = quatsimd_value_error(kind, a, key);
    if (!(error <= worst)) worst = error;
    if (!(worst <= most)) break;
  }
  return worst;
}

/* Returns the unit of a moving curve, or 0 if it must have its own keys. */
static double unit_of(const clip_encoder *e, int kind, size_t joint, clip_value *value, size_t keys) {
  const quatsimd_curve *curve = clip_curve(e->source, kind, joint);
  const clip_retry *retry = &e->retry[kind][joint];
  const clip_truth truth = quatsimd_encode_truth(e, kind, joint);
  double bound = e->bound[kind][joint];
  if (!clip_is_straight(&truth)) bound -= bound / CLIP_PIECES_PART;
  if (clip_holds(curve) || e->grid.frames < 2 || retry->keyed || clip_is_exact(e, kind, joint)) return 0;
  if (!quatsimd_curve_fits(curve, &e->grid)) {
    const double off = between_error(curve, kind, &e->grid, bound / 4);
    if (!(off <= bound / 4)) return 0;
    bound -= off;
  }
  if (e->options->looping) {
    double first[CLIP_MOST_COMPONENTS], last[CLIP_MOST_COMPONENTS];
    clip_widen(first, value[0], kind), clip_widen(last, value[keys - 1], kind);
    bound -= quatsimd_value_error(kind, first, last);
  }
  if (kind == QUATSIMD_CLIP_ROTATION) {
    const double u = sine_below((bound - ROTATION_SLACK) / 4) * retry->finer;
    return u > 0 ? u * (1 - u) : 0;
  }
  double largest = 0;
  for (size_t k = 0; k < keys; k++)
    for (int i = 0; i < 3; i++) {
      if (value[k][i] > largest) largest = value[k][i];
      if (-value[k][i] > largest) largest = -value[k][i];
    }
  const double left = bound - LENGTH_SLACK * largest;
  /* if the unit were below 2^-60, the reciprocal of its square would overflow */
  return left > bound / 2 && left >= 0x1p-60 ? left * retry->finer : 0;
}

void quatsimd_encode_keys(const quatsimd_curve *curve, int kind, clip_value *value) {
  for (size_t k = 0; k < curve->key_count; k++) {
    double key[CLIP_MOST_COMPONENTS];
    quatsimd_curve_key(curve, kind, k, key);
    for (size_t i = 0; i < clip_components(kind); i++) value[k][i] = (float)clip_kept(key[i]);
  }
}

/* Returns the part of a rotation's bound that its keys may use. */
static double share_of_keys(const clip_encoder *e, size_t joint) {
  const clip_truth truth = quatsimd_encode_truth(e, QUATSIMD_CLIP_ROTATION, joint);
  return clip_is_straight(&truth) ? KEYED_SHARE : KEYED_SHARE - 1.0 / CLIP_KEYS_PART;
}

/* Gives own keys to curves whose unit would be less than 2^-15 of the largest unit of their kind. */
static void key_finest(clip_encoder *e, clip_coded_kind *coded) {
  double most = 0;
  for (size_t j = 0; j < clip_curves(e->source, coded->kind); j++)
    if (coded->state[j] == QUATSIMD_CLIP_MOVING && coded->unit_of[j] > most) most = coded->unit_of[j];
  for (size_t j = 0; j < clip_curves(e->source, coded->kind); j++)
    if (coded->state[j] == QUATSIMD_CLIP_MOVING && coded->unit_of[j] < most * 0x1p-15)
      quatsimd_encode_keyed(e, coded->kind, j);
}

void quatsimd_encode_keyed(clip_encoder *e, int kind, size_t joint) {
  clip_coded_kind *coded = &e->coded[kind];
  const double error = quatsimd_clip_precision_error[e->precision];
  const quatsimd_curve *curve = clip_curve(e->source, kind, joint);
  coded->state[joint] = QUATSIMD_CLIP_KEYED;
  if (kind != QUATSIMD_CLIP_ROTATION) {
    /* these keys are always floats; here the flag marks a curve that would miss its bound with frames */
    if (!clip_holds(curve) && (e->strategy->own || quatsimd_curve_fits(curve, &e->grid)))
      coded->stored[joint] |= CLIP_STORED_FLOATS;
  } else if (clip_is_exact(e, kind, joint) || e->retry[kind][joint].floats ||
             error > share_of_keys(e, joint) * e->bound[kind][joint])
    coded->stored[joint] |= CLIP_STORED_FLOATS;
}

/* Returns by how much two equal values may differ once they are relative to a base and rounded to floats. */
static double rounding_of(const clip_encoder *e, int kind, const double *value) {
  double most = 0;
  for (size_t i = 0; e->base && i < clip_components(kind); i++)
    most = value[i] > most ? value[i] : -value[i] > most ? -value[i] : most;
  return 0x1p-23 * most;
}

static quatsimd_status classify_curve(clip_encoder *e, int kind, size_t j, clip_value *value,
                                      clip_vector *vector) {
  clip_coded_kind *coded = &e->coded[kind];
  const quatsimd_curve *curve = clip_curve(e->source, kind, j);
  quatsimd_encode_keys(curve, kind, value);
  if (e->options->looping && curve->key_count > 1 && !e->attempts) {
    double first[CLIP_MOST_COMPONENTS], last[CLIP_MOST_COMPONENTS];
    clip_widen(first, value[0], kind), clip_widen(last, value[curve->key_count - 1], kind);
    if (!(quatsimd_value_error(kind, first, last) <= e->bound[kind][j] / 4 + rounding_of(e, kind, first))) {
      clip_refuse(
          e->report, j, kind, clip_curve(e->original, kind, j)->key_count - 1,
          "the loop does not close: the last key differs from the first by more than a quarter of the bound");
      return QUATSIMD_ERROR_BAD_KEY;
    }
  }
  coded->state[j] = (uint8_t)state_of_still(e, kind, j, value, vector, curve->key_count);
  if (coded->state[j] != QUATSIMD_CLIP_MOVING) return QUATSIMD_OK;
  if (clip_is_spline(e, kind, j)) {
    const bool floats = clip_is_exact(e, kind, j) || e->retry[kind][j].floats;
    quatsimd_spline_fit(&e->spline[kind][j], kind, e->bound[kind][j], floats);
    coded->state[j] = QUATSIMD_CLIP_KEYED;
    coded->stored[j] = CLIP_STORED_SPLINE | (floats ? CLIP_STORED_FLOATS : 0);
    return QUATSIMD_OK;
  }
  coded->unit_of[j] = unit_of(e, kind, j, value, curve->key_count);
  if (!(coded->unit_of[j] > 0)) quatsimd_encode_keyed(e, kind, j);
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_encode_classify(clip_encoder *e, int kind) {
  clip_coded_kind *coded = &e->coded[kind];
  const size_t joints = clip_curves(e->source, kind);
  size_t most = 1;
  for (size_t j = 0; j < joints; j++)
    if (clip_curve(e->source, kind, j)->key_count > most) most = clip_curve(e->source, kind, j)->key_count;
  *coded = (clip_coded_kind){.kind = kind,
                             .state = quatsimd_take(&e->memory, joints + 1, 1),
                             .formats = quatsimd_take(&e->memory, joints + 1, 1),
                             .stored = quatsimd_take(&e->memory, joints + 1, 1),
                             .unit_of = quatsimd_take(&e->memory, joints + 1, sizeof *coded->unit_of),
                             .moving = quatsimd_take(&e->memory, joints + 1, sizeof *coded->moving),
                             .sorted = quatsimd_take(&e->memory, joints + 1, sizeof(void *))};
  struct piece *mark = e->memory.last;
  clip_value *value = quatsimd_take(&e->memory, most, sizeof *value);
  clip_vector *vector = quatsimd_take(&e->memory, most, sizeof *vector);
  if (!coded->state || !coded->formats || !coded->stored || !coded->unit_of || !coded->moving ||
      !coded->sorted || !value || !vector)
    return QUATSIMD_ERROR_NO_MEMORY;
  e->precision = CLIP_PRECISIONS - 1; /* the finest format, until quatsimd_encode_precision chooses one */
  for (size_t j = 0; j < joints; j++) {
    if (clip_curve(e->source, kind, j)->key_count == 0 || clip_is_absent(e, kind, j)) continue;
    const quatsimd_status status = classify_curve(e, kind, j, value, vector);
    if (status != QUATSIMD_OK) return status;
  }
  quatsimd_release(&e->memory, mark);
  key_finest(e, coded);
  return QUATSIMD_OK;
}

void quatsimd_encode_precision(clip_encoder *e) {
  enum { AS_FLOATS = 24 }; /* bytes of a constant that becomes one key in floats */
  clip_coded_kind *coded = &e->coded[QUATSIMD_CLIP_ROTATION];
  const double *bound = e->bound[QUATSIMD_CLIP_ROTATION];
  size_t least = SIZE_MAX;
  unsigned needed = 0;
  for (size_t j = 0; j < e->source->joint_count; j++)
    while (coded->state[j] == QUATSIMD_CLIP_KEYED && !coded->stored[j] &&
           quatsimd_clip_precision_error[needed] > share_of_keys(e, j) * bound[j])
      needed++; /* stops: rotations that miss their bound in the finest format are in floats by now */
  for (unsigned p = needed; p < CLIP_PRECISIONS; p++) {
    size_t cost = 0;
    for (size_t j = 0; j < e->source->joint_count; j++)
      if (coded->state[j] == QUATSIMD_CLIP_CONSTANT)
        cost += coded->formats[j] >> p & 1 ? clip_constant_bytes(QUATSIMD_CLIP_ROTATION, p) : AS_FLOATS;
    if (cost < least) least = cost, e->precision = p;
  }
  for (size_t j = 0; j < e->source->joint_count; j++)
    if (coded->state[j] == QUATSIMD_CLIP_CONSTANT && !(coded->formats[j] >> e->precision & 1))
      coded->state[j] = QUATSIMD_CLIP_KEYED, coded->stored[j] = CLIP_STORED_FLOATS | CLIP_STORED_MIDDLE;
}
