#include "stream/tracks.h"

#include "stream/predict.h"

enum {
  STEP = 16,                   /* twice the bound, in the integers that stand for values */
  MOST_AT = 1 << 30,           /* values further from 0 are exact */
  MOST_MOTION = 1 << 24,       /* the longest motion that is continued */
  MOST_THIRD = (64 << 16) / 3, /* a third of the longest horizon, in 65536ths */
  MOST_LEARNT = 2047,          /* the largest number that scales take into account */
  MOST_TRACK_STEPS = 32        /* a larger number ends with a gamma code */
};

void quatsimd_stream_init_tracks(quatsimd_stream *s, float bound) {
  const double step = 2 * (double)bound * (1 - 0x1p-9), one = STEP / step;
  s->track_bound = bound, s->track_unit = step / STEP;
  s->track_one = one < MOST_AT ? (int32_t)(one + 0.5) : MOST_AT;
}

float quatsimd_stream_track(const quatsimd_stream *s, const track *t) {
  return t->exact ? float_from_bits((uint32_t)t->at) : (float)((double)t->at * s->track_unit);
}

void quatsimd_stream_first_track_models(track_models *m) {
  model *const all = (model *)(void *)m;
  for (size_t i = 0; i < sizeof *m / sizeof *all; i++) all[i] = FIRST_MODEL;
  for (int l = 0; l < LEVELS; l++)
    for (int step = 0; step < STEPS; step++) m->more[l][step] = (model){0xc000, 3};
}

/* ---- prediction ---- */

/* The numbers that all tracks of a packet have in common. */
typedef struct tracks_course {
  int64_t third; /* a third of the horizon, in 65536ths */
  int32_t step;
} tracks_course;

static tracks_course course_of(const quatsimd_stream *s, const references *r) {
  const unsigned coarse = s->next->coarse;
  const uint64_t past = r->chain ? r->base->time - r->chain->time : 0,
                 third = past ? ((uint64_t)s->next->interval << 16) / (3 * past) : 0;
  return (tracks_course){third < MOST_THIRD ? (int64_t)third : MOST_THIRD,
                         (coarse % 2 ? 22 : STEP) * (1 << coarse / 2)};
}

typedef struct prediction {
  int32_t share[SHARES]; /* the places to which shares of the motion lead */
  int32_t from;          /* the place that was chosen */
  int place;             /* 0: at 0; 1: at 1; else 2 */
  uint32_t scale;
} prediction;

static int32_t within(int64_t x, int32_t least, int32_t most) {
  return x < least ? least : x > most ? most : (int32_t)x;
}
static bool is_close(int64_t a, int64_t b, int32_t twice) {
  return 2 * (a - b) < twice && 2 * (b - a) < twice;
}

static bool is_within_step(int64_t way) { return way >= -STEP && way <= STEP; }

static prediction predict(const quatsimd_stream *s, const references *r, const tracks_course *c, size_t i) {
  const track *const base = &r->base->tracks[i], *const anchor = &r->anchor->tracks[i];
  const uint32_t scale = unrounded(base->scale) * STEP / (uint32_t)c->step;
  prediction p = {.place = 2, .scale = scale < 7 ? 7 : scale};
  if (base->exact) return p;
  const bool moves = r->chain && !r->chain->tracks[i].exact,
             weighs = base->at >= 0 && base->at <= s->track_one;
  const int64_t went = moves ? (int64_t)base->at - r->chain->tracks[i].at : 0,
                third = went < -MOST_MOTION || went > MOST_MOTION ? 0 : went * c->third;
  int best = 0;
  for (int w = 0; w < SHARES; w++) {
    const int64_t way = third * w, to = base->at + (way < 0 ? way - 0x8000 : way + 0x8000) / 0x10000;
    p.share[w] = weighs ? within(to, 0, s->track_one) : within(to, -MOST_AT, MOST_AT);
    if (base->error[w] < base->error[best]) best = w;
  }
  p.from = p.share[best];
  if (is_within_step(went)) {
    /* A track that rests is within half a step of each of its places, so all packets come to predict the same
     * one. */
    const bool still = base->zero && !anchor->exact && is_within_step((int64_t)anchor->at - base->at);
    p.from = still ? anchor->at : base->at;
  }
  p.place = is_close(p.from, 0, c->step) ? 0 : is_close(p.from, s->track_one, c->step) ? 1 : 2;
  return p;
}

