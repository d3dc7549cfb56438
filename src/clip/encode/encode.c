/* Runs the encoder's stages until all bounds hold. */
#include "core/dispatch.h"
#include "core/growing.h"
#include "clip/encode/chain.h"
#include "clip/encode/close.h"
#include "clip/encode/encoder.h"
#include "clip/encode/forms.h"
#include "clip/encode/measure.h"
#include "clip/encode/object.h"
#include "clip/encode/snap.h"
#include "clip/sample/open.h"

/* Returns 0 if `bound` is 0, else at least CLIP_LEAST. Tests bits, since some CPUs take a denormal for 0. */
static double bound_from(float bound) {
  const uint32_t sign = 0x80000000;
  return (float_bits(bound) & ~sign) == 0 ? 0 : bound > (float)CLIP_LEAST ? (double)bound : CLIP_LEAST;
}

static double bound_of(const clip_encoder *e, int kind, size_t number) {
  const quatsimd_clip_options *o = e->options;
  const quatsimd_clip_joint *joint = kind == QUATSIMD_CLIP_TRACK ? NULL : &e->original->joints[number];
  const float own = !joint                              ? e->original->tracks[number].bound
                    : kind == QUATSIMD_CLIP_ROTATION    ? joint->rotation_bound
                    : kind == QUATSIMD_CLIP_TRANSLATION ? joint->translation_bound
                                                        : joint->scale_bound;
  const float all[] = {o->rotation_bound, o->translation_bound, o->scale_bound, o->track_bound};
  return bound_from(own) > 0 ? bound_from(own) : bound_from(all[kind]);
}

/* Returns the factor by which errors of scales grow when an additive clip is added to its base, or 1. */
static double error_factor(const clip_encoder *e, int kind, size_t joint) {
  if (!e->base || kind != QUATSIMD_CLIP_SCALE) return 1;
  const clip_truth truth = quatsimd_encode_truth(e, kind, joint);
  const size_t keys = truth.base.key_count,
               parts = clip_is_cubic(&truth.base) ? 8 : 1; /* splines overshoot their keys */
  double most = keys ? 0 : 1, value[CLIP_MOST_COMPONENTS];
  for (size_t k = 0; k < keys; k++)
    for (size_t part = 0; part < (k + 1 < keys ? parts : 1); part++) {
      const double at = keys > 1 ? truth.base.times[k] : 0, to = k + 1 < keys ? truth.base.times[k + 1] : at;
      quatsimd_curve_at(&truth.base, kind, at + (to - at) * ((double)part / (double)parts), value);
      for (int i = 0; i < 3; i++) most = value[i] > most ? value[i] : -value[i] > most ? -value[i] : most;
    }
  return parts > 1 ? 1.05 * most : most;
}

static bool load_bounds(clip_encoder *e) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const size_t joints = clip_curves(e->original, kind);
    e->bound[kind] = quatsimd_take(&e->memory, joints + 1, sizeof *e->bound[kind]);
    e->retry[kind] = quatsimd_take(&e->memory, joints + 1, sizeof *e->retry[kind]);
    if (!e->bound[kind] || !e->retry[kind]) return false;
    for (size_t j = 0; j < joints; j++) {
      e->bound[kind][j] = bound_of(e, kind, j) / error_factor(e, kind, j);
      e->retry[kind][j].finer = 1;
    }
  }
  return true;
}

static quatsimd_status check_bounds(const clip_encoder *e) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; clip_is_bounded(e, kind) && j < clip_curves(e->original, kind); j++) {
      const clip_truth truth = quatsimd_encode_truth(e, kind, j);
      if (truth.curve.key_count + truth.base.key_count > 0 && !clip_is_absent(e, kind, j) &&
          !(e->bound[kind][j] > 0))
        return clip_refuse(e->report, j, kind, CLIP_NOWHERE,
                           "there is no bound for this curve, neither its own nor the options'");
    }
  return QUATSIMD_OK;
}

/* ---- attempts ---- */

