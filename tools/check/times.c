#include "check/times.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/sample/still.h"

static int compare_times(const void *a, const void *b) {
  const double s = *(const double *)a, t = *(const double *)b;
  return s < t ? -1 : s > t;
}

size_t times_sort(double *time, size_t times) {
  size_t left = 0;
  qsort(time, times, sizeof *time, compare_times);
  for (size_t i = 0; i < times; i++)
    if (i == 0 || time[i] != time[left - 1]) time[left++] = time[i];
  return left;
}

double *times_of_clip(const quatsimd_clip *clip, int first, int end, size_t more, size_t *count) {
  const size_t frames = quatsimd_clip_frame_count(clip);
  double *time = NULL;
  for (int pass = 0; pass < 2; pass++) { /* counts, then takes them */
    size_t times = frames, before = 0;   /* keys of the last curve that had other times */
    for (size_t f = 0; time && f < frames; f++) time[f] = quatsimd_clip_frame_time(clip, f);
    for (int kind = first; kind < end; kind++) {
      const quatsimd_clip_part part = clip_part_of(clip, kind);
      const unsigned char *at = part.keys;
      for (size_t i = 0; i < part.keyed; i++) {
        const clip_keyed keys = clip_keyed_at(clip, kind, at);
        at = quatsimd_clip_keyed_end(&keys);
        for (size_t k = 0; time && k < keys.count; k++) time[times + k] = clip_keyed_time(&keys, k);
        if (time && before == keys.count &&
            memcmp(time + times - before, time + times, before * sizeof *time) == 0)
          continue;
        times += keys.count, before = keys.count;
      }
    }
    if (!time) time = memory_get(times + more, sizeof *time);
    *count = times;
  }
  return time;
}
