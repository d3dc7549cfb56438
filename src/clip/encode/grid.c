#include "clip/encode/grid.h"

#include "clip/encode/snap.h"
#include "clip/encode/sort.h"

static double absolute(double x) { return x < 0 ? -x : x; }
/* Truncates a number above 0. Numbers too large for int64_t are whole already. */
static double whole(double x) { return x < 0x1p+62 ? (double)(int64_t)x : x; }

#define MOST_LATE 0x1p+1000 /* later than all times */

/* ---- times and frames ---- */

static double larger(double a, double b) { return a > b ? a : b; }

/* Returns the distance, in seconds, up to which `time` counts as a frame's time. */
static double frame_slack(const clip_grid *grid, double time) {
  if (grid->times) return clip_rounding(time) / 2;
  const double end = grid->start + (double)(grid->frames - 1) / grid->rate,
               rounding = clip_rounding(larger(absolute(grid->start), absolute(end)));
  return rounding * grid->rate < 0.05 ? rounding : 0.05 / grid->rate;
}

/* Returns the last frame whose time in the clip is not after `time`, or the first frame. */
static size_t frame_before(const clip_grid *grid, double time) {
  const double last = (double)(grid->frames - 1);
  if (!grid->times) {
    const double p = (time - grid->start) * grid->rate;
    return (size_t)(int64_t)(p < 0 ? 0 : p > last ? last : p);
  }
  size_t low = 0, high = grid->frames;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (clip_grid_nominal(grid, middle) <= time) low = middle;
    else high = middle;
  }
  return low;
}

size_t quatsimd_grid_nearest(const clip_grid *grid, double time) {
  const size_t before = frame_before(grid, time);
  return before + 1 < grid->frames && absolute(clip_grid_nominal(grid, before + 1) - time) <
                                          absolute(time - clip_grid_nominal(grid, before))
             ? before + 1
             : before;
}

size_t quatsimd_grid_frame(const clip_grid *grid, double time) {
  size_t frame = quatsimd_grid_nearest(grid, time);
  while (frame > 0 && clip_grid_time(grid, frame) > time) frame--;
  while (frame + 1 < grid->frames && clip_grid_time(grid, frame + 1) <= time) frame++;
  return frame;
}

clip_time_form quatsimd_time_form(const clip_grid *grid, bool newer, const double *times, size_t count) {
  bool floats = true;
  for (size_t k = 0; k < count; k++) {
    floats = floats && (double)(float)times[k] == times[k];
    newer = newer && clip_grid_nominal(grid, quatsimd_grid_nearest(grid, times[k])) == times[k];
  }
  return newer && grid->frames <= 1 << 16 ? (clip_time_form){CLIP_KEYED_FRAMES, 2}
         : floats                         ? (clip_time_form){0, 4}
         : newer                          ? (clip_time_form){CLIP_KEYED_FRAMES | CLIP_KEYED_DOUBLE, 4}
                                          : (clip_time_form){CLIP_KEYED_DOUBLE, 8};
}

bool quatsimd_curve_fits(const quatsimd_curve *curve, const clip_grid *grid) {
  size_t before = 0;
  for (size_t k = 0; k < curve->key_count && curve->key_count > 1; k++) {
    const size_t frame = quatsimd_grid_nearest(grid, curve->times[k]);
    if (absolute(clip_grid_nominal(grid, frame) - curve->times[k]) > frame_slack(grid, curve->times[k]))
      return false;
    if (k > 0 && frame <= before) return false;
    before = frame;
  }
  return true;
}

/* ---- keys that hold ---- */

/* Returns the largest float that is not above x, or x itself if it is nearly 0. */
static double float_below(double x) {
  float f = (float)x;
  uint32_t bits;
  if (absolute(x) < 0x1p-120) return x;
  memcpy(&bits, &f, sizeof bits);
  if ((double)f > x) bits = x < 0 ? bits + 1 : bits - 1;
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}

/* Returns the distance in time from a frame to its nearer neighbour. */
static double distance_beside(const clip_grid *grid, size_t frame) {
  const double time = clip_grid_nominal(grid, frame);
  const double before = frame > 0 ? time - clip_grid_nominal(grid, frame - 1) : 0,
               behind = frame + 1 < grid->frames ? clip_grid_nominal(grid, frame + 1) - time : before;
  return frame > 0 && before < behind ? before : behind;
}

