/* Unpacks moving curves in groups of eight. */
#ifndef QUATSIMD_CLIP_GROUPS_H
#define QUATSIMD_CLIP_GROUPS_H

#include "clip/kernels.h"
#include "clip/sample/time.h"

static inline size_t clip_groups(size_t moving) { return (moving + CLIP_GROUP - 1) / CLIP_GROUP; }

/* A walk through the groups of one kind in a block. */
typedef struct clip_walk {
  const quatsimd_clip *clip;
  const quatsimd_clip_kernels *kernels;
  int kind;
  size_t axes, group, inner; /* inner: frames between the block's knots */
  const unsigned char *codes, *profiles, *payload, *knots;
  float norm;
  quatsimd_clip_part part; /* only its members that moving curves need are set */
} clip_walk;

/* Begins a walk through a block of `intervals` intervals. The kind must have moving curves. */
clip_walk quatsimd_clip_walk_block(const quatsimd_clip *clip, int kind, size_t block, size_t intervals);
/* Moves w to the next group without unpacking the one that w is at. */
void quatsimd_clip_walk_past(clip_walk *w);
/* Unpacks the group that w is at, except group->offset, and moves w to the next group. */
void quatsimd_clip_unpack_group(quatsimd_clip_group *group, clip_walk *w);
/* Computes a group's values at a position. row: from clip_load_rows */
void quatsimd_clip_evaluate(float to[CLIP_GROUP][4], const quatsimd_clip *clip, int kind,
                            const quatsimd_clip_group *group, const clip_position *p,
                            const quatsimd_clip_row row[2], const quatsimd_clip_kernels *kernels);

static inline size_t clip_walk_curves(const clip_walk *w) {
  return clip_group_curves(w->part.moving, w->group);
}

static inline size_t clip_channels_bytes(const uint8_t *profile, size_t channels) {
  size_t bytes = 0;
  for (size_t i = 0; i < channels; i++) bytes += quatsimd_clip_bytes[profile[i]];
  return bytes;
}

/* Returns the bytes of the first `curves` of eight curves, and zeros. curves: 1 to 8. Loading eight where a
 * group has fewer reads behind it, within CLIP_OVERREAD. */
static inline uint64_t clip_bytes_of(uint64_t eight, size_t curves) {
  return eight & UINT64_MAX >> 8 * (CLIP_GROUP - curves);
}

/* Returns the codes of the group that w is at. Lanes without a curve have CLIP_RAW. */
static inline uint32_t clip_walk_codes(const clip_walk *w, size_t curves) {
  const uint32_t codes = load_u32(w->codes + CLIP_GROUP / 2 * w->group);
  return curves == CLIP_GROUP ? codes : codes | 0xffffffffu << 4 * curves;
}

static inline bool clip_any_raw(uint32_t codes, size_t curves) {
  return (codes & codes >> 1 & codes >> 2 & codes >> 3 & 0x11111111u &
          (uint32_t)((1ull << 4 * curves) - 1)) != 0;
}

static inline bool clip_walk_any_raw(const clip_walk *w) {
  const size_t curves = clip_walk_curves(w);
  return clip_any_raw(clip_walk_codes(w, curves), curves);
}

/* Loads the exponents of the units of a group's curves. first: the number of the group's first curve */
static inline void clip_load_exponents(unsigned char exponents[CLIP_GROUP], const quatsimd_clip_part *part,
                                       size_t first, size_t curves) {
  const uint64_t eight = part->units ? clip_bytes_of(load_u64(part->units + first), curves) : 0;
  store_u64(exponents, eight);
}

enum { CLIP_BASE_BYTES = 4 * CLIP_GROUP };
/* Returns p if the group has eight curves. Else copies the group's bases to `buffer` and returns `buffer`. */
static inline const unsigned char *clip_base_words(unsigned char buffer[CLIP_BASE_BYTES],
                                                   const unsigned char *p, size_t curves) {
  if (curves == CLIP_GROUP) return p;
  /* kernels read all eight lanes: the unused ones may have any values */
  for (size_t i = 0; i < CLIP_GROUP; i++) memcpy(buffer + 4 * i, p + (i < curves ? 4 * i : 0), 4);
  return buffer;
}

/* Returns eight profiles for each axis of w's group. If it has fewer, fills `buffer` with them and zeros. */
static inline const uint8_t *clip_walk_profiles(const clip_walk *w, uint8_t buffer[CLIP_AXES * CLIP_GROUP],
                                                size_t curves) {
  if (curves == CLIP_GROUP) return w->profiles;
  const size_t axes = w->axes == 1 ? 1 : CLIP_AXES; /* so that gcc sees that `buffer` is large enough */
  for (size_t a = 0; a < axes; a++)
    store_u64(buffer + CLIP_GROUP * a, clip_bytes_of(load_u64(w->profiles + curves * a), curves));
  return buffer;
}

static inline quatsimd_clip_row clip_row_of(size_t intervals, size_t frame) {
  return (quatsimd_clip_row){clip_basis_row(intervals, frame), (float)(intervals - frame) / (float)intervals,
                             (float)frame / (float)intervals};
}
/* Finds the rows of a position's two frames. If p->t is 0, both are the first frame's. */
static inline void clip_load_rows(quatsimd_clip_row row[2], const clip_position *p) {
  row[0] = clip_row_of(p->intervals, p->inner);
  row[1] = p->t > 0 ? clip_row_of(p->intervals, p->inner + 1) : row[0];
}

#endif
