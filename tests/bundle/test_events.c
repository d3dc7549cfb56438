/* Checks the events that a clock passes against two models: in exact integers, and in the rounded doubles of
 * clip.h, round by round. */
#include "fixture.h"

#include "support/random.h"

#include <math.h>
#include <time.h>

#define YEAR 31557600.0
#define INFINITE (1e308 * 10)

enum { MOST_EVENTS = 64, MOST_FOUND = 4096 };

/* A bundle with one clip, and the clip. */
typedef struct marked {
  quatsimd_bundle_event event[MOST_EVENTS]; /* sorted by time, then by name */
  size_t count;
  void *skeleton, *data, *bundle_data;
  quatsimd_bundle_storage storage;
  void *memory;
  quatsimd_clip *clip;
  double start, end, duration, near; /* near: the rounding of times to float */
} marked;

static int compare_events(const void *a, const void *b) {
  const quatsimd_bundle_event *x = a, *y = b;
  return x->time < y->time ? -1 : x->time > y->time ? 1 : strcmp(x->name, y->name);
}

/* The clip has linear keys at `keys` times. rate 0: those of the keys. */
static void make_marked(marked *m, const double *times, size_t keys, double rate, int looping, int closed) {
  float values[MOST_EVENTS][3] = {{0}};
  for (size_t k = 1; k + 1 < keys; k++) values[k][0] = (float)(k % 5);
  if (!looping && keys > 1) values[keys - 1][0] = 0.5f;
  const quatsimd_clip_joint joint = {.parent = -1, .translation = {keys, times, values[0], 0}};
  const quatsimd_clip_source animation = {1, &joint, 0, NULL};
  quatsimd_clip_options options;
  quatsimd_skeleton_storage opened;
  quatsimd_skeleton *skeleton;
  quatsimd_bundle_source source;
  quatsimd_bundle *bundle;
  size_t size;
  assert_int_equal(quatsimd_bundle_source_init(&source, sizeof source, sizeof(quatsimd_bundle_entry)), 0);
  m->skeleton = made_chain(&source.skeleton_size, 1, 0, "joint");
  source.skeleton = m->skeleton;
  assert_int_equal(
      quatsimd_skeleton_open(&skeleton, &opened, sizeof opened, m->skeleton, source.skeleton_size), 0);
  quatsimd_clip_options_init(&options, sizeof options);
  options.translation_bound = 0.001f, options.skeleton = skeleton;
  options.rate = rate, options.looping = looping, options.close_loop = closed;
  assert_int_equal(quatsimd_clip_encode(&m->data, &size, &animation, &options, NULL), QUATSIMD_OK);
  quatsimd_bundle_event shuffled[MOST_EVENTS];
  for (size_t i = 0; i < m->count; i++) shuffled[m->count - 1 - i] = m->event[i];
  /* clips without events before and after this one */
  const quatsimd_bundle_entry entries[] = {{"a", m->data, size, NULL, 0},
                                           {"b", m->data, size, shuffled, m->count},
                                           {"c", m->data, size, NULL, 0},
                                           {"d", m->data, size, shuffled, m->count / 2}};
  source.clips = entries, source.clip_count = 4;
  assert_int_equal(quatsimd_bundle_encode(&m->bundle_data, &size, &source, NULL, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_bundle_open(&bundle, &m->storage, sizeof m->storage, m->bundle_data, size), 0);
  size = quatsimd_bundle_clip_memory_size(bundle, 1);
  const size_t plain = quatsimd_bundle_clip_memory_size(bundle, 0);
  assert_true(m->count ? size > plain && size <= plain + 16 : size == plain);
  m->memory = malloc(size);
  assert_non_null(m->memory);
  assert_int_equal(quatsimd_bundle_open_clip(bundle, 1, &m->clip, m->memory, size), QUATSIMD_OK);
  qsort(m->event, m->count, sizeof *m->event, compare_events);
  m->start = quatsimd_clip_start(m->clip), m->duration = quatsimd_clip_duration(m->clip);
  m->end = quatsimd_clip_frame_time(m->clip, SIZE_MAX);
  m->near = fmax(fabs(m->start), fabs(m->end)) * 0x1p-24;
}

static void free_marked(marked *m) {
  free(m->memory);
  quatsimd_bundle_free(NULL, m->bundle_data);
  quatsimd_clip_free(NULL, m->data);
  quatsimd_skeleton_free(NULL, m->skeleton);
}

static void add(marked *m, double time, const char *name) {
  assert_true(m->count < MOST_EVENTS);
  m->event[m->count++] = (quatsimd_bundle_event){time, name};
}

/* ---- the model ---- */

typedef struct found {
  size_t count;
  quatsimd_clip_event event[MOST_FOUND];
} found;

static bool passes(double clock, double from, double to) {
  return from < to ? from < clock && clock <= to : to <= clock && clock < from;
}

/* Tries each event in each round from `first` to `last`. */
static void model(found *f, const marked *m, double from, double to, bool loop, int64_t first, int64_t last) {
  const bool forward = from < to;
  f->count = 0;
  for (int64_t r = 0; r <= last - first; r++)
    for (size_t e = 0; e < m->count; e++) {
      const int64_t round = forward ? first + r : last - r;
      const quatsimd_bundle_event *event = &m->event[forward ? e : m->count - 1 - e];
      if (loop && !(event->time >= m->start - m->near && event->time <= m->end + m->near)) continue;
      const volatile double product = loop ? (double)round * m->duration : 0, clock = event->time + product;
      if (!passes(clock, from, to)) continue;
      assert_true(f->count < MOST_FOUND);
      f->event[f->count++] = (quatsimd_clip_event){event->name, event->time, clock};
    }
}

static int64_t round_of(const marked *m, double time) {
  return (int64_t)floorl(((long double)time - (long double)m->start) / (long double)m->duration);
}

/* Compares the function with the model, also with less memory than is needed. */
static size_t check_between(const marked *m, double from, double to, quatsimd_clip_wrap wrap, bool loop) {
  static found wanted;
  static quatsimd_clip_event got[MOST_FOUND + 1];
  const double low = from < to ? from : to, high = from < to ? to : from;
  if (loop) model(&wanted, m, from, to, true, round_of(m, low) - 4, round_of(m, high) + 4);
  else model(&wanted, m, from, to, false, 0, 0);
  const size_t capacities[] = {MOST_FOUND, wanted.count, wanted.count / 2, 1, 0};
  for (size_t c = 0; c < sizeof capacities / sizeof *capacities; c++) {
    const size_t capacity = capacities[c], written = wanted.count < capacity ? wanted.count : capacity;
    memset(got, 0x55, (written + 1) * sizeof *got);
    const size_t count =
        quatsimd_clip_events_between(m->clip, capacity ? got : NULL, capacity, from, to, wrap);
    if (count != wanted.count)
      fail_msg("from %.17g to %.17g: %zu events, not %zu", from, to, count, wanted.count);
    for (size_t i = 0; i < written; i++) {
      assert_string_equal(got[i].name, wanted.event[i].name);
      assert_true(got[i].time == wanted.event[i].time && got[i].clock == wanted.event[i].clock);
    }
    for (size_t b = 0; b < sizeof *got; b++) assert_int_equal(((unsigned char *)&got[written])[b], 0x55);
  }
  assert_int_equal(quatsimd_clip_events_between(m->clip, NULL, 5, from, to, wrap), wanted.count);
  return wanted.count;
}

/* ---- properties ---- */

static void the_clip_has_its_events(void **state) {
  (void)state;
  static const double times[] = {0, 1};
  marked m = {.count = 0};
  add(&m, 0.5, "b"), add(&m, 0.25, "a"), add(&m, 0.5, "a"), add(&m, -3, "early"), add(&m, 0.5, "a");
  make_marked(&m, times, 2, 0, 1, 0);
  assert_int_equal(quatsimd_clip_event_count(m.clip), 5);
  for (size_t i = 0; i < 5; i++) {
    assert_true(quatsimd_clip_event_time(m.clip, i) == m.event[i].time);
    assert_string_equal(quatsimd_clip_event_name(m.clip, i), m.event[i].name);
  }
  assert_true(quatsimd_clip_event_time(m.clip, 5) == 0);
  assert_null(quatsimd_clip_event_name(m.clip, 5));
  assert_int_equal(quatsimd_clip_event_count(NULL), 0);
  assert_true(quatsimd_clip_event_time(NULL, 0) == 0);
  assert_null(quatsimd_clip_event_name(NULL, 0));
  free_marked(&m);
}

static void clips_without_events(void **state) {
  (void)state;
  static const double times[] = {0, 1};
  marked m = {.count = 0};
  make_marked(&m, times, 2, 0, 1, 0);
  quatsimd_clip_event event;
  quatsimd_clip_storage storage;
  quatsimd_clip *separate;
  unsigned char *bytes = m.data;
  uint32_t size;
  memcpy(&size, bytes + 8, 4);
  assert_int_equal(quatsimd_clip_open(&separate, &storage, sizeof storage, bytes, size), QUATSIMD_OK);
  const quatsimd_clip *const clips[] = {m.clip, separate, NULL};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(quatsimd_clip_event_count(clips[i]), 0);
    assert_null(quatsimd_clip_event_name(clips[i], 0));
    assert_int_equal(quatsimd_clip_events_between(clips[i], &event, 1, -INFINITE, INFINITE, 0), 0);
  }
  free_marked(&m);
}

