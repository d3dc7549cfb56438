/* Writes the bytes of a clip, section by section. */
#include "clip/constant.h"
#include "clip/encode/encoder.h"
#include "clip/sample/open.h"
#include "core/container.h"
#include "quatsimd/skeleton.h"

static const char too_large[] = "the clip would take 2^32 bytes or more";

/* Stores a value as a constant or, if `floats`, as the four floats of a rotation. */
static void put_value(unsigned char *p, const clip_encoder *e, int kind, bool floats, const float *value) {
  if (floats)
    for (int i = 0; i < 4; i++) store_float(p + 4 * i, value[i]);
  else quatsimd_constant_store(p, kind, e->precision, value);
}

static bool has_state(const clip_encoder *e, const clip_coded_kind *coded, unsigned state) {
  size_t j = 0;
  while (j < clip_curves(e->source, coded->kind) && coded->state[j] != state) j++;
  return j < clip_curves(e->source, coded->kind);
}

static void write_masks(clip_bytes *bytes, const clip_encoder *e, const clip_coded_kind *coded) {
  const size_t joints = clip_curves(e->source, coded->kind);
  unsigned char *masks = quatsimd_clip_append(bytes, (joints + 3) / 4);
  for (size_t j = 0; masks && j < joints; j++)
    masks[j / 4] |=
        (unsigned char)((coded->state[j] == QUATSIMD_CLIP_KEYED ? QUATSIMD_CLIP_CONSTANT : coded->state[j])
                        << j % 4 * 2);
  unsigned char *keyed =
      has_state(e, coded, QUATSIMD_CLIP_KEYED) ? quatsimd_clip_append(bytes, (joints + 7) / 8) : NULL;
  for (size_t j = 0; keyed && j < joints; j++)
    keyed[j / 8] |= (unsigned char)((coded->state[j] == QUATSIMD_CLIP_KEYED) << j % 8);
}

static size_t block_bytes(const clip_coded_kind *coded, size_t b) {
  size_t size = (coded->movings + 1) / 2 + clip_axes(coded->kind) * coded->movings;
  for (size_t i = 0; i < coded->movings; i++) size += coded->moving[i].block[b].choice.bytes;
  return size;
}

static void write_plan(clip_bytes *bytes, const clip_encoder *e, const clip_coded_kind *coded, bool wide) {
  const size_t groups = (coded->movings + CLIP_GROUP - 1) / CLIP_GROUP, blocks = clip_blocks(e->grid.frames),
               axes = clip_axes(coded->kind), end_bytes = wide ? 4 : 2;
  unsigned char *p = quatsimd_clip_append(bytes, 4 + axes * groups + end_bytes * blocks +
                                                     (coded->units ? coded->movings : 0));
  if (!p) return;
  store_float(p, coded->unit);
  p += 4;
  for (size_t g = 0; g < groups; g++, p += axes) {
    uint8_t width[CLIP_AXES];
    quatsimd_encode_widths(width, coded, CLIP_GROUP * g);
    memcpy(p, width, axes);
  }
  size_t end = 0;
  for (size_t b = 0; b < blocks; b++, p += end_bytes)
    store_little(p, end += block_bytes(coded, b), end_bytes);
  for (size_t i = 0; coded->units && i < coded->movings; i++)
    *p++ = (unsigned char)coded->sorted[i]->exponent;
}

static unsigned char *write_channel(unsigned char *p, unsigned profile, const int16_t *q) {
  for (int k = 0; k < CLIP_INNER; k++)
    put_bits(p, quatsimd_clip_offsets[profile][k], quatsimd_clip_widths[profile][k], q[k]);
  return p + quatsimd_clip_bytes[profile];
}

static unsigned char *write_raw(unsigned char *p, const int32_t *raw, size_t axes, size_t inner,
                                size_t bytes) {
  size_t at = 8 * axes;
  for (size_t a = 0; a < axes; a++, raw += inner) {
    unsigned width = 0;
    for (size_t t = 0; t < inner; t++) width = bits_for(raw[t]) > width ? bits_for(raw[t]) : width;
    p[a] = (unsigned char)width;
    for (size_t t = 0; t < inner; t++, at += width) put_bits(p, at, width, raw[t]);
  }
  return p + bytes;
}

