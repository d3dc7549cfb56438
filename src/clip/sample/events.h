/* The events that a clock passes, written to elements of any size. */
#ifndef QUATSIMD_CLIP_EVENTS_H
#define QUATSIMD_CLIP_EVENTS_H

#include "quatsimd/clip.h"

/* As quatsimd_clip_events_between. Event i is copied to byte i * stride of `to`, which may be null: then
 * events are only counted. */
size_t quatsimd_clip_write_events(const quatsimd_clip *clip, char *to, size_t stride, size_t capacity,
                                  double from, double until, quatsimd_clip_wrap wrap);

#endif
