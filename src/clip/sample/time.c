#include "clip/sample/time.h"

clip_position quatsimd_clip_position_of_frame(const quatsimd_clip *clip, size_t frame, float t) {
  clip_position p = {clip_frame_time(clip, frame), frame, 0, 0, 0, t};
  if (clip->frames > 1) {
    p.block = clip_block_of(frame < clip->frames - 1 ? frame : frame - 1, clip->frames);
    const size_t first = clip_block_start(p.block, clip->frames);
    p.inner = frame - first;
    p.intervals = clip_block_start(p.block + 1, clip->frames) - first;
  }
  return p;
}

#define FAR 0x1p+52                                          /* here doubles are whole */
static double whole(double p) { return (double)(int64_t)p; } /* toward zero; |p| <= FAR */

/* Time from the start on, within the clip. */
static double wrapped(double time, double end, bool loop) {
  /* NaN: 0 */
  double p = time > FAR * end ? FAR * end : time >= -FAR * end ? time : time < -FAR * end ? -FAR * end : 0;
  if (loop && end > 0 && (p < 0 || p >= end)) {
    p -= whole(p / end) * end;
    if (p < 0) p += end;
  }
  return p > end ? end : p > 0 ? p : 0;
}

/* Frames at even distances, counted as doubles. */
static clip_position even_position(const quatsimd_clip *clip, double time, double rounding, bool loop) {
  const double end = (double)(clip->frames - 1), slack = 0x1p-20 + rounding * clip->rate;
  double p = (time - clip->start) * clip->rate;
  const double nearest = clip_absolute(p) < FAR ? whole(p < 0 ? p - 0.5 : p + 0.5) : p;
  if (clip_absolute(p - nearest) <= (slack < 0.125 ? slack : 0.125)) p = nearest;
  p = wrapped(p, end, loop);
  const size_t frame = (size_t)p;
  const float t = (float)(p - (double)frame);
  clip_position found = quatsimd_clip_position_of_frame(clip, t < 1 ? frame : frame + 1, t < 1 ? t : 0);
  found.time = clip->start + p / clip->rate;
  return found;
}

/* Frames with times of their own. */
static clip_position listed_position(const quatsimd_clip *clip, double time, bool loop) {
  const double p = clip->start + wrapped(time - clip->start, clip->duration, loop),
               rounding = 0x1p-23 * clip_absolute(p);
  /* the last frame that is not after p, or the next one if that is nearer and may be meant */
  size_t low = 0, high = clip->frames;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (clip_frame_time(clip, middle) <= p) low = middle;
    else high = middle;
  }
  if (high < clip->frames &&
      clip_is_meant(clip_frame_time(clip, low), clip_frame_time(clip, high), p, rounding))
    low = high++;
  const double from = clip_frame_time(clip, low),
               to = high < clip->frames ? clip_frame_time(clip, high) : from;
  const float t = p - from > rounding && to > from ? (float)((p - from) / (to - from)) : 0;
  clip_position found = quatsimd_clip_position_of_frame(clip, t < 1 ? low : high, t < 1 ? t : 0);
  found.time = p;
  return found;
}

clip_position quatsimd_clip_position_of(const quatsimd_clip *clip, double time, quatsimd_clip_wrap wrap) {
  const bool loop = wrap == QUATSIMD_CLIP_WRAP_LOOP || (wrap == QUATSIMD_CLIP_WRAP_CLIP && clip->loop);
  const double rounding = 0x1p-23 * clip_absolute(time); /* what a time in float may be off by */
  return clip->times ? listed_position(clip, time, loop) : even_position(clip, time, rounding, loop);
}
