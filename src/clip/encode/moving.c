/* Encodes all moving curves of a kind. */
#include "clip/encode/chain.h"

/* In clips with fewer frames, each rotation is encoded both with and without principal axes. In longer
 * clips, a sample of a rotation's blocks decides if it gets axes. */
enum { TRY_SEVERAL = 600 };

/* Returns the cost of one curve in bits. */
static size_t cost_of(const clip_moving_curve *curve, size_t blocks) {
  return 8 * curve->bytes + ((size_t)curve->width[0] + curve->width[1] + curve->width[2]) * (blocks + 1);
}

static void load_frames(const clip_encoder *e, int kind, size_t joint, clip_value *value) {
  const quatsimd_curve *curve = clip_shape(e, kind, joint);
  const size_t last = e->grid.frames - 1;
  clip_progress place = {0};
  for (size_t f = 0; f <= last; f++) {
    double v[CLIP_MOST_COMPONENTS];
    quatsimd_curve_along(curve, kind, clip_grid_time(&e->grid, f), &place, v);
    for (size_t i = 0; i < clip_components(kind); i++) value[f][i] = (float)clip_kept(v[i]);
  }
  if (!e->options->looping) return;
  float dot = 0; /* the last frame of a loop gets the value of the first frame, but keeps its own sign */
  for (int i = 0; i < 4 && kind == QUATSIMD_CLIP_ROTATION; i++) dot += value[0][i] * value[last][i];
  for (size_t i = 0; i < clip_components(kind); i++) value[last][i] = dot < 0 ? -value[0][i] : value[0][i];
}

enum { EVERY = 8 }; /* a sample of a curve has every EVERY-th block */

/* Estimates a curve's cost from every `every`-th block. *cost gets SIZE_MAX if the curve does not fit. */
static quatsimd_status estimate(clip_encoder *e, const clip_coded_kind *coded, clip_moving_curve curve,
                                clip_vector *vector, size_t every, size_t *cost) {
  struct piece *mark = e->memory.last;
  bool fits = false;
  const quatsimd_status status = quatsimd_encode_curve(e, coded, &curve, vector, every, &fits);
  *cost = fits ? cost_of(&curve, clip_blocks(e->grid.frames) / every) : SIZE_MAX;
  quatsimd_release(&e->memory, mark);
  return status;
}

enum { BITS_OF_AXES = 8 * (CLIP_BYTES_WITH_AXES - CLIP_BYTES_WITHOUT_AXES) };
static const clip_bases without_axes = {.axes = false}, with_axes = {.axes = true};

/* Loads the vectors of a curve. A rotation gets principal axes unless its sample costs less without axes. */
static quatsimd_status choose_axes(clip_encoder *e, const clip_coded_kind *coded, clip_moving_curve *curve,
                                   clip_vector *vector, clip_value *value) {
  const size_t frames = e->grid.frames;
  const bool rotation = coded->kind == QUATSIMD_CLIP_ROTATION;
  size_t with = SIZE_MAX, without = SIZE_MAX;
  quatsimd_tangent_space(&curve->space, vector, value, frames, coded->kind, without_axes);
  if (!rotation) return QUATSIMD_OK;
  const clip_tangent_space plain = curve->space;
  quatsimd_status status = estimate(e, coded, *curve, vector, EVERY, &without);
  quatsimd_tangent_space(&curve->space, vector, value, frames, coded->kind, with_axes);
  if (status == QUATSIMD_OK) status = estimate(e, coded, *curve, vector, EVERY, &with);
  if (status != QUATSIMD_OK || with <= without) return status;
  quatsimd_tangent_space(&curve->space, vector, value, frames, coded->kind, without_axes);
  curve->space = plain;
  return QUATSIMD_OK;
}

/* Encodes all moving curves. If `without` is null, rotations get axes where these save bits. Else
 * coded->moving gets axes, `without` gets none, and `mixed` gets the cheaper encoding of each rotation. */
