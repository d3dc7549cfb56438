#include "times.h"

#include <math.h>

#include "draw_curve.h"

static const quatsimd_curve *any_curve(const scene *s, uint64_t *dice) {
  for (int tries = 0; tries < 20; tries++) {
    const int kind = (int)below(dice, s->track_count ? 4 : 3);
    const size_t number = below(dice, (uint32_t)count_of(s, kind));
    const bool base = has(s, HAS_base) && below(dice, 3) == 0;
    const quatsimd_curve *c = base ? curve_of(s->base_joints, s->base_tracks, kind, number)
                                   : curve_of(s->joints, s->tracks, kind, number);
    if (c->key_count > 1) return c;
  }
  return NULL;
}

static double near_key(const scene *s, uint64_t *dice) {
  const quatsimd_curve *c = any_curve(s, dice);
  if (!c) return s->start;
  const size_t k = below(dice, (uint32_t)c->key_count - 1);
  const double a = c->times[k], b = c->times[k + 1];
  switch (below(dice, 10)) {
  case 0: return a;
  case 1: return nextafter(a, b);
  case 2: return nextafter(b, a);
  case 3: return b;
  case 4: return (double)(float)a;
  case 5: return a + (b - a) * 0.5;
  case 6: return a + (b - a) * 0.25;
  case 7: return a + (b - a) * pow(10, -7 * random_unit(dice));
  case 8: return b - (b - a) * pow(10, -7 * random_unit(dice));
  default: return a + (b - a) * random_unit(dice);
  }
}

static double outside(double time, double start, double duration, uint64_t *dice) {
  static const double clocks[] = {1, 60, 3600, 86400, 8640000, 31536000};
  const double way = below(dice, 4) ? 1 : -1;
  if (below(dice, 8) == 0) return below(dice, 2) ? start - duration * random_unit(dice) : time + 1;
  const double clock = clocks[below(dice, 6)];
  if (duration > 0 && below(dice, 2)) return time + way * floor(clock / duration) * duration;
  return time + way * clock * random_unit(dice);
}

size_t draw_moments(moment moments[MOST_MOMENTS], const scene *s, const quatsimd_clip *clip, size_t most) {
  uint64_t dice = scene_dice(s, "times", 0, 0);
  const double start = quatsimd_clip_start(clip), duration = quatsimd_clip_duration(clip);
  const size_t frames = quatsimd_clip_frame_count(clip);
  size_t count = 0;
  while (count < most) {
    moment *m = &moments[count++];
    const uint32_t way = below(&dice, 16);
    m->wrap = QUATSIMD_CLIP_WRAP_CLIP;
    if (way < 8) m->time = near_key(s, &dice);
    else if (way < 11) m->time = start + duration * random_unit(&dice);
    else {
      const size_t frame = below(&dice, (uint32_t)frames);
      const double time = quatsimd_clip_frame_time(clip, frame),
                   next = quatsimd_clip_frame_time(clip, frame + 1);
      m->time = way < 13 ? time : time + (next - time) * random_unit(&dice);
    }
    if (has(s, HAS_base)) { /* the base is not known elsewhere */
      m->time = fmin(fmax(m->time, start), start + duration);
    } else if (has(s, HAS_clocks) && below(&dice, 3) == 0) {
      m->time = outside(m->time, start, duration, &dice);
      if (below(&dice, 4) == 0)
        m->wrap = below(&dice, 2) ? QUATSIMD_CLIP_WRAP_CLAMP : QUATSIMD_CLIP_WRAP_LOOP;
    }
  }
  return count;
}

long double time_in_clip(const quatsimd_clip *clip, moment m, long double shift) {
  const long double start = (long double)quatsimd_clip_start(clip),
                    duration = (long double)quatsimd_clip_duration(clip), end = start + duration,
                    time = (long double)m.time;
  const bool loops = m.wrap == QUATSIMD_CLIP_WRAP_LOOP ||
                     (m.wrap == QUATSIMD_CLIP_WRAP_CLIP && quatsimd_clip_is_looping(clip));
  if (!loops || !(duration > 0)) return (time < start ? start : time > end ? end : time) + shift;
  long double x = fmodl(time - start, duration);
  if (x < 0) x += duration;
  x += shift;
  if (x < 0) x += duration;
  if (x >= duration - 0x1p-60L * (duration + fabsl(shift))) x -= duration; /* the end is the start */
  return start + fmaxl(x, 0);
}
