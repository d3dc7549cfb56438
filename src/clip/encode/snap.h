/* Finds the grid that the times of a source's keys were before they were rounded to floats. */
#ifndef QUATSIMD_CLIP_SNAP_H
#define QUATSIMD_CLIP_SNAP_H

#include "clip/encode/memory.h"
#include "clip/encode/source.h"

/* Moves keys of a source, and of its base unless that is null, to times start + k / rate that lie within the
 * rounding of the keys' own floats. *source and *base then point to copies in `memory`. Keys stay in order.
 * The rate is that of the linear curves or, without any, of the splines; all their keys must lie on the grid.
 * A base may have a grid of its own. rate: the rate that was asked for; 0: any. If it is 0 and a key would
 * move by more than 1/16 of a frame, nothing moves, and report->snap_rate is set. *found gets the rate, or 0
 * if nothing moves. Sources must be checked. */
quatsimd_status quatsimd_snap(quatsimd_memory *memory, const quatsimd_clip_source **source,
                              const quatsimd_clip_source **base, double rate, double *found,
                              quatsimd_clip_report *report);

/* The interval of times that round to the same float as `time`, or are as near to it. */
typedef struct clip_rounded {
  double low, high;
} clip_rounded;
clip_rounded quatsimd_snap_rounded(double time);

/* The usual frame rates, n and n / 1.001, n first. */
enum { CLIP_USUAL_RATES = 18 };
double quatsimd_usual_rate(size_t i);

#endif
