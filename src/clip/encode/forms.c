/* Chooses the form of each curve and the times of frames: a curve has frames, or its own keys, as linear
 * pieces or as it is. */
#include "clip/encode/encoder.h"

/* Returns a curve of e->straight. The encoder owns these curves, so they may be changed. */
static quatsimd_curve *straight_curve(clip_encoder *e, int kind, size_t joint) {
  return (quatsimd_curve *)(uintptr_t)clip_curve(&e->straight, kind, joint);
}

static quatsimd_status straighten_one(clip_encoder *e, int kind, size_t joint, bool *full) {
  const clip_truth truth = quatsimd_encode_truth(e, kind, joint);
  const bool keyed = e->retry[kind][joint].keyed;
  /* in model space, e->bound gets smaller later, but curves stay divided: strategies try other `parts` */
  const double part = !clip_is_bounded(e, kind) ? e->strategy->parts
                      : keyed                   ? CLIP_KEYS_PART
                                                : CLIP_PIECES_PART;
  const quatsimd_status status = quatsimd_straighten(&e->memory, straight_curve(e, kind, joint), &truth, kind,
                                                     e->bound[kind][joint] / part, keyed, full, e->report);
  if (e->report->error) e->report->joint = joint, e->report->kind = (quatsimd_clip_kind)kind;
  return status;
}

/* The bytes that a curve takes for each frame: hardly ever fewer than LEAST, nor more than MOST. */
#define LEAST_OF_FRAME(kind) ((kind) == QUATSIMD_CLIP_TRACK ? 0.1 : 0.2)
#define MOST_OF_FRAME 8

/* Returns the bytes of a curve that is stored as it is. In a pair numbers count as floats, though those of
 * splines may be packed. */
static double bytes_of_curve(const clip_spline *spline, const quatsimd_curve *curve, int kind) {
  const double keys = (double)curve->key_count, each = 4 * (double)clip_components(kind),
               time = curve->key_count > 1
                          ? (double)quatsimd_time_form(NULL, false, curve->times, curve->key_count).bytes
                          : 4;
  return 4 + time * keys +
         (!clip_is_pair(spline) ? (double)spline->bytes
                                : each * (clip_is_cubic(curve) ? 3 * keys - 2 : keys));
}

/* Decides if the clip stores a spline or pair as it is. `pieces` linear pieces would follow it. */
static bool is_chosen(clip_encoder *e, clip_spline *spline, int kind, size_t joint, size_t pieces) {
  quatsimd_spline_fit(spline, kind, e->bound[kind][joint], false);
  const double bytes = bytes_of_curve(spline, &spline->curve, kind) +
                       (clip_is_pair(spline) ? bytes_of_curve(spline, &spline->base, kind) : 0);
  if (e->strategy->own || bytes <= LEAST_OF_FRAME(kind) * (double)pieces) return true;
  if (bytes > MOST_OF_FRAME * (double)pieces + 64) return false;
  e->strategy->splines += bytes;
  return !e->strategy->frames;
}

/* True if a curve has too many pieces for frames. A curve of few pieces, such as ease-in over seconds, may
 * have more for each key, since smooth frames cost less than keys. */
static bool are_too_many(size_t pieces, size_t keys) {
  enum { EACH = 32, EACH_OF_FEW = 512, ALL = 1 << 16 };
  return pieces > EACH * keys && (pieces > EACH_OF_FEW * keys || pieces > ALL);
}

/* Makes e->spline. False if memory runs out. */
static bool take_splines(clip_encoder *e) {
  for (size_t i = 0; i < clip_all_curves(e->original); i++)
    if (clip_any_curve(e->original, i)->key_count > CLIP_MOST_KEYS_3 / 2) return true; /* not in version 3 */
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const size_t curves = clip_curves(e->original, kind);
    for (size_t j = 0; j < curves; j++) {
      const clip_truth truth = quatsimd_encode_truth(e, kind, j);
      if (clip_is_straight(&truth) || clip_only_holds(&truth)) continue;
      if (!e->spline[kind]) e->spline[kind] = quatsimd_take(&e->memory, curves, sizeof *e->spline[kind]);
      if (!e->spline[kind] || !quatsimd_spline_take(&e->memory, &e->spline[kind][j], &truth, kind))
        return false;
    }
  }
  return true;
}

