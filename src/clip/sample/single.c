/* Samples one moving curve alone. Its whole group would take three to four times as long with SSE2, and a
 * tenth longer with AVX2. */
#include "clip/sample/packed.h"
#include "scalar/turn.h"

/* Finds the channels and knots of curve i of the group that w is at. */
static void find_curve(quatsimd_clip_single *curve, const clip_walk *w, size_t i, size_t curves) {
  const quatsimd_clip_part *part = &w->part;
  const unsigned char *knots = w->knots, *width = part->widths + w->axes * w->group, *payload = w->payload;
  const uint8_t *profile = w->profiles;
  payload += clip_channels_bytes(profile, i);
  for (size_t a = 0; a < w->axes; a++, profile += curves) {
    curve->profile[a] = profile[i];
    curve->channel[a] = payload;
    curve->knot[0][a] = (float)peek_bits(knots, i * width[a], width[a]);
    curve->knot[1][a] = (float)peek_bits(knots + part->row, i * width[a], width[a]);
    knots += (width[a] * curves + 7) / 8;
    /* moves `payload` to curve i's channel for the next axis */
    if (a + 1 < w->axes) payload += clip_channels_bytes(profile + i, curves);
  }
}

/* Computes a curve's rotation at t between its vectors p at two frames. moving: the moving curve's number. */
static void turn(float value[4], const clip_walk *w, size_t moving, float p[2][CLIP_AXES], float t) {
  const quatsimd_clip_part *part = &w->part;
  float m, next_m;
  const quat a = cayley_key(p[0], &m), b = cayley_key(p[1], &next_m);
  const bool axes = (w->clip->flags & CLIP_HAS_AXES) != 0;
  const quat left = axes ? base_of(part->bases + 4 * (part->moving + moving)) : scalar_identity;
  turn_by_bases(value, between(a, m, b, next_m, clip_weights(t)), axes ? &left : NULL,
                base_of(part->bases + 4 * moving));
}

void quatsimd_clip_sample_curve(float value[4], const clip_walk *w, size_t i, const clip_position *p,
                                const quatsimd_clip_row row[2]) {
  const quatsimd_clip_part *part = &w->part;
  const size_t curves = clip_walk_curves(w), moving = CLIP_GROUP * w->group + i;
  quatsimd_clip_single curve;
  float v[2][CLIP_AXES];
  find_curve(&curve, w, i, curves);
  clip_single_quanta(&curve, part->unit, part->units ? part->units[moving] : 0, clip_code(w->codes, moving),
                     w->norm);
  w->kernels->curve(v, &curve, row, w->axes);
  if (w->kind == QUATSIMD_CLIP_ROTATION) turn(value, w, moving, v, p->t);
  else
    for (size_t a = 0; a < w->axes; a++)
      value[a] =
          load_float(part->bases + 4 * (w->axes * moving + a)) + (v[0][a] * (1 - p->t) + v[1][a] * p->t);
}
