/* Finds the events of a job by trying every round of every clip, as clip.h and pose.h define them. */
#ifndef TESTS_JOB_EVENTS_H
#define TESTS_JOB_EVENTS_H

#include "job_model.h"

/* An event of a clip, and the moment at which the clock passes it in some round. */
typedef struct passed_event {
  quatsimd_bundle_event of;
  double clock;
  size_t layer;
} passed_event;

enum { MOST_PASSED = 4096, MOST_TRIED = 400 };

/* Orders events as they are passed on a clock that runs forward. */
static inline int in_clip_order(const void *a, const void *b) {
  const quatsimd_bundle_event *const x = a, *const y = b;
  return x->time != y->time ? (x->time < y->time ? -1 : 1) : strcmp(x->name, y->name);
}

/* Appends the events of a layer to `count` others. Returns how many there are then, or SIZE_MAX if there are
 * too many rounds to try. */
static inline size_t pass_events(const drawn_job *d, size_t l, passed_event *events, size_t count) {
  const quatsimd_pose_layer *layer = &d->layers[l];
  const double from = layer->last_time, to = layer->time, duration = quatsimd_clip_duration(layer->clip),
               start = quatsimd_clip_start(layer->clip),
               end = quatsimd_clip_frame_time(layer->clip, quatsimd_clip_frame_count(layer->clip) - 1),
               near = fmax(fabs(start), fabs(end)) * 0x1p-24;
  const bool loops = goes_round(layer->clip, layer->wrap), forward = from < to;
  quatsimd_bundle_event sorted[CLIP_EVENTS];
  if (d->kind[l] == FOREIGN || !(from < to || to < from)) return count;
  if (loops && fabs(to - from) / duration > MOST_TRIED) return SIZE_MAX;
  memcpy(sorted, d->of->event[d->kind[l]], sizeof sorted);
  qsort(sorted, CLIP_EVENTS, sizeof sorted[0], in_clip_order);
  const int64_t low = loops ? (int64_t)floor((fmin(from, to) - start) / duration) - 2 : 0,
                high = loops ? (int64_t)floor((fmax(from, to) - start) / duration) + 2 : 0;
  for (int64_t i = low; i <= high; i++)
    for (int e = 0; e < CLIP_EVENTS; e++) {
      const int64_t round = forward ? i : low + high - i;
      const quatsimd_bundle_event *event = &sorted[forward ? e : CLIP_EVENTS - 1 - e];
      const double clock = event->time + (double)round * duration;
      if (loops && (event->time < start - near || event->time > end + near)) continue;
      if (forward ? clock > from && clock <= to : clock >= to && clock < from)
        events[count++] = (passed_event){*event, clock, l};
    }
  return count;
}

/* Compares the events that a job wrote to its memory, elements of `size` bytes, with the model. */
static inline void expect_events(const drawn_job *d, const quatsimd_pose_event *got, size_t size,
                                 size_t got_count) {
  static passed_event wanted[MOST_PASSED];
  size_t count = 0;
  for (size_t l = 0; l < d->job.layer_count && count != SIZE_MAX; l++)
    if (!is_ignored(&d->layers[l])) count = pass_events(d, l, wanted, count);
  if (count == SIZE_MAX) return;
  assert_int_equal(got_count, count);
  for (size_t e = 0; e < count && e < d->job.event_capacity; e++) {
    const quatsimd_pose_event *is = (const quatsimd_pose_event *)(const void *)((const char *)got + e * size);
    assert_int_equal(is->layer, wanted[e].layer);
    assert_true(is->weight == d->layers[is->layer].weight);
    assert_string_equal(is->name, wanted[e].of.name);
    assert_true(is->time == wanted[e].of.time && is->clock == wanted[e].clock);
    for (size_t b = sizeof *is; b < size; b++) assert_int_equal(((const char *)is)[b], 0);
  }
}

#endif
