#include "clip/encode/snap.h"

#include <float.h>

#include "clip/encode/sort.h"

static double absolute(double x) { return x < 0 ? -x : x; }
static double larger(double a, double b) { return a > b ? a : b; }
/* Rounds to the nearest whole number. The magnitude of x is below 2^62. */
static double nearest(double x) { return (double)(int64_t)(x < 0 ? x - 0.5 : x + 0.5); }

double quatsimd_usual_rate(size_t i) {
  static const double whole[CLIP_USUAL_RATES / 2] = {24, 25, 30, 50, 60, 90, 100, 120, 240};
  return i < CLIP_USUAL_RATES / 2 ? whole[i] : whole[i - CLIP_USUAL_RATES / 2] * 1000 / 1001;
}

clip_rounded quatsimd_snap_rounded(double time) {
  uint64_t bits;
  double power; /* the largest power of two that is not above the magnitude of time */
  memcpy(&bits, &time, sizeof bits);
  const bool is_power = (bits & 0xfffffffffffffu) == 0;
  bits &= 0x7ff0000000000000u;
  memcpy(&power, &bits, sizeof power);
  /* half the distance of floats, and a little more, since grids are computed in double */
  const double half = (power > 0x1p-126 ? power : 0x1p-126) * (0x1p-24 + 0x1p-44),
               inward = is_power ? half / 2 : half; /* floats below a power of two are twice as dense */
  return time < 0 ? (clip_rounded){time - half, time + inward} : (clip_rounded){time - inward, time + half};
}

/* ---- the times that decide ---- */

typedef struct snap_times {
  double *time; /* rising */
  size_t count;
} snap_times;

/* Splines decide only if no curve is linear. Curves that jump or hold do not decide. */
static bool decides(const quatsimd_curve *curve, bool splines) {
  if (curve->key_count < 2 || clip_holds(curve)) return false;
  return splines ? clip_is_cubic(curve) : !clip_is_cubic(curve) && !clip_jumps(curve);
}

static bool have_same_times(const quatsimd_curve *a, const quatsimd_curve *b) {
  return a && a->key_count == b->key_count &&
         (a->times == b->times || memcmp(a->times, b->times, a->key_count * sizeof *a->times) == 0);
}

static bool is_earlier(const void *a, const void *b) { return *(const double *)a < *(const double *)b; }

/* Collects the times of all keys that decide, each once. */
static quatsimd_status collect(quatsimd_memory *memory, const quatsimd_clip_source *source,
                               snap_times *times) {
  bool splines = true;
  *times = (snap_times){NULL, 0};
  for (size_t i = 0; i < clip_all_curves(source); i++)
    splines = splines && !decides(clip_any_curve(source, i), false);
  for (int pass = 0; pass < 2; pass++) {      /* pass 0 counts, 1 copies; many curves share their times */
    const quatsimd_curve *before[4] = {NULL}; /* the last ones that were taken */
    size_t n = 0, taken = 0;
    for (size_t i = 0; i < clip_all_curves(source); i++) {
      const quatsimd_curve *curve = clip_any_curve(source, i);
      bool takes = decides(curve, splines);
      for (int b = 0; b < 4 && takes; b++) takes = !have_same_times(before[b], curve);
      if (!takes) continue;
      if (pass) memcpy(times->time + n, curve->times, curve->key_count * sizeof *times->time);
      n += curve->key_count, before[taken++ % 4] = curve;
    }
    if (!pass && !(times->time = quatsimd_take(memory, n + 1, sizeof *times->time)))
      return QUATSIMD_ERROR_NO_MEMORY;
    times->count = n;
  }
  quatsimd_sort(times->time, times->count, sizeof *times->time, is_earlier);
  size_t kept = 0;
  for (size_t i = 0; i < times->count; i++)
    if (i == 0 || times->time[i] != times->time[kept - 1]) times->time[kept++] = times->time[i];
  times->count = kept;
  return QUATSIMD_OK;
}

/* ---- the grid ---- */

typedef struct snap_grid {
  double start, rate; /* rate 0: there is no grid */
} snap_grid;