static double settled(const clip_grid *grid, double time, bool at_once, bool snapped) {
  const size_t frame = quatsimd_grid_nearest(grid, time);
  const double nominal = clip_grid_nominal(grid, frame), below = float_below(nominal);
  /* half of clip_rounding: sampling takes times so near to a frame for the frame's time */
  double most = grid->times ? frame_slack(grid, time) : frame_slack(grid, time) / 2;
  if (at_once && most > 0x1p-16 * distance_beside(grid, frame)) most = 0x1p-16 * distance_beside(grid, frame);
  const bool same = time == nominal;
  if (nominal > time || (same && !snapped) || time - nominal > most) return time;
  return (same || (double)(float)time == time) && time - below <= 2 * most ? below : nominal;
}

quatsimd_status quatsimd_grid_settle(quatsimd_memory *memory, quatsimd_curve *curve, const clip_grid *grid,
                                     bool at_once, bool snapped) {
  double *times = NULL;
  for (size_t k = 0; k < curve->key_count; k++) {
    const bool jump = clip_jumps_to(curve, k);
    if (!jump && !clip_holds(curve)) continue;
    const double time = settled(grid, curve->times[k], at_once, snapped);
    /* key k - 1, just before a jump, moves with key k, and must stay after key k - 2 */
    const size_t before = jump ? 2 : 1;
    const double first = jump ? clip_just_before(time) : time;
    if (time == curve->times[k] || (k >= before && !(first > (times ? times : curve->times)[k - before])))
      continue;
    if (!times) {
      times = quatsimd_take(memory, curve->key_count, sizeof *times);
      if (!times) return QUATSIMD_ERROR_NO_MEMORY;
      memcpy(times, curve->times, curve->key_count * sizeof *times);
    }
    times[k] = time;
    if (jump) times[k - 1] = first;
  }
  if (times) curve->times = times;
  return QUATSIMD_OK;
}

/* ---- the choice of frames ---- */

/* Returns the next curve that has several keys and does not hold, or null. *at begins as 0. */
static const quatsimd_curve *next_linear(const quatsimd_clip_source *source, size_t *at) {
  while (*at < clip_all_curves(source)) {
    const quatsimd_curve *curve = clip_any_curve(source, (*at)++);
    if (curve->key_count > 1 && !clip_holds(curve)) return curve;
  }
  return NULL;
}

static bool all_fit(const quatsimd_clip_source *source, const clip_grid *grid) {
  const quatsimd_curve *curve;
  for (size_t at = 0; (curve = next_linear(source, &at));)
    if (!quatsimd_curve_fits(curve, grid)) return false;
  return true;
}

/* Returns the rate whose frames fit all keys best, by least squares. grid->rate decides each key's frame. */
static double fitted_rate(const quatsimd_clip_source *source, const clip_grid *grid) {
  const quatsimd_curve *curve;
  double of_times = 0, of_frames = 0;
  for (size_t at = 0; (curve = next_linear(source, &at));)
    for (size_t k = 0; k < curve->key_count; k++) {
      const double frame = (double)quatsimd_grid_nearest(grid, curve->times[k]);
      of_times += frame * (curve->times[k] - grid->start);
      of_frames += frame * frame;
    }
  return of_times > 0 ? of_frames / of_times : grid->rate;
}

/* The limit is twice that of opening a clip, since there the last frame counts, which may be later than
 * `end`. */
bool quatsimd_grid_is_resolved(const clip_grid *grid, double end) {
  const double start = absolute(grid->start), largest = absolute(end) > start ? absolute(end) : start;
  return grid->frames < 2 || 1 / grid->rate >= 0x1p-47 * largest;
}

/* True if the keys of linear curves fit, and the grid ends at `end`, with the last key of all curves. */
static bool all_end(const quatsimd_clip_source *source, const clip_grid *grid, double end) {
  return absolute(clip_grid_nominal(grid, grid->frames - 1) - end) <= frame_slack(grid, end) &&
         all_fit(source, grid);
}

/* Returns the largest distance of a key of a linear curve from its frame, or MOST_LATE if one is more than
 * its own rounding and that of the start. */