static quatsimd_status encode_once(clip_encoder *e, clip_bytes *bytes) {
  quatsimd_status status = QUATSIMD_OK;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT && status == QUATSIMD_OK; kind++)
    status = quatsimd_encode_classify(e, kind);
  if (status == QUATSIMD_OK && e->chain) quatsimd_encode_precision(e);
  for (int kind = QUATSIMD_CLIP_KIND_COUNT; kind-- > 0 && status == QUATSIMD_OK;) /* rotations last */
    status = quatsimd_encode_kind(e, kind);
  if (status == QUATSIMD_OK) quatsimd_encode_precision(e); /* again: now more rotations may have own keys */
  return status == QUATSIMD_OK ? quatsimd_encode_write(bytes, e) : status;
}

static void report_kind(clip_encoder *e, const quatsimd_clip *clip, int kind, const clip_worst *worst) {
  quatsimd_clip_report *report = e->report;
  const quatsimd_clip_part part = clip_part_of(clip, kind);
  report->constant_count[kind] = part.constants, report->moving_count[kind] = part.moving;
  report->keyed_count[kind] = part.keyed;
  report->rest_count[kind] = part.curves - part.constants - part.moving - part.keyed;
  report->worst[kind] = 0, report->float_count[kind] = 0;
  report->nearest[kind] = (quatsimd_clip_worst){0};
  for (size_t j = 0; j < clip_curves(e->source, kind); j++) {
    const float found = (float)(worst[j].error * error_factor(e, kind, j)),
                ratio = clip_is_bounded(e, kind) && worst[j].error > 0
                            ? (float)(worst[j].error / e->bound[kind][j])
                            : 0;
    if (found > report->worst[kind]) report->worst[kind] = found;
    if (ratio > report->nearest[kind].ratio)
      report->nearest[kind] = (quatsimd_clip_worst){ratio, j, worst[j].time};
    report->float_count[kind] += (e->coded[kind].stored[j] & CLIP_STORED_FLOATS) != 0;
  }
}

/* Measures points at frames and, if they hold their bound there, between frames: coarsely at first. If an
 * attempt changed few frames, measures near these before all others. */
static quatsimd_status measure_points(clip_skeleton *skeleton, clip_encoder *e, const quatsimd_clip *clip,
                                      double *ratio) {
  enum { CHANGED, AT_FRAMES, COARSELY, BETWEEN, ALL };
  static const clip_measured where[ALL] = {CLIP_MEASURE_COARSELY, CLIP_MEASURE_FRAMES, CLIP_MEASURE_COARSELY,
                                           CLIP_MEASURE_ALL};
  const bool local = e->chain && e->chain->locals > 0;
  quatsimd_status status = QUATSIMD_OK;
  *ratio = 0, skeleton->held = false;
  for (int step = local ? CHANGED : AT_FRAMES;
       step < ALL && status == QUATSIMD_OK && (*ratio <= 1 || e->floats); step++) {
    if (step == COARSELY && local) continue; /* nearly all such attempts hold their bound here */
    if (step == BETWEEN && !local && !skeleton->far) break;
    if (e->chain && step != CHANGED) quatsimd_chain_forget(e->chain, e);
    status = quatsimd_object_measure(skeleton, e, clip, where[step], ratio);
  }
  return status;
}

/* Encodes the clip once and measures its errors. skeleton: null unless the bound is in model space. *ratio
 * gets the largest error of a point as a multiple of its bound. */
static quatsimd_status attempt(clip_encoder *e, clip_skeleton *skeleton, clip_bytes *bytes, double *ratio) {
  struct piece *mark = e->memory.last;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip = NULL;
  clip_bytes_free(bytes); /* frees the clip of the attempt before, so that less memory is needed */
  e->violated = false;
  quatsimd_status status = encode_once(e, bytes);
  if (status == QUATSIMD_OK &&
      (status = quatsimd_clip_open(&clip, &storage, sizeof storage, bytes->data, bytes->size)) != QUATSIMD_OK)
    clip_refuse_all(e->report, "what was made of it is no clip, which should not be; please report it");
  if (skeleton && status == QUATSIMD_OK) status = measure_points(skeleton, e, clip, ratio);
  const bool again = skeleton && !(*ratio <= 1) && !e->floats;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT && status == QUATSIMD_OK && !again; kind++) {
    clip_worst *worst = quatsimd_take(&e->memory, clip_curves(e->source, kind) + 1, sizeof *worst);
    status = worst ? quatsimd_measure(e, clip, kind, worst) : QUATSIMD_ERROR_NO_MEMORY;
    if (status == QUATSIMD_OK) report_kind(e, clip, kind, worst);
  }
  if (e->failed) status = QUATSIMD_ERROR_NO_MEMORY;
  quatsimd_release(&e->memory, mark);
  e->attempts++;
  return status;
}