static void write_block(clip_bytes *bytes, const clip_encoder *e, const clip_coded_kind *coded, size_t b) {
  const size_t inner = clip_block_start(b + 1, e->grid.frames) - clip_block_start(b, e->grid.frames) - 1,
               movings = coded->movings, axes = clip_axes(coded->kind);
  unsigned char *codes = quatsimd_clip_append(bytes, block_bytes(coded, b)),
                *profiles = codes ? codes + (movings + 1) / 2 : NULL;
  unsigned char *p = codes ? profiles + axes * movings : NULL;
  for (size_t first = 0; codes && first < movings; first += CLIP_GROUP) {
    const size_t curves = clip_group_curves(movings, first / CLIP_GROUP);
    for (size_t a = 0; a < axes; a++)
      for (size_t i = first; i < first + curves; i++) {
        const quatsimd_clip_choice *choice = &coded->sorted[i]->block[b].choice;
        *profiles++ = choice->profile[a];
        if (choice->code != CLIP_RAW) p = write_channel(p, choice->profile[a], choice->q[a]);
      }
    for (size_t i = first; i < first + curves; i++) {
      const clip_moving_block *block = &coded->sorted[i]->block[b];
      codes[i / 2] |= (unsigned char)(block->choice.code << i % 2 * 4);
      if (block->choice.code == CLIP_RAW) p = write_raw(p, block->raw, axes, inner, block->choice.bytes);
    }
  }
}

static void write_blocks(clip_bytes *bytes, const clip_encoder *e, const clip_coded_kind *coded) {
  for (size_t b = 0; coded->movings && b < clip_blocks(e->grid.frames); b++) write_block(bytes, e, coded, b);
}

static size_t blocks_size(const clip_encoder *e, const clip_coded_kind *coded) {
  size_t size = 0;
  for (size_t b = 0; coded->movings && b < clip_blocks(e->grid.frames); b++) size += block_bytes(coded, b);
  return size;
}

static void write_knots(clip_bytes *bytes, const clip_encoder *e, const clip_coded_kind *coded) {
  const size_t axes = clip_axes(coded->kind);
  for (size_t b = 0; coded->movings && b <= clip_blocks(e->grid.frames); b++)
    for (size_t first = 0; first < coded->movings; first += CLIP_GROUP) {
      const size_t curves = clip_group_curves(coded->movings, first / CLIP_GROUP);
      uint8_t width[CLIP_AXES];
      quatsimd_encode_widths(width, coded, first);
      unsigned char *p = quatsimd_clip_append(bytes, clip_row_bytes(width, axes, curves));
      for (size_t a = 0; p && a < axes; a++) {
        for (size_t i = 0; i < curves; i++)
          put_bits(p, i * width[a], width[a], coded->sorted[first + i]->knot[b][a]);
        p += (width[a] * curves + 7) / 8;
      }
    }
}

static void write_bases(clip_bytes *bytes, const clip_encoder *e, const clip_coded_kind *coded) {
  const size_t axes = clip_axes(coded->kind);
  for (size_t i = 0; i < coded->movings; i++) {
    unsigned char *p = quatsimd_clip_append(bytes, coded->kind == QUATSIMD_CLIP_ROTATION ? 4 : 4 * axes);
    if (p && coded->kind == QUATSIMD_CLIP_ROTATION) store_little(p, coded->sorted[i]->space.right, 4);
    else
      for (size_t a = 0; p && a < axes; a++) store_float(p + 4 * a, coded->sorted[i]->space.middle[a]);
  }
  for (size_t i = 0; coded->axes && i < coded->movings; i++) {
    unsigned char *p = quatsimd_clip_append(bytes, 4);
    if (p) store_little(p, coded->sorted[i]->space.left, 4);
  }
  const size_t slot_bytes = clip_slot_bytes(clip_curves(e->source, coded->kind));
  for (size_t i = 0; i < coded->movings; i++) {
    unsigned char *p = quatsimd_clip_append(bytes, slot_bytes);
    if (p) store_little(p, coded->sorted[i]->joint, slot_bytes);
  }
}

/* True if times rise as floats. */
static bool rise_as_floats(const double *times, size_t count) {
  size_t k = 1;
  while (k < count && (float)times[k] > (float)times[k - 1]) k++;
  return k >= count;
}