/* Moves a track by a number of steps; one that is exact in the baseline stays or goes on from 0. Returns
 * false for a place too far from 0. */
static bool go(track *to, const track *base, const prediction *p, const tracks_course *c, int32_t number) {
  const bool stays = base->exact && number == 0;
  const int64_t at = p->from + (int64_t)number * c->step;
  *to = (track){.at = stays ? base->at : within(at, -MOST_AT, MOST_AT), .exact = stays};
  return at >= -MOST_AT && at <= MOST_AT;
}

static void learn(track *to, const track *base, const prediction *p, const tracks_course *c, bool zero,
                  int32_t number) {
  const int64_t fine = (int64_t)abs_of(number) * c->step / STEP;
  to->zero = zero, to->sign = number == 0 ? base->sign : number > 0 ? 1 : 2;
  to->scale = faded_sum(base->scale, 4 * (uint32_t)(fine < MOST_LEARNT ? fine : MOST_LEARNT));
  for (int w = 0; w < SHARES; w++) {
    const int64_t off = to->exact || base->exact ? 0 : (int64_t)to->at - p->share[w],
                  missed = off < 0 ? -off : off;
    to->error[w] = faded_sum(base->error[w], (uint32_t)(missed < MOST_ERROR ? missed : MOST_ERROR));
  }
}

static model *zero_of(track_models *m, const track *base, const prediction *p) {
  return &m->zero[level_within(level_of(p->scale))][base->zero][p->place];
}
static model *up_of(track_models *m, const track *base, const prediction *p) {
  return &m->up[p->place < 2 ? p->place : 2 + base->sign];
}
static number_code size_of(track_models *m, uint32_t scale) {
  const int level = level_of(scale);
  return (number_code){m->more[row_of(level)], low_of(level)};
}

/* ---- encoding ---- */

static bool is_near(const quatsimd_stream *s, const track *t, float value) {
  const double off = (double)quatsimd_stream_track(s, t) - (double)value,
               bound = (double)s->track_bound * (double)coarseness(s->next->coarse);
  return off >= -bound && off <= bound;
}

/* Moves a track to a value. Returns the number of steps, or 0 if none leads within the bound. */
static int32_t go_to(const quatsimd_stream *s, track *to, const track *base, const prediction *p,
                     const tracks_course *c, float value) {
  const double n = ((double)value / s->track_unit - p->from) / c->step;
  if (!(n > -TOO_LARGE && n < TOO_LARGE)) return 0;
  const int32_t number = (int32_t)(n < 0 ? n - 0.5 : n + 0.5);
  return go(to, base, p, c, number) && is_near(s, to, value) ? number : 0;
}

static void put_exactly(range_encoder *e, track *to, float value) {
  const uint32_t bits = float_bits(value);
  put_wide(e, bits, 32);
  *to = (track){.at = (int32_t)bits, .exact = true};
}

static void put_track(quatsimd_stream *s, range_encoder *e, const references *r, const tracks_course *c,
                      size_t i) {
  track_models *const m = track_models_of(s, s->models);
  const track *const base = &r->base->tracks[i];
  const prediction p = predict(s, r, c, i);
  const float value = s->held_track[i];
  track *const to = &s->next->tracks[i];
  const bool zero = go(to, base, &p, c, 0) && is_near(s, to, value);
  put_bit(e, zero_of(m, base, &p), zero);
  const int32_t number = zero ? 0 : go_to(s, to, base, &p, c, value);
  if (!zero) {
    put_bit(e, &m->exact[base->exact], number == 0);
    if (number == 0) {
      put_exactly(e, to, value);
    } else {
      const number_code code = size_of(m, p.scale);
      put_bit(e, up_of(m, base, &p), number > 0);
      put_integer(e, &code, abs_of(number) - 1, 0, MOST_TRACK_STEPS);
    }
  }
  learn(to, base, &p, c, zero, number);
}

