/* Encodes a source in several ways and keeps the best clip. */
#include "core/dispatch.h"
#include "clip/encode/object.h"
#include "clip/encode/snap.h"

/* ---- one strategy ---- */

static quatsimd_status encode(clip_encoder *e, clip_bytes *bytes) {
  const quatsimd_clip_options *options = e->options;
  clip_skeleton skeleton;
  double likely = 0;
  quatsimd_status status = quatsimd_source_check(e->original, e->report);
  if (status == QUATSIMD_OK && options->additive == QUATSIMD_CLIP_ADDITIVE_BASE) {
    status = options->additive_base->joint_count == e->original->joint_count &&
                     options->additive_base->track_count == e->original->track_count
                 ? quatsimd_source_check(options->additive_base, e->report)
                 : clip_refuse_all(e->report, "the base has more or fewer joints or tracks");
    e->base = options->additive_base;
  } else if (options->additive) e->base = e->original;
  if (status == QUATSIMD_OK && options->snap_times)
    status = quatsimd_snap(&e->memory, &e->original, &e->base, options->rate, &likely, e->report);
  if (status == QUATSIMD_OK && options->close_loop) {
    status = quatsimd_close_loop(&e->memory, &e->original, &e->base, options, e->report);
    e->closed = *options, e->options = &e->closed;
    e->closed.looping = e->report->travelling_count == 0;
  }
  e->source = e->original;
  if (status == QUATSIMD_OK) status = quatsimd_encode_rest(e);
  if (status != QUATSIMD_OK) return status;
  status = quatsimd_encode_bounds(e);
  if (status == QUATSIMD_OK && clip_in_object_space(e)) {
    status = quatsimd_object_skeleton(&skeleton, e);
    if (status == QUATSIMD_OK) quatsimd_object_bounds(&skeleton, e);
  }
  if (status == QUATSIMD_OK) status = quatsimd_choose_forms(e, likely);
  if (status == QUATSIMD_OK && quatsimd_frames_are_dear(e))
    return QUATSIMD_ERROR_BAD_ARGUMENT; /* try_strategy gives up */
  if (status == QUATSIMD_OK) status = quatsimd_settle(e);
  if (status != QUATSIMD_OK) return status;
  e->report->rate = e->grid.rate, e->report->frame_count = e->grid.frames;
  quatsimd_encode_tables(e);
  return !clip_in_object_space(e) ? quatsimd_encode_joints(e, bytes)
         : e->strategy->floats    ? quatsimd_encode_in_floats(e, &skeleton, bytes)
                                  : quatsimd_encode_object(e, &skeleton, bytes);
}

static quatsimd_status encode_by(const quatsimd_clip_source *source, const quatsimd_clip_options *options,
                                 clip_strategy *strategy, clip_bytes *bytes, quatsimd_clip_report *report) {
  const quatsimd_allocator *allocator = options->allocator;
  clip_encoder *e = quatsimd_allocate(allocator, sizeof *e);
  *bytes = (clip_bytes){.allocator = allocator};
  if (!e) return QUATSIMD_ERROR_NO_MEMORY;
  memset(e, 0, sizeof *e);
  e->source = e->original = source, e->options = options, e->report = report, e->strategy = strategy;
  e->kernels = quatsimd_active_kernels()->clip;
  e->attempts = strategy->floats; /* above 0: an earlier strategy has checked loops */
  e->memory.allocator = e->lasting.allocator = allocator;
  const quatsimd_status status = encode(e, bytes);
  quatsimd_release(&e->memory, NULL);
  quatsimd_release(&e->lasting, NULL);
  quatsimd_clip_free(allocator, e);
  return status;
}

/* ---- all strategies ---- */

/* Returns the bytes that a clip should not exceed: those of all keys, times and tangents as floats. */
static double most_bytes(const quatsimd_clip_source *source, const quatsimd_clip_options *options) {
  const quatsimd_clip_source *const sources[] = {source, options->additive_base};
  double bytes = 128 + (double)source->joint_count;
  for (int s = 0; s < (options->additive == QUATSIMD_CLIP_ADDITIVE_BASE ? 2 : 1); s++)
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
      for (size_t j = 0; j < clip_curves(source, kind); j++) {
        const quatsimd_curve *curve = clip_curve(sources[s], kind, j);
        const size_t values = curve->interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1;
        bytes += (double)curve->key_count * (4 + 4 * (double)(values * clip_components(kind)));
      }
  return bytes;
}

/* Returns the largest of all errors as multiples of their bounds. */
static float ratio_of(const quatsimd_clip_report *report) {
  float ratio = report->nearest_object.ratio;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (report->nearest[kind].ratio > ratio) ratio = report->nearest[kind].ratio;
  return ratio;
}

/* True if a clip is better than another. Bounds come first, then bytes. Of two clips that miss their bounds,
 * one that is larger than the source's floats, `most`, must miss them by FAR less to be better. */