/* Writes the head of a curve with its own keys, and their times. */
static void write_head_of_keys(clip_bytes *bytes, const clip_encoder *e, const double *times, size_t count,
                               uint32_t flags) {
  clip_time_form form = quatsimd_time_form(&e->grid, e->newer, times, count);
  if (form.bytes > 4 && e->strategy->round && !(flags & CLIP_KEYED_HOLD) && rise_as_floats(times, count))
    form = (clip_time_form){0, 4};
  unsigned char *p = quatsimd_clip_append(bytes, 4 + form.bytes * count);
  if (!p) return;
  store_little(p, count | flags | form.flags, 4);
  p += 4;
  for (size_t k = 0; k < count; k++, p += form.bytes)
    if (form.flags & CLIP_KEYED_FRAMES)
      store_little(p, quatsimd_grid_nearest(&e->grid, times[k]), form.bytes);
    else if (form.flags & CLIP_KEYED_DOUBLE) store_double(p, times[k]);
    else store_float(p, (float)times[k]);
}

/* Writes a curve's own keys or, if not null, only `middle`. A single key has the time of the clip's start. */
static quatsimd_status write_keys(clip_bytes *bytes, clip_encoder *e, int kind, const quatsimd_curve *curve,
                                  bool floats, const float *middle, uint32_t flags) {
  const clip_narrowed start = {.curve = curve, .kind = kind};
  const bool one = middle || curve->key_count == 1;
  size_t keys = 0;
  floats = floats && kind == QUATSIMD_CLIP_ROTATION;
  for (clip_narrowed n = start; !one && quatsimd_narrow(&n);) keys++;
  if (one) keys = 1;
  double *times = quatsimd_take(&e->memory, keys, sizeof *times);
  if (!times) return QUATSIMD_ERROR_NO_MEMORY;
  times[0] = e->grid.start;
  clip_narrowed n = start;
  for (size_t k = 0; !one && quatsimd_narrow(&n); k++) times[k] = n.time;
  write_head_of_keys(bytes, e, times, keys,
                     flags | (clip_holds(curve) ? CLIP_KEYED_HOLD : 0) | (floats ? CLIP_KEYED_FLOATS : 0));
  const size_t value_bytes = floats ? 16 : clip_constant_bytes(kind, e->precision);
  unsigned char *p = quatsimd_clip_append(bytes, value_bytes * keys);
  n = start;
  for (size_t k = 0; p && k < keys; k++) {
    clip_value key;
    quatsimd_narrow(&n);
    for (size_t i = 0; i < clip_components(kind); i++) key[i] = (float)clip_kept(n.value[i]);
    put_value(p + value_bytes * k, e, kind, floats, middle ? middle : key);
  }
  return QUATSIMD_OK;
}

static void write_spline(clip_bytes *bytes, const clip_encoder *e, int kind, const clip_spline *spline,
                         uint32_t flags) {
  write_head_of_keys(bytes, e, spline->curve.times, spline->curve.key_count,
                     flags | CLIP_KEYED_SPLINE | (spline->floats ? CLIP_KEYED_FLOATS : 0));
  quatsimd_spline_write(bytes, spline, kind);
}

/* The errors of a pair's curve and its base add up. Those of quotients may grow, so scales are floats. */
#define PART_OF_PAIR 0.48

/* Writes a curve of a pair. Lines are floats, and so are splines if `bound` is 0. */
static quatsimd_status write_part(clip_bytes *bytes, clip_encoder *e, int kind, const quatsimd_curve *curve,
                                  double bound, uint32_t flags) {
  if (!clip_is_cubic(curve)) return write_keys(bytes, e, kind, curve, true, NULL, flags);
  clip_spline spline = {.curve = *curve};
  quatsimd_spline_fit(&spline, kind, bound, bound == 0);
  write_spline(bytes, e, kind, &spline, flags);
  return QUATSIMD_OK;
}

static quatsimd_status write_chosen(clip_bytes *bytes, clip_encoder *e, int kind, size_t joint) {
  const clip_spline *spline = &e->spline[kind][joint];
  if (!clip_is_pair(spline)) return write_spline(bytes, e, kind, spline, 0), QUATSIMD_OK;
  const bool floats = e->coded[kind].stored[joint] & CLIP_STORED_FLOATS || kind == QUATSIMD_CLIP_SCALE;
  const double bound = floats ? 0 : PART_OF_PAIR * e->bound[kind][joint];
  const quatsimd_status status = write_part(bytes, e, kind, &spline->curve, bound, CLIP_KEYED_PAIR);
  return status == QUATSIMD_OK ? write_part(bytes, e, kind, &spline->base, bound, 0) : status;
}