static double rounding_of(const quatsimd_clip_source *source, const clip_grid *grid) {
  const clip_rounded start = quatsimd_snap_rounded(grid->start);
  const quatsimd_curve *curve;
  double most = 0;
  for (size_t at = 0; (curve = next_linear(source, &at));)
    for (size_t k = 0; k < curve->key_count; k++) {
      const clip_rounded around = quatsimd_snap_rounded(curve->times[k]);
      const double nominal = clip_grid_nominal(grid, quatsimd_grid_nearest(grid, curve->times[k])),
                   time = nominal - grid->start;
      if (start.high + time < around.low || start.low + time > around.high) return MOST_LATE;
      most = larger(most, absolute(nominal - curve->times[k]));
    }
  return most;
}

/* Takes the usual rate that fits keys best, if one has so many intervals and fits. */
static bool try_usual(const quatsimd_clip_source *source, double length, double intervals, clip_grid *grid) {
  double least = MOST_LATE, best = 0;
  for (size_t i = 0; i < CLIP_USUAL_RATES; i++) {
    grid->rate = quatsimd_usual_rate(i);
    if (!(absolute(length * grid->rate - intervals) < 0.5) || !all_end(source, grid, grid->start + length))
      continue;
    const double off = rounding_of(source, grid);
    if (off < least) least = off, best = grid->rate;
  }
  grid->rate = best;
  return best > 0;
}

/* Tries `intervals` even intervals over `length` seconds. If possible, the rate is a multiple of `likely`, or
 * whole, or usual. True if keys fit. */
static bool try_intervals(const quatsimd_clip_source *source, double length, double intervals, double likely,
                          clip_grid *grid) {
  if (!(intervals >= 1 && intervals < CLIP_MOST_FRAMES)) return false;
  const double rate = intervals / length, round = whole(rate + 0.5);
  grid->frames = (size_t)intervals + 1;
  grid->times = NULL;
  grid->rate = rate;
  if (rate > 0x1p+100) return true; /* the rate may be infinite; quatsimd_source_grid refuses it */
  const double end = grid->start + length;
  if (!quatsimd_grid_is_resolved(grid, end)) return false;
  grid->rate = whole(rate / (likely > 0 ? likely : rate) + 0.5) * likely;
  if (likely > 0 && absolute(grid->rate - rate) < 1e-9 * rate && all_end(source, grid, end)) return true;
  grid->rate = round;
  if (round >= 1 && absolute(rate - round) < 1e-4 * rate && all_end(source, grid, end)) return true;
  if (try_usual(source, length, intervals, grid)) return true;
  grid->rate = rate;
  grid->rate = fitted_rate(source, grid);
  return all_end(source, grid, end);
}

/* Returns the distance within which times are equal: the rounding of floats, or 2^9 times that of doubles. */
static double same_within(double time, bool floats) { return absolute(time) * (floats ? 0x1p-24 : 0x1p-44); }

static bool is_earlier(const void *a, const void *b) { return *(const double *)a < *(const double *)b; }

/* Collects the key times of linear curves that move, each once. *count gets 0 if more than `most` exist. */
static quatsimd_status collect_times(quatsimd_memory *memory, double **times, size_t *count,
                                     const quatsimd_clip_source *source, size_t most, bool floats) {
  const quatsimd_curve *curve, *before = NULL;
  quatsimd_memory scratch = {.allocator = memory->allocator};
  double *all = NULL;
  size_t n = 0, kept = 0;
  for (int pass = 0; pass < 2; pass++) { /* pass 0 counts, 1 copies; many curves share their times */
    n = 0, before = NULL;
    for (size_t at = 0; (curve = next_linear(source, &at)); before = curve) {
      if (before && before->key_count == curve->key_count &&
          (before->times == curve->times ||
           memcmp(before->times, curve->times, curve->key_count * sizeof *curve->times) == 0))
        continue;
      if (pass) memcpy(all + n, curve->times, curve->key_count * sizeof *all);
      n += curve->key_count;
    }
    if (!pass && !(all = quatsimd_take(&scratch, n + 1, sizeof *all))) return QUATSIMD_ERROR_NO_MEMORY;
  }
  quatsimd_sort(all, n, sizeof *all, is_earlier);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || all[i] > all[kept - 1] + same_within(all[kept - 1], floats)) all[kept++] = all[i];
  *count = kept <= most ? kept : 0;
  *times = quatsimd_take(memory, *count + 2, sizeof **times); /* two more: the ends of the animation */
  if (*times) memcpy(*times, all, *count * sizeof *all);
  quatsimd_release(&scratch, NULL);
  return *times ? QUATSIMD_OK : QUATSIMD_ERROR_NO_MEMORY;
}

