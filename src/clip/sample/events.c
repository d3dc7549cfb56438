/* Finds the events of a clip, and those that a clock passes. */
#include "clip/sample/events.h"
#include "clip/sample/open.h"
#include "clip/sample/time.h"

static bool has_events(const quatsimd_clip *clip) { return clip && clip->flags & CLIP_HAS_EVENTS; }

size_t quatsimd_clip_event_count(const quatsimd_clip *clip) {
  return has_events(clip) ? clip_events(clip)->count : 0;
}

static double time_of(const quatsimd_clip_events *events, size_t number) {
  return load_double(events->first + CLIP_EVENT_ENTRY * number + CLIP_EVENT_TIME);
}

static const char *name_of(const quatsimd_clip_events *events, size_t number) {
  const unsigned char *text = events->first + (size_t)CLIP_EVENT_ENTRY * events->text_after;
  return (const char *)text + load_u32(events->first + CLIP_EVENT_ENTRY * number + CLIP_EVENT_NAME);
}

double quatsimd_clip_event_time(const quatsimd_clip *clip, size_t number) {
  return number < quatsimd_clip_event_count(clip) ? time_of(clip_events(clip), number) : 0;
}

const char *quatsimd_clip_event_name(const quatsimd_clip *clip, size_t number) {
  return number < quatsimd_clip_event_count(clip) ? name_of(clip_events(clip), number) : NULL;
}

/* ---- passes ----
 * In round k, the clock passes an event at the event's time + k * duration. Rounding keeps the order: the
 * clock never falls from event to event of a round, or from round to round of an event, so that searches
 * work. */

#define MOST_ROUNDS ((int64_t)1 << 52) /* doubles of this size or more are whole numbers */
enum { FEW_ROUNDS = 4 };

/* Events from number `first` to `end`, without the latter, in rounds from -most to most. */
typedef struct event_walk {
  const quatsimd_clip_events *events;
  size_t first, end;
  double duration;
  int64_t most;
  bool forward;
  char *to; /* gets event i of those that are passed at byte i * stride, if i is below capacity */
  size_t stride, capacity;
} event_walk;

static double clock_of(const event_walk *w, size_t event, int64_t round) {
  return time_of(w->events, event) + (double)round * w->duration;
}

/* Events are before a time if their clock is at most the time; backward, if it is less. */
static bool is_before(const event_walk *w, size_t event, int64_t round, double time) {
  const double clock = clock_of(w, event, round);
  return w->forward ? clock <= time : clock < time;
}

/* Returns the number of the round's first event that is not before a time, or w->end. */
static size_t end_in_round(const event_walk *w, int64_t round, double time) {
  size_t low = w->first, high = w->end;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (is_before(w, middle, round, time)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Returns the last round in which an event is before a time, or -most - 1. The quotient may be a few rounds
 * off, because it is rounded, and because clocks are. */
static int64_t last_round(const event_walk *w, size_t event, double time) {
  const double rounds = (time - time_of(w->events, event)) / w->duration, most = (double)w->most;
  int64_t k = !(rounds > -most) ? -w->most - 1 : rounds < most ? (int64_t)rounds : w->most;
  while (k < w->most && is_before(w, event, k + 1, time)) k++;
  while (k >= -w->most && !is_before(w, event, k, time)) k--;
  return k;
}

/* Leaves the events from the clip's first frame to its last, and makes the walk one of many rounds. */
static void loop_events(event_walk *w, const quatsimd_clip *clip) {
  const double start = clip_absolute(clip->start), last = clip_absolute(clip_last_time(clip)),
               near = 0x1p-24 * (start > last ? start : last); /* times may have been rounded to float */
  event_walk once = *w;
  once.forward = false;
  w->first = end_in_round(&once, 0, clip->start - near);
  once.forward = true;
  w->end = end_in_round(&once, 0, clip_last_time(clip) + near);
  w->duration = clip->duration, w->most = MOST_ROUNDS;
}

/* Writes the events from number `first` to `end` of a round behind `total` others, as far as they fit. */
static void write_events(const event_walk *w, int64_t round, size_t first, size_t end, size_t total) {
  const size_t count = end - first, free_count = total < w->capacity ? w->capacity - total : 0;
  for (size_t i = 0; i < count && i < free_count; i++) {
    const size_t event = w->forward ? first + i : end - 1 - i;
    const quatsimd_clip_event passed = {.name = name_of(w->events, event),
                                        .time = time_of(w->events, event),
                                        .clock = clock_of(w, event, round)};
    memcpy(w->to + (total + i) * w->stride, &passed, sizeof passed);
  }
}

static size_t add_product(size_t total, size_t count, uint64_t rounds) {
  return rounds > (SIZE_MAX - total) / count ? SIZE_MAX : total + count * (size_t)rounds;
}

/* Finds the events that are before `high` and not before `low`, and writes as many as fit. */
static size_t walk_events(const event_walk *w, double low, double high) {
  const size_t all = w->end - w->first, last = w->end - 1;
  const int64_t begin = last_round(w, last, low) + 1, end = last_round(w, w->first, high);
  if (begin > end) return 0;
  /* all events of the rounds from `full` to `full_end` are passed. With few rounds, each is searched by
   * itself. */
  const bool few = end - begin < FEW_ROUNDS;
  const int64_t full = few ? 1 : last_round(w, w->first, low) + 1,
                full_end = few ? 0 : last_round(w, last, high);
  size_t total = 0;
  for (int64_t i = 0; i <= end - begin; i++) {
    const int64_t k = w->forward ? begin + i : end - i;
    if (total >= w->capacity && k >= full && k <= full_end) { /* no event of these rounds fits */
      const int64_t rounds = w->forward ? full_end - k + 1 : k - full + 1;
      total = add_product(total, all, (uint64_t)rounds), i += rounds - 1;
      continue;
    }
    const size_t first_event = end_in_round(w, k, low), end_event = end_in_round(w, k, high);
    write_events(w, k, first_event, end_event, total);
    total = add_product(total, 1, end_event - first_event);
  }
  return total;
}

size_t quatsimd_clip_write_events(const quatsimd_clip *clip, char *to, size_t stride, size_t capacity,
                                  double from, double until, quatsimd_clip_wrap wrap) {
  if (!has_events(clip) || !(from < until || until < from) || (unsigned)wrap > QUATSIMD_CLIP_WRAP_LOOP)
    return 0;
  event_walk w = {.events = clip_events(clip),
                  .duration = 1,
                  .forward = from < until,
                  .to = to,
                  .stride = stride,
                  .capacity = to ? capacity : 0};
  w.end = w.events->count;
  if (clip->duration > 0 && clip_loops_with(clip, wrap)) loop_events(&w, clip);
  if (w.first >= w.end) return 0;
  return walk_events(&w, w.forward ? from : until, w.forward ? until : from);
}

size_t quatsimd_clip_events_between(const quatsimd_clip *clip, quatsimd_clip_event *events, size_t capacity,
                                    double from, double to, quatsimd_clip_wrap wrap) {
  return quatsimd_clip_write_events(clip, (char *)events, sizeof *events, capacity, from, to, wrap);
}