static quatsimd_status write_still(clip_bytes *bytes, clip_encoder *e, const clip_coded_kind *coded) {
  struct piece *mark = e->memory.last;
  for (unsigned state = QUATSIMD_CLIP_CONSTANT; state <= QUATSIMD_CLIP_KEYED;
       state += QUATSIMD_CLIP_KEYED - QUATSIMD_CLIP_CONSTANT)
    for (size_t j = 0; j < clip_curves(e->source, coded->kind); j++) {
      if (coded->state[j] != state) continue;
      quatsimd_status status = QUATSIMD_OK;
      if (coded->stored[j] & CLIP_STORED_SPLINE) {
        status = write_chosen(bytes, e, coded->kind, j);
        quatsimd_release(&e->memory, mark);
        if (status != QUATSIMD_OK) return status;
        continue;
      }
      const quatsimd_curve curve = *clip_curve(e->source, coded->kind, j);
      const bool one = state == QUATSIMD_CLIP_CONSTANT || coded->stored[j] & CLIP_STORED_MIDDLE;
      clip_value middle;
      if (one) {
        clip_value *value = quatsimd_take(&e->memory, curve.key_count, sizeof *value);
        clip_vector *vector = quatsimd_take(&e->memory, curve.key_count, sizeof *vector);
        if (!value || !vector) return QUATSIMD_ERROR_NO_MEMORY;
        quatsimd_encode_keys(&curve, coded->kind, value);
        quatsimd_encode_middle(middle, value, curve.key_count, coded->kind, vector);
      }
      const bool floats = coded->stored[j] & CLIP_STORED_FLOATS;
      if (state == QUATSIMD_CLIP_CONSTANT) {
        unsigned char *p = quatsimd_clip_append(bytes, clip_constant_bytes(coded->kind, e->precision));
        if (p) put_value(p, e, coded->kind, false, middle);
      } else status = write_keys(bytes, e, coded->kind, &curve, floats, one ? middle : NULL, 0);
      quatsimd_release(&e->memory, mark);
      if (status != QUATSIMD_OK) return status;
    }
  return QUATSIMD_OK;
}

/* True if the keys that write_keys writes are at the times of frames. */
static bool are_at_frames(const clip_encoder *e, int kind, const quatsimd_curve *curve) {
  clip_narrowed n = {.curve = curve, .kind = kind};
  while (quatsimd_narrow(&n))
    if (curve->key_count > 1 && !(quatsimd_time_form(&e->grid, true, &n.time, 1).flags & CLIP_KEYED_FRAMES))
      return false;
  return true;
}

/* True if the clip has version 3: if a curve is a spline or a pair, or times are numbers of frames, because
 * the clip would be too large otherwise. */
static bool needs_newer(const clip_encoder *e) {
  for (size_t i = 0; i < clip_all_curves(e->source); i++)
    if (clip_any_curve(e->source, i)->key_count > CLIP_MOST_KEYS_3 / 2) return false; /* too many for it */
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; j < clip_curves(e->source, kind); j++) {
      if (e->coded[kind].stored[j] & CLIP_STORED_SPLINE) return true;
      const quatsimd_curve *curve = clip_curve(e->source, kind, j);
      if (!e->strategy->own || e->coded[kind].state[j] != QUATSIMD_CLIP_KEYED) continue;
      if (e->coded[kind].stored[j] & CLIP_STORED_MIDDLE || are_at_frames(e, kind, curve)) return true;
    }
  return false;
}

static void write_head(clip_bytes *bytes, const clip_encoder *e, unsigned flags) {
  const bool started = !e->grid.times && flags & CLIP_HAS_START;
  const size_t skeleton_at = CLIP_HEAD + (started ? 8u : 0),
               tracks_at = skeleton_at + (e->options->skeleton ? 8u : 0);
  unsigned char *head = quatsimd_clip_append(bytes, tracks_at + (e->source->track_count ? 4u : 0));
  if (!head) return;
  store_little(head + CLIP_AT_MAGIC, e->newer ? CLIP_MAGIC_3 : CLIP_MAGIC, 4);
  store_little(head + CLIP_AT_JOINTS, e->source->joint_count, 4);
  store_little(head + CLIP_AT_FRAMES, e->grid.frames, 4);
  store_double(head + CLIP_AT_RATE, e->grid.rate);
  store_little(head + CLIP_AT_FLAGS, flags, 4);
  if (started) store_double(head + CLIP_HEAD, e->grid.start);
  if (e->options->skeleton) store_little(head + skeleton_at, quatsimd_skeleton_hash(e->options->skeleton), 8);
  if (e->source->track_count) store_little(head + tracks_at, e->source->track_count, 4);
}