/* Starts with which keys lie on a grid. */
typedef struct snap_starts {
  double low, high;       /* low > high: there is none */
  double of_low, of_high; /* the frames of the keys that limit them */
} snap_starts;

static double clamped(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* Finds all starts with which the keys lie on frames at a rate. Stops if keys are far from frames. */
static snap_starts starts_at(const snap_times *times, double rate) {
  snap_starts s = {-DBL_MAX, DBL_MAX, 0, 0};
  for (size_t i = 0; i < times->count; i++) {
    const clip_rounded around = quatsimd_snap_rounded(times->time[i]);
    const double from = clamped(times->time[0], s.low, s.high),
                 frame = nearest((times->time[i] - from) * rate), at = frame / rate;
    if (around.low - at > s.low) s.low = around.low - at, s.of_low = frame;
    if (around.high - at < s.high) s.high = around.high - at, s.of_high = frame;
    if (s.low - s.high > around.high - around.low) break;
  }
  return s;
}

/* Takes a rate if all keys lie on its frames. The grid starts as near to the first key as possible. */
static bool take_rate(snap_grid *grid, const snap_times *times, double rate) {
  const snap_starts s = starts_at(times, rate);
  if (s.low > s.high) return false;
  *grid = (snap_grid){clamped(times->time[0], s.low, s.high), rate};
  return true;
}

/* Returns the largest distance of a key from its frame. */
static double farthest(const snap_times *times, const snap_grid *grid) {
  double most = 0;
  for (size_t i = 0; i < times->count; i++) {
    const double frame = nearest((times->time[i] - grid->start) * grid->rate);
    most = larger(most, absolute(grid->start + frame / grid->rate - times->time[i]));
  }
  return most;
}

/* Returns the number of even intervals from the first key to the last, if one is as long as the least time
 * between two keys. */
static double intervals_of(const snap_times *times) {
  double gap = times->time[1] - times->time[0], count = 0;
  for (size_t i = 2; i < times->count; i++)
    if (times->time[i] - times->time[i - 1] < gap) gap = times->time[i] - times->time[i - 1];
  for (size_t i = 1; i < times->count; i++) {
    const double gaps = (times->time[i] - times->time[i - 1]) / gap;
    if (!(gaps < CLIP_MOST_FRAMES)) return CLIP_MOST_FRAMES;
    count += nearest(gaps);
  }
  return count;
}

/* True if most of so many intervals begin with a key. */
static bool is_dense(const snap_times *times, double intervals) {
  const double keys = (double)times->count;
  return intervals >= keys - 1 && intervals <= keys + keys / 4 && intervals < CLIP_MOST_FRAMES;
}

/* Returns the rate that fits all keys best, by least squares. `rate` decides each key's frame. */
static double fitted_rate(const snap_times *times, double rate) {
  double of_times = 0, of_frames = 0;
  for (size_t i = 0; i < times->count; i++) {
    const double away = times->time[i] - times->time[0], frame = nearest(away * rate);
    of_times += frame * away, of_frames += frame * frame;
  }
  return of_frames / of_times;
}

/* Takes a rate near `rate`, if there is one at which all keys lie on frames. The least squares may miss it,
 * since some keys are off by nearly all of their rounding. */
static bool take_rate_near(snap_grid *grid, const snap_times *times, double rate) {
  const double first = times->time[0], last = times->time[times->count - 1],
               most = larger(absolute(first), absolute(last)) * 0x1p-22 / (last - first);
  double low = (1 - most) / rate, high = (1 + most) / rate; /* seconds from frame to frame */
  if (take_rate(grid, times, rate)) return true;
  if (!(most < 0.5)) return false;
  for (int i = 0; i < 50; i++) {
    const double middle = low + (high - low) / 2;
    const snap_starts s = starts_at(times, 1 / middle);
    if (s.low <= s.high) return take_rate(grid, times, 1 / middle);
    if (s.of_low > s.of_high) low = middle;
    else high = middle;
  }
  return false;
}

/* Finds the grid that the keys lie on. grid->rate gets 0 if there is none. */
static void find_grid(snap_grid *grid, const snap_times *times, double rate) {
  *grid = (snap_grid){0, 0};
  if (times->count < 2) return;
  const double length = times->time[times->count - 1] - times->time[0];
  if (rate > 0) {
    if (length * rate < CLIP_MOST_FRAMES) (void)take_rate(grid, times, rate);
    return;
  }
  /* first the rates at which every frame has a key: where floats are far apart, other rates may fit, too */
  double least = DBL_MAX;
  for (size_t i = 0; i < 2 * CLIP_USUAL_RATES; i++) {
    const bool all = i < CLIP_USUAL_RATES;
    const double usual = quatsimd_usual_rate(i % CLIP_USUAL_RATES), frames = length * usual;
    snap_grid other;
    if (i == CLIP_USUAL_RATES && grid->rate > 0) return;
    if (!(all ? absolute(frames - (double)(times->count - 1)) < 0.5 : is_dense(times, frames + 0.5)) ||
        !take_rate(&other, times, usual))
      continue;
    const double off = farthest(times, &other);
    if (off < least) least = off, *grid = other;
  }
  if (grid->rate > 0) return;
  const double intervals = intervals_of(times), found = intervals / length;
  if (!is_dense(times, intervals) || found > 0x1p+60) return;
  const double whole = nearest(found);
  if (whole >= 1 && absolute(whole - found) < 1e-4 * found && take_rate(grid, times, whole)) return;
  (void)take_rate_near(grid, times, fitted_rate(times, found));
}

/* ---- moving keys ---- */

typedef struct snap_grids {
  snap_grid of[2]; /* those of the source and of its base */
} snap_grids;

/* Finds the frame of a grid that is a key's time but for rounding. */
static bool frame_of(const snap_grid *grid, double time, double *frame) {
  const clip_rounded around = quatsimd_snap_rounded(time);
  const double at = (time - grid->start) * grid->rate;
  if (grid->rate == 0 || !(absolute(at) < 0x1p+52)) return false;
  *frame = nearest(at);
  const double found = grid->start + *frame / grid->rate;
  return found >= around.low && found <= around.high;
}

/* Returns the time that a key gets. *off gets the distance, and in frames if that is more than before. */
static double snapped(const snap_grids *grids, double time, double *off, double *frames) {
  double frame;
  for (int i = 0; i < 2; i++) {
    const snap_grid *grid = &grids->of[i];
    if (!frame_of(grid, time, &frame)) continue;
    const double found = grid->start + frame / grid->rate;
    *off = absolute(found - time);
    *frames = larger(*frames, *off * grid->rate);
    return found;
  }
  return time;
}

/* The largest moves of all keys. any: some key moves by more than the rounding of doubles. */
typedef struct snap_moves {
  double seconds, frames;
  bool any;
} snap_moves;

/* Moves the keys of a curve. A key that would not stay between its neighbours keeps its time. Key k - 1, just
 * before a jump, moves with key k. */
static quatsimd_status move_keys(quatsimd_memory *memory, quatsimd_curve *curve, const snap_grids *grids,
                                 snap_moves *moves) {
  const double *const own = curve->times;
  double *times = NULL;
  for (size_t k = 0; k < curve->key_count; k++) {
    if (k + 1 < curve->key_count && clip_jumps_to(curve, k + 1)) continue;
    double off = 0, frames = moves->frames;
    const bool jump = clip_jumps_to(curve, k);
    const double time = snapped(grids, own[k], &off, &frames), first = jump ? clip_just_before(time) : time;
    const size_t before = jump ? 2 : 1;
    if (time == own[k] || (k >= before && !(first > (times ? times : own)[k - before])) ||
        (k + 1 < curve->key_count && !(time < own[k + 1])))
      continue;
    if (!times) {
      times = quatsimd_take(memory, curve->key_count, sizeof *times);
      if (!times) return QUATSIMD_ERROR_NO_MEMORY;
      memcpy(times, own, curve->key_count * sizeof *times);
    }
    times[k] = time;
    if (jump) times[k - 1] = first;
    moves->seconds = larger(moves->seconds, off), moves->frames = frames;
    moves->any = moves->any || off > 0x1p-44 * absolute(own[k]);
  }
  if (times) curve->times = times;
  return QUATSIMD_OK;
}

/* Moves the keys of all curves. `moved` is a copy of `source`. */
static quatsimd_status move_all(quatsimd_memory *memory, const quatsimd_clip_source *source,
                                const quatsimd_clip_source *moved, const snap_grids *grids,
                                snap_moves *moves) {
  const quatsimd_curve *before = NULL;
  const double *times = NULL; /* those that the keys of `before` got */
  for (size_t i = 0; i < clip_all_curves(source); i++) {
    const quatsimd_curve *own = clip_any_curve(source, i);
    quatsimd_curve *curve = clip_curve_of_copy(moved, i);
    if (own->key_count < 2) continue;
    if (have_same_times(before, own) && clip_holds(before) == clip_holds(own)) curve->times = times;
    else {
      const quatsimd_status status = move_keys(memory, curve, grids, moves);
      if (status != QUATSIMD_OK) return status;
    }
    before = own, times = curve->times;
  }
  return QUATSIMD_OK;
}

/* Lets the grid begin at the first key that lies on it. Curves that hold may begin before the others. */
static void begin_earlier(snap_grid *grid, const quatsimd_clip_source *source) {
  double earliest = 0, frame;
  for (size_t i = 0; i < clip_all_curves(source) && grid->rate > 0; i++) {
    const quatsimd_curve *curve = clip_any_curve(source, i);
    if (curve->key_count > 1 && frame_of(grid, curve->times[0], &frame) && frame < earliest) earliest = frame;
  }
  if (earliest < 0) grid->start += earliest / grid->rate;
}

static quatsimd_status find_grids(quatsimd_memory *memory, const quatsimd_clip_source *source,
                                  const quatsimd_clip_source *base, double rate, snap_grids *grids) {
  quatsimd_status status = QUATSIMD_OK;
  *grids = (snap_grids){{{0, 0}, {0, 0}}};
  for (int i = 0; i < (base && base != source ? 2 : 1) && status == QUATSIMD_OK; i++) {
    struct piece *mark = memory->last;
    snap_times times;
    status = collect(memory, i ? base : source, &times);
    if (status == QUATSIMD_OK) find_grid(&grids->of[i], &times, i ? 0 : rate);
    quatsimd_release(memory, mark);
    begin_earlier(&grids->of[i], i ? base : source);
  }
  return status;
}

quatsimd_status quatsimd_snap(quatsimd_memory *memory, const quatsimd_clip_source **source,
                              const quatsimd_clip_source **base, double rate, double *found,
                              quatsimd_clip_report *report) {
  const bool has_base = *base && *base != *source;
  snap_grids grids;
  snap_moves moves = {0, 0, false};
  *found = 0;
  quatsimd_status status = find_grids(memory, *source, *base, rate, &grids);
  if (status != QUATSIMD_OK || grids.of[0].rate == 0) return status;
  struct piece *mark = memory->last;
  const quatsimd_clip_source *moved = quatsimd_source_copy(memory, *source),
                             *moved_base = has_base ? quatsimd_source_copy(memory, *base) : moved;
  if (!moved || !moved_base) return QUATSIMD_ERROR_NO_MEMORY;
  status = move_all(memory, *source, moved, &grids, &moves);
  if (status == QUATSIMD_OK && has_base) status = move_all(memory, *base, moved_base, &grids, &moves);
  if (status != QUATSIMD_OK) return status;
  const bool far = rate == 0 && moves.frames > 0x1p-4;
  if (far) report->snap_rate = grids.of[0].rate;
  if (far || !moves.any) {
    quatsimd_release(memory, mark);
    return QUATSIMD_OK;
  }
  report->snapped = moves.seconds, *found = grids.of[0].rate;
  *source = moved;
  if (*base) *base = moved_base;
  return QUATSIMD_OK;
}