static quatsimd_status encode_moving(clip_encoder *e, clip_coded_kind *coded, clip_value *value,
                                     clip_vector *vector, clip_moving_curve *without,
                                     clip_moving_curve *mixed) {
  const size_t frames = e->grid.frames, blocks = clip_blocks(frames);
  size_t kept = 0;
  for (size_t i = 0; i < coded->movings; i++) {
    clip_moving_curve with = coded->moving[i], other = with;
    bool fits = true, other_fits = true;
    quatsimd_status status;
    load_frames(e, coded->kind, with.joint, value);
    if (without) {
      quatsimd_tangent_space(&other.space, vector, value, frames, coded->kind, without_axes);
      status = quatsimd_encode_curve(e, coded, &other, vector, 1, &other_fits);
      quatsimd_tangent_space(&with.space, vector, value, frames, coded->kind, with_axes);
    } else status = choose_axes(e, coded, &with, vector, value);
    if (status == QUATSIMD_OK) status = quatsimd_encode_curve(e, coded, &with, vector, 1, &fits);
    if (status != QUATSIMD_OK) return status;
    if (!fits || !other_fits) {
      quatsimd_encode_keyed(e, coded->kind, with.joint);
      continue;
    }
    if (without)
      without[kept] = other, mixed[kept] = cost_of(&other, blocks) < cost_of(&with, blocks) ? other : with;
    coded->moving[kept++] = with;
  }
  coded->movings = kept;
  return QUATSIMD_OK;
}

/* Returns the number of bits that a curve's base and axes take in a bundle. */
static size_t bits_of_base(int kind, clip_bases bases) {
  const size_t few = 3 * (10 - CLIP_BASE_COARSE), many = 3 * 10;
  if (kind != QUATSIMD_CLIP_ROTATION) return clip_axes(kind) * (bases.coarse ? 16 : 32);
  return (bases.coarse ? few : many) + (!bases.axes ? 0 : bases.coarse_axes ? 1 + few : 1 + many);
}

/* Encodes all moving curves for a bundle, each with the axes and bases that take the fewest bits. */
static quatsimd_status encode_bundled(clip_encoder *e, clip_coded_kind *coded, clip_value *value,
                                      clip_vector *vector) {
  enum { STRATEGIES = 6 };
  static const clip_bases strategies[STRATEGIES] = {
      {.knots = true},
      {.knots = true, .coarse = true},
      {.knots = true, .axes = true},
      {.knots = true, .axes = true, .coarse = true},
      {.knots = true, .axes = true, .coarse_axes = true},
      {.knots = true, .axes = true, .coarse = true, .coarse_axes = true}};
  const bool rotation = coded->kind == QUATSIMD_CLIP_ROTATION;
  const size_t frames = e->grid.frames, blocks = clip_blocks(frames);
  size_t kept = 0;
  for (size_t i = 0; i < coded->movings; i++) {
    const clip_moving_curve curve = coded->moving[i];
    size_t least = SIZE_MAX;
    load_frames(e, coded->kind, curve.joint, value);
    for (int w = 0; w < (rotation ? STRATEGIES : 2); w++) {
      clip_moving_curve candidate = curve;
      bool fits = true;
      quatsimd_tangent_space(&candidate.space, vector, value, frames, coded->kind, strategies[w]);
      const quatsimd_status status = quatsimd_encode_curve(e, coded, &candidate, vector, 1, &fits);
      if (status != QUATSIMD_OK) return status;
      const size_t cost = cost_of(&candidate, blocks) + bits_of_base(coded->kind, strategies[w]);
      if (fits && cost < least) least = cost, coded->moving[kept] = candidate;
    }
    if (least == SIZE_MAX) {
      quatsimd_encode_keyed(e, coded->kind, curve.joint);
      continue;
    }
    if (coded->moving[kept].space.left != CLIP_BASE_NONE) coded->axes = rotation;
    kept++;
  }
  coded->movings = kept;
  quatsimd_encode_order(e, coded);
  return QUATSIMD_OK;
}

/* ---- rotations in a chain ---- */

/* Buffers for a joint's frames: rotations in the source, rotations to aim at, and the vectors of either. */
typedef struct chain_buffers {
  clip_value *value, *aim;
  clip_vector *vector;
} chain_buffers;

/* Estimates the cost of a rotation without axes (i = 0) or with axes. Makes that space from the source's
 * frames, once, so that all attempts have the same. */
static quatsimd_status try_space(clip_encoder *e, const clip_coded_kind *coded, clip_moving_curve curve,
                                 chain_buffers *r, int i, size_t every, size_t *cost) {
  clip_tangent_space *space = &e->chain->joint[curve.joint].space[i];
  quatsimd_tangent_space(space, r->vector, r->value, e->grid.frames, coded->kind,
                         i == 1 ? with_axes : without_axes);
  if (every == 0) return QUATSIMD_OK;
  curve.space = *space;
  quatsimd_tangent_vectors(space, r->vector, r->aim, e->grid.frames);
  return estimate(e, coded, curve, r->vector, every, cost);
}

/* Sets a rotation's tangent space, with axes if `axes` is true and the rotation has them. Loads the vectors
 * of r->aim. In long clips, a sample of its blocks decides at first if a rotation has axes. */
