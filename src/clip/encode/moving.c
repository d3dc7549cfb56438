/* All moving curves of a kind. */
#include <stdlib.h>

#include "clip/encode/encoder.h"

/* clips with fewer frames are encoded with and without principal axes; of others a sample is */
enum { TRY_SEVERAL = 600 };

static int compare_curves(const void *a, const void *b) {
  const clip_moving_curve *p = *(clip_moving_curve *const *)a, *q = *(clip_moving_curve *const *)b;
  const int wide_p = p->width[0] + p->width[1] + p->width[2],
            wide_q = q->width[0] + q->width[1] + q->width[2];
  if (wide_p != wide_q) return wide_p > wide_q ? -1 : 1;
  return p->joint < q->joint ? -1 : 1;
}

void quatsimd_encode_widths(uint8_t width[CLIP_AXES], const clip_coded_kind *coded, size_t first) {
  memset(width, 0, CLIP_AXES);
  for (size_t i = first; i < coded->movings && i < first + CLIP_GROUP; i++)
    for (int a = 0; a < CLIP_AXES; a++)
      if (coded->sorted[i]->width[a] > width[a]) width[a] = coded->sorted[i]->width[a];
}

/* Those that move much, and so have wide knots, first. Returns the bytes of all that moves. */
static size_t sort_curves(const clip_encoder *e, clip_coded_kind *coded) {
  for (size_t i = 0; i < coded->movings; i++) coded->sorted[i] = &coded->moving[i];
  qsort(coded->sorted, coded->movings, sizeof(void *), compare_curves);
  size_t row = 0, payload = 0;
  for (size_t first = 0; first < coded->movings; first += CLIP_GROUP) {
    uint8_t width[CLIP_AXES];
    quatsimd_encode_widths(width, coded, first);
    row += clip_row_bytes(width, clip_group_curves(coded->movings, first / CLIP_GROUP));
  }
  for (size_t i = 0; i < coded->movings; i++) payload += coded->moving[i].bytes;
  return payload + row * (clip_blocks(e->grid.frames) + 1) + coded->movings * (coded->axes ? 8 : 4);
}

/* What a curve costs by itself: eighths of a byte. */
static size_t cost_of(const clip_moving_curve *curve, size_t blocks) {
  return 8 * curve->bytes + ((size_t)curve->width[0] + curve->width[1] + curve->width[2]) * (blocks + 1);
}

/* Does a curve cost less without principal axes? By a sample of its blocks. */
static quatsimd_status less_without(clip_encoder *e, const clip_coded_kind *coded, clip_moving_curve with,
                                    double (*vector)[3], clip_moving_curve other, double (*other_vector)[3],
                                    bool *less) {
  enum { EVERY = 8 };
  const size_t blocks = clip_blocks(e->grid.frames) / EVERY;
  struct piece *mark = e->memory.last;
  bool fits = false, other_fits = false;
  quatsimd_status status = quatsimd_encode_curve(e, coded, &with, vector, EVERY, &fits);
  if (status == QUATSIMD_OK)
    status = quatsimd_encode_curve(e, coded, &other, other_vector, EVERY, &other_fits);
  *less = other_fits && (!fits || cost_of(&other, blocks) < cost_of(&with, blocks));
  quatsimd_release(&e->memory, mark);
  return status;
}

/* Encodes all that moves; rotations with principal axes where these pay. If they are given, all have them,
 * `without` gets what the curves are without, and `mixed` the shorter ones of both. */
static quatsimd_status encode_moving(clip_encoder *e, clip_coded_kind *coded, clip_moving_curve *without,
                                     clip_moving_curve *mixed) {
  const size_t frames = e->grid.frames, blocks = clip_blocks(frames);
  const bool rotation = coded->kind == QUATSIMD_CLIP_ROTATION;
  double(*value)[CLIP_MOST_COMPONENTS] = quatsimd_take(&e->memory, frames, sizeof *value);
  double(*vector)[3] = quatsimd_take(&e->memory, frames, sizeof *vector),
  (*other_vector)[3] = quatsimd_take(&e->memory, frames, sizeof *vector);
  if (!value || !vector || !other_vector) return QUATSIMD_ERROR_NO_MEMORY;
  size_t kept = 0;
  for (size_t i = 0; i < coded->movings; i++) {
    clip_moving_curve with = coded->moving[i], other = with;
    bool fits, other_fits = true, less = false;
    quatsimd_curve_frames(clip_curve(&e->source->joint[with.joint], coded->kind), coded->kind, &e->grid,
                          value);
    if (e->options->loop) quatsimd_close_loop(coded->kind, value, frames);
    quatsimd_tangent_space(&with.space, vector, value, frames, coded->kind, rotation);
    if (rotation) quatsimd_tangent_space(&other.space, other_vector, value, frames, coded->kind, false);
    quatsimd_status status = QUATSIMD_OK;
    if (rotation && !without) status = less_without(e, coded, with, vector, other, other_vector, &less);
    if (less) with = other;
    if (status == QUATSIMD_OK)
      status = quatsimd_encode_curve(e, coded, &with, less ? other_vector : vector, 1, &fits);
    if (status == QUATSIMD_OK && without)
      status = quatsimd_encode_curve(e, coded, &other, other_vector, 1, &other_fits);
    if (status != QUATSIMD_OK) return status;
    if (!fits || !other_fits) {
      coded->state[with.joint] = CLIP_KEYED;
      continue;
    }
    if (without)
      without[kept] = other, mixed[kept] = cost_of(&other, blocks) < cost_of(&with, blocks) ? other : with;
    coded->moving[kept++] = with;
  }
  coded->movings = kept;
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_encode_kind(clip_encoder *e, int kind) {
  clip_coded_kind *coded = &e->coded[kind];
  const bool rotation = kind == QUATSIMD_CLIP_ROTATION, several = rotation && e->grid.frames < TRY_SEVERAL;
  for (size_t j = 0; j < e->source->joints; j++) {
    if (rotation && coded->state[j] == CLIP_CONSTANT && coded->precision[j] > e->precision)
      coded->state[j] = CLIP_MOVING;
    if (coded->state[j] == CLIP_MOVING)
      coded->moving[coded->movings++] = (clip_moving_curve){.joint = j, .unit = coded->unit_of[j]};
  }
  quatsimd_encode_units(coded);
  clip_moving_curve *way[3] = {coded->moving, NULL, NULL}; /* with principal axes, without them, with some */
  for (int i = 1; several && i < 3; i++)
    if (!(way[i] = quatsimd_take(&e->memory, coded->movings + 1, sizeof *coded->moving)))
      return QUATSIMD_ERROR_NO_MEMORY;
  const quatsimd_status status = encode_moving(e, coded, way[1], way[2]);
  if (status != QUATSIMD_OK) return status;
  size_t least = SIZE_MAX;
  int best = 0;
  for (int i = 0; i < (several ? 3 : 1); i++) {
    coded->moving = way[i], coded->axes = rotation && i != 1;
    const size_t bytes = sort_curves(e, coded);
    if (bytes < least) least = bytes, best = i;
  }
  coded->moving = way[best], coded->axes = rotation && best != 1;
  sort_curves(e, coded);
  return QUATSIMD_OK;
}
