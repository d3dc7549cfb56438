#include "clip/sample/time.h"

void quatsimd_clip_position_of_frame(clip_position *p, const quatsimd_clip *clip, size_t frame, float t) {
  p->time = clip_frame_time(clip, frame), p->frame = frame, p->t = t;
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

/* Brings x into the range from 0 to `end`: wraps it if `loop`, else clamps it. */
static double wrapped(double x, double end, bool loop) {
  double p = x > FAR * end ? FAR * end : x < -FAR * end ? -FAR * end : x;
  if (loop && end > 0 && (p < 0 || p >= end)) {
    p -= whole(p / end) * end;
    if (p < 0) p += end;
  }
  return p > end ? end : p > 0 ? p : 0;
}

static double larger(double a, double b) { return a > b ? a : b; }

/* Returns the largest error of rounding a time to float. Returns 0 for clips that are additive to a base,
 * because the caller samples the base at the exact time. */
static double slack_of(const quatsimd_clip *clip, double time) {
  return clip_additive(clip) == QUATSIMD_CLIP_ADDITIVE_BASE ? 0 : clip_rounding(time) / 2;
}

/* Finds the position of a time among evenly spaced frames. A time counts as a frame's time if only rounding
 * may separate them, by at most an eighth of an interval. */
static void even_position(clip_position *found, const quatsimd_clip *clip, double time, bool loop) {
  const double end = (double)(clip->frames - 1), first = clip_absolute(clip->start),
               last = clip_absolute(clip->start + clip->duration);
  const double near = larger(slack_of(clip, time), slack_of(clip, first)) + 0x1p-50 * larger(first, last);
  const double exact = (time - clip->start) * clip->rate;
  double x = exact;
  const double nearest = clip_absolute(x) < FAR ? whole(x < 0 ? x - 0.5 : x + 0.5) : x;
  if (clip_absolute(x - nearest) <= smaller(0.125, near * clip->rate)) x = nearest;
  const double inside = wrapped(x, end, loop);
  const size_t frame = (size_t)inside;
  const float t = (float)(inside - (double)frame);
  quatsimd_clip_position_of_frame(found, clip, t < 1 ? frame : frame + 1, t < 1 ? t : 0);
  /* a frame's time becomes `at`. Other times stay `time`, or at + off if they wrap, because
   * time - clip->start may have lost bits of `time` */
  const bool wraps = loop && inside != x;
  const double at = clip->start + inside / clip->rate, off = wraps ? (exact - x) / clip->rate : time - at;
  found->time = found->t == 0 && clip_absolute(off) <= slack_of(clip, time) ? at : wraps ? at + off : time;
}

static void listed_position(clip_position *found, const quatsimd_clip *clip, double time, bool loop) {
  const size_t end = clip->frames - 1;
  const double start = clip->start, last = clip_frame_time(clip, end), near = slack_of(clip, time);
  const bool inside = time >= start && (loop ? time < last : time <= last);
  double p = inside         ? time
             : loop         ? start + wrapped(time - start, clip->duration, true)
             : time < start ? start
                            : last;
  size_t low = 0, high = clip->frames; /* low: the last frame that is not after p */
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (clip_frame_time(clip, middle) <= p) low = middle;
    else high = middle;
  }
  float t = 0;
  if (high <= end) {
    const double from = clip_frame_time(clip, low), to = clip_frame_time(clip, high),
                 slack = smaller(near, 0.125 * (to - from));
    if (to - p <= slack) low = high;
    else if (p - from > slack && to > from) t = (float)((p - from) / (to - from));
    if (!(t < 1)) low = high, t = 0;
  }
  /* In a loop, the last frame is the first one of the next round. */
  if (loop && t == 0 && (low == end || (low == 0 && !inside))) low = 0, p = start;
  quatsimd_clip_position_of_frame(found, clip, low, t);
  const double within = inside || loop ? p : time;
  if (!(t == 0 && clip_absolute(within - found->time) <= near)) found->time = within;
}

void quatsimd_clip_position_of(clip_position *p, const quatsimd_clip *clip, double time,
                               quatsimd_clip_wrap wrap) {
  const bool loop = wrap == QUATSIMD_CLIP_WRAP_LOOP || (wrap == QUATSIMD_CLIP_WRAP_CLIP && clip_loops(clip));
  const double most = 0x1p+900; /* rates are at most 2^100, so time * rate is finite */
  const double asked = time > most     ? most
                       : time >= -most ? time
                       : time < -most  ? -most
                                       : clip->start; /* for NaN */
  if (clip->times) listed_position(p, clip, asked, loop);
  else even_position(p, clip, asked, loop);
}