static quatsimd_status settle_space(clip_encoder *e, const clip_coded_kind *coded, clip_moving_curve *curve,
                                    chain_buffers *r, bool axes) {
  clip_chain_joint *joint = &e->chain->joint[curve->joint];
  const size_t every = e->grid.frames < TRY_SEVERAL ? 0 : EVERY;
  size_t cost[2];
  for (int i = 0; i < 2 && !joint->axes && (i == 0 || every > 0); i++) {
    const quatsimd_status status = try_space(e, coded, *curve, r, i, every, &cost[i]);
    if (status != QUATSIMD_OK) return status;
  }
  if (!joint->axes && every > 0) joint->axes = cost[0] < cost[1] ? CHAIN_WITHOUT : CHAIN_WITH;
  curve->space = joint->space[axes && joint->axes == CHAIN_WITH];
  quatsimd_tangent_vectors(&curve->space, r->vector, r->aim, e->grid.frames);
  return QUATSIMD_OK;
}

/* Decides if a rotation of a short clip has axes, after it was encoded without. Adds the bits that it would
 * save to *saved. Axes save some 12 % at most, so cheap rotations have none. */
static quatsimd_status try_axes(clip_encoder *e, const clip_coded_kind *coded, const clip_moving_curve *curve,
                                chain_buffers *r, size_t *saved) {
  enum { PART = 8 };
  clip_chain_joint *joint = &e->chain->joint[curve->joint];
  const size_t cost = cost_of(curve, clip_blocks(e->grid.frames));
  size_t other = SIZE_MAX;
  if (joint->axes) return QUATSIMD_OK;
  if (cost >= PART * BITS_OF_AXES) {
    const quatsimd_status status = try_space(e, coded, *curve, r, 1, 1, &other);
    if (status != QUATSIMD_OK) return status;
  }
  joint->axes = other < cost ? CHAIN_WITH : CHAIN_WITHOUT;
  if (other < cost) *saved += cost - other;
  return QUATSIMD_OK;
}

/* Encodes all rotations, parents first. axes: true if rotations may have principal axes. *saved gets the bits
 * that a short clip would save with axes. */
static quatsimd_status encode_chain(clip_encoder *e, clip_coded_kind *coded, chain_buffers *r, bool axes,
                                    size_t *saved) {
  clip_chain *chain = e->chain;
  size_t kept = 0, *of = quatsimd_take(&e->memory, e->source->joint_count + 1, sizeof *of);
  if (!of) return QUATSIMD_ERROR_NO_MEMORY;
  *saved = 0;
  for (size_t i = 0; i < coded->movings; i++) of[coded->moving[i].joint] = i;
  for (size_t i = 0; i < e->source->joint_count; i++) {
    const size_t j = chain->skeleton->order[i];
    clip_moving_curve *curve = coded->state[j] == QUATSIMD_CLIP_MOVING ? &coded->moving[of[j]] : NULL;
    bool fits = true;
    load_frames(e, coded->kind, j, r->value);
    memcpy(r->aim, r->value, e->grid.frames * sizeof *r->aim);
    if (!quatsimd_chain_enter(chain, e, j, r->aim, curve)) return QUATSIMD_ERROR_NO_MEMORY;
    quatsimd_status status = curve ? settle_space(e, coded, curve, r, axes) : QUATSIMD_OK;
    if (curve && status == QUATSIMD_OK) status = quatsimd_encode_curve(e, coded, curve, r->vector, 1, &fits);
    if (!fits && status == QUATSIMD_OK) { /* near half turns, r->aim may not fit where r->value does */
      quatsimd_tangent_vectors(&curve->space, r->vector, r->value, e->grid.frames);
      status = quatsimd_encode_curve(e, coded, curve, r->vector, 1, &fits);
    }
    if (status != QUATSIMD_OK) return status;
    if (!fits) quatsimd_encode_keyed(e, coded->kind, j);
    else if (curve && !axes) status = try_axes(e, coded, curve, r, saved);
    if (status != QUATSIMD_OK) return status;
    quatsimd_chain_leave(chain, e, j, r->value, fits ? curve : NULL);
  }
  for (size_t i = 0; i < coded->movings; i++)
    if (coded->state[coded->moving[i].joint] == QUATSIMD_CLIP_MOVING)
      coded->moving[kept++] = coded->moving[i];
  coded->movings = kept;
  coded->axes = axes;
  return QUATSIMD_OK;
}

static quatsimd_status encode_links(clip_encoder *e, clip_coded_kind *coded, chain_buffers *r, bool axes,
                                    size_t *saved) {
  quatsimd_chain_open(e->chain, e);
  const quatsimd_status status = encode_chain(e, coded, r, axes, saved);
  quatsimd_chain_close(e->chain, e);
  return status;
}