/* A loop of 1.5 s from 0.25 s on, with several events at one time, at the ends, and outside. */
static void make_swing(marked *m) {
  static const double times[] = {0.25, 0.5, 1.75};
  add(m, 0.25, "start"), add(m, 1.75, "end"), add(m, 1, "one"), add(m, 1, "two"), add(m, 1, "one");
  add(m, 0.125, "before"), add(m, 1.8125, "after"), add(m, -5, "long before"), add(m, 1.25, "");
  make_marked(m, times, 3, 64, 1, 0);
  assert_true(m->start == 0.25 && m->duration == 1.5 && m->end == 1.75);
}

static void at_borders(void **state) {
  (void)state;
  marked m = {.count = 0};
  make_swing(&m);
  const quatsimd_clip_wrap loop = QUATSIMD_CLIP_WRAP_LOOP, clamp = QUATSIMD_CLIP_WRAP_CLAMP;
  const struct {
    double from, to;
    quatsimd_clip_wrap wrap;
    size_t count;
  } cases[] = {
      {0, 1, clamp, 5},
      {0, 0.999, clamp, 2},
      {1, 1.25, clamp, 1},
      {0.25, 1, clamp, 3},
      {1, 0.25, clamp, 1},
      {1.001, 1, clamp, 3},
      {-10, -5, clamp, 1},
      {-5, -4, clamp, 0},
      {-4, -5, clamp, 1},
      {3, -6, clamp, 9},
      {-6, 3, clamp, 9},
      {1, 1, clamp, 0},
      {0, 0.25, loop, 2},
      {0.25, 1, loop, 3},
      {1.25, 1.75, loop, 2},
      {1.75, 1.25, loop, 1},
      {1.75 + 1.5, 1.75, loop, 6},
      {0, 0.125, loop, 0},
      {1.8, 1.9, loop, 0},
      {0, 15, loop, 60},
      {15, 0, loop, 60},
      {-15, 0, loop, 60},
      {1, 1, loop, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const size_t count = check_between(&m, cases[i].from, cases[i].to, cases[i].wrap, cases[i].wrap == loop);
    if (count != cases[i].count) fail_msg("case %zu: %zu events", i, count);
  }
  assert_int_equal(check_between(&m, 0, 15, QUATSIMD_CLIP_WRAP_CLIP, true), 60); /* the clip loops */
  const double nan = INFINITE - INFINITE;
  assert_int_equal(quatsimd_clip_events_between(m.clip, NULL, 0, nan, 1, loop), 0);
  assert_int_equal(quatsimd_clip_events_between(m.clip, NULL, 0, 1, nan, loop), 0);
  assert_int_equal(quatsimd_clip_events_between(m.clip, NULL, 0, nan, nan, clamp), 0);
  assert_int_equal(quatsimd_clip_events_between(m.clip, NULL, 0, 0, 9, (quatsimd_clip_wrap)3), 0);
  assert_int_equal(quatsimd_clip_events_between(m.clip, NULL, 0, 0, 9, (quatsimd_clip_wrap)-1), 0);
  free_marked(&m);
}

/* The order of passing: round by round, by time, by name; backward the reverse. */
/* Events at the ends of a loop are passed in each round, also if their times were rounded to float, or the
 * clip's were; those a little farther outside never are. */
static void near_the_ends(void **state) {
  (void)state;
  const double times[] = {1.0 / 30, 0.5, 0.7 + 1.0 / 30};
  marked m = {.count = 0};
  add(&m, 1.0 / 30, "first"), add(&m, (double)(float)(1.0 / 30), "first"), add(&m, times[2], "last");
  add(&m, (double)(float)times[2], "last"), add(&m, times[0] - 1e-7, "before"),
      add(&m, times[2] + 1e-7, "after");
  make_marked(&m, times, 3, 0, 1, 0);
  quatsimd_clip_event got[8];
  for (double t = -3; t < 50; t += m.duration) {
    const double from = m.start + 0.3 + t;
    assert_int_equal(
        quatsimd_clip_events_between(m.clip, got, 8, from, from + m.duration, QUATSIMD_CLIP_WRAP_LOOP), 4);
    for (int i = 0; i < 4; i++) assert_string_equal(got[i].name, i < 2 ? "last" : "first");
  }
  free_marked(&m);
}

static void in_order(void **state) {
  (void)state;
  marked m = {.count = 0};
  quatsimd_clip_event event[10];
  make_swing(&m);
  /* round -1 ends with "end" at 0.25, before round 0 begins with "start" */
  assert_int_equal(quatsimd_clip_events_between(m.clip, event, 10, -0.25, 1, QUATSIMD_CLIP_WRAP_LOOP), 5);
  static const char *const names[] = {"end", "start", "one", "one", "two"};
  static const double clocks[] = {0.25, 0.25, 1, 1, 1}, at[] = {1.75, 0.25, 1, 1, 1};
  for (size_t i = 0; i < 5; i++) {
    assert_string_equal(event[i].name, names[i]);
    assert_true(event[i].clock == clocks[i] && event[i].time == at[i]);
  }
  assert_int_equal(quatsimd_clip_events_between(m.clip, event, 10, 1.125, -0.25, QUATSIMD_CLIP_WRAP_LOOP), 6);
  for (size_t i = 0; i < 5; i++) assert_string_equal(event[i].name, names[4 - i]);
  assert_string_equal(event[5].name, "");
  assert_true(event[5].clock == -0.25);
  free_marked(&m);
}

/* ---- exact integers ---- */

/* Counts the passes of an event at whole times in a loop of whole length: t + k d in (from, to]. */
static int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
static int64_t passes_of(int64_t t, int64_t d, int64_t from, int64_t to) {
  return from < to ? floor_of(to - t, d) - floor_of(from - t, d)
                   : floor_of(from - 1 - t, d) - floor_of(to - 1 - t, d);
}

/* All times are whole multiples of 1/64 s, so that no sum and no product is rounded. */
static void exact(void **state) {
  (void)state;
  uint64_t random = 61;
  for (int i = 0; i < 200; i++) {
    marked m = {.count = 0};
    const int64_t start = (int64_t)(sweep_next(&random) % 2000) - 1000,
                  length = 1 + (int64_t)(sweep_next(&random) % 200);
    const double times[] = {(double)start / 64, (double)(start + length) / 64};
    int64_t at[MOST_EVENTS];
    const size_t count = 1 + sweep_next(&random) % 9;
    for (size_t e = 0; e < count; e++) {
      at[e] = start + (int64_t)(sweep_next(&random) % (uint64_t)(length + 20)) - 10;
      add(&m, (double)at[e] / 64, e % 2 ? "odd" : "even");
    }
    make_marked(&m, times, 2, 64, 1, 0);
    assert_true(m.duration == (double)length / 64);
    for (int n = 0; n < 100; n++) {
      const int64_t far = (int64_t)1 << sweep_next(&random) % 46, /* 2^40 s are 35,000 years */
          from = (int64_t)(sweep_next(&random) % (uint64_t)(2 * far + 1)) - far,
                    to = n % 2 ? from + (int64_t)(sweep_next(&random) % 4000) - 2000
                               : (int64_t)(sweep_next(&random) % (uint64_t)(2 * far + 1)) - far;
      int64_t wanted = 0;
      for (size_t e = 0; e < count; e++)
        if (at[e] >= start && at[e] <= start + length && from != to)
          wanted += passes_of(at[e], length, from, to);
      assert_int_equal(quatsimd_clip_events_between(m.clip, NULL, 0, (double)from / 64, (double)to / 64,
                                                    QUATSIMD_CLIP_WRAP_CLIP),
                       wanted);
    }
    free_marked(&m);
  }
}

/* ---- rounded clocks ---- */

/* Loops whose times are rounded, evenly spaced or listed. */
static void make_random(marked *m, uint64_t *random, bool listed) {
  double times[8];
  times[0] = (random_unit(random) - 0.5) * (sweep_next(random) % 2 ? 1000 : 1);
  const double length = 0.01 + 3 * random_unit(random);
  for (int k = 1; k < 8; k++) times[k] = times[0] + length * k / 7 * (listed ? (1 + k / 7.0) / 2 : 1);
  add(m, times[0], "start"), add(m, times[7], "end");
  while (m->count < 9) {
    const double time = times[0] + length * (1.1 * random_unit(random) - 0.05);
    add(m, time, "x");
    if (sweep_next(random) % 3 == 0) add(m, time, "a");
  }
  make_marked(m, times, 8, 0, 1, 0);
  assert_true((quatsimd_clip_rate(m->clip) == 0) == listed);
}

/* A clock that runs for years, in steps of random length, forward and backward. */
static void long_clocks(void **state) {
  (void)state;
  static const double clocks[] = {0, 1, 86400, YEAR, 100 * YEAR, 1e13, -1, -86400, -YEAR, -1e13};
  uint64_t random = 7;
  size_t all = 0;
  for (int i = 0; i < 60; i++) {
    marked m = {.count = 0};
    make_random(&m, &random, i % 2);
    for (size_t c = 0; c < sizeof clocks / sizeof *clocks; c++) {
      double clock = clocks[c] + random_unit(&random), first = clock;
      size_t sum = 0;
      for (int n = 0; n < 60; n++) {
        const double step = m.duration * (n % 7 ? 0.2 : 3) * random_unit(&random),
                     next = i % 3 ? clock + step : clock - step;
        sum += check_between(&m, clock, next, QUATSIMD_CLIP_WRAP_LOOP, true);
        clock = next;
      }
      /* the steps give what one step from the first clock to the last gives */
      assert_int_equal(check_between(&m, first, clock, QUATSIMD_CLIP_WRAP_LOOP, true), sum);
      all += sum;
    }
    free_marked(&m);
  }
  assert_true(all > 10000);
}

/* Borders on the rounded clocks of passes themselves, and on their neighbours. */
static void on_the_clock_of_a_pass(void **state) {
  (void)state;
  uint64_t random = 8;
  for (int i = 0; i < 40; i++) {
    marked m = {.count = 0};
    make_random(&m, &random, i % 2);
    for (int n = 0; n < 300; n++) {
      const int64_t round = (int64_t)(sweep_next(&random) % ((uint64_t)2 << n % 50)) - ((int64_t)1 << n % 50);
      const volatile double product = (double)round * m.duration;
      const double clock = m.event[sweep_next(&random) % m.count].time + product;
      const double around[] = {clock, nextafter(clock, INFINITE), nextafter(clock, -INFINITE),
                               clock + m.duration * random_unit(&random), clock - 2 * m.duration};
      for (int k = 0; k < 25; k++)
        check_between(&m, around[k % 5], around[k / 5], QUATSIMD_CLIP_WRAP_LOOP, true);
    }
    free_marked(&m);
  }
}

/* ---- extremes ---- */

static void many_passes(void **state) {
  (void)state;
  static const double times[] = {0, 0.5, 1};
  marked m = {.count = 0};
  add(&m, 0.5, "half"), add(&m, 0.75, "more");
  make_marked(&m, times, 3, 0, 1, 0);
  enum { PASSES = 1000000 };
  quatsimd_clip_event *event = malloc(PASSES * sizeof *event);
  const quatsimd_clip_wrap loop = QUATSIMD_CLIP_WRAP_LOOP;
  assert_non_null(event);
  assert_int_equal(quatsimd_clip_events_between(m.clip, event, PASSES, 100, 500100, loop), PASSES);
  for (size_t i = 0; i < PASSES; i++)
    assert_true(event[i].clock == 100.5 + (double)(i / 2) + (i % 2 ? 0.25 : 0));
  assert_int_equal(quatsimd_clip_events_between(m.clip, event, PASSES, 500100, 100, loop), PASSES);
  for (size_t i = 0; i < PASSES; i++)
    assert_true(event[i].clock == 500099.75 - (double)(i / 2) - (i % 2 ? 0.25 : 0));
  /* rounds beyond 2^52 are not counted, and the call stays fast */
  const double rounds = 0x1p+52;
  const size_t most = SIZE_MAX > UINT32_MAX ? (size_t)(2 * (2 * (uint64_t)1 << 52) + 2) : SIZE_MAX;
  assert_int_equal(quatsimd_clip_events_between(m.clip, NULL, 0, -INFINITE, INFINITE, loop), most);
  assert_int_equal(quatsimd_clip_events_between(m.clip, NULL, 0, INFINITE, -INFINITE, loop), most);
  assert_int_equal(quatsimd_clip_events_between(m.clip, NULL, 0, -1e300, 1e300, loop), most);
  assert_int_equal(quatsimd_clip_events_between(m.clip, NULL, 0, 2 * rounds, 1e300, loop), 0);
  assert_int_equal(quatsimd_clip_events_between(m.clip, NULL, 0, -1e300, -2 * rounds, loop), 0);
  assert_int_equal(quatsimd_clip_events_between(m.clip, event, 3, 1e300, 0, loop),
                   SIZE_MAX > UINT32_MAX ? (size_t)(2 * ((uint64_t)1 << 52) + 2) : SIZE_MAX);
  assert_true(event[0].clock == rounds + 1 && event[1].clock == rounds && event[2].clock == rounds);
  assert_string_equal(event[0].name, "more");
  free(event);
  free_marked(&m);
}

/* With duration 0, and without a loop, a clip gives its events once. */
static void without_a_loop(void **state) {
  (void)state;
  static const double times[] = {2, 2.5, 3};
  for (size_t keys = 1; keys <= 3; keys += 2) {
    marked m = {.count = 0};
    add(&m, 2, "a"), add(&m, 2, "b"), add(&m, 1, "c"), add(&m, 3, "d"), add(&m, 7, "e");
    make_marked(&m, times, keys, 0, 0, 0);
    assert_int_equal(m.duration > 0, keys > 1);
    for (int wrap = 0; wrap < 3; wrap++) {
      if (wrap == QUATSIMD_CLIP_WRAP_LOOP && keys > 1) continue;
      assert_int_equal(check_between(&m, -INFINITE, INFINITE, (quatsimd_clip_wrap)wrap, false), 5);
      assert_int_equal(check_between(&m, 8, 1, (quatsimd_clip_wrap)wrap, false), 5);
      assert_int_equal(check_between(&m, 1, 2, (quatsimd_clip_wrap)wrap, false), 2);
      assert_int_equal(check_between(&m, 2, 1, (quatsimd_clip_wrap)wrap, false), 1);
      assert_int_equal(check_between(&m, 7, 1e9, (quatsimd_clip_wrap)wrap, false), 0);
      assert_int_equal(check_between(&m, INFINITE, 7, (quatsimd_clip_wrap)wrap, false), 1);
    }
    free_marked(&m);
  }
}

/* A loop that `close_loop` ends: a round lasts until the added frame, where the first one comes again. */
static void closed_loops(void **state) {
  (void)state;
  static const double times[] = {0, 0.25, 0.5, 0.75};
  marked m = {.count = 0};
  add(&m, 0, "start"), add(&m, 0.75, "last"), add(&m, 0.875, "between"), add(&m, 1, "end");
  make_marked(&m, times, 4, 0, 0, 1);
  assert_true(m.duration == 1 && quatsimd_clip_is_looping(m.clip));
  assert_int_equal(check_between(&m, 0, 10, QUATSIMD_CLIP_WRAP_CLIP, true), 40);
  assert_int_equal(check_between(&m, 0.75, 1, QUATSIMD_CLIP_WRAP_CLIP, true), 3);
  free_marked(&m);
}

/* Sampling at the clock of a pass gives the pose at the event's time, within the rounding of the clock. */
static void agrees_with_sampling(void **state) {
  (void)state;
  uint64_t random = 9;
  for (int i = 0; i < 40; i++) {
    marked m = {.count = 0};
    quatsimd_clip_event event[20];
    make_random(&m, &random, i % 2);
    const double from = (i % 4 - 1.5) * YEAR;
    const size_t count = quatsimd_clip_events_between(m.clip, event, 20, from, from + 2 * m.duration, 2);
    assert_true(count > 0 && count <= 20);
    for (size_t e = 0; e < count; e++) {
      float a[3], b[3];
      quatsimd_pose_out at = {.translations = quatsimd_aos_out(a)},
                        at_time = {.translations = quatsimd_aos_out(b)};
      assert_int_equal(quatsimd_clip_sample(m.clip, &at, NULL, event[e].clock, 2, 0), QUATSIMD_OK);
      assert_int_equal(quatsimd_clip_sample(m.clip, &at_time, NULL, event[e].time, 2, 0), QUATSIMD_OK);
      if (!(fabsf(a[0] - b[0]) < 0.001f))
        fail_msg("clip %d, event %zu: %g, %g", i, e, (double)a[0], (double)b[0]);
    }
    free_marked(&m);
  }
}

/* ---- times ---- */

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Prints the time of a call for a frame of a game, for a clip with this number of events. */
static void print_time(size_t events) {
  static const double times[] = {0, 0.5, 1};
  enum { CALLS = 1000000 };
  marked m = {.count = 0};
  quatsimd_clip_event got[8];
  size_t count = 0;
  for (size_t i = 0; i < events; i++) add(&m, (double)i / (double)events, "foot");
  make_marked(&m, times, 3, 0, 1, 0);
  double best = 1;
  for (int run = 0; run < 5; run++) {
    const double start = seconds();
    for (int i = 0; i < CALLS; i++)
      count +=
          quatsimd_clip_events_between(m.clip, got, 8, i / 60.0, (i + 1) / 60.0, QUATSIMD_CLIP_WRAP_LOOP);
    if (seconds() - start < best) best = seconds() - start;
  }
  printf("%zu events: %.1f ns a call, %.3f events\n", events, best / CALLS * 1e9, (double)count / CALLS / 5);
  free_marked(&m);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--times") == 0) return print_time(0), print_time(2), print_time(8), 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_clip_has_its_events),
                                     cmocka_unit_test(clips_without_events),
                                     cmocka_unit_test(at_borders),
                                     cmocka_unit_test(near_the_ends),
                                     cmocka_unit_test(in_order),
                                     cmocka_unit_test(exact),
                                     cmocka_unit_test(long_clocks),
                                     cmocka_unit_test(on_the_clock_of_a_pass),
                                     cmocka_unit_test(many_passes),
                                     cmocka_unit_test(without_a_loop),
                                     cmocka_unit_test(closed_loops),
                                     cmocka_unit_test(agrees_with_sampling)};
  return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
