/* Samples moving curves from their packed bytes, without unpacking them to memory. */
#ifndef QUATSIMD_CLIP_PACKED_H
#define QUATSIMD_CLIP_PACKED_H

#include "clip/sample/groups.h"
#include "clip/sample/output.h"

/* Samples up to `most` groups from w on and moves w behind them. most: at most CLIP_AT_ONCE. row: from
 * clip_load_rows. Returns false and does nothing if the first group has raw curves or the output is not
 * interleaved. The caller then calls quatsimd_clip_sample_group. */
bool quatsimd_clip_sample_groups(clip_walk *w, size_t most, const clip_position *p,
                                 const quatsimd_clip_row row[2], const clip_output *out);

/* Samples the group that w is at and moves w to the next. Lanes without a curve get any value. */
void quatsimd_clip_sample_group(float value[CLIP_GROUP][4], clip_walk *w, const clip_position *p,
                                const quatsimd_clip_row row[2]);

/* Samples curve i of the group that w is at, which must have no raw curves. Does not move w. */
void quatsimd_clip_sample_curve(float value[4], const clip_walk *w, size_t i, const clip_position *p,
                                const quatsimd_clip_row row[2]);

#endif
