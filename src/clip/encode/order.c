/* Sorts moving curves. The order of the curves decides which groups they are in. */
#include "clip/encode/encoder.h"
#include "clip/encode/sort.h"

void quatsimd_encode_widths(uint8_t width[CLIP_AXES], const clip_coded_kind *coded, size_t first) {
  memset(width, 0, CLIP_AXES);
  for (size_t i = first; i < coded->movings && i < first + CLIP_GROUP; i++)
    for (int a = 0; a < CLIP_AXES; a++)
      if (coded->sorted[i]->width[a] > width[a]) width[a] = coded->sorted[i]->width[a];
}

enum { MOST = 256 }; /* more curves are not exchanged: the time grows with the square of their number */

/* Exchanges of curves are weighed by the widths of the others of each curve's group, and by the bytes of the
 * knots of each group's curves at one frame. */
typedef struct groups {
  uint8_t others[MOST][CLIP_AXES];
  size_t row[MOST / CLIP_GROUP + 1];
} groups;

static void widen(uint8_t width[CLIP_AXES], const uint8_t other[CLIP_AXES]) {
  for (int a = 0; a < CLIP_AXES; a++)
    if (other[a] > width[a]) width[a] = other[a];
}

/* The bytes of a group's row if a curve comes to the others of the curve i. */
static size_t row_with(const clip_coded_kind *coded, const groups *g, size_t i,
                       const clip_moving_curve *curve) {
  uint8_t width[CLIP_AXES];
  memcpy(width, g->others[i], sizeof width);
  widen(width, curve->width);
  return clip_row_bytes(width, clip_axes(coded->kind), clip_group_curves(coded->movings, i / CLIP_GROUP));
}

static void note_group(const clip_coded_kind *coded, groups *g, size_t group) {
  const size_t first = CLIP_GROUP * group, count = clip_group_curves(coded->movings, group);
  memset(g->others[first], 0, count * sizeof g->others[first]);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      if (j != i) widen(g->others[first + i], coded->sorted[first + j]->width);
  g->row[group] = row_with(coded, g, first, coded->sorted[first]);
}

/* Exchanges two curves if this makes the knots of their two groups take fewer bytes. */
static bool try_exchange(clip_coded_kind *coded, groups *g, size_t i, size_t j) {
  clip_moving_curve **const p = &coded->sorted[i], **const q = &coded->sorted[j], *const curve = *p;
  const size_t a = i / CLIP_GROUP, b = j / CLIP_GROUP;
  if (row_with(coded, g, i, *q) + row_with(coded, g, j, *p) >= g->row[a] + g->row[b]) return false;
  *p = *q, *q = curve;
  note_group(coded, g, a), note_group(coded, g, b);
  return true;
}

static bool is_joint_before(const void *a, const void *b) {
  const clip_moving_curve *p = *(clip_moving_curve *const *)a, *q = *(clip_moving_curve *const *)b;
  return p->joint < q->joint;
}

/* Exchanges curves between groups while this makes knots take fewer bytes. Then sorts the curves of each
 * group by joint, because bundles store this order in fewer bits. */
static void regroup(clip_coded_kind *coded) {
  const size_t n = coded->movings;
  groups g;
  for (size_t first = 0; n <= MOST && first < n; first += CLIP_GROUP)
    note_group(coded, &g, first / CLIP_GROUP);
  for (bool shorter = n <= MOST; shorter;) {
    shorter = false;
    for (size_t i = 0; i < n; i++)
      for (size_t j = (i / CLIP_GROUP + 1) * CLIP_GROUP; j < n; j++)
        if (try_exchange(coded, &g, i, j)) shorter = true;
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