/* Makes e->straight, which becomes e->source. */
static quatsimd_status straighten(clip_encoder *e) {
  enum { TOO_MANY = 8 }; /* pieces for each key; a curve with more has frames only if the strategy is dense */
  const size_t joints = e->original->joint_count;
  const quatsimd_clip_source *straight = quatsimd_source_copy(&e->memory, e->original);
  if (!straight) return QUATSIMD_ERROR_NO_MEMORY;
  e->straight = *straight;
  if (!take_splines(e)) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t i = 0; i < clip_all_curves(e->original); i++) {
    const bool of_joint = i < QUATSIMD_CLIP_JOINT_KIND_COUNT * joints;
    const int kind = of_joint ? (int)(i % QUATSIMD_CLIP_JOINT_KIND_COUNT) : QUATSIMD_CLIP_TRACK;
    const size_t j =
        of_joint ? i / QUATSIMD_CLIP_JOINT_KIND_COUNT : i - QUATSIMD_CLIP_JOINT_KIND_COUNT * joints;
    const clip_truth truth = quatsimd_encode_truth(e, kind, j);
    const size_t keys = truth.curve.key_count + truth.base.key_count;
    clip_retry *retry = &e->retry[kind][j];
    retry->keyed =
        clip_is_torn(&truth) || clip_jumps(&truth.curve) || (e->strategy->own && !clip_only_holds(&truth));
    bool full;
    struct piece *mark = e->memory.last;
    quatsimd_status status = straighten_one(e, kind, j, &full);
    const size_t pieces = straight_curve(e, kind, j)->key_count;
    clip_spline *const spline = e->spline[kind] ? &e->spline[kind][j] : NULL;
    if (status == QUATSIMD_OK && spline && spline->curve.key_count > 0 &&
        is_chosen(e, spline, kind, j, full ? SIZE_MAX : pieces)) {
      spline->chosen = true;
      if (clip_is_pair(spline)) continue; /* errors of constants are measured at the ends of pieces */
      quatsimd_release(&e->memory, mark);
      if (!quatsimd_spline_straighten(&e->memory, straight_curve(e, kind, j), spline, kind))
        return QUATSIMD_ERROR_NO_MEMORY;
      continue;
    }
    e->strategy->pieces = e->strategy->pieces || !clip_is_straight(&truth);
    if (status == QUATSIMD_OK && !retry->keyed && pieces > TOO_MANY * keys) {
      const bool too_many = are_too_many(pieces, keys) || (full && kind == QUATSIMD_CLIP_SCALE);
      e->strategy->choice = e->strategy->choice || !too_many;
      retry->keyed = !e->strategy->dense || too_many;
      if (retry->keyed) status = straighten_one(e, kind, j, &full);
    }
    if (status != QUATSIMD_OK) return status;
  }
  e->source = &e->straight;
  return QUATSIMD_OK;
}

/* Excludes curves with their own keys from the choice of frames, or includes them again. */
static void set_aside(clip_encoder *e, bool aside) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; j < clip_curves(&e->straight, kind); j++)
      if (e->retry[kind][j].keyed || clip_is_spline(e, kind, j))
        straight_curve(e, kind, j)->interpolation = aside ? QUATSIMD_CURVE_HOLD : QUATSIMD_CURVE_LINEAR;
}

/* True if curve number i may have frames: it is linear and has no keys of its own. */
static bool may_have_frames(const clip_encoder *e, int kind, size_t j) {
  const quatsimd_curve *curve = clip_curve(&e->straight, kind, j);
  return curve->key_count > 1 && !clip_holds(curve) && !e->retry[kind][j].keyed &&
         !clip_is_spline(e, kind, j);
}

/* Gives own keys to linear curves that would be longer with frames. *any gets true if there are some. */
static void key_sparse(clip_encoder *e, bool *any) {
  *any = false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; j < clip_curves(&e->straight, kind); j++) {
      const clip_truth truth = quatsimd_encode_truth(e, kind, j);
      const double keys = (double)truth.curve.key_count,
                   each = kind == QUATSIMD_CLIP_ROTATION ? 12 : 4 + 4 * (double)clip_axes(kind);
      if (!may_have_frames(e, kind, j) || !clip_is_straight(&truth) ||
          !(4 + each * keys < LEAST_OF_FRAME(kind) * (double)e->grid.frames))
        continue;
      *any = e->retry[kind][j].keyed = true;
    }
}

/* Returns the bytes of the times of all keys, and of the frames' own times. */
static double bytes_of_times(const clip_encoder *e, const clip_grid *grid) {
  const quatsimd_clip_source *const sources[] = {e->original, clip_is_relative(e) ? e->base : NULL};
  double bytes = grid->times ? (grid->floats ? 4 : 8) * (double)grid->frames : 0;
  for (int s = 0; s < 2 && sources[s]; s++)
    for (size_t i = 0; i < clip_all_curves(sources[s]); i++) {
      const quatsimd_curve *curve = clip_any_curve(sources[s], i);
      if (curve->key_count < 2) continue;
      bytes += (double)quatsimd_time_form(grid, true, curve->times, curve->key_count).bytes *
               (double)curve->key_count;
    }
  return bytes;
}

/* Makes a source of linear curves that has the keys of all curves and of those of a base that moves. */
static bool copy_times(clip_encoder *e, quatsimd_clip_source *copy) {
  const quatsimd_clip_source *const sources[] = {e->original, e->base};
  const size_t count = clip_is_relative(e) ? 2 : 1, all = clip_all_curves(e->original);
  quatsimd_clip_track *track = quatsimd_take(&e->memory, count * all + 1, sizeof *track);
  for (size_t i = 0; track && i < count * all; i++) {
    track[i].curve = *clip_any_curve(sources[i / all], i % all);
    track[i].curve.interpolation = QUATSIMD_CURVE_LINEAR;
  }
  *copy = (quatsimd_clip_source){.track_count = count * all, .tracks = track};
  return track != NULL;
}