/* Keeps the units of rotations for the next attempt. */
static void keep_units(clip_encoder *e, const clip_coded_kind *coded) {
  for (size_t i = 0; i < coded->movings; i++)
    e->chain->joint[coded->moving[i].joint].exponent = coded->moving[i].exponent - coded->moving[i].finer;
}

/* Encodes rotations. Those of a long clip may have axes. A short clip is encoded without axes and, if this
 * seems to take fewer bytes, with axes; the smaller result stays, and later attempts repeat that choice. */
static quatsimd_status encode_chained(clip_encoder *e, clip_coded_kind *coded, chain_buffers *r) {
  clip_chain *chain = e->chain;
  clip_moving_curve *without = coded->moving,
                    *with = quatsimd_take(&e->memory, coded->movings + 1, sizeof *with);
  size_t bytes = SIZE_MAX, saved = SIZE_MAX;
  quatsimd_status status = QUATSIMD_OK;
  if (!with) return QUATSIMD_ERROR_NO_MEMORY;
  memcpy(with, without, coded->movings * sizeof *with);
  if (e->grid.frames >= TRY_SEVERAL) chain->axes = CHAIN_WITH;
  if (chain->axes != CHAIN_WITH) {
    const size_t all = coded->movings, more = all * BITS_OF_AXES;
    status = encode_links(e, coded, r, false, &saved);
    bytes = quatsimd_encode_order(e, coded);
    /* a curve that did not fit has its own keys now, so the encoding with axes would lack it */
    if (status != QUATSIMD_OK || chain->axes == CHAIN_WITHOUT || coded->movings < all) return status;
    chain->axes = CHAIN_WITHOUT;
    if (saved <= more) return status;
  }
  coded->moving = with;
  status = encode_links(e, coded, r, true, &saved);
  if (status != QUATSIMD_OK) return status;
  if (quatsimd_encode_order(e, coded) < bytes) return chain->axes = CHAIN_WITH, QUATSIMD_OK;
  coded->moving = without, coded->axes = false;
  quatsimd_encode_order(e, coded);
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_encode_kind(clip_encoder *e, int kind) {
  clip_coded_kind *coded = &e->coded[kind];
  const bool rotation = kind == QUATSIMD_CLIP_ROTATION, short_ = e->grid.frames < TRY_SEVERAL,
             bundled = short_ && e->options->bundled, several = rotation && short_ && !bundled;
  for (size_t j = 0; j < clip_curves(e->source, kind); j++)
    if (coded->state[j] == QUATSIMD_CLIP_MOVING)
      coded->moving[coded->movings++] = (clip_moving_curve){.joint = j, .unit = coded->unit_of[j]};
  quatsimd_encode_units(coded);
  clip_moving_curve *candidate[3] = {coded->moving, NULL, NULL}; /* with axes, without axes, mixed */
  for (int i = 1; several && i < 3; i++)
    if (!(candidate[i] = quatsimd_take(&e->memory, coded->movings + 1, sizeof *coded->moving)))
      return QUATSIMD_ERROR_NO_MEMORY;
  if (coded->movings == 0) return QUATSIMD_OK;
  const bool chained = rotation && e->chain;
  quatsimd_memory scratch = {.allocator = e->memory.allocator};
  clip_value *value = quatsimd_take(&scratch, e->grid.frames, sizeof *value),
             *aim = chained ? quatsimd_take(&scratch, e->grid.frames, sizeof *aim) : value;
  clip_vector *vector = quatsimd_take(&scratch, e->grid.frames, sizeof *vector);
  const quatsimd_status status = !value || !aim || !vector ? QUATSIMD_ERROR_NO_MEMORY
                                 : chained ? encode_chained(e, coded, &(chain_buffers){value, aim, vector})
                                 : bundled
                                     ? encode_bundled(e, coded, value, vector)
                                     : encode_moving(e, coded, value, vector, candidate[1], candidate[2]);
  quatsimd_release(&scratch, NULL);
  if (status == QUATSIMD_OK && chained) keep_units(e, coded);
  if (status != QUATSIMD_OK || chained || bundled) return status;
  size_t least = SIZE_MAX;
  int best = 0;
  for (int i = 0; i < (several ? 3 : 1); i++) {
    coded->moving = candidate[i], coded->axes = rotation && i != 1;
    const size_t bytes = quatsimd_encode_order(e, coded);
    if (bytes < least) least = bytes, best = i;
  }
  coded->moving = candidate[best], coded->axes = rotation && best != 1;
  quatsimd_encode_order(e, coded);
  return QUATSIMD_OK;
}