/* Makes attempts until all bounds hold or no finer setting is left to try. */
static quatsimd_status encode_joints(clip_encoder *e, clip_bytes *bytes) {
  quatsimd_status status;
  do {
    status = attempt(e, NULL, bytes, NULL);
    quatsimd_encode_retry(e);
  } while (status == QUATSIMD_OK && e->violated);
  return status;
}

static bool joints_move(const clip_encoder *e) {
  size_t movings = 0;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) movings += e->coded[kind].movings;
  return movings > 0;
}

/* A clip that holds the bound is good enough if its largest error is at least this part of the bound. */
#define SPENT 0.9

/* Encodes rotations in a chain until the bound in model space holds: then *held gets true. *easily gets true
 * if an encoding with a bound for each curve would hardly take fewer bytes. */
static quatsimd_status encode_in_chain(clip_encoder *e, clip_skeleton *skeleton, clip_bytes *bytes,
                                       bool *held, bool *easily) {
  enum { EASY = 8, MOST = 16 };
  quatsimd_status status = QUATSIMD_OK;
  double ratio = 0;
  *held = *easily = false;
  if (e->base || e->grid.frames < 2) return QUATSIMD_OK;
  struct piece *const start = e->memory.last;
  clip_chain *chain = quatsimd_take(&e->memory, 1, sizeof *chain);
  if (!chain || !quatsimd_chain_begin(chain, skeleton, e)) return QUATSIMD_ERROR_NO_MEMORY;
  struct piece *mark = e->memory.last;
  for (int kind = 0; e->options->looping && kind < QUATSIMD_CLIP_KIND_COUNT && status == QUATSIMD_OK; kind++)
    status = quatsimd_encode_classify(e, kind); /* checks that loops close within the curves' first bounds */
  quatsimd_release(&e->memory, mark);
  e->attempts += e->options->looping != 0;
  e->chain = chain;
  for (int i = 0; i < MOST && status == QUATSIMD_OK && !*held; i++) {
    if (!quatsimd_chain_plan(chain, e)) break;
    status = attempt(e, skeleton, bytes, &ratio);
    *held = status == QUATSIMD_OK && ratio <= 1 && !e->violated; /* violated: a track missed its bound */
    *easily = *held && i < EASY && (ratio >= SPENT || !joints_move(e));
    quatsimd_encode_retry(e);
    if (!(ratio <= 1)) quatsimd_chain_retry(chain, e, i);
  }
  e->chain = NULL;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    *easily = *easily && e->report->float_count[kind] == 0;
  for (size_t j = 0; j < e->source->joint_count; j++)
    e->retry[QUATSIMD_CLIP_ROTATION][j].finer = 1, e->retry[QUATSIMD_CLIP_ROTATION][j].moves = false;
  quatsimd_release(&e->memory, start);
  quatsimd_object_bounds(skeleton, e);
  return status;
}

/* Notes by how much a clip misses the bounds of points that the caller gave. */
static void note_missed(clip_encoder *e) {
  const double ratio = (double)e->report->nearest_object.ratio;
  e->strategy->missed = ratio <= 1 ? 0 : ratio;
}

static quatsimd_status encode_in_floats(clip_encoder *e, clip_skeleton *skeleton, clip_bytes *bytes) {
  double ratio = 0;
  e->floats = e->strategy->in_floats = true;
  const quatsimd_status status = attempt(e, skeleton, bytes, &ratio);
  e->floats = false;
  note_missed(e);
  return status;
}

/* Makes attempts with a bound for each curve until the largest error is just below the bound. Keeps the
 * shortest clip that holds the bound: *best has that of the chain, or no data, and *report is its report. */