/* Moves a track of a key packet. Returns false if the value does not fit into `width` bits. */
static bool fits(const quatsimd_stream *s, track *to, int32_t *number, float value, int width) {
  static const track none = {0};
  static const tracks_course fine = {0, STEP};
  const prediction p = {0};
  *number = go_to(s, to, &none, &p, &fine, value);
  if (*number == 0) go(to, &none, &p, &fine, 0);
  return is_near(s, to, value) && *number >= -(1 << (width - 1)) && *number < 1 << (width - 1);
}

/* Returns the width with which the tracks need the fewest bits. */
static int best_width(const quatsimd_stream *s) {
  size_t least = SIZE_MAX;
  int best = 1;
  for (int w = 1; w <= MOST_WIDTH; w++) {
    size_t bits = 0;
    for (size_t i = 0; i < s->tracks; i++) {
      track to;
      int32_t number;
      bits += fits(s, &to, &number, s->held_track[i], w) ? (size_t)w : 32;
    }
    if (bits < least) least = bits, best = w;
  }
  return best;
}

static void put_whole_tracks(quatsimd_stream *s, range_encoder *e) {
  const int width = best_width(s);
  put_plain(e, (uint32_t)width, 5);
  for (size_t i = 0; i < s->tracks; i++) {
    track *const to = &s->next->tracks[i];
    int32_t number;
    const bool exact = !fits(s, to, &number, s->held_track[i], width);
    put_plain(e, exact, 1);
    if (exact) put_exactly(e, to, s->held_track[i]);
    else put_wide(e, (uint32_t)(number + (1 << (width - 1))), width);
    to->scale = FIRST_SCALE;
  }
}

bool quatsimd_stream_put_tracks(quatsimd_stream *s, range_encoder *e, const references *r,
                                const unsigned char *end) {
  if (!r->base) {
    if (s->tracks) put_whole_tracks(s, e);
    return true;
  }
  const tracks_course c = course_of(s, r);
  for (size_t i = 0; i < s->tracks && e->at <= end; i++) put_track(s, e, r, &c, i);
  return e->at <= end;
}

/* ---- decoding ---- */

/* Returns false for bits that no encoder writes. */
static bool take_exactly(range_decoder *d, track *to) {
  const uint32_t bits = take_wide(d, 32);
  *to = (track){.at = (int32_t)bits, .exact = true};
  return is_exact(bits);
}

static bool take_track(quatsimd_stream *s, range_decoder *d, const references *r, const tracks_course *c,
                       size_t i) {
  track_models *const m = track_models_of(s, s->models);
  const track *const base = &r->base->tracks[i];
  const prediction p = predict(s, r, c, i);
  track *const to = &s->next->tracks[i];
  const bool zero = take_bit(d, zero_of(m, base, &p));
  int32_t number = 0;
  if (!zero && take_bit(d, &m->exact[base->exact])) {
    if (!take_exactly(d, to)) return false;
  } else {
    if (!zero) {
      const bool up = take_bit(d, up_of(m, base, &p));
      const number_code code = size_of(m, p.scale);
      const uint32_t size = take_integer(d, &code, 0, MOST_TRACK_STEPS);
      if (size >= TOO_LARGE) return false;
      number = up ? (int32_t)size + 1 : -(int32_t)size - 1;
    }
    if (!go(to, base, &p, c, number)) return false;
  }
  learn(to, base, &p, c, zero, number);
  return true;
}

static bool take_whole_tracks(quatsimd_stream *s, range_decoder *d) {
  const int width = (int)take_plain(d, 5);
  if (width == 0 || width > MOST_WIDTH) return false;
  for (size_t i = 0; i < s->tracks; i++) {
    track *const to = &s->next->tracks[i];
    if (take_plain(d, 1)) {
      if (!take_exactly(d, to)) return false;
    } else {
      *to = (track){.at = STEP * ((int32_t)take_wide(d, width) - (1 << (width - 1)))};
    }
    to->scale = FIRST_SCALE;
  }
  return true;
}

bool quatsimd_stream_take_tracks(quatsimd_stream *s, range_decoder *d, const references *r) {
  if (!r->base) return s->tracks == 0 || take_whole_tracks(s, d);
  const tracks_course c = course_of(s, r);
  for (size_t i = 0; i < s->tracks; i++)
    if (!take_track(s, d, r, &c, i)) return false;
  return true;
}
