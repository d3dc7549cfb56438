/* All moving curves of a kind. */
#include "clip/encode/encoder.h"
#include "clip/encode/sort.h"

/* clips with fewer frames are encoded with and without principal axes; of others a sample is */
enum { TRY_SEVERAL = 600 };

/* Does a curve come before another: with wider knots, or else as joints come? */
static bool is_before(const void *a, const void *b) {
  const clip_moving_curve *p = *(clip_moving_curve *const *)a, *q = *(clip_moving_curve *const *)b;
  const int wide_p = p->width[0] + p->width[1] + p->width[2],
            wide_q = q->width[0] + q->width[1] + q->width[2];
  return wide_p != wide_q ? wide_p > wide_q : p->joint < q->joint;
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
  quatsimd_sort(coded->sorted, coded->movings, sizeof(void *), is_before);
  size_t row = 0, payload = 0;
  for (size_t first = 0; first < coded->movings; first += CLIP_GROUP) {
    uint8_t width[CLIP_AXES];
    quatsimd_encode_widths(width, coded, first);
    row +=
        clip_row_bytes(width, clip_axes(coded->kind), clip_group_curves(coded->movings, first / CLIP_GROUP));
  }
  for (size_t i = 0; i < coded->movings; i++) payload += coded->moving[i].bytes;
  return payload + row * (clip_blocks(e->grid.frames) + 1) + coded->movings * (coded->axes ? 8 : 4);
}

/* What a curve costs by itself: eighths of a byte. */
static size_t cost_of(const clip_moving_curve *curve, size_t blocks) {
  return 8 * curve->bytes + ((size_t)curve->width[0] + curve->width[1] + curve->width[2]) * (blocks + 1);
}

/* A curve at all frames. */
static void load_frames(const clip_encoder *e, int kind, size_t joint, clip_value *value) {
  const quatsimd_curve *curve = clip_curve(e->source, kind, joint);
  const size_t last = e->grid.frames - 1;
  clip_progress place = {0};
  for (size_t f = 0; f <= last; f++) {
    double v[CLIP_MOST_COMPONENTS];
    quatsimd_curve_along(curve, kind, clip_grid_time(&e->grid, f), &place, v);
    for (size_t i = 0; i < clip_components(kind); i++) value[f][i] = (float)v[i];
  }
  if (!e->options->loop) return;
  float dot = 0; /* the last frame becomes the first one, with the sign that it had */
  for (int i = 0; i < 4 && kind == QUATSIMD_CLIP_ROTATION; i++) dot += value[0][i] * value[last][i];
  for (size_t i = 0; i < clip_components(kind); i++) value[last][i] = dot < 0 ? -value[0][i] : value[0][i];
}

/* The cost of a curve by a sample of its blocks; SIZE_MAX if it does not fit. */
static quatsimd_status estimate(clip_encoder *e, const clip_coded_kind *coded, clip_moving_curve curve,
                                clip_vector *vector, size_t *cost) {
  enum { EVERY = 8 };
  struct piece *mark = e->memory.last;
  bool fits = false;
  const quatsimd_status status = quatsimd_encode_curve(e, coded, &curve, vector, EVERY, &fits);
  *cost = fits ? cost_of(&curve, clip_blocks(e->grid.frames) / EVERY) : SIZE_MAX;
  quatsimd_release(&e->memory, mark);
  return status;
}

/* One curve's vectors, with principal axes unless a sample of its blocks costs less without them. */
static quatsimd_status choose_axes(clip_encoder *e, const clip_coded_kind *coded, clip_moving_curve *curve,
                                   clip_vector *vector, clip_value *value) {
  const size_t frames = e->grid.frames;
  const bool rotation = coded->kind == QUATSIMD_CLIP_ROTATION;
  size_t with = SIZE_MAX, without = SIZE_MAX;
  quatsimd_tangent_space(&curve->space, vector, value, frames, coded->kind, false);
  if (!rotation) return QUATSIMD_OK;
  const clip_tangent_space plain = curve->space;
  quatsimd_status status = estimate(e, coded, *curve, vector, &without);
  quatsimd_tangent_space(&curve->space, vector, value, frames, coded->kind, true);
  if (status == QUATSIMD_OK) status = estimate(e, coded, *curve, vector, &with);
  if (status != QUATSIMD_OK || with <= without) return status;
  quatsimd_tangent_space(&curve->space, vector, value, frames, coded->kind, false);
  curve->space = plain;
  return QUATSIMD_OK;
}

/* Encodes all that moves; rotations with principal axes where these pay. If they are given, all have them,
 * `without` gets what the curves are without, and `mixed` the shorter ones of both. */
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
      quatsimd_tangent_space(&other.space, vector, value, frames, coded->kind, false);
      status = quatsimd_encode_curve(e, coded, &other, vector, 1, &other_fits);
      quatsimd_tangent_space(&with.space, vector, value, frames, coded->kind, true);
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

quatsimd_status quatsimd_encode_kind(clip_encoder *e, int kind) {
  clip_coded_kind *coded = &e->coded[kind];
  const bool rotation = kind == QUATSIMD_CLIP_ROTATION, several = rotation && e->grid.frames < TRY_SEVERAL;
  for (size_t j = 0; j < clip_curves(e->source, kind); j++)
    if (coded->state[j] == QUATSIMD_CLIP_MOVING)
      coded->moving[coded->movings++] = (clip_moving_curve){.joint = j, .unit = coded->unit_of[j]};
  quatsimd_encode_units(coded);
  clip_moving_curve *way[3] = {coded->moving, NULL, NULL}; /* with principal axes, without them, with some */
  for (int i = 1; several && i < 3; i++)
    if (!(way[i] = quatsimd_take(&e->memory, coded->movings + 1, sizeof *coded->moving)))
      return QUATSIMD_ERROR_NO_MEMORY;
  if (coded->movings == 0) return QUATSIMD_OK;
  quatsimd_memory room = {.allocator = e->memory.allocator}; /* of one curve's frames, given back at once */
  clip_value *value = quatsimd_take(&room, e->grid.frames, sizeof *value);
  clip_vector *vector = quatsimd_take(&room, e->grid.frames, sizeof *vector);
  const quatsimd_status status =
      value && vector ? encode_moving(e, coded, value, vector, way[1], way[2]) : QUATSIMD_ERROR_NO_MEMORY;
  quatsimd_release(&room, NULL);
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
