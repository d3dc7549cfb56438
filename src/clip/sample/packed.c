#include "clip/sample/packed.h"

typedef struct packed_groups {
  quatsimd_clip_packed packed[CLIP_AT_ONCE];
  /* copies of the last group's profiles and bases, if it has fewer than eight curves */
  uint8_t profile[CLIP_AXES * CLIP_GROUP];
  unsigned char left[CLIP_BASE_BYTES], right[CLIP_BASE_BYTES];
} packed_groups;

static inline void find_bases(packed_groups *p, quatsimd_clip_packed *to, const clip_walk *w, size_t curves) {
  const quatsimd_clip_part *part = &w->part;
  const size_t first = CLIP_GROUP * w->group;
  if (w->kind != QUATSIMD_CLIP_ROTATION) {
    to->right = part->bases + 4 * w->axes * first;
    return;
  }
  to->left = w->clip->flags & CLIP_HAS_AXES
                 ? clip_base_words(p->left, part->bases + 4 * (part->moving + first), curves)
                 : NULL;
  to->right = clip_base_words(p->right, part->bases + 4 * first, curves);
}

/* Fills p->packed with up to `most` groups from w on, and returns their number. Stops at a group with raw
 * curves. Moves w behind the filled groups, but does not change w->payload. */
static size_t pack(packed_groups *p, clip_walk *w, size_t most) {
  const quatsimd_clip_part *part = &w->part;
  size_t n = 0;
  for (; n < most; n++) {
    const size_t curves = clip_walk_curves(w);
    const uint32_t codes = clip_walk_codes(w, curves);
    if (clip_any_raw(codes, curves)) break;
    quatsimd_clip_packed *to = &p->packed[n];
    to->knots[0] = w->knots, to->knots[1] = w->knots + part->row;
    to->width = part->widths + w->axes * w->group;
    to->profile = clip_walk_profiles(w, p->profile, curves);
    find_bases(p, to, w, curves);
    to->unit = part->unit;
    clip_load_exponents(to->exponents, part, CLIP_GROUP * w->group, curves);
    to->curves = curves;
    to->codes = codes;
    w->knots += clip_row_bytes(to->width, w->axes, curves);
    w->profiles += w->axes * curves;
    w->group++;
  }
  return n;
}

/* Samples `groups` filled groups to their offsets from `to`. */
static inline void sample_packed(packed_groups *g, char *to, clip_walk *w, size_t groups,
                                 const clip_position *p, const quatsimd_clip_row row[2]) {
  w->payload = w->kind == QUATSIMD_CLIP_ROTATION
                   ? w->kernels->sample(to, g->packed, groups, w->payload, row, p->t, w->norm)
                   : w->kernels->vectors(to, g->packed, groups, w->payload, row, p->t, w->norm, w->axes);
}

bool quatsimd_clip_sample_groups(clip_walk *w, size_t most, const clip_position *p,
                                 const quatsimd_clip_row row[2], const clip_output *out) {
  const size_t first = w->group;
  packed_groups g;
  const size_t groups = out->to.interleaved ? pack(&g, w, most) : 0;
  if (groups == 0) return false;
  for (size_t i = 0; i < groups; i++)
    clip_find_offsets(g.packed[i].offset, &w->part, first + i, out->to.stride);
  sample_packed(&g, clip_place(out, 0), w, groups, p, row);
  return true;
}

void quatsimd_clip_sample_group(float value[CLIP_GROUP][4], clip_walk *w, const clip_position *p,
                                const quatsimd_clip_row row[2]) {
  packed_groups g;
  if (pack(&g, w, 1) > 0) {
    for (size_t i = 0; i < CLIP_GROUP; i++) g.packed->offset[i] = i * sizeof *value;
    sample_packed(&g, (char *)value, w, 1, p, row);
  } else {
    quatsimd_clip_group group;
    quatsimd_clip_unpack_group(&group, w);
    quatsimd_clip_evaluate(value, w->clip, w->kind, &group, p, row, w->kernels);
  }
}
