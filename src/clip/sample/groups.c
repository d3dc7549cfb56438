#include "clip/sample/groups.h"

clip_walk quatsimd_clip_walk_block(const quatsimd_clip *clip, int kind, size_t block, size_t intervals) {
  clip_walk w; /* each member that is read is set below */
  w.clip = clip, w.kernels = quatsimd_active_kernels()->clip;
  w.kind = kind, w.axes = clip_axes(kind);
  w.group = 0, w.inner = intervals - 1, w.norm = quatsimd_clip_norm[intervals];
  clip_find_moving(&w.part, clip, kind);
  w.codes = w.part.blocks + clip_block_at(clip, kind, &w.part, block);
  w.profiles = w.codes + (w.part.moving + 1) / 2;
  w.payload = w.profiles + w.axes * w.part.moving;
  w.knots = w.part.knots + block * w.part.row;
  return w;
}

/* Moves w to the next group. payload: the end of this group's channels, where its raw curves begin. Finds the
 * raw curves of `group`, which may be null. */
static void walk_on(clip_walk *w, const unsigned char *payload, quatsimd_clip_group *group) {
  const size_t curves = clip_walk_curves(w);
  const bool raws = clip_any_raw(clip_walk_codes(w, curves), curves);
  if (group) group->raws = raws;
  for (size_t i = 0; raws && i < CLIP_GROUP; i++) {
    if (group) group->raw[i] = NULL;
    if (i >= curves || clip_code(w->codes, CLIP_GROUP * w->group + i) != CLIP_RAW) continue;
    if (group) group->raw[i] = payload;
    payload += clip_raw_bytes(payload, w->axes, w->inner);
  }
  w->knots += clip_row_bytes(w->part.widths + w->axes * w->group, w->axes, curves);
  w->profiles += w->axes * curves;
  w->payload = payload;
  w->group++;
}

void quatsimd_clip_walk_past(clip_walk *w) {
  walk_on(w, w->payload + clip_channels_bytes(w->profiles, w->axes * clip_walk_curves(w)), NULL);
}

static void load_bases(quatsimd_clip_group *group, const clip_walk *w, size_t curves) {
  const quatsimd_clip_part *part = &w->part;
  const size_t first = CLIP_GROUP * w->group;
  if (w->kind == QUATSIMD_CLIP_ROTATION) {
    unsigned char buffer[CLIP_BASE_BYTES];
    w->kernels->bases(group->right, clip_base_words(buffer, part->bases + 4 * first, curves));
    if (w->clip->flags & CLIP_HAS_AXES)
      w->kernels->bases(group->left,
                        clip_base_words(buffer, part->bases + 4 * (part->moving + first), curves));
    return;
  }
  for (size_t i = 0; i < CLIP_GROUP; i++)
    for (size_t a = 0; a < w->axes; a++)
      group->right[a][i] = i < curves ? load_float(part->bases + 4 * (w->axes * (first + i) + a)) : 0;
}

/* Unpacks the knots, quanta and bases of the group that w is at. */
static void load_group(quatsimd_clip_group *group, const clip_walk *w, size_t curves) {
  const quatsimd_clip_part *part = &w->part;
  const unsigned char *width = part->widths + w->axes * w->group;
  const uint32_t codes = clip_walk_codes(w, curves);
  w->kernels->knots(group->knot[0], w->knots, width, curves, w->axes);
  w->kernels->knots(group->knot[1], w->knots + part->row, width, curves, w->axes);
  unsigned char exponents[CLIP_GROUP];
  clip_load_exponents(exponents, part, CLIP_GROUP * w->group, curves);
  w->kernels->quanta(group->knot_quantum, group->quantum, codes, part->unit, exponents, w->norm);
  group->inner = w->inner;
  load_bases(group, w, curves);
}

void quatsimd_clip_unpack_group(quatsimd_clip_group *group, clip_walk *w) {
  const size_t curves = clip_walk_curves(w);
  uint8_t buffer[CLIP_AXES * CLIP_GROUP];
  load_group(group, w, curves);
  walk_on(w, w->kernels->unpack(group, clip_walk_profiles(w, buffer, curves), w->payload, w->axes), group);
}

/* Adds to p the raw curves of a frame, which are differences from the line between the knots. */
static void add_raws(float p[CLIP_AXES][CLIP_GROUP], const quatsimd_clip_group *group, size_t axes,
                     size_t frame) {
  if (!group->raws || frame == 0 || frame > group->inner) return;
  for (size_t i = 0; i < CLIP_GROUP; i++) {
    if (!group->raw[i]) continue;
    const unsigned char *width = group->raw[i];
    size_t at = 0;
    for (size_t a = 0; a < axes; a++) {
      p[a][i] +=
          (float)get_bits(width + axes, at + (frame - 1) * width[a], width[a]) * group->knot_quantum[i];
      at += group->inner * width[a];
    }
  }
}

/* Computes a group's values at t between the frames of vectors p and `next`, or at p if `next` is null. */
static void finish(float to[CLIP_GROUP][4], const quatsimd_clip *clip, int kind,
                   const quatsimd_clip_group *group, const quatsimd_clip_kernels *kernels,
                   float p[CLIP_AXES][CLIP_GROUP], float next[CLIP_AXES][CLIP_GROUP], float t) {
  if (kind == QUATSIMD_CLIP_ROTATION)
    kernels->rotate(to, group, p, next, t, (clip->flags & CLIP_HAS_AXES) != 0);
  else
    for (int i = 0; i < CLIP_GROUP; i++)
      for (size_t a = 0; a < clip_axes(kind); a++)
        to[i][a] = group->right[a][i] + (next ? p[a][i] * (1 - t) + next[a][i] * t : p[a][i]);
}

void quatsimd_clip_evaluate(float to[CLIP_GROUP][4], const quatsimd_clip *clip, int kind,
                            const quatsimd_clip_group *group, const clip_position *p,
                            const quatsimd_clip_row row[2], const quatsimd_clip_kernels *kernels) {
  const size_t axes = clip_axes(kind);
  float v[CLIP_AXES][CLIP_GROUP] = {{0}}, next[CLIP_AXES][CLIP_GROUP] = {{0}};
  kernels->tangent(v, group, &row[0], axes);
  add_raws(v, group, axes, p->inner);
  if (p->t > 0) {
    kernels->tangent(next, group, &row[1], axes);
    add_raws(next, group, axes, p->inner + 1);
  }
  finish(to, clip, kind, group, kernels, v, p->t > 0 ? next : NULL, p->t);
}
