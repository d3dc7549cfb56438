/* Sorts moving curves. The order of the curves decides which groups they are in. */
#include "clip/encode/encoder.h"
#include "clip/encode/sort.h"

void quatsimd_encode_widths(uint8_t width[CLIP_AXES], const clip_coded_kind *coded, size_t first) {
  memset(width, 0, CLIP_AXES);
  for (size_t i = first; i < coded->movings && i < first + CLIP_GROUP; i++)
    for (int a = 0; a < CLIP_AXES; a++)
      if (coded->sorted[i]->width[a] > width[a]) width[a] = coded->sorted[i]->width[a];
}

/* Returns the bytes of the knots of a group's curves at one frame. */
static size_t row_of(const clip_coded_kind *coded, size_t group) {
  uint8_t width[CLIP_AXES];
  quatsimd_encode_widths(width, coded, CLIP_GROUP * group);
  return clip_row_bytes(width, clip_axes(coded->kind), clip_group_curves(coded->movings, group));
}

static void exchange(clip_coded_kind *coded, size_t i, size_t j) {
  clip_moving_curve *curve = coded->sorted[i];
  coded->sorted[i] = coded->sorted[j], coded->sorted[j] = curve;
}

/* Exchanges two curves if this makes the knots of their two groups take fewer bytes. */
static bool try_exchange(clip_coded_kind *coded, size_t i, size_t j) {
  const size_t a = i / CLIP_GROUP, b = j / CLIP_GROUP, before = row_of(coded, a) + row_of(coded, b);
  exchange(coded, i, j);
  if (row_of(coded, a) + row_of(coded, b) < before) return true;
  exchange(coded, i, j);
  return false;
}

static bool is_joint_before(const void *a, const void *b) {
  const clip_moving_curve *p = *(clip_moving_curve *const *)a, *q = *(clip_moving_curve *const *)b;
  return p->joint < q->joint;
}

/* Exchanges curves between groups while this makes knots take fewer bytes. Then sorts the curves of each
 * group by joint, because bundles store this order in fewer bits. */
static void regroup(clip_coded_kind *coded) {
  enum { MOST = 256 }; /* more curves are not exchanged: the time grows with the square of their number */
  const size_t n = coded->movings;
  for (bool shorter = n <= MOST; shorter;) {
    shorter = false;
    for (size_t i = 0; i < n; i++)
      for (size_t j = (i / CLIP_GROUP + 1) * CLIP_GROUP; j < n; j++)
        if (try_exchange(coded, i, j)) shorter = true;
  }
  for (size_t first = 0; first < n; first += CLIP_GROUP)
    quatsimd_sort(coded->sorted + first, clip_group_curves(n, first / CLIP_GROUP), sizeof(void *),
                  is_joint_before);
}

static bool is_wider(const void *a, const void *b) {
  const clip_moving_curve *p = *(clip_moving_curve *const *)a, *q = *(clip_moving_curve *const *)b;
  const int wide_p = p->width[0] + p->width[1] + p->width[2],
            wide_q = q->width[0] + q->width[1] + q->width[2];
  return wide_p != wide_q ? wide_p > wide_q : p->joint < q->joint;
}

size_t quatsimd_encode_order(const clip_encoder *e, clip_coded_kind *coded) {
  for (size_t i = 0; i < coded->movings; i++) coded->sorted[i] = &coded->moving[i];
  quatsimd_sort(coded->sorted, coded->movings, sizeof(void *), is_wider);
  if (e->options->bundled) regroup(coded);
  size_t row = 0, payload = 0;
  coded->units = false;
  for (size_t i = 0; i < coded->movings; i++) coded->units = coded->units || coded->moving[i].exponent > 0;
  for (size_t first = 0; first < coded->movings; first += CLIP_GROUP) {
    uint8_t width[CLIP_AXES];
    quatsimd_encode_widths(width, coded, first);
    row +=
        clip_row_bytes(width, clip_axes(coded->kind), clip_group_curves(coded->movings, first / CLIP_GROUP));
  }
  for (size_t i = 0; i < coded->movings; i++) payload += coded->moving[i].bytes;
  return payload + row * (clip_blocks(e->grid.frames) + 1) +
         coded->movings * (coded->axes ? CLIP_BYTES_WITH_AXES : CLIP_BYTES_WITHOUT_AXES);
}