/* Takes a grid if the times of keys then take fewer bytes. */
static void take_shorter(clip_encoder *e, clip_grid grid) {
  grid.floats = grid.floats && !e->strategy->doubles;
  if (bytes_of_times(e, &grid) < bytes_of_times(e, &e->grid)) e->grid = grid;
}

/* Takes frames at the keys of all curves if keys, whose times can be numbers of frames, then take fewer
 * bytes. */
static quatsimd_status choose_own_frames(clip_encoder *e, double likely) {
  quatsimd_clip_source copy;
  clip_grid own;
  if (!copy_times(e, &copy)) return QUATSIMD_ERROR_NO_MEMORY;
  const quatsimd_status status =
      quatsimd_source_grid(&e->memory, &copy, e->options->rate, likely, true, &own, e->report);
  if (status != QUATSIMD_OK) return status;
  take_shorter(e, own);
  if (own.exact) quatsimd_grid_list(&own), take_shorter(e, own);
  return QUATSIMD_OK;
}

static double at_most(double x, double most) { return x < most ? x : most; }

/* Sets e->grid. If no curve may have frames but splines move, there are frames at the rate of keys, or 30 a
 * second. */
static quatsimd_status choose_frames(clip_encoder *e, double likely) {
  enum { RATE = 30, MOST = 1024 };
  const double rate = e->options->rate;
  quatsimd_status status;
  bool again, any = false, splines = false;
  struct piece *const mark = e->memory.last;
  do {
    quatsimd_release(&e->memory, mark);
    set_aside(e, true);
    status = quatsimd_source_grid(&e->memory, e->source, rate, likely,
                                  clip_in_object_space(e) || clip_is_relative(e), &e->grid, e->report);
    set_aside(e, false);
    if (status != QUATSIMD_OK) return status;
    key_sparse(e, &again);
  } while (again);
  for (size_t f = 0; e->grid.times && e->grid.floats && f < e->grid.frames; f++)
    e->strategy->rounded = e->strategy->rounded || clip_grid_nominal(&e->grid, f) != e->grid.times[f];
  if (e->strategy->rounded && e->strategy->doubles) e->grid.floats = false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; j < clip_curves(&e->straight, kind); j++) {
      any = any || may_have_frames(e, kind, j);
      splines = splines || clip_is_spline(e, kind, j);
    }
  if (any || !splines || rate > 0 || e->grid.times) return QUATSIMD_OK;
  const double start = e->grid.start, length = 1 / e->grid.rate, rates[] = {likely, RATE};
  for (int i = 0; i < 2; i++) { /* keys may be at the times of frames */
    const double intervals = (double)(int64_t)at_most(length * rates[i] + 0.5, MOST);
    if (!(intervals >= 1 && intervals < MOST && start + intervals / rates[i] == start + length)) continue;
    clip_grid even = e->grid;
    even.frames = (size_t)intervals + 1, even.rate = rates[i];
    if (!quatsimd_grid_is_resolved(&even, even.start + length)) continue;
    e->grid = even;
    return QUATSIMD_OK;
  }
  const double frames = length * RATE;
  if (frames > 1 && length > 0x1p-36 * fabs(start)) {
    e->grid.frames = frames < MOST ? (size_t)frames + 1 : MOST;
    e->grid.rate = (double)(e->grid.frames - 1) / length;
  }
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_choose_forms(clip_encoder *e, double likely) {
  quatsimd_status status = straighten(e);
  if (status == QUATSIMD_OK) status = choose_frames(e, likely);
  if (status == QUATSIMD_OK && e->strategy->own) status = choose_own_frames(e, likely);
  return status;
}

bool quatsimd_frames_are_dear(const clip_encoder *e) {
  double least = 0;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; e->spline[kind] && j < clip_curves(&e->straight, kind); j++)
      if (e->spline[kind][j].curve.key_count > 0 && may_have_frames(e, kind, j))
        least += LEAST_OF_FRAME(kind) * (double)e->grid.frames;
  return e->strategy->frames && least > e->strategy->splines;
}

quatsimd_status quatsimd_settle(clip_encoder *e) {
  quatsimd_status status = QUATSIMD_OK;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT && !clip_is_relative(e); kind++)
    for (size_t j = 0; j < clip_curves(&e->straight, kind) && status == QUATSIMD_OK; j++) {
      quatsimd_curve *curve = straight_curve(e, kind, j);
      if (curve->key_count > 1 && (clip_holds(curve) || clip_jumps(curve)))
        status = quatsimd_grid_settle(&e->memory, curve, &e->grid, clip_in_object_space(e),
                                      e->report->snapped > 0);
    }
  return status;
}
