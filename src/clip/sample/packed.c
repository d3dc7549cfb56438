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
    if (w->kind == QUATSIMD_CLIP_ROTATION) find_bases(p, to, w, curves);
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

/* Stores a value: a curve's base plus its vector in `lines`. i: the curve, counted from group `first`. Floats
 * go to their place one by one: CPUs wait where floats stored one by one are then loaded together. */
static inline void add_base(char *to, const clip_walk *w, size_t axes, size_t first, const float *lines,
                            size_t i) {
  const unsigned char *base = w->part.bases + 4 * axes * (CLIP_GROUP * first + i);
  const float *line = lines + axes * (i - i % CLIP_GROUP) + i % CLIP_GROUP;
  for (size_t a = 0; a < axes; a++) {
    const float value = load_float(base + 4 * a) + line[CLIP_GROUP * a];
    memcpy(to + a * sizeof value, &value, sizeof value);
  }
}

/* Stores the values of the groups from `first` to w->group - 1. `axes` is known at compile time. */
static inline void put_vectors(const clip_walk *w, size_t axes, size_t first, const float *lines,
                               const clip_output *out) {
  const quatsimd_clip_part *part = &w->part;
  const size_t slot_bytes = part->slot_bytes, from = CLIP_GROUP * first,
               end = CLIP_GROUP * w->group < part->moving ? CLIP_GROUP * w->group : part->moving;
  for (size_t i = 0; i < end - from; i++) {
    const size_t slot = clip_slot(part->slots, slot_bytes, from + i);
    float value[4];
    add_base(out->to.interleaved ? clip_place(out, slot) : (char *)value, w, axes, first, lines, i);
    if (!out->to.interleaved) quatsimd_store_element(&out->to, slot, value);
  }
}

bool quatsimd_clip_sample_groups(clip_walk *w, size_t most, const clip_position *p,
                                 const quatsimd_clip_row row[2], const clip_output *out) {
  const size_t first = w->group;
  packed_groups g;
  if (w->kind == QUATSIMD_CLIP_ROTATION && !out->to.interleaved) return false;
  const size_t groups = pack(&g, w, most);
  if (groups == 0) return false;
  if (w->kind == QUATSIMD_CLIP_ROTATION) {
    for (size_t i = 0; i < groups; i++)
      clip_find_offsets(g.packed[i].offset, &w->part, first + i, out->to.stride);
    w->payload = w->kernels->sample(clip_place(out, 0), g.packed, groups, w->payload, row, p->t, w->norm);
  } else {
    float lines[CLIP_AT_ONCE * CLIP_AXES * CLIP_GROUP];
    w->payload = w->kernels->vectors(lines, g.packed, groups, w->payload, row, p->t, w->norm, w->axes);
    if (w->axes == 1) put_vectors(w, 1, first, lines, out);
    else put_vectors(w, CLIP_AXES, first, lines, out);
  }
  return true;
}

void quatsimd_clip_sample_group(float value[CLIP_GROUP][4], clip_walk *w, const clip_position *p,
                                const quatsimd_clip_row row[2]) {
  const size_t first = w->group;
  packed_groups g;
  if (pack(&g, w, 1) == 0) {
    quatsimd_clip_group group;
    quatsimd_clip_unpack_group(&group, w);
    quatsimd_clip_evaluate(value, w->clip, w->kind, &group, p, row, w->kernels);
  } else if (w->kind == QUATSIMD_CLIP_ROTATION) {
    for (size_t i = 0; i < CLIP_GROUP; i++) g.packed->offset[i] = i * sizeof *value;
    w->payload = w->kernels->sample((char *)value, g.packed, 1, w->payload, row, p->t, w->norm);
  } else {
    float lines[CLIP_AXES * CLIP_GROUP];
    w->payload = w->kernels->vectors(lines, g.packed, 1, w->payload, row, p->t, w->norm, w->axes);
    for (size_t i = 0; i < g.packed->curves; i++) add_base((char *)value[i], w, w->axes, first, lines, i);
  }
}