/* Finds the first and last key time of all curves. False if none has two keys. */
static bool extent_of(const quatsimd_clip_source *source, double *start, double *end) {
  bool any = false;
  *start = *end = 0;
  for (size_t i = 0; i < clip_all_curves(source); i++) {
    const quatsimd_curve *curve = clip_any_curve(source, i);
    if (curve->key_count < 2) continue;
    if (!any || curve->times[0] < *start) *start = curve->times[0];
    if (!any || curve->times[curve->key_count - 1] > *end) *end = curve->times[curve->key_count - 1];
    any = true;
  }
  return any;
}

/* Returns the most keys of a linear curve. *longest gets that curve, *gap the least time between two keys. */
static size_t most_keys(const quatsimd_clip_source *source, double *gap, const quatsimd_curve **longest) {
  const quatsimd_curve *curve;
  size_t most = 0;
  *gap = 0, *longest = NULL;
  for (size_t at = 0; (curve = next_linear(source, &at));) {
    if (curve->key_count > most) most = curve->key_count, *longest = curve;
    for (size_t k = 1; k < curve->key_count; k++) {
      const double d = curve->times[k] - curve->times[k - 1];
      if (*gap == 0 || d < *gap) *gap = d;
    }
  }
  return most;
}

/* Returns a more exact `gap`: its mean over the curve. Small errors of `gap` would add up along the curve. */
static double mean_gap(const quatsimd_curve *curve, double gap) {
  double count = 0;
  for (size_t k = 1; k < curve->key_count; k++)
    count += whole((curve->times[k] - curve->times[k - 1]) / gap + 0.5);
  return (curve->times[curve->key_count - 1] - curve->times[0]) / count;
}

/* Looks for even frames on which all keys lie: up to FINER for each gap, and about SPARSE * most in all. */
static bool even_grid(clip_grid *grid, const quatsimd_clip_source *source, double length, double gap,
                      size_t most, double likely) {
  enum { FINER = 8, SPARSE = 16 };
  for (int finer = 1; finer <= FINER; finer++) {
    const double intervals = whole(length / gap * finer + 0.5);
    if (intervals <= SPARSE * (double)most + FINER && try_intervals(source, length, intervals, likely, grid))
      return true;
  }
  return false;
}

/* True if times stay apart as floats and, if `exactly`, are floats. */
static bool are_floats(const double *times, size_t count, bool exactly) {
  for (size_t f = 0; f < count; f++)
    if ((f > 0 && !((float)times[f] > (float)times[f - 1])) ||
        (exactly && (double)(float)times[f] != times[f]))
      return false;
  return true;
}

/* Makes a grid of the keys' own times, `start` and `end`. It has no frames if these are more than `most`. */
static quatsimd_status listed_grid(clip_grid *grid, quatsimd_memory *memory,
                                   const quatsimd_clip_source *source, double start, double end, double gap,
                                   size_t most) {
  double *times;
  size_t count;
  const bool floats = gap >= 0x1p-12 * (absolute(end) > absolute(start) ? absolute(end) : absolute(start));
  const quatsimd_status status = collect_times(memory, &times, &count, source, most, floats);
  *grid = (clip_grid){0};
  if (status != QUATSIMD_OK || count == 0) return status;
  /* curves that hold may begin before times[0] and end after times[count - 1] */
  if (start < times[0] - same_within(start, floats))
    memmove(times + 1, times, count++ * sizeof *times), times[0] = start;
  if (end > times[count - 1] + same_within(end, floats)) times[count++] = end;
  else times[count - 1] = end; /* without this, sampling might never reach the last key */
  if (count > 1 && count <= CLIP_MOST_FRAMES)
    *grid = (clip_grid){count, times[0], 0, times, are_floats(times, count, !floats), NULL};
  return QUATSIMD_OK;
}

void quatsimd_grid_list(clip_grid *grid) {
  const double *const exact = grid->exact;
  *grid = (clip_grid){grid->frames, exact[0], 0, exact, are_floats(exact, grid->frames, true), NULL};
}

/* ---- the grid of a source ---- */