static quatsimd_status encode_by_curves(clip_encoder *e, clip_skeleton *skeleton, clip_bytes *bytes,
                                        clip_bytes *best, quatsimd_clip_report *report) {
  /* After LOOSE attempts, bounds are loosened only if the clip holds its bound. Else, among many joints, one
   * might miss its bound in every attempt. */
  enum { LOOSE = 3, ENOUGH = 10, MOST = 32 };
  quatsimd_status status = QUATSIMD_OK;
  for (int i = 0; i < MOST && status == QUATSIMD_OK; i++) {
    double ratio = 0;
    status = attempt(e, skeleton, bytes, &ratio);
    const bool held = status == QUATSIMD_OK && ratio <= 1 && !e->violated,
               shorter = !best->data || bytes->size < best->size;
    quatsimd_encode_retry(e);
    if (held && shorter) {
      const clip_bytes other = *best;
      *best = *bytes, *bytes = other, *report = *e->report;
    }
    /* a clip that misses the bound gets tighter bounds, which hardly save bytes */
    if (best->data && (i >= ENOUGH || (held ? ratio >= SPENT || !joints_move(e) : !shorter))) break;
    if (!quatsimd_object_adjust(skeleton, e, i < LOOSE || held) && held) break;
  }
  return status;
}

/* Encodes in a chain, and by curves unless the chain's clip is surely short. *held gets true if a clip holds
 * the bound. */
static quatsimd_status encode_shortest(clip_encoder *e, clip_skeleton *skeleton, clip_bytes *bytes,
                                       bool *held) {
  clip_bytes best = {.allocator = bytes->allocator};
  quatsimd_clip_report report = *e->report;
  bool easily;
  quatsimd_status status = encode_in_chain(e, skeleton, bytes, held, &easily);
  if (status != QUATSIMD_OK || easily) return status;
  if (*held) best = *bytes, *bytes = (clip_bytes){.allocator = best.allocator}, report = *e->report;
  status = encode_by_curves(e, skeleton, bytes, &best, &report);
  *held = best.data != NULL;
  if (status == QUATSIMD_OK && !*held) return status;
  clip_bytes_free(bytes);
  *bytes = best;
  if (status == QUATSIMD_OK) *e->report = report;
  return status;
}

/* Encodes with the bounds of points. If no clip holds them, stores all curves in floats. If this clip misses
 * bounds, too, or only some joints missed theirs before, joints that need no floats have a second try. */
static quatsimd_status encode_object(clip_encoder *e, clip_skeleton *skeleton, clip_bytes *bytes) {
  const size_t joints = e->original->joint_count;
  bool held;
  quatsimd_status status = encode_shortest(e, skeleton, bytes, &held);
  if (status != QUATSIMD_OK || held) return status;
  bool *const hard = quatsimd_take(&e->memory, joints + 1, sizeof *hard);
  e->exact = quatsimd_take(&e->memory, joints + 1, sizeof *e->exact);
  if (!hard || !e->exact) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t j = 0; j < joints; j++) hard[j] = !(skeleton->worst[j] <= (double)skeleton->bound[j]);
  status = encode_in_floats(e, skeleton, bytes);
  if (status != QUATSIMD_OK || !quatsimd_object_raise(skeleton, e, hard)) return status;
  status = encode_shortest(e, skeleton, bytes, &held);
  if (status != QUATSIMD_OK) return status;
  if (!held) return encode_in_floats(e, skeleton, bytes);
  e->strategy->in_floats = false;
  note_missed(e);
  return status;
}

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
  if (!load_bounds(e)) return QUATSIMD_ERROR_NO_MEMORY;
  status = check_bounds(e);
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
  return !clip_in_object_space(e) ? encode_joints(e, bytes)
         : e->strategy->floats    ? encode_in_floats(e, &skeleton, bytes)
                                  : encode_object(e, &skeleton, bytes);
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

/* Tries another strategy and keeps the better clip. */
static quatsimd_status try_strategy(const quatsimd_clip_source *source, const quatsimd_clip_options *options,
                                    clip_strategy *best, clip_strategy *strategy, clip_bytes *bytes,
                                    quatsimd_clip_report *report) {
  clip_bytes other;
  quatsimd_clip_report found = {0};
  const quatsimd_status status = encode_by(source, options, strategy, &other, &found);
  if (status == QUATSIMD_OK && is_better(&other, &found, bytes, report, most_bytes(source, options))) {
    const clip_bytes former = *bytes;
    *bytes = other, other = former, *report = found, *best = *strategy;
  }
  clip_bytes_free(&other);
  /* after any other error, the clip of an earlier strategy can be used */
  return status == QUATSIMD_ERROR_NO_MEMORY ? status : QUATSIMD_OK;
}

enum { FINER = 8, FINEST = 512 };

