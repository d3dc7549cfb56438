/* Transforms of the source's joints, kept from attempt to attempt: these measure at the same times. */
#ifndef QUATSIMD_CLIP_WANTED_H
#define QUATSIMD_CLIP_WANTED_H

#include <string.h>

#include "clip/encode/memory.h"

typedef struct affine {
  double m[3][4]; /* the last column is the translation */
} affine;

/* Poses of one part of the frames, which one thread at a time uses. */
typedef struct clip_wanted {
  size_t joints, most, count, mask;
  uint32_t *slot;    /* a table: 1 + the number of a pose; 0: free */
  double (*time)[2]; /* each pose's times in the source and in the clip */
  affine *transform; /* each pose's joints */
} clip_wanted;

/* Takes memory for `most` poses. False if there is none. */
static inline bool clip_wanted_take(clip_wanted *w, quatsimd_memory *memory, size_t joints, size_t most) {
  *w = (clip_wanted){.joints = joints, .most = most, .mask = 1};
  while (w->mask < 2 * most) w->mask = 2 * w->mask + 1;
  w->slot = quatsimd_take(memory, w->mask + 1, sizeof *w->slot);
  w->time = quatsimd_take(memory, most + 1, sizeof *w->time);
  w->transform = quatsimd_take(memory, joints * most + 1, sizeof *w->transform);
  return w->slot && w->time && w->transform;
}

/* Returns the pose of two times, or a place for it, and whether it is *known. Null: there is no place. */
static inline affine *clip_wanted_find(clip_wanted *w, double time, double clip_time, bool *known) {
  const double times[2] = {time, clip_time};
  uint64_t bits[2];
  memcpy(bits, times, sizeof bits);
  size_t at = (size_t)((bits[0] ^ bits[1] << 1 ^ bits[1] >> 63) * 0x9e3779b97f4a7c15u >> 32) & w->mask;
  for (; w->slot[at]; at = (at + 1) & w->mask) {
    const size_t pose = w->slot[at] - 1;
    *known = memcmp(w->time[pose], times, sizeof times) == 0;
    if (*known) return w->transform + w->joints * pose;
  }
  *known = false;
  if (w->count == w->most) return NULL;
  memcpy(w->time[w->count], times, sizeof times);
  w->slot[at] = (uint32_t)w->count + 1;
  return w->transform + w->joints * w->count++;
}

#endif