static bool is_better(const clip_bytes *clip, const quatsimd_clip_report *report, const clip_bytes *other,
                      const quatsimd_clip_report *of_other, double most) {
  enum { FAR = 8 };
  const float much = 1.05f, ratio = ratio_of(report), other_ratio = ratio_of(of_other);
  const bool large = (double)clip->size > most, other_large = (double)other->size > most;
  if ((ratio > 1) != (other_ratio > 1)) return ratio <= 1;
  if (ratio > 1 && large && !other_large) return ratio * FAR < other_ratio;
  if (ratio > 1 && other_large && !large) return !(other_ratio * FAR < ratio);
  if (ratio > 1 && (ratio * much < other_ratio || other_ratio * much < ratio)) return ratio < other_ratio;
  return clip->size < other->size;
}

/* Tries another strategy and keeps the better clip. If the best clip holds its bounds, the strategy is given
 * up when its first attempt takes TOO_LARGE times the bytes: later attempts hardly take fewer. */
static quatsimd_status try_strategy(const quatsimd_clip_source *source, const quatsimd_clip_options *options,
                                    clip_strategy *best, clip_strategy *strategy, clip_bytes *bytes,
                                    quatsimd_clip_report *report) {
  enum { TOO_LARGE = 2 };
  clip_bytes other;
  quatsimd_clip_report found = {0};
  if (ratio_of(report) <= 1) strategy->most = TOO_LARGE * bytes->size;
  const quatsimd_status status = encode_by(source, options, strategy, &other, &found);
  /* a strategy that is given up has missed 0: finer ones take more bytes, and are not tried */
  if (status == QUATSIMD_OK && is_better(&other, &found, bytes, report, most_bytes(source, options))) {
    const clip_bytes former = *bytes;
    *bytes = other, other = former, *report = found, *best = *strategy;
  }
  clip_bytes_free(&other);
  /* after any other error, the clip of an earlier strategy can be used */
  return status == QUATSIMD_ERROR_NO_MEMORY ? status : QUATSIMD_OK;
}

enum { FINER = 8, FINEST = 512 };

/* Tries floats, the most precise way. If these hold the bounds, tries ever shorter pieces until these do. */
static quatsimd_status encode_finer(const quatsimd_clip_source *source, const quatsimd_clip_options *options,
                                    clip_strategy *best, clip_bytes *bytes, quatsimd_clip_report *report) {
  clip_strategy floats = {.parts = FINEST, .floats = true, .doubles = best->doubles}, finer = *best,
                dense = {.parts = FINER * FINEST, .dense = true, .doubles = best->doubles};
  quatsimd_status status = try_strategy(source, options, best, &floats, bytes, report);
  if (best->missed != 0) return status;
  for (int parts = finer.parts; parts <= FINEST && finer.missed != 0 && status == QUATSIMD_OK;) {
    const bool finest = (parts *= FINER) > FINEST;
    finer = (clip_strategy){.parts = parts,
                            .frames = !finest && finer.frames,
                            .dense = !finest && finer.dense,
                            .doubles = finer.doubles};
    status = try_strategy(source, options, best, &finer, bytes, report);
    if (finest && finer.choice && status == QUATSIMD_OK)
      status = try_strategy(source, options, best, &dense, bytes, report);
  }
  return status;
}

quatsimd_status quatsimd_encode_strategies(const quatsimd_clip_source *source,
                                           const quatsimd_clip_options *options, clip_bytes *bytes,
                                           quatsimd_clip_report *report) {
  clip_strategy best = {.parts = CLIP_PIECES_PART};
  quatsimd_status status = encode_by(source, options, &best, bytes, report);
  clip_strategy frames = {.parts = CLIP_PIECES_PART, .frames = true};
  if (status == QUATSIMD_OK && best.splines > 0)
    status = try_strategy(source, options, &best, &frames, bytes, report);
  clip_strategy dense = {.parts = CLIP_PIECES_PART, .frames = best.frames, .dense = true},
                framed = {.parts = CLIP_PIECES_PART, .frames = true, .dense = true};
  const bool another = frames.choice && !best.frames;
  if (status == QUATSIMD_OK && best.choice)
    status = try_strategy(source, options, &best, &dense, bytes, report);
  if (status == QUATSIMD_OK && another) status = try_strategy(source, options, &best, &framed, bytes, report);
  clip_strategy doubles = {
      .parts = CLIP_PIECES_PART, .frames = best.frames, .dense = best.dense, .doubles = true};
  if (status == QUATSIMD_OK && best.missed != 0 && best.rounded)
    status = try_strategy(source, options, &best, &doubles, bytes, report);
  if (status == QUATSIMD_OK && best.missed != 0 && best.pieces)
    status = encode_finer(source, options, &best, bytes, report);
  if (status == QUATSIMD_OK && (double)bytes->size > most_bytes(source, options)) {
    clip_strategy own = {.parts = best.parts, .own = true, .floats = best.in_floats, .doubles = best.doubles},
                  rounded = own;
    rounded.round = true;
    status = try_strategy(source, options, &best, &own, bytes, report);
    if (status == QUATSIMD_OK && (double)bytes->size > most_bytes(source, options))
      status = try_strategy(source, options, &best, &rounded, bytes, report);
  }
  return status;
}