/* Tries floats and, if these hold the bounds, the finest pieces, which may be shorter. */
static quatsimd_status encode_finest(const quatsimd_clip_source *source, const quatsimd_clip_options *options,
                                     clip_strategy *best, clip_bytes *bytes, quatsimd_clip_report *report) {
  clip_strategy floats = {.parts = FINEST, .floats = true, .doubles = best->doubles},
                finest = {.parts = FINER * FINEST, .doubles = best->doubles},
                dense = {.parts = FINER * FINEST, .dense = true, .doubles = best->doubles};
  quatsimd_status status = try_strategy(source, options, best, &floats, bytes, report);
  if (best->missed != 0 || status != QUATSIMD_OK) return status;
  status = try_strategy(source, options, best, &finest, bytes, report);
  if (status == QUATSIMD_OK && finest.choice)
    status = try_strategy(source, options, best, &dense, bytes, report);
  return status;
}

/* Tries frames for splines, dense frames, finer pieces if a bound in model space was missed, and at last own
 * keys for all curves if the clip is too large. */
static quatsimd_status encode_strategies(const quatsimd_clip_source *source,
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
  for (int parts = FINER * best.parts;
       parts <= FINEST && best.missed != 0 && best.pieces && status == QUATSIMD_OK; parts *= FINER) {
    clip_strategy strategy = {
        .parts = parts, .frames = best.frames, .dense = best.dense, .doubles = best.doubles};
    status = try_strategy(source, options, &best, &strategy, bytes, report);
  }
  if (status == QUATSIMD_OK && best.missed != 0 && best.pieces)
    status = encode_finest(source, options, &best, bytes, report);
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

/* `options` and `report` have the struct sizes of this version. */
static quatsimd_status encode_source(const quatsimd_clip_source *source, const quatsimd_clip_options *options,
                                     void **data, size_t *size, quatsimd_clip_report *report) {
  quatsimd_status status = quatsimd_encode_check(source, options, report);
  if (status != QUATSIMD_OK) return status;
  const quatsimd_allocator *allocator = options->allocator;
  clip_bytes bytes;
  status = encode_strategies(source, options, &bytes, report);
  void *const fitting = status == QUATSIMD_OK ? quatsimd_allocate(allocator, bytes.size) : NULL;
  if (fitting) *data = memcpy(fitting, bytes.data, bytes.size), *size = bytes.size;
  else if (status == QUATSIMD_OK) status = QUATSIMD_ERROR_NO_MEMORY;
  clip_bytes_free(&bytes);
  return status;
}

/* The structs' sizes in the library's first version. Callers that were compiled for it pass these sizes. */
enum {
  FIRST_OPTIONS = offsetof(quatsimd_clip_options, runner) + sizeof(void *),
  FIRST_REPORT = offsetof(quatsimd_clip_report, worst_object) + sizeof(float)
};

quatsimd_status quatsimd_clip_options_init(quatsimd_clip_options *options, size_t struct_size) {
  const quatsimd_clip_options own = {.track_bound = 0.001f};
  return growing_init(options, struct_size, &own, sizeof own, FIRST_OPTIONS) ? QUATSIMD_OK
                                                                             : QUATSIMD_ERROR_BAD_ARGUMENT;
}

quatsimd_status quatsimd_clip_report_init(quatsimd_clip_report *report, size_t struct_size) {
  const quatsimd_clip_report own = {0};
  return growing_init(report, struct_size, &own, sizeof own, FIRST_REPORT) ? QUATSIMD_OK
                                                                           : QUATSIMD_ERROR_BAD_ARGUMENT;
}

quatsimd_status quatsimd_clip_encode(void **data, size_t *size, const quatsimd_clip_source *source,
                                     const quatsimd_clip_options *options, quatsimd_clip_report *report) {
  quatsimd_clip_options own = {0};
  quatsimd_clip_report found = {0};
  if (report && !growing_is_size(report->struct_size, FIRST_REPORT)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_status status =
      !source || !options || !data || !size ? clip_refuse_all(&found, "source, options, data or size is null")
      : !growing_read(&own, sizeof own, options, FIRST_OPTIONS)
          ? clip_refuse_all(&found,
                            "options were not filled by quatsimd_clip_options_init, or are newer than "
                            "this version")
          : encode_source(source, &own, data, size, &found);
  if (report) growing_write(report, &found, sizeof found);
  return status;
}
