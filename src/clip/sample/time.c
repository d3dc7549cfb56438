#include "clip/sample/time.h"

void quatsimd_clip_position_of_frame(clip_position *p, const quatsimd_clip *clip, size_t frame, float t) {
  p->time = clip_frame_time(clip, frame), p->frame = frame, p->t = t, p->outside = false;
  p->block = p->inner = p->intervals = 0;
  if (clip->frames <= 1) return;
  p->block = clip_block_of(frame < clip->frames - 1 ? frame : frame - 1, clip->frames);
  const size_t first = clip_block_start(p->block, clip->frames);
  p->inner = frame - first;
  p->intervals = clip_block_start(p->block + 1, clip->frames) - first;
}

#define FAR 0x1p+52 /* doubles of this size or more are whole numbers */
static double whole(double p) { return (double)(int64_t)p; } /* rounds p toward zero; |p| <= FAR */

static double smaller(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

/* Rounds x to 26 bits, so that products of two such numbers are exact. */
static double upper_half(double x) {
  const double p = (0x1p+27 + 1) * x;
  return p - (p - x);
}

/* Returns x minus all whole multiples of `by`, exactly, as fmod does. 0 <= x <= FAR * by. */
static double remainder_of(double x, double by) {
  const double q = whole(x / by), p = q * by; /* division may have rounded q up to the next whole number */
  const double q1 = upper_half(q), q2 = q - q1, by1 = upper_half(by), by2 = by - by1,
               lost = (((q1 * by1 - p) + q1 * by2) + q2 * by1) + q2 * by2; /* by rounding p */
  const double r = (x - p) - lost;
  return r < 0 ? r + by : r;
}

/* Brings x into the range from 0 to `end` by whole rounds of this length. */
static double wrapped(double x, double end) {
  if (!(end > 0)) return 0;
  const double r = remainder_of(smaller(clip_absolute(x), FAR * end), end);
  return x < 0 && r > 0 ? end - r : r;
}

/* Returns the largest error of rounding a time to float. Returns 0 for clips that are additive to a base,
 * because the caller samples the base at the exact time. */
static double slack_of(const quatsimd_clip *clip, double time) {
  return clip_additive(clip) == QUATSIMD_CLIP_ADDITIVE_BASE ? 0 : clip_rounding(time) / 2;
}

/* Finds the position of a time among evenly spaced frames. A time counts as a frame's time if only rounding
 * may separate them, by at most an eighth of an interval. */
static void even_position(clip_position *found, const quatsimd_clip *clip, double time, double slack,
                          bool loop) {
  const double end = (double)(clip->frames - 1), first = clip_absolute(clip->start),
               last = clip_absolute(clip->start + clip->duration);
  const double near = larger(slack, slack_of(clip, first)) + 0x1p-50 * larger(first, last);
  const double exact = (time - clip->start) * clip->rate;
  const bool is_far = !(clip_absolute(exact) < FAR);
  int64_t frame = is_far ? 0 : (int64_t)exact; /* rounds toward zero */
  double x = exact;
  /* over: the distance from `frame`, in intervals */
  const double over = is_far ? 0 : clip_absolute(x - (double)frame),
               to_nearest = over < 0.5 ? over : 1 - over;
  float t = (float)over;
  if (!is_far && to_nearest <= smaller(0.125, near * clip->rate)) {
    frame += over < 0.5 ? 0 : x < 0 ? -1 : 1;
    x = (double)frame, t = 0;
  }
  const bool next_round = loop && x >= end;
  const double inside = next_round || !(x > 0) ? 0 : smaller(x, end);
  if (!(inside == x)) frame = (int64_t)inside, t = 0;
  quatsimd_clip_position_of_frame(found, clip, (size_t)(t < 1 ? frame : frame + 1), t < 1 ? t : 0);
  found->outside = !next_round && !(inside == x);
  /* a frame's time becomes `at`. Other times stay `time`, because time - clip->start may have lost bits */
  const double at = clip->start + inside / clip->rate,
               off = next_round ? (exact - x) / clip->rate : time - at;
  found->time = found->t == 0 && clip_absolute(off) <= slack ? at : next_round ? at + off : time;
}

static void listed_position(clip_position *found, const quatsimd_clip *clip, double time, double near,
                            bool loop) {
  const size_t end = clip->frames - 1;
  size_t low = 0, high = clip->frames; /* low: the last frame that is not after `time`, or the first */
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (clip_frame_time(clip, middle) <= time) low = middle;
    else high = middle;
  }
  float t = 0;
  if (high <= end) {
    const double from = clip_frame_time(clip, low), to = clip_frame_time(clip, high),
                 slack = smaller(near, 0.125 * (to - from));
    if (to - time <= slack) low = high;
    else if (time - from > slack && to > from) t = (float)((time - from) / (to - from));
    if (!(t < 1)) low = high, t = 0;
  }
  /* In a loop, the last frame is the first one of the next round. */
  if (loop && low == end) low = 0, time = clip->start;
  quatsimd_clip_position_of_frame(found, clip, low, t);
  found->outside =
      !loop && (clip_frame_time(clip, 0) - time > near || time - clip_frame_time(clip, end) > near);
  if (!(t == 0 && clip_absolute(time - found->time) <= near)) found->time = time;
}

void quatsimd_clip_position_of(clip_position *p, const quatsimd_clip *clip, double time,
                               quatsimd_clip_wrap wrap) {
  const bool loop = clip_loops_with(clip, wrap);
  const double most = 0x1p+900, start = clip->start; /* rates are at most 2^100, so time * rate is finite */
  double asked = time > most ? most : time >= -most ? time : time < -most ? -most : start; /* for NaN */
  double slack = slack_of(clip, asked);
  if (loop) {
    const double last = clip_last_time(clip);
    if (!(asked >= start && asked <= last)) {
      asked = start + wrapped(asked - start, clip->duration);
      slack = larger(slack_of(clip, start), slack_of(clip, last)); /* the clock's own would grow with it */
    }
  }
  if (clip->times) listed_position(p, clip, asked, slack, loop);
  else even_position(p, clip, asked, slack, loop);
}