/* Finds grid->exact. If `at_once` and these times are not nearly even, the grid becomes a list of them. */
static quatsimd_status find_exact(clip_grid *grid, quatsimd_memory *memory,
                                  const quatsimd_clip_source *source, bool at_once) {
  const quatsimd_curve *curve;
  struct piece *mark = memory->last;
  double off = 0;
  if (grid->times) return QUATSIMD_OK;
  double *exact = quatsimd_take(memory, grid->frames, sizeof *exact);
  if (!exact) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t f = 0; f < grid->frames; f++) exact[f] = MOST_LATE;
  for (size_t at = 0; (curve = next_linear(source, &at));)
    for (size_t k = 0; k < curve->key_count; k++) {
      const double time = curve->times[k];
      const size_t frame = quatsimd_grid_nearest(grid, time);
      const double nominal = clip_grid_nominal(grid, frame), away = absolute(time - nominal);
      if (away <= frame_slack(grid, time) && away < absolute(exact[frame] - nominal)) exact[frame] = time;
    }
  for (size_t f = 0; f < grid->frames; f++) {
    const double nominal = clip_grid_nominal(grid, f);
    if (exact[f] == MOST_LATE) exact[f] = nominal;
    if (absolute(exact[f] - nominal) > off) off = absolute(exact[f] - nominal);
  }
  if (off == 0) {
    quatsimd_release(memory, mark);
    return QUATSIMD_OK;
  }
  for (size_t f = 1; f < grid->frames; f++)
    if (!(exact[f] > exact[f - 1])) return QUATSIMD_OK; /* rare: grid->exact stays null */
  grid->exact = exact;
  if (at_once && off * grid->rate > 0x1p-16) quatsimd_grid_list(grid);
  return QUATSIMD_OK;
}

static quatsimd_status choose(quatsimd_memory *memory, const quatsimd_clip_source *source, double start,
                              double end, double likely, clip_grid *grid, quatsimd_clip_report *report) {
  enum { UNION = 4 }; /* a list may have at most UNION * most times */
  double gap;
  const quatsimd_curve *longest;
  const double length = end - start;
  const size_t most = most_keys(source, &gap, &longest);
  *grid = (clip_grid){2, start, 1 / length, NULL, false, NULL};
  if (most == 0) return QUATSIMD_OK; /* no curve interpolates, so frames at both ends are enough */
  const bool even = even_grid(grid, source, length, mean_gap(longest, gap), most, likely) ||
                    even_grid(grid, source, length, gap, most, likely);
  if (even && grid->frames <= most + most / 4 + 1) return QUATSIMD_OK;
  clip_grid listed;
  const quatsimd_status status = listed_grid(&listed, memory, source, start, end, gap, UNION * most);
  if (status != QUATSIMD_OK) return status;
  if (listed.frames > 0 && !(even && grid->frames <= listed.frames + listed.frames / 4)) *grid = listed;
  else if (!even) { /* curves have too few key times in common */ const double dense = 4 * (double)(most - 1);
    if (!(dense < CLIP_MOST_FRAMES))
      return clip_refuse_all(
          report, "there would be more than 2^26 frames: the times of keys have too little in common");
    *grid = (clip_grid){(size_t)dense + 1, start, dense / length, NULL, false, NULL};
    if (!quatsimd_grid_is_resolved(grid, end)) *grid = (clip_grid){2, start, 1 / length, NULL, false, NULL};
  }
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_source_grid(quatsimd_memory *memory, const quatsimd_clip_source *source, double rate,
                                     double likely, bool at_once, clip_grid *grid,
                                     quatsimd_clip_report *report) {
  double start, end;
  const bool any = extent_of(source, &start, &end);
  *grid = (clip_grid){1, start, rate > 0 ? rate : 1, NULL, false, NULL};
  if (!any) return QUATSIMD_OK;
  if (rate > 0) {
    const double off = clip_rounding(larger(absolute(start), absolute(end))) * rate,
                 intervals = (end - start) * rate - (off < 0.05 ? off : 0.05);
    if (!(intervals < CLIP_MOST_FRAMES - 1))
      return clip_refuse_all(report, "there would be more than 2^26 frames at this rate");
    grid->frames = (size_t)(int64_t)(intervals > 0 ? intervals : 0) + 2;
  } else {
    const quatsimd_status status = choose(memory, source, start, end, likely, grid, report);
    if (status != QUATSIMD_OK) return status;
  }
  if (!grid->times && grid->rate > 0x1p+100)
    return clip_refuse_all(report,
                           "the animation is so short that frames would be less than 2^-100 seconds apart");
  if (!grid->times && !quatsimd_grid_is_resolved(grid, end))
    return clip_refuse_all(report, "frames would be nearer to each other than times in double tell apart");
  return find_exact(grid, memory, source, at_once && rate == 0);
}