static void write_times(clip_bytes *bytes, const clip_grid *grid) {
  const size_t time_bytes = grid->floats ? 4 : 8;
  unsigned char *times = grid->times ? quatsimd_clip_append(bytes, time_bytes * grid->frames) : NULL;
  for (size_t f = 0; times && f < grid->frames; f++) {
    if (grid->floats) store_float(times + 4 * f, (float)grid->times[f]);
    else store_double(times + 8 * f, grid->times[f]);
  }
}

quatsimd_status quatsimd_encode_write(clip_bytes *bytes, clip_encoder *e) {
  const clip_coded_kind *rotation = &e->coded[QUATSIMD_CLIP_ROTATION];
  unsigned flags = (e->options->looping ? CLIP_LOOPS : 0) | (unsigned)e->options->additive * CLIP_ADDITIVE |
                   (e->grid.start != 0 && !e->grid.times ? CLIP_HAS_START : 0) |
                   (e->grid.times && !e->grid.floats ? CLIP_DOUBLE_TIMES : 0) |
                   (rotation->axes && rotation->movings ? CLIP_HAS_AXES : 0) |
                   e->precision * CLIP_PRECISION_AT | (e->options->skeleton ? CLIP_HAS_SKELETON : 0) |
                   (e->source->track_count ? CLIP_HAS_TRACKS : 0);
  const clip_coded_kind *written[QUATSIMD_CLIP_KIND_COUNT]; /* kinds with a curve that is not absent */
  size_t kinds = 0;
  bool moving = false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const clip_coded_kind *coded = &e->coded[kind];
    const size_t size = blocks_size(e, coded);
    bool any = false;
    if (size > UINT32_MAX) return clip_refuse_all(e->report, too_large);
    for (unsigned state = QUATSIMD_CLIP_REST; state < CLIP_STATES; state++)
      any = any || has_state(e, coded, state);
    if (any) flags |= CLIP_HAS_KIND << kind, written[kinds++] = coded;
    if (has_state(e, coded, QUATSIMD_CLIP_KEYED)) flags |= CLIP_HAS_KEYS << kind;
    if (coded->units && coded->movings) flags |= CLIP_HAS_UNITS << kind;
    if (clip_is_wide(size)) flags |= CLIP_WIDE << kind;
    moving = moving || coded->movings > 0;
  }
  e->newer = needs_newer(e);
  write_head(bytes, e, flags);
  write_times(bytes, &e->grid);
  for (size_t k = 0; k < kinds; k++) write_masks(bytes, e, written[k]);
  for (size_t k = 0; k < kinds; k++)
    if (written[k]->movings) write_plan(bytes, e, written[k], flags & CLIP_WIDE << written[k]->kind);
  for (size_t k = 0; k < kinds; k++) write_blocks(bytes, e, written[k]);
  for (size_t k = 0; k < kinds; k++) write_knots(bytes, e, written[k]);
  const size_t knots_end = bytes->size;
  quatsimd_status status = QUATSIMD_OK;
  for (size_t k = 0; k < kinds; k++) {
    write_bases(bytes, e, written[k]);
    if (status == QUATSIMD_OK) status = write_still(bytes, e, written[k]);
  }
  if (moving && bytes->size < knots_end + CLIP_OVERREAD)
    quatsimd_clip_append(bytes, knots_end + CLIP_OVERREAD - bytes->size);
  if (bytes->failed || status != QUATSIMD_OK) return QUATSIMD_ERROR_NO_MEMORY;
  if (bytes->size > UINT32_MAX) return clip_refuse_all(e->report, too_large);
  store_little(bytes->data + CONTAINER_AT_SIZE, bytes->size, 4);
  container_seal(bytes->data, bytes->size);
  return QUATSIMD_OK;
}
