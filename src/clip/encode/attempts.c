/* Makes attempts at a clip until all bounds hold. */
#include "clip/encode/chain.h"
#include "clip/sample/open.h"

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
    const float found = (float)(worst[j].error * quatsimd_error_factor(e, kind, j)),
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

/* True if the strategy is to be given up: its first attempt takes more bytes than it may. */
static bool gives_up(clip_encoder *e, const clip_bytes *bytes) {
  const size_t most = e->strategy->most;
  e->strategy->most = 0;
  return most > 0 && bytes->size > most;
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
  if (status == QUATSIMD_OK && gives_up(e, bytes)) status = QUATSIMD_ERROR_BAD_ARGUMENT;
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

quatsimd_status quatsimd_encode_joints(clip_encoder *e, clip_bytes *bytes) {
  quatsimd_status status;
  do {
    status = attempt(e, NULL, bytes, NULL);
    quatsimd_encode_retry(e);
  } while (status == QUATSIMD_OK && e->violated);
  return status;
}

/* Notes by how much a clip misses the bounds of points that the caller gave. */
static void note_missed(clip_encoder *e) {
  const double ratio = (double)e->report->nearest_object.ratio;
  e->strategy->missed = ratio <= 1 ? 0 : ratio;
}

quatsimd_status quatsimd_encode_in_floats(clip_encoder *e, clip_skeleton *skeleton, clip_bytes *bytes) {
  double ratio = 0;
  e->floats = e->strategy->in_floats = true;
  const quatsimd_status status = attempt(e, skeleton, bytes, &ratio);
  e->floats = false;
  note_missed(e);
  return status;
}

/* Encodes in floats, the most precise way, after attempts that missed bounds. If this clip misses them, too,
 * other attempts are not needed. */
static quatsimd_status try_floats(clip_encoder *e, clip_skeleton *skeleton, clip_bytes *bytes) {
  const quatsimd_status status = quatsimd_encode_in_floats(e, skeleton, bytes);
  e->floats_miss = e->strategy->missed != 0;
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
    if (i == EASY) {
      e->chain = NULL;
      status = try_floats(e, skeleton, bytes);
      e->chain = chain;
    }
    if (e->floats_miss || status != QUATSIMD_OK || !quatsimd_chain_plan(chain, e)) break;
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
    if (i == ENOUGH && !best->data) status = try_floats(e, skeleton, bytes);
    if (e->floats_miss || status != QUATSIMD_OK) break;
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
  if (status != QUATSIMD_OK || easily || e->floats_miss) return status;
  if (*held) best = *bytes, *bytes = (clip_bytes){.allocator = best.allocator}, report = *e->report;
  status = encode_by_curves(e, skeleton, bytes, &best, &report);
  *held = best.data != NULL;
  if (status == QUATSIMD_OK && !*held) return status;
  clip_bytes_free(bytes);
  *bytes = best;
  if (status == QUATSIMD_OK) *e->report = report;
  return status;
}

quatsimd_status quatsimd_encode_object(clip_encoder *e, clip_skeleton *skeleton, clip_bytes *bytes) {
  enum { ROUNDS = 3 }; /* each raises bounds that floats missed */
  const size_t joints = e->original->joint_count;
  bool held, *const hard = quatsimd_take(&e->memory, joints + 1, sizeof *hard);
  e->exact = quatsimd_take(&e->memory, joints + 1, sizeof *e->exact);
  if (!hard || !e->exact) return QUATSIMD_ERROR_NO_MEMORY;
  for (int round = 0; round < ROUNDS; round++) {
    e->floats_miss = false;
    quatsimd_status status = encode_shortest(e, skeleton, bytes, &held);
    if (status == QUATSIMD_OK && held) {
      e->strategy->in_floats = false;
      note_missed(e);
    }
    if (status != QUATSIMD_OK || held) return status;
    for (size_t j = 0; j < joints && !e->floats_miss; j++)
      hard[j] = !(skeleton->worst[j] <= (double)skeleton->bound[j]);
    if (!e->floats_miss) status = quatsimd_encode_in_floats(e, skeleton, bytes);
    if (status != QUATSIMD_OK || !quatsimd_object_raise(skeleton, e, hard)) return status;
  }
  return quatsimd_encode_in_floats(e, skeleton, bytes);
}
