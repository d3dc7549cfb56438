/* The order of moving curves of clips for bundles, where it costs next to nothing: who is in which group. */
#include "clip/encode/encoder.h"
#include "clip/encode/sort.h"

/* Bytes of a group's knots at a frame. */
static size_t row_of(const clip_coded_kind *coded, size_t group) {
  uint8_t width[CLIP_AXES];
  quatsimd_encode_widths(width, coded, CLIP_GROUP * group);
  return clip_row_bytes(width, clip_axes(coded->kind), clip_group_curves(coded->movings, group));
}

static void exchange(clip_coded_kind *coded, size_t i, size_t j) {
  clip_moving_curve *curve = coded->sorted[i];
  coded->sorted[i] = coded->sorted[j], coded->sorted[j] = curve;
}

/* Exchanges two curves if that makes the rows of their groups shorter. */
static bool try_exchange(clip_coded_kind *coded, size_t i, size_t j) {
  const size_t a = i / CLIP_GROUP, b = j / CLIP_GROUP, before = row_of(coded, a) + row_of(coded, b);
  exchange(coded, i, j);
  if (row_of(coded, a) + row_of(coded, b) < before) return true;
  exchange(coded, i, j);
  return false;
}

static bool is_before(const void *a, const void *b) {
  const clip_moving_curve *p = *(clip_moving_curve *const *)a, *q = *(clip_moving_curve *const *)b;
  return p->joint < q->joint;
}

void quatsimd_encode_regroup(clip_coded_kind *coded) {
  enum { MOST = 256 }; /* curves: time grows with the square of their number */
  const size_t n = coded->movings;
  for (bool shorter = n <= MOST; shorter;) {
    shorter = false;
    for (size_t i = 0; i < n; i++)
      for (size_t j = (i / CLIP_GROUP + 1) * CLIP_GROUP; j < n; j++)
        if (try_exchange(coded, i, j)) shorter = true;
  }
  for (size_t first = 0; first < n; first += CLIP_GROUP)
    quatsimd_sort(coded->sorted + first, clip_group_curves(n, first / CLIP_GROUP), sizeof(void *), is_before);
}
